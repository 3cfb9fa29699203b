"""The published pages ask no other host for anything, and read well straight from a disk."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from driving import Browser, attribute, open_page, send, wait
from serving import StartBrowser, serve


def requested(browser: Browser) -> set[str]:
    """Return the addresses that pages asked for since the last call."""
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    sent = [event["params"] for event in events if event["method"] == "Network.requestWillBeSent"]
    return {event["request"]["url"] for event in sent if event["documentURL"].startswith(("http:", "file:"))}


def test_no_page_asks_another_host_for_anything(
    start_browser: StartBrowser, site: Path, pages: list[str], app_pages: list[str]
) -> None:
    """The browser's log sees what the pages load, the server's policy also what their workers load."""
    server = serve(site)
    browser = start_browser()
    foreign = set()
    for page in pages:
        browser.get(f"{server.address}/{page}")
        wait(browser, "return document.readyState === 'complete'")
        foreign |= {url for url in requested(browser) if not url.startswith((server.address, "data:", "blob:"))}
    open_page(browser, f"{server.address}/{app_pages[0]}")
    send(browser, 0, "an event that no frame holds")
    assert attribute(browser, 0, "data-answered-by") == "python"
    server.shutdown()
    assert len(pages) > 5
    assert not foreign
    assert not server.reports


def test_the_test_above_would_see_another_host(start_browser: StartBrowser, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(
        '<img src="http://image.invalid/dot.png"><script>new Worker("worker.js", { type: "module" })</script>'
    )
    (tmp_path / "worker.js").write_text('fetch("http://worker.invalid/")')
    server = serve(tmp_path)
    browser = start_browser()
    browser.get(f"{server.address}/page.html")
    end = time.monotonic() + 20
    while len(server.reports) < 2 and time.monotonic() < end:
        time.sleep(0.1)
    server.shutdown()
    assert "http://image.invalid/dot.png" in requested(browser)
    assert sorted(host for host in ["image.invalid", "worker.invalid"] if host in "".join(server.reports)) == [
        "image.invalid",
        "worker.invalid",
    ]


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
            "return [...document.querySelectorAll('article img, article svg.ec-picture')]"
            ".filter((figure) => !figure.closest('details:not([open])'))"
            ".map((figure) => figure.getBoundingClientRect().height * (figure.naturalWidth ?? 1))"
        )
        assert all(size > 20 for size in figures), page
        seen_figures += len(figures)
        assert from_disk.execute_script("return document.querySelector('article').innerText.length") > 2000
        for view in from_disk.find_elements("css selector", ".ec-app-view"):
            assert view.size["height"] > 40, page
        for line in from_disk.find_elements("css selector", ".ec-app-status"):
            assert "What you see is the app's first view." in line.get_attribute("textContent")
    assert seen_maths > 10
    assert seen_figures > len(app_pages)
