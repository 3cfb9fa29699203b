"""A game around a game: everything passes through, and a subclass changes one thing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from expectimax_course.game import Game, Player

REWARDS = ("reward", "reward_bounds")
"""What a `ScoredGame` has beside a `Game`. Whoever meets them takes the game for one that pays on the way."""


class WrappedGame:
    """A `Game`, and a `ScoredGame` if the inner one is, that answers as ``game`` does."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game
        for name in REWARDS:
            if hasattr(game, name) and not hasattr(type(self), name):
                setattr(self, name, getattr(game, name))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.game!r})"

    def initial_state(self) -> Any:
        """Pass through."""
        return self.game.initial_state()

    def current_player(self, state: Any) -> Player:
        """Pass through."""
        return self.game.current_player(state)

    def legal_actions(self, state: Any) -> Sequence[Any]:
        """Pass through."""
        return self.game.legal_actions(state)

    def chance_outcomes(self, state: Any) -> Sequence[tuple[Any, float]]:
        """Pass through."""
        return self.game.chance_outcomes(state)

    def result(self, state: Any, action: Any) -> Any:
        """Pass through."""
        return self.game.result(state, action)

    def is_terminal(self, state: Any) -> bool:
        """Pass through."""
        return self.game.is_terminal(state)

    def utility(self, state: Any) -> float:
        """Pass through."""
        return self.game.utility(state)

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """Pass through."""
        return self.game.utility_bounds
