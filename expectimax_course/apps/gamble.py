"""Chapter 01: a gamble against a sure thing. Who decides the outcome, dice or an adversary?

The reader guesses first. After the reveal every number moves: the probability, both payoffs, the sure amount, and who
decides. Two planners face two deciders, exactly and over seeded draws, so that the cost of the wrong model is seen both
ways. The values are those of `expectiminimax` on exact fractions, so a tie is a tie.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

from expectimax_course.apps._controls import (
    ask_student,
    button,
    details,
    grid,
    paragraph,
    read_number,
    read_whole,
    row,
    scroll,
    slider,
    slot,
    what_to_try,
    whose,
)
from expectimax_course.apps._gamble_facts import Facts, facts, gamble_tree
from expectimax_course.viz.html import element, number, table
from expectimax_course.viz.intervals import Interval, draw_intervals
from expectimax_course.viz.tree import Node, draw_tree, outline_html, tree_of

TITLE = "A gamble, or a sure thing?"
LIMIT = 20
"""Payoffs lie between −20 and 20 points."""
SLIDERS = {"chance": (1, 99), "first": (-LIMIT, LIMIT), "second": (-LIMIT, LIMIT), "sure": (-LIMIT, LIMIT)}
DRAWS = (10, 100, 1000)
State = dict[str, Any]


def init(chance: int = 90, first: int = 10, second: int = -5, sure: int = 2, exercise: bool = False) -> State:
    """Return the opening question.

    Parameters
    ----------
    chance : int
        Percent, 1 to 99, with which the gamble pays ``first``; else it pays ``second``.
    first, second, sure : int
        Points, −20 to 20.
    exercise : bool
        Open with the values shown, to play with the student's function.
    """
    settings = {"chance": chance, "first": first, "second": second, "sure": sure}
    for name, value in settings.items():
        low, high = SLIDERS[name]
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ValueError(f"expected {name} as a whole number from {low} to {high}, got {value!r}")
    state = {**settings, "guess": 0.0, "revealed": exercise, "decider": "dice", "draws": 1000, "seed": 1}
    return {**state, "exercise": exercise, "student": None, "start": settings}


def update(state: State, event: dict[str, Any], student: Callable[..., Any] | None = None) -> State:
    """Return the state after an event; ``student`` is ``weighted_value(outcomes) -> float`` of exercise 01."""
    new = _apply(state, event.get("name"), event.get("value"))
    if student is None:
        return {**new, "student": None}
    outcomes = [(float(new["first"]), new["chance"] / 100), (float(new["second"]), (100 - new["chance"]) / 100)]
    return {**new, "student": ask_student(student, outcomes), "exercise": True}


def _apply(state: State, name: Any, value: Any) -> State:
    if name in SLIDERS:
        read = read_whole(value, *SLIDERS[name])
        return state if read is None else {**state, name: read}
    if name == "guess":
        guess = read_number(value, -LIMIT, LIMIT)
        return state if guess is None else {**state, "guess": guess}
    if name == "reveal":
        return {**state, "revealed": True}
    if name == "decider" and value in ("dice", "adversary"):
        return {**state, "decider": value}
    if name == "draws" and value in [str(n) for n in DRAWS]:
        return {**state, "draws": int(value)}
    if name == "again":
        return {**state, "seed": state["seed"] % 1_000_000 + 1}
    if name == "reset":
        return {**init(**state["start"], exercise=state["exercise"])}
    return state


def view(state: State) -> str:
    """Return the question, and after the reveal the answers."""
    question = (
        f"The gamble pays {number(state['first'])} with {state['chance']} %, else {number(state['second'])}. "
        f"Or take {number(state['sure'])} for sure. Who decides how the gamble ends?"
    )
    shown = state["revealed"]
    title = f"The choice when {_decider(state)}" if shown else "The choice: gamble or take the sure points"
    tree = draw_tree(_drawing(state, values=shown), title)
    known = facts(state)
    action = button("Draw again", "again", primary=True) if shown else button("Reveal", "reveal", primary=True)
    return "".join(
        [
            paragraph(question),
            slot(tree, _who(state)) if shown else slot(_guess(state)),
            paragraph(verdict(state, known) if shown else "", live=True),
            slot(*_model(state, known)) if shown else slot(),
            row(action, button("Reset", "reset", quiet=True)),
            slot(_results(state, known)) if shown else slot(tree),
            what_to_try(_next_try(state, known) if shown else "set your guess, then let a thousand draws answer."),
        ]
    )


def _guess(state: State) -> str:
    words = f"{number(state['guess'])} points"
    label = "First guess: what does the gamble pay on average?"
    return slider(label, "guess", state["guess"], -LIMIT, LIMIT, step=0.5, shown=words)


def _who(state: State) -> str:
    dice = state["decider"] == "dice"
    return row(
        element("span", "Who decides?"),
        button("Dice", "decider", "dice", pressed=dice),
        button("Adversary", "decider", "adversary", pressed=not dice),
        label="Who decides?",
    )


def _model(state: State, known: Facts) -> list[str]:
    """What the student's function says, and the numbers of the gamble."""
    told = slot(whose(state["student"], partial(_compare, known))) if state["exercise"] else slot()
    return [told, _sliders(state)]


