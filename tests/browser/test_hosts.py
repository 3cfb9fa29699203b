"""The published pages ask no other host for anything, and read well straight from a disk."""

from __future__ import annotations

import http.server
import json
import threading
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from apps import Browser, attribute, open_page, send, wait
from serving import StartBrowser

OF_CHROMIUM = ("google.com:443", "googleapis.com:443", "gvt1.com:443")
"""Whom Chromium asks on its own account. Were it a page, the browser's log would show it."""


class Recorder(http.server.BaseHTTPRequestHandler):
    """A proxy that grants nothing and notes who was asked for."""

    asked: list[str]

    def _refuse(self) -> None:
        self.asked.append(self.path)
        self.send_error(403)

    do_GET = do_POST = do_CONNECT = do_HEAD = _refuse

    def log_message(self, *_: object) -> None:
        """Stay silent."""


def requested(browser: Browser) -> set[str]:
    """Return the addresses that pages asked for since the last call."""
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    sent = [event["params"] for event in events if event["method"] == "Network.requestWillBeSent"]
    return {event["request"]["url"] for event in sent if event["documentURL"].startswith(("http:", "file:"))}


def test_no_page_asks_another_host_for_anything(
    start_browser: StartBrowser, address: str, pages: list[str], app_pages: list[str]
) -> None:
    """The browser's log sees what the pages load, the proxy also what their workers load."""
    asked: list[str] = []
    handler = type("SiteRecorder", (Recorder,), {"asked": asked})
    proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    browser = start_browser(
        f"--proxy-server=127.0.0.1:{proxy.server_port}", f"--proxy-bypass-list=127.0.0.1:{urlsplit(address).port}"
    )
    foreign = set()
    for page in pages:
        browser.get(f"{address}/{page}")
        wait(browser, "return document.readyState === 'complete'")
        foreign |= {url for url in requested(browser) if not url.startswith((f"{address}/", "data:", "blob:"))}
    open_page(browser, f"{address}/{app_pages[0]}")
    send(browser, 0, "an event that no frame holds")
    assert attribute(browser, 0, "data-answered-by") == "python"
    proxy.shutdown()
    assert len(pages) > 5
    assert not foreign
    assert not [host for host in asked if not host.endswith(OF_CHROMIUM)]


def test_the_test_above_would_see_another_host(start_browser: StartBrowser, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text('<img src="http://other.invalid/dot.png">')
    browser = start_browser()
    browser.get(page.as_uri())
    assert "http://other.invalid/dot.png" in requested(browser)


@pytest.fixture(scope="module")
def from_disk(start_browser: StartBrowser) -> Browser:
    return start_browser()


def test_over_file_the_text_maths_figures_and_first_views_are_there(
    from_disk: Browser, site: Path, app_pages: list[str]
) -> None:
    seen_maths = seen_figures = 0
    for page in app_pages:
        from_disk.get((site / page).as_uri())
        wait(from_disk, "return document.readyState === 'complete'")
        formulas = len(from_disk.find_elements("css selector", ".math"))
        wait(from_disk, "return document.querySelectorAll('.math mjx-container').length >= arguments[0]", formulas)
        seen_maths += formulas
        figures = from_disk.execute_script(
            "return [...document.querySelectorAll('article img')].map(image => image.naturalWidth)"
        )
        assert all(width > 0 for width in figures), page
        seen_figures += len(figures)
        assert from_disk.execute_script("return document.querySelector('article').innerText.length") > 2000
        for view in from_disk.find_elements("css selector", ".ec-app-view"):
            assert view.size["height"] > 40, page
        for line in from_disk.find_elements("css selector", ".ec-app-status"):
            assert "What you see is the app's first view." in line.get_attribute("textContent")
    assert seen_maths > 10
    assert seen_figures + len(app_pages) > 0
