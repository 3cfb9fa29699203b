"""Chapter 09: the network's advice beside the hand-made one on a board to play, and the weights that it reads there.

The network is the small one that comes with the page, four tuples of four cells; the app says so, with the strength
that was measured for it. The board, the moves and the searches are those of the app of chapter 06.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from expectimax_course.apps import _advice_2048 as advice
from expectimax_course.apps import game2048
from expectimax_course.apps._advice_2048 import NETWORK, decode
from expectimax_course.apps._controls import choice, finite, grid, paragraph, returned, scroll, slot, what_to_try, whose
from expectimax_course.apps._protocol import StudentError, guard
from expectimax_course.apps._td_pictures import weights_table
from expectimax_course.game2048.net import load_net
from expectimax_course.game2048.rules import ACTIONS, Board, slide
from expectimax_course.viz.html import number

TITLE = "Two advisers for 2048"
ADVISERS = {"network": NETWORK, "hand-made": "fitted"}
"""Short name → adviser."""
TABLES = ("a row at the rim", "a row inside", "a square in the corner", "a square at the rim")
RANKS = range(12)
State = dict[str, Any]


def init(
    seed: int = 1,
    depth: int = 2,
    evaluation: str = NETWORK,
    batch: int = 10,
    strength: str = "",
    exercise: bool = False,
) -> State:
    """Return a game with its two start tiles.

    Parameters
    ----------
    seed, depth, batch : int
        As in the app ``game2048``.
    evaluation : str
        Who plays: "network", "fitted" or "article".
    strength : str
        What the page says of the network's measured strength.
    exercise : bool
        Show what the student's ``slide_values(board, value)`` says.

    Raises
    ------
    ValueError
        If a parameter is none of these.
    """
    game = game2048.init(seed, depth, evaluation, batch, exercise)
    return {**game, "table": 0, "both": None, "strength": strength}


def update(state: State, event: dict[str, Any], student: Callable[..., Any] | None = None) -> State:
    """Return the state after an event; ``student`` is ``slide_values(board, value)`` of exercise 09."""
    name, value = event.get("name"), event.get("value")
    if name == "reset":
        new = init(**state["start"], strength=state["strength"], exercise=state["exercise"])
    elif name == "table":
        offered = [str(index) for index in range(len(TABLES))]
        new = {**state, "table": offered.index(value)} if value in offered else state
    elif name == "advise":
        new = state if game2048.over(state) else _advised(state)
    else:
        new = game2048.update(state, event)
        if (new["board"], new["depth"]) != (state["board"], state["depth"]):
            new = {**new, "both": None}
    if student is None:
        return {**new, "student": None}
    return {**new, "student": _told(guard(student), decode(new["board"])), "exercise": True}


def _advised(state: State) -> State:
    """Ask both advisers."""
    board, depth = decode(state["board"]), state["depth"]
    both = {words: advice.advice(board, depth, name, None) for words, name in ADVISERS.items()}
    first, second = (one["best"][-1] for one in both.values())
    words = f"At depth {depth} the network slides {first}, the hand-made evaluation {second}."
    return {**state, "both": both, "words": words}


def _told(student: Callable[..., Any], board: Board) -> dict[str, str]:
    """Say what a student's function thinks of the slides of this board."""
    net = load_net("small")
    try:
        values = student(board, net.value)
    except StudentError as error:
        return {"sentence": str(error)}
    if not isinstance(values, dict) or any(finite(value) is None for value in values.values()):
        return {"sentence": returned(values, "a dictionary of slides and their values")}
    values = {action: finite(value) for action, value in values.items()}
    slides = {action: slide(board, action) for action in ACTIONS}
    right = {action: reward + net.value(after) for action, (after, reward) in slides.items() if after != board}
    wrong = [a for a in {**right, **values} if not abs(values.get(a, 1e99) - right.get(a, -1e99)) <= 1e-6]
    if not wrong:
        return {"words": "Your function says of every slide what the network says at depth 1."}
    return {
        "words": f"Your function says {number(values[wrong[0]]) if wrong[0] in values else 'nothing'} of {wrong[0]}, "
        f"the network {number(right[wrong[0]]) if wrong[0] in right else 'that it is no move'}."
    }


def view(state: State) -> str:
    """Return the game, both advices, the weights that one tuple reads, and which network this is."""
    players = [(NETWORK, "the network"), *((key, words) for key, (words, _, _) in advice.EVALUATIONS.items())]
    return "".join(
        [
            game2048.play_area(state),
            slot(advice.both_table(state["both"])) if state["both"] else slot(),
            slot(whose(state["student"], lambda told: str(told["words"]))) if state["exercise"] else slot(),
            grid(
                choice(
                    "Depth, in decisions", "depth", [(str(d), str(d)) for d in game2048.DEPTHS], str(state["depth"])
                ),
                choice("Who plays", "evaluation", players, state["evaluation"]),
                choice(
                    "Moves for one press", "batch", [(str(n), str(n)) for n in game2048.BATCHES], str(state["batch"])
                ),
                choice(
                    "Weights shown", "table", [(str(i), words) for i, words in enumerate(TABLES)], str(state["table"])
                ),
            ),
            _weights(state),
            paragraph(_which(state)),
            what_to_try(_next_try(state)),
        ]
    )


def _weights(state: State) -> str:
    """Return the weights of a tuple over its first two cells, the other two as they are on the board."""
    net, number_ = load_net("small"), state["table"]
    ranks = [tile.bit_length() - 1 if tile else 0 for line in decode(state["board"]) for tile in line]
    read = [min(ranks[cell], RANKS[-1]) for cell in net.tuples[number_]]
    tiles = [str(1 << rank) if rank else "empty" for rank in read]
    words = (
        f"{TABLES[number_].capitalize()} reads {', '.join(tiles)} on the board as it stands, and adds "
        f"{number(net.weight(number_, read))}, one of the {net.features} weights it reads. Below, other tiles on the "
        "first two cells; where nothing stands the weight is 0, as before training."
    )
    table = weights_table(
        f"Weights in points; 3rd {tiles[2]}, 4th {tiles[3]}",
        RANKS,
        lambda down, across: net.weight(number_, (down, across, *read[2:])) or None,
        "2nd",
        "1st",
        mark=(read[0], read[1]),
    )
    return paragraph(words) + scroll("The weights", table, tall="start")


def _which(state: State) -> str:
    net = load_net("small")
    words = (
        f"The network shown is the small one: {len(net.tuples)} tuples of four cells, "
        f"{len(net.weights):,} weights, trained by self-play alone."
    )
    return f"{words} {state['strength']}".strip()


def _next_try(state: State) -> str:
    if state["both"] is None:
        return "decide on a slide, then ask for advice. Do the two agree? Whose values are points?"
    if len({one["best"][-1] for one in state["both"].values()}) == 1:
        return "let it play on and ask again, until the two disagree. What does each of them see?"
    return "they disagree. Play the network's slide, look at the next boards, take it back and play the other."
