"""ChanceProbCut: the fit by hand, cuts that can be wrong and are all reported, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from expectimax_course.games.dice import Dice
from expectimax_course.random_trees import LEAF_BOUNDS, regular_tree
from expectimax_course.search.chanceprobcut import DepthFit, chance_prob_cut, depth_pairs, fit_depths
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.ordering import by_score
from expectimax_course.search.result import SettingError
from expectimax_course.search.star import star
from expectimax_course.trees import TreeGame


def correlated_fit(seeds: range) -> DepthFit:
    """Fit depth 2 by depth 0 at the decisions below the first chance nodes of correlated trees."""
    pairs = []
    for seed in seeds:
        tree = regular_tree(seed, depth=3, moves=4, outcomes=4, correlated=True)
        states = [tree.result(tree.result(0, a), o) for a in range(4) for o in range(4)]
        pairs += depth_pairs(tree, states, 2, tree.estimate, reduction=2, bounds=LEAF_BOUNDS)
    return fit_depths(pairs, reduction=2)


def test_the_fit_is_least_squares() -> None:
    """Points (0, 1), (1, 2), (2, 6): slope 5/2, intercept 1/2, residuals ½, −1, ½; σ² = 1.5 / (3 − 2)."""
    fit = fit_depths([(0, 1), (1, 2), (2, 6)], reduction=2)
    assert fit == pytest.approx((2, 2.5, 0.5, 1.5**0.5, fit.correlation, 3))
    assert 0.94 < fit.correlation < 0.95


def test_the_pairs_are_exact_values_at_both_depths() -> None:
    game = Dice(4, 3)
    state = game.result(game.initial_state(), 0)
    (pair,) = depth_pairs(game, [state], 3, game.estimate, reduction=2, bounds=(-1, 1))
    for value, depth in zip(pair, (1, 3), strict=True):
        assert value == pytest.approx(expectiminimax(game, state, depth, game.estimate).value, abs=1e-12)


def test_with_a_huge_threshold_nothing_improbable_is_cut_and_the_value_is_that_of_star() -> None:
    fit = correlated_fit(range(5))
    for seed in range(20):
        tree = regular_tree(100 + seed, depth=3, moves=4, outcomes=4, correlated=True)
        result = chance_prob_cut(tree, 0, 3, tree.estimate, fits={2: fit}, threshold=1000, bounds=LEAF_BOUNDS)
        assert result.cuts == ()
        assert result.search.value == pytest.approx(expectiminimax(tree, 0).value, abs=1e-9)


def test_a_smaller_threshold_cuts_more_and_every_cut_can_be_checked() -> None:
    fit = correlated_fit(range(5))
    cuts = {0.3: 0, 2.0: 0}
    wrong = {0.3: 0, 2.0: 0}
    for seed in range(30):
        tree = regular_tree(100 + seed, depth=3, moves=4, outcomes=4, correlated=True)
        for threshold in cuts:
            result = chance_prob_cut(tree, 0, 3, tree.estimate, fits={2: fit}, threshold=threshold, bounds=LEAF_BOUNDS)
            for cut in result.cuts:
                truth = expectiminimax(tree, cut.state, cut.depth, tree.estimate).value
                wrong[threshold] += truth > cut.bound if cut.claim == "at most" else truth < cut.bound
            cuts[threshold] += len(result.cuts)
    assert cuts[0.3] > cuts[2.0] > 0
    assert wrong[2.0] <= 0.1 * cuts[2.0]


def test_it_searches_fewer_leaves_than_star_on_dice() -> None:
    game = Dice(6, 3)
    order = by_score(game.urgency)
    state = game.result(game.initial_state(), 2)
    fits = {2: DepthFit(2, 1.0, 0.0, 0.1, 0.9, 50)}
    cut = chance_prob_cut(game, state, 3, game.estimate, fits=fits, threshold=1, bounds=(-1, 1), order=order)
    full = star(game, state, 3, game.estimate, probing=1, bounds=(-1, 1), order=order)
    assert cut.cuts
    assert cut.search.leaves < full.leaves


@pytest.mark.parametrize("threshold", [0, -1, float("nan"), float("inf")])
def test_a_threshold_that_is_none_is_refused(threshold: float) -> None:
    with pytest.raises(SettingError, match="expected a finite threshold above 0"):
        chance_prob_cut(Dice(3, 3), Dice(3, 3).initial_state(), 2, Dice(3, 3).estimate, fits={}, threshold=threshold)


@pytest.mark.parametrize("pairs", [[], [(0, 1), (1, 2)], [(1, 1), (1, 2), (1, 3)], [(0, 3), (1, 2), (2, 1)]])
def test_data_that_fit_nothing_are_refused(pairs: Any) -> None:
    with pytest.raises(SettingError, match=r"expected (at least three pairs|deep values that grow)"):
        fit_depths(pairs, reduction=1)


def test_a_reduction_deeper_than_the_depth_is_refused() -> None:
    game = Dice(3, 3)
    fit = DepthFit(3, 1.0, 0.0, 0.1, 0.9, 50)
    with pytest.raises(SettingError, match="expected a fit that reduces depth 2"):
        chance_prob_cut(game, game.initial_state(), 2, game.estimate, fits={2: fit}, threshold=1, bounds=(-1, 1))
    with pytest.raises(SettingError, match="expected a reduction between 1 and the depth 2"):
        depth_pairs(game, [], 2, game.estimate, reduction=3, bounds=(-1, 1))


@pytest.mark.parametrize(
    "numbers", [(0.0, 0.0, 0.1), (1.0, float("nan"), 0.1), (1.0, 0.0, -0.1), (1.0, 0.0, float("inf"))]
)
def test_a_fit_that_was_not_fitted_is_refused(numbers: tuple[float, float, float]) -> None:
    game = Dice(3, 3)
    fits = {2: DepthFit(1, *numbers, 0.9, 50)}
    with pytest.raises(SettingError, match="expected a fit with a positive slope and finite numbers"):
        chance_prob_cut(game, game.initial_state(), 2, game.estimate, fits=fits, threshold=1, bounds=(-1, 1))


def test_a_tree_is_searched_as_it_is_where_no_fit_applies() -> None:
    tree = regular_tree(1, depth=2, moves=3, outcomes=3)
    assert isinstance(tree, TreeGame)
    result = chance_prob_cut(tree, 0, 2, tree.estimate, fits={}, threshold=1, bounds=LEAF_BOUNDS)
    assert result.search == star(tree, 0, 2, tree.estimate, probing=1, bounds=LEAF_BOUNDS)
