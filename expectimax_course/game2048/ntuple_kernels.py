"""The compiled half of the n-tuple learner: look-ups, whole games of self-play, and temporal-coherence updates.

Four tuples of six cells, each read in all eight symmetries of the board, so a position has 32 features. A tuple with
four bits per cell is a 24-bit number, and the four of them fall out of a board with a mask and a shift:

    tuple 0        tuple 1        tuple 2        tuple 3
    0 1 2 3        . . . .        0 1 2 .        . . . .
    4 5 . .        0 1 2 3        3 4 5 .        0 1 2 .
    . . . .        4 5 . .        . . . .        3 4 5 .
    . . . .        . . . .        . . . .        . . . .

The helpers come from `kernels`; see its traps.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from expectimax_course._jit import njit
from expectimax_course.game2048.kernels import _GAMMA, legal_slides, mix, slide, spawn, sum_rows, transpose

U = np.uint64
SIZE = 1 << 24
FEATURES = 32
_0, _1, _4, _8, _12, _16, _32, _48 = (U(n) for n in (0, 1, 4, 8, 12, 16, 32, 48))
_LOW6, _LOW3, _HIGH3 = U(0xFF_FFFF), U(0xFFF), U(0xFF_F000)
_TABLE_1, _TABLE_2, _TABLE_3 = U(SIZE), U(2 * SIZE), U(3 * SIZE)


@njit()
def mirror(x: Any) -> Any:
    """Reverse the cells of every row: dcba → abcd."""
    x = ((x & U(0x0F0F_0F0F_0F0F_0F0F)) << _4) | ((x >> _4) & U(0x0F0F_0F0F_0F0F_0F0F))
    return ((x & U(0x00FF_00FF_00FF_00FF)) << _8) | ((x >> _8) & U(0x00FF_00FF_00FF_00FF))


@njit()
def flip(x: Any) -> Any:
    """Reverse the order of the rows."""
    x = (x << _32) | (x >> _32)
    return ((x & U(0x0000_FFFF_0000_FFFF)) << _16) | ((x >> _16) & U(0x0000_FFFF_0000_FFFF))


@njit()
def value(board: Any, weights: Any) -> Any:
    """Return the sum of the 32 weights of a board, symmetry by symmetry, tuple by tuple."""
    x, total = board, np.float32(0.0)
    for symmetry in range(8):
        y = x >> _16
        total += (
            weights[x & _LOW6]
            + weights[_TABLE_1 | (y & _LOW6)]
            + weights[_TABLE_2 | (x & _LOW3) | ((x >> _4) & _HIGH3)]
            + weights[_TABLE_3 | (y & _LOW3) | ((y >> _4) & _HIGH3)]
        )
        x = transpose(x) if symmetry & 1 else flip(x)
    return total


@njit()
def features(board: Any, out: Any) -> None:
    """Write the 32 indices of a board's weights to ``out``, in the order in which `value` adds them."""
    x = board
    for symmetry in range(8):
        y, i = x >> _16, 4 * symmetry
        out[i] = x & _LOW6
        out[i + 1] = _TABLE_1 | (y & _LOW6)
        out[i + 2] = _TABLE_2 | (x & _LOW3) | ((x >> _4) & _HIGH3)
        out[i + 3] = _TABLE_3 | (y & _LOW3) | ((y >> _4) & _HIGH3)
        x = transpose(x) if symmetry & 1 else flip(x)


@njit()
def best_slide(board: Any, weights: Any, slides: Any, scores: Any, afters: Any) -> Any:
    """Return the greedy slide, −1 at the end, and write its afterstate to ``afters[0]``.

    The reward of a slide is the difference that it makes to the sum of ``scores``.
    """
    legal = legal_slides(board)
    best, found, base = np.float32(-np.inf), -1, sum_rows(board, scores)
    for action in range(4):
        if legal >> U(action) & _1:
            after = slide(board, U(action), slides)
            total = np.float32(sum_rows(after, scores) - base) + value(after, weights)
            if total > best:
                best, found = total, action
                afters[0] = after
    return found


@njit()
def learn_path(path: Any, rewards: Any, steps: Any, weights: Any, sums: Any, rate: Any, trace: Any, index: Any) -> None:
    """Update the afterstates of one game from the last to the first.

    The target of an afterstate is the λ-return, G ← r + (1 − λ)·V(next) + λ·G, with r the reward of the slide to the
    next afterstate and V as just updated; after the last afterstate comes 0. ``rewards[t]`` is that of the slide to
    ``path[t]``. ``sums[i]`` holds Σδ and Σ|δ| of weight i, whose quotient is its own learning rate. A
    weight that a symmetric board reads several times is updated as often.
    """
    target = np.float32(0.0)
    for step in range(steps - 1, -1, -1):
        features(path[step], index)
        old = np.float32(0.0)
        for i in range(FEATURES):
            old += weights[index[i]]
        delta = target - old
        size, share = abs(delta), rate * delta / np.float32(FEATURES)
        new = np.float32(0.0)
        for i in range(FEATURES):
            k = index[i]
            total, absolute = sums[k, 0], sums[k, 1]
            coherence = abs(total) / absolute if absolute > np.float32(0.0) else np.float32(1.0)
            weights[k] += share * coherence
            sums[k, 0] = total + delta
            sums[k, 1] = absolute + size
        for i in range(FEATURES):
            new += weights[index[i]]
        target = np.float32(rewards[step]) + (np.float32(1.0) - trace) * new + trace * target


@njit()
def train(
    weights: Any,
    sums: Any,
    state: Any,
    moves: Any,
    shortest: Any,
    rate: Any,
    trace: Any,
    slides: Any,
    scores: Any,
    cumulative: Any,
    four_from: Any,
    boards: Any,
    path: Any,
    rewards: Any,
    results: Any,
) -> Any:
    """Play and learn until ``moves`` slides are made; return the generator's state, games and slides.

    After a game, play starts again from the board in the middle of it (of what was just played), and again, until
    fewer than ``shortest`` slides were played; then from an empty board. ``results[g]`` gets score and last board of
    each game from an empty board.
    """
    index = np.zeros(FEATURES, np.uint64)
    afters = np.zeros(1, np.uint64)
    games, done, steps = 0, 0, 0
    limit = len(path)
    restart = False
    while done < moves or restart:
        if restart:
            board = boards[steps // 2]
        else:
            state += _GAMMA
            board = spawn(_0, mix(state), cumulative, four_from)
            state += _GAMMA
            board = spawn(board, mix(state), cumulative, four_from)
        steps, score = 0, 0
        while steps < limit:
            action = best_slide(board, weights, slides, scores, afters)
            if action < 0:
                break
            reward = sum_rows(afters[0], scores) - sum_rows(board, scores)
            score += reward
            boards[steps], path[steps], rewards[steps] = board, afters[0], reward
            state += _GAMMA
            board = spawn(afters[0], mix(state), cumulative, four_from)
            steps += 1
        learn_path(path, rewards, steps, weights, sums, rate, trace, index)
        if not restart and games < len(results):
            results[games, 0], results[games, 1] = U(score), board
        games += not restart
        done += steps
        restart = steps >= shortest
    return state, games, done
