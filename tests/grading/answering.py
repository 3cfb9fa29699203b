"""What a student hands in, and how it is judged, for the tests of the bank's chapters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat

from expectimax_course.game import Player
from expectimax_course.grading.bank import Question
from expectimax_course.grading.check import check_answer
from expectimax_course.grading.codec import encode
from expectimax_course.grading.judge import Verdict, expectations, judge
from expectimax_course.grading.outcomes import Outcome
from expectimax_course.grading.worker import call

ROOT = Path(__file__).parents[2]


def verdict(one: Question, answer: Any, seed: int) -> Verdict:
    """Judge an answer in this process, on the graded cases of a seed too."""
    if one.kind == "choice":
        return check_answer(one, answer)
    cases = expectations(one, seed)
    got = []
    for case in cases:
        request = {"id": "", "args": [encode(arg) for arg in case.case.args], "shown": True}
        request |= {"draws": one.draws, "seed": 99}
        got.append(Outcome.from_message(call(answer, {"kind": one.kind}, request)))
    return judge(one, cases, got)


def written(source: str, name: str, **given: Any) -> Any:
    """Run a student's code, with ``Player`` and what is given; return what it defines under a name."""
    namespace: dict[str, Any] = {"Player": Player, **given}
    exec(compile(source, "<answer>", "exec", dont_inherit=True), namespace)
    return namespace[name]


def cells(folder: str, chapter: str) -> Any:
    """Return the cells of a notebook of `exercises` or `solutions`."""
    return nbformat.read(ROOT / folder / f"{chapter}.ipynb", as_version=4).cells


def namespace_of(folder: str, chapter: str) -> dict[str, Any]:
    """Run the given and the answer cells of a notebook; return what they define."""
    namespace: dict[str, Any] = {}
    for cell in cells(folder, chapter):
        role = cell.metadata.get("expectimax_course", {}).get("role")
        if cell.cell_type == "code" and role in (None, "answer"):
            exec(compile(cell.source, "<answer>", "exec", dont_inherit=True), namespace)
    return namespace
