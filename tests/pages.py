"""A strict reader of the HTML that pictures and apps write: it finds what a browser would silently mend."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"input", "br", "hr", "img"}


@dataclass(eq=False)
class Element:
    """An element with its attributes, its children and the text inside it."""

    name: str
    attributes: dict[str, str | None]
    parent: Element | None = None
    children: list[Element] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    def all(self, *names: str) -> list[Element]:
        """Every element below with one of these names, in document order."""
        found = [self] if self.name in names or not names else []
        return found + [e for child in self.children for e in child.all(*names)]

    @property
    def text(self) -> str:
        """All text inside, spaces collapsed."""
        return " ".join("".join(self.words).split())

    def inside(self, name: str) -> Element | None:
        """The nearest element around this one with that name."""
        around = self.parent
        while around is not None and around.name != name:
            around = around.parent
        return around


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("root", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attributes]
        assert len(names) == len(set(names)), f"an attribute twice in <{tag} {names}>"
        element = Element(tag, dict(attributes), self.open[-1])
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].name == tag, f"</{tag}> closes <{self.open[-1].name}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.words.append(data)


def read(markup: str) -> Element:
    """Return the root of well-formed markup.

    Raises
    ------
    AssertionError
        If a tag is not closed in order, an attribute stands twice, or a bare < or & stands in the text.
    """
    reader = _Reader()
    reader.feed(markup)
    reader.close()
    assert [e.name for e in reader.open] == ["root"], f"not closed: {[e.name for e in reader.open]}"
    return reader.root


def accessible_name(element: Element) -> str:
    """Return the name a screen reader says for a control or picture."""
    label = element.inside("label")
    return element.attributes.get("aria-label") or element.text or (label.text if label else "")


def value_of(text: str) -> float:
    """Return the number that a cell shows, with its true minus sign."""
    return float(text.replace("−", "-").replace(",", ""))
