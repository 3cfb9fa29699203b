"""Deadlines on a false clock: the overshoot is one slice, the answer that of the last completed depth."""

from __future__ import annotations

from typing import Any

import pytest

from expectimax_course.game import NoActionsError, Player
from expectimax_course.games.dice import Dice
from expectimax_course.games.einstein import Einstein
from expectimax_course.random_trees import LEAF_BOUNDS, regular_tree
from expectimax_course.search.deepening import TimeUp, Watch, deepen, deepening_star
from expectimax_course.search.ordering import by_score
from expectimax_course.search.result import BoundsError, NodeCounts, SearchResult, SettingError
from expectimax_course.search.star import star
from expectimax_course.trees import TreeGame, TreeNode


class FalseClock:
    """A clock that only the test moves; seconds."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class SlowDice(Dice):
    """Dice on which every visited node takes one millisecond of a false clock."""

    def __init__(self, clock: FalseClock, size: int = 5) -> None:
        super().__init__(size, 3)
        self.clock = clock

    def is_terminal(self, state: Any) -> bool:
        self.clock.now += 0.001
        return super().is_terminal(state)


def start(game: Any) -> Any:
    state = game.initial_state()
    return game.result(state, game.chance_outcomes(state)[0][0])


def timed(milliseconds: float, nodes_per_slice: int = 8, **how: Any) -> Any:
    clock = FalseClock()
    game = SlowDice(clock)
    answer = deepening_star(
        game,
        start(game),
        game.estimate,
        milliseconds=milliseconds,
        bounds=(-1, 1),
        clock=clock,
        nodes_per_slice=nodes_per_slice,
        **how,
    )
    return game, answer


@pytest.mark.parametrize("milliseconds", [1, 7, 50, 333, 2000])
@pytest.mark.parametrize("slice_", [1, 8, 100])
def test_the_overshoot_is_never_more_than_one_slice(milliseconds: float, slice_: int) -> None:
    _, answer = timed(milliseconds, slice_)
    assert milliseconds - 1e-6 <= answer.milliseconds <= milliseconds + slice_ + 1e-6


def test_the_answer_is_that_of_the_last_completed_depth() -> None:
    game, answer = timed(2000)
    assert len(answer.steps) >= 2
    last = answer.steps[-1]
    assert answer.result.depth == last.depth == len(answer.steps)
    assert answer.result.complete
    full = star(game, start(game), last.depth, game.estimate, probing=1, bounds=(-1, 1))
    assert answer.result.value == pytest.approx(full.value, abs=1e-12)
    assert answer.result.action == last.action
    assert last.milliseconds <= 2000


def test_more_time_never_means_less_depth() -> None:
    depths = [timed(milliseconds)[1].result.depth for milliseconds in (1, 10, 100, 1000, 5000)]
    assert depths == sorted(depths)
    assert depths[0] < depths[-1]


def test_a_deadline_too_short_for_depth_one_gives_a_legal_action_and_says_so() -> None:
    game, answer = timed(1, nodes_per_slice=1)
    assert answer.steps == ()
    assert answer.result.action in game.legal_actions(start(game))
    assert (answer.result.depth, answer.result.complete) == (0, False)
    assert (answer.result.value, answer.result.kind) == (-1, "lower")


class Costly(SlowDice):
    """Dice in which a stone may cost a quarter."""

    reward_bounds = (-0.25, 0.0)

    def reward(self, state: Any, action: Any) -> float:
        return -0.25


def test_without_an_answer_the_lower_bound_counts_what_a_move_may_cost() -> None:
    clock = FalseClock()
    game = Costly(clock)
    how: dict[str, Any] = {"bounds": (-1, 1), "use_rewards": True}
    state = start(game)
    answer = deepening_star(
        game, state, lambda state: -1.0, milliseconds=1, clock=clock, nodes_per_slice=1, **how
    ).result
    truth = star(game, state, 1, lambda state: -1.0, **how).value
    assert (answer.value, answer.kind) == (-1.25, "lower")
    assert answer.value <= truth


def test_a_game_that_ends_is_searched_to_its_end_and_no_further() -> None:
    game = Einstein(3, 2)
    answer = deepening_star(
        game, start(game), game.estimate, milliseconds=60_000, bounds=(-1, 1), order=by_score(game.urgency)
    )
    assert answer.result.evaluations == 0
    assert answer.result.value == pytest.approx(star(game, start(game), probing=1).value, abs=1e-12)
    assert answer.milliseconds < 60_000


class Spy(TreeGame):
    """A tree that notes which actions are tried at the root."""

    tried: list[Any]

    def result(self, state: int, action: Any) -> int:
        if state == 0:
            self.tried.append(action)
        return super().result(state, action)


def test_the_best_action_of_one_depth_is_tried_first_at_the_next() -> None:
    promising = 0
    for seed in range(10):
        tree = regular_tree(seed, depth=3, moves=5, outcomes=2, correlated=True)
        tried = []
        for max_depth in (1, 2, 3):
            spy = Spy(tree.nodes, LEAF_BOUNDS)
            spy.tried = []
            answer = deepening_star(spy, 0, spy.estimate, milliseconds=60_000, bounds=LEAF_BOUNDS, max_depth=max_depth)
            tried.append(spy.tried)
        for depth in (1, 2):
            earlier, later = len(tried[depth - 1]), tried[depth]
            assert later[earlier] == answer.steps[depth - 1].action
            promising += later[earlier] != 0
    assert promising > 10


class Waiting:
    """One state, MAX's, in which play can only wait: the same state is met again at every depth."""

    utility_bounds = (0.0, 1.0)

    def current_player(self, state: Any) -> Player:
        return Player.MAX

    def legal_actions(self, state: Any) -> tuple[str, ...]:
        return ("wait",)

    def result(self, state: Any, action: str) -> Any:
        return state

    def is_terminal(self, state: Any) -> bool:
        return False


