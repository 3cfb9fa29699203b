"""The record of what the failures cost says what chapter 11 says, and its parts are the package's own players."""

from __future__ import annotations

from typing import Any

import pytest

from expectimax_course.exact.push_to_21 import threshold_values
from expectimax_course.experiments import failure_costs, load
from expectimax_course.experiments.failure_table import recorded
from expectimax_course.failures import opponents
from expectimax_course.failures.gallery import GALLERY
from expectimax_course.game2048.bitboard import pack
from expectimax_course.game2048.evaluate import article
from expectimax_course.game2048.players import play
from expectimax_course.game2048.search import Searcher
from expectimax_course.rng import derive_seed

RECORD = load("failure_costs")
RESULTS, TABLES = RECORD["results"], RECORD["tables"]
FULL = ((2, 4, 2, 4), (4, 2, 4, 2), (2, 4, 2, 4), (0, 2, 4, 2))


def test_all_four_cells_of_both_maps_are_exact_and_seen() -> None:
    assert len(TABLES["cells"]) == 8
    for row in TABLES["cells"]:
        text = failure_costs.MAPS[row["map"]]
        assert row["rate"] == pytest.approx(opponents.win_rate(text, row["model"], row["world"]))
        assert row["points"] == pytest.approx(opponents.points(text, row["model"], row["world"]))
        assert row["low"] <= row["rate"] <= row["high"]


def test_the_wrong_opponent_costs_both_ways() -> None:
    assert RESULTS["cost_cornered_wander"]["low"] > 100
    assert RESULTS["cost_fork_hunt"]["low"] > 100
    assert RESULTS["cost_fork_wander"]["high"] < 1


def test_what_push_costs_was_measured_around_what_it_costs_exactly() -> None:
    best = max(threshold_values(t)[0] for t in range(22))
    exact = {row["fault"]: row["exact"] for row in TABLES["push"]}
    thresholds = {"divided": 1, "overwritten": 7, "worst": 12, "square": 15, "infinite": 12}
    for fault, stand_from in thresholds.items():
        assert exact[fault] == pytest.approx(best - threshold_values(stand_from)[0])
        seen = RESULTS[f"cost_{fault}"]
        assert abs(seen["mean"] - exact[fault]) < 4 * seen["standard_error"]
        assert seen["low"] > 0
    assert RESULTS["cost_rerolled"]["low"] > 0


def test_a_wrong_belief_costs_on_the_small_board_and_only_a_gross_one_is_seen_on_the_large() -> None:
    assert RESULTS["small_loss_10"]["value"] > 10
    assert RESULTS["small_loss_50"]["value"] > 10
    assert RESULTS["cost_belief_50"]["low"] < 0 < RESULTS["cost_belief_50"]["high"]
    assert RESULTS["cost_belief_90"]["low"] > 0


def test_more_spawns_narrow_the_interval_and_refute_one_half() -> None:
    widths = [row["high"] - row["low"] for row in TABLES["spawns"]]
    assert widths == sorted(widths, reverse=True)
    assert all(row["high"] < 0.5 for row in TABLES["spawns"])
    missed = [row["n"] for row in TABLES["spawns"] if not row["low"] <= 0.1 <= row["high"]]
    assert missed == [300], "the chapter points at the interval that misses"


def test_infinity_costs_and_the_fixed_depth_is_late() -> None:
    assert RESULTS["cost_infinity_2048"]["low"] > 0
    assert RESULTS["late_fixed"]["low"] > 0
    assert RESULTS["most_fixed"]["value"] > 4 * failure_costs.BUDGET
    assert RESULTS["cost_fixed"]["low"] < 0 < RESULTS["cost_fixed"]["high"]


def test_both_keys_change_decisions() -> None:
    for key in ("reach", "depth"):
        assert RESULTS[f"changed_{key}"]["low"] > 0
        assert RESULTS[f"error_{key}"]["low"] > 0


def test_every_failure_has_its_line_in_the_table() -> None:
    lines = recorded()
    assert list(lines) == [failure.key for failure in GALLERY]
    for _, mean, low, high, n, _ in lines.values():
        assert low <= mean <= high
        assert n >= 100


@pytest.mark.parametrize("seed", [0, 1])
def test_a_game_in_its_own_world_is_that_of_the_compiled_player(seed: int) -> None:
    searcher = Searcher(article)
    game = failure_costs.play_2048(searcher, failure_costs.to_depth(2), real=0.1, seed=derive_seed(5, seed))
    whole = play("article", seed=derive_seed(5, seed), depth=2)
    assert game[:2] == [whole.score, whole.moves]


def test_counting_answers_from_the_last_depth_within_the_budget() -> None:
    searcher: Any = Searcher(article, table_bits=0)
    action, spent = failure_costs.while_leaves_last(searcher, pack(FULL))
    costs: list[int] = []
    while sum(costs) <= failure_costs.BUDGET:
        costs.append(searcher.search(pack(FULL), len(costs) + 1).evaluations)
    complete = len(costs) - 1
    assert action == searcher.search(pack(FULL), complete).action
    assert failure_costs.BUDGET <= spent <= sum(costs)


def test_an_infinite_loss_is_played_and_changes_the_game() -> None:
    """Game 5 is one in which it is told apart at once."""
    (mended,), (broken,) = (failure_costs.games_2048(how, 0.1, 0.1, 5, 1) for how in ("mended", "infinity"))
    assert mended[0] > broken[0] > 0
