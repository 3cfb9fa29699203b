"""Backward induction and policy evaluation against tree search, and the games they refuse."""

from __future__ import annotations

from fractions import Fraction

import pytest

from expectimax_course.exact.backward_induction import (
    CycleError,
    backward_induction,
    children_first,
    evaluate_policy,
    successors,
)
from expectimax_course.game import GameError, NoActionsError, Player
from expectimax_course.game2048.rules import Game2048
from expectimax_course.games.pig import Pig
from expectimax_course.games.push_to_21 import PushTo21
from expectimax_course.random_trees import irregular_tree
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.trees import TreeGame, TreeNode, parse_tree


def test_the_table_agrees_with_the_tree_on_random_trees() -> None:
    for seed in range(300):
        tree = irregular_tree(seed, exact=True)
        solution = backward_induction(tree)
        result = expectiminimax(tree, 0)
        assert solution.values[0] == result.value
        assert solution.policy.get(0) == result.action


def test_each_state_comes_after_what_it_leads_to() -> None:
    game = PushTo21(7, 3)
    order = children_first(game, game.initial_state())
    place = {state: index for index, state in enumerate(order)}
    assert len(place) == len(order)
    assert all(place[child] < place[state] for state in order for child in successors(game, state))


def test_the_optimal_policy_earns_the_optimal_value() -> None:
    game = PushTo21()
    solution = backward_induction(game)
    assert evaluate_policy(game, solution.policy.__getitem__) == pytest.approx(solution.values)


def test_a_bad_policy_earns_less_than_the_optimum() -> None:
    tree = parse_tree("max(a: chance(1/2: 0, 1/2: 8), b: 3)", Fraction)
    assert evaluate_policy(tree, lambda state: "b")[0] == 3
    assert backward_induction(tree).values[0] == 4


def test_rewards_on_the_way_count_when_asked() -> None:
    game = Game2048(1, 2)
    state = game.state([[2, 2]])
    # 2 + 2 pays 4; one time in ten a 4 appears beside the 4, and they merge into 8 once more.
    assert backward_induction(game, state, use_rewards=True).values[state] == pytest.approx(4 + 0.1 * 8)


def test_a_game_without_rewards_has_none_to_add() -> None:
    for solve in (backward_induction, lambda game, **how: evaluate_policy(game, lambda state: "stand", **how)):
        with pytest.raises(GameError, match="expected a game with reward for use_rewards=True, got PushTo21"):
            solve(PushTo21(), use_rewards=True)


def test_a_game_that_can_come_back_is_refused() -> None:
    with pytest.raises(CycleError, match="no state comes back"):
        backward_induction(Pig(target=5))


def test_a_decision_without_actions_is_refused() -> None:
    with pytest.raises(NoActionsError, match="got none at state 0"):
        backward_induction(TreeGame([TreeNode(Player.MAX, (), (), (), 0.0)], (0, 1)))


def test_an_outcome_of_probability_zero_is_never_visited() -> None:
    tree = parse_tree("chance(0: 5, 1: 2)")
    assert 1 not in backward_induction(tree).values


class Out(TreeGame):
    """A tree in which node 1 is written None, as a game may write "nothing left"."""

    def is_terminal(self, state: int | None) -> bool:
        return state is None or super().is_terminal(state)

    def utility(self, state: int | None) -> float:
        return float(super().utility(1 if state is None else state))

    def result(self, state: int, action: object) -> int:
        after = super().result(state, action)
        return None if after == 1 else after  # type: ignore[return-value]


def test_none_is_a_state_like_any_other() -> None:
    solution = backward_induction(Out(parse_tree("max(7, max(5, 6))").nodes, (5, 7)))
    assert solution.values == {None: 7, 2: 6, 3: 5, 4: 6, 0: 7}
