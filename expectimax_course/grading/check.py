"""``check`` and ``hint``: what a student calls in the notebook.

The answer runs in the student's own process, on the visible cases and some drawn from a public seed; the
graded cases come from another seed and are not here. Everything runs on the standard library, in a kernel
or in a browser.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from html import escape
from typing import Any

from expectimax_course.grading import bank
from expectimax_course.grading.bank import Question
from expectimax_course.grading.codec import encode
from expectimax_course.grading.explain import explain_html, explain_text, prose
from expectimax_course.grading.judge import Trouble, Verdict, expectations, judge
from expectimax_course.grading.outcomes import Outcome
from expectimax_course.grading.worker import call

MARKS = {"passed": "✓", "not_attempted": "○"}


class CheckResult:
    """What ``check`` found; a notebook shows it, a program reads ``verdict``."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict

    @property
    def passed(self) -> bool:
        """True if every case passes."""
        return self.verdict.status == "passed"

    def __repr__(self) -> str:
        verdict = self.verdict
        mark = MARKS.get(verdict.status, "✗")
        head = f"{mark} {verdict.question.id}: {verdict.message}"
        return "\n".join([head, *explain_text(verdict)])

    def _repr_html_(self) -> str:
        verdict = self.verdict
        mark = MARKS.get(verdict.status, "✗")
        head = f"<p><strong>{mark} {escape(verdict.question.id)}</strong>: {prose(verdict.message)}</p>"
        return f'<div class="ec-check" data-status="{verdict.status}">{head}{explain_html(verdict)}</div>'


class Hint(str):
    """A hint; shown as a sentence, not as a quoted text."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def check(id: str, fn: Any = None) -> CheckResult:
    """Check an answer on the cases that may be seen.

    Parameters
    ----------
    id : the question, such as ``"05.star1"``
    fn : the function or value; by default the caller's global variable of the question's name

    Raises
    ------
    ValueError
        If there is no such question.

    Examples
    --------
    >>> check("01.weighted_value", lambda outcomes: sum(payoff for payoff, _ in outcomes) / len(outcomes))
    ✗ 01.weighted_value: This is the plain mean of the payoffs: weight each payoff by its own probability.
      weighted_value([(10.0, 0.9), (-5.0, 0.1)])
      expected 8.5, but your code returned 2.5.
      The gamble of the chapter: +10 with 90 %, or −5.
    """
    question = bank.question(id)
    answer = sys._getframe(1).f_globals.get(question.name, ...) if fn is None else fn
    return CheckResult(check_answer(question, answer))


def check_answer(question: Question, answer: Any) -> Verdict:
    """Judge an answer in this process; ``...`` stands for no answer."""
    cases = expectations(question, None)
    fixed = question.kind in ("value", "choice")
    if answer is ... or not (fixed or callable(answer)):
        calls = "missing" if answer is ... else "not callable"
        return judge(question, cases, [Outcome(missing=True)] * len(cases), Trouble(calls=calls))
    job = {"kind": question.kind}
    outcomes = []
    for case in cases:
        args = [encode(arg) for arg in case.case.args]
        request: Mapping[str, Any] = {"id": "", "args": args, "shown": True, "draws": question.draws, "seed": 1}
        outcomes.append(Outcome.from_message(call(answer, job, request, catch=(Exception, SystemExit))))
    return judge(question, cases, outcomes)


def hint(id: str) -> Hint:
    """Return the next hint of a question: the first, then the second, then the second again.

    Raises
    ------
    ValueError
        If there is no such question.

    Examples
    --------
    >>> hint("01.weighted_value")
    Play the gamble a hundred times. How often do you see each payoff? (hint 1 of 2)
    """
    question = bank.question(id)
    if not question.hints:
        return Hint("This question has no hint.")
    used = min(_given.get(id, 0), len(question.hints) - 1)
    _given[id] = used + 1
    return Hint(f"{question.hints[used]} (hint {used + 1} of {len(question.hints)})")


_given: dict[str, int] = {}
"""How many hints of each question this session has shown."""
