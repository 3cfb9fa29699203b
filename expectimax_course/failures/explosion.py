"""Three ways to decide how deep to look, when a move may cost no more than so many leaves.

A fixed depth knows nothing of the board. Arithmetic (`search.adaptive`) multiplies the branching factors along one line
of play: right on a typical board, and on a nearly full one, where the line is narrow and the tree around it is not, off
by any factor. Counting is the only way that keeps a promise: deepen, and stop when the leaves are used up.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from expectimax_course.game import Game
from expectimax_course.games.wrapped import WrappedGame
from expectimax_course.search.adaptive import adaptive_depth
from expectimax_course.search.deepening import Watch, deepen
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.result import NodeCounts, SearchResult

LEAVES = 5_000
"""Leaves that a move may cost."""
FIXED = 3
Evaluate = Callable[[Any], float]


class Metered(WrappedGame):
    """The game, with ``count()`` called before each utility: a finished game is a leaf as well."""

    def __init__(self, game: Game[Any, Any], count: Callable[[], None]) -> None:
        super().__init__(game)
        self.count = count

    def utility(self, state: Any) -> float:
        """Count, and pass through."""
        self.count()
        return self.game.utility(state)


def broken_fixed(game: Game[Any, Any], state: Any, evaluate: Evaluate) -> SearchResult[Any]:
    """Look three decisions ahead, however wide the tree is."""
    return expectiminimax(game, state, FIXED, evaluate)


def broken_arithmetic(game: Game[Any, Any], state: Any, evaluate: Evaluate) -> SearchResult[Any]:
    """Look as far as one line of play says that the leaves allow."""
    return expectiminimax(game, state, adaptive_depth(game, state, LEAVES), evaluate)


def counted(game: Game[Any, Any], state: Any, evaluate: Evaluate) -> SearchResult[Any]:
    """Deepen until the leaves are used up, and answer with the last complete depth."""
    opened = 0
    watch = Watch(LEAVES, clock=lambda: opened / 1000)

    def count() -> None:
        nonlocal opened
        watch.check()
        opened += 1

    def look(leaf: Any) -> float:
        count()
        return evaluate(leaf)

    def search(depth: int, _: SearchResult[Any] | None) -> SearchResult[Any]:
        return expectiminimax(Metered(game, count), state, depth, look)

    first, none = game.legal_actions(state)[0], NodeCounts(0, 0, 0, 0)
    nothing = SearchResult(-math.inf, first, {}, none, 0, 0, 0, "lower", complete=False)
    return deepen(search, watch, nothing).result
