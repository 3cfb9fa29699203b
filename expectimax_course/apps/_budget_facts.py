"""What the budget app shows: three boards of 2048, the trace of their search, and what cutting by reach does to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from expectimax_course.apps._controls import returned
from expectimax_course.apps._protocol import StudentError, guard
from expectimax_course.game import Game, Player
from expectimax_course.game2048.evaluate import article
from expectimax_course.game2048.rules import Board, Game2048, State
from expectimax_course.search.cutoff import cutoff_search
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.progress import Progress, known_at, progress

GAME: Game[State, Any] = Game2048(terminal_utility=-100.0)
DEEPEST, CUT_DEPTH = 4, 3
LEAVES_PER_MS = 50
"""The app's clock: one millisecond passes with every 50 leaves, on any machine."""
LIMITS = (0.04, 0.5, 1, 2, 5, 10, 15, 20, 50, 100, 200, 500)
"""Milliseconds."""
THRESHOLDS = (0, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1)

BOARDS: dict[str, Board] = {
    "A": ((256, 64, 0, 0), (128, 32, 16, 2), (64, 8, 8, 8), (8, 2, 2, 2)),
    "B": ((256, 64, 8, 4), (4, 32, 4, 2), (8, 4, 0, 0), (2, 8, 2, 0)),
    "C": ((128, 64, 32, 16), (8, 32, 16, 2), (4, 16, 8, 4), (2, 2, 0, 0)),
}
"""Out of seeded games, chosen so that the favourite changes with the depth."""


class Cut(NamedTuple):
    """What a threshold leaves of a search: leaves, the value found, and the move that it leads to."""

    threshold: float
    leaves: int
    value: float
    action: str
    regret: float


def state_of(name: str) -> State:
    """Return the board of that name, with a slide to make."""
    return State(BOARDS[name], Player.MAX)


@lru_cache(maxsize=8)
def trace(name: str, best_first: bool) -> tuple[Progress, ...]:
    """Return the search of a board to the deepest depth, move by move."""
    return progress(GAME, state_of(name), article, DEEPEST, best_first=best_first)


def milliseconds(leaves: float) -> float:
    """Return what the app's clock shows after so many leaves."""
    return leaves / LEAVES_PER_MS


def known(name: str, best_first: bool, limit: float) -> tuple[Progress | None, Progress | None]:
    """Return the last step of the deepest complete depth, and of the depth begun after it, at a time limit."""
    return known_at(trace(name, best_first), limit * LEAVES_PER_MS)


@lru_cache(maxsize=8)
def cuts(name: str) -> tuple[Cut, ...]:
    """Return what each threshold does to the search of three decisions; a regret is the value its move gives away."""
    full = expectiminimax(GAME, state_of(name), CUT_DEPTH, article)
    found = []
    for threshold in THRESHOLDS:
        r = cutoff_search(GAME, state_of(name), CUT_DEPTH, article, threshold=threshold, caching="reach")
        assert r.action is not None
        found.append(Cut(threshold, r.leaves, r.value, r.action, full.value - full.action_values[r.action][0]))
    return tuple(found)


def slices(name: str, best_first: bool) -> Callable[[int], Iterator[tuple[float, str]]]:
    """Return the search that exercise 07 gives: ``search(depth)`` yields (milliseconds, favourite) move by move."""
    steps = trace(name, best_first)

    def search(depth: int) -> Iterator[tuple[float, str]]:
        before = max((step.leaves for step in steps if step.depth < depth), default=0)
        for step in steps:
            if step.depth == depth:
                yield milliseconds(step.leaves - before), step.favourite
                before = step.leaves

    return search


def ask_deepen(student: Callable[..., Any], name: str, best_first: bool, limit: float) -> dict[str, Any]:
    """Let a student's ``deepen(search, limit, first, max_depth)`` play.

    Returns
    -------
    dict
        ``{"depth": int, "action": str}``, or ``{"sentence": what went wrong}``.
    """
    first = GAME.legal_actions(state_of(name))[0]
    try:
        answer = guard(student)(slices(name, best_first), limit, first, DEEPEST)
    except StudentError as error:
        return {"sentence": str(error)}
    if isinstance(answer, tuple | list) and len(answer) == 2:
        depth, action = answer
        if isinstance(depth, int) and 0 <= depth <= DEEPEST and action in GAME.legal_actions(state_of(name)):
            return {"depth": int(depth), "action": str(action)}
    return {"sentence": returned(answer, "a pair of a depth and a move")}
