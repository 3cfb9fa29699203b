"""PVS, Monte Carlo *-minimax and ChanceProbCut against Star1 and Star2: leaves, CPU time, error.

All run in the same good order without a table, Star2 and PVS also with one, since PVS searches again what fails high.
The error is |value − exact value| of the root, in units of the width of the evaluation; the *regret* is how much less
the chosen action is worth than the best, exactly. Exact searches have error 0, which the run checks.

Null windows can only pay where a second look is cheap and draws are rare, so a second table holds trees from no draw at
all to a draw after every decision.

ChanceProbCut is fitted on positions of its own: values at depth 2 by values at depth 0, at the decisions below the
root's chance nodes. Every cut it makes on the other positions is then checked by a full search.

References
----------
M. Lanctot et al., "Monte Carlo *-minimax search", IJCAI 2013. M. Schadd, M. Winands and J. Uiterwijk, "ChanceProbCut",
CIG 2009.
"""

from __future__ import annotations

import time
from statistics import NormalDist
from typing import Any

from expectimax_course.experiments.positions import FAMILIES, Problem, game_problem, patterned_tree, tree_problem
from expectimax_course.experiments.record import Findings, Result, Row, exact, measured
from expectimax_course.experiments.runner import Job
from expectimax_course.games.dice import Dice
from expectimax_course.games.einstein import Einstein
from expectimax_course.rng import Rng
from expectimax_course.search.chanceprobcut import DepthFit, chance_prob_cut, depth_pairs, fit_depths
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.ordering import by_estimate
from expectimax_course.search.pvs import pvs
from expectimax_course.search.sampling import monte_carlo_star
from expectimax_course.search.star import star
from expectimax_course.search.table import Table
from expectimax_course.stats import mean_interval, proportion_interval

TITLE = "PVS, Monte Carlo *-minimax and ChanceProbCut against Star1 and Star2"
SEEDS = {"fit": 31, "problems": 32, "patterns": 33}
TIMED = True

DEPTH, REDUCTION = 3, 2
THRESHOLDS = (0.1, 0.25, 0.5, 1.0)
"""In standard deviations of one child. A chance node averages many, so even small ones are rarely wrong."""
SAMPLES = (1, 2, 4)
PATTERNS = ("MmMmMm", "MmMmMmC", "MmMCmMm", "MCmCM")
"""Levels of the trees on which PVS is set against Star2: MAX, MIN, chance."""


def problem_of(family: str, seed: int) -> Problem:
    """Return a problem of depth 3 with an evaluation: a correlated tree (6 moves, 6 outcomes), Dice or EinStein."""
    if family == "correlated_3_6_6":
        problem = tree_problem(seed, DEPTH, 6, 6, True)
        return problem._replace(depth=DEPTH, evaluate=problem.game.estimate)
    game = Dice(6, 3) if family == "dice_6" else Einstein(5, 6)
    return game_problem(game, 4, DEPTH, seed)


def pairs(family: str, *, seed: int) -> list[list[float]]:
    """Return (value at depth 0, value at depth 2) of decisions two plies below the root of one problem."""
    problem, rng = problem_of(family, seed), Rng(seed)
    game, states = problem.game, []
    for action in game.legal_actions(problem.state):
        after = game.result(problem.state, action)
        if not game.is_terminal(after):
            state = game.result(after, rng.outcome(game.chance_outcomes(after)))
            if not game.is_terminal(state):
                states.append(state)
    assert problem.evaluate is not None
    data = depth_pairs(
        game, states, 2, problem.evaluate, reduction=REDUCTION, bounds=problem.bounds, order=problem.good_order
    )
    return [list(pair) for pair in data]


def compare(family: str, fit: list[float], *, seed: int) -> dict[str, list[float]]:
    """Search one problem in every way.

    Returns
    -------
    dict
        Search → [leaves, CPU seconds, error, regret], the last two as shares of the evaluation's width; for
        ChanceProbCut also the cuts and how many of them were wrong.
    """
    problem = problem_of(family, seed)
    game, state, depth, evaluate, bounds, order, _ = problem
    assert depth is not None
    assert evaluate is not None
    plain = expectiminimax(game, state, depth, evaluate)
    width = bounds[1] - bounds[0]
    sign = int(game.current_player(state))
    rows: dict[str, list[float]] = {}

    def record(name: str, search: Any) -> Any:
        start = time.process_time()
        found = search()
        seconds = time.process_time() - start
        result = getattr(found, "search", found)
        regret = sign * (plain.value - plain.action_values[result.action][0])
        rows[name] = [result.leaves, seconds, abs(result.value - plain.value) / width, regret / width]
        return found

    exact_settings: dict[str, Any] = {"bounds": bounds, "order": order}
    record("plain", lambda: expectiminimax(game, state, depth, evaluate))
    record("star1", lambda: star(game, state, depth, evaluate, probing=0, **exact_settings))
    record("star2", lambda: star(game, state, depth, evaluate, probing=1, **exact_settings))
    record("star2_table", lambda: star(game, state, depth, evaluate, probing=1, table=Table(), **exact_settings))
    record("pvs", lambda: pvs(game, state, depth, evaluate, **exact_settings))
    record("pvs_table", lambda: pvs(game, state, depth, evaluate, table=Table(), **exact_settings))
    for name, row in rows.items():
        if row[2] > 1e-9:
            raise AssertionError(f"{family}, seed {seed}: {name} is off by {row[2]}")
    for samples in SAMPLES:
        rng = Rng(seed + samples)
        record(
            f"mcms_{samples}",
            lambda samples=samples, rng=rng: monte_carlo_star(
                game, state, depth, evaluate, samples=samples, rng=rng, **exact_settings
            ),
        )
    slope, intercept, sigma, correlation, n = fit
    fitted = {2: DepthFit(REDUCTION, slope, intercept, sigma, correlation, int(n))}
    for threshold in THRESHOLDS:
        name = f"chanceprobcut_{100 * threshold:.0f}"
        found = record(
            name,
            lambda threshold=threshold: chance_prob_cut(
                game, state, depth, evaluate, fits=fitted, threshold=threshold, **exact_settings
            ),
        )
        rows[name] += [len(found.cuts), sum(wrong(problem, cut) for cut in found.cuts)]
    return rows


