"""Our engines against others, in one run: the numbers behind ``expectimax-course bench``.

A *contest* is a piece of work done by two programs. Both do it in turn, round after round, and each round gives a ratio
of their speeds in CPU time; what the machine does meanwhile hits both. The median ratio and its range are reported,
never one timing.

To enter an engine, write a function that returns a `Contest` and add it to ``CONTESTS``.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any, NamedTuple

ROUNDS = 7


class Contest(NamedTuple):
    """Two callables, each of which does its piece of work once and returns how much it did, in ``unit``s."""

    ours: Callable[[], float]
    other: Callable[[], float]
    unit: str


class UnknownBenchError(ValueError):
    """No contest has this name, or what it needs is not installed."""


def expectiminimax_contest() -> Contest:
    """Plain search of Pig, depth 6: our protocol in Python against OpenSpiel's expectiminimax on its C++ states.

    A node is one call of the recursion on either side. The trees are those of each game: OpenSpiel lets a player hold
    nothing, which adds leaves, the cheapest nodes, to its own.
    """
    from open_spiel.python.algorithms import minimax

    from expectimax_course.games.pig import Pig
    from expectimax_course.interop.openspiel import OpenSpielGame
    from expectimax_course.search.expectimax import expectiminimax

    def search(game: Any) -> float:
        found = expectiminimax(game, game.initial_state(), 6, lambda state: 0.0)
        return float(found.nodes.total + found.evaluations)

    game, theirs = Pig(), OpenSpielGame("pig")
    nodes = search(theirs)
    start = theirs.initial_state().state

    def other() -> float:
        minimax.expectiminimax(start, 6, lambda state: 0.0, 0)
        return nodes

    def ours() -> float:
        return search(game)

    return Contest(ours, other, "nodes/s")


def star2_contest() -> Contest:
    """One decision of Dice 6 × 6, depth 3: Star2 in a cheap good order against plain expectiminimax."""
    from expectimax_course.games.dice import Dice
    from expectimax_course.search.expectimax import expectiminimax
    from expectimax_course.search.ordering import by_score
    from expectimax_course.search.star import star

    game = Dice(6, 3)
    state, order = game.result(game.initial_state(), 2), by_score(game.urgency)

    def ours() -> float:
        star(game, state, 3, game.estimate, probing=1, bounds=(-1, 1), order=order)
        return 1.0

    def other() -> float:
        expectiminimax(game, state, 3, game.estimate)
        return 1.0

    return Contest(ours, other, "decisions/s")


CONTESTS: dict[str, str] = {
    "2048-gymnasium": "expectimax_course.experiments.bench_2048:gymnasium_contest",
    "2048-learning": "expectimax_course.experiments.bench_2048:learning_contest",
    "2048-openspiel": "expectimax_course.experiments.bench_2048:open_spiel_contest",
    "2048-readable": "expectimax_course.experiments.bench_2048:readable_contest",
    "2048-search": "expectimax_course.experiments.bench_2048:search_contest",
    "expectiminimax": "expectimax_course.experiments.bench:expectiminimax_contest",
    "star2": "expectimax_course.experiments.bench:star2_contest",
}
"""Name → ``module:function`` that returns the `Contest`."""


def run_contest(name: str, rounds: int = ROUNDS) -> dict[str, Any]:
    """Run one contest.

    Returns
    -------
    dict
        ``name``; ``ours`` and ``other``, median speeds; ``ratio``, [min, median, max] of ours over other's per round;
        ``unit``.

    Raises
    ------
    UnknownBenchError
        If there is no such contest, or the other program is not installed.
    """
    if name not in CONTESTS:
        raise UnknownBenchError(f"expected one of {', '.join(sorted(CONTESTS))}, got {name!r}")
    module, _, function = CONTESTS[name].partition(":")
    try:
        contest: Contest = getattr(importlib.import_module(module), function)()
    except ImportError as error:
        raise UnknownBenchError(f"expected {error.name} to be installed for bench {name!r}, got none") from None
    contest.ours(), contest.other()  # compile, fill caches
    speeds = [(_speed(contest.ours), _speed(contest.other)) for _ in range(rounds)]
    ratios = [ours / other for ours, other in speeds]
    return {
        "name": name,
        "ours": median(ours for ours, _ in speeds),
        "other": median(other for _, other in speeds),
        "ratio": [min(ratios), median(ratios), max(ratios)],
        "unit": contest.unit,
    }


def _speed(work: Callable[[], float]) -> float:
    start = time.process_time()
    done = work()
    return done / max(time.process_time() - start, 1e-9)


def run_contests(names: Sequence[str]) -> list[dict[str, Any]]:
    """Run the contests named, or without names all whose programs are installed.

    Raises
    ------
    UnknownBenchError
        If a name is none, or nothing can be run.
    """
    if names:
        return [run_contest(name) for name in names]
    found = []
    for name in CONTESTS:
        try:
            found.append(run_contest(name))
        except UnknownBenchError:
            continue
    if not found:
        raise UnknownBenchError(f"expected at least one of {', '.join(sorted(CONTESTS))} to be runnable, got none")
    return found
