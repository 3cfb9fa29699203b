"""One turn of the backgammon app: a play made step by step, what the network thinks of every play, and a student."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any

from expectimax_course.apps._controls import ask_student, scroll
from expectimax_course.apps._protocol import StudentError
from expectimax_course.backgammon.net import Net, load_net
from expectimax_course.backgammon.notation import format_play
from expectimax_course.backgammon.rules import Backgammon, Play, Roll, Side, Step, move, plays, steps
from expectimax_course.backgammon.search import Candidate, evaluator, rank_plays
from expectimax_course.game import Player
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.viz.backgammon import draw_backgammon
from expectimax_course.viz.html import number, table

BROWSER_DATA = ("backgammon/nets/strong.bin",)
NET = "strong"
SHOWN, SEARCHED = 6, 3
"""Plays in the table of advice, and how many of them a search one decision deeper looks at."""
NAMES = ("You", "The network")


@cache
def net() -> Net:
    """Return the network that plays here."""
    return load_net(NET)


@lru_cache(maxsize=16)
def ranked(own: Side, other: Side, roll: Roll) -> tuple[Candidate, ...]:
    """Return the plays of a roll as the network ranks them; several buttons ask for the same in a row."""
    return tuple(rank_plays(net(), own, other, roll))


def dice_of(roll: Roll) -> tuple[int, ...]:
    """Return the dice to play: four for a double."""
    return (roll[0],) * 4 if roll[0] == roll[1] else roll


def played(own: Side, other: Side, made: Sequence[Step]) -> tuple[Side, Side]:
    """Return the position after some steps."""
    for step in made:
        own, other = move(own, other, step)
    return own, other


def next_steps(own: Side, other: Side, roll: Roll, made: Sequence[Step]) -> tuple[dict[Step, int], list[int]]:
    """Return the steps that may follow, each with its die, and the dice that are left.

    A step may follow if a legal play can still come of it. Of two dice that make one step the exact one counts.
    """
    ends = set(plays(own, other, roll).values())

    @cache
    def leads_on(own: Side, other: Side, dice: tuple[int, ...]) -> bool:
        return (own, other) in ends or any(True for _ in following(own, other, dice))

    def following(own: Side, other: Side, dice: tuple[int, ...]) -> Any:
        for die in sorted(set(dice), reverse=True):
            rest = list(dice)
            rest.remove(die)
            for step in steps(own, other, die):
                if leads_on(*move(own, other, step), tuple(rest)):
                    yield step, die

    left = dice_of(roll)
    for step in made:
        found = dict(following(own, other, left))
        rest = list(left)
        rest.remove(found[step])
        own, other, left = *move(own, other, step), tuple(rest)
    return dict(following(own, other, left)), list(left)


def is_complete(own: Side, other: Side, roll: Roll, made: Sequence[Step]) -> bool:
    """Say whether some steps are a whole legal play."""
    return played(own, other, made) in plays(own, other, roll).values()


def play_list(own: Side, other: Side, roll: Roll, made: Sequence[Step]) -> tuple[bool, str, list[tuple[str, str]]]:
    """Return whether a whole play is made, its place in the list of legal plays, and that list for a drop-down."""
    legal, ready = plays(own, other, roll), is_complete(own, other, roll, made)
    after = played(own, other, made)
    place = next((str(index) for index, position in enumerate(legal.values()) if ready and position == after), "")
    names = [(str(index), format_play(other, play)) for index, play in enumerate(legal)]
    return ready, place, [("", f"{len(legal)} legal play{'s' * (len(legal) > 1)}"), *names]


def board(own: Side, other: Side, roll: Roll, made: Sequence[Step], theirs: Sequence[Sequence[int]]) -> str:
    """Return the board as it stands, with the dice and the steps that were made last."""
    following, left = next_steps(own, other, roll, made)
    spent = list(dice_of(roll))
    for die in left:
        spent.remove(die)
    return draw_backgammon(
        *played(own, other, made),
        f"Your roll {roll[0]}{roll[1]}",
        dice=left,
        spent=spent,
        arrows=[(*step, True) for step in made] or [(step[0], step[1], False) for step in theirs],
        marked={source for source, _ in following},
        names=NAMES,
    )


def advice(own: Side, other: Side, roll: Roll) -> dict[str, Any]:
    """Return the best plays and their equity at depth 1, JSON-able; ``deeper`` is filled by `look_deeper`."""
    found = ranked(own, other, roll)
    rows = [[format_play(other, c.play), c.value, [list(step) for step in c.play]] for c in found[:SHOWN]]
    return {"rows": rows, "plays": len(found), "deeper": []}


def look_deeper(own: Side, other: Side, roll: Roll, given: dict[str, Any]) -> dict[str, Any]:
    """Return the advice with the first plays searched one decision deeper: every roll, every reply."""
    if given["deeper"]:
        return given
    game: Any = Backgammon()
    evaluate = evaluator(net())
    values = []
    for _, _, play in given["rows"][:SEARCHED]:
        after = game.result(game.position(own, other, Player.MAX, roll), tuple(tuple(step) for step in play))
        values.append(float(expectiminimax(game, after, 1, evaluate).value))
    return {**given, "deeper": values}


def advice_table(given: dict[str, Any]) -> str:
    """Return the table of an advice; the best of each column is marked."""
    deeper, bold, rows = given["deeper"], [], []
    for index, (name, value, _) in enumerate(given["rows"]):
        cells = [signed(value)] + ([signed(deeper[index])] if index < len(deeper) else [""]) * bool(deeper)
        best = [index == 0, bool(deeper) and deeper.index(max(deeper)) == index]
        for column in (column for column in range(len(cells)) if best[column]):
            cells[column] = f"★ {cells[column]}"
            bold.append((index, column + 1))
        rows.append([name, *cells])
    headers = ["play", "1-ply", "2-ply"][: 2 + bool(deeper)]
    shown = f"The best {len(rows)} of {given['plays']} plays" if given["plays"] > len(rows) else "All plays"
    caption = f"{shown}: points that you may expect after each, by the network; ★ the best"
    return scroll("Advice", table(headers, rows, caption=caption, bold=bold))


def signed(value: float) -> str:
    """Return an equity as players write it, with its sign.

    >>> signed(0.25), signed(-0.1)
    ('+0.250', '−0.100')
    """
    written = number(value, 3, fixed=True)
    return written if value < 0 else f"+{written}"


def choice_of(student: Callable[..., Any] | None, own: Side, other: Side, roll: Roll) -> Play:
    """Return the play that a student's ``evaluate(own, other)`` likes best, or the network's.

    ``evaluate`` says what a position is worth to the side about to roll, ``own``.

    Raises
    ------
    StudentError
        If the student's function fails on a position.
    """
    if student is None:
        return ranked(own, other, roll)[0].play

    def worth(position: tuple[Side, Side]) -> float:
        mine, theirs = position
        answer = ask_student(student, theirs, mine)
        if "sentence" in answer:
            raise StudentError(answer["sentence"])
        return -float(answer["value"])

    legal = plays(own, other, roll)
    return max(legal, key=lambda play: worth(legal[play]))


def compare(student: Callable[..., Any], own: Side, other: Side, roll: Roll) -> dict[str, Any]:
    """Return what a student's evaluation would play: ``{"words": ...}``, or ``{"sentence": what went wrong}``."""
    try:
        choice = choice_of(student, own, other, roll)
    except StudentError as error:
        return {"sentence": str(error)}
    found = ranked(own, other, roll)
    loss = found[0].value - next(candidate.value for candidate in found if candidate.play == choice)
    name = format_play(other, choice)
    if loss == 0:
        return {"words": f"Your evaluation would play {name}, as the network would."}
    best = format_play(other, found[0].play)
    return {"words": f"Your evaluation would play {name}; the network {best}, to it worth {number(loss, 3)} more."}
