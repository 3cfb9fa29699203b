"""Game trees as accessible SVG, in the course's one visual language.

MAX is an upward triangle, MIN a downward one, CHANCE a circle, a leaf a square. Actions and probabilities stand on the
edges, values in the nodes; the best action is heavy and bold, a cut branch dashed with its reason beside it. Colours
come from the theme; shape, weight and text carry every meaning without them.

A drawing is made in two steps: a `Node`, plain data about what to show, and `draw_tree`, which lays it out. `tree_of`
makes the first from any game. Time and space O(nodes).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Literal, NamedTuple, TypeVar

from expectimax_course.game import Game, Player, StateError, add_up
from expectimax_course.search.result import reject_stuck
from expectimax_course.search.walk import Walk, depth_limit
from expectimax_course.viz import theme
from expectimax_course.viz.html import Picture, element, number, picture, text
from expectimax_course.viz.theme import FONT, HALO, INK, MUTED

S = TypeVar("S", bound=Hashable)
A = TypeVar("A", bound=Hashable)

Kind = Literal["max", "min", "chance", "leaf"]
WORDS = {"max": "MAX", "min": "MIN", "chance": "CHANCE", "leaf": "leaf"}
COLOURS = {"max": theme.MAX, "min": theme.MIN, "chance": theme.CHANCE, "leaf": theme.LEAF}
LEVEL, CHARACTER, RADIUS = 92, 7.4, 21
NARROW, WIDE, PAGE = 46, 92, 300
"""The space of a leaf in pixels: as wide as fits ``PAGE``, within these limits."""
SMALLEST = 0.8
"""A picture shrinks on a narrow page down to this scale; then the page's box around it scrolls."""
ALONG = 0.64
"""Where on its edge a label stands, as a share of the way down."""


class Node(NamedTuple):
    """One node to draw.

    Attributes
    ----------
    kind : "max", "min", "chance" or "leaf"
    value : text inside the node; empty where it is not known yet
    edges : tuple of Edge
    note : text below the node, such as an interval or "estimate"
    mark : "current" draws a heavy ring, "picked" a dashed one, "faded" greys the node out
    event : what a click on the node sends to an app, as (name, value)
    """

    kind: Kind
    value: str = ""
    edges: tuple[Edge, ...] = ()
    note: str = ""
    mark: Literal["", "current", "picked", "faded"] = ""
    event: tuple[str, str] | None = None


class Edge(NamedTuple):
    """One edge: its label, the child, whether it is the best action, and the reason if it was cut."""

    label: str
    child: Node
    best: bool = False
    cut: str = ""


def tree_of(
    game: Game[S, A],
    state: S | None = None,
    *,
    depth: int | None = None,
    evaluate: Callable[[S], float] | None = None,
    values: bool = True,
    largest: int = 200,
) -> Node:
    """Return the tree below a state as a drawing, with the values of expectiminimax.

    Parameters
    ----------
    game : Game
    state : S, optional
        Default: the initial state.
    depth, evaluate
        As in `expectiminimax`: a state at the cut is drawn as a leaf with its estimate.
    values : bool
        Write values into inner nodes and mark the best actions; leaves always show theirs.
    largest : int
        The most nodes to draw.

    Raises
    ------
    StateError
        If the tree has more than ``largest`` nodes.
    GameError
        What `expectiminimax` raises if the game, the depth or the evaluation breaks the contract.

    Examples
    --------
    >>> from expectimax_course.trees import parse_tree
    >>> node = tree_of(parse_tree("max(gamble: chance(0.9: 10, 0.1: -5), sure: 2)"))
    >>> node.value, [(edge.label, edge.best) for edge in node.edges]
    ('8.5', [('gamble', True), ('sure', False)])
    """
    left = largest
    limit = depth_limit(depth, evaluate)
    walk = Walk(game, evaluate, use_rewards=False)

    def build(state: S, depth: float) -> tuple[Node, Any]:
        nonlocal left
        left -= 1
        if left < 0:
            raise StateError(f"expected a tree of at most {largest} nodes to draw, got more")
        if game.is_terminal(state):
            value = walk.terminal_value(state)
            return Node("leaf", number(value)), value
        if depth == 0:
            value = walk.estimate(state)
            return Node("leaf", number(value), note="estimate"), value
        player = game.current_player(state)
        if player is Player.CHANCE:
            built = [(number(p, 3), p, *build(game.result(state, o), depth)) for o, p in walk.open_chance(state)]
            mean = add_up(p * value for _, p, _, value in built)
            edges = tuple(Edge(label, child) for label, _, child, _ in built)
            return Node("chance", number(mean) if values else "", edges), mean
        walk.count_decision(state, player)
        options = [(str(a), *build(game.result(state, a), depth - 1)) for a in game.legal_actions(state)]
        if not options:
            reject_stuck(state)
        best = (max if player is Player.MAX else min)(value for _, _, value in options)
        first = next(i for i, (_, _, value) in enumerate(options) if value == best)
        edges = tuple(Edge(label, child, values and i == first) for i, (label, child, _) in enumerate(options))
        return Node("max" if player is Player.MAX else "min", number(best) if values else "", edges), best

    return build(game.initial_state() if state is None else state, limit)[0]


