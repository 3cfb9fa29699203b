"""Oracles, case generators and wrong implementations for the questions of chapter 10.

A side is a tuple of 26 counts, as in ``backgammon.rules``: borne off, points 1 to 24, bar, from its own end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from expectimax_course.backgammon import rules
from expectimax_course.backgammon.net import equity as equity_of
from expectimax_course.backgammon.rules import OFF, Side, Step
from expectimax_course.grading.bank import Source
from expectimax_course.rng import Rng

BAR, HOME = 25, 6
Position = tuple[Side, Side]

PIPS = Source(
    "def evaluate(own, other):\n"
    "    pips = lambda side: sum(point * count for point, count in enumerate(side))\n"
    "    return (pips(other) - pips(own) + 8) / 50\n",
    "evaluate",
)
BLOTS = Source(
    "def evaluate(own, other):\n"
    "    lone = other[1:25].count(1) - own[1:25].count(1)\n"
    "    return (1 + own[0] - other[0] + lone + 2 * other[25] - 2 * own[25]) / 8\n",
    "evaluate",
)
"""Two evaluations. To be on roll is worth something in both, so the negated value of the other side is not right."""


def side(points: Mapping[int, int], off: int = 0) -> Side:
    """Return a side from its points; 25 is the bar."""
    return (off, *(points.get(point, 0) for point in range(1, BAR + 1)))


# ---------------------------------------------------------------------------------------------------------- the dice


def shots_with(
    *,
    copies: int = 4,
    direct: bool = True,
    sums: bool = True,
    rolls: str = "36",
    stops: bool = True,
    ways: bool = False,
    out_of: int = 1,
) -> Callable[[int], float]:
    """Return a count of the rolls that hit at a distance.

    Parameters
    ----------
    copies : how often a double is played
    direct, sums : count single dice, and both dice together
    rolls : "36" ordered pairs, or "21" distinct rolls
    stops : a double may stop before its last step
    ways : a roll counts once for every way in which it hits
    out_of : what the count is divided by
    """

    def shots(distance: int) -> float:
        found = 0
        for a in range(1, 7):
            for b in range(1, 7 if rolls == "36" else a + 1):
                reached = [a, b] if direct else []
                if sums:
                    reached += [a * k for k in range(2 if stops else copies, copies + 1)] if a == b else [a + b]
                found += reached.count(distance) if ways else distance in reached
        return found if out_of == 1 else found / out_of

    return shots


shots = shots_with()


# -------------------------------------------------------------------------------------------------------- the points


def equity(outputs: Sequence[float]) -> float:
    """Return the points to expect from five probabilities."""
    return equity_of(outputs)


def draw_outputs(rng: Rng) -> tuple[list[float]]:
    """Draw five probabilities that fit together, now and then certainties."""
    if rng.below(4) == 0:
        return (rng.choice(([1.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, 1.0], [1.0, 0.0, 0.0, 0.0, 0.0])),)
    win = rng.below(65) / 64
    gammon, lost = win * rng.below(9) / 16, (1 - win) * rng.below(9) / 16
    return ([win, gammon, gammon / 4, lost, lost / 8],)


# -------------------------------------------------------------------------------------------------------- one die


def steps_with(
    *,
    enter_first: bool = True,
    closed: int = 2,
    hit: bool = True,
    all_home: bool = True,
    larger: str = "highest",
    mirrored: bool = True,
    sent: int | None = BAR,
    each_checker: bool = False,
) -> Callable[[Side, Side, int], list[Position]]:
    """Return a function that lists the positions after one die, the highest source first.

    Parameters
    ----------
    enter_first : checkers on the bar must enter before anything else moves
    closed : opposing checkers that close a point
    hit : a lone checker is sent to the bar
    all_home : bearing off needs all checkers at home
    larger : which points a larger die bears off from: "highest", "any" or "none"
    mirrored : the opponent counts the points from its own end
    sent : the entry to which a checker that is hit goes; None for nowhere
    each_checker : a position for every checker of a source
    """

    def steps(own: Side, other: Side, die: int) -> list[Position]:
        found = [(step, own[step[0]] if each_checker else 1) for step in _sources(own, other, die)]
        return [_moved(own, other, step) for step, times in found for _ in range(times)]

    def _entry(point: int) -> int:
        return BAR - point if mirrored else point

    def _moved(own: Side, other: Side, step: Step) -> Position:
        mine, theirs = list(own), list(other)
        mine[step[0]] -= 1
        mine[step[1]] += 1
        if hit and step[1] != OFF and other[_entry(step[1])] == 1:
            theirs[_entry(step[1])] = 0
            if sent is not None:
                theirs[sent] += 1
        return tuple(mine), tuple(theirs)

    def _sources(own: Side, other: Side, die: int) -> Iterator[Step]:
        top = max((point for point in range(1, BAR + 1) if own[point]), default=OFF)
        for source in (BAR,) if own[BAR] and enter_first else range(top, 0, -1):
            destination = source - die
            if not own[source]:
                continue
            if destination > OFF:
                if other[_entry(destination)] < closed:
                    yield source, destination
            elif top <= HOME or not all_home:
                exact = destination == OFF
                if exact or larger == "any" or (larger == "highest" and source == top):
                    yield source, OFF

    return steps


def steps(own: Side, other: Side, die: int) -> list[Position]:
    """Return the positions after one die, the highest source first."""
    return [rules.move(own, other, step) for step in rules.steps(own, other, die)]


# ------------------------------------------------------------------------------------------------------ a whole roll


def plays(own: Side, other: Side, roll: tuple[int, int]) -> list[Position]:
    """Return the distinct positions after a roll, sorted."""
    return sorted(rules.plays(own, other, (max(roll), min(roll))).values())


def plays_with(
    *,
    copies: int = 4,
    both_orders: bool = True,
    most: bool = True,
    larger_first: bool = True,
    distinct: bool = True,
    forced: bool = True,
) -> Callable[..., list[Position]]:
    """Return a function that lists the positions after a roll, sorted, with a rule broken.

    Parameters
    ----------
    copies : how often a double is played
    both_orders : try the dice in both orders
    most : as many dice as possible must be played
    larger_first : of two dice of which only one can be played the larger must be
    distinct : each position once
    forced : where nothing can be played the position stays
    """

    def reach(own: Side, other: Side, dice: tuple[int, ...]) -> Iterator[tuple[int, Position]]:
        after = steps(own, other, dice[0]) if dice else []
        if not after or not most:
            yield len(dice), (own, other)
        for mine, theirs in after:
            yield from reach(mine, theirs, dice[1:])

    def found(own: Side, other: Side, roll: tuple[int, int]) -> list[Position]:
        high, low = max(roll), min(roll)
        orders = [(high,) * copies] if high == low else [(high, low), (low, high)][: 1 + both_orders]
        ends = [list(reach(own, other, dice)) for dice in orders]
        left = min(rest for order in ends for rest, _ in order)
        if left == 1 and high != low and larger_first and any(rest == 1 for rest, _ in ends[0]):
            ends = ends[:1]
        if left == len(orders[0]):
            return [(own, other)] if forced else []
        ends = [[(rest, position) for rest, position in order if rest == left or not most] for order in ends]
        positions = [position for order in ends for _, position in order if most or position != (own, other)]
        return sorted(set(positions)) if distinct else sorted(positions)

    return found


def draw_position(rng: Rng, *, most: int = 4) -> Position:
    """Draw a few checkers a side: close together, on the bar, or all at home."""
    kind = rng.below(4)
    last = (10, 24, HOME, 24)[kind]
    mine = _scatter(rng, last, 1 + rng.below(most), set())
    taken = {BAR - point for point in range(1, BAR) if mine[point]}
    theirs = _scatter(rng, 24, 1 + rng.below(most), taken)
    if kind == 3:  # on the bar, before a home board that is closed in part
        mine[BAR] += 1
        for point in range(1, HOME + 1):
            theirs[point] = 2 if point not in taken and rng.below(3) else 0
    return tuple(mine), tuple(theirs)


def _scatter(rng: Rng, last: int, checkers: int, taken: set[int]) -> list[int]:
    counts = [0] * (BAR + 1)
    free = [point for point in range(1, last + 1) if point not in taken]
    for _ in range(checkers):
        counts[rng.choice(free)] += 1 + rng.below(2)
    return counts


def draw_die(rng: Rng) -> tuple[Any, ...]:
    """Draw a position and one die: one time in three somebody can be hit, one in three bearing off is near."""
    kind, die = rng.below(3), 1 + rng.below(6)
    own, other = draw_position(rng)
    if kind == 1:
        targets = [point for point in range(1, BAR + 1 - die) if own[point + die] and not own[point]]
        blot = BAR - rng.choice(targets) if targets else None
        other = tuple(1 if point == blot else count for point, count in enumerate(other))
    if kind == 2:
        counts = _scatter(rng, HOME, 2 + rng.below(3), set())
        if rng.below(2):  # one checker is not at home, and another could go if it were
            die = rng.choice([point for point in range(1, HOME + 1) if counts[point]])
            counts[HOME + 1] = 1
        own, other = tuple(counts), side({12: 1} if counts[1] else {24: 2, 12: 1})
    return own, other, die


def draw_roll(rng: Rng) -> tuple[Any, ...]:
    """Draw a position and a roll, doubles one time in four; one time in three a checker cannot play all its dice."""
    a = 1 + rng.below(6)
    if rng.below(3) == 0:
        b = (a + rng.below(5)) % 6 + 1
        source, shut = 14 + rng.below(11), rng.choice((0, 0, 0, a, b))
        closed = {BAR - source + a + b: 2, **({BAR - source + shut: 2} if shut else {})}
        return side({source: 1}), side(closed), (max(a, b), min(a, b))
    b = a if rng.below(3) == 0 else 1 + rng.below(6)
    return (*draw_position(rng, most=3), (max(a, b), min(a, b)))


# ------------------------------------------------------------------------------------------------------- the inputs


def inputs_with(
    *,
    at_least: bool = True,
    half: float = 2,
    bar: float = 2,
    off: float = 15,
    mirrored: bool = False,
    turn: bool = True,
    least: float = 0,
    own_first: bool = True,
    bar_first: bool = True,
) -> Callable[[Side, Side], list[float]]:
    """Return the inputs with one unit taken wrongly.

    Parameters
    ----------
    at_least : the first three units say "at least", not "exactly"
    half, bar, off : what the last unit of a point, the bar and the borne off are divided by
    mirrored : the opponent's points counted from our own end
    turn : the last two units are 1 and 0
    least : what the last unit of a point is not less than
    own_first : our side's units come first
    bar_first : the bar's unit comes before that of the borne off
    """

    def inputs(own: Side, other: Side) -> list[float]:
        units: list[float] = []
        for index, counts in enumerate((own, other) if own_first else (other, own)):
            points = counts[24:0:-1] if index and mirrored else counts[1:25]
            for n in points:
                units += [float(n >= k if at_least else n == k) for k in (1, 2, 3)] + [max(n - 3, least) / half]
            last = [counts[BAR] / bar, counts[OFF] / off]
            units += last if bar_first else last[::-1]
        return [*units, *((1.0, 0.0) if turn else (0.0, 1.0))]

    return inputs


inputs = inputs_with()


def numbers_alike(got: Any, wanted: Any, own: Side, other: Side) -> bool:
    """Say whether units agree as numbers: True is a good 1."""
    return len(got) == len(wanted) and all(math.isclose(unit, right) for unit, right in zip(got, wanted, strict=True))


def draw_full(rng: Rng) -> Position:
    """Draw fifteen checkers a side."""
    sides: list[Side] = []
    taken: set[int] = set()
    for _ in range(2):
        free = [point for point in range(1, BAR) if point not in taken]
        chosen = [rng.choice(free) for _ in range(3 + rng.below(4))]
        counts = [0] * (BAR + 1)
        for _ in range(15):
            counts[rng.choice([OFF, BAR, *chosen, *chosen, *chosen])] += 1
        taken = {BAR - point for point in range(1, BAR) if counts[point]}
        sides.append(tuple(counts))
    return sides[0], sides[1]


# ------------------------------------------------------------------------------------------------------ the learning


def targets_with(
    *,
    flip: float = -1.0,
    flip_value: float | None = None,
    swapped: bool = False,
    own_value: bool = False,
    flip_outcome: bool = False,
    backwards: bool = False,
) -> Callable[[Sequence[float], float, float], list[float]]:
    """Return a function that computes λ-returns.

    Parameters
    ----------
    flip : what a target is multiplied by when the turn changes
    flip_value : the same for a value; default: as ``flip``
    swapped : λ weighs the next value and 1 − λ the next target
    own_value : the value of the position itself in place of the next one's
    flip_outcome : the outcome changes its sign at the last position too
    backwards : the last position's target comes first
    """
    turned = flip if flip_value is None else flip_value

    def targets(values: Sequence[float], outcome: float, decay: float) -> list[float]:
        found = [flip * outcome if flip_outcome else outcome]
        weight = 1 - decay if swapped else decay
        for t in range(len(values) - 2, -1, -1):
            value = values[t] / flip if own_value else values[t + 1]
            found.append(flip * weight * found[-1] + turned * (1 - weight) * value)
        return found if backwards else found[::-1]

    return targets


targets = targets_with()


def draw_game(rng: Rng) -> tuple[Any, ...]:
    """Draw the values of a short game, its outcome and λ."""
    values = [(rng.below(33) - 16) / 8 for _ in range(1 + rng.below(5))]
    return values, float(rng.choice((1, -1, 2, -2, 3))), rng.choice((0.0, 0.25, 0.75, 0.75, 1.0))


def step_with(
    *,
    squared: bool = False,
    sign: int = 1,
    scaled: bool = True,
    plain: bool = False,
    slope: int = -1,
    rated: bool = True,
    step_only: bool = False,
) -> Callable[..., list[float]]:
    """Return one step of learning for one logistic unit.

    Parameters
    ----------
    squared : the gradient of the squared error, with the slope v (1 − v)
    sign : −1 goes the wrong way
    scaled : the correction is multiplied by the input
    plain : the value is the sum itself, not squeezed by the logistic function
    slope : 1 has the wrong sign in the exponent
    rated : the step is multiplied by the rate
    step_only : the changes of the weights, not the weights
    """

    def td_step(weights: Sequence[float], units: Sequence[float], target: float, rate: float) -> list[float]:
        total = sum(w * x for w, x in zip(weights, units, strict=True))
        value = total if plain else 1 / (1 + math.exp(slope * total))
        error = sign * (rate if rated else 1) * (target - value) * (value * (1 - value) if squared else 1)
        kept = [0.0] * len(units) if step_only else weights
        return [w + error * (x if scaled else 1) for w, x in zip(kept, units, strict=True)]

    return td_step


td_step = step_with()


def draw_step(rng: Rng) -> tuple[Any, ...]:
    """Draw weights, inputs, a target and a rate."""
    n = 2 + rng.below(4)
    weights = [(rng.below(17) - 8) / 4 for _ in range(n)]
    units = [rng.choice((0.0, 1.0, 1.0, 0.5, 1.5)) for _ in range(n)]
    return weights, units, rng.choice((0.0, 1.0, 0.25, 0.6)), rng.choice((0.1, 0.5, 1.0))


# -------------------------------------------------------------------------------------------------------- the search


def value_with(
    *,
    double: float = 1 / 36,
    other_rolls: float = 2 / 36,
    choose: Callable[[Sequence[float]], float] = min,
    view: Callable[[Callable[[Side, Side], float], Side, Side], float] = lambda evaluate, own, other: evaluate(
        own, other
    ),
) -> Callable[[Side, Side, Any], float]:
    """Return the value of a position to the side that has just played, one roll and reply ahead.

    Parameters
    ----------
    double, other_rolls : probabilities
    choose : what is made of the values of the replies
    view : asks ``evaluate`` for the value of a position with ``own`` on roll
    """

    def value(own: Side, other: Side, evaluate: Any) -> float:
        total = 0.0
        for high in range(1, 7):
            for low in range(1, high + 1):
                replies = [view(evaluate, mine, theirs) for theirs, mine in plays(other, own, (high, low))]
                total += (double if high == low else other_rolls) * choose(replies)
        return total

    return value


value_after = value_with()


def draw_value(rng: Rng) -> tuple[Any, ...]:
    """Draw a position of few checkers and an evaluation."""
    return (*draw_position(rng, most=2), rng.choice((PIPS, BLOTS)))
