"""Expectimax and expectiminimax: the whole tree, depth first.

    V(s) = utility(s)                         s terminal
    V(s) = evaluate(s)                        no decision left to look ahead
    V(s) = max over a of r(s, a) + V(s·a)     MAX moves
    V(s) = min over a of r(s, a) + V(s·a)     MIN moves
    V(s) = Σ P(o | s) · V(s·o)                nature draws

``depth`` counts decisions. The tests come in the order of the lines above: a terminal state has its utility at any
depth, and an afterstate at depth 0 is evaluated without opening its chance node. A chance node hands the depth on
unchanged. The rewards r(s, a) count with ``use_rewards=True`` only.

Time O((b·s)^d) for b actions, s outcomes and d decisions, each followed by a draw; space O(d) beside the table.

References
----------
D. Michie, "Game-playing and game-learning automata", 1966. B. W. Ballard, "The *-minimax search procedure for trees
containing chance nodes", Artificial Intelligence 21(3), 1983.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NoReturn, TypeVar

from expectimax_course.game import Game, Player
from expectimax_course.search.result import (
    SearchResult,
    WrongSearchError,
    reject_evaluation,
    reject_player,
    reject_stuck,
)
from expectimax_course.search.table import Table
from expectimax_course.search.walk import INFINITY, Walk, depth_limit, reject_endless

S = TypeVar("S", bound=Hashable)
A = TypeVar("A", bound=Hashable)

MAX, MIN, CHANCE = Player.MAX, Player.MIN, Player.CHANCE


def expectimax(
    game: Game[S, A],
    state: S,
    depth: int | None = None,
    evaluate: Callable[[S], float] | None = None,
    *,
    use_rewards: bool = False,
    table: Table | None = None,
) -> SearchResult[A]:
    """Search a game against nature alone. Parameters, result and errors are those of `expectiminimax`.

    Raises
    ------
    WrongSearchError
        If a MIN node turns up: that game needs `expectiminimax`.

    Examples
    --------
    >>> from expectimax_course.trees import parse_tree
    >>> tree = parse_tree("max(gamble: chance(0.9: 10, 0.1: -5), sure: 2)")
    >>> result = expectimax(tree, tree.initial_state())
    >>> result.action, result.value
    ('gamble', 8.5)
    """
    return _search(game, state, depth, evaluate, use_rewards, table, opponents=False)


def expectiminimax(
    game: Game[S, A],
    state: S,
    depth: int | None = None,
    evaluate: Callable[[S], float] | None = None,
    *,
    use_rewards: bool = False,
    table: Table | None = None,
) -> SearchResult[A]:
    """Search a game of MAX, MIN and nature.

    Parameters
    ----------
    game : Game
        With ``use_rewards=True`` a ScoredGame.
    state : S
        The root; any kind of node.
    depth : int or None
        Decisions to look ahead; None searches to the end of the game.
    evaluate : callable, optional
        ``evaluate(state) -> float`` estimates, in MAX's view, the value of a state that is not terminal and not
        searched further. Required when a depth is given.
    use_rewards : bool
        Add the rewards on the way.
    table : Table, optional
        Values to reuse and to fill; see `expectimax_course.search.table`.

    Returns
    -------
    SearchResult
        Ties go to the first action in the game's order.

    Raises
    ------
    DepthError, EvaluationError, UtilityError, ProbabilityError, NoOutcomesError, NoActionsError
        If the game, the depth or the evaluation breaks the contract; the message names the state.
    WrongSearchError
        If ``depth`` is None and the game does not end, or ``use_rewards`` is asked of a game without rewards.
    PlayerError
        If ``current_player`` returns no `Player`.
    TableMismatchError
        If the table was filled for another question.

    Examples
    --------
    >>> from expectimax_course.trees import parse_tree
    >>> tree = parse_tree("chance(1/2: min(3, 5), 1/2: max(4, 8))")
    >>> expectiminimax(tree, tree.initial_state()).value
    5.5
    """
    return _search(game, state, depth, evaluate, use_rewards, table, opponents=True)


def _search(
    game: Game[S, A],
    root: S,
    depth: int | None,
    evaluate: Callable[[S], float] | None,
    use_rewards: bool,
    table: Table | None,
    *,
    opponents: bool,
) -> SearchResult[A]:
    limit = depth_limit(depth, evaluate)
    search = _Search(game, evaluate, use_rewards, table, opponents)
    action_values: dict[A, Any] = {}
    action: A | None = None
    try:
        if limit == 0 or game.is_terminal(root) or (player := game.current_player(root)) is CHANCE:
            value = search.value(root, limit)
        else:
            action_values = search.action_values(root, limit, player)
            best = max if player is MAX else min
            action = best(action_values, key=action_values.__getitem__)
            value = action_values[action]
    except RecursionError:
        reject_endless(depth, root)
    intervals = {a: (v, v) for a, v in action_values.items()}
    return SearchResult(value, action, intervals, search.counts, search.evaluations, search.table_hits, depth)


class _Search(Walk):
    """One run: the recursion."""

    def __init__(
        self,
        game: Game[Any, Any],
        evaluate: Callable[[Any], Any] | None,
        use_rewards: bool,
        table: Table | None,
        opponents: bool,
    ) -> None:
        super().__init__(game, evaluate, use_rewards)
        self.opponents = opponents
        self.entries = None if table is None else table.bind(game, evaluate, use_rewards)

    def value(self, state: Any, depth: float) -> Any:
        """Return the value of a state with ``depth`` decisions to look ahead."""
        game = self.game
        if game.is_terminal(state):
            return self.terminal_value(state)
        if depth == 0:
            self.evaluations += 1
            evaluate = self.evaluate
            value = evaluate(state)
            try:  # not `self.estimate`: a call more at most of the nodes
                if -INFINITY < value < INFINITY:
                    return value
            except TypeError:
                pass
            reject_evaluation(value, state)
        if self.entries is not None and (state, depth) in self.entries:
            self.table_hits += 1
            return self.entries[state, depth]
        player = game.current_player(state)
        value = None
        if player is CHANCE:
            value = 0
            for outcome, probability in self.open_chance(state):
                value += probability * self.value(game.result(state, outcome), depth)
        else:
            if player is MAX:
                self.max_nodes += 1
            elif player is MIN and self.opponents:
                self.min_nodes += 1
            else:
                self.refuse(state, player)
            reward = self.reward
            for action in game.legal_actions(state):
                after = self.value(game.result(state, action), depth - 1)
                if reward is not None:
                    after = self.reward_of(state, action) + after
                if value is None or (after > value if player is MAX else after < value):
                    value = after
            if value is None:
                reject_stuck(state)
        if self.entries is not None:
            self.entries[state, depth] = value
        return value

    def action_values(self, state: Any, depth: float, player: Player) -> dict[Any, Any]:
        """Return the value of each action of the root, in the game's order, where `value` keeps the best alone."""
        if player is MIN and not self.opponents:
            self.refuse(state, player)
        self.count_decision(state, player)
        values = {}
        for action in self.game.legal_actions(state):
            value = self.value(self.game.result(state, action), depth - 1)
            values[action] = value if self.reward is None else self.reward_of(state, action) + value
        if not values:
            reject_stuck(state)
        return values

    def refuse(self, state: Any, player: Player) -> NoReturn:
        """Raise for a player who may not decide in this search."""
        if player is MIN:
            raise WrongSearchError(f"expected no MIN node in expectimax, got one at state {state!r}")
        reject_player(player, state)
