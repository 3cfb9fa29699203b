"""2048 solved exactly on small boards, by backward induction over the sum of the tiles.

A slide keeps the sum of the tiles and a spawn adds 2 or 4, so play never returns to an earlier state, and the states
of one sum depend on those of the next two alone:

    V(s) = max over a of r(s, a) + Σ P(o | s·a) · V(s·a·o),        V(s) = 0 at the end

Time and space O(states): 662 states on 2 × 2, 85,844 on 2 × 3. For up to nine cells see the twin on arrays,
`expectimax_course.game2048.exact_layers`.

References
----------
J. Lees-Miller, "The mathematics of 2048: optimal play with Markov decision processes", 2018.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from expectimax_course.game import Player, StateError, add_up
from expectimax_course.game2048.rules import Board, Game2048, State

MAX_CELLS = 6
"""Cells that fit in memory and in seconds."""


class Solution(NamedTuple):
    """The optimum of a small board.

    Attributes
    ----------
    expected_score : float
        From the empty board, before the two start tiles.
    states : int
        Reachable decision states, symmetric ones counted apart, finished games included.
    tile_probabilities : dict of int to float
        Probability that the policy with the best expected score ends with the tile or a larger one.
    values : dict of board to float
        Expected further score of every decision state.
    policy : dict of board to str
        The best slide; ties go to the first in the order of `rules.ACTIONS`.
    """

    expected_score: float
    states: int
    tile_probabilities: dict[int, float]
    values: dict[Board, float]
    policy: dict[Board, str]


def solve(rows: int, cols: int, spawn_four: float = 0.1) -> Solution:
    """Solve a board of up to six cells.

    Raises
    ------
    StateError
        If the board is too large or too small, or the probability is none.

    Examples
    --------
    >>> solution = solve(2, 2)
    >>> round(solution.expected_score, 5), solution.states, round(solution.tile_probabilities[32], 6)
    (66.96415, 662, 0.082887)
    """
    game = Game2048(rows, cols, spawn_four)
    if rows * cols > MAX_CELLS:
        raise StateError(f"expected at most {MAX_CELLS} cells, got {rows} rows of {cols}")
    layers = _layers(game)
    values: dict[Board, float] = {}
    policy: dict[Board, str] = {}
    for total in sorted(layers, reverse=True):
        afterstates: dict[State, float] = {}
        for board in layers[total]:
            state, values[board] = State(board, Player.MAX), 0.0
            for action in game.legal_actions(state):
                after = game.result(state, action)
                if after not in afterstates:
                    afterstates[after] = add_up(p * values[child] for child, p in _spawned(game, after))
                value = game.reward(state, action) + afterstates[after]
                if board not in policy or value > values[board]:
                    values[board], policy[board] = value, action
    expected = add_up(p * values[board] for board, p in _first_boards(game))
    return Solution(expected, len(values), _tile_probabilities(game, layers, policy), values, policy)


def _spawned(game: Game2048, after: State) -> Iterator[tuple[Board, float]]:
    """Yield the boards that a spawn leads to, with their probabilities."""
    for outcome, probability in game.chance_outcomes(after):
        yield game.result(after, outcome).board, probability


def _first_boards(game: Game2048) -> Iterator[tuple[Board, float]]:
    """Yield the boards with two start tiles, with their probabilities; a board can come twice."""
    for board, first in _spawned(game, game.initial_state()):
        for started, second in _spawned(game, State(board, Player.CHANCE)):
            yield started, first * second


def _layers(game: Game2048) -> dict[int, set[Board]]:
    """Return the reachable decision states by the sum of their tiles."""
    layers: dict[int, set[Board]] = defaultdict(set)
    for board, _ in _first_boards(game):
        layers[_sum(board)].add(board)
    total = min(layers)
    while total <= max(layers):
        states = [State(board, Player.MAX) for board in layers.get(total, ())]
        for after in {game.result(state, action) for state in states for action in game.legal_actions(state)}:
            for board, _ in _spawned(game, after):
                layers[_sum(board)].add(board)
        total += 2
    return layers


def _tile_probabilities(game: Game2048, layers: dict[int, set[Board]], policy: dict[Board, str]) -> dict[int, float]:
    """Follow the policy forwards: how often does a game end with each largest tile, or a larger one?"""
    reach: dict[Board, float] = defaultdict(float)
    for board, probability in _first_boards(game):
        reach[board] += probability
    ends: dict[int, float] = defaultdict(float)
    for total in sorted(layers):
        for board in sorted(layers[total]):
            if board not in policy:
                ends[max(map(max, board))] += reach[board]
            elif reach[board]:
                after = game.result(State(board, Player.MAX), policy[board])
                for child, probability in _spawned(game, after):
                    reach[child] += reach[board] * probability
    tiles = [1 << k for k in range(1, max(ends).bit_length())]
    return {tile: min(1.0, sum(p for end, p in ends.items() if end >= tile)) for tile in tiles}


def _sum(board: Board) -> int:
    return sum(map(sum, board))
