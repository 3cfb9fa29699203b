"""A finger that moves over the board of 2048 slides it, and the page stays where it is."""

from __future__ import annotations

from driving import attribute, open_page, wait
from serving import StartBrowser

PAGE = "book/06_game_2048.html"
SAID = "return document.querySelector('.ec-app [role=status]').textContent"


def touch(browser, kind: str, *points: dict[str, float]) -> None:
    browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})


def test_a_swipe_is_the_slide_of_its_direction(start_browser: StartBrowser, address: str) -> None:
    browser = start_browser(width=360, height=740)
    open_page(browser, f"{address}/{PAGE}")
    x, y = browser.execute_script(
        """
        const board = document.querySelector("[data-swipe]");
        board.scrollIntoView({ block: "center" });
        const { left, top, width, height } = board.getBoundingClientRect();
        return [left + width / 2, top + height / 2];
        """
    )
    scrolled = browser.execute_script("return scrollY")
    for answers, (name, dx, dy) in enumerate(
        (("Left", -80, 5), ("Down", 5, 80), ("Right", 80, -5), ("Up", -5, -80)), 1
    ):
        touch(browser, "touchStart", {"x": x, "y": y})
        touch(browser, "touchMove", {"x": x + dx / 2, "y": y + dy / 2})
        touch(browser, "touchMove", {"x": x + dx, "y": y + dy})
        touch(browser, "touchEnd")
        wait(browser, "return document.querySelector('.ec-app').dataset.answers === arguments[0]", str(answers))
        assert name in browser.execute_script(SAID)
    assert browser.execute_script("return scrollY") == scrolled
    touch(browser, "touchStart", {"x": x, "y": y})
    touch(browser, "touchMove", {"x": x + 8, "y": y})
    touch(browser, "touchEnd")
    assert attribute(browser, 0, "data-answers") == "4"  # a tap that trembles is no swipe


def test_a_phone_shows_below_the_board_what_the_app_waits_for(start_browser: StartBrowser, address: str) -> None:
    """The app's last line lies below the screen; while it says something to wait for, it stays in sight."""
    browser = start_browser(width=360, height=740)
    open_page(browser, f"{address}/{PAGE}")
    browser.execute_script(
        """
        document.querySelector("[data-swipe]").scrollIntoView({ block: "center" });
        for (const name of ["Left", "Down"])
          [...document.querySelectorAll(".ec-app button")].find((button) => button.textContent === name).click();
        """
    )
    said, bottom, height = wait(
        browser,
        """
        const line = document.querySelector(".ec-app .ec-app-status");
        return line.textContent && [line.textContent, line.getBoundingClientRect().bottom, innerHeight];
        """,
    )
    assert "Python is starting" in said
    assert 0 < bottom <= height
