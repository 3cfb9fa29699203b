"""The trees and positions on which the searches are compared: families, each a seeded stream of search problems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from expectimax_course.game import Player
from expectimax_course.games.dice import Dice
from expectimax_course.games.einstein import Einstein
from expectimax_course.games.pig import Pig, PigState
from expectimax_course.random_trees import LEAF_BOUNDS, regular_tree
from expectimax_course.rng import Rng
from expectimax_course.search.bounded import Order
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.ordering import by_estimate, by_score
from expectimax_course.trees import TreeGame, TreeNode


class Counter:
    """A function that counts its calls."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function, self.calls = function, 0

    def __call__(self, *arguments: Any) -> Any:
        self.calls += 1
        return self.function(*arguments)


class Problem(NamedTuple):
    """One search: the game, the root, the depth (None: to the end), the evaluation with its bounds, and a good order.

    ``hint`` counts the calls that the good order makes; they are no leaves.
    """

    game: Any
    state: Any
    depth: int | None
    evaluate: Callable[[Any], float] | None
    bounds: tuple[float, float]
    good_order: Order
    hint: Counter


def tree_problem(seed: int, depth: int, moves: int, outcomes: int, correlated: bool) -> Problem:
    """A regular tree to its end. The good order of a correlated tree is static, else it knows the true values."""
    tree = regular_tree(seed, depth=depth, moves=moves, outcomes=outcomes, correlated=correlated)
    hint = Counter(tree.estimate if correlated else _oracle(tree))
    order = by_estimate(tree, hint, through_chance=correlated)
    return Problem(tree, 0, None, None, LEAF_BOUNDS, order, hint)


def patterned_tree(seed: int, pattern: str, *, moves: int, outcomes: int) -> TreeGame:
    """Return a correlated tree whose levels are written down: "MmC" is MAX, then MIN, then a draw, then the leaves.

    As in `regular_tree`, every move and outcome shifts the score, and the partial sum is a node's estimate.
    """
    kinds = {"M": Player.MAX, "m": Player.MIN, "C": Player.CHANCE}
    rng, nodes = Rng(seed), list[TreeNode]()
    step = LEAF_BOUNDS[1] / len(pattern)

    def add(level: int, score: float) -> int:
        index = len(nodes)
        nodes.append(TreeNode(None, (), (), (), score))
        if level < len(pattern):
            player = kinds[pattern[level]]
            width = outcomes if player is Player.CHANCE else moves
            shifts = [step * (2 * rng.random() - 1) for _ in range(width)]
            children = tuple(add(level + 1, score + shift) for shift in shifts)
            probabilities = (1 / width,) * width if player is Player.CHANCE else ()
            nodes[index] = TreeNode(player, tuple(range(width)), children, probabilities, score)
        return index

    add(0, 0.0)
    return TreeGame(nodes, LEAF_BOUNDS)


def _oracle(tree: TreeGame) -> Callable[[int], float]:
    known: dict[int, float] = {}

    def value(state: int) -> float:
        if state not in known:
            known[state] = expectiminimax(tree, state).value
        return known[state]

    return value


def random_position(game: Any, decisions: int, rng: Rng) -> Any:
    """Return the state after so many random decisions and the draw after them, of a game that is not over by then."""
    while True:
        state, made = game.initial_state(), 0
        while not game.is_terminal(state):
            if game.current_player(state) is Player.CHANCE:
                state = game.result(state, rng.outcome(game.chance_outcomes(state)))
            elif made == decisions:
                return state
            else:
                state = game.result(state, rng.choice(game.legal_actions(state)))
                made += 1


def game_problem(game: Dice | Einstein, decisions: int, depth: int | None, seed: int) -> Problem:
    """A position of Dice or EinStein some random decisions from the start."""
    state = random_position(game, decisions, Rng(seed))
    hint = Counter(game.urgency)
    evaluate = None if depth is None else game.estimate
    return Problem(game, state, depth, evaluate, (-1.0, 1.0), by_score(hint), hint)


def pig_problem(seed: int) -> Problem:
    """Pig to 30 with random scores, six decisions deep. A turn is many decisions long: the tree is irregular."""
    game: Any = Pig(target=30)
    rng = Rng(seed)
    state = PigState(rng.below(20), rng.below(20), Player.MAX, 0, False)

    def lead(state: PigState) -> float:
        return 0.5 + (state.max_score - state.min_score + int(state.mover) * state.turn_total) / 120

    hint = Counter(lead)
    return Problem(game, state, 6, lead, (0.0, 1.0), by_estimate(game, hint), hint)


FAMILIES: dict[str, tuple[str, Callable[[int], Problem]]] = {
    "independent_2_20_21": (
        "independent leaves, depth 2, 20 moves, 21 outcomes",
        lambda s: tree_problem(s, 2, 20, 21, False),
    ),
    "correlated_2_20_21": (
        "correlated leaves, depth 2, 20 moves, 21 outcomes",
        lambda s: tree_problem(s, 2, 20, 21, True),
    ),
    "independent_3_6_6": (
        "independent leaves, depth 3, 6 moves, 6 outcomes",
        lambda s: tree_problem(s, 3, 6, 6, False),
    ),
    "correlated_3_6_6": ("correlated leaves, depth 3, 6 moves, 6 outcomes", lambda s: tree_problem(s, 3, 6, 6, True)),
    "independent_5_3_3": (
        "independent leaves, depth 5, 3 moves, 3 outcomes",
        lambda s: tree_problem(s, 5, 3, 3, False),
    ),
    "dice_6": ("Dice 6 × 6, three in a row, depth 3", lambda s: game_problem(Dice(6, 3), 4, 3, s)),
    "dice_5": ("Dice 5 × 5, four in a row, depth 3", lambda s: game_problem(Dice(5, 4), 5, 3, s)),
    "einstein_5": ("EinStein 5 × 5, depth 3", lambda s: game_problem(Einstein(5, 6), 4, 3, s)),
    "einstein_3": ("EinStein 3 × 3, two stones, to the end", lambda s: game_problem(Einstein(3, 2), 1, None, s)),
    "pig_30": ("Pig to 30, depth 6", pig_problem),
    "einstein_5_deep": ("EinStein 5 × 5, depth 4", lambda s: game_problem(Einstein(5, 6), 4, 4, s)),
}
"""Name → what it is, and the problem of a seed."""
