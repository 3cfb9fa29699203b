"""Principal variation search through chance nodes.

In a good order the first action is mostly the best, and of every other one we only need to know that it is no better.
So search it in a *null window* just above what is sure, (alpha, alpha + ε): a result up to alpha proves it no better,
and cheaply, since a narrow window cuts most. Only if it fails high is it searched again, in (result, beta).

It is often said that chance nodes rule this out. They do not: a chance node turns its window, however narrow, into
Star's child windows, and each child's result is a bound in the parent's terms. A child's window is wider than its
parent's by what the other children leave open, so the gain comes late, at the last children of a chance node; it is
largest with a good order, a table for the second searches, and where decisions follow each other without a draw.

With any ε > 0 the contract of `star` makes every answer right: inside the null window a result is exact. Where ε is
too small for the floats around, there is no number between the window's ends and nothing to save: Star's way is taken.

References
----------
T. A. Marsland and M. Campbell, "Parallel search of strongly ordered game trees", ACM Computing Surveys 14(4), 1982.
A. Reinefeld, "An improvement to the Scout tree search algorithm", ICCA Journal 6(4), 1983.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from expectimax_course.game import Game, Player
from expectimax_course.search.alphabeta import run_in_window
from expectimax_course.search.bounded import Order
from expectimax_course.search.result import SearchResult
from expectimax_course.search.star import Star, prepare
from expectimax_course.search.table import Table

S = TypeVar("S", bound=Hashable)
A = TypeVar("A", bound=Hashable)

NULL_WINDOW = 1_000_000_000
"""A null window is the width of the root's bounds, rewards included, divided by this."""


def pvs(
    game: Game[S, A],
    state: S,
    depth: int | None = None,
    evaluate: Callable[[S], float] | None = None,
    *,
    probing: int = 1,
    bounds: tuple[float, float] | None = None,
    window: tuple[float, float] = (-math.inf, math.inf),
    order: Order | None = None,
    use_rewards: bool = False,
    table: Table | None = None,
    verify_bounds: bool = False,
) -> SearchResult[A]:
    """Search as `star` does, later actions in a null window first. Parameters, result and errors are those of `star`.

    Examples
    --------
    >>> from expectimax_course.trees import parse_tree
    >>> tree = parse_tree("max(chance(0.5: 2, 0.5: 4), chance(0.5: 0, 0.5: max(6, 8)))")
    >>> pvs(tree, 0, bounds=(0, 10)).action
    'b'
    """
    how: dict[str, Any] = {"order": order, "use_rewards": use_rewards, "table": table, "verify_bounds": verify_bounds}
    search = prepare(PVS, game, depth, evaluate, probing, bounds, **how)
    low, high = search.interval(math.inf if depth is None else depth)
    search.null = (high - low) / NULL_WINDOW
    return run_in_window(search, state, depth, window)


class PVS(Star):
    """One run of principal variation search."""

    null: Any = 0

    def action_value(
        self, state: Any, action: Any, depth: float, alpha: Any, beta: Any, player: Player, number: int
    ) -> Any:
        """Return what an action is worth to a window: after the first, by a null window and only then by the whole."""
        if number == 0 or not alpha < alpha + self.null < beta - self.null < beta:
            return super().action_value(state, action, depth, alpha, beta, player, number)
        if player is Player.MAX:
            low, high = alpha, alpha + self.null
        else:
            low, high = beta - self.null, beta
        value = super().action_value(state, action, depth, low, high, player, number)
        if player is Player.MAX and high <= value < beta:
            return max(value, super().action_value(state, action, depth, value, beta, player, number))
        if player is Player.MIN and alpha < value <= low:
            return min(value, super().action_value(state, action, depth, alpha, value, player, number))
        return value
