"""Any game, with its leaves counted, limited, or under other bounds: what a pruned search is measured by.

A search that prunes gives the value of one that does not, so its value alone says nothing about pruning. Wrapped in a
`CountedGame` the game itself counts how often it was asked for a utility, whoever wrote the search. With ``bounds`` it
claims other bounds than its own, to see what loose or false ones do.
"""

from __future__ import annotations

from typing import Any

from expectimax_course.game import Game, GameError
from expectimax_course.games.wrapped import WrappedGame


class TooManyLeavesError(GameError):
    """A search asked for more leaves than it was allowed."""


class CountedGame(WrappedGame):
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

    def __init__(
        self, game: Game[Any, Any], limit: int | None = None, bounds: tuple[float, float] | None = None
    ) -> None:
        super().__init__(game)
        self._limit = limit
        self._bounds = game.utility_bounds if bounds is None else bounds
        self.leaves = 0

    def __repr__(self) -> str:
        return f"CountedGame({self.game!r}, limit={self._limit}, bounds={self._bounds})"

    def utility(self, state: Any) -> float:
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
        return self.game.utility(state)

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """The bounds that the game claims."""
        return self._bounds
