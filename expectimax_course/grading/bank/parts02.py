"""Oracles, case generators and wrong implementations for the questions of chapter 02."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from expectimax_course.game import Player
from expectimax_course.games.pig import PigState
from expectimax_course.games.push_to_21 import PushState
from expectimax_course.grading.bank import Make, Source
from expectimax_course.rng import Rng

MAX, MIN, CHANCE = Player.MAX, Player.MIN, Player.CHANCE


Values = Sequence[float]


Combine = Callable[[Values, Values], float]
"""What a node makes of its children's values and, at a chance node, their probabilities."""


def weighted(values: Values, probabilities: Values) -> float:
    """Return the mean, each value weighted with its probability."""
    return sum(p * value for p, value in zip(probabilities, values, strict=True))


def plain_mean(values: Values, _: Values) -> float:
    """Return the mean, all children alike."""
    return sum(values) / len(values)


def highest(values: Values, _: Values) -> float:
    """Return what MAX picks."""
    return max(values)


def lowest(values: Values, _: Values) -> float:
    """Return what MIN picks."""
    return min(values)


def turned(values: Values, _: Values) -> float:
    """Return what MIN picks, with the sign of MIN's own view."""
    return max(-value for value in values)


def fold_with(*, at_max: Combine = highest, at_min: Combine = lowest, at_chance: Combine = weighted) -> Any:
    """Return the node function ``(player, values, probabilities)`` with these three rules."""
    rules = {MAX: at_max, MIN: at_min, CHANCE: at_chance}
    return lambda player, values, probabilities: rules[player](values, probabilities)


def children_of(game: Any, state: Any) -> tuple[list[Any], list[float]]:
    """Return the children of a state and, at a chance node, their probabilities."""
    if game.current_player(state) is CHANCE:
        outcomes = game.chance_outcomes(state)
        return [game.result(state, outcome) for outcome, _ in outcomes], [p for _, p in outcomes]
    return [game.result(state, action) for action in game.legal_actions(state)], []


def search_with(**rules: Combine) -> Any:
    """Return a search ``(game, state)`` that folds children with these rules."""
    fold = fold_with(**rules)

    def value(game: Any, state: Any) -> Any:
        if game.is_terminal(state):
            return game.utility(state)
        children, probabilities = children_of(game, state)
        return fold(game.current_player(state), [value(game, child) for child in children], probabilities)

    return value


def overwriting(*, also_at_max: bool) -> Any:
    """Return a search that keeps the child in the variable of its parent."""

    def value(game: Any, state: Any) -> Any:
        if game.is_terminal(state):
            return game.utility(state)
        if game.current_player(state) is CHANCE:
            total = 0.0
            for outcome, p in game.chance_outcomes(state):
                state = game.result(state, outcome)
                total += p * value(game, state)
            return total
        values = []
        for action in game.legal_actions(state):
            child = game.result(state, action)
            state = child if also_at_max else state
            values.append(value(game, child))
        return max(values)

    return value


SURE = ("1", "0.25 0.75", "0.75 0.25", "0.5 0.5", "0.5 0.25 0.25")
WEIGHTS = (*SURE, "0 1")
"""Probabilities of the outcomes of a draw; with ``SURE`` each of them may happen."""


def draw_tree(rng: Rng, *, levels: int, players: Sequence[str], weights: Sequence[str] = WEIGHTS) -> str:
    """Draw a tree as text; leaves are whole numbers from −9 to 9, probabilities quarters, and paths end early."""

    def node(left: int) -> str:
        if left == 0 or (left < levels and rng.below(5) == 0):
            return str(rng.below(19) - 9)
        player = rng.choice(players)
        if player == "chance":
            return f"chance({', '.join(f'{p}: {node(left - 1)}' for p in rng.choice(weights).split())})"
        return f"{player}({', '.join(node(left - 1) for _ in range(1 + rng.below(3)))})"

    return node(levels)


def tree(text: str) -> Make:
    """Return the recipe of a tree game."""
    return Make("expectimax_course.trees:parse_tree", text)


def push(target: int, faces: int) -> Make:
    """Return the recipe of a Push game."""
    return Make("expectimax_course.games.push_to_21:PushTo21", target=target, faces=faces)


