"""Oracles, case generators and wrong implementations for the questions of chapter 07."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from statistics import NormalDist, fmean, variance
from typing import Any

from expectimax_course.game import Player
from expectimax_course.grading.bank import Make, Source
from expectimax_course.grading.bank.parts02 import BY_NUMBER, children_of, draw_position
from expectimax_course.rng import Rng
from expectimax_course.trees import TreeNode

MAX, CHANCE = Player.MAX, Player.CHANCE
Gamble = Sequence[tuple[float, float]]
Play = Callable[[str, int], float]
Search = Callable[[int], Iterator[tuple[float, str]]]


# --- how many games


def games_needed(p: float, q: float) -> int:
    """Return what the package's own formula says."""
    from expectimax_course.stats import games_to_tell_apart

    return games_to_tell_apart(p, q)


def games_wrong(
    p: float,
    q: float,
    *,
    power: float = 0.8,
    noise: Callable[[float, float], float] | None = None,
    exponent: int = 2,
    times: int = 1,
    whole: Callable[[float], float] = math.ceil,
) -> float:
    """Return the same with one of the usual mistakes."""
    z = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(power)
    spread = noise(p, q) if noise else p * (1 - p) + q * (1 - q)
    return times * whole(z * z * spread / abs(p - q) ** exponent)


def draw_rates(rng: Rng) -> tuple[Any, ...]:
    """Draw two rates in whole percent, at least three apart."""
    p = 2 + rng.below(97)
    q = 2 + rng.below(97)
    return (p / 100, q / 100) if abs(p - q) >= 3 else draw_rates(rng)


# --- the same seeds


def interval(values: Sequence[float], *, z: float = 1.96, less: int = 1, root: bool = True) -> list[float]:
    """Return mean, low and high end of the interval of the mean, or go wrong as asked."""
    n, centre = len(values), fmean(values)
    spread = math.sqrt(math.fsum((x - centre) ** 2 for x in values) / (n - less) / (n if root else 1))
    return [centre, centre - z * spread, centre + z * spread]


def differences(play: Play, first: str, second: str, seeds: Sequence[int]) -> list[float]:
    """Return first − second, seed by seed."""
    return [play(first, seed) - play(second, seed) for seed in seeds]


def paired(play: Play, first: str, second: str, seeds: Sequence[int]) -> list[float]:
    """Return the mean of the differences and their interval."""
    return interval(differences(play, first, second, seeds))


def unpaired(play: Play, first: str, second: str, seeds: Sequence[int]) -> list[float]:
    """Take the two players' scores for strangers."""
    scores = [[play(player, seed) for seed in seeds] for player in (first, second)]
    centre = fmean(scores[0]) - fmean(scores[1])
    margin = 1.96 * math.sqrt(sum(variance(one) for one in scores) / len(seeds))
    return [centre, centre - margin, centre + margin]


def halves(play: Play, first: str, second: str, seeds: Sequence[int]) -> list[float]:
    """Give each player seeds of its own."""
    half = len(seeds) // 2
    mine, theirs = seeds[:half], seeds[half : 2 * half]
    return interval([play(first, a) - play(second, b) for a, b in zip(mine, theirs, strict=True)])


def one_game(play: Play, first: str, second: str, seeds: Sequence[int]) -> list[float]:
    """Take the first game for the truth."""
    return [play(first, seeds[0]) - play(second, seeds[0])] * 3


def play_source(gap: int) -> Source:
    """Return a game whose score is mostly the seed's luck, in which A is ``gap`` points better than B."""
    code = (
        "def play(player, seed):\n"
        "    luck = seed * 7919 % 101\n"
        "    own = seed * (31 if player == 'A' else 57) % 11\n"
        f"    return float(luck + own + ({gap} if player == 'A' else 0))\n"
    )
    return Source(code, "play")


def draw_match(rng: Rng) -> tuple[Any, ...]:
    """Draw a game, who is first, and four to twelve seeds."""
    players = rng.choice((("A", "B"), ("B", "A")))
    return play_source(rng.below(9)), *players, [1 + rng.below(5000) for _ in range(4 + rng.below(9))]


# --- sampling


def mean_of(gamble: Gamble) -> float:
    """Return the expected payoff."""
    return sum(p * x for x, p in gamble)


def expected_best(gambles: Sequence[Gamble], *, weigh: bool = True) -> float:
    """Return the mean of the best of one draw from each gamble."""
    draws = [(max(x for x, _ in drawn), math.prod(p for _, p in drawn)) for drawn in product(*gambles)]
    return sum(best * p for best, p in draws) if weigh else fmean(best for best, _ in draws)


def upward_bias(gambles: Sequence[Gamble]) -> float:
    """Return by how much the best draw exceeds the best mean, on average."""
    return expected_best(gambles) - max(mean_of(gamble) for gamble in gambles)


