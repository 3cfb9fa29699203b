"""Grading one submission: a sandboxed run per question, a verdict per question, a report.

One fault costs one question. Earlier questions are replaced by the reference while a later one is graded, and where
that does not earn full points, the student's own answers to them are tried as well. A cell that hangs or kills the
process is left out and the run repeated, so that the other questions are still graded.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from expectimax_course.grading import bank
from expectimax_course.grading.bank import Question
from expectimax_course.grading.codec import encode
from expectimax_course.grading.judge import PUBLIC_SEED, Expected, Trouble, Verdict, expectations, judge, right
from expectimax_course.grading.notebook import CodeCell, Submission, read_submission
from expectimax_course.grading.outcomes import Outcome, describe_error
from expectimax_course.grading.sandbox import Transcript, run_job, stage

ENDS = {"timeout": "never ended", "flooded": "wrote more than can be read", "killed": "ended Python itself"}
"""What a cell did in which a run ended, for each way in which it may end."""
References = Sequence[dict[str, Any]]
MOST_BAD_CELLS = 6
"""Cells of one submission that may hang or kill the process before the rest is given up."""
MOST_SECONDS = 300.0
"""Wall-clock seconds after which no further question of a submission is begun; honest work takes a few."""


@dataclass(frozen=True)
class Report:
    """All that is known of one submission.

    Attributes
    ----------
    name : path relative to the input folder
    problem : why it could not be graded at all, else ""
    again : the fault was not the submission's: it must be graded again
    cell_errors : (cell number, what went wrong) of each cell that was skipped
    """

    name: str
    chapter: str = ""
    version: str = ""
    verdicts: tuple[Verdict, ...] = ()
    cell_errors: tuple[tuple[int, str], ...] = ()
    problem: str = ""
    again: bool = False
    seconds: float = 0.0

    @property
    def score(self) -> float:
        """Points earned."""
        return sum(verdict.score for verdict in self.verdicts)

    @property
    def max_score(self) -> float:
        """Points there are."""
        return sum(verdict.question.points for verdict in self.verdicts)


def grade(path: Path, name: str, seed: int | None) -> Report:
    """Grade one file; whatever is in it, a report comes out.

    Parameters
    ----------
    path : the notebook
    name : what the report calls it
    seed : the instructor's; None looks at the practice cases only, as ``check`` does

    Examples
    --------
    >>> grade(Path("no such file.ipynb"), "a", seed=None).problem
    'cannot read the file: No such file or directory'
    """
    started = time.monotonic()
    try:
        submission = read_submission(path)
        questions = bank.questions(submission.chapter)
    except OSError as error:
        report = Report(name, problem=f"cannot read the file: {error.strerror}")
    except ValueError as error:
        report = Report(name, problem=str(error))
    else:
        report = _grade(submission, questions, name, seed)
    return replace(report, seconds=time.monotonic() - started)


@dataclass(frozen=True)
class BadCells:
    """The cells of one submission in which a run ended: index → how it ended, a key of ``ENDS``.

    Attributes
    ----------
    open : those that did so where only cases could be read that may be shown; they may be named
    closed : those that did so where graded cases could be read: which they are might spell one out
    """

    open: dict[int, str]
    closed: dict[int, str]


def _grade(submission: Submission, questions: Sequence[Question], name: str, seed: int | None) -> Report:
    bad = BadCells({}, {})
    verdicts: list[Verdict] = []
    failed: dict[int, str] = {}
    latest = time.monotonic() + MOST_SECONDS
    for question in questions:
        if time.monotonic() > latest:
            message = f"This question was not begun: those before it took more than {MOST_SECONDS:g} s together."
            verdicts.append(Verdict(question, "timeout", 0.0, message))
            continue
        verdict, errors = grade_question(submission, question, seed, bad)
        verdicts.append(verdict)
        failed |= errors
    failed |= {index: ENDS[how] for index, how in bad.open.items()}
    known = tuple((cell.index, failed[cell.index]) for cell in submission.cells if cell.index in failed)
    return Report(name, submission.chapter, submission.version, tuple(verdicts), known)


def grade_question(
    submission: Submission, question: Question, seed: int | None, bad: BadCells
) -> tuple[Verdict, dict[int, str]]:
    """Grade one question; ``bad`` collects the cells that hung or killed the process, and is heeded.

    Returns
    -------
    tuple
        The verdict, and what may be told of each cell that failed.
    """
    references = earlier_references(question)
    verdict, errors = _graded(submission, question, references, seed, bad)
    if verdict.status in ("partial", "wrong", "error") and any(entry["question"] for entry in references):
        own, own_errors = _graded(submission, question, [], seed, bad)  # an answer may suit the student's own alone
        if own.score > verdict.score:
            return own, own_errors
    return verdict, errors


def _graded(
    submission: Submission, question: Question, references: References, seed: int | None, bad: BadCells
) -> tuple[Verdict, dict[int, str]]:
    """Grade one question with these references in place of the student's own answers."""
    cases = expectations(question, seed)
    transcript, got = _run(submission, question, references, cases, seed, bad)
    told = transcript
    passed = all(right(question, case, outcome) for case, outcome in zip(cases, got, strict=True))
    if any(not case.shown for case in cases):
        told = Transcript()
        if transcript.cell_errors or bad.closed or not passed:
            told, got = _tellable(submission, question, references, cases, transcript, got, bad)
    verdict = judge(question, cases, got, _trouble(question, submission, transcript, told, bad))
    errors = {index: describe_error(error) for index, error in told.cell_errors.items()}
    return replace(verdict, seconds=transcript.seconds), errors


