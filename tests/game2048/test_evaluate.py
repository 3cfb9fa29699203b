"""Evaluations of 2048 against formulas written out."""

from __future__ import annotations

import itertools
import math

import pytest
from boards import played_states, random_board, sample

from expectimax_course.game import EvaluationError, Player
from expectimax_course.game2048.evaluate import FITTED, UNITS, LineWeights, RowEvaluation, article
from expectimax_course.game2048.published import NNEONNEO, depth_rule
from expectimax_course.game2048.rules import Board, Game2048, State
from expectimax_course.rng import Rng


def written_out(board: Board) -> float:
    """The published heuristic as its author describes it: float arithmetic, no rounding, line by line."""
    total = 0.0
    for line in (*board, *zip(*board, strict=True)):
        ranks = [math.log2(tile) if tile else 0.0 for tile in line]
        tiles = [rank for rank in ranks if rank]
        runs, run = 0, 1
        for i in range(1, len(tiles) + 1):
            if i < len(tiles) and tiles[i] == tiles[i - 1]:
                run += 1
            else:
                runs, run = runs + (run if run > 1 else 0), 1
        rise = sum(max(0.0, b**4 - a**4) for a, b in itertools.pairwise(ranks))
        fall = sum(max(0.0, a**4 - b**4) for a, b in itertools.pairwise(ranks))
        power = sum(rank**3.5 for rank in ranks if rank)
        total += 200_000 + 270 * (len(line) - len(tiles)) + 700 * runs - 47 * min(rise, fall) - 11 * power
    return total


def test_published_evaluation_is_its_formula_up_to_rounding() -> None:
    rng = Rng(1)
    for _ in range(500):
        board = random_board(rng)
        assert NNEONNEO(State(board, Player.CHANCE)) == pytest.approx(written_out(board), abs=0.2)


def test_published_depth_is_three_at_least_beyond_the_own_move() -> None:
    assert [depth_rule(k) for k in (1, 5, 6, 12)] == [4, 4, 5, 11]


def test_the_article_rewards_the_tile_in_one_corner_whatever_stands_elsewhere() -> None:
    low = ((2, 4, 8, 16), (0,) * 4, (0,) * 4, (0,) * 4)
    high = tuple(row[::-1] for row in low)
    assert article(State(high, Player.CHANCE)) - article(State(low, Player.CHANCE)) == pytest.approx(1.5 * 3)


def test_the_article_spans_what_claims_say() -> None:
    """Few units between the worst and the best board met in play: a loss of a billion is another scale."""
    values = [article(state) for state in played_states()]
    assert -30 < min(values) < max(values) < 45


def test_article_by_hand() -> None:
    """Two empty cells; the first row falls by 1 and rises by 2 (zigzag 1), all other lines are in order."""
    board = ((8, 4, 16), (4, 0, 0))
    assert article(State(board, Player.CHANCE)) == pytest.approx(2.7 * 2 - 1 + 1.5 * 3)


def test_rim_and_inside_have_weights_of_their_own() -> None:
    evaluation = RowEvaluation(LineWeights(empty=1), LineWeights(empty=10), lost=0)
    board = [[0] * 4, [2, 2, 2, 2], [2, 2, 2, 2], [2, 2, 2, 2]]
    # The empty row is on the rim: 4. Each column has one empty cell, two columns on the rim and two inside: 2 + 20.
    assert evaluation(Game2048().state(board)) == 26


def test_boards_of_any_size_are_evaluated() -> None:
    evaluation = RowEvaluation(LineWeights(empty=1), LineWeights(empty=10), lost=0)
    assert evaluation(State(((0, 0, 0),), Player.CHANCE)) == 3 + 1 + 10 + 1
    assert article(State(((0, 0, 0),), Player.CHANCE)) == pytest.approx(8.1)


def test_a_line_and_its_mirror_image_have_one_value() -> None:
    rng = Rng(2)
    for _ in range(300):
        ranks = [rng.below(16) for _ in range(4)]
        for weights in (NNEONNEO.rim, FITTED.rim, FITTED.inside):
            assert weights.value(ranks) == weights.value(ranks[::-1])


def test_sums_are_exact_in_any_order() -> None:
    """Whole multiples of 1/256: turning the board changes the order of summation and not one bit."""
    for state in sample(played_states(), 200, seed=3):
        turned = tuple(zip(*state.board[::-1], strict=True))
        assert NNEONNEO(state) == NNEONNEO(state._replace(board=turned))
        assert NNEONNEO(state) * UNITS == int(NNEONNEO(state) * UNITS)


def test_a_lost_game_is_worse_than_any_board_met_in_play() -> None:
    for evaluation in (NNEONNEO, FITTED):
        assert all(evaluation(state) > evaluation.lost for state in played_states())


def test_a_tile_beyond_the_tables_is_refused() -> None:
    with pytest.raises(EvaluationError, match="expected tiles up to 131072, got 262144"):
        NNEONNEO(State(((1 << 18, 0), (0, 0)), Player.CHANCE))
