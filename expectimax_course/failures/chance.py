"""The wrong mean: what a chance node makes of its outcomes, right once and wrong in four ways, tried on Push to 21.

A *mean* is a function of the game, the chance node, the search that values the children, and a generator. Everything
else of the search stays the same, so two plans differ by this one function, or by the *scale* on which a banked total
is counted. Push to 21 is small enough to say exactly what each plan earns.

Some of the faults are found in public programs again and again. Two of them need help to run here at all: states are
immutable and the rules refuse a face while no die is in the air, so `InPlace` plays as a program does that changes one
hand in place.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from expectimax_course.exact.backward_induction import evaluate_policy
from expectimax_course.game import Game, Player, add_up
from expectimax_course.games.push_to_21 import HIT, STAND, PushState, PushTo21
from expectimax_course.games.wrapped import WrappedGame
from expectimax_course.rng import Rng

Search = Callable[[Any], float]
Mean = Callable[[Game[Any, Any], Any, Search, Rng], float]
Plan = dict[int, str]


def weighted_mean(game: Game[Any, Any], state: Any, value: Search, rng: Rng) -> float:
    """Weight each outcome by its probability."""
    return add_up(p * value(game.result(state, outcome)) for outcome, p in game.chance_outcomes(state))


def broken_divided(game: Game[Any, Any], state: Any, value: Search, rng: Rng) -> float:
    """Weight, and divide by the number of outcomes as well: the probabilities have done that already."""
    outcomes = game.chance_outcomes(state)
    return sum(p * value(game.result(state, outcome)) for outcome, p in outcomes) / len(outcomes)


def broken_overwritten(game: Game[Any, Any], state: Any, value: Search, rng: Rng) -> float:
    """Apply each outcome to what the one before has left."""
    total = 0.0
    for outcome, p in game.chance_outcomes(state):
        state = game.result(state, outcome)
        total += p * value(state)
    return total


def broken_rerolled(game: Game[Any, Any], state: Any, value: Search, rng: Rng) -> float:
    """Roll again in each branch, as a program does whose move function rolls the dice itself."""
    outcomes = game.chance_outcomes(state)
    return sum(p * value(game.result(state, rng.outcome(outcomes))) for _, p in outcomes)


def broken_worst(game: Game[Any, Any], state: Any, value: Search, rng: Rng) -> float:
    """Take the worst outcome, as if somebody chose it."""
    return min(value(game.result(state, outcome)) for outcome, _ in game.chance_outcomes(state))


def honest_scale(total: float) -> float:
    """Count a banked total as what it is, a bust as nothing."""
    return total


def broken_square(total: float) -> float:
    """Count a total squared: high totals look better than they are."""
    return total * total


def broken_infinite(total: float) -> float:
    """Count a bust as minus infinity: every roll that can bust is then worth minus infinity."""
    return total if total else float("-inf")


class InPlace(WrappedGame):
    """Push to 21 as a program plays it that changes one hand in place: a face is added to whatever is there."""

    def result(self, state: PushState, action: str | int) -> PushState:
        """Apply an action; a face counts at any time, and a hand that is bust stays bust."""
        if state.phase == "over":
            return state
        after: PushState = self.game.result(state._replace(phase="roll") if isinstance(action, int) else state, action)
        return after


def make_plan(
    mean: Mean = weighted_mean,
    scale: Callable[[float], float] = honest_scale,
    *,
    seed: int = 0,
) -> Plan:
    """Return hit or stand for each total, planned with this mean and scale.

    Parameters
    ----------
    mean : callable
        What a chance node is worth.
    scale : callable
        What a banked total counts.
    seed : int
        Of whatever the mean draws; only a broken one draws.

    Examples
    --------
    >>> plan = make_plan()
    >>> plan[13], plan[14]
    ('hit', 'stand')
    """
    push = PushTo21()
    rules = InPlace(push) if mean is broken_overwritten else push
    rng = Rng(seed)

    @cache
    def value(state: PushState) -> float:
        if push.is_terminal(state):
            return scale(push.utility(state))
        if push.current_player(state) is Player.CHANCE:
            return mean(rules, state, value, rng)
        return max(value(push.result(state, action)) for action in push.legal_actions(state))

    def better(total: int) -> str:
        state = PushState(total, "choose")
        return HIT if value(push.result(state, HIT)) > value(push.result(state, STAND)) else STAND

    return {total: better(total) for total in range(push.target, -1, -1)}


def stands_at(plan: Plan) -> list[tuple[int, int]]:
    """Return the totals at which a plan stands, as ranges; a mean that draws can leave a gap between them.

    Examples
    --------
    >>> stands_at(make_plan()), stands_at(make_plan(broken_rerolled, seed=3))
    ([(14, 21)], [(13, 13), (15, 21)])
    """
    ranges: list[tuple[int, int]] = []
    for total in sorted(total for total, action in plan.items() if action == STAND):
        joined = bool(ranges) and ranges[-1][1] == total - 1
        ranges = [*ranges[:-1], (ranges[-1][0], total)] if joined else [*ranges, (total, total)]
    return ranges


def earned(plan: Plan) -> float:
    """Return what a plan earns per hand, exactly, whatever it was planned with.

    Examples
    --------
    >>> round(earned(make_plan()), 4), round(earned(make_plan(broken_divided)), 4)
    (15.8585, 5.5)
    """
    push: Game[PushState, Any] = PushTo21()
    return evaluate_policy(push, lambda state: plan[state.total])[push.initial_state()]
