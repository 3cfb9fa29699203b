"""The wrong probabilities: what a player of 2048 loses who believes in another spawn, and how to see it.

A spawn model is a parameter of the game, ``Game2048(spawn_four=…)``: the player searches one game and plays another.
On small boards the loss is exact. `spawn_interval` measures the real share of fours from tiles that were seen.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from expectimax_course.exact.backward_induction import evaluate_policy
from expectimax_course.game import Game, StateError
from expectimax_course.game2048.exact import solve
from expectimax_course.game2048.rules import Game2048, State
from expectimax_course.rng import Rng
from expectimax_course.stats import Estimate, proportion_interval

BELIEVED = 0.5
"""The spawn model of somebody who takes a 2 and a 4 for equally likely."""


def expected_scores(rows: int, cols: int, *, believed: float, real: float) -> tuple[float, float]:
    """Return the best expected score of a small board, and that of the best plan for another spawn model.

    Parameters
    ----------
    rows, cols : int
        At most six cells; 2 × 3 takes some seconds.
    believed, real : float
        Probabilities of a 4, strictly between 0 and 1, so that both models know the same boards.

    Raises
    ------
    StateError
        If the board is too large or too small, or a probability is not strictly between 0 and 1.

    Examples
    --------
    >>> best, misled = expected_scores(1, 4, believed=0.5, real=0.1)
    >>> best >= misled > 0
    True
    """
    if not (0 < believed < 1 and 0 < real < 1):
        raise StateError(f"expected probabilities between 0 and 1, both excluded, got {believed!r} and {real!r}")
    policy = solve(rows, cols, believed).policy
    game: Game[State, Any] = Game2048(rows, cols, real)
    misled = evaluate_policy(game, lambda state: policy[state.board], use_rewards=True)[game.initial_state()]
    return solve(rows, cols, real).expected_score, misled


def observe_spawns(n: int, *, spawn_four: float, seed: int) -> list[int]:
    """Return the tiles that a game puts down in ``n`` spawns."""
    rng = Rng(seed)
    game = Game2048(spawn_four=spawn_four)
    outcomes = game.chance_outcomes(game.initial_state())
    return [rng.outcome(outcomes).tile for _ in range(n)]


def spawn_interval(tiles: Iterable[int]) -> Estimate:
    """Return the share of fours among the tiles seen, with its interval.

    Raises
    ------
    ValueError
        If no tile was seen.

    Examples
    --------
    >>> estimate = spawn_interval([2] * 27 + [4] * 3)
    >>> f"{estimate.mean:.2f}, {estimate.low:.3f} to {estimate.high:.3f}"
    '0.10, 0.035 to 0.256'
    """
    seen = list(tiles)
    return proportion_interval(seen.count(4), len(seen))
