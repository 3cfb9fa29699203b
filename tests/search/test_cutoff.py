"""Probability cutoff: what is cut, what may be kept, and that the two safe keys keep the answer."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from expectimax_course.failures.keys import Unsafe
from expectimax_course.game import DepthError, NoActionsError, Player, ProbabilityError
from expectimax_course.games.cards import DrawToEleven
from expectimax_course.games.pig import Pig, PigState
from expectimax_course.random_trees import irregular_tree
from expectimax_course.search.cutoff import cutoff_search, run_cutoff
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.result import SettingError, WrongSearchError
from expectimax_course.trees import TreeGame, TreeNode, build_tree


def lead(state: PigState) -> float:
    return 0.5 + (state.max_score - state.min_score + state.turn_total * state.mover) / 200


def test_threshold_zero_is_plain_search() -> None:
    for seed in range(100):
        tree = irregular_tree(seed)
        plain = expectiminimax(tree, 0, 3, tree.estimate)
        for caching in ("none", "exact", "reach"):
            result = cutoff_search(tree, 0, 3, tree.estimate, threshold=0, caching=caching)
            assert result[:4] == plain[:4]


def test_a_state_is_evaluated_once_its_reach_falls_below_the_threshold() -> None:
    """Behind 0.1 · 0.5 = 0.05 lies a max node: searched at a threshold of 0.05, estimated at one just above."""
    inner = ("chance", (0.5, ("max", 8, 2)), (0.5, 4))
    tree = build_tree(("chance", (0.9, 1), (0.1, inner)))
    nodes = [n._replace(number=-10 if n.player is not None else n.number) for n in tree.nodes]
    tree = TreeGame(nodes, (-10, 10))
    searched = cutoff_search(tree, 0, 2, tree.estimate, threshold=0.05)
    assert searched.value == pytest.approx(0.9 + 0.1 * 6)
    cut = cutoff_search(tree, 0, 2, tree.estimate, threshold=0.0501)
    assert cut.value == pytest.approx(0.9 + 0.1 * (-10 + 4) / 2)
    assert cut.evaluations == 1


def test_the_end_of_the_game_counts_however_improbable() -> None:
    tree = build_tree(("chance", (0.999, 0), (0.001, 100)))
    assert cutoff_search(tree, 0, 1, lambda s: 0.0, threshold=0.5).value == pytest.approx(0.1)


def test_a_cache_with_the_reach_in_its_key_changes_nothing_but_the_work() -> None:
    game = Pig(target=30)
    for threshold in (0.001, 0.01, 0.1):
        none, reach = (
            cutoff_search(game, game.initial_state(), 6, lead, threshold=threshold, caching=caching)
            for caching in ("none", "reach")
        )
        assert reach.value == none.value
        assert reach.action_values == none.action_values
        assert reach.leaves <= none.leaves


def test_keeping_exact_values_only_comes_no_farther_from_the_full_search() -> None:
    game = Pig(target=30)
    full = expectiminimax(game, game.initial_state(), 6, lead).value
    for threshold in (0.001, 0.01, 0.1):
        none, exact = (
            cutoff_search(game, game.initial_state(), 6, lead, threshold=threshold, caching=caching)
            for caching in ("none", "exact")
        )
        assert abs(exact.value - full) <= abs(none.value - full) + 1e-12


def meeting_paths(first: float, second: float) -> TreeGame:
    """Two outcomes lead to one state X (node 1), behind which 10 or 0 waits; node 3 is estimated at −10."""
    max_, chance = Player.MAX, Player.CHANCE
    nodes = [
        TreeNode(chance, (0, 1), (1, 1), (first, second), 0),
        TreeNode(max_, ("on",), (2,), (), 0),
        TreeNode(chance, (0, 1), (3, 4), (0.4, 0.6), 0),
        TreeNode(max_, ("take",), (5,), (), -10),
        TreeNode(None, (), (), (), 0),
        TreeNode(None, (), (), (), 10),
    ]
    return TreeGame(nodes, (-10, 10))


def test_a_key_without_the_reach_returns_a_truncated_value_where_a_full_one_was_due() -> None:
    """By hand, with a threshold of 0.1: X is worth −4 with reach 0.2, where 0.08 is cut, and 4 with reach 0.8."""
    tree = meeting_paths(0.2, 0.8)
    right = 0.2 * -4 + 0.8 * 4
    for caching in ("none", "exact", "reach"):
        result = cutoff_search(tree, 0, 3, tree.estimate, threshold=0.1, caching=caching)
        assert result.value == pytest.approx(right)
    unsafe = run_cutoff(Unsafe(tree, tree.estimate, False, 0.1, "exact"), 0, 3)
    assert unsafe.value == pytest.approx(-4)


def test_an_exact_value_serves_a_smaller_reach_and_brings_the_answer_closer() -> None:
    tree = meeting_paths(0.8, 0.2)
    full = expectiminimax(tree, 0).value
    assert cutoff_search(tree, 0, 3, tree.estimate, threshold=0.1, caching="exact").value == pytest.approx(full)
    assert cutoff_search(tree, 0, 3, tree.estimate, threshold=0.1, caching="reach").value == pytest.approx(full - 1.6)


def test_keeping_exact_values_can_lose_an_error_that_cancelled_another() -> None:
    """X, worth 10, is met with reach 0.8, then 0.1, where its draw is cut: estimated at −10, an error of −2.

    Y, worth 0, is met with reach 0.1 only and estimated at 20, an error of +2. Nothing kept: 8, the truth by luck.
    With X kept the error of Y stands alone: 10.
    """
    max_, chance = Player.MAX, Player.CHANCE
    nodes = [
        TreeNode(chance, (0, 1, 2), (1, 1, 2), (0.8, 0.1, 0.1), 0),
        TreeNode(max_, ("on",), (3,), (), 0),
        TreeNode(max_, ("on",), (4,), (), 0),
        TreeNode(chance, (0, 1), (5, 5), (0.5, 0.5), 0),
        TreeNode(chance, (0, 1), (6, 6), (0.5, 0.5), 0),
        TreeNode(max_, ("take",), (7,), (), -10),
        TreeNode(max_, ("take",), (8,), (), 20),
        TreeNode(None, (), (), (), 10),
        TreeNode(None, (), (), (), 0),
    ]
    tree = TreeGame(nodes, (-10, 20))
    full = expectiminimax(tree, 0).value
    none, kept = (
        cutoff_search(tree, 0, 3, tree.estimate, threshold=0.1, caching=caching).value for caching in ("none", "exact")
    )
    assert none == pytest.approx(full) == 9
    assert kept == pytest.approx(full + 2)


@pytest.mark.parametrize("caching", ["none", "reach"])
def test_the_truncated_tree_is_the_one_of_the_definition_exactly(caching: Any) -> None:
    """On Fraction, thresholds that a reach can meet exactly included."""

    def defined(tree: TreeGame, state: int, depth: int, reach: Any, threshold: Any) -> Any:
        node = tree.nodes[state]
        if node.player is None or depth == 0 or reach < threshold:
            return node.number
        if node.player is Player.CHANCE:
            pairs = zip(node.probabilities, node.children, strict=True)
            return sum(p * defined(tree, child, depth, reach * p, threshold) for p, child in pairs)
        best = max if node.player is Player.MAX else min
        return best(defined(tree, child, depth - 1, reach, threshold) for child in node.children)

    for seed in range(150):
        tree = irregular_tree(seed, depth=5, exact=True)
        for threshold in (Fraction(1, 9), Fraction(1, 4), Fraction(1, 3)):
            found = cutoff_search(tree, 0, 3, tree.estimate, threshold=threshold, caching=caching)  # type: ignore[arg-type]
            assert found.value == defined(tree, 0, 3, 1, threshold)


def test_rewards_and_afterstates_are_treated_as_in_plain_search() -> None:
    class Paid(TreeGame):
        reward_bounds = (0, 1)

        def reward(self, state: int, action: Any) -> float:
            return 1.0

    tree = Paid(build_tree(("max", 1, ("min", 2, 3))).nodes)
    assert cutoff_search(tree, 0, 2, lambda s: 0.0, threshold=0.5, use_rewards=True).value == 4
    game = DrawToEleven()
    after = game.result(game.initial_state(), "draw")
    result = cutoff_search(game, after, 0, game.estimate, threshold=0.5)
    assert (result.evaluations, result.action) == (1, None)


@pytest.mark.parametrize("threshold", [-0.1, 1, 1.5, float("nan")])
def test_a_threshold_outside_its_range_is_refused(threshold: float) -> None:
    game = Pig()
    with pytest.raises(SettingError, match="expected a threshold of at least 0 and below 1"):
        cutoff_search(game, game.initial_state(), 2, lead, threshold=threshold)


def test_an_unknown_caching_and_a_bad_depth_are_refused() -> None:
    game = Pig()
    with pytest.raises(SettingError, match="expected caching to be"):
        cutoff_search(game, game.initial_state(), 2, lead, threshold=0, caching="all")  # type: ignore[arg-type]
    with pytest.raises(DepthError):
        cutoff_search(game, game.initial_state(), -2, lead, threshold=0)
    with pytest.raises(DepthError, match="expected a depth of 0 or more decisions, got None"):
        cutoff_search(game, game.initial_state(), None, lead, threshold=0)  # type: ignore[arg-type]
    with pytest.raises(WrongSearchError, match="within Python's recursion limit, got 5000"):
        cutoff_search(game, game.initial_state(), 5000, lead, threshold=0)
    stuck = TreeGame([TreeNode(Player.MAX, (), (), (), 0)], (0, 1))
    with pytest.raises(NoActionsError):
        cutoff_search(stuck, 0, 1, lambda s: 0.0, threshold=0)
    leaf = TreeNode(None, (), (), (), 0)
    unfair = TreeGame([TreeNode(Player.CHANCE, (0, 1), (1, 2), (0.5, 0.4), 0), leaf, leaf], (0, 1))
    with pytest.raises(ProbabilityError):
        cutoff_search(unfair, 0, 1, lambda s: 0.0, threshold=0)
