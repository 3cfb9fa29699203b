"""How fast does self-play learn? The learning curve of a network of 40 hidden units against pubeval.

The network that chapter 10 ships as ``small``, trained again from nothing; on the way it plays pubeval at depth 1,
and the luck of the dice, as the strong network sees it, is taken off the results.
"""

from __future__ import annotations

from pathlib import Path

from expectimax_course.backgammon.match import movers, net_mover
from expectimax_course.backgammon.train import BLOCK, Settings, Training
from expectimax_course.experiments.backgammon_strength import JUDGE, fingerprint, pair_means
from expectimax_course.experiments.record import Findings, Row, measured
from expectimax_course.experiments.runner import Job
from expectimax_course.stats import mean_interval

TITLE = "TD(0) self-play: 40 hidden units against pubeval, from the first game on"
SEEDS = {"training": 1, "matches": 63}

_POINTS = (500, 1_000, 2_000, 5_000, 10_000, 20_000, 40_000, 60_000, 80_000, 100_000)


def run(job: Job) -> Findings:
    """Train, and stop at each point of the curve for a match; the checkpoint makes the run resumable."""
    total = job.size(100_000, quick=1_000)
    settings = Settings(seed=SEEDS["training"], games=total, hidden=40, rate=0.1)
    rows: list[Row] = []
    results = {}
    judge = fingerprint(JUDGE)
    training = Training(settings)
    for point in (point for point in _POINTS if point <= total):
        checkpoint = job.tasks / f"{point}.npz"
        if checkpoint.exists() and (saved := Training.load(checkpoint)).settings == settings:
            training = saved
        while training.done < point:
            training.advance(min(BLOCK, point - training.done))
        training.save(checkpoint)
        size = job.size(80, quick=10)
        blocks = job.map(pubeval_block, [(str(checkpoint), size, judge)] * job.size(5, quick=2), seed=SEEDS["matches"])
        estimate = mean_interval(value for block in blocks for value in block)
        results[f"games_{point}"] = measured(estimate, unit="points per game")
        rows.append({"games": point, "mean": estimate.mean, "low": estimate.low, "high": estimate.high})
    return Findings(results, {"curve": rows})


def pubeval_block(checkpoint: str, games: int, judge: int, *, seed: int) -> list[float]:
    """Return the points per game against pubeval of each pair of games, less luck."""
    net = Training.load(Path(checkpoint)).net()
    with movers("pubeval") as (pubeval,):
        return [adjusted for adjusted, _ in pair_means(net_mover(net), pubeval, games, seed)]
