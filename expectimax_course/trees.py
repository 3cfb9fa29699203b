"""Game trees written down, as text or as nested tuples. Each is a `Game`; `random_trees` draws more of them.

Text: ``max(gamble: chance(0.9: 10, 0.1: -5), sure: 2)``. A node is a number (a leaf, its utility in MAX's view) or
``max``, ``min`` or ``chance`` with children in brackets. In front of a child may stand ``label:``, a word that is none
of these three or a number; at a chance node it is the probability, a decimal or a fraction such as ``1/6``. The same
tree as tuples: ``("max", ("gamble", ("chance", (0.9, 10), (0.1, -5))), ("sure", 2))``.

A state is the number of a node, the root is 0 and numbers run in depth-first order, so states are small, hashable and
in the order in which a depth-first search opens them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from numbers import Real
from typing import Any, NamedTuple

from expectimax_course.game import GameError, Player, ProbabilityError, StateError, check_outcomes, illegal_action

Number = Any
"""A real number, as float, int or Fraction: a tree keeps the numbers it was given."""

KINDS = {"max": Player.MAX, "min": Player.MIN, "chance": Player.CHANCE}
_TOKEN = re.compile(r"\s*(?:([A-Za-z_][\w-]*)|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?:/\d+)?)|(.))")


class TreeNode(NamedTuple):
    """One node of a tree.

    ``player`` is None at a leaf. ``labels`` name the actions, or hold the outcomes of a chance node (0, 1, …), in step
    with ``children`` and, at chance nodes, ``probabilities``. ``number`` is the utility of a leaf and the static
    estimate of an inner node (None where the tree has none).
    """

    player: Player | None
    labels: tuple[Any, ...]
    children: tuple[int, ...]
    probabilities: tuple[Number, ...]
    number: Number


class TreeGame:
    """A finite tree as a game whose states are node numbers.

    Examples
    --------
    >>> tree = parse_tree("chance(1/2: 0, 1/2: max(3, up: 5))")
    >>> tree.chance_outcomes(0), tree.legal_actions(2)
    (((0, 0.5), (1, 0.5)), ('a', 'up'))
    """

    def __init__(self, nodes: Sequence[TreeNode], bounds: tuple[Number, Number] | None = None) -> None:
        self.nodes = tuple(nodes)
        self._results: list[dict[Any, int]] = [dict(zip(n.labels, n.children, strict=True)) for n in self.nodes]
        self._outcomes = [tuple(zip(n.labels, n.probabilities, strict=False)) for n in self.nodes]
        if bounds is None:
            leaves = [n.number for n in self.nodes if n.player is None]
            bounds = (min(leaves), max(leaves))
        self._bounds = bounds

    def __repr__(self) -> str:
        return f"TreeGame({format_tree(self)})" if len(self.nodes) <= 12 else f"TreeGame({len(self.nodes)} nodes)"

    def initial_state(self) -> int:
        """Return the root."""
        return 0

    def current_player(self, state: int) -> Player:
        """Return the kind of a node that is not a leaf."""
        player = self.nodes[state].player
        if player is None:
            raise StateError(f"expected a node that is not a leaf, got leaf {state!r}")
        return player

    def legal_actions(self, state: int) -> tuple[Any, ...]:
        """Return the labels, in the order they were written."""
        return self.nodes[state].labels

    def chance_outcomes(self, state: int) -> tuple[tuple[Any, Number], ...]:
        """Return (position, probability) pairs in the order they were written."""
        return self._outcomes[state]

    def result(self, state: int, action: Any) -> int:
        """Return the child behind a label or outcome."""
        try:
            return self._results[state][action]
        except KeyError:
            illegal_action(action, state, self.nodes[state].labels)

    def is_terminal(self, state: int) -> bool:
        """Say whether the node is a leaf."""
        return self.nodes[state].player is None

    def utility(self, state: int) -> Number:
        """Return the leaf's number."""
        return self.nodes[state].number

    @property
    def utility_bounds(self) -> tuple[Number, Number]:
        """The bounds given to the constructor, else the least and greatest leaf."""
        return self._bounds

    def estimate(self, state: int) -> Number:
        """Return the static estimate of a node: an ``evaluate`` for searches with a depth.

        Raises
        ------
        StateError
            If the tree was written without estimates.
        """
        number = self.nodes[state].number
        if number is None:
            raise StateError(f"expected a tree with static estimates, got none at node {state!r}")
        return number


