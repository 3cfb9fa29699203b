"""Training the network of 2048 by self-play, in runs that can be killed at any moment.

A run is cut into blocks of `BLOCK` games. Between two blocks its whole state is the weights, the sums of temporal
coherence and one integer, the state of the generator; a checkpoint holds just that, so a run of one thread that resumes
ends with the same bits as one that never stopped, and a kill loses at most the blocks since the last checkpoint.

A finished network is rounded to steps of points, see `finish`; `net` has its file.
"""

from __future__ import annotations

import math
import time
from array import array
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from expectimax_course.game import GameError
from expectimax_course.game2048 import bitboard, ntuple_kernels
from expectimax_course.game2048.bitboard import GameRecord
from expectimax_course.game2048.kernels import Array
from expectimax_course.game2048.net import FOUR_FOUR, FOUR_SIX, TupleNet, TupleNetError
from expectimax_course.game2048.ntuple import NTupleNetwork
from expectimax_course.learning.checkpoints import CheckpointError, load_checkpoint, save_checkpoint
from expectimax_course.rng import derive_seed

BLOCK = 200
LONGEST_GAME = 200_000
STEP, RARELY = 16, 16
"""Points that a network is rounded to, and how many of these steps are one for weights that learning seldom met."""
MOST_INITIAL = 10_000_000
"""Points; three fifths of what the weights of a finished network can hold."""
TUPLES = {2: FOUR_FOUR, 3: FOUR_SIX}
"""The networks by their width: see `ntuple_kernels`."""


class Settings(NamedTuple):
    """Everything that decides the outcome of a run.

    ``decay`` is λ, ``rate`` the factor of all learning rates, ``initial`` the value of every board at the start; after
    a game of at least ``restart_above`` slides, play is resumed from its middle. ``width`` is 3 for ``net.FOUR_SIX``
    and 2 for ``net.FOUR_FOUR``; ``coherence`` says whether each weight has a learning rate of its own.

    ``threads`` share the network and change it without locks (Niu et al., "Hogwild!", NeurIPS 2011). More than one is
    faster, but an update may then be lost, and no run repeats.
    """

    seed: int
    games: int
    decay: float = 0.5
    rate: float = 1.0
    initial: float = 0.0
    restart_above: int = 2000
    width: int = 3
    coherence: bool = True
    threads: int = 1


class Progress(NamedTuple):
    """One block of a run: games so far, slides so far, CPU seconds of this block, and its games' scores and tiles."""

    games: int
    slides: int
    seconds: float
    scores: list[int]
    max_tiles: list[int]


class Run:
    """A training run: its settings, its network, and where it stands: games, slides, CPU seconds.

    Raises
    ------
    GameError
        If a setting is out of range.
    """

    def __init__(self, settings: Settings) -> None:
        for name, fits, words in (
            ("games", settings.games >= 1, "1 game or more"),
            ("restart_above", settings.restart_above >= 2, "a restart_above of 2 or more"),
            ("decay", 0 <= settings.decay <= 1, "a λ in [0, 1]"),
            ("rate", 0 < settings.rate <= 1, "a rate in (0, 1]"),
            ("width", settings.width in TUPLES, "a width of 2 or 3"),
            ("threads", settings.threads >= 1, "1 thread or more"),
            ("initial", math.isfinite(settings.initial) and abs(settings.initial) <= MOST_INITIAL,
             f"an initial value of at most {MOST_INITIAL:,} in size"),
        ):  # fmt: skip
            if not fits:
                raise GameError(f"expected {words}, got {getattr(settings, name)!r}")
        self.settings = settings
        self.network = NTupleNetwork(TUPLES[settings.width], initial=settings.initial, coherence=settings.coherence)
        self.state = derive_seed(settings.seed, 0)
        self.games = self.slides = 0
        self.seconds = 0.0
        self._buffers = [_buffers() for _ in range(settings.threads)]

    def block(self) -> Progress:
        """Play and learn the next `BLOCK` games, or what is left of the run."""
        count = min(BLOCK, self.settings.games - self.games)
        results: Array = np.zeros((count, 2), np.uint64)
        started = time.process_time()
        threads = self.settings.threads
        if threads == 1:
            self.state, slides = self._learn(self.state, self._buffers[0], results)
        else:
            states = [derive_seed(self.state, number) for number in range(threads)]
            with ThreadPoolExecutor(threads) as pool:
                shares = pool.map(self._learn, states, self._buffers, np.array_split(results, threads))
                slides = sum(done for _, done in shares)
            self.state = derive_seed(self.state, threads)
        self.games, self.slides = self.games + count, self.slides + slides
        seconds = time.process_time() - started
        self.seconds += seconds
        records = [GameRecord(int(score), 0, int(board)) for score, board in results.tolist()]
        scores, tiles = [r.score for r in records], [r.max_tile for r in records]
        return Progress(self.games, self.slides, seconds, scores, tiles)

    def _learn(self, state: int, buffers: tuple[Array, Array, Array], results: Array) -> tuple[int, int]:
        """Play and learn a game per row of ``results``; return the generator's state and the slides."""
        state, slides = ntuple_kernels.train(
            self.network.weights, self.network.sums, np.uint64(self.settings.width), np.uint64(state), len(results),
            self.settings.restart_above, np.float32(self.settings.rate), np.float32(self.settings.decay), *_rules(),
            *buffers, results,
        )  # fmt: skip
        return int(state), int(slides)

    def save(self, path: Path) -> None:
        """Write a checkpoint, atomically: the weights that were ever updated, and their sums."""
        settings = {
            **self.settings._asdict(),
            "state": str(self.state),
            "games_done": self.games,
            "slides": self.slides,
            "seconds": self.seconds,
        }
        network, initial = self.network, np.float32(self.settings.initial / self.network.features)
        touched = np.flatnonzero(network.sums[:, 1] if len(network.sums) else network.weights != initial)
        touched = touched.astype(np.uint32)
        weights, sums = network.weights[touched], network.sums[touched] if len(network.sums) else network.sums
        save_checkpoint(path, settings, {"touched": touched, "weights": weights, "sums": sums})

    def restore(self, path: Path) -> None:
        """Go on where a checkpoint stopped. More games than it was started for are allowed, nothing else may differ.

        Raises
        ------
        CheckpointError
            If there is no such file, it is no checkpoint of this kind, or the run had other settings.
        """
        stored, arrays = load_checkpoint(path)
        mine = self.settings._asdict()
        for name, value in mine.items():
            was = stored.get(name, Settings._field_defaults.get(name))
            if name != "games" and was != value:
                theirs = f"{was!r} in {str(path)!r}"
                raise CheckpointError(f"expected a run with {name} = {value!r}, got a checkpoint with {theirs}")
        touched = arrays.get("touched")
        sums = arrays.get("sums", ())
        expected = len(touched) if touched is not None and self.settings.coherence else 0
        if touched is None or len(touched) != len(arrays.get("weights", ())) or len(sums) != expected:
            raise CheckpointError(f"expected the weights of a 2048 network, got none such in {str(path)!r}")
        if stored["games_done"] > self.settings.games:
            theirs = f"{stored['games_done']:,} in {str(path)!r}"
            raise CheckpointError(f"expected a run of at most {self.settings.games:,} games so far, got {theirs}")
        self.network.weights[touched] = arrays["weights"]
        if self.settings.coherence:
            self.network.sums[touched] = sums
        self.state, self.games, self.slides = int(stored["state"]), stored["games_done"], stored["slides"]
        self.seconds = stored.get("seconds", 0.0)


