from __future__ import annotations

import pytest
from backgammon_positions import FAR, played, scattered, side

from expectimax_course.backgammon.rules import (
    HYPER,
    Backgammon,
    State,
    _sequences,
    hyper_backgammon,
    move,
    opening_rolls,
    plays,
    rolls,
    sides,
    small_backgammon,
    stake,
    steps,
)
from expectimax_course.game import IllegalActionError, Player, StateError
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.star import star

GAME = Backgammon()
START = GAME.initial_state().max_side
OPENING_COUNTS = {
    (1, 1): 42, (2, 1): 15, (2, 2): 75, (3, 1): 16, (3, 2): 17, (3, 3): 73, (4, 1): 14,
    (4, 2): 18, (4, 3): 17, (4, 4): 52, (5, 1): 8, (5, 2): 8, (5, 3): 9, (5, 4): 9,
    (5, 5): 4, (6, 1): 10, (6, 2): 14, (6, 3): 14, (6, 4): 14, (6, 5): 7, (6, 6): 11,
}  # fmt: skip
"""Distinct afterstates of the opening position, as GNU Backgammon generates them."""


@pytest.mark.parametrize(("roll", "count"), OPENING_COUNTS.items())
def test_opening_rolls_have_as_many_plays_as_in_gnu_backgammon(roll: tuple[int, int], count: int) -> None:
    assert len(plays(START, START, roll)) == count


def test_no_double_opens_a_game_and_the_other_rolls_are_equally_likely() -> None:
    assert {roll for roll, _ in opening_rolls()} == {roll for roll, _ in rolls() if roll[0] != roll[1]}
    assert sum(p for _, p in opening_rolls()) == pytest.approx(1)
    assert len({p for _, p in opening_rolls(4)}) == 1


def test_doubles_are_half_as_likely_as_other_rolls() -> None:
    chances = dict(rolls())
    assert chances[6, 6] == 1 / 36
    assert chances[6, 5] == 1 / 18
    assert len(chances) == 21
    assert abs(sum(chances.values()) - 1) < 1e-12


def test_doubles_are_tried_in_one_order_of_their_steps() -> None:
    for own, other in [(START, START), *((own, other) for own, other, _ in [*played(3, 100), *scattered(4, 100)])]:
        for die in range(1, 7):
            found = [play for play, _, _ in _sequences(own, other, (die,) * 4, 6)]
            legal = plays(own, other, (die, die))
            assert len([play for play in found if len(play) == len(next(iter(legal)))]) == len(legal)


def test_the_second_die_is_not_dropped() -> None:
    own, other = side({6: 13, 8: 1, 24: 1}), side({21: 2, 9: 2, 7: 3, 6: 4, 5: 4})
    assert list(plays(own, other, (6, 2))) == [((24, 22), (8, 2))]


def test_four_ones_with_all_points_blocked_is_a_forced_pass() -> None:
    own = side({7: 7, 13: 8})
    other = side({25 - 6: 2, 25 - 12: 2, 1: 11})
    assert list(plays(own, other, (1, 1))) == [()]
    state = State(own, other, Player.MAX, (1, 1))
    assert GAME.legal_actions(state) == ((),)
    assert GAME.result(state, ()) == State(own, other, Player.MIN, None)


def test_a_42_from_five_and_two_bears_off_one_checker_by_either_die() -> None:
    positions = set(plays(side({5: 1, 2: 1}), FAR, (4, 2)).values())
    assert positions == {(side({1: 1}), FAR), (side({2: 1}), FAR)}  # 5/1 2/off and 5/3/off


def test_all_checkers_enter_before_any_other_moves() -> None:
    own = side({25: 3, 6: 12})
    for play in plays(own, FAR, (3, 3)):
        assert play[:3] == ((25, 22),) * 3
    assert all(play[0][0] == 25 and play[1][0] == 25 for play in plays(own, FAR, (4, 3)))


def test_the_larger_die_is_played_when_only_one_can_be() -> None:
    own = side({20: 1}, checkers=1)
    blocked = [0] * 26
    blocked[25 - 10] = 2  # 20/14/10 and 20/16/10 both end here
    assert list(plays(own, tuple(blocked), (6, 4))) == [((20, 14),)]


def test_the_smaller_die_is_played_when_the_larger_is_blocked() -> None:
    own = side({20: 1}, checkers=1)
    blocked = [0] * 26
    blocked[25 - 14] = blocked[25 - 10] = 2
    assert list(plays(own, tuple(blocked), (6, 4))) == [((20, 16),)]


