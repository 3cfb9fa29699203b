"""The numbers checker: every number in the book's prose comes from a cell, a record or a named source.

It reads the Markdown of pages and notebooks with the parser that builds the book, mathematics included, and what
code says in place of a picture (``alt=``); all other code, link targets, roles, options and headings are not prose.
It flags decimals, percentages, whole numbers of 100 or more, and any number before a measured unit. It accepts what
``{glue}`` and ``{record}`` print (roles are not prose), years, the names in ``book/_data/given.yml`` where no unit
follows, and the numbers inside a passage that ``given.yml`` lists for that page:

    given:
      - chapter: 01_expected_case          # stem of the page
        text: "+10 with probability 0.9"   # as it reads, without markup
        kind: definition                   # we chose it
      - chapter: 09_learned_2048
        text: a mean of 100,000
        kind: citation                     # somebody else measured it
        key: szubert2014                   # in references.bib

No entry covers a time or a speed measured here: those stand in records.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

GAP = "\ufffc"
"""Stands where a role or a piece of code stood: not a space, so that text on its two sides does not join."""

TIME_UNITS = ("ms", "µs", "μs", "ns", "s", "seconds", "minutes", "hours")
COUNTED = ("nodes", "moves", "games", "leaves", "evaluations", "kB", "MB", "GB", "ppg")
UNITS = (*(unit for unit in TIME_UNITS if unit != "minutes"), *COUNTED)
"""Minutes are how long a chapter takes to read."""
CODE_DIRECTIVES = frozenset(
    {"code", "code-block", "code-cell", "sourcecode", "literalinclude", "eval-rst", "raw", "bibliography", "toctree"}
)
TARGET_DIRECTIVES = frozenset({"figure", "image", "include", "csv-table", "solution", "solution-start", "math"})
"""Directives whose argument is a file or a label; what they hold is prose."""

_NUMBER = r"\d+(?:[,\u202f\u2009]\d{3})*(?:\.\d+)?|\.\d+"
_FLAGGED = re.compile(rf"(?<![\w.,])({_NUMBER})(?!\d)(\s*%|[\s-]*(?:{'|'.join(UNITS)})\b|\s*×(?!\s*(?:\d|\w\b)))?")
_FACTOR = re.compile(r"(?<![^\s(])×(\d+)(?![\d.,]*\d)")
"""A bare "×" before a number that is no product; decimals and large numbers are flagged already."""
_TIMED = re.compile(rf"\d\s*(?:{'|'.join(TIME_UNITS)})\b|\d[\d,.]*\s*\w+(?:/| per )(?:s|second|ms|minute|hour)\b")


class Passage(NamedTuple):
    """A piece of prose: the page it stands on, where, and its text without markup."""

    page: str
    place: str
    text: str


class Bad(NamedTuple):
    """A number without a source."""

    passage: Passage
    number: str

    def __str__(self) -> str:
        start = max(self.passage.text.find(self.number) - 40, 0)
        around = self.passage.text[start : start + 100].replace(GAP, "…")
        return f"{self.passage.page} ({self.passage.place}): {self.number!r} in “{around}”"


class Given(NamedTuple):
    """What ``given.yml`` says."""

    entries: list[dict[str, str]]
    names: list[str]
    years: tuple[int, int]


@cache
def _parser() -> MarkdownIt:
    extensions = {"amsmath", "colon_fence", "deflist", "dollarmath", "tasklist"}
    return create_md_parser(MdParserConfig(enable_extensions=extensions), RendererHTML)


def prose(markdown: str) -> Iterator[str]:
    """Yield the text of each paragraph, cell, caption and formula of a piece of Markdown."""
    in_heading = False
    for token in _parser().parse(markdown):
        if token.type in ("heading_open", "heading_close"):
            in_heading = token.type == "heading_open"
        elif token.type == "inline" and not in_heading:
            yield plain(token.children or ())
        elif token.type in ("math_block", "math_block_label", "amsmath"):
            yield plain_math(token.content)
        elif token.type == "html_block":
            yield without_tags(token.content)
        elif token.type in ("fence", "colon_fence"):
            yield from _directive(token.info, token.content)


def plain(tokens: Sequence[Token]) -> str:
    """Return the text of a line of inline tokens; code and roles leave a `GAP`."""
    parts = []
    for token in tokens:
        if token.type in ("text", "text_special"):
            parts.append(token.content)
        elif token.type in ("math_inline", "math_inline_double"):
            parts.append(plain_math(token.content))
        elif token.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif token.type == "image":
            parts.append(plain(token.children or ()))
        elif token.type in ("code_inline", "myst_role"):
            parts.append(GAP)
    return re.sub(r"\s+", " ", without_tags("".join(parts))).strip()


def plain_math(formula: str) -> str:
    """Return a formula with the signs of numbers as prose writes them."""
    for tex, sign in ((r"{,}", ","), (r"\,", ""), (r"\%", "%"), (r"\times", "×"), ("\n", " ")):
        formula = formula.replace(tex, sign)
    return re.sub(r"\\text(?:rm)?\{([^}]*)\}", r"\1", formula).strip()


def without_tags(html: str) -> str:
    """Return what a reader sees of a piece of HTML."""
    return re.sub(r"<!--.*?-->|<[^>]*>", "", html, flags=re.DOTALL)


def _directive(info: str, content: str) -> Iterator[str]:
    match = re.match(r"\{([\w:-]+)\}\s*(.*)", info.strip())
    if match is None or match[1] in CODE_DIRECTIVES:
        return
    name, argument = match.groups()
    options = r"\A---\n(?:.*\n)*?---\n" if content.startswith("---\n") else r"\A(?::[\w-]+:.*\n)+"
    body = re.sub(options, "", content)
    if name not in TARGET_DIRECTIVES and ":" not in name:
        yield from prose(argument)
    if name == "math":
        yield plain_math(body)
    else:
        yield from prose(body)


def passages(path: Path) -> Iterator[Passage]:
    """Yield the prose of a ``.md`` page or of the Markdown cells of a notebook."""
    if path.suffix == ".md":
        for position, text in enumerate(prose(path.read_text(encoding="utf-8")), 1):
            yield Passage(path.stem, f"passage {position}", text)
    else:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        for index, cell in enumerate(cells, 1):
            texts = prose if cell["cell_type"] == "markdown" else alternatives
            for text in texts("".join(cell["source"])):
                yield Passage(path.stem, f"cell {index}", text)


def alternatives(code: str) -> Iterator[str]:
    """Yield what a cell writes, letter for letter, into an argument ``alt``: a screen reader reads it out."""
    plain_code = "\n".join(line for line in code.splitlines() if not line.startswith(("%", "!")))
    for node in ast.walk(ast.parse(plain_code)):
        if isinstance(node, ast.keyword) and node.arg == "alt":
            parts = list(ast.walk(node.value))
            specs = [p.format_spec for p in parts if isinstance(p, ast.FormattedValue) and p.format_spec]
            formats = [part for spec in specs for part in ast.walk(spec)]
            for part in parts:
                if isinstance(part, ast.Constant) and isinstance(part.value, str) and part not in formats:
                    yield part.value


def flagged(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and text of each number that needs a source."""
    for match in _FLAGGED.finditer(text):
        digits, unit = match.groups()
        whole = "." not in digits
        if unit or not whole or int(re.sub(r"\D", "", digits)) >= 100:
            yield match.start(1), match.end(1), match[0].strip()
    for match in _FACTOR.finditer(text):
        if int(match[1]) < 100:
            yield match.start(1), match.end(1), match[0]


