"""The record on budgets says what chapter 07 teaches, and its parts are the package's own searches."""

from __future__ import annotations

from itertools import pairwise

import pytest

from expectimax_course.experiments import budgets, load
from expectimax_course.game import Player
from expectimax_course.game2048.evaluate import article
from expectimax_course.search.expectimax import expectiminimax

RECORD = load("budgets")
RESULTS, TABLES = RECORD["results"], RECORD["tables"]


@pytest.mark.parametrize("empty", [3, 7, 13])
def test_a_board_has_the_empty_cells_it_is_asked_for_and_a_slide_to_make(empty: int) -> None:
    state = budgets.board(1, empty)
    assert sum(row.count(0) for row in state.board) == empty
    assert budgets.GAME.current_player(state) is Player.MAX
    assert budgets.GAME.legal_actions(state)


def test_each_decision_multiplies_the_work_and_compiled_search_is_far_faster() -> None:
    rows = {row["search"]: row for row in TABLES["depths"]}
    for name, deepest in (("readable", 4), ("compiled", 5)):
        costs = [rows[f"{name} {depth}"]["evaluations"] for depth in range(1, deepest + 1)]
        assert all(after > 10 * before for before, after in pairwise(costs))
    assert rows["readable 3"]["milliseconds"] > 50 * rows["compiled 3"]["milliseconds"]


def test_a_higher_threshold_costs_less_and_errs_more() -> None:
    rows = [row for row in TABLES["reach"] if row["caching"] in ("full", "reach")]
    assert [row["threshold"] for row in rows] == [0, *budgets.THRESHOLDS]
    costs, errors = [row["evaluations"] for row in rows], [row["error"] for row in rows]
    assert costs == sorted(costs, reverse=True)
    assert errors == sorted(errors)
    assert all(0 <= row["regret"] <= row["error"] for row in rows)


def test_the_safe_keys_err_no_more_than_no_cache_and_the_unsafe_one_changes_values() -> None:
    rows = {(row["caching"], row["threshold"]): row for row in TABLES["reach"]}
    for threshold in budgets.THRESHOLDS:
        none = rows["none", threshold]
        assert rows["reach", threshold]["error"] == pytest.approx(none["error"])
        assert rows["exact", threshold]["error"] <= none["error"] + 1e-9
        assert rows["unsafe", threshold]["evaluations"] <= rows["reach", threshold]["evaluations"]
    assert 0 < RESULTS["unsafe_wrong"]["value"] < RESULTS["unsafe_searches"]["value"]


def test_an_unfinished_depth_is_a_bad_adviser_unless_the_best_move_comes_first() -> None:
    complete, fixed, best = (RESULTS[f"regret_{name}"] for name in ("complete", "fixed_order", "best_first"))
    assert fixed["low"] > complete["mean"]
    assert best["mean"] <= complete["mean"]


def test_the_adaptive_depth_evens_out_the_cost() -> None:
    rows = TABLES["adaptive"]
    fixed, adaptive = ([row[key] for row in rows] for key in ("fixed", "adaptive"))
    assert fixed == sorted(fixed)
    assert max(adaptive) / min(adaptive) < fixed[-1] / fixed[0]
    assert rows[0]["least_depth"] > rows[-1]["most_depth"]


def test_a_compiled_search_counts_like_the_readable_one() -> None:
    state = budgets.board(2, 7)
    assert budgets.compiled(2, 2)[0] == expectiminimax(budgets.GAME, state, 2, article).evaluations
    assert budgets.readable(2, 2)[0] == budgets.compiled(2, 2)[0]


def test_deadlines_repeat_from_their_seed() -> None:
    assert budgets.at_deadline(3, 2, seed=5) == budgets.at_deadline(3, 2, seed=5)
