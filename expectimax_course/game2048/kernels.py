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
_0, _1, _2, _3, _4, _6, _8, _12, _15, _16 = (U(n) for n in (0, 1, 2, 3, 4, 6, 8, 12, 15, 16))
_24, _32, _36, _40, _48, _60 = (U(n) for n in (24, 32, 36, 40, 48, 60))
_GAMMA, _MIX_1, _MIX_2 = U(GAMMA), U(MIX_1), U(MIX_2)


# ------------------------------------------------------------------------------------------------------ the rules


@njit()
def swap(x: Any, bits: Any, shift: Any) -> Any:
    """Swap the ``bits`` of a word with those ``shift`` above them; all others stay."""
    return (x & ~(bits | (bits << shift))) | ((x & bits) << shift) | ((x >> shift) & bits)


@njit()
def transpose(x: Any) -> Any:
    """Swap rows and columns: first inside each 2 × 2 block, then the blocks."""
    return swap(swap(x, U(0x0000_F0F0_0000_F0F0), _12), U(0xFF00_FF00), _24)


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
def slide_rows(x: Any, side: Any, slides: Any) -> Any:
    """Slide the rows of a board, or the columns of a transposed one, to the left (side 0) or right (side 65,536)."""
    return (
        U(slides[side | (x & ROW)])
        | (U(slides[side | ((x >> _16) & ROW)]) << _16)
        | (U(slides[side | ((x >> _32) & ROW)]) << _32)
        | (U(slides[side | (x >> _48)]) << _48)
    )


@njit()
def slide(board: Any, action: Any, slides: Any) -> Any:
    """Slide left, right, up or down (0 … 3); ``slides`` holds every row after a slide left, then after one right.

    There is no branch on the direction, because no processor can predict it.
    """
    vertical = _0 - (action >> _1)
    x = board ^ ((board ^ transpose(board)) & vertical)
    y = slide_rows(x, (action & _1) << _16, slides)
    return y ^ ((y ^ transpose(y)) & vertical)


@njit()
def sum_rows(x: Any, table: Any) -> Any:
    """Return the sum of a table's entries for the four rows."""
    return table[x & ROW] + table[(x >> _16) & ROW] + table[(x >> _32) & ROW] + table[x >> _48]


@njit()
def legal_slides(board: Any) -> Any:
    """Return bit a set for every legal action a, for all four at once and without tables.

    A slide left is legal if somewhere an empty cell stands left of a tile, or two equal tiles stand side by side; so
    for the others. Two tiles of 2^15 do not merge.
    """
    empty = empty_cells(board)
    tile = empty ^ ONES
    merging = tile ^ empty_cells(~board)
    inner, upper = U(0x0111_0111_0111_0111), U(0x0000_1111_1111_1111)
    pairs = empty_cells(board ^ (board >> _4)) & merging & inner
    stacks = empty_cells(board ^ (board >> _16)) & merging & upper
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
def first_board(state: Any, cumulative: Any, four_from: Any) -> Any:
    """Return the board with the two start tiles that the next two draws of a generator give."""
    board = spawn(_0, mix(state + _GAMMA), cumulative, four_from)
    return spawn(board, mix(state + _GAMMA + _GAMMA), cumulative, four_from)


@njit()
def play_random(seeds: Any, slides: Any, scores: Any, cumulative: Any, four_from: Any, choices: Any, out: Any) -> Any:
    """Play a game of uniformly random legal slides per row of ``seeds`` (n, 2): nature's, the player's.

    Score, moves and last board go to ``out`` (n, 3). ``choices[legal, k]`` is the k-th action of a set of legal ones,
    ``choices[legal, 4]`` their number. Two games advance in turn: each step of one waits for the step before it, and
    the processor has time for the other. The score is that of all tiles as if every 4 had been merged, less the 4s
    that came as spawns.
    """
    boards, nature, player = np.zeros(2, np.uint64), np.zeros(2, np.uint64), np.zeros(2, np.uint64)
    games, moves, fours = np.full(2, -1), np.zeros(2, np.int64), np.zeros(2, np.int64)
    started = finished = 0
    while finished < len(seeds):
        for lane in range(2):
            board = boards[lane]
            legal = legal_slides(board)
            if legal != _0:
                own, state = player[lane] + _GAMMA, nature[lane] + _GAMMA
                action = choices[legal, ((mix(own) >> _32) * choices[legal, _4]) >> _32]
                after = slide(board, action, slides)
                board = spawn(after, mix(state), cumulative, four_from)
                boards[lane], nature[lane], player[lane] = board, state, own
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
                state = seeds[started, 0] + _GAMMA + _GAMMA
                board = first_board(seeds[started, 0], cumulative, four_from)
                boards[lane], nature[lane], player[lane] = board, state, seeds[started, 1]
                games[lane], moves[lane], fours[lane] = started, 0, sum_rows(board, scores) >> 2
                started += 1
    return out


