"""What every search does at a node, whatever it prunes: ask the game, count, and check the numbers that come back."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NoReturn

from expectimax_course.game import DepthError, Game, Player, check_depth
from expectimax_course.search.result import (
    NodeCounts,
    PlayerError,
    WrongSearchError,
    is_finite,
    reject_evaluation,
    reject_utility,
)

INFINITY = math.inf
MAX, MIN = Player.MAX, Player.MIN


class Walk:
    """One run of a search: the game's methods bound once, and the counters."""

    def __init__(self, game: Game[Any, Any], evaluate: Callable[[Any], Any] | None, use_rewards: bool) -> None:
        self.is_terminal, self.utility = game.is_terminal, game.utility
        self.current_player, self.result = game.current_player, game.result
        self.legal_actions, self.chance_outcomes = game.legal_actions, game.chance_outcomes
        self.reward: Callable[[Any, Any], Any] | None = scored(game).reward if use_rewards else None
        self.evaluate: Any = evaluate
        self.max_nodes = self.min_nodes = self.chance_nodes = self.terminal_nodes = 0
        self.evaluations = self.table_hits = 0

    @property
    def counts(self) -> NodeCounts:
        """Nodes visited so far."""
        return NodeCounts(self.max_nodes, self.min_nodes, self.chance_nodes, self.terminal_nodes)

    def count_decision(self, state: Any, player: Player) -> None:
        """Count a node where a player decides.

        Raises
        ------
        PlayerError
            If the player is none who decides.
        """
        if player is MAX:
            self.max_nodes += 1
        elif player is MIN:
            self.min_nodes += 1
        else:
            raise PlayerError(f"expected a Player from current_player, got {player!r} at state {state!r}")

    def terminal_value(self, state: Any) -> Any:
        """Return the utility of a terminal state, checked."""
        self.terminal_nodes += 1
        value = self.utility(state)
        try:  # not `is_finite`: a call more at most of the nodes
            if -INFINITY < value < INFINITY:
                return value
        except TypeError:
            pass
        reject_utility(value, state)

    def estimate(self, state: Any) -> Any:
        """Return the evaluation of a state that is not searched further, checked."""
        self.evaluations += 1
        value = self.evaluate(state)
        try:
            if -INFINITY < value < INFINITY:
                return value
        except TypeError:
            pass
        reject_evaluation(value, state)

    def reward_of(self, state: Any, action: Any) -> Any:
        """Return the reward of an action, checked."""
        assert self.reward is not None
        value = self.reward(state, action)
        return value if is_finite(value) else reject_utility(value, state, what="reward")


def scored(game: Any) -> Any:
    """Return a game after checking that it pays on the way.

    Raises
    ------
    WrongSearchError
        If it has no rewards.
    """
    if not (hasattr(game, "reward") and hasattr(game, "reward_bounds")):
        raise WrongSearchError(f"expected a game with reward and reward_bounds for use_rewards=True, got {game!r}")
    return game


def reject_endless(depth: int | None, root: object) -> NoReturn:
    """Raise for a search that went deeper than Python can follow.

    Raises
    ------
    WrongSearchError
        Always.
    """
    wanted = "for a game that can go on without end" if depth is None else "within Python's recursion limit"
    raise WrongSearchError(f"expected a depth {wanted}, got {depth!r} at state {root!r}")


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
