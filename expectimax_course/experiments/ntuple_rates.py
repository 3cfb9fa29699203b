"""Which learning rate does an n-tuple network for 2048 need, and what does temporal coherence find by itself?

The small network (four tuples of four cells) learns at three fixed rates, with temporal coherence from zero, and with
temporal coherence from optimistic values; three seeds and equally many games each.

References
----------
D. F. Beal and M. C. Smith, "Temporal coherence and prediction decay in TD learning", IJCAI 1999. H. Guei, L.-P. Chen
and I-C. Wu, "Optimistic temporal difference learning for 2048", IEEE Transactions on Games, 2021.
"""

from __future__ import annotations

from expectimax_course.experiments import ntuple_learning
from expectimax_course.experiments.record import Findings
from expectimax_course.experiments.runner import Job

TITLE = "2048: fixed learning rates against temporal coherence, small network, three seeds"
SEEDS = {"training": 2, "games": ntuple_learning.SEEDS["games"]}
TIMED = True

LEARNERS = {
    "td-1": {"coherence": False, "rate": 1.0},
    "td-0.1": {"coherence": False, "rate": 0.1},
    "td-0.01": {"coherence": False, "rate": 0.01},
    "tc": {},
    "optimistic": {"initial": 40_000.0},
}
POINTS = (400, 1_000, 2_000, 5_000, 10_000)


def run(job: Job) -> Findings:
    """Train all learners."""
    points = [point for point in POINTS if point <= job.size(POINTS[-1], quick=400)]
    learners = {name: {"width": 2, **changes} for name, changes in LEARNERS.items()}
    return ntuple_learning.curves(job, learners, points, SEEDS["training"])
