"""Run notebooks and store their outputs in the form that is committed.

    python book/_ext/run_notebooks.py book/03_push_to_21.ipynb …

Two runs give the same bytes. Kept is what a reader sees and nbval compares; widget ids and state, the versions
of the machine and times are left out.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

WIDGET = "application/vnd.jupyter.widget-view+json"
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def run(path: Path) -> None:
    """Execute a notebook in its own folder and write it back.

    Raises
    ------
    nbclient.exceptions.CellExecutionError
        If a cell fails; the file stays as it was.
    """
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook, timeout=120, kernel_name="python3", record_timing=False, resources={"metadata": {"path": path.parent}}
    ).execute()
    clean(notebook)
    nbformat.validate(notebook)
    path.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")


def clean(notebook: NotebookNode) -> None:
    """Leave out what differs from run to run, and what belongs to this machine."""
    notebook.nbformat_minor = 5
    kept = (
        {"expectimax_course": notebook.metadata["expectimax_course"]}
        if "expectimax_course" in notebook.metadata
        else {}
    )
    notebook.metadata = NotebookNode({**kept, "kernelspec": KERNEL, "language_info": {"name": "python"}})
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", ()):
            output.get("data", {}).pop(WIDGET, None)
        if "outputs" in cell:
            cell.outputs = merge_streams(cell.outputs)


def merge_streams(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Join neighbouring pieces of one stream: how they were cut depends on timing."""
    merged: list[NotebookNode] = []
    for output in outputs:
        if merged and output.output_type == "stream" == merged[-1].output_type and output.name == merged[-1].name:
            merged[-1].text += output.text
        else:
            merged.append(output)
    return merged


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        run(Path(argument))
