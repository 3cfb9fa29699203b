"""Does a higher evaluation predict a better outcome, and by how much? Reliability curves and calibrating maps.

Play games, note the evaluation of positions on the way and what the game brought in the end. A *reliability curve*
sorts the positions by evaluation into bins of equal size and draws, for each, the mean outcome against the mean
evaluation. On a calibrated scale the curve is the diagonal; on one that only ranks positions it rises, somehow. A
calibrating map turns evaluations into predictions: an affine one keeps every decision of expectimax and so mends
nothing but the units; an isotonic one may bend the scale, and with it the decisions.

Arrays are float, shape (n,), one entry per position; positions of one game are not independent, so the intervals here
hold for positions drawn from different games.

References
----------
B. Zadrozny and C. Elkan, "Transforming classifier scores into accurate multiclass probability estimates", KDD 2002
(isotonic calibration). A. Niculescu-Mizil and R. Caruana, "Predicting good probabilities with supervised learning",
ICML 2005 (reliability curves).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from expectimax_course.game import EvaluationError
from expectimax_course.stats import Estimate, mean_interval


class Bin(NamedTuple):
    """Positions of neighbouring evaluations: their mean evaluation and the mean of their outcomes."""

    evaluation: float
    outcome: Estimate


def reliability_curve(evaluations: Sequence[float], outcomes: Sequence[float], *, bins: int = 10) -> list[Bin]:
    """Return the reliability curve in bins of equal size, lowest evaluations first.

    Positions of equal evaluation may fall into two bins; where n does not divide, some bins are larger by one.

    Raises
    ------
    EvaluationError
        If there is no position, the two differ in length, a number is not finite, or a bin would hold fewer than two
        positions.

    Examples
    --------
    >>> curve = reliability_curve([1, 2, 3, 4], [10, 14, 30, 34], bins=2)
    >>> [(b.evaluation, b.outcome.mean) for b in curve]
    [(1.5, 12.0), (3.5, 32.0)]
    """
    pairs = sorted(_checked(evaluations, outcomes), key=lambda pair: pair[0])
    if bins < 1 or len(pairs) < 2 * bins:
        raise EvaluationError(f"expected at least two positions per bin, got {len(pairs)} for {bins!r} bins")
    edges = [len(pairs) * i // bins for i in range(bins + 1)]
    chunks = [pairs[a:b] for a, b in itertools.pairwise(edges)]
    return [Bin(math.fsum(x for x, _ in chunk) / len(chunk), mean_interval(y for _, y in chunk)) for chunk in chunks]


def affine_fit(evaluations: Sequence[float], outcomes: Sequence[float]) -> tuple[float, float]:
    """Return slope and intercept of the least-squares line outcome ≈ slope · evaluation + intercept.

    Raises
    ------
    EvaluationError
        See `reliability_curve`; or if all evaluations are equal.

    Examples
    --------
    >>> affine_fit([0, 1, 2], [1, 3, 5])
    (2.0, 1.0)
    """
    from statistics import StatisticsError, linear_regression

    pairs = _checked(evaluations, outcomes)
    try:
        slope, intercept = linear_regression([x for x, _ in pairs], [y for _, y in pairs])
    except StatisticsError as error:
        raise EvaluationError(f"expected two different evaluations at least, got {len(pairs)} ({error})") from None
    return slope, intercept


def isotonic_fit(evaluations: Sequence[float], outcomes: Sequence[float]) -> Callable[[float], float]:
    """Return the increasing map that fits the outcomes best (least squares; pool adjacent violators of scikit-learn).

    The map is constant beyond the evaluations it was fitted on. Needs scikit-learn.

    Raises
    ------
    EvaluationError
        See `reliability_curve`.
    """
    from sklearn.isotonic import IsotonicRegression

    pairs = _checked(evaluations, outcomes)
    model = IsotonicRegression(out_of_bounds="clip").fit([x for x, _ in pairs], [y for _, y in pairs])
    return lambda x: float(model.predict([x])[0])


def calibration_error(curve: Sequence[Bin]) -> float:
    """Return the mean distance of a reliability curve from the diagonal, each bin weighted with its positions.

    In the unit of the outcomes; 0 for a perfect scale. It is a plug-in estimate: noise alone makes it positive.

    Raises
    ------
    EvaluationError
        If the curve has no bin.
    """
    if not curve:
        raise EvaluationError("expected at least one bin, got none")
    total = sum(b.outcome.n for b in curve)
    return math.fsum(b.outcome.n * abs(b.outcome.mean - b.evaluation) for b in curve) / total


def _checked(evaluations: Sequence[float], outcomes: Sequence[float]) -> list[tuple[float, float]]:
    if len(evaluations) != len(outcomes):
        raise EvaluationError(f"expected as many outcomes as evaluations, got {len(outcomes)} and {len(evaluations)}")
    if not len(evaluations):
        raise EvaluationError("expected at least one position, got none")
    pairs = [(float(x), float(y)) for x, y in zip(evaluations, outcomes, strict=True)]
    for pair in pairs:
        if not all(map(math.isfinite, pair)):
            raise EvaluationError(f"expected finite evaluations and outcomes, got {pair!r}")
    return pairs
