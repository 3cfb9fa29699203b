"""Questions of chapter 11: programs that run and are wrong."""

from __future__ import annotations

from expectimax_course.games.push_to_21 import PushState
from expectimax_course.grading.bank import Case, Mutant, Question
from expectimax_course.grading.bank.parts02 import BY_NUMBER, BY_TOTAL, push, tree
from expectimax_course.grading.bank.parts07 import counted, meeting
from expectimax_course.grading.bank.parts11 import (
    BELOW_4,
    DOWN_FIRST,
    NAMES,
    affordable,
    afforded_wrong,
    at_least_as_deep,
    deepened,
    draw_branching,
    draw_deepened,
    draw_mended,
    draw_policy,
    draw_tiles,
    interval_wrong,
    mended,
    plain_searches,
    policy_source,
    rated,
    spawn_interval,
    spoilt,
    tabled,
    trapped,
    win_rate,
)

SIGNS = {
    "A": "dice rolled again",
    "B": "entries of the wrong depth",
    "C": "nature taken for an adversary",
    "D": "infinity in a mean",
    "E": "divided by the number of outcomes",
    "F": "a fixed depth",
}

SYMPTOMS = Question(
    id="11.symptoms",
    title="Six complaints",
    kind="choice",
    points=3,
    minutes=5,
    signature="symptoms: dict[str, str]",
    choices=NAMES,
    oracle=SIGNS.__getitem__,
    visible=(
        Case(("A",), note="A: what differs between the two calls, if position and depth do not?"),
        Case(("B",), note="B: where could a search to depth 6 find an answer of depth 2?"),
        Case(("C",), note="C: what would the guards have to be for this to be right?"),
        Case(("D",), note="D: which number swallows every other number that it is averaged with?"),
        Case(("E",), note="E: what is a mean of eights?"),
        Case(("F",), note="F: what grows with the number of empty cells?"),
    ),
    mutants=(
        Mutant(
            "C taken for infinity",
            {**SIGNS, "C": "infinity in a mean"}.__getitem__,
            "C's values are finite, and it weighs its chances: it takes the guards for something that they are not.",
            cap=2.5,
        ),
        Mutant(
            "D taken for an adversary",
            {**SIGNS, "D": "nature taken for an adversary"}.__getitem__,
            "Who fears an adversary still prefers the smaller loss. In D all values are one and the same number.",
            cap=2.5,
        ),
        Mutant(
            "B taken for a fixed depth",
            {**SIGNS, "B": "a fixed depth"}.__getitem__,
            "B does search to depth 6, and is answered from a store that was filled on the way: look at the key.",
            cap=2.5,
        ),
        Mutant(
            "E taken for wrong probabilities",
            {**SIGNS, "E": "wrong probabilities"}.__getitem__,
            "Whatever the probabilities are, a mean of eights is 8: something is done to it after the weighting.",
            cap=2.5,
        ),
    ),
    hints=(
        "Which of these faults could produce what is described, on a position of two moves that you make up?",
        "Two of the six are faults of memory or of cost, one of randomness; the others are wrong values.",
    ),
)

