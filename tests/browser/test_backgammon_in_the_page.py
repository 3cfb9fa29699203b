"""The network plays in the page itself: on the standard library, quickly, by taps on the board of a phone."""

from __future__ import annotations

import statistics
from collections.abc import Iterator

import pytest
from driving import Browser, attribute, open_page, send, text, wait
from serving import StartBrowser

from expectimax_course.backgammon.notation import parse_position_id, parse_roll
from expectimax_course.backgammon.rules import plays

START = "4HPwATDgc/ABMA"
MIDDLE = "0s7gAQPBu4UBMA"
TWENTY_PLAYS = ("21", "31", "42", "43", "51", "52", "53", "62", "64", "65")
"""Rolls with 20 to 25 plays in the position `MIDDLE`."""


@pytest.fixture(scope="module")
def phone(start_browser: StartBrowser, address: str) -> Iterator[Browser]:
    browser = start_browser(width=360, height=740)
    open_page(browser, f"{address}/book/10_td_gammon.html")
    send(browser, 0, "position", START)
    yield browser
    browser.quit()


def test_twenty_plays_are_valued_within_a_third_of_a_second(phone: Browser) -> None:
    own, other = parse_position_id(MIDDLE)
    send(phone, 0, "position", MIDDLE)
    took = []
    for roll in TWENTY_PLAYS:
        assert len(plays(own, other, parse_roll(roll))) >= 20
        send(phone, 0, "roll", roll)
        took.append(send(phone, 0, "advise"))
        assert attribute(phone, 0, "data-answered-by") == "python"
        assert "★" in text(phone, 0)
    print(f"advice for 20 plays or more: median {1000 * statistics.median(took):.0f} ms")
    assert statistics.median(took) <= 0.3


def test_one_decision_deeper_is_searched_while_the_reader_waits(phone: Browser) -> None:
    send(phone, 0, "position", START)
    send(phone, 0, "roll", "31")
    took = send(phone, 0, "deeper")
    print(f"three plays, one decision deeper: {took:.1f} s")
    assert "2-ply" in text(phone, 0)
    assert took <= 15


def test_a_play_is_made_by_taps_on_the_board(phone: Browser) -> None:
    send(phone, 0, "position", START)
    send(phone, 0, "roll", "31")
    for point, left in (("8", 1), ("6", 0)):
        phone.execute_script(
            "document.querySelector(`.ec-app [data-event=from][data-value='${arguments[0]}'] rect`)"
            ".dispatchEvent(new MouseEvent('click', {bubbles: true}))",
            point,
        )
        wait(phone, "return document.querySelectorAll('.ec-app svg [opacity=\"1.0\"]').length === arguments[0]", left)
    assert "8/5 6/5" in phone.execute_script(
        "return document.querySelector('.ec-app select[data-event=play]').selectedOptions[0].textContent"
    )
    send(phone, 0, "end")
    assert "You played 8/5 6/5" in text(phone, 0)


def test_the_board_fits_the_phone(phone: Browser) -> None:
    width = phone.execute_script("return document.querySelector('.ec-app svg').getBoundingClientRect().width")
    assert 250 < width <= 340
    assert phone.execute_script("return document.documentElement.scrollWidth") <= 360
