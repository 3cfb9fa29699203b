"""Fits against exact answers, known libraries' definitions, and games whose best weights are known."""

from __future__ import annotations

import itertools
import math
import re

import numpy as np
import pytest

from expectimax_course.evaluation.fit import cross_entropy, fit_linear, fit_logistic
from expectimax_course.rng import Rng


def test_least_squares_find_an_exact_line() -> None:
    features = [[float(a), float(b)] for a in range(4) for b in range(4)]
    fit = fit_linear(features, [3 + 2 * a - 5 * b for a, b in features])
    assert fit.weights == pytest.approx([2, -5])
    assert fit.intercept == pytest.approx(3)
    assert fit.explained == pytest.approx(1)


def test_standard_errors_cover_the_truth_as_often_as_they_say() -> None:
    rng, covered = Rng(1), 0
    x = [[i / 10] for i in range(30)]
    for _ in range(300):
        noise = [sum(rng.random() for _ in range(12)) - 6 for _ in x]
        fit = fit_linear(x, [1 + 2 * row[0] + e for row, e in zip(x, noise, strict=True)])
        covered += abs(fit.weights[0] - 2) < 2.05 * fit.standard_errors[0]
    assert 0.91 < covered / 300 < 0.985


def test_logistic_fit_of_two_groups_is_their_log_odds() -> None:
    """With one 0/1 feature the maximum likelihood is known: the groups' own odds; error √(Σ 1/count)."""
    wins = [1] * 30 + [0] * 10 + [1] * 20 + [0] * 40
    fit = fit_logistic([[1.0]] * 40 + [[0.0]] * 60, wins)
    assert fit.weights[0] == pytest.approx(math.log((30 / 10) / (20 / 40)), rel=1e-4)
    assert fit.intercept == pytest.approx(math.log(20 / 40), rel=1e-4)
    assert fit.standard_errors[0] == pytest.approx(math.sqrt(1 / 30 + 1 / 10 + 1 / 20 + 1 / 40), rel=1e-3)
    assert 0 < fit.explained < 1


def test_arrays_are_taken_as_well_as_lists() -> None:
    x = np.arange(10.0)[:, None]
    assert fit_linear(x, 2 * x[:, 0]).weights == pytest.approx([2])