def redrawn(
    gambles: Sequence[Gamble],
    *,
    choose: Callable[[Sequence[float]], float] = max,
    fresh: bool = True,
) -> list[tuple[float, float]]:
    """Return the distribution of a fresh draw from the gamble whose first draw was best, or go wrong as asked."""
    found: dict[float, float] = {}
    for drawn in product(*gambles):
        p = math.prod(q for _, q in drawn)
        payoffs = [x for x, _ in drawn]
        chosen = payoffs.index(choose(payoffs))
        for payoff, q in gambles[chosen] if fresh else [(payoffs[chosen], 1.0)]:
            found[payoff] = found.get(payoff, 0.0) + p * q
    return sorted(found.items())


def best_gamble(gambles: Sequence[Gamble]) -> list[tuple[float, float]]:
    """Return the gamble of the best mean, which a sample does not know."""
    best: Gamble = max(gambles, key=lambda gamble: mean_of(gamble))
    return sorted(best)


def draw_gambles(rng: Rng) -> tuple[Any, ...]:
    """Draw two or three gambles of one to three payoffs."""

    def gamble() -> list[tuple[float, float]]:
        weights = rng.choice(((1.0,), (0.5, 0.5), (0.25, 0.75), (0.25, 0.5, 0.25)))
        payoffs: list[int] = []
        while len(payoffs) < len(weights):
            payoff = rng.below(21) - 5
            payoffs += [payoff] if payoff not in payoffs else []
        return [(float(x), p) for x, p in zip(payoffs, weights, strict=True)]

    return ([gamble() for _ in range(2 + rng.below(2))],)


# --- the deadline


def deepen(search: Search, limit: float, first: str, max_depth: int) -> list[Any]:
    """Return depth and favourite of the last depth that was complete within the limit."""
    spent, answer = 0.0, [0, first]
    for depth in range(1, max_depth + 1):
        for piece in search(depth):
            spent += piece[0]
            if spent > limit:
                return answer
        answer = [depth, piece[1]]
    return answer


def deepen_wrong(kind: str) -> Callable[..., list[Any]]:
    """Return a version with one of the usual mistakes."""

    def wrong(search: Search, limit: float, first: str, max_depth: int) -> list[Any]:
        spent, answer = 0.0, [0, None if kind == "no fallback" else first]
        for depth in range(max_depth if kind == "one search" else 1, max_depth + 1):
            if (kind == "finishes" and spent >= limit) or (kind == "finishes one more" and spent > limit):
                break
            spent = 0.0 if kind == "clock restarts" else spent
            for milliseconds, favourite in search(depth):
                spent += milliseconds
                if spent > limit and kind not in ("finishes", "finishes one more", "looks at the end"):
                    return answer
                if kind == "unfinished":
                    answer = [depth, favourite]
            if (spent > limit and kind == "looks at the end") or (spent == limit and kind == "limit excluded"):
                break
            answer = [depth, favourite]
        return answer

    return wrong


def search_source(pieces: dict[int, list[tuple[float, str]]], limit: float) -> Source:
    """Return a search that yields the given pieces of each depth, and none once more than the limit is spent."""
    code = (
        f"PIECES = {pieces!r}\nspent = 0.0\n\n\n"
        "def search(depth):\n"
        "    global spent\n"
        "    for milliseconds, favourite in PIECES[depth]:\n"
        f"        if spent > {limit}:\n"
        "            raise RuntimeError('asked for another piece after the limit')\n"
        "        spent += milliseconds\n"
        "        yield milliseconds, favourite\n"
    )
    return Source(code, "search")


def draw_deadline(rng: Rng) -> tuple[Any, ...]:
    """Draw two to four depths of two to four moves, and a limit: often within a depth, at times just at its end."""
    moves = ("left", "right", "up", "down")[: 2 + rng.below(3)]
    depths = 2 + rng.below(3)
    pieces = {
        depth: [(0.5 * (1 + rng.below(4 * depth)), rng.choice(moves)) for _ in moves] for depth in range(1, depths + 1)
    }
    ends = [sum(ms for d in range(1, depth + 1) for ms, _ in pieces[d]) for depth in range(1, depths + 1)]
    inside = 0.25 + 0.5 * rng.below(math.floor(2 * ends[-1]) + 1)
    limit = rng.choice((inside, inside, *ends))
    return search_source(pieces, limit), limit, moves[0], depths


# --- cutting by reach


def cutoff(game: Any, state: Any, depth: int, evaluate: Any, threshold: float) -> Any:
    """Return the value of the package's own search, cut by reach, without a cache."""
    from expectimax_course.search.cutoff import cutoff_search

    return cutoff_search(game, state, depth, evaluate, threshold=threshold, caching="none").value


