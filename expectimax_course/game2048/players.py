"""Players of 2048 by name, and games that they play.

``random`` takes any legal slide, ``greedy`` the one that earns most at once, ``expectimax`` searches with the fitted
evaluation, ``published`` with that of another program, ``article`` is the source article's player, ``ntuple`` and
``ntuple-small`` search with the networks ``strong`` and ``small`` of `net`. Game i of a match runs on
``derive_seed(seed, i)``, whatever the player, so that matches of two players are pairs.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from expectimax_course._jit import HAVE_NUMBA
from expectimax_course.game import Player
from expectimax_course.game2048 import bitboard, kernels
from expectimax_course.game2048.evaluate import FITTED, LineWeights, RowEvaluation, article
from expectimax_course.game2048.net import TupleNet, downgrade, load_net
from expectimax_course.game2048.published import NNEONNEO
from expectimax_course.game2048.rules import ACTIONS, Game2048, Spawn, State
from expectimax_course.game2048.search import Searcher
from expectimax_course.rng import Rng, derive_seed
from expectimax_course.search.expectimax import expectimax
from expectimax_course.search.result import SearchResult

NOTHING = RowEvaluation(LineWeights(), LineWeights(), lost=0.0)
"""The evaluation that sees nothing; with the rewards on the way it makes the greedy player."""

EVALUATIONS: dict[str, RowEvaluation | Callable[[State], float]] = {
    "greedy": NOTHING,
    "expectimax": FITTED,
    "published": NNEONNEO,
    "article": article,
}
NETS = {"ntuple": "strong", "ntuple-small": "small"}
"""Players with a network, and its name."""
DOWNGRADE_ABOVE = {"ntuple": 8192}
"""Players that see boards with larger tiles as `net.downgrade` makes them."""

PLAYERS = ("random", *EVALUATIONS, *NETS)


class PlayedGame(NamedTuple):
    """One game: its seed, what it came to, and what it cost (evaluations; seconds of CPU time)."""

    seed: int
    score: int
    max_tile: int
    moves: int
    evaluations: int
    seconds: float


def play(
    player: str,
    *,
    seed: int,
    depth: int | None = None,
    milliseconds: float | None = None,
    cutoff: float = 0.0,
    clock: Callable[[], float] = time.perf_counter,
) -> PlayedGame:
    """Play one game on this very seed.

    Parameters
    ----------
    player : str
        One of `PLAYERS`.
    seed : int
    depth : int, optional
        Decisions to look ahead; without it and without a time, the depth rule of `published` with its cutoff.
    milliseconds : float, optional
        Time per move; such a game does not repeat.
    cutoff : float
        Reach below which an afterstate is evaluated.
    clock : callable
        Measures the time per move.

    Raises
    ------
    ValueError
        If the player does not exist, or both depth and time are given.

    Examples
    --------
    >>> play("random", seed=1).max_tile
    128
    """
    if player not in PLAYERS:
        raise ValueError(f"expected one of {', '.join(PLAYERS)}, got {player!r}")
    if depth is not None and milliseconds is not None:
        raise ValueError(f"expected a depth or a time, got depth {depth!r} and {milliseconds!r} ms")
    start = time.process_time()
    evaluations = 0
    if player == "random":
        (record,) = bitboard.play_random([seed])
    elif milliseconds is not None:
        with np.errstate(over="ignore"):
            record, evaluations = _play_for(searcher(player, 20), seed, milliseconds / 1000, clock)
    elif HAVE_NUMBA:
        engine = searcher(player, 16)
        record = engine.play(seed, 1 if player == "greedy" else depth, cutoff)
        evaluations = engine.evaluations
    else:
        record = _play_readable(player, seed, depth or 1)
    return PlayedGame(seed, record.score, record.max_tile, record.moves, evaluations, time.process_time() - start)


@lru_cache(maxsize=4)
def searcher(player: str, table_bits: int = 16) -> Searcher:
    """Return the engine of a player that searches."""
    return Searcher(
        evaluation(player),
        use_rewards=uses_rewards(player),
        table_bits=table_bits,
        downgrade_above=DOWNGRADE_ABOVE.get(player, 1 << 15),
    )


def evaluation(player: str) -> RowEvaluation | TupleNet | Callable[[State], float]:
    """Return what a player that searches thinks of an afterstate.

    Raises
    ------
    TupleNetError
        If its network is not there: the browser has the small one alone.
    """
    return load_net(NETS[player]) if player in NETS else EVALUATIONS[player]


def uses_rewards(player: str) -> bool:
    """Say whether a player adds the rewards on the way to its evaluation."""
    return player == "greedy" or player in NETS


def _play_for(
    engine: Searcher, seed: int, seconds: float, clock: Callable[[], float]
) -> tuple[bitboard.GameRecord, int]:
    rng = Rng(derive_seed(seed, 0))
    slides, rewards, _, _ = bitboard.tables()
    spawns = bitboard.cumulative(engine.spawn_four), bitboard.four_from(engine.spawn_four)
    board = np.uint64(kernels.first_board(np.uint64(rng.state), *spawns))
    engine.search(int(board), 1)  # compile first: that is not part of the time for the move
    rng.next64(), rng.next64()
    score = moves = evaluations = 0
    while legal := int(kernels.legal_slides(board)):
        if legal & (legal - 1):
            answer = engine.search_for(int(board), seconds, clock=clock)
            evaluations += answer.evaluations
            action = np.uint64(ACTIONS.index(answer.action or ""))
        else:
            action = np.uint64(legal.bit_length() - 1)
        score += int(kernels.reward_of(board, action, rewards))
        after = np.uint64(kernels.slide(board, action, slides))
        board = np.uint64(kernels.spawn(after, np.uint64(rng.next64()), *spawns))
        moves += 1
    return bitboard.GameRecord(score, moves, int(board)), evaluations


def _play_readable(player: str, seed: int, depth: int) -> bitboard.GameRecord:
    """Play the same game without compiled code."""
    evaluate, use_rewards = evaluation(player), uses_rewards(player)
    game = Game2048(terminal_utility=searcher(player, 0).lost)
    rng, state, score, moves = Rng(derive_seed(seed, 0)), game.initial_state(), 0, 0
    while not game.is_terminal(state):
        if game.current_player(state) is Player.CHANCE:
            state = game.result(state, rng.outcome(game.chance_outcomes(state)))
            continue
        seen = state._replace(board=downgrade(state.board, DOWNGRADE_ABOVE.get(player, 1 << 15)))
        answer: SearchResult[str | Spawn] = expectimax(
            game, seen, 1 if player == "greedy" else depth, evaluate, use_rewards=use_rewards
        )
        action = answer.action or ""
        score, moves = score + int(game.reward(state, action)), moves + 1
        state = game.result(state, action)
    return bitboard.GameRecord(score, moves, bitboard.pack(state.board))
