"""The verdict on one question: what the answers are worth, which known mistake they show, which case to look at.

The judge sees plain JSON and never runs what a student wrote, so nothing a student does can make a wrong
answer equal to a right one.

    score = points · (graded cases passed) / (graded cases), floored to quarters;
    an answer that agrees with a known wrong implementation on all cases earns that one's cap instead,
    and one that does so on all cases where it is wrong at least that cap;
    one that does no better on the graded cases than a known wrong implementation earns at most its cap,
    and one that gives a constant, right or wrong, and does no better there than that constant earns nothing.

*Practice* cases may be shown: the visible ones and some drawn from a public seed. *Graded* cases are drawn
from the instructor's seed and are never shown; for ``value`` and ``choice`` they are the visible ones.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal

from expectimax_course.grading.bank import Case, Mutant, Question
from expectimax_course.grading.codec import decode, encode, plain, revive
from expectimax_course.grading.outcomes import Outcome, describe, same, same_distribution
from expectimax_course.rng import Rng, derive_seed

PUBLIC_SEED = 0
PRACTICE = 10
"""Practice cases drawn beside the visible ones."""

NO_BETTER = "A known mistake is right wherever your answer is: it earns no more than that one."
CONSTANT = "One and the same answer would be right wherever yours is: it has to depend on the arguments."

Status = Literal["passed", "partial", "wrong", "not_attempted", "error", "timeout", "killed", "forbidden"]


@dataclass(frozen=True)
class Expected:
    """One case: does it count, may it be shown, what is right, what does each mutant answer."""

    case: Case
    graded: bool
    shown: bool
    right: Outcome
    wrong: tuple[Outcome, ...]


@dataclass(frozen=True)
class Trouble:
    """What the sandbox noticed beside the answers.

    Attributes
    ----------
    ended : "done", "timeout", "killed" or "flooded"
    calls : "function", "value", "missing" or "not callable"
    cell : the cell in which the run ended, if it did not end in a call
    cell_error : the error of the cell that should have defined the name
    forbidden : the part of the answer key that was asked for
    """

    ended: str = "done"
    calls: str | None = "function"
    cell: int | None = None
    cell_error: str = ""
    forbidden: str = ""


@dataclass(frozen=True)
class Verdict:
    """The result of one question.

    Attributes
    ----------
    passed, total : graded cases
    message : one or two sentences for the student
    failing : the smallest visible case that fails, else the smallest other practice case, if any
    """

    question: Question
    status: Status
    score: float
    message: str
    passed: int = 0
    total: int = 0
    failing: tuple[Expected, Outcome] | None = field(default=None, repr=False)
    seconds: float = 0.0


def outcome_of(question: Question, fn: Callable[..., Any], case: Case) -> Outcome:
    """Run an oracle or a mutant, which are ours, on one case."""
    try:
        return Outcome(value=revive(plain(fn(*(decode(encode(arg)) for arg in case.args)))))
    except Exception as error:
        names = [cls.__name__ for cls in type(error).__mro__ if cls.__module__ == "builtins"]
        return Outcome(error={"names": names, "raised": type(error).__name__})


@lru_cache(maxsize=256)
def expectations(question: Question, seed: int | None) -> tuple[Expected, ...]:
    """Return the cases of a question: practice cases, then, with a seed, the graded ones."""
    cases = [(case, question.generate is None, True) for case in question.visible]
    if question.generate is not None:
        cases += [(case, False, True) for case in _draw(question, PUBLIC_SEED, PRACTICE)]
        if seed is not None:
            cases += [(case, True, False) for case in _draw(question, seed, question.hidden)]
    return tuple(
        Expected(
            case,
            graded,
            shown,
            outcome_of(question, question.oracle, case),
            tuple(outcome_of(question, mutant.fn, case) for mutant in question.mutants),
        )
        for case, graded, shown in cases
    )


def _draw(question: Question, seed: int, n: int) -> list[Case]:
    assert question.generate is not None
    label = zlib.crc32(question.id.encode())
    return [Case(question.generate(Rng(derive_seed(seed, label, index)))) for index in range(n)]


def agrees(question: Question, wanted: Outcome, got: Outcome) -> bool:
    """Say whether an outcome agrees with what an oracle or a mutant did on the same case."""
    if got.missing:
        return False
    if wanted.error is not None or got.error is not None:
        if wanted.error is None or got.error is None or got.unattempted:
            return False
        return wanted.error["names"][0] in got.error["names"]
    if question.kind == "sampler":
        return same_distribution(wanted.value, got.value, question.draws)
    return same(wanted.value, got.value, question.tolerance)


def alike(question: Question, case: Case, wanted: Outcome, got: Outcome) -> bool:
    """Say whether an outcome agrees with another one, or the question accepts it in the place of that one."""
    if agrees(question, wanted, got):
        return True
    if question.accept is None or got.missing or got.error is not None or wanted.error is not None:
        return False
    try:
        return question.accept(got.value, wanted.value, *(decode(encode(arg)) for arg in case.args))
    except Exception:
        return False  # an answer of the wrong type met an acceptance test written for the right one


def right(question: Question, expected: Expected, got: Outcome) -> bool:
    """Say whether an outcome is right."""
    return alike(question, expected.case, expected.right, got)


def known_mistake(question: Question, expected: Sequence[Expected], got: Sequence[Outcome]) -> Mutant | None:
    """Return the first known wrong implementation that answers all cases as the student did; some are wrong."""
    for index, mutant in enumerate(question.mutants):
        if all(_repeats(question, case, index, outcome) for case, outcome in zip(expected, got, strict=True)):
            return mutant
    return None


def half_mended(question: Question, cases: Sequence[tuple[Expected, Outcome, bool]]) -> Mutant | None:
    """Return the known wrong implementation, the one worth most, that answers as the student where that is wrong."""
    found = [
        mutant
        for index, mutant in enumerate(question.mutants)
        if all(mark or _repeats(question, case, index, outcome) for case, outcome, mark in cases)
    ]
    return max(found, key=lambda mutant: mutant.cap, default=None)


def _repeats(question: Question, case: Expected, mutant: int, got: Outcome) -> bool:
    """Say whether an answer agrees with a mutant and raises, where it can be known, the very class that one raises."""
    wrong = case.wrong[mutant]
    if not alike(question, case.case, wrong, got):
        return False
    if not case.shown or wrong.error is None or got.error is None:
        return True
    return bool(got.error.get("raised", got.error["names"][0]) == wrong.error["raised"])


def ceiling(question: Question, cases: Sequence[tuple[Expected, Outcome, bool]]) -> tuple[float, str]:
    """Return the most an answer may earn where a known mistake, or a constant, does as well, and why.

    An answer that repeats a wrong answer of a known mistake, and is right on no graded case on which that one is wrong,
    is no better than it, whatever else it spoils. Where one and the same answer would be right on every graded case on
    which this one is, and it is given where it is wrong as well, nothing shows that the arguments are heeded; a
    ``value`` or ``choice`` has none. Who gives it only where it is right, such as an error for what must be refused,
    has told the cases apart. (Of samples none can be told to be given twice.)

    Parameters
    ----------
    cases : (n_cases,) of case, answer, and whether it is right
    """
    most, why = question.points, ""
    graded = [index for index, (case, _, _) in enumerate(cases) if case.graded] or list(range(len(cases)))
    for position, mutant in enumerate(question.mutants):
        like = [alike(question, case.case, case.wrong[position], outcome) for case, outcome, _ in cases]
        repeats = any(same and not mark for same, (_, _, mark) in zip(like, cases, strict=True))
        if repeats and mutant.cap < most:
            alone = (cases[index][0] for index in graded if cases[index][2] and not like[index])
            if all(right(question, case, case.wrong[position]) for case in alone):
                most, why = mutant.cap, NO_BETTER
    hits = [(cases[index][0], cases[index][1]) for index in graded if cases[index][2]]
    fixed = question.kind in ("value", "choice") or len(hits) in (0, len(graded))
    if not fixed and all(right(question, case, hits[0][1]) for case, _ in hits):
        misses = [outcome for _, outcome, mark in cases if not mark]
        if question.kind == "sampler" or any(agrees(question, hit, miss) for _, hit in hits for miss in misses):
            return 0.0, CONSTANT
    return most, why


def judge(
    question: Question, expected: Sequence[Expected], got: Sequence[Outcome], trouble: Trouble | None = None
) -> Verdict:
    """Judge one question.

    Parameters
    ----------
    expected, got : (n_cases,), in the same order
    trouble : what the sandbox noticed beside the answers
    """
    trouble = trouble or Trouble()
    marks = [right(question, case, outcome) for case, outcome in zip(expected, got, strict=True)]
    triples = list(zip(expected, got, marks, strict=True))
    graded = [mark for case, _, mark in triples if case.graded] or marks
    failing = [(case, outcome) for case, outcome, mark in triples if not mark]
    shown = [(case, outcome) for case, outcome in failing if case.shown and not outcome.missing]
    visible = question.visible  # written by hand, with a note: they say more than a drawn case
    smallest = min(shown, key=lambda pair: (pair[0].case not in visible, len(repr(pair[0].case.args))), default=None)
    score = math.floor(question.points * 4 * sum(graded) / len(graded)) / 4
    verdict = Verdict(question, "wrong", score, "", sum(graded), len(graded), smallest)
    if not failing:
        return replace(verdict, status="passed", message=f"All {len(marks)} cases pass.")
    most, why = ceiling(question, triples)
    why, score = why if most < score else "", min(score, most)
    verdict = replace(verdict, score=score)
    if found := _cut_short(question, got, trouble):
        status, message = found
        return replace(verdict, status=status, message=message)
    if mutant := known_mistake(question, expected, got):
        status = "not_attempted" if mutant.given else "partial" if mutant.cap else "wrong"
        return replace(verdict, status=status, score=mutant.cap, message=mutant.message)
    if (mutant := half_mended(question, triples)) and mutant.cap > score:
        return replace(verdict, status="partial", score=mutant.cap, message=mutant.message)
    if score == 0 and all(outcome.error is not None for _, outcome in failing):
        blame = smallest or failing[0]
        return replace(verdict, status="error", message=f"Your code {describe(question.kind, blame[1])}.")
    status = "passed" if all(graded) and not why else "partial" if score else "wrong"
    kind = "cases" if len(graded) == len(marks) else "graded cases"
    message = f"{sum(graded)} of {len(graded)} {kind} pass."
    return replace(verdict, status=status, message=f"{message} {why}".rstrip())


def _cut_short(question: Question, got: Sequence[Outcome], trouble: Trouble) -> tuple[Status, str] | None:
    """Return status and message where the answers alone do not tell the story, else None."""
    where = "" if trouble.cell is None else f" in cell {trouble.cell}"
    if trouble.ended == "timeout":
        return "timeout", f"Time was up after {question.seconds:g} s{where}: is there a loop that never ends?"
    if trouble.ended == "flooded":
        return "killed", f"More was written{where} than can be read: is an answer enormous, or a loop without end?"
    if trouble.ended == "killed":
        return "killed", f"Python itself ended{where}: os._exit, a crash, or too much memory or processor time."
    silent = all(outcome.missing or outcome.unattempted or outcome.error is not None for outcome in got)
    if trouble.forbidden and silent:
        return "forbidden", f"`{trouble.forbidden}` is part of the answer key: write this one yourself."
    if trouble.calls == "not callable":
        return "error", f"`{question.name}` is not a function any more: was the name used for something else?"
    if trouble.calls == "missing" and trouble.cell_error:
        return "error", f"`{question.name}` is not defined, because its cell fails: {trouble.cell_error}"
    if trouble.calls == "missing" or all(outcome.unattempted for outcome in got):
        return "not_attempted", "Not attempted yet."
    return None
