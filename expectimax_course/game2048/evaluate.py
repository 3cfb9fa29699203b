"""Hand-made evaluations of 2048, in MAX's view, for boards of any size.

`article` is the source article's: empty cells, order of the lines, the tile in one corner. `RowEvaluation` is the
general form of a strong one, a sum over all rows and columns,

    V(board) = Σ over lines of v(line),
    v(line)  = base + empty · #empty + merges · #mergeable − disorder · min(rise, fall) − weight · Σ rank^q

with rank = log2(tile), rise (fall) the sum of the steps up (down) in rank^p along the line, and one set of weights for
the lines on the rim and one for those inside. Because v depends on one line only, the 64-bit engine reads it from a
table of 65,536 rows.

Values of a line are whole multiples of 1/256. Their sums are then exact in floating point in whatever order they are
added, so that readable and compiled search agree to the last bit.

References
----------
The form: R. Xiao (nneonneo), *2048-ai*, and the answer "What is the optimal algorithm for the game 2048?", Stack
Overflow, 2014; without its distinction of rim and inside. The article's formula stands in the course's source texts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from expectimax_course.game import EvaluationError
from expectimax_course.game2048.rules import Board, Row, State

UNITS = 256
"""Units of a line's value in 1."""

RANKS = 18
"""Ranks that fit on 4 × 4: 0 for an empty cell, 17 for 131,072."""


def article(state: State) -> float:
    """Return the source article's evaluation of a board.

    2.7 for every empty cell, minus the zigzag of every row and column (the smaller of its total rise and total fall
    in log2), plus 1.5 · log2 of the tile in the top left corner, whatever stands elsewhere.

    Examples
    --------
    >>> from expectimax_course.game2048.rules import Game2048
    >>> article(Game2048(2, 2).state([[8, 2], [0, 4]]))
    7.2
    """
    board = state.board
    empty = sum(row.count(0) for row in board)
    zigzag = 0.0
    for line in (*board, *zip(*board, strict=True)):
        ranks = [math.log2(tile) if tile else 0.0 for tile in line]
        steps = [after - before for before, after in pairwise(ranks)]
        rise = sum(step for step in steps if step > 0)
        zigzag += min(rise, rise - sum(steps))
    return 2.7 * empty - zigzag + 1.5 * math.log2(max(board[0][0], 1))


@dataclass(frozen=True)
class LineWeights:
    """The weights of one kind of line; see the module's formula. Powers p and q are exponents of the rank."""

    base: float = 0.0
    empty: float = 0.0
    merges: float = 0.0
    disorder: float = 0.0
    disorder_power: float = 1.0
    weight: float = 0.0
    weight_power: float = 1.0

    def value(self, ranks: Sequence[int]) -> int:
        """Return the value of a line of ranks in units of 1/256.

        Raises
        ------
        EvaluationError
            If a rank is beyond 17.

        Examples
        --------
        >>> LineWeights(empty=270, merges=700).value((1, 1, 0, 3)) / UNITS
        1670.0
        """
        if max(ranks) >= RANKS:
            raise EvaluationError(f"expected tiles up to {1 << RANKS - 1}, got {1 << max(ranks)}")
        order, cell = self._tables
        rise = fall = mergeable = run = previous = 0
        total = self._base
        last = ranks[0]
        for rank in ranks:
            total += cell[rank]
            step = order[rank] - order[last]
            if step > 0:
                rise += step
            else:
                fall -= step
            last = rank
            if rank:
                # A run of equal tiles counts all of them, empty cells between them or not.
                run = run + 1 if rank == previous else 1
                mergeable += 0 if run == 1 else 2 if run == 2 else 1
                previous = rank
        return total - min(rise, fall) + mergeable * self._merges

    @cached_property
    def _tables(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        order = tuple(_units(self.disorder * rank**self.disorder_power if rank else 0) for rank in range(RANKS))
        cell = tuple(_units(-self.weight * rank**self.weight_power if rank else self.empty) for rank in range(RANKS))
        return order, cell

    @cached_property
    def _base(self) -> int:
        return _units(self.base)

    @cached_property
    def _merges(self) -> int:
        return _units(self.merges)


@dataclass(frozen=True)
class RowEvaluation:
    """A sum of line values, to be called with a state.

    Parameters
    ----------
    rim : LineWeights
        For the first and last row and column.
    inside : LineWeights
        For the others.
    lost : float
        What a finished game is worth on this scale; give it to `Game2048` as ``terminal_utility``.

    Examples
    --------
    >>> from expectimax_course.game2048.rules import Game2048
    >>> empties = RowEvaluation(LineWeights(empty=1), LineWeights(empty=1), lost=0)
    >>> empties(Game2048().state([[2, 2, 0, 0], [0] * 4, [0] * 4, [0] * 4]))
    28.0
    """

    rim: LineWeights
    inside: LineWeights
    lost: float

    def __call__(self, state: State) -> float:
        """Return the evaluation of a board, in MAX's view."""
        columns: Board = tuple(zip(*state.board, strict=True))
        return (self._lines(state.board) + self._lines(columns)) / UNITS

    def _lines(self, lines: Board) -> int:
        cache = self._cache
        total = 0
        for i, line in enumerate(lines):
            inside = 0 < i < len(lines) - 1
            value = cache.get((line, inside))
            if value is None:
                weights = self.inside if inside else self.rim
                value = cache[line, inside] = weights.value([tile.bit_length() - 1 if tile else 0 for tile in line])
            total += value
        return total

    @cached_property
    def _cache(self) -> dict[tuple[Row, bool], int]:
        return {}


def _units(value: float) -> int:
    return round(value * UNITS)


FITTED = RowEvaluation(
    rim=LineWeights(empty=288.5, merges=618.0, disorder=126.2, disorder_power=3.319, weight=43.38, weight_power=2.963),
    inside=LineWeights(
        empty=810.1, merges=833.1, disorder=23.31, disorder_power=3.994, weight=9.627, weight_power=3.292
    ),
    lost=-1_600_000.0,
)
"""The course's own evaluation: weights fitted to the outcomes of games, see the experiment ``fit_2048``."""
