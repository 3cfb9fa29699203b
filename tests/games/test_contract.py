"""The contract that every game of the course keeps, checked on seeded random walks through each of them."""

from __future__ import annotations

from typing import Any

import pytest

from expectimax_course.backgammon.rules import Backgammon, hyper_backgammon, small_backgammon
from expectimax_course.game import Game, IllegalActionError, Player, ScoredGame, check_outcomes
from expectimax_course.game2048.rules import Game2048
from expectimax_course.games.cards import DrawToEleven
from expectimax_course.games.dice import Dice
from expectimax_course.games.einstein import Einstein
from expectimax_course.games.pig import Pig
from expectimax_course.games.push_to_21 import PushTo21
from expectimax_course.games.trapped import CORNERED, FORK, Trapped
from expectimax_course.random_trees import irregular_tree, regular_tree
from expectimax_course.rng import Rng
from expectimax_course.trees import parse_tree

GAMES: list[Any] = [
    PushTo21(),
    PushTo21(target=7, faces=3),
    Pig(target=20),
    Trapped(CORNERED),
    Trapped(FORK, guards="hunt"),
    Dice(size=4, in_a_row=3),
    Einstein(size=3, stones=2),
    DrawToEleven(),
    Backgammon(),
    hyper_backgammon(),
    small_backgammon(),
    Game2048(),
    Game2048(2, 3, spawn_four=0.5),
    parse_tree("max(gamble: chance(1/2: 3, 1/2: min(2, 8)), sure: 4)"),
    regular_tree(1, depth=2, moves=3, outcomes=2, correlated=True),
    irregular_tree(2),
]


def walk(game: Any, seed: int) -> list[tuple[Any, Any]]:
    """Play at random to the end; return the (state, move) pairs and the final state with no move."""
    rng, state, path = Rng(seed), game.initial_state(), []
    while not game.is_terminal(state):
        assert len(path) < 20_000, "no end is reached"
        if game.current_player(state) is Player.CHANCE:
            move = rng.outcome(game.chance_outcomes(state))
        else:
            move = rng.choice(game.legal_actions(state))
        path.append((state, move))
        state = game.result(state, move)
    return [*path, (state, None)]


@pytest.fixture(params=GAMES, ids=repr)
def game(request: pytest.FixtureRequest) -> Any:
    return request.param


def test_a_game_is_a_game_without_inheriting(game: Any) -> None:
    assert isinstance(game, Game)
    assert Game not in type(game).__mro__


def test_every_state_on_the_way_keeps_the_contract(game: Any) -> None:
    low, high = game.utility_bounds
    for seed in range(6):
        for state, move in walk(game, seed):
            assert hash(state) == hash(state)
            if move is None:
                assert low <= game.utility(state) <= high
                continue
            if game.current_player(state) is Player.CHANCE:
                outcomes = game.chance_outcomes(state)
                check_outcomes(outcomes, state)
                moves = [outcome for outcome, _ in outcomes]
                assert tuple(outcomes) == tuple(game.chance_outcomes(state))
            else:
                moves = list(game.legal_actions(state))
                assert moves
                assert moves == list(game.legal_actions(state))
            assert len(set(moves)) == len(moves)
            before = repr(state)
            assert [game.result(state, m) for m in moves] == [game.result(state, m) for m in moves]
            assert repr(state) == before


def test_the_same_walk_twice_meets_equal_states(game: Any) -> None:
    first, second = walk(game, 11), walk(game, 11)
    assert first == second
    assert [hash(state) for state, _ in first] == [hash(state) for state, _ in second]


def test_an_action_that_does_not_exist_is_refused_by_name(game: Any) -> None:
    refused = 0
    for state, move in walk(game, 3)[:40]:
        if move is not None:
            with pytest.raises(IllegalActionError, match="nonsense"):
                game.result(state, "nonsense")
            refused += 1
    assert refused


@pytest.mark.parametrize("game", [g for g in GAMES if hasattr(g, "reward")], ids=repr)
def test_rewards_stay_within_their_bounds(game: Any) -> None:
    assert isinstance(game, ScoredGame)
    low, high = game.reward_bounds
    rewards = [
        game.reward(state, move)
        for state, move in walk(game, 5)
        if move is not None and game.current_player(state) is not Player.CHANCE
    ]
    assert all(low <= reward <= high for reward in rewards)
    assert any(rewards)