def outline(node: Node) -> str:
    """Return a tree as indented text: the text alternative of its picture.

    Examples
    --------
    >>> print(outline(Node("max", "3", (Edge("a", Node("leaf", "3"), best=True), Edge("b", Node("leaf", "1"))))))
    MAX 3
      a (best): leaf 3
      b: leaf 1
    """
    lines = [_describe(node)]
    for edge in node.edges:
        first, *rest = outline(edge.child).splitlines()
        lines += [f"  {_edge_words(edge)}: {first}", *("  " + line for line in rest)]
    return "\n".join(lines)


def outline_html(node: Node) -> str:
    """Return a tree as nested lists, for a reader who wants the numbers or cannot see the picture."""

    def item(prefix: str, node: Node) -> str:
        below = element("ul", *(item(_edge_words(e) + ": ", e.child) for e in node.edges)) if node.edges else ""
        return element("li", text(prefix + _describe(node)), below)

    return element("ul", item("", node), class_="ec-outline")


def _describe(node: Node) -> str:
    words = f"{WORDS[node.kind]} {node.value or '?'}"
    return words + (f" ({node.note})" if node.note else "") + (", here now" if node.mark == "current" else "")


def _edge_words(edge: Edge) -> str:
    return edge.label + (" (best)" if edge.best else "") + (f" (cut: {edge.cut})" if edge.cut else "")


class _Placed(NamedTuple):
    """A node with its place, in pixels."""

    node: Node
    x: float
    y: float
    edges: tuple[tuple[Edge, _Placed], ...]


def draw_tree(node: Node, title: str, *, description: str = "") -> Picture:
    """Draw a tree from the root downwards.

    Parameters
    ----------
    node : Node
    title : str
        What the picture shows; read aloud in its place together with the description.
    description : str
        Default: the outline of the tree.

    Examples
    --------
    >>> draw_tree(Node("leaf", "3"), "A leaf")
    A leaf
    leaf 3
    """
    gap = min(max(PAGE / _leaves(node), NARROW), WIDE)
    placed, width = _place(node, 0.0, 0, gap)
    height = _bottom(placed) + RADIUS + 20
    described = description or outline(node)
    shapes = [*_draw_edges(placed), *_draw_nodes(placed)]
    svg = element(
        "svg",
        element("title", text(title)),
        element("desc", text(described)),
        *shapes,
        xmlns="http://www.w3.org/2000/svg",
        class_="ec-picture",
        role="img",
        aria_label=f"{title}. {described.replace(chr(10), '; ')}",
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        width=f"{width:.0f}",
        height=f"{height:.0f}",
        style=f"min-width:{SMALLEST * width:.0f}px;{FONT};text-anchor:middle",
    )
    return picture(svg, f"{title}\n{described}")


def _leaves(node: Node) -> int:
    return sum(_leaves(edge.child) for edge in node.edges) or 1


def _own_width(label: str, node: Node) -> float:
    """The space a node needs: its texts, and its edge's label where the edges are still close together."""
    return CHARACTER * max((len(label) + 1) / ALONG, len(node.value) + 1, len(node.note) + 1)