def null_windows(pattern: str, *, seed: int) -> list[list[float]]:
    """Search one tree by Star2 and by PVS in a static order.

    Returns
    -------
    list, shape (2, 4)
        Without a table, then with one: leaves of Star2 and of PVS, CPU seconds of Star2 and of PVS.
    """
    tree = patterned_tree(seed, pattern, moves=4, outcomes=3)
    order = by_estimate(tree, tree.estimate)
    rows = []
    for with_table in (False, True):
        leaves, seconds = [], []
        for search in (star, pvs):
            start = time.process_time()
            found = search(tree, 0, probing=1, order=order, table=Table() if with_table else None)
            seconds.append(time.process_time() - start)
            leaves.append(float(found.leaves))
        rows.append(leaves + seconds)
    return rows


def wrong(problem: Problem, cut: Any) -> bool:
    """Say whether a cut's claim is false, by a full search of its node."""
    truth = star(
        problem.game, cut.state, cut.depth, problem.evaluate, probing=1, bounds=problem.bounds, order=problem.good_order
    ).value
    return bool(truth > cut.bound if cut.claim == "at most" else truth < cut.bound)


def run(job: Job) -> Findings:
    """Fit, then compare, family by family."""
    rows: list[Row] = []
    results: dict[str, Result] = {}
    sizes = {"correlated_3_6_6": 60, "dice_6": 20, "einstein_5": 40}
    for number, family in enumerate(sizes):
        data = job.map(pairs, [(family,)] * job.size(30, quick=4), seed=SEEDS["fit"] + 100 * number)
        fit = fit_depths([(s, d) for block in data for s, d in block], REDUCTION)
        results[f"{family}_correlation"] = exact(fit.correlation, unit=f"correlation of {fit.n} pairs")
        results[f"{family}_sigma"] = exact(fit.sigma, unit="evaluation")
        tasks = [(family, list(fit[1:]))]
        answers = job.map(compare, tasks * job.size(sizes[family], quick=2), seed=SEEDS["problems"] + 100 * number)
        rows += summarise(family, answers)
        for threshold in THRESHOLDS:
            of_cuts = [answer[f"chanceprobcut_{100 * threshold:.0f}"] for answer in answers]
            cuts, false = (int(sum(row[i] for row in of_cuts)) for i in (4, 5))
            if cuts:
                results[f"{family}_wrong_cuts_{100 * threshold:.0f}"] = measured(
                    proportion_interval(false, cuts), unit="of the cuts"
                )
    null_rows: list[Row] = []
    for pattern in PATTERNS:
        trees = job.map(null_windows, [(pattern,)] * job.size(30, quick=3), seed=SEEDS["patterns"])
        for with_table in (False, True):
            of_all = [rows_of_tree[with_table] for rows_of_tree in trees]
            share = mean_interval(row[1] / row[0] for row in of_all)
            null_rows.append(
                {
                    "row": f"{pattern}{'-table' if with_table else ''}",
                    "pattern": pattern,
                    "table": with_table,
                    "n": share.n,
                    "leaves": share.mean,
                    "leaves_low": share.low,
                    "leaves_high": share.high,
                    "cpu": sum(row[3] for row in of_all) / sum(row[2] for row in of_all),
                }
            )
    for threshold in THRESHOLDS:
        tail = 1 - NormalDist().cdf(threshold)
        results[f"normal_tail_{100 * threshold:.0f}"] = exact(tail, unit="beyond the threshold on one side")
    return Findings(results, {"rivals": rows, "null_windows": null_rows})


def summarise(family: str, answers: list[dict[str, list[float]]]) -> list[Row]:
    """Return a row per search: leaves and CPU time relative to plain search, error and regret with their intervals."""
    rows: list[Row] = []
    for name in answers[0]:
        leaves = mean_interval(answer[name][0] / answer["plain"][0] for answer in answers)
        error = mean_interval(answer[name][2] for answer in answers)
        regret = mean_interval(answer[name][3] for answer in answers)
        rows.append(
            {
                "row": f"{family}-{name}",
                "family": FAMILIES[family][0],
                "search": name,
                "n": len(answers),
                "leaves": leaves.mean,
                "leaves_low": leaves.low,
                "leaves_high": leaves.high,
                "cpu": sum(a[name][1] for a in answers) / sum(a["plain"][1] for a in answers),
                "error": error.mean,
                "error_low": error.low,
                "error_high": error.high,
                "regret": regret.mean,
                "regret_low": regret.low,
                "regret_high": regret.high,
            }
        )
    return rows
