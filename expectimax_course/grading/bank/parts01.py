"""Oracles, case generators and wrong implementations for the questions of chapter 01."""

from __future__ import annotations

from typing import Any

from expectimax_course.rng import Rng

Gamble = list[tuple[float, float]]
"""(payoff, probability) pairs."""


def weighted_value(outcomes: Gamble) -> float:
    """Return the expected payoff."""
    return sum(payoff * probability for payoff, probability in outcomes)


def plain_mean(outcomes: Gamble) -> float:
    """Return the mean of the payoffs, all alike."""
    return sum(payoff for payoff, _ in outcomes) / len(outcomes)


def worst(outcomes: Gamble) -> float:
    """Return the worst payoff."""
    return min(payoff for payoff, _ in outcomes)


def draw_gamble(rng: Rng) -> tuple[Any, ...]:
    """Draw one to five outcomes with uneven probabilities in twentieths."""
    n = 1 + rng.below(5)
    cuts = sorted({rng.below(19) + 1 for _ in range(n - 1)})
    weights = [b - a for a, b in zip([0, *cuts], [*cuts, 20], strict=True)]
    return ([(float(rng.below(41) - 20), weight / 20) for weight in weights],)


def break_even(win: float, lose: float, sure: float) -> float:
    """Return the probability of ``win`` at which the gamble is worth ``sure``."""
    return (sure - lose) / (win - lose)


def draw_bet(rng: Rng) -> tuple[Any, ...]:
    """Draw lose <= sure <= win with lose < win; the losing payoff is above 0 now and then."""
    lose = float(rng.below(31) - 24)
    sure = lose + rng.below(20)
    return (sure + 1 + rng.below(20), lose, sure)


def checked_value(outcomes: Gamble) -> float:
    """Return the expected payoff, or refuse what is not a distribution."""
    if not outcomes or any(not probability >= 0 for _, probability in outcomes):
        raise ValueError("expected probabilities of 0 or more, at least one")
    if not abs(sum(probability for _, probability in outcomes) - 1) <= 1e-9:
        raise ValueError("expected probabilities that sum to 1")
    return weighted_value(outcomes)


def refuse_if(wrong: bool) -> None:
    """Raise ValueError if something is wrong."""
    if wrong:
        raise ValueError


def mass(outcomes: Gamble) -> float:
    """Return the sum of the probabilities."""
    return sum(probability for _, probability in outcomes)


def normalised(outcomes: Gamble) -> float:
    """Repair the probabilities instead of refusing them."""
    return weighted_value(outcomes) / mass(outcomes)


def exact_sum(outcomes: Gamble) -> float:
    """Refuse every sum that is not exactly 1, rounding included."""
    refuse_if(not outcomes or min(p for _, p in outcomes) < 0 or mass(outcomes) != 1)
    return weighted_value(outcomes)


def sum_only(outcomes: Gamble) -> float:
    """Look at the sum alone."""
    refuse_if(abs(mass(outcomes) - 1) > 1e-9)
    return weighted_value(outcomes)


def too_much_only(outcomes: Gamble) -> float:
    """Refuse sums above 1 alone."""
    refuse_if(mass(outcomes) > 1 + 1e-9 or any(p < 0 for _, p in outcomes))
    return weighted_value(outcomes)


def zero_refused(outcomes: Gamble) -> float:
    """Refuse an outcome of probability 0 as if it were negative."""
    refuse_if(any(p <= 0 for _, p in outcomes))
    return checked_value(outcomes)


def draw_suspect(rng: Rng) -> tuple[Any, ...]:
    """Draw a gamble; one time in two spoil it: mass missing, too much, negative, or none at all."""
    outcomes: Gamble = draw_gamble(rng)[0]
    fault = rng.below(8)
    if fault == 0:
        outcomes = outcomes[:-1]
    elif fault == 1:
        outcomes.append((float(rng.below(20)), 0.5))
    elif fault == 2:
        outcomes += [(float(rng.below(20) + 1), 0.25), (float(-rng.below(20) - 1), -0.25)]
    elif fault == 3:
        outcomes = [(payoff, probability * 0.9) for payoff, probability in outcomes]
    elif fault == 4:
        outcomes = [(float(rng.below(20) + 1), 0.1) for _ in range(10)]
    elif fault == 5:  # no fault: what never happens
        outcomes.insert(rng.below(len(outcomes) + 1), (float(rng.below(20) + 1), 0.0))
    return (outcomes,)


CHOOSERS = {
    "dice": "chance",
    "opponent": "min",
    "new_tile": "chance",
    "random_bot": "chance",
    "partner": "max",
    "hunter": "min",
}


def choosers(**wrong: str) -> dict[str, str]:
    """Return the right answers with some replaced."""
    return {**CHOOSERS, **wrong}


def wrong_model_cost(options: list[Gamble]) -> list[float]:
    """Return what caution loses against chance and what trust in chance loses against an adversary."""
    cautious, trusting = max(options, key=worst), max(options, key=weighted_value)
    return [weighted_value(trusting) - weighted_value(cautious), worst(cautious) - worst(trusting)]


def picks(options: list[Gamble]) -> tuple[Gamble, Gamble]:
    """Return what caution and what trust in chance take."""
    return max(options, key=worst), max(options, key=weighted_value)


def gap_of_values(options: list[Gamble]) -> list[float]:
    """Subtract two beliefs."""
    cautious, trusting = picks(options)
    return [weighted_value(trusting) - worst(cautious)] * 2


def one_world(options: list[Gamble]) -> list[float]:
    """Measure both prices where chance decides."""
    cautious, trusting = picks(options)
    return [weighted_value(trusting) - weighted_value(cautious)] * 2


def unweighted_cost(options: list[Gamble]) -> list[float]:
    """Take the expected case for a plain mean."""
    cautious, trusting = max(options, key=worst), max(options, key=plain_mean)
    return [plain_mean(trusting) - plain_mean(cautious), worst(cautious) - worst(trusting)]


def draw_options(rng: Rng) -> tuple[Any, ...]:
    """Draw two to four gambles in quarters, so that sums are exact, untied; seldom do both players agree."""
    while True:
        options: list[Gamble] = []
        for _ in range(2 + rng.below(3)):
            weights = rng.choice([(4,), (1, 3), (3, 1), (2, 2), (1, 2, 1), (2, 1, 1)])
            options.append([(float(rng.below(41) - 20), weight / 4) for weight in weights])
        means, worsts = sorted(map(weighted_value, options)), sorted(map(worst, options))
        untied = means[-1] > means[-2] and worsts[-1] > worsts[-2]
        cautious, trusting = picks(options)
        if untied and (cautious is not trusting or rng.below(8) == 0):
            return (options,)
