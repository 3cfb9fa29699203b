"""Boards as people type them."""

from __future__ import annotations

import re

import pytest
from boards import random_board

from expectimax_course.game import StateError
from expectimax_course.game2048.notation import board_code, format_board, parse_board
from expectimax_course.rng import Rng

BOARD = ((2, 4, 8, 16), (0, 0, 0, 0), (0, 0, 0, 2), (1024, 0, 0, 32768))


@pytest.mark.parametrize(
    "text",
    [
        "2 4 8 16 / 0 0 0 0 / 0 0 0 2 / 1024 0 0 32768",
        "2,4,8,16\n. . . .\n- - - 2\n1024 _ 0 32768\n",
        "123400000000000" + "1a00f",
        "0x1234" + "0000" + "0001" + "a00f",
    ],
)
def test_grids_and_codes_are_read(text: str) -> None:
    if text.startswith("123400000000000"):
        text = "1234" + "0000" + "0001" + "A00F"
    assert parse_board(text) == BOARD


def test_formats_and_codes_are_read_back() -> None:
    rng = Rng(1)
    for _ in range(100):
        board = random_board(rng)
        assert parse_board(format_board(board)) == board
        assert parse_board(board_code(board)) == board


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "got rows of no cells"),
        ("2 4 / 2", "got rows of 2, 1 cells"),
        ("2 x / 2 4", "expected a number for every cell, got 'x'"),
        ("2 6 / 2 4", "expected tiles that are powers of two from 2 on, or 0, got 6"),
        ("2 1 / 2 4", "got 1"),
        ("2", "expected at least two cells"),
    ],
)
def test_what_is_wrong_with_a_board_is_said(text: str, message: str) -> None:
    with pytest.raises(StateError, match=re.escape(message)):
        parse_board(text)


@pytest.mark.parametrize("board", [((2, 4), (8, 16)), ((65536, 0, 0, 0), (0,) * 4, (0,) * 4, (0,) * 4)])
def test_boards_without_a_code_are_refused(board: tuple[tuple[int, ...], ...]) -> None:
    with pytest.raises(StateError, match="expected 4 rows of 4 tiles up to 32768"):
        board_code(board)
