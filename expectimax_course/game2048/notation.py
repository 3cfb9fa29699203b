"""Boards of 2048 as text: a grid of numbers, or sixteen hexadecimal digits.

A grid gives the rows one by one, divided by ``/`` or by lines, the tiles of a row divided by blanks or commas; an
empty cell is 0, ``.`` or ``-``. The code of a 4 × 4 board gives the sixteen cells in the order of reading, each as
the exponent of its tile: 0 empty, 1 for 2, … f for 32,768.
"""

from __future__ import annotations

from expectimax_course.game import Player, StateError
from expectimax_course.game2048.rules import Board, Game2048, shape

_EMPTY = {".", "-", "_"}
_DIGITS = 40
"""A tile of more digits stands on no board: 2^133 needs 132 cells."""


def parse_board(text: str) -> Board:
    """Return the board that a text describes.

    Raises
    ------
    StateError
        If the rows differ in length, a cell is no number or no power of two, or a code has not 16 digits.

    Examples
    --------
    >>> parse_board("2 . 8 / 4 4 16")
    ((2, 0, 8), (4, 4, 16))
    >>> parse_board("1230000000000001")
    ((2, 4, 8, 0), (0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 2))
    """
    lines = [line.replace(",", " ").split() for line in text.replace("/", "\n").splitlines() if line.strip()]
    if not lines or len({len(line) for line in lines}) > 1:
        raise StateError(
            "expected rows of one length divided by / or lines, or a code of 16 hexadecimal digits, "
            f"got rows of {', '.join(str(len(line)) for line in lines) or 'no'} cells"
        )
    if len(lines) == len(lines[0]) == 1:
        return _from_code(lines[0][0].lower().removeprefix("0x"))
    board = [[_tile(cell) for cell in line] for line in lines]
    return Game2048(len(board), len(board[0])).state(board, Player.CHANCE).board


def format_board(board: Board) -> str:
    """Return the grid of a board, an empty cell as a dot.

    Examples
    --------
    >>> print(format_board(((2, 0), (16, 1024))))
       2    .
      16 1024
    """
    width = max(len(str(tile)) for row in board for tile in row)
    return "\n".join(" ".join(f"{tile or '.':>{width}}" for tile in row) for row in board)


def board_code(board: Board) -> str:
    """Return the sixteen digits of a 4 × 4 board.

    Raises
    ------
    StateError
        If the board has another shape or a tile above 32,768.

    Examples
    --------
    >>> board_code(parse_board("2 4 8 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 32768"))
    '123000000000000f'
    """
    cells = [tile for row in board for tile in row]
    square = [len(row) for row in board] == [4, 4, 4, 4]
    if not square or max(cells) > 1 << 15:
        found = f"a tile of {max(cells)}" if square else shape(board)
        raise StateError(f"expected 4 rows of 4 tiles up to 32768, got {found}")
    return "".join(f"{tile.bit_length() - 1 if tile else 0:x}" for tile in cells)


def _from_code(code: str) -> Board:
    for digit in code:
        if digit not in "0123456789abcdef":
            raise StateError(f"expected the hexadecimal digits 0 to f in a code, got {digit!r}")
    if len(code) != 16:
        count = f"{len(code)} digit{'s' * (len(code) != 1)}"
        raise StateError(f"expected a code of 16 digits, or rows of cells divided by / or lines, got {count}")
    cells = [1 << rank if (rank := int(digit, 16)) else 0 for digit in code]
    return tuple(tuple(cells[i : i + 4]) for i in range(0, 16, 4))


def _tile(cell: str) -> int:
    if cell in _EMPTY:
        return 0
    if len(cell) > _DIGITS:
        raise StateError(f"expected cells of at most {_DIGITS} digits, got one of {len(cell)} characters")
    if not cell.isdecimal():
        raise StateError(f"expected a number for every cell, got {cell!r}")
    return int(cell)
