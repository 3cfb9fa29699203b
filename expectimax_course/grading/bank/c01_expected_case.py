"""Questions of chapter 01: who chooses the outcome?"""

from __future__ import annotations

from expectimax_course.grading.bank import Case, Mutant, Question
from expectimax_course.grading.bank.parts01 import (
    CHOOSERS,
    break_even,
    checked_value,
    choosers,
    draw_bet,
    draw_gamble,
    draw_options,
    draw_suspect,
    exact_sum,
    gap_of_values,
    normalised,
    one_world,
    plain_mean,
    sum_only,
    too_much_only,
    unweighted_cost,
    weighted_value,
    worst,
    wrong_model_cost,
    zero_refused,
)

WEIGHTED_VALUE = Question(
    id="01.weighted_value",
    title="The value of a gamble",
    kind="function",
    points=2,
    minutes=5,
    signature="weighted_value(outcomes: list[tuple[float, float]]) -> float",
    oracle=weighted_value,
    visible=(
        Case(([(10.0, 0.9), (-5.0, 0.1)],), note="The gamble of the chapter: +10 with 90 %, or −5."),
        Case(([(2.0, 1.0)],), note="A sure payoff is worth itself."),
    ),
    generate=draw_gamble,
    mutants=(
        Mutant(
            "unweighted mean",
            plain_mean,
            "This is the plain mean of the payoffs: weight each payoff by its own probability.",
            cap=0.5,
        ),
        Mutant(
            "divided by the number of outcomes",
            lambda outcomes: weighted_value(outcomes) / len(outcomes),
            "The probabilities are the weights already: do not divide by the number of outcomes again.",
            cap=1,
        ),
        Mutant(
            "worst case",
            worst,
            "This is the worst payoff: nobody picks it on purpose here, chance does.",
        ),
        Mutant(
            "best case",
            lambda outcomes: max(payoff for payoff, _ in outcomes),
            "This is the best payoff: chance does not choose it for you.",
        ),
        Mutant(
            "most likely payoff",
            lambda outcomes: max(outcomes, key=lambda pair: pair[1])[0],
            "This is the most likely payoff alone: the rarer ones count too, each by its probability.",
        ),
    ),
    hints=(
        "Play the gamble a hundred times. How often do you see each payoff?",
        "Each outcome adds its payoff times its probability.",
    ),
)


BREAK_EVEN = Question(
    id="01.break_even",
    title="From which probability on?",
    kind="function",
    points=2,
    minutes=8,
    signature="break_even(win: float, lose: float, sure: float) -> float",
    oracle=break_even,
    visible=(
        Case((10.0, -5.0, 2.0), note="The gamble of the chapter against 2 for sure."),
        Case(
            (10.0, 0.0, 5.0), note="Ten or nothing against 5: the two are worth the same when both are equally likely."
        ),
        Case((10.0, -5.0, -5.0), note="Where the sure payoff is the losing one, any chance of a win will do."),
    ),
    generate=draw_bet,
    mutants=(
        Mutant(
            "ignores the loss",
            lambda win, lose, sure: sure / win,
            "This asks only how much of the win makes up the sure payoff: what you get when you lose belongs in too.",
            cap=0.5,
        ),
        Mutant(
            "probability of losing",
            lambda win, lose, sure: (win - sure) / (win - lose),
            "This is the probability of *losing* at which the two are worth the same: return the one of winning.",
            cap=1,
        ),
        Mutant(
            "sign of the loss",
            lambda win, lose, sure: (sure + lose) / (win + lose),  # may divide by 0, as a student's would
            "The losing payoff comes with its own sign, −5 for a loss of 5: do not turn it round again.",
            cap=1,
        ),
        Mutant(
            "measured from nothing",
            lambda win, lose, sure: sure / (win - lose),
            "The stake is right, the distance is not: measure the sure payoff from the losing payoff, not from 0.",
            cap=1,
        ),
    ),
    hints=(
        "Call the probability p. What is the gamble worth, as a formula in p?",
        "Set that formula equal to the sure payoff and solve for p.",
    ),
)


CHECKED_VALUE = Question(
    id="01.checked_value",
    title="Refuse what is no distribution",
    kind="function",
    points=2,
    minutes=10,
    signature="checked_value(outcomes: list[tuple[float, float]]) -> float",
    oracle=checked_value,
    visible=(
        Case(([(10.0, 0.9), (-5.0, 0.1)],), note="A proper gamble has its value as before."),
        Case(([(10.0, 0.5), (20.0, 0.4)],), note="A tenth of the probability is missing here."),
        Case(([(10.0, 0.5), (10.0, 1.0)],), note="These probabilities sum to 1.5."),
        Case(([(1.0, 0.1)] * 10,), note="Ten times 0.1 is 1, although floats miss it by a hair."),
        Case(([(4.0, 1.25), (8.0, -0.25)],), note="The sum is 1, yet one probability is negative."),
        Case(([(4.0, 1.0), (8.0, 0.0)],), note="What never happens has probability 0, which is not negative."),
    ),
    generate=draw_suspect,
    mutants=(
        Mutant(
            "accepts everything",
            weighted_value,
            "This gives a number for probabilities that do not sum to 1: raise ValueError instead of a wrong value.",
            cap=0.25,
        ),
        Mutant(
            "normalises",
            normalised,
            "Dividing by the sum hides somebody's mistake in the probabilities: refuse them, do not repair them.",
            cap=0.75,
        ),
        Mutant(
            "exact comparison",
            exact_sum,
            "This asks for a float sum of exactly 1, and ten times 0.1 misses it by rounding: allow a small tolerance.",
            cap=1.5,
        ),
        Mutant(
            "sum alone",
            sum_only,
            "A negative probability slips through, because another one makes up for it: look at each, then at the sum.",
            cap=1.5,
        ),
        Mutant(
            "zero refused",
            zero_refused,
            "You refuse an outcome of probability 0: it never happens, but it does no harm; refuse only negative ones.",
            cap=1.5,
        ),
        Mutant(
            "too much only",
            too_much_only,
            "A sum above 1 is refused, one below is not: a missing probability makes the value wrong just as well.",
            cap=1,
        ),
    ),
    hints=(
        "What must be true of the probabilities before the value means anything?",
        "Two tests come before the sum of payoffs: one on each probability, one on their sum, with 1e-9 to spare.",
    ),
)


