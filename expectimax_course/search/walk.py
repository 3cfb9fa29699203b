"""What every search does at a node, whatever it prunes: ask the game, count, and check the numbers that come back."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from expectimax_course.game import DepthError, Game, check_depth
from expectimax_course.search.result import NodeCounts, is_finite, reject_evaluation, reject_utility


class Walk:
    """One run of a search: the game's methods bound once, and the counters."""

    def __init__(self, game: Game[Any, Any], evaluate: Callable[[Any], Any] | None, use_rewards: bool) -> None:
        self.is_terminal, self.utility = game.is_terminal, game.utility
        self.current_player, self.result = game.current_player, game.result
        self.legal_actions, self.chance_outcomes = game.legal_actions, game.chance_outcomes
        self.reward: Callable[[Any, Any], Any] | None = game.reward if use_rewards else None  # type: ignore[attr-defined]
        self.evaluate = evaluate
        self.max_nodes = self.min_nodes = self.chance_nodes = self.terminal_nodes = 0
        self.evaluations = self.table_hits = 0

    @property
    def counts(self) -> NodeCounts:
        """Nodes visited so far."""
        return NodeCounts(self.max_nodes, self.min_nodes, self.chance_nodes, self.terminal_nodes)

    def terminal_value(self, state: Any) -> Any:
        """Return the utility of a terminal state, checked."""
        self.terminal_nodes += 1
        value = self.utility(state)
        return value if is_finite(value) else reject_utility(value, state)

    def estimate(self, state: Any) -> Any:
        """Return the evaluation of a state that is not searched further, checked."""
        self.evaluations += 1
        assert self.evaluate is not None
        value = self.evaluate(state)
        return value if is_finite(value) else reject_evaluation(value, state)

    def reward_of(self, state: Any, action: Any) -> Any:
        """Return the reward of an action, checked."""
        assert self.reward is not None
        value = self.reward(state, action)
        return value if is_finite(value) else reject_utility(value, state, what="reward")


def depth_limit(depth: int | None, evaluate: Callable[[Any], Any] | None) -> float:
    """Return the depth as a number, infinity for None, after checking it.

    Raises
    ------
    DepthError
        If it is not a depth, or is one without an evaluation for the states it cuts off.
    """
    check_depth(depth)
    if depth is not None and evaluate is None:
        raise DepthError(f"expected an evaluate function with depth {depth}, got None")
    return math.inf if depth is None else depth
