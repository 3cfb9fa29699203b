"""The contract of every pruned search, as something a test can run: random trees, random windows, three cases.

With v the value of plain expectiminimax and r the result in the window (alpha, beta): v inside means r is v; v <= alpha
means v <= r <= alpha; v >= beta means beta <= r <= v. On Fraction with ==, on floats up to rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from expectimax_course.random_trees import LEAF_BOUNDS, irregular_tree, regular_tree
from expectimax_course.rng import Rng, derive_seed
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.table import Table
from expectimax_course.trees import TreeGame

WINDOWS = 12
TOLERANCE = 1e-12 * (LEAF_BOUNDS[1] - LEAF_BOUNDS[0])


class ScoredTree(TreeGame):
    """A tree that pays on the way: every action has a whole reward between −7 and 5."""

    reward_bounds = (-7, 5)

    def reward(self, state: int, action: Any) -> Any:
        return Fraction(Rng(state * 131 + action).below(13) - 7)


class Case(NamedTuple):
    """One tree and how it is searched."""

    seed: int
    tree: TreeGame
    exact: bool
    settings: dict[str, Any]

    @property
    def value(self) -> Any:
        plain = {k: v for k, v in self.settings.items() if k != "bounds"}
        return expectiminimax(self.tree, 0, **plain).value


def case(seed: int) -> Case:
    """The tree of a seed: in turn irregular on Fraction, irregular on float, regular, and paid with a depth limit."""
    kind = seed % 4
    bounds = (Fraction(LEAF_BOUNDS[0]), Fraction(LEAF_BOUNDS[1]))
    if kind == 0:
        return Case(seed, irregular_tree(seed, exact=True), True, {"bounds": bounds})
    if kind == 1:
        return Case(seed, irregular_tree(seed, width=5), False, {"bounds": LEAF_BOUNDS})
    if kind == 2:
        shape = Rng(seed)
        tree = regular_tree(
            seed,
            depth=2 + shape.below(2),
            moves=1 + shape.below(3),
            outcomes=1 + shape.below(3),
            correlated=shape.below(2) == 0,
        )
        return Case(seed, tree, False, {"bounds": LEAF_BOUNDS})
    scored = ScoredTree(irregular_tree(seed, depth=6, width=3, exact=True).nodes, LEAF_BOUNDS)
    return Case(seed, scored, True, {"depth": 2, "evaluate": scored.estimate, "bounds": bounds, "use_rewards": True})


def windows(case: Case, value: Any) -> Iterator[tuple[Any, Any]]:
    """Random windows, many with an end on the value, next to it, or on a bound."""
    rng = Rng(derive_seed(case.seed, 1))
    low, high = LEAF_BOUNDS
    for _ in range(WINDOWS):
        ends = [
            rng.choice(
                (value, value - 1, value + 1, low, high, low + rng.below(high - low + 1), low + rng.random() * 200)
            )
            for _ in range(2)
        ]
        alpha, beta = sorted(Fraction(end) for end in ends) if case.exact else sorted(ends)
        yield (alpha, beta) if alpha < beta else (alpha, alpha + 1)


def broken(case: Case, value: Any, window: tuple[Any, Any], result: Any) -> bool:
    """Say whether a result breaks the contract."""
    alpha, beta = window
    slack = 0 if case.exact else TOLERANCE
    if alpha < value < beta and abs(result - value) <= slack:
        return False
    if value <= alpha + slack and value - slack <= result <= alpha + slack:
        return False
    return not (value >= beta - slack and beta - slack <= result <= value + slack)


def first_failure(search: Callable[..., Any], seeds: range, **how: Any) -> tuple[int, int]:
    """Run the contract until it breaks; return how many trees and checks it took, checks negative if none failed.

    ``search`` runs with the probing factors 0, 1 and 2, with a table shared by all windows of a tree and without.
    """
    checks = 0
    for number, seed in enumerate(seeds, 1):
        this = case(seed)
        value, table = this.value, Table()
        if "depth" in this.settings:  # a table that holds other depths too, as in iterative deepening
            search(this.tree, 0, **{**this.settings, "depth": 1}, probing=1, table=table, **how)
        for turn, window in enumerate(windows(this, value)):
            for probing in (0, 1, 2):
                shared = table if (turn + probing) % 2 else None
                got = search(this.tree, 0, probing=probing, window=window, table=shared, **this.settings, **how)
                checks += 1
                if broken(this, value, window, got.value):
                    return number, checks
    return len(seeds), -checks
