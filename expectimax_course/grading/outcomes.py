"""What one call of a student's function gave: how it compares with what was wanted, and how it reads.

An outcome holds plain data that came through JSON, so comparing it runs nothing that a student wrote.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from expectimax_course.grading.bank import Kind
from expectimax_course.grading.codec import Opaque, revive

STANDARD_ERRORS = 5
"""A sampler's frequencies may be off by this many."""


@dataclass(frozen=True)
class Outcome:
    """What one call gave: a plain value, an error as ``worker.describe_error`` tells it, or nothing at all."""

    value: Any = None
    error: Mapping[str, Any] | None = None
    missing: bool = False

    @staticmethod
    def from_message(message: Mapping[str, Any] | None) -> Outcome:
        """Read a line of the worker; a line that never came, or is malformed, is a missing outcome."""
        if message is None:
            return Outcome(missing=True)
        if "error" in message:
            return Outcome(error=told_error(message["error"]))
        return Outcome(value=revive(message.get("value")), missing="value" not in message)

    def wordless(self) -> Outcome:
        """Return the outcome of a case that nobody may see with no words of the student's but names of built-ins."""
        if self.error is None:
            return self
        return Outcome(
            error={"names": [name for name in self.error["names"] if hasattr(builtins, name)] or ["Exception"]}
        )

    @property
    def unattempted(self) -> bool:
        """True for the untouched stub: ``...`` or ``raise NotImplementedError``."""
        if self.error is not None:
            return "NotImplementedError" in self.error["names"]
        return isinstance(self.value, Opaque) and self.value.name == "..."


def same(expected: Any, got: Any, tolerance: float) -> bool:
    """Say whether two revived values agree; nan agrees with nothing, bool only with bool.

    Examples
    --------
    >>> same([1, 0.5], [1.0, 0.5 + 1e-12], 1e-9), same(True, 1, 1e-9), same(float("nan"), float("nan"), 1e-9)
    (True, False, False)
    """
    if _is_number(expected):
        return _is_number(got) and _close(expected, got, tolerance)
    if type(expected) is not type(got) or isinstance(expected, Opaque):
        return False
    if isinstance(expected, list):
        pairs = zip(expected, got, strict=False)
        return len(expected) == len(got) and all(same(a, b, tolerance) for a, b in pairs)
    if isinstance(expected, dict):
        return expected.keys() == got.keys() and all(same(expected[k], got[k], tolerance) for k in expected)
    return bool(expected == got)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Fraction) and not isinstance(value, bool)


def _close(a: Any, b: Any, tolerance: float) -> bool:
    if isinstance(a, int) and isinstance(b, int):
        return a == b
    try:
        return math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)
    except OverflowError:
        return False


def same_distribution(distribution: Any, draws: Any, n: int) -> bool:
    """Say whether n draws fit [[outcome, probability], ...]: each frequency within five standard errors.

    One draw is granted on top, so that an outcome of probability 1 or 0 is not judged by rounding.
    """
    if not isinstance(draws, list) or len(draws) != n:
        return False
    tally = list(_tally(draws).values())
    left = n
    for outcome, probability in distribution:
        p = min(1.0, float(probability))
        count = sum(times for draw, times in tally if same(outcome, draw, 1e-9))
        if abs(count - n * p) > STANDARD_ERRORS * math.sqrt(n * p * (1 - p)) + 1:
            return False
        left -= count
    return left == 0


def describe(kind: Kind, outcome: Outcome) -> str:
    """Say in a few words what one call gave, such as ``returned 2.5``."""
    if outcome.missing:
        return "gave no answer"
    if outcome.error is not None:
        return "raised " + describe_error(outcome.error)
    if kind == "sampler" and isinstance(outcome.value, list):
        often = sorted(_tally(outcome.value).items(), key=lambda item: -item[1][1])[:8]
        return "drew " + ", ".join(f"{shorten(draw, 40)} × {count}" for _, (draw, count) in often)
    return ("is " if kind in ("value", "choice") else "returned ") + shorten(outcome.value)


def told_error(error: Any) -> dict[str, Any]:
    """Return an error as ``worker.describe_error`` tells it; the line may be forged, so every field is checked."""
    told: dict[str, Any] = {"names": ["Exception"]}
    match error:
        case {"names": [str(), *_] as names}:
            told["names"] = [str(name)[:60] for name in names[:50]]
    match error:
        case {"message": str(message)}:
            told["message"] = message[:300]
    match error:
        case {"where": [str(file), int(line), str(source)]}:
            told["where"] = [file[:40], line, source[:120]]
    return told


def describe_error(error: Mapping[str, Any]) -> str:
    """Return type, message and place of an error as the worker tells it."""
    text = str(error["names"][0])
    if error.get("message"):
        text += f": {error['message']}"
    match error.get("where"):
        case [str(file), int(line), str(source)]:
            text += f" ({file.strip('<>')}, line {line}" + (f": {source})" if source else ")")
    return text


def shorten(value: Any, most: int = 200) -> str:
    """Return a value as Python would write it, cut in the middle where it is long."""
    text = repr(value)
    return text if len(text) <= most else f"{text[: most // 2]} … {text[-most // 2 :]}"


def _tally(draws: Sequence[Any]) -> dict[str, tuple[Any, int]]:
    """Count equal draws, by how they are written: they need not be hashable."""
    found: dict[str, tuple[Any, int]] = {}
    for draw in draws:
        text = repr(draw)
        found[text] = draw, found.get(text, (draw, 0))[1] + 1
    return found