# ------------------------------------------------------------------------------------------------ n-tuple networks


@njit()
def split(board: Any) -> Any:
    """Split the ranks into digits to base 4: cell i's low one to bits 2i and 2i + 1, its high one 32 above."""
    x = swap(board, U(0x0C0C_0C0C_0C0C_0C0C), _2)
    x = swap(x, U(0x00F0_00F0_00F0_00F0), _4)
    return swap(swap(x, U(0x0000_FF00_0000_FF00), _8), U(0xFFFF_0000), _16)


@njit()
def turn(digits: Any, symmetry: Any) -> Any:
    """Return a split board's next symmetry, in the order of `net.symmetries`."""
    if symmetry & 1:
        return swap(swap(digits, U(0x00CC_00CC_00CC_00CC), _6), U(0x0000_F0F0_0000_F0F0), _12)
    return swap(swap(digits, U(0x00FF_00FF_00FF_00FF), _8), U(0x0000_FFFF_0000_FFFF), _16)


@njit()
def row_weight(digits: Any, width: Any) -> Any:
    """Return where its table holds the weight of the tuple of 2 × width cells in a row, from the first cell on."""
    low = width << _2
    mask = (_1 << low) - _1
    return (digits & mask) | ((digits >> (_32 - low)) & (mask << low))


@njit()
def block_weight(digits: Any, width: Any) -> Any:
    """Return where its table holds the weight of the block of 2 rows of ``width`` cells, from the first cell on."""
    half = width << _1
    low = half << _1
    mask = (_1 << half) - _1
    return (
        (digits & mask)
        | ((digits >> (_8 - half)) & (mask << half))
        | ((digits >> (_32 - low)) & (mask << low))
        | ((digits >> (_40 - half - low)) & (mask << (half + low)))
    )


@njit()
def net_value(board: Any, weights: Any, width: Any, zero: Any) -> Any:
    """Return the sum of the 32 weights of a board: symmetry by symmetry, and in each tuple by tuple.

    ``zero`` is that of the type in which to add; `ntuple_kernels` shows the tuples.
    """
    digits, total, size = split(board), zero, _1 << (width << _3)
    for symmetry in range(8):
        below = digits >> _8
        total += (
            zero
            + weights[row_weight(digits, width)]
            + weights[size | row_weight(below, width)]
            + weights[(size << _1) | block_weight(digits, width)]
            + weights[size | (size << _1) | block_weight(below, width)]
        )
        digits = turn(digits, symmetry)
    return total


# ----------------------------------------------------------------------------------------------------- expectimax
#
# A MAX node whose afterstates are all evaluated, not searched, is *shallow*. Shallow nodes are almost the whole tree,
# and `shallow_chance` values all those under one chance node together. The rest runs on an explicit stack with one
# level for a chance node and the MAX node under way below it; level 0 has the root alone. An array costs a call seven
# words on the stack, more than a table look-up: so what runs often takes few arrays, and `search` is one long function.

