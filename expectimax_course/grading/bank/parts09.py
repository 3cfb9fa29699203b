"""Oracles, case generators and wrong implementations for the questions of chapter 09.

Boards are tuples of rows, weights a dictionary from the tiles that a tuple reads to their weight; what is missing in it
weighs 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from expectimax_course.game import Player
from expectimax_course.game2048.rules import ACTIONS, Board, Game2048, State, slide
from expectimax_course.grading.bank import Source
from expectimax_course.grading.bank.parts06 import spawned
from expectimax_course.rng import Rng

Value = Callable[[Board], float]
History = Sequence[tuple[Board, int, Board]]
Weights = dict[tuple[int, ...], float]
Cells = Sequence[int]

ROOMY = Source(
    "def value(board):\n    return 6 * sum(row.count(0) for row in board) + max(map(max, board)) / 2\n", "value"
)
CORNER = Source(
    "def value(board):\n    return 30 - 3 * sum(tile > 0 for row in board for tile in row) + board[0][0] / 4\n", "value"
)


# --- what a slide is worth


def slide_values(board: Board, value: Value) -> dict[str, float]:
    """Return reward plus value of the afterstate of every legal slide."""
    return valued(board, value)


def valued(
    board: Board,
    value: Value,
    *,
    reward: float = 1,
    of: Callable[[Board, Board, Value], float] = lambda before, after, value: value(after),
    no_ops: bool = False,
) -> dict[str, float]:
    """Return the same with a factor of the reward, the value of something else, or slides that are none."""
    slides = {action: slide(board, action) for action in ACTIONS}
    return {a: reward * r + of(board, after, value) for a, (after, r) in slides.items() if no_ops or after != board}


def after_the_tile(before: Board, after: Board, value: Value) -> float:
    """Value the boards after the new tile instead, weighted as they should be."""
    return sum(p * value(child) for child, p in spawned(after)) if after != before else value(after)


def draw_valued(rng: Rng) -> tuple[Any, ...]:
    """Draw a board and a value function."""
    rows, cols = rng.choice(((2, 2), (2, 3), (3, 3)))
    board = tuple(tuple(rng.choice((0, 2, 2, 4, 8)) for _ in range(cols)) for _ in range(rows))
    return board, rng.choice((ROOMY, CORNER))


# --- TD errors and λ-returns


def td_errors(history: History, value: Value) -> list[float]:
    """Return the TD error of each afterstate of a finished game."""
    return errors_with(history, value)


def errors_with(
    history: History,
    value: Value,
    *,
    afterstates: bool = True,
    own: float = 0,
    following: float = 1,
    end: Callable[[float, float], float] = lambda reward, own_value: 0.0,
    subtract: float = 1,
) -> list[float]:
    """Return the same, or go wrong.

    Parameters
    ----------
    afterstates : value these, or the boards before the slides
    own, following : factors of the reward of this slide and of the next one
    end : target of the last afterstate, given its reward and its value
    subtract : factor of the value that the target is compared with
    """
    values = [value(after if afterstates else before) for before, _, after in history]
    rewards = [reward for _, reward, _ in history]
    errors = []
    for t, known in enumerate(values):
        last = t + 1 == len(values)
        ahead = end(rewards[t], known) if last else following * rewards[t + 1] + values[t + 1]
        errors.append(own * rewards[t] + ahead - subtract * known)
    return errors


def whole_game(history: History, value: Value) -> list[float]:
    """Compare each value with all the rewards that followed, to the end of the game."""
    rewards = [reward for _, reward, _ in history]
    return [sum(rewards[t + 1 :]) - value(after) for t, (_, _, after) in enumerate(history)]


def draw_history(rng: Rng) -> tuple[Any, ...]:
    """Play at random from a board of a few tiles to the end."""
    rows, cols = rng.choice(((1, 3), (2, 2), (2, 2)))
    game = Game2048(rows, cols)
    while True:
        cells = [rng.choice((2, 4, 8, 16)) for _ in range(rows * cols)]
        cells[rng.below(len(cells))] = 0
        board = tuple(tuple(cells[r * cols : (r + 1) * cols]) for r in range(rows))
        state, history = State(board, Player.MAX), []
        while not game.is_terminal(state):
            action = rng.choice(game.legal_actions(state))
            after = game.result(state, action)
            history.append((state.board, int(game.reward(state, action)), after.board))
            state = game.result(after, rng.outcome(game.chance_outcomes(after)))
        if 2 <= len(history) <= 8 and any(reward for _, reward, _ in history):
            return history, rng.choice((ROOMY, CORNER))


Path = Sequence[tuple[float, float]]


def lambda_targets(path: Path, decay: float) -> list[float]:
    """Return the λ-return of each afterstate, given (reward of its slide, its value) in the order of play."""
    return targets_with(path, decay)


def targets_with(
    path: Path,
    decay: float,
    *,
    mix: Callable[[float, float, float, float], float] = lambda r, v, g, decay: r + (1 - decay) * v + decay * g,
    own: bool = False,
    end: Callable[[float], float] = lambda value: 0.0,
) -> list[float]:
    """Return the same with another mixture, each afterstate's own reward, or another target at the end."""
    found = [end(path[-1][1])]
    for t in range(len(path) - 2, -1, -1):
        found.append(mix(path[t if own else t + 1][0], path[t + 1][1], found[-1], decay))
    return found[::-1]


