"""Adaptive depth: the product of branching factors along one line of play, against a budget."""

from __future__ import annotations

from typing import Any

import pytest

from expectimax_course.game import NoActionsError, NoOutcomesError, Player, ProbabilityError
from expectimax_course.games.dice import Dice
from expectimax_course.games.pig import Pig
from expectimax_course.games.push_to_21 import PushTo21
from expectimax_course.search.adaptive import adaptive_depth
from expectimax_course.search.result import SettingError, WrongSearchError
from expectimax_course.trees import TreeGame, TreeNode, parse_tree


def test_adaptive_depth_multiplies_branching_factors() -> None:
    """Dice on an empty 6 × 6 board, always the first cell of the first line: 6·6, then 6·5, then 6·5 ways."""
    game = Dice(6, 3)
    state = game.initial_state()
    for leaves, depth in ((1, 1), (36, 1), (1079, 1), (1080, 2), (32_399, 2), (32_400, 3)):
        assert adaptive_depth(game, state, leaves) == depth


def test_adaptive_depth_is_larger_where_there_is_less_choice_and_ends_with_the_game() -> None:
    assert adaptive_depth(Pig(target=100), Pig().initial_state(), 1000) > adaptive_depth(
        Dice(6, 3), Dice(6, 3).initial_state(), 1000
    )
    tree = parse_tree("max(1, chance(1/2: 2, 1/2: 3))")
    assert adaptive_depth(tree, 0, 10**9) == 1
    assert adaptive_depth(tree, 1, 5) == 1
    push = PushTo21()
    assert adaptive_depth(push, push.initial_state(), 10**9, max_depth=4) == 4


def test_a_line_that_breaks_the_contract_is_refused() -> None:
    leaf = TreeNode(None, (), (), (), 0)
    for kind, probabilities, error in (
        (Player.MAX, (), NoActionsError),
        (Player.CHANCE, (), NoOutcomesError),
        (Player.CHANCE, (0.5,), ProbabilityError),
    ):
        labels = tuple(range(len(probabilities)))
        game = TreeGame([TreeNode(kind, labels, (1,) * len(labels), probabilities, 0), leaf], (0, 1))
        with pytest.raises(error):
            adaptive_depth(game, 0, 10)


class Asked(TreeGame):
    """A tree that counts how often it is asked for outcomes."""

    asked = 0

    def chance_outcomes(self, state: int) -> Any:
        self.asked += 1
        return super().chance_outcomes(state)


def test_a_chance_node_is_asked_once() -> None:
    tree = Asked(parse_tree("chance(1/2: max(1, 2), 1/2: 3)").nodes)
    assert adaptive_depth(tree, 0, 10) == 1
    assert tree.asked == 1


@pytest.mark.parametrize("probabilities", [(0.75, 0.25), (1.0, 0.0)])
def test_a_draw_that_leads_back_to_itself_is_refused(probabilities: tuple[float, float]) -> None:
    again = TreeNode(Player.CHANCE, (0, 1), (0, 1), probabilities, 0)
    game = TreeGame([again, TreeNode(None, (), (), (), 0)], (0, 1))
    with pytest.raises(WrongSearchError, match="expected draws that come to an end, got state 0 again"):
        adaptive_depth(game, 0, 1000)


def test_no_depth_at_all_is_refused() -> None:
    with pytest.raises(SettingError, match="expected a maximum depth of 1 or more, got 0"):
        adaptive_depth(Dice(3, 3), Dice(3, 3).initial_state(), 10, max_depth=0)


def test_an_empty_budget_is_refused() -> None:
    with pytest.raises(SettingError, match="expected a budget of at least 1 leaf"):
        adaptive_depth(Dice(3, 3), Dice(3, 3).initial_state(), 0)
