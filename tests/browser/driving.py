"""What a reader does to an app, for the tests."""

from __future__ import annotations

import time
from typing import Any

from selenium import webdriver

Browser = webdriver.Chrome

_FIND = "const app = document.querySelectorAll('.ec-app[data-live]')[arguments[0]];"


def wait(browser: Browser, script: str, *arguments: Any, seconds: float = 30, pause: float = 0.02) -> Any:
    """Return the first true value of a JavaScript expression.

    Raises
    ------
    AssertionError
        If there is none in time.
    """
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := browser.execute_script(script, *arguments):
            return value
        time.sleep(pause)
    raise AssertionError(f"expected a true value within {seconds} s from {script!r}")


def open_page(browser: Browser, address: str) -> int:
    """Open a page and return how many apps live on it, once they do."""
    browser.get(address)
    wait(browser, "return document.readyState === 'complete'")
    wanted = browser.execute_script("return document.querySelectorAll('[data-liveapp]').length")
    wait(browser, "return document.querySelectorAll('.ec-app[data-live]').length === arguments[0]", wanted)
    return int(wanted)


def attribute(browser: Browser, index: int, name: str) -> str | None:
    """Return an attribute of an app."""
    value: str | None = browser.execute_script(f"{_FIND} return app.getAttribute(arguments[1])", index, name)
    return value


_IDLE = f"{_FIND} return app.querySelector('.ec-app-view').ariaBusy === null"


def is_idle(browser: Browser, index: int) -> bool:
    """Say whether an app waits for nothing."""
    return bool(browser.execute_script(_IDLE, index))


def idle(browser: Browser, index: int) -> None:
    """Wait until an app waits for nothing."""
    wait(browser, _IDLE, index)


def text(browser: Browser, index: int) -> str:
    """Return what an app's view says."""
    value: str = browser.execute_script(f"{_FIND} return app.querySelector('.ec-app-view').textContent", index)
    return value


def status(browser: Browser, index: int) -> str:
    """Return an app's status line."""
    value: str = browser.execute_script(f"{_FIND} return app.querySelector('.ec-app-status').textContent", index)
    return value


def send(browser: Browser, index: int, name: str, value: str | None = None) -> float:
    """Click a control of an app, wait for the answer, return the seconds in between, as the page measures them.

    The click lands on a stand-in below the app's view, so that any event can be sent from any state.
    """
    took = browser.execute_async_script(
        _FIND
        + """
        const done = arguments[arguments.length - 1];
        const before = app.dataset.answers, start = performance.now();
        const button = document.createElement("button");
        button.dataset.event = arguments[1];
        if (arguments[2] !== null) button.dataset.value = arguments[2];
        new MutationObserver((_, watch) => {
          if (app.dataset.answers === before) return;
          watch.disconnect();
          done(performance.now() - start);
        }).observe(app, { attributes: true });
        app.append(button);
        button.click();
        button.remove();
        """,
        index,
        name,
        value,
    )
    return float(took) / 1000
