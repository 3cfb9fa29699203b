"""Questions of chapter 04: which scales are safe, what a bend does, calibration and a fitted weight."""

from __future__ import annotations

from expectimax_course.grading.bank import Case, Mutant, Question
from expectimax_course.grading.bank.parts04 import (
    MAPS,
    absolute_set,
    best_set,
    by_rank,
    counted,
    draw_map,
    draw_offer,
    draw_outcomes,
    draw_sample,
    draw_values,
    equal_width,
    exact_set,
    exactly_straight,
    extremes,
    first_best,
    fit_weight,
    flip_exponent,
    increasing_is_enough,
    is_safe,
    maps_with,
    one_decision,
    proportional_set,
    ratio_of_means,
    scale_map,
    set_without_floor,
    sorted_apart,
    straight_with,
    through_origin,
    turned_around,
    unsorted,
    whole_numbers,
    win_rates,
)

SAFE_MAPS = Question(
    id="04.safe_maps",
    title="Is this map safe?",
    kind="choice",
    points=2,
    minutes=5,
    signature="safe_maps: dict[str, str]",
    choices=("safe", "minimax only", "neither"),
    oracle=MAPS.__getitem__,
    visible=(
        Case(("A",), note="A: values become small and negative. Does that matter to a comparison of means?"),
        Case(("B",), note="B: the map of the chapter's opening question."),
        Case(("C",), note="C: what becomes of the better one of two sure payoffs?"),
        Case(("D",), note="D: try the gamble of 0 or 20 against a sure 9."),
        Case(("E",), note="E: does a greater number make a greater difference to a choice?"),
        Case(("F",), note="F: try a half chance of 0 or 20 against a sure 11."),
        Case(("G",), note="G: write it as a·x + b."),
    ),
    mutants=(
        Mutant(
            "any increasing map",
            maps_with(B="safe", D="safe", F="safe"),
            "You call every increasing map safe: it keeps the order of payoffs, but not the order of their means.",
            cap=0.75,
        ),
        Mutant(
            "compared by size",
            maps_with(A="minimax only", E="minimax only", G="minimax only"),
            "You judge a scale by the size of its numbers: a common factor and a common shift leave means in order.",
            cap=0.75,
        ),
        Mutant(
            "falling maps",
            maps_with(C="safe"),
            "C is straight, but it falls: the best payoff becomes the worst. Ask for the sign of the slope too.",
            cap=1.5,
        ),
        Mutant(
            "no shift",
            maps_with(A="minimax only", G="minimax only"),
            "A shift is harmless where every option ends with probabilities that sum to one: it adds the same to all.",
            cap=1.25,
        ),
    ),
    hints=(
        "What happens to a mean when every payoff is multiplied by the same number, and a number is added?",
        "Minimax only compares; expectimax adds up. Which maps go well with adding up?",
    ),
)


FLIP_EXPONENT = Question(
    id="04.flip_exponent",
    title="Where the choice flips",
    kind="function",
    points=2,
    minutes=8,
    signature="flip_exponent(prize: float, p: float, sure: float) -> float",
    oracle=flip_exponent,
    tolerance=1e-6,
    visible=(
        Case((20.0, 0.5, 10.0), note="This gamble ties as it stands: the exponent is 1."),
        Case((20.0, 0.5, 9.0), note="The chapter's gamble, which flips a little below 1."),
        Case((16.0, 0.25, 8.0), note="Only a strong bend towards risk makes this gamble worth taking: x²."),
        Case((40.0, 0.9, 5.0), note="Only a strong bend against risk makes this gamble unattractive."),
    ),
    generate=draw_offer,
    mutants=(
        Mutant(
            "reciprocal",
            lambda prize, p, sure: 1 / flip_exponent(prize, p, sure),
            "This is one over the exponent: solve p · prize^a = sure^a for a, not for its inverse.",
            cap=1,
        ),
        Mutant(
            "negative",
            lambda prize, p, sure: -flip_exponent(prize, p, sure),
            "The sign is turned: log(p) is negative, and so is log(sure / prize).",
            cap=1.25,
        ),
        Mutant(
            "ratio of the offers",
            lambda prize, p, sure: p * prize / sure,
            "This compares the two offers by size: find the exponent that makes them equal, with every payoff bent.",
            cap=0.25,
        ),
        Mutant(
            "sure thing bent alone",
            lambda prize, p, sure: flip_exponent(1.0, p * prize, sure),
            "You bend the sure thing alone, or the gamble's mean: each payoff is bent first, and then averaged.",
            cap=0.5,
        ),
    ),
    hints=(
        "What is the gamble worth on the scale x^a, and what the sure thing?",
        "Divide by prize^a; a logarithm brings the exponent down.",
    ),
)


