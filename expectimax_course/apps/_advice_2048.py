"""Advice for the 2048 app: what each slide is worth at each depth and what it costs; boards in its state; students."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from expectimax_course.apps._controls import ask_student, returned, scroll
from expectimax_course.apps._protocol import StudentError, guard
from expectimax_course.game import Player
from expectimax_course.game2048.evaluate import FITTED, article
from expectimax_course.game2048.net import load_net
from expectimax_course.game2048.rules import ACTIONS, Board, Game2048, Row, State, slide_row
from expectimax_course.search.expectimax import expectimax
from expectimax_course.search.result import SearchResult
from expectimax_course.search.table import Table
from expectimax_course.viz.html import number, table

EVALUATIONS: dict[str, tuple[str, Callable[[State], float], float]] = {
    "article": ("the article's", article, -1e9),
    "fitted": ("the course's, fitted", FITTED, FITTED.lost),
}
"""Name → words, evaluation, value of a finished game."""
NETWORK = "network"
"""The one adviser that adds the rewards on the way: its values are the points still to come."""

DIGITS = "0123456789abcdefgh"
LARGEST = 1 << 17
SlideRow = Callable[[Row], tuple[Row, int]]


def encode(board: Board) -> str:
    """Return a board as sixteen digits, each the exponent of a tile.

    >>> encode(((2, 4, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 131072)))
    '120000000000000h'
    """
    return "".join(DIGITS[tile.bit_length() - 1 if tile else 0] for line in board for tile in line)


def decode(code: str) -> Board:
    """Return the board of sixteen digits."""
    cells = [1 << DIGITS.index(digit) if digit != "0" else 0 for digit in code]
    return tuple(tuple(cells[i : i + 4]) for i in range(0, 16, 4))


def plays_slides(student: Callable[..., Any]) -> bool:
    """Say whether a student's function slides a row rather than evaluates a board, by its first parameter's name.

    Examples
    --------
    >>> plays_slides(lambda row: row), plays_slides(lambda board: 0.0)
    (True, False)
    """
    try:
        return next(iter(inspect.signature(student).parameters), "") == "row"
    except (TypeError, ValueError):
        return False


def adviser(name: str) -> tuple[str, Callable[[State], float], float]:
    """Return words, evaluation and value of a finished game; the network is read when it is first asked."""
    return ("the network's", load_net("small"), 0.0) if name == NETWORK else EVALUATIONS[name]


def search(board: Board, depth: int, name: str, student: Callable[..., Any] | None) -> SearchResult[str]:
    """Return the advice of one depth, with the student's evaluation where there is one.

    Raises
    ------
    StudentError
        If the student's function fails on a board that the search meets.
    """
    _, evaluate, lost = adviser(name)
    game: Any = Game2048(len(board), len(board[0]), terminal_utility=lost)
    if student is not None:
        own = guard(student)

        def evaluate(state: State) -> float:
            value = ask_student(own, state.board)
            if "sentence" in value:
                raise StudentError(value["sentence"])
            return float(value["value"])

    rewards = name == NETWORK and student is None
    return expectimax(game, State(board, Player.MAX), depth, evaluate, use_rewards=rewards, table=Table())


def advice(board: Board, depth: int, name: str, student: Callable[..., Any] | None) -> dict[str, Any]:
    """Return values and evaluations at every depth up to ``depth``, JSON-able."""
    results = [search(board, d, name, student) for d in range(1, depth + 1)]
    values = {action: [result.action_values[action][0] for result in results] for action in results[-1].action_values}
    return {
        "best": [result.action for result in results],
        "values": values,
        "evaluations": [result.evaluations for result in results],
        "whose": "your own" if student is not None else adviser(name)[0],
        "lost": adviser(name)[2],
    }


def both_table(given: dict[str, dict[str, Any]]) -> str:
    """Return one table of several advices: for each adviser, by a short name, a column per depth."""
    legal = next(iter(given.values()))["values"]
    rows: list[list[str]] = [[action] for action in ACTIONS if action in legal]
    bold, headers = [], ["slide"]
    for name, one in given.items():
        for d in range(len(one["evaluations"])):
            headers.append(f"{name}, depth {d + 1}")
            for index, cells in enumerate(rows):
                best = one["best"][d] == cells[0]
                bold += [(index, len(cells))] * best
                cells.append(("★\u00a0" if best else "") + _worth(one["values"][cells[0]][d], one["lost"]))
    costs = [f"{n:,}" for one in given.values() for n in one["evaluations"]]
    caption = "★ the best slide; last row: boards looked at"
    return scroll("Advice", table(headers, [*rows, ["evaluations", *costs]], caption=caption, bold=bold))


def advice_table(given: dict[str, Any]) -> str:
    """Return the table of an advice: a row for each legal slide, the cost in the last."""
    depths = range(len(given["evaluations"]))
    rows: list[list[str]] = []
    bold = []
    for action in (action for action in ACTIONS if action in given["values"]):
        rows.append([action])
        for d in depths:
            best = given["best"][d] == action
            value = given["values"][action][d]
            rows[-1].append(("★ " if best else "") + _worth(value, given["lost"]))
            bold += [(len(rows) - 1, d + 1)] * best
    rows.append(["evaluations", *(f"{n:,}" for n in given["evaluations"])])
    headers = ["slide", *(f"depth {d + 1}" for d in depths)]
    caption = f"Value of each slide by {given['whose']} evaluation; ★ the best; last row: what the search cost"
    return scroll("Advice", table(headers, rows, caption=caption, bold=bold))


def _worth(value: float, lost: float) -> str:
    """Return a value in words: against a loss of −10⁹ nothing but the probability of losing counts."""
    if value < lost / 1e4 < -1e4:
        return f"lost {value / lost:.1%}".replace("%", "\u202f%")
    if abs(value) < 10_000:
        return number(value, fixed=True)
    return f"{value:,.0f}".replace("-", "−")


def slide_with(slide_one: SlideRow, board: Board, action: str) -> tuple[Board, int]:
    """Slide a board by any function that slides a row; board and reward."""
    lines = board if action in ("left", "right") else tuple(zip(*board, strict=True))
    turn = -1 if action in ("right", "down") else 1
    slid = [slide_one(line[::turn]) for line in lines]
    after: Board = tuple(line[::turn] for line, _ in slid)
    return (after if lines is board else tuple(zip(*after, strict=True))), sum(reward for _, reward in slid)


def checked_slide(student: Callable[..., Any]) -> SlideRow:
    """Return a student's ``slide_row`` that raises StudentError where what it returns is no row and reward."""
    own = guard(student)

    def slide_one(row: Row) -> tuple[Row, int]:
        result = own(row)
        try:
            after, reward = result
            after = tuple(after)
        except (TypeError, ValueError):
            after, reward = (), None
        whole = isinstance(reward, int) and 0 <= reward <= LARGEST * len(row)
        if len(after) != len(row) or not whole or not all(_is_tile(tile) for tile in after):
            raise StudentError(returned(result, f"{len(row)} tiles and a reward"))
        return after, int(reward)

    return slide_one


def _is_tile(tile: Any) -> bool:
    return isinstance(tile, int) and tile != 1 and 0 <= tile <= LARGEST and not tile & (tile - 1)


def compare(student: Callable[..., Any], board: Board, name: str) -> dict[str, Any]:
    """Return what a student's function says about a board: ``{"words": ...}``, or ``{"sentence": what went wrong}``."""
    if not plays_slides(student):
        answer = ask_student(student, board)
        if "sentence" in answer:
            return answer
        words, evaluate, _ = adviser(name)
        theirs = number(evaluate(State(board, Player.MAX)))
        return {"words": f"Your evaluation of this board is {number(answer['value'])}, {words} {theirs}."}
    slide_one = checked_slide(student)
    forwards: list[Row] = [*board, *zip(*board, strict=True)]
    try:
        for line in [*forwards, *(line[::-1] for line in forwards)]:
            own, right = slide_one(line), slide_row(line)
            if own != right:
                return {"words": f"Your function slides {line} to {own}, the rules to {right}."}
    except StudentError as error:
        return {"sentence": str(error)}
    return {"words": "Your function slides every row and column of this board as the rules do."}
