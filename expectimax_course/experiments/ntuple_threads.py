"""What does a second core bring when an n-tuple network learns 2048: two threads on one network, or two networks?

*Lock-free*: two threads play games of their own and update the same weights without asking each other. An update can
then be lost, and no run repeats. *Two networks*: two processes, each with a seed of its own. Both do twice the work in
the same time as far as memory lets them.

References
----------
F. Niu, B. Recht, C. Ré and S. J. Wright, "Hogwild!: A lock-free approach to parallelizing stochastic gradient descent",
NeurIPS 2011.
"""

from __future__ import annotations

import time
from statistics import fmean

from expectimax_course.experiments.record import Findings, Result, Row, measured
from expectimax_course.experiments.runner import Job
from expectimax_course.game2048.train import Run, Settings, play_greedy
from expectimax_course.rng import derive_seed
from expectimax_course.stats import mean_interval, paired_difference

TITLE = "2048: what a second core brings to learning"
SEEDS = {"training": 5, "games": 9}
TIMED = True

RUNS = 3
GAMES = 10_000
TEST_GAMES = 200


def learn(seed: int, games: int, test_games: int, threads: int) -> list[list[float]]:
    """Train one network for ``games`` games, with threads that share its weights.

    Returns
    -------
    list
        The scores of greedy games after it; slides of the training and its seconds of wall time.
    """
    Run(Settings(seed, 1)).block()  # compile first
    run = Run(Settings(seed, games, threads=threads))
    start = time.perf_counter()
    while run.games < games:
        run.block()
    seconds = time.perf_counter() - start
    tests = [derive_seed(SEEDS["games"], index) for index in range(test_games)]
    scores = [float(record.score) for record in play_greedy(run.network, tests)]
    return [scores, [float(run.slides), seconds]]


def side_by_side(seed: int, games: int) -> list[float]:
    """Train two networks in two processes at once; return their slides and the seconds of wall time of the longer."""
    from joblib import Parallel, delayed

    one, other = Parallel(n_jobs=2)(delayed(learn)(derive_seed(seed, number), games, 1, 1) for number in range(2))
    return [one[1][0] + other[1][0], max(one[1][1], other[1][1])]


def run(job: Job) -> Findings:
    """Train each way with three seeds, one after the other."""
    job.jobs = 1
    games, tests = job.size(GAMES, quick=400), job.size(TEST_GAMES, quick=5)
    seeds = [derive_seed(SEEDS["training"], number) for number in range(RUNS)]
    alone, together = (job.map(learn, [(seed, games, tests, n) for seed in seeds], seed=None) for n in (1, 2))
    pairs = job.map(side_by_side, [(seed, games) for seed in seeds], seed=None)
    work = {"alone": [w for _, w in alone], "together": [w for _, w in together], "side_by_side": pairs}
    rates = {name: [slides / seconds for slides, seconds in done] for name, done in work.items()}
    results: dict[str, Result] = {}
    for name in ("together", "side_by_side"):
        ratios = [rate / base for rate, base in zip(rates[name], rates["alone"], strict=True)]
        results[f"{name}_speed"] = measured(mean_interval(ratios), unit="times the slides of one thread")
    means = {name: [fmean(scores) for scores, _ in found] for name, found in (("alone", alone), ("together", together))}
    for name, found in means.items():
        results[f"{name}_score"] = measured(mean_interval(found), unit="points per game, by seed")
    results["together_over_alone"] = measured(
        paired_difference(means["together"], means["alone"]), unit="points per game, by seed"
    )
    rows: list[Row] = [
        {"row": name, "games": games, "slides_per_second": fmean(found)} for name, found in rates.items()
    ]
    return Findings(results, {"ways": rows})