WHO_CHOOSES = Question(
    id="01.who_chooses",
    title="Who chooses?",
    kind="choice",
    points=3,
    minutes=6,
    signature="who_chooses: dict[str, str]",
    choices=("max", "min", "chance"),
    oracle=CHOOSERS.__getitem__,
    visible=(
        Case(("dice",), note="dice: does anybody want a particular roll and get it?"),
        Case(("opponent",), note="opponent: who picks the move, and what does she want?"),
        Case(("new_tile",), note="new_tile: the rule that places the tile does not look at your board."),
        Case(("random_bot",), note="random_bot: it takes your opponent's seat. Does it use the seat to hurt you?"),
        Case(("partner",), note="partner: which result does somebody want who shares your score?"),
        Case(("hunter",), note="hunter: does the guard draw its steps, or aim them?"),
    ),
    mutants=(
        Mutant(
            "whoever is not me is against me",
            choosers(random_bot="min", dice="min", new_tile="min", partner="min").__getitem__,
            "You take whatever is not you for an adversary: ask of each whether it picks, and what it wants.",
            cap=1,
        ),
        Mutant(
            "nature is against me",
            choosers(dice="min", new_tile="min").__getitem__,
            "Dice and tiles want nothing: they are drawn by a rule that does not care who suffers.",
            cap=2,
        ),
        Mutant(
            "every opponent aims",
            choosers(random_bot="min").__getitem__,
            "A program that draws its moves sits in your opponent's seat, yet it does not aim at your worst result.",
            cap=2.5,
        ),
        Mutant(
            "every other player is chance",
            choosers(opponent="chance", hunter="chance", partner="chance").__getitem__,
            "Not knowing what somebody will do does not make it a draw: whoever has an aim picks, for or against you.",
            cap=1.5,
        ),
        Mutant(
            "every other player is against me",
            choosers(partner="min").__getitem__,
            "A partner picks as you would: what counts is not whose turn it is but which result the mover wants.",
            cap=2.5,
        ),
    ),
    hints=(
        "Two questions settle each case: does somebody pick, and if so, what does that somebody want?",
        "max wants your result high, min wants it low, chance wants nothing.",
    ),
)


WRONG_MODEL_COST = Question(
    id="01.wrong_model_cost",
    title="The price of the wrong model",
    kind="function",
    points=3,
    minutes=15,
    signature="wrong_model_cost(options: list[list[tuple[float, float]]]) -> tuple[float, float]",
    oracle=wrong_model_cost,
    visible=(
        Case(
            ([[(10.0, 0.9), (-5.0, 0.1)], [(2.0, 1.0)]],),
            note="The two options of the chapter: caution takes 2 for sure, trust takes the gamble.",
        ),
        Case(
            ([[(3.0, 1.0)], [(1.0, 1.0)]],), note="Without chance both players take the same option, and nobody loses."
        ),
    ),
    generate=draw_options,
    mutants=(
        Mutant(
            "swapped",
            lambda options: wrong_model_cost(options)[::-1],
            "The two prices are right but swapped: first what caution loses when chance decides.",
            cap=2,
        ),
        Mutant(
            "gap between two beliefs",
            gap_of_values,
            "This subtracts one player's belief from the other's: play both options in one world, and compare what "
            "they earn there.",
            cap=0.75,
        ),
        Mutant(
            "one world for both",
            one_world,
            "Both prices are measured with chance deciding: the second player meets an adversary, who picks the worst.",
            cap=1.5,
        ),
        Mutant(
            "negative prices",
            lambda options: [-price for price in wrong_model_cost(options)],
            "The sizes are right, the signs are not: a price is what the right choice earns minus what yours earns.",
            cap=2,
        ),
        Mutant(
            "unweighted mean",
            unweighted_cost,
            "Here the expected case is a plain mean of the payoffs: weight each payoff by its probability.",
            cap=1,
        ),
    ),
    hints=(
        "Which option does each of the two take? Find both first, then forget what they believed.",
        "Each price compares the two options in one world: by the mean in the first, by the worst case in the second.",
    ),
)


QUESTIONS = (WEIGHTED_VALUE, BREAK_EVEN, WHO_CHOOSES, CHECKED_VALUE, WRONG_MODEL_COST)
