"""What Star1 and Star2 save: leaves, nodes and CPU time relative to plain expectiminimax.

Every family of `positions` is searched by plain expectiminimax, by alpha-beta with the window reset at chance nodes, by
Star1, Star2 and Star2.5, in the game's order and in a good one, without a table and with one; and by ``star2_again``,
the Star2 of the literature, which searches its probes a second time. A leaf is a call of evaluate or utility. Tables
keep no leaves, and plain search gets one too, since positions that meet again save it work as well. Calls that the good
order makes are counted apart.

Two more questions: what do loose bounds cost, and how often is the root wrong if the bounds are false?

References
----------
B. W. Ballard 1983; T. Hauk, M. Buro and J. Schaeffer 2004; J. Veness and A. Blair 2007: see `search.star`.
"""

from __future__ import annotations

import math
import time
from typing import Any

from expectimax_course.experiments.positions import FAMILIES, Problem
from expectimax_course.experiments.record import Findings, Result, Row, exact, measured
from expectimax_course.experiments.runner import Job
from expectimax_course.random_trees import LEAF_BOUNDS, irregular_tree, regular_tree
from expectimax_course.search.alphabeta import alphabeta, run_in_window
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.star import Child, Star, star
from expectimax_course.search.table import Table
from expectimax_course.stats import mean_interval

TITLE = "Star1 and Star2: leaves, nodes and CPU time relative to plain expectiminimax"
SEEDS = {"problems": 5, "bounds": 6}
TIMED = True

SEARCHES = ("plain", "alphabeta", "star1", "star2", "star2_5", "star2_again")
SIZES = {
    "independent_5_3_3": 10,
    "dice_6": 12,
    "dice_5": 12,
    "einstein_5": 20,
    "einstein_3": 8,
    "pig_30": 20,
    "einstein_5_deep": 20,
}
TREES = 30


class SearchedAgain(Star):
    """Star2 as published: the search of a child starts over after its probe, and a table is all that can save it."""

    probing = 1

    def finish(self, child: Child, depth: float, a: Any, b: Any) -> Any:
        """Search the child from its first action."""
        child.actions_left = None
        return super().finish(child, depth, a, b)


def run_search(name: str, problem: Problem, order: Any, table: Table | None) -> Any:
    """Run one of ``SEARCHES`` on a problem."""
    game, state, depth, evaluate, bounds = problem[:5]
    if name == "plain":
        return expectiminimax(game, state, depth, evaluate, table=table)
    if name == "alphabeta":
        return alphabeta(game, state, depth, evaluate, order=order, table=table, reset_at_chance=True)
    if name == "star2_again":
        again = SearchedAgain(
            game, depth, evaluate, bounds=bounds, order=order, use_rewards=False, table=table, verify_bounds=False
        )
        return run_in_window(again, state, depth, (-math.inf, math.inf))
    probing = {"star1": 0, "star2": 1, "star2_5": 2}[name]
    return star(game, state, depth, evaluate, probing=probing, bounds=bounds, order=order, table=table)


def compare(family: str, *, seed: int) -> list[list[Any]]:
    """Search one problem of a family in every way.

    Returns
    -------
    list of [order, search, with a table, leaves, nodes, CPU seconds, calls made by the order]

    Raises
    ------
    AssertionError
        If two searches disagree about the value.
    """
    problem = FAMILIES[family][1](seed)
    rows: list[list[Any]] = []
    value = None
    for order_name, order in (("game", None), ("good", problem.good_order)):
        for with_table in (False, True):
            for search in SEARCHES:
                problem.hint.calls = 0
                start = time.process_time()
                found = run_search(search, problem, order, Table() if with_table else None)
                seconds = time.process_time() - start
                value = found.value if value is None else value
                if abs(found.value - value) > 1e-9:
                    raise AssertionError(f"{family}, seed {seed}: {search} found {found.value}, plain {value}")
                rows.append(
                    [order_name, search, with_table, found.leaves, found.nodes.total, seconds, problem.hint.calls]
                )
    return rows


def loose(scale: float, *, seed: int) -> float:
    """Return the share of leaves that Star1 opens with bounds that are ``scale`` times as wide as the leaves'."""
    tree = regular_tree(seed, depth=2, moves=6, outcomes=6, correlated=True)
    leaves = [node.number for node in tree.nodes if node.player is None]
    middle, half = (min(leaves) + max(leaves)) / 2, (max(leaves) - min(leaves)) / 2
    bounds = (middle - scale * half, middle + scale * half)
    return star(tree, 0, bounds=bounds).leaves / len(leaves)


def dishonest(shrink: float, *, seed: int) -> bool:
    """Say whether Star1 finds a wrong root value with bounds narrower by ``shrink`` of the width at either end."""
    tree = irregular_tree(seed)
    low, high = LEAF_BOUNDS
    margin = shrink * (high - low)
    found = star(tree, 0, bounds=(low + margin, high - margin)).value
    return abs(found - expectiminimax(tree, 0).value) > 1e-9


def run(job: Job) -> Findings:
    """Measure every family, then the bounds."""
    rows: list[Row] = []
    results: dict[str, Result] = {}
    for number, (family, (title, _)) in enumerate(FAMILIES.items()):
        size = job.size(SIZES.get(family, TREES), quick=2)
        answers = job.map(compare, [(family,)] * size, seed=SEEDS["problems"] + number)
        rows += summarise(family, title, answers)
    for goal, row_name in (("correlated_goal", "correlated_2_20_21-good-star2"), ("dice_goal", "dice_6-good-star2")):
        row = next(row for row in rows if row["row"] == row_name)
        results[goal] = exact(row["leaves"], unit="of plain's leaves")  # type: ignore[arg-type]
    trees = job.size(300, quick=20)
    for scale in (1, 2, 26):
        shares = job.map(loose, [(scale,)] * trees, seed=SEEDS["bounds"])
        results[f"loose_{scale}"] = measured(mean_interval(shares), unit="of plain's leaves")
    roots = job.size(3000, quick=100)
    for percent in (0, 6, 12, 25):
        wrong = job.map(dishonest_block, [(percent / 100, roots // 10)] * 10, seed=SEEDS["bounds"])
        results[f"dishonest_{percent}"] = exact(sum(wrong), unit=f"wrong roots of {roots}")
    return Findings(results, {"savings": rows})


def dishonest_block(shrink: float, trees: int, *, seed: int) -> int:
    """Count the wrong roots among some trees."""
    return sum(dishonest(shrink, seed=seed + number) for number in range(trees))


def summarise(family: str, title: str, answers: list[list[list[Any]]]) -> list[Row]:
    """Return a row per order, search and table: the ratios to plain search without a table, over the problems."""
    rows: list[Row] = []
    for index, (order, search, with_table, *_) in enumerate(answers[0]):
        plain = [answer[0] for answer in answers]
        this = [answer[index] for answer in answers]
        leaves = mean_interval(row[3] / base[3] for row, base in zip(this, plain, strict=True))
        rows.append(
            {
                "row": f"{family}-{order}-{search}{'-table' if with_table else ''}",
                "family": title,
                "order": order,
                "search": search,
                "table": with_table,
                "n": len(answers),
                "leaves": leaves.mean,
                "leaves_low": leaves.low,
                "leaves_high": leaves.high,
                "nodes": sum(row[4] for row in this) / sum(base[4] for base in plain),
                "cpu": sum(row[5] for row in this) / sum(base[5] for base in plain),
                "order_calls": sum(row[6] for row in this) / sum(base[3] for base in plain),
                "plain_leaves": sum(base[3] for base in plain) / len(plain),
            }
        )
    return rows
