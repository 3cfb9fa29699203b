"""Star1 and Star2: alpha-beta for trees with chance nodes.

A window (alpha, beta) can cut at a chance node only if the values that were not searched yet are bounded. Let every
leaf lie in [L, U], and let child i, of probability p_i, have the proven bounds lo_i <= v_i <= hi_i: L and U at first,
both v_i once it is known. Then the node's value lies between SL = Σ p·lo and SH = Σ p·hi, and child i only matters
in the window that keeps the node's value inside (alpha, beta), whatever the other children are:

    a_i = (alpha − (SH − p_i·hi_i)) / p_i          b_i = (beta − (SL − p_i·lo_i)) / p_i

A value of at most a_i proves the node at most alpha, one of at least b_i proves it at least beta: *Star1*. *Star2*
first *probes*: it searches only the first actions of each child. At a MAX child they prove a new lo_i, at a MIN child a
new hi_i, often enough for a cut before any child is searched in full. The probing factor is the number of actions
probed: 0 is Star1, 1 Star2, more is Star2.5. A probe's work is kept: the search goes on with the actions left.

At decisions all is as in `alphabeta`, the contract and the rewards included, with v the value of expectiminimax.

Of the b²·c leaves of a tree of depth 2 (b moves, c outcomes, b moves) Star2 opens in the best order about 2·b·c: the
first move in full, and one reply to every outcome of each other move. In the worst order it opens all.

References
----------
B. W. Ballard, "The *-minimax search procedure for trees containing chance nodes", Artificial Intelligence 21(3), 1983.
T. Hauk, M. Buro and J. Schaeffer, "Rediscovering *-minimax search", Computers and Games, LNCS 3846, 2004. J. Veness and
A. Blair, "Effective use of transposition tables in stochastic game tree search", CIG 2007.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

from expectimax_course.game import Game, Player, add_up
from expectimax_course.search.alphabeta import AlphaBeta, run_in_window
from expectimax_course.search.bounded import Order, leaf_bounds
from expectimax_course.search.result import SearchResult, SettingError
from expectimax_course.search.table import Table

S = TypeVar("S", bound=Hashable)
A = TypeVar("A", bound=Hashable)
Search = TypeVar("Search", bound="Star")

MAX, CHANCE = Player.MAX, Player.CHANCE


def star(
    game: Game[S, A],
    state: S,
    depth: int | None = None,
    evaluate: Callable[[S], float] | None = None,
    *,
    probing: int = 0,
    bounds: tuple[float, float] | None = None,
    window: tuple[float, float] = (-math.inf, math.inf),
    order: Order | None = None,
    use_rewards: bool = False,
    table: Table | None = None,
    verify_bounds: bool = False,
) -> SearchResult[A]:
    """Search with Star1 (``probing=0``), Star2 (1) or Star2.5 (more): the value of `expectiminimax` for fewer leaves.

    Parameters
    ----------
    game, state, depth, evaluate, use_rewards
        As in `expectiminimax`.
    probing : int
        How many actions of each child of a chance node are probed first.
    bounds : (float, float), optional
        Bounds of every leaf value, utilities included, rewards not. Default: the game's ``utility_bounds``; required
        where ``evaluate`` is given. Loose bounds cost work, false ones cost the truth. In floats so do bounds that are
        absurdly loose: keep their width far below 1e16 times the precision that is wanted.
    window : (float, float)
        Only values inside are wanted exactly; outside, ``value`` is a bound and ``kind`` says which.
    order : callable, optional
        ``order(state, actions)`` rearranges the actions of every decision, the root's too.
    table : Table, optional
        Proven intervals of decision and chance nodes, to reuse and to fill. It also tries first what did best before.
    verify_bounds : bool
        Check every leaf and reward met against the bounds.

    Returns
    -------
    SearchResult
        Ties go to the action searched first: without ``order`` and ``table``, the first in the game's order.

    Raises
    ------
    BoundsError
        If bounds are missing or not finite, or, when verified, a value breaks them; the message names state and value.
    SettingError
        If the probing factor, the window or the order is none.
    DepthError, EvaluationError, UtilityError, ProbabilityError, NoOutcomesError, NoActionsError
        As in `expectiminimax`.
    WrongSearchError, PlayerError, TableMismatchError
        As in `expectiminimax`.

    Examples
    --------
    >>> from expectimax_course.trees import parse_tree
    >>> tree = parse_tree("max(chance(0.5: 2, 0.5: 4), chance(0.5: 0, 0.5: max(6, 8)))")
    >>> result = star(tree, 0, bounds=(0, 5))
    >>> result.value, result.leaves, result.action_values
    (3.0, 3, {'a': (3.0, 3.0), 'b': (0, 2.5)})
    """
    how: dict[str, Any] = {"order": order, "use_rewards": use_rewards, "table": table, "verify_bounds": verify_bounds}
    search = prepare(Star, game, depth, evaluate, probing, bounds, **how)
    return run_in_window(search, state, depth, window)


def prepare(
    kind: type[Search],
    game: Game[Any, Any],
    depth: int | None,
    evaluate: Callable[[Any], Any] | None,
    probing: int,
    bounds: tuple[Any, Any] | None,
    **how: Any,
) -> Search:
    """Return a run of `Star`, or of a search that builds on it, its bounds and probing factor checked."""
    search = kind(game, depth, evaluate, bounds=leaf_bounds(game, evaluate, bounds), **how)
    search.probing = check_probing(probing)
    return search


def check_probing(probing: int) -> int:
    """Return a probing factor after checking it.

    Raises
    ------
    SettingError
        If it is not a whole number of 0 or more.
    """
    if isinstance(probing, bool) or not isinstance(probing, int) or probing < 0:
        raise SettingError(f"expected a probing factor of 0 or more actions, got {probing!r}")
    return probing


class Child:
    """One child of a chance node: its probability, its proven bounds, and the actions a probe has left to try."""

    __slots__ = ("actions_left", "lower", "probability", "state", "upper")

    def __init__(self, probability: Any, state: Any, lower: Any, upper: Any) -> None:
        self.probability, self.state, self.lower, self.upper = probability, state, lower, upper
        self.actions_left: Sequence[Any] | None = None


class ChanceNode:
    """An open chance node: its children, and the sums SL (``low``) and SH (``high``) of their bounds."""

    def __init__(self, children: list[Child]) -> None:
        self.children = children
        self.low = add_up(child.probability * child.lower for child in children)
        self.high = add_up(child.probability * child.upper for child in children)

    def others(self, child: Child) -> tuple[Any, Any]:
        """Return what all children but one add to the value: at least, and at most."""
        p = child.probability
        return self.low - p * child.lower, self.high - p * child.upper

    def window(self, child: Child, alpha: Any, beta: Any) -> tuple[Any, Any]:
        """Return the window (a, b) in which one child's value keeps the node's inside (alpha, beta).

        Where rounding leaves nothing between a and b, the window is open: in an empty one no result
        says on which side it lies.
        """
        others_low, others_high = self.others(child)
        p = child.probability
        a, b = (alpha - others_high) / p, (beta - others_low) / p
        return (a, b) if a < b else (-math.inf, math.inf)

    def tighten(self, child: Child, lower: Any, upper: Any) -> None:
        """Set the bounds of one child and the sums with them."""
        others_low, others_high = self.others(child)
        child.lower, child.upper = lower, upper
        self.low = others_low + child.probability * lower
        self.high = others_high + child.probability * upper


class Star(AlphaBeta):
    """One run of Star1 or Star2: alpha-beta and a rule for chance nodes."""

    probing = 0

    def chance_value(self, state: Any, depth: float, alpha: Any, beta: Any, node: ChanceNode | None = None) -> Any:
        """Return the average of a chance node (``node``, if it is open already), or a bound once one is proven."""
        node = node or ChanceNode(self.children(state, depth))
        if node.low >= beta:
            return node.low
        if node.high <= alpha:
            return node.high
        if self.probing:
            for child in node.children:
                if self.is_open(node, child, depth):
                    self.probe(node, child, depth, *node.window(child, alpha, beta))
                if node.low >= beta:
                    return node.low
                if node.high <= alpha:
                    return node.high
        for child in node.children:
            if self.is_open(node, child, depth):
                a, b = node.window(child, alpha, beta)
                others_low, others_high = node.others(child)
                value = self.finish(child, depth, a, b)
                if value <= a:
                    return min(alpha, others_high + child.probability * value)
                if value >= b:
                    return max(beta, others_low + child.probability * value)
                node.tighten(child, value, value)
        return add_up(child.probability * child.lower for child in node.children)

    def children(self, state: Any, depth: float) -> list[Child]:
        """Open a chance node: count it and return the children that can occur, with what is known of each."""
        outcomes = self.open_chance(state)
        # an outcome of probability 0 adds nothing and would be divided by
        possible = [(p, self.game.result(state, outcome)) for outcome, p in outcomes if p > 0]
        return [Child(p, child, *self.known(child, depth)) for p, child in possible]

    def is_open(self, node: ChanceNode, child: Child, depth: float) -> bool:
        """Say whether a child is unknown yet, after a look at what the table has learnt since the node was opened."""
        entry = self.entries.get((child.state, depth)) if self.entries is not None else None
        if entry is not None and (entry[0] > child.lower or entry[1] < child.upper):
            self.table_hits += 1
            node.tighten(child, max(child.lower, entry[0]), min(child.upper, entry[1]))
        return bool(child.lower < child.upper)

    def probe(self, node: ChanceNode, child: Child, depth: float, a: Any, b: Any) -> None:
        """Search the first actions of a decision and tighten the child's bounds; a chance node has none to try."""
        state, lower, upper = child.state, child.lower, child.upper
        if lower >= b or upper <= a:  # the table has settled it
            return
        if self.game.is_terminal(state):
            value = self.leaf(state)
            node.tighten(child, value, value)
            return
        player = self.game.current_player(state)
        if player is CHANCE:
            return
        actions = self.ordered(state)
        first, left = actions[: self.probing], actions[self.probing :]
        if player is MAX:
            value = self.max_value(state, depth, lower, max(lower, min(b, upper)), first, lower)
            inside, exact = value < b, value >= upper or (value < b and not left)
            proven = (value, value if exact else upper)
        else:
            value = self.min_value(state, depth, min(upper, max(a, lower)), upper, first, upper)
            inside, exact = value > a, value <= lower or (value > a and not left)
            proven = (value if exact else lower, value)
        child.actions_left = left if inside else None
        node.tighten(child, *proven)
        if self.entries is not None:
            self.entries[state, depth] = proven

    def finish(self, child: Child, depth: float, a: Any, b: Any) -> Any:
        """Search a child in the part of its window (a, b) that its bounds leave open; after a probe, only the rest."""
        if child.lower >= b:  # the table has settled it
            return child.lower
        if child.upper <= a:
            return child.upper
        alpha = max(a, child.lower)
        beta = max(alpha, min(b, child.upper))  # max: rounding can turn a window inside out
        if child.actions_left is None:
            return self.search(child.state, depth, alpha, beta)
        if self.game.current_player(child.state) is MAX:
            value = self.max_value(child.state, depth, alpha, beta, child.actions_left, child.lower)
        else:
            value = self.min_value(child.state, depth, alpha, beta, child.actions_left, child.upper)
        self.remember(child.state, depth, value, alpha, beta)
        return value
