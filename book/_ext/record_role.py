"""The role ``{record}`` and the directive ``{experiments}``: figures of recorded experiments, read at build time.

``{record}`NAME.field:.2f``` prints a field (``expectimax_course.experiments.lookup`` says how fields are
named); the part after the colon is a Python format, and ``.0%`` gets the space that the book sets before its
percent signs. ``{record}`NAME.field:.2f with interval``` adds the 95 % interval and n of a measured result. A
field that does not exist stops the build.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective, SphinxRole

from expectimax_course.experiments import load, lookup
from expectimax_course.experiments.record import RecordError

DATA = Path(__file__).resolve().parents[1] / "_data"
WITH_INTERVAL = " with interval"


def show(value: Any, spec: str) -> str:
    """Return a value in a Python format, with a space before a percent sign."""
    return format(value, spec).replace("%", "\u202f%")


def render(reference: str, folder: Path = DATA) -> str:
    """Return the text of a role.

    Raises
    ------
    ValueError
        If the record or the field does not exist, or the format does not fit it.
    """
    field, _, spec = reference.partition(":")
    name, _, rest = field.partition(".")
    record = load(name, folder)
    if not spec.endswith(WITH_INTERVAL):
        return show(lookup(record, rest), spec)
    spec = spec.removesuffix(WITH_INTERVAL)
    mean, low, high = (show(lookup(record, part), spec) for part in (rest, f"{rest}.low", f"{rest}.high"))
    return f"{mean} (95\u202f% interval {low} to {high}, n = {lookup(record, f'{rest}.n'):,})"


class RecordRole(SphinxRole):
    """``{record}`NAME.field:format```."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the figure as text."""
        self.env.note_dependency(str(DATA / f"{self.text.partition('.')[0]}.json"))
        try:
            text = render(self.text)
        except ValueError as error:
            message = self.inliner.reporter.error(f"record {self.text!r}: {error}", line=self.lineno)
            return [self.inliner.problematic(self.rawtext, self.rawtext, message)], [message]
        return [nodes.inline(self.rawtext, text, classes=["record"])], []


class ExperimentsDirective(SphinxDirective):
    """``{experiments}``: the table of all records, one row each, with the command that makes it."""

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        rows = [["Experiment", "What it measures", "Seeds", "CPU", "Made on"]]
        for path in sorted(DATA.glob("*.json")):
            self.env.note_dependency(str(path))
            try:
                record = load(path.stem, DATA)
            except RecordError as error:
                raise self.error(f"{path.name}: {error}") from None
            seeds = ", ".join(f"{purpose} {seed}" for purpose, seed in record["seeds"].items())
            versions = f"Python {record['versions']['python']}, package {record['versions']['expectimax-course']}"
            seconds = f"{record['cpu_seconds']:,.0f} s"
            rows.append([record["name"], record["title"], seeds, seconds, f"{record['date']} with {versions}"])
        return [_table(rows)]


def _table(rows: list[list[str]]) -> nodes.table:
    group = nodes.tgroup(cols=len(rows[0]))
    group += [nodes.colspec(colwidth=max(map(len, column)) + 2) for column in zip(*rows, strict=True)]
    head, body = nodes.thead(), nodes.tbody()
    for index, cells in enumerate(rows):
        row = nodes.row()
        for column, cell in enumerate(cells):
            text = nodes.literal(text=cell) if index and column == 0 else nodes.Text(cell)
            row += nodes.entry("", nodes.paragraph("", "", text))
        (body if index else head).append(row)
    group += [head, body]
    return nodes.table("", group, classes=["experiments"])


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the role and the directive."""
    app.add_role("record", RecordRole())
    app.add_directive("experiments", ExperimentsDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
