"""From solutions to exercises: what the build makes, what it refuses, and that the committed files are current."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest

from expectimax_course import __version__
from expectimax_course.grading import bank
from expectimax_course.grading import build as module
from expectimax_course.grading.bank import heading
from expectimax_course.grading.build import BuildError, build, complete, make_exercise, references, with_stub
from expectimax_course.grading.notebook import KEY

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.usefixtures("small_bank")


def cell(kind, source, id, **about):
    metadata = {KEY: about} if about else {}
    return nbformat.from_dict(
        {"cell_type": kind, "id": id, "metadata": metadata, "source": source}
        | ({"outputs": [], "execution_count": None} if kind == "code" else {})
    )


MEAN = (
    "def mean(pairs):\n"
    '    """Return the mean."""\n'
    "    ### BEGIN SOLUTION\n"
    "    return sum(v * p for v, p in pairs)\n"
    "    ### END SOLUTION\n"
)
TWICE = "def twice(pairs):\n    ### BEGIN SOLUTION\n    return 2 * mean(pairs)\n    ### END SOLUTION\n"
PARTS = "### BEGIN SOLUTION\nparts = {'a': 1, 'b': 2.5, 'c': [1, 2]}\n### END SOLUTION"


def solution(chapter="90_small", **changes):
    """Return a solution notebook of the small chapter."""
    cells = [
        cell("code", "import math", "imports"),
        cell(
            "markdown", heading(bank.question("90.mean")) + "\n\nWrite it.", "s1", role="statement", question="90.mean"
        ),
        cell("code", MEAN, "a1", role="answer", question="90.mean"),
        cell("code", 'from expectimax_course import check\ncheck("90.mean")', "k1", role="check", question="90.mean"),
        cell("markdown", "Why it is so.", "d1", role="solution"),
        cell("code", TWICE, "a2", role="answer", question="90.twice", stub="    return mean(pairs)"),
        cell("code", PARTS, "a3", role="answer", question="90.parts"),
    ]
    for position, changed in changes.items():
        cells[int(position[1:])] = changed
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    about = {KEY: {"chapter": chapter}} | kernel
    return nbformat.from_dict({"nbformat": 4, "nbformat_minor": 5, "metadata": about, "cells": cells})


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository with one solution; notebooks are marked as executed instead of started in a kernel."""

    def execute(notebook, root):
        for one in notebook.cells:
            if one.cell_type == "code":
                one.execution_count = 1

    monkeypatch.setattr(module, "_execute", execute)
    (tmp_path / "bank").mkdir()
    monkeypatch.setattr(bank, "__file__", str(tmp_path / "bank" / "__init__.py"))
    (tmp_path / "solutions").mkdir()
    nbformat.write(solution(), tmp_path / "solutions" / "90_small.ipynb")
    return tmp_path


FILES = ["solutions/90_small.ipynb", "exercises/90_small.ipynb", "expectimax_course/grading/bank/c90_small.json"]


def test_a_build_writes_once_and_then_is_up_to_date(repository):
    assert build(repository, check=True) == FILES
    assert not (repository / "exercises").exists()
    assert build(repository) == FILES
    assert build(repository) == []
    assert build(repository, check=True) == []


@pytest.mark.parametrize("change", ["source", "metadata", "id", "extra cell", "version"])
def test_check_sees_every_difference_but_outputs(repository, change):
    build(repository)
    path = repository / "exercises" / "90_small.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[0].outputs = [nbformat.v4.new_output("stream", text="other")]
    nbformat.write(notebook, path)
    assert build(repository, check=True) == []
    if change == "source":
        notebook.cells[2].source += "#"
    elif change == "metadata":
        notebook.cells[2].metadata["nbgrader"]["locked"] = True
    elif change == "id":
        notebook.cells[2]["id"] = "other"
    elif change == "extra cell":
        notebook.cells.append(cell("markdown", "more", "more"))
    else:
        notebook.metadata[KEY]["version"] = "0.0.0"
    nbformat.write(notebook, path)
    assert build(repository, check=True) == ["exercises/90_small.ipynb"]


