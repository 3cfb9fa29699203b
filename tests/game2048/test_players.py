"""Players by name, the article's games, and the commands."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from expectimax_course.experiments.strength_2048 import article_game
from expectimax_course.game2048 import players
from expectimax_course.game2048.players import PLAYERS, play


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "expectimax_course", *arguments], capture_output=True, text=True, check=False
    )


def test_the_ten_games_of_the_article_are_reproduced() -> None:
    """The article: five reached 2048, four 1024, one 512, with Python's generator seeded 0 … 9."""
    tiles = [article_game(seed) for seed in range(10)]
    assert sorted(tiles) == [512] + 4 * [1024] + 5 * [2048]


@pytest.mark.parametrize("player", ["greedy", "expectimax", "published", "article", "ntuple-small"])
def test_without_numba_a_player_plays_the_same_game(player: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fast = play(player, seed=2, depth=1)
    monkeypatch.setattr(players, "HAVE_NUMBA", False)
    slow = play(player, seed=2, depth=1)
    assert fast[:4] == slow[:4]


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


def test_play_2048_reports_every_game() -> None:
    done = run("play", "2048", "--player", "article", "--depth", "1", "--games", "3", "--seed", "5", "--json")
    result = json.loads(done.stdout)
    assert result["n_games"] == len(result["games"]) == 3
    assert set(result["games"][0]) == {"seed", "score", "max_tile", "moves"}
    assert result["mean_score"] == pytest.approx(sum(game["score"] for game in result["games"]) / 3)
    assert result["standard_error"] > 0
    assert play("article", seed=result["games"][1]["seed"], depth=1).score == result["games"][1]["score"]


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
        (["advise", "2048", "2 4 / 4 2"], "expected 4 rows of 4 cells"),
        (["advise", "2048", "2 3 0 0/0 0 0 0/0 0 0 0/0 0 0 0"], "powers of two from 2 on, or 0, got 3"),
        (["advise", "2048", "1212212112122121"], "got one with no move left"),
        (["advise", "2048", "1212", "--depth", "2"], "at least two cells"),
        (["advise", "2048", "1100000000000000", "--depth", "2", "--ms", "5"], "expected --depth or --ms, got both"),
        (["advise", "2048", "1100000000000000", "--depth", "0"], "expected a depth between 1 and 30"),
        (["play", "2048", "--player", "wizard"], "got 'wizard'"),
        (["solve", "2048", "--rows", "4", "--cols", "4"], "expected at most 6 cells"),
    ],
)
def test_bad_input_is_one_clear_line(arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert re.search(re.escape(message), done.stderr)
