"""The 2048 app plays by the rules, asks the package's own search, and meets the spawns of every game on its seed."""

from __future__ import annotations

from typing import Any

import pytest
from pages import Element, read, value_of

from expectimax_course.apps import game2048
from expectimax_course.apps._advice_2048 import EVALUATIONS, decode, encode
from expectimax_course.game import Player
from expectimax_course.game2048.evaluate import article
from expectimax_course.game2048.rules import ACTIONS, Game2048, State, slide, slide_row
from expectimax_course.play import play_game
from expectimax_course.search.expectimax import expectimax

LAST_MOVE = ((2, 4, 2, 4), (4, 2, 4, 2), (2, 4, 2, 4), (8, 2, 16, 16))


def send(state: Any, *events: Any, student: Any = None) -> Any:
    for event in events:
        name, value = event if isinstance(event, tuple) else (event, None)
        state = game2048.update(state, {"name": name, "value": value}, student)
    return state


def on(board: Any, **settings: Any) -> Any:
    return {**game2048.init(**settings), "board": encode(board)}


def shown(state: Any) -> Element:
    return read(game2048.view(state))


def advice(state: Any) -> dict[str, list[str]]:
    """The advice table by its first column."""
    table = next(t for t in shown(state).all("table") if "ec-table" in (t.attributes["class"] or ""))
    return {r.all("th")[0].text: [c.text for c in r.all("td")] for r in table.all("tbody")[0].all("tr")}


