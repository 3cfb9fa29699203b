"""``glue``: hand the numbers of a cell to the text around it, so that no figure is ever typed twice.

In a chapter, ``glue(optimum=15.8585)`` lets the prose say ``{glue:text}`optimum:.2f```. The cell shows nothing.
It is the display that Jupyter Book's own ``myst_nb.glue`` makes, without needing Jupyter Book: a downloaded
chapter runs on the package alone.
"""

from __future__ import annotations

PREFIX = "application/papermill.record/"


def glue(**values: float | str) -> None:
    """Store each value under its name in the output of the running cell.

    Examples
    --------
    >>> glue(optimum=15.8585, stand_from=14)  # doctest: +SKIP
    """
    from IPython.display import display

    for name, value in values.items():
        shown = value if isinstance(value, str) else repr(value)
        metadata = {"scrapbook": {"name": name, "mime_prefix": PREFIX}}
        display({f"{PREFIX}text/plain": shown}, raw=True, metadata=metadata)  # type: ignore[no-untyped-call]