BEST_SET = Question(
    id="04.best_set",
    title="Ties that rounding made or broke",
    kind="function",
    points=2,
    minutes=8,
    signature="best_set(values: list[float], tolerance: float) -> list[int]",
    oracle=best_set,
    visible=(
        Case(([2.0, 5.0, 3.0], 1e-9), note="One value is best."),
        Case(([0.1 + 0.2, 0.3, 0.2], 1e-9), note="0.1 + 0.2 and 0.3 differ in the last bit only."),
        Case(([3e9, 3e9 - 0.1, 2e9], 1e-9), note="At this size the tolerance is 3, not 1e-9."),
        Case(([-3.0, -3.0 - 1e-13, -4.0], 1e-9), note="All values lie below 0."),
        Case(([0.003, 0.003 - 5e-10, 0.001], 1e-9), note="Below the size 1 the slack is the tolerance itself."),
    ),
    generate=draw_values,
    mutants=(
        Mutant(
            "exact",
            exact_set,
            "Your comparison is exact, so rounding breaks ties: accept what lies within the tolerance of the best.",
            cap=0.5,
        ),
        Mutant(
            "first alone",
            first_best,
            "This is one best action: return all that tie, because another program may pick another one and be right.",
            cap=0.25,
        ),
        Mutant(
            "absolute",
            absolute_set,
            "Your tolerance ignores the size of the values: floats near a thousand million are a ten-millionth apart.",
            cap=1,
        ),
        Mutant(
            "no floor",
            set_without_floor,
            "Your slack shrinks with small values: where the largest is below 1, the slack is the tolerance itself.",
            cap=1.25,
        ),
        Mutant(
            "share of the best",
            proportional_set,
            "A share of the best value fails below 0, where it lies above the best: subtract a tolerance instead.",
            cap=0.75,
        ),
    ),
    hints=(
        "How large is the rounding error of a value near 1, and of one near 1,000,000,000?",
        "Work out one number, the slack, from the sizes of all values; then compare with the best minus the slack.",
    ),
)


IS_SAFE = Question(
    id="04.is_safe",
    title="A test that only safe scales pass",
    kind="property-test",
    points=4,
    minutes=20,
    signature="is_safe(f: Callable[[float], float]) -> bool",
    oracle=is_safe,
    visible=(
        Case((scale_map("3 * x + 7"),), note="The safe map of the chapter."),
        Case((scale_map("0.1 * x + 0.7"),), note="Safe too, although floats round."),
        Case((scale_map("x ** 0.5"),), note="The root flips decisions."),
        Case((scale_map("x * x"),), note="So does the square."),
        Case((scale_map("-2 * x + 50"),), note="Straight, but falling."),
        Case((scale_map("0 * x"),), note="A constant makes every choice a tie."),
        Case((scale_map("x // 1"),), note="A staircase looks straight from some places."),
        Case((scale_map("x + (x > 70) * (x - 70)"),), note="Straight up to 70, then steeper."),
    ),
    generate=draw_map,
    mutants=(
        Mutant(
            "increasing is enough",
            increasing_is_enough,
            "Your test accepts any increasing map: that keeps minimax's choices. Test what happens to a mean.",
            cap=1,
        ),
        Mutant(
            "exact",
            exactly_straight,
            "Your test refuses safe maps because floats round: compare with a small tolerance, not with ==.",
            cap=2,
        ),
        Mutant(
            "either direction",
            straight_with(lambda rise: rise != 0),
            "Your test accepts a falling line, which turns the best into the worst: ask for a positive slope.",
            cap=2.5,
        ),
        Mutant(
            "constant accepted",
            straight_with(lambda rise: rise >= 0),
            "Your test accepts a constant, on which all actions look alike: the slope must be greater than 0.",
            cap=3,
        ),
        Mutant(
            "whole numbers",
            whole_numbers,
            "Your test looks at whole payoffs alone and takes a staircase for a line: try payoffs in between.",
            cap=3,
        ),
        Mutant(
            "one decision",
            one_decision,
            "Your test tries a single decision, and many unsafe maps leave that one alone: try many payoffs.",
            cap=1,
        ),
    ),
    hints=(
        "Take the mean of two payoffs, and of what the map makes of them. How do the two belong together if safe?",
        "Compare f at many places with the straight line from f(0) to f(100), and look at the line's slope.",
    ),
)