BOARD, TODO, FOUR, CHILD, PENDING, HINT = range(6)
"""Columns of ``nodes``: the afterstate, its empty cells still to fill, whether the lowest of them gets the 4 next; the
MAX node under way and its actions still to search (bit a for action a); a column that nobody reads."""
TOTAL, CHANCE_REACH, PROBABILITY, REACH, BEST, GAIN = range(6)
"""Columns of ``numbers``: the sum over finished outcomes and the reach of the afterstate; probability, reach and best
value of the MAX node; the reward of its slide under way."""
LEVEL, ROOT_ACTION, MAX_NODES, CHANCE_NODES, TERMINALS, EVALUATIONS, HITS, SCRATCH = range(8)
"""Entries of ``control``: the level that runs, the root action under way, the counters; from SCRATCH on four numbers
for each of sixteen cells, see `line_values`."""
DEPTH, KIND, INSIDE, USE_REWARDS, TABLE_BITS, GENERATION, LARGEST = range(7)
"""Entries of ``settings``. Kind 0 is a sum of line values, kind 1 the source article's formula, kind 2 an n-tuple
network. ``lines`` holds, for kind 0, the values of rows and columns on the rim by row, at INSIDE (65,536, or 0 if they
are the same) those inside, and from entry 131,072 on what becomes of each row, see `line_entry`; for kind 1, the zigzag
of each row; for kind 2, the weights of a network whose width stands in INSIDE. `downgrade` is asked for tiles above
LARGEST."""
CUTOFF, LOST, UNIT = range(3)
"""Entries of ``limits``: the reach below which afterstates are evaluated, the value of a lost game, the lines' unit."""
ILLEGAL = np.int64(-(1 << 62))
_SLID = U(1 << 17)


@njit()
def leaf(after: Any, kind: Any, unit: Any, lines: Any, inside: Any) -> Any:
    """Evaluate an afterstate."""
    t = transpose(after)
    if kind == 0:
        total = np.int64(lines[after & ROW]) + lines[after >> _48] + lines[t & ROW] + lines[t >> _48]
        total += np.int64(lines[inside | ((after >> _16) & ROW)]) + lines[inside | ((after >> _32) & ROW)]
        total += np.int64(lines[inside | ((t >> _16) & ROW)]) + lines[inside | ((t >> _32) & ROW)]
        return np.float64(total) * unit
    if kind == 2:
        return np.float64(net_value(after, lines, inside, np.int64(0))) * unit
    zigzag = np.int64(sum_rows(after, lines)) + sum_rows(t, lines)
    return 2.7 * np.float64(count(empty_cells(after))) - np.float64(zigzag) + 1.5 * np.float64(after & _15)


@njit()
def reward_of(board: Any, action: Any, rewards: Any) -> Any:
    """Return what a slide earns; ``rewards`` by row, the same to the left and to the right."""
    return sum_rows(transpose(board) if action >= _2 else board, rewards)


@njit()
def line_entry(row: Any, kind: Any) -> Any:
    """Return where ``lines`` tells of a row's slides: left, right, value plus reward after left, after right."""
    return _SLID + ((kind | row) << _2)


@njit()
def columns_value(t: Any, gain: Any, lines: Any, inside: Any) -> Any:
    """Return the value of a slid board, in columns, whose rows are worth ``gain``."""
    rim = gain + lines[t & ROW] + lines[t >> _48]
    return rim + (np.int64(lines[inside | ((t >> _16) & ROW)]) + lines[inside | ((t >> _32) & ROW)])


@njit()
def slid_lines(x: Any, lines: Any, inside: Any) -> Any:
    """Slide all rows of ``x`` to both sides.

    For the left and then for the right: the slid board, transposed; bit r for each row r that stays; the sum of the
    rows' values and rewards.
    """
    r0, r1, r2, r3 = x & ROW, (x >> _16) & ROW, (x >> _32) & ROW, x >> _48
    e0, e1, e2, e3 = line_entry(r0, _0), line_entry(r1, inside), line_entry(r2, inside), line_entry(r3, _0)
    a0, a1, a2, a3 = U(lines[e0]), U(lines[e1]), U(lines[e2]), U(lines[e3])
    moved_l = spread(a0) | (spread(a1) << _4) | (spread(a2) << _8) | (spread(a3) << _12)
    still_l = U(a0 == r0) | (U(a1 == r1) << _1) | (U(a2 == r2) << _2) | (U(a3 == r3) << _3)
    a0, a1, a2, a3 = U(lines[e0 | _1]), U(lines[e1 | _1]), U(lines[e2 | _1]), U(lines[e3 | _1])
    moved_r = spread(a0) | (spread(a1) << _4) | (spread(a2) << _8) | (spread(a3) << _12)
    still_r = U(a0 == r0) | (U(a1 == r1) << _1) | (U(a2 == r2) << _2) | (U(a3 == r3) << _3)
    gain_l = np.int64(lines[e0 | _2]) + lines[e1 | _2] + lines[e2 | _2] + lines[e3 | _2]
    gain_r = np.int64(lines[e0 | _3]) + lines[e1 | _3] + lines[e2 | _3] + lines[e3 | _3]
    return moved_l, still_l, gain_l, moved_r, still_r, gain_r


