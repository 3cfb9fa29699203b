"""Reliability curves and calibrating maps on data whose truth is known."""

from __future__ import annotations

import math
from typing import Any

import pytest

from expectimax_course.evaluation.calibration import (
    affine_fit,
    calibration_error,
    isotonic_fit,
    reliability_curve,
)
from expectimax_course.game import EvaluationError
from expectimax_course.rng import Rng


def sample(n: int, truth: Any) -> tuple[list[float], list[float]]:
    rng = Rng(3)
    scores = [rng.random() for _ in range(n)]
    return scores, [float(rng.random() < truth(x)) for x in scores]


def test_a_calibrated_score_lies_on_the_diagonal() -> None:
    curve = reliability_curve(*sample(4000, lambda x: x), bins=8)
    assert all(b.outcome.low - 0.02 <= b.evaluation <= b.outcome.high + 0.02 for b in curve)
    assert calibration_error(curve) < 0.03


def test_a_score_that_only_ranks_leaves_the_diagonal_and_isotonic_calibration_brings_it_back() -> None:
    scores, outcomes = sample(4000, lambda x: x**3)
    assert calibration_error(reliability_curve(scores, outcomes)) > 0.15
    mended = isotonic_fit(scores, outcomes)
    fresh, truth = sample(4000, lambda x: x**3)
    assert calibration_error(reliability_curve([mended(x) for x in fresh], truth)) < 0.03
    values = [mended(x / 20) for x in range(21)]
    assert values == sorted(values)


def test_the_bins_share_all_positions() -> None:
    curve = reliability_curve(list(range(23)), [0.0] * 23, bins=5)
    assert sum(b.outcome.n for b in curve) == 23
    assert max(b.outcome.n for b in curve) - min(b.outcome.n for b in curve) <= 1


def test_a_line_is_found_again() -> None:
    rng = Rng(1)
    xs = [rng.random() for _ in range(500)]
    slope, intercept = affine_fit(xs, [3 * x - 2 for x in xs])
    assert (slope, intercept) == pytest.approx((3, -2))


@pytest.mark.parametrize(
    ("evaluations", "outcomes", "bins", "message"),
    [
        ([1, 2], [1], 1, "as many outcomes as evaluations, got 1 and 2"),
        ([1, math.nan], [1, 2], 1, "finite evaluations and outcomes"),
        ([1, 2, 3], [1, 2, 3], 2, "two positions per bin, got 3 for 2"),
        ([1, 2], [1, 2], 0, "two positions per bin"),
    ],
)
def test_data_without_an_answer_is_refused(evaluations: Any, outcomes: Any, bins: int, message: str) -> None:
    with pytest.raises(EvaluationError, match=message):
        reliability_curve(evaluations, outcomes, bins=bins)


def test_equal_evaluations_have_no_line() -> None:
    with pytest.raises(EvaluationError, match="two different evaluations"):
        affine_fit([1, 1], [1, 2])


@pytest.mark.parametrize("fit", [affine_fit, isotonic_fit, reliability_curve])
def test_without_a_position_there_is_nothing_to_fit(fit: Any) -> None:
    with pytest.raises(EvaluationError, match="expected at least one position, got none"):
        fit([], [])


def test_a_curve_without_a_bin_has_no_error() -> None:
    with pytest.raises(EvaluationError, match="expected at least one bin, got none"):
        calibration_error([])
