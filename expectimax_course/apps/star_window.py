"""Chapter 05: a chance node opened child by child, while what its mean may still be closes in on the window.

Every step is one of the package's own Star (`_star_steps`); all numbers are exact fractions.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from expectimax_course.apps import _star_pictures as pictures
from expectimax_course.apps import _star_steps as steps
from expectimax_course.apps import _star_student as own
from expectimax_course.apps._controls import (
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
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.trees import TreeGame, parse_tree
from expectimax_course.viz.html import number, table
from expectimax_course.viz.tree import draw_tree, outline_html

TITLE = "Will the draw be cut?"
SCENES = {
    "leaves": ("four leaves", "chance(1/4: 2, 1/4: 3, 1/4: 9, 1/4: 8)", 7, 10),
    "replies": ("replies of MIN, in any order", "chance(1/2: min(3, 8), 1/4: min(9, 2, 7), 1/4: min(6, 4))", 5, 10),
    "sorted": ("replies of MIN, the best first", "chance(1/2: min(3, 8), 1/4: min(2, 9, 7), 1/4: min(4, 6))", 5, 10),
    "max": ("moves of MAX, under a MIN", "chance(1/2: max(6, 1), 1/4: max(8, 9, 3), 1/4: max(2, 5))", 0, 5),
}
"""Name → words, tree, alpha and beta. All leaves lie between 0 and 10."""
BOUNDS = {"honest": (0, 10), "loose": (-10, 20), "dishonest": (0, 7)}
GUESSES = {"cut": "Yes, cut", "whole": "No, every leaf"}
State = dict[str, Any]


def init(scene: str = "leaves", method: str = "star1", bounds: str = "honest", exercise: bool = False) -> State:
    """Return a chance node of which nothing is known.

    Parameters
    ----------
    scene, method, bounds : str
        A name of `SCENES`, of `METHODS` and of `BOUNDS`.
    exercise : bool
        Show what the student's function says at each step.

    Raises
    ------
    ValueError
        If a name is unknown.
    """
    for name, value, known in (("scene", scene, SCENES), ("method", method, steps.METHODS), ("bounds", bounds, BOUNDS)):
        if value not in known:
            raise ValueError(f"expected {name} as one of {', '.join(known)}, got {value!r}")
    state: State = {"scene": scene, "method": method, "bounds": bounds, "step": 0, "guess": None}
    state |= {"alpha": SCENES[scene][2], "beta": SCENES[scene][3], "exercise": exercise, "student": None}
    return {**state, "start": [scene, method, bounds]}


def update(state: State, event: dict[str, Any], student: Callable[..., Any] | None = None) -> State:
    """Return the state after an event; ``student`` is ``child_window`` or ``mean_bounds`` of exercise 05."""
    new = _apply(state, event.get("name"), event.get("value"))
    if student is None:
        return {**new, "student": None}
    moment, window = moments(new)[new["step"]], (new["alpha"], new["beta"])
    return {**new, "student": own.ask(student, tree(new), moment, BOUNDS[new["bounds"]], window), "exercise": True}


def _apply(state: State, name: Any, value: Any) -> State:
    last = len(moments(state)) - 1
    moved = {"step": min(state["step"] + 1, last), "back": max(state["step"] - 1, 0), "run": last}
    if name in ("step", "back", "run"):
        return {**state, "step": moved[name]}
    if name == "reset":
        scene, method, bounds = state["start"]
        return init(scene, method, bounds, state["exercise"])
    if not isinstance(value, str | int | float):
        return state
    if name == "guess" and value in GUESSES:
        return {**state, "guess": value}
    fresh = {**state, "step": 0, "guess": None}
    if name == "scene" and value in SCENES:
        return {**fresh, "scene": value, "alpha": SCENES[value][2], "beta": SCENES[value][3]}
    if (name == "method" and value in steps.METHODS) or (name == "bounds" and value in BOUNDS):
        return {**fresh, name: value}
    if name in ("alpha", "beta"):
        low = 0 if name == "alpha" else 1
        read = read_whole(value, low, low + 9)
        if read is None or read == state[name]:
            return state
        other = {"beta": max(state["beta"], read + 1)} if name == "alpha" else {"alpha": min(state["alpha"], read - 1)}
        return {**fresh, name: read, **other}
    return state


def tree(state: State) -> TreeGame:
    """Return the tree of the scene, in exact fractions."""
    return parse_tree(SCENES[state["scene"]][1], Fraction)


def moments(state: State, method: str | None = None) -> list[steps.Moment]:
    """Return the steps of the chosen method, or of another one in its place."""
    ends = BOUNDS[state["bounds"]]
    return steps.moments(tree(state), method or state["method"], ends, (state["alpha"], state["beta"]))


def view(state: State) -> str:
    """Return the tree as far as it is opened, the bars, what happens at this step, and the controls."""
    game, all_moments = tree(state), moments(state)
    moment = all_moments[state["step"]]
    done = state["step"] == len(all_moments) - 1
    drawn = pictures.drawing(game, moment, done)
    window = (state["alpha"], state["beta"])
    scale = BOUNDS[state["bounds"]]
    words = moment.words + (" " + _verdict(state, moment) if done else "")
    return "".join(
        [
            paragraph(_question(state)),
            row(
                *(button(words, "guess", key, pressed=state["guess"] == key) for key, words in GUESSES.items()),
                label="Your guess",
            ),
            scroll("The tree", draw_tree(drawn, "The draw, as far as it is opened")),
            slot(pictures.mean_bar(game, moment, window, scale)),
            paragraph(f"Step {state['step']} of {len(all_moments) - 1}. {words}", "ec-step", live=True),
            row(
                button("Step", "step", primary=True, enabled=not done),
                button("Back", "back", enabled=state["step"] > 0),
                button("Run", "run", enabled=not done),
                button("Reset", "reset", quiet=True),
                label="The search; the right and left arrow keys step",
                keys="ArrowRight=step ArrowLeft=back",
            ),
            slot(whose(state["student"], own.compare)) if state["exercise"] else slot(),
            slot(scroll("One child", pictures.child_bar(moment, scale))) if moment.child is not None else slot(),
            slot(scroll("Four searches", _table(state))) if done else slot(),
            _controls(state),
            details("The tree in words", outline_html(drawn)),
            what_to_try(_next_try(state, done)),
        ]
    )


def _question(state: State) -> str:
    low, high = BOUNDS[state["bounds"]]
    believed = f"The search believes that every leaf lies between {number(low)} and {number(high)}."
    sure = [f"MAX is sure of {state['alpha']} elsewhere"] if state["alpha"] > 0 else []
    sure += [f"MIN of {state['beta']}"] if sure and state["beta"] < 10 else []
    sure += [f"MIN is sure of {state['beta']} elsewhere"] if not sure and state["beta"] < 10 else []
    return f"{believed} {' and '.join(sure) or 'Nobody is sure of anything'}. Will the draw be cut?"


def _true_mean(state: State) -> Any:
    return expectiminimax(tree(state), 0).value


def _reports(moment: steps.Moment) -> str:
    sign = {"upper": "≤ ", "lower": "≥ ", "exact": ""}[moment.kind]
    return sign + number(moment.result)


def _holds(moment: steps.Moment, truth: Any) -> bool:
    if moment.kind == "upper":
        return bool(truth <= moment.result)
    return bool(truth >= moment.result) if moment.kind == "lower" else bool(truth == moment.result)


def _verdict(state: State, moment: steps.Moment) -> str:
    truth = _true_mean(state)
    guessed = ""
    if state["guess"]:
        right = (state["guess"] == "cut") == (len(moment.leaves) < pictures.leaf_count(tree(state)))
        guessed = f"You guessed {'right' if right else 'otherwise'}. "
    opened = f"{len(moment.leaves)} of {pictures.leaf_count(tree(state))} leaves were opened. "
    if _holds(moment, truth):
        return f"{guessed}{opened}The true mean is {number(truth)}."
    return f"{guessed}{opened}But the true mean is {number(truth)}: the bound was false, and so is the answer."


def _table(state: State) -> str:
    truth = _true_mean(state)
    rows, here = [], list(steps.METHODS).index(state["method"])
    for method, words in steps.METHODS.items():
        end = moments(state, method)[-1]
        rows.append([words, str(len(end.leaves)), _reports(end), "yes" if _holds(end, truth) else "no"])
    headers = ["search", "leaves", "says the mean is", "true?"]
    classes = ["ec-new" if i == here else "" for i in range(len(rows))]
    caption = "The same draw, window and bounds, searched in four ways"
    return table(headers, rows, caption=caption, row_classes=classes, text_columns=(0, 3), bold=[(here, 0)])


def _controls(state: State) -> str:
    scenes = [(key, scene[0]) for key, scene in SCENES.items()]
    ends = {key: f"{key}, {number(low)} to {number(high)}" for key, (low, high) in BOUNDS.items()}
    return grid(
        choice("The children", "scene", scenes, state["scene"]),
        choice("The search", "method", steps.METHODS.items(), state["method"]),
        choice("Bounds it believes in", "bounds", ends.items(), state["bounds"]),
    ) + grid(
        slider("Alpha: MAX is sure of", "alpha", state["alpha"], 0, 9),
        slider("Beta: MIN is sure of", "beta", state["beta"], 1, 10),
    )


def _next_try(state: State, done: bool) -> str:
    if not done:
        return "guess first; then say before each step how far the bar will shrink."
    if state["bounds"] == "dishonest":
        return "give the honest bounds back, then loose ones. What do they cost?"
    if state["scene"] == "leaves" and state["alpha"] > 5:
        return "lower alpha to 5, then choose the dishonest bounds. Is the answer still true?"
    if state["method"] != "star2":
        return "let Star2 search the same draw, with the replies in any order and with the best first."
    return "find a window in which Star2 opens more leaves than Star1."
