"""Principal variation search: null windows pass through chance nodes, and pay in a good order."""

from __future__ import annotations

from typing import Any

import pytest

from expectimax_course.experiments.positions import patterned_tree
from expectimax_course.games.dice import Dice
from expectimax_course.random_trees import irregular_tree, regular_tree
from expectimax_course.rng import Rng
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.ordering import by_estimate, by_score
from expectimax_course.search.pvs import PVS, pvs
from expectimax_course.search.result import BoundsError, SettingError
from expectimax_course.search.star import star
from expectimax_course.search.table import Table
from expectimax_course.trees import TreeGame, parse_tree


def test_a_null_window_proves_an_action_no_better() -> None:
    """b is at most 5 in any window; a null window above 6 knows after one leaf."""
    result = pvs(parse_tree("max(a: 6, b: chance(1/2: 0, 1/2: max(10, 10)))"), 0, bounds=(0, 10))
    assert (result.value, result.action, result.leaves) == (6, "a", 2)


def test_what_fails_high_is_searched_again_and_exact() -> None:
    for text, value, action in (
        ("max(a: 2, b: chance(1/2: 4, 1/2: max(6, 8)), c: chance(1/2: 9, 1/2: 3))", 6, "b"),
        ("min(a: 8, b: chance(1/2: 4, 1/2: min(2, 8)), c: chance(1/2: 9, 1/2: 0))", 3, "b"),
    ):
        result = pvs(parse_tree(text), 0, bounds=(0, 10))
        assert (result.value, result.action, result.kind) == (value, action, "exact")
        assert result.action_values[action] == (value, value)


def test_after_the_first_action_windows_are_null_even_below_chance_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    widths: list[float] = []
    searched = PVS.search

    def recording(self: PVS, state: Any, depth: float, alpha: Any, beta: Any) -> Any:
        widths.append(beta - alpha)
        return searched(self, state, depth, alpha, beta)

    monkeypatch.setattr(PVS, "search", recording)
    pvs(parse_tree("max(5, chance(1/2: 4, 1/2: min(6, 8)))"), 0, probing=0, bounds=(0, 10))
    # 5 in (0, 10); the chance node in a null window; its last child, the rest being exact, in one twice as wide
    assert widths[0] == 10
    assert sum(width < 1e-7 for width in widths) >= 2


def test_where_decisions_follow_each_other_and_with_a_table_it_opens_fewer_leaves_than_star2() -> None:
    leaves = dict.fromkeys((star, pvs), 0)
    for seed in range(12):
        tree = patterned_tree(seed, "MmMmMm", moves=4, outcomes=3)
        for search in leaves:
            leaves[search] += search(tree, 0, probing=1, order=by_estimate(tree, tree.estimate), table=Table()).leaves
    assert leaves[pvs] < 0.98 * leaves[star]


def test_where_every_decision_follows_a_draw_it_opens_about_as_many_leaves_as_star2() -> None:
    game = Dice(5, 3)
    order = by_score(game.urgency)
    state = game.initial_state()
    plain = expectiminimax(game, state, 3, game.estimate)
    leaves = {}
    for search in (star, pvs):
        result = search(game, state, 3, game.estimate, probing=1, bounds=(-1, 1), order=order, table=Table())
        assert result.value == pytest.approx(plain.value, abs=1e-12)
        leaves[search] = result.leaves
    assert leaves[pvs] == pytest.approx(leaves[star], rel=0.01)


def test_on_correlated_trees_the_value_is_that_of_plain_search() -> None:
    for seed in range(10):
        tree = regular_tree(seed, depth=3, moves=4, outcomes=3, correlated=True)
        result = pvs(tree, 0, order=by_estimate(tree, tree.estimate))
        plain = expectiminimax(tree, 0)
        assert result.value == pytest.approx(plain.value, abs=1e-12)
        assert result.leaves < plain.leaves


class PaidTenths(TreeGame):
    """A tree whose leaves are worth nothing and whose actions pay 0 to 0.3."""

    reward_bounds = (0.0, 0.3)

    def reward(self, state: int, action: Any) -> float:
        return Rng(state * 131 + action).below(4) / 10

    def utility(self, state: int) -> float:
        return 0.0


def test_where_rewards_are_all_there_is_a_null_window_is_not_empty() -> None:
    """Leaf bounds of no width, and an interval that rewards make wide."""
    for seed in range(500, 600):
        tree = PaidTenths(irregular_tree(seed, depth=7, width=3).nodes, (0.0, 0.0))
        plain = expectiminimax(tree, 0, 4, tree.utility, use_rewards=True)
        for probing in (0, 1):
            found = pvs(tree, 0, 4, tree.utility, probing=probing, bounds=(0.0, 0.0), use_rewards=True)
            assert found.value == pytest.approx(plain.value, abs=1e-12)
            for action, (lower, upper) in found.action_values.items():
                assert lower - 1e-12 <= plain.action_values[action][0] <= upper + 1e-12


def test_far_from_zero_no_window_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Around 1e9 the next float is 1.2e-7 away, so no float lies within a billionth of a width of 2."""
    searched, windows = PVS.search, []

    def recording(self: PVS, state: Any, depth: float, alpha: Any, beta: Any) -> Any:
        windows.append((alpha, beta))
        return searched(self, state, depth, alpha, beta)

    monkeypatch.setattr(PVS, "search", recording)
    for seed in range(100):
        nodes = irregular_tree(seed, depth=5, width=3).nodes
        tree = TreeGame([node._replace(number=1e9 + node.number / 100) for node in nodes], (1e9 - 1, 1e9 + 1))
        assert pvs(tree, 0).value == pytest.approx(expectiminimax(tree, 0).value, abs=1e-5)
    assert all(alpha < beta for alpha, beta in windows)


def test_bad_input_is_refused_as_by_star() -> None:
    tree = parse_tree("max(1, 2)")
    with pytest.raises(SettingError, match="probing factor"):
        pvs(tree, 0, probing=-1)
    with pytest.raises(SettingError, match="window"):
        pvs(tree, 0, window=(1, 1))
    with pytest.raises(BoundsError, match="expected leaf values within"):
        pvs(tree, 0, bounds=(0, 1.5), verify_bounds=True)
