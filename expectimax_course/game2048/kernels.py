"""The compiled half of 2048: slides, spawns, whole games and expectimax on 64-bit boards.

Everything compiled stands in this one long file, because numba's cache on disk notices edits of the file that a kernel
stands in and of no other; tables come as arguments for the same reason. `bitboard` and `search` are the Python side.

A board holds sixteen cells of four bits, cell i (row-major, from the top left) at bits 4i … 4i + 3, as the exponent of
its tile, 0 for an empty cell:

    bits    63 … 48   47 … 32   31 … 16   15 … 0        within a row:  15 … 12  11 … 8  7 … 4  3 … 0
            row 3     row 2     row 1     row 0                        right ◄───────────────── left

Traps that this file avoids: numba turns ``uint64 op int`` into int64 or float64 without a word, so every constant is
a uint64; a cached kernel must not recurse, so the search keeps its own stack.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from expectimax_course._jit import njit
from expectimax_course.rng import GAMMA, MIX_1, MIX_2

U = np.uint64
Array = np.ndarray[Any, np.dtype[Any]]

ROW, LOW = U(0xFFFF), U(0xFFFF_FFFF)
COLUMN = U(0x000F_000F_000F_000F)
ONES = U(0x1111_1111_1111_1111)
_0, _1, _2, _3, _4, _8, _12, _15, _16 = (U(n) for n in (0, 1, 2, 3, 4, 8, 12, 15, 16))
_17, _24, _32, _36, _48, _60 = (U(n) for n in (17, 24, 32, 36, 48, 60))
_GAMMA, _MIX_1, _MIX_2 = U(GAMMA), U(MIX_1), U(MIX_2)


# ------------------------------------------------------------------------------------------------------ the rules


@njit()
def transpose(x: Any) -> Any:
    """Swap rows and columns: first inside each 2 × 2 block, then the blocks."""
    c, d = U(0x0000_F0F0_0000_F0F0), U(0x0000_0000_FF00_FF00)
    x = (x & U(0xF0F0_0F0F_F0F0_0F0F)) | ((x & c) << _12) | ((x >> _12) & c)
    return (x & U(0xFF00_FF00_00FF_00FF)) | ((x & d) << _24) | ((x >> _24) & d)


@njit()
def spread(row: Any) -> Any:
    """Lay a row out as the first column.

    ............dcba  →  ...d...c...b...a   (one letter or dot for four bits, a the leftmost cell)
    """
    return (row | (row << _12) | (row << _24) | (row << _36)) & COLUMN


@njit()
def empty_cells(x: Any) -> Any:
    """Return bit 4i set for every empty cell i."""
    x |= (x >> _2) & U(0x3333_3333_3333_3333)
    x |= x >> _1
    return ~x & ONES


@njit()
def count(mask: Any) -> Any:
    """Count the bits of a mask of cells, at most fifteen: the multiplication sums all nibbles into the top one."""
    return (mask * ONES) >> _60


@njit()
def slide(board: Any, action: Any, slides: Any) -> Any:
    """Slide left, right, up or down (0 … 3); ``slides`` holds every row after a slide left, then after one right.

    There is no branch on the direction, because no processor can predict it.
    """
    vertical = _0 - (action >> _1)
    x = board ^ ((board ^ transpose(board)) & vertical)
    base = (action & _1) << _16
    y = (
        U(slides[base | (x & ROW)])
        | (U(slides[base | ((x >> _16) & ROW)]) << _16)
        | (U(slides[base | ((x >> _32) & ROW)]) << _32)
        | (U(slides[base | (x >> _48)]) << _48)
    )
    return y ^ ((y ^ transpose(y)) & vertical)


@njit()
def sum_rows(x: Any, table: Any) -> Any:
    """Return the sum of a table's entries for the four rows."""
    return table[x & ROW] + table[(x >> _16) & ROW] + table[(x >> _32) & ROW] + table[x >> _48]