def draw_path(rng: Rng) -> tuple[Any, ...]:
    """Draw rewards and values of two to six slides, and λ, often 0 or 1."""
    length = 2 + rng.below(5)
    path = [(4.0 * (1 + rng.below(8)), 5.0 * rng.below(12) + 1) for _ in range(length)]
    return path, rng.choice((0.0, 0.5, 0.5, 0.75, 0.25, 1.0))


# --- symmetric look-ups


def turned(board: Board) -> Board:
    """Return the board after a quarter turn."""
    return tuple(zip(*board[::-1], strict=True))


def eight(board: Board, *, mirrors: bool = True) -> list[Board]:
    """Return a square board in all its symmetries, or only some of them."""
    found = []
    for start in [board, tuple(row[::-1] for row in board)] if mirrors else [board]:
        for _ in range(4):
            found.append(start)
            start = turned(start)
    return found


def readings(board: Board, cells: Cells) -> list[tuple[int, ...]]:
    """Return what a tuple of cells reads on a square board in all eight symmetries, sorted."""
    return readings_of(eight(board), cells)


def readings_of(boards: Sequence[Board], cells: Cells) -> list[tuple[int, ...]]:
    """Return what a tuple of cells reads on these boards, sorted."""
    found = []
    for board in boards:
        flat = [tile for row in board for tile in row]
        found.append(tuple(flat[cell] for cell in cells))
    return sorted(found)


def draw_reading(rng: Rng) -> tuple[Any, ...]:
    """Draw a square board, every third one symmetric, and a tuple of cells."""
    size = rng.choice((2, 2, 3))
    board = tuple(tuple(rng.choice((0, 2, 4, 8, 16)) for _ in range(size)) for _ in range(size))
    if rng.below(3) == 0:
        board = tuple(tuple(board[min(r, c)][max(r, c)] for c in range(size)) for r in range(size))
    tuples = ([0, 1], [0, 1, 2], [0, 3], [2, 1]) if size == 2 else ([0, 1, 2], [0, 1, 4], [1, 4], [5, 4, 3], [0, 8])
    return board, list(rng.choice(tuples))


def learn(weights: Weights, board: Board, cells: Cells, target: float, rate: float) -> Weights:
    """Return the weights after one update: each reading moves by an equal share of the error."""
    return learn_with(weights, board, cells, target, rate)


def learn_with(
    weights: Weights,
    board: Board,
    cells: Cells,
    target: float,
    rate: float,
    *,
    read: Callable[[Board, Cells], Sequence[tuple[int, ...]]] = readings,
    summed: Callable[[Sequence[tuple[int, ...]]], Sequence[tuple[int, ...]]] = lambda keys: keys,
    moved: Callable[[Sequence[tuple[int, ...]]], Sequence[tuple[int, ...]]] = lambda keys: keys,
    parts: Callable[[Sequence[tuple[int, ...]]], int] = len,
    sign: float = 1,
    again: bool = False,
) -> Weights:
    """Return the same, or go wrong.

    Parameters
    ----------
    read : what the tuple reads
    summed, moved : which of the readings the value adds up, and which the update moves
    parts : in how many shares the error is divided
    sign : −1 moves away from the target
    again : compute the value again before each weight moves
    """
    new, keys = dict(weights), read(board, cells)

    def error() -> float:
        return target - sum(new.get(key, 0.0) for key in summed(keys))

    first = error()
    for key in moved(keys):
        step = sign * rate * (error() if again else first) / parts(keys)
        new[key] = new.get(key, 0.0) + step
    return new


def distinct(keys: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return each reading once."""
    return sorted(set(keys))


def draw_update(rng: Rng) -> tuple[Any, ...]:
    """Draw weights, a board and a target; some readings have no weight yet."""
    board, cells = draw_reading(rng)
    keys = distinct(readings(board, cells))
    weights = {key: float(rng.below(9) - 2) for key in keys if rng.below(4)}
    weights[tuple(64 for _ in cells)] = 7.0
    return weights, board, cells, 8.0 * (3 + rng.below(12)), rng.choice((1.0, 0.5, 0.1))


# --- temporal coherence


def coherence(errors: Sequence[float]) -> list[float]:
    """Return the rate at which a weight learns from each of its errors."""
    return coherence_with(errors)


def coherence_with(
    errors: Sequence[float],
    *,
    rate: Callable[[list[float]], float] = lambda past: abs(sum(past)) / sum(map(abs, past)),
    first: float = 1.0,
    after: bool = False,
) -> list[float]:
    """Return the same with another formula, another first rate, or with the present error among the past ones."""
    rates = []
    for t in range(len(errors)):
        past = list(errors[: t + after])
        rates.append(rate(past) if any(past) else first)
    return rates


def draw_errors(rng: Rng) -> tuple[Any, ...]:
    """Draw errors that agree in sign at first, and then not."""
    agree = [float(1 + rng.below(9)) for _ in range(1 + rng.below(3))]
    rest = [rng.choice((-1, 1)) * float(1 + rng.below(9)) for _ in range(2 + rng.below(4))]
    sign = rng.choice((-1, 1))
    return ([sign * error for error in agree + rest],)
