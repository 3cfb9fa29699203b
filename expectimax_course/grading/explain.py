"""The smallest failing case as a student sees it: a sentence, and a picture where an argument has one.

Only practice cases come here; what a graded case looks like is never shown.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from enum import Enum
from typing import Any

from expectimax_course.grading.bank import Question
from expectimax_course.grading.codec import Make, Named, Source, decode, encode
from expectimax_course.grading.judge import Expected, Verdict
from expectimax_course.grading.outcomes import Outcome, describe, describe_error, shorten
from expectimax_course.trees import TreeGame
from expectimax_course.viz.html import element, table, text
from expectimax_course.viz.tree import draw_tree, tree_of

LARGEST_TREE = 40
PLAIN = (bool, int, float, str)


def parameters(question: Question) -> list[str]:
    """Return the names of the parameters in a question's signature; none for a value.

    Examples
    --------
    >>> from expectimax_course.grading.bank import question
    >>> parameters(question("01.weighted_value"))
    ['outcomes']
    """
    if "(" not in question.signature:
        return []
    tree = ast.parse(f"def {question.signature.rstrip(':')}: ...").body[0]
    assert isinstance(tree, ast.FunctionDef)
    return [argument.arg for argument in tree.args.posonlyargs + tree.args.args]


def prose(words: str) -> str:
    """Return a message as HTML: escaped, with what stands in backticks as code."""
    return re.sub(r"`([^`\n]+)`", r"<code>\1</code>", text(words))


def call_text(question: Question, args: tuple[Any, ...]) -> str:
    """Return how the student's answer was used, as code."""
    inside = ", ".join(_argument(arg) for arg in args)
    if question.kind in ("value", "choice"):
        return f"{question.name}[{inside}]" if args else question.name
    return f"{question.name}({inside}{', rng' if question.kind == 'sampler' else ''})"


def _argument(arg: Any) -> str:
    if isinstance(arg, Source):
        return arg.name
    if isinstance(arg, Enum):
        return f"{type(arg).__name__}.{arg.name}"
    return shorten(arg, 160 if isinstance(arg, Make | Named) else 400)


def explain_text(verdict: Verdict) -> list[str]:
    """Return the lines about the failing case; none where there is none."""
    if verdict.failing is None or verdict.status == "not_attempted":
        return []
    expected, outcome = verdict.failing
    case = expected.case
    lines = [call_text(verdict.question, case.args), _difference(verdict.question, expected, outcome)]
    lines += [f"where {arg.name} is\n{arg.text}" for arg in case.args if isinstance(arg, Source)]
    return ["  " + line.replace("\n", "\n    ") for line in [*lines, *([case.note] if case.note else [])]]


def explain_html(verdict: Verdict) -> str:
    """Return the failing case as HTML: the call, what was expected, and a drawing of each tree or table in it."""
    if verdict.failing is None or verdict.status == "not_attempted":
        return ""
    expected, outcome = verdict.failing
    case = expected.case
    call = element("code", text(call_text(verdict.question, case.args)))
    parts = [element("p", call), element("p", text(_difference(verdict.question, expected, outcome)))]
    if case.note:
        parts.append(element("p", prose(case.note)))
    names = parameters(verdict.question)
    for position, arg in enumerate(case.args):
        parts.append(drawing(names[position] if position < len(names) else "argument", arg))
    return element("div", *parts, class_="ec-case")


def _difference(question: Question, expected: Expected, outcome: Outcome) -> str:
    if question.kind in ("value", "choice"):  # here the case is the question: to show what is right is to answer it
        return f"your answer {describe(question.kind, outcome)}, which is not right."
    return f"expected {_wanted(question, expected.right)}, but your code {describe(question.kind, outcome)}."


def _wanted(question: Question, right: Outcome) -> str:
    if right.error is not None:
        return f"an exception ({describe_error(right.error)})"
    if question.kind == "sampler":
        shares = [(outcome, probability * question.draws) for outcome, probability in right.value]
        return ", ".join(f"{shorten(outcome, 40)} × about {share:.0f}" for outcome, share in shares)
    return shorten(right.value)


def drawing(name: str, arg: Any) -> str:
    """Return an argument as a tree, a table or a listing; "" where it is short enough to read in the call."""
    if isinstance(arg, Source):
        return element("pre", element("code", text(arg.text)))
    try:
        value = decode(encode(arg))
        if isinstance(value, TreeGame):
            return str(draw_tree(tree_of(value, values=False, largest=LARGEST_TREE), f"The tree of {name}"))
    except (ValueError, TypeError, ArithmeticError, LookupError):
        return ""  # a case may hold a broken tree on purpose, or one too large to draw
    rows = _rows(value)
    return str(table(rows[0], rows[1:], caption=name)) if rows else ""


def _rows(value: Any) -> list[list[str]]:
    """Return header and rows of a list of equal tuples, or of a dictionary of plain values."""
    show: Callable[[Any], str] = repr
    if isinstance(value, dict) and value and all(isinstance(item, PLAIN) for item in value.values()):
        return [["key", "value"], *([show(key), show(item)] for key, item in value.items())]
    if isinstance(value, list | tuple) and value and all(isinstance(row, tuple) and row for row in value):
        widths = {len(row) for row in value}
        if len(widths) == 1 and all(isinstance(cell, PLAIN) for row in value for cell in row):
            header = ["", *(f"[{column}]" for column in range(widths.pop()))]
            return [header, *([str(index), *map(show, row)] for index, row in enumerate(value))]
    return []
