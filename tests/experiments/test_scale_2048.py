"""The compiled player on other scales is the readable search on those scales; its record says what chapter 04 says."""

from __future__ import annotations

import math
from typing import Any

import pytest

from expectimax_course.evaluation.scale import best_actions
from expectimax_course.experiments import load
from expectimax_course.experiments.scale_2048 import SCALES, Scale, best_set, draw_positions, play_scores
from expectimax_course.experiments.scaled_player import SHORT, Player, U, as_table, tenths_of
from expectimax_course.game import Player as Mover
from expectimax_course.game2048 import bitboard
from expectimax_course.game2048.evaluate import article
from expectimax_course.game2048.rules import ACTIONS, Game2048, State
from expectimax_course.rng import Rng
from expectimax_course.search.expectimax import expectimax

RECORD = load("scale_2048")
BOARDS = (
    ((2, 4, 2, 4), (4, 2, 4, 2), (2, 4, 2, 4), (0, 2, 4, 2)),
    ((2, 4, 8, 16), (4, 8, 16, 32), (2, 4, 8, 16), (2, 4, 2, 0)),
    ((64, 32, 16, 8), (2, 8, 4, 2), (0, 2, 0, 0), (0, 0, 0, 2)),
)


@pytest.fixture(scope="module", params=SCALES, ids=lambda scale: scale.field)
def scale(request: Any) -> Scale:
    return request.param  # type: ignore[no-any-return]


@pytest.mark.parametrize("board", BOARDS)
def test_values_are_those_of_the_readable_search(board: Any, scale: Scale) -> None:
    game: Any = Game2048(terminal_utility=scale.lost)
    found = expectimax(game, State(board, Mover.MAX), 2, lambda state: scale.function(article(state)))
    values = Player(as_table(scale.function), scale.lost).values(bitboard.pack(board))
    for action, value in zip(ACTIONS, values, strict=True):
        if action in found.action_values:
            assert value == pytest.approx(found.action_values[action][0], rel=1e-9)
        else:
            assert value == -math.inf


def test_tenths_are_ten_times_the_articles_evaluation() -> None:
    zigzag = Player(as_table(float), 0.0).zigzag
    rng = Rng(5)
    for _ in range(200):
        board = tuple(tuple(rng.choice((0, 2, 4, 8, 64, 512)) for _ in range(4)) for _ in range(4))
        if any(map(any, board)):
            value = tenths_of(U(bitboard.pack(board)), zigzag)
            assert value == round(10 * article(State(board, Mover.CHANCE)))
            assert abs(value) <= SHORT


def test_a_game_is_recorded_move_by_move() -> None:
    player = Player(as_table(float), SCALES[0].lost)
    history = player.game(3)
    game: Any = Game2048()
    score = 0.0
    for board, after, total in history[:40]:
        state = State(bitboard.unpack(board), Mover.MAX)
        best = best_set(player.values(board))
        action = ACTIONS[min(best)]
        assert bitboard.pack(game.result(state, action).board) == after
        score += game.reward(state, action)
        assert score == total


def test_best_sets_leave_illegal_slides_out_and_keep_ties() -> None:
    assert best_set([-math.inf, 0.3, 0.1 + 0.2, 0.2]) == {1, 2}
    assert best_actions([0.3, 0.1 + 0.2], tolerance=1e-12) == {0, 1}


def test_a_safe_scale_plays_the_same_games_and_a_seed_repeats_them() -> None:
    plain, affine = SCALES[:2]
    scores = play_scores(as_table(plain.function), plain.lost, [0, 1])
    assert play_scores(as_table(affine.function), affine.lost, [0, 1]) == scores
    assert draw_positions(3, seed=8) == draw_positions(3, seed=8)


def test_the_record_has_no_move_and_no_point_of_difference_on_the_safe_scale() -> None:
    assert RECORD["results"]["changed_affine"]["mean"] == 0
    assert RECORD["results"]["cost_affine"]["mean"] == RECORD["results"]["cost_affine"]["high"] == 0


def test_every_bent_scale_of_the_record_changes_moves() -> None:
    for scale in SCALES[2:6]:
        changed, flipped = (RECORD["results"][f"{word}_{scale.field}"] for word in ("changed", "flipped"))
        assert changed["low"] > 0
        assert flipped["mean"] <= changed["mean"]


def test_what_the_record_calls_a_loss_excludes_zero_where_the_chapter_says_so() -> None:
    for field in ("square", "averse", "seeking", "lost_zero", "isotonic", "strict", "honest"):
        assert RECORD["results"][f"cost_{field}"]["low"] > 0
    assert RECORD["results"]["cost_root"]["low"] < 0 < RECORD["results"]["cost_root"]["high"]


def test_breaking_the_ties_of_the_staircase_wins_points_back() -> None:
    assert RECORD["results"]["cost_strict"]["mean"] < RECORD["results"]["cost_isotonic"]["low"]
