"""The compiled half of the n-tuple learner: look-ups, whole games of self-play, and temporal-coherence updates.

The networks are those of four tuples in which a row of 2 × width cells and a block of that size begin in row 0 and in
row 1; each is read in all eight symmetries of the board, so a position has 32 features. With four bits per cell a tuple
falls out of a board with a mask and a shift. Width 3 is ``net.FOUR_SIX``, width 2 ``net.FOUR_FOUR``:

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
from expectimax_course.game2048.kernels import (
    _GAMMA,
    first_board,
    flip,
    legal_slides,
    mix,
    net_masks,
    net_value,
    slide,
    spawn,
    sum_rows,
    transpose,
)

U = np.uint64
FEATURES = 32
_0, _1, _16 = U(0), U(1), U(16)


@njit()
def features(board: Any, out: Any, width: Any) -> None:
    """Write the 32 indices of a board's weights to ``out``, in the order in which `net_value` adds them."""
    x = board
    size, low, high, shift, line = net_masks(width)
    for symmetry in range(8):
        y, i = x >> _16, 4 * symmetry
        out[i] = x & line
        out[i + 1] = size | (y & line)
        out[i + 2] = (size << _1) | (x & low) | ((x >> shift) & high)
        out[i + 3] = size | (size << _1) | (y & low) | ((y >> shift) & high)
        x = transpose(x) if symmetry & 1 else flip(x)


@njit()
def best_slide(board: Any, weights: Any, width: Any, slides: Any, scores: Any, afters: Any) -> Any:
    """Return the greedy slide, −1 at the end, and write its afterstate to ``afters[0]``.

    The reward of a slide is the difference that it makes to the sum of ``scores``. Ties go to the first action.
    """
    legal = legal_slides(board)
    best, found, base = np.float32(-np.inf), -1, sum_rows(board, scores)
    for action in range(4):
        if legal >> U(action) & _1:
            after = slide(board, U(action), slides)
            total = np.float32(sum_rows(after, scores) - base) + net_value(after, weights, width, np.float32(0.0))
            if total > best:
                best, found = total, action
                afters[0] = after
    return found


@njit()
def gather(index: Any, weights: Any) -> Any:
    """Return the sum of the weights at the indices that `features` wrote: `net_value` of their board."""
    total = np.float32(0.0)
    for i in range(0, FEATURES, 4):
        total += weights[index[i]] + weights[index[i + 1]] + weights[index[i + 2]] + weights[index[i + 3]]
    return total


@njit()
def update(index: Any, weights: Any, sums: Any, rate: Any, delta: Any) -> None:
    """Move the weights at ``index`` so that their sum comes nearer by ``delta``; see ``ntuple.NTupleNetwork.update``.

    Without ``sums`` there is no temporal coherence.
    """
    size, share = abs(delta), rate * delta / np.float32(len(index))
    if len(sums) == 0:
        for k in index:
            weights[k] += share
        return
    for k in index:
        errors, sizes = sums[k, 0], sums[k, 1]
        coherence = abs(errors) / sizes if sizes > np.float32(0.0) else np.float32(1.0)
        weights[k] += share * coherence
        sums[k, 0], sums[k, 1] = errors + delta, sizes + size


@njit()
def learn_path(
    path: Any, rewards: Any, steps: Any, weights: Any, sums: Any, width: Any, rate: Any, decay: Any, index: Any
) -> None:
    """Update the afterstates of one game from the last to the first; see ``ntuple.NTupleNetwork.learn_path``.

    ``rewards[t]`` is that of the slide to ``path[t]``; ``index`` is scratch space for the features.
    """
    target = np.float32(0.0)
    for step in range(steps - 1, -1, -1):
        board = path[step]
        features(board, index, width)
        update(index, weights, sums, rate, target - gather(index, weights))
        new = gather(index, weights)
        target = np.float32(rewards[step]) + (np.float32(1.0) - decay) * new + decay * target


@njit()
def play(
    board: Any, state: Any, weights: Any, width: Any, slides: Any, scores: Any, cumulative: Any, four_from: Any,
    boards: Any, path: Any, rewards: Any,
) -> Any:  # fmt: skip
    """Play greedily from a decision board to the end; return the generator's state, slides, score and last board.

    ``boards``, ``path`` and ``rewards`` get the boards before the slides, the afterstates and the rewards. A game
    longer than they are is cut there.
    """
    afters = np.zeros(1, np.uint64)
    steps, score = 0, 0
    while steps < len(path):
        if best_slide(board, weights, width, slides, scores, afters) < 0:
            break
        reward = sum_rows(afters[0], scores) - sum_rows(board, scores)
        boards[steps], path[steps], rewards[steps] = board, afters[0], reward
        score += reward
        steps += 1
        state += _GAMMA
        board = spawn(afters[0], mix(state), cumulative, four_from)
    return state, steps, score, board


@njit()
def train(
    weights: Any, sums: Any, width: Any, state: Any, games: Any, restart_above: Any, rate: Any, decay: Any,
    slides: Any, scores: Any, cumulative: Any, four_from: Any, boards: Any, path: Any, rewards: Any, results: Any,
) -> Any:  # fmt: skip
    """Play and learn ``games`` games from an empty board; return the generator's state and all slides made.

    After a game of at least ``restart_above`` slides, play starts again from the board in the middle of it, and so on
    until one is shorter. ``results[g]`` gets score and last board of game g, restarts left out.
    """
    index = np.zeros(FEATURES, np.uint64)
    total = 0
    for game in range(games):
        board, state = first_board(state, cumulative, four_from), state + _GAMMA + _GAMMA
        first = True
        while True:
            state, steps, score, last = play(
                board, state, weights, width, slides, scores, cumulative, four_from, boards, path, rewards
            )
            learn_path(path, rewards, steps, weights, sums, width, rate, decay, index)
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
    seeds: Any, weights: Any, width: Any, slides: Any, scores: Any, cumulative: Any, four_from: Any, boards: Any,
    path: Any, rewards: Any, results: Any,
) -> None:  # fmt: skip
    """Play one greedy game per generator state; ``results[g]`` gets score, slides and last board."""
    for game in range(len(seeds)):
        board, state = first_board(seeds[game], cumulative, four_from), seeds[game] + _GAMMA + _GAMMA
        state, steps, score, last = play(
            board, state, weights, width, slides, scores, cumulative, four_from, boards, path, rewards
        )
        results[game, 0], results[game, 1], results[game, 2] = U(score), U(steps), last
