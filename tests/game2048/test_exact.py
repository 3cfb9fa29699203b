"""Small boards, solved twice: against each other, published figures, plain expectimax and simulated play."""

from __future__ import annotations

import re

import pytest

from expectimax_course.exact.backward_induction import backward_induction
from expectimax_course.experiments import load
from expectimax_course.game import StateError
from expectimax_course.game2048.exact import solve
from expectimax_course.game2048.exact_layers import solve_layers
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


@pytest.mark.parametrize(
    ("rows", "cols", "spawn_four"),
    [(3, 2, 0.1), *((*shape, p) for shape in ((1, 2), (1, 6), (4, 1), (2, 2)) for p in (0.0, 0.1, 0.5, 1.0))],
)
def test_layers_find_what_the_readable_solver_finds(rows: int, cols: int, spawn_four: float) -> None:
    readable, layered = solve(rows, cols, spawn_four), solve_layers(rows, cols, spawn_four=spawn_four)
    assert layered.expected_score == pytest.approx(readable.expected_score, rel=1e-12)
    assert layered.states == readable.states
    made = {tile: p for tile, p in readable.tile_probabilities.items() if p}
    assert layered.tile_probabilities == pytest.approx(made, rel=1e-9)


@pytest.mark.parametrize(("rows", "cols", "target"), [(2, 2, 16), (2, 2, 32), (1, 4, 16), (2, 3, 128)])
def test_a_target_is_made_as_often_as_the_general_solver_says(rows: int, cols: int, target: int) -> None:
    """The general solver plays for a utility of 1 on boards with the target, on which no slide is legal."""

    class ToTarget(Game2048):
        def is_terminal(self, state):  # type: ignore[no-untyped-def]
            return max(map(max, state.board)) >= target or super().is_terminal(state)

        def legal_actions(self, state):  # type: ignore[no-untyped-def]
            return () if self.is_terminal(state) else super().legal_actions(state)

        def utility(self, state):  # type: ignore[no-untyped-def]
            return float(max(map(max, state.board)) >= target)

    game = ToTarget(rows, cols)
    best = backward_induction(game).values[game.initial_state()]
    optimum = solve_layers(rows, cols, target)
    assert optimum.tile_probabilities[target] == pytest.approx(best, rel=1e-12)
    assert optimum.tile_probabilities[target] >= solve_layers(rows, cols).tile_probabilities[target]
    assert max(optimum.tile_probabilities) == target


def test_published_counts_and_chances_of_a_target() -> None:
    """Lees-Miller counts 59 states of 2 × 2 up to 32, won and lost as one each, and wins 96 and 8 per cent."""
    assert solve_layers(2, 2, 32).classes + 2 == 59
    assert round(solve_layers(2, 2, 16).tile_probabilities[16], 2) == 0.96
    assert round(solve_layers(2, 2, 32).tile_probabilities[32], 2) == 0.08


def test_without_fours_half_the_largest_tile_is_the_largest() -> None:
    assert solve_layers(1, 2, spawn_four=0.0).tile_probabilities == {2: 1.0, 4: 1.0}
    with pytest.raises(StateError, match="expected a target tile from 8 to 16, the largest on 2 × 2, got 32"):
        solve_layers(2, 2, 32, spawn_four=0.0)
    assert solve_layers(2, 2, 16, spawn_four=0.0).tile_probabilities[16] == pytest.approx(1.0)


def test_three_by_three_never_misses_32() -> None:
    optimum = solve_layers(3, 3, 32)
    assert optimum.tile_probabilities[32] == pytest.approx(1.0, abs=1e-12)


def test_three_by_three_has_the_published_figures() -> None:
    """The record: 25,179,014 states up to 1024 and 74 and 1 per cent (Lees-Miller); 5,468.49 points (Mini2048)."""
    results = load("exact_2048")["results"]
    assert results["classes_3x3_1024"]["value"] + 2 == 25_179_014
    assert round(results["made_512_3x3_512"]["value"], 2) == 0.74
    assert round(results["made_1024_3x3_1024"]["value"], 2) == 0.01
    assert results["score_3x3"]["value"] == pytest.approx(5468.49, abs=5e-3)


@pytest.mark.parametrize(
    ("rows", "cols", "target", "message"),
    [
        (4, 3, None, "expected at most 9 cells, 6 in a line, got 4 rows of 3"),
        (1, 7, None, "expected at most 9 cells, 6 in a line, got 1 rows of 7"),
        (2, 2, 64, "expected a target tile from 8 to 32, the largest on 2 × 2, got 64"),
        (2, 2, 12, "expected a target tile from 8 to 32, the largest on 2 × 2, got 12"),
        (3, 3, 4, "expected a target tile from 8 to 1024, the largest on 3 × 3, got 4"),
        (1, 1, None, "expected at least two cells, got 1 rows and 1 columns"),
    ],
)
def test_layers_refuse(rows: int, cols: int, target: int | None, message: str) -> None:
    with pytest.raises(StateError, match=re.escape(message)):
        solve_layers(rows, cols, target)
