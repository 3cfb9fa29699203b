"""The app with two advisers: the network's values are the package's, its weights are shown, its strength is said."""

from __future__ import annotations

from typing import Any

import pytest
from pages import Element, read, value_of

from expectimax_course.apps import game2048, learned_2048
from expectimax_course.apps._advice_2048 import decode, encode
from expectimax_course.game import Player
from expectimax_course.game2048.evaluate import FITTED
from expectimax_course.game2048.net import load_net
from expectimax_course.game2048.rules import ACTIONS, Game2048, State, slide
from expectimax_course.search.expectimax import expectimax

BOARD = ((4, 8, 16, 64), (2, 4, 8, 16), (2, 2, 0, 4), (0, 2, 0, 0))


def send(state: Any, *events: Any, student: Any = None) -> Any:
    for event in events:
        name, value = event if isinstance(event, tuple) else (event, None)
        state = learned_2048.update(state, {"name": name, "value": value}, student)
    return state


def on(board: Any, **settings: Any) -> Any:
    return {**learned_2048.init(**settings), "board": encode(board)}


def shown(state: Any) -> Element:
    return read(learned_2048.view(state))


def advice(state: Any) -> dict[str, list[str]]:
    """The advice table by its first column."""
    table = next(t for t in shown(state).all("table") if "the best slide" in t.all("caption")[0].text)
    return {r.all("th")[0].text: [c.text for c in r.all("td")] for r in table.all("tbody")[0].all("tr")}


def test_both_advisers_say_what_the_packages_search_says() -> None:
    told = advice(send(on(BOARD), "advise"))
    columns = [(1, load_net("small"), True, 0.0), (2, load_net("small"), True, 0.0)]
    columns += [(depth, FITTED, False, FITTED.lost) for depth in (1, 2)]
    for column, (depth, evaluate, rewards, lost) in enumerate(columns):
        game = Game2048(terminal_utility=lost)
        result = expectimax(game, State(BOARD, Player.MAX), depth, evaluate, use_rewards=rewards)
        assert told["evaluations"][column] == f"{result.evaluations:,}"
        for action, (value, _) in result.action_values.items():
            cell = told[action][column]
            assert ("★" in cell) == (action == result.action)
            assert value_of(cell.lstrip("★ \u00a0").replace(",", "")) == pytest.approx(value, abs=0.51)


def test_the_network_plays_its_own_best_slide_on_the_spawns_of_the_other_app() -> None:
    state = send(learned_2048.init(depth=1, batch=1), "play")
    start = decode(learned_2048.init()["board"])
    net = load_net("small")
    worth = {a: slide(start, a)[1] + net.value(slide(start, a)[0]) for a in ACTIONS if slide(start, a)[0] != start}
    best = max(worth, key=lambda a: worth[a])
    assert state["board"] == game2048.update(game2048.init(), {"name": best})["board"]


def test_advice_is_gone_after_a_slide_and_stays_while_the_picture_changes() -> None:
    state = send(on(BOARD), "advise")
    assert send(state, ("table", "2"), ("batch", "1"))["both"] == state["both"]
    assert send(state, "left")["both"] is None
    assert send(state, ("depth", "1"))["both"] is None


def test_the_weights_are_those_that_the_network_reads_on_this_board() -> None:
    net = load_net("small")
    for table in range(4):
        state = send(on(BOARD), ("table", str(table)))
        cells = [BOARD[c // 4][c % 4] for c in net.tuples[table]]
        weight = net.step * net.weights[net.indices(BOARD)[table]]
        words = (
            f"reads {', '.join(str(tile or 'empty') for tile in cells)} on the board as it stands, and adds {weight:g},"
        )
        assert words.replace("-", "−") in shown(state).text
        marked = [c for c in shown(state).all("td") if "outline" in (c.attributes.get("style") or "")]
        assert len(marked) == 1


def test_the_app_says_which_network_it_shows_and_how_strong_it_is() -> None:
    text = shown(learned_2048.init(strength="On 1,000 games it scored so much.")).text
    assert "the small one: 4 tuples of four cells" in text
    assert "On 1,000 games it scored so much." in text
    state = send(learned_2048.init(strength="So strong."), "play", "reset")
    assert state == learned_2048.init(strength="So strong.")


def test_a_students_slide_values_are_held_against_the_network() -> None:
    def right(board: Any, value: Any) -> Any:
        slides = {a: slide(board, a) for a in ACTIONS}
        return {a: reward + value(after) for a, (after, reward) in slides.items() if after != board}

    def blind(board: Any, value: Any) -> Any:
        return {a: value(slide(board, a)[0]) for a in ACTIONS if slide(board, a)[0] != board}

    state = on(((2, 2, 0, 0), (0,) * 4, (0,) * 4, (0, 0, 0, 4)), exercise=True)
    assert "of every slide what the network says" in shown(send(state, "look", student=right)).text
    assert "Your function says" in shown(send(state, "look", student=blind)).text
    for answer in (5, {"left": "much"}, {"left": 10**400}):
        said = shown(send(state, "look", student=lambda *_, a=answer: a)).text
        assert f"Your function returned {answer!r:.60}: expected a dictionary of slides" in said


def test_a_board_beyond_the_pictures_tiles_is_shown_at_its_edge() -> None:
    assert "2nd →" in shown(on(((8192, 4096, 2, 2), (0,) * 4, (0,) * 4, (0,) * 4))).text


def test_no_advice_when_the_game_is_over() -> None:
    over = on(((2, 4, 2, 4), (4, 2, 4, 2), (2, 4, 2, 4), (4, 2, 4, 2)))
    assert send(over, "advise")["both"] is None
