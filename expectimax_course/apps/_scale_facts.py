"""What a change of scale does to a gamble against a sure thing: values, certainty equivalents, the flip point."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from expectimax_course.apps._controls import ask_student
from expectimax_course.evaluation.scale import best_actions, expected, flip_exponent, power, worst

State = dict[str, Any]

STEPS = 40
"""The slider runs from −40 to 40; 20 steps double the exponent."""
LOWEST, HIGHEST = 0.25, 4.0


class Facts(NamedTuple):
    """Both offers on the scale x^exponent.

    Attributes
    ----------
    gamble, sure : float
        Values on that scale, what expectimax compares.
    equivalent : float
        The sure payoff in points that is worth as much as the gamble.
    picks, worst_picks : str
        "gamble", "sure" or "either", of expectimax and of minimax.
    flip : float or None
        The exponent at which expectimax changes its mind, within the slider's range; an end where both offers tie.
    """

    exponent: float
    gamble: float
    sure: float
    equivalent: float
    picks: str
    worst_picks: str
    flip: float | None


def exponent_of(bend: int) -> float:
    """Return the exponent of a place of the slider.

    >>> [exponent_of(bend) for bend in (-40, -20, 0, 20, 40)]
    [0.25, 0.5, 1.0, 2.0, 4.0]
    """
    return float(2 ** (bend / 20))


def decision(state: State) -> list[list[tuple[float, float]]]:
    """Return the gamble and the sure thing as (payoff, probability) pairs."""
    p = state["chance"] / 100
    return [[(float(state["first"]), p), (float(state["second"]), 1 - p)], [(float(state["sure"]), 1.0)]]


def facts(state: State, exponent: float | None = None) -> Facts:
    """Return everything about the state's decision on its scale, or on another one."""
    chosen = exponent_of(state["bend"]) if exponent is None else exponent
    function, offers = power(chosen).function, decision(state)
    gamble, sure = (expected(offer, function) for offer in offers)
    lowest, certain = (worst(offer, function) for offer in offers)
    equivalent = gamble ** (1 / chosen)
    return Facts(chosen, gamble, sure, equivalent, pick(gamble, sure), pick(lowest, certain), _flip(offers))


def _flip(offers: list[list[tuple[float, float]]]) -> float | None:
    ends = {end: pick(*(expected(offer, power(end).function) for offer in offers)) for end in (LOWEST, HIGHEST)}
    if ends[LOWEST] == ends[HIGHEST]:
        return None
    # Where both tie at an end of the range, rounding alone would decide whether a search finds that end.
    ties = [end for end, picked in ends.items() if picked == "either"]
    return ties[0] if ties else flip_exponent(offers, low=LOWEST, high=HIGHEST)


def pick(gamble: float, sure: float) -> str:
    """Return the better offer, or "either" where they tie within rounding."""
    best = best_actions([gamble, sure])
    return "either" if len(best) == 2 else "gamble" if 0 in best else "sure"


def bend_beyond(state: State) -> int | None:
    """Return the nearest place of the slider with the other choice, else with a tie, or None if there is neither."""
    here = facts(state)
    places = sorted(range(-STEPS, STEPS + 1), key=lambda bend: (abs(bend - state["bend"]), bend))
    tie = None
    for bend in places:
        other = pick(*(expected(offer, power(exponent_of(bend)).function) for offer in decision(state)))
        if other not in (here.picks, "either"):
            return bend
        if tie is None and other != here.picks:
            tie = bend
    return tie


def ask_map(student: Callable[..., Any], state: State) -> dict[str, Any]:
    """Return a student's map at the three payoffs, ``{"values": [first, second, sure]}``, or one sentence."""
    values = []
    for name in ("first", "second", "sure"):
        answer = ask_student(student, float(state[name]))
        if "sentence" in answer:
            return answer
        values.append(answer["value"])
    return {"values": values}
