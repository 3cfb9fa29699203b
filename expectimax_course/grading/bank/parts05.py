"""What the questions of chapter 05 are made of: oracles, wrong implementations, and trees that tell them apart.

Probabilities are powers of two and leaves are whole numbers, so that every window is exact in floating point and a tie
is a tie.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

from expectimax_course.game import Player
from expectimax_course.games.counted import CountedGame
from expectimax_course.games.dice import Dice, DiceState
from expectimax_course.grading.codec import Make
from expectimax_course.rng import Rng, derive_seed
from expectimax_course.trees import parse_tree

MAX, MIN, CHANCE = Player.MAX, Player.MIN, Player.CHANCE

WEIGHTS = ("0.5 0.5", "0.25 0.25 0.5", "0.5 0.25 0.25", "0.25 0.25 0.25 0.25", "0.125 0.125 0.25 0.5", "0.5 0 0.5", "1")
PLAIN_WEIGHTS = tuple(words for words in WEIGHTS if "0" not in words.split() and words != "1")
LOW, HIGH = 0, 12
"""Bounds of every leaf of a drawn tree."""


# --- what the mean may still be


def mean_bounds(probabilities: Sequence[float], seen: Sequence[float], low: float, high: float) -> list[float]:
    """Return the least and greatest mean when the first children are known and the others lie in [low, high]."""
    return bounds_with()(probabilities, seen, low, high)  # type: ignore[no-any-return]


def bounds_with(*, shift: int = 0, swapped: bool = False, rest: str = "weighted", equal: bool = False) -> Any:
    """Return the bounds with one of the usual mistakes."""

    def bounds(probabilities: Sequence[float], seen: Sequence[float], low: float, high: float) -> list[float]:
        weights = [1 / len(probabilities)] * len(probabilities) if equal else probabilities
        known = sum(p * value for p, value in zip(weights, seen, strict=False))
        left = sum(weights[max(len(seen) + shift, 0) :])
        if rest == "none":
            return [known, known]
        if rest == "whole" and left:
            left = 1
        if rest == "rescaled":
            mean = known / sum(weights[: len(seen)])
            return [mean, mean]
        ends = [known + left * low, known + left * high]
        return ends[::-1] if swapped else ends

    return bounds


def draw_seen(rng: Rng) -> tuple[Any, ...]:
    """Draw two to five children, bounds, and the values of the first few."""
    weights = [1 + rng.below(4) for _ in range(2 + rng.below(4))]
    low = rng.below(9) - 8
    high = low + 1 + rng.below(12)
    seen = [float(low + rng.below(high - low + 1)) for _ in range(rng.below(len(weights) + 1))]
    return [w / sum(weights) for w in weights], seen, float(low), float(high)


# --- the cut


def cut_value(lower: float, upper: float, alpha: float, beta: float) -> float | None:
    """Return the bound that a chance node may report at once, or None."""
    return cut_with()(lower, upper, alpha, beta)  # type: ignore[no-any-return]


def cut_with(*, strict: bool = False, report: str = "bound", crossed: bool = False, sides: str = "both") -> Any:
    """Return the cut test with one of the usual mistakes."""

    def cut(lower: float, upper: float, alpha: float, beta: float) -> float | None:
        high_end, low_end = (upper, lower) if crossed else (lower, upper)
        if sides != "alpha" and (high_end > beta or (high_end == beta and not strict)):
            return {"bound": lower, "window": beta, "other end": upper}[report]
        if sides != "beta" and (low_end < alpha or (low_end == alpha and not strict)):
            return {"bound": upper, "window": alpha, "other end": lower}[report]
        return None

    return cut


def draw_cut(rng: Rng) -> tuple[Any, ...]:
    """Draw an interval and a window, often with touching ends."""
    ends = sorted(rng.below(12) for _ in range(2))
    alpha = rng.below(10)
    beta = alpha + 1 + rng.below(4)
    kind = rng.below(6)
    if kind == 0:  # touches beta
        ends = [beta, beta + rng.below(4)]
    elif kind == 1:  # touches alpha
        ends = [alpha - rng.below(4), alpha]
    elif kind == 2:  # well above
        ends = [beta + 1, beta + 2 + rng.below(3)]
    elif kind == 3:  # well below
        ends = [alpha - 3 - rng.below(3), alpha - 1]
    return float(ends[0]), float(ends[1]), float(alpha), float(beta)


# --- child windows


def child_window(
    i: int, probabilities: Sequence[float], lowers: Sequence[float], uppers: Sequence[float], alpha: float, beta: float
) -> list[float]:
    """Return the window in which child ``i`` keeps the mean inside (alpha, beta)."""
    return window_with()(i, probabilities, lowers, uppers, alpha, beta)  # type: ignore[no-any-return]


def window_with(mistake: str = "") -> Any:
    """Return the child window with one of the usual mistakes."""

    def window(
        i: int,
        probabilities: Sequence[float],
        lowers: Sequence[float],
        uppers: Sequence[float],
        alpha: float,
        beta: float,
    ) -> list[float]:
        if mistake == "parent":
            return [alpha, beta]
        others = [j for j in range(len(probabilities)) if j != i or mistake == "itself too"]
        if mistake == "only before":
            others = list(range(i))
        low = sum((1 if mistake == "unweighted" else probabilities[j]) * lowers[j] for j in others)
        high = sum((1 if mistake == "unweighted" else probabilities[j]) * uppers[j] for j in others)
        if mistake == "swapped":
            low, high = high, low
        p = 1 if mistake == "not divided" else probabilities[i]
        a, b = (alpha - high) / p, (beta - low) / p
        return [max(a, lowers[i]), min(b, uppers[i])] if mistake == "clipped" else [a, b]

    return window


def draw_window(rng: Rng) -> tuple[Any, ...]:
    """Draw a chance node whose first children are known, and a child that is not."""
    probabilities = [float(word) for word in rng.choice(PLAIN_WEIGHTS).split()]
    i = rng.below(len(probabilities))
    lowers, uppers = [float(LOW)] * len(probabilities), [float(HIGH)] * len(probabilities)
    for j in range(i):
        lowers[j] = uppers[j] = float(rng.below(HIGH + 1))
    if rng.below(2):  # a probe has left a bound on a later child, or on this one
        j = i + rng.below(len(probabilities) - i)
        end = float(1 + rng.below(HIGH - 1))
        (lowers if rng.below(2) else uppers)[j] = end
    alpha = float(rng.below(HIGH - 1))
    return i, probabilities, lowers, uppers, alpha, alpha + 1 + rng.below(4)


# --- searches


def star1(game: Any, state: Any, alpha: float, beta: float) -> float:
    """Return what the package's Star1 returns."""
    from expectimax_course.search.star import star

    return float(star(game, state, window=(alpha, beta)).value)