def test_a_larger_die_bears_off_only_from_the_highest_point() -> None:
    assert list(steps(side({4: 1, 2: 1}), FAR, 6)) == [(4, 0)]
    assert list(steps(side({5: 1, 3: 1}), FAR, 3)) == [(5, 2), (3, 0)]
    assert list(steps(side({7: 1, 3: 1}), FAR, 3)) == [(7, 4)]


def test_a_hit_checker_goes_to_the_bar() -> None:
    own, other = move(side({6: 15}), side({20: 1, 1: 14}), (6, 5))
    assert (own[5], other[20], other[25]) == (1, 0, 1)


@pytest.mark.parametrize(
    ("loser", "points"),
    [
        (side({6: 14}), 1),
        (side({6: 15}), 2),
        (side({18: 15}), 2),
        (side({19: 1, 6: 14}), 3),
        (side({25: 1, 6: 14}), 3),
        (side({25: 1}), 1),
    ],
)
def test_single_games_gammons_and_backgammons(loser: tuple[int, ...], points: int) -> None:
    assert stake(loser) == points
    assert GAME.utility(State(side({}), loser, Player.MIN, None)) == points
    assert GAME.utility(State(loser, side({}), Player.MAX, None)) == -points


def test_the_turn_passes_and_sides_keep_their_view() -> None:
    state = GAME.result(GAME.result(GAME.initial_state(), (3, 1)), ((8, 5), (6, 5)))
    assert (state.turn, state.dice) == (Player.MIN, None)
    assert state.max_side[5] == 2
    assert sides(state) == (state.min_side, state.max_side)


def test_an_illegal_play_or_roll_is_refused() -> None:
    state = GAME.result(GAME.initial_state(), (3, 1))
    with pytest.raises(IllegalActionError, match="expected one of"):
        GAME.result(state, ((24, 18), (6, 5)))
    with pytest.raises(IllegalActionError, match="21 rolls"):
        GAME.result(GAME.initial_state(), (7, 1))
    with pytest.raises(StateError, match="dice"):
        GAME.legal_actions(GAME.initial_state())


@pytest.mark.parametrize(
    ("own", "other", "message"),
    [
        (side({6: 16}, checkers=16), START, "15 checkers a side, got 16"),
        (side({}), side({}), "both"),
        (side({6: 15}), side({19: 15}), "both on point 6"),
        (START[:-1], START, "26 counts"),
        ((-1, *START[1:-1], 1), START, "26 counts"),
    ],
)
def test_an_impossible_position_is_refused(own: tuple[int, ...], other: tuple[int, ...], message: str) -> None:
    with pytest.raises(StateError, match=message):
        GAME.position(own, other)


def test_wrong_dice_and_turns_are_refused() -> None:
    assert GAME.position(START, START, Player.MIN, (6, 1)).dice == (6, 1)
    with pytest.raises(StateError, match="larger first"):
        GAME.position(START, START, dice=(1, 6))
    with pytest.raises(StateError, match="turn"):
        GAME.position(START, START, Player.CHANCE)


@pytest.mark.parametrize(
    "settings", [{"points": 4, "home": 3}, {"points": 6, "home": 2, "faces": 7}, {"setup": {30: 2}}, {"setup": {}}]
)
def test_an_impossible_board_is_refused(settings: dict[str, object]) -> None:
    with pytest.raises(StateError, match="expected"):
        Backgammon(**settings)  # type: ignore[arg-type]


def test_hyper_backgammon_starts_with_three_checkers_far_back() -> None:
    game = hyper_backgammon()
    assert {point: n for point, n in enumerate(game.initial_state().max_side) if n} == HYPER
    assert game.checkers == 3


def test_star_gives_the_values_of_expectiminimax_on_the_small_board() -> None:
    game = small_backgammon()

    def pips(state: State) -> float:
        return sum(p * n for p, n in enumerate(state.min_side)) - sum(p * n for p, n in enumerate(state.max_side))

    for roll, _ in game.chance_outcomes(game.initial_state()):
        state = game.result(game.initial_state(), roll)
        plain = expectiminimax(game, state, 3, pips)
        for probing in (0, 1):
            pruned = star(game, state, 3, pips, probing=probing, bounds=(-20.0, 20.0))
            assert pruned.value == pytest.approx(plain.value, abs=1e-12)
            assert pruned.action == plain.action
            assert pruned.leaves <= plain.leaves
