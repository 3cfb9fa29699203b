"""The pictures of the budget app: a board of 2048, and the depths of a search along the clock."""

from __future__ import annotations

import math
from collections.abc import Sequence

from expectimax_course.apps._budget_facts import LIMITS, milliseconds
from expectimax_course.game2048.rules import Board
from expectimax_course.search.progress import Progress
from expectimax_course.viz.html import element, number, text
from expectimax_course.viz.theme import FONT, HALO, INK, LINE, MAX, MUTED

ARROWS = {"left": "←", "right": "→", "up": "↑", "down": "↓"}
CELL, LEFT, WIDTH, ROW = 40, 58, 272, 44
FIRST, LAST = LIMITS[0], LIMITS[-1]


def board_picture(board: Board) -> str:
    """Return a board, its tiles as numbers; a greater tile is darker."""
    shapes = []
    for row, line in enumerate(board):
        for column, tile in enumerate(line):
            x, y = column * CELL + 2, row * CELL + 2
            shade = 0.05 + 0.05 * math.log2(tile) if tile else 0
            style = f"fill:{MAX};fill-opacity:{shade:.2f};stroke:{LINE}"
            shapes.append(element("rect", x=x, y=y, width=CELL - 4, height=CELL - 4, rx=4, style=style))
            if tile:
                shapes.append(_text(str(tile), x + CELL / 2 - 2, y + CELL / 2 + 3, f"fill:{INK};text-anchor:middle"))
    words = "; ".join(", ".join(str(tile) if tile else "empty" for tile in line) for line in board)
    return _svg(f"The board, row by row: {words}", shapes, 4 * CELL, 4 * CELL)


def clock_picture(steps: Sequence[Progress], limit: float, answered: int) -> str:
    """Return one bar per depth along the clock, a piece per move of the root, and the time limit.

    Depths up to ``answered`` are complete in time and drawn full, later pieces before the limit hatched by dashes.
    """
    depths = sorted({step.depth for step in steps})
    bottom = len(depths) * ROW + 6
    shapes, words, before = [], [], 0
    for step in steps:
        y = (step.depth - 1) * ROW + 8
        left, right = _place(milliseconds(before)), _place(milliseconds(step.leaves))
        in_time = milliseconds(step.leaves) <= limit
        full = step.depth <= answered
        style = f"fill:{MAX};fill-opacity:{0.45 if full else 0.15 if in_time else 0};stroke:{MAX if in_time else MUTED}"
        style += "" if full else ";stroke-dasharray:4 3"
        wide = max(right - left, 2.0)
        shapes.append(element("rect", x=f"{left:.1f}", y=y, width=f"{wide:.1f}", height=ROW - 16, style=style))
        if wide > 14:
            shapes.append(_text(ARROWS[step.action], left + wide / 2, y + 18, f"{HALO}fill:{INK};text-anchor:middle"))
        before = step.leaves
        if step.complete:
            shapes.append(_text(f"depth {step.depth}", 0, y + 18, f"fill:{INK}"))
            words.append(f"depth {step.depth} ready at {number(milliseconds(step.leaves))} ms")
    x = _place(limit)
    shapes.append(element("line", x1=f"{x:.1f}", y1=0, x2=f"{x:.1f}", y2=bottom, style=f"stroke:{INK};stroke-width:2"))
    shapes += _axis(bottom)
    label = f"Time to each depth; {'; '.join(words)}; limit {number(limit)} ms"
    return _svg(label, shapes, LEFT + WIDTH + 14, bottom + 26)


def _axis(y: float) -> list[str]:
    end = LEFT + WIDTH
    shapes = [element("line", x1=LEFT, y1=y, x2=end, y2=y, style=f"stroke:{MUTED}")]
    for tick in (0.1, 1, 10, 100):
        x = _place(tick)
        shapes.append(element("line", x1=f"{x:.1f}", y1=y, x2=f"{x:.1f}", y2=y + 5, style=f"stroke:{MUTED}"))
        shapes.append(_text(f"{number(tick)} ms", x, y + 19, f"fill:{MUTED};text-anchor:middle"))
    return shapes


def _place(time: float) -> float:
    """Return where a time stands on the logarithmic axis."""
    share = math.log(min(max(time, FIRST), LAST) / FIRST) / math.log(LAST / FIRST)
    return LEFT + WIDTH * share


def _text(words: str, x: float, y: float, style: str) -> str:
    return element("text", text(words), x=f"{x:.1f}", y=f"{y:.1f}", style=style)


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
