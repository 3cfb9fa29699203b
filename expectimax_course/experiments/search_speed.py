"""How fast is each search? Nodes per second of CPU time, all in one run, on the same position.

Speed says what a node costs, not what a search is worth: a pruned search spends more on each node and visits fewer.
The ratios to plain expectiminimax are taken round by round, every search once a round, so that a change of the
machine's speed hits all alike.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

from expectimax_course.experiments.positions import game_problem
from expectimax_course.experiments.record import Findings, Row
from expectimax_course.experiments.runner import Job
from expectimax_course.games.dice import Dice
from expectimax_course.rng import Rng
from expectimax_course.search.alphabeta import alphabeta
from expectimax_course.search.chanceprobcut import DepthFit, chance_prob_cut
from expectimax_course.search.cutoff import cutoff_search
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.pvs import pvs
from expectimax_course.search.sampling import monte_carlo_star, sparse_sampling
from expectimax_course.search.star import star
from expectimax_course.search.table import Table

TITLE = "Nodes per second of every search, in one run"
SEEDS = {"position": 51}
TIMED = True


def searches(size: int, depth: int, seed: int) -> dict[str, Callable[[], Any]]:
    """Return every search of one Dice position, ready to run."""
    problem = game_problem(Dice(size, 3), 3, depth, seed)
    game, state, estimate, order = problem.game, problem.state, problem.game.estimate, problem.good_order
    bounds = problem.bounds
    fits = {2: DepthFit(2, 1.0, 0.0, 0.15, 0.9, 0)}
    return {
        "expectiminimax": lambda: expectiminimax(game, state, depth, estimate),
        "expectiminimax_table": lambda: expectiminimax(game, state, depth, estimate, table=Table()),
        "alphabeta_reset": lambda: alphabeta(game, state, depth, estimate, reset_at_chance=True),
        "star1": lambda: star(game, state, depth, estimate, bounds=bounds),
        "star2": lambda: star(game, state, depth, estimate, probing=1, bounds=bounds),
        "star2_ordered": lambda: star(game, state, depth, estimate, probing=1, bounds=bounds, order=order),
        "star2_ordered_table": lambda: star(
            game, state, depth, estimate, probing=1, bounds=bounds, order=order, table=Table()
        ),
        "pvs_ordered_table": lambda: pvs(game, state, depth, estimate, bounds=bounds, order=order, table=Table()),
        "cutoff": lambda: cutoff_search(game, state, depth, estimate, threshold=0.01),
        "sparse_sampling": lambda: sparse_sampling(game, state, depth, estimate, samples=3, rng=Rng(seed)),
        "monte_carlo_star": lambda: monte_carlo_star(
            game, state, depth, estimate, samples=3, rng=Rng(seed), bounds=bounds, order=order
        ),
        "chance_prob_cut": lambda: chance_prob_cut(
            game, state, depth, estimate, fits=fits, threshold=0.5, bounds=bounds, order=order
        ),
    }


def time_round(size: int, depth: int, *, seed: int) -> dict[str, list[float]]:
    """Run every search once; return [nodes and evaluations, CPU seconds] of each."""
    answers = {}
    for name, search in searches(size, depth, SEEDS["position"]).items():
        start = time.process_time()
        found = search()
        seconds = time.process_time() - start
        result = getattr(found, "search", found)
        answers[name] = [result.nodes.total + result.evaluations, seconds]
    return answers


def run(job: Job) -> Findings:
    """Time every search in several rounds."""
    rounds = job.map(time_round, [(job.size(6, quick=4), 3)] * job.size(7, quick=3), seed=SEEDS["position"])
    rows: list[Row] = []
    for name in rounds[0]:
        speeds = [answer[name][0] / answer[name][1] for answer in rounds]
        slower = [answer[name][1] / answer["expectiminimax"][1] for answer in rounds]
        rows.append(
            {
                "search": name,
                "nodes": rounds[0][name][0],
                "nodes_per_second": median(speeds),
                "slowest": min(speeds),
                "fastest": max(speeds),
                "cpu": median(slower),
                "cpu_low": min(slower),
                "cpu_high": max(slower),
            }
        )
    return Findings({}, {"speed": rows})
