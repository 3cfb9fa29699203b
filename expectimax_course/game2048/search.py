"""Expectimax for 2048 on 64-bit boards: the compiled twin of ``search.expectimax`` with the same values.

Depth-limited search is plain expectimax and gives, with or without a table, the very bits of the readable search.
With a cutoff, an afterstate whose reach (the product of the spawn probabilities on the way to it) is below the cutoff
is evaluated at once. A search against the clock deepens step by step and keeps the last complete answer.

    V(s) = max over a of r(s, a) + W(s·a)         W(afterstate) = Σ P(spawn) · V(afterstate·spawn)

The table never answers with less than was asked: an entry must have the same depth and must have been searched at
least as wide, where the width of a node is reach / cutoff. (A program that also takes entries that were cut off
earlier, or searched to other depths, now and then plays a worse move than the same search without a table.) Time and
space as in ``search.expectimax``; the table has a fixed number of entries, overwritten without asking.

References
----------
Four bits per cell and row tables: R. Xiao (nneonneo), *2048-ai*, 2014.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from expectimax_course.game import DepthError, EvaluationError, StateError
from expectimax_course.game2048 import bitboard, kernels
from expectimax_course.game2048.bitboard import GameRecord
from expectimax_course.game2048.evaluate import UNITS, RowEvaluation, article
from expectimax_course.game2048.kernels import Array
from expectimax_course.game2048.net import FOUR_FOUR, FOUR_SIX, TupleNet
from expectimax_course.game2048.published import depth_rule
from expectimax_course.game2048.rules import ACTIONS, State, check_spawn_four, is_whole
from expectimax_course.rng import derive_seed
from expectimax_course.search.result import NodeCounts, SearchResult, SettingError, is_finite

ARTICLE_LOST = -1e9
"""The source article's value of a finished game."""

MAX_DEPTH = 30
"""Decisions for which the search has a stack."""

STEPS = (
    (1, 0.0), (2, 0.0), (3, 1e-2), (4, 4e-3), (5, 4e-3), (5, 1.5e-3), (6, 1.5e-3), (6, 6e-4), (7, 6e-4), (7, 2.5e-4),
    (8, 2.5e-4), (8, 1e-4), (9, 1e-4), (9, 4e-5), (10, 4e-5), (10, 1.5e-5), (12, 6e-6), (14, 2.5e-6), (16, 1e-6),
    (20, 4e-7),
)  # fmt: skip
"""Depth and cutoff of each step of a search against the clock; from the fourth on a step costs about twice the last."""

GROWTH = 1.5
"""No step is begun in less than this many times the time of the one before: it would hardly be finished."""

COMPILED_TUPLES = {FOUR_SIX: 3, FOUR_FOUR: 2}
"""The networks that are compiled, and their width: see `ntuple_kernels`."""

MAX_TABLE_BITS = 30
"""The largest table: 32 GiB."""

COMPILED_DEPTH = 3
"""Whole games to this depth are one call of compiled code, which Ctrl-C cannot stop: they take seconds at most."""

UNSTOPPABLE = 1 << 20
"""Evaluations of one call of the kernel at most, some hundredths of a second: between two calls Ctrl-C is heard."""

SLICE, NET_SLICE = 20_000, 8_000
"""Evaluations between two looks at the clock, by rows and by a network: some tenths of a millisecond."""


