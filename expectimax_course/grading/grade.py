"""Grading one submission: a sandboxed run per question, a verdict per question, a report.

One fault costs one question. Earlier questions are replaced by the reference while a later one is graded; a
cell that hangs or kills the process is left out and the run repeated, so that the other questions are still
graded.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from expectimax_course.grading import bank, sandbox
from expectimax_course.grading.bank import Question
from expectimax_course.grading.codec import encode
from expectimax_course.grading.judge import Expected, Trouble, Verdict, expectations, judge
from expectimax_course.grading.notebook import CodeCell, Submission, read_submission
from expectimax_course.grading.outcomes import Outcome, describe_error
from expectimax_course.grading.sandbox import Transcript

MOST_BAD_CELLS = 3
"""Cells of one submission that may hang or kill the process before the rest is given up."""


@dataclass(frozen=True)
class Report:
    """All that is known of one submission.

    Attributes
    ----------
    name : path relative to the input folder
    problem : why it could not be graded at all, else ""
    cell_errors : (cell number, what went wrong) of each cell that was skipped
    """

    name: str
    chapter: str = ""
    version: str = ""
    verdicts: tuple[Verdict, ...] = ()
    cell_errors: tuple[tuple[int, str], ...] = ()
    problem: str = ""
    seconds: float = 0.0

    @property
    def score(self) -> float:
        """Points earned."""
        return sum(verdict.score for verdict in self.verdicts)

    @property
    def max_score(self) -> float:
        """Points there are."""
        return sum(verdict.question.points for verdict in self.verdicts)


class Grader:
    """Grades submissions with one seed; a context manager, because it keeps the staged folders.

    Parameters
    ----------
    seed : the instructor's; None looks at the practice cases only, as ``check`` does
    only : ids of questions to grade, all by default

    Examples
    --------
    >>> with Grader(seed=None) as grader:
    ...     grader.grade(Path("no such file.ipynb")).problem
    'cannot read the file: No such file or directory'
    """

    def __init__(self, seed: int | None, only: Iterable[str] = ()) -> None:
        self.seed, self.only = seed, tuple(only)
        self._stack = ExitStack()
        self._staged: dict[tuple[str, ...], Path] = {}

    def __enter__(self) -> Grader:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def grade(self, path: Path, name: str | None = None) -> Report:
        """Grade one file; whatever is in it, a report comes out."""
        started = time.monotonic()
        report = self._grade(path, name or path.name)
        return replace(report, seconds=time.monotonic() - started)

    def _grade(self, path: Path, name: str) -> Report:
        try:
            submission = read_submission(path)
            asked = bank.questions(submission.chapter)
        except OSError as error:
            return Report(name, problem=f"cannot read the file: {error.strerror}")
        except ValueError as error:
            return Report(name, problem=str(error))
        bad: dict[int, str] = {}
        verdicts: list[Verdict] = []
        errors: dict[int, str] = {}
        for question in asked:
            if not self.only or question.id in self.only:
                verdict, transcript = self.grade_question(submission, question, bad)
                verdicts.append(verdict)
                errors |= {index: describe_error(error) for index, error in transcript.cell_errors.items()}
        known = tuple(sorted((errors | bad).items()))
        return Report(name, submission.chapter, submission.version, tuple(verdicts), known)

    def grade_question(
        self, submission: Submission, question: Question, bad: dict[int, str]
    ) -> tuple[Verdict, Transcript]:
        """Grade one question; ``bad`` collects the cells that hung or killed the process and is heeded."""
        cases = expectations(question, self.seed)
        ids = [secrets.token_hex(8) for _ in cases]
        while True:
            cells = [cell for cell in submission.cells if cell.index not in bad]
            job = _job(question, cells, cases, ids)
            transcript = sandbox.run_job(job, self._stage(question), seconds=question.seconds)
            died = transcript.ended != "done" and transcript.calls is None
            if not died or transcript.last_cell is None or len(bad) >= MOST_BAD_CELLS:
                break
            hung = transcript.ended == "timeout"
            bad[transcript.last_cell] = "never ended" if hung else "ended Python itself"
        outcomes = [Outcome.from_message(transcript.answers.get(id)) for id in ids]
        verdict = judge(question, cases, outcomes, _trouble(question, submission, transcript, bad))
        return replace(verdict, seconds=transcript.seconds), transcript

    def _stage(self, question: Question) -> Path:
        if question.allows not in self._staged:
            self._staged[question.allows] = self._stack.enter_context(sandbox.stage(question.allows))
        return self._staged[question.allows]


def _job(
    question: Question, cells: Sequence[CodeCell], cases: Sequence[Expected], ids: Sequence[str]
) -> dict[str, Any]:
    calls = [
        {
            "id": id,
            "args": [encode(arg) for arg in case.case.args],
            "shown": case.shown,
            "draws": question.draws,
            "seed": secrets.randbits(52),
        }
        for id, case in zip(ids, cases, strict=True)
    ]
    return {
        "name": question.name,
        "kind": question.kind,
        "cells": [{"index": cell.index, "source": cell.source} for cell in cells],
        "references": earlier_references(question),
        "calls": calls,
    }


def _trouble(question: Question, submission: Submission, transcript: Transcript, bad: dict[int, str]) -> Trouble:
    """Find what concerns this question in what the sandbox noticed."""
    own = {cell.index for cell in submission.cells if _defines(cell, question)}
    calls = transcript.calls
    cell_error = next((describe_error(transcript.cell_errors[i]) for i in own & transcript.cell_errors.keys()), "")
    hung = next((index for index in own & bad.keys()), None)
    if calls in (None, "missing") and hung is not None:
        ended = "timeout" if bad[hung] == "never ended" else "killed"
        return Trouble(ended, calls, hung, "")
    forbidden = [module for module, at in transcript.forbidden if module]
    cell = transcript.last_cell if calls is None else None
    return Trouble(transcript.ended, calls, cell, cell_error, forbidden[0] if forbidden else "")


def _defines(cell: CodeCell, question: Question) -> bool:
    starts = (f"def {question.name}(", f"{question.name} =", f"{question.name}:")
    return cell.question == question.id or any(line.strip().startswith(starts) for line in cell.source.splitlines())


@cache
def chapter_references(chapter: str) -> tuple[dict[str, Any], ...]:
    """Return the sources of a chapter's reference answers, in order, as ``exercises build`` wrote them."""
    file = resources.files(bank).joinpath(f"c{chapter}.json")
    return tuple(json.loads(file.read_text(encoding="utf-8"))) if file.is_file() else ()


def earlier_references(question: Question) -> list[dict[str, Any]]:
    """Return the references of the questions before this one in its chapter, and the code cells among them."""
    chapter = next(name for name in bank.chapters() if name[:2] == question.chapter)
    entries: list[dict[str, Any]] = []
    for entry in chapter_references(chapter):
        if entry["question"] == question.id:
            return entries
        entries.append(entry)
    return []