def test_an_exercise_without_a_solution_is_reported(repository):
    build(repository)
    (repository / "exercises" / "91_old.ipynb").write_text("{}")
    assert build(repository, check=True) == ["exercises/91_old.ipynb (no solution of that name)"]


def test_the_student_gets_stubs_ids_and_no_discussion():
    notebook = solution()
    complete(notebook, "90_small")
    exercise = make_exercise(notebook)
    assert [one.id for one in exercise.cells] == ["imports", "s1", "a1", "k1", "a2", "a3"]
    sources = {one.id: one.source for one in exercise.cells}
    assert sources["a1"] == (
        'def mean(pairs):\n    """Return the mean."""\n    # YOUR CODE HERE\n    raise NotImplementedError\n'
    )
    assert sources["a2"] == "def twice(pairs):\n    return mean(pairs)\n"
    assert sources["a3"] == "parts = ...  # YOUR ANSWER HERE"
    assert "stub" not in json.dumps(exercise)
    assert exercise.metadata[KEY] == {"chapter": "90_small", "version": __version__}
    assert notebook.cells[2].source == MEAN, "the solution itself keeps its answer"


def test_nbgrader_finds_its_metadata():
    notebook = solution()
    complete(notebook, "90_small")
    nbformat.validate(notebook)
    answer, check = notebook.cells[2].metadata.nbgrader, notebook.cells[3].metadata.nbgrader
    assert (answer.grade_id, answer.solution, answer.grade, answer.locked) == ("90-mean", True, False, False)
    assert (check.grade_id, check.solution, check.grade, check.locked) == ("90-mean-check", False, True, True)
    assert check.points == 5
    assert {answer.schema_version, check.schema_version} == {3}


def test_references_are_the_answers_without_marks():
    notebook = solution()
    entries = references(notebook)
    assert [entry["question"] for entry in entries] == [None, "90.mean", "90.twice", "90.parts"]
    namespace: dict[str, object] = {}
    for entry in entries:
        assert "SOLUTION" not in str(entry["source"])
        exec(str(entry["source"]), namespace)
    assert namespace["twice"]([(3.0, 1.0)]) == 6.0  # type: ignore[operator]


WITHOUT_MARKS = "def mean(pairs):\n    return 0\n"


@pytest.mark.parametrize(
    ("notebook", "message"),
    [
        (lambda: solution("91_other"), "expected the metadata of 90_small to name this chapter, got '91_other'"),
        (
            lambda: solution(c1=cell("markdown", "## Mean", "s1", role="statement", question="90.mean")),
            "as the first line",
        ),
        (lambda: solution(c2=cell("code", WITHOUT_MARKS, "a1", role="answer", question="90.mean")), "BEGIN SOLUTION"),
        (
            lambda: solution(c2=cell("code", MEAN, "a1", role="answer", question="90.no")),
            r"cell 3: expected one of 90\.mean",
        ),
        (lambda: solution(c2=cell("code", MEAN, "a1", role="reply", question="90.mean")), "expected a role of"),
        (lambda: solution(c2=cell("code", "1", "a1")), "expected answers to"),
    ],
)
def test_a_solution_that_breaks_the_format_is_refused(notebook, message):
    with pytest.raises(BuildError, match=message):
        complete(notebook(), "90_small")


def test_a_folder_without_solutions_is_refused(tmp_path):
    with pytest.raises(BuildError, match=r"expected solutions/NN_name\.ipynb"):
        build(tmp_path)


def test_a_cell_that_fails_stops_the_build(tmp_path):
    notebook = solution(c0=cell("code", "1 / 0", "imports"))
    (tmp_path / "exercises").mkdir()
    with pytest.raises(BuildError, match="ZeroDivisionError"):
        module._execute(notebook, tmp_path)


def test_an_unmarked_source_has_no_stub():
    assert with_stub(WITHOUT_MARKS, bank.question("90.mean")) == WITHOUT_MARKS