@njit()
def shallow_max(board: Any, lost: Any, unit: Any, lines: Any, inside: Any, control: Any) -> Any:
    """Return the value of one shallow MAX node."""
    best, x = ILLEGAL, board
    for _ in range(2):
        moved_l, still_l, gain_l, moved_r, still_r, gain_r = slid_lines(x, lines, inside)
        if still_l != _15:
            control[EVALUATIONS] += 1
            best = max(best, columns_value(moved_l, gain_l, lines, inside))
        if still_r != _15:
            control[EVALUATIONS] += 1
            best = max(best, columns_value(moved_r, gain_r, lines, inside))
        x = transpose(board)
    control[MAX_NODES if best != ILLEGAL else TERMINALS] += 1
    return np.float64(best) * unit if best != ILLEGAL else lost


@njit()
def step_max(board: Any, settings: Any, limits: Any, slides: Any, rewards: Any, lines: Any, control: Any) -> Any:
    """Return the value of one shallow MAX node for evaluations of any kind, step by step."""
    best = -np.inf
    for a in range(4):
        action = U(a)
        after = slide(board, action, slides)
        if after != board:
            control[EVALUATIONS] += 1
            value = leaf(after, settings[KIND], limits[UNIT], lines, U(settings[INSIDE]))
            if settings[USE_REWARDS] != 0:
                value += np.float64(reward_of(board, action, rewards))
            best = max(best, value)
    control[MAX_NODES if best > -np.inf else TERMINALS] += 1
    return best if best > -np.inf else limits[LOST]


@njit()
def line_values(x: Any, empty: Any, order: Any, lines: Any, inside: Any, control: Any) -> Any:
    """Value the slides along the rows of ``x`` after each spawn.

    Of the four numbers of the i-th empty cell, the first becomes the better value of the two slides after a 2 came
    there, in units of the line values, the second the same after a 4; the others count the legal slides. With
    ``order``, x is a transposed board, ``order`` counts the empty cells up to each cell of the board itself, and the
    values raise and the counts increase what the rows have left there.

    A spawn changes one row, so three rows slide as they do without it; and from all cells of one gap between tiles
    the new tile slides to the same place.
    """
    moved_l, still_l, gain_l, moved_r, still_r, gain_r = slid_lines(x, lines, inside)
    starts = empty & ~((empty & U(0x0111_0111_0111_0111)) << _4)
    left2 = left4 = right2 = right4 = _0
    slot = U(SCRATCH)
    value_l2 = value_l4 = value_r2 = value_r4 = np.int64(0)
    while empty != _0:
        bit = empty & (~empty + _1)
        empty ^= bit
        cell = count((bit - _1) & ONES)
        r, c = cell >> _2, cell & _3
        row = (x >> (r << _4)) & ROW
        two = row | (_1 << (c << _2))
        four = two + (_1 << (c << _2))
        if starts & bit != _0:
            kind = (_0 - ((r ^ (r >> _1)) & _1)) & inside
            shift = r << _2
            hole = ~(COLUMN << shift)
            now, e2, e4 = line_entry(row, kind), line_entry(two, kind), line_entry(four, kind)
            left2, right2, left4, right4 = U(lines[e2]), U(lines[e2 | _1]), U(lines[e4]), U(lines[e4 | _1])
            rest, gain = moved_l & hole, gain_l - lines[now | _2]
            value_l2 = columns_value(rest | (spread(left2) << shift), gain + lines[e2 | _2], lines, inside)
            value_l4 = columns_value(rest | (spread(left4) << shift), gain + lines[e4 | _2], lines, inside)
            rest, gain = moved_r & hole, gain_r - lines[now | _3]
            value_r2 = columns_value(rest | (spread(right2) << shift), gain + lines[e2 | _3], lines, inside)
            value_r4 = columns_value(rest | (spread(right4) << shift), gain + lines[e4 | _3], lines, inside)
        # The gap decides where the tile goes, the cell whether that is a move.
        free_l, free_r = (still_l | (_1 << r)) != _15, (still_r | (_1 << r)) != _15
        legal_l2, legal_r2, legal_l4, legal_r4 = left2 != two, right2 != two, left4 != four, right4 != four
        legal_l2, legal_r2, legal_l4, legal_r4 = (
            free_l or legal_l2,
            free_r or legal_r2,
            free_l or legal_l4,
            free_r or legal_r4,
        )
        value2 = max(value_l2 if legal_l2 else ILLEGAL, value_r2 if legal_r2 else ILLEGAL)
        value4 = max(value_l4 if legal_l4 else ILLEGAL, value_r4 if legal_r4 else ILLEGAL)
        legal2, legal4 = np.int64(legal_l2) + np.int64(legal_r2), np.int64(legal_l4) + np.int64(legal_r4)
        if order == _0:
            control[slot], control[slot + _1], control[slot + _2], control[slot + _3] = value2, value4, legal2, legal4
            slot += _4
        else:
            slot = U(SCRATCH) + ((((order >> ((c << _4) | (r << _2))) - _1) & _15) << _2)
            control[slot], control[slot + _1] = max(control[slot], value2), max(control[slot + _1], value4)
            control[slot + _2] += legal2
            control[slot + _3] += legal4


