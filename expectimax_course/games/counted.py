"""Any game, with its leaves counted, limited, or under other bounds: what a pruned search is measured by.

A search that prunes gives the value of one that does not, so its value alone says nothing about pruning. Wrapped in a
`CountedGame` the game itself counts how often it was asked for a utility, whoever wrote the search. With ``bounds`` it
claims other bounds than its own, to see what loose or false ones do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from expectimax_course.game import Game, GameError
from expectimax_course.games.wrapped import REWARDS, WrappedGame


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
        self._told = f"{type(game).__name__}, limit={limit}, bounds={bounds or game.utility_bounds}"
        super().__init__(_Counter(_answers(game, limit, bounds)))

    def __repr__(self) -> str:
        return f"CountedGame({self._told})"

    @property
    def leaves(self) -> int:
        """How many utilities were asked for."""
        return self.game.leaves  # type: ignore[attr-defined, no-any-return]


class _Counter:
    """Answers what a `WrappedGame` asks of the game inside, which it does not hold: a search cannot go round it."""

    def __init__(self, answer: Callable[[str], Any]) -> None:
        self._answer = answer

    def __getattr__(self, name: str) -> Any:
        if name == "_answer":  # a copy that is not filled yet
            raise AttributeError(name)
        return self._answer(name)


def _answers(game: Game[Any, Any], limit: int | None, bounds: tuple[float, float] | None) -> Callable[[str], Any]:
    """Return what gives each attribute that a search may ask for; game and count are in this scope alone."""
    leaves = 0

    def utility(state: Any) -> float:
        nonlocal leaves
        if leaves == limit:
            raise TooManyLeavesError(f"expected at most {limit} leaves to be opened, got one more at state {state!r}")
        leaves += 1
        return game.utility(state)

    def answer(name: str) -> Any:
        if name == "leaves":
            return leaves
        if name == "utility":
            return utility
        if name == "utility_bounds" and bounds is not None:
            return bounds
        if name.startswith("_") or not (hasattr(WrappedGame, name) or name in REWARDS):
            raise AttributeError(f"expected part of a game, got {name!r}")
        found = getattr(game, name)
        return (lambda *args: found(*args)) if callable(found) else found

    return answer
