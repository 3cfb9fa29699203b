"""Chapter 10: play backgammon against the network, and ask it what every play of a roll is worth.

You are MAX, at the bottom. The dice of a seed are the same whatever is played. Nothing plays by itself: ending a turn
lets the network roll and play, and rolls for you.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from expectimax_course.apps import _backgammon_turn as turn
from expectimax_course.apps._controls import (
    button,
    choice,
    details,
    grid,
    paragraph,
    row,
    slot,
    text_field,
    what_to_try,
    whose,
)
from expectimax_course.apps._protocol import StudentError
from expectimax_course.backgammon.notation import format_play, parse_position_id, parse_roll, position_id
from expectimax_course.backgammon.rules import OFF, Roll, Side, Step, opening_rolls, plays, rolls, stake
from expectimax_course.game import StateError
from expectimax_course.rng import GAMMA, Rng, derive_seed
from expectimax_course.viz.backgammon import draw_backgammon
from expectimax_course.viz.html import number

TITLE = "Backgammon against a network"
START = "4HPwATDgc/ABMA"
CHECKERS = 15
State = dict[str, Any]


def init(seed: int = 1, position: str = "", roll: str = "", exercise: bool = False) -> State:
    """Return a game after its opening roll, or a position with a roll to play.

    Parameters
    ----------
    seed : int
        1 to 9,999.
    position : str
        A position ID, you to play; then ``roll`` is your roll, such as "31". Default: a new game.
    exercise : bool
        Show what the student's ``evaluate(own, other)`` would play.

    Raises
    ------
    ValueError
        If a parameter is none of these.
    """
    if type(seed) is not int or seed not in range(1, 10_000):
        raise ValueError(f"expected a seed from 1 to 9999, got {seed!r}")
    if not isinstance(position, str) or not isinstance(roll, str) or (roll and not position):
        raise ValueError(f"expected a position ID and a roll in strings, or neither, got {position!r} and {roll!r}")
    start = {"seed": seed, "position": position, "roll": roll}
    empty: State = {
        "made": [],
        "theirs": [],
        "advice": None,
        "typed": None,
        "error": "",
        "exercise": exercise,
        "student": None,
    }
    state = {**empty, "seed": seed, "draws": 0, "score": [0, 0], "turns": 0, "lost": 0.0, "start": start}
    if not position:
        return _deal(state)
    own, other = parse_position_id(position)
    if CHECKERS in (own[OFF], other[OFF]):
        raise StateError(f"expected a game that is not over, got position ID {position!r}")
    words = "You are at the bottom and play towards your home at the bottom right."
    return {**state, "position": position, "roll": list(parse_roll(roll)), "words": words}


def _deal(state: State) -> State:
    """Return the state after an opening roll; where the network has won it, it has moved."""
    drawn, draws = _draw(state, opening=True)
    state = {**state, "position": START, "draws": draws, "made": [], "theirs": [], "advice": None}
    you_start = Rng(derive_seed(state["seed"], 1) + draws * GAMMA).below(2) == 0
    high, low = drawn
    told = f"You rolled {high if you_start else low}, the network {low if you_start else high}: "
    if you_start:
        return {**state, "roll": list(drawn), "words": f"{told}you start with both dice."}
    return _reply(state, *_sides(state), drawn, f"{told}it started with both dice")


def _draw(state: State, *, opening: bool = False) -> tuple[Roll, int]:
    """Return the next roll and the number of draws with it."""
    rng = Rng(derive_seed(state["seed"], 0) + state["draws"] * GAMMA)
    return rng.outcome(opening_rolls() if opening else rolls()), state["draws"] + 1


def _sides(state: State) -> tuple[Side, Side]:
    """Return your side and the network's at the start of your turn, each from its own end."""
    return parse_position_id(state["position"])


def _turn(state: State) -> tuple[Side, Side, Roll, tuple[Step, ...]]:
    """Return both sides, the roll and the steps made."""
    return *_sides(state), (state["roll"][0], state["roll"][1]), tuple((s, d) for s, d in state["made"])


