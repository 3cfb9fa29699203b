"""Dice: a game by hand, the ends, the counts by depth, the estimate and the order of moves."""

from __future__ import annotations

import math
from typing import Any

import pytest

from expectimax_course.game import IllegalActionError, Player, StateError
from expectimax_course.games.dice import Dice, DiceState


def play(game: Dice, *moves: int) -> DiceState:
    state = game.initial_state()
    for move in moves:
        state = game.result(state, move)
    return state


def count(game: Any, state: Any, decisions: int) -> int:
    """Paths with so many decisions, every draw counted for each of its outcomes."""
    if game.is_terminal(state) or (decisions == 0 and game.current_player(state) is Player.CHANCE):
        return 1
    if game.current_player(state) is Player.CHANCE:
        return sum(count(game, game.result(state, o), decisions) for o, _ in game.chance_outcomes(state))
    return sum(count(game, game.result(state, a), decisions - 1) for a in game.legal_actions(state))


def test_max_completes_a_row_in_five_moves() -> None:
    game = Dice(size=3, in_a_row=3)
    state = play(game, 1, 4, 0, 0, 1, 3, 2, 2, 1)
    assert game.legal_actions(state) == (5,)
    won = game.result(state, 5)
    assert won == DiceState(0b000111000, 0b000000101, Player.MIN, None, 1)
    assert game.is_terminal(won)
    assert game.utility(won) == 1


def test_min_wins_on_a_diagonal_and_the_utility_is_in_the_view_of_max() -> None:
    game = Dice(size=3, in_a_row=2)
    state = play(game, 0, 0, 1, 1, 0, 2, 2, 5)
    assert state == DiceState(0b000000101, 0b000100010, Player.MAX, None, -1)
    assert game.utility(state) == -1


def test_a_full_board_without_a_row_is_a_draw() -> None:
    game = Dice(size=2, in_a_row=2)
    cells = {Player.MAX: 0b0011, Player.MIN: 0b1100}
    assert all(w in (0b0011, 0b1100, 0b0101, 0b1010, 0b1001, 0b0110) for w in game.winning)
    big = Dice(size=3, in_a_row=3)
    # X O X / X X O / O . O: MAX fills the last cell, no three in a row
    last = DiceState(0b000_011_101, 0b101_100_010, Player.MAX, 2, None)
    drawn = big.result(last, 7)
    assert drawn.outcome == 0
    assert big.utility(drawn) == 0
    assert cells[Player.MAX] in game.winning


def test_a_full_line_is_rolled_again() -> None:
    game = Dice(size=3, in_a_row=3)
    state = DiceState(0b000000011, 0b000000100, Player.MAX, None, None)
    assert game.chance_outcomes(state) == ((1, 0.5), (2, 0.5))
    with pytest.raises(IllegalActionError, match="expected one of"):
        game.result(state, 0)


def test_max_plays_in_rows_and_min_in_columns() -> None:
    game = Dice(size=4, in_a_row=3)
    assert game.legal_actions(play(game, 2)) == (8, 9, 10, 11)
    assert game.legal_actions(play(game, 2, 9, 1)) == (1, 5, 13)


def test_until_someone_can_win_paths_are_counted_by_a_falling_factorial() -> None:
    """Whatever the die says, each empty cell is offered by exactly one line: m²·(m² − 1)·… paths."""
    game = Dice(size=3, in_a_row=3)
    for decisions in range(1, 5):
        assert count(game, game.initial_state(), decisions) == math.perm(9, decisions)
    assert count(Dice(6, 3), Dice(6, 3).initial_state(), 2) == 36 * 35


def test_a_stone_on_a_taken_cell_or_after_the_end_is_refused() -> None:
    game = Dice(size=3, in_a_row=2)
    with pytest.raises(IllegalActionError):
        game.result(play(game, 0, 0, 0), 0)
    over = play(game, 0, 0, 2, 8, 0, 1)
    assert over.outcome == 1
    with pytest.raises(IllegalActionError):
        game.result(over, 2)


@pytest.mark.parametrize(("size", "in_a_row"), [(3, 4), (3, 1), (1, 2), (3.0, 3), (3, 2.5), ("3", 3)])
def test_an_impossible_board_is_refused(size: Any, in_a_row: Any) -> None:
    with pytest.raises(StateError, match="expected whole numbers 2 <= in_a_row <= size"):
        Dice(size, in_a_row)


def test_the_estimate_changes_sign_with_the_sides_and_stays_inside_the_bounds() -> None:
    game = Dice(size=4, in_a_row=3)
    state = DiceState(0b0000_0110_0001_0000, 0b1000_0000_0000_0010, Player.MAX, None, None)
    swapped = state._replace(max_stones=state.min_stones, min_stones=state.max_stones)
    assert game.estimate(state) == -game.estimate(swapped) != 0
    assert game.estimate(DiceState(0xFFFF, 0, Player.MIN, None, None)) < 1
    assert game.estimate(game.initial_state()) == 0


def test_winning_looks_more_urgent_than_stopping_a_win_and_that_more_than_the_rest() -> None:
    game = Dice(size=4, in_a_row=3)
    state = DiceState(0b0000_0000_0000_0011, 0b0000_0011_0000_0000, Player.MAX, 0, None)
    win, stop, rest = (game.urgency(state, cell) for cell in (2, 10, 15))
    assert win > stop > rest
