"""Chapter 06: play 2048, ask a readable search what each slide is worth and what that costs, watch it play.

A game with seed s meets the spawns of ``play.play_game`` on that seed, whoever slides. Nothing plays by itself: one
press is one move, or as many as the reader asks for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from expectimax_course.apps import _advice_2048 as advice
from expectimax_course.apps._advice_2048 import decode, encode
from expectimax_course.apps._controls import (
    FOCUSABLE,
    button,
    choice,
    grid,
    paragraph,
    row,
    slot,
    what_to_try,
    whose,
)
from expectimax_course.apps._protocol import StudentError
from expectimax_course.game import Player
from expectimax_course.game2048.rules import ACTIONS, Game2048, slide_row
from expectimax_course.game2048.rules import State as GameState
from expectimax_course.rng import GAMMA, Rng, derive_seed
from expectimax_course.viz.board2048 import draw_board
from expectimax_course.viz.html import element

TITLE = "2048, with advice"
DEPTHS, BATCHES = (1, 2, 3), (1, 10, 100)
ADVISERS = (*advice.EVALUATIONS, advice.NETWORK)
PAST = 50
"""Moves that can be taken back."""
MOST_EVALUATIONS = 30_000
"""After so many, a press that plays several moves ends early: some seconds in a browser."""
GAME = Game2048()
State = dict[str, Any]


def init(seed: int = 1, depth: int = 2, evaluation: str = "article", batch: int = 10, exercise: bool = False) -> State:
    """Return a game with its two start tiles.

    Parameters
    ----------
    seed : int
        1 to 9,999.
    depth : int
        Decisions that advice and player look ahead, 1 to 3.
    evaluation : str
        "article", "fitted" or "network".
    batch : int
        Moves that one press plays: 1, 10 or 100.
    exercise : bool
        Show what the student's ``slide_row(row)`` or ``evaluate(board)`` does.

    Raises
    ------
    ValueError
        If a parameter is none of these.
    """
    offered = {"seed": range(1, 10_000), "depth": DEPTHS, "evaluation": ADVISERS, "batch": BATCHES}
    given = {"seed": seed, "depth": depth, "evaluation": evaluation, "batch": batch}
    for name, values in offered.items():
        if isinstance(given[name], bool) or given[name] not in values:
            raise ValueError(f"expected {name} as one of {values}, got {given[name]!r}")
    return {**_deal(given), "exercise": exercise, "student": None, "start": given}


def _deal(settings: State) -> State:
    """Return the first board of a seed."""
    state = GAME.initial_state()
    rng = Rng(derive_seed(settings["seed"], 0))
    while state.player is Player.CHANCE:
        state = GAME.result(state, rng.outcome(GAME.chance_outcomes(state)))
    game = {"board": encode(state.board), "score": 0, "moves": 0, "draws": 2, "past": [], "new": None}
    return {**settings, **game, "advice": None, "words": "Slide: equal neighbours merge."}


def update(state: State, event: dict[str, Any], student: Callable[..., Any] | None = None) -> State:
    """Return the state after an event; ``student`` is ``slide_row(row)`` or ``evaluate(board)`` of exercise 06."""
    evaluate = student if student is not None and not advice.plays_slides(student) else None
    slides = student if evaluate is None else None
    try:
        new = _apply(state, event.get("name"), event.get("value"), evaluate, slides)
    except StudentError as error:
        return {**state, "student": {"sentence": str(error)}, "exercise": True}
    if student is None:
        return {**new, "student": None}
    told = advice.compare(student, decode(new["board"]), new["evaluation"])
    return {**new, "student": told, "exercise": True}


def _apply(
    state: State, name: Any, value: Any, evaluate: Callable[..., Any] | None, slides: Callable[..., Any] | None
) -> State:
    if name in ACTIONS:
        return _move(state, name, slides)
    if name == "advise" and not over(state):
        told = advice.advice(decode(state["board"]), state["depth"], state["evaluation"], evaluate)
        words = f"At depth {state['depth']}: {told['best'][-1]}, for {told['evaluations'][-1]:,} evaluations."
        return {**state, "advice": told, "words": words}
    if name == "play" and not over(state):
        return _play(state, evaluate, slides)
    if name == "undo" and state["past"]:
        board, score, draws = state["past"][-1]
        back = {"board": board, "score": score, "draws": draws, "past": state["past"][:-1], "new": None}
        words = "One move taken back; the same slide would meet the same new tile."
        return {**state, **back, "moves": state["moves"] - 1, "advice": None, "words": words}
    if name == "reset":
        return init(**state["start"], exercise=state["exercise"])
    if name == "deal":
        settings = {key: state[key] for key in state["start"]} | {"seed": state["seed"] % 9999 + 1}
        return {**state, **_deal(settings)}
    return _set(state, name, value)


def _set(state: State, name: Any, value: Any) -> State:
    if name in ("depth", "batch") and value in [str(n) for n in (DEPTHS if name == "depth" else BATCHES)]:
        return {**state, name: int(value), "advice": None if name == "depth" else state["advice"]}
    if name == "evaluation" and isinstance(value, str) and value in ADVISERS:
        return {**state, "evaluation": value, "advice": None}
    return state


def over(state: State) -> bool:
    """Say whether no slide changes the board."""
    return GAME.is_terminal(GameState(decode(state["board"]), Player.MAX))


def _move(state: State, action: str, slides: Callable[..., Any] | None) -> State:
    board = decode(state["board"])
    slide_one = slide_row if slides is None else advice.checked_slide(slides)
    after, reward = advice.slide_with(slide_one, board, action)
    if after == board:
        return {**state, "words": f"{action.capitalize()} changes nothing, so it is no move."}
    words, new = f"{action.capitalize()}: +{reward}.", None
    if outcomes := GAME.chance_outcomes(GameState(after, Player.CHANCE)):
        spawn = Rng(derive_seed(state["seed"], 0) + state["draws"] * GAMMA).outcome(outcomes)
        after = GAME.result(GameState(after, Player.CHANCE), spawn).board
        words += f" A {spawn.tile} came at row {spawn.row + 1}, column {spawn.col + 1}."
        new = [spawn.row, spawn.col]
    moved = {
        **state,
        "board": encode(after),
        "score": state["score"] + reward,
        "moves": state["moves"] + 1,
        "draws": state["draws"] + 1,
        "past": [*state["past"], [state["board"], state["score"], state["draws"]]][-PAST:],
        "new": new,
        "advice": None,
    }
    return {**moved, "words": words + (" No slide is left: the game is over." if over(moved) else "")}


def _play(state: State, evaluate: Callable[..., Any] | None, slides: Callable[..., Any] | None) -> State:
    """Play the best slide of the search again and again."""
    new, evaluations, played = state, 0, 0
    while played < state["batch"] and evaluations < MOST_EVALUATIONS and not over(new):
        found = advice.search(decode(new["board"]), state["depth"], state["evaluation"], evaluate)
        after = _move(new, str(found.action), slides)
        if after["moves"] == new["moves"]:
            break
        new, evaluations, played = after, evaluations + found.evaluations, played + 1
    words = new["words"]
    if played > 1:
        words = f"{played} moves, {evaluations:,} evaluations, {evaluations // played:,} a move. {words}"
    if evaluations >= MOST_EVALUATIONS and played < state["batch"] and not over(new):
        words += f" A press ends after {MOST_EVALUATIONS:,} evaluations."
    return {**new, "words": words}


def view(state: State) -> str:
    """Return the board, what just happened, the advice, and the controls."""
    offered = [(key, words) for key, (words, _, _) in advice.EVALUATIONS.items()]
    if advice.NETWORK in (state["evaluation"], state["start"]["evaluation"]):  # it has a chapter of its own
        offered.append((advice.NETWORK, "the network"))
    return "".join(
        [
            play_area(state),
            slot(advice.advice_table(state["advice"])) if state["advice"] else slot(),
            slot(whose(state["student"], lambda told: str(told["words"]))) if state["exercise"] else slot(),
            grid(
                choice("Depth, in decisions", "depth", [(str(d), str(d)) for d in DEPTHS], str(state["depth"])),
                choice("Evaluation", "evaluation", offered, state["evaluation"]),
                choice("Moves for one press", "batch", [(str(n), str(n)) for n in BATCHES], str(state["batch"])),
            ),
            what_to_try(_next_try(state, over(state))),
        ]
    )


def play_area(state: State) -> str:
    """Return the board with its slides, what just happened, and the buttons."""
    done = over(state)
    many = f"Play {state['batch']} move" + "s" * (state["batch"] > 1)
    return "".join(
        [
            paragraph("Slide with the arrow keys, or swipe."),
            _board(state),
            row(
                *(button(action.capitalize(), action, enabled=not done) for action in ACTIONS),
                label="Slide; the arrow keys work too",
                keys=KEYS,
            ),
            paragraph(
                f"Score {state['score']:,}, {state['moves']:,} moves, seed {state['seed']}. {state['words']}", live=True
            ),
            row(
                button("Advice", "advise", primary=True, enabled=not done),
                button(many, "play", enabled=not done),
                button("Undo", "undo", enabled=bool(state["past"])),
                button("Next seed", "deal"),
                button("Reset", "reset", quiet=True),
            ),
        ]
    )


KEYS = "ArrowLeft=left ArrowRight=right ArrowUp=up ArrowDown=down"


def _board(state: State) -> str:
    new = None if state["new"] is None else (state["new"][0], state["new"][1])
    drawn = draw_board(decode(state["board"]), "The board", new=new)
    label = "The board; slide with the arrow keys or swipe"
    return element(
        "div",
        drawn,
        class_="ec-swipe",
        role="group",
        aria_label=label,
        tabindex="0",
        data_keys=KEYS,
        data_swipe=" ".join(ACTIONS),
        **FOCUSABLE,
    )


def _next_try(state: State, done: bool) -> str:
    if done:
        return "the next seed, one decision deeper. Does one game tell you that deeper is better?"
    if state["advice"] is None:
        return "choose a slide yourself, then ask for advice. At which depth does it agree with you?"
    costs = state["advice"]["evaluations"]
    if len(costs) < len(DEPTHS):
        return "guess what one more decision will cost, then set the depth one higher and ask again."
    return "play on until few cells are empty and ask again. What has become of the cost?"
