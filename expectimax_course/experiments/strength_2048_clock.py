"""How strong is the hand-made evaluation of 2048 when it has 1, 10 or 100 milliseconds of CPU time for a move?

Such games do not repeat: how deep a search gets depends on the processor and on its other work. The record says how
much CPU time and how many evaluations a move really took. All times play the same seeds from the first on.

A run of this length spans versions of the engine. In the record the games of 1 and 10 ms are of an earlier one than
those of 100 ms: the same values, about one and a half times slower. Who wants one version for all deletes the kept
tasks first.
"""

from __future__ import annotations

from expectimax_course.experiments.record import Findings, Result, Row
from expectimax_course.experiments.runner import Job
from expectimax_course.experiments.strength_2048 import TILES, summarise
from expectimax_course.experiments.timed_player import play_timed

TITLE = "2048: strength by time per move"
SEEDS = {"games": 2048}
TIMED = True

MATCHES = ((1, 200), (10, 200), (100, 20))
"""Milliseconds, games. Add to them, and an interrupted run keeps its games."""


def run(job: Job) -> Findings:
    """Play all matches."""
    results: dict[str, Result] = {}
    rows: list[Row] = []
    for milliseconds, full in MATCHES[: job.size(len(MATCHES), quick=1)]:
        tasks = [(SEEDS["games"], milliseconds, index) for index in range(job.size(full, quick=2))]
        played = job.map(play_timed, tasks, seed=None)
        found, row = summarise(f"ms_{milliseconds}", played, (*TILES, 32768))
        results |= found
        rows.append({"milliseconds": milliseconds, **row})
    return Findings(results, {"players": rows})
