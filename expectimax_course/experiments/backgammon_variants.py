"""What makes a learner of backgammon strong? Variants of one training run, by what their choices give away.

Each variant plays the same number of games against itself from the same seed; at points on the way its choices at depth
1 are judged by GNU Backgammon's 0-ply, over decisions from that program's play (see `backgammon_strength`). The rate of
learning falls in the second half of a run, so a curve is that of one run and its last point the one to compare. The
decisions are the same for all, so a variant is compared with the first one decision by decision; the intervals speak of
these decisions, and not of how another run of the same variant would have come out.
"""

from __future__ import annotations

from typing import Any

from expectimax_course.backgammon.referee import Referee
from expectimax_course.backgammon.search import Engine
from expectimax_course.backgammon.train import BLOCK, Settings, Training
from expectimax_course.experiments.backgammon_strength import given_away, judged_decisions
from expectimax_course.experiments.record import Findings, Result, Row, measured
from expectimax_course.experiments.runner import Job
from expectimax_course.stats import mean_interval

TITLE = "Backgammon: raw and expert inputs, more hidden units and λ, by equity loss at depth 1"
SEEDS = {"training": 2, "decisions": 65}

VARIANTS: dict[str, dict[str, Any]] = {
    "raw": {},
    "raw_80_units": {"hidden": 80},
    "raw_lambda": {"decay": 0.7},
    "expert": {"expert": True},
}


def curve(variant: str, games: int, points: int, decisions: int, seed: int) -> list[list[float]]:
    """Return, at each of so many points of a run, the points that each decision gives away."""
    with Referee() as referee:
        judged = list(judged_decisions(referee, decisions, SEEDS["decisions"]))
    training = Training(Settings(seed=seed, games=games, **VARIANTS[variant]))
    rows = []
    for point in range(1, points + 1):
        while training.done < games * point // points:
            training.advance(min(BLOCK, games * point // points - training.done))
        engine = Engine(training.weights)
        rows.append([given_away(engine, decision) for decision in judged])
    return rows


def run(job: Job) -> Findings:
    """Train all variants."""
    games, points = job.size(30_000, quick=200), job.size(6, quick=2)
    tasks = [(variant, games, points, job.size(4_000, quick=20), SEEDS["training"]) for variant in VARIANTS]
    results: dict[str, Result] = {}
    rows: list[Row] = []
    runs: dict[str, list[float]] = {}
    for variant, found in zip(VARIANTS, job.map(curve, tasks, seed=None), strict=True):
        for point, losses in enumerate(found, 1):
            estimate = mean_interval(1000 * loss for loss in losses)
            row: Row = {"variant": variant, "games": games * point // points}
            rows.append(row | {"mean": estimate.mean, "low": estimate.low, "high": estimate.high})
        results[variant] = measured(estimate, unit="thousandths of a point")
        runs[variant] = found[-1]
    first = runs.pop("raw")
    for variant, losses in runs.items():
        more = mean_interval(1000 * (loss - base) for loss, base in zip(losses, first, strict=True))
        results[f"{variant}_more"] = measured(more, unit="thousandths of a point more than raw")
    return Findings(results, {"curves": rows})
