"""The compiled half of the n-tuple learner: look-ups, whole games of self-play, and temporal-coherence updates.

The networks are those of four tuples in which a row of 2 × width cells and a block of that size begin in row 0 and in
row 1; each is read in all eight symmetries of the board, so a position has 32 features. Once a board is
split, a tuple falls out of it with masks and shifts. Width 3 is ``net.FOUR_SIX``, width 2 ``net.FOUR_FOUR``:

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

from expectimax_course._jit import njit, prefetch
from expectimax_course.game2048.kernels import (
    _GAMMA,
    block_weight,
    first_board,
    mix,
    row_weight,
    slide_rows,
    spawn,
    split,
    sum_rows,
    transpose,
    turn,
)

U = np.uint64
_0, _1, _3, _8, _16 = U(0), U(1), U(3), U(8), U(16)


@njit()
def turns(board: Any, digits: Any, first: Any, stride: Any) -> None:
    """Write the eight symmetries of a board, split, to ``digits`` at first, first + stride, …"""
    x = split(board)
    for symmetry in range(8):
        digits[first + symmetry * stride] = x
        x = turn(x, symmetry)


@njit()
def features(digits: Any, count: Any, index: Any, width: Any) -> None:
    """Write where the weights of the first ``count`` split boards stand: ``index[t, i]`` for tuple t on board i."""
    size = _1 << (width << _3)
    for i in range(count):
        x, y = digits[i], digits[i] >> _8
        index[0, i] = row_weight(x, width)
        index[1, i] = size | row_weight(y, width)
        index[2, i] = (size << _1) | block_weight(x, width)
        index[3, i] = size | (size << _1) | block_weight(y, width)


@njit()
def read(index: Any, i: Any, weights: Any) -> Any:
    """Return the sum of the four weights of board i."""
    return weights[index[0, i]] + weights[index[1, i]] + weights[index[2, i]] + weights[index[3, i]]


@njit()
def gather(index: Any, weights: Any) -> Any:
    """Return the sum of the weights of the first eight boards: `net_value`, if they are the symmetries of one."""
    total = np.float32(0.0)
    for i in range(8):
        total += read(index, i, weights)
    return total


@njit()
def best_slide(
    board: Any, weights: Any, width: Any, slides: Any, rewards: Any, digits: Any, index: Any, afters: Any
) -> Any:
    """Return the greedy slide, −1 at the end, and write its afterstate to ``afters[0]``. Ties go to the first action.

    All four slides are looked up, legal or not: first all 128 indices, then all weights, so that their ways from memory
    overlap and no branch waits for one.
    """
    columns = transpose(board)
    afters[0], afters[1] = slide_rows(board, _0, slides), slide_rows(board, _1 << _16, slides)
    afters[2] = transpose(slide_rows(columns, _0, slides))
    afters[3] = transpose(slide_rows(columns, _1 << _16, slides))
    for action in range(4):
        turns(afters[action], digits, action, 4)
    features(digits, 32, index, width)
    left = right = up = down = np.float32(0.0)
    for i in range(0, 32, 4):
        left += read(index, i, weights)
        right += read(index, i + 1, weights)
        up += read(index, i + 2, weights)
        down += read(index, i + 3, weights)
    along, across = np.float32(sum_rows(board, rewards)), np.float32(sum_rows(columns, rewards))
    never = np.float32(-np.inf)
    left = along + left if afters[0] != board else never
    right = along + right if afters[1] != board else never
    up = across + up if afters[2] != board else never
    down = across + down if afters[3] != board else never
    found, best = 0, left
    found, best = (1, right) if right > best else (found, best)
    found, best = (2, up) if up > best else (found, best)
    found, best = (3, down) if down > best else (found, best)
    afters[0] = afters[found]
    return found if best > never else -1


@njit()
def update(index: Any, weights: Any, sums: Any, rate: Any, delta: Any) -> None:
    """Move the weights at ``index`` (tuples, symmetries) so that their sum comes nearer by ``delta``.

    See ``ntuple.NTupleNetwork.update``. Without ``sums`` there is no temporal coherence.
    """
    tuples, symmetries = index.shape
    size, share = abs(delta), rate * delta / np.float32(tuples * symmetries)
    if len(sums) == 0:
        for t in range(tuples):
            for i in range(symmetries):
                weights[index[t, i]] += share
        return
    for t in range(tuples):
        for i in range(symmetries):
            k = index[t, i]
            errors, sizes = sums[k, 0], sums[k, 1]
            coherence = abs(errors) / sizes if sizes > np.float32(0.0) else np.float32(1.0)
            weights[k] += share * coherence
            sums[k, 0], sums[k, 1] = errors + delta, sizes + size


@njit()
def learn_path(
    path: Any, earned: Any, steps: Any, weights: Any, sums: Any, width: Any, rate: Any, decay: Any, digits: Any,
    index: Any, ahead: Any,
) -> None:  # fmt: skip
    """Update the afterstates of one game from the last to the first; see ``ntuple.NTupleNetwork.learn_path``.

    ``earned[t]`` is the reward of the slide to ``path[t]``; ``digits``, ``index`` and ``ahead`` are scratch space.
    """
    target = np.float32(0.0)
    turns(path[steps - 1], digits, 0, 1)
    features(digits, 8, index, width)
    for step in range(steps - 1, -1, -1):
        if step > 0:
            # Send for the weights of the next board, which are far away, while this one is updated.
            turns(path[step - 1], digits, 0, 1)
            features(digits, 8, ahead, width)
            for t in range(4 if len(sums) > 0 else 0):
                for i in range(8):
                    prefetch(weights, ahead[t, i])
                    prefetch(sums, ahead[t, i])
        update(index, weights, sums, rate, target - gather(index, weights))
        target = np.float32(earned[step]) + (np.float32(1.0) - decay) * gather(index, weights) + decay * target
        index, ahead = ahead, index


@njit()
def play(
    board: Any, state: Any, weights: Any, width: Any, slides: Any, rewards: Any, cumulative: Any, four_from: Any,
    boards: Any, path: Any, earned: Any,
) -> Any:  # fmt: skip
    """Play greedily from a decision board to the end; return the generator's state, slides, score and last board.

    ``boards``, ``path`` and ``earned`` get the boards before the slides, the afterstates and the rewards. A game
    longer than they are is cut there.
    """
    afters, digits, index = np.zeros(4, np.uint64), np.zeros(32, np.uint64), np.zeros((4, 32), np.uint32)
    steps, score = 0, 0
    while steps < len(path):
        action = best_slide(board, weights, width, slides, rewards, digits, index, afters)
        if action < 0:
            break
        reward = sum_rows(board if action < 2 else transpose(board), rewards)
        boards[steps], path[steps], earned[steps] = board, afters[0], reward
        score += reward
        steps += 1
        state += _GAMMA
        board = spawn(afters[0], mix(state), cumulative, four_from)
    return state, steps, score, board


@njit()
def train(
    weights: Any, sums: Any, width: Any, state: Any, games: Any, restart_above: Any, rate: Any, decay: Any,
    slides: Any, rewards: Any, cumulative: Any, four_from: Any, boards: Any, path: Any, earned: Any, results: Any,
) -> Any:  # fmt: skip
    """Play and learn ``games`` games from an empty board; return the generator's state and all slides made.

    After a game of at least ``restart_above`` slides, play starts again from the board in the middle of it, and so on
    until one is shorter. ``results[g]`` gets score and last board of game g, restarts left out.
    """
    digits, index, ahead = np.zeros(8, np.uint64), np.zeros((4, 8), np.uint32), np.zeros((4, 8), np.uint32)
    total = 0
    for game in range(games):
        board, state = first_board(state, cumulative, four_from), state + _GAMMA + _GAMMA
        first = True
        while True:
            state, steps, score, last = play(
                board, state, weights, width, slides, rewards, cumulative, four_from, boards, path, earned
            )
            learn_path(path, earned, steps, weights, sums, width, rate, decay, digits, index, ahead)
            total += steps
            if first:
                results[game, 0], results[game, 1] = U(score), last
            if steps < restart_above:
                break
            first = False
            board = boards[steps // 2]
    return state, total


@njit()
def play_games(
    seeds: Any, weights: Any, width: Any, slides: Any, rewards: Any, cumulative: Any, four_from: Any, boards: Any,
    path: Any, earned: Any, results: Any,
) -> None:  # fmt: skip
    """Play one greedy game per generator state; ``results[g]`` gets score, slides and last board."""
    for game in range(len(seeds)):
        board, state = first_board(seeds[game], cumulative, four_from), seeds[game] + _GAMMA + _GAMMA
        state, steps, score, last = play(
            board, state, weights, width, slides, rewards, cumulative, four_from, boards, path, earned
        )
        results[game, 0], results[game, 1], results[game, 2] = U(score), U(steps), last
