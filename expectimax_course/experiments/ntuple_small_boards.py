"""Does the n-tuple learner find the optimum where it is known? 2048 on 2 × 2 and 2 × 3, three seeds.

The network has one tuple that covers the whole board, so that it can represent the optimum. Learning is TD(0) with
temporal coherence from optimistic values: from zero, the learner keeps to the first slides that earned anything. The
greedy policy is then evaluated exactly, over all states, and so is what the network says of the start.

The small boards are played on their graph, compiled; the updates are those of `ntuple_kernels`, and a test compares
games and weights with the readable ``NTupleNetwork``.

References
----------
H. Guei, L.-P. Chen and I-C. Wu, "Optimistic temporal difference learning for 2048", IEEE Transactions on Games, 2021.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from expectimax_course._jit import njit
from expectimax_course.exact.backward_induction import evaluate_policy
from expectimax_course.experiments.record import Findings, Result, Row, exact
from expectimax_course.experiments.runner import Job
from expectimax_course.game import Player
from expectimax_course.game2048.exact import solve
from expectimax_course.game2048.kernels import _GAMMA, Array, mix
from expectimax_course.game2048.ntuple import NTupleNetwork
from expectimax_course.game2048.ntuple_kernels import update
from expectimax_course.game2048.rules import ACTIONS, Board, Game2048, Spawn, State, slide
from expectimax_course.search.expectimax import expectimax
from expectimax_course.search.result import SearchResult

TITLE = "2048 on 2 × 2 and 2 × 3: the learnt policy against the optimum, three seeds"
SEEDS = {"first": 1, "second": 2, "third": 3}

INITIAL, RATE = {2: 100.0, 3: 500.0}, 0.5
"""The value of every board at the start, by columns: more than the optimum; and the factor of the learning rates."""


class Graph(NamedTuple):
    """All of a small board: afterstates and decision states by number.

    Attributes
    ----------
    afterstates : list of Board
        Number 0 is the empty board; the boards of one tile follow.
    outcomes : int64, shape (afterstates, 2 · cells)
        The decision state that each outcome leads to, from the empty board the afterstate.
    cumulative : float64, shape (afterstates, 2 · cells)
        Probability of an outcome and all earlier ones; infinite from the last on.
    rewards, afters : int64, shape (decision states, 4)
        Of each slide; afterstate −1 where it is illegal.
    """

    afterstates: list[Board]
    outcomes: Array
    cumulative: Array
    rewards: Array
    afters: Array


@lru_cache(maxsize=2)
def graph(rows: int, cols: int) -> Graph:
    """Return the graph of a board."""
    game = Game2048(rows, cols)
    empty: Board = tuple((0,) * cols for _ in range(rows))

    def spawned(board: Board) -> list[tuple[Board, float]]:
        state = State(board, Player.CHANCE)
        return [(game.result(state, outcome).board, p) for outcome, p in game.chance_outcomes(state)]

    afterstates = [empty, *(board for board, _ in spawned(empty))]
    numbers = {board: number for number, board in enumerate(afterstates)}
    decisions: dict[Board, int] = {}
    lines: list[list[tuple[int, float]]] = [[(numbers[board], p) for board, p in spawned(empty)]]
    moves: list[list[tuple[int, int]]] = []
    while len(lines) < len(afterstates):
        line = []
        for board, p in spawned(afterstates[len(lines)]):
            if board not in decisions:
                decisions[board] = len(decisions)
                moves.append([])
                for after, reward in (slide(board, action) for action in ACTIONS):
                    if after != board and after not in numbers:
                        numbers[after] = len(afterstates)
                        afterstates.append(after)
                    moves[-1].append((reward, -1 if after == board else numbers[after]))
            line.append((decisions[board], p))
        lines.append(line)
    outcomes = np.zeros((len(lines), 2 * rows * cols), np.int64)
    cumulative = np.full(outcomes.shape, np.inf)
    for row, line in enumerate(lines):
        outcomes[row, : len(line)] = [number for number, _ in line]
        cumulative[row, : len(line) - 1] = np.cumsum([p for _, p in line[:-1]])
    slides = np.array(moves)
    return Graph(afterstates, outcomes, cumulative, slides[..., 0], slides[..., 1])


@njit()
def value(indices: Any, weights: Any) -> Any:
    """Return the sum of the weights."""
    total = np.float32(0.0)
    for k in indices[0]:
        total += weights[k]
    return total


@njit()
def draw(cumulative: Any, bits: Any) -> Any:
    """Return the outcome that ``Rng.outcome`` makes of 64 bits."""
    number = np.float64(bits >> np.uint64(11)) * 2.0**-53
    outcome = 0
    while number >= cumulative[outcome]:
        outcome += 1
    return outcome


@njit()
def learn(
    state: Any, games: Any, outcomes: Any, cumulative: Any, rewards: Any, afters: Any, indices: Any, weights: Any,
    sums: Any, rate: Any, path: Any,
) -> Any:  # fmt: skip
    """Play games greedily and learn from each by TD(0), swept from its end; return the generator's state and slides."""
    total = 0
    for _ in range(games):
        after, steps = 0, 0
        state += _GAMMA
        after = outcomes[after, draw(cumulative[after], mix(state))]
        while True:
            state += _GAMMA
            decision = outcomes[after, draw(cumulative[after], mix(state))]
            best, chosen = np.float32(-np.inf), -1
            for action in range(4):
                child = afters[decision, action]
                if child >= 0:
                    worth = np.float32(rewards[decision, action]) + value(indices[child], weights)
                    if worth > best:
                        best, chosen = worth, action
            if chosen < 0:
                break
            after = afters[decision, chosen]
            path[steps, 0], path[steps, 1] = after, rewards[decision, chosen]
            steps += 1
        target = np.float32(0.0)
        for step in range(steps - 1, -1, -1):
            index = indices[path[step, 0]]
            update(index, weights, sums, rate, target - value(index, weights))
            target = np.float32(path[step, 1]) + value(index, weights)
        total += steps
    return state, total


