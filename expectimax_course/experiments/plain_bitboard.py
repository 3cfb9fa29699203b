"""Expectimax for 2048 on 64-bit boards in plain Python: what the change of representation alone brings.

The board is that of `game2048.kernels`, four bits per cell; the search is that of `search.expectimax`, with the source
article's evaluation, and finds the same values with the same number of evaluations. Nothing is compiled.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

COLUMN, LOST = 0x000F_000F_000F_000F, -1e9


class RowTables(NamedTuple):
    """What becomes of each of the 65,536 rows, and what it is worth; every list has shape (65536,)."""

    left: list[int]
    right: list[int]
    empty: list[int]
    zigzag: list[int]


@lru_cache(maxsize=1)
def row_tables() -> RowTables:
    """Return the tables, built once."""
    tables = RowTables([], [], [], [])
    for row in range(1 << 16):
        ranks = [row >> shift & 15 for shift in (0, 4, 8, 12)]
        steps = [after - before for before, after in pairwise(ranks)]
        rise = sum(step for step in steps if step > 0)
        tables.left.append(_slide_left(ranks))
        tables.right.append(_mirror(_slide_left(ranks[::-1])))
        tables.empty.append(ranks.count(0))
        tables.zigzag.append(min(rise, rise - sum(steps)))
    return tables


def _slide_left(ranks: list[int]) -> int:
    """Slide a row of ranks; two tiles of 32,768 do not merge, because four bits end at 15."""
    merged: list[int] = []
    last = 0
    for rank in filter(None, ranks):
        if rank == last and rank < 15:
            merged[-1], last = rank + 1, 0
        else:
            merged.append(rank)
            last = rank
    return sum(rank << 4 * place for place, rank in enumerate(merged))


def _mirror(row: int) -> int:
    return row >> 12 | (row >> 8 & 15) << 4 | (row >> 4 & 15) << 8 | (row & 15) << 12


def transpose(board: int) -> int:
    """Swap rows and columns, one row after another."""
    columns = 0
    for row in range(4):
        tiles = board >> 16 * row & 0xFFFF
        columns |= ((tiles | tiles << 12 | tiles << 24 | tiles << 36) & COLUMN) << 4 * row
    return columns


def slide(board: int, action: int) -> int:
    """Slide left, right, up or down (0 … 3)."""
    if action >= 2:
        return transpose(slide(transpose(board), action - 2))
    row = row_tables()[action]
    after = row[board & 0xFFFF]
    after |= row[board >> 16 & 0xFFFF] << 16
    after |= row[board >> 32 & 0xFFFF] << 32
    return after | row[board >> 48] << 48


def spawns(board: int) -> Iterator[tuple[int, float]]:
    """Yield the boards after a spawn with their probabilities."""
    cells = [shift for shift in range(0, 64, 4) if not board >> shift & 15]
    for shift in cells:
        yield board | 1 << shift, 0.9 / len(cells)
        yield board | 2 << shift, 0.1 / len(cells)


def evaluate(board: int) -> float:
    """Return the source article's evaluation, a sum over row tables."""
    _, _, empties, zigzags = row_tables()
    columns, empty, zigzag = transpose(board), 0, 0
    for shift in (0, 16, 32, 48):
        row = board >> shift & 0xFFFF
        empty += empties[row]
        zigzag += zigzags[row] + zigzags[columns >> shift & 0xFFFF]
    return 2.7 * empty - zigzag + 1.5 * (board & 15)


def search(board: int, depth: int, table: dict[tuple[int, int], float]) -> float:
    """Return the value of a decision; ``table`` keeps what searched afterstates are worth."""
    values = [afterstate(after, depth - 1, table) for a in range(4) if (after := slide(board, a)) != board]
    return max(values, default=LOST)


def afterstate(after: int, depth: int, table: dict[tuple[int, int], float]) -> float:
    """Return the value of an afterstate with ``depth`` decisions to look ahead."""
    if depth == 0:
        return evaluate(after)
    if (after, depth) not in table:
        table[after, depth] = sum(p * search(board, depth, table) for board, p in spawns(after))
    return table[after, depth]