def train(
    settings: Settings,
    checkpoint: Path,
    *,
    resume: bool = False,
    save_every: float = 120.0,
    report: Callable[[Progress], None] = lambda progress: None,
    clock: Callable[[], float] = time.monotonic,
) -> NTupleNetwork:
    """Train a network.

    Parameters
    ----------
    checkpoint : Path
        Written every ``save_every`` seconds and at the end.
    resume : bool
        Go on from the checkpoint; without it an existing one is an error, so that no run is lost by a slip.

    Raises
    ------
    CheckpointError
        If there is a checkpoint and ``resume`` is False, or none that fits and it is True.
    """
    run = Run(settings)
    if resume:
        run.restore(checkpoint)
    elif checkpoint.exists():
        raise CheckpointError(f"expected no run at {str(checkpoint)!r} yet, got one; resume it or name another file")
    saved = clock()
    while run.games < settings.games:
        report(run.block())
        if clock() - saved >= save_every:
            run.save(checkpoint)
            saved = clock()
    run.save(checkpoint)
    return run.network


def play_greedy(network: NTupleNetwork, seeds: list[int]) -> list[GameRecord]:
    """Play one greedy (1-ply) game per seed with the compiled network, on the spawns of ``play.play_game``."""
    results: Array = np.zeros((len(seeds), 3), np.uint64)
    states: Array = np.array([derive_seed(seed, 0) for seed in seeds], np.uint64)
    width = next(width for width, tuples in TUPLES.items() if tuples == network.tuples)
    ntuple_kernels.play_games(states, network.weights, np.uint64(width), *_rules(), *_buffers(), results)
    return [GameRecord(*row) for row in results.tolist()]


def finish(network: NTupleNetwork, *, step: int = STEP, made: str = "") -> TupleNet:
    """Return the network rounded to multiples of ``step``, what it seldom met more coarsely.

    With temporal coherence, the half of the learnt weights that errors moved least, by the sum of the errors' sizes,
    is rounded to `RARELY` steps: these weights are read seldom and would take most of the file.

    Raises
    ------
    TupleNetError
        If a weight does not fit into 16 bits in that step.
    """
    rounded = np.rint(network.weights / np.float32(step))
    moved = network.sums[:, 1]
    if moved.any():
        rare = np.flatnonzero((moved > 0) & (moved < np.median(moved[moved > 0])))
        rounded[rare] = RARELY * np.rint(network.weights[rare] / np.float32(RARELY * step))
    if np.abs(rounded).max() > np.iinfo(np.int16).max:
        raise TupleNetError(f"expected weights below {step << 15} in size, got {float(np.abs(network.weights).max())}")
    weights = array("h")
    weights.frombytes(rounded.astype(np.int16).tobytes())
    return TupleNet(network.tuples, step, weights, made=made)


def _buffers() -> tuple[Array, Array, Array]:
    """Return room for one game: the boards before the slides, the afterstates, the rewards."""
    return np.zeros(LONGEST_GAME, np.uint64), np.zeros(LONGEST_GAME, np.uint64), np.zeros(LONGEST_GAME, np.int64)


def _rules() -> tuple[Any, Any, Any, Any]:
    slides, rewards, _, _ = bitboard.tables()
    return slides, rewards, bitboard.cumulative(0.1), bitboard.four_from(0.1)
