"""Expectimax for 2048 on 64-bit boards: the compiled twin of ``search.expectimax`` with the same values.

Depth-limited search is plain expectimax and gives, with or without a table, the very bits of the readable search.
With a cutoff, an afterstate whose reach (the product of the spawn probabilities on the way to it) is below the cutoff
is evaluated at once. A search against the clock deepens step by step and keeps the last complete answer.

    V(s) = max over a of r(s, a) + W(s·a)         W(afterstate) = Σ P(spawn) · V(afterstate·spawn)

Time and space as in ``search.expectimax``; the table has a fixed number of entries, replaced without asking.

References
----------
Four bits per cell and row tables: R. Xiao (nneonneo), *2048-ai*, 2014.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from expectimax_course.game import DepthError, Player
from expectimax_course.game2048 import bitboard, kernels
from expectimax_course.game2048.evaluate import UNITS, RowEvaluation, article
from expectimax_course.game2048.kernels import Array
from expectimax_course.game2048.rules import ACTIONS, Board
from expectimax_course.search.result import NodeCounts, SearchResult

MAX_DEPTH = 30
"""Decisions for which the search has a stack."""

SLICE = 100_000
"""Evaluations between two looks at the clock: less than a millisecond."""


class Searcher:
    """Expectimax with one evaluation, and the memory that it works in.

    Parameters
    ----------
    evaluation : RowEvaluation or `article`
        What an afterstate is worth.
    spawn_four : float
        Probability of a 4.
    use_rewards : bool
        Add the rewards on the way.
    lost : float, optional
        Value of a finished game; by default the evaluation's own, −1e9 for `article`.
    table_bits : int
        The table has 2**table_bits entries of 32 bytes; 0 for none.

    Examples
    --------
    >>> from expectimax_course.game2048.published import NNEONNEO
    >>> board = ((2, 4, 2, 4), (4, 2, 4, 2), (2, 4, 2, 4), (0, 2, 4, 2))
    >>> Searcher(NNEONNEO).search(bitboard.pack(board), 2).action
    'left'
    """

    def __init__(
        self,
        evaluation: RowEvaluation | Callable[..., float],
        *,
        spawn_four: float = 0.1,
        use_rewards: bool = False,
        lost: float | None = None,
        table_bits: int = 18,
    ) -> None:
        self.kind, values, default = _row_values(evaluation)
        self.lost = default if lost is None else lost
        slides, rewards, _, _ = bitboard.tables()
        self.lines = (slides, rewards, _gains(values, slides, rewards if use_rewards else 0 * rewards), values)
        n = np.maximum(np.arange(17), 1)
        self.chances: Array = np.stack([(1 - spawn_four) / n, spawn_four / n], axis=1)
        self.use_rewards, self.table_bits = use_rewards, table_bits
        self.stack = (np.zeros((MAX_DEPTH + 2, 5), np.uint64), np.zeros((MAX_DEPTH + 2, 6)), np.zeros(6, np.int64))
        self.root: Array = np.zeros(4)
        self.words: Array = np.zeros(4 << table_bits if table_bits else 4, np.uint64)
        self.scratch = (np.zeros((16, 2), np.int64), np.zeros((16, 2), np.int64))
        self.generation = 0

    def search(self, board: int, depth: int, cutoff: float = 0.0) -> SearchResult[str]:
        """Search a decision state.

        Parameters
        ----------
        board : int
            A bitboard with a legal slide.
        depth : int
            Decisions to look ahead, 1 to 30.
        cutoff : float
            Afterstates of smaller reach are evaluated; 0 for plain expectimax.
        """
        self.generation += 1
        self._start(board, depth, cutoff)
        while not self._continue(1 << 40):
            pass
        return self._result(depth)

    def _start(self, board: int, depth: int, cutoff: float) -> None:
        self.settings: Array = np.array(
            [depth, self.kind, self.generation, self.table_bits, self.use_rewards], np.int64
        )
        self.limits: Array = np.array([cutoff, self.lost, 1 / UNITS])
        self.stack[2][:] = 0
        kernels.start_search(np.uint64(board), *self.stack, self.root)

    def _continue(self, budget: int) -> bool:
        return bool(
            kernels.search(
                *self.stack, self.root, budget, self.settings, self.limits, self.chances, *self.lines,
                self.words, self.words.view(np.float64), *self.scratch,
            )
        )

    def _result(self, depth: int) -> SearchResult[str]:
        values = {ACTIONS[a]: (v, v) for a, v in enumerate(self.root.tolist()) if v == v}
        _, max_nodes, chance, terminals, evaluations, hits = self.stack[2].tolist()
        action = ACTIONS[kernels.best_action(self.root)]
        return SearchResult(values[action][0], action, values, NodeCounts(max_nodes + 1, 0, chance, terminals), evaluations, hits, depth)


def _row_values(evaluation: RowEvaluation | Callable[..., float]) -> tuple[int, Array, float]:
    """Return kind, row values (rim, then inside) and the value of a lost game."""
    ranks = bitboard.row_ranks().tolist()
    if isinstance(evaluation, RowEvaluation):
        rim = [evaluation.rim.value(row) for row in ranks]
        inside = rim if evaluation.inside == evaluation.rim else [evaluation.inside.value(row) for row in ranks]
        return 0, np.array(rim + inside, np.int32), evaluation.lost
    zig = [min(sum(max(0, b - a) for a, b in zip(r, r[1:])), sum(max(0, a - b) for a, b in zip(r, r[1:]))) for r in ranks]
    return 1, np.array(zig, np.int32), -1e9


def _gains(values: Array, slides: Array, rewards: Array) -> Array:
    """Return value plus reward after a slide, by kind of row, side and row."""
    if len(values) == 1 << 16:
        return np.zeros(1, np.int32)
    both = np.concatenate([rewards, rewards]) * UNITS
    return np.concatenate([values[slides] + both, values[(1 << 16) + slides.astype(np.int64)] + both]).astype(np.int32)