def over(state: State) -> bool:
    """Say whether the game has ended."""
    return state["roll"] is None


def update(state: State, event: dict[str, Any], student: Callable[..., Any] | None = None) -> State:
    """Return the state after an event; ``student`` is ``evaluate(own, other)``, of ``own``, about to roll."""
    try:
        new = _apply(state, event.get("name"), event.get("value"), student)
    except StudentError as error:
        return {**state, "student": {"sentence": str(error)}, "exercise": True}
    if student is None:
        return {**new, "student": None}
    told = (
        {"words": "Your evaluation waits for the next game."} if over(new) else turn.compare(student, *_turn(new)[:3])
    )
    return {**new, "student": told, "exercise": True}


def _apply(state: State, name: Any, value: Any, student: Callable[..., Any] | None) -> State:
    if name == "reset":
        return init(**state["start"], exercise=state["exercise"])
    if name == "position" and isinstance(value, str):
        return _set_position(state, value.strip())
    if over(state):
        return _deal(state) if name == "next" else state
    own, other, roll, made = _turn(state)
    if name == "end" and turn.is_complete(own, other, roll, made):
        return _end(state)
    if name in ("play", "from"):
        return {**state, "made": _made(state, name, value)}
    if name == "back":
        return {**state, "made": state["made"][:-1]}
    if name == "auto":
        return {**state, "made": [list(step) for step in turn.choice_of(student, own, other, roll)]}
    if name in ("advise", "deeper"):
        given = state["advice"] or turn.advice(own, other, roll)
        return {**state, "advice": turn.look_deeper(own, other, roll, given) if name == "deeper" else given}
    if name == "roll" and value in _ROLLS:
        return {**state, "roll": list(parse_roll(value)), "made": [], "advice": None, "words": f"You play {value}."}
    return state


_ROLLS = [f"{high}{low}" for (high, low), _ in rolls()]


def _made(state: State, name: str, value: Any) -> list[list[int]]:
    """Return the steps after one more from a point, or those of a whole play chosen by its place in the list."""
    own, other, roll, made = _turn(state)
    if name == "from":
        for step in turn.next_steps(own, other, roll, made)[0]:
            if str(step[0]) == value:
                return [*state["made"], list(step)]
        return list(state["made"])
    legal = {str(index): play for index, play in enumerate(plays(own, other, roll))}
    return [list(step) for step in legal.get(value, ())] if isinstance(value, str) else list(state["made"])


def _set_position(state: State, typed: str) -> State:
    """Take a position as typed, or say what is wrong with it."""
    try:
        own, other = parse_position_id(typed)
        if CHECKERS in (own[OFF], other[OFF]):
            raise StateError("expected a game that is not over")
    except StateError as error:
        return {**state, "typed": typed, "error": f"No position: {error}."}
    fresh: State = {"made": [], "theirs": [], "advice": None, "typed": None, "error": "", "words": "Your position."}
    return {**state, **fresh, "position": typed, "roll": state["roll"] or [2, 1]}


def _end(state: State) -> State:
    """End your turn: say what your play was worth, then let the network roll and play."""
    own, other, roll, made = _turn(state)
    mine, theirs = turn.played(own, other, made)
    found = turn.ranked(own, other, roll)
    legal = plays(own, other, roll)
    chosen = next(candidate for candidate in found if legal[candidate.play] == (mine, theirs))
    loss = found[0].value - chosen.value
    words = f"You played {format_play(other, chosen.play)}"
    words += f", {number(loss, 3)} points worse than {format_play(other, found[0].play)}" if loss >= 0.0005 else ""
    counted = {"turns": state["turns"] + 1, "lost": state["lost"] + loss}
    state = {**state, **counted, "made": [], "theirs": [], "advice": None, "typed": None, "error": ""}
    if mine[OFF] == CHECKERS:
        return _finish(state, mine, theirs, stake(theirs), words)
    drawn, draws = _draw(state)
    return _reply({**state, "draws": draws}, mine, theirs, drawn, f"{words}. The network rolled {drawn[0]}{drawn[1]}")


