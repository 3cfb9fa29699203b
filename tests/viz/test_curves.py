"""Curves carry their numbers, their text alternative and the theme's colours, and repeat byte for byte."""

from __future__ import annotations

import re

import pytest
from pages import read

from expectimax_course.viz.curves import Curve, curve_table, draw_curves

OPTIMUM = Curve("optimum", [0, 1, 2], [15.86, 15.96, 15.9], [15, 15.5, 15.2], [16.5, 16.4, 16.6])
RULE = Curve("hit below 17", [0, 2], [13.72, 13.9])


def draw(alt: str = "Two curves") -> str:
    labels = {"x_label": "total (points)", "y_label": "value (points)"}
    return draw_curves([OPTIMUM, RULE], alt=alt, marks={"stand": 1.5}, **labels)


def test_the_figure_is_an_image_with_its_alternative_and_its_numbers_one_click_away() -> None:
    root = read(draw())
    svg = root.all("svg")[0]
    assert (svg.attributes["role"], svg.attributes["aria-label"]) == ("img", "Two curves")
    assert root.all("details")[0].all("td")[0].text == "15.86 [15, 16.5]"
    words = {t.text for t in svg.all("text")}
    assert {"total (points)", "value (points)", "optimum", "hit below 17", "stand"} <= words


def test_a_missing_point_leaves_its_cell_empty() -> None:
    rows = read(curve_table([OPTIMUM, RULE], "total", "value")).all("tr")
    assert [td.text for td in rows[2].all("td")] == ["15.96 [15.5, 16.4]", ""]


def test_the_same_curves_give_the_same_bytes() -> None:
    assert draw() == draw()


def test_two_figures_share_no_id() -> None:
    first, second = (set(re.findall(r' id="([^"]+)"', draw(alt))) for alt in ("One", "Two"))
    assert first
    assert not first & second


def test_no_style_of_the_figure_reaches_the_page() -> None:
    assert not read(draw()).all("style", "metadata")


def test_ink_follows_the_theme() -> None:
    assert "var(--ec-muted" in draw()
    assert "#010203" not in draw()


@pytest.mark.parametrize(
    "curve", [Curve("short", [0, 1], [1]), Curve("half", [0, 1], [1, 2], low=[0, 1]), Curve("empty", [], [])]
)
def test_curves_of_unequal_length_are_refused(curve: Curve) -> None:
    with pytest.raises(ValueError, match=f"expected x, y and both ends of one length in '{curve.name}', got"):
        draw_curves([curve], x_label="x", y_label="y", alt="A")
