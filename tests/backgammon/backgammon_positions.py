"""Positions for the tests: met in random play, and scattered over the board so that the rare rules come up."""

from __future__ import annotations

from collections.abc import Iterator

from expectimax_course.backgammon.rules import Backgammon, Roll, Side, rolls, sides
from expectimax_course.rng import Rng

ROLLS = rolls()


def side(points: dict[int, int], checkers: int = 15) -> Side:
    """A side from {point: checkers}; what is missing is borne off."""
    counts = [points.get(point, 0) for point in range(26)]
    counts[0] += checkers - sum(counts)
    return tuple(counts)


FAR = side({1: 15})
"""An opponent that is in nobody's way, unless checkers stand on our 24-point."""


def played(seed: int, n: int) -> Iterator[tuple[Side, Side, Roll]]:
    """Positions before a play, in games of random play."""
    game, rng = Backgammon(), Rng(seed)
    state = game.initial_state()
    for _ in range(n):
        state = game.result(state, rng.outcome(ROLLS))
        assert state.dice is not None
        yield *sides(state), state.dice
        state = game.result(state, rng.choice(game.legal_actions(state)))
        if game.is_terminal(state):
            state = game.initial_state()


def scattered(seed: int, n: int) -> Iterator[tuple[Side, Side, Roll]]:
    """Random positions: a third all over the board, a third with bars, a third bearing off."""
    rng = Rng(seed)
    made = 0
    while made < n:
        kind = rng.below(3)
        own, other = [0] * 26, [0] * 26
        for side, rival in ((own, other), (other, own)):
            reach = 6 if kind == 2 and side is own else 24
            for _ in range(15):
                draw = rng.below(12)
                if kind == 1 and draw == 0:
                    point = 25
                elif kind == 2 and draw < 5:
                    point = 0
                else:
                    point = 1 + rng.below(reach)
                while 1 <= point <= 24 and rival[25 - point]:
                    point = 1 + rng.below(24)
                side[point] += 1
        if 15 in (own[0], other[0]):
            continue
        made += 1
        yield tuple(own), tuple(other), rng.outcome(ROLLS)