def draw_node(rng: Rng) -> tuple[Any, ...]:
    """Draw a player, one to four values and, at a chance node, uneven probabilities."""
    player = rng.choice((MAX, MIN, CHANCE, CHANCE))
    values = [float(rng.below(41) - 20) for _ in range(1 + rng.below(4))]
    weights = [rng.below(5) + 1 for _ in values]
    return player, values, [w / sum(weights) for w in weights] if player is CHANCE else []


def expectimax(game: Any, state: Any) -> Any:
    """Return the value that the package's own search finds."""
    from expectimax_course.search.expectimax import expectimax as search

    return search(game, state).value


def expectiminimax(game: Any, state: Any) -> Any:
    """Return the value that the package's own search for two players finds."""
    from expectimax_course.search.expectimax import expectiminimax as search

    return search(game, state).value


def draw_max_chance(rng: Rng) -> tuple[Any, ...]:
    """Draw a tree of MAX and chance, or a small Push game at some total."""
    if rng.below(5) == 0:
        target = 1 + rng.below(5)
        return push(target, 1 + rng.below(3)), PushState(rng.below(target), rng.choice(("choose", "roll")))
    return tree(draw_tree(rng, levels=2 + rng.below(2), players=("max", "chance"))), 0


def draw_any_tree(rng: Rng) -> tuple[Any, ...]:
    """Draw a tree of all three players."""
    return tree(draw_tree(rng, levels=2 + rng.below(3), players=("max", "min", "chance"))), 0


def depth_limited(game: Any, state: Any, depth: int, evaluate: Any) -> Any:
    """Return the value of the package's own search to a depth."""
    from expectimax_course.search.expectimax import expectiminimax as search

    return search(game, state, depth, evaluate).value


def limited(
    *,
    at_chance: int = 0,
    last: int = 0,
    utility_at_cut: bool = False,
    cut_before_end: bool = False,
    opens_afterstate: bool = False,
) -> Any:
    """Return a search to a depth with one of the usual mistakes."""
    fold = fold_with()

    def value(game: Any, state: Any, depth: int, evaluate: Any) -> Any:
        terminal = game.is_terminal(state)
        chance = not terminal and game.current_player(state) is CHANCE
        cut = depth <= last and not (opens_afterstate and chance)
        if cut and cut_before_end:
            return evaluate(state)
        if terminal or (cut and utility_at_cut):
            return game.utility(state)
        if cut:
            return evaluate(state)
        children, probabilities = children_of(game, state)
        left = depth - (at_chance if chance else 1)
        return fold(
            game.current_player(state), [value(game, child, left, evaluate) for child in children], probabilities
        )

    return value


BY_NUMBER = Source("def evaluate(state):\n    return 10 - 3 * state % 19\n", "evaluate")


BY_TOTAL = Source("def evaluate(state):\n    return state.total / 2 - 1\n", "evaluate")


BY_SCORES = Source("def evaluate(state):\n    return state.max_score - state.min_score + 0.125\n", "evaluate")


def draw_position(rng: Rng, weights: Sequence[str] = WEIGHTS) -> tuple[Any, ...]:
    """Draw a game, a state of it and an evaluation: Push, Pig or a tree of all players."""
    kind = rng.below(3)
    if kind == 0:
        target = 3 + rng.below(6)
        return push(target, 2 + rng.below(2)), PushState(rng.below(target), rng.choice(("choose", "roll"))), BY_TOTAL
    if kind == 1:
        game = Make("expectimax_course.games.pig:Pig", target=4, faces=3)
        state = PigState(rng.below(4), rng.below(4), rng.choice((MAX, MIN)), rng.below(4), rng.below(2) == 1)
        return game, state, BY_SCORES
    players = ("max", "min", "chance", "chance")
    return tree(draw_tree(rng, levels=2 + rng.below(3), players=players, weights=weights)), 0, BY_NUMBER


def draw_limited(rng: Rng) -> tuple[Any, ...]:
    """Draw a position, a depth from 0 to 3, and an evaluation."""
    game, state, evaluate = draw_position(rng)
    return game, state, rng.below(4), evaluate


