"""A thousand decisions against the clock: how far does a search overrun its limit?

Positions of Dice 6 × 6 are decided by iterative deepening of Star2 with a few milliseconds each. On the wall clock the
overrun includes whatever else the machine is doing; on the clock of the process's own CPU time it is the search's
alone. The clock is read every eight nodes.

What was imported before is frozen out of the garbage collector first, as a player with a clock should do at its start:
a full collection of it stops the process for many milliseconds, whatever the search does.
"""

from __future__ import annotations

import gc
import time
from collections import Counter

from expectimax_course.experiments.positions import random_position
from expectimax_course.experiments.record import Findings, Result, Row, exact, measured
from expectimax_course.experiments.runner import Job
from expectimax_course.games.dice import Dice
from expectimax_course.rng import Rng, derive_seed
from expectimax_course.search.deepening import deepening_star
from expectimax_course.search.ordering import by_score
from expectimax_course.stats import mean_interval, proportion_interval

TITLE = "Deadlines: the overrun of 1,000 decisions, and the depth reached"
SEEDS = {"positions": 41}
TIMED = True

LIMITS = (5, 20, 80)
CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}
SLACK = 5.0
"""Milliseconds after the limit within which a move should be there."""


def decide(clock: str, limit: float, moves: int, *, seed: int) -> list[list[float]]:
    """Decide some random positions; return [milliseconds taken, depth completed] of each."""
    gc.collect()
    gc.freeze()
    game = Dice(6, 3)
    answers = []
    for number in range(moves):
        rng = Rng(derive_seed(seed, number))
        state = random_position(game, rng.below(8), rng)
        found = deepening_star(
            game,
            state,
            game.estimate,
            milliseconds=limit,
            bounds=(-1, 1),
            order=by_score(game.urgency),
            clock=CLOCKS[clock],
        )
        answers.append([found.milliseconds, float(found.result.depth or 0)])
    gc.unfreeze()
    return answers


def run(job: Job) -> Findings:
    """Decide 1,000 positions on each clock at 20 milliseconds, fewer at the other limits."""
    results: dict[str, Result] = {}
    rows: list[Row] = []
    for limit in LIMITS:
        moves = job.size(1000 if limit == 20 else 200, quick=20)
        for clock in CLOCKS:
            blocks = job.map(decide, [(clock, limit, moves // 10)] * 10, seed=SEEDS["positions"])
            answers = [answer for block in blocks for answer in block]
            # a decision that ends early, because the whole tree was seen, has no overrun
            overruns = sorted(max(0.0, milliseconds - limit) for milliseconds, _ in answers)
            name = f"{clock}_{limit}"
            results[f"{name}_in_time"] = measured(
                proportion_interval(sum(overrun <= SLACK for overrun in overruns), len(overruns)),
                unit=f"of moves within the limit + {SLACK:.0f} ms",
            )
            results[f"{name}_worst"] = exact(overruns[-1], unit="ms over the limit, the worst")
            results[f"{name}_p99"] = exact(
                overruns[int(0.99 * len(overruns))], unit="ms over the limit, 99th percentile"
            )
            results[f"{name}_depth"] = measured(mean_interval(depth for _, depth in answers), unit="decisions")
            depths = Counter(int(depth) for _, depth in answers)
            rows += [
                {"row": f"{name}-{depth}", "clock": clock, "limit": limit, "depth": depth, "moves": depths[depth]}
                for depth in sorted(depths)
            ]
    return Findings(results, {"depths": rows})
