"""The backgammon board shows every checker once, says the position in words, and marks what can be picked up."""

from __future__ import annotations

import re

import pytest
from pages import Element, read

from expectimax_course.backgammon.rules import Backgammon, Side
from expectimax_course.viz.backgammon import HEIGHT, WIDTH, draw_backgammon

START = Backgammon().initial_state().max_side


def side(**counts: int) -> Side:
    points = [0] * 26
    for name, count in counts.items():
        points[{"off": 0, "bar": 25}.get(name) or int(name.strip("pof") or 0)] = count
    return tuple(points)


OWN = side(off=4, p1=2, p3=7, p20=1, bar=1)
OTHER = side(off=2, p1=7, p4=2, p12=2, bar=2)


def test_the_picture_is_named_and_says_the_position_in_words() -> None:
    svg = read(draw_backgammon(OWN, OTHER, "Late", names=("You", "The network"))).all("svg")[0]
    assert svg.attributes["aria-label"] == (
        "Late. You: 1 on the bar, 1 on point 20, 7 on 3, 2 on 1, 4 off. "
        "The network: 2 on the bar, 2 on point 12, 2 on 4, 7 on 1, 2 off."
    )


def test_each_side_shows_its_checkers_at_most_five_on_a_point() -> None:
    circles = read(draw_backgammon(START, START, "Start")).all("circle")
    assert len(circles) == 30
    root = read(draw_backgammon(OWN, OTHER, "Late"))
    assert len(root.all("circle")) == (2 + 5 + 1 + 1) + (5 + 2 + 2 + 2)
    assert [t.text for t in root.all("text")].count("7") == 3  # the label of a point, and two tall stacks


def test_no_two_checkers_lie_on_each_other() -> None:
    circles = read(draw_backgammon(OWN, OTHER, "Late")).all("circle")
    places = [(float(c.attributes["cx"] or 0), float(c.attributes["cy"] or 0)) for c in circles]
    for index, (x, y) in enumerate(places):
        assert all(abs(x - u) > 20 or abs(y - v) > 20 for u, v in places[index + 1 :])


def test_the_two_sides_differ_without_colour() -> None:
    groups = [g for g in read(draw_backgammon(START, START, "Start")).all("g") if len(g.all("circle")) == 15]
    assert [g.attributes["stroke-width"] for g in groups] == ["1", "3"]
    assert [(g.attributes["fill"] or "").startswith("var(--ec-paper") for g in groups] == [False, True]


def test_marked_checkers_send_their_point() -> None:
    marked = [
        e for e in read(draw_backgammon(OWN, OTHER, "Late", marked=(25, 3))).all() if "data-event" in e.attributes
    ]
    assert {(e.attributes["data-event"], e.attributes["data-value"]) for e in marked} == {("from", "25"), ("from", "3")}


@pytest.mark.parametrize("dice", [(1, 2), (3, 4), (5, 6)])
def test_dice_have_as_many_pips_as_they_say(dice: tuple[int, int]) -> None:
    plain = len(read(draw_backgammon(START, START, "Start")).all("circle"))
    root = read(draw_backgammon(START, START, "Start", dice=dice[:1], spent=dice[1:]))
    assert len(root.all("circle")) - plain == sum(dice)


def extent(e: Element) -> list[tuple[float, float]]:
    """Corners of what an element draws; control points of curves stand for the curves."""

    def values(*names: str) -> list[float]:
        return [float(e.attributes[name] or 0) for name in names]

    if e.name == "circle":
        x, y, r = values("cx", "cy", "r")
        return [(x - r, y - r), (x + r, y + r)]
    if e.name == "rect":
        x, y, width, height = values("x", "y", "width", "height")
        return [(x, y), (x + width, y + height)]
    if e.name == "text":
        x, y = values("x", "y")
        return [(x - 8, y - 9), (x + 8, y + 2)]
    if e.name == "path" and "stroke-linecap" in e.attributes:  # an arrow, all in absolute places
        numbers = [float(n) for n in re.findall(r"-?[\d.]+", e.attributes["d"] or "")]
        return list(zip(numbers[::2], numbers[1::2], strict=True))
    return []


@pytest.mark.parametrize(("own", "other"), [(OWN, OTHER), (side(off=14, p1=1), side(off=14, bar=1))])
def test_everything_stays_inside_the_picture(own: Side, other: Side) -> None:
    arrows = [(25, 20, True), (3, 0, True), (13, 12, False), (2, 0, False), (24, 18, True), (25, 22, False)]
    root = read(draw_backgammon(own, other, "Late", dice=(6, 6), spent=(6, 6), arrows=arrows, marked=range(26)))
    drawn = [(e.name, corner) for e in root.all() for corner in extent(e)]
    assert {name for name, _ in drawn} == {"circle", "rect", "text", "path"}
    assert not [(name, x, y) for name, (x, y) in drawn if not (0 <= x <= WIDTH and 0 <= y <= HEIGHT)]
    assert len([p for p in root.all("path") if p.attributes.get("stroke-linecap")]) == len(arrows)
