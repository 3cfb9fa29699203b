"""The contract catches what people get wrong: each mutant of the search dies within 500 trees.

A mutant is the source of the search with one edit, run in modules of its own.
"""

from __future__ import annotations

import inspect
import sys
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from windows import first_failure

from expectimax_course.search import alphabeta, bounded, star

TREES = 500
MODULES = {"bounded": bounded, "alphabeta": alphabeta, "star": star}


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
        "(alpha - others_high) / child.probability, (beta - others_low) / child.probability",
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
        "alphabeta", "depth - 1, alpha - reward, beta - reward)", "depth - 1, alpha, beta)"
    ),
    "rewards still to come are left out of the bounds": Mutant(
        "bounded",
        "return self.low + depth * min(0, self.least), self.high + depth * max(0, self.most)",
        "return self.low, self.high",
    ),
    "min cuts like max": Mutant("alphabeta", "if best <= alpha:", "if best >= beta:"),
}


def mutated(mutant: Mutant | None) -> Any:
    """Return ``star`` built from the edited sources."""
    built: dict[str, ModuleType] = {}
    for name, module in MODULES.items():
        source = inspect.getsource(module)
        for other in MODULES:
            source = source.replace(f"expectimax_course.search.{other} import", f"mutant_{other} import")
        if mutant is not None and mutant.module == name:
            for old, new in ((mutant.old, mutant.new), *([mutant.second] if mutant.second else [])):
                assert old in source, f"the mutant does not fit {name} any more: {old!r}"
                source = source.replace(old, new)
        built[name] = ModuleType(f"mutant_{name}")
        sys.modules[f"mutant_{name}"] = built[name]
        exec(compile(source, f"mutant_{name}", "exec"), built[name].__dict__)
    for name in MODULES:
        del sys.modules[f"mutant_{name}"]
    return built["star"].star


@pytest.mark.parametrize("name", MUTANTS)
def test_every_mutant_dies_within_five_hundred_trees(name: str) -> None:
    search = mutated(MUTANTS[name])
    try:
        _, checks = first_failure(search, range(TREES))
    except (ArithmeticError, RecursionError):
        return
    assert checks > 0, f"survived {-checks} checks"


def test_the_sources_without_an_edit_survive() -> None:
    assert first_failure(mutated(None), range(100))[1] < 0


def test_there_is_an_edit_in_every_mutant() -> None:
    assert all(mutant.old != mutant.new for mutant in MUTANTS.values())
    assert len(MUTANTS) >= 5 + 5
