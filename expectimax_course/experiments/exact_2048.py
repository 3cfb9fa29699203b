"""What can be earned on small boards of 2048, exactly: up to 3 × 3, for points and for the largest tiles.

Every reachable board is enumerated and valued, see `expectimax_course.game2048.exact_layers`.
"""

from __future__ import annotations

import time
from typing import Any

from expectimax_course.experiments.record import Findings, Result, Row, exact
from expectimax_course.experiments.runner import Job
from expectimax_course.game2048.exact_layers import solve_layers

TITLE = "2048 on small boards, solved"
SEEDS: dict[str, int] = {}
TIMED = True

BOARDS = ((2, 2, None), (2, 3, None), (2, 4, None), (3, 3, None), (2, 2, 32), (3, 3, 512), (3, 3, 1024))
"""Rows, columns, target tile; None plays for points."""


def solve_board(rows: int, cols: int, target: int | None) -> dict[str, Any]:
    """Solve one board; the CPU seconds are the only field that another run changes."""
    start = time.process_time()
    optimum = solve_layers(rows, cols, target)
    return {**optimum._asdict(), "cpu_seconds": time.process_time() - start}


def run(job: Job) -> Findings:
    """Solve all boards."""
    tasks = BOARDS[: job.size(len(BOARDS), quick=2)]
    results: dict[str, Result] = {}
    rows: list[Row] = []
    for (height, width, target), found in zip(tasks, job.map(solve_board, tasks, seed=None), strict=True):
        name = f"{height}x{width}" + (f"_{target}" if target else "")
        made = {int(tile): p for tile, p in found["tile_probabilities"].items()}
        results[f"score_{name}"] = exact(found["expected_score"], unit="points")
        results[f"states_{name}"] = exact(found["states"], unit="states")
        results[f"classes_{name}"] = exact(found["classes"], unit="states up to symmetry, games over not counted")
        results |= {f"made_{tile}_{name}": exact(p, unit="probability") for tile, p in made.items()}
        cost = {"cpu_seconds": found["cpu_seconds"], "largest": max(made), "probability": made[max(made)]}
        rows.append({"board": name, "rows": height, "cols": width, "target": target, **cost})
    return Findings(results, {"boards": rows})
