"""The network that values backgammon positions, on the standard library alone: it plays in a browser.

One hidden layer of logistic units, five logistic outputs. With x the `inputs`, as the side on roll sees them::

    h = σ(x·W)        o = σ(h·V + b)        σ(z) = 1 / (1 + exp(−z))

the outputs estimate the probabilities of a win, a gammon won, a backgammon won, a gammon lost and a backgammon lost;
a win includes gammons, a gammon backgammons. So the points to expect, without a cube, are::

    2·win − 1 + gammon won + backgammon won − gammon lost − backgammon lost

A *part* is such a network. A second part, where there is one, values races: positions in which the sides have passed
each other. Files hold the weights as 16-bit floats; see `write_net`.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from importlib import resources
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from expectimax_course.backgammon.inputs import N_EXPERT, N_INPUTS, active_inputs
from expectimax_course.backgammon.rules import OFF, Side, stake
from expectimax_course.game import GameError
from expectimax_course.rng import Rng

N_OUTPUTS = 5
_MAGIC = b"ECBG"
_HEADER = struct.Struct("<4sHHH")

Outputs = tuple[float, float, float, float, float]


class NetError(GameError):
    """A network is unknown, or its file is none."""


class Part(NamedTuple):
    """One network: lists, so that it can learn in place."""

    w1: list[list[float]]  # (198, hidden), or (218, hidden) with the expert inputs
    w2: list[list[float]]  # (5, hidden)
    b2: list[float]  # (5,)

    @property
    def expert(self) -> bool:
        """Whether it sees the expert inputs too."""
        return len(self.w1) > N_INPUTS


class Net(NamedTuple):
    """One part for every position, or two: contact and race."""

    parts: tuple[Part, ...]

    @property
    def hidden(self) -> int:
        """Units of the hidden layer."""
        return len(self.parts[0].w1[0])

    def part(self, own: Side, other: Side) -> Part:
        """Return the part that values this position."""
        return self.parts[1 if len(self.parts) == 2 and is_race(own, other) else 0]

    def probabilities(self, own: Side, other: Side) -> Outputs:
        """Return win, gammon won, backgammon won, gammon lost, backgammon lost of the side on roll, ``own``.

        A finished game gives the outcome itself. Gammons against a side that has borne off a checker are 0.
        """
        if len(own) - 2 != 24:
            raise NetError(f"expected the standard board of 24 points, got {len(own) - 2}")
        for winner, loser, first in ((own, other, 1), (other, own, 3)):
            if winner[OFF] == sum(winner):
                outcome = [float(winner is own), 0.0, 0.0, 0.0, 0.0]
                for k in range(stake(loser) - 1):
                    outcome[first + k] = 1.0
                return tuple(outcome)  # type: ignore[return-value]
        part = self.part(own, other)
        win, gammon, backgammon, lost_gammon, lost_backgammon = _outputs(part, _hidden(part, own, other))
        if other[OFF]:
            gammon = backgammon = 0.0
        if own[OFF]:
            lost_gammon = lost_backgammon = 0.0
        return win, gammon, backgammon, lost_gammon, lost_backgammon

    def equity(self, own: Side, other: Side) -> float:
        """Return the points that the side on roll may expect, between −3 and 3.

        Examples
        --------
        >>> from expectimax_course.backgammon.rules import Backgammon
        >>> start = Backgammon().initial_state()
        >>> load_net("small").equity(start.max_side, start.min_side) > 0
        True
        """
        return equity(self.probabilities(own, other))


def equity(outputs: Sequence[float]) -> float:
    """Return the expected points of five probabilities, no cube."""
    win, gammon, backgammon, lost_gammon, lost_backgammon = outputs
    return 2 * win - 1 + gammon + backgammon - lost_gammon - lost_backgammon


def flip(outputs: Sequence[float]) -> Outputs:
    """Return five probabilities as the other side sees them.

    Examples
    --------
    >>> flip((0.75, 0.25, 0.0, 0.125, 0.0))
    (0.25, 0.125, 0.0, 0.25, 0.0)
    """
    win, gammon, backgammon, lost_gammon, lost_backgammon = outputs
    return 1 - win, lost_gammon, lost_backgammon, gammon, backgammon


def is_race(own: Side, other: Side) -> bool:
    """Say whether the sides have passed each other, so that nobody can be hit any more."""
    bar = len(own) - 1
    top, other_top = (max((p for p in range(bar + 1) if side[p]), default=0) for side in (own, other))
    return top + other_top < bar


def _logistic(z: float) -> float:
    return 1 / (1 + math.exp(-z)) if z > -700 else 0.0


def _hidden(part: Part, own: Side, other: Side) -> list[float]:
    sums = [0.0] * len(part.w1[0])
    for unit, value in active_inputs(own, other, expert=part.expert):
        row = part.w1[unit]
        sums = [a + value * w for a, w in zip(sums, row, strict=True)]
    return [_logistic(z) for z in sums]


def _outputs(part: Part, hidden: list[float]) -> list[float]:
    return [
        _logistic(bias + sum(h * w for h, w in zip(hidden, row, strict=True)))
        for row, bias in zip(part.w2, part.b2, strict=True)
    ]


def learn(net: Net, own: Side, other: Side, target: Sequence[float], rate: float) -> Outputs:
    """Move the outputs of one position towards ``target`` and return them as they were before.

    One step down the gradient of the cross-entropy: the error of output k is simply target − output, and the weights
    into hidden unit j see Σ_k error_k · V_jk · h_j · (1 − h_j). Rows of inputs that are 0 do not change.
    """
    before = net.probabilities(own, other)
    part = net.part(own, other)
    hidden = _hidden(part, own, other)
    errors = [rate * (t - o) for t, o in zip(target, _outputs(part, hidden), strict=True)]
    change = [0.0] * len(hidden)
    for k, error in enumerate(errors):
        part.b2[k] += error
        row = part.w2[k]
        for j, h in enumerate(hidden):
            change[j] += error * row[j]
            row[j] += error * h
    change = [c * h * (1 - h) for c, h in zip(change, hidden, strict=True)]
    for unit, value in active_inputs(own, other, expert=part.expert):
        part.w1[unit][:] = [w + value * c for w, c in zip(part.w1[unit], change, strict=True)]
    return before


def new_net(hidden: int, *, seed: int, parts: int = 2, expert: bool = False) -> Net:
    """Return an untrained network, with or without the expert inputs: weights uniform in ±0.1, output biases 0.

    Raises
    ------
    NetError
        If ``hidden`` is not between 1 and 1000, or ``parts`` neither 1 nor 2.
    """
    if not (isinstance(hidden, int) and 1 <= hidden <= 1000):
        raise NetError(f"expected between 1 and 1000 hidden units, got {hidden!r}")
    if parts not in (1, 2):
        raise NetError(f"expected 1 or 2 parts, got {parts!r}")
    rng = Rng(seed)

    def rows(n: int) -> list[list[float]]:
        return [[(rng.random() - 0.5) / 5 for _ in range(hidden)] for _ in range(n)]

    n_inputs = N_INPUTS + N_EXPERT if expert else N_INPUTS
    return Net(tuple(Part(rows(n_inputs), rows(N_OUTPUTS), [0.0] * N_OUTPUTS) for _ in range(parts)))


def write_net(net: Net) -> bytes:
    """Return the bytes of a file: magic ``ECBG``; inputs, hidden, parts as 16-bit numbers; then each part's w1, w2, b2
    row by row as little-endian 16-bit floats.
    """
    numbers: list[float] = []
    for part in net.parts:
        numbers += chain(chain.from_iterable(part.w1), chain.from_iterable(part.w2), part.b2)
    return _HEADER.pack(_MAGIC, len(net.parts[0].w1), net.hidden, len(net.parts)) + struct.pack(
        f"<{len(numbers)}e", *numbers
    )


def read_net(data: bytes, *, name: str = "data") -> Net:
    """Return the network of a file's bytes.

    Raises
    ------
    NetError
        If they are no such file, or cut short.
    """
    if len(data) < _HEADER.size or data[:4] != _MAGIC:
        raise NetError(f"expected a network file that begins with {_MAGIC!r}, got {name!r} with {data[:4]!r}")
    _, n_inputs, hidden, n_parts = _HEADER.unpack_from(data)
    count = n_parts * (n_inputs * hidden + N_OUTPUTS * hidden + N_OUTPUTS)
    if (
        n_inputs not in (N_INPUTS, N_INPUTS + N_EXPERT)
        or n_parts not in (1, 2)
        or len(data) != _HEADER.size + 2 * count
    ):
        raise NetError(f"expected {_HEADER.size + 2 * count} bytes in network file {name!r}, got {len(data)}")
    numbers = iter(struct.unpack_from(f"<{count}e", data, _HEADER.size))

    def rows(n: int) -> list[list[float]]:
        return [[next(numbers) for _ in range(hidden)] for _ in range(n)]

    return Net(tuple(Part(rows(n_inputs), rows(N_OUTPUTS), list(islice(numbers, N_OUTPUTS))) for _ in range(n_parts)))


def load_net(name: str) -> Net:
    """Return a shipped network by name (see `shipped_nets`), or the one in a file.

    Raises
    ------
    NetError
        If there is neither.
    """
    shipped = resources.files(__package__).joinpath("nets", f"{name}.bin")
    if name.isidentifier() and shipped.is_file():
        return read_net(shipped.read_bytes(), name=name)
    path = Path(name)
    if not path.is_file():
        raise NetError(f"expected a network file or one of {', '.join(shipped_nets())}, got {name!r}")
    return read_net(path.read_bytes(), name=name)


def shipped_nets() -> list[str]:
    """Return the names of the networks that come with the package."""
    folder = resources.files(__package__).joinpath("nets")
    return sorted(entry.name[:-4] for entry in folder.iterdir() if entry.name.endswith(".bin"))
