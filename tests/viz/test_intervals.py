"""Bars stand where their numbers say, all on one scale."""

from __future__ import annotations

import pytest
from pages import read

from expectimax_course.viz.intervals import BAR, LEFT, Interval, draw_intervals


def bars(markup: str) -> list[tuple[float, float]]:
    """Each bar's ends as shares of the scale."""
    ends = []
    for rect in read(markup).all("rect"):
        x, width = float(rect.attributes["x"] or 0), float(rect.attributes["width"] or 0)
        ends.append(((x - LEFT) / BAR, (x + width - LEFT) / BAR))
    return ends


def test_two_rows_share_one_scale() -> None:
    made = draw_intervals([Interval("first", -2, 2), Interval("second", 0, 1)], (-2, 2), "Bounds")
    assert bars(made) == [pytest.approx((0, 1)), pytest.approx((0.5, 0.75))]


def test_a_bar_that_leaves_the_scale_is_cut_and_its_numbers_stay() -> None:
    made = draw_intervals([Interval("wide", -9, 1)], (-2, 2), "Bounds")
    assert bars(made) == [pytest.approx((0, 0.75))]
    assert "wide: −9 to 1" in repr(made)


@pytest.mark.parametrize(
    ("low", "high", "value", "words"),
    [(1, 3, 1, "mean: 1 to 3, average 1"), (1, 3, 3, "mean: 1 to 3, average 3"), (2, 2, 2, "mean: 2")],
)
def test_a_marked_value_is_said_unless_it_is_all_there_is(low: float, high: float, value: float, words: str) -> None:
    made = draw_intervals([Interval("mean", low, high, value, "average")], (0, 4), "A")
    assert repr(made).splitlines()[1] == words
    assert (read(made).children[0].attributes["aria-label"] or "").endswith(f": {words}")


def test_value_window_and_unit_are_said_in_words() -> None:
    made = draw_intervals([Interval("mean", 1, 3, 2, "average")], (0, 4), "A", window=(1, 2), unit="points")
    name = read(made).children[0].attributes["aria-label"] or ""
    assert name == "A, on a scale from 0 to 4 points; window 1 to 2: mean: 1 to 3, average 2"


@pytest.mark.parametrize("scale", [(1, 1), (2, -2), (float("nan"), 1)])
def test_an_empty_scale_is_refused(scale: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="expected a scale whose ends differ, got"):
        draw_intervals([], scale, "Bounds")


def test_an_interval_upside_down_is_refused() -> None:
    with pytest.raises(ValueError, match="expected the low end first, got"):
        draw_intervals([Interval("wrong", 2, 1)], (0, 4), "Bounds")