@njit()
def shallow_chance(after: Any, two: Any, four: Any, unit: Any, lost: Any, lines: Any, inside: Any, control: Any) -> Any:
    """Return the value of a chance node whose children are all shallow; a 2 or 4 on each cell has that probability."""
    empty = empty_cells(after)
    line_values(after, empty, _0, lines, inside, control)
    line_values(transpose(after), transpose(empty), empty * ONES, lines, inside, control)
    return spawn_average(empty, two, four, unit, lost, control)


@njit()
def net_slides(
    x: Any, empty: Any, order: Any, settings: Any, step: Any, slides: Any, rewards: Any, weights: Any, control: Any
) -> None:
    """Value the slides along the rows of ``x`` after each spawn, with a network; see `line_values`.

    The values, in points, include the reward. From all cells of one gap a new tile slides to the same place, and the
    board that it makes is valued once.
    """
    width = U(settings[INSIDE])
    left, right = slide_rows(x, _0, slides), slide_rows(x, _1 << _16, slides)
    still_l = still_r = _0
    for row in range(4):
        bits = ROW << (U(row) << _4)
        still_l |= U((left ^ x) & bits == _0) << U(row)
        still_r |= U((right ^ x) & bits == _0) << U(row)
    earned = sum_rows(x, rewards)
    slot = U(SCRATCH)
    known_l2 = known_l4 = known_r2 = known_r4 = _0
    value_l2 = value_l4 = value_r2 = value_r4 = np.int64(0)
    while empty != _0:
        bit = empty & (~empty + _1)
        empty ^= bit
        cell = count((bit - _1) & ONES)
        r, c = cell >> _2, cell & _3
        shift = r << _4
        row, hole = (x >> shift) & ROW, ~(ROW << shift)
        two = row | (_1 << (c << _2))
        four = two + (_1 << (c << _2))
        rest, free_l, free_r = earned - rewards[row], (still_l | (_1 << r)) != _15, (still_r | (_1 << r)) != _15
        left2, left4 = U(slides[two]), U(slides[four])
        right2, right4 = U(slides[two | (_1 << _16)]), U(slides[four | (_1 << _16)])
        best2 = best4 = ILLEGAL
        legal2 = legal4 = np.int64(0)
        if free_l or left2 != two:
            after = (left & hole) | (left2 << shift)
            if after != known_l2:
                known_l2, value_l2 = after, np.int64(net_value(after, weights, width, np.int64(0)))
            best2, legal2 = step * value_l2, legal2 + 1
        if free_r or right2 != two:
            after = (right & hole) | (right2 << shift)
            if after != known_r2:
                known_r2, value_r2 = after, np.int64(net_value(after, weights, width, np.int64(0)))
            best2, legal2 = max(best2, step * value_r2), legal2 + 1
        if free_l or left4 != four:
            after = (left & hole) | (left4 << shift)
            if after != known_l4:
                known_l4, value_l4 = after, np.int64(net_value(after, weights, width, np.int64(0)))
            best4, legal4 = step * value_l4, legal4 + 1
        if free_r or right4 != four:
            after = (right & hole) | (right4 << shift)
            if after != known_r4:
                known_r4, value_r4 = after, np.int64(net_value(after, weights, width, np.int64(0)))
            best4, legal4 = max(best4, step * value_r4), legal4 + 1
        if settings[USE_REWARDS] != 0:
            best2 += rest + rewards[two]
            best4 += rest + rewards[four]
        if order == _0:
            control[slot], control[slot + _1], control[slot + _2], control[slot + _3] = best2, best4, legal2, legal4
            slot += _4
        else:
            slot = U(SCRATCH) + ((((order >> ((c << _4) | (r << _2))) - _1) & _15) << _2)
            control[slot], control[slot + _1] = max(control[slot], best2), max(control[slot + _1], best4)
            control[slot + _2] += legal2
            control[slot + _3] += legal4


