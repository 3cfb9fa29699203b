"""The trees of the tree stepper: some to load, and limits for those that a reader writes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from expectimax_course.apps._recursion import below, edge_labels
from expectimax_course.game import GameError
from expectimax_course.trees import TreeGame, parse_tree

TREES = {
    "chooser": ("two gambles", "max(left: chance(1/2: 9, 1/2: 1), right: chance(1/2: 4, 1/2: 3))"),
    "gamble": ("a gamble or a sure thing", "max(gamble: chance(0.9: 10, 0.1: -5), sure: 2)"),
    "opponent": ("dice, then an opponent", "max(bold: chance(1/3: min(9, 6), 2/3: min(0, 5)), safe: min(3, 4))"),
    "reroll": ("a draw, a choice, a draw", "chance(1/2: max(stop: 3, go: chance(1/2: 0, 1/2: 8)), 1/2: max(6, 1))"),
}
LONGEST, MOST_NODES = 160, 25


def exact(digits: str) -> Fraction:
    """Return a number of a tree as a fraction, so that a tie is a tie."""
    if "e" in digits.lower():  # 1e999999999 would fill the memory
        raise GameError(f"expected a number without an exponent, got {digits!r}")
    return Fraction(digits)


def read_tree(words: str, convert: Callable[[str], Any] | None = exact) -> TreeGame:
    """Return a written tree that is small enough to show.

    Raises
    ------
    GameError
        A `StateError` or `ProbabilityError` where the text is no tree; else what is too large about it.
    """
    try:
        tree = parse_tree(words, convert)
    except (RecursionError, OverflowError):
        raise GameError("expected numbers and brackets of a sensible size, got others") from None
    if len(tree.nodes) > MOST_NODES:
        raise GameError(f"expected at most {MOST_NODES} nodes to show, got {len(tree.nodes)}")
    if any(abs(node.number) >= 1000 for node in tree.nodes if node.player is None):
        raise GameError("expected leaves between −1000 and 1000, got a larger one")
    if any(len(label) > 12 for state in below(tree, 0) for label in edge_labels(tree, state)):
        raise GameError("expected labels of at most 12 letters, got a longer one")
    return tree