def cut_wrong(kind: str) -> Callable[..., Any]:
    """Return a search with one of the usual mistakes."""

    def value(game: Any, state: Any, depth: int, evaluate: Any, threshold: float, reach: float = 1.0) -> Any:
        below = reach <= threshold if kind == "or equal" else reach < threshold
        below = below and kind != "nothing cut"
        if below and kind == "before the end":
            return evaluate(state)
        if game.is_terminal(state):
            return game.utility(state)
        if depth == 0:
            return evaluate(state)
        if below:
            return 0.0 if kind == "dropped" else evaluate(state)
        children, probabilities = children_of(game, state)
        if game.current_player(state) is CHANCE:
            passed = [p if kind == "last alone" else reach * p for p in probabilities]
            pairs = zip(probabilities, children, passed, strict=True)
            return sum(p * value(game, child, depth, evaluate, threshold, r) for p, child, r in pairs)
        left = reach / len(children) if kind == "shared" else reach
        values = [value(game, child, depth - 1, evaluate, threshold, left) for child in children]
        return max(values) if game.current_player(state) is MAX else min(values)

    return value


def draw_cut(rng: Rng) -> tuple[Any, ...]:
    """Draw a position, a depth from 1 to 3 and a threshold; quarters make reach and threshold meet exactly."""
    game, state, evaluate = draw_position(rng)
    return game, state, 1 + rng.below(3), evaluate, rng.choice((0.0, 0.0625, 0.1875, 0.25, 0.3, 0.5))


# --- the key


def cached_cutoff(game: Any, state: Any, depth: int, evaluate: Any, threshold: float) -> Any:
    """Return the value of the package's own search, cut by reach, with a cache that knows the reach."""
    from expectimax_course.search.cutoff import cutoff_search

    return cutoff_search(game, state, depth, evaluate, threshold=threshold, caching="reach").value


def counted(game: Make, limit: int) -> Make:
    """Return the recipe of a game that refuses to open more leaves than a search with a table has to."""
    return Make("expectimax_course.games.counted:CountedGame", game, limit=limit)


def met_alike(inner: float, leaves: tuple[int, int, int]) -> Make:
    """Return a game that meets X twice with one reach: three leaves lie behind it, and a search may not open six."""
    return counted(meeting(0.5, inner, leaves, longer=False), limit=5)


def keyed(key: Callable[[Any, int, float], Any], *, exact_only: bool = False) -> Callable[..., Any]:
    """Return a cached search whose cache has this key."""

    def search(game: Any, root: Any, root_depth: int, evaluate: Any, threshold: float) -> Any:
        known: dict[Any, tuple[Any, bool]] = {}

        def value(state: Any, depth: int, reach: float) -> tuple[Any, bool]:
            if game.is_terminal(state):
                return game.utility(state), True
            if depth == 0 or reach < threshold:
                return evaluate(state), depth == 0
            if key(state, depth, reach) not in known:
                found = opened(state, depth, reach)
                if exact_only and not found[1]:
                    return found
                known[key(state, depth, reach)] = found
            return known[key(state, depth, reach)]

        def opened(state: Any, depth: int, reach: float) -> tuple[Any, bool]:
            children, probabilities = children_of(game, state)
            if game.current_player(state) is CHANCE:
                found = [value(child, depth, reach * p) for child, p in zip(children, probabilities, strict=True)]
                mean = sum(p * v for p, (v, _) in zip(probabilities, found, strict=True))
                return mean, all(whole for _, whole in found)
            found = [value(child, depth - 1, reach) for child in children]
            best = max if game.current_player(state) is MAX else min
            return best(v for v, _ in found), all(whole for _, whole in found)

        return value(root, root_depth, 1.0)[0]

    return search


def meeting(first: float, inner: float, leaves: tuple[int, int, int], *, longer: bool) -> Make:
    """Return a game in which two outcomes lead to one state, X: at once, or one of them a decision later.

    Node 1 is X. Behind it nature leads with probability ``inner`` to node 3, one decision before its leaf.
    """
    nodes = [
        TreeNode(CHANCE, (0, 1), (1, 7) if longer else (1, 1), (first, 1 - first), 0),
        TreeNode(MAX, ("on", "off"), (2, 6), (), 0),
        TreeNode(CHANCE, (0, 1), (3, 4), (inner, 1 - inner), 0),
        TreeNode(MAX, ("take",), (5,), (), 0),
        *[TreeNode(None, (), (), (), float(leaf)) for leaf in leaves],
        TreeNode(MAX, ("wait",), (1,), (), 0),
    ]
    return Make("expectimax_course.trees:TreeGame", nodes, (-100.0, 100.0))


def draw_meeting(rng: Rng) -> tuple[Any, ...]:
    """Draw such a game, a depth and a threshold that often lies between the reaches of the two ways.

    In one case of five both ways have the same reach, and X may be searched only once.
    """
    alike = rng.below(5) == 0
    longer = rng.below(3) == 0
    first = 0.5 if longer else rng.choice((0.25, 0.125, 0.75, 0.875, 0.875))
    inner = rng.choice((0.25, 0.5))
    leaves = (5 + rng.below(9), 8 + rng.below(12), -rng.below(5))
    if alike:
        return met_alike(inner, leaves), 0, 2 + rng.below(2), BY_NUMBER, 0.0
    between = inner / 2
    threshold = rng.choice((0.0, between, between, between)) if not longer else rng.choice((0.0, 0.0625))
    return meeting(first, inner, leaves, longer=longer), 0, 2 + rng.below(2), BY_NUMBER, threshold
