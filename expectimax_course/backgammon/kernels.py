"""The compiled twin of ``rules``, ``inputs``, ``net`` and of the search and self-play on them. Standard board only.

One file, because a kernel and its helpers must share one (see ``_jit``). It has four parts: plays, the network,
search, learning.

A board is an int8 array of shape (2, 26): row 0 the side that is named first, row 1 its opponent, each seen from its
own end as in ``rules``. In an afterstate the mover is still row 0; the network sees it flipped, because the opponent is
on roll. Values are points in the view of row 0.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from expectimax_course._jit import njit
from expectimax_course.backgammon.inputs import N_INPUTS, ON_ROLL, escapes
from expectimax_course.backgammon.rules import rolls
from expectimax_course.rng import mix

Board = NDArray[np.int8]
Floats = NDArray[np.float32]

BAR = 25
MAX_PLAYS = 3072
"""Four equal steps are a multiset of four out of 15 checkers at most: C(18, 4) = 3060 plays."""

ROLLS = np.array([roll for roll, _ in rolls()], dtype=np.int64)
PROBABILITIES = np.array([probability for _, probability in rolls()], dtype=np.float64)


class Weights(NamedTuple):
    """One network for everything (parts = 1), or one for contact and then one for races (parts = 2)."""

    w1: Floats  # (parts, n_inputs, hidden)
    w2: Floats  # (parts, hidden, 5)
    b2: Floats  # (parts, 5)


class Tables(NamedTuple):
    """What kernels read: globals would be frozen into the compiled code."""

    rolls: NDArray[np.int64]  # (21, 2), the larger die first
    chances: NDArray[np.float64]  # (21,)
    keys: NDArray[np.int64]  # (2, 26)
    escapes: NDArray[np.int64]  # (4096,), see ``inputs``
    empty: Board  # (2, 26), no checkers


class Scratch(NamedTuple):
    """What kernels write on: the plays of one roll, and the layers of one evaluation."""

    plays: Board  # (MAX_PLAYS, 2, 26), afterstates with the mover in row 0
    steps: NDArray[np.int16]  # (MAX_PLAYS, 4), each 8 · source + die, 0 where there is none
    seen: NDArray[np.int64]  # (MAX_PLAYS,)
    path: NDArray[np.int16]  # (4,)
    work: Board  # (2, 26)
    base: Board  # (2, 26), the board before the plays, as the network sees it
    sums: Floats  # (hidden,), of the raw inputs of ``base``
    units: NDArray[np.int64]  # (128,), a list of inputs …
    amounts: Floats  # (128,), … and how much of each
    hidden: Floats  # (hidden,)
    change: Floats  # (hidden,)
    out: Floats  # (5,)
    values: NDArray[np.float64]  # (MAX_PLAYS,), what each play is worth to the mover
    favourites: NDArray[np.int16]  # (3, 21, 4): by checkers on the bar (0, 1, more) and roll, the best steps so far
    expected: NDArray[np.float64]  # (21,), what each roll was worth when last searched in full
    leaves: NDArray[np.int64]  # (1,), evaluations so far


KEYS = np.array([[mix(26 * side + point + 1) >> 6 for point in range(26)] for side in range(2)], dtype=np.int64)
"""Random numbers, of 58 bits so that no sum of them overflows; their sum over the steps tells plays apart."""

TABLES = Tables(
    ROLLS,
    PROBABILITIES,
    KEYS,
    np.array([escapes(window) for window in range(4096)], dtype=np.int64),
    np.zeros((2, 26), np.int8),
)


def new_scratch(hidden: int) -> Scratch:
    """Return scratch space for networks of ``hidden`` units."""
    return Scratch(
        np.zeros((MAX_PLAYS, 2, 26), np.int8),
        np.zeros((MAX_PLAYS, 4), np.int16),
        np.zeros(MAX_PLAYS, np.int64),
        np.zeros(4, np.int16),
        np.zeros((2, 26), np.int8),
        np.zeros((2, 26), np.int8),
        np.zeros(hidden, np.float32),
        np.zeros(128, np.int64),
        np.zeros(128, np.float32),
        np.zeros(hidden, np.float32),
        np.zeros(hidden, np.float32),
        np.zeros(5, np.float32),
        np.zeros(MAX_PLAYS),
        np.zeros((3, len(ROLLS), 4), np.int16),
        np.zeros(len(ROLLS)),
        np.zeros(1, np.int64),
    )


# --- plays -----------------------------------------------------------------------------------------------------------


@njit()
def _top(own: Any) -> int:
    """Return the highest point with a checker."""
    point = BAR
    while point > 0 and own[point] == 0:
        point -= 1
    return point


@njit()
def _can_move(board: Any, source: int, die: int, top: int) -> bool:
    if board[0, source] == 0 or (top == BAR and source != BAR):
        return False
    destination = source - die
    if destination > 0:
        return bool(board[1, BAR - destination] < 2)
    return top <= 6 and (destination == 0 or source == top)


@njit()
def _step(board: Any, source: int, die: int) -> bool:
    """Move a checker of row 0; return whether it hit."""
    destination = max(source - die, 0)
    board[0, source] -= 1
    board[0, destination] += 1
    if destination > 0 and board[1, BAR - destination] == 1:
        board[1, BAR - destination] = 0
        board[1, BAR] += 1
        return True
    return False


@njit()
def _undo(board: Any, source: int, die: int, hit: bool) -> None:
    destination = max(source - die, 0)
    board[0, destination] -= 1
    board[0, source] += 1
    if hit:
        board[1, BAR - destination] = 1
        board[1, BAR] -= 1


@njit()
def _step_key(source: int, die: int, hit: bool, keys: Any) -> int:
    """Return by how much a step changes the sum of keys."""
    destination = max(source - die, 0)
    change = keys[0, destination] - keys[0, source]
    if hit:
        change += keys[1, BAR] - keys[1, BAR - destination]
    return int(change)


@njit()
def _store(board: Any, key: int, count: int, scratch: Any) -> int:
    """Append the board and the path to it unless its key was seen; return the new count."""
    for i in range(count):
        if scratch.seen[i] == key:
            return count
    for side in range(2):
        for point in range(26):
            scratch.plays[count, side, point] = board[side, point]
    for i in range(4):
        scratch.steps[count, i] = scratch.path[i]
    scratch.seen[count] = key
    return count + 1


@njit()
def _two_dice(board: Any, first: int, second: int, keys: Any, count: int, scratch: Any) -> int:
    """Store the boards after ``first`` and then ``second``; return the new count."""
    top = _top(board[0])
    for source in range(top, 0, -1):
        if not _can_move(board, source, first, top):
            continue
        hit = _step(board, source, first)
        key = _step_key(source, first, hit, keys)
        scratch.path[0] = 8 * source + first
        next_top = _top(board[0])
        for other in range(next_top, 0, -1):
            if _can_move(board, other, second, next_top):
                other_hit = _step(board, other, second)
                scratch.path[1] = 8 * other + second
                count = _store(board, key + _step_key(other, second, other_hit, keys), count, scratch)
                _undo(board, other, second, other_hit)
        _undo(board, source, first, hit)
    return count


@njit()
def _one_die(board: Any, die: int, keys: Any, scratch: Any) -> int:
    """Store the boards after one step; return their number."""
    count = 0
    scratch.path[1] = 0
    top = _top(board[0])
    for source in range(top, 0, -1):
        if _can_move(board, source, die, top):
            hit = _step(board, source, die)
            scratch.path[0] = 8 * source + die
            count = _store(board, _step_key(source, die, hit, keys), count, scratch)
            _undo(board, source, die, hit)
    return count


@njit()
def _doubles(board: Any, die: int, scratch: Any) -> int:
    """Store the boards after as many of four equal steps as there are, from the highest source down.

    Any play can be put into that order, so none is lost and each board comes up once. This is a walk over the tree of
    steps without recursion: ``path`` holds the steps down to the current node, ``resume`` the source to try next.
    """
    count = most = depth = 0
    resume = np.zeros(5, np.int64)
    hits = np.zeros(5, np.bool_)
    stuck = np.ones(5, np.bool_)
    resume[0] = _top(board[0])
    while depth >= 0:
        top = _top(board[0])
        source = resume[depth] if depth < 4 else 0
        while source > 0 and not _can_move(board, source, die, top):
            source -= 1
        if source > 0:
            stuck[depth] = False
            resume[depth] = source - 1
            scratch.path[depth] = 8 * source + die
            hits[depth] = _step(board, source, die)
            depth += 1
            resume[depth] = source
            stuck[depth] = True
            continue
        if stuck[depth] and depth >= most and depth > 0:
            count = _store(board, count, count if depth == most else 0, scratch)
            most = depth
        depth -= 1
        if depth >= 0:
            _undo(board, scratch.path[depth] // 8, die, hits[depth])
            scratch.path[depth] = 0
    return count


@njit()
def generate(board: Any, high: int, low: int, keys: Any, scratch: Any) -> int:
    """Write the afterstates of one roll to ``scratch.plays`` and return their number.

    ``board`` (2, 26) int8 has the mover in row 0; it is changed on the way and restored. Where nothing can be played
    the one afterstate is the board itself.
    """
    scratch.path[:] = 0
    if high == low:
        count = _doubles(board, high, scratch)
    else:
        count = _two_dice(board, high, low, keys, 0, scratch)
        count = _two_dice(board, low, high, keys, count, scratch)
        if count == 0:
            count = _one_die(board, high, keys, scratch)
        if count == 0:
            count = _one_die(board, low, keys, scratch)
    if count == 0:
        scratch.path[:] = 0
        count = _store(board, 0, 0, scratch)
    return count


# --- the network -----------------------------------------------------------------------------------------------------
#
# A play changes few inputs. So the hidden layer's sums over the raw inputs are taken once for the board before the
# plays (`prepare`), and each play adds what it changes (`value_plays`).


@njit()
def _part(board: Any, parts: int) -> int:
    """Return which network values the board: 1, the race network, once the sides have passed each other."""
    return 1 if parts == 2 and _top(board[0]) + _top(board[1]) < BAR else 0


@njit()
def _changes(before: Any, after: Any, units: Any, amounts: Any) -> int:
    """List the raw inputs in which two boards differ, and by how much; return their number."""
    half = np.float32(0.5)
    n = 0
    for side in range(2):
        first = 98 * side
        for point in range(1, BAR):
            old, new = before[side, point], after[side, point]
            if old != new:
                unit = first + 4 * (point - 1)
                for k in range(min(old, new), min(max(old, new), 3)):
                    units[n] = unit + k
                    amounts[n] = 1 if new > old else -1
                    n += 1
                if max(old, new) > 3:
                    units[n] = unit + 3
                    amounts[n] = half * np.float32(max(new, 3) - max(old, 3))
                    n += 1
        if before[side, BAR] != after[side, BAR]:
            units[n] = first + 96
            amounts[n] = half * np.float32(after[side, BAR] - before[side, BAR])
            n += 1
        if before[side, 0] != after[side, 0]:
            units[n] = first + 97
            amounts[n] = np.float32(after[side, 0] - before[side, 0]) / np.float32(15)
            n += 1
    return n


@njit()
def _hits(men: int, bar: int, blots: int, walls: int) -> Any:
    """Return how many of the 36 rolls hit, and the pips that they cost, as in ``inputs``."""
    rolls = cost = 0
    movers = 1 << BAR if bar > 0 else men
    for high in range(1, 7):
        first = movers >> high
        for low in range(1, high + 1):
            second = movers >> low
            struck = (first | second) & blots
            if bar == 1:
                if first & ~walls:
                    struck |= ((men | first) >> low) & blots
                if second & ~walls:
                    struck |= ((men | second) >> high) & blots
            elif bar == 0:
                struck |= (((first & ~walls) >> low) | ((second & ~walls) >> high)) & blots
                if high == low:
                    third = (((first & ~walls) >> low) & ~walls) >> low
                    struck |= (third | ((third & ~walls) >> low)) & blots
            if struck:
                chance = 1 if high == low else 2
                dearest = 24
                while not struck >> dearest & 1:
                    dearest -= 1
                rolls += chance
                cost += chance * dearest
    return rolls, cost


@njit()
def _experts(board: Any, escapes: Any, units: Any, amounts: Any, n: int) -> int:
    """Append the expert inputs to a list of n inputs; return the new number."""
    for side in range(2):
        men = blots = walls = pips = behind = closed = 0
        top, back = _top(board[side]), _top(board[1 - side])
        bar = int(board[side, BAR])
        for point in range(1, 26):
            theirs = int(board[1 - side, 25 - point]) if point < BAR else 0
            if theirs == 1:
                blots |= 1 << point
            elif theirs > 1:
                walls |= 1 << point
            count = int(board[side, point])
            if count > 0:
                pips += count * point
                behind += count * max(point + back - 25, 0)
                if point < BAR:
                    men |= 1 << point
            if point < 7 and board[1 - side, point] > 1:
                closed += 1
        rolls = cost = freedom = full = 0
        if blots:
            rolls, cost = _hits(men, bar, blots, walls)
        window = walls << 12
        mean = pips / 15.0
        strung = 0.0
        fewest = 36
        for point in range(1, 26):
            free = escapes[(window >> point) & 4095]
            count = int(board[side, point])
            if count > 0 and point > 6:
                freedom += count * (point - 6) * free
            if count > 0 and point > mean:
                strung += count * (point - mean) * (point - mean)
            if point > 16:
                full += free
                fewest = min(fewest, free)
        amounts[n] = np.float32(rolls) / np.float32(12)
        amounts[n + 1] = np.float32(cost) / np.float32(144)
        amounts[n + 2] = np.float32(escapes[(window >> top) & 4095]) / np.float32(12)
        amounts[n + 3] = np.float32(behind) / np.float32(50)
        amounts[n + 4] = np.float32(closed * closed) / np.float32(18)
        amounts[n + 5] = amounts[n + 4] if bar > 0 else np.float32(0)
        amounts[n + 6] = np.float32(fewest) / np.float32(12)
        amounts[n + 7] = np.float32(full) / np.float32(108)
        amounts[n + 8] = np.float32(freedom) / np.float32(1200)
        amounts[n + 9] = np.float32(strung) / np.float32(400)
        for k in range(10):
            units[n + k] = N_INPUTS + 10 * side + k
        n += 10
    return n


@njit()
def _active(board: Any, expert: bool, tables: Any, scratch: Any) -> int:
    """List the inputs that are not 0, but for the one of the side on roll, and return their number."""
    n = _changes(tables.empty, board, scratch.units, scratch.amounts)
    return _experts(board, tables.escapes, scratch.units, scratch.amounts, n) if expert else n


@njit()
def _add(start: Any, n: int, units: Any, amounts: Any, w1: Any, part: int, sums: Any) -> None:
    """Write ``start`` plus what the first n listed inputs add to the hidden layer."""
    for j in range(sums.size):
        sums[j] = start[j]
    for i in range(n):
        unit, amount = units[i], amounts[i]
        for j in range(sums.size):
            sums[j] += amount * w1[part, unit, j]


@njit(error_model="numpy")
def _logistic(z: Any) -> None:
    """Replace each number by its logistic, (1 + tanh(z / 2)) / 2, with tanh as a quotient of two polynomials.

    Right to 1e-7. Without branches or library calls, it is computed for eight numbers at once, with the same bits on
    every processor. The coefficients are those of the library Eigen.
    """
    half, most = np.float32(0.5), np.float32(9)
    for j in range(z.size):
        x = half * z[j]
        x = -most if x < -most else x
        x = most if x > most else x
        q = x * x
        over = np.float32(-2.76076847742355e-16)
        over = over * q + np.float32(2.00018790482477e-13)
        over = over * q + np.float32(-8.60467152213735e-11)
        over = over * q + np.float32(5.12229709037114e-08)
        over = over * q + np.float32(1.48572235717979e-05)
        over = over * q + np.float32(6.37261928875436e-04)
        over = over * q + np.float32(4.89352455891786e-03)
        under = np.float32(1.19825839466702e-06)
        under = under * q + np.float32(1.18534705686654e-04)
        under = under * q + np.float32(2.26843463243900e-03)
        under = under * q + np.float32(4.89352518554385e-03)
        z[j] = half + half * x * over / under


@njit()
def _outputs(hidden: Any, w2: Any, b2: Any, part: int, out: Any) -> None:
    """Write the five outputs of a hidden layer, whose halves are summed side by side: that is faster."""
    half = hidden.size // 2
    a, b, c, d, e = b2[part, 0], b2[part, 1], b2[part, 2], b2[part, 3], b2[part, 4]
    f = g = h = i = j = np.float32(0)
    for n in range(half):
        x, y = hidden[n], hidden[n + half]
        a += x * w2[part, n, 0]
        b += x * w2[part, n, 1]
        c += x * w2[part, n, 2]
        d += x * w2[part, n, 3]
        e += x * w2[part, n, 4]
        f += y * w2[part, n + half, 0]
        g += y * w2[part, n + half, 1]
        h += y * w2[part, n + half, 2]
        i += y * w2[part, n + half, 3]
        j += y * w2[part, n + half, 4]
    out[0], out[1], out[2], out[3], out[4] = a + f, b + g, c + h, d + i, e + j
    if hidden.size % 2:
        for k in range(5):
            out[k] += hidden[2 * half] * w2[part, 2 * half, k]
    _logistic(out)


@njit()
def _layers(board: Any, weights: Any, tables: Any, scratch: Any) -> int:
    """Write the hidden layer and the outputs of any board, and the list of its inputs; return their number."""
    w1 = weights.w1
    part = _part(board, w1.shape[0])
    n = _active(board, w1.shape[1] > N_INPUTS, tables, scratch)
    _add(w1[part, ON_ROLL], n, scratch.units, scratch.amounts, w1, part, scratch.hidden)
    _logistic(scratch.hidden)
    _outputs(scratch.hidden, weights.w2, weights.b2, part, scratch.out)
    return n


@njit()
def _stake(loser: Any) -> int:
    """Return 1, 2 for a gammon, 3 for a backgammon."""
    if loser[0] > 0:
        return 1
    return 3 if _top(loser) > 18 else 2


@njit()
def _possible(board: Any, out: Any) -> None:
    """Set to 0 what can no longer happen: gammons against a side that has borne off a checker."""
    if board[1, 0] > 0:
        out[1] = 0
        out[2] = 0
    if board[0, 0] > 0:
        out[3] = 0
        out[4] = 0


@njit()
def _outcome(board: Any, out: Any) -> None:
    """Write the outcome of a finished game."""
    won = board[0, 0] == 15
    stake = _stake(board[1]) if won else _stake(board[0])
    for k in range(5):
        out[k] = 0
    out[0] = 1 if won else 0
    for k in range(1, stake):
        out[k if won else k + 2] = 1


@njit()
def probabilities(board: Any, weights: Any, tables: Any, scratch: Any) -> None:
    """Write what the side on roll, row 0, may expect to ``scratch.out``.

    In order: win, win a gammon, win a backgammon, lose a gammon, lose a backgammon; a win includes gammons, a gammon
    backgammons. A finished game has the outcome itself.
    """
    scratch.leaves[0] += 1
    if board[0, 0] == 15 or board[1, 0] == 15:
        _outcome(board, scratch.out)
    else:
        _layers(board, weights, tables, scratch)
        _possible(board, scratch.out)


@njit()
def _flip(board: Any, flipped: Any) -> None:
    """Write the board as the other side sees it."""
    for point in range(26):
        flipped[0, point] = board[1, point]
        flipped[1, point] = board[0, point]


@njit()
def prepare(board: Any, weights: Any, tables: Any, scratch: Any) -> None:
    """Sum the hidden layer of the board before the plays, the mover in row 0."""
    _flip(board, scratch.base)
    part = _part(scratch.base, weights.w1.shape[0])
    n = _active(scratch.base, False, tables, scratch)
    _add(weights.w1[part, ON_ROLL], n, scratch.units, scratch.amounts, weights.w1, part, scratch.sums)


@njit()
def value_plays(start: int, stop: int, weights: Any, tables: Any, scratch: Any) -> None:
    """Write what ``scratch.plays[start:stop]``, of the board last prepared, are worth to the mover to ``values``.

    ``scratch.out`` is left with the probabilities of the last one, as its opponent on roll sees them.
    """
    w1, w2, b2, escapes, empty = weights.w1, weights.w2, weights.b2, tables.escapes, tables.empty
    plays, values, base, sums, work = scratch.plays, scratch.values, scratch.base, scratch.sums, scratch.work
    units, amounts, hidden, out = scratch.units, scratch.amounts, scratch.hidden, scratch.out
    expert = w1.shape[1] > N_INPUTS
    base_part = _part(base, w1.shape[0])
    scratch.leaves[0] += stop - start
    for i in range(start, stop):
        _flip(plays[i], work)
        if work[0, 0] == 15 or work[1, 0] == 15:
            _outcome(work, out)
        else:
            part = _part(work, w1.shape[0])
            near = part == base_part
            n = _changes(base if near else empty, work, units, amounts)
            if expert:
                n = _experts(work, escapes, units, amounts, n)
            _add(sums if near else w1[part, ON_ROLL], n, units, amounts, w1, part, hidden)
            _logistic(hidden)
            _outputs(hidden, w2, b2, part, out)
            _possible(work, out)
        values[i] = 1.0 - 2.0 * float(out[0]) - float(out[1]) - float(out[2]) + float(out[3]) + float(out[4])


@njit()
def best_play(board: Any, count: int, weights: Any, tables: Any, scratch: Any) -> int:
    """Return the index of the best of the first ``count`` plays in ``scratch``, the first of equals."""
    best = 0
    if count > 1:
        prepare(board, weights, tables, scratch)
        value_plays(0, count, weights, tables, scratch)
        for i in range(1, count):
            if scratch.values[i] > scratch.values[best]:
                best = i
    return best


# --- search ----------------------------------------------------------------------------------------------------------


@njit()
def expectation(board: Any, weights: Any, tables: Any, scratch: Any) -> float:
    """Return what the side about to roll may expect if it answers each roll with its best play: plain expectimax.

    ``scratch.expected`` is left with what each roll is worth.
    """
    if board[1, 0] == 15:
        return -float(_stake(board[0]))
    total = 0.0
    prepare(board, weights, tables, scratch)
    for roll in range(tables.chances.size):
        count = generate(board, tables.rolls[roll, 0], tables.rolls[roll, 1], tables.keys, scratch)
        value_plays(0, count, weights, tables, scratch)
        scratch.expected[roll] = scratch.values[:count].max()
        total += tables.chances[roll] * scratch.expected[roll]
    return total


@njit()
def _bounds(board: Any) -> Any:
    """Return the least and the most that row 0 can still get: a side that has borne off a checker loses 1."""
    return (-1.0 if board[0, 0] > 0 else -3.0), (1.0 if board[1, 0] > 0 else 3.0)


@njit()
def _follow(board: Any, path: Any, needed: int, result: Any) -> bool:
    """Write the board after the steps of ``path``; return False if they are not a legal play here.

    A play that uses all its dice is legal as soon as each step is; shorter ones are not tried.
    """
    for side in range(2):
        for point in range(26):
            result[side, point] = board[side, point]
    for i in range(needed):
        source, die = path[i] // 8, path[i] % 8
        if die == 0 or not _can_move(result, source, die, _top(result[0])):
            return False
        _step(result, source, die)
    return True


@njit()
def _same(path: Any, other: Any) -> bool:
    return bool(path[0] == other[0] and path[1] == other[1] and path[2] == other[2] and path[3] == other[3])


@njit()
def _favourite(board: Any, roll: int, tables: Any, scratch: Any) -> None:
    """Write to ``scratch.plays[0]`` the board after the reply to try first, and note it as the roll's favourite.

    It is the reply that was best when this roll was last searched, after some other play of ours: mostly it is still
    there, and no plays need to be generated. Else it is the one that shares most steps with such replies, where a hit
    counts like five steps.
    """
    high, low = tables.rolls[roll, 0], tables.rolls[roll, 1]
    favourite = scratch.favourites[min(board[0, BAR], 2), roll]
    if _follow(board, favourite, 4 if high == low else 2, scratch.plays[0]):
        return
    best, most = 0, -1
    for i in range(generate(board, high, low, tables.keys, scratch)):
        score = 5 * (scratch.plays[i, 1, BAR] - board[1, BAR])
        for step in scratch.steps[i]:
            for known in range(3):
                for other in scratch.favourites[known, roll]:
                    score += step != 0 and step == other
        if score > most:
            best, most = i, score
    favourite[:] = scratch.steps[best]
    scratch.plays[0] = scratch.plays[best]


@njit()
def star(board: Any, alpha: float, beta: float, probe: bool, weights: Any, tables: Any, scratch: Any) -> float:
    """Return `expectation`, or a bound on it outside (alpha, beta): Star1, or Star2 with ``probe``.

    A probe is one evaluation: of the favourite reply. Rolls that are expected to bring most are probed first, and
    those whose probe disappoints most are searched first.
    """
    if board[1, 0] == 15:
        return -float(_stake(board[0]))
    prepare(board, weights, tables, scratch)
    least, most = _bounds(board)
    n = tables.chances.size
    lower, upper = np.full(n, least), np.full(n, most)
    low, high = least, most
    order = np.arange(n)
    if probe:
        for roll in np.argsort(tables.chances * (least - scratch.expected), kind="mergesort"):
            _favourite(board, roll, tables, scratch)
            value_plays(0, 1, weights, tables, scratch)
            lower[roll] = scratch.values[0]
            low += tables.chances[roll] * (lower[roll] - least)
            if low >= beta:
                return float(low)
        order = np.argsort(tables.chances * (lower - scratch.expected), kind="mergesort")
    for roll in order:
        p = tables.chances[roll]
        a, b = (alpha - (high - p * upper[roll])) / p, (beta - (low - p * lower[roll])) / p
        favourite = scratch.favourites[min(board[0, BAR], 2), roll]
        count = generate(board, tables.rolls[roll, 0], tables.rolls[roll, 1], tables.keys, scratch)
        best, index = (lower[roll] if probe else -np.inf), -1
        for i in range(count):
            if probe and _same(scratch.steps[i], favourite):
                continue
            value_plays(i, i + 1, weights, tables, scratch)
            if scratch.values[i] > best:
                best, index = scratch.values[i], i
                if best >= b:
                    break
        if probe and index >= 0:
            favourite[:] = scratch.steps[index]
        if best >= b:
            return float(max(beta, low - p * lower[roll] + p * best))
        if best <= a:
            return float(min(alpha, high - p * upper[roll] + p * best))
        low += p * (best - lower[roll])
        high += p * (best - upper[roll])
        lower[roll] = best
        upper[roll] = best
    total = 0.0
    for roll in range(n):
        total += tables.chances[roll] * lower[roll]
        scratch.expected[roll] = lower[roll]
    return total


@njit()
def _ranked(board: Any, count: int, weights: Any, tables: Any, scratch: Any) -> Any:
    """Value the plays in ``scratch`` and return their indices, the best first."""
    prepare(board, weights, tables, scratch)
    value_plays(0, count, weights, tables, scratch)
    return np.argsort(-scratch.values[:count], kind="mergesort")


@njit()
def deep_star(board: Any, alpha: float, beta: float, weights: Any, tables: Any, scratch: Any, inner: Any) -> float:
    """Return `expectation` with every reply valued by `star` in its turn, or a bound on it: Star2, one ply deeper.

    ``inner`` is scratch space of its own. The probe of a roll is the reply that a look at the network puts first.
    """
    if board[1, 0] == 15:
        return -float(_stake(board[0]))
    least, most = _bounds(board)
    n = tables.chances.size
    lower, upper = np.full(n, least), np.full(n, most)
    low, high = least, most
    after = np.zeros((2, 26), np.int8)
    for searching in range(2):
        for roll in range(n):
            p = tables.chances[roll]
            a, b = (alpha - (high - p * upper[roll])) / p, (beta - (low - p * lower[roll])) / p
            count = generate(board, tables.rolls[roll, 0], tables.rolls[roll, 1], tables.keys, scratch)
            order = _ranked(board, count, weights, tables, scratch)
            best = lower[roll] if searching else -np.inf
            for i in order[1:] if searching else order[:1]:
                _flip(scratch.plays[i], after)
                floor = max(best, a if searching else least)
                ceiling = max(floor, min(b, most))
                best = max(best, -star(after, -ceiling, -floor, True, weights, tables, inner))
                if best >= b:
                    return float(max(beta, low - p * lower[roll] + p * best))
            if searching and best <= a:
                return float(min(alpha, high - p * upper[roll] + p * best))
            low += p * (best - lower[roll])
            lower[roll] = best
            if searching or count == 1:
                high += p * (best - upper[roll])
                upper[roll] = best
    total = 0.0
    for roll in range(n):
        total += tables.chances[roll] * lower[roll]
    return total


@njit()
def search_root(
    board: Any,
    roll: Any,
    depth: int,
    width: int,
    method: int,
    weights: Any,
    tables: Any,
    scratch: Any,
    middle: Any,
    inner: Any,
    values: Any,
    kinds: Any,
) -> int:
    """Value the plays of a roll and return their number.

    Parameters
    ----------
    board : (2, 26) int8, the mover in row 0
    roll : (2,) int64, the larger die first
    depth : 1, 2 or 3 decisions
    width : how many plays, the best by depth 1, are searched deeper
    method : 0 plain, 1 Star1, 2 Star2 (depth 3 always uses Star2)
    scratch, middle, inner : Scratch
        ``scratch.plays`` keeps the plays.
    values : (MAX_PLAYS,) float64
        Receives the mover's expected points of each play.
    kinds : (MAX_PLAYS,) int64
        Receives 1 where the value is exact at ``depth``, 2 where it is an upper bound, 0 where it is that of depth 1.
    """
    count = generate(board, roll[0], roll[1], tables.keys, scratch)
    order = _ranked(board, count, weights, tables, scratch)
    values[:count] = scratch.values[:count]
    kinds[:count] = 1 if depth == 1 else 0
    if depth == 1:
        return count
    inner.favourites[:] = 0
    inner.expected[:] = 0
    after = np.zeros((2, 26), np.int8)
    best = -np.inf
    for i in order[:width]:
        _flip(scratch.plays[i], after)
        if depth == 3:
            value = -deep_star(after, -np.inf, -best, weights, tables, middle, inner)
        elif method == 0:
            value = -expectation(after, weights, tables, inner)
        else:
            value = -star(after, -np.inf, -best, method == 2, weights, tables, inner)
        values[i] = value
        kinds[i] = 1 if value > best or (method == 0 and depth == 2) else 2
        best = max(best, value)
    return count


# --- learning --------------------------------------------------------------------------------------------------------


@njit()
def _uniform(state: Any) -> float:
    """SplitMix64, as in ``rng``: advance ``state`` (1,) uint64 and return a float uniform on [0, 1)."""
    state[0] += np.uint64(0x9E37_79B9_7F4A_7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58_476D_1CE4_E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D0_49BB_1331_11EB)
    z = z ^ (z >> np.uint64(31))
    return float(z >> np.uint64(11)) * 2.0**-53


@njit()
def roll_dice(state: Any, chances: Any) -> int:
    """Return the index of a roll, drawn as ``Rng.outcome`` draws it."""
    draw = _uniform(state)
    reached = 0.0
    for i in range(chances.size):
        reached += chances[i]
        if draw < reached:
            return i
    return int(chances.size - 1)


@njit()
def learn(board: Any, target: Any, rate: Any, weights: Any, tables: Any, scratch: Any) -> None:
    """Move the outputs of one position towards ``target`` (5,): one step down the gradient of the cross-entropy.

    ``scratch.out`` is left with the probabilities before the step. Only rows of active inputs are touched.
    """
    hidden, change, out, units, amounts = scratch.hidden, scratch.change, scratch.out, scratch.units, scratch.amounts
    w1, w2, b2 = weights.w1, weights.w2, weights.b2
    part = _part(board, w1.shape[0])
    n = _layers(board, weights, tables, scratch)
    change[:] = 0
    for k in range(5):
        error = rate * (target[k] - out[k])
        b2[part, k] += error
        for j in range(hidden.size):
            change[j] += error * w2[part, j, k]
            w2[part, j, k] += error * hidden[j]
    for j in range(hidden.size):
        change[j] *= hidden[j] * (np.float32(1) - hidden[j])
        w1[part, ON_ROLL, j] += change[j]
    for i in range(n):
        unit, amount = units[i], amounts[i]
        for j in range(hidden.size):
            w1[part, unit, j] += amount * change[j]
    _possible(board, out)


@njit()
def _turn_round(target: Any) -> None:
    """Change five probabilities to the opponent's view."""
    target[0] = 1 - target[0]
    gammon, backgammon = target[1], target[2]
    target[1], target[2] = target[3], target[4]
    target[3], target[4] = gammon, backgammon