@njit()
def net_chance(
    after: Any, two: Any, four: Any, settings: Any, limits: Any, slides: Any, rewards: Any, weights: Any, control: Any
) -> Any:
    """Return the value of a chance node whose children are all shallow, with a network."""
    empty, step = empty_cells(after), np.int64(limits[UNIT])
    net_slides(after, empty, _0, settings, step, slides, rewards, weights, control)
    columns = transpose(after)
    net_slides(columns, transpose(empty), empty * ONES, settings, step, slides, rewards, weights, control)
    return spawn_average(empty, two, four, 1.0, limits[LOST], control)


@njit()
def spawn_average(empty: Any, two: Any, four: Any, unit: Any, lost: Any, control: Any) -> Any:
    """Return the mean over the spawns of the values that `line_values` or `net_slides` left for each."""
    total = 0.0
    slot, end = U(SCRATCH), U(SCRATCH) + (count(empty) << _2)
    while slot < end:
        if two != 0.0:
            legal = control[slot + _2]
            control[EVALUATIONS] += legal
            control[MAX_NODES if legal > 0 else TERMINALS] += 1
            total += two * (np.float64(control[slot]) * unit if legal > 0 else lost)
        if four != 0.0:
            legal = control[slot + _3]
            control[EVALUATIONS] += legal
            control[MAX_NODES if legal > 0 else TERMINALS] += 1
            total += four * (np.float64(control[slot + _1]) * unit if legal > 0 else lost)
        slot += _4
    control[CHANCE_NODES] += 1
    return total


@njit()
def article_chance(
    after: Any, two: Any, four: Any, settings: Any, limits: Any, slides: Any, rewards: Any, lines: Any, control: Any
) -> Any:
    """Return the value of a chance node whose children are all shallow, for evaluations of any kind, step by step."""
    empty = empty_cells(after)
    total = 0.0
    while empty != _0:
        cell = empty & (~empty + _1)
        empty ^= cell
        if two != 0.0:
            total += two * step_max(after | cell, settings, limits, slides, rewards, lines, control)
        if four != 0.0:
            total += four * step_max(after | (cell << _1), settings, limits, slides, rewards, lines, control)
    control[CHANCE_NODES] += 1
    return total