def _run(
    submission: Submission,
    question: Question,
    references: References,
    cases: Sequence[Expected],
    seed: int | None,
    bad: BadCells,
) -> tuple[Transcript, list[Outcome]]:
    """Run cells and cases; again without the cell that hung or killed the process, if that was a cell."""
    ids = [secrets.token_hex(8) for _ in cases]
    found, skipped = (bad.open, {}) if all(case.shown for case in cases) else (bad.closed, bad.open)
    while True:
        cells = [cell for cell in submission.cells if cell.index not in found and cell.index not in skipped]
        job = _job(question, references, cells, cases, ids, seed)
        transcript = run_job(job, stage(question.allows, question.forbids), seconds=question.seconds)
        if transcript.last_cell not in {cell.index for cell in cells}:  # a forged line
            transcript.last_cell = None
        died = transcript.ended != "done" and transcript.calls is None
        if not died or transcript.last_cell is None or len(found) >= MOST_BAD_CELLS:
            break
        found[transcript.last_cell] = transcript.ended
    return transcript, [Outcome.from_message(transcript.answers.get(id)) for id in ids]


def _tellable(
    submission: Submission,
    question: Question,
    references: References,
    cases: Sequence[Expected],
    transcript: Transcript,
    got: Sequence[Outcome],
    bad: BadCells,
) -> tuple[Transcript, list[Outcome]]:
    """Take the student's words from a run of the practice cases alone.

    Where the graded cases could be read, values, messages, names of modules and the choice of the cells that fail might
    spell them out, and the feedback would pass them on.
    """
    practice = [case for case in cases if case.shown]
    told, words = Transcript(), [Outcome(missing=True)] * len(practice)
    if transcript.ended == "done":
        told, words = _run(submission, question, references, practice, None, bad)
    said = iter(words)
    return told, [next(said) if case.shown else outcome.wordless() for case, outcome in zip(cases, got, strict=True)]


def _job(
    question: Question,
    references: References,
    cells: Sequence[CodeCell],
    cases: Sequence[Expected],
    ids: Sequence[str],
    seed: int | None,
) -> dict[str, Any]:
    calls = []
    for index, (id, case) in enumerate(zip(ids, cases, strict=True)):
        call = {"id": id, "args": [encode(arg) for arg in case.case.args], "shown": case.shown}
        if question.kind == "sampler":
            drawn = PUBLIC_SEED if case.shown or seed is None else seed
            call |= {"draws": question.draws, "seed": sampler_seed(drawn, question.id, index)}
        calls.append(call)
    return {
        "name": question.name,
        "kind": question.kind,
        "cells": [{"index": cell.index, "source": cell.source} for cell in cells],
        "references": references,
        "calls": calls,
    }


def sampler_seed(seed: int, id: str, index: int) -> int:
    """Return the seed that one call of a sampler draws from; nobody gets back from it to ``seed``.

    Examples
    --------
    >>> sampler_seed(1, "07.fresh_sample", 0) == sampler_seed(1, "07.fresh_sample", 1)
    False
    """
    return int.from_bytes(hashlib.sha256(f"{seed} {id} {index}".encode()).digest()[:8], "big")


def _trouble(
    question: Question, submission: Submission, transcript: Transcript, told: Transcript, bad: BadCells
) -> Trouble:
    """Find what concerns this question in what the sandbox noticed; words come from ``told`` alone."""
    own = {cell.index for cell in submission.cells if _defines(cell, question)}
    calls = transcript.calls
    cell_error = next((describe_error(told.cell_errors[i]) for i in own & told.cell_errors.keys()), "")
    hung = [how for cells in (bad.closed, bad.open) for index, how in cells.items() if index in own]
    if calls in (None, "missing") and hung:
        named = min(own & bad.open.keys(), default=None)
        return Trouble(hung[0], calls, named, "")
    cell = told.last_cell if calls is None and told.calls is None else None
    refused = next((module for module, at in told.forbidden if at is None or at in own), "")
    return Trouble(transcript.ended, calls, cell, cell_error, refused)


def _defines(cell: CodeCell, question: Question) -> bool:
    binds = rf"^[ \t]*(def[ \t]+{question.name}\b|{question.name}[ \t]*[=:]|(from|import)\b.*\b{question.name}\b)"
    return cell.question == question.id or re.search(binds, cell.source, re.MULTILINE) is not None


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
