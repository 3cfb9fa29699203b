"""The wrong chooser: a runner who takes wandering guards for hunters, or hunters for wanderers.

A runner plans with a *model* of the guards and lives in a *world*. Solving `Trapped` for the model gives a plan; the
world then plays against that very plan. Four cells of model × world, each exact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Literal

from expectimax_course.exact.backward_induction import backward_induction
from expectimax_course.game import Game, Player, StateError
from expectimax_course.games.trapped import CORNERED, FORK, Trapped, TrappedState
from expectimax_course.games.wrapped import WrappedGame
from expectimax_course.play import GameRecord, play_game

Guards = Literal["wander", "hunt"]
GUARDS: tuple[Guards, ...] = ("wander", "hunt")
LIMITS = {CORNERED: 6, FORK: 10}
"""Steps of the runner after which a run ends, per map."""


class Committed(WrappedGame):
    """The game in which MAX has no choice left: a policy chooses. Solving it says what the policy is worth.

    Where MIN moves, the solution is MIN's best reply to the policy; no reply can do worse to it.

    Examples
    --------
    >>> from expectimax_course.games.push_to_21 import PushTo21
    >>> game = Committed(PushTo21(), lambda state: "hit" if state.total < 17 else "stand")
    >>> round(backward_induction(game).values[game.initial_state()], 4)
    13.7174
    """

    def __init__(self, game: Game[Any, Any], policy: Callable[[Any], Any]) -> None:
        super().__init__(game)
        self.policy = policy

    def legal_actions(self, state: Any) -> Sequence[Any]:
        """At a MAX node the policy's action alone."""
        if self.game.current_player(state) is Player.MAX:
            return (self.policy(state),)
        return self.game.legal_actions(state)


def game_on(text: str, guards: Guards) -> Trapped:
    """Return the game on a map.

    Raises
    ------
    StateError
        If it is none of the maps of `LIMITS`.
    """
    if text not in LIMITS:
        raise StateError(f"expected one of the {len(LIMITS)} maps of games.trapped, got {text!r}")
    return Trapped(text, guards=guards, limit=LIMITS[text])


@cache
def plan(text: str, model: Guards) -> Mapping[TrappedState, str]:
    """Return the best plan on a map for the guards that the runner expects."""
    return backward_induction(game_on(text, model)).policy


def points(text: str, model: Guards, world: Guards) -> float:
    """Return what the plan for ``model`` earns in ``world``: the expected utility, against hunters the guaranteed one.

    Examples
    --------
    >>> points(CORNERED, model="hunt", world="wander")
    -103.0
    """
    return _value(game_on(text, world), plan(text, model))


def win_rate(text: str, model: Guards, world: Guards) -> float:
    """Return how often the plan for ``model`` reaches the exit in ``world``."""
    policy = plan(text, model)
    return _value(Trapped(text, guards=world, limit=LIMITS[text], step_cost=0.0, win=1.0, loss=0.0), policy)


def _value(game: Trapped, policy: Mapping[TrappedState, str]) -> float:
    return backward_induction(Committed(game, policy.__getitem__)).values[game.initial_state()]


@cache
def _hunters(text: str, model: Guards) -> Mapping[TrappedState, str]:
    """Return the best reply of hunters to the plan for ``model``."""
    return backward_induction(Committed(game_on(text, "hunt"), plan(text, model).__getitem__)).policy


def run(text: str, model: Guards, world: Guards, *, seed: int) -> GameRecord[TrappedState, str]:
    """Play one game with the plan for ``model`` in ``world``; plans of both models on one seed are a pair."""
    policy = plan(text, model)
    hunters = (lambda state, rng: _hunters(text, model)[state]) if world == "hunt" else None
    return play_game(game_on(text, world), lambda state, rng: policy[state], hunters, seed=seed)
