"""A backgammon board as SVG, as the side at the bottom sees it: its home is at the bottom right.

The side at the bottom has filled checkers, the other one rings, so that the two differ in grey as well. A stack shows
at most five checkers and says how many there are. Checkers borne off lie in the tray at the right.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from expectimax_course.backgammon.rules import OFF, Side
from expectimax_course.viz import theme
from expectimax_course.viz.html import Picture, element, picture

WIDTH, HEIGHT = 364, 306
_TOP, _BOTTOM, _LEFT, _BAR_LEFT, _RIGHT, _FRAME = 18, 288, 4, 154, 178, 328
_STEP, _RADIUS, _SHOWN, _BAR = 25, 11, 5, 25
_SMALL: Any = {"text_anchor": "middle", "style": "font-size:11px"}
_PIPS = {1: (4,), 2: (2, 6), 3: (2, 4, 6), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}


def draw_backgammon(
    own: Side,
    other: Side,
    caption: str,
    *,
    dice: Sequence[int] = (),
    spent: Sequence[int] = (),
    arrows: Sequence[tuple[int, int, bool]] = (),
    marked: Collection[int] = (),
    names: tuple[str, str] = ("MAX", "MIN"),
) -> Picture:
    """Return a board of standard backgammon.

    Parameters
    ----------
    own, other : tuple of int, shape (26,)
        The side at the bottom and the one at the top, each from its own end.
    caption : str
        Says what the position is; screen readers read it first.
    dice, spent : sequence of int
        Dice still to play, and dice already played, which are drawn pale.
    arrows : sequence of (source, destination, by the side at the bottom)
        Steps just made, each from its mover's end.
    marked : points of the side at the bottom
        Where a checker may be picked up: a dashed ring, and a click sends the event ``from`` with the point.
    names : what the text alternative calls the two sides

    Examples
    --------
    >>> from expectimax_course.backgammon.rules import Backgammon
    >>> start = Backgammon().initial_state()
    >>> draw_backgammon(start.max_side, start.min_side, "The start")
    The start. MAX: 2 on point 24, 5 on 13, 3 on 8, 5 on 6. MIN: 2 on point 24, 5 on 13, 3 on 8, 5 on 6.
    """
    alt = f"{caption.rstrip('.')}. {_words(names[0], own)} {_words(names[1], other)}"
    parts = [*_points(), *_dice(dice, spent)]
    parts += [_checkers(own, True, marked), _checkers(other, False, ())]
    parts += [*_tray(own[OFF], True), *_tray(other[OFF], False)]
    parts += [_arrow(*arrow, own if arrow[2] else other) for arrow in arrows]
    svg = element(
        "svg",
        *parts,
        role="img",
        aria_label=alt,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width=f"{1.2 * WIDTH:g}",
        class_="ec-picture",
        style=theme.FONT,
    )
    return picture(svg, alt)


def _words(name: str, side: Side) -> str:
    """Say where the checkers of a side stand, from its own end."""
    places = [f"{side[point]} on {point}" for point in range(_BAR - 1, 0, -1) if side[point]]
    if places:
        places[0] = places[0].replace(" on ", " on point ")
    bar, off = ([f"{side[point]} {words}"] * bool(side[point]) for point, words in ((_BAR, "on the bar"), (OFF, "off")))
    return f"{name}: {', '.join([*bar, *places, *off])}."


def _place(point: int, mine: bool) -> tuple[float, float, int]:
    """Return x and y of the first checker on a point and the direction in which the stack grows: −1 is up."""
    if point == _BAR:  # whoever is hit enters on the far side
        return (_BAR_LEFT + _RIGHT) / 2, (_TOP + 22 if mine else _BOTTOM - 22), (1 if mine else -1)
    seen = point if mine else _BAR - point
    low = seen <= 12
    column = 12 - seen if low else seen - 13
    x = (_LEFT if column < 6 else _RIGHT - 6 * _STEP) + (column + 0.5) * _STEP
    return x, (_BOTTOM - _RADIUS - 1 if low else _TOP + _RADIUS + 1), (-1 if low else 1)


def _points() -> Iterator[str]:
    """Yield the frame, the points and their numbers."""
    shapes: list[list[str]] = [[], []]
    labels = []
    for point in range(1, _BAR):
        x, y, way = _place(point, True)
        base = y - way * (_RADIUS + 1)
        shapes[point % 2].append(f"M{x - 11.5:g},{base}h23l-11.5,{way * 112}z")
        labels.append(element("text", str(point), x=f"{x:g}", y=base + (14 if way < 0 else -5)))
    bar = element("rect", x=_BAR_LEFT, y=_TOP, width=_RIGHT - _BAR_LEFT, height=_BOTTOM - _TOP, fill=theme.TINT)
    frame = element("rect", x=_LEFT, y=_TOP, width=_FRAME - _LEFT, height=_BOTTOM - _TOP, rx=3, fill="none")
    paths = [element("path", d="".join(d), fill=f) for d, f in zip(shapes, (theme.LINE, theme.TINT), strict=True)]
    yield element("g", frame, bar, *paths, stroke=theme.LINE)
    yield element("g", *labels, fill=theme.MUTED, **_SMALL)


def _checkers(side: Side, mine: bool, marked: Collection[int]) -> str:
    """Return all checkers of one side that are on the board or the bar."""
    look: Any = {"fill": theme.MAX, "stroke": theme.PAPER} if mine else {"fill": theme.PAPER, "stroke": theme.MIN}
    stacks = [part for point in range(1, _BAR + 1) for part in _stack(side[point], point, mine, point in marked)]
    return element("g", *stacks, stroke_width=1 if mine else 3, **look)


def _stack(count: int, point: int, mine: bool, marked: bool) -> Iterator[str]:
    """Yield the checkers of one side on one point, the outermost last."""
    if not count:
        return
    x, y, way = _place(point, mine)
    shown = min(count, _SHOWN if point != _BAR else 3)
    radius = _RADIUS - (0.5 if mine else 1.5)
    checkers = [element("circle", cx=f"{x:g}", cy=y + way * k * 2 * _RADIUS, r=radius) for k in range(shown)]
    last = y + way * (shown - 1) * 2 * _RADIUS
    if count > shown:
        ink = theme.PAPER if mine else theme.INK
        bold: Any = {"text_anchor": "middle", "style": "font-size:12px;font-weight:700"}
        checkers.append(element("text", str(count), x=f"{x:g}", y=last + 4, fill=ink, stroke="none", **bold))
    if not marked:
        yield from checkers
        return
    dashed: Any = {"fill": "none", "stroke_width": 2, "stroke_dasharray": "4 2.5"}
    ring = element("circle", cx=f"{x:g}", cy=last, r=_RADIUS - 3.5, **dashed)
    reach = 5 * 2 * _RADIUS + 2
    top = y - _RADIUS if way > 0 else y + _RADIUS - reach
    area = element("rect", x=f"{x - 12.5:g}", y=top, width=25, height=reach, opacity=0)
    yield element("g", *checkers, ring, area, data_event="from", data_value=str(point))


def _tray(off: int, mine: bool) -> Iterator[str]:
    """Yield the checkers borne off, as flat pieces in the tray."""
    x, width, height = _FRAME + 5, 26, 6
    fill, stroke = (theme.MAX, theme.PAPER) if mine else (theme.PAPER, theme.MIN)
    for k in range(off):
        y = _BOTTOM - (k + 1) * (height + 1) if mine else _TOP + 1 + k * (height + 1)
        yield element("rect", x=x, y=y, width=width, height=height, rx=2, fill=fill, stroke=stroke, stroke_width=1.2)
    if off:
        y = _BOTTOM + 14 if mine else _TOP - 5
        yield element("text", str(off), x=x + width / 2, y=y, fill=theme.INK, **_SMALL)


def _dice(dice: Sequence[int], spent: Sequence[int]) -> Iterator[str]:
    """Yield the dice, in the right half."""
    shown = [*((die, 1.0) for die in dice), *((die, 0.35) for die in spent)]
    middle = (_RIGHT + _FRAME) / 2
    size, gap = 24, 8
    left = middle - (len(shown) * (size + gap) - gap) / 2
    for k, (die, opacity) in enumerate(shown):
        x, y = left + k * (size + gap), (_TOP + _BOTTOM - size) / 2
        square = element(
            "rect", x=x, y=y, width=size, height=size, rx=5, fill=theme.PAPER, stroke=theme.MAX, stroke_width=2
        )
        pips = [
            element("circle", cx=x + 6 + 6 * (cell % 3), cy=y + 6 + 6 * (cell // 3), r=2.2, fill=theme.INK)
            for cell in _PIPS[die]
        ]
        yield element("g", square, *pips, opacity=opacity)


def _arrow(source: int, destination: int, mine: bool, side: Side) -> str:
    """Return the path of a step just made, bent towards the middle of the board, from where its checker stood."""
    x1, y1, way = _place(source, mine)
    y1 += way * 2 * _RADIUS * min(side[source], _SHOWN - 1)
    if destination == OFF:
        x2, y2 = _FRAME + 18.0, _BOTTOM - 7 * side[OFF] - 5.0 if mine else _TOP + 7 * side[OFF] + 5.0
    else:
        x2, y2, way = _place(destination, mine)
        y2 += way * (2 * _RADIUS * min(side[destination], _SHOWN) - _RADIUS + 2)
    middle = (_TOP + _BOTTOM) / 2
    cx, cy = (x1 + x2) / 2, middle + ((y1 + y2) / 2 - middle) * 0.4
    length = max(math.hypot(x2 - cx, y2 - cy), 1.0)
    dx, dy = 7 * (x2 - cx) / length, 7 * (y2 - cy) / length
    barbs = [f"{x2 - dx - k * dy:.1f},{y2 - dy + k * dx:.1f}" for k in (0.5, -0.5)]
    return element(
        "path",
        d=f"M{x1:.1f},{y1:.1f}Q{cx:.1f},{cy:.1f} {x2:.1f},{y2:.1f}M{barbs[0]}L{x2:.1f},{y2:.1f}L{barbs[1]}",
        fill="none",
        stroke=theme.INK,
        stroke_width=1.8,
        stroke_linecap="round",
        stroke_dasharray=None if mine else "5 3",
    )
