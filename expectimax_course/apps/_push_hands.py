"""The hands of the Push to 21 app: the reader deals, the optimum and the rule play along on the same dice."""

from __future__ import annotations

from typing import Any

from expectimax_course.apps._controls import button, paragraph, row, scroll
from expectimax_course.apps._push_players import banked, dice
from expectimax_course.exact.push_to_21 import PushSolution
from expectimax_course.games.push_to_21 import HIT
from expectimax_course.viz.html import element, number, table, text

MOST_HANDS = 100
State = dict[str, Any]


def update(state: State, name: Any) -> State | None:
    """Answer the events of the hand being dealt; None for all others, and for those not possible now."""
    if name == "deal" and not state["playing"] and len(state["results"]) < MOST_HANDS:
        return {**state, "playing": True, "rolls": 0}
    if name == "roll" and state["playing"]:
        new = {**state, "rolls": state["rolls"] + 1}
        return _end(new, 0) if _total(new) > state["target"] else new
    if name == "stop" and state["playing"]:
        return _end(state, _total(state))
    return None


def _end(state: State, points: int) -> State:
    return {**state, "playing": False, "results": [*state["results"], points]}


def _rolled(state: State) -> list[int]:
    """Return the faces of the hand being played, else of the last one."""
    hand = len(state["results"]) - (not state["playing"])
    return dice(state["seed"], hand, state["faces"], state["rolls"])


def _total(state: State) -> int:
    rolled = _rolled(state)
    return sum(rolled)


def view(state: State, solution: PushSolution) -> str:
    """Return the controls of the hand, what it came to, and all hands so far."""
    hands = len(state["results"])
    controls = [
        button("Deal a hand", "deal", enabled=not state["playing"] and hands < MOST_HANDS),
        button("Roll", "roll", enabled=state["playing"]),
        button("Bank it", "stop", enabled=state["playing"]),
    ]
    return "".join(
        [
            element("h4", text("Play it yourself")),
            row(*controls),
            paragraph(_hand_words(state, solution), live=True),
            _tally(state, solution) if hands else "",
        ]
    )


def _policies(state: State, solution: PushSolution) -> list[tuple[str, list[bool]]]:
    policies = [
        ("optimum", [action == HIT for action in solution.actions]),
        (f"hit below {state['rule']}", [total < state["rule"] for total in range(state["target"] + 1)]),
    ]
    own = (state["student"] or {}).get("values")
    if own:
        hits = [value > total + 1e-9 and total < state["target"] for total, value in enumerate(own)]
        policies.append(("your table", hits))
    return policies


def _hand_words(state: State, solution: PushSolution) -> str:
    hands = len(state["results"])
    rolled = " + ".join(str(face) for face in _rolled(state)) if hands or state["playing"] else ""
    if state["playing"]:
        return (
            f"Hand {hands + 1}: {rolled} = {_total(state)}. Roll or bank?" if rolled else f"Hand {hands + 1}: total 0."
        )
    if not hands:
        return "The optimum and the rule play each hand on your dice."
    others = [
        f"{name}: {banked(state['seed'], hands - 1, state['target'], state['faces'], hits)}"
        for name, hits in _policies(state, solution)
    ]
    mine = f"banked {state['results'][-1]}" if _total(state) <= state["target"] else "bust"
    return f"{rolled or 0} = {_total(state)}: {mine}. On the same dice, {'; '.join(others)}."


def _tally(state: State, solution: PushSolution) -> str:
    hands = len(state["results"])
    rows = [["you", str(state["results"][-1]), number(sum(state["results"]) / hands, fixed=True)]]
    for name, hits in _policies(state, solution):
        points = [banked(state["seed"], hand, state["target"], state["faces"], hits) for hand in range(hands)]
        rows.append([name, str(points[-1]), number(sum(points) / hands, fixed=True)])
    caption = f"Points per hand, on the same dice; {hands} of at most {MOST_HANDS} hands"
    return scroll("Hands so far", table(["player", "last hand", "mean"], rows, caption=caption))
