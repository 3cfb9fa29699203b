"""What every search returns, and the counters it keeps while it runs."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any, Generic, Literal, NamedTuple, NoReturn, TypeVar

from expectimax_course.game import EvaluationError, GameError, NoActionsError, UtilityError

A = TypeVar("A", bound=Hashable)


class BoundsError(GameError):
    """Bounds on the leaf values are missing, are no bounds, or a leaf broke them."""


class SettingError(GameError):
    """A setting of a search lies outside its range: a probing factor, a threshold, a number of samples, a deadline."""


class WrongSearchError(GameError):
    """The search does not fit the game: a MIN node in a search for one player, an endless game without a depth."""


class PlayerError(GameError):
    """``current_player`` returned something else than a `Player`, such as a plain 0 for CHANCE."""


class NodeCounts(NamedTuple):
    """How many nodes of each kind a search visited. A node at the depth cut counts as an evaluation, not here."""

    max: int
    min: int
    chance: int
    terminal: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.max + self.min + self.chance + self.terminal


class SearchResult(NamedTuple, Generic[A]):
    """The answer of a search.

    Attributes
    ----------
    value : float
        The value of the root in MAX's view (whatever number type the game uses).
    action : A or None
        The best action of the player at the root; None at a chance or terminal root and at depth 0.
    action_values : dict
        For each root action the proven interval ``(lower, upper)`` of its value; both ends equal where it is exact.
    nodes : NodeCounts
        Nodes visited, the root included.
    evaluations : int
        Calls of ``evaluate``. Leaves are ``evaluations + nodes.terminal``.
    table_hits : int
        Look-ups that found something in a table.
    depth : int or None
        Decisions looked ahead; None: to the end of the game.
    kind : str
        "exact", or "lower" / "upper" where ``value`` only bounds the truth.
    complete : bool
        Whether the search finished what it was asked.
    """

    value: float
    action: A | None
    action_values: dict[A, tuple[float, float]]
    nodes: NodeCounts
    evaluations: int
    table_hits: int
    depth: int | None
    kind: Literal["exact", "lower", "upper"] = "exact"
    complete: bool = True

    @property
    def leaves(self) -> int:
        """Calls of ``evaluate`` or ``utility``: the cost that pruning saves."""
        return self.evaluations + self.nodes.terminal


def reject_evaluation(value: Any, state: object) -> NoReturn:
    """Raise for an evaluation that is not a finite number.

    Raises
    ------
    EvaluationError
        Always.
    """
    raise EvaluationError(f"expected a finite number from evaluate, got {value!r} at state {state!r}")


def reject_utility(value: Any, state: object, *, what: str = "utility") -> NoReturn:
    """Raise for a utility or reward that is not a finite number.

    Raises
    ------
    UtilityError
        Always.
    """
    raise UtilityError(f"expected a finite number from {what}, got {value!r} at state {state!r}")


def reject_player(player: object, state: object) -> NoReturn:
    """Raise for a ``current_player`` that returns no `Player`.

    Raises
    ------
    PlayerError
        Always.
    """
    raise PlayerError(f"expected a Player from current_player, got {player!r} at state {state!r}")


def reject_stuck(state: object) -> NoReturn:
    """Raise for a decision node without actions.

    Raises
    ------
    NoActionsError
        Always.
    """
    raise NoActionsError(f"expected an action at a decision node, got none at state {state!r}")


def is_finite(value: Any) -> bool:
    """Say whether a number of any type (float, int, Fraction) is finite; False for what is no number."""
    try:
        return bool(-math.inf < value < math.inf)
    except TypeError:
        return False
