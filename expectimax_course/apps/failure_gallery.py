"""Chapter 11: eleven failures, each beside its mended twin, on the same luck, until the difference is known or is not.

Every number is one of `expectimax_course.failures`. What a failure costs in long recorded runs comes in as ``costs``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from expectimax_course.apps._controls import (
    ask_student,
    button,
    choice,
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
from expectimax_course.apps._failure_facts import EXHIBITS, PUSH, Side, rolls_at_16, seen
from expectimax_course.failures import chance
from expectimax_course.games.push_to_21 import PushState
from expectimax_course.stats import paired_difference
from expectimax_course.viz.html import MINUS, element, number, table, text

TITLE = "The program runs, and is wrong: what does it cost?"
GUESSES = {"worse": "worse", "same": "the same", "better": "better"}
SEVERAL = 20
"""Pairs that one press of the second button plays."""
State = dict[str, Any]


def init(failure: str = "adversary_for_chance", costs: dict[str, Any] | None = None, exercise: bool = False) -> State:
    """Return an exhibit, nothing played yet.

    Parameters
    ----------
    failure : str
        A key of the gallery.
    costs : dict, optional
        Per key what a long run found: ``[words, mean, low, high, n, unit]``.
    exercise : bool
        Show what the student's ``repaired`` answers.

    Raises
    ------
    ValueError
        If there is no such failure.
    """
    if failure not in EXHIBITS:
        raise ValueError(f"expected one of {', '.join(EXHIBITS)}, got {failure!r}")
    start = {"failure": failure, "costs": costs or {}}
    return {**start, "pairs": [], "guess": None, "step": None, "student": None, "exercise": exercise, "start": failure}


def update(state: State, event: dict[str, Any], student: Callable[..., Any] | None = None) -> State:
    """Return the state after an event; an event that makes no sense here changes nothing.

    Parameters
    ----------
    student : callable, optional
        The answer to question 11.repaired: ``repaired(game, state)``.
    """
    new = _after(state, event.get("name"), event.get("value"))
    if student is None:
        return {**new, "student": None}
    return {**new, "student": ask_student(student, PUSH, PushState(16, "roll")), "exercise": True}


def _after(state: State, name: Any, value: Any) -> State:
    if name in ("run", "several"):
        played = len(state["pairs"])
        wanted = played + min(_several(state), 1 if name == "run" else SEVERAL)
        more = [[side.score for side in seen(state["failure"], index)] for index in range(played, wanted)]
        return {**state, "pairs": state["pairs"] + more, "step": None}
    if name == "reset":
        return init(state["start"], state["costs"], state["exercise"])
    if name == "guess" and isinstance(value, str) and value in GUESSES:
        return {**state, "guess": value}
    if name == "failure" and isinstance(value, str) and value in EXHIBITS and value != state["failure"]:
        return {**state, "failure": value, "pairs": [], "guess": None, "step": None}
    if name == "step" and _steps(state):
        read = read_whole(value, 0, _steps(state))
        return state if read is None else {**state, "step": read}
    return state


def _steps(state: State) -> int:
    """Return how many steps the longer run of the last pair had; 0 where there is nothing to step through."""
    sides = seen(state["failure"], len(state["pairs"]) - 1) if state["pairs"] else ()
    return max((len(side.pictures) - 1 for side in sides), default=0)


def view(state: State) -> str:
    """Return the exhibit: both halves of the last pair, the difference so far, and what long runs have found."""
    exhibit = EXHIBITS[state["failure"]]
    sides = seen(state["failure"], len(state["pairs"]) - 1) if state["pairs"] else None
    names = [(key, f"{i}. {one.title}") for i, (key, one) in enumerate(EXHIBITS.items(), 1)]
    more = _several(state)
    guesses = [button(words, "guess", key, pressed=state["guess"] == key) for key, words in GUESSES.items()]
    return "".join(
        [
            grid(choice("Failure", "failure", names, state["failure"])),
            paragraph(exhibit.question),
            row(element("span", text("The broken one will be")), *guesses, label="Your guess"),
            row(
                button(f"Play one {exhibit.one} with both", "run", primary=True, enabled=more > 0),
                button(f"Play {more} more" if more else "No more to play", "several", enabled=more > 0),
                button("Reset", "reset", quiet=True),
            ),
            paragraph(_verdict(state, sides) if sides else "", live=True),
            slot(scroll("The map", exhibit.start)) if exhibit.start and not sides else slot(),
            grid(
                _half("Broken", exhibit.broken, sides[0] if sides else None, state["step"]),
                _half("Mended", exhibit.mended, sides[1] if sides else None, state["step"]),
            ),
            slot(_stepper(state)) if _steps(state) else slot(),
            slot(*_tally(state)) if len(state["pairs"]) > 1 else slot(),
            slot(*_recorded(state)) if sides else slot(),
            slot(whose(state["student"], partial(_compare, state))) if state["exercise"] else slot(),
            what_to_try(_next_try(state)),
        ]
    )


def _several(state: State) -> int:
    """Return how many pairs the second button plays: fewer where there are no more."""
    return min(SEVERAL, EXHIBITS[state["failure"]].most - len(state["pairs"]))


def _stepper(state: State) -> str:
    steps = _steps(state)
    at = steps if state["step"] is None else state["step"]
    return slider("Both runs after step", "step", at, 0, steps)


def _half(name: str, code: str, side: Side | None, step: int | None) -> str:
    """Return one half: its name, the line that differs, and what happened, up to a step or to the end."""
    told = [paragraph(f"{side.words[0].upper()}{side.words[1:]}.")] if side else []
    pictures = side.pictures if side else ()
    last = len(pictures) - 1
    drawn = [scroll(f"{name}: the picture", pictures[last if step is None else min(step, last)])] if pictures else []
    shown = scroll(f"{name}: the line of code", element("code", text(code)))
    return element("div", element("h4", text(name)), shown, slot(*drawn), slot(*told))


def _verdict(state: State, sides: tuple[Side, Side]) -> str:
    broken, mended = (side.score for side in sides)
    came = "worse" if broken < mended else "better" if broken > mended else "same"
    words = f"Pair {len(state['pairs'])}: broken {number(broken)}, mended {number(mended)} {_unit(state)}."
    if state["guess"] is None:
        return words
    if state["guess"] == came:
        return f"{words} You guessed {GUESSES[state['guess']]}: right, this time."
    return f"{words} You guessed {GUESSES[state['guess']]}; this time it was {GUESSES[came]}."


def _unit(state: State) -> str:
    return EXHIBITS[state["failure"]].unit


def _tally(state: State) -> list[str]:
    """Return the difference over all pairs, in words and as a table."""
    pairs = state["pairs"]
    n, unit = len(pairs), _unit(state)
    means = [math.fsum(pair[k] for pair in pairs) / n for k in (0, 1)]
    worse = sum(broken < mended for broken, mended in pairs)
    better = sum(broken > mended for broken, mended in pairs)
    if EXHIBITS[state["failure"]].most < SEVERAL:  # a list of cases, and no luck in it
        return [paragraph(f"The broken one did worse in {worse} of {n}, better in {better}.")]
    gap = paired_difference([mended for _, mended in pairs], [broken for broken, _ in pairs])
    interval = f"{number(gap.low)} to {number(gap.high)}"
    if gap.low == gap.high:  # all alike: whatever is rarer than one pair in n has not been seen
        same = f"the broken one was {number(abs(gap.mean))} {'behind' if gap.mean > 0 else 'ahead'}"
        interval = f"none: all {n} pairs are alike"
        words = f"In each of {n} pairs {same}: so far no spread, and no interval." if gap.mean else ""
        words = words or f"Over {n} pairs not one differed."
    elif gap.low > 0:
        words = f"Over {n} pairs the fault costs {number(gap.mean)} ({interval}): more than luck."
        if n > 2 * SEVERAL:
            words += " (Whoever plays on until it says so is fooled more often than the interval admits: fix n first.)"
    elif gap.high < 0:
        words = f"Over {n} pairs the broken one is ahead by {number(-gap.mean)}. Is that the rule? Read on."
    else:
        words = f"Over {n} pairs {number(gap.mean)} ({interval}): no cost seen at n = {n}."
    rows = [["broken, mean", number(means[0], fixed=True)], ["mended, mean", number(means[1], fixed=True)]]
    rows += [["cost, 95 % interval", interval], ["pairs in which the broken one did worse", str(worse)]]
    rows += [["pairs in which it did better", str(better)]]
    made = table(["", unit], rows, caption=f"{n} pairs on the same luck")
    return [paragraph(words), details("The numbers", scroll("The numbers", made))]


def _recorded(state: State) -> list[str]:
    exhibit = EXHIBITS[state["failure"]]
    lines = [f"A test that finds it: “{exhibit.finds}”. The mended half passes, the broken one fails."]
    found = state["costs"].get(state["failure"])
    if found:
        what, mean, low, high, n, unit = found
        spread = "each time" if low == high else f"{_shown(low)} to {_shown(high)}"
        words = f"Recorded, {what}: {_shown(mean)} {unit} ({spread}, n = {n:,})"
        lines.append(words + ("." if low > 0 else f": no cost seen at n = {n:,}."))
    return [paragraph(line) for line in lines]


def _shown(value: float) -> str:
    return f"{value:,.0f}".replace("-", MINUS) if abs(value) >= 100 else number(value)


def _compare(state: State, answer: dict[str, Any]) -> str:
    value = answer["value"]
    words = f"Your search values one more roll at 16 as {number(value)}"
    if math.isclose(value, rolls_at_16(chance.weighted_mean), abs_tol=1e-9):
        return words + ", as the mended mean does."
    for mean, fault in ((chance.broken_divided, "divides twice"), (chance.broken_overwritten, "adds face to face")):
        if math.isclose(value, rolls_at_16(mean), abs_tol=1e-9):
            return f"{words}, as the search that {fault}."
    return f"{words}; the mended mean says {number(rolls_at_16(chance.weighted_mean))}."


def _next_try(state: State) -> str:
    n = len(state["pairs"])
    if not n:
        return "guess, then play one with both. They meet the same luck."
    if n == EXHIBITS[state["failure"]].most:
        return "another failure: that was all there is to see of this one."
    if n < SEVERAL:
        return f"{'one pair proves' if n == 1 else 'so few pairs prove'} nothing. Play {_several(state)} more."
    return "another failure from the list. Which of them could you have found by watching one game?"
