"""The backgammon board shows every checker once, says the position in words, and marks what can be picked up."""

from __future__ import annotations

import pytest
from pages import read

from expectimax_course.backgammon.rules import Backgammon, Side
from expectimax_course.viz.backgammon import draw_backgammon

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


def test_everything_stays_inside_the_picture() -> None:
    arrows = [(25, 20, True), (3, 0, True), (13, 12, False), (2, 0, False)]
    root = read(draw_backgammon(OWN, OTHER, "Late", dice=(6, 6, 6, 6), other_rolled=True, arrows=arrows))
    for circle in root.all("circle"):
        assert 0 < float(circle.attributes["cx"] or 0) < 364
        assert 0 < float(circle.attributes["cy"] or 0) < 306
    assert len([p for p in root.all("path") if p.attributes.get("stroke-linecap")]) == len(arrows)
