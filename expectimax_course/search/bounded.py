"""What every pruned search shares: bounds on what is not searched yet, the order of actions, and proven intervals.

Every leaf lies in [L, U]. A node with d decisions to go is bounded by [L + d·min(0, least reward), U + d·max(0, most
reward)], because play may end early; without rewards by [L, U]. A table tightens this to what earlier searches proved.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from expectimax_course.game import Game
from expectimax_course.search.result import BoundsError, SettingError, is_finite, reject_stuck
from expectimax_course.search.table import Table
from expectimax_course.search.walk import Walk, depth_limit, scored

Order = Callable[[Any, Sequence[Any]], Sequence[Any]]
"""``order(state, actions)`` returns the same actions, those that look best for the player to move first."""


class Bounded(Walk):
    """One run of a pruned search: what it knows before it looks."""

    def __init__(
        self,
        game: Game[Any, Any],
        depth: int | None,
        evaluate: Callable[[Any], Any] | None,
        *,
        bounds: tuple[Any, Any],
        order: Order | None,
        use_rewards: bool,
        table: Table | None,
        verify_bounds: bool,
    ) -> None:
        limit = depth_limit(depth, evaluate)
        super().__init__(game, evaluate, use_rewards)
        self.low, self.high = as_pair(bounds)
        if not self.low <= self.high:
            raise BoundsError(f"expected bounds, the lower first, got {bounds!r}")
        nothing: tuple[Any, Any] = (0, 0)
        counts = use_rewards and is_finite(self.low)  # where any leaf may be worth anything, rewards bound nothing
        self.least, self.most = finite_bounds(scored(game).reward_bounds) if counts else nothing
        self.paid = (self.least, self.most) != (0, 0)
        if limit == math.inf and self.paid:
            raise BoundsError("expected a depth, because rewards without end have no bounds, got None")
        self.order, self.verify = order, verify_bounds
        self.entries = self.best = None
        if table is not None:
            self.entries = table.bind(game, evaluate, use_rewards, "interval", self.low, self.high)
            self.best = table.best

    def interval(self, depth: float) -> tuple[Any, Any]:
        """Return the bounds of any node with ``depth`` decisions to go."""
        if not self.paid:
            return self.low, self.high
        return self.low + depth * min(0, self.least), self.high + depth * max(0, self.most)

    def known(self, state: Any, depth: float) -> tuple[Any, Any]:
        """Return the proven interval of a node: the table's, else that of any node."""
        if self.entries is not None:
            entry = self.entries.get((state, depth))
            if entry is not None:
                self.table_hits += 1
                return entry  # type: ignore[no-any-return]
        return self.interval(depth)

    def remember(self, state: Any, depth: float, value: Any, alpha: Any, beta: Any) -> None:
        """Keep what a search in (alpha, beta) has proven by returning ``value``."""
        if self.entries is not None:
            lower, upper = self.entries.get((state, depth)) or self.interval(depth)
            if value > alpha:
                lower = max(lower, value)
            if value < beta:
                upper = min(upper, value)
            self.entries[state, depth] = (min(lower, upper), upper)

    def ordered(self, state: Any) -> Sequence[Any]:
        """Open a decision: count it and return its actions, those to try first in front."""
        self.count_decision(state, self.game.current_player(state))
        actions = self.game.legal_actions(state)
        if not actions:
            reject_stuck(state)
        if self.order is not None:
            rearranged = self.order(state, actions)
            same = isinstance(rearranged, Sequence) and len(rearranged) == len(actions)
            if not (same and set(rearranged) == set(actions)):
                raise SettingError(f"expected the actions {actions!r} rearranged by order, got {rearranged!r}")
            actions = rearranged
        if self.best is not None and state in self.best:
            first = self.best[state]
            actions = [first, *(action for action in actions if action != first)]
        return actions

    def favour(self, state: Any, action: Any) -> None:
        """Note an action as the one to try first when the state comes up again."""
        if self.best is not None:
            self.best[state] = action

    def leaf(self, state: Any) -> Any:
        """Return the value of a terminal state or of one at depth 0, checked against the bounds if that was asked."""
        value = self.terminal_value(state) if self.game.is_terminal(state) else self.estimate(state)
        if self.verify and not self.low <= value <= self.high:
            raise BoundsError(
                f"expected leaf values within [{self.low}, {self.high}], got {value!r} at state {state!r}"
            )
        return value

    def reward_of(self, state: Any, action: Any) -> Any:
        """Return the reward of an action, checked against its bounds if that was asked."""
        value = super().reward_of(state, action)
        if self.verify and not self.least <= value <= self.most:
            raise BoundsError(f"expected rewards within [{self.least}, {self.most}], got {value!r} at state {state!r}")
        return value


def leaf_bounds(
    game: Game[Any, Any], evaluate: Callable[[Any], Any] | None, bounds: tuple[Any, Any] | None
) -> tuple[Any, Any]:
    """Return the bounds of every leaf value, by default the game's.

    Raises
    ------
    BoundsError
        If ``evaluate`` is given without bounds, or they are not two finite numbers in order.
    """
    if bounds is None:
        if evaluate is not None:
            raise BoundsError("expected bounds on the values of evaluate and utility, got None")
        bounds = game.utility_bounds
    return finite_bounds(bounds)


def finite_bounds(bounds: Any) -> tuple[Any, Any]:
    """Return bounds after checking them.

    Raises
    ------
    BoundsError
        If they are not two finite numbers in order.
    """
    low, high = as_pair(bounds)
    if not (is_finite(low) and is_finite(high) and low <= high):
        raise BoundsError(f"expected two finite bounds, the lower first, got {bounds!r}")
    return low, high


def as_pair(ends: Any) -> tuple[Any, Any]:
    """Return the two ends of an interval; twice nan, which no check lets pass, if there are not two."""
    try:
        low, high = ends
    except (TypeError, ValueError):
        return math.nan, math.nan
    return low, high
