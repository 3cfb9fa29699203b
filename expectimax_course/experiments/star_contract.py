"""Is the pruned search right? Its contract on random trees and windows, and mutants that must break it.

With v the value of plain expectiminimax and r the result in the window (alpha, beta): v inside means r is v; v <= alpha
means v <= r <= alpha; v >= beta means beta <= r <= v. On Fraction with ==, on floats up to rounding. What is said to be
proven of each action at the root must hold too. The trees are in turn irregular on Fraction, irregular on float,
regular, and paid on the way with a depth limit, on Fraction or in tenths, where rounding shifts windows; half of the
windows' ends lie on the value, next to it or on a bound; tables are on and off.

A *mutant* is the source of the search with one edit, run in modules of its own. A contract that lets one live would
not notice that mistake in anybody's search.
"""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from types import ModuleType
from typing import Any, NamedTuple

from expectimax_course.experiments.record import Findings, Row, exact
from expectimax_course.experiments.runner import Job
from expectimax_course.random_trees import LEAF_BOUNDS, irregular_tree, regular_tree
from expectimax_course.rng import Rng, derive_seed
from expectimax_course.search import alphabeta, bounded, pvs, star
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.result import SearchResult
from expectimax_course.search.table import Table
from expectimax_course.trees import TreeGame

TITLE = "The contract of star and PVS on random trees, and the mutants it catches"
SEEDS = {"first_tree": 0}

BLOCK = 100
MUTANT_TREES = 500
MODULES = {"bounded": bounded, "alphabeta": alphabeta, "star": star, "pvs": pvs}
WINDOWS = 12
TOLERANCE = 1e-12 * (LEAF_BOUNDS[1] - LEAF_BOUNDS[0])


class ScoredTree(TreeGame):
    """A tree that pays on the way: every action has a whole reward between −7 and 5."""

    reward_bounds: tuple[float, float] = (-7, 5)

    def reward(self, state: int, action: Any) -> Any:
        """Return a whole number that depends on state and action alone."""
        return Fraction(Rng(state * 131 + action).below(13) - 7)


class TenthsTree(ScoredTree):
    """A tree that pays a tenth of that, in floats."""

    reward_bounds = (-0.7, 0.5)

    def reward(self, state: int, action: Any) -> float:
        """Return a number of tenths that depends on state and action alone."""
        return int(super().reward(state, action)) / 10


class Case(NamedTuple):
    """One tree and how it is searched."""

    seed: int
    tree: TreeGame
    exact: bool
    settings: dict[str, Any]

    @property
    def plain(self) -> SearchResult[Any]:
        """What plain search finds."""
        return expectiminimax(self.tree, 0, **{k: v for k, v in self.settings.items() if k != "bounds"})


def case(seed: int) -> Case:
    """Return the tree of a seed: irregular on Fraction, irregular on float, regular, or paid with a depth limit."""
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
    how: dict[str, Any] = {"depth": 2, "use_rewards": True}
    if seed % 3 == 0:
        scored = ScoredTree(irregular_tree(seed, depth=6, width=3, exact=True).nodes, LEAF_BOUNDS)
        return Case(seed, scored, True, {**how, "evaluate": scored.estimate, "bounds": bounds})
    nodes = irregular_tree(seed, depth=6, width=3).nodes
    if seed % 3 == 1:
        ties = TenthsTree([node._replace(number=int(node.number) % 4 / 10) for node in nodes], (0.0, 0.3))
        return Case(seed, ties, False, {**how, "evaluate": ties.estimate, "bounds": (0.0, 0.3)})
    paid = TenthsTree(nodes, LEAF_BOUNDS)
    return Case(seed, paid, False, {**how, "evaluate": paid.estimate, "bounds": LEAF_BOUNDS})


