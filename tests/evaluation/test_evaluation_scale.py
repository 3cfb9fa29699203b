"""Only positive affine maps are safe for expectimax; every increasing one is for minimax."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expectimax_course.evaluation.scale import (
    TRANSFORMS,
    Transform,
    best_actions,
    expected,
    flip_exponent,
    flip_rate,
    flips,
    power,
    random_decision,
    worst,
)
from expectimax_course.game import EvaluationError, GameError, ProbabilityError
from expectimax_course.rng import Rng

COIN_OR_NINE = [[(0, 0.5), (20, 0.5)], [(9, 1.0)]]


def decisions(n: int, seed: int = 4) -> list[Any]:
    rng = Rng(seed)
    return [random_decision(rng) for _ in range(n)]


def test_the_square_root_flips_the_coin_and_keeps_the_worst_case() -> None:
    root = TRANSFORMS[2]
    assert [round(expected(g, root.function), 5) for g in COIN_OR_NINE] == [2.23607, 3.0]
    assert flips(COIN_OR_NINE, root)
    assert not flips(COIN_OR_NINE, root, worst)


@given(st.integers(0, 2**32), st.floats(1e-3, 1e3), st.floats(-1e3, 1e3))
def test_a_positive_affine_map_never_changes_a_choice(seed: int, a: float, b: float) -> None:
    assert not flips(random_decision(Rng(seed)), Transform("a·x + b", lambda x: a * x + b, "affine"))


@given(st.integers(0, 2**32), st.floats(0.1, 4))
def test_an_increasing_map_never_changes_the_choice_of_minimax(seed: int, exponent: float) -> None:
    assert not flips(random_decision(Rng(seed)), power(exponent), worst)


def test_flip_rates_lie_where_they_were_measured_before() -> None:
    sample = decisions(4000)
    rates = {t.name: flip_rate(sample, t) for t in TRANSFORMS}
    assert rates["x"].mean == rates["3x + 7"].mean == 0
    assert 0 < rates["√x"].low < rates["√x"].high < rates["log(1 + x)"].high
    assert rates["x²"].low > 0.03
    assert rates["−x"].mean > 0.9
    assert all(flip_rate(sample[:500], t, worst).mean == 0 for t in TRANSFORMS if t.kind != "neither")


def test_every_transform_is_of_the_kind_it_says() -> None:
    points = [0.0, 0.5, 1.0, 7.0, 50.0, 99.0]
    for transform in TRANSFORMS:
        values = [transform.function(x) for x in points]
        rises = all(a < b for a, b in itertools.pairwise(values))
        slopes = {round((values[i + 1] - values[i]) / (points[i + 1] - points[i]), 9) for i in range(len(points) - 1)}
        kind = "affine" if rises and len(slopes) == 1 else "increasing" if rises else "neither"
        assert transform.kind == kind, transform.name


def test_a_tie_broken_by_rounding_is_still_a_tie() -> None:
    decision = [[(0.1, 1.0)], [(0.1, 0.3), (0.1, 0.7)]]
    assert not flips(decision, Transform("3x + 7", lambda x: 3 * x + 7, "affine"))
    assert best_actions([1.0, 1.0 + 1e-13, 0.5]) == {0, 1}


def test_the_tolerance_is_relative_above_one_and_absolute_below() -> None:
    assert best_actions([1e10, 1e10 - 1]) == {0, 1}
    assert best_actions([1e-10, 3e-10]) == {0, 1}
    assert best_actions([1e-10, 3e-10], tolerance=1e-12) == {1}


def test_what_cannot_happen_is_not_transformed() -> None:
    for rule in (expected, worst):
        assert rule([(-1.0, 0.0), (4.0, 1.0)], math.sqrt) == 2.0


def test_the_flip_exponent_is_where_the_two_means_meet() -> None:
    exponent = flip_exponent(COIN_OR_NINE)
    assert exponent is not None
    first, second = (expected(g, power(exponent).function) for g in COIN_OR_NINE)
    assert first == pytest.approx(second, rel=1e-12)
    assert exponent == pytest.approx(math.log(0.5) / math.log(9 / 20))
    assert flip_exponent([[(5, 1.0)], [(4, 1.0)]]) is None


def test_two_changes_between_the_ends_go_unseen_and_one_does_not() -> None:
    decision = [[(0, 0.25), (1, 0.5), (7, 0.25)], [(0, 0.5), (6, 0.5)]]
    best = [best_actions([expected(g, power(e).function) for g in decision]) for e in (0.3, 1, 5)]
    assert best == [{0}, {1}, {0}]
    assert flip_exponent(decision, low=0.3, high=5) is None
    for low, high in ((0.3, 1), (1, 5)):
        exponent = flip_exponent(decision, low=low, high=high)
        assert exponent is not None
        assert low < exponent < high
        first, second = (expected(g, power(exponent).function) for g in decision)
        assert first == pytest.approx(second, rel=1e-9)


@pytest.mark.parametrize("kind", [int, float, np.int64, np.float32, Fraction])
def test_a_payoff_may_be_any_real_number(kind: type) -> None:
    gamble = [(2, 0.5), (4, 0.5)]
    assert expected(gamble, kind) == 3
    assert worst(gamble, kind) == 2


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: expected([(1, 0.5)]), ProbabilityError, "sum to 1"),
        (lambda: expected([(-1, 1.0)], math.sqrt), EvaluationError, "that the transform accepts, got -1"),
        (lambda: expected([(1, 1.0)], lambda x: math.nan), EvaluationError, "finite transformed payoff, got nan"),
        (lambda: expected([(1e200, 1.0)], lambda x: x**3), EvaluationError, "transform accepts"),
        (lambda: worst([(1, 1.0)], lambda x: -math.inf), EvaluationError, "got -inf for 1"),
        (lambda: expected([(1, 1.0)], lambda x: 10**400), EvaluationError, "transform accepts, got 1"),
        (lambda: expected([(1, 1.0)], lambda x: "1"), EvaluationError, "finite transformed payoff, got '1'"),
        (lambda: expected([(1, "half"), (2, 0.5)]), ProbabilityError, "0 or more, got 'half'"),
        (lambda: best_actions([]), GameError, "at least one action value"),
        (lambda: best_actions([1.0, math.nan]), EvaluationError, "expected finite action values, got .1.0, nan."),
        (lambda: best_actions([-math.inf, 1.0]), EvaluationError, "expected finite action values"),
        (lambda: power(0), EvaluationError, "positive finite exponent, got 0"),
        (lambda: flip_exponent([COIN_OR_NINE[0]]), GameError, "expected two gambles, got 1"),
    ],
)
def test_what_has_no_mean_is_refused(call: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
