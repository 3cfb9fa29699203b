from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from backgammon_positions import played, scattered, side

from expectimax_course.backgammon import referee as referee_module
from expectimax_course.backgammon.match import (
    BEST_NET,
    PLAYERS,
    PlayerError,
    movers,
    net_mover,
    play_game,
    play_match,
    random_mover,
)
from expectimax_course.backgammon.net import load_net
from expectimax_course.backgammon.referee import Referee, RefereeError
from expectimax_course.backgammon.rules import Backgammon, plays, sides
from expectimax_course.backgammon.search import Engine, rank_plays
from expectimax_course.game import GameError, Player
from expectimax_course.play import play_game as play_readable_game
from expectimax_course.rng import Rng

START = Backgammon().initial_state().max_side


def test_seats_are_swapped_on_the_same_dice() -> None:
    result = play_match(random_mover, random_mover, games=8, seed=5)
    assert [game.first_starts for game in result.games] == [True, False] * 4
    assert all(a.seed == b.seed for a, b in zip(result.games[::2], result.games[1::2], strict=True))
    assert result.points_per_game.n == 4
    assert result.wins == sum(game.points > 0 for game in result.games)
    assert {abs(game.points) for game in result.games} <= {1, 2, 3}


def test_a_judge_takes_off_luck_and_nothing_else() -> None:
    strong = load_net("strong")
    players, judge = (net_mover(load_net("small")), net_mover(strong)), Engine(strong)
    plain = play_match(*players, games=60, seed=7)
    fair = play_match(*players, games=60, seed=7, judge=judge)
    assert [game.points for game in fair.games] == [game.points for game in plain.games]
    assert fair.points_per_game.standard_error < 0.7 * plain.points_per_game.standard_error


def test_equal_players_win_nothing_from_each_other_on_swapped_seats() -> None:
    """A deterministic player against itself: the second game of a pair is the first with the names swapped."""
    with movers("net", "net") as (first, second):
        result = play_match(first, second, games=8, seed=6)
    assert result.points_per_game.mean == 0
    assert result.points_per_game.standard_error == 0


def test_compiled_games_are_the_readable_ones() -> None:
    net, game = load_net("strong"), Backgammon()

    def agent(state: Any, rng: Any) -> Any:
        return rank_plays(net, *sides(state), state.dice)[0].play

    with movers("net") as (mover,):
        for seed in range(3):
            compiled = play_game(mover, mover, seed=seed, first_starts=True)
            readable = play_readable_game(game, agent, seed=seed)
            assert (compiled.points, compiled.plies) == (readable.score, readable.decisions)


def test_two_ply_plays_what_depth_two_finds_best() -> None:
    engine = Engine(load_net(BEST_NET))
    differ = 0
    with movers("net-2ply", "net", "random") as (deep, shallow, weak):
        for own, other, roll in played(73, 40):
            board = np.array((own, other), np.int8)
            chosen, plain = (mover(board, roll, Rng(1)).tolist() for mover in (deep, shallow))
            assert chosen == engine.choose(board, roll, 2, None).tolist()
            differ += chosen != plain
        assert play_match(deep, weak, games=4, seed=1).points_per_game.mean > 0
    assert differ > 0


def test_unknown_players_and_odd_matches_are_refused() -> None:
    with pytest.raises(PlayerError, match=r"expected a player among random, net.*got 'gnubg'"), movers("gnubg"):
        pass
    for games in (0, 2, 5):
        with pytest.raises(GameError, match="even number of 4 or more"):
            play_match(random_mover, random_mover, games=games, seed=1)


def test_a_game_without_end_is_given_up() -> None:

    def stay(board: Any, roll: Any, rng: Any) -> Any:
        return board

    with pytest.raises(GameError, match="end within"):
        play_game(stay, stay, seed=1, first_starts=True)


def test_without_the_extra_the_referee_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee_module.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(RefereeError, match="extra 'referee'"):
        Referee()


def test_a_referee_that_dies_while_it_writes_is_an_error_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee_module.importlib.util, "find_spec", lambda name: True)
    dying = [sys.executable, "-c", "import os; input(); os.write(1, b'[[0, 1'); os._exit(3)"]
    popen = subprocess.Popen
    monkeypatch.setattr(referee_module.subprocess, "Popen", lambda command, **pipes: popen(dying, **pipes))
    with Referee() as referee, pytest.raises(RefereeError, match="got its end with status 3"):
        referee.play("pubeval", START, START, (3, 1))


@pytest.mark.referee
class TestReferee:
    def test_players_make_legal_plays_everywhere(self) -> None:
        pytest.importorskip("gnubg_nn")
        with Referee() as referee:
            for own, other, roll in [*played(71, 150), *scattered(72, 150)]:
                for player in ("pubeval", "gnubg-0ply"):
                    assert referee.play(player, own, other, roll) in plays(own, other, roll).values()

    def test_gnu_backgammon_plays_what_it_values_most(self) -> None:
        pytest.importorskip("gnubg_nn")
        with Referee() as referee:
            for own, other, roll in played(73, 60):
                equities = referee.equities(own, other, roll)
                if () in plays(own, other, roll):
                    assert equities == {}
                    continue
                assert set(equities) == set(plays(own, other, roll).values())
                choice = referee.play("gnubg-0ply", own, other, roll)
                assert equities[choice] == pytest.approx(max(equities.values()), abs=1e-5)

    def test_strong_programs_agree_on_31(self) -> None:
        pytest.importorskip("gnubg_nn")
        with Referee() as referee:
            for player in ("pubeval", "gnubg-0ply"):
                mine, _ = referee.play(player, START, START, (3, 1))
                assert (mine[5], mine[8], mine[6]) == (2, 2, 4)

    def test_a_crash_is_an_error_message_and_the_next_referee_lives(self) -> None:
        pytest.importorskip("gnubg_nn")
        with Referee() as referee:
            os.kill(referee._child.pid, signal.SIGSEGV)
            with pytest.raises(RefereeError, match="expected an answer from the referee, got its end with status -11"):
                referee.play("pubeval", START, START, (3, 1))
            with pytest.raises(RefereeError):
                referee.play("pubeval", START, START, (3, 1))
        with Referee() as referee:
            assert referee.play("pubeval", START, START, (3, 1))

    def test_an_illegal_answer_is_an_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        pytest.importorskip("gnubg_nn")
        with Referee() as referee:
            monkeypatch.setattr(referee, "_ask", lambda *question: [list(START), list(START)])
            with pytest.raises(RefereeError, match="expected a legal play"):
                referee.play("pubeval", START, START, (3, 1))

    def test_our_net_beats_pubeval(self) -> None:
        pytest.importorskip("gnubg_nn")
        with movers("net", "pubeval") as (net, pubeval):
            assert play_match(net, pubeval, games=300, seed=3).points_per_game.low > 0

    def test_the_hard_case_has_one_play_for_everyone(self) -> None:
        pytest.importorskip("gnubg_nn")
        own, other = side({6: 13, 8: 1, 24: 1}), side({21: 2, 9: 2, 7: 3, 6: 4, 5: 4})
        only = Backgammon().result(Backgammon().position(own, other, Player.MAX, (6, 2)), ((24, 22), (8, 2)))
        with Referee() as referee:
            assert referee.play("gnubg-0ply", own, other, (6, 2)) == (only.max_side, only.min_side)


def test_the_list_of_players_is_what_the_course_says() -> None:
    assert PLAYERS == ("random", "net", "net-2ply", "pubeval", "gnubg-0ply")
