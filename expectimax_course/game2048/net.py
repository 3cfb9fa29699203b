"""n-tuple networks for 2048, to look values up: on the standard library alone, so that they play in a browser.

A *tuple* is a list of cells. The tiles on them, as powers of two, make an index into the tuple's own table of weights
(see `index_of`). The value of an afterstate is the sum over all tuples and over all symmetries of the board:

    V(s) = Σ over symmetries g, tuples t of  weights_t[ g(s) on the cells of t ]

Symmetric positions share their experience, because they read the same weights. `ntuple` learns such weights.

A finished network holds whole multiples of a *step* of points, in 16 bits. Its values are then exact in floating point
in whatever order they are added, so that readable and compiled search agree to the last bit. A file is `_MAGIC`, a line
of JSON (tuples, step, number of bytes, the command that made it) and the weights, compressed.

References
----------
M. Szubert and W. Jaśkowski, "Temporal difference learning of N-tuple networks for the game 2048", CIG 2014.
"""

from __future__ import annotations

import json
import lzma
import sys
from array import array
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from expectimax_course.game import GameError, StateError
from expectimax_course.game2048.rules import Board, State

BROWSER_DATA = ("game2048/nets/small.xz",)

Cells = tuple[int, ...]

FOUR_SIX: tuple[Cells, ...] = ((0, 1, 2, 3, 4, 5), (4, 5, 6, 7, 8, 9), (0, 1, 2, 4, 5, 6), (4, 5, 6, 8, 9, 10))
"""The large network, as cells of a 4 × 4 board in reading order: two rows with two cells more, two blocks of 2 × 3."""

FOUR_FOUR: tuple[Cells, ...] = ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 4, 5), (4, 5, 8, 9))
"""The small one: two rows, two squares."""

RANKS = 16
"""Ranks 0 (empty) to 15 (tile 32,768, and whatever is larger)."""

_MAGIC = b"expectimax_course 2048 network 2\n"


class TupleNetError(GameError):
    """A network is unknown, or a file holds none of this course, or only a part of one."""


