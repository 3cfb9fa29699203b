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


# ----------------------------------------------------------------------------------------------------- expectimax
#
# A MAX node whose afterstates are all evaluated, not searched, is *shallow*. Shallow nodes are almost the whole tree,
# and `shallow_chance` values all those under one chance node together. The rest runs on an explicit stack with one
# level for a chance node and the MAX node under way below it; level 0 has the root alone.

BOARD, TODO, FOUR, CHILD, ACTION = range(5)
"""Columns of ``nodes``: the afterstate, its empty cells still to fill, whether the lowest of them gets the 4 next; the
MAX node under way (0: none yet) and its next action."""
TOTAL, CHANCE_REACH, PROBABILITY, REACH, BEST, GAIN = range(6)
"""Columns of ``numbers``: the sum over finished outcomes and the reach of the afterstate; probability, reach and best
value of the MAX node; the reward of its slide under way."""
LEVEL, MAX_NODES, CHANCE_NODES, TERMINALS, EVALUATIONS, HITS = range(6)
"""Entries of ``control``: the level that runs, and the counters."""
DEPTH, KIND, GENERATION, TABLE_SIZE, USE_REWARDS = range(5)
"""Entries of ``settings``. Kind 0 is a sum of row values, kind 1 the source article's formula."""
CUTOFF, TERMINAL, UNIT = range(3)
"""Entries of ``limits``: the reach below which an afterstate is evaluated, the value of a lost game, the unit of rows."""
ILLEGAL = np.int64(-(1 << 62))


@njit()
def leaf(after: Any, kind: Any, unit: Any, values: Any) -> Any:
    """Evaluate an afterstate. ``values`` holds the outer lines' values by row, then the inner ones'."""
    t = transpose(after)
    if kind == 0:
        inner = _1 << _16
        total = np.int64(values[after & ROW]) + values[after >> _48] + values[t & ROW] + values[t >> _48]
        total += np.int64(values[inner | ((after >> _16) & ROW)]) + values[inner | ((after >> _32) & ROW)]
        total += np.int64(values[inner | ((t >> _16) & ROW)]) + values[inner | ((t >> _32) & ROW)]
        return np.float64(total) * unit
    zigzag = np.int64(sum_rows(after, values)) + sum_rows(t, values)
    return 2.7 * np.float64(count(empty_cells(after))) - np.float64(zigzag) + 1.5 * np.float64(after & _15)


@njit()
def reward_of(board: Any, action: Any, rewards: Any) -> Any:
    """Return what a slide earns; ``rewards`` by row, the same to the left and to the right."""
    return sum_rows(transpose(board) if action >= _2 else board, rewards)


@njit()
def shallow_max(board: Any, settings: Any, limits: Any, slides: Any, rewards: Any, values: Any, control: Any) -> Any:
    """Return the value of one shallow MAX node."""
    best = -np.inf
    for a in range(4):
        action = U(a)
        after = slide(board, action, slides)
        if after != board:
            control[EVALUATIONS] += 1
            value = leaf(after, settings[KIND], limits[UNIT], values)
            if settings[USE_REWARDS] != 0:
                value += np.float64(reward_of(board, action, rewards))
            best = max(best, value)
    control[MAX_NODES if best > -np.inf else TERMINALS] += 1
    return best if best > -np.inf else limits[TERMINAL]


@njit()
def slid_rows(x: Any, base: Any, slides: Any, gains: Any) -> Any:
    """Slide all rows to one side: the slid board transposed, the sum of gains, and bit r for a row that stays."""
    moved, still, gain = _0, _0, np.int64(0)
    for r in range(4):
        row = (x >> U(16 * r)) & ROW
        after = U(slides[base | row])
        moved |= spread(after) << U(4 * r)
        still |= U(after == row) << U(r)
        gain += gains[(U(r == 1 or r == 2) << _17) | base | row]
    return moved, gain, still


@njit()
def slid_value(after: Any, kind: Any, new: Any, shift: Any, rest: Any, gain: Any, gains: Any, values: Any) -> Any:
    """Value a slide that turns one row from ``new`` into ``after``; the other rows give ``rest`` and ``gain``."""
    t = rest | (spread(after) << shift)
    inner = _1 << _16
    outer_sum = gain + gains[kind | new] + values[t & ROW] + values[t >> _48]
    return outer_sum + values[inner | ((t >> _16) & ROW)] + values[inner | ((t >> _32) & ROW)]


