"""Every number in the book's prose has a source: a cell, a record, or an entry of ``given.yml``."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "book" / "_ext"))

import book_numbers as numbers  # noqa: E402
import record_role  # noqa: E402

GIVEN = ROOT / "book" / "_data" / "given.yml"
FOLDERS = (ROOT / "book", ROOT / "solutions")  # exercises are made from solutions
PAGES = sorted(path for folder in FOLDERS for path in folder.iterdir() if path.suffix in (".md", ".ipynb"))
NOTHING_GIVEN = numbers.Given([], [], (1900, 2030))


def complaints(markdown: str, given: numbers.Given = NOTHING_GIVEN) -> list[str]:
    texts = [numbers.Passage("page", "here", text) for text in numbers.prose(markdown)]
    return [bad.number for bad in numbers.check(texts, given)[0]]


def test_every_number_of_the_book_has_a_source_and_every_source_is_used():
    texts = [passage for page in PAGES for passage in numbers.passages(page)]
    bad, unused = numbers.check(texts, numbers.read_given(GIVEN))
    assert not bad, "numbers without a source:\n" + "\n".join(map(str, bad))
    assert not unused, "entries of given.yml that nothing uses:\n" + "\n".join(unused)


def test_every_citation_of_given_yml_is_in_the_bibliography():
    keys = set(re.findall(r"@\w+\{([^,\s]+),", (ROOT / "book" / "references.bib").read_text(encoding="utf-8")))
    cited = {entry["key"] for entry in numbers.read_given(GIVEN).entries if entry["kind"] == "citation"}
    assert cited <= keys


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_every_record_that_a_page_quotes_exists(page):
    for reference in numbers.record_references(page):
        assert record_role.render(reference)


PLANTED = """---
depth: 3.5
---
# Heading 4.5

It wins 2.14 points, or 67 % of all 200 hands.

- a search of **50** nodes in `300` cells
- took 12 ms, then
  3 s

The formula $p = 0.25$ stands for

$$
V = 0.9 \\cdot 10
$$