@njit()
def legal_slides(board: Any) -> Any:
    """Return bit a set for every legal action a, for all four at once and without tables.

    A slide left is legal if somewhere an empty cell stands left of a tile, or two equal tiles stand side by side; so
    for the others.
    """
    empty = empty_cells(board)
    tile = empty ^ ONES
    inner, upper = U(0x0111_0111_0111_0111), U(0x0000_1111_1111_1111)
    pairs = empty_cells(board ^ (board >> _4)) & tile & inner
    stacks = empty_cells(board ^ (board >> _16)) & tile & upper
    left = (empty & (tile >> _4) & inner) | pairs
    right = (tile & (empty >> _4) & inner) | pairs
    up = (empty & (tile >> _16) & upper) | stacks
    down = (tile & (empty >> _16) & upper) | stacks
    return U(left != _0) | (U(right != _0) << _1) | (U(up != _0) << _2) | (U(down != _0) << _3)


@njit()
def mix(z: Any) -> Any:
    """Return the draw of SplitMix64 in state ``z``."""
    z = (z ^ (z >> U(30))) * _MIX_1
    z = (z ^ (z >> U(27))) * _MIX_2
    return z ^ (z >> U(31))


@njit()
def spawn(board: Any, bits: Any, cumulative: Any, four_from: Any) -> Any:
    """Add the tile that ``Rng.outcome(game.chance_outcomes(state))`` makes of the same 64 bits.

    ``cumulative[n, j]`` is the probability of the first j + 1 outcomes on n empty cells, summed in their order. The
    multiplication guesses the outcome (``four_from``: where in a cell's share of 2^32 the 4 begins) and is wrong by
    rounding at most; the loops mend that.
    """
    empty = empty_cells(board)
    n = count(empty) if board != _0 else _16
    share = (bits >> _32) * n
    outcome = np.int64(((share >> _32) << _1) | U((share & LOW) >= four_from))
    last = np.int64(n << _1) - 1
    draw = np.float64(bits >> U(11)) * 2.0**-53
    while outcome > 0 and draw < cumulative[n, outcome - 1]:
        outcome -= 1
    while outcome < last and draw >= cumulative[n, outcome]:
        outcome += 1
    # Each nibble of the product counts the empty cells up to its own: the cell that we want is the empty one with k.
    k = (U(outcome >> 1) + _1) & _15
    cell = empty & empty_cells((empty * ONES) ^ (k * ONES))
    return board | (cell << U(outcome & 1))


@njit()
def play_random(seeds: Any, slides: Any, scores: Any, cumulative: Any, four_from: Any, choices: Any, out: Any) -> Any:
    """Play one game of uniformly random legal slides per seed; write score, moves and last board to ``out`` (n, 3).

    ``choices[legal, k]`` is the k-th action of a set of legal ones, ``choices[legal, 4]`` their number. Two games
    advance in turn: each step of one waits for the step before it, and the processor has time for the other. The
    score is that of all tiles as if every 4 had been merged, less the 4s that came as spawns.
    """
    boards, states = np.zeros(2, np.uint64), np.zeros(2, np.uint64)
    games, moves, fours = np.full(2, -1), np.zeros(2, np.int64), np.zeros(2, np.int64)
    started = finished = 0
    while finished < len(seeds):
        for lane in range(2):
            board, state = boards[lane], states[lane]
            legal = legal_slides(board)
            if legal != _0:
                draw = mix(state + _GAMMA) >> _32
                after = slide(board, choices[legal, (draw * choices[legal, _4]) >> _32], slides)
                state += _GAMMA + _GAMMA
                board = spawn(after, mix(state), cumulative, four_from)
                boards[lane], states[lane] = board, state
                fours[lane] += (board ^ after) & ONES == _0
                moves[lane] += 1
                continue
            game = games[lane]
            if game >= 0:
                out[game, 0], out[game, 1] = U(sum_rows(board, scores) - 4 * fours[lane]), U(moves[lane])
                out[game, 2] = board
                finished += 1
            games[lane] = -1
            boards[lane] = _0  # an empty board has no legal slide: an idle lane
            if started < len(seeds):
                state = seeds[started] + _GAMMA + _GAMMA
                board = spawn(_0, mix(seeds[started] + _GAMMA), cumulative, four_from)
                board = spawn(board, mix(state), cumulative, four_from)
                boards[lane], states[lane], games[lane] = board, state, started
                moves[lane], fours[lane] = 0, sum_rows(board, scores) >> 2
                started += 1
    return out