@njit()
def sweep(game: Any, length: int, target: Any, decay: Any, rate: Any, weights: Any, tables: Any, scratch: Any) -> None:
    """Learn from one game, last position first: the forward view of TD(λ).

    ``game[:length]`` holds the positions before each roll, the side on roll in row 0; ``target`` (5,) what the last
    one turned out to be worth to its side. Each earlier target is the λ-return, bootstrapped from the weights as they
    are by then: λ · (target of the successor) + (1 − λ) · (value of the successor), seen from the other side.
    """
    for t in range(length - 1, -1, -1):
        learn(game[t], target, rate, weights, tables, scratch)
        for k in range(5):
            target[k] = decay * target[k] + (np.float32(1) - decay) * scratch.out[k]
        _turn_round(target)


@njit()
def self_play(
    seeds: Any,
    start: Any,
    decay: Any,
    rate: Any,
    weights: Any,
    tables: Any,
    scratch: Any,
    max_plies: int,
) -> int:
    """Play one game against itself for each seed and learn from each; return the number of plies.

    ``seeds`` (games,) uint64; ``start`` (2, 26) int8; ``decay`` (λ) and ``rate`` float32.
    Games longer than ``max_plies`` are cut there and bootstrapped: a new network can shuffle for ever.
    """
    target = np.zeros(5, np.float32)
    game = np.zeros((max_plies + 1, 2, 26), np.int8)
    state = np.zeros(1, np.uint64)
    plies = 0
    for g in range(seeds.size):
        state[0] = seeds[g]
        game[0] = start
        length = 0
        while length < max_plies and game[length, 1, 0] < 15:
            roll = roll_dice(state, tables.chances)
            count = generate(game[length], tables.rolls[roll, 0], tables.rolls[roll, 1], tables.keys, scratch)
            best = best_play(game[length], count, weights, tables, scratch)
            length += 1
            _flip(scratch.plays[best], game[length])
        probabilities(game[length], weights, tables, scratch)
        target[:] = scratch.out
        _turn_round(target)
        sweep(game, length, target, decay, rate, weights, tables, scratch)
        plies += length
    return plies
