"""Players by name, the article's games, and the commands."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

import pytest

from expectimax_course.experiments.strength_2048 import article_game
from expectimax_course.game import DepthError
from expectimax_course.game2048 import players
from expectimax_course.game2048.bitboard import GameRecord
from expectimax_course.game2048.players import PLAYERS, play
from expectimax_course.game2048.published import CUTOFF
from expectimax_course.game2048.search import Searcher
from expectimax_course.rng import derive_seed


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "expectimax_course", *arguments], capture_output=True, text=True, check=False
    )


def test_the_ten_games_of_the_article_are_reproduced() -> None:
    """The article: five reached 2048, four 1024, one 512, with Python's generator seeded 0 … 9."""
    tiles = [article_game(seed) for seed in range(10)]
    assert sorted(tiles) == [512] + 4 * [1024] + 5 * [2048]


WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None
from expectimax_course.game2048.players import play
for settings in {settings}:
    print([*play(**settings)[:5]])
"""


def test_without_numba_a_player_plays_the_same_game() -> None:
    """At a depth, with a cutoff, and by the depth rule, which would last for hours with a cutoff of its own."""
    settings: list[dict[str, Any]] = [{"player": name, "seed": 2} for name in ("random", "greedy")]
    settings += [{"player": name, "seed": 2, "depth": 1} for name in ("expectimax", "published", "article")]
    settings += [{"player": "article", "seed": 4, "depth": 2, "cutoff": 0.2}]
    settings += [{"player": "article", "seed": 4, "cutoff": 0.2}]
    code = WITHOUT_NUMBA.format(settings=settings)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [str([*play(**one)[:5]]) for one in settings]
    assert done.stderr == "", "NumPy warns of numbers that wrap on purpose unless it is told"


def test_without_a_depth_the_published_rule_comes_with_its_cutoff(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def note(engine: Searcher, seed: int, depth: int | None, cutoff: float) -> GameRecord:
        asked.append((depth, cutoff))
        return GameRecord(0, 0, 0)

    monkeypatch.setattr(players, "_warm", lambda player, by_move: None)
    monkeypatch.setattr(Searcher, "play", note)
    for settings in ({}, {"cutoff": 0.5}, {"depth": 4}, {"depth": 4, "cutoff": 0.5}):
        play("published", seed=1, **settings)
    play("greedy", seed=1)
    assert asked == [(None, CUTOFF), (None, 0.5), (4, 0.0), (4, 0.5), (1, 0.0)]


def test_loading_is_no_part_of_the_cost_of_a_game() -> None:
    """The first game of a process costs what the second does, not the hundred times more that compiled code costs."""
    code = "from expectimax_course.game2048.players import play\n"
    code += "for _ in 'ab': print(*[play(p, seed=1, depth=d).seconds for p, d in (('random', None), ('article', 2))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    first, second = ([float(seconds) for seconds in line.split()] for line in done.stdout.splitlines())
    assert all(one < 20 * two + 0.01 for one, two in zip(first, second, strict=True))


def test_more_look_ahead_and_better_eyes_win() -> None:
    means = {
        (player, depth): sum(play(player, seed=seed, depth=depth).score for seed in range(60))
        for player, depth in (("random", 1), ("greedy", 1), ("expectimax", 1), ("expectimax", 2))
    }
    assert means["random", 1] < means["greedy", 1] < means["expectimax", 1] < means["expectimax", 2]


def test_a_game_by_the_clock_is_finished() -> None:
    game = play("expectimax", seed=1, milliseconds=0.01)
    assert game.max_tile >= 256
    assert game.evaluations > game.moves


def test_unknown_players_and_two_budgets_are_refused() -> None:
    with pytest.raises(ValueError, match=f"expected one of {', '.join(PLAYERS)}, got 'wizard'"):
        play("wizard", seed=1)
    with pytest.raises(ValueError, match="expected a depth or a time, got depth 2 and 5 ms"):
        play("article", seed=1, depth=2, milliseconds=5)


@pytest.mark.parametrize(
    ("player", "settings", "error", "message"),
    [
        ("article", {"depth": 0}, DepthError, "expected a depth between 1 and 30 decisions, got 0"),
        ("article", {"depth": 2, "cutoff": 2}, ValueError, "expected a cutoff between 0 and 1, got 2"),
        ("article", {"cutoff": float("nan")}, ValueError, "expected a cutoff between 0 and 1, got nan"),
        ("article", {"milliseconds": 5, "cutoff": 0.5}, ValueError, "a cutoff or a time, got cutoff 0.5 and 5 ms"),
        ("article", {"milliseconds": -5}, ValueError, "expected a time of 0 ms or more, got -5"),
        ("article", {"milliseconds": float("nan")}, ValueError, "expected a time of 0 ms or more, got nan"),
        ("random", {"milliseconds": 5}, ValueError, "nothing but depth 1 for the player 'random', got 5 ms"),
        ("greedy", {"depth": 40}, ValueError, "nothing but depth 1 for the player 'greedy', got depth 40"),
        ("greedy", {"cutoff": 0.5}, ValueError, "nothing but depth 1 for the player 'greedy', got cutoff 0.5"),
    ],
)
def test_settings_out_of_range_or_without_use_are_refused(
    player: str, settings: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=re.escape(message)):
        play(player, seed=1, **settings)


def test_play_2048_reports_every_game_and_replays_one() -> None:
    arguments = ("play", "2048", "--player", "article", "--depth", "1", "--seed", "5", "--json")
    result = json.loads(run(*arguments, "--games", "3").stdout)
    assert result["seed"] == 5
    assert result["n_games"] == len(result["games"]) == 3
    assert set(result["games"][0]) == {"game", "seed", "score", "max_tile", "moves"}
    assert result["mean_score"] == pytest.approx(sum(game["score"] for game in result["games"]) / 3)
    assert result["standard_error"] > 0
    assert [game["game"] for game in result["games"]] == [0, 1, 2]
    assert [game["seed"] for game in result["games"]] == [derive_seed(5, i) for i in range(3)]
    assert play("article", seed=result["games"][1]["seed"], depth=1).score == result["games"][1]["score"]
    assert json.loads(run(*arguments, "--first", "2").stdout)["games"] == result["games"][2:]


def test_the_help_names_the_players_that_there_are() -> None:
    helps = {command: run(command, "2048", "--help").stdout for command in ("play", "advise")}
    shown = {command: re.sub(r"-\s+", "-", " ".join(text.split())) for command, text in helps.items()}
    assert ", ".join(PLAYERS) + "." in shown["play"]
    assert ", ".join(PLAYERS[1:]) + "." in shown["advise"]
    assert "random" not in shown["advise"]


@pytest.mark.parametrize("board", ["- 2 4 8 / {}", "-,2,4,8/{}", "-\t2 4 8\n{}"])
def test_a_board_may_begin_with_an_empty_cell(board: str) -> None:
    text = board.format("0 0 2 4 / 0 0 0 2 / 0 0 0 0")
    for arguments in ([text, "--depth", "1", "--json"], ["--depth", "1", "--json", "--", text]):
        found = json.loads(run("advise", "2048", *arguments).stdout)
        assert found["seen_as"] == [[0, 2, 4, 8], [0, 0, 2, 4], [0, 0, 0, 2], [0, 0, 0, 0]]


def test_advice_between_equals_says_that_the_first_was_taken() -> None:
    shown = run("advise", "2048", "0 0 0 0 / 0 2 2 0 / 0 2 2 0 / 0 0 0 0", "--depth", "1", "--player", "greedy").stdout
    assert "best: left (the first of 4 of equal value)\n" in shown
    assert "depth 1," in shown
    alone = run("advise", "2048", "0 0 0 0 / 0 2 2 0 / 0 4 8 0 / 0 0 0 0", "--depth", "1", "--player", "greedy").stdout
    assert "best: left (the first of 2 of equal value)\n" in alone
    assert (
        "of equal value" not in run("advise", "2048", "2 4 8 16 / 0 0 2 4 / 0 0 0 2 / 0 0 0 0", "--depth", "2").stdout
    )


def test_advise_2048_values_every_legal_slide() -> None:
    done = run("advise", "2048", "2 4 8 16 / 0 0 2 4 / 0 0 0 2 / 0 0 0 0", "--depth", "3", "--json")
    result = json.loads(done.stdout)
    assert set(result) == {"action", "action_values", "depth", "evaluations", "seconds", "seen_as"}
    assert result["seen_as"] == [[2, 4, 8, 16], [0, 0, 2, 4], [0, 0, 0, 2], [0, 0, 0, 0]]
    assert set(result["action_values"]) == {"left", "down"}
    assert result["action_values"][result["action"]] == max(result["action_values"].values())
    assert result["depth"] == 3


def test_the_large_network_advises_on_a_board_that_it_knows() -> None:
    board = "16384 8192 2 0 / 1024 64 0 0 / 16 0 0 0 / 2 0 0 0"
    done = run("advise", "2048", board, "--player", "ntuple", "--depth", "1")
    assert "values of the board that the network knows better:" in done.stdout
    assert done.stdout.count("8192") == 2
    assert "16384" in done.stdout
    alike, other = (
        json.loads(run("advise", "2048", text, "--player", "ntuple", "--depth", "1", "--json").stdout)
        for text in (board, board.replace("8192", "4096").replace("16384", "8192"))
    )
    assert alike["action_values"] == other["action_values"]
    assert alike["seen_as"] == other["seen_as"]


def test_a_network_advises_when_asked() -> None:
    arguments = ["advise", "2048", "2 4 8 16 / 0 0 2 4 / 0 0 0 2 / 0 0 0 0", "--depth", "2", "--json"]
    by_hand, by_net = (json.loads(run(*arguments, "--player", who).stdout) for who in ("expectimax", "ntuple-small"))
    assert by_net["action_values"] != by_hand["action_values"]
    assert by_net["action_values"][by_net["action"]] == max(by_net["action_values"].values()) > 1000
    other = run(*arguments, "--player", "random")
    assert (other.returncode, other.stderr.count("expected one of greedy, expectimax")) == (2, 1)


def test_solve_2048_prints_the_figures() -> None:
    result = json.loads(run("solve", "2048", "--rows", "2", "--cols", "2", "--json").stdout)
    assert result["expected_score"] == pytest.approx(66.96415, abs=5e-6)
    assert result["states"] == 662
    assert result["tile_probabilities"]["32"] == pytest.approx(0.082887, abs=5e-7)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["advise", "2048", "2 4 / 4 2"], "expected 4 rows of 4 cells, got 2 × 2 cells"),
        (["advise", "2048", "2 3 0 0/0 0 0 0/0 0 0 0/0 0 0 0"], "powers of two from 2 on, or 0, got 3"),
        (["advise", "2048", "1212212112122121"], "got one with no move left"),
        (["advise", "2048", "1212", "--depth", "2"], "expected a code of 16 digits, or rows"),
        (
            ["advise", "2048", "1100000000000000", "--depth", "2", "--ms", "5"],
            "expected a depth or a time, got depth 2",
        ),
        (["advise", "2048", "1100000000000000", "--depth", "0"], "expected a depth between 1 and 30"),
        (["advise", "2048", "1100000000000000", "--ms", "-5"], "expected a time of 0 ms or more, got -5.0"),
        (["advise", "2048", "1100000000000000", "--player", "greedy", "--ms", "5"], "got 5.0 ms"),
        (["advise", "2048", "-x"], "No such option: -x"),
        (["play", "2048", "--player", "wizard"], "got 'wizard'"),
        (["play", "2048", "--depth", "0"], "expected a depth between 1 and 30"),
        (["play", "2048", "--player", "random", "--ms", "-5"], "expected nothing but depth 1 for the player 'random'"),
        (["play", "2048", "--player", "greedy", "--depth", "40"], "got depth 40"),
        (["play", "2048", "--ms", "nan"], "expected a time of 0 ms or more, got nan"),
        (["play", "2048", "--jobs", "0"], "expected 1 process or more, or -1 for one per core, got 0"),
        (["experiment", "run", "cost_2048", "--jobs", "-2"], "or -1 for one per core, got -2"),
        (["grade", "x.ipynb", "--out", "out", "--jobs", "0"], "expected 1 or more jobs, got 0"),
        (["solve", "2048", "--rows", "4", "--cols", "4"], "expected at most 9 cells"),
    ],
)
def test_bad_input_is_one_clear_line(arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert re.search(re.escape(message), done.stderr)
