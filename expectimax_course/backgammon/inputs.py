"""The inputs of TD-Gammon: a position before the roll, as the side about to roll sees it.

The first 198 are the *raw board*, all that TD-Gammon 0.0 saw.

For each side and each of its 24 points four units: at least one checker, at least two, at least three, and half of
what is above three. Then half the checkers on its bar and a fifteenth of those borne off; last, two units that say
whose turn it is. The side on roll always comes first, so that the turn units are 1 and 0 in every position and the
first one serves as the bias of the hidden layer::

    0 … 95     points 1 … 24 of the side on roll, four units each       98 … 193   the same of its opponent
    96, 97     its bar, its checkers off                                194, 195   the same of its opponent
    196, 197   on roll, waiting

TD-Gammon 1.0 added *expert inputs*, what a player of backgammon looks for; they were never published in full. Ours are
ten numbers for each side, in the spirit of those of GNU Backgammon; see `expert_inputs`::

    198 … 207  of the side on roll                                      208 … 217  of its opponent

References
----------
G. Tesauro, "Practical issues in temporal difference learning", Machine Learning 8, 1992: the raw encoding.
R. S. Sutton and A. G. Barto, *Reinforcement Learning: An Introduction*, section "TD-Gammon": the units.
H. J. Berliner, "Backgammon computer program beats world champion", Artificial Intelligence 14, 1980: expert features.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from expectimax_course.backgammon.rules import OFF, Side

N_INPUTS = 198
N_EXPERT = 20
ON_ROLL = 196


def active_inputs(own: Side, other: Side, *, expert: bool = False) -> Iterator[tuple[int, float]]:
    """Yield (unit, value) for every unit that is not 0: some thirty of the 198, and the expert inputs if asked for.

    Parameters
    ----------
    own, other : tuple of int, shape (26,)
        The side on roll and its opponent, each from its own end.

    Examples
    --------
    >>> alone = (14, 0, 0, 0, 0, 0, 1) + (0,) * 19
    >>> [(unit, round(value, 2)) for unit, value in active_inputs(alone, alone)]
    [(196, 1.0), (20, 1.0), (97, 0.93), (118, 1.0), (195, 0.93)]
    """
    yield ON_ROLL, 1.0
    for first, side in ((0, own), (98, other)):
        bar = len(side) - 1
        for point in range(1, bar):
            unit = first + 4 * (point - 1)
            count = side[point]
            for k in range(min(count, 3)):
                yield unit + k, 1.0
            if count > 3:
                yield unit + 3, (count - 3) / 2
        if side[bar]:
            yield first + 96, side[bar] / 2
        if side[OFF]:
            yield first + 97, side[OFF] / 15
    if expert:
        for unit, value in enumerate(expert_inputs(own, other), N_INPUTS):
            if value:
                yield unit, value


def inputs(own: Side, other: Side) -> list[float]:
    """Return all units, shape (198,).

    Examples
    --------
    >>> from expectimax_course.backgammon.rules import Backgammon
    >>> start = Backgammon().initial_state()
    >>> sum(inputs(start.max_side, start.min_side))
    27.0
    """
    units = [0.0] * N_INPUTS
    for unit, value in active_inputs(own, other):
        units[unit] = value
    return units


def expert_inputs(own: Side, other: Side) -> list[float]:
    """Return what a player looks for, shape (20,): ten numbers for the side on roll, then the same of its opponent.

    Of the standard board. Each is scaled to about 1; in order, of one side:

    0. rolls of 36 that hit a blot, / 12
    1. pips that these hits cost, the dearest blot of each roll, / 144
    2. rolls of 36 that the rearmost checker can play in full, / 12
    3. pips to go until all checkers are past the other side's last one, / 50
    4. points that the other side has made in its home board, squared, / 18
    5. the same if a checker is on the bar, else 0
    6. rolls of 36 that a checker could play in full from where that is hardest, of points 17 to the bar, / 12
    7. the mean of the same over these points, / 12
    8. freedom: for each checker outside home, such rolls times points to home, summed, / 1200
    9. how far checkers are strung out: squared distances of those behind the mean from it, summed, / 400

    Examples
    --------
    Two checkers on the ace point look at a blot four pips away: 15 rolls hit it, or 14 if the point between is made.

    >>> ours = (13,) + (0,) * 23 + (2, 0)
    >>> theirs = (14, 0, 0, 0, 0, 1) + (0,) * 20
    >>> round(12 * expert_inputs(ours, theirs)[0])
    15
    """
    return [*_expert(own, other), *_expert(other, own)]


def _expert(own: Side, other: Side) -> list[float]:
    """Return the ten numbers of one side. Sets of points, as ``own`` counts them, are the bits of an integer."""
    men = _bits(point for point in range(1, 25) if own[point])
    blots = _bits(point for point in range(1, 25) if other[25 - point] == 1)
    walls = _bits(point for point in range(1, 25) if other[25 - point] >= 2)
    top, back = (max((point for point in range(26) if side[point]), default=0) for side in (own, other))
    rolls, cost = _hits(men, own[25], blots, walls) if blots else (0, 0)
    full = [escapes((walls << 12) >> point & 4095) for point in range(26)]
    closed = sum(other[point] >= 2 for point in range(1, 7)) ** 2 / 18
    mean = sum(point * own[point] for point in range(26)) / 15
    return [
        rolls / 12,
        cost / 144,
        full[top] / 12,
        sum(own[point] * (point + back - 25) for point in range(26 - back, 26)) / 50,
        closed,
        closed if own[25] else 0.0,
        min(full[17:]) / 12,
        sum(full[17:]) / 108,
        sum(own[point] * (point - 6) * full[point] for point in range(7, 26)) / 1200,
        sum(own[point] * (point - mean) ** 2 for point in range(26) if point > mean) / 400,
    ]


def _bits(points: Iterable[int]) -> int:
    return sum(1 << point for point in points)


@cache
def escapes(window: int) -> int:
    """Return how many of the 36 rolls a checker can play in full, both dice one after the other.

    Parameters
    ----------
    window : int
        The twelve points before the checker, the nearest the highest bit; a bit is set where the point is blocked.

    Examples
    --------
    >>> escapes(0), escapes(0b111111000000), escapes(0b111110000000)
    (36, 0, 11)
    """
    found = 0
    for high in range(1, 7):
        for low in range(1, high + 1):
            first, second, both = (window >> (12 - pips) & 1 for pips in (high, low, high + low))
            if not both and not (first and second):
                found += 1 if high == low else 2
    return found


def _hits(men: int, bar: int, blots: int, walls: int) -> tuple[int, int]:
    """Return how many of the 36 rolls hit a blot, and the pips that they cost: the dearest blot of each, summed.

    A roll hits with either die, or with one checker that plays both over a point that is no wall; a double with up to
    four steps. One checker on the bar must enter first, and any checker can play the other die; two or more can only
    hit as they enter.
    """
    rolls = cost = 0
    movers = 1 << 25 if bar else men
    for high in range(1, 7):
        first = movers >> high
        for low in range(1, high + 1):
            second = movers >> low
            struck = (first | second) & blots
            if bar == 1:
                if first & ~walls:
                    struck |= (men | first) >> low & blots
                if second & ~walls:
                    struck |= (men | second) >> high & blots
            elif bar == 0:
                struck |= ((first & ~walls) >> low | (second & ~walls) >> high) & blots
                if high == low:
                    third = ((first & ~walls) >> low & ~walls) >> low
                    struck |= (third | (third & ~walls) >> low) & blots
            if struck:
                chance = 1 if high == low else 2
                rolls += chance
                cost += chance * (struck.bit_length() - 1)
    return rolls, cost
