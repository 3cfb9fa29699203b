"""The experiments on searches: small runs of their tasks, and the goals that their records must reach."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from expectimax_course.experiments import bench, load
from expectimax_course.experiments import deadline_moves as deadlines
from expectimax_course.experiments import sampling_bias as bias
from expectimax_course.experiments import search_rivals as rivals
from expectimax_course.experiments import search_speed as speed
from expectimax_course.experiments import star_savings as savings
from expectimax_course.experiments.positions import FAMILIES
from expectimax_course.search.star import star


def recorded(name: str, table: str) -> dict[str, Any]:
    """The rows of a recorded table by their first column."""
    return {next(iter(row.values())): row for row in load(name)["tables"][table]}


@pytest.mark.parametrize("family", FAMILIES)
def test_a_problem_is_the_same_for_the_same_seed_and_its_order_rearranges_actions(family: str) -> None:
    title, make = FAMILIES[family]
    one, two = make(3), make(3)
    assert title
    assert one.state == two.state
    actions = one.game.legal_actions(one.state)
    assert sorted(one.good_order(one.state, actions)) == sorted(actions)
    assert one.hint.calls >= len(actions)


def test_all_searches_of_the_savings_agree_and_plain_is_the_unit() -> None:
    rows = savings.compare("correlated_2_20_21", seed=9)
    assert len(rows) == 2 * 2 * len(savings.SEARCHES)
    assert rows[0][:4] == ["game", "plain", False, 8400]
    summary = savings.summarise("correlated_2_20_21", "a title", [rows, rows])
    assert summary[0]["leaves"] == summary[0]["cpu"] == summary[0]["nodes"] == 1


def test_false_bounds_are_what_makes_roots_wrong() -> None:
    assert savings.dishonest_block(0.0, 50, seed=1) == 0
    assert savings.dishonest_block(0.3, 50, seed=1) > 0
    assert savings.loose(1, seed=2) <= savings.loose(30, seed=2) <= 1


def test_the_goals_of_star2_are_reached() -> None:
    """At most a tenth of the leaves on correlated 20-move, 21-outcome trees; at most a quarter on Dice."""
    results = load("star_savings")["results"]
    assert results["correlated_goal"]["value"] <= 0.10
    assert results["dice_goal"]["value"] <= 0.25
    assert results["dishonest_0"]["value"] == 0


def test_the_recorded_leaves_can_be_recomputed() -> None:
    """Counts do not depend on the machine: the first problem of each tree family again."""
    from expectimax_course.rng import derive_seed

    for number, family in enumerate(FAMILIES):
        if family == "correlated_3_6_6":
            row = recorded("star_savings", "savings")[f"{family}-good-star2"]
            shares = []
            for index in range(row["n"]):
                problem = FAMILIES[family][1](derive_seed(savings.SEEDS["problems"] + number, index))
                found = star(problem.game, 0, probing=1, bounds=problem.bounds, order=problem.good_order)
                shares.append(found.leaves / 7776)
            assert sum(shares) / len(shares) == pytest.approx(row["leaves"], abs=1e-12)


def test_rivals_are_measured_against_exact_search_and_their_cuts_checked() -> None:
    data = rivals.pairs("correlated_3_6_6", seed=4)
    assert len(data) == 6
    fit = list(rivals.fit_depths([(s, d) for s, d in data], 2)[1:])
    rows = rivals.compare("correlated_3_6_6", fit, seed=5)
    assert rows["star2"][2] < 1e-9 > rows["pvs"][2]
    assert rows["star2"][0] < rows["star1"][0] < rows["plain"][0]
    assert all(row[3] >= -1e-9 for row in rows.values())
    for name in ("chanceprobcut_10", "chanceprobcut_100"):
        cuts, wrong = rows[name][4:]
        assert 0 <= wrong <= cuts


def test_the_recorded_rivals_have_the_expected_shape() -> None:
    rows = recorded("search_rivals", "rivals")
    for family in ("correlated_3_6_6", "dice_6", "einstein_5"):
        for name in ("plain", "star1", "star2", "star2_table", "pvs", "pvs_table"):
            assert rows[f"{family}-{name}"]["error"] < 1e-9
            assert rows[f"{family}-{name}"]["regret"] < 1e-9
        errors = [rows[f"{family}-mcms_{samples}"]["error"] for samples in rivals.SAMPLES]
        assert errors[0] > errors[-1] > 0


def test_null_windows_are_measured_on_the_same_tree_as_star2() -> None:
    without, with_table = rivals.null_windows("MmC", seed=3)
    assert len(without) == len(with_table) == 4
    assert min(without + with_table) > 0
    rows = recorded("search_rivals", "null_windows")
    assert set(rows) == {f"{pattern}{end}" for pattern in rivals.PATTERNS for end in ("", "-table")}
    for pattern in rivals.PATTERNS:
        assert rows[f"{pattern}-table"]["leaves"] < rows[pattern]["leaves"] + 1e-9
    assert rows["MmMmMmC-table"]["leaves_high"] < 1.02


def test_star2_as_published_searches_its_probes_again_and_ours_does_not() -> None:
    rows = recorded("star_savings", "savings")
    assert rows["pig_30-good-star2_again"]["leaves"] > 2
    for family in FAMILIES:
        for order in ("game", "good"):
            assert rows[f"{family}-{order}-star2"]["leaves"] <= rows[f"{family}-{order}-star2_again"]["leaves"] + 1e-9
            assert rows[f"{family}-{order}-star2"]["leaves"] <= 1
            table = rows[f"{family}-{order}-star2-table"]["leaves"]
            assert table <= rows[f"{family}-{order}-plain-table"]["leaves"]


def test_sampling_overestimates_and_its_policy_loses_until_all_faces_are_seen() -> None:
    estimate, policy = bias.solve_sampled(10, False, seed=1)
    assert estimate == pytest.approx(policy, abs=1e-12)
    rows = recorded("sampling_bias", "bias")
    truth = load("sampling_bias")["results"]["exact"]["value"]
    for samples in (1, 2, 4):
        for name in ("with", "without"):
            row = rows[f"{name}-{samples}"]
            assert row["policy_high"] < truth < row["estimate_low"]


def test_a_decision_against_the_clock_reports_its_time_and_depth() -> None:
    answers = deadlines.decide("cpu", 5, 3, seed=1)
    assert len(answers) == 3
    assert all(depth >= 1 and milliseconds > 0 for milliseconds, depth in answers)


def test_ninety_nine_of_a_hundred_recorded_moves_are_in_time() -> None:
    results = load("deadline_moves")["results"]
    for clock in ("cpu", "wall"):
        assert results[f"{clock}_20_in_time"]["n"] == 1000
        assert results[f"{clock}_20_in_time"]["mean"] >= 0.99


def test_every_search_has_a_speed() -> None:
    rounds = speed.time_round(4, 2, seed=1)
    assert set(rounds) == set(speed.searches(4, 2, 1))
    assert all(nodes > 0 and seconds > 0 for nodes, seconds in rounds.values())
    rows = recorded("search_speed", "speed")
    assert set(rows) == set(rounds)
    assert rows["star2_ordered"]["cpu"] < 1


@pytest.mark.referee
def test_a_node_of_openspiel_is_a_call_of_its_recursion(monkeypatch: pytest.MonkeyPatch) -> None:
    minimax = pytest.importorskip("open_spiel.python.algorithms.minimax")
    whole, calls = minimax.expectiminimax, []

    def counted(*how: Any) -> Any:
        calls.append(how)
        return whole(*how)

    monkeypatch.setattr(minimax, "expectiminimax", counted)
    assert bench.expectiminimax_contest().other() == len(calls) > 50_000


@pytest.mark.referee
def test_a_contest_reports_a_ratio_with_its_range() -> None:
    result = bench.run_contest("star2", rounds=2)
    low, middle, high = result["ratio"]
    assert low <= middle <= high
    assert middle > 1
    assert result["unit"] == "decisions/s"


def test_an_unknown_contest_is_refused() -> None:
    with pytest.raises(bench.UnknownBenchError, match=r"expected one of .*expectiminimax.*, got 'chess'"):
        bench.run_contest("chess")


def test_a_contest_whose_rival_is_missing_is_named_and_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "CONTESTS", {"ghost": "no_such_package_here:contest"})
    with pytest.raises(bench.UnknownBenchError, match="expected no_such_package_here to be installed"):
        bench.run_contest("ghost")
    with pytest.raises(bench.UnknownBenchError, match="expected at least one of ghost"):
        bench.run_contests([])


def command(*arguments: str) -> str:
    line = [sys.executable, "-m", "expectimax_course", "bench", *arguments]
    return subprocess.run(line, capture_output=True, text=True, check=True).stdout


def test_the_command_prints_json() -> None:
    (result,) = json.loads(command("star2", "--json"))
    assert set(result) == {"name", "ours", "other", "ratio", "unit"}
    assert result["name"] == "star2"
    assert len(result["ratio"]) == 3


def test_the_help_names_every_contest() -> None:
    text = " ".join(command("--help").split())
    assert f"Contests: {', '.join(sorted(bench.CONTESTS))}." in text
