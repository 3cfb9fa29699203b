"""What happens to the HTML of one finished page: first frames for its apps, and nothing from other hosts."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from expectimax_course.apps import _protocol as protocol

MOST_FRAMES = 16
"""An app's first view may offer more controls than this; the later ones wait for Python."""

MOST_CHARACTERS = 50_000
"""Nor do one app's frames take more of the page than this; a tenth of it once compressed."""

_APP = re.compile(r'data-liveapp="([^"]+)"')
_THEBE = re.compile(r'<script type="text/x-thebe-config">.*?</script>\s*<script>kernelName = [^<]*</script>', re.S)
_LOADS = {
    **dict.fromkeys(("script", "img", "iframe", "embed", "audio", "source", "track", "input"), ("src", "srcset")),
    "link": ("href", "imagesrcset"),
    "video": ("src", "poster"),
    "object": ("data",),
    **dict.fromkeys(("image", "use", "feimage"), ("href", "xlink:href")),
}
_QUIET_LINKS = {"canonical", "search", "index", "next", "prev", "author", "license"}
_CSS_ADDRESS = re.compile(r"(?:url\(|@import)\s*['\"]?((?:https?:)?//[^'\")\s]+)")
_IMPORT = re.compile(r"\bimport\b[^;'\"]*['\"]((?:https?:)?//[^'\"\s]+)")


def without_thebe(body: str) -> str:
    """Drop the settings of Thebe, which would send the reader's code to another host."""
    return _THEBE.sub("", body)


class _Controls(HTMLParser):
    """Collects the events that one click or key on a view can send."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[protocol.Event] = []
        self.choices: list[protocol.Event] = []
        self._select: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        name = given.get("data-event")
        for pair in (given.get("data-keys") or "").split():
            self._add(pair.partition("=")[2], None)
        if tag == "select":
            self._select = name
        elif tag == "option" and self._select and "selected" not in given:
            self.choices.append({"name": self._select, "value": given.get("value")})
        elif tag == "input" and name:
            if given.get("type") == "checkbox":
                self._add(name, "checked" not in given)
            elif given.get("type") == "radio" and "checked" not in given:
                self._add(name, given.get("value"))
        elif tag != "textarea" and name and given.get("aria-disabled") != "true":
            self._add(name, given.get("data-value"))

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = None

    def _add(self, name: str, value: str | bool | None) -> None:
        event = {"name": name, "value": value}
        if event not in self.events:
            self.events.append(event)


def first_events(view: str) -> list[protocol.Event]:
    """Return the first `MOST_FRAMES` events that one click or key can send; choices from lists come last."""
    parser = _Controls()
    parser.feed(view)
    return [*parser.events, *parser.choices][:MOST_FRAMES]


def frames(data: dict[str, Any]) -> dict[str, dict[str, str]]:
    """Return the app's answers to its first events, by event, as the page's script looks them up."""
    app, state = protocol.load(data["app"]), data["state"]
    answers: dict[str, dict[str, str]] = {}
    size = 0
    for event in first_events(app.view(json.loads(state))):
        key = json.dumps([event["name"], event["value"]], separators=(",", ":"), ensure_ascii=False)
        request = json.dumps({"app": data["app"], "state": state, "event": event})
        answer = protocol.answer(request)
        size += len(answer)
        if size > MOST_CHARACTERS:
            break
        answers[key] = json.loads(answer)
    return answers


def with_frames(body: str) -> str:
    """Store the first frames beside every app of the page, so that the first click need not wait for Python."""

    def add(match: re.Match[str]) -> str:
        stored = json.dumps(frames(json.loads(html.unescape(match[1]))), ensure_ascii=False)
        return f'{match[0]} data-frames="{html.escape(stored)}"'

    return _APP.sub(add, body)


class _Loads(HTMLParser):
    """Collects the addresses that a browser fetches by itself when it opens a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "link" and _QUIET_LINKS & set((given.get("rel") or "").split()):
            return
        for name in _LOADS.get(tag, ()):
            value = given.get(name) or ""
            addresses = [part.split()[0] for part in value.split(",") if part.strip()] if "srcset" in name else [value]
            self.found.extend(address for address in addresses if re.match(r"\s*(?:https?:)?//", address, re.I))
        self.found.extend(_CSS_ADDRESS.findall(given.get("style") or ""))

    def handle_data(self, data: str) -> None:
        if self.cdata_elem:  # the text of a <style> or <script>
            self.found.extend((_CSS_ADDRESS if self.cdata_elem == "style" else _IMPORT).findall(data))


def foreign_addresses(site: Path) -> Iterator[tuple[Path, str]]:
    """Yield (file, address) for whatever the markup and the styles of a built site fetch from another host.

    Scripts are read for modules that a page imports in its own text; whatever else they may fetch is seen by the
    browser test that opens every page (``tests/browser/test_hosts.py``).
    """
    for path in sorted(site.rglob("*.html")):
        parser = _Loads()
        parser.feed(path.read_text("utf8"))
        yield from ((path, found) for found in parser.found)
    for path in sorted(site.rglob("*.css")):
        yield from ((path, found) for found in _CSS_ADDRESS.findall(path.read_text("utf8")))
