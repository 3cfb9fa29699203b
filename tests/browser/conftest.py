"""One site for all browser tests, served from this process, and Chromium on a fresh profile."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from missing import skip_or_fail
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from serving import StartBrowser, serve, set_screen

ROOT = Path(__file__).resolve().parents[2]
FLAGS = [
    "--headless=new",
    "--force-prefers-reduced-motion",  # else axe may look at a colour half way to another
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-features=OptimizationHints,MediaRouter",
    "--hide-scrollbars",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test of this folder drives a browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def site() -> Path:
    """Build the site from the outputs stored in the notebooks, which nbval compares with fresh ones.

    EXPECTIMAX_SITE=_build/html tests a site that is built already.
    """
    if built := os.environ.get("EXPECTIMAX_SITE"):
        return ROOT / built
    if not (ROOT / "node_modules" / "pyodide").is_dir():
        skip_or_fail("node_modules is missing: run `make book` once")
    out = ROOT / "_build" / "test"
    shutil.rmtree(out / "_build" / "html", ignore_errors=True)
    command = [Path(sys.executable).with_name("jupyter-book"), "build", ".", "--path-output", str(out), "--quiet"]
    run = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "BOOK_EXECUTE": "0"}, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return out / "_build" / "html"


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """The address of the served site."""
    server = serve(site)
    yield server.address
    server.shutdown()


@pytest.fixture(scope="session")
def start_browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartBrowser]:
    """Start Chromium on a fresh profile: ``start_browser(width=…, height=…, *flags)``."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        skip_or_fail("Chromium or its driver is missing")
    running: list[webdriver.Chrome] = []

    def start(*flags: str, width: int = 1280, height: int = 900) -> webdriver.Chrome:
        options = webdriver.ChromeOptions()
        options.binary_location = chromium
        options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
        profile = tmp_path_factory.mktemp("profile")
        for flag in [*FLAGS, f"--user-data-dir={profile}", *flags]:
            options.add_argument(flag)
        browser = webdriver.Chrome(options=options, service=Service(driver))
        running.append(browser)
        browser.set_script_timeout(60)
        set_screen(browser, width, height)
        return browser

    yield start
    for browser in running:
        if browser.service.process and browser.service.process.poll() is None:
            browser.quit()


@pytest.fixture(scope="module")
def browser(start_browser: StartBrowser) -> Iterator[webdriver.Chrome]:
    """One browser for all tests of a module."""
    driver = start_browser()
    yield driver
    driver.quit()


@pytest.fixture(scope="session")
def pages(site: Path) -> list[str]:
    """Every page of the site, as paths below its root."""
    return sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html") if "_static" not in path.parts)


@pytest.fixture(scope="session")
def app_pages(site: Path, pages: list[str]) -> list[str]:
    """The pages that hold a live app."""
    return [page for page in pages if "data-liveapp=" in (site / page).read_text("utf8")]
