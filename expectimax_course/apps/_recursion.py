"""The recursion of expectiminimax, one node at a time, in words: what the tree stepper shows.

`moments` walks a written tree in the order of a depth-first search and stops twice at every node: when it is reached,
and when its value goes back to its parent. Values and visits are those of `expectiminimax`; a test compares them.
"""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_lowercase
from typing import Any, NamedTuple

from expectimax_course.game import Player
from expectimax_course.trees import KINDS, TreeGame
from expectimax_course.viz.html import number
from expectimax_course.viz.tree import Edge, Kind, Node

WORDS = {player: kind for kind, player in KINDS.items()}
RULES = {
    "max": "MAX chooses here: the value is the largest of the children's.",
    "min": "MIN chooses here: the value is the smallest of the children's.",
    "chance": "Nature draws here: each child's value counts with its probability.",
}


class Call(NamedTuple):
    """One call on the stack: which node, the depth it was given, and what it has put together so far."""

    state: int
    depth: int | None
    so_far: str = ""


class Moment(NamedTuple):
    """One step: where the search stands, why, which calls are open, and which values are known."""

    state: int
    words: str
    stack: tuple[Call, ...]
    values: dict[int, Any]
    estimated: frozenset[int]


def moments(tree: TreeGame, depth: int | None = None) -> list[Moment]:
    """Return every step of the search from the root; time O(nodes²) for the copies, which small trees forgive."""
    values: dict[int, Any] = {}
    estimated: set[int] = set()
    steps: list[Moment] = []

    def note(state: int, words: str, stack: tuple[Call, ...]) -> None:
        steps.append(Moment(state, words, stack, dict(values), frozenset(estimated)))

    def visit(state: int, depth: int | None, above: tuple[Call, ...]) -> None:
        here = (*above, Call(state, depth))
        if tree.is_terminal(state):
            values[state] = tree.utility(state)
            note(state, f"Terminal: the value is the utility, {number(values[state])}.", here)
        elif depth == 0:
            values[state] = middle(tree, state)
            estimated.add(state)
            words = (
                f"No decision left to look ahead: evaluate estimates {number(values[state])}. Nothing below is opened."
            )
            note(state, words, here)
        else:
            kind = kind_of(tree, state)
            note(state, RULES[kind], here)
            below = depth if kind == "chance" or depth is None else depth - 1
            so_far: Any = None
            for place, child in enumerate(tree.nodes[state].children):
                visit(child, below, here)
                so_far, words = _combine(tree, state, place, so_far, values[child])
                if place + 1 == len(tree.nodes[state].children):
                    values[state] = so_far
                    words += f" All children are known: the value is {number(so_far)}."
                here = (*above, Call(state, depth, f"so far {number(so_far)}"))
                note(state, words, here)

    visit(0, depth, ())
    return steps


def _combine(tree: TreeGame, state: int, place: int, so_far: Any, value: Any) -> tuple[Any, str]:
    """Take one child's value into account; return the new intermediate result and what happened, in words."""
    kind = kind_of(tree, state)
    if kind == "chance":
        p = tree.nodes[state].probabilities[place]
        total = p * value if so_far is None else so_far + p * value
        added = f"{number(p, 3)} · {number(value)} = {number(p * value)}"
        return total, f"back up {added}" + ("." if so_far is None else f", the sum is {number(total)}.")
    label, word = tree.nodes[state].labels[place], {"max": "larger", "min": "smaller"}[kind]
    if so_far is None:
        return value, f"back up {label}: {number(value)}, the first value."
    better = value > so_far if kind == "max" else value < so_far
    if better:
        return value, f"back up {label}: {number(value)}, {word} than {number(so_far)}."
    return so_far, f"back up {label}: {number(value)}, not {word} than {number(so_far)}."


def kind_of(tree: TreeGame, state: int) -> Kind:
    """Return the word for a node: "max", "min", "chance" or "leaf"."""
    player = tree.nodes[state].player
    return "leaf" if player is None else WORDS[player]  # type: ignore[return-value]


