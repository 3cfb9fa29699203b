"""Expectimax and expectiminimax: values by hand, the meaning of depth, counts, tables, and every broken contract."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from expectimax_course.game import (
    DepthError,
    EvaluationError,
    NoActionsError,
    NoOutcomesError,
    Player,
    ProbabilityError,
    UtilityError,
)
from expectimax_course.game2048.rules import Game2048
from expectimax_course.games.pig import Pig
from expectimax_course.games.push_to_21 import PushState, PushTo21
from expectimax_course.random_trees import irregular_tree, regular_tree
from expectimax_course.search.expectimax import expectimax, expectiminimax
from expectimax_course.search.result import WrongSearchError
from expectimax_course.search.table import Table, TableMismatchError
from expectimax_course.trees import TreeGame, TreeNode, parse_tree


def value(text: str) -> Any:
    tree = parse_tree(text, Fraction)
    return expectiminimax(tree, 0).value


def by_hand(tree: TreeGame, state: int = 0) -> Any:
    """The definition, in four lines, over the tree's own nodes."""
    node = tree.nodes[state]
    values = [by_hand(tree, child) for child in node.children]
    if node.player is None:
        return node.number
    if node.player is Player.CHANCE:
        return sum(p * v for p, v in zip(node.probabilities, values, strict=True))
    return max(values) if node.player is Player.MAX else min(values)


def test_the_opening_gamble_is_worth_eight_and_a_half() -> None:
    assert value("max(gamble: chance(9/10: 10, 1/10: -5), sure: 2)") == Fraction(17, 2)


def test_the_same_tree_with_a_min_node_is_worth_the_sure_two() -> None:
    assert value("max(gamble: min(10, -5), sure: 2)") == 2


def test_a_thousand_irregular_trees_have_the_value_of_the_definition() -> None:
    for seed in range(1000):
        tree = irregular_tree(seed, exact=True)
        assert expectiminimax(tree, 0).value == by_hand(tree)


def test_ties_go_to_the_first_action_and_all_values_are_reported() -> None:
    tree = parse_tree("max(a: 1, b: 3, c: chance(1/2: 2, 1/2: 4))")
    result = expectimax(tree, 0)
    assert (result.action, result.action_values) == ("b", {"a": (1, 1), "b": (3, 3), "c": (3, 3)})
    tree = parse_tree("min(a: 5, b: 1, c: 1)")
    assert expectiminimax(tree, 0).action == "b"


def test_a_chance_root_and_a_leaf_have_a_value_and_no_action() -> None:
    assert expectimax(parse_tree("chance(0.5: 1, 0.5: 2)"), 0)[:3] == (1.5, None, {})
    assert expectimax(parse_tree("7"), 0)[:3] == (7, None, {})


def test_depth_counts_decisions_and_chance_is_free() -> None:
    tree = regular_tree(5, depth=3, moves=2, outcomes=3)
    leaves = [expectiminimax(tree, 0, depth, tree.estimate).leaves for depth in range(5)]
    # An afterstate is evaluated without opening its chance node: 1, 2, 2·3·2, 2·3·2·3·2, then no more.
    assert leaves == [1, 2, 12, 72, 72]


def test_terminal_comes_before_depth_and_depth_before_chance() -> None:
    tree = parse_tree("max(leaf: 9, dice: chance(1/2: 0, 1/2: 0))")
    result = expectimax(tree, 0, 1, lambda state: 5)
    assert result.action_values == {"leaf": (9, 9), "dice": (5, 5)}
    assert (result.nodes.chance, result.nodes.terminal, result.evaluations) == (0, 1, 1)
    assert expectimax(tree, 1, 0, lambda state: 5).value == 9


def test_node_counts_follow_the_tree() -> None:
    tree = regular_tree(1, depth=2, moves=4, outcomes=3)
    result = expectiminimax(tree, 0)
    assert result.nodes == (1, 4 * 3, 4, 4 * 3 * 4)
    assert result.nodes.total == len(tree.nodes)


def test_rewards_count_only_when_asked() -> None:
    game = Game2048(2, 2)
    state = game.state([[2, 2], [4, 8]])
    without = expectimax(game, state, 1, lambda s: 0.0)
    with_rewards = expectimax(game, state, 1, lambda s: 0.0, use_rewards=True)
    assert (without.value, with_rewards.value) == (0.0, 4.0)


def test_a_table_changes_the_work_and_not_the_answer() -> None:
    game, evaluate = Pig(target=30), lambda s: (s.max_score - s.min_score) / 60 + 0.5
    plain = expectiminimax(game, game.initial_state(), 7, evaluate)
    cached = expectiminimax(game, game.initial_state(), 7, evaluate, table=Table())
    assert cached[:3] == plain[:3]
    assert cached.evaluations < plain.evaluations / 2
    assert cached.table_hits > 0


def test_a_table_tells_depths_apart() -> None:
    tree = regular_tree(3, depth=3, moves=3, outcomes=2)
    table = Table()
    for depth in (3, 1, 2, 3):
        shared = expectiminimax(tree, 0, depth, tree.estimate, table=table)
        assert shared.value == expectiminimax(tree, 0, depth, tree.estimate).value


def test_a_table_refuses_another_question() -> None:
    tree, table = regular_tree(3, depth=2, moves=2, outcomes=2), Table()
    expectiminimax(tree, 0, 2, tree.estimate, table=table)
    with pytest.raises(TableMismatchError, match="expected a new table"):
        expectiminimax(tree, 0, 2, lambda s: 0.0, table=table)


