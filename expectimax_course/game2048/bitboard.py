"""2048 on a 64-bit integer: the fast twin of `rules`.

A board of 4 × 4 cells is one integer, four bits per cell (see `kernels` for the picture), so that a row is a number
below 65,536 and everything about a row comes from a table: the row after a slide to the left or right and its reward.
Vertical slides work on the transposed board. Four bits end at 2^15, so a tile above 32,768 does not fit and two tiles
of 32,768 do not merge here; the readable rules have no such limit.

Seeded games are identical to those of the readable rules, spawn by spawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from expectimax_course.game import StateError, illegal_action
from expectimax_course.game2048 import kernels
from expectimax_course.game2048.kernels import Array
from expectimax_course.game2048.rules import Board, check_spawn_four, is_whole, shape
from expectimax_course.rng import Rng, derive_seed

LARGEST = 32768
"""The largest tile of a bitboard."""


class GameRecord(NamedTuple):
    """One finished game: the sum of its rewards, its slides, and the last board as an integer."""

    score: int
    moves: int
    board: int

    @property
    def max_tile(self) -> int:
        """The largest tile at the end."""
        return max(max(row) for row in unpack(self.board))


class Tables(NamedTuple):
    """What the kernels look up.

    Attributes
    ----------
    slides : uint16, shape (131072,)
        Each row after a slide to the left, then each row after one to the right.
    rewards : int64, shape (65536,)
        What either slide of a row earns.
    scores : int64, shape (65536,)
        What the tiles of a row have earned if all of them grew from 2s.
    choices : uint64, shape (16, 5)
        The actions of a set of legal actions (bit a for action a) in order, and last their number.
    """

    slides: Array
    rewards: Array
    scores: Array
    choices: Array


def pack(board: Board) -> int:
    """Return the bitboard of a 4 × 4 board of tiles.

    Raises
    ------
    StateError
        If the board is not 4 × 4, or a cell is not 0 or a power of two from 2 to 32,768.

    Examples
    --------
    >>> hex(pack(((2, 4, 8, 16), (0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 32768))))
    '0xf000000000004321'
    """
    if len(board) != 4 or any(len(row) != 4 for row in board):
        raise StateError(f"expected 4 rows of 4 cells, got {shape(board)}")
    code = 0
    for i, tile in enumerate(tile for row in board for tile in row):
        if not is_whole(tile) or (tile and (tile not in range(2, LARGEST + 1) or tile & (tile - 1))):
            raise StateError(f"expected 0 or a power of two from 2 to {LARGEST}, got {tile!r}")
        code |= (tile.bit_length() - 1 if tile else 0) << 4 * i
    return code


def unpack(code: int) -> Board:
    """Return the board of tiles of a bitboard.

    Raises
    ------
    StateError
        If the code is no whole number, negative, or has more than 64 bits.

    Examples
    --------
    >>> unpack(0x4321)[0]
    (2, 4, 8, 16)
    """
    if not is_whole(code) or not 0 <= code < 1 << 64:
        raise StateError(f"expected a code of 64 bits, got {code!r}")
    cells = [1 << rank if (rank := code >> 4 * i & 15) else 0 for i in range(16)]
    return tuple(tuple(cells[i : i + 4]) for i in range(0, 16, 4))


def row_ranks() -> Array:
    """Return the four cells of every row, leftmost first, as exponents: int64, shape (65536, 4)."""
    ranks: Array = np.arange(1 << 16)[:, None] >> np.arange(0, 16, 4) & 15
    return ranks


def rows_from_ranks(ranks: Array) -> Array:
    """Return rows as numbers: the inverse of `row_ranks`; shape (n, 4) to (n,)."""
    rows: Array = (ranks << np.arange(0, 16, 4)).sum(axis=1)
    return rows


@lru_cache(maxsize=1)
def tables() -> Tables:
    """Return the tables of slides, rewards and choices, built once."""
    left, reward = _slide_left(row_ranks())
    right, _ = _slide_left(row_ranks()[:, ::-1])
    slides = np.concatenate([rows_from_ranks(left), rows_from_ranks(right[:, ::-1])]).astype(np.uint16)
    choices = np.zeros((16, 5), np.uint64)
    for legal in range(16):
        actions = [action for action in range(4) if legal >> action & 1]
        choices[legal, : len(actions)] = actions
        choices[legal, 4] = len(actions)
    ranks = row_ranks()
    scores = np.where(ranks > 0, (ranks - 1) << ranks, 0).sum(axis=1)
    return Tables(slides, reward, scores, choices)


@lru_cache(maxsize=8)
def cumulative(spawn_four: float) -> Array:
    """Return ``cumulative[n, j]``, the probability of the first j + 1 outcomes on n empty cells: shape (17, 32).

    Summed one by one, as `Rng.outcome` does, so that not one draw falls differently. Where no 4 comes the sum ends with
    the last 2, at 1: rounding must leave no room for a 4.
    """
    table: Array = np.zeros((17, 32))
    for n in range(1, 17):
        table[n, : 2 * n] = np.cumsum([(1 - spawn_four) / n, spawn_four / n] * n)
        if spawn_four == 0:
            table[n, 2 * n - 2] = 1.0
    return table


def four_from(spawn_four: float) -> np.uint64:
    """Return where, in a cell's share of 2^32, the draws of a 4 begin: a guess for the kernel `spawn`."""
    return np.uint64(min(round((1 - spawn_four) * 2**32), 2**32 - 1))


