"""What a change of scale does to decisions.

A decision is a list of gambles, a gamble a list of (payoff, probability) pairs. Under a transform f of the payoffs,

    expectimax takes the gamble with the greatest  Σ p · f(x),    minimax the one with the greatest  min f(x).

Minimax only compares payoffs, so every strictly increasing f leaves its choice alone. Expectimax adds them up, and the
only maps that leave *every* choice of its alone are the positive affine ones, f(x) = a·x + b with a > 0: these are
the utilities of von Neumann and Morgenstern. A concave f (square root, logarithm) averse to risk pulls the choice
towards the sure thing, a convex one (square) towards the gamble.

Rounding can part two gambles that tie, or tie two that do not: 3·x + 7 in floats breaks exact ties. Compare *sets* of
best actions, with a tolerance (`best_actions`), never two single choices.

References
----------
J. von Neumann and O. Morgenstern, *Theory of Games and Economic Behavior*, 2nd edition, Princeton 1947, chapter 3 and
appendix. J. W. Pratt, "Risk aversion in the small and in the large", Econometrica 32, 1964.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from numbers import Real
from typing import Literal, NamedTuple

from expectimax_course.game import EvaluationError, GameError, check_outcomes
from expectimax_course.rng import Rng
from expectimax_course.stats import Estimate, proportion_interval

Gamble = Sequence[tuple[float, float]]
"""(payoff, probability) pairs."""

Decision = Sequence[Gamble]
"""The gambles to choose from."""

Kind = Literal["affine", "increasing", "neither"]


class Transform(NamedTuple):
    """A map of the scale: its name as readers write it, the function, and the class that it belongs to.

    ``kind`` is "affine" (a·x + b with a > 0: safe everywhere), "increasing" (safe for minimax alone) or "neither".
    """

    name: str
    function: Callable[[float], float]
    kind: Kind


TRANSFORMS = (
    Transform("x", lambda x: x, "affine"),
    Transform("3x + 7", lambda x: 3 * x + 7, "affine"),
    Transform("√x", math.sqrt, "increasing"),
    Transform("log(1 + x)", math.log1p, "increasing"),
    Transform("x²", lambda x: x * x, "increasing"),
    Transform("−x", lambda x: -x, "neither"),
)
"""The transforms of chapter 04, for payoffs of 0 or more."""


def power(exponent: float) -> Transform:
    """Return the transform x ↦ x^exponent for payoffs of 0 or more: concave below 1, convex above.

    Raises
    ------
    EvaluationError
        If the exponent is not positive and finite.

    Examples
    --------
    >>> power(0.5).function(9.0), power(0.5).kind, power(1).kind
    (3.0, 'increasing', 'affine')
    """
    if not 0 < exponent < math.inf:
        raise EvaluationError(f"expected a positive finite exponent, got {exponent!r}")
    kind: Kind = "affine" if exponent == 1 else "increasing"
    return Transform(f"x^{exponent:g}", lambda x: x**exponent, kind)


def expected(gamble: Gamble, function: Callable[[float], float] = float) -> float:
    """Return the mean of the transformed payoffs; what cannot happen is not looked at.

    Raises
    ------
    ProbabilityError, NoOutcomesError
        If the gamble's probabilities are no distribution.
    EvaluationError
        If a transformed payoff is not finite: no average survives an infinity.

    Examples
    --------
    >>> expected([(0, 0.5), (20, 0.5)]), round(expected([(0, 0.5), (20, 0.5)], math.sqrt), 2)
    (10.0, 2.24)
    """
    check_outcomes(gamble, gamble)
    return math.fsum(p * _apply(function, x) for x, p in gamble if p > 0)


def worst(gamble: Gamble, function: Callable[[float], float] = float) -> float:
    """Return the least transformed payoff among the outcomes that can happen; errors as `expected`."""
    check_outcomes(gamble, gamble)
    return min(_apply(function, x) for x, p in gamble if p > 0)


def _apply(function: Callable[[float], float], payoff: float) -> float:
    try:
        value = function(payoff)
        finite = isinstance(value, Real) and math.isfinite(value)
    except (ValueError, OverflowError) as error:
        raise EvaluationError(f"expected a payoff that the transform accepts, got {payoff!r} ({error})") from None
    if not finite:
        raise EvaluationError(f"expected a finite transformed payoff, got {value!r} for {payoff!r}")
    return value


def best_actions(values: Sequence[float], *, tolerance: float = 1e-9) -> frozenset[int]:
    """Return the positions of all values that tie with the greatest.

    A tie is a distance of at most ``tolerance`` times the largest size, or times 1 where all are
    smaller: a tiny scale needs a tolerance of its own.

    Raises
    ------
    GameError
        If there is no value.
    EvaluationError
        If a value is not finite.

    Examples
    --------
    >>> sorted(best_actions([9.0, 10.0, 10.0 - 1e-12]))
    [1, 2]
    """
    if not values:
        raise GameError("expected at least one action value, got none")
    if not all(map(math.isfinite, values)):
        raise EvaluationError(f"expected finite action values, got {values!r}")
    least = max(values) - tolerance * max(1.0, *(abs(v) for v in values))
    return frozenset(i for i, v in enumerate(values) if v >= least)


def flips(
    decision: Decision, transform: Transform, rule: Callable[[Gamble, Callable[[float], float]], float] = expected
) -> bool:
    """Say whether a transform changes the set of best gambles under a rule (`expected` or `worst`).

    Examples
    --------
    >>> gamble_or_sure = [[(0, 0.5), (20, 0.5)], [(9, 1.0)]]
    >>> [flips(gamble_or_sure, t) for t in TRANSFORMS[:3]]
    [False, False, True]
    """
    before = best_actions([rule(gamble, float) for gamble in decision])
    return before != best_actions([rule(gamble, transform.function) for gamble in decision])


def flip_rate(
    decisions: Iterable[Decision],
    transform: Transform,
    rule: Callable[[Gamble, Callable[[float], float]], float] = expected,
) -> Estimate:
    """Return the share of decisions that a transform changes, with Wilson's interval."""
    outcomes = [flips(decision, transform, rule) for decision in decisions]
    return proportion_interval(sum(outcomes), len(outcomes))


