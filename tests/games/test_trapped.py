"""The runner between guards: the four cells of model × world, exactly, and the map's bad inputs."""

from __future__ import annotations

from typing import Any

import pytest

from expectimax_course.exact.backward_induction import backward_induction
from expectimax_course.game import Player, StateError
from expectimax_course.games.trapped import CORNERED, FORK, Trapped
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.table import Table


def win_rate(plan: str, model: Any, world: Any) -> float:
    """Return how often a runner who plans with one kind of guard wins among the other kind, exactly."""
    policy = backward_induction(Trapped(plan, guards=model)).policy
    game = Trapped(plan, guards=world)
    known: dict[Any, float] = {}

    def rate(state: Any) -> float:
        if state not in known:
            if game.is_terminal(state):
                known[state] = float(game.utility(state) > 0)
            elif state.turn == 0:
                known[state] = rate(game.result(state, policy[state]))
            elif game.current_player(state) is Player.CHANCE:
                known[state] = sum(p * rate(game.result(state, o)) for o, p in game.chance_outcomes(state))
            else:
                known[state] = min(rate(game.result(state, a)) for a in game.legal_actions(state))
        return known[state]

    return rate(game.initial_state())


def test_the_cornered_minimax_runner_despairs_and_the_expectimax_runner_escapes() -> None:
    assert win_rate(CORNERED, "wander", "wander") > 0.99
    assert win_rate(CORNERED, "hunt", "wander") == 0.0


def test_the_expectimax_runner_at_the_fork_is_punished_by_hunters() -> None:
    assert win_rate(FORK, "wander", "wander") > 0.99
    assert win_rate(FORK, "wander", "hunt") == 0.0
    assert win_rate(FORK, "hunt", "hunt") == 1.0


def test_the_same_map_has_another_value_when_another_chooses() -> None:
    values = {}
    for guards in ("wander", "hunt"):
        game = Trapped(guards=guards)
        values[guards] = expectiminimax(game, game.initial_state(), table=Table()).value
    assert values["hunt"] == game.loss - game.step_cost
    assert values["wander"] > 80


def test_reaching_the_exit_together_with_a_guard_is_being_caught() -> None:
    game = Trapped("#####\n#RE.#\n##G##\n#####")
    beside = game.result(game.initial_state(), "right")
    assert game.is_terminal(beside)
    assert game.utility(beside) == game.win - game.step_cost
    on_guard = Trapped("####\n#RG#\n#E.#\n####")
    assert on_guard.utility(on_guard.result(on_guard.initial_state(), "right")) == game.loss - game.step_cost


@pytest.mark.parametrize("plan", ["###\n#R#\n###", "###\n#E#\n###", "#####\n#RxE#\n#####", "#####\n#RRE#\n#####"])
def test_a_map_without_its_figures_is_refused(plan: str) -> None:
    with pytest.raises(StateError, match="expected a map"):
        Trapped(plan)


@pytest.mark.parametrize("setting", [{"guards": "sleep"}, {"limit": 0}])
def test_a_setting_out_of_range_is_refused(setting: dict[str, Any]) -> None:
    with pytest.raises(StateError, match="expected guards"):
        Trapped(**setting)
