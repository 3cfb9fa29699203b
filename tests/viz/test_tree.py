"""Drawn trees show the values of expectiminimax, and say in words what they show in shapes."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from pages import Element, read, value_of

from expectimax_course.game import (
    DepthError,
    EvaluationError,
    GameError,
    NoActionsError,
    Player,
    ProbabilityError,
    StateError,
    UtilityError,
)
from expectimax_course.games.push_to_21 import PushTo21
from expectimax_course.random_trees import irregular_tree
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.trees import TreeGame, TreeNode, build_tree, parse_tree
from expectimax_course.viz.tree import Edge, Node, draw_tree, outline, outline_html, tree_of

GAMBLE = parse_tree("max(gamble: chance(0.9: 10, 0.1: -5), sure: 2)")


def drawn(node: Node) -> Element:
    return read(draw_tree(node, "A tree")).children[0]


@pytest.mark.parametrize("seed", range(20))
def test_the_root_shows_the_value_of_expectiminimax(seed: int) -> None:
    tree = irregular_tree(seed)
    result = expectiminimax(tree, tree.initial_state())
    node = tree_of(tree, largest=10_000)
    assert value_of(node.value) == pytest.approx(result.value, abs=0.006)
    best = [edge.label for edge in node.edges if edge.best]
    assert best == ([] if result.action is None else [str(result.action)])


def test_a_cut_node_shows_its_estimate_and_says_so() -> None:
    game = PushTo21(3, 2)
    node = tree_of(game, depth=1, evaluate=lambda state: state.total + 0.5)
    hit, stand = (edge.child for edge in node.edges)
    assert (hit.value, hit.note) == ("0.5", "estimate")
    assert (stand.value, stand.note) == ("0", "")


@pytest.mark.parametrize(
    ("tree", "depth", "evaluate", "error"),
    [
        (GAMBLE, 1, None, DepthError),
        (GAMBLE, -1, lambda state: 0.0, DepthError),
        (GAMBLE, 0.5, lambda state: 0.0, DepthError),
        (GAMBLE, 1, lambda state: math.nan, EvaluationError),
        (build_tree(("chance", (0, math.inf), (1, 2))), None, None, UtilityError),
        (TreeGame([TreeNode(Player.CHANCE, (0,), (1,), (0.5,), None), GAMBLE.nodes[-1]]), None, None, ProbabilityError),
        (TreeGame([TreeNode(Player.MAX, (), (), (), None)], (0, 1)), None, None, NoActionsError),
    ],
)
def test_what_has_no_value_is_refused_as_expectiminimax_does(
    tree: TreeGame, depth: Any, evaluate: Callable[[int], float] | None, error: type[GameError]
) -> None:
    with pytest.raises(error) as theirs:
        expectiminimax(tree, 0, depth, evaluate)
    with pytest.raises(error, match=re.escape(str(theirs.value))):
        tree_of(tree, 0, depth=depth, evaluate=evaluate)


def test_hidden_values_leave_only_the_leaves() -> None:
    assert outline(tree_of(GAMBLE, values=False)).splitlines()[:2] == ["MAX ?", "  gamble: CHANCE ?"]


def test_each_kind_has_its_own_shape() -> None:
    root = drawn(tree_of(parse_tree("max(min(1, 2), chance(1/2: 3, 1/2: 4))")))
    shapes = {name: len(root.all(name)) for name in ("polygon", "circle", "rect")}
    assert shapes == {"polygon": 2, "circle": 1, "rect": 4}
    up, down = (polygon.attributes["points"] or "" for polygon in root.all("polygon"))
    tips = [[float(y) for y in re.findall(r",([\d.]+)", points)] for points in (up, down)]
    assert tips[0][0] < tips[0][1]
    assert tips[1][0] > tips[1][1]


def test_the_best_edge_is_heavier_and_bold_and_named_in_words() -> None:
    node = tree_of(GAMBLE)
    root = drawn(node)
    bold = [t.text for t in root.all("text") if "font-weight:750" in (t.attributes["style"] or "")]
    heavy = [line for line in root.all("line") if "stroke-width:4" in (line.attributes["style"] or "")]
    assert (bold, len(heavy)) == (["gamble"], 1)
    assert "gamble (best): CHANCE 8.5" in outline(node)


def test_a_cut_branch_is_dashed_with_its_reason_beside_it() -> None:
    node = Node("min", "≤ 2", (Edge("a", Node("leaf", "2")), Edge("b", Node("leaf", "7"), cut="alpha 3")))
    root = drawn(node)
    assert sum("stroke-dasharray" in (line.attributes["style"] or "") for line in root.all("line")) == 1
    assert "b ✂ alpha 3" in [t.text for t in root.all("text")]
    assert "b (cut: alpha 3): leaf 7" in outline(node)


def test_a_picture_is_an_image_with_title_description_and_name() -> None:
    root = drawn(tree_of(GAMBLE))
    assert root.attributes["role"] == "img"
    assert root.all("title")[0].text == "A tree"
    assert "sure: leaf 2" in (root.attributes["aria-label"] or "")
    assert not [e for e in root.all() if "id" in e.attributes]


def test_nothing_is_drawn_outside_the_picture_and_leaves_keep_their_distance() -> None:
    root = drawn(tree_of(irregular_tree(3), largest=10_000))
    _, _, width, height = (float(n) for n in (root.attributes["viewbox"] or "").split())
    squares = [(float(r.attributes["x"] or 0), float(r.attributes["width"] or 0)) for r in root.all("rect")]
    assert all(x >= 0 and x + w <= width for x, w in squares)
    assert all(0 < float(t.attributes["y"] or 0) < height for t in root.all("text"))
    by_row: dict[str, list[tuple[float, float]]] = {}
    for r in root.all("rect"):
        place = (float(r.attributes["x"] or 0), float(r.attributes["width"] or 0))
        by_row.setdefault(r.attributes["y"] or "", []).append(place)
    for places in by_row.values():
        ordered = sorted(places)
        assert all(x + w < next_x for (x, w), (next_x, _) in pairwise(ordered))


def test_a_tree_too_large_to_draw_is_refused() -> None:
    with pytest.raises(StateError, match="expected a tree of at most 50 nodes to draw, got more"):
        tree_of(PushTo21(), largest=50)


def test_the_lists_hold_every_node() -> None:
    node = tree_of(GAMBLE)
    items = read(outline_html(node)).all("li")
    assert len(items) == 5
    assert items[0].text.startswith("MAX 8.5")


def test_labels_are_escaped() -> None:
    root = drawn(Node("max", "<b>", (Edge("a & b", Node("leaf", "1")),), note='"n"'))
    assert {"<b>", "a & b", '"n"'} <= {t.text for t in root.all("text")}


def test_no_edge_shows_between_the_letters_of_its_label() -> None:
    """Else 0.9 reads as 0:9. A full stop stands about a quarter of its height, 13 pixels, away from a digit."""
    (label,) = [e for e in read(draw_tree(tree_of(GAMBLE), "t")).all("text") if e.text == "0.9"]
    found = re.search(r"stroke-width:(\d+)px;.*paint-order:stroke", label.attributes["style"] or "")
    assert found
    assert int(found[1]) / 2 >= 13 / 4
