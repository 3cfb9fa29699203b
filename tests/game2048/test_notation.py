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
        "123400000001A00F",
        "0x123400000001a00f",
    ],
)
def test_grids_and_codes_are_read(text: str) -> None:
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
        ("2", "expected a code of 16 digits, or rows of cells divided by / or lines, got 1 digit"),
        ("1230000000000a1", "expected a code of 16 digits, or rows of cells divided by / or lines, got 15 digits"),
        ("1230000000000g01", "expected the hexadecimal digits 0 to f in a code, got 'g'"),
        ("7" * 5001, "got 5001 digits"),
        ("2 4 / 2 " + "7" * 5001, "expected cells of at most 40 digits, got one of 5001 characters"),
    ],
)
def test_what_is_wrong_with_a_board_is_said(text: str, message: str) -> None:
    with pytest.raises(StateError, match=re.escape(message)):
        parse_board(text)


@pytest.mark.parametrize(
    ("board", "found"),
    [
        (((2, 4), (8, 16)), "2 × 2 cells"),
        (((0,) * 5, (0,) * 3, (0,) * 4, (0,) * 4), "rows of 5, 3, 4, 4 cells"),
        (((65536, 0, 0, 0), (0,) * 4, (0,) * 4, (0,) * 4), "a tile of 65536"),
    ],
)
def test_boards_without_a_code_are_refused(board: tuple[tuple[int, ...], ...], found: str) -> None:
    with pytest.raises(StateError, match=f"expected 4 rows of 4 tiles up to 32768, got {found}$"):
        board_code(board)