def symmetries(rows: int, cols: int) -> list[Cells]:
    """Return the symmetries of a board as permutations of its cells: eight of a square, four of a rectangle.

    A permutation g says that cell i of the turned board holds what cell g[i] held. They come from the identity by
    turns of "upside down" and "rows for columns" on a square, of "upside down" and "left for right" on a rectangle.

    Examples
    --------
    >>> symmetries(1, 2)
    [(0, 1), (0, 1), (1, 0), (1, 0)]
    >>> len(set(symmetries(4, 4)))
    8
    """
    cells = range(rows * cols)
    flip = [(rows - 1 - i // cols) * cols + i % cols for i in cells]
    other = (
        [i % cols * cols + i // cols for i in cells]
        if rows == cols
        else [i // cols * cols + cols - 1 - i % cols for i in cells]
    )
    turn, found = tuple(cells), []
    for count in range(8 if rows == cols else 4):
        found.append(turn)
        step = other if count % 2 else flip
        turn = tuple(turn[i] for i in step)
    return found


def index_of(ranks: Sequence[int]) -> int:
    """Return where a table holds the weight of the ranks on a tuple's cells.

    The digits of the index are those of the ranks to base 4, first the low ones of all cells, then the high ones.
    Boards that follow each other differ in low digits most of the time, so their weights stand near each other in
    memory, and a processor finds them sooner.

    Examples
    --------
    >>> index_of([1, 3]), ranks_at(13, 2)
    (13, [1, 3])
    >>> index_of([4, 0])
    16
    """
    return sum(shares[rank] for rank, shares in zip(ranks, _shares(len(ranks)), strict=True))


def ranks_at(index: int, cells: int) -> list[int]:
    """Return the ranks on so many cells whose weight stands at an index: the inverse of `index_of`."""
    return [(index >> 2 * place & 3) | (index >> 2 * (cells + place) & 3) << 2 for place in range(cells)]


@lru_cache
def _shares(cells: int) -> list[list[int]]:
    """Return what each rank on each cell of a tuple adds to the index."""
    return [
        [(rank & 3) << 2 * place | rank >> 2 << 2 * (cells + place) for rank in range(RANKS)] for place in range(cells)
    ]


class Shape:
    """Which cells a network reads, and where it finds their weights.

    Parameters
    ----------
    tuples : sequence of cells
        In reading order of the board.
    rows, cols : int

    Attributes
    ----------
    table_size : int
        Weights of one tuple; the tables stand one after the other.
    features : int
        Weights that a board reads.

    Raises
    ------
    StateError
        If a tuple is empty, repeats a cell or leaves the board.
    """

    def __init__(self, tuples: Sequence[Cells], rows: int = 4, cols: int = 4) -> None:
        for cells in tuples:
            if not cells or len(set(cells)) < len(cells) or not all(0 <= cell < rows * cols for cell in cells):
                raise StateError(f"expected different cells of a {rows} × {cols} board, got the tuple {cells!r}")
        self.tuples, self.rows, self.cols = tuple(tuples), rows, cols
        self.table_size: int = RANKS ** max(map(len, self.tuples))
        self._reads = [
            (
                number * self.table_size,
                [(turn[cell], shares) for cell, shares in zip(cells, _shares(len(cells)), strict=True)],
            )
            for turn in symmetries(rows, cols)
            for number, cells in enumerate(self.tuples)
        ]
        self.features = len(self._reads)

    def indices(self, board: Board) -> list[int]:
        """Return the indices of the weights that a board reads: symmetry by symmetry, tuple by tuple.

        Examples
        --------
        >>> Shape([(0, 1)], 1, 2).indices(((2, 8),))
        [13, 13, 7, 7]
        """
        ranks = [min(tile.bit_length() - 1, RANKS - 1) if tile else 0 for row in board for tile in row]
        return [table + sum(shares[ranks[cell]] for cell, shares in reads) for table, reads in self._reads]


class TupleNet(Shape):
    """A finished network on 4 × 4: an evaluation for searches that add the rewards on the way.

    Parameters
    ----------
    tuples : sequence of cells
    step : int
        Points that a 1 in the weights stands for.
    weights : array of int16, shape (tuples · table_size,)
    made : str
        How: the command.

    Raises
    ------
    TupleNetError
        If the number of weights is another.

    Examples
    --------
    >>> from expectimax_course.game2048.rules import Game2048
    >>> from expectimax_course.search.expectimax import expectimax
    >>> game, net = Game2048(), load_net("small")
    >>> state = game.state([[2, 4, 8, 16], [0, 0, 2, 4], [0, 0, 0, 2], [0] * 4])
    >>> expectimax(game, state, 1, net, use_rewards=True).action
    'down'
    """

    def __init__(self, tuples: Sequence[Cells], step: int, weights: array[int], *, made: str = "") -> None:
        super().__init__(tuples)
        if len(weights) != len(self.tuples) * self.table_size:
            raise TupleNetError(f"expected {len(self.tuples) * self.table_size} weights, got {len(weights)}")
        self.step, self.weights, self.made = step, weights, made

    def value(self, board: Board) -> float:
        """Return the value of an afterstate: the points still to come."""
        weights = self.weights
        return float(self.step * sum(weights[index] for index in self.indices(board)))

    def __call__(self, state: State) -> float:
        """Return the value of an afterstate, in MAX's view."""
        return self.value(state.board)

    def weight(self, table: int, ranks: Sequence[int]) -> float:
        """Return one weight, in points: that of a tuple, by its number, for the ranks on its cells."""
        return float(self.step * self.weights[table * self.table_size + index_of(ranks)])


def downgrade(board: Board, largest: int) -> Board:
    """Return a board with the same slides, of tiles that a network knows better.

    As long as a tile is larger than ``largest``, all tiles above the greatest gap in
    the row 2, 4, 8, … are halved. Equal tiles stay equal and different ones different,
    so the same slides are legal and move the same cells. A gap below 64 does not count:
    a search would see it closed, and take the tile in it for equal to a halved one. Two
    tiles of 32,768 stay, because they do not merge on 64 bits and two halves would.

    References
    ----------
    H. Guei, L.-P. Chen and I.-C. Wu, "Optimistic temporal difference learning for
    2048", IEEE Transactions on Games, 2021 (tile-downgrading).

    Examples
    --------
    >>> downgrade(((16384, 4096), (512, 2)), 8192)
    ((8192, 4096), (512, 2))
    """
    while (top := max(map(max, board))) > largest:
        tiles, gap = {tile for row in board for tile in row}, top
        while gap in tiles:
            gap //= 2
        if gap < 64 or sum(row.count(32768) for row in board) > 1:
            break
        board = tuple(tuple(t // 2 if t > gap else t for t in row) for row in board)
    return board


def write_net(net: TupleNet) -> bytes:
    """Return the bytes of a network's file."""
    data = _little_endian(net.weights).tobytes()
    header = json.dumps({"tuples": net.tuples, "step": net.step, "bytes": len(data), "made": net.made}).encode()
    return _MAGIC + header + b"\n" + lzma.compress(data, preset=6)


def read_net(content: bytes, *, name: str = "data") -> TupleNet:
    """Return the network of a file's bytes.

    Raises
    ------
    TupleNetError
        If they are foreign, or cut short.
    """
    if not content.startswith(_MAGIC):
        raise TupleNetError(f"expected weights of a 2048 network, got something else in {name!r}")
    line, _, packed = content[len(_MAGIC) :].partition(b"\n")
    try:
        header: dict[str, Any] = json.loads(line)
        weights = array("h")
        weights.frombytes(lzma.decompress(packed))
        if 2 * len(weights) != header["bytes"]:
            raise EOFError
        tuples, step = [tuple(cells) for cells in header["tuples"]], int(header["step"])
        return TupleNet(tuples, step, _little_endian(weights), made=str(header["made"]))
    except (ValueError, KeyError, TypeError, EOFError, lzma.LZMAError):
        raise TupleNetError(f"expected whole weights of a 2048 network, got a damaged file {name!r}") from None


def load_net(name: str) -> TupleNet:
    """Return a shipped network by name (see `shipped_nets`), or the one in a file.

    Raises
    ------
    TupleNetError
        If there is neither.
    """
    if name in shipped_nets():
        return _shipped(name)
    path = Path(name)
    if not path.is_file():
        raise TupleNetError(f"expected a network file or one of {', '.join(shipped_nets())}, got {name!r}")
    return read_net(path.read_bytes(), name=name)


def shipped_nets() -> list[str]:
    """Return the names of the networks that come with the package; the browser has the small one alone."""
    folder = resources.files(__package__).joinpath("nets")
    return sorted(entry.name[:-3] for entry in folder.iterdir() if entry.name.endswith(".xz"))


@lru_cache
def _shipped(name: str) -> TupleNet:
    return read_net(resources.files(__package__).joinpath("nets", f"{name}.xz").read_bytes(), name=name)


def _little_endian(weights: array[int]) -> array[int]:
    """Return the weights as the file has them, which on most machines they are already; the inverse is the same."""
    if sys.byteorder == "little":
        return weights
    swapped = array("h", weights)
    swapped.byteswap()
    return swapped