def random_decision(rng: Rng) -> list[list[tuple[float, float]]]:
    """Draw a decision between two gambles of two to four outcomes each.

    Payoffs are uniform on [0, 100); probabilities are uniform numbers divided by their sum.
    """
    return [_random_gamble(rng), _random_gamble(rng)]


def _random_gamble(rng: Rng) -> list[tuple[float, float]]:
    count = 2 + rng.below(3)
    weights = [rng.random() + 1e-12 for _ in range(count)]
    total = math.fsum(weights)
    return [(100 * rng.random(), weight / total) for weight in weights]


def flip_exponent(decision: Decision, *, low: float = 0.01, high: float = 10.0) -> float | None:
    """Return an exponent at which the best of two gambles changes, or None if the same one is best at both ends.

    Bisection on the difference of the two means under x^exponent, to full float precision. It finds one of an odd
    number of changes between ``low`` and ``high``; an even number leaves the same gamble best at both ends.

    Raises
    ------
    GameError
        If there are not exactly two gambles.

    Examples
    --------
    >>> round(flip_exponent([[(0, 0.5), (20, 0.5)], [(9, 1.0)]]), 4)
    0.8681
    """
    if len(decision) != 2:
        raise GameError(f"expected two gambles, got {len(decision)}")

    def difference(exponent: float) -> float:
        first, second = (expected(gamble, power(exponent).function) for gamble in decision)
        return first - second

    if (difference(low) > 0) == (difference(high) > 0):
        return None
    below = difference(low) > 0
    for _ in range(100):
        middle = (low + high) / 2
        if (difference(middle) > 0) == below:
            low = middle
        else:
            high = middle
    return (low + high) / 2
