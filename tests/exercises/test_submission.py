"""Grading through pytest: a submission if one is given, else every solution and every stub of the course."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from expectimax_course.grading import bank
from expectimax_course.grading.exports import verdict_text
from expectimax_course.grading.grade import Report, grade
from expectimax_course.grading.notebook import read_submission

ROOT = Path(__file__).resolve().parents[2]
OWN_SEED = 20480
"""For the course's own notebooks; what somebody hands in is graded with a seed that nobody knows before."""
pytestmark = pytest.mark.sandbox


@cache
def report(path: Path, seed: int = OWN_SEED) -> Report:
    return grade(path, path.name, seed)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test per question, so that pytest's report is the grade's."""
    given = metafunc.config.getoption("--submission", default=None)
    if "graded" in metafunc.fixturenames:
        metafunc.parametrize(("graded", "position"), _questions(Path(given)) if given else [])
    if "chapter" in metafunc.fixturenames:
        metafunc.parametrize("chapter", [] if given else bank.chapters())


def _questions(path: Path) -> list[object]:
    asked = bank.questions(read_submission(path).chapter)
    return [pytest.param(path, position, id=question.id) for position, question in enumerate(asked)]


def test_question(graded, position, record_property, pytestconfig):
    verdict = report(graded, pytestconfig.option.seed).verdicts[position]
    record_property("score", verdict.score)
    record_property("max_score", verdict.question.points)
    record_property("status", verdict.status)
    if verdict.status == "not_attempted":
        pytest.skip("not attempted")
    if verdict.status != "passed":
        pytest.fail(f"{verdict.score:g} of {verdict.question.points:g}. {verdict_text(verdict)}", pytrace=False)


def test_the_solution_earns_full_marks(chapter):
    result = report(ROOT / "solutions" / f"{chapter}.ipynb")
    assert result.problem == ""
    assert result.cell_errors == ()
    assert {verdict.question.id: verdict.status for verdict in result.verdicts} == {
        question.id: "passed" for question in bank.questions(chapter)
    }
    assert result.score == result.max_score


def test_the_stub_is_not_attempted(chapter):
    result = report(ROOT / "exercises" / f"{chapter}.ipynb")
    assert result.problem == ""
    assert result.cell_errors == ()
    assert {verdict.status for verdict in result.verdicts} == {"not_attempted"}
    assert result.score == 0
