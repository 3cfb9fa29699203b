"""Zobrist keys: updates agree with keys from scratch along whole games, and the birthday bound is about right."""

from __future__ import annotations

import pytest

from expectimax_course.game import Player, StateError
from expectimax_course.games.einstein import GONE, Einstein, EinsteinState
from expectimax_course.rng import Rng
from expectimax_course.search.zobrist import Zobrist, expected_collisions


def pieces(state: EinsteinState) -> list[tuple[int, int]]:
    """Kinds 0–5 are MAX's stones, 6–11 MIN's, 12 says that MIN is to move (on cell 0)."""
    stones = [(kind, cell) for kind, cell in enumerate(state.max_cells + state.min_cells) if cell != GONE]
    return stones + ([(12, 0)] if state.mover is Player.MIN else [])


def test_an_updated_key_is_the_key_from_scratch_through_whole_games() -> None:
    game, zobrist = Einstein(), Zobrist(kinds=13, cells=25, seed=7)
    captures = 0
    for seed in range(20):
        rng, state = Rng(seed), game.initial_state()
        key = zobrist.key(pieces(state))
        while not game.is_terminal(state):
            rolled = game.result(state, rng.outcome(game.chance_outcomes(state)))
            after = game.result(rolled, rng.choice(game.legal_actions(rolled)))
            changed = set(pieces(state)) ^ set(pieces(after))
            captures += len(changed) > 3
            for kind, cell in changed:
                key ^= zobrist.numbers[kind][cell]
            assert key == zobrist.key(pieces(after))
            state = after
    assert captures > 20


def test_different_positions_have_different_keys_and_the_same_seed_the_same() -> None:
    zobrist = Zobrist(kinds=2, cells=64, seed=1)
    keys = {zobrist.key([(0, a), (1, b)]) for a in range(64) for b in range(64)}
    assert len(keys) == 64 * 64
    assert Zobrist(2, 64, seed=1).numbers == zobrist.numbers != Zobrist(2, 64, seed=2).numbers


def test_short_keys_collide_about_as_often_as_the_birthday_bound_says() -> None:
    zobrist = Zobrist(kinds=2, cells=64, seed=3)
    keys = [zobrist.key([(0, a), (1, b)]) & 0xFFFF for a in range(64) for b in range(64)]
    pairs = sum(n * (n - 1) // 2 for n in (keys.count(key) for key in set(keys)))
    assert 0.7 < pairs / expected_collisions(len(keys), bits=16) < 1.3


def test_no_kinds_or_cells_are_refused() -> None:
    with pytest.raises(StateError, match="expected at least one kind and one cell"):
        Zobrist(0, 9, seed=1)