def count_nodes(game: Any, state: Any, depth: int) -> int:
    """Count with the package's own search."""
    from expectimax_course.search.expectimax import expectiminimax as search

    result = search(game, state, depth, lambda _: 0.0)
    return result.nodes.total + result.evaluations


def visits(game: Any, state: Any, depth: int, at_chance: int = 0) -> list[tuple[Any, str]]:
    """Return every visit of a depth-limited search with the kind of node."""
    if game.is_terminal(state) or depth <= 0:
        return [(state, "leaf")]
    chance = game.current_player(state) is CHANCE
    left = depth - (at_chance if chance else 1)
    below = [visit for child in children_of(game, state)[0] for visit in visits(game, child, left, at_chance)]
    return [(state, "chance" if chance else "decision"), *below]


def draw_counted(rng: Rng) -> tuple[Any, ...]:
    """Draw a position and a depth from 0 to 4; an outcome of probability 0 is visited by some searches only."""
    game, state, _ = draw_position(rng, SURE)
    return game, state, rng.below(5)


Node = Any
"""A number, or {"kind": "max" | "chance", "children": {name: Node}, "probability": {name: float}}."""


def strict_value(node: Node) -> Any:
    """Return the value of a node written as a dictionary, or refuse it."""
    if not isinstance(node, dict):
        return float(node)
    values = {name: strict_value(child) for name, child in node["children"].items()}
    if node["kind"] == "max":
        return max(values.values())  # raises ValueError where there is no child
    probability = node["probability"]
    if set(values) - set(probability) or abs(sum(probability.values()) - 1) > 1e-9:
        raise ValueError("expected a probability for each child, and a sum of 1")
    return sum(probability[name] * value for name, value in values.items())


def lenient(*, empty: bool, missing: str, total: str) -> Any:
    """Return a version that mends some of the three faults: ``missing`` and ``total`` say how it takes them."""

    def value(node: Node) -> Any:
        if not isinstance(node, dict):
            return float(node)
        values = {name: value(child) for name, child in node["children"].items()}
        if node["kind"] == "max":
            return max(values.values(), default=-math.inf) if empty else max(values.values())
        probability = node["probability"]
        mass = sum(probability.values())
        if total == "checked" and abs(mass - 1) > 1e-9:
            raise ValueError
        if missing != "zero" and set(values) - set(probability):
            raise KeyError if missing == "KeyError" else ValueError
        mean = sum(probability.get(name, 0) * each for name, each in values.items())
        return mean / mass if total == "normalised" and mass else mean

    return value


def draw_dictionary(rng: Rng) -> tuple[Any, ...]:
    """Draw a tree as dictionaries; three times in four spoil one of its nodes."""
    fault = rng.choice(("none", "none", "missing", "missing, sum 1", "missing, sum 1", "sum", "empty", "empty"))

    def node(left: int, fault: str) -> Node:
        if left == 0 and fault == "none":
            return rng.below(19) - 9
        names = "abc"[: 2 + rng.below(2)]
        if (fault == "empty" and left <= 1) or (fault in ("none", "empty") and rng.below(2)):
            if fault == "empty" and left <= 1:
                return {"kind": "max", "children": {}}
            return {"kind": "max", "children": {n: node(left - 1, fault if n == "a" else "none") for n in names}}
        here = fault if left <= 1 or rng.below(2) else "none"
        passed = fault if here == "none" else "none"
        children = {n: node(max(left - 1, 0), passed if n == "b" else "none") for n in names}
        probability = dict(zip(names, (0.5, 0.25, 0.25) if len(names) == 3 else (0.25, 0.75), strict=True))
        if here == "empty":
            children["a"] = {"kind": "max", "children": {}}
        elif here == "sum":
            probability["a"] += rng.choice((0.5, -0.25))
        elif here.startswith("missing"):
            lost = probability.pop("a")
            probability["b"] += lost if here.endswith("1") else 0
        return {"kind": "chance", "children": children, "probability": probability}

    return (node(2, fault),)


def chance_node(children: dict[str, Node], probability: dict[str, float]) -> Node:
    """Return a chance node as a dictionary."""
    return {"kind": "chance", "children": children, "probability": probability}
