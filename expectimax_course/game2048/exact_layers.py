"""2048 solved exactly on up to nine cells, 3 × 3 among them: the array twin of `exact`.

A board is an integer with four bits per cell, and one array holds all boards of one sum of tiles, a *layer*. A slide
stays in its layer and a spawn leads 2 or 4 further, so a sweep over the layers forwards finds every state, and one
backwards its value. Boards that a turn or a reflection carries into each other have one value, so each such class is
kept once, as its smallest integer.

    V(s) = max over a of r(s, a) + W(s·a),      W(t) = Σ P(o | t) · V(t·o)

W is worked out once per afterstate t, however many slides lead there. Beside the value that is maximised, the same
sweep carries what the best policy earns and which tiles it makes, so no second sweep follows it from the start.

With a target tile the game ends as soon as it is made, and the probability of making it is maximised instead. That
also caps the tiles, which is the other way to make a large board small: 4 × 4 is out of reach for either.

Time O(classes × cells), memory O(classes) for the boards and O(one layer) for the values: 3 × 3 has 41 million
classes, 25 million if the first tile of 1024 ends it.

References
----------
B. Galebach, "Solving the 3x3 variant of 2048", 2014.

J. Lees-Miller, "The mathematics of 2048: optimal play with Markov decision processes", 2018: 3 × 3 with a target.

T. Kaneko and S. Yamashita, "Strongly solving 2048 4×3", 2025: layers ("ages") on disk and twelve cells.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from expectimax_course.game import StateError
from expectimax_course.game2048.rules import Game2048, slide_row

Array = Any
MAX_CELLS, MAX_SIDE = 9, 6
"""What fits in a gigabyte and in minutes."""


class Optimum(NamedTuple):
    """The optimum of a small board.

    Attributes
    ----------
    expected_score : float
        What the policy earns from the empty board, before the two start tiles: the best there is without a target.
    states : int
        Reachable decision states, symmetric ones counted apart, finished games included.
    classes : int
        The same with symmetric ones counted once, and without the finished games.
    tile_probabilities : dict of int to float
        Probability that the policy ends with the tile or a larger one: for the target, the best there is.
    """

    expected_score: float
    states: int
    classes: int
    tile_probabilities: dict[int, float]


def solve_layers(
    rows: int,
    cols: int,
    target: int | None = None,
    spawn_four: float = 0.1,
    progress: Callable[[int, int], object] | None = None,
) -> Optimum:
    """Find the best expected score, or the best probability of making ``target``.

    Parameters
    ----------
    rows, cols : int
        Up to nine cells, six in a line.
    target : int, optional
        A tile from 8 on that ends the game.
    spawn_four : float
        Probability that a new tile is a 4.
    progress : callable, optional
        Called with the layers done and the layers known, on the way forwards and again on the way back.

    Raises
    ------
    StateError
        If the board is too large or too small, the target is no tile that can be made, or the probability is none.

    Examples
    --------
    >>> round(solve_layers(2, 2).expected_score, 5), round(solve_layers(2, 2, target=32).tile_probabilities[32], 5)
    (66.96415, 0.08289)
    """
    Game2048(rows, cols, spawn_four)
    if rows * cols > MAX_CELLS or max(rows, cols) > MAX_SIDE:
        raise StateError(f"expected at most {MAX_CELLS} cells, {MAX_SIDE} in a line, got {rows} rows of {cols}")
    largest = (2 if spawn_four else 1) << rows * cols
    if target is not None and (target not in range(8, largest + 1) or target & (target - 1)):
        raise StateError(f"expected a target tile from 8 to {largest}, the largest on {rows} × {cols}, got {target!r}")
    return _Solver(rows, cols, target, spawn_four).solve(progress or (lambda done, known: None))


class _Solver:
    """One board size, one objective.

    Values of a layer have shape (boards, 1 + ranks): column 0 is the expected further score, column k the probability
    that the game ends with a tile of 2^k or a larger one.
    """

    def __init__(self, rows: int, cols: int, target: int | None, spawn_four: float) -> None:
        self.cells = rows * cols
        self.spawns = [(rank, p) for rank, p in ((1, 1 - spawn_four), (2, spawn_four)) if p]
        self.ranks = self.cells + 1
        self.target = self.ranks + 1 if target is None else target.bit_length() - 1
        self.maximised = 0 if target is None else self.target
        cells = np.arange(self.cells).reshape(rows, cols)
        turned = [cells[::-1], cells[:, ::-1], *([cells.T] if rows == cols else [])]
        self.generators = [_moves(order.ravel()) for order in turned]
        self.lines = [list(cells), list(cells[:, ::-1]), list(cells.T), list(cells.T[:, ::-1])]
        self.tables = {length: _line_table(length, self.ranks) for length in (rows, cols)}

    def solve(self, progress: Callable[[int, int], object]) -> Optimum:
        layers = self.enumerate_layers(progress)
        values: dict[int, Array] = {}
        states = classes = 0
        for done, total in enumerate(sorted(layers, reverse=True)):
            values[total], alive = self.layer_values(layers, values, total)
            states += self.count_images(layers[total])
            classes += int(alive.sum())
            values = {later: known for later, known in values.items() if later <= total + 4}
            progress(done + 1, len(layers))
        starts = [(cell, rank, p / self.cells) for cell in range(self.cells) for rank, p in self.spawns]
        expected = sum(
            p * self.afterstate_values(layers, values, np.array([rank << 4 * cell], np.uint64), 1 << rank)[0]
            for cell, rank, p in starts
        )
        tiles = {1 << k: min(1.0, float(expected[k])) for k in range(1, self.ranks + 1) if expected[k]}
        return Optimum(float(expected[0]), states, classes, tiles)

    def enumerate_layers(self, progress: Callable[[int, int], object]) -> dict[int, Array]:
        """Return the reachable decision states by the sum of their tiles, sorted, one of each class."""
        found: dict[int, list[Array]] = defaultdict(list)
        layers: dict[int, Array] = {}
        for cell, (rank, _) in product(range(self.cells), self.spawns):
            self.spawn_into(found, np.array([rank << 4 * cell], np.uint64), 1 << rank)
        while found:
            total = min(found)
            layers[total] = np.unique(np.concatenate(found.pop(total)))
            after, legal, _ = self.slides(layers[total])
            after = np.unique(after[legal])
            self.spawn_into(found, after[self.largest(after) < self.target], total)
            progress(len(layers), len(layers) + len(found))
        return layers

    def spawn_into(self, found: dict[int, list[Array]], after: Array, total: int) -> None:
        """Add every board that a spawn makes of these afterstates."""
        for cell, (rank, _) in product(range(self.cells), self.spawns):
            boards = after[(after >> np.uint64(4 * cell)) & np.uint64(15) == 0]
            if boards.size:
                children = self.canonical(boards | np.uint64(rank << 4 * cell))
                found[total + (1 << rank)].append(np.unique(children))

    def layer_values(self, layers: dict[int, Array], values: dict[int, Array], total: int) -> tuple[Array, Array]:
        """Return the values of a layer from those of the next two, and which of its boards have a slide left."""
        boards = layers[total]
        after, legal, rewards = self.slides(boards)
        distinct = np.unique(after[legal])
        worth = self.afterstate_values(layers, values, distinct, total)
        index = np.searchsorted(distinct, np.where(legal, after, distinct[0] if distinct.size else 0))
        alive = legal.any(axis=0)
        result = self.ending(boards)
        if distinct.size:
            gain = worth[index, self.maximised] + (rewards if self.maximised == 0 else 0)
            best = np.where(legal, gain, -np.inf).argmax(axis=0)
            chosen = (best[alive], np.flatnonzero(alive))
            result[alive] = worth[index[chosen]]
            result[alive, 0] += rewards[chosen]
        return result, alive

    def afterstate_values(self, layers: dict[int, Array], values: dict[int, Array], after: Array, total: int) -> Array:
        """Return the mean over the spawns, shape (afterstates, 1 + ranks); a board with the target has ended."""
        result = self.ending(after)
        running = self.largest(after) < self.target
        result[running] = 0.0
        empty_cells = np.zeros(len(after))
        for cell in range(self.cells):
            here = np.flatnonzero(running & ((after >> np.uint64(4 * cell)) & np.uint64(15) == 0))
            empty_cells[here] += 1
            for rank, p in self.spawns:
                if here.size:
                    later = total + (1 << rank)
                    children = self.canonical(after[here] | np.uint64(rank << 4 * cell))
                    result[here] += p * values[later][np.searchsorted(layers[later], children)]
        result[running] /= empty_cells[running, None]
        return result

    def slides(self, boards: Array) -> tuple[Array, Array, Array]:
        """Return afterstates, which of them are legal, and their rewards, each of shape (4, boards)."""
        after = np.zeros((4, len(boards)), np.uint64)
        legal = np.zeros((4, len(boards)), bool)
        rewards = np.zeros((4, len(boards)))
        for action, lines in enumerate(self.lines):
            slid = np.zeros_like(boards)
            for line in lines:
                table, earned = self.tables[len(line)]
                key = np.zeros(len(boards), np.intp)
                for place, cell in enumerate(line):
                    key |= (((boards >> np.uint64(4 * cell)) & np.uint64(15)) << np.uint64(4 * place)).astype(np.intp)
                moved = table[key]
                rewards[action] += earned[key]
                for place, cell in enumerate(line):
                    slid |= ((moved >> np.uint64(4 * place)) & np.uint64(15)) << np.uint64(4 * cell)
            legal[action] = slid != boards
            after[action] = self.canonical(slid)
        return after, legal, rewards

    def canonical(self, boards: Array) -> Array:
        """Return the smallest image of each board."""
        return np.minimum.reduce(self.images(boards))

    def count_images(self, boards: Array) -> int:
        """Return how many boards the classes of these hold together."""
        images = self.images(boards)
        same = np.sum([image == boards for image in images], axis=0)
        return int((len(images) // same).sum())

    def images(self, boards: Array) -> list[Array]:
        """Return the boards under every turn and reflection of the rectangle, themselves first."""
        images = [boards]
        for moves in self.generators:
            images += [_image(image, moves) for image in images]
        return images

    def largest(self, boards: Array) -> Array:
        """Return the rank of the largest tile of each board."""
        rank = np.zeros(len(boards), np.uint64)
        for cell in range(self.cells):
            np.maximum(rank, (boards >> np.uint64(4 * cell)) & np.uint64(15), out=rank)
        return rank

    def ending(self, boards: Array) -> Array:
        """Return the values of boards on which play has ended."""
        result = np.zeros((len(boards), 1 + self.ranks))
        result[:, 1:] = self.largest(boards)[:, None] >= np.arange(1, self.ranks + 1)
        return result


def _moves(order: Array) -> list[tuple[np.uint64, int]]:
    """Return a permutation, place → cell, as masks of cells, each with the distance in bits that they move up."""
    masks: dict[int, int] = defaultdict(int)
    for place, cell in enumerate(order.tolist()):
        masks[4 * (place - cell)] |= 15 << 4 * cell
    return [(np.uint64(mask), shift) for shift, mask in masks.items()]


def _image(boards: Array, moves: list[tuple[np.uint64, int]]) -> Array:
    """Return the boards after a permutation of their cells."""
    image = np.zeros_like(boards)
    for mask, shift in moves:
        part = boards & mask
        image |= part << np.uint64(shift) if shift >= 0 else part >> np.uint64(-shift)
    return image


def _line_table(length: int, ranks: int) -> tuple[Array, Array]:
    """Return every line of this length after a slide towards its first cell, and what the slide earns."""
    table, earned = np.zeros(16**length, np.uint64), np.zeros(16**length)
    for line in product(range(ranks + 1), repeat=length):
        slid, reward = slide_row(tuple(1 << rank if rank else 0 for rank in line))
        key = sum(rank << 4 * place for place, rank in enumerate(line))
        table[key] = sum((tile.bit_length() - 1) << 4 * place for place, tile in enumerate(slid) if tile)
        earned[key] = reward
    return table, earned