def _place(node: Node, left: float, level: int, gap: float, label: str = "") -> tuple[_Placed, float]:
    """Place a subtree from ``left`` on; return it with the right end of its space."""
    y = RADIUS + 8 + level * LEVEL
    own = _own_width(label, node)
    if not node.edges:
        own = max(own, gap)
        return _Placed(node, left + own / 2, y, ()), left + own
    placed, right = _place_children(node, left, level, gap)
    missing = own - (right - left)
    if missing > 0:
        placed, right = _place_children(node, left + missing / 2, level, gap)
        right += missing / 2
    return _Placed(node, (placed[0][1].x + placed[-1][1].x) / 2, y, tuple(placed)), right


def _place_children(node: Node, left: float, level: int, gap: float) -> tuple[list[tuple[Edge, _Placed]], float]:
    placed = []
    for edge in node.edges:
        child, left = _place(edge.child, left, level + 1, gap, _label(edge))
        placed.append((edge, child))
    return placed, left


def _label(edge: Edge) -> str:
    return edge.label + (f" ✂ {edge.cut}" if edge.cut else "")


def _bottom(placed: _Placed) -> float:
    return max([placed.y, *(_bottom(child) for _, child in placed.edges)])


def _draw_edges(placed: _Placed) -> list[str]:
    shapes = []
    for edge, child in placed.edges:
        start, end = placed.y + RADIUS - 4, child.y - RADIUS + 1
        style = f"stroke:{INK if edge.best else MUTED};stroke-width:{4 if edge.best else 1.4}"
        style += ";stroke-dasharray:5 5" if edge.cut else ""
        style += ";opacity:.45" if child.node.mark == "faded" else ""
        x1, x2 = f"{placed.x:.1f}", f"{child.x:.1f}"
        shapes.append(element("line", x1=x1, y1=f"{start:.1f}", x2=x2, y2=f"{end:.1f}", style=style))
        shapes += _draw_edges(child)
        weight = "font-weight:750" if edge.best else ""
        middle = placed.x + ALONG * (child.x - placed.x)
        shapes.append(_words(_label(edge), middle, start + ALONG * (end - start) + 4, HALO + weight))
    return shapes


def _draw_nodes(placed: _Placed) -> list[str]:
    node, x, y = placed.node, placed.x, placed.y
    colour = COLOURS[node.kind]
    faded = ";opacity:.45" if node.mark == "faded" else ""
    width = 3.5 if node.mark == "current" else 1.8
    style = (
        f"fill:{colour};fill-opacity:{0.28 if node.mark == 'current' else 0.12};stroke:{colour};stroke-width:{width}"
    )
    shapes = [_shape(node.kind, x, y, style, max(30.0, len(node.value) * CHARACTER + 8))]
    if node.mark in ("current", "picked"):
        dashes = "" if node.mark == "current" else ";stroke-dasharray:4 4"
        ring = f"fill:none;stroke:{INK};stroke-width:{2 if node.mark == 'current' else 1.4}{dashes}"
        shapes.append(element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=str(RADIUS + 6), style=ring))
    baseline = {"max": y + 10, "min": y - 1}.get(node.kind, y + 4.5)
    shapes.append(_words(node.value, x, baseline, "font-weight:650"))
    if node.note:
        shapes.append(_words(node.note, x, y + RADIUS + 14, f"{HALO}font-size:12px;fill:{MUTED}"))
    event = {} if node.event is None else {"data_event": node.event[0], "data_value": node.event[1]}
    group = element("g", *shapes, style=faded.lstrip(";") or None, **event)
    return [group, *(shape for _, child in placed.edges for shape in _draw_nodes(child))]


def _shape(kind: Kind, x: float, y: float, style: str, width: float) -> str:
    if kind == "chance":
        return element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=str(RADIUS - 1), style=style)
    if kind == "leaf":
        left, side = f"{x - width / 2:.1f}", 30
        return element("rect", x=left, y=f"{y - 15:.1f}", width=f"{width:.1f}", height=str(side), style=style)
    tip = -1 if kind == "max" else 1
    corners = [(0, tip * (RADIUS + 2)), (RADIUS + 4, -tip * (RADIUS - 4)), (-RADIUS - 4, -tip * (RADIUS - 4))]
    points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
    return element("polygon", points=points, style=style + ";stroke-linejoin:round")


def _words(words: str, x: float, y: float, style: str = "") -> str:
    return element("text", text(words), x=f"{x:.1f}", y=f"{y:.1f}", style=f"fill:{INK};{style}")
