"""The one interface that every search and every game of the course shares.

A *game* is an object that answers questions about *states*. A state is an immutable, hashable value, most often
a ``NamedTuple``: it can be a dictionary key, two equal positions compare equal, and nothing has to be undone.

Three kinds of node occur. At a MAX or MIN node a player chooses an *action*; at a CHANCE node nature draws an
*outcome* with a known probability. The state after a decision and before the draw is called an *afterstate*: it is
a state whose player is CHANCE. All values take MAX's view.

References
----------
D. Michie, "Game-playing and game-learning automata", in L. Fox (ed.), *Advances in Programming and Non-Numerical
Computation*, 1966: the first description of expectimax.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from enum import IntEnum
from typing import Any, NoReturn, Protocol, TypeVar, runtime_checkable

PROBABILITY_TOLERANCE = 1e-9
"""The probabilities of a chance node may miss 1 by this much, no more."""


class Player(IntEnum):
    """Who moves at a node. The sign is the sign of the player's interest in the value."""

    MIN = -1
    CHANCE = 0
    MAX = 1


S = TypeVar("S", bound=Hashable)
A = TypeVar("A", bound=Hashable)
Number = TypeVar("Number")


@runtime_checkable
class Game(Protocol[S, A]):
    """What a search needs to know of a game. Any class with these members is a game; none needs to inherit."""

    def initial_state(self) -> S:
        """Return the state in which play starts."""
        ...

    def current_player(self, state: S) -> Player:
        """Return who moves at ``state``: MAX, MIN or CHANCE. Undefined at a terminal state."""
        ...

    def legal_actions(self, state: S) -> Sequence[A]:
        """Return the actions of a decision node in a fixed order; never empty. A forced pass is an action."""
        ...

    def chance_outcomes(self, state: S) -> Sequence[tuple[A, float]]:
        """Return (outcome, probability) pairs of a chance node in a fixed order; the probabilities sum to 1."""
        ...

    def result(self, state: S, action: A) -> S:
        """Return the state that an action, or a chance outcome, leads to. ``state`` itself does not change."""
        ...

    def is_terminal(self, state: S) -> bool:
        """Say whether the game is over at ``state``."""
        ...

    def utility(self, state: S) -> float:
        """Return what a terminal state is worth, in MAX's view."""
        ...

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """Honest bounds: no utility is below the first or above the second number."""
        ...


@runtime_checkable
class ScoredGame(Game[S, A], Protocol[S, A]):
    """A game that also pays on the way, as 2048 does for every merge."""

    def reward(self, state: S, action: A) -> float:
        """Return what ``action`` at ``state`` pays at once, in MAX's view; 0 at chance nodes."""
        ...

    @property
    def reward_bounds(self) -> tuple[float, float]:
        """Honest bounds on the reward of one decision."""
        ...


class GameError(ValueError):
    """A game, or what a caller passed to a search, breaks the contract of this module."""


class ProbabilityError(GameError):
    """The probabilities of a chance node are negative, not numbers, or do not sum to 1."""


class NoOutcomesError(GameError):
    """A chance node offers no outcome at all."""


class NoActionsError(GameError):
    """A decision node that is not terminal offers no action."""


class IllegalActionError(GameError):
    """An action or outcome does not exist in the state it was applied to."""


class StateError(GameError):
    """A state, position or setting that the game does not have."""


class DepthError(GameError):
    """A search depth is negative, not a whole number, or needs an evaluation that was not given."""


class EvaluationError(GameError):
    """The evaluation function returned something that is not a finite number."""


class UtilityError(GameError):
    """The utility of a terminal state, or a reward, is not a finite number."""


def illegal_action(action: object, state: object, expected: object) -> NoReturn:
    """Raise the error that every game raises for an action it does not know.

    Raises
    ------
    IllegalActionError
        Always: "expected one of ..., got ... at state ...".
    """
    raise IllegalActionError(f"expected one of {expected}, got {action!r} at state {state!r}")


def check_outcomes(outcomes: Sequence[tuple[Any, Any]], state: object) -> None:
    """Check the outcomes of one chance node.

    Parameters
    ----------
    outcomes : sequence of (outcome, probability)
    state : the chance node, named in the error

    Raises
    ------
    NoOutcomesError
        If there is no outcome.
    ProbabilityError
        If a probability is negative or not a number, or if they miss 1 by more than ``PROBABILITY_TOLERANCE``.

    Examples
    --------
    >>> check_outcomes([("heads", 0.5), ("tails", 0.4)], "coin")
    Traceback (most recent call last):
        ...
    expectimax_course.game.ProbabilityError: expected probabilities that sum to 1, got a sum of 0.9 at state 'coin'
    """
    if not outcomes:
        raise NoOutcomesError(f"expected at least one outcome at a chance node, got none at state {state!r}")
    total: Any = 0
    for outcome, probability in outcomes:
        try:
            possible = probability >= 0
        except TypeError:
            possible = False
        if not possible:
            raise ProbabilityError(
                f"expected a probability of 0 or more, got {probability!r} for outcome {outcome!r} at state {state!r}"
            )
        total += probability
    if not abs(total - 1) <= PROBABILITY_TOLERANCE:
        raise ProbabilityError(f"expected probabilities that sum to 1, got a sum of {total} at state {state!r}")


def add_up(numbers: Iterable[Number]) -> Number:
    """Return the sum of numbers of any type, added one after another from 0.

    Every search takes its means over outcomes so, here or in a loop that adds likewise: two searches then round alike,
    on every version of Python. The built-in ``sum`` adds floats otherwise: from 3.12 on it makes up for rounding.

    Examples
    --------
    >>> add_up([0.1] * 10)
    0.9999999999999999
    """
    total: Any = 0
    for number in numbers:
        total += number
    return total  # type: ignore[no-any-return]


def check_depth(depth: int | None) -> None:
    """Check a search depth: ``None`` (to the end of the game) or a whole number of decisions, 0 or more.

    Raises
    ------
    DepthError
        If it is anything else.
    """
    if depth is not None and (isinstance(depth, bool) or not isinstance(depth, int) or depth < 0):
        raise DepthError(f"expected a depth of 0 or more decisions, or None, got {depth!r}")
