"""The rules of 2048 on any rectangle, with boards as tuples of rows.

A decision slides all tiles in one of four directions; equal neighbours merge once into their sum, and the sum is the
reward. Then nature puts a 2, or with probability ``spawn_four`` a 4, on a uniformly random empty cell:

    P(tile t on cell c | board) = P(t) / (number of empty cells),    P(2) = 1 − spawn_four,  P(4) = spawn_four

Play starts on the empty board with two such draws, and ends when no slide changes the board. The state after a slide
and before the draw is the *afterstate*. A legal slide always leaves an empty cell, and an empty cell beside a tile
always leaves a legal slide, so the only terminal states are full boards without equal neighbours.

The 64-bit twin of this module is `expectimax_course.game2048.bitboard`.

References
----------
G. Cirulli, *2048*, 2014. The name afterstate: R. S. Sutton and A. G. Barto, *Reinforcement Learning*, 2nd edition,
section 6.8.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from expectimax_course.game import Player, StateError, illegal_action

Row = tuple[int, ...]
Board = tuple[Row, ...]

ACTIONS = ("left", "right", "up", "down")
"""The fixed order of the slides. Ties go to the first."""


class State(NamedTuple):
    """A board and whose turn it is: MAX slides, CHANCE adds a tile."""

    board: Board
    player: Player


class Spawn(NamedTuple):
    """An outcome of a chance node: ``tile`` (2 or 4) appears at ``row``, ``col``, counted from 0 at the top left."""

    row: int
    col: int
    tile: int


class Game2048:
    """2048 on a board of ``rows`` × ``cols`` cells.

    Parameters
    ----------
    rows, cols : int
        At least two cells in all.
    spawn_four : float
        Probability that a new tile is a 4. A Fraction keeps all probabilities exact.
    terminal_utility : float
        What a finished game is worth beside the rewards on the way: 0 where a search adds rewards, some loss where
        it relies on an evaluation of the leaves alone.

    Raises
    ------
    StateError
        If a parameter is out of range.

    Examples
    --------
    >>> game = Game2048(2, 2)
    >>> state = game.state([[2, 2], [0, 4]])
    >>> game.legal_actions(state), game.reward(state, "left")
    (('left', 'right', 'down'), 4)
    >>> game.result(state, "left").board
    ((4, 0), (4, 0))
    """

    def __init__(self, rows: int = 4, cols: int = 4, spawn_four: float = 0.1, terminal_utility: float = 0.0) -> None:
        if not (is_whole(rows) and is_whole(cols) and min(rows, cols) >= 1 < rows * cols):
            raise StateError(f"expected at least two cells, got {rows!r} rows and {cols!r} columns")
        check_spawn_four(spawn_four)
        if not math.isfinite(terminal_utility):
            raise StateError(f"expected a finite terminal utility, got {terminal_utility!r}")
        self.rows, self.cols = rows, cols
        self.spawn_four, self.terminal_utility = spawn_four, terminal_utility
        self._tiles = {tile: p for tile, p in ((2, 1 - spawn_four), (4, spawn_four)) if p}
        cells = [(row, col) for row in range(rows) for col in range(cols)]
        self._spawns = [[(Spawn(row, col, tile), p) for tile, p in self._tiles.items()] for row, col in cells]

    def __repr__(self) -> str:
        return f"Game2048({self.rows}, {self.cols}, {self.spawn_four!r}, {self.terminal_utility!r})"

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """Every finished game has the same utility."""
        return self.terminal_utility, self.terminal_utility

    @property
    def reward_bounds(self) -> tuple[float, float]:
        """A slide earns at most the sum of the tiles on a board: 2^(n+2) − 4 for n cells, 4, 8, … 2^(n+1)."""
        return 0, 2 ** (self.rows * self.cols + 2) - 4

    def initial_state(self) -> State:
        """Return the empty board, before nature has put down the two start tiles."""
        return State(((0,) * self.cols,) * self.rows, Player.CHANCE)

    def state(self, board: Iterable[Iterable[int]], player: Player = Player.MAX) -> State:
        """Return a checked state, by default with a slide to make.

        Raises
        ------
        StateError
            If the board has another shape, a cell that is neither 0 nor a power of two from 2 on, or for MAX fewer
            than two tiles.
        """
        rows = tuple(tuple(row) for row in board)
        if len(rows) != self.rows or any(len(row) != self.cols for row in rows):
            raise StateError(f"expected {self.rows} rows of {self.cols} cells, got {shape(rows)}")
        cells = [cell for row in rows for cell in row]
        for cell in cells:
            if not is_whole(cell) or cell == 1 or cell < 0 or cell & (cell - 1):
                raise StateError(f"expected tiles that are powers of two from 2 on, or 0, got {cell!r}")
        if player is Player.MAX and (tiles := len(cells) - cells.count(0)) < 2:
            raise StateError(f"expected at least two tiles on a board with a slide to make, got {tiles or 'none'}")
        return State(rows, player)

    def current_player(self, state: State) -> Player:
        """Return MAX before a slide and CHANCE before a new tile."""
        return state.player

    def is_terminal(self, state: State) -> bool:
        """Say whether a slide is due and none changes the board."""
        return state.player is Player.MAX and not _slides(state.board)

    def utility(self, state: State) -> float:
        """Return ``terminal_utility``: what was merged has been paid as rewards."""
        return self.terminal_utility

    def legal_actions(self, state: State) -> Sequence[str]:
        """Return the slides that change the board, in the order of `ACTIONS`."""
        return tuple(_slides(state.board)) if state.player is Player.MAX else ()

    def chance_outcomes(self, state: State) -> Sequence[tuple[Spawn, float]]:
        """Return the spawns cell by cell in row-major order, on each cell the 2 before the 4."""
        empty = [cell for cell, tile in enumerate(chain.from_iterable(state.board)) if not tile]
        n = len(empty)
        return [(spawn, probability / n) for cell in empty for spawn, probability in self._spawns[cell]]

    def result(self, state: State, action: str | Spawn) -> State:
        """Return the afterstate of a slide, or the state after a spawn.

        Raises
        ------
        IllegalActionError
            If the slide changes nothing, or the spawn is no outcome of this state.
        """
        if isinstance(action, Spawn) and state.player is Player.CHANCE:
            return self._spawn(state, action)
        return State(self._slide(state, action)[0], Player.CHANCE)

    def reward(self, state: State, action: str | Spawn) -> float:
        """Return the sum of the tiles that a slide makes by merging; 0 for a spawn.

        Raises
        ------
        IllegalActionError
            If the slide changes nothing.
        """
        return 0 if state.player is Player.CHANCE else self._slide(state, action)[1]

    def _slide(self, state: State, action: str | Spawn) -> tuple[Board, int]:
        slides = _slides(state.board) if state.player is Player.MAX else {}
        if not isinstance(action, str) or action not in slides:
            illegal_action(action, state, tuple(slides) or "the spawns on empty cells")
        return slides[action]

    def _spawn(self, state: State, spawn: Spawn) -> State:
        row, col, tile = spawn
        board = state.board
        if not (0 <= row < self.rows and 0 <= col < self.cols and tile in self._tiles) or board[row][col]:
            illegal_action(spawn, state, "the spawns on empty cells")
        line = board[row]
        board = (*board[:row], (*line[:col], tile, *line[col + 1 :]), *board[row + 1 :])
        # Only the first start tile stands alone after a spawn, so the board itself says that one more is due.
        started = sum(len(row) - row.count(0) for row in board) > 1
        return State(board, Player.MAX if started else Player.CHANCE)


def is_whole(value: object) -> bool:
    """Say whether a value is a whole number; True and False are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def check_spawn_four(probability: float) -> None:
    """Check the probability that a new tile is a 4.

    Raises
    ------
    StateError
        If it is below 0, above 1 or not a number.
    """
    if not 0 <= probability <= 1:
        raise StateError(f"expected a probability between 0 and 1 for a 4, got {probability!r}")