REPAIRED = Question(
    id="11.repaired",
    title="Mend the mean",
    kind="function",
    points=2,
    minutes=8,
    signature="repaired(game: Game, state) -> float",
    oracle=mended,
    visible=(
        Case((tree("chance(1/2: 8, 1/2: 8)"), 0), note="A mean of eights is 8."),
        Case((tree("chance(0.9: 10, 0.1: -5)"), 0), note="One loss in ten is no catastrophe."),
        Case((tree("max(gamble: chance(0.9: 10, 0.1: -5), sure: 2)"), 0), note="The question of chapter 01."),
        Case((push(4, 2), PushState(2, "roll")), note="A die of two faces in the air, at total 2 of 4."),
    ),
    generate=draw_mended,
    mutants=(
        Mutant(
            "as given",
            spoilt(divided=True),
            "Nothing has changed: a loss is still minus infinity, and the mean is divided once too often.",
            given=True,
        ),
        Mutant(
            "still divided",
            spoilt(divided=True, lost=lambda utility: utility),
            "Losses have their utility now, but the sum is still divided by the number of outcomes: p has done that.",
            cap=1,
        ),
        Mutant(
            "still infinite",
            spoilt(),
            "The mean is right now, but a loss in it is still minus infinity, and so is every mean with a loss in it.",
            cap=1,
        ),
        Mutant(
            "unweighted",
            spoilt(lost=lambda utility: utility, unweighted=True),
            "You kept the division and dropped the probabilities: outcomes are not equally likely in every game.",
            cap=0.5,
        ),
        Mutant(
            "a huge loss",
            spoilt(lost=lambda utility: -1e9),
            "−10⁹ drowns what it is averaged with, as minus infinity does: the game says what a loss is worth.",
            cap=1,
        ),
        Mutant(
            "a loss as 0",
            spoilt(lost=lambda utility: 0),
            "Every loss counts as 0 now, however much is lost: the game itself says what its end is worth.",
            cap=1,
        ),
    ),
    hints=(
        "What is a chance node worth if every outcome is worth 8? And what does the code say?",
        "Two lines are wrong: the one that says what a finished game is worth, and the last one of the chance node.",
    ),
)

SPAWN_INTERVAL = Question(
    id="11.spawn_interval",
    title="What does the game really do?",
    kind="function",
    points=2,
    minutes=8,
    signature="spawn_interval(tiles: list[int]) -> tuple[float, float]",
    oracle=spawn_interval,
    visible=(
        Case(([2, 2, 2, 2, 2, 2, 2, 2, 2, 4],), note="One four in ten."),
        Case(([2] * 20,), note="No four in twenty tiles does not show that there are none."),
        Case(([4, 2] * 15,), note="Fifteen fours in thirty."),
    ),
    generate=draw_tiles,
    tolerance=1e-3,
    mutants=(
        Mutant(
            "twos",
            interval_wrong("twos"),
            "This is the interval of the twos: count the fours.",
            cap=1,
        ),
        Mutant(
            "point",
            interval_wrong("point"),
            "The share that you saw is one number: an interval says which shares could have given it.",
        ),
        Mutant(
            "symmetric",
            interval_wrong("symmetric"),
            "p ± 1.96 standard errors has no width where no four was seen, and can leave 0 to 1: use Wilson's formula.",
            cap=1,
        ),
        Mutant(
            "one deviation",
            interval_wrong("one deviation"),
            "With z = 1 the interval misses the truth in one case out of three: take 1.96.",
            cap=1.5,
        ),
        Mutant(
            "one tile",
            interval_wrong("one tile"),
            "p(1 − p) is the variance of one tile: the share of n of them varies n times less.",
            cap=1,
        ),
        Mutant(
            "around p",
            interval_wrong("around p"),
            "Your interval lies around p: its middle is the centre c, which is nearer to one half.",
            cap=1.5,
        ),
        Mutant(
            "centre and margin",
            interval_wrong("centre and margin"),
            "These are centre and margin: return the two ends, centre less margin and centre plus margin.",
            cap=1.5,
        ),
    ),
    hints=(
        "After twenty twos and no four, would you be astonished by a game with a share of one in twenty?",
        "Compute p, the centre and the margin one after the other, as they stand in the task.",
    ),
)

SIX = {
    "A": "divided by the number of outcomes",
    "B": "an outcome on top of the one before",
    "C": "nature taken for an adversary",
    "D": "entries of the wrong depth",
    "E": "infinity in a mean",
    "F": "dice rolled again",
}

