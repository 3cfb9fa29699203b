"""Intervals against SciPy's quantiles, published Wilson bounds, and their coverage in repeated experiments."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import scipy.stats

from expectimax_course.rng import Rng
from expectimax_course.stats import (
    games_to_tell_apart,
    mean_interval,
    paired_difference,
    proportion_interval,
    student_quantile,
)


@pytest.mark.parametrize("degrees", [4, 9, 29, 999])
def test_the_quantile_is_within_one_percent_of_scipy(degrees: int) -> None:
    assert student_quantile(0.975, degrees) == pytest.approx(scipy.stats.t.ppf(0.975, degrees), rel=0.01)


@pytest.mark.parametrize("probability", [0.001, 0.5, 0.975, 0.9995])
@pytest.mark.parametrize("degrees", [1, 2])
def test_for_one_and_two_degrees_the_quantile_is_exact(degrees: int, probability: float) -> None:
    theirs = scipy.stats.t.ppf(probability, degrees)
    assert student_quantile(probability, degrees) == pytest.approx(theirs, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    ("probability", "degrees", "percent"),
    [(0.975, 3, 0.8), (0.975, 4, 0.3), (0.975, 5, 0.12), (0.9995, 3, 12), (0.9995, 4, 5), (0.9995, 5, 2.4)]
    + [(0.9995, degrees, 0.5) for degrees in (8, 12, 30)],
)
def test_beyond_two_degrees_the_quantile_is_as_accurate_as_it_says(
    probability: float, degrees: int, percent: float
) -> None:
    theirs = scipy.stats.t.ppf(probability, degrees)
    assert theirs * (1 - percent / 100) <= student_quantile(probability, degrees) <= theirs


@pytest.mark.parametrize(("probability", "degrees"), [(0, 5), (1, 5), (float("nan"), 5), (0.9, 0)])
def test_what_has_no_quantile_is_refused(probability: float, degrees: int) -> None:
    with pytest.raises(ValueError, match="expected a probability between 0 and 1"):
        student_quantile(probability, degrees)


def test_a_sure_win_against_a_sure_loss_takes_a_game() -> None:
    assert games_to_tell_apart(0, 1) == 1


def test_wilson_bounds_are_those_of_scipy() -> None:
    for successes, n in ((5, 10), (0, 20), (134, 200), (20, 20)):
        theirs = scipy.stats.binomtest(successes, n).proportion_ci(method="wilson")
        ours = proportion_interval(successes, n)
        assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@pytest.mark.parametrize("n", [1, 3, 20_000])
def test_a_rate_of_nothing_or_all_lies_in_its_own_interval(n: int) -> None:
    assert proportion_interval(n, n).high == 1.0
    assert proportion_interval(0, n).low == 0.0


def test_five_of_ten_games_leave_almost_everything_open() -> None:
    estimate = proportion_interval(5, 10)
    assert (round(estimate.low, 2), round(estimate.high, 2)) == (0.24, 0.76)


def test_an_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    rng, covered = Rng(5), 0
    for _ in range(1000):
        estimate = mean_interval([rng.random() for _ in range(12)])
        covered += estimate.low <= 0.5 <= estimate.high
    assert 0.93 <= covered / 1000 <= 0.97


def test_pairs_on_the_same_luck_have_a_narrower_interval() -> None:
    rng = Rng(6)
    luck = [rng.random() * 100 for _ in range(50)]
    better = [x + 1 + rng.random() for x in luck]
    paired = paired_difference(better, luck)
    apart = mean_interval(better).standard_error
    assert paired.low > 0
    assert paired.standard_error < apart / 10


def test_telling_two_thirds_from_six_sevenths_takes_about_75_games() -> None:
    assert 74 <= games_to_tell_apart(0.67, 0.86) <= 78


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mean_interval([1.0]), "at least two observations, got 1"),
        (lambda: mean_interval([1.0, math.nan]), "finite observations"),
        (lambda: proportion_interval(3, 2), "0 <= successes <= n"),
        (lambda: proportion_interval(0, 0), "n at least 1"),
        (lambda: paired_difference([1.0, 2.0], [1.0]), "one length, got 2 and 1"),
        (lambda: games_to_tell_apart(0.5, 0.5), "two different rates"),
        (lambda: games_to_tell_apart(0.5, 1.5), "two different rates"),
    ],
)
def test_a_sample_that_says_nothing_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
