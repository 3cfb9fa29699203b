"""Every chapter keeps the form that readers rely on: aims first, short cells, failures, exercises, sources."""

import re
import statistics
from pathlib import Path

import nbformat
import pytest

CHAPTERS = sorted((Path(__file__).resolve().parents[2] / "book").glob("[0-9][0-9]_*.ipynb"))


@pytest.fixture(params=CHAPTERS, ids=lambda path: path.stem)
def chapter(request):
    return nbformat.read(request.param, as_version=4)


def code(chapter):
    return [cell.source.splitlines() for cell in chapter.cells if cell.cell_type == "code"]


def prose(chapter):
    return "\n\n".join(cell.source for cell in chapter.cells if cell.cell_type == "markdown")


def test_half_the_cells_have_six_lines_or_fewer_and_none_has_more_than_twenty_five(chapter):
    lengths = [len(lines) for lines in code(chapter)]
    assert statistics.median(lengths) <= 6
    assert max(lengths) <= 25


def test_a_chapter_opens_with_aims_needs_and_minutes_and_then_an_app(chapter):
    title, opening = chapter.cells[0].source.split("\n", 1)
    assert re.fullmatch(r"# .{1,60}", title)
    assert re.search(r"dropdown\} Aims, needs, \d+ minutes\nYou will be able to\n- .*\nYou need ", opening, re.DOTALL)
    assert "?" in opening
    assert "LiveApp(" in chapter.cells[1].source


def test_a_chapter_says_when_it_fails_and_ends_with_exercises_summary_and_sources(chapter):
    headings = re.findall(r"^## (.*)$", prose(chapter), re.MULTILINE)
    assert headings[-3:] == ["Exercises", "Summary", "Sources"]
    assert any(heading.startswith("When it fails") for heading in headings)
    assert re.search(r"\{questions\} \d\d_\w+", prose(chapter))
    assert "{cite:p}" in prose(chapter)


def test_terms_are_linked_to_the_glossary(chapter):
    assert len(re.findall(r"\{term\}`", prose(chapter))) >= 3


def test_every_glued_name_is_used_and_every_used_name_is_glued(chapter):
    glued = {
        output.metadata["scrapbook"]["name"]
        for cell in chapter.cells
        for output in cell.get("outputs", ())
        if "scrapbook" in output.get("metadata", {})
    }
    quoted = set(re.findall(r"\{glue:text\}`(\w+)(?::[^`]*)?`", prose(chapter)))
    assert quoted <= glued
    # An estimate is glued whole.
    assert glued - quoted <= {"n", "mean", "standard_error", "low", "high"}
