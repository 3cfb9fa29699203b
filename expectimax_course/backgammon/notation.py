"""How people write backgammon: rolls, plays and positions.

A play is written from the mover's end: ``13/7 8/7*`` moves a checker from the 13-point to the 7-point and another from
the 8-point, hitting; ``bar/21``, ``6/off(2)``. A checker that moves twice is written once, ``24/18``, except where it
hits on the way, ``24/20*/18``.

A *position ID* is GNU Backgammon's name of a position: 14 characters of base 64 for 80 bits, least significant bit of
each byte first. The opponent of the side on roll comes first, then the side itself; for each point from the ace point
to the bar there is a 1 per checker and a 0 to close.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from expectimax_course.backgammon.rules import OFF, Backgammon, Play, Roll, Side, Step, plays
from expectimax_course.game import IllegalActionError, StateError

NO_PLAY = "no play"
CHECKERS = 15
_BAR = 25
_PART = re.compile(r"(bar|[0-9]{1,2})((?:/(?:off|[0-9]{1,2})\*?)+)(?:\(([1-4])\))?", re.IGNORECASE)


class NotationError(StateError):
    """A roll, play or position ID is not written as this module reads it."""


def parse_roll(text: str) -> Roll:
    """Return a roll, the larger die first.

    Raises
    ------
    NotationError
        If the text is not two digits from 1 to 6, such as "31", "3-1" or "3 1".

    Examples
    --------
    >>> parse_roll("13"), parse_roll("6-6")
    ((3, 1), (6, 6))
    """
    match = re.fullmatch(r"\s*([1-6])[\s,-]?([1-6])\s*", text)
    if match is None:
        raise NotationError(f"expected a roll such as '31', two dice from 1 to 6, got {text!r}")
    low, high = sorted(int(die) for die in match.groups())
    return high, low


def format_play(other: Side, play: Play) -> str:
    """Write a play; ``other`` is the opponent before it, from its own end, to show what is hit.

    Examples
    --------
    >>> empty = (13,) + (0,) * 25
    >>> blot = empty[:18] + (2,) + empty[19:]
    >>> format_play(empty, ((24, 18), (18, 13))), format_play(empty, ((8, 4), (8, 4), (6, 2), (6, 2)))
    ('24/13', '8/4(2) 6/2(2)')
    """
    if not play:
        return NO_PLAY
    bar = len(other) - 1
    blots = {bar - point for point in range(1, bar) if other[point] == 1}
    trips: list[list[Step]] = []
    for step in play:
        trip = next((trip for trip in trips if trip[-1][1] == step[0]), None)
        if trip is None:
            trips.append([step])
        else:
            trip.append(step)
    written: Counter[str] = Counter()
    for trip in trips:
        text = _point(trip[0][0], bar)
        for index, (_, destination) in enumerate(trip):
            hits = destination in blots
            blots.discard(destination)
            if hits or index == len(trip) - 1:
                text += f"/{_point(destination, bar)}{'*' if hits else ''}"
        # the second checker to a point where the first has hit belongs to the same group
        group = f"{text}*" if f"{text}*" in written else text
        written[group] += 1
    return " ".join(text if times == 1 else f"{text}({times})" for text, times in written.items())


def _point(point: int, bar: int) -> str:
    return {OFF: "off", bar: "bar"}.get(point, str(point))


def parse_play(own: Side, other: Side, roll: Roll, text: str) -> Play:
    """Return the legal play that a text means, by what it does: where checkers leave, arrive, and what is hit.

    Where no hit is marked, the play that hits nothing is meant, else the only one that fits: 24/18 can pass a blot by
    that 24/20*/18 hits.

    Raises
    ------
    NotationError
        If the text is no play, or marks no hit and fits several plays that all hit.
    IllegalActionError
        If no legal play does this.

    Examples
    --------
    >>> start = Backgammon().initial_state()
    >>> parse_play(start.max_side, start.min_side, (3, 1), "6/5 8/5")
    ((8, 5), (6, 5))
    """
    bar = len(own) - 1
    legal = plays(own, other, roll)
    change, starred = _net_effect(text, bar)
    fitting: list[tuple[Play, set[int]]] = []
    for play, (mine, theirs) in legal.items():
        if all(mine[point] - own[point] == change[point] for point in range(bar + 1)):
            hits = {bar - p for p in range(1, bar) if other[p] == 1 and theirs[p] == 0}
            fitting.append((play, hits))
    exact = [play for play, hits in fitting if hits == starred]
    if exact:
        return exact[0]
    if not starred and len(fitting) > 1:
        raise NotationError(f"expected the hits to be marked with *, because several plays fit, got {text!r}")
    if not starred and fitting:
        return fitting[0][0]
    known = ", ".join(format_play(other, play) for play in legal)
    raise IllegalActionError(f"expected a legal play of {roll[0]}{roll[1]} ({known}), got {text!r}")


def _net_effect(text: str, bar: int) -> tuple[Counter[int], set[int]]:
    """Return how many checkers each point gains, and the points marked as hit."""
    change: Counter[int] = Counter()
    starred: set[int] = set()
    if text.strip().lower() == NO_PLAY:
        return change, starred
    words = text.split()
    for word in words:
        match = _PART.fullmatch(word)
        if match is None:
            raise NotationError(f"expected a play such as '13/7 8/7*', 'bar/21' or '6/off(2)', got {text!r}")
        start, stops, times = match.groups()
        route = [_number(start, bar), *(_number(stop.rstrip("*"), bar) for stop in stops[1:].split("/"))]
        if any(b >= a for a, b in pairwise(route)) or route[0] > bar:
            raise NotationError(f"expected checkers to move from a higher point to a lower one, got {text!r}")
        change[route[0]] -= int(times or 1)
        change[route[-1]] += int(times or 1)
        starred |= {_number(stop[:-1], bar) for stop in stops[1:].split("/") if stop.endswith("*")}
    if not words:
        raise NotationError(f"expected a play, or '{NO_PLAY}', got {text!r}")
    return change, starred


def _number(point: str, bar: int) -> int:
    return {"bar": bar, "off": OFF}.get(point.lower(), -1) if not point.isdigit() else int(point)


def position_id(own: Side, other: Side) -> str:
    """Return the position ID; ``own`` is on roll, both sides from their own end.

    Raises
    ------
    StateError
        If the sides are no position of standard backgammon.

    Examples
    --------
    >>> start = Backgammon().initial_state()
    >>> position_id(start.max_side, start.min_side)
    '4HPwATDgc/ABMA'
    """
    Backgammon().check_sides(own, other)
    bits, length = 0, 0
    for count in (*other[1:], *own[1:]):
        bits |= ((1 << count) - 1) << length
        length += count + 1
    return base64.b64encode(bits.to_bytes(10, "little")).decode().rstrip("=")


def parse_position_id(text: str) -> tuple[Side, Side]:
    """Return (the side on roll, its opponent), each from its own end; checkers that are missing are borne off.

    Raises
    ------
    NotationError
        If the text is no position ID.
    StateError
        If it is one of an impossible position.

    Examples
    --------
    >>> own, other = parse_position_id("4HPwATDgc/ABMA")
    >>> own == other, own[6], own[24]
    (True, 5, 2)
    """
    try:
        data = base64.b64decode(text + "==", validate=True)
    except (binascii.Error, ValueError):
        data = b""
    if len(text) != 14 or len(data) != 10 or base64.b64encode(data).decode().rstrip("=") != text:
        raise NotationError(f"expected a position ID of 14 characters such as '4HPwATDgc/ABMA', got {text!r}")
    bits = int.from_bytes(data, "little")
    counts: list[int] = []
    while len(counts) < 2 * _BAR:
        count = ((~bits & (bits + 1)).bit_length()) - 1
        counts.append(count)
        bits >>= count + 1
    if bits:
        raise NotationError(f"expected {2 * _BAR} points in a position ID, got more in {text!r}")
    other, own = _with_off(counts[:_BAR], text), _with_off(counts[_BAR:], text)
    Backgammon().check_sides(own, other)
    return own, other


def _with_off(counts: Sequence[int], text: str) -> Side:
    if sum(counts) > CHECKERS:
        raise StateError(f"expected at most {CHECKERS} checkers a side, got {sum(counts)} in position ID {text!r}")
    return (CHECKERS - sum(counts), *counts)
