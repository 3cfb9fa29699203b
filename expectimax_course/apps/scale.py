"""Chapter 04: a gamble and a sure thing on a bent scale. Which exponent changes the choice, and whose?

Every payoff x becomes x^exponent, from concave (the reader who fears risk) to convex (who seeks it). The reader first
predicts what the square root does. After the reveal the exponent slides: expectimax changes its mind at the flip point,
minimax never. Values are those of `evaluation.scale`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

from expectimax_course.apps._controls import (
    button,
    details,
    grid,
    paragraph,
    read_whole,
    row,
    scroll,
    slider,
    slot,
    what_to_try,
    whose,
)
from expectimax_course.apps._scale_facts import HIGHEST, LOWEST, STEPS, Facts, ask_map, bend_beyond, facts, pick
from expectimax_course.apps._scale_picture import scale_picture
from expectimax_course.viz.html import number, table

TITLE = "Bend the scale"
LARGEST = 40
"""Payoffs lie between 0 and 40 points."""
SLIDERS = {"chance": (1, 99), "first": (0, LARGEST), "second": (0, LARGEST), "sure": (0, LARGEST)}
OFFERS = {"gamble": "the gamble", "sure": "the sure thing"}
ROOT = -20
State = dict[str, Any]


def init(chance: int = 50, first: int = 0, second: int = 20, sure: int = 9, exercise: bool = False) -> State:
    """Return the opening question.

    Parameters
    ----------
    chance : int
        Percent, 1 to 99, with which the gamble pays ``first``; else it pays ``second``.
    first, second, sure : int
        Points, 0 to 40.
    exercise : bool
        Open with the values shown, to play with the student's map.
    """
    settings = {"chance": chance, "first": first, "second": second, "sure": sure}
    for name, value in settings.items():
        low, high = SLIDERS[name]
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ValueError(f"expected {name} as a whole number from {low} to {high}, got {value!r}")
    fresh = {"bend": 0, "guess": None, "shown": exercise, "exercise": exercise, "student": None}
    return {**settings, **fresh, "start": settings}


def update(state: State, event: dict[str, Any], student: Callable[..., Any] | None = None) -> State:
    """Return the state after an event; ``student`` is a map of the scale, ``f(x) -> float``."""
    new = _apply(state, event.get("name"), event.get("value"))
    if student is None:
        return {**new, "student": None}
    return {**new, "student": ask_map(student, new), "exercise": True}


def _apply(state: State, name: Any, value: Any) -> State:
    if name in SLIDERS:
        read = read_whole(value, *SLIDERS[name])
        return state if read is None else {**state, name: read}
    if name == "bend":
        read = read_whole(value, -STEPS, STEPS)
        return state if read is None else {**state, "bend": read}
    if name == "guess" and isinstance(value, str) and value in OFFERS:
        return {**state, "guess": value}
    if name == "reveal":
        return {**state, "shown": True, "bend": ROOT}
    if name == "flip":
        beyond = bend_beyond(state)
        return state if beyond is None else {**state, "bend": beyond}
    if name == "reset":
        return init(**state["start"], exercise=state["exercise"])
    return state


def view(state: State) -> str:
    """Return the question, and after the reveal both offers on the bent scale."""
    shown = state["shown"]
    action = button("Flip the choice", "flip", primary=True) if shown else button("Reveal", "reveal", primary=True)
    return "".join(
        [
            paragraph(_question(state)),
            slot() if shown else slot(_guesses(state)),
            row(action, button("Reset", "reset", quiet=True)),
            paragraph(verdict(state, facts(state)) if shown else "", live=True),
            slot(*_answers(state)) if shown else slot(),
            what_to_try(_next_try(state)),
        ]
    )


def _question(state: State) -> str:
    words = (
        f"The gamble pays {state['first']} with {state['chance']} %, else {state['second']}. "
        f"Or take {state['sure']} for sure."
    )
    if state["shown"]:
        return words
    plain = facts(state, 1.0)
    return f"{words} On average the gamble pays {number(plain.equivalent)}. Now every payoff x is replaced by √x."


def _guesses(state: State) -> str:
    buttons = [button(words, "guess", key, pressed=state["guess"] == key) for key, words in OFFERS.items()]
    return row(paragraph("Which has the higher mean then?"), *buttons, label="Your guess")


def _answers(state: State) -> list[str]:
    known = facts(state)
    curve = [facts(state, 2 ** (step / 8)) for step in range(-16, 17)]
    return [
        slot(whose(state["student"], partial(_compare, state))) if state["exercise"] else slot(),
        slider("Exponent", "bend", state["bend"], -STEPS, STEPS, shown=f"x^{number(known.exponent)}, {_shape(known)}"),
        scale_picture(state, known, curve),
        scroll("Both offers on both scales", _table(state, known)),
        _sliders(state),
        details("The picture's numbers", _curve_table(curve)),
    ]


def _shape(known: Facts) -> str:
    if known.exponent == 1:
        return "unbent"
    return "concave" if known.exponent < 1 else "convex"


def verdict(state: State, known: Facts) -> str:
    """Say what expectimax picks on this scale, where it changes its mind, and what minimax does."""
    words = ""
    if state["guess"] is not None:
        root = facts(state, 0.5).picks
        right = root in (state["guess"], "either")
        words = f"You guessed {OFFERS[state['guess']]}: {'right' if right else 'not so'} for √x. "
    choice = "either: a tie" if known.picks == "either" else OFFERS[known.picks]
    words += f"On x^{number(known.exponent)} expectimax takes {choice}. "
    if known.flip is None:
        words += "No exponent from 0.25 to 4 changes that. "
    else:
        end = ", the end of the range, where both tie" if known.flip in (LOWEST, HIGHEST) else ""
        words += f"Its choice flips at the exponent {number(known.flip, 3)}{end}. "
    lowest = "either" if known.worst_picks == "either" else OFFERS[known.worst_picks]
    return f"{words}Minimax takes {lowest}, on every scale."


def _table(state: State, known: Facts) -> str:
    plain = facts(state, 1.0)
    maps = [("x", plain.gamble, plain.sure, plain.picks)]
    maps.append((f"x^{number(known.exponent)}", known.gamble, known.sure, known.picks))
    low = min(state["first"], state["second"])
    student = state["student"]
    if student and "values" in student:
        mean, sure = _mapped(state, student["values"])
        maps.append(("your map", mean, sure, pick(mean, sure)))
    elif state["exercise"] and student is None:
        root = facts(state, 0.5)
        maps.append(("the course's own map, √x", root.gamble, root.sure, root.picks))
    rows = [[f"expectimax on {name}", number(g), number(s), choice] for name, g, s, choice in maps]
    least, certain = low**known.exponent, state["sure"] ** known.exponent
    rows.append([f"minimax on x^{number(known.exponent)}", number(least), number(certain), known.worst_picks])
    caption = "What each compares, on its own scale: never compare two rows"
    return table(["planner", "gamble", "sure", "takes"], rows, caption=caption, text_columns=(0, 3))


def _curve_table(curve: list[Facts]) -> str:
    rows = [[number(k.exponent), number(k.equivalent), k.picks] for k in curve[::4]]
    headers = ["exponent", "gamble is worth, in sure points", "expectimax takes"]
    return table(headers, rows, caption="The gamble's certainty equivalent", text_columns=(2,))


def _mapped(state: State, values: list[float]) -> tuple[float, float]:
    """Return the gamble's mean and the sure thing under a student's map."""
    first, second, sure = values
    return (state["chance"] * first + (100 - state["chance"]) * second) / 100, sure


def _compare(state: State, answer: dict[str, Any]) -> str:
    choice, plain = pick(*_mapped(state, answer["values"])), facts(state, 1.0).picks
    pairs = sorted(zip((state["first"], state["second"], state["sure"]), answer["values"], strict=True))
    rises = all(b[1] > a[1] for a, b in pairwise(pairs) if b[0] > a[0])
    kept = "keeps the order of the three payoffs" if rises else "does not keep the order of the payoffs"
    same = "leaves the choice as it was" if choice == plain else "changes the choice"
    joint = "and" if rises == (choice == plain) else "yet"
    return f"Your map {kept} {joint} {same}."


def _sliders(state: State) -> str:
    return grid(
        slider("Probability of the first payoff", "chance", state["chance"], 1, 99, shown=f"{state['chance']} %"),
        slider("First payoff", "first", state["first"], 0, LARGEST),
        slider("Second payoff", "second", state["second"], 0, LARGEST),
        slider("The sure thing", "sure", state["sure"], 0, LARGEST),
    )


def _next_try(state: State) -> str:
    if not state["shown"]:
        return "guess, then reveal. Is √x not increasing, and so harmless?"
    known = facts(state)
    if known.flip is None:
        return "no bend changes this choice. Move the sure thing between the two payoffs until one does."
    if known.picks == facts(state, 1.0).picks:
        return "flip the choice, then find payoffs whose flip point is further from 1."
    return "find a gamble that is taken on x² and refused on x, and see that minimax never moves."
