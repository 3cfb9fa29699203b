"""Alpha-beta: minimax that does not look at what cannot matter.

A search in the window (alpha, beta) is asked for a value only if that lies between the two: MAX is sure of alpha
elsewhere, MIN of beta. As soon as one action is worth beta or more to MAX, MIN will not let the game come here, and
the other actions are cut.

The contract (fail-soft), with v the value of minimax: a result r inside (alpha, beta) is v; r <= alpha is an upper
bound of v; r >= beta a lower one. In the best order a tree of depth d and b moves costs about b^(d/2) leaves, in the
worst b^d.

Rewards on the way shift the window. A node is worth r(s, a) + V(s·a) by its action a. Searching the child in
(alpha − r, beta − r) with result x gives r + x, and the contract carries over: x <= alpha − r says V <= x, so
r + V <= r + x <= alpha; x >= beta − r mirrors it; between them x = V, so r + x = r + V.

At a chance node no child's value decides alone, and the argument stops. One can give the children the open window and
go on below them, ``reset_at_chance=True``: right, but on regular trees it saves next to nothing (chapter 05). `star`
does better.

References
----------
D. E. Knuth and R. W. Moore, "An analysis of alpha-beta pruning", Artificial Intelligence 6(4), 1975. J. P. Fishburn,
"Another optimization of alpha-beta search", SIGART Newsletter 84, 1983: fail-soft.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

from expectimax_course.game import Game, Player, add_up
from expectimax_course.search.bounded import Bounded, Order, as_pair
from expectimax_course.search.result import SearchResult, SettingError, WrongSearchError
from expectimax_course.search.table import Table
from expectimax_course.search.walk import reject_endless

S = TypeVar("S", bound=Hashable)
A = TypeVar("A", bound=Hashable)

MAX, MIN, CHANCE = Player.MAX, Player.MIN, Player.CHANCE


def alphabeta(
    game: Game[S, A],
    state: S,
    depth: int | None = None,
    evaluate: Callable[[S], float] | None = None,
    *,
    window: tuple[float, float] = (-math.inf, math.inf),
    order: Order | None = None,
    use_rewards: bool = False,
    table: Table | None = None,
    reset_at_chance: bool = False,
) -> SearchResult[A]:
    """Search a game without chance: the value of `expectiminimax` for fewer leaves.

    Parameters
    ----------
    game, state, depth, evaluate, use_rewards
        As in `expectiminimax`.
    window, order, table
        As in `star`.
    reset_at_chance : bool
        Search the children of a chance node in an open window; else a chance node is an error.

    Raises
    ------
    WrongSearchError
        If a chance node turns up, or ``depth`` is None and the game does not end.
    SettingError, BoundsError, DepthError, EvaluationError, UtilityError, NoActionsError
        As in `star`.
    ProbabilityError, NoOutcomesError, PlayerError, TableMismatchError
        As in `star`.

    Examples
    --------
    >>> from expectimax_course.trees import parse_tree
    >>> result = alphabeta(parse_tree("max(min(3, 5), min(2, 9))"), 0)
    >>> result.value, result.leaves
    (3, 3)
    """
    open_bounds = (-math.inf, math.inf)  # what is not searched may be worth anything: only a won game ends a search
    search = AlphaBeta(
        game,
        depth,
        evaluate,
        bounds=open_bounds if use_rewards or evaluate is not None else game.utility_bounds,
        order=order,
        use_rewards=use_rewards,
        table=table,
        verify_bounds=False,
    )
    search.reset_at_chance = reset_at_chance
    return run_in_window(search, state, depth, window)


class AlphaBeta(Bounded):
    """One run of alpha-beta; `star` builds on it. Every method keeps the contract of the module."""

    reset_at_chance = False

    def search(self, state: Any, depth: float, alpha: Any, beta: Any) -> Any:
        """Return the value of a state, or a bound that proves it outside the window."""
        if depth == 0 or self.game.is_terminal(state):
            return self.leaf(state)
        lower, upper = self.known(state, depth)
        if lower >= beta or lower == upper:
            return lower
        if upper <= alpha:
            return upper
        alpha, beta = max(alpha, lower), min(beta, upper)
        player = self.game.current_player(state)
        if player is CHANCE:
            value = self.chance_value(state, depth, alpha, beta)
        elif player is MAX:
            value = self.max_value(state, depth, alpha, beta, self.ordered(state))
        else:
            value = self.min_value(state, depth, alpha, beta, self.ordered(state))
        self.remember(state, depth, value, alpha, beta)
        return value

    def max_value(
        self, state: Any, depth: float, alpha: Any, beta: Any, actions: Sequence[Any], best: Any = -math.inf
    ) -> Any:
        """Return the best of ``actions`` and ``best``, a value that earlier actions have proven."""
        for number, action in enumerate(actions):
            value = self.action_value(state, action, depth, max(alpha, best), beta, MAX, number)
            if value > best:
                best = value
                if best > alpha:
                    self.favour(state, action)
            if best >= beta:
                break
        return best

    def min_value(
        self, state: Any, depth: float, alpha: Any, beta: Any, actions: Sequence[Any], best: Any = math.inf
    ) -> Any:
        """Return the least of ``actions`` and ``best``: the mirror image of `max_value`."""
        for number, action in enumerate(actions):
            value = self.action_value(state, action, depth, alpha, min(beta, best), MIN, number)
            if value < best:
                best = value
                if best < beta:
                    self.favour(state, action)
            if best <= alpha:
                break
        return best

    def action_value(
        self, state: Any, action: Any, depth: float, alpha: Any, beta: Any, player: Player, number: int
    ) -> Any:
        """Return what an action is worth, its reward included, to a window. ``number`` counts those tried before."""
        if self.reward is None:
            return self.search(self.game.result(state, action), depth - 1, alpha, beta)
        reward = self.reward_of(state, action)
        low, high = alpha - reward, beta - reward
        if not low < high:  # rounding has closed the window, and in an empty one no result says on which side it is
            low, high = -math.inf, math.inf
        value = self.search(self.game.result(state, action), depth - 1, low, high)
        if value <= low:
            return min(alpha, reward + value)  # min: rounding must not lift a bound into the window
        if value >= high:
            return max(beta, reward + value)
        return reward + value

    def chance_value(self, state: Any, depth: float, alpha: Any, beta: Any) -> Any:
        """Return the average of a chance node, its children searched in an open window."""
        if not self.reset_at_chance:
            raise WrongSearchError(f"expected no chance node in alpha-beta, got one at state {state!r}")
        outcomes = self.open_chance(state)
        return add_up(p * self.search(self.game.result(state, o), depth, -math.inf, math.inf) for o, p in outcomes)

    def root(self, state: Any, depth: float, alpha: Any, beta: Any) -> tuple[Any, Any, dict[Any, Any]]:
        """Return value, best action and proven interval of each action of a decision at the root."""
        lower, upper = self.interval(depth)
        alpha, beta = max(alpha, lower), min(beta, upper)
        player = self.game.current_player(state)
        actions = self.ordered(state)
        intervals = dict.fromkeys(self.game.legal_actions(state), (lower, upper))
        best = chosen = None
        for number, action in enumerate(actions):
            floor = alpha if best is None or player is MIN else max(alpha, best)
            ceiling = beta if best is None or player is MAX else min(beta, best)
            value = self.action_value(state, action, depth, floor, ceiling, player, number)
            intervals[action] = (value if value > floor else lower, value if value < ceiling else upper)
            if best is None or (value - best) * player > 0:
                best, chosen = value, action
            if (best >= beta) if player is MAX else (best <= alpha):
                break
        if self.best is not None:
            self.best[state] = chosen
        return best, chosen, intervals


def run_in_window(search: AlphaBeta, root: Any, depth: int | None, window: tuple[Any, Any]) -> SearchResult[Any]:
    """Run a prepared search at the root and collect its result: the end of every pruned search.

    Raises
    ------
    SettingError
        If the window is empty.
    WrongSearchError
        If ``depth`` is None and the game does not end.
    """
    alpha, beta = as_pair(window)
    if not alpha < beta:
        raise SettingError(f"expected a window whose first number is below the second, got {window!r}")
    limit = math.inf if depth is None else depth
    action: Any = None
    action_values: dict[Any, Any] = {}
    try:
        if limit == 0 or search.game.is_terminal(root) or search.game.current_player(root) is CHANCE:
            value = search.search(root, limit, alpha, beta)
        else:
            value, action, action_values = search.root(root, limit, alpha, beta)
    except RecursionError:
        reject_endless(depth, root)
    lower, upper = search.interval(limit)
    kind: Any = "upper" if lower < value <= alpha else "lower" if beta <= value < upper else "exact"
    return SearchResult(value, action, action_values, search.counts, search.evaluations, search.table_hits, depth, kind)