def _reply(state: State, own: Side, other: Side, drawn: Roll, words: str) -> State:
    """Return the state after the network's play of its roll and your next roll."""
    best = turn.ranked(other, own, drawn)[0].play
    words += f" and played {format_play(own, best)}"
    theirs, mine = plays(other, own, drawn)[best]
    state = {**state, "theirs": [list(step) for step in best]}
    if theirs[OFF] == CHECKERS:
        return _finish(state, mine, theirs, -stake(mine), words)
    roll, draws = _draw(state)
    words += f". You rolled {roll[0]}{roll[1]}."
    return {**state, "position": position_id(mine, theirs), "roll": list(roll), "draws": draws, "words": words}


def _finish(state: State, own: Side, other: Side, points: int, words: str) -> State:
    """Count the points of a finished game."""
    name = {1: "a single game", 2: "a gammon", 3: "a backgammon"}[abs(points)]
    score = [state["score"][0] + max(points, 0), state["score"][1] + max(-points, 0)]
    words += (
        f". {'You win' if points > 0 else 'The network wins'} {name}: {abs(points)} point{'s' * (abs(points) > 1)}."
    )
    return {**state, "position": position_id(own, other), "roll": None, "score": score, "words": words}


def view(state: State) -> str:
    """Return the board, what just happened, the controls and the advice."""
    done = over(state)
    if done:
        board: str = draw_backgammon(*_sides(state), "The end of the game", names=turn.NAMES)
        ready, chosen, options = False, "", [("", "none")]
    else:
        board = turn.board(*_turn(state), state["theirs"])
        ready, chosen, options = turn.play_list(*_turn(state))
    auto = "Let your function choose" if state["exercise"] else "Let the network choose"
    return "".join(
        [
            paragraph(state["words"], live=True),
            board,
            row(
                button("End turn", "end", primary=not done, enabled=ready),
                button("Take back", "back", enabled=not done and bool(state["made"])),
                button("Advice", "advise", enabled=not done),
                button("Look deeper", "deeper", enabled=not done),
                # far from "End turn": a double click there must not deal away the end of the game
                button("Next game", "next", primary=done, enabled=done),
            ),
            slot(turn.advice_table(state["advice"])) if state["advice"] else slot(),
            slot(whose(state["student"], lambda told: str(told["words"]))) if state["exercise"] else slot(),
            grid(choice("Your play", "play", options, chosen), row(button(auto, "auto", enabled=not done))),
            paragraph(_score(state)),
            details(
                "Another roll or position",
                grid(
                    choice("Your roll", "roll", [(r, r) for r in _ROLLS], "".join(map(str, state["roll"] or (2, 1)))),
                    text_field(
                        "Position ID, you to play",
                        "position",
                        state["position"] if state["typed"] is None else state["typed"],
                        largest=20,
                        wrong=bool(state["error"]),
                    ),
                ),
                paragraph(state["error"], "ec-error", live=True),
            ),
            row(button("Reset", "reset", quiet=True)),
            what_to_try(_next_try(state)),
        ]
    )


def _score(state: State) -> str:
    """Return the points so far, and what your plays gave away."""
    words = f"Points: you {state['score'][0]}, the network {state['score'][1]}."
    if state["turns"]:
        per = 1000 * state["lost"] / state["turns"]
        words += f" By the network's count you gave away {number(per, 0)} thousandths of a point per turn."
    return words


def _next_try(state: State) -> str:
    if over(state):
        return "one more. A single game says little: the dice decide more than you."
    if state["advice"] is None:
        return "tap a ringed checker, or choose from the list. Then ask for advice: did you find the starred play?"
    if not state["advice"]["deeper"]:
        return "look deeper: every roll of the network and its best reply. Does the order change?"
    return "another roll of the same position, below. How much is the luck of a roll worth?"
