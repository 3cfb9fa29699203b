"""Small boards, solved: against published figures, plain expectimax and simulated play."""

from __future__ import annotations

import re

import pytest

from expectimax_course.exact.backward_induction import backward_induction
from expectimax_course.game import StateError
from expectimax_course.game2048.exact import solve
from expectimax_course.game2048.rules import Game2048
from expectimax_course.play import play_game
from expectimax_course.stats import mean_interval, proportion_interval


def test_two_by_two_has_the_figures_of_the_issue() -> None:
    """Expected score 66.96415, P(32) = .082887 under the score-optimal policy, 662 states without symmetry."""
    solution = solve(2, 2)
    assert solution.expected_score == pytest.approx(66.96415, abs=5e-6)
    assert solution.tile_probabilities[32] == pytest.approx(0.082887, abs=5e-7)
    assert solution.states == 662


@pytest.mark.parametrize(("rows", "cols"), [(1, 2), (1, 4), (2, 2), (3, 1)])
def test_the_general_solver_agrees(rows: int, cols: int) -> None:
    game = Game2048(rows, cols)
    general = backward_induction(game, use_rewards=True)
    assert solve(rows, cols).expected_score == pytest.approx(general.values[game.initial_state()], rel=1e-12)


def test_two_by_three_takes_seconds_and_reaches_128() -> None:
    solution = solve(2, 3)
    assert solution.states == 85_844
    assert solution.expected_score == pytest.approx(480.25827, abs=5e-6)
    assert 0 < solution.tile_probabilities[128] < solution.tile_probabilities[64] < 1
    assert solution.expected_score > 7 * solve(2, 2).expected_score


def test_turning_the_board_changes_nothing() -> None:
    one, other = solve(1, 4), solve(4, 1)
    assert one.expected_score == pytest.approx(other.expected_score, rel=1e-12)
    assert one.tile_probabilities == pytest.approx(other.tile_probabilities)


def test_the_policy_earns_in_play_what_the_table_says() -> None:
    game, solution = Game2048(2, 2), solve(2, 2)
    games = [play_game(game, lambda state, rng: solution.policy[state.board], seed=seed) for seed in range(2000)]
    score = mean_interval([record.score for record in games], confidence=0.999)
    made = proportion_interval(sum(max(map(max, r.final_state.board)) >= 32 for r in games), 2000, confidence=0.999)
    assert score.low < solution.expected_score < score.high
    assert made.low < solution.tile_probabilities[32] < made.high


def test_large_boards_are_refused() -> None:
    with pytest.raises(StateError, match=re.escape("expected at most 6 cells, got 3 rows of 3")):
        solve(3, 3)
