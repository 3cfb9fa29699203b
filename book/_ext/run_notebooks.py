"""Run notebooks and store their outputs in the form that is committed.

    python book/_ext/run_notebooks.py book/03_push_to_21.ipynb …

A notebook of which a cell fails stays as it was.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat

from expectimax_course.grading.execution import execute


def run(path: Path) -> None:
    """Execute a notebook in its own folder and write it back.

    Raises
    ------
    nbclient.exceptions.CellExecutionError
        If a cell fails.
    """
    notebook = nbformat.read(path, as_version=4)
    execute(notebook, path.parent)
    nbformat.validate(notebook)
    path.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        run(Path(argument))