def shape(board: Sequence[Sequence[int]]) -> str:
    """Return the shape of a board for a message.

    Examples
    --------
    >>> shape(((2, 4), (4, 2))), shape(((2, 4), (4,)))
    ('2 × 2 cells', 'rows of 2, 1 cells')
    """
    lengths = [len(row) for row in board]
    if len(set(lengths)) == 1:
        return f"{len(lengths)} × {lengths[0]} cells"
    return f"rows of {', '.join(map(str, lengths)) or 'no'} cells"


@lru_cache(maxsize=1 << 17)
def slide_row(row: Row) -> tuple[Row, int]:
    """Slide one row to the left.

    Returns
    -------
    row, reward : tuple of int, int
        The row after the slide, and the sum of the tiles made by merging.

    Examples
    --------
    >>> slide_row((2, 2, 4, 4)), slide_row((0, 4, 2, 2)), slide_row((2, 2, 2, 2))
    (((4, 8, 0, 0), 12), ((4, 4, 0, 0), 4), ((4, 4, 0, 0), 8))
    """
    tiles = [tile for tile in row if tile]
    merged: list[int] = []
    reward = i = 0
    while i < len(tiles):
        if i + 1 < len(tiles) and tiles[i] == tiles[i + 1]:
            merged.append(2 * tiles[i])
            reward += 2 * tiles[i]
            i += 2
        else:
            merged.append(tiles[i])
            i += 1
    return tuple(merged + [0] * (len(row) - len(merged))), reward


def slide(board: Board, action: str) -> tuple[Board, int]:
    """Slide a whole board; the board comes back unchanged where the slide is illegal.

    Returns
    -------
    board, reward : tuple of rows, int

    Examples
    --------
    >>> slide(((2, 0), (2, 4)), "down")
    (((0, 0), (4, 4)), 4)
    """
    lines = board if action in ("left", "right") else tuple(zip(*board, strict=True))
    backwards = action in ("right", "down")
    slid = [slide_row(line[::-1] if backwards else line) for line in lines]
    after: Board = tuple(line[::-1] if backwards else line for line, _ in slid)
    reward = sum(part for _, part in slid)
    return (after if lines is board else tuple(zip(*after, strict=True))), reward


@lru_cache(maxsize=1 << 14)
def _slides(board: Board) -> dict[str, tuple[Board, int]]:
    """Return board and reward after every legal slide, in the order of `ACTIONS`.

    A search asks about one board several times in a row (over? which slides? what follows?), hence the cache.
    """
    slides = ((action, slide(board, action)) for action in ACTIONS)
    return {action: after for action, after in slides if after[0] != board}
