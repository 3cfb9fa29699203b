"""Star at one chance node, leaf by leaf: what the window app shows.

The search is the package's own `Star`, watched: it notes what it knows of each child whenever it opens a leaf or comes
to a child. Two more ways to search the same node are made from it by leaving something out: the test of the mean alone,
without windows for the children, and no test at all.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from expectimax_course.game import add_up
from expectimax_course.search.star import ChanceNode, Child, Star
from expectimax_course.trees import TreeGame
from expectimax_course.viz.html import number

METHODS = {
    "all": "every leaf",
    "mean": "test of the mean",
    "star1": "Star1",
    "star2": "Star2",
}
"""Ways to search a chance node, each cutting at least where the one before it does, but for the probes of Star2."""

Ends = tuple[Any, Any]


class Moment(NamedTuple):
    """One step: what happened, in words, and what is known.

    Attributes
    ----------
    words : what this step did
    leaves : the states opened so far, in order
    bounds : for each child the proven (lower, upper)
    child : the number of the child at work, None at the start and at the end
    window : the window that child is searched in, if it has one of its own
    result : what the chance node reports, at the last step
    kind : "exact", "lower" or "upper", at the last step
    """

    words: str
    leaves: tuple[int, ...]
    bounds: tuple[Ends, ...]
    child: int | None = None
    window: Ends | None = None
    result: Any = None
    kind: str = ""


class Watched(Star):
    """A search of one chance node that notes what it does."""

    def __init__(self, tree: TreeGame, method: str, bounds: Ends) -> None:
        super().__init__(
            tree, None, None, bounds=bounds, order=None, use_rewards=False, table=None, verify_bounds=False
        )
        self.method = method
        self.probing = 1 if method == "star2" else 0
        self.family: list[Child] = []
        self.at: int | None = None
        self.its_window: Ends | None = None
        self.opened: tuple[int, ...] = ()
        self.moments: list[Moment] = []
        self.proved: dict[int, Ends] = {}
        self.settled = ""

    def note(self, words: str, **more: Any) -> None:
        """Add a moment."""
        bounds = tuple(self.proved.get(i, (child.lower, child.upper)) for i, child in enumerate(self.family))
        self.moments.append(Moment(words, self.opened, bounds, self.at, self.its_window, **more))

    def children(self, state: Any, depth: float) -> list[Child]:
        """Open the chance node, nothing known yet."""
        self.family = super().children(state, depth)
        self.note("Nothing is looked at yet: every child may be anything within the bounds.")
        return self.family

    def leaf(self, state: Any) -> Any:
        """Open a leaf."""
        value = super().leaf(state)
        self.opened = (*self.opened, state)
        if self.at is not None and self.family[self.at].state != state:
            self.note(f"A leaf of child {self.at + 1} is opened: {number(value)}.")
        return value

    def probe(self, node: ChanceNode, child: Child, depth: float, a: Any, b: Any) -> None:
        """Probe a child, and say what that proves."""
        self.at, self.its_window = self.family.index(child), None
        is_leaf, lower = self.game.is_terminal(child.state), child.lower
        super().probe(node, child, depth, a, b)
        risen = child.lower > lower
        words = "exactly" if child.lower == child.upper else "at least" if risen else "at most"
        value = number(child.lower if risen else child.upper)
        why = "A leaf is known at once" if is_leaf else "A probe stops after the first action"
        self.note(f"{why}: child {self.at + 1} is worth {words} {value}.")

    def finish(self, child: Child, depth: float, a: Any, b: Any) -> Any:
        """Search a child in its window, or without one, and say what came of it."""
        self.at = self.family.index(child)
        who, lower, upper = f"Child {self.at + 1}", child.lower, child.upper
        if self.method in ("all", "mean"):
            value = self.whole(child.state, depth)
        else:
            self.its_window = (a, b)
            self.note(f"{who} matters between {number(a)} and {number(b)} only: {_why(a, b, lower, upper)}")
            value = super().finish(child, depth, a, b)
            if value <= a:
                self.proved[self.at] = (min(lower, value), min(upper, value))
            elif value >= b:
                self.proved[self.at] = (max(lower, value), max(upper, value))
            if not a < value < b:
                side = "" if self.game.is_terminal(child.state) else "at most " if value <= a else "at least "
                self.settled = f"{who} is worth {side}{number(value)}, and that settles it: "
        if not self.settled:
            self.proved[self.at] = (value, value)
            self.note(f"{who} is worth {number(value)}.")
        return value

    def whole(self, state: Any, depth: float) -> Any:
        """Search a child without any window or bound."""
        believed = self.low, self.high
        self.low, self.high = -math.inf, math.inf
        value = self.search(state, depth, -math.inf, math.inf)
        self.low, self.high = believed
        return value


def _why(a: Any, b: Any, lower: Any, upper: Any) -> str:
    able = [f"{number(a)} or less proves the mean too low" for _ in "a" if a >= lower]
    able += [f"{number(b)} or more proves it too high" for _ in "b" if b <= upper]
    return f"{' and '.join(able) or 'its bounds lie inside, so nothing can be cut here'}."


def moments(tree: TreeGame, method: str, bounds: Ends, window: Ends) -> list[Moment]:
    """Return every step of a search of the chance node at the root of a tree.

    Parameters
    ----------
    tree : TreeGame
        A chance node whose children are leaves, or decisions between leaves.
    method : one of `METHODS`
    bounds : (L, U)
        What the search believes of every leaf, true or not.
    window : (alpha, beta)
    """
    watched = Watched(tree, method, bounds)
    alpha, beta = (-math.inf, math.inf) if method == "all" else window
    result = watched.chance_value(0, math.inf, alpha, beta)
    watched.at, watched.its_window = None, None
    kind = "upper" if result <= alpha else "lower" if result >= beta else "exact"
    watched.note(_end(watched.settled, result, kind, alpha, beta), result=result, kind=kind)
    return watched.moments


def _end(settled: str, result: Any, kind: str, alpha: Any, beta: Any) -> str:
    the = "the" if settled else "The"
    if kind == "upper":
        return f"{settled}{the} mean is at most {number(result)}, no more than alpha, {number(alpha)}. Cut."
    if kind == "lower":
        return f"{settled}{the} mean is at least {number(result)}, no less than beta, {number(beta)}. Cut."
    return f"The mean is {number(result)}."


def total(tree: TreeGame, bounds: tuple[Ends, ...]) -> Ends:
    """Return the least and greatest mean that bounds on the children leave."""
    weights = [p for _, p in tree.chance_outcomes(0)]
    low: Any = add_up(p * lower for p, (lower, _) in zip(weights, bounds, strict=True))
    high: Any = add_up(p * upper for p, (_, upper) in zip(weights, bounds, strict=True))
    return low, high
