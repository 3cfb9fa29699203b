"""Chapter 07: how deep do ten milliseconds reach, what is the answer when they are over, and what a cut saves.

The clock is the number of leaves (50 to a millisecond), so that every reader sees the same. Every number is one of
`search.progress` and `search.cutoff`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from expectimax_course.apps._budget_facts import (
    BOARDS,
    CUT_DEPTH,
    DEEPEST,
    GAME,
    LEAVES_PER_MS,
    LIMITS,
    THRESHOLDS,
    ask_deepen,
    cuts,
    known,
    milliseconds,
    state_of,
    trace,
)
from expectimax_course.apps._budget_pictures import board_picture, clock_picture
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
from expectimax_course.viz.html import element, number, table, text

TITLE = "Ten milliseconds: how deep, and which move?"
ORDERS = {"fixed": "left, right, up, down", "best": "best of the depth before first"}
State = dict[str, Any]


def init(board: str = "A", limit: int = 5, order: str = "fixed", exercise: bool = False) -> State:
    """Return a board with its question, nothing shown yet.

    Parameters
    ----------
    board : "A", "B" or "C"
    limit : int
        Which of the time limits, 0 to 11; 5 is ten milliseconds.
    order : "fixed" or "best"
        In which order the root's moves are searched.
    exercise : bool
        Show what the student's ``deepen`` answers.

    Raises
    ------
    ValueError
        If there is no such board, limit or order.
    """
    if board not in BOARDS or order not in ORDERS:
        raise ValueError(
            f"expected a board of {', '.join(BOARDS)} and an order of {', '.join(ORDERS)}, got {board!r}, {order!r}"
        )
    if isinstance(limit, bool) or not isinstance(limit, int) or not 0 <= limit < len(LIMITS):
        raise ValueError(f"expected a limit from 0 to {len(LIMITS) - 1}, got {limit!r}")
    start = {"board": board, "limit": limit, "order": order}
    fresh = {"threshold": 2, "guess": None, "shown": False, "student": None}
    return {**start, **fresh, "exercise": exercise, "start": start}


def update(state: State, event: dict[str, Any], student: Callable[..., Any] | None = None) -> State:
    """Return the state after an event; an event that makes no sense here changes nothing.

    Parameters
    ----------
    student : callable, optional
        The answer to question 07.deepen: ``deepen(search, limit, first, max_depth)``.
    """
    new = _after(state, event.get("name"), event.get("value"))
    if student is None:
        return {**new, "student": None}
    answer = ask_deepen(student, new["board"], new["order"] == "best", LIMITS[new["limit"]])
    return {**new, "student": answer, "exercise": True}


def _after(state: State, name: Any, value: Any) -> State:
    if name == "run":
        return {**state, "shown": True}
    if name == "reset":
        return init(**state["start"], exercise=state["exercise"])
    if name == "guess" and value in [str(depth) for depth in range(DEEPEST + 1)]:
        return {**state, "guess": int(value)}
    if name == "board" and isinstance(value, str) and value in BOARDS:
        return {**state, "board": value, "guess": None, "shown": False} if value != state["board"] else state
    if name == "order" and isinstance(value, str) and value in ORDERS:
        return {**state, "order": value}
    if name in ("limit", "threshold"):
        read = read_whole(value, 0, len(LIMITS if name == "limit" else THRESHOLDS) - 1)
        return state if read is None else {**state, name: read}
    return state


def view(state: State) -> str:
    """Return the board and the guess; after the search, the clock, the answer, and what a threshold would save."""
    limit = LIMITS[state["limit"]]
    leaves = number(limit * LEAVES_PER_MS, 0)
    return "".join(
        [
            paragraph(
                f"2048, a clock that ticks once per {LEAVES_PER_MS} leaves, and {number(limit)} ms: {leaves} leaves. "
                "How many decisions deep will the search have looked, completely?"
            ),
            row(*[_guess(state, depth) for depth in range(1, DEEPEST + 1)], label="Your guess of the depth"),
            row(button("Let it think", "run", primary=True), button("Reset", "reset", quiet=True)),
            paragraph(_words(state) if state["shown"] else "", live=True),
            slot(whose(state["student"], partial(_compare, state))) if state["exercise"] else slot(),
            slot(*_clock(state)) if state["shown"] else slot(board_picture(BOARDS[state["board"]])),
            grid(
                slider("Time limit", "limit", state["limit"], 0, len(LIMITS) - 1, shown=f"{number(limit)} ms"),
                choice("Moves are searched in the order", "order", list(ORDERS.items()), state["order"]),
                choice("Board", "board", [(name, name) for name in BOARDS], state["board"]),
            ),
            slot(*_cut(state)) if state["shown"] else slot(),
            what_to_try(_next_try(state)),
        ]
    )


def _guess(state: State, depth: int) -> str:
    return button(str(depth), "guess", str(depth), pressed=state["guess"] == depth)


def _known(state: State) -> tuple[Any, Any]:
    return known(state["board"], state["order"] == "best", LIMITS[state["limit"]])


def _words(state: State) -> str:
    finished, unfinished = _known(state)
    last = trace(state["board"], state["order"] == "best")[-1].favourite
    if finished is None:
        first = GAME.legal_actions(state_of(state["board"]))[0]
        words = f"Not even depth 1 is complete: a legal move, {first}, and the admission that it is no more than that."
    else:
        words = f"Depth {finished.depth} is complete: {finished.favourite}."
        if state["guess"] is not None:
            words += f" You guessed {state['guess']}."
    if unfinished is not None:
        seen = sum(s.depth == unfinished.depth for s in _steps(state, unfinished))
        of = len(GAME.legal_actions(state_of(state["board"])))
        words += f" Depth {unfinished.depth} has seen {seen} of {of} moves and favours {unfinished.favourite}"
        words += ": not an answer yet." if finished else "."
    deep = f" With all the time, depth {DEEPEST} says {last}."
    return words + deep


def _steps(state: State, end: Any) -> list[Any]:
    return [s for s in trace(state["board"], state["order"] == "best") if s.leaves <= end.leaves]


def _clock(state: State) -> list[str]:
    steps = trace(state["board"], state["order"] == "best")
    finished, unfinished = _known(state)
    answered = finished.depth if finished else 0
    rows, bold = [], []
    for step in (s for s in steps if s.complete):
        status = (
            "in time"
            if step.depth <= answered
            else "unfinished"
            if unfinished and step.depth == unfinished.depth
            else "–"
        )
        if step.depth == answered:
            bold = [(step.depth - 1, 2), (step.depth - 1, 4)]
            status = "the answer"
        value = max(s.value for s in steps if s.depth == step.depth)
        time = number(milliseconds(step.leaves), fixed=True)
        rows.append([str(step.depth), time, step.favourite, number(value, fixed=True), status])
    caption = "Each depth: ready when, its move, its value (the evaluation's points)"
    made = table(
        ["depth", "ready, ms", "move", "value", "at the limit"], rows, caption=caption, text_columns=(2, 4), bold=bold
    )
    picture = clock_picture(steps, LIMITS[state["limit"]], answered)
    board = details("The board", board_picture(BOARDS[state["board"]]))
    legend = "A piece is one move, searched; solid depths are complete in time, and the line is the limit."
    return [picture, paragraph(legend), scroll("The depths", made), board]


def _compare(state: State, answer: dict[str, Any]) -> str:
    finished, unfinished = _known(state)
    first = GAME.legal_actions(state_of(state["board"]))[0]
    depth, action = (finished.depth, finished.favourite) if finished else (0, first)
    words = f"Your function answers {answer['action']}, depth {answer['depth']}"
    if (answer["depth"], answer["action"]) == (depth, action):
        return words + ": the last complete depth."
    if unfinished is not None and (answer["depth"], answer["action"]) == (unfinished.depth, unfinished.favourite):
        words += ", the favourite of an unfinished depth"
    return words + f". The last complete depth is {depth}: {action}."


def _cut(state: State) -> list[str]:
    found = cuts(state["board"])
    chosen, full = found[state["threshold"]], found[0]
    words = (
        f"Cut below {chosen.threshold:g}, depth {CUT_DEPTH} takes {chosen.leaves:,} leaves instead of {full.leaves:,} "
    )
    words += f"and its value is off by {number(chosen.value - full.value)}. "
    words += "Its move is as good." if chosen.regret < 1e-9 else f"Its move gives away {number(chosen.regret)}."
    rows = []
    for cut in found:
        off, regret = number(cut.value - full.value, fixed=True), number(cut.regret, fixed=True)
        rows.append([f"{cut.threshold:g}", f"{cut.leaves:,}", off, cut.action, regret])
    made = table(
        ["reach below", "leaves", "value off by", "move", "gives away"],
        rows,
        caption=f"Depth {CUT_DEPTH}; a state of smaller reach is evaluated at once",
        row_classes=["ec-new" if i == state["threshold"] else "" for i in range(len(found))],
        text_columns=(3,),
    )
    return [
        element("h4", text("Cut what will hardly happen")),
        slider(
            "Cut below a reach of",
            "threshold",
            state["threshold"],
            0,
            len(THRESHOLDS) - 1,
            shown=f"{chosen.threshold:g}",
        ),
        paragraph(words, live=True),
        scroll("Cut by reach", made),
    ]


def _next_try(state: State) -> str:
    if not state["shown"]:
        return "guess, then let it think. The limit and the board can be changed before and after."
    finished, unfinished = _known(state)
    if unfinished is not None and finished is not None and unfinished.favourite != finished.favourite:
        return "the unfinished depth favours another move. Search the best move first: does it still?"
    if state["order"] == "fixed":
        return "move the limit until an unfinished depth favours another move than the last complete one."
    return "raise the reach below which is cut. How much can be saved before the move changes?"
