"""Graphs, where positions meet again and play can go in circles: one table for all depths, windows, roots and searches.

On trees no state comes twice, so a table is asked about nothing but the same search in another window. Here whatever a
table holds afterwards is checked, entry by entry, against a recursion of the test's own. All numbers are Fractions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from expectimax_course.game import Player
from expectimax_course.games.push_to_21 import PushTo21
from expectimax_course.rng import Rng, derive_seed
from expectimax_course.search.alphabeta import alphabeta
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.pvs import pvs
from expectimax_course.search.star import star
from expectimax_course.search.table import Table

GRAPHS, SEARCHES = 400, 12
LOW, HIGH = Fraction(-10), Fraction(10)
KINDS = (Player.MAX, Player.MIN, Player.CHANCE, Player.CHANCE)


class Graph:
    """A random game on the states 0 … n − 1, the last of them terminal. Draws lead onwards, so a depth ends it."""

    utility_bounds = (LOW, HIGH)
    reward_bounds = (Fraction(-3), Fraction(2))

    def __init__(self, seed: int, *, chance: bool) -> None:
        rng = Rng(seed)
        self.size = 3 + rng.below(20)
        circles = rng.below(2) == 0
        self.numbers = [rng.choice((LOW, HIGH, Fraction(0), Fraction(rng.below(21) - 10))) for _ in range(self.size)]
        self.players: list[Player | None] = []
        self.children, self.weights, self.rewards = [], [], []
        for state in range(self.size):
            player = None if state == self.size - 1 or rng.below(6) == 0 else rng.choice(KINDS if chance else KINDS[:2])
            first = 0 if circles and player in (Player.MAX, Player.MIN) else state + 1
            width = 0 if player is None else 1 + rng.below(4)
            weights = [rng.choice((0, 1, 1, 2, 1000)) for _ in range(width)]
            if not any(weights):
                weights = [1] * width
            self.players.append(player)
            self.children.append([first + rng.below(self.size - first) for _ in range(width)])
            self.weights.append([Fraction(weight, sum(weights)) for weight in weights])
            self.rewards.append([Fraction(rng.below(6) - 3) for _ in range(width)])

    def initial_state(self) -> int:
        return 0

    def current_player(self, state: int) -> Any:
        return self.players[state]

    def legal_actions(self, state: int) -> range:
        return range(len(self.children[state]))

    def chance_outcomes(self, state: int) -> list[tuple[int, Any]]:
        return list(enumerate(self.weights[state]))

    def result(self, state: int, action: int) -> int:
        return self.children[state][action]

    def is_terminal(self, state: int) -> bool:
        return self.players[state] is None

    def utility(self, state: int) -> Any:
        return self.numbers[state]

    def reward(self, state: int, action: int) -> Any:
        return self.rewards[state][action]


def oracle(graph: Graph, paid: bool) -> Callable[[int, int], Any]:
    """The value of (state, depth), by definition."""

    @cache
    def value(state: int, depth: int) -> Any:
        player, children = graph.players[state], graph.children[state]
        if player is None or depth == 0:
            return graph.numbers[state]
        if player is Player.CHANCE:
            return sum(p * value(child, depth) for p, child in zip(graph.weights[state], children, strict=True))
        rewards = graph.rewards[state] if paid else [0] * len(children)
        worth = [reward + value(child, depth - 1) for reward, child in zip(rewards, children, strict=True)]
        return max(worth) if player is Player.MAX else min(worth)

    return value


def check(found: Any, true: Any, alpha: Any, beta: Any) -> None:
    """The contract, on what is said of it too."""
    if alpha < true < beta:
        assert (found.value, found.kind) == (true, "exact")
    elif true <= alpha:
        assert true <= found.value <= alpha
    else:
        assert beta <= found.value <= true
    assert found.kind != "exact" or found.value == true


@pytest.mark.parametrize("paid", [False, True], ids=["unpaid", "paid"])
@pytest.mark.parametrize("chance", [False, True], ids=["no chance", "chance"])
def test_one_table_serves_all_depths_windows_roots_and_searches(chance: bool, paid: bool) -> None:
    entries = hits = 0
    for seed in range(GRAPHS):
        graph: Any = Graph(derive_seed(seed, chance, paid), chance=chance)
        value, rng = oracle(graph, paid), Rng(seed)
        tables = {search: Table() for search in ("bounded", "open")}

        def shuffled(state: int, actions: Any, rng: Rng = rng) -> Any:
            """An order that is worth nothing, and another one each time."""
            mixed = list(actions)
            rng.shuffle(mixed)
            return mixed

        for turn in range(SEARCHES):
            root, depth = rng.below(graph.size), rng.below(6)
            true = value(root, depth)
            ends = [true, true - 1, true + 1, true + Fraction(1, 10**12), LOW, HIGH, Fraction(rng.below(80) - 40)]
            alpha, beta = sorted((rng.choice((-math.inf, *ends)), rng.choice((*ends, math.inf))))
            if not alpha < beta:
                alpha, beta = -math.inf, math.inf
            how: dict[str, Any] = {
                "window": (alpha, beta),
                "use_rewards": paid,
                "order": shuffled if turn % 3 else None,
            }
            if not chance and turn % 2:
                found = alphabeta(graph, root, depth, graph.utility, table=tables["open"], **how)
            else:
                bounds, search = (LOW, HIGH), rng.choice((star, pvs))
                how |= {"table": tables["bounded"], "probing": rng.below(4), "verify_bounds": True}
                found = search(graph, root, depth, graph.utility, bounds=bounds, **how)
            check(found, true, alpha, beta)
            for action, (lower, upper) in found.action_values.items():
                reward = graph.reward(root, action) if paid else 0
                assert lower <= reward + value(graph.result(root, action), depth - 1) <= upper
            hits += found.table_hits
        for table in tables.values():
            for (state, depth), (lower, upper) in table.values.items():
                assert lower <= value(state, int(depth)) <= upper
            entries += len(table)
    assert entries > GRAPHS
    assert hits > GRAPHS


@pytest.mark.parametrize("probing", [0, 1, 2])
@pytest.mark.parametrize(("target", "faces"), [(21, 10), (60, 6), (30, 4), (12, 12)])
def test_with_a_table_push_to_21_costs_no_more_leaves_than_plain_search(target: int, faces: int, probing: int) -> None:
    """Every total is a transposition: a child may be solved while the chance node above it is open."""
    game = PushTo21(target, faces)
    plain = expectiminimax(game, game.initial_state(), table=Table())
    found = star(game, game.initial_state(), probing=probing, table=Table())
    assert found.value == plain.value
    assert found.leaves <= plain.leaves


def test_on_graphs_probes_cost_next_to_nothing_beside_a_table() -> None:
    """Without an order a probe seldom cuts, but its work is kept, for all who come to the same state."""
    leaves = dict.fromkeys((0, 1, 2), 0)
    for seed in range(400):
        graph: Any = Graph(seed, chance=True)
        for probing in leaves:
            table = Table()
            leaves[probing] += star(graph, 0, 5, graph.utility, probing=probing, bounds=(LOW, HIGH), table=table).leaves
    assert leaves[1] < 1.02 * leaves[0]
    assert leaves[2] < 1.03 * leaves[0]
