"""The apps by keyboard alone, for screen readers, and on a phone."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from driving import Browser, attribute, is_idle, open_page
from missing import skip_or_fail
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from serving import StartBrowser, set_screen

AXE = Path(__file__).resolve().parents[2] / "node_modules" / "axe-core" / "axe.min.js"
FOCUSED = """
const element = document.activeElement, app = element.closest('.ec-app');
return app && {
  index: [...document.querySelectorAll('.ec-app[data-live]')].indexOf(app),
  name: element.dataset.event ?? null,
  kind: element.type ?? element.nodeName,
  keys: element.dataset.keys ?? null,
  last: element.options ? element.selectedIndex === element.options.length - 1 : element.value === element.max,
  disabled: element.getAttribute('aria-disabled') === 'true',
};
"""


KINDS = """
const app = document.querySelectorAll('.ec-app[data-live]')[arguments[0]];
return [...app.querySelectorAll('[data-event], [data-keys]')]
  .filter((e) => e.tabIndex >= 0 && e.checkVisibility() && e.getAttribute('aria-disabled') !== 'true')
  .map((e) => e.type ?? e.nodeName);
"""


def press(browser: Browser, key: str) -> None:
    ActionChains(browser).send_keys(key).perform()


def answers(browser: Browser, index: int) -> int:
    return int(attribute(browser, index, "data-answers") or 0)


def answered(browser: Browser, index: int, before: int) -> bool:
    """Wait for an app's next answer; say whether it came."""
    for _ in range(200):
        if answers(browser, index) > before and is_idle(browser, index):
            return True
        time.sleep(0.05)
    return False


def key_for(focus: dict[str, Any]) -> str | None:
    """Return a key that a reader would try on the control in focus."""
    if focus["keys"]:
        return getattr(Keys, focus["keys"].split("=")[0].replace("Arrow", "ARROW_").upper())
    if not focus["name"] or focus["disabled"]:
        return None
    if focus["kind"] in {"range", "number"}:
        return Keys.ARROW_LEFT if focus["last"] else Keys.ARROW_RIGHT
    if focus["kind"] == "select-one":
        return Keys.ARROW_UP if focus["last"] else Keys.ARROW_DOWN
    return "1" if focus["kind"] in {"text", "textarea"} else Keys.SPACE


def test_every_app_is_driven_by_keyboard_alone(browser: Browser, address: str, app_pages: list[str]) -> None:
    """Tab reaches one control of each kind that an app shows first; it answers a key and keeps the focus."""
    for page in app_pages:
        count = open_page(browser, f"{address}/{page}")
        for index in range(count):
            browser.execute_script(
                """
                const start = document.createElement('span'), app = document.querySelectorAll('.ec-app[data-live]');
                start.tabIndex = -1;
                app[arguments[0]].before(start);
                start.focus();
                """,
                index,
            )
            tried: set[str] = set()
            kinds = set(browser.execute_script(KINDS, index))
            for _ in range(80):
                press(browser, Keys.TAB)
                focus = browser.execute_script(FOCUSED)
                if not focus or focus["index"] != index:
                    break
                key = key_for(focus)
                if key is None or str(focus["kind"]) in tried:
                    continue
                before = answers(browser, index)
                press(browser, key)
                assert answered(browser, index, before), f"{page}: no answer to {key!r} on {focus}"
                after = browser.execute_script(FOCUSED)
                assert after, (page, focus)
                assert after["index"] == index, (page, focus)
                tried.add(str(focus["kind"]))
                if tried >= kinds:
                    break
            assert tried >= kinds > set(), f"not reached in app {index} of {page}: {kinds - tried}"


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (1280, "dark"), (360, "light")])
def test_axe_finds_nothing_serious_inside_the_apps(
    browser: Browser, address: str, app_pages: list[str], width: int, theme: str
) -> None:
    if not AXE.is_file():
        skip_or_fail("node_modules/axe-core is missing")
    set_screen(browser, width, 740 if width < 600 else 900)
    found = []
    for page in app_pages:
        open_page(browser, f"{address}/{page}")
        browser.execute_script("document.documentElement.dataset.theme = arguments[0]", theme)
        browser.execute_script(AXE.read_text("utf8"))
        result = browser.execute_async_script(
            "axe.run({include: ['.ec-app']}, {resultTypes: ['violations']}).then(arguments[arguments.length - 1])"
        )
        assert result["passes"], page
        found += [
            f"{page}: {fault['id']} at {fault['nodes'][0]['target']}: {fault['nodes'][0]['failureSummary']}"
            for fault in result["violations"]
            if fault["impact"] in {"serious", "critical"}
        ]
    set_screen(browser, 1280, 900)
    assert not found, "\n".join(found)


def test_on_a_phone_the_first_screen_holds_the_question_and_something_to_do(
    start_browser: StartBrowser, address: str, app_pages: list[str]
) -> None:
    """At 360 × 740, without scrolling: the chapter's title, its first sentence, and a usable control."""
    browser = start_browser(width=360, height=740)
    for page in app_pages:
        if not page.startswith("book/"):
            continue
        open_page(browser, f"{address}/{page}")
        visible, wide = browser.execute_script(
            """
            const inside = (element) => {
              const box = element.getBoundingClientRect();
              return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight && box.right <= innerWidth + 1;
            };
            const some = (selector) => [...document.querySelectorAll('article ' + selector)].some(inside);
            return [
              [some('h1'), some('p'), some('.ec-app [data-event]')],
              document.documentElement.scrollWidth > innerWidth + 1,
            ];
            """
        )
        assert visible == [True, True, True], page
        assert not wide, f"{page} scrolls sideways"
