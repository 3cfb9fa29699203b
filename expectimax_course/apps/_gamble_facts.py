"""What there is to know about one gamble against a sure thing: exact values, and what seeded draws of it paid."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from expectimax_course.rng import Rng, derive_seed
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.stats import Estimate, proportion_interval
from expectimax_course.trees import TreeGame, build_tree

State = dict[str, Any]


class Facts(NamedTuple):
    """Points per play: the gamble's mean and worst case, the sure thing, and the average of the draws."""

    expected: Fraction
    worst: Fraction
    sure: Fraction
    measured: Estimate


def facts(state: State) -> Facts:
    """Return the values of `expectiminimax` on both trees, and the average of the seeded draws with its interval."""
    expected = expectiminimax(gamble_tree(state, "dice"), 0).action_values["gamble"][0]
    worst = expectiminimax(gamble_tree(state, "adversary"), 0).action_values["gamble"][0]
    return Facts(Fraction(expected), Fraction(worst), Fraction(state["sure"]), measure(state))


def gamble_tree(state: State, decider: str) -> TreeGame:
    """Return the gamble against the sure thing; an adversary makes a MIN node of the chance node."""
    p = Fraction(state["chance"], 100)
    first, second = Fraction(state["first"]), Fraction(state["second"])
    node = ("min", first, second) if decider == "adversary" else ("chance", (p, first), (1 - p, second))
    return build_tree(("max", ("gamble", node), ("sure", Fraction(state["sure"]))))


def measure(state: State) -> Estimate:
    """Return the average of the draws; Wilson's interval of the rate, carried over to points."""
    rng, p = Rng(derive_seed(state["seed"])), state["chance"] / 100
    hits = sum(rng.random() < p for _ in range(state["draws"]))
    rate = proportion_interval(hits, state["draws"])
    first, second = float(state["first"]), float(state["second"])

    def points(share: float) -> float:
        return second + (first - second) * share

    low, high = sorted((points(rate.low), points(rate.high)))
    return Estimate(rate.n, points(rate.mean), abs(first - second) * rate.standard_error, low, high)
