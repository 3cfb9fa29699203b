"""What ``glue`` stores is what Jupyter Book's own glue stores."""

import IPython.display
from myst_nb.ext import glue as original

from expectimax_course.glue import glue


def test_a_glued_number_is_stored_as_jupyter_book_stores_it(monkeypatch):
    shown = []
    monkeypatch.setattr(IPython.display, "display", lambda data, **options: shown.append((data, options)))
    monkeypatch.setattr(original, "ipy_display", lambda data, **options: shown.append((data, options)))
    glue(optimum=15.8585, stand_from=14)
    ours, shown[:] = list(shown), []
    original.glue("optimum", 15.8585, display=False)
    original.glue("stand_from", 14, display=False)
    assert ours == shown


def test_a_glued_text_carries_no_quotes(monkeypatch):
    shown = []
    monkeypatch.setattr(IPython.display, "display", lambda data, **options: shown.append(data))
    glue(action="hit")
    assert list(shown[0].values()) == ["hit"]
