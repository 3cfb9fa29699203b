"""Oracles, case generators and wrong implementations for the questions of chapter 04."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from expectimax_course.grading.bank import Source
from expectimax_course.rng import Rng

Map = Callable[[float], float]
"""A map of the scale, for payoffs from 0 to 100."""
Pair = list[float]


# ------------------------------------------------------------------------------------------------- the flip exponent


def flip_exponent(prize: float, p: float, sure: float) -> float:
    """Return the exponent a at which p · prize^a = sure^a."""
    return math.log(p) / math.log(sure / prize)


def draw_offer(rng: Rng) -> tuple[Any, ...]:
    """Draw a prize, its probability in twentieths, and a sure thing below the prize; one in six ties as it stands."""
    prize = float(4 * (1 + rng.below(15)))
    p = (1 + rng.below(19)) / 20
    if rng.below(6) == 0:
        fair = rng.choice((0.5, 0.75))
        return prize, fair, fair * prize
    return prize, p, float(2 + rng.below(int(prize) - 2))


# ------------------------------------------------------------------------------------------------- the best set


def best_set(values: Sequence[float], tolerance: float) -> list[int]:
    """Return where the best values stand, given a tolerance relative to the largest size, at least 1."""
    slack = tolerance * max(1.0, *(abs(v) for v in values))
    return [i for i, v in enumerate(values) if v >= max(values) - slack]


def exact_set(values: Sequence[float], _: float) -> list[int]:
    """Return where the greatest value stands, to the last bit."""
    return [i for i, v in enumerate(values) if v == max(values)]


def first_best(values: Sequence[float], _: float) -> list[int]:
    """Return where the greatest value stands first."""
    return [values.index(max(values))]


def absolute_set(values: Sequence[float], tolerance: float) -> list[int]:
    """Return the best set with a tolerance that knows no size."""
    return [i for i, v in enumerate(values) if v >= max(values) - tolerance]


def set_without_floor(values: Sequence[float], tolerance: float) -> list[int]:
    """Return the best set with a tolerance that is relative for small values too."""
    slack = tolerance * max(abs(v) for v in values)
    return [i for i, v in enumerate(values) if v >= max(values) - slack]


def proportional_set(values: Sequence[float], tolerance: float) -> list[int]:
    """Return what reaches a share of the greatest value: wrong below 0."""
    return [i for i, v in enumerate(values) if v >= max(values) * (1 - tolerance)]


def draw_values(rng: Rng) -> tuple[Any, ...]:
    """Draw values that tie within the tolerance, of size 0.1, 1 or a thousand million, below 0 or above, and others."""
    size = rng.choice((0.1, 1.0, 1e9))
    sign = rng.choice((1, -1))
    best = sign * size * 3
    gaps = {0.1: (1e-14, 5e-10), 1.0: (1e-13,), 1e9: (0.1,)}  # 5e-10 ties because the tolerance does not shrink
    values = [best, best - rng.choice(gaps[size])]
    values += [best - size * (0.001 + rng.below(9)) for _ in range(1 + rng.below(3))]
    if rng.below(4) == 0:
        values.append(best)
    rng.shuffle(values)
    return values, 1e-9


# ------------------------------------------------------------------------------------------------- affine or not


def is_safe(f: Map) -> bool:
    """Say whether f is a·x + b with a > 0 from 0 to 100, within rounding of its largest value."""
    start, rise = f(0.0), f(100.0) - f(0.0)
    points = [0.37 * k for k in range(271)]
    slack = 1e-9 * max(abs(f(x)) for x in points)
    return rise > slack and all(abs(f(x) - start - rise * x / 100) <= slack for x in points)


def increasing_is_enough(f: Map) -> bool:
    """Accept whatever increases."""
    return all(f(b) > f(a) for a, b in pairwise([0.37 * k for k in range(271)]))


def exactly_straight(f: Map) -> bool:
    """Compare with == on payoffs that floats hold exactly."""
    return f(1.0) > f(0.0) and all(f(x) - f(x - 0.5) == f(0.5) - f(0.0) for x in [0.5 * k for k in range(1, 201)])


def straight_with(accepts: Callable[[float], bool]) -> Callable[[Map], bool]:
    """Return a test of straightness that accepts other slopes."""

    def safe(f: Map) -> bool:
        rise = f(100.0) - f(0.0)
        return accepts(rise) and is_safe((lambda x: f(x) - f(0.0) + x) if rise == 0 else lambda x: f(x) / rise)

    return safe


def whole_numbers(f: Map) -> bool:
    """Test whole payoffs alone."""
    rise = f(100.0) - f(0.0)
    slack = 1e-9 * max(abs(f(0.0)), abs(f(100.0)))
    return rise > slack and all(abs(f(float(x)) - f(0.0) - rise * x / 100) <= slack for x in range(101))


def one_decision(f: Map) -> bool:
    """Try the opening example and nothing else."""
    return (f(0.0) + f(20.0)) / 2 > f(9.0)


def scale_map(expression: str) -> Source:
    """Return a map of the scale as code."""
    return Source(f"def f(x):\n    return {expression}\n", "f")


EXACT, ROUNDED = ("3 * x + 7", "x", "1000 * x - 4", "x / 4 + 2"), ("0.1 * x + 0.7", "x / 3 - 0.1", "0.7 * x + 0.1")
BENT = ("x ** 0.5", "x * x", "-1 / (1 + x)", "2 ** (x / 25)", "x + (x > 70) * (x - 70)", "x - (x > 40) * (x - 40) / 2")
STEPS = ("x // 1", "2 * (x // 1) + 5")
OTHERS = ("-2 * x + 50", "7 - x / 4", "4 + 0 * x", "0 * x", "x if x < 60 else 60.0")


def draw_map(rng: Rng) -> tuple[Any, ...]:
    """Draw a map: straight, straight but for rounding, bent, in steps, falling or flat."""
    return (scale_map(rng.choice(rng.choice((EXACT, ROUNDED, BENT, STEPS, OTHERS)))),)


# ------------------------------------------------------------------------------------------------- calibration


def win_rates(scores: Sequence[float], wins: Sequence[int], bins: int) -> list[Pair]:
    """Return mean score and share of wins of each bin, lowest scores first."""
    return _rates(sorted(zip(scores, wins, strict=True)), bins)


def _rates(pairs: Sequence[tuple[float, int]], bins: int) -> list[Pair]:
    size = len(pairs) // bins
    chunks = [pairs[i * size : (i + 1) * size] for i in range(bins)]
    return [[sum(s for s, _ in chunk) / size, sum(w for _, w in chunk) / size] for chunk in chunks]


def by_rank(scores: Sequence[float], wins: Sequence[int], bins: int) -> list[Pair]:
    """Predict from the rank of the bin alone."""
    return [[mean, (i + 0.5) / bins] for i, (mean, _) in enumerate(win_rates(scores, wins, bins))]


def unsorted(scores: Sequence[float], wins: Sequence[int], bins: int) -> list[Pair]:
    """Cut the positions in the order in which they came."""
    return _rates(list(zip(scores, wins, strict=True)), bins)


def sorted_apart(scores: Sequence[float], wins: Sequence[int], bins: int) -> list[Pair]:
    """Sort scores and outcomes each on their own."""
    return _rates(list(zip(sorted(scores), sorted(wins), strict=True)), bins)


def counted(scores: Sequence[float], wins: Sequence[int], bins: int) -> list[Pair]:
    """Count wins instead of taking their share."""
    size = len(scores) // bins
    return [[mean, share * size] for mean, share in win_rates(scores, wins, bins)]


def equal_width(scores: Sequence[float], wins: Sequence[int], bins: int) -> list[Pair]:
    """Cut the range of scores in equal parts, whatever falls into them."""
    low, width = min(scores), (max(scores) - min(scores)) / bins
    found = []
    for i in range(bins):
        inside = [(s, w) for s, w in zip(scores, wins, strict=True) if min(int((s - low) / width), bins - 1) == i]
        if inside:
            found.append([sum(s for s, _ in inside) / len(inside), sum(w for _, w in inside) / len(inside)])
    return found


def draw_outcomes(rng: Rng) -> tuple[Any, ...]:
    """Draw scores, dense below and thin above, outcomes that follow them loosely, and a number of bins."""
    bins = 2 + rng.below(3)
    n = bins * (2 + rng.below(4))
    scores: list[float] = []
    while len(set(scores)) < n:
        scores = [round(40 * rng.random() ** 3, 3) for _ in range(n)]
    wins = [int(rng.random() < 0.2 + score / 60) for score in scores]
    return scores, wins, bins


# ------------------------------------------------------------------------------------------------- a fitted weight


def fit_weight(features: Sequence[float], outcomes: Sequence[float]) -> Pair:
    """Return weight and intercept of the least-squares line."""
    x, y = sum(features) / len(features), sum(outcomes) / len(outcomes)
    above = sum((f - x) * (o - y) for f, o in zip(features, outcomes, strict=True))
    weight = above / sum((f - x) ** 2 for f in features)
    return [weight, y - weight * x]


def through_origin(features: Sequence[float], outcomes: Sequence[float]) -> Pair:
    """Fit without an intercept."""
    return [sum(f * o for f, o in zip(features, outcomes, strict=True)) / sum(f * f for f in features), 0.0]


def turned_around(features: Sequence[float], outcomes: Sequence[float]) -> Pair:
    """Fit the feature to the outcomes, and turn that line around."""
    back, start = fit_weight(outcomes, features)
    return [1 / back, -start / back] if back else [math.inf, 0.0]


def extremes(features: Sequence[float], outcomes: Sequence[float]) -> Pair:
    """Draw the line through the positions with the least and the greatest feature."""
    (x0, y0), *_, (x1, y1) = sorted(zip(features, outcomes, strict=True))
    weight = (y1 - y0) / (x1 - x0)
    return [weight, y0 - weight * x0]


def ratio_of_means(features: Sequence[float], outcomes: Sequence[float]) -> Pair:
    """Divide the mean outcome by the mean feature."""
    return [sum(outcomes) / sum(features), 0.0]


def draw_sample(rng: Rng) -> tuple[Any, ...]:
    """Draw three to eight positions: a feature from 1 to 14, all different, and an outcome that follows it loosely."""
    features = [float(k) for k in range(1, 15)]
    rng.shuffle(features)
    features = features[: 3 + rng.below(6)]
    slope = rng.choice((-40, 15, 60, 250))
    return features, [float(100 + slope * f + rng.below(200)) for f in features]


# ------------------------------------------------------------------------------------------------- which map is safe

MAPS = {
    "A": "safe",
    "B": "minimax only",
    "C": "neither",
    "D": "minimax only",
    "E": "safe",
    "F": "minimax only",
    "G": "safe",
}
"""0.1x − 100, √x, 50 − 2x, log(1 + x), 1000x, x² and (x − 3)/7."""


def maps_with(**other: str) -> Callable[[str], str]:
    """Return the answers with some of them changed."""
    return {**MAPS, **other}.__getitem__