def _results(state: State, known: Facts) -> str:
    """What each planner earns, and what the draws paid."""
    return "".join(
        [
            scroll("What each planner earns", _payoffs(state, known)),
            _draws(state, known),
            details("The tree in words", outline_html(_drawing(state, values=True))),
        ]
    )


def _decider(state: State) -> str:
    return "dice decide" if state["decider"] == "dice" else "an adversary decides"


def _drawing(state: State, *, values: bool) -> Node:
    drawing = tree_of(gamble_tree(state, state["decider"]), values=values)
    gamble = drawing.edges[0]
    if state["decider"] == "adversary":
        unnamed = tuple(edge._replace(label="") for edge in gamble.child.edges)
        gamble = gamble._replace(child=gamble.child._replace(edges=unnamed))
    return drawing._replace(edges=(gamble, drawing.edges[1]))


def _sliders(state: State) -> str:
    low, high = SLIDERS["first"]
    return grid(
        slider("Probability of the first payoff", "chance", state["chance"], 1, 99, shown=f"{state['chance']} %"),
        slider("First payoff", "first", state["first"], low, high, shown=number(state["first"])),
        slider("Second payoff", "second", state["second"], low, high, shown=number(state["second"])),
        slider("The sure thing", "sure", state["sure"], low, high, shown=number(state["sure"])),
    )


def verdict(state: State, known: Facts) -> str:
    """Say what the best choice is, and what planning with the wrong model costs."""
    dice = state["decider"] == "dice"
    value = known.expected if dice else known.worst
    wrong = known.worst if dice else known.expected
    right_pick, wrong_pick = _pick(value, known.sure), _pick(wrong, known.sure)
    name = "expected value" if dice else "worst case"
    words = f"When {_decider(state)}, the gamble is worth its {name}, {number(value)}, against {number(known.sure)}: "
    words += {"gamble": "gamble.", "sure": "take the sure thing.", "either": "a tie."}[right_pick]
    cost = max(value, known.sure) - (value if wrong_pick == "gamble" else known.sure)  # a tie takes the sure thing
    if cost == 0:
        return words + " Here the wrong model would cost nothing."
    fear = "Planning for an adversary" if dice else "Planning for dice"
    return words + f" {fear} would cost {number(cost)} a play."


def _compare(known: Facts, answer: dict[str, Any]) -> str:
    value = answer["value"]
    same = "the same as" if abs(value - known.expected) < 1e-9 else "not"
    return f"Your function says {number(value, 4)}, {same} the expected value, {number(known.expected, 4)}."


def _pick(value: Fraction | float, sure: Fraction) -> str:
    return "either" if value == sure else "gamble" if value > sure else "sure"


def _payoffs(state: State, known: Facts) -> str:
    planners: list[tuple[str, Fraction | float]] = [("worst case", known.worst), ("expected case", known.expected)]
    if state["student"] and "value" in state["student"]:
        planners.append(("your function", state["student"]["value"]))
    rows, bold = [], []
    best = [max(known.expected, known.sure), max(known.worst, known.sure)]
    for index, (planner, value) in enumerate(planners):
        pick = _pick(value, known.sure)
        gambles = pick == "gamble"
        earned = [known.expected, known.worst] if gambles else [known.sure, known.sure]
        measured = known.measured.mean if gambles else float(known.sure)
        rows.append(
            [
                planner,
                "sure (a tie)" if pick == "either" else pick,
                number(earned[0]),
                number(measured),
                number(earned[1]),
            ]
        )
        bold += [(index, column) for column, i in ((2, 0), (4, 1)) if earned[i] == best[i]]
    headers = ["plans for", "picks", "dice", "draws", "adversary"]
    caption = (
        f"Points per play where dice decide (exactly, and in {state['draws']:,} draws) and where an adversary does. "
        "Bold: the most that can be had."
    )
    return table(headers, rows, caption=caption, text_columns=(0, 1), bold=bold)


def _draws(state: State, known: Facts) -> str:
    low, high = sorted((float(state["first"]), float(state["second"])))
    measured = known.measured
    rows = [
        Interval("what can happen", low, high, float(known.expected), "expected"),
        Interval("draws, 95 %", measured.low, measured.high, measured.mean, "average"),
        Interval("your guess", state["guess"], state["guess"], state["guess"]),
    ]
    if state["exercise"]:
        rows.pop()
    bars = draw_intervals(rows, (-LIMIT, LIMIT), "The gamble in points per play", unit="points")
    sizes = [button(f"{n:,}", "draws", str(n), pressed=state["draws"] == n) for n in DRAWS]
    words = f"{measured.n:,} draws averaged {number(measured.mean)}; the exact mean is {number(known.expected)}."
    if not state["exercise"]:
        words = f"You guessed {number(state['guess'])}. " + words
    return paragraph(words) + bars + row(element("span", "Draws"), *sizes, label="Number of draws")


def _next_try(state: State, known: Facts) -> str:
    if state["decider"] == "adversary":
        return "move the probability. Does anything change, and why not?"
    if known.expected == known.sure:
        return "break even! Which single slider tips it, and by how much?"
    if all(state[name] == value for name, value in state["start"].items()):
        return "lower the probability until both planners pick the same. Then let an adversary decide."
    return "find a gamble where fearing the worst costs nothing, then one where it costs the most."
