"""Oracles, case generators and wrong implementations for the questions of chapter 03."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from expectimax_course.exact.push_to_21 import mean, solve_push, threshold_values
from expectimax_course.rng import Rng

Hit = Callable[[int, Sequence[float], int], float]
"""``hit(total, values, faces)``: what a roll at ``total`` is worth if ``values`` holds the worth of each total."""

TIES = ((2, 2), (4, 9), (5, 3), (6, 5), (9, 4), (13, 9), (20, 6), (20, 11), (21, 9), (21, 15), (25, 18), (26, 10))
"""(target, faces) where hitting and standing are worth exactly the same at the first total that stands."""


def hit_value(total: int, values: Sequence[float], faces: int) -> float:
    """Return the mean over all faces, 0 for a bust."""
    return sum(values[total + 1 : total + 1 + faces]) / faces


def busts_bank(total: int, values: Sequence[float], faces: int) -> float:
    """Count a bust with its total."""
    ahead = [total + face for face in range(1, faces + 1)]
    return mean([values[t] if t < len(values) else t for t in ahead])


def busts_keep(total: int, values: Sequence[float], faces: int) -> float:
    """Count a bust with the total before it."""
    ahead = [total + face for face in range(1, faces + 1)]
    return mean([values[t] if t < len(values) else total for t in ahead])


def busts_left_out(total: int, values: Sequence[float], faces: int) -> float:
    """Average the faces that do not bust alone."""
    ahead = values[total + 1 : total + 1 + faces]
    return mean(ahead) if ahead else 0.0


def busts_forgotten(total: int, values: Sequence[float], faces: int) -> float:
    """Do the same, and fail where every face busts."""
    return mean(values[total + 1 : total + 1 + faces])


def faces_from_zero(total: int, values: Sequence[float], faces: int) -> float:
    """Roll 0 … faces − 1."""
    return sum(values[total : total + faces]) / faces


def faces_to_last_but_one(total: int, values: Sequence[float], faces: int) -> float:
    """Roll 1 … faces − 1, and divide by all faces."""
    return sum(values[total + 1 : total + faces]) / faces


def ev_table(target: int, faces: int) -> list[float]:
    """Return the optimal values with the package's own solver."""
    return solve_push(target, faces).values


def better(stand: float, hit: float, top: bool) -> float:
    """Choose as the player does."""
    return max(stand, hit)


def table(
    hit: Hit, *, forwards: bool = False, choose: Callable[[float, float, bool], float] = better
) -> Callable[[int, int], list[float]]:
    """Return a filler of tables with another way to count a roll, another order or another choice."""

    def fill(target: int, faces: int) -> list[float]:
        values = [0.0] * (target + 1)
        for total in range(target + 1) if forwards else range(target, -1, -1):
            values[total] = choose(total, hit(total, values, faces), total == target)
        return values

    return fill


def first_stand(
    target: int,
    faces: int,
    *,
    tie_hits: bool = False,
    combine: Callable[[Sequence[float]], float] = mean,
) -> int:
    """Return the first total at which the optimum stands, with the package's own solver, or go wrong as asked."""
    solution = solve_push(target, faces, combine)
    if tie_hits:
        return next(total for total, hit in enumerate(solution.hit_values) if hit < total or total == target)
    return solution.stand_from


def rule_table(
    threshold: int, target: int, faces: int, *, hit: Hit | None = None, improved: bool = False
) -> list[float]:
    """Return what "hit below ``threshold``" earns from each total, with the package's own function, or go wrong."""
    if hit is None and not improved:
        return threshold_values(threshold, target, faces)
    values = [0.0] * (target + 1)
    for total in range(target, -1, -1):
        rolled = (hit or hit_value)(total, values, faces)
        values[total] = (max(total, rolled) if improved else rolled) if total < threshold else float(total)
    return values


def distribution(
    threshold: int, target: int, faces: int, *, bust: str = "nothing", first: int = 1, rolls: int | None = None
) -> list[tuple[int, float]]:
    """Return (banked points, probability) of the rule "hit below ``threshold``", or of a wrong way to play it."""
    ended: dict[int, Fraction] = {}
    waiting = {0: Fraction(1)}
    for roll in range(10_000):
        reached: dict[int, Fraction] = {}
        for total, p in waiting.items():
            if total >= threshold or roll == rolls:
                ended[total] = ended.get(total, 0) + p
                continue
            for face in range(first, first + faces):
                after = total + face
                if after <= target:
                    reached[after] = reached.get(after, 0) + p / faces
                else:
                    banked = {"nothing": 0, "total": after, "before": total}[bust]
                    ended[banked] = ended.get(banked, 0) + p / faces
        if not reached or max(reached.values()) < 1e-12:
            break
        waiting = reached
    return [(points, float(p)) for points, p in sorted(ended.items())]


def interval(
    results: Sequence[float], *, z: float = 1.96, less: int = 1, root: bool = True, power: float = 0.5
) -> list[float]:
    """Return the mean of the results and ``z`` standard errors to each side, or go wrong as asked."""
    n, centre = len(results), mean(results)
    variance = math.fsum((x - centre) ** 2 for x in results) / (n - less)
    margin = z * (variance / (n if root else 1)) ** power
    return [centre - margin, centre + margin]


def min_player(target: int, faces: int) -> list[float]:
    """Return what the table with min for mean claims at 0, and what its policy earns with a real die."""
    pessimist = solve_push(target, faces, min)
    return [pessimist.values[0], threshold_values(pessimist.stand_from, target, faces)[0]]


def played(target: int, faces: int, *, late: bool = False, tie_hits: bool = False) -> float:
    """Return what the pessimist's policy earns, hitting once more if ``late``."""
    return threshold_values(first_stand(target, faces, tie_hits=tie_hits, combine=min) + late, target, faces)[0]


def draw_die(rng: Rng) -> tuple[Any, ...]:
    """Draw a target and a number of faces."""
    return 1 + rng.below(24), 1 + rng.below(12)


def draw_hit(rng: Rng) -> tuple[Any, ...]:
    """Draw a total and any table, not only a true one."""
    target, faces = draw_die(rng)
    return rng.below(target + 1), [float(rng.below(30)) for _ in range(target + 1)], faces


def draw_tie(rng: Rng) -> tuple[Any, ...]:
    """Draw a game; one time in three, one with an exact tie."""
    return rng.choice(TIES) if rng.below(3) == 0 else draw_die(rng)


def draw_rule(rng: Rng) -> tuple[Any, ...]:
    """Draw a threshold up to the target and a game."""
    target, faces = draw_die(rng)
    return rng.below(target + 1), target, faces


def draw_play(rng: Rng) -> tuple[Any, ...]:
    """Draw a rule of a small game."""
    target = 4 + rng.below(6)
    return 2 + rng.below(target - 1), target, 2 + rng.below(5)


def draw_results(rng: Rng) -> tuple[Any, ...]:
    """Draw two to twenty banked totals."""
    return ([float(rng.choice((0, 0, 14, 15, 16, 17, 18, 19, 20, 21))) for _ in range(2 + rng.below(19))],)