FIND_THE_FAULT = Question(
    id="11.find_the_fault",
    title="Six broken agents",
    kind="choice",
    points=3,
    minutes=12,
    signature="find_the_fault: dict[str, str]",
    choices=NAMES,
    oracle=SIX.__getitem__,
    visible=(
        Case(("A",), note="A: what does it say of a roll after which every face is worth 8?"),
        Case(("B",), note="B: from which total is the second face counted?"),
        Case(("C",), note="C: how often does the face that it counts on come up?"),
        Case(("D",), note="D: call it to depth 1, then to depth 3 with the same dictionary."),
        Case(("E",), note="E: what is a roll worth that busts with one face in ten?"),
        Case(("F",), note="F: call it twice."),
    ),
    mutants=(
        Mutant(
            "E taken for an adversary",
            {**SIX, "E": "nature taken for an adversary"}.__getitem__,
            "E does take a mean; it is one of the numbers in it that leaves no room for the others.",
            cap=2.5,
        ),
        Mutant(
            "D taken for the reach",
            {**SIX, "D": "a key without the reach"}.__getitem__,
            "D cuts nothing by its reach: look for the other argument that its dictionary does not know.",
            cap=2.5,
        ),
        Mutant(
            "B taken for rolled again",
            {**SIX, "B": "dice rolled again"}.__getitem__,
            "B draws nothing and says the same each time: print the total after each turn of its loop.",
            cap=2.5,
        ),
        Mutant(
            "F taken for wrong probabilities",
            {**SIX, "F": "wrong probabilities"}.__getitem__,
            "On average F's faces are equally likely, as they should be: it counts others than it was asked about.",
            cap=2.5,
        ),
    ),
    hints=(
        "Which line of each agent could not stand in a search that you trust?",
        "Try each at total 18 with values that are easy to average, such as the totals themselves.",
    ),
)

WIN_RATE = Question(
    id="11.win_rate",
    title="Measure the plan, not the hope",
    kind="function",
    points=3,
    minutes=15,
    signature="win_rate(game: Game, policy: Callable) -> float",
    oracle=win_rate,
    visible=(
        Case((tree("max(chance(0.9: 10, 0.1: -5), 2)"), policy_source(0)), note="The gamble wins nine times in ten."),
        Case((tree("max(min(3, -5), min(2, 9))"), policy_source(0)), note="An adversary answers the plan."),
        Case((push(6, 3), BELOW_4), note="A bust is worth 0, which is no win."),
        Case((trapped("wander"), DOWN_FIRST), note="A guard that wanders."),
        Case((trapped("hunt"), DOWN_FIRST), note="The same map, the same plan, and a guard that hunts."),
    ),
    generate=draw_policy,
    mutants=(
        Mutant(
            "optimal",
            rated(optimal=True),
            "This is how often the *best* plan would win: at MAX's nodes ask the policy, and take no maximum.",
            cap=1,
        ),
        Mutant(
            "utility",
            rated(won=float),
            "This is the expected utility: a rate counts a finished game as 1 if its utility is above 0, else as 0.",
            cap=1,
        ),
        Mutant(
            "MIN drawn by lot",
            rated(at_min=lambda rates: sum(rates) / len(rates)),
            "Your adversary draws lots: one who hunts picks the reply after which the plan wins least often.",
            cap=1.5,
        ),
        Mutant(
            "nature hunts",
            rated(at_chance="worst"),
            "At chance nodes you take the worst outcome: nature does not hunt, weight the rates by probability.",
            cap=1,
        ),
        Mutant(
            "unweighted",
            rated(at_chance="plain"),
            "At chance nodes you take the plain mean: weight each rate by the probability of its outcome.",
            cap=1.5,
        ),
        Mutant(
            "zero wins",
            rated(won=lambda utility: float(utility >= 0)),
            "A utility of 0 counts as a win here: it has to be above 0.",
            cap=2.5,
        ),
    ),
    hints=(
        "Which of the three kinds of node has no choice left once the plan is fixed?",
        "It is the recursion of chapter 02 with 1 and 0 at the ends, and the policy's action in place of a maximum.",
    ),
)

