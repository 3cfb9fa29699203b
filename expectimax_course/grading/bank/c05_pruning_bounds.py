"""Questions of chapter 05: bounds on a mean, the windows they give, and searches that prune with them."""

from __future__ import annotations

from expectimax_course.grading.bank import Case, Mutant, Question
from expectimax_course.grading.bank.parts05 import (
    bounds_with,
    breaking_leaf,
    breaking_with,
    child_window,
    cut_value,
    cut_with,
    dice,
    dice_position,
    draw_breaking,
    draw_cut,
    draw_probe,
    draw_seen,
    draw_share,
    draw_star,
    draw_window,
    leaf_fraction,
    mean_bounds,
    probe,
    probe_with,
    share_with,
    star1,
    star_with,
    tree,
    window_with,
)

MEAN_BOUNDS = Question(
    id="05.mean_bounds",
    title="What may the mean still be?",
    kind="function",
    points=2,
    minutes=5,
    signature="mean_bounds(probabilities: list[float], seen: list[float], low: float, high: float) -> tuple",
    oracle=mean_bounds,
    visible=(
        Case(([0.25, 0.25, 0.5], [1.0], -2.0, 2.0), note="One child seen: the other two hold three quarters."),
        Case(([0.25, 0.25, 0.5], [], -2.0, 2.0), note="Nothing seen: the mean may be anything the leaves may be."),
        Case(([0.25, 0.25, 0.5], [1.0, -2.0, 2.0], -2.0, 2.0), note="All seen: both ends meet in the mean."),
    ),
    generate=draw_seen,
    mutants=(
        Mutant(
            "swapped",
            bounds_with(swapped=True),
            "The two ends are exchanged: the least mean comes from the unseen children at their lowest.",
            cap=1,
        ),
        Mutant(
            "one child forgotten",
            bounds_with(shift=1),
            "One unseen child is missing: after k children the rest starts with the next one, at position k.",
            cap=0.5,
        ),
        Mutant(
            "one child twice",
            bounds_with(shift=-1),
            "The child seen last counts twice: its value is known, so it is no longer part of the rest.",
            cap=0.5,
        ),
        Mutant(
            "nothing unseen",
            bounds_with(rest="none"),
            "The unseen children add nothing here: each still adds its probability times a number from low to high.",
        ),
        Mutant(
            "rest unweighted",
            bounds_with(rest="whole"),
            "The rest counts in full: the unseen children together weigh only what probability is left.",
            cap=0.5,
        ),
        Mutant(
            "mean of the seen",
            bounds_with(rest="rescaled"),
            "This is the mean of what was seen: the other children need not be like the first ones.",
        ),
        Mutant(
            "unweighted",
            bounds_with(equal=True),
            "All children weigh the same here: multiply each by its own probability.",
            cap=0.5,
        ),
    ),
    hints=(
        "Which numbers would the unseen children have to be for the mean to be as low as it can get?",
        "Split the sum in two: what is known, and the probability that is left.",
    ),
)


CUT_VALUE = Question(
    id="05.cut_value",
    title="Stop here?",
    kind="function",
    points=2,
    minutes=6,
    signature="cut_value(lower: float, upper: float, alpha: float, beta: float) -> float | None",
    oracle=cut_value,
    visible=(
        Case((3.0, 6.0, 2.0, 5.0), note="The mean may lie inside the window: go on."),
        Case((6.0, 8.0, 2.0, 5.0), note="At least 6, and 5 was enough."),
        Case((0.0, 2.0, 2.0, 5.0), note="At most 2, and MAX has 2 already."),
    ),
    generate=draw_cut,
    mutants=(
        Mutant(
            "strict",
            cut_with(strict=True),
            "A bound that just touches the window cuts as well: a mean of at most alpha is no improvement on alpha.",
            cap=1,
        ),
        Mutant(
            "window returned",
            cut_with(report="window"),
            "You report the end of the window: the bound you have proven says more, so report that one.",
            cap=1,
        ),
        Mutant(
            "crossed",
            cut_with(crossed=True),
            "You cut when the mean *may* leave the window: cut only when all that it may still be lies outside.",
        ),
        Mutant(
            "other end",
            cut_with(report="other end"),
            "The wrong end of the interval is reported: at beta the proven lower bound counts, at alpha the upper one.",
            cap=0.75,
        ),
        Mutant(
            "only beta",
            cut_with(sides="beta"),
            "You never stop at alpha: a mean that can no longer get above alpha need not be known better.",
            cap=0.75,
        ),
        Mutant(
            "only alpha",
            cut_with(sides="alpha"),
            "You never stop at beta: a mean that is at least beta will not be allowed to happen.",
            cap=0.75,
        ),
    ),
    hints=(
        "Two things can make the rest of the children not matter. Which end of the interval decides each of them?",
        "Draw the interval and the window on one line: stop when they no longer overlap, or only touch.",
    ),
)