@njit()
def search(
    nodes: Any,
    numbers: Any,
    control: Any,
    root: Any,
    budget: Any,
    settings: Any,
    limits: Any,
    chances: Any,
    slides: Any,
    rewards: Any,
    lines: Any,
    words: Any,
    floats: Any,
) -> Any:
    """Search on until done or until about ``budget`` more evaluations (a hit costs eight); say whether it is done.

    The whole state of the search stands in ``nodes``, ``numbers`` and ``control``, so that a caller with a deadline
    looks at the clock between two calls. ``root[a]`` becomes the value of action a, nan where it is illegal.

    An entry of the table has four words: the afterstate; generation and depth; value; width, which is reach / cutoff:
    beside board and depth a value depends on reach and cutoff, and on these through their ratio alone.
    """
    level = control[LEVEL]
    stop = control[EVALUATIONS] + 8 * control[HITS] + budget
    cutoff, lost, unit = limits[CUTOFF], limits[LOST], limits[UNIT]
    per_cutoff = 1.0 / cutoff if cutoff > 0.0 else np.inf
    use_rewards, inside = settings[USE_REWARDS] != 0, U(settings[INSIDE])
    tabled, generation = settings[TABLE_BITS] > 0, U(settings[GENERATION]) << _8
    # A search without a table has one of two entries and never fills it.
    shift = U(64) - U(max(1, settings[TABLE_BITS]))
    while control[EVALUATIONS] + 8 * control[HITS] < stop:
        pending = nodes[level, PENDING]
        if pending != _0:
            # Open the chance node after the next action.
            board = nodes[level, CHILD]
            bit = pending & (~pending + _1)
            nodes[level, PENDING] = pending ^ bit
            action = U(bit > _1) + U(bit > _2) + U(bit > _4)
            numbers[level, GAIN] = np.float64(reward_of(board, action, rewards)) if use_rewards else 0.0
            if level == 0:
                control[ROOT_ACTION] = np.int64(action)
            after = slide(board, action, slides)
            level += 1
            nodes[level, BOARD], nodes[level, TODO], nodes[level, FOUR] = after, empty_cells(after), _0
            numbers[level, TOTAL], numbers[level, CHANCE_REACH] = 0.0, numbers[level - 1, REACH]
        elif level > 0:
            # The MAX node is done.
            value = numbers[level, BEST]
            control[MAX_NODES if value > -np.inf else TERMINALS] += 1
            numbers[level, TOTAL] += numbers[level, PROBABILITY] * (value if value > -np.inf else lost)
        elif nodes[0, TODO] == _0:
            return True
        after, todo, four = nodes[level, BOARD], nodes[level, TODO], nodes[level, FOUR]
        total, node_reach = numbers[level, TOTAL], numbers[level, CHANCE_REACH]
        n = count(empty_cells(after))
        depth = settings[DEPTH] - 1 - level
        pending = _0
        while todo != _0 and pending == _0:
            # The next outcome, or the root itself, is a MAX node: value all its afterstates that need no stack.
            if level == 0:
                board, probability, todo = after, 1.0, _0
            else:
                board, probability = after | ((todo & (~todo + _1)) << four), chances[n, four]
                todo &= todo - four
                four ^= _1
            if probability == 0.0:
                continue
            reach = node_reach * probability
            if reach < cutoff:
                if settings[KIND] == 0:
                    total += probability * shallow_max(board, lost, unit, lines, inside, control)
                else:
                    total += probability * step_max(board, settings, limits, slides, rewards, lines, control)
                continue
            best = -np.inf
            width, tag = reach * per_cutoff, generation | U(depth)
            columns = transpose(board)
            c0, c1 = slide_rows(board, _0, slides), slide_rows(board, _1 << _16, slides)
            c2, c3 = slide_rows(columns, _0, slides), slide_rows(columns, _1 << _16, slides)
            c2, c3 = transpose(c2), transpose(c3)
            s0, s1 = ((c0 * _GAMMA) >> shift) << _2, ((c1 * _GAMMA) >> shift) << _2
            s2, s3 = ((c2 * _GAMMA) >> shift) << _2, ((c3 * _GAMMA) >> shift) << _2
            # Read the four entries at once, so that their ways from memory overlap.
            nodes[level, HINT] = words[s0] ^ words[s1] ^ words[s2] ^ words[s3]
            for a in range(4):
                child = c0 if a == 0 else c1 if a == 1 else c2 if a == 2 else c3
                slot = s0 if a == 0 else s1 if a == 1 else s2 if a == 2 else s3
                if child == board:
                    continue
                # A chance node whose children need no stack has one value at every depth and reach; it is kept as of
                # depth 1. Any other entry answers if it is of this depth and searched at least as wide: never less
                # than was asked. Deeper entries would be no worse each, but values of mixed depths do not compare.
                m = count(empty_cells(child))
                p2, p4 = chances[m, 0], chances[m, 1]
                shallow = depth == 1 or reach * max(p2, p4) < cutoff
                known = words[slot | _1]
                if depth == 0:
                    control[EVALUATIONS] += 1
                    value = leaf(child, settings[KIND], unit, lines, inside)
                elif words[slot] == child and (
                    (known == tag and floats[slot | _3] >= width) or (shallow and known == generation | _1)
                ):
                    control[HITS] += 1
                    value = floats[slot | _2]
                elif not shallow:
                    pending |= _1 << U(a)
                    continue
                else:
                    if settings[KIND] == 0:
                        value = shallow_chance(child, p2, p4, unit, lost, lines, inside, control)
                    elif settings[KIND] == 2:
                        value = net_chance(child, p2, p4, settings, limits, slides, rewards, lines, control)
                    else:
                        value = article_chance(child, p2, p4, settings, limits, slides, rewards, lines, control)
                    if tabled:
                        words[slot], words[slot | _1] = child, generation | _1
                        floats[slot | _2], floats[slot | _3] = value, np.inf
                if use_rewards:
                    value += np.float64(reward_of(board, U(a), rewards))
                best = max(best, value)
                if level == 0:
                    root[a] = value
            if pending == _0:
                control[MAX_NODES if best > -np.inf else TERMINALS] += 1
                total += probability * (best if best > -np.inf else lost)
            else:
                control[MAX_NODES] += level == 0
                nodes[level, CHILD], nodes[level, PENDING] = board, pending
                numbers[level, PROBABILITY], numbers[level, REACH], numbers[level, BEST] = probability, reach, best
        nodes[level, TODO], nodes[level, FOUR], numbers[level, TOTAL] = todo, four, total
        if pending == _0 and level > 0:
            # The chance node is done.
            control[CHANCE_NODES] += 1
            if tabled:
                slot = ((after * _GAMMA) >> shift) << _2
                words[slot], words[slot | _1] = after, generation | U(depth + 1)
                floats[slot | _2], floats[slot | _3] = total, node_reach * per_cutoff
            level -= 1
            total += numbers[level, GAIN]
            numbers[level, BEST] = max(numbers[level, BEST], total)
            if level == 0:
                root[control[ROOT_ACTION]] = total
        control[LEVEL] = level
    return level == 0 and nodes[0, TODO] == _0 and nodes[0, PENDING] == _0


