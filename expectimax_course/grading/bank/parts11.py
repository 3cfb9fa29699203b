"""Oracles, case generators and wrong implementations for the questions of chapter 11."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from expectimax_course.game import Player
from expectimax_course.games.counted import CountedGame
from expectimax_course.games.push_to_21 import PushState
from expectimax_course.grading.bank import Make, Source
from expectimax_course.grading.bank.parts02 import BY_NUMBER, BY_TOTAL, children_of, draw_tree, push, tree
from expectimax_course.grading.bank.parts07 import counted, meeting
from expectimax_course.grading.codec import decode, encode
from expectimax_course.rng import Rng

MAX, MIN, CHANCE = Player.MAX, Player.MIN, Player.CHANCE
Branching = Sequence[tuple[int, int]]

NAMES = (
    "nature taken for an adversary",
    "an adversary taken for nature",
    "a bent scale",
    "wrong probabilities",
    "a key without the reach",
    "entries of the wrong depth",
    "infinity in a mean",
    "a fixed depth",
    "divided by the number of outcomes",
    "an outcome on top of the one before",
    "dice rolled again",
)
"""What a fault can be called in the two questions of choice."""


# --- mend the mean


def mended(game: Any, state: Any) -> Any:
    """Return the value that the package's own search finds."""
    from expectimax_course.search.expectimax import expectimax

    return expectimax(game, state).value


def spoilt(
    *, divided: bool = False, lost: Callable[[Any], Any] = lambda utility: -math.inf, unweighted: bool = False
) -> Callable[..., Any]:
    """Return a search with one or both faults left in; ``lost`` is what it makes of a utility of 0 or less."""

    def value(game: Any, state: Any) -> Any:
        if game.is_terminal(state):
            utility = game.utility(state)
            return lost(utility) if utility <= 0 else utility
        children, probabilities = children_of(game, state)
        values = [value(game, child) for child in children]
        if game.current_player(state) is not CHANCE:
            return max(values)
        if unweighted:
            return sum(values) / len(values)
        mean = sum(p * v for p, v in zip(probabilities, values, strict=True) if p)
        return mean / len(values) if divided else mean

    return value


def draw_mended(rng: Rng) -> tuple[Any, ...]:
    """Draw a tree of MAX and chance, or Push at some total, the die perhaps in the air."""
    if rng.below(3) == 0:
        target = 3 + rng.below(4)
        return push(target, 2 + rng.below(2)), PushState(rng.below(target), rng.choice(("choose", "roll")))
    return tree(draw_tree(rng, levels=2 + rng.below(2), players=("max", "chance", "chance"))), 0


# --- measure the probability


def spawn_interval(tiles: Sequence[int]) -> list[float]:
    """Return the ends of Wilson's interval, from the package."""
    from expectimax_course.stats import proportion_interval

    found = proportion_interval(sum(tile == 4 for tile in tiles), len(tiles))
    return [found.low, found.high]


def interval_wrong(kind: str) -> Callable[[Sequence[int]], list[float]]:
    """Return a version with one of the usual mistakes."""

    def wrong(tiles: Sequence[int]) -> list[float]:
        n = len(tiles)
        p = sum(tile == (2 if kind == "twos" else 4) for tile in tiles) / n
        z = 1.0 if kind == "one deviation" else 1.959963984540054
        if kind == "symmetric":
            margin = z * math.sqrt(p * (1 - p) / n)
            return [p - margin, p + margin]
        shrink = 1 + z * z / n
        centre = (p + z * z / (2 * n)) / shrink
        inside = p * (1 - p) / (1 if kind == "one tile" else n) + z * z / (4 * n * n)
        margin = z * math.sqrt(inside) / shrink
        if kind == "point":
            return [p, p]
        if kind == "around p":
            return [p - margin, p + margin]
        if kind == "centre and margin":
            return [centre, margin]
        return [centre - margin, centre + margin]

    return wrong


def draw_tiles(rng: Rng) -> tuple[Any, ...]:
    """Draw five to sixty tiles, at times no four among them or nothing else."""
    share = rng.choice((0.0, 0.1, 0.1, 0.3, 0.5, 1.0))
    return ([4 if rng.random() < share else 2 for _ in range(5 + rng.below(56))],)


# --- measure the plan


