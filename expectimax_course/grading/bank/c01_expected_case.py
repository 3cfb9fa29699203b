"""Questions of chapter 01: who chooses the outcome?"""

from __future__ import annotations

from typing import Any

from expectimax_course.grading.bank import Case, Mutant, Question
from expectimax_course.rng import Rng

Gamble = list[tuple[float, float]]
"""(payoff, probability) pairs."""


def weighted_value(outcomes: Gamble) -> float:
    """Return the expected payoff."""
    return sum(payoff * probability for payoff, probability in outcomes)


def draw_gamble(rng: Rng) -> tuple[Any, ...]:
    """Draw one to five outcomes with uneven probabilities in twentieths."""
    n = 1 + rng.below(5)
    cuts = sorted({rng.below(19) + 1 for _ in range(n - 1)})
    weights = [b - a for a, b in zip([0, *cuts], [*cuts, 20], strict=True)]
    return ([(float(rng.below(41) - 20), weight / 20) for weight in weights],)


QUESTIONS = (
    Question(
        id="01.weighted_value",
        title="The value of a gamble",
        kind="function",
        points=2,
        minutes=5,
        signature="weighted_value(outcomes: list[tuple[float, float]]) -> float",
        oracle=weighted_value,
        visible=(
            Case(([(10.0, 0.9), (-5.0, 0.1)],), note="The gamble of the chapter: +10 with 90 %, or −5."),
            Case(([(2.0, 1.0)],), note="A sure payoff is worth itself."),
        ),
        generate=draw_gamble,
        mutants=(
            Mutant(
                "unweighted mean",
                lambda outcomes: sum(payoff for payoff, _ in outcomes) / len(outcomes),
                "This is the plain mean of the payoffs: weight each payoff by its own probability.",
                cap=0.5,
            ),
            Mutant(
                "divided by the number of outcomes",
                lambda outcomes: weighted_value(outcomes) / len(outcomes),
                "The probabilities are the weights already: do not divide by the number of outcomes again.",
                cap=1,
            ),
            Mutant(
                "worst case",
                lambda outcomes: min(payoff for payoff, _ in outcomes),
                "This is the worst payoff: nobody picks it on purpose here, chance does.",
            ),
            Mutant(
                "best case",
                lambda outcomes: max(payoff for payoff, _ in outcomes),
                "This is the best payoff: chance does not choose it for you.",
            ),
        ),
        hints=(
            "Play the gamble a hundred times. How often do you see each payoff?",
            "Each outcome adds its payoff times its probability.",
        ),
    ),
)
