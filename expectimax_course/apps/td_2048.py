"""Chapter 09: a network of one table learns 2048 on 2 × 2 while you watch, and the exact truth stands beside it.

Every press plays games and learns from each, sweeping it from its end. The curve is no average of games: what the
greedy policy earns is computed. Looking back on the curve brings back the values, and the weights, of that time.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

from expectimax_course.apps import _td_learner as learner
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
from expectimax_course.apps._protocol import StudentError, guard
from expectimax_course.apps._td_pictures import curve_picture, truth_picture, weights_table
from expectimax_course.game2048.rules import Board
from expectimax_course.rng import Rng, derive_seed
from expectimax_course.viz.html import number, table

TITLE = "A network learns 2 × 2"
TUPLES = {"pair": "two cells side by side", "corner": "three cells round a corner", "board": "all four cells"}
RATES = {"0.02": "0.02", "0.1": "0.1", "0.5": "0.5", "tc": "temporal coherence"}
STARTS = {"0": "0: expects nothing", "50": "50: an optimist"}
BATCH, EVERY, MOST = 100, 20, 1500
"""Games of a press, games between two points of the curve, games after which the app has seen enough."""
SAMPLES: tuple[Board, ...] = (((2, 4), (8, 16)), ((2, 4), (4, 2)))
State = dict[str, Any]


def init(tuple_: str = "pair", rate: str = "0.1", start: str = "0", seed: int = 1, exercise: bool = False) -> State:
    """Return a network that has learnt nothing yet.

    Parameters
    ----------
    tuple_ : str
        "pair", "corner" or "board": the cells that the one table reads, in all eight symmetries.
    rate : str
        "0.02", "0.1", "0.5" or "tc".
    start : str
        "0" or "50", the value of every board before learning.
    seed : int
        1 to 9,999.
    exercise : bool
        Show what the student's ``learn(weights, board, cells, target, rate)`` does.

    Raises
    ------
    ValueError
        If a parameter is none of these.
    """
    given = {"tuple_": tuple_, "rate": rate, "start": start, "seed": seed}
    offered = {"tuple_": tuple(TUPLES), "rate": tuple(RATES), "start": tuple(STARTS), "seed": range(1, 10_000)}
    for name, values in offered.items():
        if isinstance(given[name], bool) or given[name] not in values:
            raise ValueError(f"expected {name} as one of {values}, got {given[name]!r}")
    return {**_untaught(given), "exercise": exercise, "student": None, "first": given}


def _untaught(settings: State) -> State:
    """Return a state with these settings and no game learnt."""
    fresh = {"rng": derive_seed(settings["seed"], 0), "games": 0, "weights": {}, "last": [], "at": 0}
    return {**settings, **fresh, "curve": [_point(settings, {}, 0)]}


def _point(settings: State, weights: learner.Weights, games: int) -> State:
    """Return what the curve keeps of this moment: the score, the values, and the weights of a pair."""
    name = settings["tuple_"]
    known = learner.values(weights, name, float(settings["start"]))
    pair = {key: round(entry[0], 2) for key, entry in weights.items()} if name == "pair" else {}
    score = round(learner.policy_score(known), 4)
    return {"games": games, "score": score, "values": [round(known[i], 1) for i in _representatives()], "pair": pair}


@cache
def _representatives() -> tuple[int, ...]:
    """Return one afterstate of each set of symmetric ones."""
    first = {min(read): index for index, read in enumerate(learner.keys("board"))}
    return tuple(sorted(first.values()))


def update(state: State, event: dict[str, Any], student: Callable[..., Any] | None = None) -> State:
    """Return the state after an event; ``student`` is ``learn(weights, board, cells, target, rate)`` of exercise 09."""
    own = None if student is None else guard(student)
    try:
        new = _apply(state, event.get("name"), event.get("value"), own)
        told = None if own is None else {"words": _compare(own, new)}
    except StudentError as error:
        return {**state, "student": {"sentence": str(error)}, "exercise": True}
    return {**new, "student": told, "exercise": state["exercise"] or student is not None}


def _apply(state: State, name: Any, value: Any, student: Callable[..., Any] | None) -> State:
    if name in ("game", "games") and state["games"] < MOST:
        return _learn(state, 1 if name == "game" else BATCH, student)
    if name == "at":
        at = read_whole(value, 0, len(state["curve"]) - 1)
        return state if at is None else {**state, "at": at}
    if name == "reset":
        return init(**state["first"], exercise=state["exercise"])
    for key, offered in (("tuple_", TUPLES), ("rate", RATES), ("start", STARTS)):
        if name == key and isinstance(value, str) and value in offered and value != state[key]:
            return {**state, **_untaught({**{k: state[k] for k in state["first"]}, key: value})}
    if name == "seed":
        settings = {k: state[k] for k in state["first"]}
        return {**state, **_untaught({**settings, "seed": state["seed"] % 9999 + 1})}
    return state


def _learn(state: State, games: int, student: Callable[..., Any] | None) -> State:
    weights = {key: list(entry) for key, entry in state["weights"].items()}
    rng, curve, played = Rng(state["rng"]), list(state["curve"]), state["games"]
    steps: list[learner.Step] = []
    for _ in range(min(games, MOST - played)):
        steps = learner.play_and_learn(weights, state["tuple_"], state["rate"], float(state["start"]), rng, student)
        played += 1
        if played % EVERY == 0 or games == 1:
            curve.append(_point(state, weights, played))
    last = [[s.reward, list(map(list, s.board)), round(s.value, 2), round(s.target, 2)] for s in steps]
    learnt = {"weights": weights, "rng": rng.state, "games": played, "curve": curve, "last": last}
    return {**state, **learnt, "at": len(curve) - 1}


def _compare(student: Callable[..., Any], state: State) -> str:
    """Say what a student's function does with one error on two boards."""
    name, rate = state["tuple_"], "0.1"
    for board in SAMPLES:
        mine: learner.Weights = {}
        theirs: learner.Weights = {}
        learner.learn(theirs, board, name, 16.0, rate, 0.0)
        learner.ask(student, mine, board, name, 16.0, learner.RATES[rate], 0.0)
        keys = learner.readings(board, name)
        own, right = (math.fsum(w[key][0] if key in w else 0.0 for key in keys) for w in (mine, theirs))
        if abs(own - right) > 1e-9:
            return (
                f"From 0 towards 16 at rate 0.1 your function moves the value of {board} to {number(own)}, "
                f"the course's to {number(right)}."
            )
    return "Your function moves the weights as the course's own does; it does the learning here."


