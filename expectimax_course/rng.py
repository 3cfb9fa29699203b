"""SplitMix64: the one random generator of readable play, live apps and compiled kernels.

The whole state is one 64-bit integer. After *n* draws it is ``seed + n * GAMMA`` modulo 2**64, so a generator is a
counter, its future is a pure function of two integers, and every language and every kernel repeats it exactly:

    state += GAMMA
    z = (state ^ state >> 30) * MIX_1
    z = (z ^ z >> 27) * MIX_2
    draw = z ^ z >> 31

It passes BigCrush. It is not for cryptography: grading seeds come from the system.

References
----------
G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, section 5.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import Any, TypeVar

MASK = 0xFFFF_FFFF_FFFF_FFFF
GAMMA = 0x9E37_79B9_7F4A_7C15
MIX_1 = 0xBF58_476D_1CE4_E5B9
MIX_2 = 0x94D0_49BB_1331_11EB

T = TypeVar("T")


def mix(z: int) -> int:
    """Scramble a 64-bit integer: the output function of SplitMix64, a bijection on 0 … 2**64 − 1."""
    z = ((z ^ (z >> 30)) * MIX_1) & MASK
    z = ((z ^ (z >> 27)) * MIX_2) & MASK
    return z ^ (z >> 31)


def derive_seed(seed: int, *path: int) -> int:
    """Return the seed of one task out of many, such as game ``path[0]`` of a match.

    Seeds of different paths give streams without visible relation; the same path always gives the same stream, in
    whatever order or process the tasks run.

    Examples
    --------
    >>> derive_seed(1, 0) == derive_seed(1, 0), derive_seed(1, 0) == derive_seed(1, 1)
    (True, False)
    """
    state = mix((seed + GAMMA) & MASK)
    for index in path:
        state = mix((state + (index + 1) * GAMMA) & MASK)
    return state


class Rng:
    """A SplitMix64 stream.

    Parameters
    ----------
    seed : int
        Any integer; taken modulo 2**64.

    Examples
    --------
    >>> rng = Rng(42)
    >>> [rng.below(6) + 1 for _ in range(8)]
    [5, 1, 2, 3, 1, 6, 2, 5]
    """

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state = seed & MASK

    def __repr__(self) -> str:
        return f"Rng({self.state})"

    def next64(self) -> int:
        """Return the next draw, uniform on 0 … 2**64 − 1."""
        self.state = (self.state + GAMMA) & MASK
        return mix(self.state)

    def random(self) -> float:
        """Return a float uniform on [0, 1): the top 53 bits of one draw."""
        return (self.next64() >> 11) * 2.0**-53

    def below(self, n: int) -> int:
        """Return an integer uniform on 0 … n − 1 from the top 32 bits of one draw.

        The bias is below n / 2**32, far under what any experiment here could see; one draw per call keeps the
        kernels and the replays in step.

        Raises
        ------
        ValueError
            If n is not between 1 and 2**32.
        """
        if not 1 <= n <= 1 << 32:
            raise ValueError(f"expected n between 1 and 2**32, got {n!r}")
        return ((self.next64() >> 32) * n) >> 32

    def choice(self, items: Sequence[T]) -> T:
        """Return one item, each equally likely. One draw."""
        return items[self.below(len(items))]

    def outcome(self, outcomes: Sequence[tuple[T, Any]]) -> T:
        """Draw from (outcome, probability) pairs, as ``Game.chance_outcomes`` gives them. One draw.

        The first outcome whose cumulative probability exceeds the draw wins; rounding at the very end falls to the
        last outcome of positive probability.

        Raises
        ------
        ValueError
            If no outcome has a positive probability.
        """
        draw = self.random()
        reached = 0.0
        last: list[T] = []
        for outcome, probability in outcomes:
            if probability > 0:
                reached += float(probability)
                if draw < reached:
                    return outcome
                last = [outcome]
        if not last:
            raise ValueError(f"expected an outcome of positive probability, got {outcomes!r}")
        return last[0]

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Shuffle in place (Fisher–Yates, from the end). ``len(items) − 1`` draws."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
