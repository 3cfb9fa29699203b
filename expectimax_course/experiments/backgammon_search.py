"""What do Star1 and Star2 save in backgammon, and what does a third ply cost?

Decisions from the network's own play at depth 1, each searched in full width: plainly, with Star1, with Star2, all at
depth 2, and with Star2 at depth 3. All of depth 2 must give the same value. CPU times are compared in one process, one
search after the other on the same decision, and reported as ratios. Plain search values the replies to a roll at once;
those that may stop after any reply value them one by one, which makes each of their leaves dearer.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from expectimax_course.backgammon.net import load_net
from expectimax_course.backgammon.rules import OFF, Backgammon, plays, rolls
from expectimax_course.backgammon.search import Engine, Method
from expectimax_course.experiments.record import Findings, Result, Row, exact, measured
from expectimax_course.experiments.runner import Job
from expectimax_course.rng import Rng
from expectimax_course.stats import mean_interval

TITLE = "Backgammon: leaves and time of plain search, Star1 and Star2 at depth 2, and of Star2 at depth 3"
SEEDS = {"decisions": 64}
TIMED = True

NET = "strong"
SEARCHES: tuple[tuple[str, int, Method], ...] = (
    ("plain", 2, "plain"),
    ("star1", 2, "star1"),
    ("star2", 2, "star2"),
    ("star2_3ply", 3, "star2"),
)
_BLOCK = 25


def block(decisions: int, depths: int, *, seed: int) -> list[list[list[float]]]:
    """Return, for each decision and search, (value, leaves, CPU seconds); ``depths`` is 3 to include the third ply."""
    engine, rng = Engine(load_net(NET)), Rng(seed)
    own = other = side = Backgammon().initial_state().max_side
    for _, depth, method in SEARCHES:
        if depth <= depths:
            engine.search(own, other, (2, 1), depth, width=2, method=method)  # compile before the clock runs
    found: list[list[list[float]]] = []
    while len(found) < decisions:
        if other[OFF] == 15:
            own = other = side
        roll = rng.outcome(rolls())
        legal = plays(own, other, roll)
        if len(legal) > 1:
            rows = []
            for _, depth, method in SEARCHES:
                if depth <= depths:
                    leaves, start = engine.leaves, time.process_time()
                    value = engine.search(own, other, roll, depth, method=method)[0].value
                    rows.append([value, float(engine.leaves - leaves), time.process_time() - start])
            found.append(rows)
        other, own = legal[engine.search(own, other, roll)[0].play]
    return found


def total(decisions: Sequence[Sequence[Sequence[float]]], search: int, entry: int) -> float:
    """Return the sum of one entry of one search over decisions: leaves are entry 1, CPU seconds entry 2."""
    return sum(row[search][entry] for row in decisions)


def run(job: Job) -> Findings:
    """Search all decisions at depth 2, and a few of them at depth 3 too."""
    many, few = job.size(40, quick=2), job.size(8, quick=1)
    size = job.size(_BLOCK, quick=3)
    deep = job.map(block, [(size, 3)] * few, seed=SEEDS["decisions"])
    shallow = job.map(block, [(size, 2)] * many, seed=SEEDS["decisions"] + 1)
    decisions: list[list[list[float]]] = [row for part in shallow for row in part]
    results: dict[str, Result] = {
        "wrong_values": exact(
            sum(row[0] != plain[0] for plain, *rest in decisions for row in rest), unit="of all pruned searches"
        )
    }
    table: list[Row] = []
    for index, (name, depth, _) in enumerate(SEARCHES):
        rows = [row for part in deep for row in part] if depth == 3 else decisions
        n = len(rows)
        leaves, seconds = (sum(row[index][k] for row in rows) / n for k in (1, 2))
        plain_leaves, plain_seconds = (sum(row[0][k] for row in rows) / n for k in (1, 2))
        results[f"{name}_leaves"] = measured(mean_interval(row[index][1] for row in rows), unit="leaves per decision")
        if depth == 2 and index:
            saved = [1 - total(part, index, 1) / total(part, 0, 1) for part in shallow]
            results[f"{name}_saved"] = measured(mean_interval(saved), unit="of plain's leaves, by block")
            faster = [total(part, 0, 2) / total(part, index, 2) for part in shallow]
            results[f"{name}_speedup"] = measured(mean_interval(faster), unit="times as fast as plain, by block")
        table.append(
            {
                "search": name,
                "depth": depth,
                "decisions": n,
                "leaves": leaves,
                "of_plain_leaves": leaves / plain_leaves,
                "of_plain_time": seconds / plain_seconds,
            }
        )
    return Findings(results, {"searches": table})