def star_with(mistake: str = "") -> Any:
    """Return Star1 with one of the usual mistakes; "unclipped" is none, but costs leaves."""
    narrow = window_with(mistake if mistake in ("parent", "not divided", "swapped") else "")
    cuts = mistake != "plain"

    def value(game: Any, state: Any, alpha: float, beta: float) -> Any:
        if game.is_terminal(state):
            return float(game.utility(state))
        player = game.current_player(state)
        if player is CHANCE:
            return mean(game, state, alpha, beta)
        best = -math.inf if player is MAX else math.inf
        for action in game.legal_actions(state):
            child = game.result(state, action)
            if player is MAX:
                best = max(best, value(game, child, max(alpha, best), beta))
                if best >= beta and cuts:
                    break
            else:
                best = min(best, value(game, child, alpha, min(beta, best)))
                if best <= alpha and cuts:
                    break
        return best

    def mean(game: Any, state: Any, alpha: float, beta: float) -> Any:
        low, high = game.utility_bounds
        children = [
            (p, game.result(state, o)) for o, p in game.chance_outcomes(state) if p or mistake in ("zero", "plain")
        ]
        p_all = [p for p, _ in children]
        lowers, uppers = [low] * len(children), [high] * len(children)
        for i, (p, child) in enumerate(children):
            a, b = (-math.inf, math.inf) if mistake == "plain" else narrow(i, p_all, lowers, uppers, alpha, beta)
            if mistake in ("plain", "reset", "bounds only"):
                found = value(game, child, -math.inf, math.inf)
            elif mistake == "unclipped":
                found = value(game, child, a, b)
            else:
                found = value(game, child, max(a, low), min(b, high))
            if mistake not in ("plain", "reset"):
                rest_low = sum(q * end for j, (q, end) in enumerate(zip(p_all, lowers, strict=True)) if j != i)
                rest_high = sum(q * end for j, (q, end) in enumerate(zip(p_all, uppers, strict=True)) if j != i)
                if found < a or (found == a and mistake != "strict"):
                    return found if mistake == "child's value" else rest_high + p * found
                if found > b or (found == b and mistake != "strict"):
                    return found if mistake == "child's value" else rest_low + p * found
            lowers[i] = uppers[i] = found
        return sum(p * end for p, end in zip(p_all, lowers, strict=True))

    return value


