"""The article's player of 2048 with any map of its evaluation: a compiled search two decisions deep, for `scale_2048`.

The evaluation is a whole number of tenths, so a map of the scale is a table; values are those of `search.expectimax`.
Ties within rounding go to the first slide.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from expectimax_course._jit import njit
from expectimax_course.game2048 import bitboard
from expectimax_course.game2048.kernels import count, empty_cells, legal_slides, mix, slide, spawn, sum_rows, transpose
from expectimax_course.game2048.search import zigzag_table
from expectimax_course.rng import GAMMA, derive_seed

SHORT = 1200
"""Tenths below and above 0 that a scale covers."""
TOLERANCE = 1e-12
MAX_MOVES = 8192
U = np.uint64
STEP = U(GAMMA)


def as_table(function: Callable[[float], float]) -> list[float]:
    """Return f at −120.0, −119.9 … 120.0."""
    return [function(tenths / 10) for tenths in range(-SHORT, SHORT + 1)]


# The kernels are compiled anew by each run: numba would not notice that a kernel of another file changed.


@njit(cache=False)
def tenths_of(after: Any, zigzag: Any) -> Any:
    """Return ten times the article's evaluation of an afterstate."""
    steps = np.int64(sum_rows(after, zigzag)) + np.int64(sum_rows(transpose(after), zigzag))
    return 27 * np.int64(count(empty_cells(after))) - 10 * steps + 15 * np.int64(after & U(15))


@njit(cache=False)
def chance_value(after: Any, scale: Any, lost: Any, slides: Any, zigzag: Any) -> Any:
    """Return the mean over the spawns of the best evaluation after one more slide."""
    empty = empty_cells(after)
    total = 0.0
    for cell in range(16):
        place = U(4 * cell)
        if (empty >> place) & U(1):
            for rank, probability in ((U(1), 0.9), (U(2), 0.1)):
                board = after | (rank << place)
                legal = legal_slides(board)
                best = lost
                if legal:
                    best = -np.inf
                    for action in range(4):
                        if (legal >> U(action)) & U(1):
                            child = slide(board, U(action), slides)
                            best = max(best, scale[tenths_of(child, zigzag) + SHORT])
                total += probability * best
    return total / np.float64(count(empty))


@njit(cache=False)
def action_values(board: Any, scale: Any, lost: Any, slides: Any, zigzag: Any, values: Any) -> Any:
    """Fill ``values`` of the four slides, minus infinity for an illegal one; return the legal ones as bits."""
    legal = legal_slides(board)
    for action in range(4):
        values[action] = -np.inf
        if (legal >> U(action)) & U(1):
            values[action] = chance_value(slide(board, U(action), slides), scale, lost, slides, zigzag)
    return legal


@njit(cache=False)
def play(
    state: Any, scale: Any, lost: Any, slides: Any, rewards: Any, zigzag: Any, cumulative: Any, four_from: Any, out: Any
) -> Any:
    """Play one game; fill ``out`` (moves, 3) with board, afterstate and score after each move; return the moves."""
    values = np.zeros(4)
    board, score, moves = U(0), U(0), 0
    for _ in range(2):
        state += STEP
        board = spawn(board, mix(state), cumulative, four_from)
    while action_values(board, scale, lost, slides, zigzag, values) and moves < MAX_MOVES:
        size = 1.0
        for value in values:
            size = max(size, abs(value)) if value > -np.inf else size
        action = U(0)
        while values[action] < values.max() - TOLERANCE * size:
            action += U(1)
        turned = transpose(board) if action > U(1) else board
        score += U(sum_rows(turned, rewards))
        out[moves, 0], out[moves, 1] = board, slide(board, action, slides)
        out[moves, 2] = score
        state += STEP
        board = spawn(out[moves, 1], mix(state), cumulative, four_from)
        moves += 1
    return moves


class Player:
    """The player with one scale."""

    def __init__(self, table: Sequence[float], lost: float) -> None:
        self.slides, self.rewards, _, _ = bitboard.tables()
        self.scale, self.lost, self.zigzag = np.array(table), lost, zigzag_table()
        self.spawns = bitboard.cumulative(0.1), bitboard.four_from(0.1)
        self.out = np.zeros((MAX_MOVES, 3), np.uint64)

    def values(self, board: int) -> list[float]:
        """Return the values of the four slides; minus infinity for an illegal one."""
        values = np.zeros(4)
        with np.errstate(over="ignore"):
            action_values(U(board), self.scale, self.lost, self.slides, self.zigzag, values)
        return [float(value) for value in values]

    def game(self, seed: int) -> list[list[int]]:
        """Return board, afterstate and score after each move of the game on this seed."""
        with np.errstate(over="ignore"):
            state = U(derive_seed(seed, 0))
            moves = play(state, self.scale, self.lost, self.slides, self.rewards, self.zigzag, *self.spawns, self.out)
        history: list[list[int]] = self.out[:moves].tolist()
        return history