CHILD_WINDOW = Question(
    id="05.child_window",
    title="The window of one child",
    kind="function",
    points=3,
    minutes=12,
    signature=(
        "child_window(i: int, probabilities: list[float], lowers: list[float], uppers: list[float], "
        "alpha: float, beta: float) -> tuple"
    ),
    oracle=child_window,
    visible=(
        Case(
            (0, [0.5, 0.5], [0.0, 0.0], [10.0, 10.0], 6.0, 9.0),
            note="Even with a 10 from the second child, the first must exceed 2 for a mean above 6.",
        ),
        Case(
            (1, [0.5, 0.5], [4.0, 0.0], [4.0, 10.0], 6.0, 9.0),
            note="The first child is known to be 4: the second must exceed 8.",
        ),
        Case(
            (1, [0.25, 0.25, 0.5], [2.0, 0.0, 0.0], [2.0, 12.0, 12.0], 3.0, 6.0),
            note="The ends may lie outside the bounds of the child: then nothing can be cut on that side.",
        ),
    ),
    generate=draw_window,
    mutants=(
        Mutant(
            "parent",
            window_with("parent"),
            "This hands the parent's window down: one child is only part of the mean, so its window is another one.",
        ),
        Mutant(
            "not divided",
            window_with("not divided"),
            "The division by p is missing: this says what p times the child's value must be.",
            cap=1.5,
        ),
        Mutant(
            "swapped",
            window_with("swapped"),
            "Lower and upper bounds are exchanged: to fall below alpha for certain, the others must be at their best.",
            cap=1,
        ),
        Mutant(
            "itself too",
            window_with("itself too"),
            "The child is counted among the others: take its own p times its own bound out of both sums.",
            cap=1,
        ),
        Mutant(
            "only before",
            window_with("only before"),
            "Only the children before it are counted: those that come later add to the mean as well.",
            cap=1,
        ),
        Mutant(
            "unweighted",
            window_with("unweighted"),
            "The bounds of the other children are added without their probabilities: weight each of them.",
            cap=0.5,
        ),
        Mutant(
            "clipped",
            window_with("clipped"),
            "You clip the window to the child's bounds already: right for a search, but here the bare window is asked.",
            cap=2.5,
        ),
    ),
    hints=(
        "Suppose all the others turn out as high as they can. What must this child be for the mean to be alpha?",
        "Write the mean as p times this child plus all the others, set it equal to alpha, and solve for the child.",
    ),
)


PRUNABLE_ANSWERS = {
    "max, finite": "never",
    "max, non-negative": "never",
    "max, 0 to 1": "possible",
    "expectimax, finite": "never",
    "expectimax, non-negative": "never",
    "expectimax, 0 to 1": "possible",
    "expectimin, non-negative": "possible",
}

PRUNABLE = Question(
    id="05.prunable",
    title="Is pruning ever possible?",
    kind="choice",
    points=1.75,
    minutes=8,
    signature="prunable: dict[str, str]",
    choices=("possible", "never"),
    oracle=PRUNABLE_ANSWERS.__getitem__,
    visible=(
        Case(("max, finite",), note="MAX alone, finite leaves: can an unseen leaf always be the best?"),
        Case(("max, non-negative",), note="MAX alone, leaves of 0 or more: what could make an unseen one irrelevant?"),
        Case(("max, 0 to 1",), note="MAX alone, leaves from 0 to 1: think of a leaf that cannot be beaten."),
        Case(
            ("expectimax, finite",), note="MAX over draws, finite leaves: how large can one unseen outcome make a mean?"
        ),
        Case(("expectimax, non-negative",), note="MAX over draws, leaves of 0 or more: which bound does MAX need?"),
        Case(("expectimax, 0 to 1",), note="MAX over draws, leaves from 0 to 1: try 0.9 for sure beside an even draw."),
        Case(("expectimin, non-negative",), note="MIN over draws, leaves of 0 or more: which bound does MIN need?"),
    ),
    mutants=(
        Mutant(
            "never with chance",
            {**PRUNABLE_ANSWERS, "expectimax, 0 to 1": "never", "expectimin, non-negative": "never"}.__getitem__,
            "You rule out pruning wherever there is a draw: with bounds, what is unseen can move a mean only so far.",
            cap=1,
        ),
        Mutant(
            "never with chance or alone",
            dict.fromkeys(PRUNABLE_ANSWERS, "never").__getitem__,
            "Even with bounds nothing is pruned in your table: what is left to look for once a leaf of 1 is found?",
            cap=0.5,
        ),
        Mutant(
            "any one bound will do",
            {**PRUNABLE_ANSWERS, "max, non-negative": "possible", "expectimax, non-negative": "possible"}.__getitem__,
            "A lower bound does not help MAX: to ignore a leaf she must know how *high* it can be.",
            cap=1,
        ),
        Mutant(
            "min like max",
            {**PRUNABLE_ANSWERS, "expectimin, non-negative": "never"}.__getitem__,
            "MIN is not MAX here: a mean that is already too high cannot come down again if no leaf is below 0.",
            cap=1.25,
        ),
        Mutant(
            "finite is bounded",
            dict.fromkeys(PRUNABLE_ANSWERS, "possible").__getitem__,
            "Finite is not bounded: each leaf is some number, but nobody told you a number that none exceeds.",
            cap=0.5,
        ),
    ),
    hints=(
        "A leaf may be skipped if no value that it may have changes the decision at the root. Which value would?",
        "MAX can ignore what cannot get high enough, MIN what cannot get low enough: which bound does each need?",
    ),
)


