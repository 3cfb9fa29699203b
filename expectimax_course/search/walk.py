"""What every search does at a node, whatever it prunes: ask the game, count, and check the numbers that come back."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from expectimax_course.game import DepthError, Game, Player, check_depth, check_outcomes
from expectimax_course.search.result import (
    NodeCounts,
    WrongSearchError,
    is_finite,
    reject_evaluation,
    reject_player,
    reject_utility,
)

INFINITY = math.inf
MAX, MIN = Player.MAX, Player.MIN


class Walk:
    """One run of a search: the game, what was asked, and the counters.

    A search writes ``self.game.result(state, action)``: from Python 3.11 on, a method called on its object is faster
    than a bound method kept on the run. A function kept there, as ``evaluate``, is faster fetched before it is called.
    """

    def __init__(self, game: Game[Any, Any], evaluate: Callable[[Any], Any] | None, use_rewards: bool) -> None:
        self.game = game
        self.reward: Callable[[Any, Any], Any] | None = scored(game).reward if use_rewards else None
        self.evaluate: Any = evaluate
        self.checked: Sequence[tuple[Any, Any]] | None = None
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
            reject_player(player, state)

    def open_chance(self, state: Any) -> Sequence[tuple[Any, Any]]:
        """Count a chance node and return its outcomes, checked; a tuple just checked is not checked again.

        Raises
        ------
        NoOutcomesError, ProbabilityError
            As `check_outcomes`.
        """
        self.chance_nodes += 1
        outcomes = self.game.chance_outcomes(state)
        if outcomes is not self.checked:
            check_outcomes(outcomes, state)
            self.checked = outcomes if isinstance(outcomes, tuple) else None  # a list can change
        return outcomes

    def terminal_value(self, state: Any) -> Any:
        """Return the utility of a terminal state, checked."""
        self.terminal_nodes += 1
        value = self.game.utility(state)
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
    """Raise for a search, or for a game or an evaluation in it, that went deeper than Python can follow.

    Raises
    ------
    WrongSearchError
        Always.
    """
    wanted = "for a game that can go on without end" if depth is None else "within Python's recursion limit"
    other = "or the game or its evaluation calls itself too deeply"
    raise WrongSearchError(f"expected a depth {wanted}, got {depth!r} at state {root!r}; {other}")


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
