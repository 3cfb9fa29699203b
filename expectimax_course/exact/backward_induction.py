"""Backward induction and policy evaluation: every reachable state once, in an order that meets children first.

The equations are those of expectimax; what changes is the order of work. A tree search walks down from one root and
meets a position as often as there are ways to reach it. Backward induction lists the reachable states, sorts them so
that each comes after all it can lead to, and fills a table. That works where play cannot return to an earlier state.

Time and space O(states + moves). The order is that of a depth-first search, so no recursion limit binds.

References
----------
R. Bellman, *Dynamic Programming*, Princeton 1957, chapter 3. M. L. Puterman, *Markov Decision Processes*, 1994,
section 4.5.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Generic, NamedTuple, TypeVar

from expectimax_course.game import Game, GameError, NoActionsError, Player, add_up, check_outcomes

S = TypeVar("S", bound=Hashable)
A = TypeVar("A", bound=Hashable)


class CycleError(GameError):
    """Play can return to an earlier state, so no order meets children first: iterate instead."""


class Solution(NamedTuple, Generic[S, A]):
    """Values in MAX's view and best actions of every reachable state.

    ``values`` holds every state, chance and terminal ones included; ``policy`` holds the decision states. Ties go to
    the first action in the game's order.
    """

    values: dict[S, float]
    policy: dict[S, A]


def children_first(game: Game[S, A], root: S) -> list[S]:
    """Return every state reachable from ``root``, each after all the states it can lead to.

    Raises
    ------
    CycleError
        If a state can come back.
    NoActionsError, NoOutcomesError, ProbabilityError
        If the game breaks the contract.
    """
    order: list[S] = []
    unfinished, finished = {root}, set[S]()
    stack = [(root, iter(successors(game, root)))]
    while stack:
        state, remaining = stack[-1]
        for child in remaining:
            if child in unfinished:
                raise CycleError(f"expected a game in which no state comes back, got a cycle through {child!r}")
            if child not in finished:
                unfinished.add(child)
                stack.append((child, iter(successors(game, child))))
                break
        else:
            stack.pop()
            order.append(state)
            finished.add(state)
            unfinished.discard(state)
    return order


def successors(game: Game[S, A], state: S) -> list[S]:
    """Return the states one action or outcome away, in the game's order; outcomes of probability 0 are left out."""
    if game.is_terminal(state):
        return []
    if game.current_player(state) is Player.CHANCE:
        outcomes = game.chance_outcomes(state)
        check_outcomes(outcomes, state)
        return [game.result(state, outcome) for outcome, p in outcomes if p]
    actions = game.legal_actions(state)
    if not actions:
        raise NoActionsError(f"expected an action at a decision node, got none at state {state!r}")
    return [game.result(state, action) for action in actions]


def backward_induction(game: Game[S, A], root: S | None = None, *, use_rewards: bool = False) -> Solution[S, A]:
    """Solve a game without cycles.

    Parameters
    ----------
    game : Game
        With ``use_rewards=True`` a ScoredGame.
    root : S, optional
        Default: the initial state.
    use_rewards : bool
        Add the rewards on the way.

    Raises
    ------
    CycleError, NoActionsError, NoOutcomesError, ProbabilityError
        See `children_first`.
    GameError
        If rewards are asked of a game without them.

    Examples
    --------
    >>> from expectimax_course.games.push_to_21 import PushState, PushTo21
    >>> solution = backward_induction(PushTo21())
    >>> solution.policy[PushState(13, "choose")], solution.policy[PushState(14, "choose")]
    ('hit', 'stand')
    """
    root = game.initial_state() if root is None else root
    values: dict[S, Any] = {}
    policy: dict[S, A] = {}
    reward = _reward_of(game, use_rewards)
    for state in children_first(game, root):
        if game.is_terminal(state):
            values[state] = game.utility(state)
        elif (player := game.current_player(state)) is Player.CHANCE:
            values[state] = _expectation(game, state, values)
        else:
            options = {a: reward(state, a) + values[game.result(state, a)] for a in game.legal_actions(state)}
            best = max if player is Player.MAX else min
            policy[state] = best(options, key=options.__getitem__)
            values[state] = options[policy[state]]
    return Solution(values, policy)


def evaluate_policy(
    game: Game[S, A], policy: Callable[[S], A], root: S | None = None, *, use_rewards: bool = False
) -> dict[S, float]:
    """Return what a fixed policy earns, exactly, from every state reachable under any play.

    Parameters
    ----------
    policy : callable
        ``policy(state) -> action`` at decision states of both players. No maximum is taken: a bad choice counts.

    Raises
    ------
    CycleError, NoActionsError, NoOutcomesError, ProbabilityError
        See `children_first`.
    IllegalActionError
        From the game, if the policy chooses an action that does not exist.
    GameError
        If rewards are asked of a game without them.

    Examples
    --------
    >>> from expectimax_course.games.push_to_21 import PushTo21
    >>> game = PushTo21()
    >>> values = evaluate_policy(game, lambda state: "hit" if state.total < 17 else "stand")
    >>> round(values[game.initial_state()], 4)
    13.7174
    """
    root = game.initial_state() if root is None else root
    values: dict[S, Any] = {}
    reward = _reward_of(game, use_rewards)
    for state in children_first(game, root):
        if game.is_terminal(state):
            values[state] = game.utility(state)
        elif game.current_player(state) is Player.CHANCE:
            values[state] = _expectation(game, state, values)
        else:
            action = policy(state)
            values[state] = reward(state, action) + values[game.result(state, action)]
    return values


def _expectation(game: Game[S, A], state: S, values: dict[S, Any]) -> Any:
    return add_up(p * values[game.result(state, o)] for o, p in game.chance_outcomes(state) if p)


def _reward_of(game: Any, use_rewards: bool) -> Callable[[Any, Any], Any]:
    if not use_rewards:
        return lambda state, action: 0
    if not hasattr(game, "reward"):
        raise GameError(f"expected a game with reward for use_rewards=True, got {game!r}")
    reward: Callable[[Any, Any], Any] = game.reward
    return reward
