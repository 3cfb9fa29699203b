"""n-tuple networks for 2048 that learn; `net` says what such a network is.

An update moves the value of an afterstate towards a target: every weight that it reads moves by the same share of the
error. A board that is itself symmetric reads one weight several times; an update then moves that weight as many times,
and the value by more than the error. (Such boards are rare on 4 × 4, and looking for them costs time in every update.)

Learning is TD on afterstates. The target of an afterstate is what came after it, G = r + (1 − λ)·V(next) + λ·G(next),
where r is the reward of the next slide, and 0 where no slide was possible. *Temporal coherence* gives each weight a
learning rate of its own: with E the sum of its errors and A the sum of their sizes, the rate is abs(E) / A, one while
the errors agree in sign and near zero once they only fluctuate.

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

from expectimax_course.game2048.net import FOUR_SIX, Cells, Shape
from expectimax_course.game2048.rules import ACTIONS, Board, slide

F = np.float32


class NTupleNetwork(Shape):
    """The weights of a network and the sums of temporal coherence.

    Parameters
    ----------
    tuples : sequence of cells
        In reading order of the board.
    rows, cols : int
    initial : float
        The value of every board before training; above the truth it is optimistic and makes the learner try things.
    coherence : bool
        Temporal coherence; without it every weight learns at the same rate.

    Attributes
    ----------
    weights : float32, shape (tables · table_size,)
        One table after the other.
    sums : float32, shape (tables · table_size, 2)
        Of each weight, the sum of its errors and the sum of their sizes; without coherence empty.

    Examples
    --------
    >>> net = NTupleNetwork([(0, 1)], rows=2, cols=2, initial=8)
    >>> float(net.value(((2, 4), (0, 0))))
    8.0
    """

    def __init__(
        self,
        tuples: Sequence[Cells] = FOUR_SIX,
        *,
        rows: int = 4,
        cols: int = 4,
        initial: float = 0.0,
        coherence: bool = True,
    ) -> None:
        super().__init__(tuples, rows, cols)
        self.weights: NDArray[np.float32] = np.full(len(tuples) * self.table_size, initial / self.features, F)
        self.sums: NDArray[np.float32] = np.zeros((len(self.weights) if coherence else 0, 2), F)

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
            if not len(self.sums):
                self.weights[index] += share
                continue
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
