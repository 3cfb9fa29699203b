"""The budget app shows the package's own searches, on a clock of leaves that every machine shares."""

from __future__ import annotations

from typing import Any

import pytest
from pages import read, value_of

from expectimax_course.apps import budget
from expectimax_course.apps._budget_facts import (
    BOARDS,
    DEEPEST,
    GAME,
    LEAVES_PER_MS,
    LIMITS,
    THRESHOLDS,
    cuts,
    slices,
    state_of,
    trace,
)
from expectimax_course.game2048.evaluate import article
from expectimax_course.game2048.rules import Game2048
from expectimax_course.search.cutoff import cutoff_search
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.table import Table


def send(state: Any, *events: Any, student: Any = None) -> Any:
    for event in events:
        name, value = event if isinstance(event, tuple) else (event, None)
        state = budget.update(state, {"name": name, "value": value}, student)
    return state


def words(state: Any) -> str:
    return read(budget.view(state)).text


def rows(state: Any, number: int) -> list[list[str]]:
    body = read(budget.view(state)).all("tbody")[number]
    return [[cell.text for cell in row.all("th", "td")] for row in body.all("tr")]


@pytest.mark.parametrize("board", BOARDS)
def test_the_boards_are_boards_on_which_the_favourite_changes(board: str) -> None:
    assert Game2048().state(BOARDS[board]) == state_of(board)
    favourites = [step.favourite for step in trace(board, False) if step.complete]
    assert len(favourites) == DEEPEST
    assert len(set(favourites)) > 1


@pytest.mark.parametrize("board", BOARDS)
def test_the_table_of_depths_is_plain_search(board: str) -> None:
    shown = rows(send(budget.init(board), "run"), 0)
    table, leaves = Table(), 0
    for depth, row in enumerate(shown, 1):
        plain = expectiminimax(GAME, state_of(board), depth, article, table=table)
        leaves += plain.leaves
        assert value_of(row[1]) == pytest.approx(leaves / LEAVES_PER_MS, abs=0.006)
        assert row[2] == plain.action
        assert value_of(row[3]) == pytest.approx(plain.value, abs=0.0051)


def test_ten_milliseconds_complete_two_depths_and_the_third_favours_another_move() -> None:
    state = send(budget.init(), ("guess", "3"), "run")
    assert "Depth 2 is complete: up. You guessed 3." in words(state)
    assert "Depth 3 has seen 1 of 3 moves and favours left: not an answer yet." in words(state)
    assert [row[4] for row in rows(state, 0)] == ["in time", "the answer", "unfinished", "–"]
    assert "favours left" not in words(send(state, ("order", "best")))


def test_a_limit_too_short_for_depth_1_gives_a_legal_move_and_says_so() -> None:
    said = words(send(budget.init(), ("limit", 0), "run"))
    assert "Not even depth 1 is complete: a legal move, left," in said


def test_a_longer_limit_never_answers_from_a_lesser_depth() -> None:
    for order in ("fixed", "best"):
        states = [send(budget.init(), ("order", order), ("limit", i), "run") for i in range(len(LIMITS))]
        answered = [sum(row[4] in ("in time", "the answer") for row in rows(state, 0)) for state in states]
        assert answered == sorted(answered)
        assert (answered[0], answered[-1]) == (0, DEEPEST)


@pytest.mark.parametrize("board", BOARDS)
def test_the_table_of_cuts_is_the_search_cut_by_reach(board: str) -> None:
    full = expectiminimax(GAME, state_of(board), 3, article)
    for threshold, cut in zip(THRESHOLDS, cuts(board), strict=True):
        found = cutoff_search(GAME, state_of(board), 3, article, threshold=threshold, caching="none")
        assert (cut.value, cut.action) == (pytest.approx(found.value), found.action)
        assert cut.regret == pytest.approx(full.value - full.action_values[cut.action][0])
        assert cut.leaves <= found.leaves
    state = send(budget.init(board), "run", ("threshold", 3))
    assert f"Cut below 0.01, depth 3 takes {cuts(board)[3].leaves:,} leaves" in words(state)
    assert [row[0] for row in rows(state, 1)] == [f"{threshold:g}" for threshold in THRESHOLDS]


def test_another_board_asks_anew() -> None:
    state = send(budget.init(), ("guess", "2"), "run", ("board", "B"))
    assert (state["shown"], state["guess"]) == (False, None)
    assert send(state, ("board", "B")) == state


def test_the_slices_add_up_to_the_depths_of_the_table() -> None:
    search = slices("A", False)
    for depth in range(1, DEEPEST + 1):
        end = next(step for step in trace("A", False) if step.depth == depth and step.complete)
        start = next((s.leaves for s in trace("A", False) if s.depth == depth - 1 and s.complete), 0)
        spent = list(search(depth))
        assert sum(ms for ms, _ in spent) == pytest.approx((end.leaves - start) / LEAVES_PER_MS)
        assert spent[-1][1] == end.favourite


def last_complete(search: Any, limit: float, first: str, max_depth: int) -> tuple[int, str]:
    spent, answer = 0.0, (0, first)
    for depth in range(1, max_depth + 1):
        pieces = list(search(depth))
        spent += sum(milliseconds for milliseconds, _ in pieces)
        if spent > limit:
            return answer
        answer = (depth, pieces[-1][1])
    return answer


def favourite_of_the_moment(search: Any, limit: float, first: str, max_depth: int) -> tuple[int, str]:
    spent, answer = 0.0, (0, first)
    for depth in range(1, max_depth + 1):
        for milliseconds, favourite in search(depth):
            spent += milliseconds
            if spent > limit:
                return answer
            answer = (depth, favourite)
    return answer


def test_a_students_function_is_told_where_its_answer_comes_from() -> None:
    right = send(budget.init(exercise=True), "run", student=last_complete)
    assert "Your function answers up, depth 2: the last complete depth." in words(right)
    wrong = send(budget.init(exercise=True), "run", student=favourite_of_the_moment)
    assert "Your function answers left, depth 3, the favourite of an unfinished depth." in words(wrong)
    other = send(budget.init(exercise=True), "run", student=lambda *_: (1, "left"))
    assert "Your function answers left, depth 1. The last complete depth is 2: up." in words(other)
    odd = send(budget.init(exercise=True), "run", student=lambda *_: (9, "north"))
    assert "Your function returned (9, 'north'): expected a pair of a depth and a move." in words(odd)


@pytest.mark.parametrize("params", [{"board": "Z"}, {"order": "random"}, {"limit": 12}, {"limit": -1}, {"limit": True}])
def test_what_the_app_does_not_know_is_refused(params: Any) -> None:
    with pytest.raises(ValueError, match="expected a"):
        budget.init(**params)