@njit()
def best_action(root: Any) -> Any:
    """Return the first action with the best value."""
    best: Any = 0
    for action in range(1, 4):
        if not root[action] <= root[best] and root[action] == root[action]:
            best = action
    return best


@njit()
def start(board: Any, nodes: Any, numbers: Any, control: Any, root: Any) -> Any:
    """Prepare a search: the root stands where an outcome of a chance node would, with one outcome to go."""
    control[LEVEL] = 0
    nodes[0, BOARD], nodes[0, TODO], nodes[0, PENDING] = board, _1, _0
    numbers[0, CHANCE_REACH], numbers[0, TOTAL] = 1.0, 0.0
    root[:] = np.nan


@njit()
def ranks(board: Any) -> Any:
    """Return bit r set for every rank r on a board."""
    seen = _0
    for _ in range(16):
        seen |= _1 << (board & _15)
        board = board >> _4
    return seen


@njit()
def downgrade(board: Any, largest: Any) -> Any:
    """Return what `net.downgrade` makes of a board, for a largest rank."""
    seen = ranks(board) & ~_1
    while seen >> U(largest + 1) != _0:
        gap = np.int64(15)
        while seen >> U(gap) == _0:
            gap -= 1
        while (seen >> U(gap)) & _1 != _0:
            gap -= 1
        if gap < 6 or count(empty_cells(~board)) > _1:
            break
        for cell in range(16):
            if (board >> U(4 * cell)) & _15 > U(gap):
                board -= _1 << U(4 * cell)
        seen = ranks(board) & ~_1
    return board


@njit()
def play_game(
    state: Any,
    nodes: Any,
    numbers: Any,
    control: Any,
    root: Any,
    settings: Any,
    limits: Any,
    chances: Any,
    slides: Any,
    rewards: Any,
    lines: Any,
    words: Any,
    floats: Any,
    cumulative: Any,
    four_from: Any,
) -> Any:
    """Play a whole game with the best action of every search; return score, moves and the last board."""
    board = first_board(state, cumulative, four_from)
    state += _GAMMA + _GAMMA
    score = moves = np.int64(0)
    while legal_slides(board) != _0:
        start(downgrade(board, settings[LARGEST]), nodes, numbers, control, root)
        settings[GENERATION] += 1
        while not search(
            nodes, numbers, control, root, 1 << 60, settings, limits, chances, slides, rewards, lines, words, floats
        ):
            pass
        action = U(best_action(root))
        score += reward_of(board, action, rewards)
        state += _GAMMA
        board = spawn(slide(board, action, slides), mix(state), cumulative, four_from)
        moves += 1
    return score, moves, board
