"""Sampling outcomes flatters whoever chooses: Push to 21 with k faces drawn per roll instead of ten.

For every k, many samples are drawn. On each, the game is solved, which gives an *estimate* of its value and a policy;
the policy's *true* value is then computed on the real die. The estimate is above the exact value, the policy's below.

References
----------
M. Kearns, Y. Mansour and A. Ng, "A sparse sampling algorithm for near-optimal planning in large Markov decision
processes", Machine Learning 49, 2002.
"""

from __future__ import annotations

from expectimax_course.exact.push_to_21 import solve_push
from expectimax_course.experiments.record import Findings, Row, exact
from expectimax_course.experiments.runner import Job
from expectimax_course.games.push_to_21 import HIT, STAND, PushState, PushTo21
from expectimax_course.rng import Rng
from expectimax_course.search.expectimax import expectimax
from expectimax_course.search.sampling import SampledGame
from expectimax_course.search.table import Table
from expectimax_course.stats import mean_interval

TITLE = "Push to 21 with sampled faces: the bias of the estimate, the loss of the policy"
SEEDS = {"with": 21, "without": 22}

TARGET, FACES = 21, 10
WITH = (1, 2, 4, 8, 16, 64)
WITHOUT = (1, 2, 4, 8, 9, 10)


def solve_sampled(samples: int, replacement: bool, *, seed: int) -> list[float]:
    """Solve one sampled game.

    Returns
    -------
    [estimate, true value of its policy] of the total 0
    """
    game = PushTo21(TARGET, FACES)
    sampled, table = SampledGame(game, samples, rng=Rng(seed), replacement=replacement), Table()
    values: list[float] = [0.0] * (TARGET + 1 + FACES)
    estimate = 0.0
    for total in range(TARGET, -1, -1):
        found = expectimax(sampled, PushState(total, "choose"), table=table)
        stands = found.action_values[STAND][0] >= found.action_values[HIT][0]
        rolled = sum(values[total + 1 : total + 1 + FACES]) / FACES
        values[total] = float(total) if stands else rolled
        estimate = found.value
    return [estimate, values[0]]


def run(job: Job) -> Findings:
    """Solve many samples of every size, drawn with and without replacement."""
    rows: list[Row] = []
    for name, sizes in (("with", WITH), ("without", WITHOUT)):
        for samples in sizes:
            tasks = [(samples, name == "with")] * job.size(1000, quick=20)
            answers = job.map(solve_sampled, tasks, seed=SEEDS[name] + 1000 * samples)
            estimate = mean_interval(answer[0] for answer in answers)
            policy = mean_interval(answer[1] for answer in answers)
            rows.append(
                {
                    "row": f"{name}-{samples}",
                    "samples": samples,
                    "replacement": name == "with",
                    "n": estimate.n,
                    "estimate": estimate.mean,
                    "estimate_low": estimate.low,
                    "estimate_high": estimate.high,
                    "policy": policy.mean,
                    "policy_low": policy.low,
                    "policy_high": policy.high,
                }
            )
    return Findings({"exact": exact(solve_push(TARGET, FACES).values[0], unit="points")}, {"bias": rows})
