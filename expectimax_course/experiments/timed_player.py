"""Games of 2048 against the clock: a module of its own, so that an experiment can ask for more without losing any."""

from __future__ import annotations

import time

from expectimax_course.rng import derive_seed


def play_timed(seed: int, milliseconds: float, index: int) -> list[float]:
    """Play one game with so much CPU time per move; return score, largest tile, moves, evaluations, CPU seconds."""
    from expectimax_course.game2048.players import play

    game = play("expectimax", seed=derive_seed(seed, index), milliseconds=milliseconds, clock=time.process_time)
    return list(game[1:])