def test_values_from_the_depth_before_do_not_pass_for_the_end_of_the_game() -> None:
    game: Any = Waiting()
    answer = deepening_star(game, 0, lambda state: 0.5, milliseconds=60_000, bounds=(0, 1), max_depth=9)
    assert [step.depth for step in answer.steps] == list(range(1, 10))
    assert all(step.leaves == 1 for step in answer.steps)


def test_max_depth_ends_the_search() -> None:
    game = Dice(3, 3)
    answer = deepening_star(game, start(game), game.estimate, milliseconds=60_000, bounds=(-1, 1), max_depth=2)
    assert [step.depth for step in answer.steps] == [1, 2]


def test_any_search_can_be_deepened_and_stopped_between_slices() -> None:
    """A kernel that returns after each slice of its work: its own loop looks at the watch."""
    clock = FalseClock()
    watch = Watch(10, clock)

    def search(depth: int, previous: SearchResult[Any] | None) -> SearchResult[Any]:
        for _ in range(2**depth):
            clock.now += 0.001
            watch.check()
        return SearchResult(float(depth), depth, {}, NodeCounts(1, 0, 0, 0), 1, 0, depth)

    nothing = SearchResult(0.0, None, {}, NodeCounts(0, 0, 0, 0), 0, 0, 0, complete=False)
    answer = deepen(search, watch, nothing)
    assert [step.depth for step in answer.steps] == [1, 2]
    assert answer.result.action == 2
    assert answer.milliseconds == pytest.approx(10)
    with pytest.raises(TimeUp):
        watch.check()


@pytest.mark.parametrize("milliseconds", [0, -5, float("inf"), float("nan")])
def test_a_deadline_that_is_none_is_refused(milliseconds: float) -> None:
    with pytest.raises(SettingError, match="expected a finite deadline above 0 milliseconds"):
        timed(milliseconds)


@pytest.mark.parametrize("how", [{"nodes_per_slice": 0}, {"nodes_per_slice": 1.5}, {"max_depth": 0}])
def test_a_slice_or_depth_below_one_is_refused(how: dict[str, Any]) -> None:
    with pytest.raises(SettingError, match="of 1 or more"):
        timed(10, **how)


def test_only_decisions_are_decided() -> None:
    game = Dice(3, 3)
    with pytest.raises(NoActionsError, match="expected a decision"):
        deepening_star(game, game.initial_state(), game.estimate, milliseconds=10, bounds=(-1, 1))


def test_a_decision_without_actions_or_bounds_that_are_none_are_refused() -> None:
    stuck = TreeGame([TreeNode(Player.MAX, (), (), (), 0)], (0, 1))
    with pytest.raises(NoActionsError, match="expected an action"):
        deepening_star(stuck, 0, lambda state: 0.0, milliseconds=10, bounds=(0, 1))
    game = Dice(3, 3)
    with pytest.raises(BoundsError, match="expected two finite bounds"):
        deepening_star(game, start(game), game.estimate, milliseconds=10, bounds=(1, 0))