STAR1 = Question(
    id="05.star1",
    title="Star1",
    kind="function",
    points=5,
    minutes=30,
    signature="star1(game: Game, state, alpha: float, beta: float) -> float",
    oracle=star1,
    visible=(
        Case((tree("max(3, min(2, 7), 5)", 3), 0, 0, 12), note="Without chance this is alpha-beta."),
        Case(
            (tree("max(6, chance(0.5: 0, 0.5: max(3, 9)))", 2), 0, 0, 12),
            note="After the 0 the draw is worth at most 6, which MAX has: only two leaves may be opened.",
        ),
        Case(
            (tree("chance(0.5: min(3, 8), 0.25: min(2, 9, 7), 0.25: min(4, 6))", 7), 0, 2, 5),
            note="Each child gets a window of its own.",
        ),
        Case((tree("chance(0.5: 4, 0: 11, 0.5: 6)", 2), 0, 0, 12), note="One outcome has probability 0."),
    ),
    generate=draw_star,
    mutants=(
        Mutant(
            "plain",
            star_with("plain"),
            "Right values, but nothing is ever cut: this is the plain search, with a window that nobody looks at.",
            cap=1,
        ),
        Mutant(
            "parent",
            star_with("parent"),
            "Your chance nodes hand their own window down: the children need windows that leave room for the others.",
            cap=1.5,
        ),
        Mutant(
            "not divided",
            star_with("not divided"),
            "Your child windows are not divided by the probability: a child of weight p moves the mean only by p.",
            cap=2,
        ),
        Mutant(
            "swapped",
            star_with("swapped"),
            "In your child windows the others' lower and upper bounds are exchanged, so branches that matter are cut.",
            cap=2,
        ),
        Mutant(
            "reset",
            star_with("reset"),
            "Right values, but at a chance node you start over with an open window: nothing there is ever cut.",
            cap=2,
        ),
        Mutant(
            "bounds only",
            star_with("bounds only"),
            "You cut between the children but search each in an open window: Star1 also narrows the window of a child.",
            cap=3.5,
        ),
        Mutant(
            "child's value",
            star_with("child's value"),
            "At a cut you return the child's value: what is proven is a bound on the mean, p times it plus the others.",
            cap=2,
        ),
        Mutant(
            "strict",
            star_with("strict"),
            "At a chance node you go on when a bound just touches the window: at equality the cut is proven too.",
            cap=4,
        ),
        Mutant(
            "zero",
            star_with("zero"),
            "An outcome of probability 0 is divided by: drop it first, it adds nothing to the mean.",
            cap=4,
        ),
    ),
    hints=(
        "What does a chance node know of its children at the start, and what does it know after the first one?",
        "Take the child's window, clip it to the bounds, search the child, then ask: too low, too high, or exact?",
    ),
)


PROBE = Question(
    id="05.probe",
    title="Probe first",
    kind="function",
    points=3,
    minutes=15,
    signature="probe(game: Game, state) -> tuple",
    oracle=probe,
    visible=(
        Case((tree("chance(0.5: max(9, 1), 0.5: max(7, 2))", 2), 0), note="Two first moves prove a mean of 8 or more."),
        Case((tree("chance(0.5: min(3, 8), 0.5: min(1, 2))", 2), 0), note="A reply of MIN proves a bound from above."),
        Case((tree("chance(0.25: 8, 0.75: max(4, 12))", 2), 0), note="A leaf is known for good once it is looked at."),
    ),
    generate=draw_probe,
    mutants=(
        Mutant(
            "exact",
            probe_with("exact"),
            "One action is taken for the value of the child: another one may be better, so only one end is proven.",
            cap=1,
        ),
        Mutant(
            "MIN as MAX",
            probe_with("MIN as MAX"),
            "For MIN the first action proves that the child is worth at *most* that: it moves the upper bound.",
            cap=1.5,
        ),
        Mutant(
            "all",
            probe_with("all"),
            "This searches every action: a probe looks at the first one only, and leaves the others for later.",
            cap=0.5,
        ),
        Mutant(
            "last",
            probe_with("last"),
            "The last action is probed: the order puts the most promising one first.",
            cap=2,
        ),
        Mutant(
            "leaves skipped",
            probe_with("leaves skipped"),
            "A child that is a leaf keeps its wide bounds: its value is known as soon as it is looked at.",
            cap=2,
        ),
    ),
    hints=(
        "MAX has an action worth 7. What do you know about her node, and what do you not know?",
        "Each child gives a lower and an upper bound, one of them new. Weight and add both.",
    ),
)