def build_tree(tree: Any) -> TreeGame:
    """Return the game of a tree written as nested tuples or lists (see the module's docstring).

    Raises
    ------
    StateError, ProbabilityError, NoOutcomesError
        If something is not a tree, a node has no children, labels cannot be the keys of a dictionary, or
        probabilities are not numbers or do not sum to 1.

    Examples
    --------
    >>> build_tree(("max", 2, ("chance", (0.5, 0), (0.5, 6))))
    TreeGame(max(a: 2, b: chance(0.5: 0, 0.5: 6)))
    """
    nodes: list[TreeNode] = []

    def add(node: Any) -> int:
        index = len(nodes)
        if _is_number(node):
            nodes.append(TreeNode(None, (), (), (), node))
            return index
        player = _kind(node[0]) if isinstance(node, tuple | list) and node else None
        if player is None:
            raise StateError(f"expected a number or a node that starts with max, min or chance, got {node!r}")
        nodes.append(TreeNode(None, (), (), (), None))
        pairs = [_labelled(child, position, player) for position, child in enumerate(node[1:])]
        if player is Player.CHANCE:
            check_outcomes([(position, p) for position, (p, _) in enumerate(pairs)], node)
            labels, probabilities = tuple(range(len(pairs))), tuple(p for p, _ in pairs)
        else:
            labels, probabilities = tuple(label for label, _ in pairs), ()
            if not labels or len(set(labels)) < len(labels):
                raise StateError(f"expected children with different labels, got {labels!r} at {node!r}")
        nodes[index] = TreeNode(player, labels, tuple(add(child) for _, child in pairs), probabilities, None)
        return index

    add(tree)
    return TreeGame(nodes)


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _kind(word: Any) -> Player | None:
    return KINDS.get(word) if isinstance(word, str) else None


def _labelled(child: Any, position: int, player: Player) -> tuple[Any, Any]:
    """Split a child into its label or probability and the node itself."""
    if isinstance(child, tuple | list) and len(child) == 2 and _kind(child[0]) is None:
        label, node = child
        if player is Player.CHANCE and not _is_number(label):
            raise ProbabilityError(f"expected a number as probability at a chance node, got {label!r}")
        try:
            hash(label)
        except TypeError:
            raise StateError(f"expected a label that can be the key of a dictionary, got {label!r}") from None
        return label, node
    if player is Player.CHANCE:
        raise StateError(f"expected (probability, child) at a chance node, got {child!r}")
    name = ""
    rest = position + 1
    while rest:
        rest, letter = divmod(rest - 1, 26)
        name = chr(97 + letter) + name
    return name, child


def parse_tree(text: str, number: Callable[[str], Number] | None = None) -> TreeGame:
    """Return the game of a tree written as text (see the module's docstring).

    Parameters
    ----------
    text : str
    number : callable, optional
        Turns the digits into a number: ``Fraction`` keeps everything exact. Default: int where the text has no point
        or fraction, else float.

    Raises
    ------
    StateError
        If the text is not a tree; the message quotes where.
    ProbabilityError, NoOutcomesError
        If the probabilities of a chance node are not numbers or do not sum to 1.

    Examples
    --------
    >>> parse_tree("chance(1/3: 1, 2/3: 4)", Fraction).nodes[0].probabilities
    (Fraction(1, 3), Fraction(2, 3))
    >>> parse_tree("max(1, 2")
    Traceback (most recent call last):
        ...
    expectimax_course.game.StateError: expected ',' or ')' after 'max(1, 2', got the end of the text
    """
    convert = number or _plain_number
    tokens = [(m.group(1), m.group(2), m.group(3), m.end()) for m in _TOKEN.finditer(text.strip())]
    text = text.strip()
    place = 0

    def fail(expected: str) -> StateError:
        before = text[: tokens[place - 1][3]] if place else ""
        got = repr(next(t for t in tokens[place][:3] if t)) if place < len(tokens) else "the end of the text"
        return StateError(f"expected {expected} after {before!r}, got {got}")

    def symbol() -> str | None:
        return tokens[place][2] if place < len(tokens) else None

    def value(digits: str) -> Number:
        try:
            return convert(digits)
        except GameError:
            raise  # a sentence of the converter's own
        except (ValueError, ZeroDivisionError):
            raise fail("a number") from None

    def node() -> Any:
        nonlocal place
        if place >= len(tokens) or tokens[place][2]:
            raise fail("a number, max, min or chance")
        word, digits = tokens[place][:2]
        if digits:
            read = value(digits)
            place += 1
            return read
        if word.lower() not in KINDS:
            raise fail("a number, max, min or chance")
        place += 1
        if symbol() != "(":
            raise fail("'('")
        children: list[Any] = [word.lower()]
        while not children[1:] or symbol() == ",":
            place += 1
            children.append(child())
        if symbol() != ")":
            raise fail("',' or ')'")
        place += 1
        return tuple(children)

    def child() -> Any:
        nonlocal place
        if place + 1 < len(tokens) and tokens[place + 1][2] == ":":
            word, digits = tokens[place][:2]
            if word in KINDS:
                raise fail("a label that is not max, min or chance")
            label = value(digits) if digits else word
            place += 2
            return (label, node())
        return node()

    tree = node()
    if place < len(tokens):
        raise fail("the end of the text")
    return build_tree(tree)


def _plain_number(digits: str) -> Number:
    if "/" in digits:
        return float(Fraction(digits))
    return int(digits) if re.fullmatch(r"[-+]?\d+", digits) else float(digits)


def format_tree(tree: TreeGame, state: int = 0) -> str:
    """Return a tree as text, without static estimates.

    `parse_tree` reads it back if the labels are words or numbers and the numbers are all of one type, its ``number``.
    """
    node = tree.nodes[state]
    if node.player is None:
        return str(node.number)
    labels = node.probabilities if node.player is Player.CHANCE else node.labels
    children = (f"{label}: {format_tree(tree, c)}" for label, c in zip(labels, node.children, strict=True))
    return f"{node.player.name.lower()}({', '.join(children)})"
