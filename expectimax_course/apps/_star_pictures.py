"""The pictures of the window app: the draw as far as it is opened, and the bars of its mean and of one child."""

from __future__ import annotations

from typing import Any

from expectimax_course.apps._recursion import edge_labels, kind_of
from expectimax_course.apps._star_steps import Ends, Moment, total
from expectimax_course.trees import TreeGame
from expectimax_course.viz.html import Picture, number
from expectimax_course.viz.intervals import Interval, draw_intervals
from expectimax_course.viz.tree import Edge, Node

REASONS = {"upper": "≤ α", "lower": "≥ β"}


def leaf_count(tree: TreeGame) -> int:
    """Return how many leaves a tree has."""
    return sum(node.player is None for node in tree.nodes)


def drawing(tree: TreeGame, moment: Moment, done: bool) -> Node:
    """Return the tree: opened leaves with their values, cut branches dashed, a ring around the child at work."""
    reason = REASONS.get(moment.kind, "cut") if done else ""

    def leaf(state: int) -> Node:
        opened = state in moment.leaves
        value = number(tree.utility(state)) if opened or done else "?"
        return Node("leaf", value, mark="" if opened else "faded")

    def child(index: int, state: int) -> tuple[Node, bool]:
        mark: Any = "current" if index == moment.child else ""
        if tree.is_terminal(state):
            found = leaf(state)
            return (found if found.mark else found._replace(mark=mark)), state not in moment.leaves
        below = tree.nodes[state].children
        edges = tuple(Edge("", leaf(each), cut=reason if each not in moment.leaves else "") for each in below)
        untouched = not any(each in moment.leaves for each in below)
        if untouched:
            edges = tuple(edge._replace(cut="") for edge in edges)
        known = _known(*moment.bounds[index], tree)
        return Node(kind_of(tree, state), known, edges, mark=mark or ("faded" if untouched else "")), untouched

    edges = []
    for index, (label, state) in enumerate(zip(edge_labels(tree, 0), tree.nodes[0].children, strict=True)):
        node, untouched = child(index, state)
        edges.append(Edge(label, node, cut=reason if untouched else ""))
    value = {"upper": "≤", "lower": "≥"}.get(moment.kind, "") + number(moment.result) if done else ""
    return Node("chance", value, tuple(edges))


def _known(lower: Any, upper: Any, tree: TreeGame) -> str:
    """Return what is proven of a decision, in a few characters."""
    values = [node.number for node in tree.nodes if node.player is None]
    if lower == upper:
        return number(lower)
    return f"≤{number(upper)}" if upper in values else f"≥{number(lower)}" if lower in values else ""


def mean_bar(tree: TreeGame, moment: Moment, window: Ends, scale: Ends) -> Picture:
    """Return the bar of what the mean may still be, between the lines of the window."""
    low, high = (float(end) for end in total(tree, moment.bounds))
    title = "What the mean may still be"
    label = f"alpha {number(window[0])}, beta {number(window[1])}; the mean"
    return draw_intervals([Interval(label, low, high)], scale, title, window=window)


def child_bar(moment: Moment, scale: Ends) -> Picture:
    """Return the bar of the child at work, between the lines of its own window if it has one."""
    assert moment.child is not None
    low, high = (float(end) for end in moment.bounds[moment.child])
    label, window = f"child {moment.child + 1}", None
    if moment.window is not None:
        window = (float(moment.window[0]), float(moment.window[1]))
        label = f"its window {number(window[0])} to {number(window[1])}; {label}"
    return draw_intervals([Interval(label, low, high)], scale, "What one child may still be", window=window)
