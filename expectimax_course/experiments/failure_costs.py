"""What the failures of chapter 11 cost: every broken player against its mended twin, on the same seeds.

*Runner.* The plans for wandering and for hunting guards in both worlds, on both maps, exactly and in games.
*Push to 21.* Hands played with the plans of broken means and scales; what each plan earns is also known exactly. Dice
rolled again give another plan each time: each is valued exactly.
*2048.* The article's player, two decisions deep, with another belief about spawns, and with an infinite loss; on 2 × 3
the wrong belief is solved exactly. The budget of leaves is compared at a depth of three and by deepening while the
leaves last (no table, so that leaves are comparable).
*Keys.* Decisions at `failures.keys.crossroads`; a choice is judged by its regret, the exact value that it gives away.

The cost of a bent evaluation stands in `scale_2048`, that of playing one depth less, which is what entries of the wrong
depth make of a deepened search, in `telling_apart`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from expectimax_course.experiments.record import Findings, Result, Row, exact, measured
from expectimax_course.experiments.runner import Job
from expectimax_course.failures import chance, models, opponents
from expectimax_course.failures.gallery import THRESHOLD
from expectimax_course.failures.keys import DepthBlind, Unsafe, crossroads, deepened
from expectimax_course.game import Game
from expectimax_course.games.push_to_21 import PushState, PushTo21
from expectimax_course.games.trapped import CORNERED, FORK
from expectimax_course.play import play_game
from expectimax_course.rng import derive_seed
from expectimax_course.search.cutoff import Cutoff, run_cutoff
from expectimax_course.search.expectimax import expectimax
from expectimax_course.search.table import Table
from expectimax_course.stats import mean_interval, paired_difference, proportion_interval

TITLE = "What each failure costs, broken against mended on the same seeds"
SEEDS = {"runs": 111, "hands": 112, "plans": 113, "games": 114, "crossroads": 115, "spawns": 116}

MAPS = {"cornered": CORNERED, "fork": FORK}
PUSH: dict[str, tuple[chance.Mean, Callable[[float], float]]] = {
    "divided": (chance.broken_divided, chance.honest_scale),
    "overwritten": (chance.broken_overwritten, chance.honest_scale),
    "worst": (chance.broken_worst, chance.honest_scale),
    "square": (chance.weighted_mean, chance.broken_square),
    "infinite": (chance.weighted_mean, chance.broken_infinite),
}
LOST = {"mended": -1e9, "infinity": float("-inf")}
BUDGET = 10_000
"""Leaves of a move of 2048, for the explosion."""
BATCH = 50


def run_maps(name: str, model: opponents.Guards, world: opponents.Guards, first: int, runs: int) -> list[list[float]]:
    """Return points and 1 for a win, 0 for a loss, of each run."""
    found = []
    for index in range(first, first + runs):
        game = opponents.run(MAPS[name], model, world, seed=derive_seed(SEEDS["runs"], index))
        found.append([game.score, float(game.score > 0)])
    return found


def play_hands(name: str, first: int, hands: int) -> list[float]:
    """Return what hands of Push bring with a plan of `PUSH`, or with the right one."""
    game: Game[PushState, Any] = PushTo21()
    plan = chance.make_plan(*PUSH[name]) if name in PUSH else chance.make_plan()
    seeds = (derive_seed(SEEDS["hands"], index) for index in range(first, first + hands))
    return [play_game(game, lambda state, rng: plan[state.total], seed=seed).score for seed in seeds]


def rolled_plans(plans: int, *, seed: int) -> list[float]:
    """Return what plans made with re-rolled dice earn, each exactly."""
    return [chance.earned(chance.make_plan(chance.broken_rerolled, seed=derive_seed(seed, i))) for i in range(plans)]


def small_board(believed: float, real: float) -> list[float]:
    """Return the best expected score of 2 × 3, and that of the best plan for another belief."""
    return list(models.expected_scores(2, 3, believed=believed, real=real))


def play_2048(
    searcher: Any, decide: Callable[[Any, int], tuple[str | None, float]], *, real: float, seed: int
) -> list[float]:
    """Play one game in a world of this spawn.

    Returns
    -------
    list
        Score, moves, the mean and the most of what a move cost, and the number of moves that cost more than `BUDGET`.
    """
    import numpy as np

    from expectimax_course.game2048 import bitboard, kernels
    from expectimax_course.game2048.rules import ACTIONS
    from expectimax_course.rng import Rng

    u, rng = np.uint64, Rng(derive_seed(seed, 0))
    slides, rewards, _, _ = bitboard.tables()
    spawns = bitboard.cumulative(real), bitboard.four_from(real)

    def spawned(board: int) -> int:
        return int(kernels.spawn(u(board), u(rng.next64()), *spawns))

    score, costs = 0.0, []
    with np.errstate(over="ignore"):
        board = spawned(spawned(0))
        while kernels.legal_slides(u(board)):
            action, cost = decide(searcher, board)
            slide = u(ACTIONS.index(str(action)))
            score += float(kernels.reward_of(u(board), slide, rewards))
            board = spawned(int(kernels.slide(u(board), slide, slides)))
            costs.append(cost)
    return [score, len(costs), sum(costs) / len(costs), max(costs), sum(cost > BUDGET for cost in costs)]


def to_depth(depth: int) -> Callable[[Any, int], tuple[str | None, float]]:
    """Decide at a fixed depth."""

    def decide(searcher: Any, board: int) -> tuple[str | None, float]:
        found = searcher.search(board, depth)
        return found.action, found.evaluations

    return decide


def while_leaves_last(searcher: Any, board: int) -> tuple[str | None, float]:
    """Deepen until the budget is used up, and answer with the last depth that was complete in it."""
    found = searcher.search_within(board, BUDGET)
    return found.action, found.evaluations


def games_2048(how: str, believed: float, real: float, first: int, games: int) -> list[list[float]]:
    """Play games: at depth 2 with a belief and a value of a lost game, or within a budget of leaves."""
    from expectimax_course.game2048.evaluate import article
    from expectimax_course.game2048.search import Searcher

    budget = how in ("fixed", "counted")
    searcher = Searcher(article, spawn_four=believed, lost=LOST["mended"], table_bits=0 if budget else 16)
    if not budget:
        searcher.lost = LOST[how]  # past the check that refuses an infinite value
    decide = {"fixed": to_depth(3), "counted": while_leaves_last}.get(how, to_depth(2))
    seeds = (derive_seed(SEEDS["games"], index) for index in range(first, first + games))
    return [play_2048(searcher, decide, real=real, seed=seed) for seed in seeds]


def at_crossroads(games: int, *, seed: int) -> list[list[float]]:
    """Return, per game and for reach and depth: regret mended and broken, error of the value mended and broken."""
    rows = []
    for index in range(games):
        game = crossroads(derive_seed(seed, index))
        full = expectimax(game, 0)
        truth = {action: low for action, (low, _) in full.action_values.items()}
        cut = [
            run_cutoff(kind(game, game.estimate, False, THRESHOLD, how), 0, 5)  # type: ignore[arg-type]
            for kind, how in ((Cutoff, "reach"), (Unsafe, "exact"))
        ]
        deep = [deepened(game, 0, 3, game.estimate, table()) for table in (Table, DepthBlind)]
        row: list[float] = []
        for pair in (cut, deep):
            row += [full.value - truth[one.action] for one in pair]
            row += [abs(one.value - full.value) for one in pair]
        rows.append(row)
    return rows


def run(job: Job) -> Findings:
    """Measure everything."""
    results: dict[str, Result] = {}
    tables = {"cells": _cells(job, results), "push": _push(job, results), "spawns": _spawns(job, results)}
    _games(job, results)
    _keys(job, results)
    return Findings(results, tables)


def _batches(job: Job, function: Callable[..., Any], *fixed: Any, n: int, batch: int = BATCH) -> list[Any]:
    tasks = [(*fixed, first, min(batch, n - first)) for first in range(0, n, batch)]
    return [entry for part in job.map(function, tasks, seed=None) for entry in part]


def _cells(job: Job, results: dict[str, Result]) -> list[Row]:
    n = job.size(1000, quick=20)
    rows: list[Row] = []
    for name, text in MAPS.items():
        for world in opponents.GUARDS:
            points = {}
            for model in opponents.GUARDS:
                runs = _batches(job, run_maps, name, model, world, n=n, batch=250)
                points[model] = [run[0] for run in runs]
                won = proportion_interval(round(sum(run[1] for run in runs)), n)
                rate = opponents.win_rate(text, model, world)
                row: Row = {"cell": f"{name}-{model}-{world}", "map": name, "model": model, "world": world}
                row |= {"rate": rate, "seen": won.mean, "low": won.low, "high": won.high, "n": n}
                rows.append(row | {"points": opponents.points(text, model, world)})
            wrong: opponents.Guards = "hunt" if world == "wander" else "wander"
            gap = paired_difference(points[world], points[wrong])
            results[f"cost_{name}_{world}"] = measured(gap, unit="points per run")
    return rows


def _push(job: Job, results: dict[str, Result]) -> list[Row]:
    n = job.size(10_000, quick=100)
    hands = {name: _batches(job, play_hands, name, n=n, batch=2500) for name in ("mended", *PUSH)}
    best = chance.earned(chance.make_plan())
    rows: list[Row] = []
    for name in PUSH:
        gap = paired_difference(hands["mended"], hands[name])
        results[f"cost_{name}"] = measured(gap, unit="points per hand")
        loss = best - chance.earned(chance.make_plan(*PUSH[name]))
        rows.append({"fault": name, "exact": loss, "cost": gap.mean, "low": gap.low, "high": gap.high})
    plans = job.map(rolled_plans, [(BATCH,)] * job.size(40, quick=1), seed=SEEDS["plans"])
    losses = [best - earned for part in plans for earned in part]
    results["cost_rerolled"] = measured(mean_interval(losses), unit="points per hand")
    return rows


def _spawns(job: Job, results: dict[str, Result]) -> list[Row]:
    for believed, real in ((0.5, 0.1), (0.1, 0.5)):
        best, misled = job.map(small_board, [(believed, real)], seed=None)[0]
        results[f"small_best_{round(100 * real)}"] = exact(best, unit="points per game")
        results[f"small_loss_{round(100 * real)}"] = exact(best - misled, unit="points per game")
    rows: list[Row] = []
    for n in (30, 100, 300, 1000, 3000):
        seen = models.spawn_interval(models.observe_spawns(n, spawn_four=0.1, seed=SEEDS["spawns"]))
        rows.append({"n": n, "seen": seen.mean, "low": seen.low, "high": seen.high})
    return rows


def _games(job: Job, results: dict[str, Result]) -> None:
    n = job.size(1500, quick=2)
    right = _scores(_batches(job, games_2048, "mended", 0.1, 0.1, n=n))
    results["score_2048"] = measured(mean_interval(right), unit="points per game")
    for name, how, believed in (
        ("belief_50", "mended", 0.5),
        ("belief_90", "mended", 0.9),
        ("infinity_2048", "infinity", 0.1),
    ):
        other = _scores(_batches(job, games_2048, how, believed, 0.1, n=n))
        results[f"cost_{name}"] = measured(paired_difference(right, other), unit="points per game")
    n = job.size(100, quick=2)
    fixed, counted = (_batches(job, games_2048, how, 0.1, 0.1, n=n, batch=5) for how in ("fixed", "counted"))
    gap = paired_difference(_scores(counted), _scores(fixed))
    results["cost_fixed"] = measured(gap, unit="points per game")
    late = [game[4] / game[1] for game in fixed]
    results["late_fixed"] = measured(mean_interval(late), unit="share of moves over the budget")
    for name, games in (("fixed", fixed), ("counted", counted)):
        results[f"most_{name}"] = exact(max(game[3] for game in games), unit="leaves of a move")
        results[f"mean_{name}"] = measured(mean_interval([game[2] for game in games]), unit="leaves per move")


def _scores(games: Sequence[Sequence[float]]) -> list[float]:
    return [game[0] for game in games]


def _keys(job: Job, results: dict[str, Result]) -> None:
    found = job.map(at_crossroads, [(BATCH,)] * job.size(100, quick=1), seed=SEEDS["crossroads"])
    games = [row for part in found for row in part]
    for k, name in enumerate(("reach", "depth")):
        columns = list(zip(*(row[4 * k : 4 * k + 4] for row in games), strict=True))
        mended, broken = columns[0], columns[1]
        results[f"cost_{name}"] = measured(paired_difference(broken, mended), unit="points per decision")
        errors = paired_difference(columns[3], columns[2])
        results[f"error_{name}"] = measured(errors, unit="points of value")
        results[f"changed_{name}"] = measured(
            proportion_interval(sum(a != b for a, b in zip(mended, broken, strict=True)), len(games)),
            unit="share of decisions",
        )
