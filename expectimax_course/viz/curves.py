"""Curves with matplotlib, in one style that reads in the light theme, in the dark one and in grey.

Lines differ by dash and marker as well as by colour, axes carry units, uncertain values carry their interval, and the
same numbers come as a table. The picture is inline SVG with real text, so its ink follows the page's theme.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import StringIO
from itertools import cycle
from typing import TYPE_CHECKING, Any, NamedTuple

from expectimax_course.viz import theme
from expectimax_course.viz.html import Picture, element, number, picture, table, text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
DASHES = ("-", "--", "-.", ":")
MARKERS = ("o", "s", "^", "D", "v", "P")
INK = "#010203"
"""Stands for the theme's ink while matplotlib draws."""
THEMED = {INK: theme.MUTED, "#0072b2": theme.MAX, "#d55e00": theme.MIN, "#009e73": theme.CHANCE}

STYLE: Any = {
    "figure.figsize": (6.4, 3.6),
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "font.size": 11,
    "lines.linewidth": 1.8,
    "lines.markersize": 5,
    "legend.frameon": False,
    "svg.fonttype": "none",
}


class Curve(NamedTuple):
    """One line: its name, its points, and the ends of their intervals where they are uncertain.

    ``x``, ``y``, ``low`` and ``high`` have shape (n,).
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()


@contextmanager
def axes(x_label: str, y_label: str) -> Iterator[Axes]:
    """Open a figure in the course's style and give its axes; close it afterwards without showing it.

    Examples
    --------
    >>> with axes("total (points)", "expected value (points)") as ax:
    ...     _ = ax.plot([0, 1], [2, 3])
    """
    import matplotlib.pyplot as plt

    with plt.rc_context(STYLE):
        figure, ax = plt.subplots(layout="constrained")
        try:
            ax.set_xlabel(x_label)
            ax.set_ylabel(y_label)
            yield ax
        finally:
            plt.close(figure)


def draw_curves(
    curves: Sequence[Curve], *, x_label: str, y_label: str, alt: str, marks: Mapping[str, float] | None = None
) -> Picture:
    """Draw curves and put their numbers in a table one click away.

    Parameters
    ----------
    curves : sequence of Curve
    x_label, y_label : str
        With the unit in brackets.
    alt : str
        What a reader should see in the picture, in a sentence.
    marks : mapping of str to float, optional
        Vertical lines by name, at places on the x axis.

    Returns
    -------
    Picture
        A figure element: the SVG with ``alt`` as its label, the caption for readers without it, and the table.

    Raises
    ------
    ValueError
        If a curve's sequences differ in length.

    Examples
    --------
    >>> draw_curves([Curve("optimum", [0, 1], [3, 4])], x_label="total", y_label="value (points)", alt="A rise")
    A rise
    """
    for curve in curves:
        sizes = {len(part) for part in curve[1:] if len(part)}
        if sizes != {len(curve.x)} or bool(curve.low) != bool(curve.high):
            raise ValueError(f"expected x, y and both ends of one length in {curve.name!r}, got {sorted(sizes)}")
    with axes(x_label, y_label) as ax:
        for curve, colour, dash, marker in zip(curves, cycle(COLOURS), cycle(DASHES), cycle(MARKERS), strict=False):
            ax.plot(curve.x, curve.y, color=colour, linestyle=dash, marker=marker, label=curve.name)
            if curve.low:
                ax.fill_between(curve.x, curve.low, curve.high, color=colour, alpha=0.18, linewidth=0)
        for name, place in (marks or {}).items():
            ax.axvline(place, color=INK, linewidth=1, linestyle=":")
            ax.annotate(
                name, (place, 1), xycoords=("data", "axes fraction"), xytext=(4, -12), textcoords="offset points"
            )
        if len(curves) > 1:
            ax.legend()
        svg = as_svg(ax, alt)
    shown = element("summary", text("The numbers of this figure"))
    numbers = element("details", shown, element("div", curve_table(curves, x_label, y_label), class_="ec-scroll"))
    return picture(element("figure", svg, numbers, class_="ec-figure"), alt)


def as_svg(ax: Axes, alt: str) -> str:
    """Return the figure of ``ax`` as an inline SVG element with ``alt`` as its text alternative.

    The same figure gives the same bytes, and no id that another figure of the page could have.
    """
    from matplotlib import rc_context

    written = StringIO()
    with rc_context({**STYLE, "svg.hashsalt": alt}):
        ax.get_figure(root=True).savefig(written, format="svg", metadata={"Date": None, "Creator": None})  # type: ignore[union-attr]
    svg = written.getvalue()
    svg = re.sub(r'<g id="[^"]*">', "<g>", svg[svg.index("<svg") :])
    svg = re.sub(r"<(style|metadata).*?</\1>", "", svg, flags=re.DOTALL)  # the style would reach the whole page
    for drawn, themed in THEMED.items():
        svg = svg.replace(drawn, themed)
    joins = "stroke-linejoin:round;stroke-linecap:butt"
    label = element("svg", role="img", aria_label=alt, class_="ec-picture", style=joins).removesuffix("></svg>")
    return label + svg.removeprefix("<svg").rstrip()


def curve_table(curves: Sequence[Curve], x_label: str, y_label: str, *, digits: int = 3) -> Picture:
    """Return the numbers of curves as a table: a row per x, a column per curve, intervals in brackets."""
    places = sorted({x for curve in curves for x in curve.x})
    columns = []
    for curve in curves:
        cells = {}
        for i, x in enumerate(curve.x):
            cells[x] = number(curve.y[i], digits)
            if curve.low:
                cells[x] += f" [{number(curve.low[i], digits)}, {number(curve.high[i], digits)}]"
        columns.append(cells)
    rows = [[number(x, digits), *(cells.get(x, "") for cells in columns)] for x in places]
    return table([x_label, *(curve.name for curve in curves)], rows, caption=y_label, text_columns=())