LEAF_FRACTION = Question(
    id="05.leaf_fraction",
    title="What does it save on Dice?",
    kind="function",
    points=2,
    minutes=10,
    signature="leaf_fraction(game: Dice, states: list[DiceState], depth: int, probing: int) -> float",
    oracle=leaf_fraction,
    visible=(
        Case((dice(3), [dice_position(5, 3, 0)], 2, 0), note="One position, Star1."),
        Case((dice(3), [dice_position(5, 3, 0)], 2, 1), note="The same position, Star2."),
        Case((dice(3), [dice_position(5, 3, 0), dice_position(6, 3, 5)], 2, 1), note="A large search and a small one."),
    ),
    generate=draw_share,
    mutants=(
        Mutant(
            "mean of ratios",
            share_with("mean of ratios"),
            "This averages one ratio per position: a tiny search would count as much as a huge one, so add up first.",
            cap=1,
        ),
        Mutant(
            "nodes",
            share_with("nodes"),
            "You count nodes: the measure here is leaves, the calls of evaluate and utility.",
            cap=1,
        ),
        Mutant(
            "evaluations",
            share_with("evaluations"),
            "You count evaluations alone: a finished game is a leaf too, and `leaves` has both.",
            cap=1.25,
        ),
        Mutant("saved", share_with("saved"), "This is the share that was saved: return the share still opened.", cap=1),
        Mutant(
            "upside down",
            share_with("upside down"),
            "The fraction stands upside down: divide the leaves of the pruned search by those of the plain one.",
            cap=1,
        ),
    ),
    hints=(
        "Which of the two searches should stand below the line, and is it the sum or the mean that you want?",
        "Each result has a property that counts the calls of evaluate and utility together.",
    ),
    allows=tuple(
        f"expectimax_course.search.{name}"
        for name in ("alphabeta", "bounded", "expectimax", "ordering", "result", "star", "table", "walk")
    ),
)


BREAKING_LEAF = Question(
    id="05.breaking_leaf",
    title="Break it with a dishonest bound",
    kind="function",
    points=2,
    minutes=10,
    signature="breaking_leaf(p: float, first: float, sure: float, high: float) -> float | None",
    oracle=breaking_leaf,
    visible=(
        Case((0.5, 2.0, 6.0, 9.0), note="At most 5.5, so the second leaf is never looked at: what should it be?"),
        Case((0.5, 2.0, 6.0, 11.0), note="The second leaf is looked at, and nothing can go wrong."),
        Case((0.25, 0.0, 3.0, 4.0), note="The bound just proves the cut."),
    ),
    generate=draw_breaking,
    mutants=(
        Mutant(
            "any lie",
            breaking_with("any lie"),
            "A leaf a little above the bound is a lie that does no harm yet: the mean must get above the sure thing.",
            cap=0.75,
        ),
        Mutant(
            "not divided",
            breaking_with("not divided"),
            "The second leaf counts only with its probability: divide what is missing by 1 − p.",
            cap=0.75,
        ),
        Mutant(
            "sure",
            breaking_with("sure"),
            "The second leaf alone need not beat the sure thing: the mean of both has to.",
            cap=0.5,
        ),
        Mutant(
            "always",
            breaking_with("always"),
            "Where the bound leaves the gamble a chance, the second leaf is looked at and the decision is right.",
            cap=1,
        ),
        Mutant(
            "strict",
            breaking_with("strict"),
            "At equality the search cuts as well: a gamble of at most the sure thing is no improvement on it.",
            cap=1.25,
        ),
    ),
    hints=(
        "When does the search decide without looking at the second leaf, and which mean does it then rule out?",
        "You have met the number before: it is an end of the second child's window.",
    ),
)


QUESTIONS = (MEAN_BOUNDS, CUT_VALUE, CHILD_WINDOW, PRUNABLE, STAR1, PROBE, LEAF_FRACTION, BREAKING_LEAF)
