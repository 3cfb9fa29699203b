"""Boards that the tests of 2048 share: reached by random play from fixed seeds, and random fillings beyond play."""

from __future__ import annotations

from functools import cache

from expectimax_course.game import Player
from expectimax_course.game2048.rules import Board, Game2048, State
from expectimax_course.rng import Rng


@cache
def played_states(games: int = 20) -> list[State]:
    """Return every decision state of some random games."""
    game, rng, states = Game2048(), Rng(5), []
    for _ in range(games):
        state = game.initial_state()
        while not game.is_terminal(state):
            if state.player is Player.CHANCE:
                state = game.result(state, rng.outcome(game.chance_outcomes(state)))
            else:
                states.append(state)
                state = game.result(state, rng.choice(game.legal_actions(state)))
    return states


def sample(states: list[State], n: int, seed: int) -> list[State]:
    """Return n of them."""
    rng = Rng(seed)
    return [rng.choice(states) for _ in range(n)]


def random_board(rng: Rng, highest: int = 15, filled: float = 0.6) -> Board:
    """Return cells filled with tiles of any rank from 1 to ``highest``."""
    cells = [1 << 1 + rng.below(highest) if rng.random() < filled else 0 for _ in range(16)]
    return tuple(tuple(cells[i : i + 4]) for i in range(0, 16, 4))