class Searcher:
    """Expectimax with one evaluation, and the memory that it works in.

    Parameters
    ----------
    evaluation : RowEvaluation, TupleNet or `article`
        What an afterstate is worth; a network of the shape `net.FOUR_SIX` or `net.FOUR_FOUR`.
    spawn_four : float
        Probability of a 4.
    use_rewards : bool
        Add the rewards on the way.
    lost : float, optional
        Value of a finished game; by default the evaluation's own, −1e9 for `article`, 0 for a network.
    table_bits : int
        The table has 2**table_bits entries of 32 bytes; 0 for none, 30 at most.
    downgrade_above : int
        Boards with a larger tile are searched as `net.downgrade` makes them; values are then those of that board.

    Raises
    ------
    EvaluationError, StateError, SettingError
        If the evaluation is of another kind, ``spawn_four`` is no probability, or another parameter out of range.

    Examples
    --------
    >>> from expectimax_course.game2048.published import NNEONNEO
    >>> board = ((2, 4, 2, 4), (4, 2, 4, 2), (2, 4, 2, 4), (0, 2, 4, 2))
    >>> Searcher(NNEONNEO).search(bitboard.pack(board), 2).action
    'left'
    """

    def __init__(
        self,
        evaluation: RowEvaluation | TupleNet | Callable[[State], float],
        *,
        spawn_four: float = 0.1,
        use_rewards: bool = False,
        lost: float | None = None,
        table_bits: int = 16,
        downgrade_above: int = 1 << 15,
    ) -> None:
        check_spawn_four(spawn_four)
        if not is_whole(table_bits) or not 0 <= table_bits <= MAX_TABLE_BITS:
            raise SettingError(f"expected 0 to {MAX_TABLE_BITS} bits for the table, got {table_bits!r}")
        if not is_whole(downgrade_above) or downgrade_above < 2:
            raise SettingError(f"expected a tile to downgrade above, 2 or more, got {downgrade_above!r}")
        if not (lost is None or is_finite(lost)):
            raise SettingError(f"expected a finite value of a lost game, got {lost!r}")
        slides, rewards, _, _ = bitboard.tables()
        self.lines: Array
        unit = 1 / UNITS
        if isinstance(evaluation, RowEvaluation):
            self.kind, default = 0, evaluation.lost
            self.inside = 0 if evaluation.inside == evaluation.rim else 1 << 16
            self.lines = line_table(evaluation, use_rewards=use_rewards)
        elif evaluation is article:
            self.kind, self.inside, default = 1, 0, ARTICLE_LOST
            self.lines = zigzag_table()
        elif isinstance(evaluation, TupleNet) and evaluation.tuples in COMPILED_TUPLES:
            self.kind, self.inside, default = 2, COMPILED_TUPLES[evaluation.tuples], 0.0
            self.lines = np.frombuffer(evaluation.weights, np.int16).copy()  # NumPy asks for large pages
            unit = float(evaluation.step)
        else:
            raise EvaluationError(f"expected a RowEvaluation, `article` or a compiled network, got {evaluation!r}")
        self.lost, self.unit = default if lost is None else lost, unit
        n = np.maximum(np.arange(17), 1)
        self._tables = (np.stack([(1 - spawn_four) / n, spawn_four / n], axis=1), slides, rewards, self.lines)
        self.spawn_four, self.use_rewards, self.table_bits = spawn_four, use_rewards, table_bits
        self.downgrade_above = downgrade_above
        self._stack = (
            np.zeros((MAX_DEPTH + 2, 6), np.uint64),
            np.zeros((MAX_DEPTH + 2, 6)),
            np.zeros(kernels.SCRATCH + 64, np.int64),
        )
        self._root: Array = np.zeros(4)
        words: Array = np.zeros(4 << max(1, table_bits), np.uint64)
        self._memory = (words, words.view(np.float64))
        self.generation = self.evaluations = 0

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

        Returns
        -------
        SearchResult
            With a cutoff, as of `search.cutoff`: values of the truncated tree, which prove nothing about the full one.

        Raises
        ------
        StateError, DepthError, ValueError
            If no slide is legal, or depth or cutoff are out of range.
        """
        self.generation += 1
        self._start(board, depth, cutoff)
        while not self._continue(UNSTOPPABLE):
            pass
        return self._result(depth)

    def search_for(
        self, board: int, seconds: float, *, clock: Callable[[], float] = time.perf_counter
    ) -> SearchResult[str]:
        """Search deeper and deeper while the time allows; return the last complete answer.

        Parameters
        ----------
        board : int
            A bitboard with a legal slide.
        seconds : float
            Measured by ``clock``; the first step is finished in any case.
        clock : callable
            ``time.process_time`` counts CPU time instead, which other programs do not disturb.

        Returns
        -------
        SearchResult
            ``depth`` is that of the last complete step; nodes and evaluations are those of all steps together;
            ``complete`` says whether even the last of `STEPS` was finished. The table stays filled from one call to
            the next, so the answer depends on what was asked before, and on the machine.

        Raises
        ------
        StateError, ValueError
            If no slide is legal, or the time is negative or not a number.
        """
        if not seconds >= 0:
            raise ValueError(f"expected a time of 0 seconds or more, got {seconds!r}")
        now = clock()
        end = now + seconds
        counts: Array = np.zeros(kernels.SCRATCH, np.int64)
        budget = NET_SLICE if self.kind == 2 else SLICE
        answer = None
        for depth, cutoff in STEPS:
            begun = now
            self._start(board, depth, cutoff)
            done = self._continue(budget)
            while not done and (answer is None or clock() < end):
                done = self._continue(budget)
            counts += self._stack[2][: kernels.SCRATCH]
            if done:
                answer = self._result(depth)
            now = clock()
            if not done or now + GROWTH * (now - begun) >= end:
                break
        assert answer is not None
        _, _, max_nodes, chance, terminals, evaluations, hits = counts.tolist()
        nodes = NodeCounts(max_nodes, 0, chance, terminals)
        complete = done and depth == STEPS[-1][0]
        return answer._replace(nodes=nodes, evaluations=evaluations, table_hits=hits, complete=complete)

    def search_within(self, board: int, evaluations: int) -> SearchResult[str]:
        """Search to depth 1, 2, … while the evaluations last; return the last complete answer.

        Parameters
        ----------
        board : int
            A bitboard with a legal slide.
        evaluations : int
            For all depths together, 1 or more; depth 1 is finished in any case.

        Returns
        -------
        SearchResult
            ``evaluations`` counts those of all searches, that of the unfinished one included: the kernel looks at its
            count between two chance nodes of its upper levels, so what lies below one of them may be spent beyond what
            was allowed: hundreds, on an empty board ten thousand. All else is of the answer's own search.

        Raises
        ------
        StateError, ValueError
            If no slide is legal, or there is not one evaluation to spend.
        """
        if not evaluations >= 1:
            raise ValueError(f"expected 1 evaluation or more, got {evaluations!r}")
        answer = self.search(board, 1)
        spent, depth = answer.evaluations, 1
        while spent < evaluations and depth < MAX_DEPTH:
            depth += 1
            self.generation += 1
            self._start(board, depth, 0.0)
            control, left, done = self._stack[2], evaluations - spent, False
            while not done and left > 0:
                done = self._continue(min(left, UNSTOPPABLE))
                left = evaluations - spent - int(control[kernels.EVALUATIONS])
            spent += int(control[kernels.EVALUATIONS])
            if not done or spent > evaluations:
                break
            answer = self._result(depth)
        return answer._replace(evaluations=spent)

    def play(self, seed: int, depth: int | None, cutoff: float = 0.0) -> GameRecord:
        """Play one game with the spawns of ``play.play_game`` on this seed, to depth 3 wholly compiled.

        ``self.evaluations`` then says how many afterstates were evaluated. Deeper games are played move by move, which
        costs some microseconds a move and lets Ctrl-C stop them; the game is the same.

        Parameters
        ----------
        seed : int
        depth, cutoff
            As in `search`; depth None for the depth rule of `published`.

        Raises
        ------
        DepthError, ValueError
            If depth or cutoff are out of range.
        """
        self._start(0x11, 1 if depth is None else depth, cutoff)  # the kernel begins with a board of its own
        if depth is None or depth > COMPILED_DEPTH:
            return self._play_deep(seed, depth, cutoff)
        try:
            with np.errstate(over="ignore"):
                record = kernels.play_game(
                    np.uint64(derive_seed(seed, 0)),
                    *self._stack,
                    self._root,
                    self._settings,
                    self._limits,
                    *self._tables,
                    *self._memory,
                    bitboard.cumulative(self.spawn_four),
                    bitboard.four_from(self.spawn_four),
                )
        finally:  # after Ctrl-C too: what this game left in the table must not answer for the next
            self.generation = int(self._settings[kernels.GENERATION])
        self.evaluations = int(self._stack[2][kernels.EVALUATIONS])
        return GameRecord(*(int(x) for x in record))

    def _play_deep(self, seed: int, depth: int | None, cutoff: float) -> GameRecord:
        evaluations = 0

        def choose(board: int, legal: int) -> int:
            nonlocal evaluations
            different = len({board >> 4 * cell & 15 for cell in range(16)} - {0})
            answer = self.search(board, depth or depth_rule(different), cutoff)
            evaluations += answer.evaluations
            return int(kernels.best_action(self._root))

        record = bitboard.play_chosen(seed, choose, spawn_four=self.spawn_four)
        self.evaluations = evaluations
        return record

    def _start(self, board: int, depth: int, cutoff: float) -> None:
        if isinstance(depth, bool) or not isinstance(depth, int) or not 1 <= depth <= MAX_DEPTH:
            raise DepthError(f"expected a depth between 1 and {MAX_DEPTH} decisions, got {depth!r}")
        if not 0 <= cutoff < 1:
            raise ValueError(f"expected a cutoff between 0 and 1, got {cutoff!r}")
        if not 0 <= board < 1 << 64 or not kernels.legal_slides(np.uint64(board)):
            why = "expected a board with a legal slide (two tiles of 32768 do not merge here)"
            raise StateError(f"{why}, got code {board:#x}")
        flags = (self.kind, self.inside, self.use_rewards, self.table_bits, self.generation)
        largest = self.downgrade_above.bit_length() - 1
        self._settings: Array = np.array((depth, *flags, largest), np.int64)
        self._limits: Array = np.array([cutoff, self.lost, self.unit])
        self._stack[2][:] = 0
        kernels.start(np.uint64(kernels.downgrade(np.uint64(board), largest)), *self._stack, self._root)

    def _continue(self, budget: int) -> bool:
        with np.errstate(over="ignore"):  # uint64 wraps on purpose, which NumPy mentions where numba is missing
            done = kernels.search(
                *self._stack, self._root, budget, self._settings, self._limits, *self._tables, *self._memory
            )
        return bool(done)

    def _result(self, depth: int) -> SearchResult[str]:
        values = {ACTIONS[a]: (v, v) for a, v in enumerate(self._root.tolist()) if v == v}
        _, _, max_nodes, chance, terminals, evaluations, hits, *_ = self._stack[2].tolist()
        action = ACTIONS[kernels.best_action(self._root)]
        nodes = NodeCounts(max_nodes, 0, chance, terminals)
        return SearchResult(values[action][0], action, values, nodes, evaluations, hits, depth)


def line_table(evaluation: RowEvaluation, *, use_rewards: bool) -> Array:
    """Return what the kernels look up about lines: int32, shape (655360,); see `kernels`.

    Raises
    ------
    EvaluationError
        If values and rewards may be beyond 32 bits in units of 1/256.
    """
    ranks = bitboard.row_ranks().tolist()
    slides, rewards, _, _ = bitboard.tables()
    earned = rewards * UNITS if use_rewards else 0 * rewards
    table: Array = np.zeros(10 << 16, np.int32)
    for kind, weights in enumerate((evaluation.rim, evaluation.inside)):
        if kind and evaluation.inside == evaluation.rim:
            break
        exact = [weights.value(row) for row in ranks]
        most = max(map(abs, exact)) + int(earned.max())
        if most >= 1 << 31:
            raise EvaluationError(f"expected lines of a value below {(1 << 31) // UNITS:,}, got {most // UNITS:,}")
        values = np.array(exact)
        left, right = slides[: 1 << 16].astype(np.int64), slides[1 << 16 :].astype(np.int64)
        slid = np.stack([left, right, values[left] + earned, values[right] + earned], axis=1)
        table[kind << 16 : (kind + 1) << 16] = values
        table[(2 + 4 * kind) << 16 : (6 + 4 * kind) << 16] = slid.ravel()
    return table


def zigzag_table() -> Array:
    """Return the zigzag of each row, see `evaluate.article`: int32, shape (65536,)."""
    steps = np.diff(bitboard.row_ranks(), axis=1)
    rise, fall = np.maximum(steps, 0).sum(axis=1), np.maximum(-steps, 0).sum(axis=1)
    zigzag: Array = np.minimum(rise, fall).astype(np.int32)
    return zigzag