DEEPENED = Question(
    id="11.deepened",
    title="Mend the table",
    kind="function",
    points=3,
    minutes=12,
    signature="deepened(game: Game, state, depth: int, evaluate: Callable) -> list[float]",
    oracle=deepened,
    visible=(
        Case(
            (counted(push(8, 3), limit=57), PushState(0, "choose"), 4, BY_TOTAL),
            note="Push to 8: the values of depths 1 to 4, with fewer leaves than without the dictionary.",
        ),
        Case(
            (
                tree("max(chance(0.25: max(min(9, 2), -3), 0.75: min(max(4, 7), 8)), chance(0.5: max(1, 6), 0.5: 2))"),
                0,
                3,
                BY_NUMBER,
            ),
            note="A tree of three decisions.",
        ),
        Case(
            (meeting(0.5, 0.25, (3, 12, -4), longer=True), 0, 3, BY_NUMBER), note="Two paths of different length meet."
        ),
        Case((push(8, 3), PushState(0, "choose"), 1, BY_TOTAL), note="With depth 1 nothing is met again."),
    ),
    generate=draw_deepened,
    mutants=(
        Mutant(
            "as given",
            tabled(lambda state, left, limit: state),
            "Nothing has changed: what was found at a small depth still answers for a great one.",
            given=True,
        ),
        Mutant(
            "limit for left",
            tabled(lambda state, left, limit: (state, limit)),
            "One search meets a state with different depths left: a limit in the key or a table per limit will not do.",
            cap=2,
        ),
        Mutant(
            "at least as deep",
            at_least_as_deep,
            "You let a deeper entry answer: no worse a value, but not that of this depth, searched alone.",
            cap=2,
        ),
        Mutant(
            "one too deep",
            tabled(lambda *key: key, least=2),
            "These are the values of depths 2, 3, …: the list begins with depth 1.",
            cap=1.5,
        ),
        Mutant(
            "one too shallow",
            tabled(lambda *key: key, least=0),
            "Your list begins with depth 0, the evaluation itself: it begins with depth 1.",
            cap=1.5,
        ),
        Mutant(
            "last only",
            lambda *args: deepened(*args)[-1:],
            "This is the last depth alone: return the values of all depths from 1 on.",
            cap=2,
        ),
        Mutant(
            "no table",
            plain_searches,
            "Nothing is kept: where a position is met again with as many decisions left, the dictionary has to answer.",
            cap=1,
        ),
    ),
    hints=(
        "Which two questions does the broken table take for one?",
        "Write down all arguments of `value` that its result depends on; the key must hold each of them.",
    ),
)

AFFORDABLE = Question(
    id="11.affordable",
    title="How deep can you afford to look?",
    kind="function",
    points=2,
    minutes=8,
    signature="affordable(branching: list[tuple[int, int]], leaves: int) -> int",
    oracle=affordable,
    visible=(
        Case(([(4, 20), (4, 18), (4, 16)], 5_000), note="An early board of 2048: 4, then 320, then 23,040 leaves."),
        Case(([(2, 2), (2, 2), (2, 2), (2, 2)], 32), note="A late one: 2, 8, 32 leaves, and 128."),
        Case(([(5, 3)], 2), note="One decision has to be looked at in any case."),
    ),
    generate=draw_branching,
    mutants=(
        Mutant(
            "draw opened",
            afforded_wrong("draw opened"),
            "You count the draw after the last decision as well: there the afterstate is evaluated, and not opened.",
            cap=1,
        ),
        Mutant(
            "no chance",
            afforded_wrong("no chance"),
            "The outcomes are missing: a draw costs no depth, but it multiplies the leaves.",
            cap=0.5,
        ),
        Mutant(
            "sum",
            afforded_wrong("sum"),
            "You add the branching factors: each decision multiplies the leaves by them, that is the explosion.",
            cap=0.5,
        ),
        Mutant(
            "strict",
            afforded_wrong("strict"),
            "A depth whose leaves are exactly the budget fits: stop only where there are more.",
            cap=1.5,
        ),
        Mutant(
            "first too deep",
            afforded_wrong("first too deep"),
            "This is the first depth that does not fit: the last one that does is asked for.",
            cap=1.5,
        ),
        Mutant(
            "may be none",
            afforded_wrong("may be none"),
            "A player has to move, whatever the budget: the answer is never below 1.",
            cap=1.5,
        ),
    ),
    hints=(
        "How many leaves has a search of one decision? And which factors does the second one bring?",
        "Multiply by the actions, compare with the budget, and only then by the outcomes.",
    ),
)

QUESTIONS = (SYMPTOMS, REPAIRED, SPAWN_INTERVAL, FIND_THE_FAULT, WIN_RATE, DEEPENED, AFFORDABLE)