def test_searching_to_the_end_with_a_table_solves_push_to_21() -> None:
    game = PushTo21()
    result = expectimax(game, game.initial_state(), table=Table())
    assert result.value == pytest.approx(15.8585132342934, abs=1e-12)
    assert expectimax(game, PushState(16, "choose")).action_values["hit"][0] == pytest.approx(9.5)


def test_expectimax_refuses_an_opponent() -> None:
    with pytest.raises(WrongSearchError, match="no MIN node"):
        expectimax(parse_tree("max(min(1, 2))"), 0)


def test_a_game_without_end_asks_for_a_depth() -> None:
    game = Pig()
    with pytest.raises(WrongSearchError, match="expected a depth"):
        expectiminimax(game, game.initial_state())


class Broken(TreeGame):
    """A chance root with two leaves whose outcomes are given raw, past the parser's checks."""

    def __init__(self, outcomes: list[tuple[Any, Any]], leaf: Any = 1.0) -> None:
        leaves = [TreeNode(None, (), (), (), leaf)] * 3
        super().__init__([TreeNode(Player.CHANCE, (0, 1, 2), (1, 2, 3), (), 0.0), *leaves], (0, 1))
        self.raw = outcomes

    def chance_outcomes(self, state: int) -> Any:
        return self.raw


@pytest.mark.parametrize(
    ("outcomes", "error", "message"),
    [
        ([(0, 0.5), (1, 0.4)], ProbabilityError, "sum to 1, got a sum of 0.9"),
        ([(0, 0.5), (1, 0.5), (2, 0.5)], ProbabilityError, "got a sum of 1.5"),
        ([(0, 1.5), (1, -0.5)], ProbabilityError, "0 or more, got -0.5 for outcome 1"),
        ([(0, math.nan), (1, 0.5)], ProbabilityError, "got nan for outcome 0"),
        ([(0, math.inf), (1, 0.5)], ProbabilityError, "got a sum of inf"),
        ([], NoOutcomesError, "at least one outcome"),
    ],
)
def test_a_broken_chance_node_is_named(outcomes: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        expectimax(Broken(outcomes), 0)


@pytest.mark.parametrize("kind", [list, tuple])
def test_a_chance_node_that_breaks_after_a_sound_one_is_named(kind: Any) -> None:
    class Wearing(TreeGame):
        """Two coins in a row; where it can, the second is the very object that the first was, worn by then."""

        coin: Any = kind([(0, 0.5), (1, 0.5)])

        def chance_outcomes(self, state: int) -> Any:
            if state > 0 and kind is list:
                self.coin[1] = (1, 0.4)
            return self.coin if state == 0 or kind is list else ((0, 0.5), (1, 0.4))

    game = Wearing(parse_tree("chance(1/2: chance(1/2: 1, 1/2: 2), 1/2: 3)").nodes, (1, 3))
    with pytest.raises(ProbabilityError, match=r"got a sum of 0\.9 at state 1"):
        expectimax(game, 0)


@pytest.mark.parametrize("miss", [5e-10, -5e-10])
def test_rounding_within_the_tolerance_is_no_fault(miss: float) -> None:
    assert expectimax(Broken([(0, 0.5), (1, 0.5 + miss)]), 0).value == pytest.approx(1.0)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, None, "high"])
def test_a_number_that_is_none_is_refused_where_it_appears(bad: Any) -> None:
    with pytest.raises(UtilityError, match="finite number from utility, got"):
        expectimax(Broken([(0, 1.0)], leaf=bad), 0)
    tree = parse_tree("max(chance(1/2: 1, 1/2: 2))")
    with pytest.raises(EvaluationError, match=r"finite number from evaluate, got .* at state 1"):
        expectimax(tree, 0, 1, lambda state: bad)


def test_a_reward_that_is_no_number_is_refused() -> None:
    game = Game2048(2, 2)
    game.reward = lambda state, action: math.nan  # type: ignore[method-assign]
    with pytest.raises(UtilityError, match="finite number from reward"):
        expectimax(game, game.state([[2, 2], [4, 8]]), 1, lambda s: 0.0, use_rewards=True)


@pytest.mark.parametrize("depth", [-1, 1.5, True, "2"])
def test_a_depth_that_is_no_count_is_refused(depth: Any) -> None:
    with pytest.raises(DepthError, match="expected a depth of 0 or more"):
        expectimax(parse_tree("max(1, 2)"), 0, depth, lambda s: 0.0)


def test_a_depth_without_an_evaluation_is_refused() -> None:
    with pytest.raises(DepthError, match="expected an evaluate function"):
        expectimax(parse_tree("max(1, 2)"), 0, 1)


def test_a_decision_without_actions_is_refused() -> None:
    stuck = TreeGame([TreeNode(Player.MAX, (), (), (), 0.0)], (0, 1))
    with pytest.raises(NoActionsError, match="got none at state 0"):
        expectimax(stuck, 0)
    inner = TreeGame([TreeNode(Player.MAX, (0,), (1,), (), 0.0), TreeNode(Player.MAX, (), (), (), 0.0)], (0, 1))
    with pytest.raises(NoActionsError, match="got none at state 1"):
        expectimax(inner, 0)
