"""Chapter 03: the table of Push to 21, filled backwards from the target, against a rule of thumb and the reader.

Every number is one of ``exact.push_to_21``; hands are dealt from seeds, the same dice for the reader, the optimum and
the rule.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from expectimax_course.apps import _push_hands as hands
from expectimax_course.apps._controls import (
    button,
    grid,
    join,
    paragraph,
    read_whole,
    row,
    scroll,
    slider,
    slot,
    what_to_try,
    whose,
)
from expectimax_course.apps._push_players import student_answer
from expectimax_course.exact.push_to_21 import PushSolution, solve_push, threshold_values
from expectimax_course.games.push_to_21 import HIT, STAND
from expectimax_course.viz.html import number, table

TITLE = "Push to 21: one more roll?"
TARGETS, FACES = (5, 30), (2, 20)
State = dict[str, Any]


def init(target: int = 21, faces: int = 10, rule: int = 17, filled: int = 0, exercise: bool = False) -> State:
    """Return an empty table.

    Parameters
    ----------
    target, faces : int
        5 to 30, and 2 to 20.
    rule : int
        The rule of thumb hits below this total.
    filled : int
        Rows filled already, counted from the target.
    exercise : bool
        Show a column for the student's function.

    Raises
    ------
    ValueError
        If a number is outside its range.
    """
    ranges = {"target": TARGETS, "faces": FACES, "rule": (0, target), "filled": (0, target + 1)}
    given = {"target": target, "faces": faces, "rule": rule, "filled": filled}
    for name, (low, high) in ranges.items():
        if isinstance(given[name], bool) or not isinstance(given[name], int) or not low <= given[name] <= high:
            raise ValueError(f"expected {name} as a whole number from {low} to {high}, got {given[name]!r}")
    state: State = {**given, "guess": None, "seed": 1, "rolls": 0, "results": [], "playing": False}
    return {**state, "exercise": exercise, "student": None, "start": given}


def update(state: State, event: dict[str, Any], student: Callable[..., Any] | None = None) -> State:
    """Return the state after an event; ``student`` is a function of exercise 03, see `student_answer`."""
    name, value = event.get("name"), event.get("value")
    new = hands.update(state, name) or _fill(state, name, value)
    if student is None:
        return {**new, "student": None}
    answer = student_answer(student, new["target"], new["faces"], new["rule"])
    return {**new, "student": answer, "exercise": True}


def _fill(state: State, name: Any, value: Any) -> State:
    rows = state["target"] + 1
    if name == "step":
        return {**state, "filled": min(state["filled"] + 1, rows)}
    if name == "run":
        return {**state, "filled": rows}
    if name == "reset":
        return init(**state["start"], exercise=state["exercise"])
    if name == "guess" and value in (HIT, STAND):
        return {**state, "guess": value}
    if name == "rule":
        read = read_whole(value, 0, state["target"])
        return state if read is None else {**state, "rule": read}
    if name in ("target", "faces"):
        read = read_whole(value, *(TARGETS if name == "target" else FACES))
        if read is None or read == state[name]:
            return state
        new = {**state, name: read, "guess": None, "rolls": 0, "results": [], "playing": False}
        filled = new["target"] + 1 if state["filled"] == rows else 0
        return {**new, "filled": filled, "rule": min(state["rule"], new["target"])}
    return state


def view(state: State) -> str:
    """Return the table as far as it is filled, the comparison with the rule, and the hand."""
    solution = solve_push(state["target"], state["faces"])
    done = state["filled"] > state["target"]
    return "".join(
        [
            _question(state),
            row(
                button("Step", "step", primary=True, enabled=not done),
                button("Run", "run", enabled=not done),
                button("Reset", "reset", quiet=True),
                label="The table; the right arrow key steps",
                keys="ArrowRight=step",
            ),
            paragraph(_summary(state, solution) if done else _words(state, solution), live=True),
            slot(whose(state["student"], partial(_compare, state, solution))) if state["exercise"] else slot(),
            slot(_table(state, solution)) if state["filled"] else slot(),
            grid(
                slider("Target", "target", state["target"], *TARGETS),
                slider("Faces of the die", "faces", state["faces"], *FACES),
                slider("Rule of thumb: hit below", "rule", state["rule"], 0, state["target"]),
            ),
            slot(hands.view(state, solution)),
            what_to_try(_next_try(state, solution, done)),
        ]
    )


def question_total(state: State) -> int:
    """Return the total that the opening question asks about: 16 for a target of 21."""
    total: int = round(state["target"] * 16 / 21)
    return total


def _question(state: State) -> str:
    words = (
        f"Roll a die of {state['faces']} faces and add, as often as you dare. Above {state['target']} all is lost. "
        f"At {question_total(state)}: one more roll?"
    )
    return paragraph(words) + row(
        button("Hit", "guess", HIT, pressed=state["guess"] == HIT),
        button("Stand", "guess", STAND, pressed=state["guess"] == STAND),
        label=f"Your guess at {question_total(state)}",
    )


def _words(state: State, solution: PushSolution) -> str:
    if not state["filled"]:
        return "Guess, then fill the table from its end: after the target, every roll is a bust."
    total = state["target"] + 1 - state["filled"]
    safe = min(state["faces"], state["target"] - total)
    ahead = [f"EV[{t}]" for t in (total + 1, total + safe)][: min(safe, 2)]
    parts = [" + … + ".join(ahead) if safe > 2 else " + ".join(ahead)] if safe else []
    if state["faces"] > safe:
        parts.append(f"{state['faces'] - safe} × 0")
    value = number(solution.hit_values[total])
    words = (
        f"hit({total}) = ({' + '.join(parts)}) / {state['faces']} = {value}, stand = {total}: {_best(solution, total)}."
    )
    if total == question_total(state) and state["guess"]:
        words += f" You guessed {state['guess']}."
    return words


def _best(solution: PushSolution, total: int) -> str:
    return solution.actions[total] + (", a tie" if solution.hit_values[total] == total else "")


def _parts(state: State, solution: PushSolution) -> list[int]:
    """Return the totals at which rule and optimum part; a tie is no difference."""
    return [
        total
        for total, action in enumerate(solution.actions)
        if (total < state["rule"]) != (action == HIT) and solution.hit_values[total] != total
    ]


def _summary(state: State, solution: PushSolution) -> str:
    rule = threshold_values(state["rule"], state["target"], state["faces"])[0]
    lost = solution.values[0] - rule
    words = f"EV[0] = {number(solution.values[0])}: the optimum stands from {solution.stand_from} on. "
    if state["guess"]:
        total = question_total(state)
        rolling = number(solution.hit_values[total])
        words += f"You guessed {state['guess']} at {total}, where rolling is worth {rolling}. "
    words += f"“Hit below {state['rule']}” earns {number(rule)}"
    parts = _parts(state, solution)
    if not parts:
        return words + ", the same: they never part."
    where = join([str(t) for t in parts]) if len(parts) < 4 else f"{parts[0]} to {parts[-1]}"
    return words + f", {number(lost)} less: they part at {where}."


def _table(state: State, solution: PushSolution) -> str:
    parts = set(_parts(state, solution))
    own = (state["student"] or {}).get("values")
    rows, classes, bold = [], [], []
    first = state["target"] + 1 - state["filled"]
    for index, total in enumerate(range(state["target"], first - 1, -1)):
        hits = solution.actions[total] == HIT
        rule = (HIT if total < state["rule"] else STAND) + (" ≠" if total in parts else "")
        cells = [str(total), number(solution.hit_values[total], fixed=True), number(solution.values[total], fixed=True)]
        rows.append([*cells, _best(solution, total), rule])
        if own:
            same = abs(own[total] - solution.values[total]) < 1e-9
            rows[-1].append(number(own[total], fixed=True) + ("" if same else " ≠"))
        classes.append(" ".join(["ec-part"] * (total in parts) + ["ec-new"] * (total == first)))
        bold += [(index, 1 if hits else 0), (index, 3)]
    headers = ["total = stand", "hit", "EV", "best", f"below {state['rule']}", *(["yours"] if own else [])]
    caption = "Points. Bold: the better of standing and hitting. ≠: " + (
        "rule, or your table, and optimum part." if own else "rule and optimum part."
    )
    made = table(headers, rows, caption=caption, row_classes=classes, text_columns=(0, 3, 4), bold=bold)
    return scroll("The table", made, tall="end" if first else "start")


def _compare(state: State, solution: PushSolution, answer: dict[str, Any]) -> str:
    if "earns" in answer:
        earned = threshold_values(state["rule"], state["target"], state["faces"])[0]
        words = f"Your function says that “hit below {state['rule']}” earns {number(answer['earns'], 4)}"
        return words + (". So it does." if abs(answer["earns"] - earned) < 1e-9 else f"; it earns {number(earned, 4)}.")
    wrong = [t for t, v in enumerate(answer["values"]) if not abs(v - solution.values[t]) < 1e-9]
    if not wrong:
        return "Your function fills the same table."
    words = f"Your function's table parts from the optimum at {len(wrong)} of {len(solution.values)} totals, "
    return words + f"first, from the target down, at {wrong[-1]}."


def _next_try(state: State, solution: PushSolution, done: bool) -> str:
    if not done:
        return "step, and say before each row whether it will hit. Where does it change?"
    if _parts(state, solution):
        return "move the rule until no row is marked ≠."
    if state["faces"] == state["start"]["faces"]:
        return "give the die six faces. Does the optimum stand sooner or later?"
    return "nine faces and a target of 21: at which total is it all the same?"