def win_rate(game: Any, policy: Any) -> Any:
    """Return how often a policy ends above 0, hunters answering it as well as they can."""
    return rated()(game, policy)


def rated(
    *,
    at_chance: str = "weighted",
    at_min: Callable[..., float] = min,
    optimal: bool = False,
    won: Callable[[float], float] = lambda utility: float(utility > 0),
) -> Callable[..., Any]:
    """Return a measure with one of the usual mistakes."""

    def rate(game: Any, policy: Any, state: Any) -> Any:
        if game.is_terminal(state):
            return won(game.utility(state))
        player = game.current_player(state)
        if player is MAX and not optimal:
            return rate(game, policy, game.result(state, policy(game, state)))
        children, probabilities = children_of(game, state)
        rates = [rate(game, policy, child) for child in children]
        if player is MAX:
            return max(rates)
        if player is MIN:
            return at_min(rates)
        if at_chance == "worst":
            return min(rates)
        if at_chance == "plain":
            return sum(rates) / len(rates)
        return sum(p * r for p, r in zip(probabilities, rates, strict=True))

    return lambda game, policy: rate(game, policy, game.initial_state())


def policy_source(step: int) -> Source:
    """Return a policy for trees that picks another action at each node."""
    code = "def policy(game, state):\n    actions = game.legal_actions(state)\n"
    return Source(code + f"    return actions[({step} + 3 * state) % len(actions)]\n", "policy")


BELOW_4 = Source("def policy(game, state):\n    return 'hit' if state.total < 4 else 'stand'\n", "policy")
NARROW = "######\n#RG.E#\n#..#.#\n######"
"""A map on which a guard stands next to the runner."""


def trapped(guards: str) -> Make:
    """Return the recipe of a run of three steps on a small map."""
    return Make("expectimax_course.games.trapped:Trapped", NARROW, guards=guards, limit=3)


DOWN_FIRST = Source(
    "def policy(game, state):\n"
    "    actions = game.legal_actions(state)\n"
    "    return 'down' if 'down' in actions else actions[-1]\n",
    "policy",
)


def draw_policy(rng: Rng) -> tuple[Any, ...]:
    """Draw a tree of all three players with a policy, or a small Push game."""
    if rng.below(6) == 0:
        return push(5 + rng.below(3), 2 + rng.below(3)), BELOW_4
    players = ("max", "min", "chance", "chance")
    return tree(draw_tree(rng, levels=2 + rng.below(2), players=players)), policy_source(rng.below(5))


# --- mend the table


def deepened(game: Any, state: Any, depth: int, evaluate: Any) -> list[Any]:
    """Return the values of searches to depth 1, 2, … ``depth`` with one of the package's tables."""
    from expectimax_course.search.expectimax import expectiminimax
    from expectimax_course.search.table import Table

    table = Table()
    return [expectiminimax(game, state, shallow, evaluate, table=table).value for shallow in range(1, depth + 1)]


def plain_searches(game: Any, state: Any, depth: int, evaluate: Any) -> list[Any]:
    """Return the values of searches that know nothing of each other and keep nothing."""
    from expectimax_course.search.expectimax import expectiminimax

    return [expectiminimax(game, state, limit, evaluate).value for limit in range(1, depth + 1)]


def once_each(game: Make, state: Any, depth: int, evaluate: Source) -> tuple[Any, ...]:
    """Return the case; where any table saves leaves within a single search, the game refuses as many as one without."""

    def leaves(search: Callable[..., list[Any]]) -> int:
        counting = CountedGame(decode(encode(game)))
        search(counting, state, depth, decode(encode(evaluate)))
        return counting.leaves

    most = leaves(plain_searches)
    saves = all(leaves(tabled(lambda *key: key, keeps=kept)) < most for kept in ((MAX, MIN), (CHANCE,)))
    return counted(game, most - 1) if saves else game, state, depth, evaluate


