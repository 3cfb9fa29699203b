"""The picture of the scale app: what the gamble is worth, in sure points, for each exponent."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from expectimax_course.apps._scale_facts import HIGHEST, LOWEST, Facts
from expectimax_course.viz.html import element, number, text
from expectimax_course.viz.theme import CHANCE, FONT, HALO, INK, LEAF, LINE, MIN, MUTED

LEFT, TOP, WIDTH, HEIGHT = 34, 26, 286, 170
TICKS = (0.25, 0.5, 1.0, 2.0, 4.0)


def scale_picture(state: dict[str, Any], known: Facts, curve: Sequence[Facts]) -> str:
    """Draw the gamble's certainty equivalent over the exponent, the sure thing, the worst case and the flip point."""
    payoffs = (state["first"], state["second"], state["sure"])
    top = float(max(payoffs)) or 1.0

    def y(points: float) -> float:
        return TOP + HEIGHT * (1 - points / top)

    bottom, right, low = TOP + HEIGHT, LEFT + WIDTH, min(state["first"], state["second"])
    shapes = [_line(LEFT, bottom, right, bottom, MUTED), _line(LEFT, TOP, LEFT, bottom, MUTED)]
    for tick in TICKS:
        shapes.append(_line(_x(tick), bottom, _x(tick), bottom + 5, MUTED))
        shapes.append(_text(number(tick), _x(tick), bottom + 19, MUTED, "middle"))
    for points in (0.0, top):
        shapes.append(_text(number(points), LEFT - 6, y(points) + 4, MUTED, "end"))
    shapes.append(_text("worth in sure points", 0, 12, MUTED, "start"))
    shapes.append(_text("exponent (concave below 1, convex above)", LEFT + WIDTH / 2, bottom + 38, MUTED, "middle"))
    shapes.append(_line(LEFT, y(low), right, y(low), f"{MIN};stroke-width:2;stroke-dasharray:2 4"))
    shapes.append(_line(LEFT, y(state["sure"]), right, y(state["sure"]), f"{LEAF};stroke-width:2;stroke-dasharray:7 4"))
    path = " ".join(f"{_x(k.exponent):.1f},{y(k.equivalent):.1f}" for k in curve)
    shapes.append(element("polyline", points=path, style=f"fill:none;stroke:{CHANCE};stroke-width:2.5"))
    if known.flip is not None:
        place = _x(known.flip)
        shapes.append(_line(place, TOP, place, bottom, f"{INK};stroke-dasharray:3 3"))
        anchor = "end" if place > LEFT + WIDTH / 2 else "start"
        shapes.append(
            _text(f"flip at {number(known.flip, 3)}", place + (-5 if anchor == "end" else 5), TOP + 9, INK, anchor)
        )
    here = _x(known.exponent)
    shapes.append(_line(here, TOP, here, bottom, LINE))
    spot = y(known.equivalent)
    shapes.append(element("circle", cx=f"{here:.1f}", cy=f"{spot:.1f}", r=6, style=f"fill:{CHANCE};stroke:{INK}"))
    side = -9 if here > LEFT + WIDTH * 0.8 else 9
    shapes.append(_text(number(known.equivalent), here + side, spot - 8, INK, "end" if side < 0 else "start"))
    shapes += _names(y, curve[-1], state["sure"], low)
    flip = "no flip point" if known.flip is None else f"flip point at {number(known.flip, 3)}"
    label = (
        f"The gamble is worth {number(curve[0].equivalent)} sure points at the exponent {number(LOWEST)}, "
        f"{number(known.equivalent)} at {number(known.exponent)} and {number(curve[-1].equivalent)} at "
        f"{number(HIGHEST)}; the sure thing {state['sure']} and the worst case {number(low)} at all; {flip}"
    )
    size = {"width": f"{LEFT + WIDTH + 84}", "height": f"{bottom + 46}"}
    return element(
        "svg", *shapes, xmlns="http://www.w3.org/2000/svg", role="img", aria_label=label,
        viewBox=f"0 0 {size['width']} {size['height']}", style=FONT, **size,
    )  # fmt: skip


def _names(y: Any, last: Facts, sure: float, low: float) -> list[str]:
    """Write each line's name beside its right end, kept apart where the lines are close."""
    wanted = sorted([(y(last.equivalent), "gamble"), (y(sure), "sure thing"), (y(low), "worst case")])
    shapes, before = [], -math.inf
    for place, name in wanted:
        before = max(place + 4, before + 15)
        shapes.append(_text(name, LEFT + WIDTH + 6, before, INK, "start"))
    return shapes


def _x(exponent: float) -> float:
    share = math.log(exponent / LOWEST) / math.log(HIGHEST / LOWEST)
    return LEFT + WIDTH * share


def _line(x1: float, y1: float, x2: float, y2: float, stroke: str) -> str:
    places = {"x1": f"{x1:.1f}", "y1": f"{y1:.1f}", "x2": f"{x2:.1f}", "y2": f"{y2:.1f}"}
    return element("line", style=f"stroke:{stroke}", **places)


def _text(words: str, x: float, y: float, colour: str, anchor: str) -> str:
    return element("text", text(words), x=f"{x:.1f}", y=f"{y:.1f}", style=f"{HALO}fill:{colour};text-anchor:{anchor}")
