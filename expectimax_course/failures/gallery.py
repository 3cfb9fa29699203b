"""The gallery: every failure as a pair, broken and mended, and a test that tells them apart.

The two halves of a pair differ in one thing: a model, a scale, a mean, a key, a rule. ``passes`` is the kind of test
that would have found the fault in the first place; it holds for the mended half and fails for the broken one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from expectimax_course.exact.push_to_21 import solve_push
from expectimax_course.failures import chance, models, opponents
from expectimax_course.failures.explosion import LEAVES, Evaluate, Metered, broken_fixed, counted
from expectimax_course.failures.keys import DepthBlind, Unsafe, crossroads, deepened
from expectimax_course.game import Game, Player
from expectimax_course.game2048.evaluate import article
from expectimax_course.game2048.rules import Board, Game2048, State
from expectimax_course.games.trapped import CORNERED, FORK
from expectimax_course.search.cutoff import Cutoff, run_cutoff
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.table import Table

THRESHOLD = 0.05
"""Reach below which the searches of `keys` are cut."""
BOARDS: Game[State, Any] = Game2048(terminal_utility=-100.0)
WIDE: Board = ((16, 8, 2, 0), (4, 2, 0, 0), (0,) * 4, (2, 0, 0, 0))
NARROW: Board = ((2, 4, 2, 4), (4, 2, 4, 2), (2, 4, 2, 4), (0, 2, 4, 2))
"""Boards of 2048: early with room, late and nearly full."""
Decide = Callable[[Game[Any, Any], Any, Evaluate], Any]
GAMES = range(20)
"""Seeds of the games that the tests of the keys are run on."""


class Failure(NamedTuple):
    """One failure.

    Attributes
    ----------
    key, title : str
        Its name in records and apps, and for readers.
    broken, mended : Any
        The one thing that differs.
    passes : callable
        ``passes(broken)`` is False, ``passes(mended)`` True.
    finds : str
        What the test does, in words.
    """

    key: str
    title: str
    broken: Any
    mended: Any
    passes: Callable[[Any], bool]
    finds: str


def earns_all(mean: chance.Mean) -> bool:
    """Say whether a plan for Push to 21 with this mean earns as much as the best one."""
    return abs(chance.earned(chance.make_plan(mean)) - solve_push().values[0]) < 1e-9


def counts_what_counts(scale: Callable[[float], float]) -> bool:
    """Say whether a plan for Push to 21 on this scale earns as much as the best one."""
    return abs(chance.earned(chance.make_plan(scale=scale)) - solve_push().values[0]) < 1e-9


def says_the_same_twice(mean: chance.Mean) -> bool:
    """Say whether searches of one position agree, whatever generator they are handed."""
    return len({tuple(chance.make_plan(mean, seed=seed).values()) for seed in range(5)}) == 1


def avoids_the_risk(lost: float) -> bool:
    """Say whether one loss in ten is preferred to nine in ten, at this value of a lost game."""
    value = {"rash": 0.9 * lost + 0.1 * 10, "careful": 0.1 * lost + 0.9 * 10}
    return max(value, key=value.__getitem__) == "careful"


def repeats_the_search_without_cache(search: type[Cutoff]) -> bool:
    """Say whether a search that keeps values finds those of one that keeps none."""
    for game in map(crossroads, GAMES):
        plain, kept = (
            run_cutoff(kind(game, game.estimate, False, THRESHOLD, how), 0, 5).value  # type: ignore[arg-type]
            for kind, how in ((Cutoff, "none"), (search, "reach" if search is Cutoff else "exact"))
        )
        if abs(plain - kept) > 1e-9:
            return False
    return True


def deepens(table: type[Table]) -> bool:
    """Say whether deepening with such a table ends with the answer of the greatest depth."""
    games = [crossroads(seed) for seed in GAMES]
    plain = [expectiminimax(game, 0, 3, game.estimate).value for game in games]
    return [deepened(game, 0, 3, game.estimate, table()).value for game in games] == plain


def leaves_of(decide: Decide, state: State) -> int:
    """Return how many leaves a way to decide opens on a board of 2048."""
    opened = 0

    def count() -> None:
        nonlocal opened
        opened += 1

    def evaluate(leaf: State) -> float:
        count()
        return article(leaf)

    decide(Metered(BOARDS, count), state, evaluate)
    return opened


def stays_within_the_budget(decide: Decide) -> bool:
    """Say whether deciding costs no more leaves than a move may, on an early, wide board and on a late, narrow one."""
    return max(leaves_of(decide, State(board, Player.MAX)) for board in (WIDE, NARROW)) <= LEAVES


def agrees_with_what_was_seen(spawn_four: float) -> bool:
    """Say whether a belief lies in the interval of 500 spawns of the real game."""
    seen = models.spawn_interval(models.observe_spawns(500, spawn_four=0.1, seed=11))
    return seen.low <= spawn_four <= seen.high


GALLERY: tuple[Failure, ...] = (
    Failure(
        "adversary_for_chance",
        "Nature taken for an adversary",
        "hunt",
        "wander",
        lambda model: opponents.win_rate(CORNERED, model, "wander") > 0.9,
        "wins among wandering guards",
    ),
    Failure(
        "chance_for_adversary",
        "An adversary taken for nature",
        "wander",
        "hunt",
        lambda model: opponents.win_rate(FORK, model, "hunt") > 0.9,
        "wins against hunters",
    ),
    Failure(
        "bent_scale",
        "A scale that predicts nothing",
        chance.broken_square,
        chance.honest_scale,
        counts_what_counts,
        "earns as much as the best plan",
    ),
    Failure(
        "wrong_probabilities",
        "Wrong probabilities",
        models.BELIEVED,
        0.1,
        agrees_with_what_was_seen,
        "lies in the interval of 500 spawns",
    ),
    Failure(
        "missing_reach",
        "A key without the reach",
        Unsafe,
        Cutoff,
        repeats_the_search_without_cache,
        "finds the values of a search without a cache",
    ),
    Failure(
        "wrong_depth",
        "Entries of the wrong depth",
        DepthBlind,
        Table,
        deepens,
        "ends with the answer of the greatest depth",
    ),
    Failure("infinity", "Infinity in a mean", float("-inf"), 0.0, avoids_the_risk, "takes the smaller risk"),
    Failure(
        "explosion",
        "A fixed depth where the tree explodes",
        broken_fixed,
        counted,
        stays_within_the_budget,
        "opens no more leaves than a move may",
    ),
    Failure(
        "divided",
        "Divided by the number of outcomes",
        chance.broken_divided,
        chance.weighted_mean,
        earns_all,
        "earns as much as the best plan",
    ),
    Failure(
        "overwritten",
        "An outcome on top of the one before",
        chance.broken_overwritten,
        chance.weighted_mean,
        earns_all,
        "earns as much as the best plan",
    ),
    Failure(
        "rerolled",
        "Dice rolled again in every branch",
        chance.broken_rerolled,
        chance.weighted_mean,
        says_the_same_twice,
        "says the same thing twice",
    ),
)
"""All failures, in the order of the chapter."""