:::{tip} A title
:class: wide-2.5
It is 7× faster, or ×3, says [the page](https://example.org/1.5).
:::

```python
x = 1.5
```
"""


def test_ten_planted_bad_numbers_are_found_and_no_eleventh():
    assert complaints(PLANTED) == [
        "2.14",
        "67 %",
        "200",
        "50 nodes",
        "12 ms",
        "3 s",
        "0.25",
        "0.9",
        "7×",
        "×3",
    ]


@pytest.mark.parametrize(
    "prose",
    [
        "three games, 3 faces and 99 hands",
        "a 4 × 4 board and 22 × 10 additions",
        "in 1994, and the depth d + 1",
        "the value {glue}`value:.2f` and {record}`demo.n:,d` games",
        "code `x = 2.5` and a [link](https://example.org/2.5/200)",
        "state s2048 and x100",
        "<!-- 2.5 --> <span data-x='2.5'>text</span>",
        "```{code-block} python\n:lineno-start: 250\nx = 2.5\n```",
        "```{math}\n:label: eq-2.5\nx = y\n```",
        "% a comment with 2.5\n",
    ],
)
def test_what_is_no_measured_number_is_not_flagged(prose):
    assert complaints(prose) == []


@pytest.mark.parametrize(
    ("prose", "number"),
    [
        ("a value of .5", ".5"),
        ("1,000 hands", "1,000"),
        ("50% of them", "50%"),
        ("$95\\,\\%$ of them", "95%"),
        ("$2\\,000\\,000$ hands", "2000000"),
        ("| a |\n|---|\n| 2.5 |", "2.5"),
        ("Term\n: is 2.5 wide", "2.5"),
        ("```{note}\nThe value is 2.5.\n```", "2.5"),
        ("::::{grid}\n:::{grid-item}\n2.5\n:::\n::::", "2.5"),
        ("```{math}\nx = 2.5\n```", "2.5"),
        ("\\begin{align} x = 2.5 \\end{align}", "2.5"),
        ("a foot[^1]\n\n[^1]: note of 2.5", "2.5"),
        ("![a curve that ends at 2.5](curve.svg)", "2.5"),
        ("won 5 games", "5 games"),
        ("after 45 seconds", "45 seconds"),
        ("0.5 ppg", "0.5 ppg"),
        ("16 MB of tables", "16 MB"),
        ("2000 moves", "2000 moves"),
    ],
)
def test_a_number_without_a_source_is_flagged_wherever_it_stands(prose, number):
    assert complaints(prose) == [number]


def given(tmp_path, text: str) -> numbers.Given:
    path = tmp_path / "given.yml"
    path.write_text(f"years: [1900, 2030]\n{text}", encoding="utf-8")
    return numbers.read_given(path)


def test_an_entry_covers_its_passage_on_its_page_only(tmp_path):
    source = given(tmp_path, 'names: []\ngiven: [{chapter: page, text: "+10 with 0.9", kind: definition}]')
    assert complaints("It pays **+10** with $0.9$.", source) == []
    assert complaints("It pays +10 with 0.9, or 0.8.", source) == ["0.8"]
    elsewhere = [numbers.Passage("other", "here", "+10 with 0.9")]
    assert [bad.number for bad in numbers.check(elsewhere, source)[0]] == ["0.9"]


def test_a_name_is_accepted_as_a_whole_word_only(tmp_path):
    source = given(tmp_path, 'names: ["2048"]\ngiven: []')
    assert complaints("The game 2048 and its tiles", source) == []
    assert complaints("a score of 20480, or 2048.5", source) == ["20480", "2048.5"]
    assert complaints("2048 games of 2048, 2048 % of 2048 hours", source) == ["2048 games", "2048 %", "2048 hours"]


def test_what_a_cell_says_in_place_of_a_picture_is_prose():
    code = (
        '%matplotlib inline\ndraw(1.5, alt=f"from {x:.2f} to 2.5", title="3.5")\n!ls\ndraw(alt="at 4.5" + f"{x:.1f}")'
    )
    assert [found for text in numbers.alternatives(code) for found in complaints(text)] == ["2.5", "4.5"]


def test_an_entry_or_name_that_nothing_uses_is_reported(tmp_path):
    source = given(tmp_path, 'names: ["2048"]\ngiven: [{chapter: page, text: "0.9", kind: definition}]')
    assert numbers.check([numbers.Passage("page", "here", "no number")], source)[1] == ["page: 0.9", "2048"]


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ("{chapter: page, text: '0.9'}", "expected chapter, text and kind"),
        ("{chapter: page, text: '0.9', kind: guess}", "expected kind definition or citation"),
        ("{chapter: page, text: '0.9', kind: citation}", "expected a bibliography key"),
        ("{chapter: page, text: '0.9', kind: definition, key: knuth}", "expected a bibliography key"),
        ("{chapter: page, text: 'within 12 ms', kind: definition}", "times and speeds"),
        ("{chapter: page, text: '700,000 nodes/s', kind: definition}", "times and speeds"),
        ("{chapter: page, text: '30 games per second', kind: citation, key: knuth}", "times and speeds"),
    ],
)
def test_an_entry_that_says_too_little_or_covers_a_time_is_refused(tmp_path, entry, complaint):
    with pytest.raises(ValueError, match=complaint):
        given(tmp_path, f"names: []\ngiven: [{entry}]")


def test_the_record_role_prints_a_field_in_its_format():
    assert record_role.render("push_simulation.hit_at_16:.7f") == "9.5034435"
    assert record_role.render("push_simulation.hit_at_16.n:,") == "2,000,000"


def test_the_record_role_adds_interval_and_size_of_a_measured_field():
    text = record_role.render("push_simulation.hit_at_16:.2f with interval")
    assert text == "9.50 (95\u202f% interval 9.49 to 9.52, n = 2,000,000)"


def test_the_record_role_sets_a_space_before_a_percent_sign():
    assert record_role.show(0.674, ".0%") == "67\u202f%"


@pytest.mark.parametrize(
    "reference", ["gone.field:.2f", "push_simulation.gone:.2f", "push_simulation.optimum:d", "push_simulation"]
)
def test_a_reference_that_cannot_be_printed_is_an_error(reference):
    with pytest.raises(ValueError, match=r"expected|format|Unknown"):
        record_role.render(reference)
