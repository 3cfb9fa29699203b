"""``play backgammon``, ``train backgammon`` and ``advise backgammon``, as a user calls them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from backgammon_positions import side

from expectimax_course.backgammon.net import read_net
from expectimax_course.backgammon.notation import position_id

START = "4HPwATDgc/ABMA"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "expectimax_course", *arguments], capture_output=True, text=True, check=False
    )


def test_play_prints_points_per_game_over_pairs() -> None:
    done = run("play", "backgammon", "--first", "net", "--second", "random", "--games", "10", "--seed", "4", "--json")
    result = json.loads(done.stdout)
    assert result["n_games"] == len(result["games"]) == 10
    points = [game["points"] for game in result["games"]]
    assert result["points_per_game"] == pytest.approx(sum(points) / 10)
    assert result["wins"] == sum(point > 0 for point in points)
    assert result["points_per_game"] > 0 < result["standard_error"]


def test_advice_names_the_best_play_with_its_value() -> None:
    result = json.loads(run("advise", "backgammon", START, "31", "--json").stdout)
    assert result["action"] == "8/5 6/5"
    assert len(result["action_values"]) == 16
    assert max(result["action_values"].values()) == result["action_values"]["8/5 6/5"]
    assert result["depth"] == 2
    assert result["evaluations"] > 400
    assert result["seconds"] < 5


def test_advice_values_every_play_at_depth_two_and_proves_bounds_at_depth_three() -> None:
    assert "≤" not in run("advise", "backgammon", START, "31").stdout
    best, *others = run("advise", "backgammon", START, "61", "--depth", "3").stdout.splitlines()[2:]
    assert best.startswith(" ")
    assert any(line.startswith("≤") for line in others[:-1])
    assert "≤ marks an upper bound" in others[-1]


def test_advice_says_what_kind_each_value_is() -> None:
    position = position_id(side({6: 1, 3: 1, 2: 1}), side({1: 3}))
    result = json.loads(run("advise", "backgammon", position, "21", "--depth", "3", "--json").stdout)
    assert result["kinds"].keys() == result["action_values"].keys()
    assert result["kinds"][result["action"]] == "exact"
    assert "upper" in result["kinds"].values()


def test_training_writes_a_network_and_can_be_resumed(tmp_path: Path) -> None:
    out = tmp_path / "net.bin"
    arguments = ("train", "backgammon", "--games", "50", "--seed", "1", "--hidden", "3", "--out", str(out))
    first = json.loads(run(*arguments, "--json").stdout)
    assert first["bytes"] == out.stat().st_size
    assert read_net(out.read_bytes()).hidden == 3
    again = run(*arguments)
    assert again.returncode == 2
    assert "expected resume or another file" in again.stderr
    assert run(*arguments, "--resume").returncode == 0
    assert run("advise", "backgammon", START, "64", "--net", str(out), "--depth", "1").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["advise", "backgammon", "nonsense", "31"], "expected a position ID"),
        (["advise", "backgammon", "4HPwATDgc/ABMA", "70"], "expected a roll"),
        (["advise", "backgammon", "AAAAAAAAAAAAAA", "31"], "got both"),
        (["advise", "backgammon", "/38AAAAAAAAAAA", "31"], "expected a game that is not over"),
        (["advise", "backgammon", "4HPwATDgc/ABMA", "31", "--depth", "7"], "expected a depth of 1, 2 or 3"),
        (["advise", "backgammon", "4HPwATDgc/ABMA", "31", "--net", "nobody"], "expected a network file"),
        (["play", "backgammon", "--first", "nobody"], "expected a player among"),
        (["play", "backgammon", "--games", "7"], "expected an even number"),
        (["train", "backgammon", "--games", "5", "--seed", "1", "--out", "x.bin", "--hidden", "0"], "hidden units"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert message in done.stderr