def read_given(path: Path) -> Given:
    """Read ``given.yml``.

    Raises
    ------
    ValueError
        If an entry is incomplete, names no known kind, or covers a measured time or speed.
    """
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    entries = data["given"]
    for entry in entries:
        if {"chapter", "text", "kind"} - set(entry):
            raise ValueError(f"expected chapter, text and kind, got {entry!r}")
        if entry["kind"] not in ("definition", "citation"):
            raise ValueError(f"expected kind definition or citation, got {entry['kind']!r} in {entry!r}")
        if (entry["kind"] == "citation") != ("key" in entry):
            raise ValueError(f"expected a bibliography key with a citation and only there, got {entry!r}")
        if _TIMED.search(entry["text"]):
            raise ValueError(f"expected times and speeds to come from records, got {entry!r}")
    return Given(entries, [str(name) for name in data["names"]], tuple(data["years"]))


def check(texts: Iterable[Passage], given: Given) -> tuple[list[Bad], list[str]]:
    """Return the numbers without a source, and the entries and names of ``given`` that nothing uses."""
    bad: list[Bad] = []
    used: set[Any] = set()
    names = [(name, re.compile(rf"(?<![\w.,]){re.escape(name)}(?![\d]|[.,]\d)")) for name in given.names]
    for passage in texts:
        covered = [(m.span(), name) for name, pattern in names for m in pattern.finditer(passage.text)]
        covered += [
            (match.span(), index)
            for index, entry in enumerate(given.entries)
            if entry["chapter"] == passage.page
            for match in re.finditer(re.escape(entry["text"]), passage.text)
        ]
        for start, end, number in flagged(passage.text):
            sources = [source for (first, last), source in covered if first <= start and end <= last]
            if not number[-1].isdigit():  # "2048 games" are measured, whatever else is called 2048
                sources = [source for source in sources if source not in given.names]
            used.update(sources)
            if not sources and not _is_year(number, given.years):
                bad.append(Bad(passage, number))
    unused = [f"{e['chapter']}: {e['text']}" for index, e in enumerate(given.entries) if index not in used]
    return bad, unused + [name for name in given.names if name not in used]


def _is_year(number: str, years: tuple[int, int]) -> bool:
    return bool(re.fullmatch(r"\d{4}", number)) and years[0] <= int(number) <= years[1]


def record_references(path: Path) -> Iterator[str]:
    """Yield the content of every ``{record}`` role of a page."""
    if path.suffix == ".md":
        sources = [path.read_text(encoding="utf-8")]
    else:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    for source in sources:
        yield from re.findall(r"\{record\}`([^`]+)`", source)
