"""Any game, with its leaves counted, limited, or under other bounds: what a pruned search is measured by.

A search that prunes gives the value of one that does not, so its value alone says nothing about pruning. Wrapped in a
`CountedGame` the game itself counts how often it was asked for a utility, whoever wrote the search. With ``bounds`` it
claims other bounds than its own, to see what loose or false ones do.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

from expectimax_course.game import Game, GameError, Player

S = TypeVar("S", bound=Hashable)
A = TypeVar("A", bound=Hashable)


class TooManyLeavesError(GameError):
    """A search asked for more leaves than it was allowed."""


class CountedGame(Generic[S, A]):
    """The same game; ``leaves`` says how many utilities were asked for.

    Parameters
    ----------
    game : Game
    limit : int, optional
        How many leaves may be opened.
    bounds : (float, float), optional
        What the game claims as its ``utility_bounds``, true or not. Default: what it claims anyway.

    Examples
    --------
    >>> from expectimax_course.trees import parse_tree
    >>> game = CountedGame(parse_tree("max(3, 5)"), limit=1)
    >>> game.utility(1), game.leaves
    (3, 1)
    >>> game.utility(2)
    Traceback (most recent call last):
        ...
    expectimax_course.games.counted.TooManyLeavesError: expected at most 1 leaves to be opened, got one more at state 2
    """

    def __init__(self, game: Game[S, A], limit: int | None = None, bounds: tuple[float, float] | None = None) -> None:
        self._game, self._limit = game, limit
        self._bounds = game.utility_bounds if bounds is None else bounds
        self.leaves = 0

    def __repr__(self) -> str:
        return f"CountedGame({self._game!r}, limit={self._limit}, bounds={self._bounds})"

    def initial_state(self) -> S:
        """Return the state in which play starts."""
        return self._game.initial_state()

    def current_player(self, state: S) -> Player:
        """Return who moves."""
        return self._game.current_player(state)

    def legal_actions(self, state: S) -> Sequence[A]:
        """Return the actions of a decision."""
        return self._game.legal_actions(state)

    def chance_outcomes(self, state: S) -> Sequence[tuple[A, float]]:
        """Return the outcomes of a draw with their probabilities."""
        return self._game.chance_outcomes(state)

    def result(self, state: S, action: A) -> S:
        """Return the state that follows."""
        return self._game.result(state, action)

    def is_terminal(self, state: S) -> bool:
        """Say whether the game is over."""
        return self._game.is_terminal(state)

    def utility(self, state: S) -> float:
        """Return what a terminal state is worth, and count it.

        Raises
        ------
        TooManyLeavesError
            If ``limit`` leaves were opened before.
        """
        if self.leaves == self._limit:
            raise TooManyLeavesError(
                f"expected at most {self._limit} leaves to be opened, got one more at state {state!r}"
            )
        self.leaves += 1
        return self._game.utility(state)

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """The bounds that the game claims."""
        return self._bounds