def middle(tree: TreeGame, state: int) -> Any:
    """Return a crude evaluation: the middle between the least and the greatest leaf below a node."""
    leaves = [tree.utility(leaf) for leaf in below(tree, state) if tree.is_terminal(leaf)]
    return (min(leaves) + max(leaves)) / 2


def below(tree: TreeGame, state: int) -> Iterator[int]:
    """Yield a node and all nodes below it, depth first."""
    yield state
    for child in tree.nodes[state].children:
        yield from below(tree, child)


def names(tree: TreeGame) -> dict[int, str]:
    """Return a name for each node: the labels on the way to it.

    Examples
    --------
    >>> from expectimax_course.trees import parse_tree
    >>> names(parse_tree("max(gamble: chance(0.9: 10, 0.1: -5), sure: 2)"))[2]
    'gamble › 0.9'
    """
    found = {0: "root"}
    for state in below(tree, 0):
        for label, child in zip(edge_labels(tree, state), tree.nodes[state].children, strict=True):
            found[child] = label if state == 0 else f"{found[state]} › {label}"
    return found


def edge_labels(tree: TreeGame, state: int) -> list[str]:
    """Return what stands on the edges below a node: probabilities or actions."""
    node = tree.nodes[state]
    return [number(p, 3) for p in node.probabilities] if node.probabilities else [str(label) for label in node.labels]


def turn(tree: TreeGame, kinds: dict[int, Kind]) -> TreeGame:
    """Return the tree with some inner nodes given to another player.

    A node that becomes a chance node draws its children with equal probability; one that stops being a chance node
    names them a, b, c.

    Examples
    --------
    >>> from expectimax_course.trees import parse_tree
    >>> turn(parse_tree("max(gamble: chance(0.9: 10, 0.1: -5), sure: 2)"), {1: "min"})
    TreeGame(max(gamble: min(a: 10, b: -5), sure: 2))
    """
    nodes = list(tree.nodes)
    for state, kind in kinds.items():
        node, n = nodes[state], len(nodes[state].children)
        if kind == "chance" and node.player is not Player.CHANCE:
            equal = 1 / _one(tree) / n
            nodes[state] = node._replace(player=Player.CHANCE, labels=tuple(range(n)), probabilities=(equal,) * n)
        elif kind in ("max", "min"):
            labels = tuple(ascii_lowercase[:n]) if node.player is Player.CHANCE else node.labels
            nodes[state] = node._replace(player=KINDS[kind], labels=labels, probabilities=())
    return TreeGame(nodes)


def _one(tree: TreeGame) -> Any:
    """Return 1 in the number type of the tree's leaves, so that exact trees stay exact."""
    leaf = next(node.number for node in tree.nodes if node.player is None)
    return leaf - leaf + 1


def drawing(tree: TreeGame, moment: Moment | None, picked: int | None = None) -> Node:
    """Return the tree as far as it is known: values of finished nodes, a ring where the search stands."""
    known = moment.values if moment else {}
    estimated = moment.estimated if moment else frozenset()
    here = moment.state if moment else None

    def build(state: int, hidden: bool) -> Node:
        kind = kind_of(tree, state)
        value = number(known[state]) if state in known else number(tree.utility(state)) if kind == "leaf" else ""
        mark = "current" if state == here else "faded" if hidden else "picked" if state == picked else ""
        note = "estimate" if state in estimated else ""
        children = tree.nodes[state].children
        best = _best(kind, [known.get(child) for child in children]) if state in known else None
        edges = tuple(
            Edge(label, build(child, hidden or state in estimated), place == best)
            for place, (label, child) in enumerate(zip(edge_labels(tree, state), children, strict=True))
        )
        event = None if kind == "leaf" else ("pick", str(state))
        return Node(kind, value, edges, note, mark, event)  # type: ignore[arg-type]

    return build(0, False)


def _best(kind: Kind, values: list[Any]) -> int | None:
    if kind not in ("max", "min") or None in values:
        return None
    return values.index(max(values) if kind == "max" else min(values))
