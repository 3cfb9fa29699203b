"""Zobrist hashing: the key of a board in one exclusive-or per change.

Every (kind of piece, cell) gets a random 64-bit number; a board's key is the exclusive-or of the numbers of its pieces.
Putting a piece down or taking it away is the same operation, so a move updates the key in two or three steps, however
large the board, and the order of moves does not matter.

Where it belongs: to engines that change one board in place and own their hash table. Where it does not: to immutable
states that are tuples, as everywhere in this course. Python hashes those itself, compares them in full on a hit, and
so never takes one position for another. A table that keeps only the 64-bit key can, and the longer it runs the more
likely: see `expected_collisions`.

Whatever else a value depends on (who moves, the roll, the depth left, the reach) must be part of the key as well: give
it a kind of its own.

References
----------
A. L. Zobrist, "A new hashing method with application for game playing", University of Wisconsin, technical report 88,
1970.
"""

from __future__ import annotations

from collections.abc import Iterable

from expectimax_course.game import StateError
from expectimax_course.rng import Rng


class Zobrist:
    """Random numbers for every (kind, cell), drawn from a seed.

    Raises
    ------
    StateError
        If ``kinds`` or ``cells`` is below 1.

    Examples
    --------
    >>> zobrist = Zobrist(kinds=2, cells=9, seed=1)
    >>> before = zobrist.key([(0, 4), (1, 8)])
    >>> after = before ^ zobrist.numbers[0][4] ^ zobrist.numbers[0][5]
    >>> after == zobrist.key([(1, 8), (0, 5)])
    True
    """

    def __init__(self, kinds: int, cells: int, seed: int) -> None:
        if kinds < 1 or cells < 1:
            raise StateError(f"expected at least one kind and one cell, got {kinds!r} and {cells!r}")
        rng = Rng(seed)
        self.numbers = tuple(tuple(rng.next64() for _ in range(cells)) for _ in range(kinds))

    def key(self, pieces: Iterable[tuple[int, int]]) -> int:
        """Return the key of a board given as (kind, cell) pairs, in any order. O(pieces)."""
        key = 0
        for kind, cell in pieces:
            key ^= self.numbers[kind][cell]
        return key


def expected_collisions(positions: int, bits: int = 64) -> float:
    """Return how many pairs of different positions share a key, on average: n(n − 1)/2 pairs, each with 2^−bits.

    Examples
    --------
    >>> round(expected_collisions(100_000_000), 5), round(expected_collisions(100_000, bits=32), 2)
    (0.00027, 1.16)
    """
    return positions * (positions - 1) / 2 / 2.0**bits
