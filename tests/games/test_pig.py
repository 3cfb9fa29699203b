"""Pig: the rules as Neller and Presser state them, counts by depth, and one golden playthrough."""

from __future__ import annotations

from typing import Any

import pytest

from expectimax_course.game import IllegalActionError, Player, StateError
from expectimax_course.games.pig import Pig, PigState
from expectimax_course.play import play_game
from expectimax_course.search.expectimax import expectiminimax


def test_a_one_loses_the_turn_and_its_points() -> None:
    game = Pig()
    assert game.result(PigState(10, 7, Player.MAX, 15, True), 1) == PigState(10, 7, Player.MIN, 0, False)
    assert game.result(PigState(10, 7, Player.MAX, 15, True), 6) == PigState(10, 7, Player.MAX, 21, False)


def test_holding_banks_the_turn_and_passes_the_die() -> None:
    game = Pig()
    assert game.result(PigState(10, 7, Player.MIN, 15, False), "hold") == PigState(10, 22, Player.MAX, 0, False)


def test_holding_nothing_is_no_action() -> None:
    with pytest.raises(IllegalActionError, match="hold"):
        Pig().result(Pig().initial_state(), "hold")


def test_the_winner_is_who_banks_the_target() -> None:
    game = Pig(target=20)
    won = game.result(PigState(10, 19, Player.MAX, 10, False), "hold")
    lost = game.result(PigState(10, 19, Player.MIN, 1, False), "hold")
    assert (game.is_terminal(won), game.utility(won)) == (True, 1.0)
    assert (game.is_terminal(lost), game.utility(lost)) == (True, 0.0)


def test_counts_by_depth_follow_from_the_rules() -> None:
    # Depth 1: one roll, its afterstate evaluated. Depth 2: that roll opened, six states: one passes the die (one
    # action), five continue (two actions each), and every action's result is evaluated.
    game = Pig()
    counts = [expectiminimax(game, game.initial_state(), d, lambda s: 0.5) for d in (0, 1, 2)]
    assert [r.evaluations for r in counts] == [1, 1, 1 + 5 * 2]
    assert [(r.nodes.max, r.nodes.min, r.nodes.chance) for r in counts] == [(0, 0, 0), (1, 0, 0), (1 + 5, 1, 1)]


def test_a_seeded_game_stays_as_it_was_played() -> None:
    game = Pig(target=15)
    record = play_game(game, lambda s, rng: "hold" if s.turn_total >= 8 else "roll", seed=4)
    assert [move for state, move in record.history if state.rolling] == [3, 2, 6, 4, 4, 3, 4, 5]
    assert (record.final_state.max_score, record.final_state.min_score, record.score) == (23, 8, 1.0)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"target": 0}, "expected target to be a whole number of 1 or more, got 0"),
        ({"target": 20.5}, "target to be a whole number of 1 or more, got 20.5"),
        ({"target": "20"}, "target to be a whole number of 1 or more, got '20'"),
        ({"target": True}, "target to be a whole number of 1 or more, got True"),
        ({"faces": 1}, "expected faces to be a whole number of 2 or more, got 1"),
        ({"faces": 2.5}, "faces to be a whole number of 2 or more, got 2.5"),
    ],
)
def test_a_race_without_points_or_a_die_without_faces_is_refused(setting: dict[str, Any], message: str) -> None:
    with pytest.raises(StateError, match=message):
        Pig(**setting)
