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

from expectimax_course._jit import HAVE_NUMBA
from expectimax_course.game2048 import bitboard
from expectimax_course.game2048.evaluate import FITTED, LineWeights, RowEvaluation, article
from expectimax_course.game2048.net import TupleNet, load_net
from expectimax_course.game2048.published import CUTOFF, NNEONNEO
from expectimax_course.game2048.rules import ACTIONS, State
from expectimax_course.game2048.search import COMPILED_DEPTH, Searcher

CLOCK_TABLE_BITS = 18
"""Of the table of a search against the clock: 8 MB, since a larger table answers more often but misses the cache."""

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

SHORTSIGHTED = ("random", "greedy")
"""Players that look no further than the next slide, whatever the time."""


class PlayedGame(NamedTuple):
    """One game: its seed, what it came to, and what it cost: evaluations; seconds of CPU time once all is loaded."""

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
    cutoff: float | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> PlayedGame:
    """Play one game on this very seed.

    Parameters
    ----------
    player : str
        One of `PLAYERS`.
    seed : int
    depth : int, optional
        Decisions to look ahead; without it and without a time, the depth rule of `published`.
    milliseconds : float, optional
        Time per move; such a game does not repeat.
    cutoff : float, optional
        Reach below which an afterstate is evaluated; by default none with a depth, and with the rule that of
        `published`. A search against the clock has cutoffs of its own.
    clock : callable
        Measures the time per move.

    Raises
    ------
    DepthError, ValueError
        If the player does not exist, a setting is out of range, or the player has no use for it.

    Examples
    --------
    >>> play("random", seed=1).max_tile
    128
    """
    check_budget(player, depth, milliseconds, cutoff)
    if player == "greedy":
        depth = 1
    if cutoff is None:
        cutoff = CUTOFF if depth is None else 0.0
    by_move = milliseconds is not None or depth is None or depth > COMPILED_DEPTH
    table_bits = 16 if milliseconds is None else CLOCK_TABLE_BITS
    engine = None if player == "random" else searcher(player, table_bits)
    _warm(engine, by_move)
    start = time.process_time()
    evaluations = 0
    if engine is None:
        (record,) = bitboard.play_random([seed])
    elif milliseconds is not None:
        record, evaluations = _play_for(engine, seed, milliseconds / 1000, clock)
    else:
        record = engine.play(seed, depth, cutoff)
        evaluations = engine.evaluations
    return PlayedGame(seed, record.score, record.max_tile, record.moves, evaluations, time.process_time() - start)


def check_budget(player: str, depth: int | None, milliseconds: float | None, cutoff: float | None = None) -> None:
    """Check that a player exists and has a use for the depth, the time in ms and the cutoff that it is given.

    Raises
    ------
    ValueError
        If not. Depth and cutoff are checked against their ranges when a search begins.
    """
    if player not in PLAYERS:
        raise ValueError(f"expected one of {', '.join(PLAYERS)}, got {player!r}")
    if depth is not None and milliseconds is not None:
        raise ValueError(f"expected a depth or a time, got depth {depth!r} and {milliseconds!r} ms")
    if player in SHORTSIGHTED and not (depth in (None, 1) and milliseconds is None and cutoff is None):
        given = [f"depth {depth!r}"] if depth not in (None, 1) else []
        given += [f"{milliseconds!r} ms"] if milliseconds is not None else []
        given += [f"cutoff {cutoff!r}"] if cutoff is not None else []
        raise ValueError(f"expected nothing but depth 1 for the player {player!r}, got {' and '.join(given)}")
    if milliseconds is not None:
        if not milliseconds >= 0:
            raise ValueError(f"expected a time of 0 ms or more, got {milliseconds!r}")
        if cutoff is not None:
            raise ValueError(f"expected a cutoff or a time, got cutoff {cutoff!r} and {milliseconds!r} ms")


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


@lru_cache(maxsize=8)
def _warm(engine: Searcher | None, by_move: bool) -> None:
    """Compile what a game needs, or load it, once in a process: that is no part of the cost of its moves."""
    if engine is None:
        bitboard.play_random([0])
    elif HAVE_NUMBA and by_move:
        engine.search(0x11, 1)
        bitboard.play_chosen(0, lambda board, legal: legal.bit_length() - 1)
    elif HAVE_NUMBA:
        engine.play(0, 1)


def _play_for(
    engine: Searcher, seed: int, seconds: float, clock: Callable[[], float]
) -> tuple[bitboard.GameRecord, int]:
    evaluations = 0
    engine.generation += 1  # what the table knows from earlier games does not answer

    def choose(board: int, legal: int) -> int:
        nonlocal evaluations
        if legal & (legal - 1) == 0:  # one slide alone needs no search
            return legal.bit_length() - 1
        answer = engine.search_for(board, seconds, clock=clock)
        evaluations += answer.evaluations
        return ACTIONS.index(answer.action or "")

    return bitboard.play_chosen(seed, choose, spawn_four=engine.spawn_four), evaluations
