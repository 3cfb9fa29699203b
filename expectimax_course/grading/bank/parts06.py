"""Oracles, case generators and wrong implementations for the questions of chapter 06.

Boards are tuples of rows; a row of a bitboard is a number of 16 bits, the leftmost cell in the lowest four.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import add
from typing import Any

from expectimax_course.game2048 import rules
from expectimax_course.game2048.rules import ACTIONS, Board, Row
from expectimax_course.grading.bank import Source
from expectimax_course.rng import Rng

Slid = tuple[Row, int]
Line = Callable[[Row], Slid]

OPEN_CORNER = Source(
    "def evaluate(board):\n    return sum(row.count(0) for row in board) + board[0][0] / 8\n", "evaluate"
)
SMOOTH = Source(
    "def evaluate(board):\n    return -sum(abs(a - b) for row in board for a, b in zip(row, row[1:])) / 4\n", "evaluate"
)


# ------------------------------------------------------------------------------------------------------ one row


def slide_row(row: Row) -> Slid:
    """Return the row after a slide to the left, and its reward."""
    return rules.slide_row(tuple(row))


def _filled(tiles: Sequence[int], length: int) -> Row:
    return (*tiles, *(0,) * (length - len(tiles)))


def merged_again(row: Row) -> Slid:
    """Let a merged tile merge once more."""
    tiles: list[int] = []
    reward = 0
    for tile in filter(None, row):
        while tiles and tiles[-1] == tile:
            tile = 2 * tiles.pop()
            reward += tile
        tiles.append(tile)
    return _filled(tiles, len(row)), reward


def merged_from_the_right(row: Row) -> Slid:
    """Merge the pair on the right first, then slide to the left."""
    after, reward = slide_row(row[::-1])
    return _filled([tile for tile in after[::-1] if tile], len(row)), reward


def kept_apart_by_gaps(row: Row) -> Slid:
    """Merge only what stands side by side before the slide."""
    cells, reward, i = list(row), 0, 0
    while i + 1 < len(cells):
        if cells[i] and cells[i] == cells[i + 1]:
            cells[i : i + 2] = [2 * cells[i], 0]
            reward += cells[i]
            i += 1
        i += 1
    return _filled([tile for tile in cells if tile], len(row)), reward


def gap_left_behind(row: Row) -> Slid:
    """Leave a hole where the second tile of a pair stood."""
    cells, reward, i = list(_filled([tile for tile in row if tile], len(row))), 0, 0
    while i + 1 < len(cells):
        if cells[i] and cells[i] == cells[i + 1]:
            cells[i : i + 2] = [2 * cells[i], 0]
            reward += cells[i]
            i += 1
        i += 1
    return tuple(cells), reward


def half_the_reward(row: Row) -> Slid:
    """Count one of the two tiles that merge."""
    after, reward = slide_row(row)
    return after, reward // 2


def draw_row(rng: Rng) -> tuple[Row]:
    """Draw a row of two to five cells; the patterns that tell mistakes apart come often."""
    a = 2 << rng.below(4)
    patterns = [(a, a, 2 * a, 0), (a, a, a, 0), (a, 0, a, 2 * a), (a, a, a, a), (0, a, 2 * a, a), (a, a, 2 * a, 2 * a)]
    if rng.below(2):
        return (rng.choice(patterns),)
    return (tuple(rng.choice((0, 0, 2, 2, 4, 8)) for _ in range(rng.choice((2, 3, 4, 4, 4, 5)))),)


# ------------------------------------------------------------------------------------------------- a whole board


def legal_moves(board: Board) -> dict[str, Board]:
    """Return the board after every legal slide."""
    return moves_with(board)


def moves_with(
    board: Board, *, turn_back: bool = True, lay_back: bool = True, no_ops: bool = False, swap: bool = False
) -> dict[str, Board]:
    """Return the board after every slide: mirrored back or not, rows and columns back or not, with what is no move."""
    found = {}
    for action in ACTIONS:
        vertical, backwards = action in ("up", "down"), action in (("right", "up") if swap else ("right", "down"))
        lines = tuple(zip(*board, strict=True)) if vertical else board
        slid = [slide_row(line[::-1] if backwards else line)[0] for line in lines]
        slid = [line[::-1] if backwards and turn_back else line for line in slid]
        after: Board = tuple(zip(*slid, strict=True)) if vertical and lay_back else tuple(slid)
        if no_ops or after != board:
            found[action] = after
    return found


def only_merges(board: Board) -> dict[str, Board]:
    """Call a slide legal only where something merges."""
    return {action: after for action, after in legal_moves(board).items() if rules.slide(board, action)[1]}


def draw_board(rng: Rng, *, rows: int | None = None, cols: int | None = None) -> Board:
    """Draw a board of small tiles, mostly 4 × 4, seldom empty of moves, often with few."""
    rows, cols = rows or rng.choice((2, 3, 4, 4, 4)), cols or rng.choice((3, 4, 4, 4))
    tiles = rng.choice(((0, 2, 4), (0, 0, 2, 4, 8), (2, 4, 8, 16), (0, 2, 4, 8, 16, 32)))
    if rng.below(4) == 0:  # all tiles at one side: fewer than four legal slides
        lines = [sorted((rng.choice(tiles) for _ in range(cols)), reverse=True) for _ in range(rows)]
        return tuple(tuple(dict.fromkeys(line)) + (0,) * (cols - len(dict.fromkeys(line))) for line in lines)
    return tuple(tuple(rng.choice(tiles) for _ in range(cols)) for _ in range(rows))


def spawned(
    board: Board, *, four: float = 0.1, cells: Callable[[Board, int], int] = lambda _, n: n
) -> list[tuple[Board, float]]:
    """Return every board after a new tile with its probability; ``cells`` says by how many cells it is divided."""
    empty = [(r, c) for r, row in enumerate(board) for c, tile in enumerate(row) if not tile]
    found = []
    for r, c in empty:
        for tile, p in ((2, 1 - four), (4, four)):
            row = (*board[r][:c], tile, *board[r][c + 1 :])
            if p:
                found.append(((*board[:r], row, *board[r + 1 :]), p / cells(board, len(empty))))
    return found


def draw_spawning(rng: Rng) -> tuple[Board]:
    """Draw a board with at least one empty cell."""
    while True:
        board = draw_board(rng)
        if any(0 in row for row in board):
            return (board,)


# ----------------------------------------------------------------------------------------------------- the search


Mean = Callable[[Sequence[float], Sequence[float]], float]


def weighted(values: Sequence[float], weights: Sequence[float]) -> float:
    """Return the mean with weights."""
    return sum(v * w for v, w in zip(values, weights, strict=True))


def search_with(
    *,
    more: int = 0,
    after_spawn: bool = False,
    mean: Mean = weighted,
    at_end: Callable[[float, float], float] = lambda lost, value: lost,
) -> Callable[..., dict[str, float]]:
    """Return a search ``(board, depth, evaluate, lost)`` of the value of every legal slide.

    Parameters
    ----------
    more : decisions beyond the depth
    after_spawn : evaluate the boards after the draw, not the afterstate
    mean : what a chance node makes of values and probabilities
    at_end : what a lost board is worth, given ``lost`` and its evaluation
    """

    def move_values(board: Board, depth: int, evaluate: Any, lost: float) -> dict[str, float]:
        return {
            action: value(after, max(depth + more, 1) - 1, evaluate, lost)
            for action, after in legal_moves(board).items()
        }

    def value(after: Board, depth: int, evaluate: Any, lost: float) -> float:
        if depth == 0 and not after_spawn:
            return float(evaluate(after))
        boards, weights = zip(*spawned(after), strict=True)
        if depth == 0:
            return mean([float(evaluate(board)) for board in boards], weights)
        return mean([best(board, depth, evaluate, lost) for board in boards], weights)

    def best(board: Board, depth: int, evaluate: Any, lost: float) -> float:
        values = [value(after, depth - 1, evaluate, lost) for after in legal_moves(board).values()]
        return max(values) if values else at_end(lost, float(evaluate(board)))

    return move_values


move_values = search_with()


def draw_search(rng: Rng) -> tuple[Any, ...]:
    """Draw a small board and a depth."""
    rows, cols = rng.choice(((2, 2), (2, 2), (2, 3), (3, 3)))
    depth = 1 + rng.below(3 if rows * cols < 6 else 2)
    return draw_board(rng, rows=rows, cols=cols), depth, rng.choice((OPEN_CORNER, SMOOTH)), rng.choice((-50.0, -7.5))


# ------------------------------------------------------------------------------------------------------ the table


Key = Callable[[Board, int], Any]


def table_with(
    key: Key, *, leaves: bool = False, fresh: bool = False, deeper: bool = False, decisions: bool = False
) -> Callable[..., list[tuple[float, int]]]:
    """Return ``with_table(board, depths, evaluate, lost)`` with these keys.

    Parameters
    ----------
    key : of an afterstate and a depth
    leaves : keep evaluations too
    fresh : start each depth with an empty table
    deeper : take an entry of a greater depth as well
    decisions : keep the values of boards before a slide too
    """

    def with_table(board: Board, depths: Sequence[int], evaluate: Any, lost: float) -> list[tuple[float, int]]:
        table: dict[Any, float] = {}
        before_slides: dict[Any, float] = {}
        calls = 0

        def value(after: Board, depth: int) -> float:
            nonlocal calls
            if depth == 0 and not leaves:
                calls += 1
                return float(evaluate(after))
            places = [key(after, d) for d in range(depth, max(depths) + 1)] if deeper else [key(after, depth)]
            known = next((place for place in places if place in table), None)
            if known is None:
                known = places[0]
                if depth == 0:
                    calls += 1
                    table[known] = float(evaluate(after))
                else:
                    table[known] = sum(p * best(child, depth) for child, p in spawned(after))
            return table[known]

        def best(state: Board, depth: int) -> float:
            if decisions and (state, depth) in before_slides:
                return before_slides[state, depth]
            found = max((value(after, depth - 1) for after in legal_moves(state).values()), default=lost)
            before_slides[state, depth] = found
            return found

        found = []
        for depth in depths:
            before = calls
            if fresh:
                table.clear()
            found.append((value(board, depth), calls - before))
        return found

    return with_table


def both(board: Board, depth: int) -> Any:
    """The key that holds all a value depends on."""
    return board, depth


with_table = table_with(both)


def draw_table(rng: Rng) -> tuple[Any, ...]:
    """Draw an afterstate and a few depths, upwards, downwards and twice the same."""
    rows, cols = rng.choice(((2, 2), (2, 2), (2, 3)))
    while True:
        board = draw_board(rng, rows=rows, cols=cols)
        if any(0 in row for row in board):
            break
    depths = rng.choice(([1, 2], [2, 1], [2, 2], [1, 2, 1], [2, 1, 2], [3, 2] if rows * cols < 6 else [2, 1]))
    return board, list(depths), rng.choice((OPEN_CORNER, SMOOTH)), rng.choice((-50.0, -7.5))


# --------------------------------------------------------------------------------------------------- the bitboard


def ranks_of(row: int) -> list[int]:
    """Return the four ranks of a row, leftmost first."""
    return [row >> shift & 15 for shift in (0, 4, 8, 12)]


def packed(ranks: Sequence[int], join: Callable[[int, int], int] = add) -> int:
    """Return the row of up to four ranks, leftmost first; ``join`` puts the bits of the cells together."""
    return reduce(join, (rank << 4 * place for place, rank in enumerate(ranks)), 0) & 0xFFFF


def ranks_slid(ranks: Sequence[int], merge: Callable[[int], int], largest: int = 15) -> list[int]:
    """Slide ranks to the left; ``merge`` gives the rank of two equal ones."""
    slid: list[int] = []
    last = 0
    for rank in filter(None, ranks):
        if rank == last and rank < largest:
            slid[-1], last = merge(rank), 0
        else:
            slid.append(rank)
            last = rank
    return slid


def row_left(row: int) -> int:
    """Return a row of 16 bits after a slide to the left; two tiles of 32,768 stay as they are."""
    return packed(ranks_slid(ranks_of(row), lambda rank: rank + 1))


def row_with(
    merge: Callable[[int], int] = lambda rank: rank + 1, *, largest: int = 15, join: Callable[[int, int], int] = add
) -> Callable[[int], int]:
    """Return a slide of rows with another merge, or with merges beyond the largest tile that four bits hold."""
    return lambda row: packed(ranks_slid(ranks_of(row), merge, largest), join)


def leftmost_on_top(row: int) -> int:
    """Take the highest four bits for the leftmost cell."""
    ranks = ranks_slid(ranks_of(row)[::-1], lambda rank: rank + 1)
    return packed((ranks + [0] * 4)[:4][::-1])


def draw_packed_row(rng: Rng) -> tuple[int]:
    """Draw a row with pairs, gaps, and often the largest tile."""
    a = 1 + rng.below(14)
    patterns = [(a, a, 0, 0), (a, 0, a, a), (15, 15, a, a), (0, 15, 0, 15), (a, a + 1, 0, a + 1), (a, a, a, a)]
    return (packed(rng.choice(patterns) if rng.below(3) else [rng.below(16) for _ in range(4)]),)


def to_bits(board: Board) -> int:
    """Return the bitboard of a 4 × 4 board: the first row in the lowest 16 bits."""
    cells = [tile for row in board for tile in row]
    return sum(max(tile.bit_length() - 1, 0) << 4 * place for place, tile in enumerate(cells))


def rows_of(board: int) -> list[int]:
    """Return the four rows, the first one first."""
    return [board >> shift & 0xFFFF for shift in (0, 16, 32, 48)]


def from_rows(rows: Sequence[int]) -> int:
    """Return the board of four rows."""
    return sum(row << 16 * place for place, row in enumerate(rows))


def mirrored(row: int) -> int:
    """Return a row backwards."""
    return packed(ranks_of(row)[::-1])


def transposed(board: int) -> int:
    """Return the board with rows and columns swapped."""
    cells = [ranks_of(row) for row in rows_of(board)]
    return from_rows([packed(column) for column in zip(*cells, strict=True)])


def bit_moves(board: int) -> dict[str, int]:
    """Return the bitboard after every legal slide."""
    return bit_moves_with(board)


def bit_moves_with(
    board: int, *, turn_back: bool = True, lay_back: bool = True, no_ops: bool = False, top_first: bool = False
) -> dict[str, int]:
    """Return the bitboard after every slide, with one step of the way left out."""
    found = {}
    for action in ACTIONS:
        vertical = action in ("up", "down")
        backwards = action == "right" or action == ("up" if top_first else "down")
        x = transposed(board) if vertical else board
        slid = [row_left(mirrored(row) if backwards else row) for row in rows_of(x)]
        y = from_rows([mirrored(row) if backwards and turn_back else row for row in slid])
        after = transposed(y) if vertical and lay_back else y
        if no_ops or after != board:
            found[action] = after
    return found


def draw_bits(rng: Rng) -> tuple[int]:
    """Draw a bitboard, now and then with the largest tiles."""
    board = to_bits(draw_board(rng, rows=4, cols=4))
    return (board | (15 << 4 * rng.below(16)) if rng.below(4) == 0 else board,)


# -------------------------------------------------------------------------------------------------- which player


REPORTS = {
    "A": "cannot say",  # 5 and 8 of 10
    "B": "the second",  # 134 and 172 of 200
    "C": "cannot say",  # one game each
    "D": "the second",  # 30,000 ± 1,000 and 33,500 ± 1,000
}
LARGER = {**REPORTS, "A": "the second", "C": "the second"}
OVERLAP = {**REPORTS, "D": "cannot say"}