@pytest.mark.parametrize(
    ("features", "outcomes", "message"),
    [
        ([1.0, 2.0], [1.0, 2.0], "expected features (n, n_features) and outcomes (n,)"),
        ([[1.0], [2.0]], [1.0], "got shapes (2, 1) and (1,)"),
        ([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0], [4.0, 8.0]], [1.0, 2.0, 3.0, 4.0], "independent features"),
        ([[1.0], [2.0]], [1.0, 2.0], "more observations than weights"),
        ([[1.0], [math.nan], [3.0]], [1.0, 2.0, 3.0], "expected finite features and outcomes"),
        ([[1.0], [2.0], [3.0]], [1.0, math.inf, 3.0], "expected finite features and outcomes"),
    ],
)
def test_impossible_fits_are_refused(features: list[list[float]], outcomes: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        fit_linear(features, outcomes)


@pytest.mark.parametrize(("unit", "origin"), [(1e-9, 0), (1e9, 0), (1, 1e6), (1, 1e7), (1e-3, -1e6)])
def test_a_linear_fit_does_not_depend_on_units_and_origins(unit: float, origin: float) -> None:
    rng = Rng(7)
    numbers = [(float(rng.below(9)), float(rng.below(9))) for _ in range(400)]
    outcomes = [1 + 2 * first - 5 * second + rng.random() for first, second in numbers]
    usual = fit_linear(numbers, outcomes)
    fit = fit_linear([(origin + unit * first, second) for first, second in numbers], outcomes)
    assert [fit.weights[0] * unit, fit.weights[1]] == pytest.approx(usual.weights, rel=1e-6)
    assert [fit.standard_errors[0] * unit, fit.standard_errors[1]] == pytest.approx(usual.standard_errors, rel=1e-6)
    assert fit.intercept + fit.weights[0] * origin == pytest.approx(usual.intercept, rel=1e-6)
    assert fit.explained == pytest.approx(usual.explained)
    with pytest.raises(ValueError, match="independent features"):
        fit_linear([(origin + unit * first, first) for first, _ in numbers], outcomes)


@pytest.mark.parametrize("wins", [[1, 1, 1], [0, 1, 2]])
def test_logistic_fit_needs_wins_and_losses(wins: list[float]) -> None:
    with pytest.raises(ValueError, match="expected outcomes 0 and 1, both of them"):
        fit_logistic([[1.0], [2.0], [3.0]], wins)


@pytest.mark.parametrize(
    ("features", "wins", "message"),
    [
        ([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1], "some weights part"),
        ([[0.0], [1.0], [1.0], [2.0]], [0, 0, 1, 1], "some weights part"),  # all but the two in the middle
        ([[0.0, 5.0], [1.0, 2.0], [0.0, 1.0], [1.0, 4.0]], [0, 1, 0, 1], "some weights part"),
        ([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0], [4.0, 8.0]], [0, 1, 0, 1], "independent features"),
        ([[7.0], [7.0]], [0, 1], "independent features"),
    ],
)
def test_what_has_no_best_logistic_weights_is_refused(
    features: list[list[float]], wins: list[int], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        fit_logistic(features, wins)


@pytest.mark.parametrize(("unit", "origin"), [(1e-6, 0), (1e6, 0), (1e9, 0), (1, 1e4), (1e-3, -1e6)])
def test_a_logistic_fit_does_not_depend_on_units_and_origins(unit: float, origin: float) -> None:
    numbers = [(0.0, 1.0), (1.0, 0.0), (2.0, 1.0), (3.0, 2.0), (4.0, 0.0), (5.0, 2.0)]
    wins = [0, 1, 0, 1, 0, 1]
    usual = fit_logistic(numbers, wins)
    fit = fit_logistic([(origin + unit * first, second) for first, second in numbers], wins)
    assert [fit.weights[0] * unit, fit.weights[1]] == pytest.approx(usual.weights, rel=1e-4)
    assert [fit.standard_errors[0] * unit, fit.standard_errors[1]] == pytest.approx(usual.standard_errors, rel=1e-4)
    assert fit.intercept + fit.weights[0] * origin == pytest.approx(usual.intercept, rel=1e-3)
    with pytest.raises(ValueError, match="some weights part"):
        fit_logistic([(origin + unit * first, won) for (first, _), won in zip(numbers, wins, strict=True)], wins)


def test_cross_entropy_finds_the_best_weights_through_noise() -> None:
    noise = Rng(2)

    def outcomes(candidates: list[list[float]], round_number: int) -> list[float]:
        return [-((x - 1) ** 2) - 4 * (y + 2) ** 2 + noise.random() - 0.5 for x, y in candidates]

    rounds = cross_entropy(outcomes, [0.0, 0.0], [1.0, 1.0], rng=Rng(3), population=60, elite=15)
    last = list(itertools.islice(rounds, 15))[-1]
    assert last.mean == pytest.approx([1, -2], abs=0.3)
    assert max(last.spread) < 0.3


def test_cross_entropy_repeats_with_its_seed() -> None:
    def first(seed: int) -> list[float]:
        rounds = cross_entropy(lambda ws, _: [w[0] for w in ws], [0.0], [1.0], rng=Rng(seed))
        return next(rounds).outcomes

    assert first(1) == first(1) != first(2)


@pytest.mark.parametrize(("population", "elite"), [(10, 1), (5, 6)])
def test_cross_entropy_refuses_an_impossible_elite(population: int, elite: int) -> None:
    """When it is asked for, not at the first round."""
    with pytest.raises(ValueError, match="expected 2 <= elite <= population"):
        cross_entropy(lambda ws, _: [0.0] * len(ws), [0.0], [1.0], rng=Rng(1), population=population, elite=elite)


@pytest.mark.parametrize("step", [0, -0.1, 1.1, 5, math.nan])
def test_cross_entropy_moves_no_further_than_to_the_best(step: float) -> None:
    with pytest.raises(ValueError, match="expected a step above 0 and at most 1"):
        cross_entropy(lambda ws, _: [0.0] * len(ws), [0.0], [1.0], rng=Rng(1), step=step)


@pytest.mark.parametrize(("mean", "spread"), [([0.0], [1.0, 1.0]), ([0.0], [math.inf]), ([math.nan], [1.0])])
def test_cross_entropy_starts_at_numbers(mean: list[float], spread: list[float]) -> None:
    with pytest.raises(ValueError, match="expected as many spreads as means, all finite"):
        cross_entropy(lambda ws, _: [0.0] * len(ws), mean, spread, rng=Rng(1))


@pytest.mark.parametrize(
    ("outcomes", "message"),
    [
        ([1.0] * 3, "one outcome for each of 24 candidates, got 3"),
        ([1.0] * 30, "one outcome for each of 24 candidates, got 30"),
        ([1.0] * 23 + [math.nan], "expected finite outcomes"),
        ([1.0] * 23 + [-math.inf], "expected finite outcomes"),
    ],
)
def test_cross_entropy_ranks_one_finite_outcome_of_each_candidate(outcomes: list[float], message: str) -> None:
    rounds = cross_entropy(lambda ws, _: outcomes, [0.0], [1.0], rng=Rng(1))
    with pytest.raises(ValueError, match=message):
        next(rounds)
