"""Self-play: how the networks of the course were trained, as TD-Gammon was.

The network plays both sides, each time the play that it values most, and afterwards moves its value of every position
of the game towards the λ-return: for λ = 0 the value of the next position. No play is ever random: the dice explore.

The rate of learning is constant for the first half of a run and then falls geometrically to a twentieth, so that the
noise that each single game adds fades. The networks that the package ships come from ::

    expectimax-course train backgammon --seed 1 --games 100000 --rate 0.1 --out small.bin
    expectimax-course train backgammon --seed 1 --games 400000 --hidden 120 --expert --rate 0.1 --out strong.bin

Game i of a run takes its dice from ``derive_seed(seed, i)``; blocks of `BLOCK` games are the unit of progress, of the
rate and of the checkpoints, so that an interrupted run that resumes ends with the same bits as one that never stopped.

References
----------
G. Tesauro, "Temporal difference learning and TD-Gammon", Communications of the ACM 38(3), 1995.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from expectimax_course.backgammon import kernels
from expectimax_course.backgammon.net import N_OUTPUTS, Net, flip, learn, new_net, write_net
from expectimax_course.backgammon.rules import Backgammon, Side
from expectimax_course.backgammon.search import from_weights, to_weights
from expectimax_course.game import GameError
from expectimax_course.learning.checkpoints import CheckpointError, load_checkpoint, save_checkpoint, write_atomically
from expectimax_course.rng import derive_seed

BLOCK = 500
MAX_PLIES = 4096


class Settings(NamedTuple):
    """Everything that decides the outcome of a run."""

    seed: int
    games: int
    hidden: int = 40
    expert: bool = False
    parts: int = 2
    decay: float = 0.0
    rate: float = 0.2


def check_settings(settings: Settings) -> None:
    """Check the settings of a run.

    Raises
    ------
    GameError
        If the number of games is below 1, λ outside [0, 1], or the rate outside (0, 1].
    """
    if settings.games < 1:
        raise GameError(f"expected 1 or more games, got {settings.games!r}")
    if not 0 <= settings.decay <= 1:
        raise GameError(f"expected λ between 0 and 1, got {settings.decay!r}")
    if not 0 < settings.rate <= 1:
        raise GameError(f"expected a rate of learning above 0 and at most 1, got {settings.rate!r}")


def rate_at(start: float, progress: float) -> float:
    """Return the rate of learning at a share of a run: constant for half of it, then down to a twentieth.

    Examples
    --------
    >>> [round(rate_at(0.2, share), 3) for share in (0.0, 0.5, 0.75, 1.0)]
    [0.2, 0.2, 0.045, 0.01]
    """
    return start if progress <= 0.5 else float(start * 20.0 ** (1 - 2 * progress))


class Training:
    """A run in progress: weights, and how many games they have learnt from.

    Examples
    --------
    >>> training = Training(Settings(seed=1, games=20, hidden=4))
    >>> training.advance(10)
    >>> training.done, training.finished
    (10, False)
    """

    def __init__(self, settings: Settings) -> None:
        check_settings(settings)
        self.settings = settings
        self.done = 0
        net = new_net(settings.hidden, seed=settings.seed, parts=settings.parts, expert=settings.expert)
        self.weights = to_weights(net)
        side = Backgammon().initial_state().max_side
        self._start = np.array((side, side), np.int8)
        self._scratch = kernels.new_scratch(settings.hidden)

    @property
    def finished(self) -> bool:
        """Whether all games are played."""
        return self.done >= self.settings.games

    def advance(self, games: int = BLOCK) -> None:
        """Play and learn up to ``games`` more games."""
        settings = self.settings
        games = min(games, settings.games - self.done)
        rate = rate_at(settings.rate, self.done / settings.games)
        seeds = np.array([derive_seed(settings.seed, self.done + i) for i in range(games)], np.uint64)
        with np.errstate(over="ignore"):  # without numba the random generator wraps in NumPy's scalars
            kernels.self_play(
                seeds,
                self._start,
                np.float32(settings.decay),
                np.float32(rate),
                self.weights,
                kernels.TABLES,
                self._scratch,
                MAX_PLIES,
            )
        self.done += games

    def net(self) -> Net:
        """Return the network as it is now."""
        return from_weights(self.weights)

    def save(self, path: Path) -> None:
        """Save a checkpoint, atomically."""
        save_checkpoint(path, {**self.settings._asdict(), "done": self.done}, self.weights._asdict())

    @classmethod
    def load(cls, path: Path) -> Training:
        """Return the run of a checkpoint.

        Raises
        ------
        CheckpointError
            If the file is missing or not one of ours.
        """
        saved, arrays = load_checkpoint(path)
        try:
            done = int(saved.pop("done"))
            training = cls(Settings(**saved))
            training.weights = kernels.Weights(**arrays)
        except (TypeError, KeyError) as error:
            raise CheckpointError(f"expected a checkpoint of backgammon training, got {str(path)!r}: {error}") from None
        training.done = done
        return training


def train(
    settings: Settings, out: Path, *, resume: bool = False, progress: Callable[[int, int], object] | None = None
) -> Net:
    """Train a network, write it to ``out``, and return it.

    A checkpoint stands beside ``out`` (with ``.checkpoint.npz`` appended) after every block.

    Parameters
    ----------
    resume : bool
        Continue from the checkpoint; it must be of the same settings.
    progress : callable, optional
        Called with (games done, games in all) after every block.

    Raises
    ------
    CheckpointError
        If ``resume`` finds no checkpoint or one of other settings, or a checkpoint stands there without ``resume``, or
        ``out`` is a folder.
    """
    if out.is_dir():
        raise CheckpointError(f"expected a file for the network, got the folder {str(out)!r}")
    checkpoint = out.with_name(out.name + ".checkpoint.npz")
    if resume:
        training = Training.load(checkpoint)
        if training.settings != settings:
            raise CheckpointError(f"expected a checkpoint of {settings}, got one of {training.settings}")
    elif checkpoint.exists():
        raise CheckpointError(f"expected resume or another file, because a checkpoint exists: {str(checkpoint)!r}")
    else:
        training = Training(settings)
    while not training.finished:
        training.advance()
        training.save(checkpoint)
        if progress is not None:
            progress(training.done, settings.games)
    net = training.net()
    write_atomically(out, write_net(net))
    return net


def sweep(net: Net, game: list[tuple[Side, Side]], outcome: Any, *, decay: float, rate: float) -> None:
    """Learn from one game in plain Python: the readable twin of `kernels.sweep`.

    Parameters
    ----------
    net : Net
        Changed in place.
    game : list of (side on roll, other side), each from its own end
        The positions before each roll, in order.
    outcome : sequence of 5 probabilities
        What the last position turned out to be worth to its side on roll.
    decay, rate : float
        λ and the rate of learning.
    """
    target = tuple(outcome)
    assert len(target) == N_OUTPUTS
    for own, other in reversed(game):
        value = learn(net, own, other, target, rate)
        target = flip([decay * t + (1 - decay) * v for t, v in zip(target, value, strict=True)])
