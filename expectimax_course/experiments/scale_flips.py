"""How often does a change of scale change a decision?

20,000 random decisions between two gambles (`random_decision`: two to four outcomes each, payoffs uniform on [0, 100),
probabilities uniform numbers divided by their sum) are made by expectimax and by minimax, before and after each
transform of chapter 04. A decision is flipped if the *set* of best gambles changes; see
`expectimax_course.evaluation.scale`.
"""

from __future__ import annotations

from expectimax_course.evaluation.scale import TRANSFORMS, expected, flips, random_decision, worst
from expectimax_course.experiments.record import Findings, Result, Row, measured
from expectimax_course.experiments.runner import Job
from expectimax_course.rng import Rng
from expectimax_course.stats import proportion_interval

TITLE = "How often a change of scale changes a decision"
SEEDS = {"decisions": 4}

FIELDS = {
    "x": "identity",
    "3x + 7": "affine",
    "√x": "sqrt",
    "log(1 + x)": "log1p",
    "x²": "square",
    "−x": "negated",
}
"""Transform → the name of its result in the record."""


def count_flips(decisions: int, *, seed: int) -> list[list[int]]:
    """Return, for each transform, how many of the seed's decisions it flips under expectimax and under minimax."""
    rng = Rng(seed)
    sample = [random_decision(rng) for _ in range(decisions)]
    return [[sum(flips(d, t, rule) for d in sample) for rule in (expected, worst)] for t in TRANSFORMS]


def run(job: Job) -> Findings:
    """Count, and give each share its interval."""
    tasks = job.size(20, quick=2)
    counts = job.map(count_flips, [(1000,)] * tasks, seed=SEEDS["decisions"])
    results: dict[str, Result] = {}
    rows: list[Row] = []
    for i, transform in enumerate(TRANSFORMS):
        row: Row = {"transform": transform.name, "kind": transform.kind}
        for j, rule in enumerate(("expectimax", "minimax")):
            share = proportion_interval(sum(task[i][j] for task in counts), 1000 * tasks)
            results[f"{FIELDS[transform.name]}_{rule}"] = measured(share, unit="share of decisions")
            row |= {rule: share.mean, f"{rule}_low": share.low, f"{rule}_high": share.high}
        rows.append(row)
    return Findings(results, {"flips": rows})
