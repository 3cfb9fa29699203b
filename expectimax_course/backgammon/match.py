"""Matches between players of backgammon, on compiled boards.

A *mover* is a function ``mover(board, roll, rng) -> board``: int8 arrays of shape (2, 26), the mover in row 0 before
and after. Every dice stream is played twice with the seats swapped, so each side starts once with the same luck, and
the standard error is that of the pairs. For that the sides start in turn and the first roll may be a double: the rule
by which people settle who starts (`rules.opening_rolls`) is not played.

A *judge*, any engine, can take off each result the luck of the dice as it sees it: that leaves the mean and shrinks the
error, the more the better it judges (a control variate).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

import numpy as np

from expectimax_course.backgammon import kernels
from expectimax_course.backgammon.net import Net, load_net
from expectimax_course.backgammon.referee import Referee
from expectimax_course.backgammon.rules import OFF, Backgammon, Roll, rolls, stake
from expectimax_course.backgammon.search import Engine
from expectimax_course.game import GameError
from expectimax_course.rng import Rng, derive_seed
from expectimax_course.stats import Estimate, mean_interval

Mover = Callable[[Any, Roll, Rng], Any]

PLAYERS = ("random", "net", "net-2ply", "pubeval", "gnubg-0ply")
BEST_NET = "strong"
MAX_PLIES = 10_000


class PlayerError(GameError):
    """There is no player of that name."""


class GameResult(NamedTuple):
    """One game: its seed, whether the first player started, the points it won (negative: lost), and the plies.

    ``luck`` is what of these points a judge puts down to the dice; 0 without one.
    """

    seed: int
    first_starts: bool
    points: int
    plies: int
    luck: float = 0.0


class MatchResult(NamedTuple):
    """All games of a match, and the first player's points per game, less luck, with the interval over pairs."""

    games: list[GameResult]
    points_per_game: Estimate

    @property
    def wins(self) -> int:
        """Games that the first player won."""
        return sum(game.points > 0 for game in self.games)


def random_mover(board: Any, roll: Roll, rng: Rng) -> Any:
    """Play each distinct legal play equally often."""
    scratch = kernels.new_scratch(1)
    count = kernels.generate(board, roll[0], roll[1], kernels.KEYS, scratch)
    return scratch.plays[rng.below(count)].copy()


def net_mover(net: Net, depth: int = 1, width: int | None = None) -> Mover:
    """Return the mover that plays a network's best choice at a depth."""
    engine = Engine(net)
    return lambda board, roll, rng: engine.choose(board, roll, depth, width)


def referee_mover(referee: Referee, player: Any) -> Mover:
    """Return the mover that asks the referee for pubeval's or GNU Backgammon's choice."""

    def move(board: Any, roll: Roll, rng: Rng) -> Any:
        own, other = (tuple(int(n) for n in side) for side in board)
        return np.array(referee.play(player, own, other, roll), np.int8)

    return move


@contextmanager
def movers(*names: str) -> Iterator[list[Mover]]:
    """Give the movers of some players, and end their child processes afterwards.

    Raises
    ------
    PlayerError
        If a name is not in `PLAYERS`.
    RefereeError
        If a player needs the extra ``referee``.
    """
    with ExitStack() as stack:
        found: list[Mover] = []
        for name in names:
            if name == "random":
                found.append(random_mover)
            elif name in ("net", "net-2ply"):
                found.append(net_mover(load_net(BEST_NET), 2 if name == "net-2ply" else 1))
            elif name in PLAYERS:
                found.append(referee_mover(stack.enter_context(Referee()), name))
            else:
                raise PlayerError(f"expected a player among {', '.join(PLAYERS)}, got {name!r}")
        yield found


def play_game(first: Mover, second: Mover, *, seed: int, first_starts: bool, judge: Engine | None = None) -> GameResult:
    """Play one game; nature draws from ``derive_seed(seed, 0)``, the players from 1 and 2, as in `play.play_game`.

    Raises
    ------
    GameError
        If the game does not end within `MAX_PLIES` plies.
    """
    nature, *own = (Rng(derive_seed(seed, index)) for index in range(3))
    side = Backgammon().initial_state().max_side
    board, outcomes, players = np.array((side, side), np.int8), rolls(), (first, second)
    turn = 0 if first_starts else 1
    luck = 0.0
    for ply in range(1, MAX_PLIES + 1):
        roll = nature.outcome(outcomes)
        if judge is not None:
            luck += judge.luck(board, roll) * (1 if turn == 0 else -1)
        board = players[turn](board, roll, own[turn])
        if board[0, OFF] == board[0].sum():
            points = stake(tuple(int(n) for n in board[1]))
            return GameResult(seed, first_starts, points if turn == 0 else -points, ply, luck)
        board = np.ascontiguousarray(board[::-1])
        turn = 1 - turn
    raise GameError(f"expected an end within {MAX_PLIES} plies, got none on seed {seed}")


def play_match(first: Mover, second: Mover, *, games: int, seed: int, judge: Engine | None = None) -> MatchResult:
    """Play pairs of games, seats swapped; pair i runs on ``derive_seed(seed, i)``.

    Parameters
    ----------
    games : int
        An even number of 4 or more.
    judge : Engine, optional
        Takes the luck of the dice off the points per game.

    Raises
    ------
    GameError
        If the number of games is odd or less than 4.
    """
    check_games(games)
    return match_result(
        [game for pair in range(games // 2) for game in play_pair(first, second, pair=pair, seed=seed, judge=judge)]
    )


def play_pair(
    first: Mover, second: Mover, *, pair: int, seed: int, judge: Engine | None = None
) -> tuple[GameResult, GameResult]:
    """Play one pair of a match: both games on ``derive_seed(seed, pair)``, first the one that ``first`` starts."""
    own = derive_seed(seed, pair)
    one, two = (play_game(first, second, seed=own, first_starts=starts, judge=judge) for starts in (True, False))
    return one, two


def match_result(played: list[GameResult]) -> MatchResult:
    """Return the result of two pairs or more, their games in the order of play."""
    means = [(a.points - a.luck + b.points - b.luck) / 2 for a, b in zip(played[::2], played[1::2], strict=True)]
    return MatchResult(played, mean_interval(means))


def check_games(games: int) -> None:
    """Check the number of games of a match.

    Raises
    ------
    GameError
        If it is odd or less than 4.
    """
    if games < 4 or games % 2:
        raise GameError(f"expected an even number of 4 or more games, got {games!r}")
