"""A wrapped game pays on the way if the game inside does, and only then."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from expectimax_course.failures.chance import InPlace
from expectimax_course.failures.opponents import Committed
from expectimax_course.game import Game, ScoredGame
from expectimax_course.game2048.rules import Game2048
from expectimax_course.games.counted import CountedGame
from expectimax_course.games.push_to_21 import PushTo21
from expectimax_course.games.wrapped import WrappedGame
from expectimax_course.play import play_game, random_agent
from expectimax_course.rng import Rng
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.result import WrongSearchError
from expectimax_course.search.sampling import SampledGame

WRAPPERS = [
    CountedGame,
    InPlace,
    lambda game: SampledGame(game, 2, rng=Rng(1)),
    lambda game: Committed(game, lambda state: game.legal_actions(state)[0]),
    lambda game: CountedGame(CountedGame(game)),
]


@pytest.mark.parametrize("wrap", WRAPPERS)
def test_a_game_without_rewards_is_not_taken_for_one_with_them(wrap: Any) -> None:
    game = wrap(PushTo21())
    assert isinstance(game, Game)
    assert not isinstance(game, ScoredGame)
    assert play_game(game, random_agent(game), seed=1).score >= 0
    with pytest.raises(WrongSearchError, match="expected a game with reward"):
        expectiminimax(game, game.initial_state(), 1, lambda state: 0.0, use_rewards=True)


@pytest.mark.parametrize("wrap", [WRAPPERS[0], *WRAPPERS[2:]])
def test_a_game_with_rewards_pays_what_the_game_inside_pays(wrap: Any) -> None:
    inside = Game2048(2, 2)
    game = wrap(inside)
    assert isinstance(game, ScoredGame)
    assert game.reward_bounds == inside.reward_bounds
    record = play_game(game, random_agent(game), seed=1)
    assert record.score > 0
    paid = sum(inside.reward(state, move) for state, move in record.history if isinstance(move, str))
    assert record.score == paid + inside.utility(record.final_state)
    assert copy.deepcopy(game).reward_bounds == inside.reward_bounds


class Halved(WrappedGame):
    """Changes one thing: what a move pays."""

    reward_bounds = (0, 1)

    def reward(self, state: Any, action: Any) -> float:
        return float(self.game.reward(state, action)) / 2  # type: ignore[attr-defined]


def test_a_wrapper_may_change_the_rewards() -> None:
    inside = Game2048(2, 2)
    state = inside.state([[2, 2], [0, 0]])
    game = Halved(inside)
    assert (inside.reward(state, "left"), game.reward(state, "left")) == (4, 2)
    assert game.reward_bounds == (0, 1)
