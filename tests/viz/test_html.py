"""Markup is escaped once, tables have headers, numbers are written for readers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import read

from expectimax_course.viz.html import element, number, picture, table, text


@given(st.text(alphabet=st.characters(blacklist_categories=("Cs", "Cc"))))
def test_any_text_survives_as_content_and_as_attribute(words: str) -> None:
    root = read(element("p", text(words), title=words))
    assert root.children[0].attributes["title"] == words
    assert "".join(root.words) == words


def test_false_and_none_leave_an_attribute_out_and_aria_keeps_false() -> None:
    assert element("input", disabled=False, title=None, hidden=True, aria_pressed=False) == (
        '<input hidden="" aria-pressed="false"/>'
    )


@pytest.mark.parametrize(
    ("value", "digits", "shown"),
    [(-5, 2, "−5"), (0.1 + 0.2, 2, "0.3"), (-0.0001, 2, "0"), (100, 2, "100"), (1200, 0, "1200"), (-2.675, 1, "−2.7")],
)
def test_numbers_have_a_true_minus_and_no_trailing_zeros(value: float, digits: int, shown: str) -> None:
    assert number(value, digits) == shown


def test_a_column_of_fixed_numbers_keeps_its_zeros() -> None:
    assert [number(v, fixed=True) for v in (2, -0.001, 9.5)] == ["2.00", "0.00", "9.50"]


def test_every_cell_of_a_table_has_a_column_header_and_a_row_header() -> None:
    made = table(["a", "b"], [["x", "1"], ["y", "2"]], caption="Two", bold=[(1, 1)], row_classes=["", "ec-new"])
    root = read(made)
    assert [th.attributes["scope"] for th in root.all("th")] == ["col", "col", "row", "row"]
    assert root.all("caption")[0].text == "Two"
    assert [td.text for td in root.all("td") if td.attributes.get("class") == "ec-best"] == ["2"]
    assert repr(made) == "Two\na | b\nx | 1\ny | 2"


def test_numbers_in_a_table_come_with_separators_and_decimals() -> None:
    shown = table(["n", "mean"], [[1234567, 8.5], [-2, 2.0]], caption="Means")
    assert repr(shown).splitlines()[2:] == ["1,234,567 | 8.5", "−2 | 2"]
    shown = table(["n", "mean"], [[1, 8.5]], caption="Means", digits=3)
    assert repr(shown).splitlines()[2] == "1 | 8.500"


def test_a_notebook_shows_a_picture_and_prints_its_alternative() -> None:
    made = picture("<svg></svg>", "a leaf")
    assert made._repr_html_() == "<svg></svg>"
    assert repr(made) == "a leaf"
