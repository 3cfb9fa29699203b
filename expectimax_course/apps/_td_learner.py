"""A learner for 2 × 2 on the standard library: one table of weights, its games, its updates, and the exact truth.

All boards of 2 × 2 fit into a graph of some hundreds of nodes, so a game is a walk over it, and what the greedy policy
earns is computed, not sampled. The updates are those of ``game2048.ntuple.NTupleNetwork``. Values are summed by
``math.fsum``: plain ``sum`` rounds otherwise in Python 3.12, which the page runs, and one last bit may change a game.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

from expectimax_course.apps._controls import finite, returned
from expectimax_course.apps._protocol import StudentError
from expectimax_course.game import Player
from expectimax_course.game2048.net import Shape, index_of, ranks_at
from expectimax_course.game2048.rules import Board, Game2048, State
from expectimax_course.rng import Rng

TUPLES = {"pair": (0, 1), "corner": (0, 1, 2), "board": (0, 1, 2, 3)}
RATES = {"0.02": 0.02, "0.1": 0.1, "0.5": 0.5, "tc": 1.0}
SHAPES = {name: Shape([cells], 2, 2) for name, cells in TUPLES.items()}
READINGS = 8
RUNAWAY = 1e9
"""No weight that learns well comes near it."""

Weights = dict[str, list[float]]
"""The place of a weight in its table → weight, sum of its errors, sum of their sizes."""
Student = Callable[..., Any]


class Step(NamedTuple):
    """One update of a sweep: reward that led to the afterstate, the afterstate, its value before, its target."""

    reward: int
    board: Board
    value: float
    target: float


class Graph(NamedTuple):
    """2 × 2: ``slides[d]`` holds (reward, afterstate) of board d, ``spawns[a]`` (board, probability) of afterstate a.

    Afterstates stand in the order of their sums, so that later ones come after earlier ones in every game.
    """

    afterstates: list[Board]
    slides: list[list[tuple[int, int]]]
    spawns: list[list[tuple[int, float]]]
    start: list[tuple[int, float]]


@cache
def graph() -> Graph:
    """Return all boards and afterstates that play can reach."""
    game = Game2048(2, 2)
    numbers: dict[Board, int] = {}
    waiting: list[Board] = []

    def number_of(board: Board) -> int:
        if board not in numbers:
            numbers[board] = len(numbers)
            waiting.append(board)
        return numbers[board]

    def drawn(state: State) -> list[tuple[State, float]]:
        return [(game.result(state, o), p) for o, p in game.chance_outcomes(state)]

    start = [
        (number_of(second.board), p * q)
        for first, p in drawn(game.initial_state())
        for second, q in drawn(State(first.board, Player.CHANCE))
    ]
    found: dict[Board, list[tuple[int, float]]] = {}
    moves: list[list[tuple[int, Board]]] = []
    while waiting:
        state = State(waiting.pop(0), Player.MAX)
        moves.append([])
        for action in game.legal_actions(state):
            after = game.result(state, action)
            moves[-1].append((int(game.reward(state, action)), after.board))
            if after.board not in found:
                found[after.board] = [(number_of(child.board), p) for child, p in drawn(after)]
    afterstates = sorted(found, key=lambda board: (sum(map(sum, board)), board))
    place = {board: index for index, board in enumerate(afterstates)}
    slides = [[(reward, place[after]) for reward, after in one] for one in moves]
    return Graph(afterstates, slides, [found[board] for board in afterstates], start)


@cache
def keys(name: str) -> list[tuple[str, ...]]:
    """Return what a tuple reads on each afterstate in its eight symmetries."""
    return [readings(board, name) for board in graph().afterstates]


@cache
def readings(board: Board, name: str) -> tuple[str, ...]:
    """Return the places of the eight weights that a board reads."""
    return tuple(map(str, SHAPES[name].indices(board)))


def tiles(key: str, name: str) -> tuple[int, ...]:
    """Return what stands on the cells of a tuple where it reads a weight.

    Examples
    --------
    >>> tiles(readings(((2, 4), (0, 0)), "corner")[0], "corner")
    (2, 4, 0)
    """
    return tuple(1 << rank if rank else 0 for rank in ranks_at(int(key), len(TUPLES[name])))


def values(weights: Weights, name: str, optimism: float) -> list[float]:
    """Return the value of every afterstate."""
    first = optimism / READINGS
    table = {key: entry[0] for key, entry in weights.items()}
    return [math.fsum(table.get(key, first) for key in read) for read in keys(name)]


def policy_score(believed: Sequence[float]) -> float:
    """Return what the policy that trusts these values earns on average, from the empty board."""
    return _expected(lambda moves, _: max(moves, key=lambda move: move[0] + believed[move[1]]))[0]


@cache
def optimum() -> tuple[float, tuple[float, ...]]:
    """Return what the best policy earns on average, and the exact value of every afterstate."""
    score, exact = _expected(lambda moves, known: max(moves, key=lambda move: move[0] + known[move[1]]))
    return score, tuple(exact)


def _expected(choose: Callable[[list[tuple[int, int]], list[float]], tuple[int, int]]) -> tuple[float, list[float]]:
    """Evaluate a policy exactly, from the last boards to the first."""
    known_graph = graph()
    after: list[float] = [0.0] * len(known_graph.afterstates)
    board: dict[int, float] = {}

    def value(number: int) -> float:
        if number not in board:
            moves = known_graph.slides[number]
            reward, reached = choose(moves, after) if moves else (0, -1)
            board[number] = reward + after[reached] if moves else 0.0
        return board[number]

    for index in range(len(after) - 1, -1, -1):
        after[index] = math.fsum(p * value(child) for child, p in known_graph.spawns[index])
    return math.fsum(p * value(number) for number, p in known_graph.start), after


def play_and_learn(
    weights: Weights, name: str, rate: str, optimism: float, rng: Rng, student: Student | None = None
) -> list[Step]:
    """Play one greedy game, learn from it in place, sweeping from its end, and return the updates in the order of play.

    Raises
    ------
    StudentError
        If the student's ``learn(weights, board, cells, target, rate)`` fails or returns no weights.
    """
    known_graph, first = graph(), optimism / READINGS
    fresh = [first, 0.0, 0.0]

    def value(index: int) -> float:
        return math.fsum(weights.get(key, fresh)[0] for key in keys(name)[index])

    number = _start(rng)
    path: list[tuple[int, int]] = []
    while known_graph.slides[number]:
        reward, after = max(known_graph.slides[number], key=lambda move: move[0] + value(move[1]))
        path.append((reward, after))
        number = rng.outcome(known_graph.spawns[after])
    target, steps = 0.0, []
    for reward, after in reversed(path):
        board = known_graph.afterstates[after]
        steps.append(Step(reward, board, value(after), target))
        if student is None:
            learn(weights, board, name, target, rate, first)
        else:
            ask(student, weights, board, name, target, RATES[rate], first)
        target = reward + value(after)
    return steps[::-1]


def _start(rng: Rng) -> int:
    """Draw the first board as `rules.Game2048` does: two tiles, one after the other."""
    game = Game2048(2, 2)
    state = game.initial_state()
    while state.player is Player.CHANCE:
        state = game.result(state, rng.outcome(game.chance_outcomes(state)))
    return _numbers()[state.board]


@cache
def _numbers() -> dict[Board, int]:
    game = Game2048(2, 2)
    found: dict[Board, int] = {}
    index = 0
    for first, _ in game.chance_outcomes(game.initial_state()):
        state = State(game.result(game.initial_state(), first).board, Player.CHANCE)
        for second, _ in game.chance_outcomes(state):
            found[game.result(state, second).board] = graph().start[index][0]
            index += 1
    return found


def learn(weights: Weights, board: Board, name: str, target: float, rate: str, first: float) -> None:
    """Move the value of a board towards its target, in place: an equal share of the error for each reading."""
    read = readings(board, name)
    error = target - math.fsum(weights.get(key, (first,))[0] for key in read)
    share = RATES[rate] * error / READINGS
    for key in read:
        entry = weights.setdefault(key, [first, 0.0, 0.0])
        coherence = abs(entry[1]) / entry[2] if rate == "tc" and entry[2] else 1.0
        entry[0] += share * coherence
        entry[1] += error
        entry[2] += abs(error)


def ask(student: Student, weights: Weights, board: Board, name: str, target: float, rate: float, first: float) -> None:
    """Let the student's function make one update of the weights, in place.

    Raises
    ------
    StudentError
        If it fails or returns no dictionary of finite weights.
    """
    table = {tiles(key, name): entry[0] for key, entry in weights.items()}
    for key in readings(board, name):
        table.setdefault(tiles(key, name), first)
    result = student(table, board, list(TUPLES[name]), target, rate)
    wrong = StudentError(returned(result, "a dictionary of weights"))
    if not isinstance(result, dict):
        raise wrong
    for read, weight in result.items():
        place = _key(read, name)
        number = finite(weight)
        if place is None or number is None:
            raise wrong
        if abs(number) > RUNAWAY:
            raise StudentError("Your function's weights grow without end: does every update overshoot its target?")
        weights[place] = [number, 0.0, 0.0]


def _key(read: Any, name: str) -> str | None:
    """Return the place of the weight of these tiles, None where they are none."""
    if not isinstance(read, tuple) or len(read) != len(TUPLES[name]):
        return None
    if not all(isinstance(tile, int) and tile in (0, *(1 << rank for rank in range(1, 16))) for tile in read):
        return None
    return str(index_of([max(tile.bit_length() - 1, 0) for tile in read]))
