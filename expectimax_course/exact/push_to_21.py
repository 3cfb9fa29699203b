"""Push to 21 solved: the table of optimal play, and what a fixed rule earns.

    EV[t]  = max(t, hit(t))
    hit(t) = (EV[t + 1] + … + EV[t + faces]) / faces,   where EV of a total above the target is 0

Totals only grow, so filling the table from the target down to 0 meets every value before it is needed: backward
induction, O(target · faces) time and O(target) space (pseudo-polynomial: the target's size counts, not its digits).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from expectimax_course.game import add_up
from expectimax_course.games.push_to_21 import HIT, STAND, PushTo21


class PushSolution(NamedTuple):
    """The table of a Push game, one entry per total 0 … target.

    ``values`` are expected banked points under optimal play, ``hit_values`` those of one more roll and optimal play
    after it, ``actions`` the optimal action (a tie stands), ``stand_from`` the first total at which the optimum stands.
    """

    values: list[float]
    hit_values: list[float]
    actions: list[str]
    stand_from: int


def mean(values: Sequence[float]) -> float:
    """Return the plain average: every face of a fair die is equally likely."""
    return add_up(values) / len(values)


def solve_push(target: int = 21, faces: int = 10, combine: Callable[[Sequence[float]], float] = mean) -> PushSolution:
    """Fill the table by backward induction.

    Parameters
    ----------
    target, faces : int
    combine : callable
        What a roll is worth, from the values of its faces; ``min`` gives the table of a player who takes chance for
        an adversary.

    Examples
    --------
    >>> solution = solve_push()
    >>> round(solution.values[0], 4), solution.stand_from
    (15.8585, 14)
    """
    PushTo21(target, faces)
    values = [0.0] * (target + 1 + faces)
    hit_values = [0.0] * (target + 1)
    for total in range(target, -1, -1):
        hit_values[total] = combine(values[total + 1 : total + 1 + faces])
        values[total] = max(float(total), hit_values[total])
    actions = [HIT if hit_values[total] > total else STAND for total in range(target + 1)]
    return PushSolution(values[: target + 1], hit_values, actions, actions.index(STAND))


def threshold_values(threshold: int, target: int = 21, faces: int = 10) -> list[float]:
    """Return what the rule "hit below ``threshold``, else stand" earns from each total 0 … target.

    This is the value of a *policy*: no maximum is taken.

    Examples
    --------
    >>> round(threshold_values(17)[0], 4)
    13.7174
    """
    PushTo21(target, faces)
    values = [0.0] * (target + 1 + faces)
    for total in range(target, -1, -1):
        values[total] = mean(values[total + 1 : total + 1 + faces]) if total < threshold else float(total)
    return values[: target + 1]
