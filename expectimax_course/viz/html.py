"""HTML from the standard library: elements, numbers with a proper minus sign, tables, pictures a notebook shows.

Every string that enters a page goes through `escape`, once, here: text as ``text(...)``, attributes in `element`. What
`element` takes as children is markup already.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

MINUS = "−"
VOID = frozenset({"br", "circle", "hr", "input", "line", "path", "polygon", "rect"})


class Picture(str):
    """HTML or SVG that a notebook shows as a picture; its repr is the text alternative.

    Examples
    --------
    >>> picture("<svg></svg>", "A tree with one leaf, 3")
    A tree with one leaf, 3
    """

    alt: str = ""

    def __repr__(self) -> str:
        return self.alt

    def _repr_html_(self) -> str:
        return str(self)


def picture(markup: str, alt: str) -> Picture:
    """Return ``markup`` as a `Picture` with the text alternative ``alt``."""
    result = Picture(markup)
    result.alt = alt
    return result


def text(value: object) -> str:
    """Return a value as text that is safe between tags."""
    return escape(str(value), quote=False)


def element(name: str, *children: str, **attributes: Any) -> str:
    """Return one element.

    Parameters
    ----------
    name : str
    *children : str
        Markup, already escaped.
    **attributes
        ``class_`` is class, other underscores become hyphens. None and False leave the attribute out, True writes it
        empty; ``aria_*`` writes "true" and "false" instead.

    Examples
    --------
    >>> element("button", text("a < b"), class_="ec-primary", data_event="step", aria_pressed=False)
    '<button class="ec-primary" data-event="step" aria-pressed="false">a &lt; b</button>'
    """
    parts = [name]
    for key, value in attributes.items():
        key = key.rstrip("_").replace("_", "-")
        if key.startswith("aria-") and isinstance(value, bool):
            value = str(value).lower()
        if value is True:
            value = ""
        if value is not None and value is not False:
            parts.append(f'{key}="{escape(str(value))}"')
    opening = " ".join(parts)
    return f"<{opening}/>" if name in VOID else f"<{opening}>{''.join(children)}</{name}>"


def number(value: Any, digits: int = 2, *, fixed: bool = False) -> str:
    """Return a number for readers: at most ``digits`` decimals, a true minus sign, no negative zero.

    Parameters
    ----------
    fixed : bool
        Keep trailing zeros, so that a column lines up.

    Examples
    --------
    >>> number(-5), number(8.50), number(15.8585), number(2, fixed=True), number(-0.001), number(-1.5e20)
    ('−5', '8.5', '15.86', '2.00', '0', '−1.5e+20')
    """
    if not abs(float(value)) < 1e15:  # nobody reads three hundred digits
        return f"{float(value):.3g}".replace("-", MINUS)
    written = f"{float(value):.{digits}f}"
    if not fixed and "." in written:
        written = written.rstrip("0").rstrip(".")
    if float(written) == 0:
        written = written.lstrip("-")
    return written.replace("-", MINUS)


def _entry(entry: str | float, digits: int | None) -> str:
    if isinstance(entry, str):
        return entry
    if isinstance(entry, int):
        return f"{entry:,}".replace("-", MINUS)
    return number(entry) if digits is None else number(entry, digits, fixed=True)


def table(
    headers: Sequence[str],
    rows: Iterable[Sequence[str | float]],
    *,
    caption: str,
    digits: int | None = None,
    row_classes: Sequence[str] = (),
    text_columns: Sequence[int] = (0,),
    bold: Iterable[tuple[int, int]] = (),
) -> Picture:
    """Return an accessible table: a caption, column headers, and the first cell of each row as its header.

    Parameters
    ----------
    headers : sequence of str, shape (n_columns,)
        Plain text.
    rows : iterable of sequences of str or numbers, shape (n_rows, n_columns)
        Plain text; whole numbers get separators, others ``digits`` decimals.
    caption : str
        Says what the table shows, with the units.
    digits : int, optional
        Decimals of every float, zeros kept. Default: at most 2, without trailing zeros.
    row_classes : sequence of str, shape (n_rows,)
    text_columns : column numbers set flush left
    bold : (row, column) pairs set bold; never the only mark of a meaning

    Examples
    --------
    >>> "<th scope=\\"row\\">sure</th><td>2</td>" in table(["action", "value"], [["sure", "2"]], caption="Values",
    ...                                                  text_columns=())
    True
    """
    marked = set(bold)
    head = "".join(
        element("th", text(header), scope="col", class_="ec-text" if column in text_columns else None)
        for column, header in enumerate(headers)
    )
    plain: list[str] = []
    body: list[str] = []
    for index, entries in enumerate(rows):
        row = [_entry(entry, digits) for entry in entries]
        cells = []
        for column, cell in enumerate(row):
            classes = " ".join(
                name
                for name, wanted in (("ec-text", column in text_columns), ("ec-best", (index, column) in marked))
                if wanted
            )
            scope = "row" if column == 0 else None
            cells.append(element("td" if column else "th", text(cell), scope=scope, class_=classes or None))
        body.append(element("tr", *cells, class_=(row_classes[index] or None) if row_classes else None))
        plain.append(" | ".join(row))
    markup = element(
        "table",
        element("caption", text(caption)),
        element("thead", element("tr", head)),
        element("tbody", *body),
        class_="ec-table",
    )
    return picture(markup, "\n".join([caption, " | ".join(headers), *plain]))