def test_a_game_meets_the_spawns_of_play_game_on_its_seed() -> None:
    state = game2048.init(seed=7)

    def agent(position: Any, rng: Any) -> str:
        return expectimax(Game2048(terminal_utility=-1e9), position, 1, article).action or ""

    game: Any = Game2048()
    record = play_game(game, agent, seed=7)
    state = send(state, ("depth", "1"), *["play"] * (record.decisions // 10 + 2))
    assert game2048.over(state)
    assert decode(state["board"]) == record.final_state.board
    assert (state["score"], state["moves"]) == (record.score, record.decisions)


def test_a_board_survives_its_code_up_to_the_largest_tile() -> None:
    board = tuple(tuple(2 << 4 * r + c for c in range(4)) for r in range(4))
    assert decode(encode(board)) == board
    assert encode(((0, 2, 4, 131072),) + ((0,) * 4,) * 3)[:4] == "012h"


def test_a_slide_that_changes_nothing_is_no_move() -> None:
    state = on(((2, 4, 8, 16), (0,) * 4, (0,) * 4, (0,) * 4))
    after = send(state, "left", "up")
    assert (after["moves"], after["board"]) == (0, state["board"])
    assert "Up changes nothing, so it is no move." in shown(after).text


def test_a_slide_earns_its_merges_and_says_where_the_new_tile_came() -> None:
    after = send(on(((2, 2, 4, 4), (0,) * 4, (0,) * 4, (0,) * 4)), "left")
    assert after["score"] == 12
    row, col = after["new"]
    tile = decode(after["board"])[row][col]
    assert f"Left: +12. A {tile} came at row {row + 1}, column {col + 1}." in shown(after).text
    fresh = [c for c in shown(after).all("td") if "ec-fresh" in (c.attributes.get("class") or "")]
    assert [c.text for c in fresh] == [str(tile)]


def test_undo_takes_moves_back_and_the_same_slide_meets_the_same_tile() -> None:
    start = send(game2048.init(), "play")
    moved = send(start, "left") if send(start, "left")["moves"] > start["moves"] else send(start, "up")
    back = send(moved, "undo")
    keys = ("board", "score", "moves", "draws")
    assert [back[k] for k in keys] == [start[k] for k in keys]
    assert [send(back, *[a])["board"] for a in ("left", "up")].count(moved["board"]) >= 1


def test_only_so_many_moves_can_be_taken_back() -> None:
    state = send(game2048.init(depth=1, batch=100), "play")
    assert len(state["past"]) == game2048.PAST
    assert len(send(state, *["undo"] * 60)["past"]) == 0


@pytest.mark.parametrize("name", list(EVALUATIONS))
def test_advice_is_that_of_the_packages_search_at_every_depth(name: str) -> None:
    _, evaluate, lost = EVALUATIONS[name]
    board = ((4, 8, 16, 64), (2, 4, 8, 16), (2, 2, 0, 4), (0, 2, 0, 0))
    state = send(on(board, evaluation=name, depth=2), "advise")
    told = advice(state)
    for depth in (1, 2):
        result = expectimax(Game2048(terminal_utility=lost), State(board, Player.MAX), depth, evaluate)
        assert told["evaluations"][depth - 1] == f"{result.evaluations:,}"
        for action, (value, _) in result.action_values.items():
            cell = told[action][depth - 1]
            assert ("★" in cell) == (action == result.action)
            assert value_of(cell.removeprefix("★ ").replace(",", "")) == pytest.approx(value, abs=0.51)


def test_a_slide_that_may_lose_is_shown_with_the_probability_of_losing() -> None:
    board = ((0, 8, 16, 8), (2, 32, 4, 2), (32, 4, 32, 4), (4, 32, 8, 64))
    result = expectimax(Game2048(terminal_utility=-1e9), State(board, Player.MAX), 2, article)
    assert result.action_values["left"][0] == pytest.approx(-1e8, rel=1e-3)  # a 4 in ten leaves no slide
    told = advice(send(on(board, depth=2), "advise"))
    assert (told["left"][1], told["up"][1]) == ("lost 10.0 %", "★ −9.00")


def test_playing_ends_with_the_game_and_then_nothing_more_can_be_slid() -> None:
    state = send(on(LAST_MOVE, depth=1, batch=100), *["play"] * 5)
    while not game2048.over(state):
        state = send(state, "play")
    assert "No slide is left: the game is over." in shown(state).text
    assert send(state, "play", "advise", "left")["moves"] == state["moves"]
    buttons = {b.text: b.attributes.get("aria-disabled") for b in shown(state).all("button")}
    assert buttons["Left"] == buttons["Advice"] == "true"


def test_one_press_costs_no_more_than_it_says() -> None:
    state = send(game2048.init(depth=3, batch=100), "play")
    assert state["moves"] < 20
    assert f"A press ends after {game2048.MOST_EVALUATIONS:,} evaluations." in shown(state).text


def test_a_press_that_did_all_it_should_is_not_said_to_end_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game2048, "MOST_EVALUATIONS", 1)
    assert "A press ends after 1 evaluations." in send(game2048.init(depth=1), "play")["words"]
    assert "A press ends" not in send(game2048.init(depth=1, batch=1), "play")["words"]
    only_move = ((8, 16, 8, 16), (16, 8, 16, 8), (8, 16, 8, 16), (32, 64, 128, 128))
    done = send(on(only_move, depth=1), "play")
    assert game2048.over(done)
    assert "A press ends" not in done["words"]


def test_the_next_seed_is_another_game_with_the_same_settings() -> None:
    state = send(game2048.init(), ("depth", "3"), ("batch", "1"), "deal")
    assert (state["seed"], state["depth"], state["batch"], state["moves"]) == (2, 3, 1, 0)
    assert state["board"] == game2048.init(seed=2)["board"]


def test_the_board_takes_arrow_keys_and_swipes() -> None:
    board = next(e for e in shown(game2048.init()).all("div") if "data-swipe" in e.attributes)
    assert board.attributes["data-swipe"] == " ".join(ACTIONS)
    keys = dict(pair.split("=") for pair in (board.attributes["data-keys"] or "").split())
    assert {key.removeprefix("Arrow").lower(): name for key, name in keys.items()} == {a: a for a in ACTIONS}


def slide_row_right(row: Any) -> Any:
    return slide_row(row)


def slide_row_twice(row: Any) -> Any:
    tiles: list[int] = []
    for tile in filter(None, row):
        while tiles and tiles[-1] == tile:
            tile *= 2
            tiles.pop()
        tiles.append(tile)
    return tuple(tiles + [0] * (len(row) - len(tiles))), 0


def test_a_right_slide_plays_the_same_game() -> None:
    state = send(game2048.init(exercise=True), *ACTIONS, student=slide_row_right)
    plain = send(game2048.init(), *ACTIONS)
    assert state["board"] == plain["board"]
    assert "slides every row and column of this board as the rules do." in shown(state).text


def test_a_wrong_slide_plays_and_is_shown_against_the_rules() -> None:
    board = ((2, 2, 4, 0), (0,) * 4, (0,) * 4, (0,) * 4)
    state = send(on(board, exercise=True), "noticed", student=slide_row_twice)
    assert "slides (2, 2, 4, 0) to ((8, 0, 0, 0), 0), the rules to ((4, 4, 0, 0), 4)." in shown(state).text
    assert 8 in decode(send(state, "left", student=slide_row_twice)["board"])[0]


@pytest.mark.parametrize("answer", [5, ((2, 2), 0), ((3, 0, 0, 0), 0), ((2, 0, 0, 0), "8"), "abcd"])
def test_a_slide_that_returns_no_row_is_one_sentence(answer: Any) -> None:
    def wrong(row: Any) -> Any:
        return answer

    state = send(on(LAST_MOVE, exercise=True), "left", student=wrong)
    assert f"Your function returned {answer!r}: expected 4 tiles and a reward." in shown(state).text
    assert state["moves"] == 0


def test_a_students_evaluation_gives_the_advice_and_plays() -> None:
    def corner(board: Any) -> float:
        return float(board[3][3])

    state = send(game2048.init(exercise=True, depth=1), "play", "advise", student=corner)
    best = advice(state)
    board = decode(state["board"])
    wanted = {a: slide(board, a)[0][3][3] for a in ACTIONS if slide(board, a)[0] != board}
    assert {a: value_of(cells[0].removeprefix("★ ")) for a, cells in best.items() if a in ACTIONS} == wanted
    assert "Your evaluation of this board is" in shown(state).text


def test_an_evaluation_that_fails_in_the_search_leaves_the_game_as_it_was() -> None:
    state = game2048.init(exercise=True)
    new = send(state, "advise", student=lambda board: 1 / 0)
    assert "ZeroDivisionError" in shown(new).text
    assert new["board"] == state["board"]


@pytest.mark.parametrize(
    "settings", [{"seed": 0}, {"seed": True}, {"depth": 4}, {"evaluation": "mine"}, {"batch": 7}, {"depth": "2"}]
)
def test_settings_out_of_range_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"expected .* as one of"):
        game2048.init(**settings)


def test_where_a_loss_is_on_the_scale_of_the_evaluation_it_is_a_number_like_any_other() -> None:
    board = ((0, 8, 16, 8), (2, 32, 4, 2), (32, 4, 32, 4), (4, 32, 8, 64))
    told = advice(send(on(board, depth=2, evaluation="fitted"), "advise"))
    assert not [cell for cells in told.values() for cell in cells if "lost" in cell]
