"""Game trees drawn from a seed: regular ones to measure on, irregular ones to test with. Each is a `TreeGame`.

A *correlated* tree models a real game: every move and every outcome shifts the score a little, a leaf holds the sum of
the shifts on its path, and the partial sum is a static estimate that predicts the leaves below (Korf and Chickering,
"Best-first minimax search", Artificial Intelligence 84, 1996, use such trees). With independent leaves an estimate
predicts nothing.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from expectimax_course.game import Player, StateError
from expectimax_course.rng import Rng
from expectimax_course.trees import TreeGame, TreeNode

LEAF_BOUNDS = (-100, 100)
"""Bounds of every leaf and estimate of a random tree."""


def regular_tree(
    seed: int, *, depth: int, moves: int, outcomes: int, correlated: bool = False, opponent: bool = True
) -> TreeGame:
    """Return a tree in which ``depth`` decisions of ``moves`` actions alternate with draws of ``outcomes`` outcomes.

    The root is MAX, a leaf follows the last decision, so there are ``moves**depth * outcomes**(depth − 1)`` leaves.
    Outcomes are equally likely. Leaves and estimates are floats within ``LEAF_BOUNDS``.

    Parameters
    ----------
    seed : int
    depth, moves, outcomes : int, each at least 1
    correlated : bool
        Leaves are sums along their path and ``estimate`` is the partial sum; else leaves are independent and
        ``estimate`` is 0.
    opponent : bool
        MAX and MIN alternate; else MAX makes every decision.

    Raises
    ------
    StateError
        If a size is below 1.

    Examples
    --------
    >>> tree = regular_tree(1, depth=2, moves=3, outcomes=2)
    >>> sum(node.player is None for node in tree.nodes)
    18
    """
    if min(depth, moves, outcomes) < 1:
        raise StateError(f"expected sizes of at least 1, got {(depth, moves, outcomes)!r}")
    rng = Rng(seed)
    low, high = LEAF_BOUNDS
    step = high / (2 * depth - 1)
    nodes: list[TreeNode] = []

    def add(decisions: int, player: Player, score: float) -> int:
        index = len(nodes)
        nodes.append(TreeNode(None, (), (), (), 0.0))
        if decisions == 0:
            nodes[index] = nodes[index]._replace(number=score if correlated else low + rng.random() * (high - low))
            return index
        chance = player is Player.CHANCE
        width = outcomes if chance else moves
        shifts = [step * (2 * rng.random() - 1) for _ in range(width)] if correlated else [0.0] * width
        if chance:
            mover = Player.MIN if opponent and (depth - decisions) % 2 else Player.MAX
            children = tuple(add(decisions, mover, score + shift) for shift in shifts)
        else:
            follower = Player.CHANCE
            children = tuple(add(decisions - 1, follower, score + shift) for shift in shifts)
        probabilities = (1 / outcomes,) * outcomes if chance else ()
        nodes[index] = TreeNode(player, tuple(range(width)), children, probabilities, score)
        return index

    add(depth, Player.MAX, 0.0)
    return TreeGame(nodes, LEAF_BOUNDS)


def irregular_tree(seed: int, *, depth: int = 4, width: int = 4, exact: bool = False) -> TreeGame:
    """Return a small tree with everything that breaks careless code.

    MAX, MIN and CHANCE follow each other in any order; branches end early; there are single outcomes, outcomes of
    probability 0, ties, and leaves on both bounds. Leaves and estimates are whole numbers within ``LEAF_BOUNDS``.

    Parameters
    ----------
    seed : int
    depth : int
        Longest path in nodes, the leaf excluded.
    width : int
        Most children of a node.
    exact : bool
        Numbers are Fractions; else floats.

    Examples
    --------
    >>> irregular_tree(3, depth=2, width=2)
    TreeGame(chance(1.0: min(0: 43.0, 1: -33.0)))
    """
    rng = Rng(seed)
    low, high = LEAF_BOUNDS
    nodes: list[TreeNode] = []

    def leaf_number() -> Any:
        number = rng.choice((low, high, 0, 1)) if rng.below(4) == 0 else low + rng.below(high - low + 1)
        return Fraction(number) if exact else float(number)

    def add(levels: int) -> int:
        index = len(nodes)
        nodes.append(TreeNode(None, (), (), (), leaf_number()))
        if levels == 0 or (index and rng.below(6) == 0):
            return index
        player = rng.choice((Player.MAX, Player.MIN, Player.CHANCE, Player.CHANCE))
        count = 1 + rng.below(width)
        probabilities: tuple[Any, ...] = ()
        if player is Player.CHANCE:
            weights = [rng.below(5) for _ in range(count)]
            if not any(weights):
                weights[-1] = 1
            total = sum(weights)
            probabilities = tuple(Fraction(w, total) if exact else w / total for w in weights)
        children = tuple(add(levels - 1) for _ in range(count))
        nodes[index] = TreeNode(player, tuple(range(count)), children, probabilities, nodes[index].number)
        return index

    add(depth)
    return TreeGame(nodes, LEAF_BOUNDS)
