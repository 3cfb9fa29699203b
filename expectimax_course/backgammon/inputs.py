"""The 198 inputs of TD-Gammon: a position before the roll, as the side about to roll sees it.

For each side and each of its 24 points four units: at least one checker, at least two, at least three, and half of
what is above three. Then half the checkers on its bar and a fifteenth of those borne off; last, two units that say
whose turn it is. The side on roll always comes first, so that the turn units are 1 and 0 in every position and the
first one serves as the bias of the hidden layer::

    0 … 95     points 1 … 24 of the side on roll, four units each       98 … 193   the same of its opponent
    96, 97     its bar, its checkers off                                194, 195   the same of its opponent
    196, 197   on roll, waiting

References
----------
G. Tesauro, "Practical issues in temporal difference learning", Machine Learning 8, 1992: the raw encoding.
R. S. Sutton and A. G. Barto, *Reinforcement Learning: An Introduction*, section "TD-Gammon": the units.
"""

from __future__ import annotations

from collections.abc import Iterator

from expectimax_course.backgammon.rules import OFF, Side

N_INPUTS = 198
ON_ROLL = 196


def active_inputs(own: Side, other: Side) -> Iterator[tuple[int, float]]:
    """Yield (unit, value) for every unit that is not 0: some thirty of the 198.

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
