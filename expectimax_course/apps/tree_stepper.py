"""Chapter 02: the recursion of expectiminimax, stepped node by node on a tree the reader loads, writes or changes.

All values are exact fractions. The step's words, the open calls and the values come from `_recursion.moments`; what the
whole search found, and at what cost, from `expectiminimax` itself.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

from expectimax_course.apps import _recursion as recursion
from expectimax_course.apps._controls import (
    ask_student,
    button,
    choice,
    details,
    grid,
    paragraph,
    row,
    scroll,
    slot,
    text_field,
    what_to_try,
    whose,
)
from expectimax_course.apps._small_trees import LONGEST, TREES, exact, read_tree
from expectimax_course.game import Player
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.result import SearchResult
from expectimax_course.trees import TreeGame
from expectimax_course.viz.html import element, number, text
from expectimax_course.viz.tree import draw_tree, outline_html

TITLE = "Step through the recursion"
DEPTHS = ("all", "0", "1", "2", "3")
State = dict[str, Any]


def init(tree: str = "chooser", depth: int | None = None, exercise: bool = False) -> State:
    """Return the first view of a tree.

    Parameters
    ----------
    tree : str
        A name of `TREES`, or a tree as text.
    depth : int or None
        Decisions to look ahead, at most 3; None searches to the leaves.
    exercise : bool
        Show what the student's function says about the same tree.

    Raises
    ------
    ValueError
        If the tree cannot be read or is too large to show, or the depth is not one of those offered.
    """
    words = TREES[tree][1] if tree in TREES else tree
    read_tree(words)
    limit = "all" if depth is None else str(depth)
    if limit not in DEPTHS:
        raise ValueError(f"expected a depth from 0 to {DEPTHS[-1]}, or None, got {depth!r}")
    state: State = {"text": words, "tree": words, "error": "", "kinds": {}, "picked": None, "depth": limit, "step": 0}
    return {**state, "exercise": exercise, "student": None, "start": [words, depth]}


def update(state: State, event: dict[str, Any], student: Callable[..., Any] | None = None) -> State:
    """Return the state after an event.

    ``student`` is ``expectiminimax(game, state) -> float``, or the same with ``depth, evaluate``, of exercise 02.
    """
    value = event.get("value")
    new = _apply(state, event.get("name"), value if isinstance(value, str) else None)
    if student is None:
        return {**new, "student": None}
    return {**new, "student": _ask(student, new), "exercise": True}


def _apply(state: State, name: Any, value: str | None) -> State:
    steps = len(_moments(state))
    if name == "step":
        return {**state, "step": min(state["step"] + 1, steps)}
    if name == "back":
        return {**state, "step": max(state["step"] - 1, 0)}
    if name == "run":
        return {**state, "step": steps}
    if name == "reset":
        words, depth = state["start"]
        return init(words, depth, state["exercise"])
    if name == "load" and value in TREES:
        return _with_tree(state, TREES[value][1])
    if name == "write" and value is not None:
        return _with_tree(state, value[:LONGEST])
    if name == "pick" and value in _inner(state):
        return {**state, "picked": int(value)}
    if name == "kind" and value in recursion.RULES:
        kinds = {**state["kinds"], str(_turned_node(state)): value}
        return _keep_end(state, {**state, "kinds": kinds}, steps) if game(state).nodes[0].children else state
    if name == "depth" and value in DEPTHS:
        return _keep_end(state, {**state, "depth": value}, steps)
    return state


def _keep_end(old: State, new: State, steps: int) -> State:
    """Stay at the end of a finished search after a change; else stay at the same step as far as there is one."""
    now = len(_moments(new))
    return {**new, "step": now if old["step"] >= steps else min(new["step"], now)}


def _with_tree(state: State, words: str) -> State:
    try:
        read_tree(words)
    except ValueError as error:
        return {**state, "text": words, "error": f"Not a tree yet: {error}."}
    return {**state, "text": words, "tree": words, "error": "", "kinds": {}, "picked": None, "step": 0}


def _inner(state: State) -> list[str]:
    return [str(node) for node, shown in enumerate(game(state).nodes) if shown.children]


def _turned_node(state: State) -> int:
    """Return the node that the buttons turn: the picked one, else the first chance node, else the root."""
    if state["picked"] is not None:
        return int(state["picked"])
    return next((s for s, node in enumerate(read_tree(state["tree"]).nodes) if node.player is Player.CHANCE), 0)


def game(state: State, convert: Callable[[str], Any] | None = exact) -> TreeGame:
    """Return the tree as it stands, with the nodes that were turned."""
    return recursion.turn(read_tree(state["tree"], convert), {int(node): kind for node, kind in state["kinds"].items()})


def _depth(state: State) -> int | None:
    return None if state["depth"] == "all" else int(state["depth"])


def _moments(state: State) -> list[recursion.Moment]:
    return recursion.moments(game(state), _depth(state))


def search(state: State) -> SearchResult[Any]:
    """Return what `expectiminimax` says about the tree as it stands."""
    tree = game(state)
    return expectiminimax(tree, 0, _depth(state), partial(recursion.middle, tree))


def _ask(student: Callable[..., Any], state: State) -> dict[str, Any]:
    tree = game(state, None)
    try:
        parameters = len(inspect.signature(student).parameters)
    except (TypeError, ValueError):
        parameters = 2
    if parameters < 4:
        return {**ask_student(student, tree, 0), "whole": True}
    return {**ask_student(student, tree, 0, _depth(state), partial(recursion.middle, tree)), "whole": False}


def view(state: State) -> str:
    """Return the tree, what happens at this step, and the controls."""
    tree, steps = game(state), _moments(state)
    moment = steps[state["step"] - 1] if state["step"] else None
    drawn = recursion.drawing(tree, moment, state["picked"])
    called = recursion.names(tree)
    done = state["step"] == len(steps)
    where = f"Step {state['step']} of {len(steps)}. "
    words = _verdict(search(state)) if done else f"At {called[moment.state]}: {moment.words}" if moment else _open(tree)
    return "".join(
        [
            scroll("The tree", draw_tree(drawn, "The tree, as far as it is known")),
            paragraph(where + words, "ec-step", live=True),
            row(
                button("Step", "step", primary=True, enabled=not done),
                button("Back", "back", enabled=state["step"] > 0),
                button("Run", "run", enabled=not done),
                button("Reset", "reset", quiet=True),
                label="The search; the right and left arrow keys step",
                keys="ArrowRight=step ArrowLeft=back",
            ),
            slot(whose(state["student"], partial(_compare, state))) if state["exercise"] else slot(),
            slot(_stack(moment, called)) if moment and not done else slot(),
            element("h4", text("Change it")),
            _change(state, tree, called),
            details("The tree in words", outline_html(drawn)),
            what_to_try(_next_try(state, done)),
        ]
    )


def _open(tree: TreeGame) -> str:
    chance = sum(node.player is Player.CHANCE for node in tree.nodes)
    return f"A tree of {len(tree.nodes)} nodes, {chance} of them chance nodes. Guess the root's value before you step."


def _verdict(result: SearchResult[Any]) -> str:
    counts = result.nodes
    best = "" if result.action is None else f", the best action is {result.action}"
    visited = [
        f"{n} {word}"
        for n, word in (
            (counts.max, "MAX"),
            (counts.min, "MIN"),
            (counts.chance, "CHANCE"),
            (counts.terminal, "terminal"),
            (result.evaluations, "estimated"),
        )
        if n
    ]
    return f"The root is worth {number(result.value)}{best}. Visited: {', '.join(visited)}."


def _compare(state: State, answer: dict[str, Any]) -> str:
    value, whole = answer["value"], answer["whole"]
    right = search({**state, "depth": "all"} if whole else state).value
    verdict = "the same as" if abs(value - right) < 1e-9 else "not"
    return f"Your function says {number(value, 4)}, {verdict} the recursion's {number(right, 4)}" + (
        " for the whole tree." if whole else "."
    )


def _stack(moment: recursion.Moment, called: dict[int, str]) -> str:
    items = []
    for call in moment.stack:
        depth = "" if call.depth is None else f", depth {call.depth}"
        words = f"value({called[call.state]}{depth})" + (f": {call.so_far}" if call.so_far else "")
        items.append(element("li", text(words), aria_current="step" if call is moment.stack[-1] else None))
    return element("h4", text("Open calls, the innermost last")) + element("ol", *items, class_="ec-stack")


def _change(state: State, tree: TreeGame, called: dict[int, str]) -> str:
    loaded = next((key for key, (_, words) in TREES.items() if words == state["tree"]), "own")
    trees = [(key, words) for key, (words, _) in TREES.items()] + ([("own", "your own")] if loaded == "own" else [])
    inner = [(node, f"{called[int(node)]} ({recursion.kind_of(tree, int(node)).upper()})") for node in _inner(state)]
    depths = [(d, "to the leaves" if d == "all" else d) for d in DEPTHS]
    turned = _turned_node(state)
    now = recursion.kind_of(tree, turned)
    return "".join(
        [
            grid(choice("Tree", "load", trees, loaded), choice("Depth, in decisions", "depth", depths, state["depth"])),
            grid(
                choice("Node", "pick", inner, str(turned)) if inner else "",
                row(
                    element("span", text("is")),
                    *(button(kind.upper(), "kind", kind, pressed=kind == now) for kind in recursion.RULES),
                    label="Who chooses at this node",
                )
                if inner
                else "",
            ),
            text_field("Or write a tree", "write", state["text"], largest=LONGEST, wrong=bool(state["error"])),
            paragraph(state["error"], "ec-error", live=True),
        ]
    )


def _next_try(state: State, done: bool) -> str:
    if not done:
        return "say the value of the next node aloud before each step."
    if state["depth"] != "all":
        return "look one decision further. Does the best action stay the same?"
    if not state["kinds"]:
        return "give a chance node to MIN. Which values change, and does the best action?"
    return "give it back to chance, then change one leaf until the best action flips."
