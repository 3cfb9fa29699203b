"""Players of Push to 21 for its app: the student's own table, and hands that all players play on the same dice."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from expectimax_course.apps._controls import ask_student, returned
from expectimax_course.apps._protocol import StudentError, guard
from expectimax_course.rng import Rng, derive_seed


def dice(seed: int, hand: int, faces: int, rolls: int) -> list[int]:
    """Return the first faces that every player of a hand rolls.

    Examples
    --------
    >>> dice(1, 0, 10, 3) == dice(1, 0, 10, 5)[:3]
    True
    """
    rng = Rng(derive_seed(seed, hand))
    return [rng.below(faces) + 1 for _ in range(rolls)]


def banked(seed: int, hand: int, target: int, faces: int, hits: Sequence[bool]) -> int:
    """Return what a player banks that hits at the totals where ``hits`` (shape (target + 1,)) says so."""
    rng, total = Rng(derive_seed(seed, hand)), 0
    while hits[total]:
        total += rng.below(faces) + 1
        if total > target:
            return 0
    return total


def student_answer(student: Callable[..., Any], target: int, faces: int, rule: int) -> dict[str, Any]:
    """Return what a student's function of exercise 03 says.

    Parameters
    ----------
    student : callable
        ``hit_value(total, values, faces)``, called row by row, ``ev_table(target, faces)``, or
        ``threshold_value(threshold, target, faces)``, asked about the rule of thumb.

    Returns
    -------
    dict
        ``{"values": list of target + 1 numbers}``, ``{"earns": points of the rule}``, or ``{"sentence": what went
        wrong}``.
    """
    try:
        parameters = list(inspect.signature(student).parameters)
    except (TypeError, ValueError):
        parameters = []
    if len(parameters) != 3:
        return _whole_table(student, target, faces)
    if parameters[0] == "threshold":
        answer = ask_student(student, rule, target, faces)
        return {"earns": answer["value"]} if "value" in answer else answer
    values = [0.0] * (target + 1)
    for total in range(target, -1, -1):
        answer = ask_student(student, total, list(values), faces)
        if "sentence" in answer:
            return answer
        values[total] = max(float(total), answer["value"])
    return {"values": values}


def _whole_table(student: Callable[..., Any], target: int, faces: int) -> dict[str, Any]:
    try:
        answer = guard(student)(target, faces)
    except StudentError as error:
        return {"sentence": str(error)}
    try:
        read = [ask_student(lambda entry=entry: entry) for entry in answer]
    except TypeError:
        read = []
    if len(read) != target + 1 or any("sentence" in entry for entry in read):
        return {"sentence": returned(answer, f"a list of {target + 1} numbers")}
    return {"values": [entry["value"] for entry in read]}
