"""What is stored in the notebooks: every code cell was run, none failed, none shows a machine's folders."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(path for folder in ["book", "exercises", "solutions"] for path in (ROOT / folder).glob("*.ipynb"))
MACHINE_PATH = re.compile(r"/(?:home|root|tmp|Users|work|var/folders)/\w|[A-Z]:\\Users|site-packages|ipykernel_\d")


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def notebook(request: pytest.FixtureRequest) -> nbformat.NotebookNode:
    return nbformat.read(request.param, as_version=4)


def test_there_are_notebooks_of_each_kind() -> None:
    assert {path.parent.name for path in NOTEBOOKS} == {"book", "exercises", "solutions"}


def test_every_code_cell_has_been_run(notebook: nbformat.NotebookNode) -> None:
    """nbval would run a cell without a count, and compare nothing."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]
    assert cells
    assert not [cell.source for cell in cells if cell.execution_count is None]


def test_no_cell_carries_an_error_or_a_path_of_a_machine(notebook: nbformat.NotebookNode) -> None:
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        for output in cell.outputs:
            assert output.output_type != "error", cell.source
            assert output.get("name") != "stderr", cell.source
            assert not MACHINE_PATH.search(str(output.get("text", output.get("data", "")))), cell.source


def test_no_cell_keeps_the_state_of_a_widget(notebook: nbformat.NotebookNode) -> None:
    assert "widgets" not in notebook.metadata
    kinds = {kind for cell in notebook.cells for output in cell.get("outputs", []) for kind in output.get("data", {})}
    assert "application/vnd.jupyter.widget-view+json" not in kinds


def test_the_apps_of_the_solutions_play_the_solutions(notebook: nbformat.NotebookNode, request) -> None:
    """An exercise's stub says that it is not written; a solution never fails."""
    shown = [
        output.data.get("text/html", "")
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if "data" in output
    ]
    said = [words for markup in shown for words in re.findall(r'class="ec-student"[^>]*>(.*?)</p>', markup)]
    for words in said:
        assert words.startswith("Your ") or " returns nothing yet: " in words, words