@njit()
def line_values(x: Any, flip: Any, slides: Any, gains: Any, values: Any, best: Any, legal: Any) -> Any:
    """Value the slides along the rows of ``x`` after each spawn: the better of two, in units of the row values.

    ``best[i, t]`` is set, and with ``flip`` raised, to that value after tile t + 1 came to cell i; ``legal[i, t]``
    counts the legal slides. With ``flip``, x is the transposed board and i counts its cells by columns.

    A spawn changes one row, so three rows slide as they do without it; and from all cells of one gap between tiles
    the new tile slides to the same place. ``gains`` holds value plus reward of a row after its slide, by kind of row
    (outer, inner), side and row.
    """
    empty = empty_cells(x)
    side = _1 << _16
    moved_l, gain_l, still_l = slid_rows(x, _0, slides, gains)
    moved_r, gain_r, still_r = slid_rows(x, side, slides, gains)
    for r in range(4):
        gaps = (empty >> U(16 * r)) & ROW
        if gaps == _0:
            continue
        row = (x >> U(16 * r)) & ROW
        kind, shift = U(r == 1 or r == 2) << _17, U(4 * r)
        hole = ~(COLUMN << shift)
        rest_l, rest_r = moved_l & hole, moved_r & hole
        fixed_l, fixed_r = (still_l | (_1 << U(r))) == _15, (still_r | (_1 << U(r))) == _15
        others_l, others_r = gain_l - gains[kind | row], gain_r - gains[kind | side | row]
        for t in range(2):
            inside = False
            for c in range(4):
                if (gaps >> U(4 * c)) & _1 == _0:
                    inside = False
                    continue
                new = row | (U(t + 1) << U(4 * c))
                if not inside:
                    inside = True
                    left, right = U(slides[new]), U(slides[side | new])
                    value_l = slid_value(left, kind, new, shift, rest_l, others_l, gains, values)
                    value_r = slid_value(right, kind | side, new, shift, rest_r, others_r, gains, values)
                # The gap decides where the tile goes, the cell whether that is a move.
                legal_l, legal_r = not fixed_l or left != new, not fixed_r or right != new
                value = max(value_l if legal_l else ILLEGAL, value_r if legal_r else ILLEGAL)
                i = 4 * c + r if flip else 4 * r + c
                best[i, t] = max(best[i, t], value) if flip else value
                legal[i, t] = (legal[i, t] if flip else 0) + legal_l + legal_r


@njit()
def shallow_chance(
    after: Any,
    chances: Any,
    settings: Any,
    limits: Any,
    slides: Any,
    rewards: Any,
    gains: Any,
    values: Any,
    best: Any,
    legal: Any,
    control: Any,
) -> Any:
    """Return the value of a chance node whose children are all shallow."""
    empty = empty_cells(after)
    n = count(empty)
    total = 0.0
    if settings[KIND] == 0:
        line_values(after, False, slides, gains, values, best, legal)
        line_values(transpose(after), True, slides, gains, values, best, legal)
    for i in range(16):
        cell = _1 << U(4 * i)
        if empty & cell == _0:
            continue
        for t in range(2):
            if chances[n, t] == 0.0:
                continue
            if settings[KIND] != 0:
                value = shallow_max(after | (cell << U(t)), settings, limits, slides, rewards, values, control)
            elif legal[i, t] == 0:
                value = limits[TERMINAL]
                control[TERMINALS] += 1
            else:
                value = np.float64(best[i, t]) * limits[UNIT]
                control[MAX_NODES] += 1
                control[EVALUATIONS] += legal[i, t]
            total += chances[n, t] * value
    control[CHANCE_NODES] += 1
    return total


@njit()
def table_slot(board: Any, settings: Any) -> Any:
    """Return where an afterstate stands in the table: the top bits of a product, four words per entry."""
    return ((board * _GAMMA) >> (U(64) - U(settings[TABLE_SIZE]))) << _2


@njit()
def table_tag(depth: Any, settings: Any) -> Any:
    """Return the word that says how deep, and in which generation, an entry was searched."""
    return (U(settings[GENERATION]) << _8) | U(depth)


