"""The book's own roles and directives, on a page of their own; and the form in which notebooks are stored."""

import sys
from io import StringIO
from pathlib import Path

import nbformat
import pytest
from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "book" / "_ext"))

import course_pages  # noqa: E402
import run_notebooks  # noqa: E402

from expectimax_course.grading import execution  # noqa: E402
from expectimax_course.grading.bank import questions  # noqa: E402


def build(folder: Path, pages: dict[str, str]) -> tuple[str, str]:
    """Build pages of Markdown; return the text of the first one, and the warnings."""
    for name, text in pages.items():
        path = folder / "source" / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    first, warnings = next(iter(pages)), StringIO()
    extensions = ["myst_parser", "record_role", "course_pages"]
    app = Sphinx(
        folder / "source",
        None,
        folder / "out",
        folder / "doctrees",
        "text",
        confoverrides={"extensions": extensions, "root_doc": first},
        status=None,
        warning=warnings,
    )
    app.build()
    return (folder / "out" / f"{first}.txt").read_text(encoding="utf-8"), "\n".join(
        line
        for line in warnings.getvalue().splitlines()
        if "already registered" not in line  # by an earlier test
    )


def test_a_record_is_quoted_in_its_format(tmp_path):
    text, warnings = build(tmp_path, {"index": "# A\n\n{record}`push_simulation.hit_at_16:.7f` points."})
    assert "9.5034435 points." in text
    assert not warnings


def test_a_record_that_does_not_exist_is_an_error_with_its_name(tmp_path):
    _, warnings = build(tmp_path, {"index": "# A\n\n{record}`push_simulation.gone:.2f` points."})
    assert "push_simulation.gone" in warnings
    assert "expected a field of the record" in warnings


def test_the_table_of_experiments_has_a_row_for_each_record(tmp_path):
    text, warnings = build(tmp_path, {"index": "# A\n\n```{experiments}\n```\n"})
    records = [path.stem for path in (ROOT / "book" / "_data").glob("*.json")]
    assert records
    assert all(name in text for name in records)
    assert not warnings


def test_a_chapter_is_linked_once_the_book_has_it(tmp_path):
    pages = {
        "index": "# A\n\n{chapter}`05_bounds` and {chapter}`06_later`.",
        "book/05_bounds": "---\norphan: true\n---\n# B",
    }
    text, warnings = build(tmp_path, pages)
    assert "chapter 05 and chapter 06." in text
    assert not warnings


def test_the_questions_of_a_chapter_come_from_the_bank():
    asked = questions("03_push_to_21")
    lines = course_pages.lines("03_push_to_21", set())
    assert lines[0] == f"The notebook has {len(asked)} questions, the easiest first."
    assert f"| {asked[0].title} | {asked[0].points:g} | {asked[0].minutes} |" in lines
    assert lines[-1].startswith(f"| together | {sum(question.points for question in asked):g} |")


def test_solutions_are_linked_only_where_the_book_has_them():
    handed_out = course_pages.lines("03_push_to_21", {"exercises/03_push_to_21"})
    assert "</exercises/03_push_to_21>" in handed_out[0]
    assert "solutions" not in handed_out[0]
    whole = course_pages.lines("03_push_to_21", {"exercises/03_push_to_21", "solutions/03_push_to_21"})
    assert "</solutions/03_push_to_21>" in whole[0]


def test_questions_of_an_unknown_chapter_are_a_warning(tmp_path):
    _, warnings = build(tmp_path, {"index": "# A\n\n```{questions} 99_gone\n```\n"})
    assert "99_gone" in warnings


@pytest.fixture
def notebook(tmp_path):
    made = nbformat.v4.new_notebook()
    made.cells = [nbformat.v4.new_code_cell("print('a')\nprint('b')\n1 + 1"), nbformat.v4.new_markdown_cell("text")]
    made.metadata = {
        "expectimax_course": {"chapter": "99_demo"},
        "kernelspec": {"name": "elsewhere", "display_name": "Mine"},
    }
    for name, cell in zip(("first", "second"), made.cells, strict=True):
        cell["id"] = name
    path = tmp_path / "99_demo.ipynb"
    path.write_text(nbformat.writes(made), encoding="utf-8")
    return path


def test_two_runs_of_a_notebook_give_the_same_bytes(notebook):
    run_notebooks.run(notebook)
    once = notebook.read_bytes()
    run_notebooks.run(notebook)
    assert notebook.read_bytes() == once
    stored = nbformat.read(notebook, as_version=4)
    assert [cell.id for cell in stored.cells] == ["first", "second"]
    assert stored.cells[0].outputs[0].text == "a\nb\n"
    assert stored.cells[0].outputs[1].data["text/plain"] == "2"
    assert stored.metadata["expectimax_course"] == {"chapter": "99_demo"}
    assert stored.metadata["kernelspec"]["name"] == "python3"


def test_widget_views_and_times_are_left_out():
    cell = nbformat.v4.new_code_cell("app", metadata={"execution": {"iopub.status.busy": "now"}})
    data = {execution.WIDGET: {"model_id": "1"}, "text/html": "<p>", "text/plain": "app"}
    cell.outputs = [nbformat.v4.new_output("display_data", data)]
    stored = nbformat.v4.new_notebook(cells=[cell], metadata={"widgets": {}})
    execution.clean(stored)
    assert set(stored.cells[0].outputs[0].data) == {"text/html", "text/plain"}
    assert "execution" not in stored.cells[0].metadata
    assert "widgets" not in stored.metadata
