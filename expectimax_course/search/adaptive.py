"""A depth chosen before the search: as deep as a budget of leaves allows.

Multiply branching factors until the budget is spent, and narrow positions are searched deeper than wide ones, for
about the same cost. It is a guess from one line of play; `deepening` needs none, but a clock.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar

from expectimax_course.game import Game, Player, check_outcomes
from expectimax_course.search.deepening import DEEPEST
from expectimax_course.search.result import SettingError, WrongSearchError, reject_stuck

S = TypeVar("S", bound=Hashable)
A = TypeVar("A", bound=Hashable)


def adaptive_depth(game: Game[S, A], state: S, leaves: int, max_depth: int = DEEPEST) -> int:
    """Return the greatest depth whose tree has about ``leaves`` leaves, at least 1.

    Branching factors are multiplied along one line of play: the first action, then the likeliest outcome, and so on,
    until the budget is spent or the line ends.

    Parameters
    ----------
    game, state
        The position; any kind of node.
    leaves : int
        The budget, at least 1.
    max_depth : int

    Raises
    ------
    SettingError
        If the budget or the maximum depth is below 1.
    WrongSearchError
        If a draw can lead back to itself.
    NoActionsError, NoOutcomesError, ProbabilityError
        If the line comes to a node that breaks the contract.

    Examples
    --------
    >>> from expectimax_course.games.dice import Dice
    >>> [adaptive_depth(Dice(size), Dice(size).initial_state(), leaves=10_000) for size in (3, 6, 9)]
    [5, 2, 2]
    """
    if not leaves >= 1:
        raise SettingError(f"expected a budget of at least 1 leaf, got {leaves!r}")
    if not max_depth >= 1:
        raise SettingError(f"expected a maximum depth of 1 or more, got {max_depth!r}")
    product, depth = 1, 0
    drawn: set[S] = set()
    while depth < max_depth and not game.is_terminal(state):
        if game.current_player(state) is Player.CHANCE:
            if state in drawn:
                raise WrongSearchError(f"expected draws that come to an end, got state {state!r} again")
            drawn.add(state)
            outcomes = game.chance_outcomes(state)
            check_outcomes(outcomes, state)
            product *= len([p for _, p in outcomes if p > 0])
            state = game.result(state, max(outcomes, key=lambda pair: pair[1])[0])
        else:
            actions = game.legal_actions(state)
            if not actions:
                reject_stuck(state)
            product *= len(actions)
            if product > leaves:
                break
            depth += 1
            drawn.clear()
            state = game.result(state, actions[0])
    return max(1, depth)
