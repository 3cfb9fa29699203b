"""Questions of chapter 03: Push to 21, backwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from expectimax_course.grading.bank import Case, Mutant, Question
from expectimax_course.grading.bank.parts03 import (
    Hit,
    busts_bank,
    busts_forgotten,
    busts_keep,
    busts_left_out,
    distribution,
    draw_die,
    draw_hit,
    draw_play,
    draw_results,
    draw_rule,
    draw_tie,
    ev_table,
    faces_from_zero,
    faces_to_last_but_one,
    first_stand,
    hit_value,
    interval,
    min_player,
    played,
    rule_table,
    table,
)

BUST_BANKED = "A bust counts with its total here: above the target everything is lost, so that face adds 0."
BUST_LEFT_OUT = "This is a mean over the faces that do not bust: the others count too, with 0, so divide by all faces."
BUST_FORGOTTEN = "You divide by the faces that do not bust, and at the target there are none: divide by all faces."
FROM_ZERO = "Your faces run from 0: a die with ten faces shows 1 to 10, and range(faces) starts at 0."
LAST_FACE = "The last face is missing: range(1, faces) ends one before, so go to faces + 1."
FACE_LOST = "Your die is off by one face: it shows 1 to faces, so range(1, faces + 1), while range(faces) starts at 0."
BUST_KEEPS = "A bust keeps the total before the roll here: it loses that one as well."


def _known(
    build: Callable[[Hit], Callable[..., Any]], hits: tuple[tuple[str, Hit, str, float], ...]
) -> tuple[Mutant, ...]:
    """Return the mutants that differ only in how a roll is counted."""
    return tuple(Mutant(name, build(hit), message, cap) for name, hit, message, cap in hits)


HIT_VALUE = Question(
    id="03.hit_value",
    title="One more roll",
    kind="function",
    points=2,
    minutes=5,
    signature="hit_value(total: int, values: list[float], faces: int) -> float",
    oracle=hit_value,
    visible=(
        Case((16, [float(t) for t in range(22)], 10), note="At 16 with ten faces: five faces bust, five do not."),
        Case((21, [float(t) for t in range(22)], 10), note="At the target every face busts."),
        Case((0, [0.0, 5.0, 2.0], 2), note="The table says what a total is worth, which need not be the total."),
    ),
    generate=draw_hit,
    mutants=_known(
        lambda hit: hit,
        (
            ("bust banked", busts_bank, BUST_BANKED, 0.5),
            ("busts left out", busts_left_out, BUST_LEFT_OUT, 0.5),
            ("busts forgotten", busts_forgotten, BUST_FORGOTTEN, 0.5),
            ("faces from 0", faces_from_zero, FROM_ZERO, 1),
            ("last face missing", faces_to_last_but_one, LAST_FACE, 1),
            ("bust keeps the total", busts_keep, BUST_KEEPS, 0.5),
            (
                "total for value",
                lambda total, values, faces: hit_value(total, [float(t) for t in range(len(values))], faces),
                "You average the totals themselves: after the roll you may go on, so average what the table says.",
                1,
            ),
        ),
    ),
    hints=(
        "List the faces. Which total does each lead to, and what is that total worth?",
        "Every face counts with probability 1 / faces, the ones that bust with a value of 0.",
    ),
)

EV_TABLE = Question(
    id="03.ev_table",
    title="The whole table",
    kind="function",
    points=4,
    minutes=20,
    signature="ev_table(target: int, faces: int) -> list[float]",
    oracle=ev_table,
    visible=(
        Case((1, 1), note="Push to 1 with a die of one face: roll once, then stand."),
        Case((3, 2), note="Small enough to do by hand, from 3 down to 0."),
        Case((21, 10), note="The table of the chapter."),
    ),
    generate=draw_die,
    mutants=(
        *_known(
            table,
            (
                ("bust banked", busts_bank, BUST_BANKED, 1),
                ("busts left out", busts_left_out, BUST_LEFT_OUT, 1),
                ("faces off by one", faces_to_last_but_one, FACE_LOST, 2),
                ("bust keeps the total", busts_keep, BUST_KEEPS, 1),
            ),
        ),
        Mutant(
            "wrong end",
            table(hit_value, forwards=True),
            "You fill the table from 0 upwards, so every roll reads entries not filled yet: begin at the target.",
            cap=1,
        ),
        Mutant(
            "upside down",
            lambda target, faces: ev_table(target, faces)[::-1],
            "The values are right but the list is upside down: entry t belongs to total t.",
            cap=3,
        ),
        Mutant(
            "never stands",
            table(hit_value, choose=lambda stand, hit, top: stand if top else hit),
            "Below the target this always rolls: the player picks the better of standing and hitting.",
            cap=1.5,
        ),
        Mutant(
            "one roll at most",
            lambda target, faces: [
                max(t, hit_value(t, [float(u) for u in range(target + 1)], faces)) for t in range(target + 1)
            ],
            "After the roll you always stand here: average the values of the totals, not the totals.",
            cap=1.5,
        ),
    ),
    hints=(
        "Which totals must be known before total t can be filled? Which total needs none?",
        "Fill from the target down to 0; each entry is the better of t itself and hit_value(t, ...).",
    ),
)

STAND_FROM = Question(
    id="03.stand_from",
    title="When to stop",
    kind="function",
    points=2,
    minutes=8,
    signature="stand_from(target: int, faces: int) -> int",
    oracle=first_stand,
    visible=(
        Case((21, 10), note="The game of the chapter."),
        Case((21, 6), note="An ordinary die busts less, so you go on longer."),
        Case((21, 9), note="With nine faces two actions are worth the same at one total: a tie stands."),
    ),
    generate=draw_tie,
    mutants=(
        Mutant(
            "a tie hits",
            lambda target, faces: first_stand(target, faces, tie_hits=True),
            "Where hitting and standing are worth the same you hit: hit only if it is better, > and not >=.",
            cap=1.5,
        ),
        Mutant(
            "last hit",
            lambda target, faces: first_stand(target, faces) - 1,
            "This is the last total at which to hit: the first at which to stand comes one after.",
            cap=1,
        ),
        Mutant(
            "pessimist",
            lambda target, faces: first_stand(target, faces, combine=min),
            "This player takes every roll for the worst one: a die does not choose, so take the mean.",
            cap=0.5,
        ),
    ),
    hints=(
        "At which totals does the table say more than the total itself?",
        "Find the first total whose roll is worth no more than standing; add first, divide once, so that ties stay.",
    ),
)

THRESHOLD_VALUE = Question(
    id="03.threshold_value",
    title="What a rule earns",
    kind="function",
    points=3,
    minutes=12,
    signature="threshold_value(threshold: int, target: int, faces: int) -> float",
    oracle=lambda threshold, target, faces: rule_table(threshold, target, faces)[0],
    visible=(
        Case((17, 21, 10), note="The rule of thumb of the chapter: hit below 17."),
        Case((14, 21, 10), note="The optimum is a rule of this kind too."),
        Case((0, 21, 10), note="Who never hits banks 0."),
    ),
    generate=draw_rule,
    mutants=(
        Mutant(
            "optimal value",
            lambda threshold, target, faces: ev_table(target, faces)[0],
            "This is what the best player earns: the rule does not choose the better action, it obeys its threshold.",
            cap=1,
        ),
        Mutant(
            "rule or better",
            lambda threshold, target, faces: rule_table(threshold, target, faces, improved=True)[0],
            "Where the rule hits you still take the better of two: a policy is followed even where it is wrong.",
            cap=1,
        ),
        Mutant(
            "hits at the threshold",
            lambda threshold, target, faces: rule_table(threshold + 1, target, faces)[0],
            "Your rule hits at the threshold too: it says hit below, so < and not <=.",
            cap=2,
        ),
        *_known(
            lambda hit: lambda threshold, target, faces: rule_table(threshold, target, faces, hit=hit)[0],
            (
                ("bust banked", busts_bank, BUST_BANKED, 1),
                ("busts left out", busts_left_out, BUST_LEFT_OUT, 1),
                ("faces off by one", faces_to_last_but_one, FACE_LOST, 1.5),
            ),
        ),
    ),
    hints=(
        "Where in your table did the player choose? Who chooses when a rule is followed?",
        "The same table from the target down, with `if total < threshold` in place of the maximum.",
    ),
)

PLAY_HAND = Question(
    id="03.play_hand",
    title="Deal a hand",
    kind="sampler",
    points=2,
    minutes=10,
    signature="play_hand(threshold: int, target: int, faces: int, rng: Rng) -> int",
    oracle=distribution,
    visible=(
        Case((17, 21, 10), note="Hit below 17, bank the total, or 0 after a bust."),
        Case((2, 2, 2), note="Push to 2 with two faces: hit until 2 is reached or passed."),
    ),
    generate=draw_play,
    hidden=6,
    draws=1000,
    mutants=(
        Mutant(
            "bust banked",
            lambda *args: distribution(*args, bust="total"),
            "A bust banks its total here: above the target everything is lost, so return 0.",
            cap=0.5,
        ),
        Mutant(
            "bust keeps the total",
            lambda *args: distribution(*args, bust="before"),
            "A bust banks the total before the roll here: it loses that one as well, so return 0.",
            cap=0.5,
        ),
        Mutant(
            "hits at the threshold",
            lambda threshold, *args: distribution(threshold + 1, *args),
            "Your hand is hit at the threshold too: the rule says hit below, so < and not <=.",
            cap=1,
        ),
        Mutant(
            "faces from 0",
            lambda *args: distribution(*args, first=0),
            "Your die shows 0 and never its last face: rng.below(faces) starts at 0, so add 1.",
            cap=1,
        ),
        Mutant(
            "one roll",
            lambda *args: distribution(*args, rolls=1),
            "At most one roll is made: go on for as long as the total is below the threshold.",
            cap=0.5,
        ),
    ),
    hints=(
        "What repeats, and when does it end?",
        "A while loop adds 1 + rng.below(faces); after it, look at where the total has gone.",
    ),
)

INTERVAL = Question(
    id="03.interval",
    title="How sure is a simulation?",
    kind="function",
    points=2,
    minutes=10,
    signature="interval(results: list[float]) -> tuple[float, float]",
    oracle=interval,
    visible=(
        Case(([10.0, 20.0],), note="The smallest sample that has a spread."),
        Case(([5.0, 5.0, 5.0, 5.0],), note="No spread, no width."),
        Case(([0.0, 20.0, 18.0, 0.0, 17.0],), note="Five hands, two of them bust."),
    ),
    generate=draw_results,
    mutants=(
        Mutant(
            "spread of the hands",
            lambda results: interval(results, root=False),
            "This is the spread of single hands: the mean of n hands is surer, by the square root of n.",
            cap=0.75,
        ),
        Mutant(
            "one standard error",
            lambda results: interval(results, z=1.0),
            "One standard error to each side covers only about two cases in three: take 1.96 of them.",
            cap=1,
        ),
        Mutant(
            "divided by n",
            lambda results: interval(results, less=0),
            "The variance is divided by n: the mean was fitted to the same hands, so divide by n − 1.",
            cap=1.5,
        ),
        Mutant(
            "variance for deviation",
            lambda results: interval(results, power=1.0),
            "The root of the variance is missing: an interval for points needs a deviation in points.",
            cap=0.75,
        ),
        Mutant(
            "range",
            lambda results: [min(results), max(results)],
            "This is the range of the hands: an interval for the mean gets narrower with more hands, a range wider.",
        ),
    ),
    hints=(
        "Four times as many hands: how much narrower should the interval be?",
        "Mean, variance with n − 1, standard error √(variance / n), then 1.96 of those to each side.",
    ),
)

MIN_PLAYER = Question(
    id="03.min_player",
    title="A wrong value and what it earns",
    kind="function",
    points=3,
    minutes=15,
    signature="min_player(target: int, faces: int) -> tuple[float, float]",
    oracle=min_player,
    visible=(
        Case((21, 10), note="The pessimist of the chapter, with ten faces."),
        Case((5, 1), note="With one face the least and the mean are the same, and the pessimist is right."),
        Case((5, 6), note="Any roll may bust, so a roll is worth 0 and ties at a total of 0: the pessimist stands."),
    ),
    generate=draw_die,
    mutants=(
        Mutant(
            "belief twice",
            lambda target, faces: [min_player(target, faces)[0]] * 2,
            "Both numbers are what the pessimist believes: let the policy play with a real die, which gives it more.",
            cap=1,
        ),
        Mutant(
            "optimal earnings",
            lambda target, faces: [min_player(target, faces)[0], ev_table(target, faces)[0]],
            "The second number is what the best player earns: the pessimist stops where its own table says so.",
            cap=1.5,
        ),
        Mutant(
            "swapped",
            lambda target, faces: min_player(target, faces)[::-1],
            "The two numbers are swapped: first what the table claims, then what its policy earns.",
            cap=2,
        ),
        Mutant(
            "stops too late",
            lambda target, faces: [min_player(target, faces)[0], played(target, faces, late=True)],
            "The policy hits at the total where its own table first says stand: hit below that total only.",
            cap=2,
        ),
        Mutant(
            "a tie hits",
            lambda target, faces: [min_player(target, faces)[0], played(target, faces, tie_hits=True)],
            "Where a roll is worth as little as the total itself, your pessimist rolls: a tie stands.",
            cap=2.5,
        ),
        Mutant(
            "least face only once",
            lambda target, faces: [ev_table(target, faces)[0], min_player(target, faces)[1]],
            "The first number comes from a table with means: in the pessimist's table the least entry stands there.",
            cap=1.5,
        ),
    ),
    hints=(
        "Two tables are needed. Which of them is filled with real dice, and which decides where to stop?",
        "Fill the table with min for the mean, read off where it first stands, and ask what that threshold earns.",
    ),
)

QUESTIONS = (HIT_VALUE, EV_TABLE, STAND_FROM, THRESHOLD_VALUE, PLAY_HAND, INTERVAL, MIN_PLAYER)