@njit()
def found(slot: Any, board: Any, depth: Any, width: Any, settings: Any, limits: Any, words: Any, floats: Any) -> Any:
    """Say whether an entry answers for an afterstate.

    Beside board and depth, a value depends on reach and cutoff, and on these through ``width`` = reach / cutoff alone.
    Without a cutoff the depth must be the same, so that values are those of plain search. With one, an entry searched
    at least as deep and at least as wide will do: the answer is never coarser than what was asked for.
    """
    if words[slot] != board or (words[slot + _1] >> _8) != U(settings[GENERATION]):
        return False
    if limits[CUTOFF] == 0.0:
        return (words[slot + _1] & U(255)) == U(depth)
    return (words[slot + _1] & U(255)) >= U(depth) and floats[slot + _3] >= width


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
    gains: Any,
    values: Any,
    words: Any,
    floats: Any,
    best: Any,
    legal: Any,
) -> Any:
    """Search on until done or until about ``budget`` more evaluations; say whether it is done.

    The whole state of the search stands in ``nodes``, ``numbers`` and ``control``, so that a caller with a deadline
    looks at the clock between two calls. ``root[a]`` becomes the value of action a, nan where it is illegal.
    """
    level = control[LEVEL]
    stop = control[EVALUATIONS] + budget
    cutoff = limits[CUTOFF]
    per_cutoff = 1.0 / cutoff if cutoff > 0.0 else np.inf
    while control[EVALUATIONS] < stop:
        if nodes[level, ACTION] < _4:
            action, board = nodes[level, ACTION], nodes[level, CHILD]
            nodes[level, ACTION] = action + _1
            after = slide(board, action, slides)
            if after == board:
                continue
            gain = np.float64(reward_of(board, action, rewards)) if settings[USE_REWARDS] != 0 else 0.0
            depth, reach = settings[DEPTH] - 1 - level, numbers[level, REACH]
            slot = table_slot(after, settings)
            if depth == 0:
                control[EVALUATIONS] += 1
                value = leaf(after, settings[KIND], limits[UNIT], values)
            elif settings[TABLE_SIZE] > 0 and found(
                slot, after, depth, reach * per_cutoff, settings, limits, words, floats
            ):
                control[HITS] += 1
                value = floats[slot + _2]
            else:
                n = count(empty_cells(after))
                if depth > 1 and reach * max(chances[n, 0], chances[n, 1]) >= cutoff:
                    numbers[level, GAIN] = gain
                    level += 1
                    nodes[level, BOARD], nodes[level, TODO], nodes[level, FOUR] = after, empty_cells(after), _0
                    nodes[level, CHILD], nodes[level, ACTION] = _0, _4
                    numbers[level, TOTAL], numbers[level, CHANCE_REACH] = 0.0, reach
                    continue
                value = shallow_chance(
                    after, chances, settings, limits, slides, rewards, gains, values, best, legal, control
                )
                if settings[TABLE_SIZE] > 0:
                    words[slot], words[slot + _1] = after, table_tag(depth, settings)
                    floats[slot + _2], floats[slot + _3] = value, reach * per_cutoff
            value += gain
            numbers[level, BEST] = max(numbers[level, BEST], value)
            if level == 0:
                root[action] = value
            continue
        # The MAX node of this level is done: add its value to the chance node above it, then find the next outcome.
        if level == 0:
            control[LEVEL] = 0
            return True
        after, todo = nodes[level, BOARD], nodes[level, TODO]
        n = count(empty_cells(after))
        total, reach = numbers[level, TOTAL], numbers[level, CHANCE_REACH]
        if nodes[level, CHILD] != _0:
            value = numbers[level, BEST]
            control[MAX_NODES if value > -np.inf else TERMINALS] += 1
            total += numbers[level, PROBABILITY] * (value if value > -np.inf else limits[TERMINAL])
        child = _0
        while todo != _0 and child == _0:
            cell = todo & (~todo + _1)
            four = nodes[level, FOUR]
            nodes[level, FOUR] = _1 - four
            if four == _1:
                todo ^= cell
            probability = chances[n, four]
            if probability == 0.0:
                continue
            child = after | (cell << four)
            if reach * probability < cutoff:
                total += probability * shallow_max(child, settings, limits, slides, rewards, values, control)
                child = _0
        nodes[level, TODO], numbers[level, TOTAL] = todo, total
        if child != _0:
            nodes[level, CHILD], nodes[level, ACTION] = child, _0
            numbers[level, PROBABILITY], numbers[level, REACH] = probability, reach * probability
            numbers[level, BEST] = -np.inf
            continue
        control[CHANCE_NODES] += 1
        if settings[TABLE_SIZE] > 0:
            slot = table_slot(after, settings)
            words[slot], words[slot + _1] = after, table_tag(settings[DEPTH] - level, settings)
            floats[slot + _2], floats[slot + _3] = total, reach * per_cutoff
        level -= 1
        total += numbers[level, GAIN]
        numbers[level, BEST] = max(numbers[level, BEST], total)
        if level == 0:
            root[nodes[0, ACTION] - _1] = total
    control[LEVEL] = level
    return False


@njit()
def start_search(board: Any, nodes: Any, numbers: Any, control: Any, root: Any) -> Any:
    """Put a decision state on the empty stack."""
    control[LEVEL] = 0
    nodes[0, CHILD], nodes[0, ACTION] = board, _0
    numbers[0, REACH], numbers[0, BEST] = 1.0, -np.inf
    root[:] = np.nan


@njit()
def best_action(root: Any) -> Any:
    """Return the first action with the best value."""
    best = 0
    for action in range(1, 4):
        if not root[action] <= root[best] and root[action] == root[action]:
            best = action
    return best
