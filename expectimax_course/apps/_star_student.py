"""The student's function in the window app: what it says of the present step, and what it should say."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from expectimax_course.apps._controls import finite, returned
from expectimax_course.apps._protocol import StudentError, guard
from expectimax_course.apps._star_steps import Ends, Moment, total
from expectimax_course.search.star import ChanceNode, Child
from expectimax_course.trees import TreeGame
from expectimax_course.viz.html import number


def ask(student: Callable[..., Any], tree: TreeGame, moment: Moment, bounds: Ends, window: Ends) -> dict[str, Any]:
    """Ask ``mean_bounds`` (four parameters) or ``child_window`` (six) of exercise 05 about one step.

    Returns
    -------
    dict
        ``{"pair": its two numbers, "right": the right ones, "about": words}``, or ``{"sentence": what went wrong}``.
    """
    try:
        parameters = len(inspect.signature(student).parameters)
    except (TypeError, ValueError):
        parameters = 6
    if parameters == 4:
        question, right, about = _mean_question(tree, moment, bounds)
    else:
        question, right, about = _window_question(tree, moment, window)
    try:
        result = guard(student)(*question)
    except StudentError as error:
        return {"sentence": str(error)}
    try:
        low, high = map(finite, result)
    except (TypeError, ValueError):
        low = high = None
    if low is None or high is None:
        return {"sentence": returned(result, "two finite numbers")}
    return {"pair": [low, high], "right": [float(end) for end in right], "about": about}


def _mean_question(tree: TreeGame, moment: Moment, bounds: Ends) -> tuple[tuple[Any, ...], Ends, str]:
    """Ask about the mean when the first children whose values are known are all that is known."""
    seen = 0
    while seen < len(moment.bounds) and moment.bounds[seen][0] == moment.bounds[seen][1]:
        seen += 1
    known = moment.bounds[:seen]
    right = total(tree, (*known, *[bounds] * (len(moment.bounds) - seen)))
    weights = [float(p) for _, p in tree.chance_outcomes(0)]
    question = (weights, [float(value) for value, _ in known], float(bounds[0]), float(bounds[1]))
    return question, right, f"after {seen} known children the mean may be"


def _window_question(tree: TreeGame, moment: Moment, window: Ends) -> tuple[tuple[Any, ...], Ends, str]:
    """Ask about the child at work, or the next one whose value is not known."""
    unknown = [i for i, (lower, upper) in enumerate(moment.bounds) if lower < upper]
    at = moment.child if moment.child is not None else unknown[0] if unknown else 0
    outcomes = tree.chance_outcomes(0)
    family = [Child(p, None, *ends) for (_, p), ends in zip(outcomes, moment.bounds, strict=True)]
    right = ChanceNode(family).window(family[at], *window)
    lowers, uppers = ([float(end) for end in ends] for ends in zip(*moment.bounds, strict=True))
    question = (at, [float(p) for _, p in outcomes], lowers, uppers, float(window[0]), float(window[1]))
    return question, right, f"the window of child {at + 1} is"


def compare(answer: dict[str, Any]) -> str:
    """Return the student's two numbers and the verdict on them, in one sentence."""
    (low, high), (least, most) = answer["pair"], answer["right"]
    same = abs(low - least) < 1e-9 and abs(high - most) < 1e-9
    verdict = "as it should be" if same else f"not {number(least)} to {number(most)}"
    return f"Your function says that {answer['about']} {number(low)} to {number(high)}, {verdict}."
