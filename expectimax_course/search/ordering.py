"""Orders in which to try actions: what Star2 and alpha-beta live on.

An order is a function ``order(state, actions)`` that returns the actions rearranged. It must be cheap, because it runs
at every decision that is opened. Ties keep the game's order.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

from expectimax_course.game import Game, Player, add_up
from expectimax_course.search.bounded import Order

S = TypeVar("S", bound=Hashable)
A = TypeVar("A", bound=Hashable)


def by_estimate(game: Game[S, A], estimate: Callable[[S], float], *, through_chance: bool = False) -> Order:
    """Order by a static estimate of the state after each action, the mover's favourite first.

    Parameters
    ----------
    game : Game
    estimate : callable
        ``estimate(state)`` in MAX's view; also called with states that are over. Its calls are no leaves of the search,
        so it should cost far less than ``evaluate``.
    through_chance : bool
        Estimate an afterstate by the average estimate of what nature may make of it.

    Examples
    --------
    >>> from expectimax_course.trees import parse_tree
    >>> tree = parse_tree("min(5, 3, 4)")
    >>> by_estimate(tree, tree.utility)(0, tree.legal_actions(0))
    ['b', 'c', 'a']
    """

    def promise(after: S) -> float:
        if not through_chance or game.is_terminal(after) or game.current_player(after) is not Player.CHANCE:
            return estimate(after)
        return add_up(p * estimate(game.result(after, outcome)) for outcome, p in game.chance_outcomes(after))

    def order(state: Any, actions: Sequence[Any]) -> Sequence[Any]:
        sign = -int(game.current_player(state))
        return sorted(actions, key=lambda action: sign * promise(game.result(state, action)))

    return order


def by_score(score: Callable[[S, A], float]) -> Order:
    """Order by how good an action looks for whoever makes it, ``score(state, action)``, the highest first.

    Examples
    --------
    >>> by_score(lambda state, action: len(action))("any", ["a", "ccc", "bb"])
    ['ccc', 'bb', 'a']
    """

    def order(state: Any, actions: Sequence[Any]) -> Sequence[Any]:
        return sorted(actions, key=lambda action: -score(state, action))

    return order
