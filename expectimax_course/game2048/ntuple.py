"""n-tuple networks for 2048: a value function that is a sum of table look-ups.

A *tuple* is a list of cells. The tiles on them, as powers of two, are the digits of an index into the tuple's own table
of weights. The value of an afterstate is the sum over all tuples and over all symmetries of the board:

    V(s) = Σ over symmetries g, tuples t of  weights_t[ digits of g(s) on the cells of t ]

Symmetric positions share their experience, because they read the same weights. A board that is itself symmetric reads
one weight several times; an update then moves that weight as many times, each by the same share, so that V moves as
much as it would elsewhere.

Learning is TD on afterstates. The target of an afterstate is what came after it, G = r + (1 − λ)·V(next) + λ·G(next),
where r is the reward of the next slide, and 0 where no slide was possible. *Temporal coherence* gives each weight a
learning rate of its own: with E the sum of its errors and A the sum of their sizes, the rate is |E| / A, one while the
errors agree in sign and near zero once they only fluctuate.

The twin that is fast enough to train with is `ntuple_kernels`; both give the same bits.

References
----------
M. Szubert and W. Jaśkowski, "Temporal difference learning of N-tuple networks for the game 2048", CIG 2014 (networks
and afterstates). D. F. Beal and M. C. Smith, "Temporal coherence and prediction decay in TD learning", IJCAI 1999.
W. Jaśkowski, "Mastering 2048 with delayed temporal coherence learning, multistage weight promotion, redundant encoding
and carousel shaping", IEEE Transactions on Games 10(1), 2018. K. Matsuzaki, "Developing a 2048 player with backward
temporal coherence learning and restart", ACG 2017 (sweeping a game from its end, and restarting in its middle).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from expectimax_course.game import StateError
from expectimax_course.game2048.rules import ACTIONS, Board, slide

Cells = tuple[int, ...]

FOUR_SIX: tuple[Cells, ...] = ((0, 1, 2, 3, 4, 5), (4, 5, 6, 7, 8, 9), (0, 1, 2, 4, 5, 6), (4, 5, 6, 8, 9, 10))
"""The four 6-tuples of the compiled network, as cells of a 4 × 4 board in reading order."""

RANKS = 16
"""Digits 0 (empty) to 15 (tile 32,768)."""

F = np.float32


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


class NTupleNetwork:
    """The weights of a network and the sums of temporal coherence.

    Parameters
    ----------
    tuples : sequence of cells
        In reading order of the board.
    rows, cols : int
    initial : float
        The value of every board before training; above the truth it is optimistic and makes the learner try things.

    Attributes
    ----------
    weights : float32, shape (tables · 16**longest,)
        One table after the other.
    sums : float32, shape (tables · 16**longest, 2)
        Of each weight, the sum of its errors and the sum of their sizes.

    Raises
    ------
    StateError
        If a tuple is empty, repeats a cell or leaves the board.

    Examples
    --------
    >>> net = NTupleNetwork([(0, 1)], rows=2, cols=2, initial=8)
    >>> float(net.value(((2, 4), (0, 0))))
    8.0
    """

    def __init__(
        self, tuples: Sequence[Cells] = FOUR_SIX, *, rows: int = 4, cols: int = 4, initial: float = 0.0
    ) -> None:
        for cells in tuples:
            if not cells or len(set(cells)) < len(cells) or not all(0 <= cell < rows * cols for cell in cells):
                raise StateError(f"expected different cells of a {rows} × {cols} board, got the tuple {cells!r}")
        self.tuples, self.rows, self.cols = tuple(tuples), rows, cols
        self.symmetries = symmetries(rows, cols)
        self.table_size = RANKS ** max(map(len, self.tuples))
        self.features = len(self.tuples) * len(self.symmetries)
        self.weights: NDArray[np.float32] = np.full(len(tuples) * self.table_size, initial / self.features, F)
        self.sums: NDArray[np.float32] = np.zeros((len(self.weights), 2), F)

    def indices(self, board: Board) -> list[int]:
        """Return the indices of the weights that a board reads: symmetry by symmetry, tuple by tuple."""
        ranks = [tile.bit_length() - 1 if tile else 0 for row in board for tile in row]
        found = []
        for turn in self.symmetries:
            for number, cells in enumerate(self.tuples):
                digits = sum(ranks[turn[cell]] * RANKS**place for place, cell in enumerate(cells))
                found.append(number * self.table_size + digits)
        return found

    def value(self, board: Board) -> np.float32:
        """Return the value of an afterstate: the points still to come."""
        indices, total = self.indices(board), F(0)
        for start in range(0, self.features, len(self.tuples)):
            part = F(0)
            for index in indices[start : start + len(self.tuples)]:
                part += self.weights[index]
            total += part
        return total

    def update(self, board: Board, target: np.float32, rate: float = 1.0) -> None:
        """Move the value of an afterstate towards its target, each weight at its own rate."""
        delta = target - self.value(board)
        share = F(rate) * delta / F(self.features)
        for index in self.indices(board):
            errors, sizes = self.sums[index]
            coherence = abs(errors) / sizes if sizes > 0 else F(1)
            self.weights[index] += share * coherence
            self.sums[index] = errors + delta, sizes + abs(delta)

    def best_slide(self, board: Board) -> tuple[str, int, Board] | None:
        """Return the greedy slide with its reward and afterstate, or None where no slide is possible.

        Ties go to the first of left, right, up, down.
        """
        best, best_total = None, F(0)
        for action in ACTIONS:
            after, reward = slide(board, action)
            if after != board:
                total = F(reward) + self.value(after)
                if best is None or total > best_total:
                    best, best_total = (action, reward, after), total
        return best

    def learn_path(self, path: Sequence[tuple[int, Board]], *, decay: float = 0.5, rate: float = 1.0) -> None:
        """Learn from one game: (reward of the slide, afterstate) in the order of play, swept from the end.

        Parameters
        ----------
        decay : float
            λ, between 0 and 1.
        rate : float
            Factor of all learning rates.
        """
        target = F(0)
        for reward, after in reversed(path):
            self.update(after, target, rate)
            target = F(reward) + (F(1) - F(decay)) * self.value(after) + F(decay) * target
