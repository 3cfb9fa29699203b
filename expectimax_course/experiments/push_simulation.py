"""Push to 21, simulated: does the table of chapter 03 say what real dice say?

Two questions. What does one more roll at 16 earn? A web page that teaches this game answered with two million hands of
mulberry32, a small generator of 32 bits; its seed is not stated, seed 42 serves here. And what do three policies earn
from 0: the optimum, the rule "hit below 17", and the policy that a min in place of the mean induces? The three play
on the same dice, hand by hand, so that their differences are known better than from separate hands.

References
----------
T. Ettinger, "mulberry32", public domain, 2017: the generator.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from expectimax_course.exact.push_to_21 import solve_push, threshold_values
from expectimax_course.experiments.record import Findings, Result, Row, exact, measured
from expectimax_course.experiments.runner import Job
from expectimax_course.rng import Rng
from expectimax_course.stats import Estimate, interval_from_moments

TITLE = "Push to 21: two million simulated hands against the exact table"
SEEDS = {"hit_at_16": 42, "from_0": 3}

TARGET, FACES = 21, 10
_CHECKPOINTS = (100, 1_000, 10_000, 100_000)
_BLOCK = 100_000


class Mulberry32:
    """The generator of the source page: 32 bits of state that step by a constant, so any draw can be reached at once.

    Parameters
    ----------
    seed : int
        Taken modulo 2**32.
    skip : int
        How many draws to pass over.
    """

    def __init__(self, seed: int, skip: int = 0) -> None:
        self.state = (seed + skip * 0x6D2B79F5) & 0xFFFFFFFF

    def random(self) -> float:
        """Return the next float, uniform on [0, 1) in steps of 2**−32."""
        self.state = (self.state + 0x6D2B79F5) & 0xFFFFFFFF
        z = self.state
        z = ((z ^ z >> 15) * (z | 1)) & 0xFFFFFFFF
        z ^= (z + ((z ^ z >> 7) * (z | 61))) & 0xFFFFFFFF
        return (z ^ z >> 14) / 4294967296


def simulate_hit(first: int, hands: int) -> list[int]:
    """Play hands ``first`` … ``first + hands − 1``: one roll at 16, then stand.

    Returns
    -------
    list, shape (2,)
        The sum of what was banked, and the sum of its squares.
    """
    generator = Mulberry32(SEEDS["hit_at_16"], skip=first)
    totals = [16 + 1 + int(FACES * generator.random()) for _ in range(hands)]
    banked = [total for total in totals if total <= TARGET]
    return [sum(banked), sum(x * x for x in banked)]


def simulate_thresholds(thresholds: Sequence[int], hands: int, *, seed: int) -> list[list[int]]:
    """Play every rule "hit below the threshold" on the same dice.

    Returns
    -------
    list, shape (n + 1, n) for n thresholds
        Entry (i, j) is the sum over the hands of the product of what rules i and j banked; the last row holds the sums.
    """
    rng = Rng(seed)
    n = len(thresholds)
    sums, products = [0] * n, [[0] * n for _ in range(n)]
    for _ in range(hands):
        dice: list[int] = []
        banked = [play_hand(threshold, dice, rng) for threshold in thresholds]
        for i, x in enumerate(banked):
            sums[i] += x
            for j, y in enumerate(banked):
                products[i][j] += x * y
    return [*products, sums]


def play_hand(threshold: int, dice: list[int], rng: Rng) -> int:
    """Play one hand on the given dice, rolling new ones (and adding them) where they end; return what is banked."""
    total, roll = 0, 0
    while total < threshold:
        if roll == len(dice):
            dice.append(1 + rng.below(FACES))
        total += dice[roll]
        roll += 1
    return total if total <= TARGET else 0


def moments(n: int, total: int, squares: int) -> Estimate:
    """Return the mean of n whole numbers and its interval from their sum and their sum of squares."""
    return interval_from_moments(n, total / n, (squares - total * total / n) / (n - 1))


def run(job: Job) -> Findings:
    """Simulate, and set the exact values beside."""
    hands = job.size(2_000_000, quick=20_000)
    at_16, convergence = _hit_at_16(job, hands)
    solution, pessimist = solve_push(TARGET, FACES), solve_push(TARGET, FACES, min)
    thresholds = {"optimum": solution.stand_from, "rule_17": 17, "min_policy": pessimist.stand_from}
    results: dict[str, Result] = {
        "hit_at_16": measured(at_16, unit="points"),
        "hit_at_16_exact": exact(solution.hit_values[16], unit="points"),
    }
    results |= _from_0(job, hands, thresholds)
    for name, threshold in thresholds.items():
        results[f"{name}_exact"] = exact(threshold_values(threshold, TARGET, FACES)[0], unit="points")
    return Findings(results, {"convergence": convergence})


def _hit_at_16(job: Job, hands: int) -> tuple[Estimate, list[Row]]:
    ends = [end for end in _CHECKPOINTS if end < hands] + list(range(2 * _BLOCK, hands, _BLOCK)) + [hands]
    tasks = list(_blocks(ends))
    total = squares = 0
    rows: list[Row] = []
    estimate = Estimate(0, 0.0, 0.0, 0.0, 0.0)
    for end, (block_total, block_squares) in zip(ends, job.map(simulate_hit, tasks, seed=None), strict=True):
        total, squares = total + block_total, squares + block_squares
        estimate = moments(end, total, squares)
        rows.append({"hands": end, "mean": estimate.mean, "low": estimate.low, "high": estimate.high})
    return estimate, rows


def _blocks(ends: Sequence[int]) -> Iterator[tuple[int, int]]:
    for start, end in zip([0, *ends], ends, strict=False):
        yield start, end - start


def _from_0(job: Job, hands: int, thresholds: dict[str, int]) -> dict[str, Result]:
    size = min(_BLOCK, hands)
    tasks = [(list(thresholds.values()), size)] * (hands // size)
    blocks = job.map(simulate_thresholds, tasks, seed=SEEDS["from_0"])
    n = len(thresholds)
    *products, sums = [[sum(block[i][j] for block in blocks) for j in range(n)] for i in range(n + 1)]
    results = {
        name: measured(moments(hands, sums[i], products[i][i]), unit="points") for i, name in enumerate(thresholds)
    }
    for i, name in list(enumerate(thresholds))[1:]:
        squares = products[0][0] - 2 * products[0][i] + products[i][i]
        gain = moments(hands, sums[0] - sums[i], squares)
        results[f"optimum_over_{name}"] = measured(gain, unit="points")
    return results
