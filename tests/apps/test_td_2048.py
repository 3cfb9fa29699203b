"""The app in which a network learns 2 × 2: the package's own learner, exact scores, and students' updates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pages import read

from expectimax_course.apps import _td_learner as learner
from expectimax_course.apps import td_2048
from expectimax_course.game import Player
from expectimax_course.game2048.exact import solve
from expectimax_course.game2048.ntuple import NTupleNetwork
from expectimax_course.game2048.rules import Game2048, State, slide
from expectimax_course.rng import Rng, derive_seed


def send(state: Any, *events: Any, student: Any = None) -> Any:
    for event in events:
        name, value = event if isinstance(event, tuple) else (event, None)
        state = td_2048.update(state, {"name": name, "value": value}, student)
    return state


def shown(state: Any) -> str:
    return read(td_2048.view(state)).text


def test_the_graph_is_the_game_and_its_optimum_that_of_the_exact_solution() -> None:
    solution = solve(2, 2)
    score, values = learner.optimum()
    assert score == pytest.approx(solution.expected_score)
    assert len(learner.graph().slides) == solution.states
    game = Game2048(2, 2)
    for board, value in zip(learner.graph().afterstates, values, strict=True):
        outcomes = game.chance_outcomes(State(board, Player.CHANCE))
        after = [(game.result(State(board, Player.CHANCE), o).board, p) for o, p in outcomes]
        assert value == pytest.approx(sum(p * solution.values[child] for child, p in after))


@pytest.mark.parametrize("rate", ["tc", "0.1"])
@pytest.mark.parametrize("name", list(learner.TUPLES))
def test_updates_are_those_of_the_packages_learner(name: str, rate: str) -> None:
    weights: learner.Weights = {}
    rng = Rng(5)
    network = NTupleNetwork([learner.TUPLES[name]], rows=2, cols=2)
    for _ in range(30):
        steps = learner.play_and_learn(weights, name, rate, 0.0, rng)
        if rate == "tc":
            network.learn_path([(step.reward, step.board) for step in steps], decay=0.0)
            continue
        for step in reversed(steps):
            network.sums[:] = 0  # a fixed rate: no weight remembers its errors
            network.update(step.board, np.float32(step.target), 0.1)
    values = learner.values(weights, name, 0.0)
    assert values == pytest.approx([float(network.value(b)) for b in learner.graph().afterstates], abs=0.01)


def test_a_game_is_played_greedily_on_the_spawns_of_the_rules() -> None:
    weights: learner.Weights = {}
    learner.play_and_learn(weights, "corner", "0.1", 0.0, Rng(1))
    before = dict(zip(learner.graph().afterstates, learner.values(weights, "corner", 0.0), strict=True))
    rng, game = Rng(7), Game2048(2, 2)
    steps = learner.play_and_learn(weights, "corner", "0.1", 0.0, Rng(7))
    state = game.initial_state()
    for step in steps:
        while state.player is Player.CHANCE:
            state = game.result(state, rng.outcome(game.chance_outcomes(state)))
        worth = [(slide(state.board, a)[1] + before[slide(state.board, a)[0]], a) for a in game.legal_actions(state)]
        action = max(worth, key=lambda pair: pair[0])[1]
        assert slide(state.board, action) == (step.board, step.reward)
        state = game.result(state, action)
    assert game.is_terminal(game.result(state, rng.outcome(game.chance_outcomes(state))))


def test_the_score_of_the_curve_is_what_the_greedy_policy_earns() -> None:
    state = send(td_2048.init(tuple_="corner"), "games")
    weights, rng = state["weights"], Rng(derive_seed(99, 0))
    graph = learner.graph()
    values = learner.values(weights, "corner", 0.0)
    scores = []
    for _ in range(4000):
        number, score = rng.outcome(graph.start), 0
        while graph.slides[number]:
            reward, after = max(graph.slides[number], key=lambda move: move[0] + values[move[1]])
            score, number = score + reward, rng.outcome(graph.spawns[after])
        scores.append(score)
    assert sum(scores) / len(scores) == pytest.approx(state["curve"][-1]["score"], abs=2)


def test_looking_back_brings_back_the_values_and_weights_of_then() -> None:
    early = send(td_2048.init(), "games")
    late = send(early, "games", "games", ("at", str(len(early["curve"]) - 1)))
    assert "After 100 games" in shown(late)
    assert late["curve"][late["at"]] == early["curve"][-1]
    assert send(late, "game")["at"] == len(late["curve"])


def test_a_hundred_games_at_once_are_a_hundred_single_games() -> None:
    one = send(td_2048.init(), *["game"] * 100)
    other = send(td_2048.init(), "games")
    assert (one["weights"], one["rng"]) == (other["weights"], other["rng"])


def test_the_last_game_shows_targets_one_step_ahead_and_zero_at_its_end() -> None:
    state = send(td_2048.init(), "game")
    steps = state["last"]
    assert steps[-1][3] == 0
    game = Game2048(2, 2)
    for reward, board, _, _ in steps:
        assert game.state(board, Player.CHANCE)
        assert reward % 4 == 0
    # From nothing the sweep's first target is 0, and the one before it the last reward.
    assert steps[-2][3] == pytest.approx(steps[-1][0])


def test_a_setting_starts_anew_and_enough_is_enough() -> None:
    state = send(td_2048.init(), *["games"] * 16)
    assert state["games"] == td_2048.MOST
    assert "are enough here" in shown(state)
    state = send(state, ("tuple_", "board"), ("start", "50"))
    assert (state["games"], len(state["curve"]), state["tuple_"], state["start"]) == (0, 1, "board", "50")
    assert send(state, "seed")["seed"] == 2


@pytest.mark.parametrize("setting", [{"tuple_": "row"}, {"rate": "2"}, {"start": 0}, {"seed": 0}, {"seed": True}])
def test_a_setting_that_does_not_exist_is_refused(setting: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected"):
        td_2048.init(**setting)


def right(weights: Any, board: Any, cells: Any, target: Any, rate: Any) -> Any:
    keys = []
    for turned in (board, tuple(row[::-1] for row in board)):
        for _ in range(4):
            keys.append(tuple(sum(turned, ())[cell] for cell in cells))
            turned = tuple(zip(*turned[::-1], strict=True))
    error = target - sum(weights.get(key, 0) for key in keys)
    for key in keys:
        weights[key] = weights.get(key, 0) + rate * error / 8
    return weights


def test_a_right_update_learns_what_the_courses_own_learns() -> None:
    own = send(td_2048.init(exercise=True), "game", student=right)
    plain = send(td_2048.init(), "game")
    assert own["curve"][-1]["values"] == pytest.approx(plain["curve"][-1]["values"], abs=0.11)
    # From then on rounding may break ties the other way; what is learnt is as good.
    assert send(own, "games", student=right)["curve"][-1]["score"] > 50
    assert "moves the weights as the course's own does" in shown(own)


def test_a_wrong_update_is_shown_against_the_right_one() -> None:
    def eightfold(weights: Any, board: Any, cells: Any, target: Any, rate: Any) -> Any:
        return right(weights, board, cells, target, 8 * rate)

    state = send(td_2048.init(exercise=True), "look", student=eightfold)
    assert "moves the value of ((2, 4), (8, 16)) to 12.8, the course's to 1.6." in shown(state)


@pytest.mark.parametrize(
    "answer",
    [5, {(2, 4): "much"}, {"24": 1.0}, {(2, 3): 1.0}, {(2,): 1.0}, {(2, 4): float("inf")}, {(2, 4): 10**400}],
)
def test_an_update_that_returns_no_weights_is_one_sentence(answer: Any) -> None:
    state = send(td_2048.init(exercise=True), "games", student=lambda *_: answer)
    assert f"Your function returned {answer!r:.60}: expected a dictionary of weights." in shown(state)
    assert state["games"] == 0


def test_weights_without_end_are_one_sentence() -> None:
    def away(weights: Any, board: Any, cells: Any, target: Any, rate: Any) -> Any:
        return right(weights, board, cells, target, -100)

    assert "grow without end" in shown(send(td_2048.init(exercise=True), "games", student=away))


def test_a_function_that_returns_no_weights_at_all_moves_nothing() -> None:
    for event in ("game", "reset", "look"):
        state = send(td_2048.init(exercise=True), event, student=lambda *_: {})
        assert "moves the value of ((2, 4), (8, 16)) to 0" in shown(state)
