"""Playing games out: seeds repeat, pairs share their luck, and a game that does not end says so."""

from __future__ import annotations

import pytest

from expectimax_course.exact.backward_induction import evaluate_policy
from expectimax_course.game import DepthError, IllegalActionError
from expectimax_course.game2048.rules import Game2048
from expectimax_course.games.pig import Pig
from expectimax_course.games.push_to_21 import PushTo21
from expectimax_course.play import UnfinishedGameError, compare_agents, play_game, random_agent, search_agent
from expectimax_course.rng import Rng


def stop_at(threshold: int):
    return lambda state, rng: "hit" if state.total < threshold else "stand"


def test_a_seed_repeats_the_game_and_another_seed_does_not() -> None:
    game = Game2048(2, 3)
    first = play_game(game, random_agent(game), seed=1)
    assert play_game(game, random_agent(game), seed=1) == first
    assert play_game(game, random_agent(game), seed=2) != first


def test_the_score_adds_the_rewards_on_the_way() -> None:
    game = Game2048(2, 2)
    record = play_game(game, random_agent(game), seed=3)
    rewards = [game.reward(s, m) for s, m in record.history if game.current_player(s) == 1]
    assert record.score == sum(rewards) > 0
    assert record.decisions == len(rewards)


def test_nature_draws_the_same_for_two_agents_while_they_choose_alike() -> None:
    game = PushTo21()
    short, long = (play_game(game, stop_at(t), seed=9).history for t in (14, 17))
    same = min(len(short), len(long)) - 1
    assert short[:same] == long[:same]


def test_a_simulated_policy_earns_its_exact_value() -> None:
    game = PushTo21()
    exact = evaluate_policy(game, lambda s: "hit" if s.total < 14 else "stand")[game.initial_state()]
    result = compare_agents(game, stop_at(14), stop_at(17), games=3000, seed=8)
    assert abs(result.first.mean - exact) < 4 * result.first.standard_error
    assert result.difference.low > 0


def test_searching_beats_rolling_at_random_in_pig() -> None:
    game = Pig(target=15)
    searcher = search_agent(game, 2, lambda s: 0.5 + (s.max_score + s.turn_total * s.mover - s.min_score) / 80)
    result = compare_agents(game, searcher, random_agent(game), opponent=random_agent(game), games=60, seed=2)
    assert result.difference.low > 0


def test_an_illegal_move_ends_the_game_with_its_name() -> None:
    with pytest.raises(IllegalActionError, match="fold"):
        play_game(PushTo21(), lambda state, rng: "fold", seed=1)


def test_a_game_that_goes_on_for_ever_is_given_up() -> None:
    with pytest.raises(UnfinishedGameError, match="expected an end within 50 moves"):
        play_game(Pig(), lambda state, rng: "hold" if state.turn_total else "roll", seed=1, max_moves=50)


def test_the_agent_draws_from_its_own_stream() -> None:
    game = PushTo21()

    def nervous(state: object, rng: Rng) -> str:
        rng.random()
        return stop_at(14)(state, rng)

    assert play_game(game, nervous, seed=4).history == play_game(game, stop_at(14), seed=4).history


def test_an_agent_that_cannot_choose_is_refused_when_it_is_made() -> None:
    game = Pig(target=10)
    for depth, evaluate, message in (
        (0, lambda state: 0.0, "expected a depth of 1 or more decisions to choose an action, got 0"),
        (2, None, "expected an evaluate function with depth 2"),
        (-1, lambda state: 0.0, "expected a depth of 0 or more decisions, or None, got -1"),
    ):
        with pytest.raises(DepthError, match=message):
            search_agent(game, depth, evaluate)