MISTAKES = ("plain", "parent", "not divided", "swapped", "reset", "bounds only", "child's value", "strict", "zero")
TRIES = 8
"""How many trees are drawn for each case; the one that tells the most mistakes from the right search is kept."""


def tree(text: str, limit: int | None = None) -> Make:
    """Return the recipe of a tree that counts and limits its leaves, all of them within [LOW, HIGH]."""
    return Make(
        "expectimax_course.games.counted:CountedGame",
        Make("expectimax_course.trees:parse_tree", text),
        limit=limit,
        bounds=(LOW, HIGH),
    )


def opened(search: Any, text: str, *args: Any, limit: int | None = None) -> tuple[Any, int]:
    """Return what a search says of a tree, None where it fails, and how many leaves it opens."""
    game = CountedGame(parse_tree(text), limit, (LOW, HIGH))
    try:
        return search(game, 0, *args), game.leaves
    except (ValueError, ZeroDivisionError):
        return None, game.leaves


def draw_text(rng: Rng, players: Sequence[str], weights: Sequence[str] = WEIGHTS) -> str:
    """Draw a tree as text, one level for each of ``players``; "choice" is MAX or MIN."""
    if not players:
        return str(LOW + rng.below(HIGH - LOW + 1))
    player = rng.choice(("max", "min")) if players[0] == "choice" else players[0]
    below = players[1:]
    if player == "chance":
        children = [f"{p}: {draw_text(rng, below, weights)}" for p in rng.choice(weights).split()]
    else:
        children = [draw_text(rng, below, weights) for _ in range(2 + rng.below(2))]
    return f"{player}({', '.join(children)})"


LEVELS = (("chance",), ("max", "chance", "choice"), ("chance", "choice"), ("chance", "choice", "chance"))


def draw_star(rng: Rng) -> tuple[Any, ...]:
    """Draw a tree and a window around its value: of several, those that most of the usual mistakes get wrong."""
    best: tuple[int, Any] = (-1, None)
    for _ in range(TRIES):
        text = draw_text(rng, rng.choice(LEVELS))
        value, _ = opened(star_with(), text, LOW - 1, HIGH + 1)
        alpha, beta = math.ceil(value) - 1 - rng.below(3), math.floor(value) + 1 + rng.below(3)
        limit = max(opened(star_with(way), text, alpha, beta)[1] for way in ("", "unclipped"))
        caught = sum(opened(star_with(wrong), text, alpha, beta, limit=limit)[0] != value for wrong in MISTAKES)
        if caught > best[0]:
            best = caught, (tree(text, limit), 0, alpha, beta)
    case: tuple[Any, ...] = best[1]
    return case


# --- probing


def probe(game: Any, state: Any) -> list[float]:
    """Return what is proven of a chance node after the first action of each child."""
    return probe_with()(game, state)  # type: ignore[no-any-return]


def probe_with(mistake: str = "") -> Any:
    """Return the probing pass with one of the usual mistakes."""
    plain = star_with("reset")

    def ends(game: Any, child: Any, low: float, high: float) -> tuple[float, float]:
        if game.is_terminal(child):
            return (low, high) if mistake == "leaves skipped" else (game.utility(child),) * 2
        actions = list(game.legal_actions(child))
        tried = actions if mistake == "all" else actions[-1:] if mistake == "last" else actions[:1]
        values = [plain(game, game.result(child, action), -math.inf, math.inf) for action in tried]
        player = game.current_player(child)
        value = (max if player is MAX else min)(values)
        if mistake in ("exact", "all"):
            return value, value
        if player is MAX or mistake == "MIN as MAX":
            return value, high
        return low, value

    def bounds(game: Any, state: Any) -> list[float]:
        low, high = game.utility_bounds
        lower = upper = 0.0
        for outcome, p in game.chance_outcomes(state):
            least, most = ends(game, game.result(state, outcome), low, high)
            lower, upper = lower + p * least, upper + p * most
        return [lower, upper]

    return bounds


