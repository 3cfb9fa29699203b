"""A board of 2048 as a small table: the number is the information, the tint and the frame help the eye.

A tile's tint grows with its rank, from the paper to a third of the theme's blue, so that ink stays readable on it in
both themes and in grey; from 2048 on a tile also has a thick frame, and the newest tile a dashed one.
"""

from __future__ import annotations

from collections.abc import Sequence

from expectimax_course.viz.html import Picture, element, picture, text

BOLD_FROM = 2048


def draw_board(board: Sequence[Sequence[int]], caption: str, *, new: tuple[int, int] | None = None) -> Picture:
    """Return a board.

    Parameters
    ----------
    board : rows of tiles, shape (rows, cols)
        0 for an empty cell.
    caption : str
        Says what the board is; screen readers read it first.
    new : (row, col), optional
        The cell of the newest tile.

    Examples
    --------
    >>> draw_board([[2, 0], [0, 4]], "Two tiles")
    Two tiles: 2 . / . 4
    """
    rows = []
    for r, row in enumerate(board):
        cells = []
        for c, tile in enumerate(row):
            rank = tile.bit_length() - 1 if tile else 0
            classes = ["ec-tile"] * bool(tile) + ["ec-large"] * (tile >= BOLD_FROM) + ["ec-fresh"] * ((r, c) == new)
            style = f"--rank:{min(rank, 12)}" if tile else None
            label = text(tile) if tile else element("span", text("empty"), class_="ec-hidden")
            cells.append(element("td", label, class_=" ".join(classes) or None, style=style))
        rows.append(element("tr", *cells))
    hidden = element("caption", text(caption), class_="ec-hidden")
    markup = element("table", hidden, element("tbody", *rows), class_="ec-board")
    plain = " / ".join(" ".join(str(tile or ".") for tile in row) for row in board)
    return picture(markup, f"{caption}: {plain}")