def tabled(
    key: Callable[[Any, int, int], Any], *, least: int = 1, keeps: Sequence[Player] = (MAX, MIN, CHANCE)
) -> Callable[..., list[Any]]:
    """Return a deepened search whose table has this key and keeps the nodes of these players."""

    def search(game: Any, root: Any, depth: int, evaluate: Any) -> list[Any]:
        known: dict[Any, Any] = {}

        def value(state: Any, left: int, limit: int) -> Any:
            if game.is_terminal(state):
                return game.utility(state)
            if left == 0:
                return evaluate(state)
            place = key(state, left, limit) if game.current_player(state) in keeps else object()
            if place not in known:
                children, probabilities = children_of(game, state)
                if game.current_player(state) is CHANCE:
                    found = sum(p * value(c, left, limit) for p, c in zip(probabilities, children, strict=True))
                else:
                    values = [value(child, left - 1, limit) for child in children]
                    found = max(values) if game.current_player(state) is MAX else min(values)
                known[place] = found
            return known[place]

        return [value(root, limit, limit) for limit in range(least, depth + least)]

    return search


def at_least_as_deep(game: Any, root: Any, depth: int, evaluate: Any) -> list[Any]:
    """Answer from an entry that was searched as deep or deeper, as programs for chess do."""
    known: dict[Any, tuple[int, Any]] = {}

    def value(state: Any, left: int) -> Any:
        if game.is_terminal(state):
            return game.utility(state)
        if left == 0:
            return evaluate(state)
        if state not in known or known[state][0] < left:
            children, probabilities = children_of(game, state)
            if game.current_player(state) is CHANCE:
                found = sum(p * value(c, left) for p, c in zip(probabilities, children, strict=True))
            else:
                values = [value(child, left - 1) for child in children]
                found = max(values) if game.current_player(state) is MAX else min(values)
            known[state] = left, found
        return known[state][1]

    return [value(root, limit) for limit in range(1, depth + 1)]


def draw_deepened(rng: Rng) -> tuple[Any, ...]:
    """Draw a position that is not over soon, an evaluation, and a depth from 2 to 4."""
    kind = rng.below(3)
    if kind == 0:
        target = 5 + rng.below(4)
        state, depth = PushState(rng.below(3), "choose"), rng.choice((2, 3, 4, 4))
        return once_each(push(target, 2 + rng.below(2)), state, depth, BY_TOTAL)
    if kind == 1:
        leaves = (rng.below(10), 5 + rng.below(15), -rng.below(9))
        return meeting(0.5, rng.choice((0.25, 0.5)), leaves, longer=True), 0, 2 + rng.below(2), BY_NUMBER
    players = ("max", "min", "chance", "max")
    return tree(f"max({_branch(rng, players)}, {_branch(rng, players)})"), 0, 3, BY_NUMBER


def _branch(rng: Rng, players: Sequence[str]) -> str:
    inner = [draw_tree(rng, levels=2, players=players) for _ in range(2)]
    return f"chance(0.25: max({inner[0]}, {rng.below(19) - 9}), 0.75: min({inner[1]}, {rng.below(19) - 9}))"


# --- the depth that a budget affords


def affordable(branching: Branching, leaves: int) -> int:
    """Return the greatest depth whose leaves fit the budget, at least 1."""
    product, depth = 1, 0
    for actions, outcomes in branching:
        product *= actions
        if product > leaves:
            break
        depth += 1
        product *= outcomes
    return max(1, depth)


def afforded_wrong(kind: str) -> Callable[[Branching, int], int]:
    """Return a version with one of the usual mistakes."""

    def wrong(branching: Branching, leaves: int) -> int:
        product, depth = 0 if kind == "sum" else 1, 0
        for actions, outcomes in branching:
            if kind == "sum":
                product += actions * outcomes
            elif kind == "no chance":
                product *= actions
            elif kind == "draw opened":
                product *= actions * outcomes
            else:
                product *= actions
            if product > leaves or (kind == "strict" and product == leaves):
                return depth + 1 if kind == "first too deep" else max(depth, 0 if kind == "may be none" else 1)
            depth += 1
            if kind in ("strict", "may be none", "first too deep"):
                product *= outcomes
        return depth

    return wrong


def draw_branching(rng: Rng) -> tuple[Any, ...]:
    """Draw one to five decisions with their draws, and a budget that is at times met exactly."""
    line = [(1 + rng.below(5), 1 + rng.below(20)) for _ in range(1 + rng.below(5))]
    sizes, product = [1], 1
    for actions, outcomes in line:
        product *= actions
        sizes.append(product)
        product *= outcomes
    return line, max(1, rng.choice((rng.choice(sizes), 10 + rng.below(500), 1000 * (1 + rng.below(20)))))