def windows(case: Case, value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield random windows, many with an end on the value, next to it, or on a bound."""
    rng = Rng(derive_seed(case.seed, 1))
    low, high = LEAF_BOUNDS
    for _ in range(WINDOWS):
        ends = [
            rng.choice(
                (
                    value,
                    math.nextafter(value, math.inf),
                    value - 1,
                    value + 1,
                    low,
                    high,
                    low + rng.below(high - low + 1),
                    low + rng.random() * 200,
                )
            )
            for _ in range(2)
        ]
        alpha, beta = sorted(Fraction(end) for end in ends) if case.exact else sorted(ends)
        yield (alpha, beta) if alpha < beta else (alpha, alpha + 1)


def broken(case: Case, plain: SearchResult[Any], window: tuple[Any, Any], found: SearchResult[Any]) -> bool:
    """Say whether a result breaks the contract, at the root or in what it claims of an action."""
    alpha, beta = window
    value, result = plain.value, found.value
    slack = 0 if case.exact else TOLERANCE
    for action, (lower, upper) in found.action_values.items():
        if not lower - slack <= plain.action_values[action][0] <= upper + slack:
            return True
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
        plain, table = this.plain, Table()
        if "depth" in this.settings:  # a table that holds other depths too, as in iterative deepening
            search(this.tree, 0, **{**this.settings, "depth": 1}, probing=1, table=table, **how)
        for turn, window in enumerate(windows(this, plain.value)):
            for probing in (0, 1, 2):
                shared = table if (turn + probing) % 2 else None
                got = search(this.tree, 0, probing=probing, window=window, table=shared, **this.settings, **how)
                checks += 1
                if broken(this, plain, window, got):
                    return number, checks
    return len(seeds), -checks


class Mutant(NamedTuple):
    """An edit of one module: every ``old`` becomes ``new``, then the same for a second pair."""

    module: str
    old: str
    new: str
    second: tuple[str, str] | None = None


MUTANTS = {
    # the three of the literature's folklore, with the four steps that are easy to miss where they change a value
    "the parent's window is handed through a chance node": Mutant(
        "star",
        "                a, b = node.window(child, alpha, beta)\n                others_low",
        "                a, b = alpha, beta\n                others_low",
    ),
    "the child window is not divided by the probability": Mutant(
        "star",
        "(alpha - others_high) / p, (beta - others_low) / p",
        "alpha - others_high, beta - others_low",
    ),
    "L and U are swapped": Mutant("bounded", "return self.low, self.high\n", "return self.high, self.low\n"),
    "outcomes of probability 0 are kept": Mutant(
        "star", " for outcome, p in outcomes if p > 0]", " for outcome, p in outcomes]"
    ),
    "a failing child is bounded from the wrong side": Mutant(
        "star", "return min(alpha, others_high +", "return min(alpha, others_low +"
    ),
    # our own
    "the rest of a chance node is bounded from the wrong side": Mutant(
        "star",
        "return self.low - p * child.lower, self.high - p * child.upper",
        "return self.high - p * child.upper, self.low - p * child.lower",
    ),
    "a failing child's window is returned and not its bound": Mutant(
        "star", "return max(beta, others_low + child.probability * value)", "return max(beta, node.high)"
    ),
    "a probe of a max node counts as its value": Mutant(
        "star",
        "inside, exact = value < b, value >= upper or (value < b and not left)",
        "inside, exact = value < b, True",
    ),
    "a probe of a min node raises the lower bound": Mutant(
        "star", "proven = (value if exact else lower, value)", "proven = (value, upper)"
    ),
    "what a probe has found is forgotten": Mutant("star", "child.actions_left, child.lower)", "child.actions_left)"),
    "the table keeps a lower bound as a value": Mutant("bounded", "            if value < beta:\n", ""),
    "the table's key lacks the depth": Mutant(
        "bounded", "entries.get((state, depth))", "entries.get(state)", ("entries[state, depth]", "entries[state]")
    ),
    "the window is not shifted by a reward": Mutant(
        "alphabeta", "low, high = alpha - reward, beta - reward", "low, high = alpha, beta"
    ),
    "rewards still to come are left out of the bounds": Mutant(
        "bounded",
        "return self.low + depth * min(0, self.least), self.high + depth * max(0, self.most)",
        "return self.low, self.high",
    ),
    "min cuts like max": Mutant("alphabeta", "if best <= alpha:", "if best >= beta:"),
    "what fails high in a null window is not searched again": Mutant(
        "pvs", "high <= value < beta", "False", ("alpha < value <= low", "False")
    ),
}


def mutated(mutant: Mutant | None) -> Any:
    """Return ``star`` built from the sources, with the edit of a mutant; ``pvs`` if that is where the edit lies.

    Raises
    ------
    ValueError
        If the source has changed, so that the edit does not fit.
    """
    built: dict[str, ModuleType] = {}
    for name, module in MODULES.items():
        source = inspect.getsource(module)
        for other in MODULES:
            source = source.replace(f"expectimax_course.search.{other} import", f"mutant_{other} import")
        if mutant is not None and mutant.module == name:
            for old, new in ((mutant.old, mutant.new), *([mutant.second] if mutant.second else [])):
                if old not in source:
                    raise ValueError(f"expected {old!r} in the source of {name}, got another version")
                source = source.replace(old, new)
        built[name] = ModuleType(f"mutant_{name}")
        sys.modules[f"mutant_{name}"] = built[name]
        exec(compile(source, f"mutant_{name}", "exec"), built[name].__dict__)
    for name in MODULES:
        del sys.modules[f"mutant_{name}"]
    return built["pvs"].pvs if mutant is not None and mutant.module == "pvs" else built["star"].star


def check_block(search: str, block: int) -> list[int]:
    """Run the contract on one block of trees; return [trees, checks], the checks negative if none failed."""
    function = {"star": star.star, "pvs": pvs.pvs}[search]
    return list(first_failure(function, range(block * BLOCK, (block + 1) * BLOCK)))


def kill(name: str) -> list[int | str]:
    """Run the contract on a mutant; return how it died, and after how many trees and checks (0: it crashed)."""
    try:
        trees, checks = first_failure(mutated(MUTANTS[name]), range(MUTANT_TREES))
    except (ArithmeticError, RecursionError) as error:
        return [type(error).__name__, 0, 0]
    return ["wrong result" if checks > 0 else "survived", trees, abs(checks)]


def run(job: Job) -> Findings:
    """Check star on 5,000 trees and PVS on 1,000, then try every mutant."""
    results = {}
    for name, trees in (("star", job.size(5000, quick=200)), ("pvs", job.size(1000, quick=100))):
        blocks = job.map(check_block, [(name, block) for block in range(trees // BLOCK)], seed=None)
        results[f"{name}_trees"] = exact(sum(trees for trees, _ in blocks), unit="trees")
        results[f"{name}_checks"] = exact(sum(abs(checks) for _, checks in blocks), unit="checks")
        results[f"{name}_failures"] = exact(sum(checks > 0 for _, checks in blocks), unit="blocks that failed")
    deaths = job.map(kill, [(name,) for name in MUTANTS], seed=None)
    rows: list[Row] = [
        {"mutant": name, "module": MUTANTS[name].module, "died_by": how, "trees": trees, "checks": checks}
        for name, (how, trees, checks) in zip(MUTANTS, deaths, strict=True)
    ]
    results["mutants"] = exact(len(rows), unit="mutants")
    results["survivors"] = exact(sum(row["died_by"] == "survived" for row in rows), unit="mutants")
    return Findings(results, {"mutants": rows})