def play_random(seeds: Sequence[int], *, spawn_four: float = 0.1) -> list[GameRecord]:
    """Play one game of random legal slides for each seed, as ``play.play_game`` does with ``random_agent``.

    Raises
    ------
    StateError
        If ``spawn_four`` is no probability.

    Examples
    --------
    >>> record, = play_random([1])
    >>> record.score, record.moves, record.max_tile
    (1428, 146, 128)
    """
    check_spawn_four(spawn_four)
    out = np.zeros((len(seeds), 3), np.uint64)
    slides, _, scores, choices = tables()
    states = np.array([(derive_seed(seed, 0), derive_seed(seed, 1)) for seed in seeds], np.uint64).reshape(-1, 2)
    with np.errstate(over="ignore"):
        kernels.play_random(states, slides, scores, cumulative(spawn_four), four_from(spawn_four), choices, out)
    return [GameRecord(*row) for row in out.tolist()]


def play_chosen(seed: int, choose: Callable[[int, int], int], *, spawn_four: float = 0.1) -> GameRecord:
    """Play one game move by move, with the spawns of ``play.play_game`` on this seed.

    Parameters
    ----------
    seed : int
    choose : callable
        ``choose(board, legal)`` returns the number of a legal slide in `rules.ACTIONS`; bit a of ``legal`` is slide a.
    spawn_four : float

    Raises
    ------
    StateError, IllegalActionError
        If ``spawn_four`` is no probability, or a chosen slide is not legal.

    Examples
    --------
    >>> play_chosen(1, lambda board, legal: legal.bit_length() - 1).max_tile
    64
    """
    check_spawn_four(spawn_four)
    slides, rewards, _, _ = tables()
    spawns = cumulative(spawn_four), four_from(spawn_four)
    rng = Rng(derive_seed(seed, 0))
    score = moves = 0
    with np.errstate(over="ignore"):  # uint64 wraps on purpose, which NumPy mentions where numba is missing
        board = np.uint64(kernels.first_board(np.uint64(rng.state), *spawns))
        rng.next64(), rng.next64()
        while legal := int(kernels.legal_slides(board)):
            chosen = choose(int(board), legal)
            if not 0 <= chosen < 4 or not legal >> chosen & 1:
                illegal_action(chosen, hex(board), [a for a in range(4) if legal >> a & 1])
            action = np.uint64(chosen)
            score += int(kernels.reward_of(board, action, rewards))
            after = np.uint64(kernels.slide(board, action, slides))
            board = np.uint64(kernels.spawn(after, np.uint64(rng.next64()), *spawns))
            moves += 1
    return GameRecord(score, moves, int(board))


def _slide_left(ranks: Array) -> tuple[Array, Array]:
    """Slide rows of exponents to the left, all at once; return rows (n, 4) and rewards (n,)."""
    rows, reward = _close_gaps(ranks), np.zeros(len(ranks), np.int64)
    for i in range(3):
        merge = (rows[:, i] > 0) & (rows[:, i] < 15) & (rows[:, i] == rows[:, i + 1])
        rows[:, i] += merge
        rows[:, i + 1] = np.where(merge, 0, rows[:, i + 1])
        reward += np.where(merge, 1 << rows[:, i], 0)
    return _close_gaps(rows), reward


def _close_gaps(ranks: Array) -> Array:
    order: Sequence[int] = np.argsort(ranks == 0, axis=1, kind="stable")  # type: ignore[assignment]
    return np.take_along_axis(ranks, order, axis=1)  # type: ignore[arg-type]
