"""What does a search of 2048 cost, what does its table save, and where does the time go before and after the bitboard?

Positions come from games of the source article's player at depth 2. Evaluations are counted by the compiled search,
whose counts are those of the readable one, without a table and with one that keeps all entries. Cost by depth: one
position with seven empty cells from each game; cost by empty cells: at most 200 positions for each number of them.

The same search at depth 3 is then timed on tuples, on 64-bit boards in plain Python (`plain_bitboard`) and compiled;
the first two are also profiled.
"""

from __future__ import annotations

import ast
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median, quantiles
from types import FrameType, ModuleType
from typing import Any

from expectimax_course.experiments import plain_bitboard
from expectimax_course.experiments.record import Findings, Row
from expectimax_course.experiments.runner import Job
from expectimax_course.game import Player
from expectimax_course.game2048 import bitboard, evaluate, rules
from expectimax_course.game2048.evaluate import article
from expectimax_course.game2048.rules import Game2048, State
from expectimax_course.game2048.search import ARTICLE_LOST, Searcher
from expectimax_course.play import play_game
from expectimax_course.rng import Rng, derive_seed
from expectimax_course.search.expectimax import expectimax
from expectimax_course.search.table import Table

TITLE = "2048: evaluations by depth, by empty cells, and what a bitboard changes"
SEEDS = {"games": 6}
TIMED = True

DEPTHS = (1, 2, 3, 4)
EMPTY, MIDDLE = 7, 150
"""Positions of the cost by depth: so many empty cells, after so many slides at least."""
SAMPLES = 3000
REST = "recursion and table"
PARTS = ("slides", "spawns", "evaluation", REST)
PART_OF = {
    **dict.fromkeys(("legal_actions", "is_terminal", "result", "_slide", "slide_row", "slide", "_slides"), "slides"),
    **dict.fromkeys(("chance_outcomes", "_spawn", "spawns"), "spawns"),
    **dict.fromkeys(("article", "evaluate"), "evaluation"),
    "transpose": "slides",
}
"""What a function of either version works at; ``transpose`` serves slides most, and the evaluation once."""


def positions(*, seed: int) -> list[tuple[int, int]]:
    """Play one game; return slides made and board of each decision."""
    searcher = Searcher(article, table_bits=12)

    def agent(state: State, rng: Rng) -> str:
        action = searcher.search(bitboard.pack(state.board), 2).action
        assert action is not None
        return action

    game: Any = Game2048()
    history = play_game(game, agent, seed=seed).history
    boards = [state.board for state, _ in history if state.player is Player.MAX]
    return [(slides, bitboard.pack(board)) for slides, board in enumerate(boards)]


def counts(board: int, depth: int, table_bits: int) -> int:
    """Return the evaluations of a search."""
    return Searcher(article, table_bits=table_bits).search(board, depth).evaluations


def cost_by_depth(boards: list[int]) -> list[Row]:
    """Return one row per depth: medians over the boards, with quartiles where they are ratios."""
    plain = {d: [counts(b, d, 0) for b in boards] for d in DEPTHS}
    cached = {d: [counts(b, d, 18) for b in boards] for d in DEPTHS}
    rows: list[Row] = []
    for depth in DEPTHS:
        row: Row = {"depth": depth, "plain": median(plain[depth]), "table": median(cached[depth])}
        row |= _spread("saving", [p / c for p, c in zip(plain[depth], cached[depth], strict=True)])
        if depth > 1:
            row |= _spread("factor", [c / b for c, b in zip(cached[depth], cached[depth - 1], strict=True)])
        rows.append(row)
    return rows


def _spread(name: str, values: list[float]) -> Row:
    low, _, high = quantiles(values, n=4, method="inclusive")
    return {name: median(values), f"{name}_low": low, f"{name}_high": high}


def cost_by_empty_cells(boards: list[int], most: int) -> list[Row]:
    """Return the median evaluations of depth 2 for each number of empty cells that occurs 20 times or more."""
    found: dict[int, list[int]] = {}
    for board in boards:
        same = found.setdefault(_empty(board), [])
        if len(same) < most:
            same.append(board)
    rows: list[Row] = []
    for empty, same in sorted(found.items()):
        if len(same) >= min(20, most):
            costs = [counts(board, 2, 0) for board in same]
            rows.append({"empty": empty, "positions": len(same), "evaluations": median(costs)})
    return rows


# ---------------------------------------------------------------------------------------------------- where time goes


