"""OpenSpiel's games through our searches: the values of its own expectiminimax, and what the adapter refuses."""

from __future__ import annotations

from typing import Any

import pytest
from missing import skip_or_fail

from expectimax_course.game import Game, IllegalActionError, Player, StateError, check_outcomes
from expectimax_course.rng import Rng
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.star import star
from expectimax_course.search.table import Table

try:
    import pyspiel
    from open_spiel.python.algorithms import minimax

    from expectimax_course.interop.openspiel import OpenSpielGame
except ImportError:
    pyspiel = None

pytestmark = pytest.mark.referee


@pytest.fixture(autouse=True)
def _openspiel() -> None:
    if pyspiel is None:
        skip_or_fail("the extra `referee` is not installed")


def later_position(game: Any, moves: int, seed: int) -> Any:
    """A position some random moves into the game, at a decision or a draw."""
    rng = Rng(seed)
    state = game.initial_state()
    for _ in range(moves):
        if game.is_terminal(state):
            break
        chance = game.current_player(state) is Player.CHANCE
        state = game.result(
            state, rng.outcome(game.chance_outcomes(state)) if chance else rng.choice(game.legal_actions(state))
        )
    return state


CASES = [
    ("pig(winscore=15)", 5, 6),
    ("backgammon", 1, 7),
    ("2048", 2, 21),
    ("einstein_wurfelt_nicht", 2, 20),
    ("tic_tac_toe", 3, 2),
]


@pytest.mark.parametrize(("name", "depth", "moves"), CASES, ids=[name for name, *_ in CASES])
def test_values_are_those_of_openspiels_own_expectiminimax(name: str, depth: int, moves: int) -> None:
    game = OpenSpielGame(name)
    scale = max(abs(bound) for bound in game.utility_bounds)

    def evaluate(state: Any) -> float:
        """A number that depends on the whole position, the same for both sides of the comparison."""
        return float(sum(ord(letter) * (i % 7 - 3) for i, letter in enumerate(str(state))) % 101) / 101 * scale

    for seed in range(3):
        state = later_position(game, moves + seed, seed)
        theirs, action = minimax.expectiminimax(state.state, depth, evaluate, 0)
        ours = expectiminimax(game, state, depth, lambda s: evaluate(s.state))
        assert ours.value == pytest.approx(theirs, abs=1e-9)
        if game.current_player(state) is not Player.CHANCE and not game.is_terminal(state):
            assert ours.action == action
        pruned = star(game, state, depth, lambda s: evaluate(s.state), probing=1, bounds=(-scale, scale))
        assert pruned.value == pytest.approx(theirs, abs=1e-9)
        assert pruned.leaves <= ours.leaves


def test_an_openspiel_game_keeps_our_contract() -> None:
    game = OpenSpielGame("pig(winscore=10)")
    assert isinstance(game, Game)
    assert repr(game) == "OpenSpielGame('pig(winscore=10)')"
    state = later_position(game, 4, 1)
    again = later_position(game, 4, 1)
    assert state == again
    assert hash(state) == hash(again)
    assert state != game.initial_state()
    assert "Scores" in repr(state)
    rolling = game.result(game.initial_state(), 0)
    check_outcomes(game.chance_outcomes(rolling), rolling)
    assert game.utility_bounds == (-1, 1)


def test_a_key_that_forgets_the_path_makes_positions_meet() -> None:
    safe, short = OpenSpielGame("pig(winscore=8)"), OpenSpielGame("pig(winscore=8)", key=str)
    hits, values = [], []
    for game in (safe, short):
        result = expectiminimax(game, game.initial_state(), 5, lambda _: 0.0, table=Table())
        hits.append(result.table_hits)
        values.append(result.value)
    assert values[0] == pytest.approx(values[1], abs=1e-12)
    assert hits[0] == 0
    assert hits[1] > 0


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("no_such_game", "expected the name of a game of OpenSpiel, got 'no_such_game'$"),
        ("pig(winscore=many)", "expected parameters that a game of OpenSpiel has"),
        ("kuhn_poker", "perfect information"),
        ("goofspiel", "(perfect information|turns)"),
        ("pig(players=3)", "one player, or two"),
    ],
)
def test_a_game_that_does_not_fit_is_refused_with_the_reason(name: str, reason: str) -> None:
    with pytest.raises(StateError, match=reason):
        OpenSpielGame(name)


def test_an_action_that_does_not_exist_is_refused() -> None:
    game = OpenSpielGame("pig(winscore=10)")
    with pytest.raises(IllegalActionError, match="got 7"):
        game.result(game.initial_state(), 7)
