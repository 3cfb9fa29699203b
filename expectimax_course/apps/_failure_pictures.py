"""The pictures of the gallery: a run through the map, and a hand of Push to 21 on its line of totals."""

from __future__ import annotations

from collections.abc import Sequence

from expectimax_course.games.trapped import TrappedState
from expectimax_course.viz.html import element, text
from expectimax_course.viz.theme import CHANCE, FONT, HALO, INK, LINE, MAX, MIN, MUTED

CELL = 30
STEP, LINE_Y = 13, 40


def run_picture(plan: str, states: Sequence[TrappedState], *, hunted: bool) -> str:
    """Return the map with the ways of runner and guards; the figures stand where the run ended.

    The runner is MAX's triangle; a guard is the circle of CHANCE where it wanders, MIN's triangle where it hunts.
    """
    shapes = []
    rows = plan.strip().splitlines()
    for r, row in enumerate(rows):
        for c, letter in enumerate(row):
            place = {"x": c * CELL, "y": r * CELL, "width": CELL, "height": CELL}
            if letter == "#":
                shapes.append(element("rect", **place, style=f"fill:{LINE}"))
            elif letter == "E":
                shapes.append(element("rect", **place, style=f"fill:none;stroke:{INK};stroke-width:2"))
                style = f"fill:{MUTED};font-size:10px;text-anchor:middle"
                shapes.append(element("text", text("exit"), x=(c + 0.5) * CELL, y=(r + 1) * CELL - 3, style=style))
    guards = len(states[0].guards)
    colour = MIN if hunted else CHANCE
    for guard in range(guards):
        shift = 4 * (guard + 1)
        shapes.append(_way([state.guards[guard] for state in states], shift, f"stroke:{colour};stroke-dasharray:2 4;"))
    shapes.append(_way([state.runner for state in states], 0, f"stroke:{MAX};stroke-width:3;"))
    last = states[-1]
    for guard, cell in enumerate(last.guards):
        shapes.append(_guard(*_centre(cell, 4 * (guard + 1)), colour, hunted=hunted))
    x, y = _centre(last.runner, 0)
    shapes.append(_triangle(x, y, 9, MAX, up=True))
    kind = "hunting" if hunted else "wandering"
    where = "; ".join(f"{name} from {_words(cells[0])} to {_words(cells[-1])}" for name, cells in _named(states))
    return _svg(
        f"The map with {guards} {kind} guard{'s' if guards > 1 else ''}. {where}",
        shapes,
        len(rows[0]) * CELL,
        len(rows) * CELL,
    )


def hand_picture(faces: Sequence[int], stands: Sequence[tuple[int, int]], rule: str) -> str:
    """Return the totals of a hand as jumps along a line, which is thick at the totals where the rule stands."""
    shapes = [_line(8, LINE_Y, 8 + 30 * STEP, LINE_Y, f"stroke:{MUTED}")]
    for total in (0, 7, 14, 21):
        x = 8 + total * STEP
        shapes += [_line(x, LINE_Y, x, LINE_Y + 5, f"stroke:{MUTED}")]
        shapes += [_text(str(total), x, LINE_Y + 18, f"fill:{MUTED};text-anchor:middle;")]
    edge = 8 + 21.5 * STEP
    shapes.append(_line(edge, 4, edge, LINE_Y, f"stroke:{MIN};stroke-width:2;stroke-dasharray:4 3"))
    shapes.append(_text("bust", edge + 4, 14, f"fill:{MUTED};"))
    for low, high in stands:
        left, right = (8 + (total + side) * STEP for total, side in ((low, -0.5), (high, 0.5)))
        shapes.append(_line(left, 18, left, LINE_Y, f"stroke:{INK};stroke-width:2"))
        shapes.append(_line(left, LINE_Y, right, LINE_Y, f"stroke:{INK};stroke-width:4"))
    total = 0
    for face in faces:
        start, end = 8 + total * STEP, 8 + (total + face) * STEP
        path = f"M{start} {LINE_Y}Q{(start + end) / 2} {LINE_Y - 12 - 2 * face} {end} {LINE_Y}"
        shapes.append(element("path", d=path, style=f"fill:none;stroke:{CHANCE};stroke-width:2"))
        total += face
    shapes.append(_triangle(8 + total * STEP, LINE_Y, 6, MAX, up=True))
    label = f"Totals {', '.join(map(str, _totals(faces)))}; the rule stands at {rule}"
    return _svg(label, shapes, 16 + 30 * STEP, LINE_Y + 24)


def _totals(faces: Sequence[int]) -> list[int]:
    return [sum(faces[:i]) for i in range(len(faces) + 1)]


def _named(states: Sequence[TrappedState]) -> list[tuple[str, list[tuple[int, int]]]]:
    named = [("the runner", [state.runner for state in states])]
    for guard in range(len(states[0].guards)):
        named.append((f"guard {guard + 1}", [state.guards[guard] for state in states]))
    return named


def _words(cell: tuple[int, int]) -> str:
    return f"row {cell[0]} column {cell[1]}"


def _centre(cell: tuple[int, int], shift: int) -> tuple[float, float]:
    return (cell[1] + 0.5) * CELL + shift, (cell[0] + 0.5) * CELL - shift


def _way(cells: Sequence[tuple[int, int]], shift: int, style: str) -> str:
    points = " ".join(f"{x:g},{y:g}" for x, y in (_centre(cell, shift) for cell in cells))
    return element("polyline", points=points, style=f"fill:none;{style}stroke-linejoin:round;stroke-linecap:round")


def _guard(x: float, y: float, colour: str, *, hunted: bool) -> str:
    if hunted:
        return _triangle(x, y, 8, colour, up=False)
    return element("circle", cx=f"{x:g}", cy=f"{y:g}", r=7, style=f"fill:{colour};stroke:{INK}")


def _triangle(x: float, y: float, size: float, colour: str, *, up: bool) -> str:
    tip, base = (y - size, y + 0.7 * size) if up else (y + size, y - 0.7 * size)
    corners = f"{x:g},{tip:g} {x - size:g},{base:g} {x + size:g},{base:g}"
    return element("polygon", points=corners, style=f"fill:{colour};stroke:{INK}")


def _line(x1: float, y1: float, x2: float, y2: float, style: str) -> str:
    return element("line", x1=f"{x1:g}", y1=f"{y1:g}", x2=f"{x2:g}", y2=f"{y2:g}", style=style)


def _text(words: str, x: float, y: float, style: str) -> str:
    return element("text", text(words), x=f"{x:g}", y=f"{y:g}", style=HALO + style)


def _svg(label: str, shapes: Sequence[str], width: float, height: float) -> str:
    return element(
        "svg",
        *shapes,
        xmlns="http://www.w3.org/2000/svg",
        role="img",
        aria_label=label,
        viewBox=f"0 0 {width:g} {height:g}",
        width=f"{width:g}",
        height=f"{height:g}",
        style=FONT,
    )
