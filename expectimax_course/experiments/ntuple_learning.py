"""How fast does an n-tuple network learn 2048 by temporal-coherence self-play? Three seeds from nothing.

The network is that of the shipped one, and so are the settings. At each point of the curve the run stops for greedy
(1-ply) games on seeds of their own. Points are numbers of games, the same on every machine; the CPU time to get there
stands beside them.

References
----------
W. Jaśkowski, "Mastering 2048 with delayed temporal coherence learning, multistage weight promotion, redundant encoding
and carousel shaping", IEEE Transactions on Games 10(1), 2018.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from expectimax_course.experiments.record import Findings, Result, Row, measured, write_json
from expectimax_course.experiments.runner import Job
from expectimax_course.game2048.train import Run, Settings, play_greedy
from expectimax_course.rng import derive_seed
from expectimax_course.stats import mean_interval

TITLE = "2048: learning curve of temporal coherence on four tuples of six cells, three seeds"
SEEDS = {"training": 1, "games": 9}
TIMED = True

RUNS = 3
POINTS = (1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
TEST_GAMES = 200
SAVE_SECONDS = 60


def run(job: Job) -> Findings:
    """Train one seed after the other; the checkpoints make the run resumable."""
    points = [point for point in POINTS if point <= job.size(POINTS[-1], quick=2_000)]
    return curves(job, {"tc": {}}, points, SEEDS["training"])


def curves(job: Job, learners: Mapping[str, Mapping[str, Any]], points: Sequence[int], seed: int) -> Findings:
    """Return the learning curves of learners, by name and changed settings, over `RUNS` seeds.

    The seeds are the sample: a result's interval is that of their means. In the table, ``low`` and ``high`` are the
    least and the greatest of these, ``n`` the games of each.
    """
    games = job.size(TEST_GAMES, quick=20)
    results: dict[str, Result] = {}
    rows: list[Row] = []
    for name, changes in learners.items():
        tasks = [
            (str(job.tasks), dict(changes), list(points), games, derive_seed(seed, number)) for number in range(RUNS)
        ]
        found = job.map(curve, tasks, seed=None)
        for number, point in enumerate(points):
            at = [seed_curve[number] for seed_curve in found]
            means = [fmean(measurement["scores"]) for measurement in at]
            field = f"{name.replace('-', '_').replace('.', '')}_{point}"
            results[field] = measured(mean_interval(means), unit="points per game, by seed")
            row: Row = {"row": f"{name}-{point}", "learner": name, "games": point}
            row |= {"slides": fmean(measurement["slides"] for measurement in at)}
            row |= {"seconds": fmean(measurement["seconds"] for measurement in at)}
            rows.append(row | {"mean": fmean(means), "low": min(means), "high": max(means), "n": games})
    return Findings(results, {"curve": rows})


def curve(
    folder: str, changes: Mapping[str, Any], points: Sequence[int], test_games: int, seed: int
) -> list[dict[str, Any]]:
    """Train with one seed; return scores of greedy games, slides and CPU seconds of training at each point.

    ``points`` are multiples of `train.BLOCK`. What is done stays in ``folder`` until the record is written.
    """
    settings = Settings(seed, points[-1], **changes)
    run = Run(settings)
    name = "-".join(map(str, (*settings, *points, test_games, SEEDS["games"])))
    checkpoint = Path(folder) / f"{name}.npz"
    if checkpoint.exists():
        run.restore(checkpoint)
    seeds = [derive_seed(SEEDS["games"], index) for index in range(test_games)]
    found, saved = [], run.seconds
    for point in points:
        kept = Path(folder) / f"{name}-at-{point}.json"
        while run.games < point:
            run.block()
            if run.seconds - saved > SAVE_SECONDS:
                run.save(checkpoint)
                saved = run.seconds
        if not kept.exists():
            scores = [record.score for record in play_greedy(run.network, seeds)]
            write_json(kept, {"scores": scores, "slides": run.slides, "seconds": run.seconds})
        found.append(json.loads(kept.read_text(encoding="utf-8")))
    checkpoint.unlink(missing_ok=True)
    return found
