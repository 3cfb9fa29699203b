"""Backgammon as a game under chance, written to be read.

Each side sees the board from its own end. A side is a tuple of checker counts: entry 0 counts the checkers borne off,
entries 1 … 24 the points, entry 25 the bar. Checkers move from high to low. Point p of one side is point 25 − p of
the other::

    MAX's point   13 14 15 16 17 18 | 19 20 21 22 23 24        MIN's point  12 … 7 | 6 … 1
    MAX's point   12 11 10  9  8  7 |  6  5  4  3  2  1        MIN's point  13 … 18 | 19 … 24

A *roll* is a pair of dice, the larger first. A *play* is what one roll is used for: up to four *steps* (source,
destination). Two plays that lead to the same position are one; the rules' hard part is that as many dice as possible
must be used, and the larger one if only one can be.

Whoever starts is settled outside: MAX rolls first, doubles included; `opening_rolls` has the rolls that open a game
between people. There is no doubling cube; a win counts 1, a
gammon 2, a backgammon 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple, cast

from expectimax_course.game import Player, StateError, illegal_action

Side = tuple[int, ...]
Roll = tuple[int, int]
Step = tuple[int, int]
Play = tuple[Step, ...]

OFF = 0
STANDARD = {24: 2, 13: 5, 8: 3, 6: 5}
HYPER = {24: 1, 23: 1, 22: 1}


class State(NamedTuple):
    """A position, whose turn it is, and the roll to play; ``dice`` is None before the roll (a chance node)."""

    max_side: Side
    min_side: Side
    turn: Player
    dice: Roll | None


def sides(state: State) -> tuple[Side, Side]:
    """Return (the side on turn, its opponent), each seen from its own end."""
    if state.turn == Player.MAX:
        return state.max_side, state.min_side
    return state.min_side, state.max_side


def rolls(faces: int = 6) -> tuple[tuple[Roll, float], ...]:
    """Return the distinct rolls of two dice with their probabilities: doubles once, all others twice as likely.

    Examples
    --------
    >>> len(rolls()), rolls()[0], rolls()[1][0]
    (21, ((1, 1), 0.027777777777777776), (2, 1))
    """
    return tuple(
        ((high, low), (1 if high == low else 2) / faces**2)
        for high in range(1, faces + 1)
        for low in range(1, high + 1)
    )


def opening_rolls(faces: int = 6) -> tuple[tuple[Roll, float], ...]:
    """Return the rolls that can open a game by the rules: each side rolls one die, the higher one starts with both.

    Equal dice are rolled again, so there is no double among them.

    Examples
    --------
    >>> len(opening_rolls()), opening_rolls()[0]
    (15, ((2, 1), 0.06666666666666667))
    """
    return tuple(((high, low), 2 / (faces * (faces - 1))) for (high, low), _ in rolls(faces) if high > low)


def steps(own: Side, other: Side, die: int, home: int = 6) -> Iterator[Step]:
    """Yield what one die may do, from the highest source down.

    Checkers on the bar enter first. A point with two or more opposing checkers is closed. Once all are home, a checker
    is borne off by its exact number, or from the highest point by a larger one.
    """
    bar = len(own) - 1
    top = max((point for point in range(1, bar + 1) if own[point]), default=OFF)
    for source in (bar,) if own[bar] else range(top, 0, -1):
        destination = source - die
        if not own[source]:
            continue
        if destination > OFF:
            if other[bar - destination] < 2:
                yield source, destination
        elif top <= home and (destination == OFF or source == top):
            yield source, OFF


def move(own: Side, other: Side, step: Step) -> tuple[Side, Side]:
    """Move one checker; a lone opposing checker on its destination goes to the bar."""
    source, destination = step
    bar = len(own) - 1
    mine, theirs = list(own), list(other)
    mine[source] -= 1
    mine[destination] += 1
    if destination > OFF and theirs[bar - destination] == 1:
        theirs[bar - destination] = 0
        theirs[bar] += 1
    return tuple(mine), tuple(theirs)


def _sequences(
    own: Side, other: Side, dice: Roll | tuple[int, ...], home: int, play: Play = (), ceiling: int | None = None
) -> Iterator[tuple[Play, Side, Side]]:
    """Yield every way to play ``dice`` in this order, until they are used up or no step from below ``ceiling`` is left.

    Equal dice are played from the highest source down, each source a ceiling for the next: any play can be put into
    that order, so none is lost, and no whole play comes up twice.
    """
    stuck = True
    for step in steps(own, other, dice[0], home) if dice else ():
        if ceiling is None or step[0] <= ceiling:
            stuck = False
            below = step[0] if len(set(dice)) == 1 else None
            yield from _sequences(*move(own, other, step), dice[1:], home, (*play, step), below)
    if stuck:
        yield play, own, other


@lru_cache(maxsize=4096)
def plays(own: Side, other: Side, roll: Roll, home: int = 6) -> Mapping[Play, tuple[Side, Side]]:
    """Return every legal play with the position it leads to, still seen by the mover; positions are distinct.

    Parameters
    ----------
    own, other : tuple of int, shape (points + 2,)
        The mover and the opponent, each from its own end.
    roll : (larger die, smaller die)
    home : points of the home board

    Returns
    -------
    mapping of play to (own, other)
        In a fixed order. Where nothing can be played it holds the empty play alone.

    Examples
    --------
    >>> own = other = Backgammon().initial_state().max_side
    >>> len(plays(own, other, (3, 1)))
    16
    """
    high, low = roll
    orders = ((high,) * 4,) if high == low else ((high, low), (low, high))
    found = [list(_sequences(own, other, dice, home)) for dice in orders]
    most = max(len(play) for sequences in found for play, _, _ in sequences)
    if most == 1 and high != low and any(len(play) == 1 for play, _, _ in found[0]):
        found = found[:1]
    distinct: dict[tuple[Side, Side], Play] = {}
    for sequences in found:
        for play, mine, theirs in sequences:
            if len(play) == most:
                distinct.setdefault((mine, theirs), tuple(sorted(play, reverse=True)))
    ordered = sorted(distinct.items(), key=lambda item: item[1], reverse=True)
    return MappingProxyType({play: position for position, play in ordered})


class Backgammon:
    """The game object: standard backgammon, or a smaller board for exact teaching.

    Parameters
    ----------
    setup : mapping of point to checkers
        The start of both sides, seen from each side's own end.
    points, home, faces : int
        Points of the board, points of the home board, faces of each die.

    Raises
    ------
    StateError
        If the setup does not fit the board, or the two sides overlap.

    Examples
    --------
    >>> game = Backgammon()
    >>> opening = game.result(game.initial_state(), (3, 1))
    >>> len(game.legal_actions(opening)), ((8, 5), (6, 5)) in game.legal_actions(opening)
    (16, True)
    """

    def __init__(self, setup: Mapping[int, int] = STANDARD, *, points: int = 24, home: int = 6, faces: int = 6) -> None:
        if not (1 <= faces <= points and 1 <= home <= points // 2):
            raise StateError(
                f"expected a home of at most half the board and dice no larger than it, got points={points!r}, "
                f"home={home!r}, faces={faces!r}"
            )
        self.points, self.home, self.faces = points, home, faces
        if not setup or not all(1 <= point <= points + 1 and count > 0 for point, count in setup.items()):
            raise StateError(f"expected checkers on points 1 to {points} or the bar, got {dict(setup)!r}")
        self.checkers = sum(setup.values())
        self._side: Side = tuple(setup.get(point, 0) for point in range(points + 2))
        self._rolls = rolls(faces)
        self.check_sides(self._side, self._side)

    def __repr__(self) -> str:
        setup = {point: n for point, n in enumerate(self._side) if n}
        return f"Backgammon({setup}, points={self.points}, home={self.home}, faces={self.faces})"

    def check_sides(self, own: Sequence[int], other: Sequence[int]) -> None:
        """Check a position that comes from outside.

        Raises
        ------
        StateError
            If a side has the wrong length or number of checkers, both have borne off all, or both hold one point.
        """
        for side in (own, other):
            if len(side) != self.points + 2 or not all(isinstance(n, int) and n >= 0 for n in side):
                raise StateError(f"expected {self.points + 2} counts of 0 or more for a side, got {side!r}")
            if sum(side) != self.checkers:
                raise StateError(f"expected {self.checkers} checkers a side, got {sum(side)}")
        if own[OFF] == other[OFF] == self.checkers:
            raise StateError("expected at most one side to have borne off all its checkers, got both")
        for point in range(1, self.points + 1):
            if own[point] and other[self.points + 1 - point]:
                raise StateError(f"expected one side alone on each point, got both on point {point}")

    def position(self, max_side: Side, min_side: Side, turn: Player = Player.MAX, dice: Roll | None = None) -> State:
        """Return a checked state.

        Raises
        ------
        StateError
            If the sides break the rules of ``check_sides``, the turn is nobody's, or the dice are no roll.
        """
        self.check_sides(max_side, min_side)
        if turn not in (Player.MAX, Player.MIN):
            raise StateError(f"expected the turn of MAX or MIN, got {turn!r}")
        if dice is not None and dice not in dict(self._rolls):
            raise StateError(f"expected two dice of 1 to {self.faces}, the larger first, got {dice!r}")
        return State(tuple(max_side), tuple(min_side), Player(turn), dice)

    def initial_state(self) -> State:
        """Return the setup with MAX about to roll."""
        return State(self._side, self._side, Player.MAX, None)

    def current_player(self, state: State) -> Player:
        """Return CHANCE before the roll, else whose turn it is."""
        return Player.CHANCE if state.dice is None else state.turn

    def is_terminal(self, state: State) -> bool:
        """Say whether a side has borne off all its checkers."""
        return self.checkers in (state.max_side[OFF], state.min_side[OFF])

    def utility(self, state: State) -> float:
        """Return the points of MAX: 1, 2 for a gammon, 3 for a backgammon; negative when MIN has won."""
        if state.max_side[OFF] == self.checkers:
            return float(stake(state.min_side, self.home))
        return -float(stake(state.max_side, self.home))

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """A backgammon, lost or won."""
        return -3.0, 3.0

    def chance_outcomes(self, state: State) -> Sequence[tuple[Roll, float]]:
        """Return the distinct rolls with their probabilities."""
        return self._rolls

    def legal_actions(self, state: State) -> Sequence[Play]:
        """Return one play for each position that can be reached; ``((),)``, the forced pass, where there is none."""
        if state.dice is None:
            raise StateError(f"expected a state with dice, got one before the roll: {state!r}")
        return tuple(plays(*sides(state), state.dice, self.home))

    def result(self, state: State, action: Play | Roll) -> State:
        """Return the state after a roll (at a chance node) or a play.

        Raises
        ------
        IllegalActionError
            If the roll or the play does not exist here.
        """
        if state.dice is None:
            for roll, _ in self._rolls:
                if roll == action:
                    return state._replace(dice=roll)
            illegal_action(action, state, f"the {len(self._rolls)} rolls")
        legal = plays(*sides(state), state.dice, self.home)
        position = legal.get(cast(Play, action))
        if position is None:
            illegal_action(action, state, list(legal))
        own, other = position
        if state.turn == Player.MAX:
            return State(own, other, Player.MIN, None)
        return State(other, own, Player.MAX, None)


def stake(loser: Side, home: int = 6) -> int:
    """Return what the winner earns: 1; 2, a gammon, if the loser has borne off none; 3 if it is also still far behind.

    Far behind is a checker on the bar or in the winner's home board: a backgammon.

    Examples
    --------
    >>> stake((1,) + (0,) * 24 + (14,)), stake((0,) * 7 + (15,) + (0,) * 18), stake((0,) * 25 + (15,))
    (1, 2, 3)
    """
    if loser[OFF]:
        return 1
    return 3 if any(loser[len(loser) - 1 - home :]) else 2


def hyper_backgammon() -> Backgammon:
    """Return backgammon with three checkers a side, on the 24-, 23- and 22-points."""
    return Backgammon(HYPER)


def small_backgammon() -> Backgammon:
    """Return a board of six points for exact teaching: two checkers a side, home boards of two, two-faced dice."""
    return Backgammon({6: 1, 5: 1}, points=6, home=2, faces=2)
