"""The pictures of the learning apps: a learning curve, learned against exact values, and the weights of a tuple."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from expectimax_course.viz.html import element, number, text
from expectimax_course.viz.theme import CHANCE, FONT, HALO, INK, LEAF, LINE, MAX, MUTED

LEFT, TOP, WIDTH, HEIGHT = 34, 24, 280, 150


def curve_picture(points: Sequence[tuple[int, float]], at: int, optimum: float) -> str:
    """Draw what the greedy policy earns over the games learnt, up to the optimum; ``at`` marks one point."""
    last = max(points[-1][0], 20)

    def x(games: float) -> float:
        return LEFT + WIDTH * games / last

    def y(score: float) -> float:
        return TOP + HEIGHT * (1 - score / 70)

    shapes = _axes("points a game (exact)", "games learnt", [(x(last), f"{last:,}")], [(y(20), "20"), (y(60), "60")])
    shapes.append(_line(LEFT, y(optimum), LEFT + WIDTH, y(optimum), f"stroke:{LEAF};stroke-dasharray:6 4"))
    shapes.append(_text(f"best possible {number(optimum)}", LEFT + WIDTH, y(optimum) - 5, INK, "end"))
    path = " ".join(f"{x(games):.1f},{y(score):.1f}" for games, score in points)
    shapes.append(element("polyline", points=path, style=f"fill:none;stroke:{MAX};stroke-width:2"))
    games, score = points[at]
    shapes.append(_line(x(games), TOP, x(games), TOP + HEIGHT, f"stroke:{LINE}"))
    place = {"cx": f"{x(games):.1f}", "cy": f"{y(score):.1f}"}
    shapes.append(element("circle", **place, r=5, style=f"fill:{MAX};stroke:{INK}"))
    label = f"Games learnt: {games}; the greedy policy earns {number(score)} points a game, at best {number(optimum)}"
    return _svg(label, shapes)


def truth_picture(exact: Sequence[float], learned: Sequence[float]) -> str:
    """Draw the learned value of every afterstate over its exact one; on the diagonal they agree."""
    top = 80.0

    def x(value: float) -> float:
        return LEFT + WIDTH * min(max(value, 0), top) / top

    def y(value: float) -> float:
        return TOP + HEIGHT * (1 - min(max(value, 0), top) / top)

    places = [(x(40), "40"), (x(80), "80")]
    shapes = _axes("learned value (points still to come)", "exact value", places, [(y(40), "40"), (y(80), "80")])
    shapes.append(_line(x(0), y(0), x(top), y(top), f"stroke:{LEAF};stroke-dasharray:6 4"))
    for truth, value in zip(exact, learned, strict=True):
        spot = {"cx": f"{x(truth):.1f}", "cy": f"{y(value):.1f}"}
        shapes.append(element("circle", **spot, r=3, style=f"fill:{CHANCE};fill-opacity:.45;stroke:{CHANCE}"))
    off = sum(abs(truth - value) for truth, value in zip(exact, learned, strict=True)) / len(exact)
    return _svg(
        f"Learned over exact values of {len(exact)} afterstates; on average {number(off, 1)} points apart", shapes
    )


def weights_table(
    caption: str,
    ranks: Sequence[int],
    weight: Callable[[int, int], float | None],
    across: str,
    down: str,
    *,
    mark: tuple[int, int] | None = None,
) -> str:
    """Return the weights of a tuple over two of its cells: numbers on a tint that grows with their size.

    Parameters
    ----------
    ranks : the exponents of the tiles to show
    weight : of the rank down and the rank across, None where it was never learnt
    across, down : what the columns and the rows are
    mark : the rank down and the rank across to set bold in a frame
    """
    shown = {(r, c): weight(r, c) for r in ranks for c in ranks}
    largest = max((abs(w) for w in shown.values() if w is not None), default=0) or 1.0
    head = [element("th", text(f"{down} ↓  {across} →"), scope="col", class_="ec-text")]
    head += [element("th", text(_tile(c)), scope="col") for c in ranks]
    rows = []
    for r in ranks:
        cells = [element("th", text(_tile(r)), scope="row")]
        for c in ranks:
            known = shown[r, c]
            colour, share = MAX if (known or 0) >= 0 else LEAF, round(40 * abs(known or 0) / largest)
            style = f"background:color-mix(in srgb,{colour} {share}%,transparent)" if known else ""
            style += f";outline:2px solid {INK};outline-offset:-2px" if (r, c) == mark else ""
            words = "" if known is None else _short(known)
            best = "ec-best" if (r, c) == mark else None
            cells.append(element("td", text(words), class_=best, style=style.lstrip(";") or None))
        rows.append(element("tr", *cells))
    body = element("thead", element("tr", *head)) + element("tbody", *rows)
    return element("table", element("caption", text(caption)), body, class_="ec-table")


def _short(value: float) -> str:
    return number(value, 1) if abs(value) < 100 else f"{value:,.0f}".replace("-", "−")


def _tile(rank: int) -> str:
    return str(1 << rank) if rank else "empty"


def _axes(up: str, along: str, x_ticks: Sequence[tuple[float, str]], y_ticks: Sequence[tuple[float, str]]) -> list[str]:
    bottom = TOP + HEIGHT
    shapes = [
        _line(LEFT, bottom, LEFT + WIDTH, bottom, f"stroke:{MUTED}"),
        _line(LEFT, TOP, LEFT, bottom, f"stroke:{MUTED}"),
    ]
    shapes += [_text(words, x, bottom + 16, MUTED, "middle") for x, words in x_ticks]
    shapes += [_text(words, LEFT - 5, y + 4, MUTED, "end") for y, words in y_ticks]
    shapes.append(_text(up, 0, 12, MUTED, "start"))
    shapes.append(_text(along, LEFT + WIDTH / 2 - 20, bottom + 16, MUTED, "middle"))
    return shapes


def _line(x1: float, y1: float, x2: float, y2: float, style: str) -> str:
    return element("line", x1=f"{x1:.1f}", y1=f"{y1:.1f}", x2=f"{x2:.1f}", y2=f"{y2:.1f}", style=style)


def _text(words: str, x: float, y: float, colour: str, anchor: str) -> str:
    return element("text", text(words), x=f"{x:.1f}", y=f"{y:.1f}", style=f"{HALO}fill:{colour};text-anchor:{anchor}")


def _svg(label: str, shapes: Sequence[str]) -> str:
    wide, high = LEFT + WIDTH + 22, TOP + HEIGHT + 24
    size = {"width": f"{wide}", "height": f"{high}"}
    return element(
        "svg", *shapes, xmlns="http://www.w3.org/2000/svg", role="img", aria_label=label, viewBox=f"0 0 {wide} {high}",
        style=FONT, **size,
    )  # fmt: skip