def view(state: State) -> str:
    """Return the curve, learned against exact values, the weights of a pair, and the last game."""
    best, exact = learner.optimum()
    point = state["curve"][state["at"]]
    points = [(p["games"], p["score"]) for p in state["curve"]]
    done = state["games"] >= MOST
    return "".join(
        [
            paragraph(
                f"The best player of 2 × 2 earns {number(best)} points a game. How close does a table come that only "
                "plays and corrects itself?"
            ),
            row(
                button(f"{BATCH} games", "games", primary=True, enabled=not done),
                button("One game", "game", enabled=not done),
                button("Other luck", "seed"),
                button("Reset", "reset", quiet=True),
                label="Learning; the right arrow key plays one game",
                keys="ArrowRight=game",
            ),
            paragraph(_words(state, point, best), live=True),
            slot(whose(state["student"], lambda told: str(told["words"]))) if state["exercise"] else slot(),
            grid(
                curve_picture(points, state["at"], best),
                truth_picture([exact[i] for i in _representatives()], point["values"]),
            ),
            slider(
                "Look back: games learnt", "at", state["at"], 0, max(len(points) - 1, 1), shown=f"{point['games']:,}"
            ),
            slot(_weights(state, point)) if state["tuple_"] == "pair" else slot(),
            slot(_last_game(state)) if state["last"] else slot(),
            grid(
                choice("The tuple reads", "tuple_", TUPLES.items(), state["tuple_"]),
                choice("Learning rate", "rate", RATES.items(), state["rate"]),
                choice("Value before learning", "start", STARTS.items(), state["start"]),
            ),
            what_to_try(_next_try(state, best)),
        ]
    )


def _words(state: State, point: State, best: float) -> str:
    if not state["games"]:
        return f"Without any game learnt it takes what earns most at once: {number(point['score'])} points a game."
    share = f"{point['score'] / best:.1%}".replace("%", "\u202f%")
    games = f"{point['games']:,} game" + "s" * (point["games"] != 1)
    words = f"After {games} its greedy policy earns {number(point['score'])}, {share} of the optimum."
    return words + (f" {MOST:,} games are enough here." if state["games"] >= MOST else "")


def _weights(state: State, point: State) -> str:
    first = float(state["start"]) / learner.READINGS

    def weight(down: int, across: int) -> float | None:
        known: float | None = point["pair"].get(str(down + 16 * across), first or None)
        return known

    caption = "The weights: what two neighbours add to the value, in points"
    return scroll("The weights", weights_table(caption, range(6), weight, "2nd", "1st"))


def _last_game(state: State) -> str:
    rows = []
    for reward, board, known, target in state["last"]:
        words = " / ".join(" ".join(str(tile or "·") for tile in line) for line in board)
        rows.append([f"+{reward}", words, number(known, fixed=True), number(target, fixed=True)])
        rows[-1].append(number(target - known, fixed=True))
    headers = ["slide", "afterstate", "value before", "target", "error"]
    caption = (
        "Learnt from the last row to the first; a target is the next slide's reward plus the next value, 0 at the end"
    )
    made = table(headers, rows, caption=caption, text_columns=(0, 1))
    return details("The last game, update by update", scroll("The last game", made, tall="start"))


def _next_try(state: State, best: float) -> str:
    score = state["curve"][-1]["score"]
    if state["games"] < BATCH:
        return "guess the curve's course first. Then play games one by one, and open the last game below."
    if state["tuple_"] == "pair":
        return "go on: the curve will not settle. What can a sum over pairs not say? Let the tuple read three cells."
    if state["rate"] == "0.5":
        return "half of every error is luck, and at this rate the table believes it. Choose 0.1."
    if state["tuple_"] == "corner":
        return "now all four cells: every board has a weight of its own, and the learner visits only what it likes."
    if score < best - 0.5 and state["start"] == "0":
        return "what it never tries it never learns. Let it expect 50 everywhere, with the rate 0.1."
    if state["rate"] == "tc":
        return "a symmetric board moves too far at full rate: an optimist then expects too little. Try the rate 0.1."
    return "other luck: is one curve enough to say which setting is better?"
