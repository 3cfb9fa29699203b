"""Intervals on one fixed scale: what a value may still be, how sure a mean is.

Bounds [lower, upper] are a bar, a value inside is a tick, and all rows share one scale [L, U], so that a bar that
shrinks is seen to shrink. The numbers stand beside the bars.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from expectimax_course.viz.html import Picture, element, number, picture, text
from expectimax_course.viz.theme import FONT, HALO, INK, LINE, MAX, MUTED

LEFT, BAR, RIGHT, ROW = 8, 300, 8, 46


class Interval(NamedTuple):
    """One row: a label, the ends of the bar, a value marked inside it, and a word for that value."""

    label: str
    low: float
    high: float
    value: float | None = None
    note: str = ""


def draw_intervals(
    intervals: Sequence[Interval],
    scale: tuple[float, float],
    title: str,
    *,
    window: tuple[float, float] | None = None,
    unit: str = "",
) -> Picture:
    """Draw bars on one scale.

    Parameters
    ----------
    intervals : sequence of Interval
    scale : (L, U)
        The ends of the scale; a bar that leaves it is cut there, its numbers stay true.
    window : (alpha, beta), optional
        Two dashed lines across all rows.
    unit : str
        Written behind the scale's ends.

    Raises
    ------
    ValueError
        If the scale is empty, or an interval's low end lies above its high end.

    Examples
    --------
    >>> draw_intervals([Interval("after two leaves", -1, 1.5)], (-2, 2), "What the mean may still be")
    What the mean may still be, on a scale from −2 to 2
    after two leaves: −1 to 1.5
    """
    lowest, highest = scale
    if not lowest < highest:
        raise ValueError(f"expected a scale whose ends differ, got {scale!r}")
    for interval in intervals:
        if interval.low > interval.high:
            raise ValueError(f"expected the low end first, got {interval!r}")

    def place(value: float) -> float:
        return LEFT + BAR * (min(max(value, lowest), highest) - lowest) / (highest - lowest)

    lines = [_words_of(interval) for interval in intervals]
    ends = f"on a scale from {number(lowest)} to {number(highest)}" + (f" {unit}" if unit else "")
    shapes = []
    bottom = len(intervals) * ROW + 4
    if window is not None:
        ends += f"; window {number(window[0])} to {number(window[1])}"
        shapes += [_line(place(end), 0, place(end), bottom, f"stroke:{INK};stroke-dasharray:4 3") for end in window]
    for row, interval in enumerate(intervals):
        shapes += _draw_row(interval, row * ROW, place)
    shapes.append(_line(LEFT, bottom, LEFT + BAR, bottom, f"stroke:{MUTED}"))
    middle = (lowest + highest) / 2
    for value, anchor in ((lowest, "start"), (middle, "middle"), (highest, "end")):
        words = number(value) + (f" {unit}" if unit and value == highest else "")
        shapes += [_line(place(value), bottom, place(value), bottom + 5, f"stroke:{MUTED}")]
        shapes += [_text(words, place(value), bottom + 18, f"fill:{MUTED};text-anchor:{anchor}")]
    height, width = bottom + 24, LEFT + BAR + RIGHT
    svg = element(
        "svg",
        element("title", text(title)),
        element("desc", text(f"{ends}: {'; '.join(lines)}")),
        *shapes,
        xmlns="http://www.w3.org/2000/svg",
        class_="ec-picture",
        role="img",
        aria_label=f"{title}, {ends}: {'; '.join(lines)}",
        viewBox=f"0 0 {width} {height}",
        width=str(width),
        height=str(height),
        style=FONT,
    )
    return picture(svg, "\n".join([f"{title}, {ends}", *lines]))


def _words_of(interval: Interval) -> str:
    words = f"{interval.label}: {number(interval.low)} to {number(interval.high)}"
    if interval.low == interval.high:
        words = f"{interval.label}: {number(interval.low)}"
    if interval.value is not None and not interval.low == interval.value == interval.high:
        words += f", {interval.note or 'value'} {number(interval.value)}"
    return words


def _draw_row(interval: Interval, y: float, place: Callable[[float], float]) -> list[str]:
    bar = f"fill:{MAX};fill-opacity:.25;stroke:{MAX};stroke-width:1.5"
    low, high = place(interval.low), place(interval.high)
    width = max(high - low, 1.5)
    shapes = [
        _text(_words_of(interval), LEFT, y + 15, f"{HALO}fill:{INK}"),
        _line(LEFT, y + 31, LEFT + BAR, y + 31, f"stroke:{LINE}"),
        element("rect", x=f"{low:.1f}", y=str(y + 25), width=f"{width:.1f}", height="12", style=bar),
    ]
    if interval.value is not None:
        x = place(interval.value)
        shapes.append(_line(x, y + 21, x, y + 41, f"stroke:{INK};stroke-width:3"))
    return shapes


def _line(x1: float, y1: float, x2: float, y2: float, style: str) -> str:
    return element("line", x1=f"{x1:.1f}", y1=f"{y1:.1f}", x2=f"{x2:.1f}", y2=f"{y2:.1f}", style=style)


def _text(words: str, x: float, y: float, style: str) -> str:
    return element("text", text(words), x=f"{x:.1f}", y=f"{y:.1f}", style=style)
