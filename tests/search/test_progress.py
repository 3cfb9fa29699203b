"""The trace of a deepening search: its complete depths are plain search, and a budget cuts it where it says."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from expectimax_course.game import NoActionsError, Player
from expectimax_course.games.push_to_21 import PushState, PushTo21
from expectimax_course.random_trees import irregular_tree
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.progress import known_at, progress
from expectimax_course.search.result import SettingError
from expectimax_course.trees import TreeGame, parse_tree


def decisions(seeds: range) -> list[TreeGame]:
    trees = [irregular_tree(seed) for seed in seeds]
    return [t for t in trees if not t.is_terminal(0) and t.current_player(0) is not Player.CHANCE]


@pytest.mark.parametrize("best_first", [True, False])
def test_every_complete_depth_has_the_answer_of_plain_search(best_first: bool) -> None:
    trees = decisions(range(200))
    assert {t.current_player(0) for t in trees} == {Player.MAX, Player.MIN}
    for tree in trees:
        for step in progress(tree, 0, tree.estimate, 3, best_first=best_first):
            if step.complete:
                plain = expectiminimax(tree, 0, step.depth, tree.estimate)
                values = {action: low for action, (low, _) in plain.action_values.items()}
                assert values[step.favourite] == pytest.approx(plain.value)


def test_the_favourite_is_the_best_of_the_actions_searched_so_far() -> None:
    for tree in decisions(range(100)):
        best = max if tree.current_player(0) is Player.MAX else min
        seen: dict[Any, float] = {}
        for step in progress(tree, 0, tree.estimate, 3, best_first=False):
            seen[step.action] = step.value
            assert seen[step.favourite] == best(seen.values())
            if step.complete:
                seen = {}


def test_the_first_action_of_a_depth_is_the_favourite_of_the_depth_before() -> None:
    for tree in decisions(range(100)):
        steps = progress(tree, 0, tree.estimate, 3)
        for before, after in pairwise(steps):
            assert not before.complete or after.action == before.favourite


def test_a_budget_finds_the_last_complete_depth_and_the_favourite_of_the_one_begun() -> None:
    tree = parse_tree("max(a: chance(1/2: max(1, 2), 1/2: 0), b: chance(1/2: max(9, 3), 1/2: 0), c: 4)")
    steps = progress(tree, 0, lambda _: 0.0, 2, best_first=False)
    assert [step.leaves for step in steps] == [1, 2, 3, 6, 9, 10]
    assert known_at(steps, 0) == (None, None)
    assert known_at(steps, 2) == (None, steps[1])
    assert known_at(steps, 5) == (steps[2], None)
    assert known_at(steps, 9) == (steps[2], steps[4])
    assert (steps[2].favourite, steps[4].favourite) == ("c", "b")
    assert known_at(steps, 10) == (steps[5], None)


@pytest.mark.parametrize("state", [PushState(16, "roll"), PushState(16, "over")])
def test_only_a_decision_can_be_deepened(state: PushState) -> None:
    with pytest.raises(NoActionsError, match="expected a decision to deepen"):
        progress(PushTo21(), state, lambda s: float(s.total), 2)


@pytest.mark.parametrize("max_depth", [0, -1, 1.5, True])
def test_a_maximum_depth_below_one_is_refused(max_depth: Any) -> None:
    with pytest.raises(SettingError, match="expected a maximum depth of 1 or more"):
        progress(PushTo21(), PushTo21().initial_state(), lambda s: float(s.total), max_depth)