def draw_probe(rng: Rng) -> tuple[Any, ...]:
    """Draw a chance node over leaves and decisions, with as many leaves as the first actions need."""
    below: tuple[tuple[str, ...], ...] = (("choice",), ("choice",), ("choice", "chance"), ())
    weights = rng.choice(PLAIN_WEIGHTS).split()
    while True:
        children = [draw_text(rng, rng.choice(below), PLAIN_WEIGHTS) for _ in weights]
        if any("min" in child for child in children) and any("max" in child or child.isdigit() for child in children):
            break
    text = f"chance({', '.join(f'{p}: {child}' for p, child in zip(weights, children, strict=True))})"
    return tree(text, opened(probe, text)[1]), 0


# --- savings


def leaf_fraction(game: Any, states: Sequence[Any], depth: int, probing: int) -> float:
    """Return the leaves of the pruned searches over those of the plain ones."""
    return share_with()(game, states, depth, probing)  # type: ignore[no-any-return]


@cache
def effort(size: int, state: DiceState, depth: int, probing: int) -> tuple[Any, Any]:
    """Return the results of the plain and of the pruned search of a position of Dice."""
    from expectimax_course.search.expectimax import expectiminimax
    from expectimax_course.search.ordering import by_score
    from expectimax_course.search.star import star

    game = Dice(size, 3)
    plain = expectiminimax(game, state, depth, game.estimate)
    order = by_score(game.urgency)
    return plain, star(game, state, depth, game.estimate, probing=probing, bounds=(-1, 1), order=order)


def share_with(mistake: str = "") -> Any:
    """Return the share with one of the usual mistakes."""

    def size(result: Any) -> int:
        if mistake == "nodes":
            return int(result.nodes.total + result.evaluations)
        return int(result.evaluations if mistake == "evaluations" else result.leaves)

    def share(game: Any, states: Sequence[Any], depth: int, probing: int) -> float:
        pairs = [effort(game.size, state, depth, probing) for state in states]
        if mistake == "mean of ratios":
            return sum(size(pruned) / size(plain) for plain, pruned in pairs) / len(pairs)
        whole, part = sum(size(plain) for plain, _ in pairs), sum(size(pruned) for _, pruned in pairs)
        return {"saved": 1 - part / whole, "upside down": whole / part}.get(mistake, part / whole)

    return share


def dice_position(seed: int, size: int, moves: int) -> DiceState:
    """Return the position after so many random moves, the die rolled; fewer where the game ends."""
    game, rng = Dice(size, 3), Rng(seed)
    state, before = game.initial_state(), game.initial_state()
    for _ in range(moves + 1):
        if game.is_terminal(state):
            return before
        before = game.result(state, rng.outcome(game.chance_outcomes(state)))
        state = game.result(before, rng.choice(game.legal_actions(before)))
    return before


def dice(size: int) -> Make:
    """Return the recipe of Dice, three in a row."""
    return Make("expectimax_course.games.dice:Dice", size=size, in_a_row=3)


def draw_share(rng: Rng) -> tuple[Any, ...]:
    """Draw an early and a late position of Dice 3 × 3: some searches meet ends of the game."""
    seed = rng.below(1 << 30)
    states = [dice_position(derive_seed(seed, i), 3, moves) for i, moves in enumerate((rng.below(3), 4))]
    return dice(3), states, 2, rng.below(2)


# --- dishonest bounds


def breaking_leaf(p: float, first: float, sure: float, high: float) -> float | None:
    """Return what the second leaf must exceed to make a search that believes in ``high`` decide wrongly."""
    return breaking_with()(p, first, sure, high)  # type: ignore[no-any-return]


def breaking_with(mistake: str = "") -> Any:
    """Return the least lie with one of the usual mistakes."""

    def leaf(p: float, first: float, sure: float, high: float) -> float | None:
        most = p * first + (1 - p) * high
        looks = most >= sure if mistake == "strict" else most > sure
        if looks and mistake != "always":
            return None
        if mistake == "any lie":
            return high
        if mistake == "sure":
            return sure
        return (sure - p * first) / (1 if mistake == "not divided" else 1 - p)

    return leaf


def draw_breaking(rng: Rng) -> tuple[Any, ...]:
    """Draw a gamble of two leaves beside a sure thing; in one case of three the bound just proves the cut."""
    p = rng.choice((0.25, 0.5, 0.75))
    high = 4 + rng.below(8)
    first = rng.below(min(8, high + 1))  # the bound is honest about the leaf that is seen
    most = p * first + (1 - p) * high
    sure = rng.choice((most, most + 0.5 + rng.below(3), float(math.ceil(most)) - 1))
    return p, float(first), float(sure), float(high)
