"""Where a search's time goes, and what each way of saving it costs: the 2048 player of the source article, measured.

All on boards of seeded games with `article` as evaluation and no rewards, as in the source. Four questions:

* What does a depth cost, in evaluations and CPU time, readable and compiled?
* What does probability cutoff save and what does it err, without a cache, with the two safe ones, and with a cache
  whose key lacks the reach (``Unsafe``, here as a failure)?
* When time runs out inside a depth: is the last complete depth's answer better than the favourite of the moment? A
  choice is judged by its *regret*, the value that it loses in a search one decision deeper.
* What does a depth chosen by the product of branching factors cost, from full boards to empty ones?
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from statistics import median
from typing import Any

from expectimax_course.experiments.record import Findings, Result, Row, exact, measured
from expectimax_course.experiments.runner import Job
from expectimax_course.failures.keys import Unsafe
from expectimax_course.game import Game, Player
from expectimax_course.game2048 import rules
from expectimax_course.game2048.evaluate import article
from expectimax_course.game2048.rules import Game2048, State
from expectimax_course.play import play_game, search_agent
from expectimax_course.rng import Rng, derive_seed
from expectimax_course.search.adaptive import adaptive_depth
from expectimax_course.search.cutoff import Cutoff, run_cutoff
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.progress import known_at, progress
from expectimax_course.search.table import Table
from expectimax_course.stats import mean_interval

TITLE = "Budgets of time: 2048 searched by depth, by reach, and against a deadline"
SEEDS = {"boards": 7, "deadlines": 71}
TIMED = True

GAME: Game[State, Any] = Game2048(terminal_utility=-100.0)
THRESHOLDS = (0.001, 0.002, 0.003, 0.005, 0.01, 0.02)
DEPTH = 4
"""Decisions of the searches that are cut by reach."""
BUDGET = 100_000
"""Leaves for the adaptive depth."""


@cache
def board(number: int, empty: int) -> State:
    """Return a board with so many empty cells out of game ``number`` of the player that looks one move ahead.

    Boards of seven and less come after move 150; fuller of room, they are early.
    """
    played = play_game(GAME, search_agent(GAME, 1, article), seed=derive_seed(SEEDS["boards"], number))
    states = [state for state, _ in played.history if GAME.current_player(state) is Player.MAX]
    fitting = [s for s in states[150 if empty <= 7 else 0 :] if sum(row.count(0) for row in s.board) == empty]
    return fitting[0] if fitting else board(number + 1000, empty)


def clear_caches() -> None:
    """Let a timing start cold, as a move in a game does."""
    rules.slide_row.cache_clear()
    rules._slides.cache_clear()


def cpu_milliseconds(call: Callable[[], Any]) -> float:
    """Return the least CPU time of three calls."""
    times = []
    for _ in range(3):
        clear_caches()
        start = time.process_time()
        call()
        times.append(1000 * (time.process_time() - start))
    return min(times)


def readable(number: int, depth: int) -> list[float]:
    """Return evaluations and CPU ms of the readable search with a table."""
    state = board(number, 7)
    result = expectiminimax(GAME, state, depth, article, table=Table())
    return [result.evaluations, cpu_milliseconds(lambda: expectiminimax(GAME, state, depth, article, table=Table()))]


def compiled(number: int, depth: int) -> list[float]:
    """Return evaluations and CPU ms of the compiled search, with its table."""
    from expectimax_course.game2048.bitboard import pack
    from expectimax_course.game2048.search import Searcher

    searcher, code = Searcher(article), pack(board(number, 7).board)
    result = searcher.search(code, depth)
    return [result.evaluations, cpu_milliseconds(lambda: searcher.search(code, depth))]


def by_reach(number: int) -> list[list[Any]]:
    """Return [caching, threshold, evaluations, value, regret] of each way to search one board, the full one first."""
    state = board(number, 3 + number % 3)
    full = expectiminimax(GAME, state, DEPTH, article, table=Table())
    truth = {action: low for action, (low, _) in full.action_values.items()}
    rows: list[list[Any]] = [["full", 0.0, full.evaluations, full.value, 0.0]]
    for threshold in THRESHOLDS:
        for name in ("none", "exact", "reach", "unsafe"):
            kind, caching = (Unsafe, "exact") if name == "unsafe" else (Cutoff, name)
            found = run_cutoff(kind(GAME, article, False, threshold, caching), state, DEPTH)  # type: ignore[arg-type]
            regret = full.value - truth[found.action]
            rows.append([name, threshold, found.evaluations, found.value, regret])
    return rows


def at_deadline(number: int, budgets: int, *, seed: int) -> list[list[float]]:
    """Return the regrets of three answers at random moments within depth 3: [complete, fixed order, best first]."""
    state, rng = board(number, 5), Rng(seed)
    judged = expectiminimax(GAME, state, DEPTH, article, table=Table())
    truth = {action: low for action, (low, _) in judged.action_values.items()}
    traces = [progress(GAME, state, article, 3, best_first=best_first) for best_first in (False, True)]
    rows = []
    for _ in range(budgets):
        row = []
        share = rng.random()
        for trace in traces:
            second = next(step.leaves for step in trace if step.depth == 2 and step.complete)
            finished, unfinished = known_at(trace, second + share * (trace[-1].leaves - second))
            assert finished is not None
            row += [judged.value - truth[step.favourite] for step in (finished, unfinished or finished)]
        rows.append([row[0], row[1], row[3]])
    return rows


def adaptive(number: int, empty: int) -> list[float]:
    """Return the adaptive depth of a board, and the evaluations of a compiled search at depth 3 and at that depth."""
    from expectimax_course.game2048.bitboard import pack
    from expectimax_course.game2048.search import Searcher

    state = board(number, empty)
    searcher = Searcher(article, table_bits=0)
    depth = adaptive_depth(GAME, state, BUDGET)
    return [depth, *(searcher.search(pack(state.board), d).evaluations for d in (3, depth))]


def run(job: Job) -> Findings:
    """Measure all four."""
    results: dict[str, Result] = {}
    tables = {"depths": _depths(job), "reach": _reach(job, results)}
    _deadlines(job, results)
    tables["adaptive"] = _adaptive(job)
    return Findings(results, tables)


def _depths(job: Job) -> list[Row]:
    boards = job.size(10, quick=2)
    rows: list[Row] = []
    for name, search, deepest in (("readable", readable, 4), ("compiled", compiled, 5)):
        for depth in range(1, deepest + 1):
            runs = job.map(search, [(i, depth) for i in range(boards)], seed=None)
            row: Row = {"search": f"{name} {depth}", "depth": depth, "boards": boards}
            rows.append(row | _medians(runs))
    return rows


def _medians(runs: list[list[float]]) -> Row:
    evaluations, milliseconds = (median(run[i] for run in runs) for i in (0, 1))
    most = max(run[1] for run in runs)
    return {"evaluations": evaluations, "milliseconds": milliseconds, "most_milliseconds": most}


def _reach(job: Job, results: dict[str, Result]) -> list[Row]:
    boards = job.size(15, quick=2)
    searched = job.map(by_reach, [(i,) for i in range(boards)], seed=None)
    results["reach_boards"] = exact(boards, unit="boards")
    off = [abs(u[3] - s[3]) for one in searched for s, u in zip(one[3::4], one[4::4], strict=True)]
    results["unsafe_searches"] = exact(len(off), unit="searches")
    results["unsafe_wrong"] = exact(sum(error > 1e-9 for error in off), unit="searches of another value")
    results["unsafe_worst"] = exact(max(off), unit="value")
    rows: list[Row] = []
    for k, (name, threshold, *_) in enumerate(searched[0]):
        ratios = [one[k][2] / one[0][2] for one in searched]
        errors = [abs(one[k][3] - one[0][3]) for one in searched]
        row: Row = {"search": f"{name} {threshold:g}", "caching": name, "threshold": threshold}
        row |= {"evaluations": sum(ratios) / boards, "error": sum(errors) / boards, "worst": max(errors)}
        rows.append(row | {"regret": sum(one[k][4] for one in searched) / boards})
        if threshold == 0.003:
            results[f"cost_{name}"] = measured(mean_interval(ratios), unit="evaluations of the full search")
            results[f"error_{name}"] = measured(mean_interval(errors), unit="value")
    return rows


def _deadlines(job: Job, results: dict[str, Result]) -> None:
    boards, budgets = job.size(100, quick=3), 20
    regrets = job.map(at_deadline, [(i, budgets) for i in range(boards)], seed=SEEDS["deadlines"])
    for k, name in enumerate(("complete", "fixed_order", "best_first")):
        means = [sum(row[k] for row in one) / budgets for one in regrets]
        results[f"regret_{name}"] = measured(mean_interval(means), unit="value")


def _adaptive(job: Job) -> list[Row]:
    boards = job.size(10, quick=1)
    rows: list[Row] = []
    for empty in (1, 4, 7, 10, 13):
        runs = job.map(adaptive, [(i, empty) for i in range(boards)], seed=None)
        depths = sorted(run[0] for run in runs)
        row: Row = {"empty": empty, "boards": boards, "least_depth": depths[0], "most_depth": depths[-1]}
        rows.append(row | {"fixed": median(run[1] for run in runs), "adaptive": median(run[2] for run in runs)})
    return rows
