"""Running a notebook and keeping its outputs in the form that is committed.

Two runs give the same bytes. Kept is what a reader sees and nbval compares; widget ids and state, the versions of
the machine and times are left out.
"""

from __future__ import annotations

from pathlib import Path

from nbformat import NotebookNode

from expectimax_course.grading.notebook import KEY

WIDGET = "application/vnd.jupyter.widget-view+json"
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def execute(notebook: NotebookNode, folder: Path) -> None:
    """Run every cell in a fresh kernel, in ``folder``, and keep the outputs.

    Raises
    ------
    ImportError
        If nbclient, of the extra ``book``, is missing.
    nbclient.exceptions.CellExecutionError
        If a cell fails.
    """
    from nbclient import NotebookClient

    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, timeout=120, kernel_name="python3", record_timing=False, resources=resources).execute()
    clean(notebook)


def clean(notebook: NotebookNode) -> None:
    """Leave out what differs from run to run, and what belongs to this machine."""
    notebook.nbformat_minor = 5
    kept = {KEY: notebook.metadata[KEY]} if KEY in notebook.metadata else {}
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