def train(rows: int, cols: int, games: int, seed: int) -> NTupleNetwork:
    """Return a trained network."""
    board = graph(rows, cols)
    network = NTupleNetwork([tuple(range(rows * cols))], rows=rows, cols=cols, initial=INITIAL[cols])
    indices = np.array([[network.indices(after)] for after in board.afterstates], np.uint32)
    path: Array = np.zeros((10_000, 2), np.int64)
    with np.errstate(over="ignore"):
        learn(
            np.uint64(seed), games, board.outcomes, board.cumulative, board.rewards, board.afters, indices,
            network.weights, network.sums, np.float32(RATE), path,
        )  # fmt: skip
    return network


def judge(network: NTupleNetwork) -> tuple[float, float]:
    """Return the exact expected score of the greedy policy, and the score that the network expects of it."""
    game = Game2048(network.rows, network.cols)
    start = game.initial_state()

    def greedy(state: State) -> str | Spawn:
        best = network.best_slide(state.board)
        assert best is not None
        return best[0]

    earned = evaluate_policy(game, greedy, use_rewards=True)[start]
    expected: SearchResult[str | Spawn] = expectimax(
        game, start, 1, lambda after: float(network.value(after.board)), use_rewards=True
    )
    return earned, expected.value


def small_board(rows: int, cols: int, games: int, seed: int) -> list[float]:
    """Train on a board; return the policy's expected score, and the learnt value of the start."""
    return list(judge(train(rows, cols, games, seed)))


def run(job: Job) -> Findings:
    """Train on both boards with three seeds each."""
    results: dict[str, Result] = {}
    rows: list[Row] = []
    for height, width, full in ((2, 2, 200_000), (2, 3, 600_000)):
        games, optimum = job.size(full, quick=2_000), solve(height, width).expected_score
        name = f"{height}x{width}"
        results[f"optimum_{name}"] = exact(optimum, unit="points per game")
        found = job.map(small_board, [(height, width, games, seed) for seed in SEEDS.values()], seed=None)
        for seed, (policy, learnt) in zip(SEEDS.values(), found, strict=True):
            row: Row = {"row": f"{name}-{seed}", "board": f"{height} × {width}", "seed": seed, "games": games}
            row |= {"optimum": optimum, "policy": policy, "share": policy / optimum}
            rows.append(row | {"learned": learnt, "policy_start": policy, "learned_share": learnt / policy})
        results[f"worst_share_{name}"] = exact(min(p for p, _ in found) / optimum, unit="share of the optimum")
        errors = [abs(learnt / policy - 1) for policy, learnt in found]
        results[f"worst_error_{name}"] = exact(max(errors), unit="share of the policy's value")
    return Findings(results, {"boards": rows})