WIN_RATES = Question(
    id="04.win_rates",
    title="What does a score of 20 mean?",
    kind="function",
    points=3,
    minutes=12,
    signature="win_rates(scores: list[float], wins: list[int], bins: int) -> list[list[float]]",
    oracle=win_rates,
    visible=(
        Case(([1.0, 2.0, 3.0, 4.0], [0, 0, 1, 1], 2), note="Two bins of two positions each."),
        Case(([4.0, 1.0, 3.0, 2.0], [1, 0, 0, 1], 2), note="The positions come in any order; each keeps its outcome."),
        Case(
            ([0.0, 1.0, 2.0, 3.0, 4.0, 40.0], [0, 1, 0, 1, 1, 0], 3),
            note="Bins hold equally many positions, not widths.",
        ),
    ),
    generate=draw_outcomes,
    mutants=(
        Mutant(
            "by rank alone",
            by_rank,
            "You predict from the rank of the bin: that orders positions, but only outcomes say how often they win.",
            cap=0.75,
        ),
        Mutant(
            "unsorted",
            unsorted,
            "You cut the positions in the order in which they came: sort them by score first.",
            cap=1,
        ),
        Mutant(
            "sorted apart",
            sorted_apart,
            "You sort scores and outcomes separately, so a score gets another position's outcome: sort the pairs.",
            cap=1,
        ),
        Mutant(
            "counts",
            counted,
            "These are numbers of wins: a rate is their share of the positions in the bin.",
            cap=1.5,
        ),
        Mutant(
            "equal widths",
            equal_width,
            "Your bins are equally wide, so some hold hardly anything: give each the same number of positions.",
            cap=1.5,
        ),
    ),
    hints=(
        "Which positions belong to the first bin, and what was their outcome?",
        "zip makes pairs, and sorted sorts them by their first entry.",
    ),
)


FIT_WEIGHT = Question(
    id="04.fit_weight",
    title="Let outcomes set the weight",
    kind="function",
    points=3,
    minutes=12,
    signature="fit_weight(features: list[float], outcomes: list[float]) -> list[float]",
    oracle=fit_weight,
    visible=(
        Case(([1.0, 2.0, 3.0], [10.0, 20.0, 30.0]), note="These outcomes are ten times the feature."),
        Case(([1.0, 2.0, 3.0], [110.0, 120.0, 130.0]), note="The same, and 100 points more: that is the intercept."),
        Case(([4.0, 1.0, 2.0, 6.0], [200.0, 50.0, 170.0, 220.0]), note="No line meets all four: find the best one."),
    ),
    generate=draw_sample,
    mutants=(
        Mutant(
            "through the origin",
            through_origin,
            "Your line is forced through the origin: a feature of 0 need not mean an outcome of 0, so fit that too.",
            cap=1,
        ),
        Mutant(
            "turned around",
            turned_around,
            "You fit the feature to the outcome: divide by the spread of the feature, not by that of the outcome.",
            cap=1,
        ),
        Mutant(
            "extremes",
            extremes,
            "Your line joins the two ends and ignores all positions between: every position has its say.",
            cap=0.75,
        ),
        Mutant(
            "ratio of means",
            ratio_of_means,
            "This divides the mean outcome by the mean feature: a weight says how much the outcome *changes* with it.",
            cap=0.5,
        ),
    ),
    hints=(
        "By how much does the outcome lie above its mean where the feature lies above its own?",
        "Weight: the sum of the products of both distances from the mean, over the sum of squares of the feature's.",
    ),
)


QUESTIONS = (SAFE_MAPS, FLIP_EXPONENT, BEST_SET, IS_SAFE, WIN_RATES, FIT_WEIGHT)