def _readable(board: int, depth: int) -> float:
    rules._slides.cache_clear()  # it remembers whole boards, and the same search has been here before
    game: Any = Game2048(terminal_utility=ARTICLE_LOST)
    return expectimax(game, State(bitboard.unpack(board), Player.MAX), depth, article, table=Table()).value


def _plain(board: int, depth: int) -> float:
    return plain_bitboard.search(board, depth, {})


def _part_of(module: ModuleType) -> dict[tuple[str, int], str]:
    """Return the part of a search that each line of a module belongs to, by file and line."""
    path, parts = str(module.__file__), {}
    for node in ast.parse(Path(path).read_text(encoding="utf-8")).body:
        functions = node.body if isinstance(node, ast.ClassDef) else [node]
        for function in functions:
            if isinstance(function, ast.FunctionDef):
                for line in range(function.lineno, (function.end_lineno or function.lineno) + 1):
                    parts[path, line] = PART_OF.get(function.name, REST)
    return parts


def profile(search: Callable[[int, int], object], modules: Sequence[ModuleType], boards: list[int]) -> dict[str, float]:
    """Return the share of each part in the CPU time of a search at depth 3.

    Every millisecond of CPU time a signal asks which line runs; functions of the standard library count with the line
    that calls them. Unlike ``cProfile`` this adds nothing to a call.

    Parameters
    ----------
    modules : what is not in them counts as recursion and table
    """
    parts = {place: part for module in modules for place, part in _part_of(module).items()}
    hits = dict.fromkeys(PARTS, 0)

    def note(signum: int, frame: FrameType | None) -> None:
        if frame is not None:
            hits[parts.get((frame.f_code.co_filename, frame.f_lineno), REST)] += 1

    before = signal.signal(signal.SIGPROF, note)
    signal.setitimer(signal.ITIMER_PROF, 0.001, 0.001)
    try:
        while sum(hits.values()) < SAMPLES:
            for board in boards:
                search(board, 3)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return {part: n / sum(hits.values()) for part, n in hits.items()}


def seconds(search: Callable[[int, int], object], boards: list[int], repeats: int) -> float:
    """Return the CPU time of one search at depth 3, the mean over boards and repeats."""
    start = time.process_time()
    for _ in range(repeats):
        for board in boards:
            search(board, 3)
    return (time.process_time() - start) / (repeats * len(boards))


def time_all(boards: list[int]) -> dict[str, list[Row]]:
    """Return speeds and shares, all taken in one process, the three versions in turn."""
    engine = Searcher(article)
    versions: dict[str, tuple[Callable[[int, int], object], int]] = {
        "tuples": (_readable, 1),
        "bitboard": (_plain, 3),
        "compiled": (engine.search, 100),
    }
    for search, _ in versions.values():
        search(boards[0], 3)
    took: dict[str, list[float]] = {name: [] for name in versions}
    for _ in range(5):
        for name, (search, repeats) in versions.items():
            took[name].append(seconds(search, boards, repeats))
    evaluations = sum(engine.search(board, 3).evaluations for board in boards) / len(boards)
    speed: list[Row] = []
    for name, times in took.items():
        ratios = [slow / fast for slow, fast in zip(took["tuples"], times, strict=True)]
        row: Row = {"version": name, "milliseconds": 1000 * median(times)}
        row |= {"evaluations_per_second": evaluations / median(times), "ratio": median(ratios)}
        speed.append(row | {"ratio_low": min(ratios), "ratio_high": max(ratios)})
    before, after = profile(_readable, (rules, evaluate), boards), profile(_plain, (plain_bitboard,), boards)
    shares: list[Row] = [{"part": part, "tuples": before[part], "bitboard": after[part]} for part in PARTS]
    return {"speed": speed, "profile": shares}


def run(job: Job) -> Findings:
    """Count, then time."""
    games = job.map(positions, [()] * job.size(60, quick=4), seed=SEEDS["games"])
    middle = []
    for game in games:
        fitting = [board for slides, board in game if slides >= MIDDLE and _empty(board) == EMPTY]
        middle += fitting[:1]
    middle = middle[: job.size(30, quick=4)]
    rng = Rng(derive_seed(SEEDS["games"], 1 << 20))
    boards = [board for game in games for _, board in game]
    rng.shuffle(boards)
    (depths,) = job.map(cost_by_depth, [(middle,)], seed=None)
    (empty,) = job.map(cost_by_empty_cells, [(boards, job.size(200, quick=5))], seed=None)
    (timed,) = job.map(time_all, [(middle[:5],)], seed=None)
    return Findings({}, {"depths": depths, "empty": empty, **timed})


def _empty(board: int) -> int:
    return sum(not board >> 4 * i & 15 for i in range(16))
