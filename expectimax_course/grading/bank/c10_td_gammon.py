"""Questions of chapter 10: dice, points, the rules of backgammon, the inputs, the learning and the search."""

from __future__ import annotations

from expectimax_course.backgammon.rules import OFF
from expectimax_course.grading.bank import Case, Mutant, Question
from expectimax_course.grading.bank.parts10 import (
    BLOTS,
    PIPS,
    draw_die,
    draw_full,
    draw_game,
    draw_outputs,
    draw_roll,
    draw_step,
    draw_value,
    equity,
    inputs,
    inputs_with,
    numbers_alike,
    plays,
    plays_with,
    shots,
    shots_with,
    side,
    step_with,
    steps,
    steps_with,
    targets,
    targets_with,
    td_step,
    value_after,
    value_with,
)

RULES = ("expectimax_course.backgammon.rules", "expectimax_course.backgammon.notation")
"""The rules are the answer key of this chapter, and open in every other; the notation imports them."""

START = side({24: 2, 13: 5, 8: 3, 6: 5})
ALONE = side({24: 1})


SHOTS = Question(
    id="10.shots",
    title="Hit from a distance",
    kind="function",
    points=1.5,
    minutes=5,
    signature="shots(distance: int) -> int",
    oracle=shots,
    visible=(
        Case((1,), note="Only a roll with a 1 hits the neighbour: eleven of the 36."),
        Case((6,), note="A 6 on one die, 5 and 1, 4 and 2, 3 and 3, and three of the four 2s of a double."),
        Case((7,), note="Too far for one die: 6 and 1, 5 and 2, 4 and 3, each in two ways."),
        Case((20,), note="Four 5s."),
        Case((19,), note="No roll goes so far and stops there."),
    ),
    generate=lambda rng: (1 + rng.below(24),),
    mutants=(
        Mutant(
            "1 in 21",
            shots_with(rolls="21"),
            "You count the 21 distinct rolls, which are not equally likely: 3 and 1 fall in two ways, 3 and 3 in one.",
            cap=0.5,
        ),
        Mutant(
            "doubles as two",
            shots_with(copies=2),
            "You play a double twice: each of its dice counts double, so it is played four times.",
            cap=0.75,
        ),
        Mutant(
            "no combinations",
            shots_with(sums=False),
            "You count single dice only: one checker may also play both dice, one after the other.",
            cap=0.5,
        ),
        Mutant(
            "sums only",
            shots_with(direct=False),
            "You count both dice together only: a single die may hit as well.",
            cap=0.5,
        ),
        Mutant(
            "one way each",
            shots_with(rolls="21", copies=2),
            "You count distinct rolls and play doubles twice: count the 36 pairs, and play a double four times.",
            cap=0.25,
        ),
        Mutant(
            "ways",
            shots_with(ways=True),
            "A roll that hits in two ways counts twice with you: count rolls, each one once.",
            cap=0.75,
        ),
        Mutant(
            "doubles do not stop",
            shots_with(stops=False),
            "Your doubles play all four steps or one: they may stop after two or three as well.",
            cap=0.75,
        ),
        Mutant(
            "a probability",
            shots_with(out_of=36),
            "You return a probability: asked is how many of the 36 rolls hit.",
            cap=0.75,
        ),
    ),
    hints=(
        "If you list all pairs of two dice, how many are there, and how many of them are doubles?",
        "For each of the 36 pairs write down every distance at which one checker may stop.",
    ),
    forbids=RULES,
)


EQUITY = Question(
    id="10.equity",
    title="Points to expect",
    kind="function",
    points=1.5,
    minutes=6,
    signature="equity(outputs: list[float]) -> float",
    oracle=equity,
    visible=(
        Case(([0.5, 0.0, 0.0, 0.0, 0.0],), note="An even game without gammons is worth nothing."),
        Case(([1.0, 1.0, 0.0, 0.0, 0.0],), note="A sure gammon is worth 2 points."),
        Case(([1.0, 1.0, 1.0, 0.0, 0.0],), note="A sure backgammon is a gammon and a win as well: 3 points."),
        Case(([0.0, 0.0, 0.0, 1.0, 0.0],), note="A gammon lost costs 2 points."),
        Case(([0.75, 0.25, 0.125, 0.125, 0.0625],), note="All five at once."),
    ),
    generate=draw_outputs,
    mutants=(
        Mutant(
            "gammons ignored",
            lambda outputs: 2 * outputs[0] - 1,
            "You count wins and losses only: a gammon earns or costs a second point, a backgammon a third.",
            cap=0.5,
        ),
        Mutant(
            "counted twice",
            lambda outputs: (2 * outputs[0] - 1) + 2 * outputs[1] + 3 * outputs[2] - 2 * outputs[3] - 3 * outputs[4],
            "A gammon is counted as a win and as two more points: the win is in it already, so it adds one.",
            cap=0.75,
        ),
        Mutant(
            "losses forgotten",
            lambda outputs: outputs[0] + outputs[1] + outputs[2] - outputs[3] - outputs[4],
            "A lost game counts nothing here: it costs a point, so a win of probability p is worth 2p − 1.",
            cap=0.75,
        ),
        Mutant(
            "only ours",
            lambda outputs: 2 * outputs[0] - 1 + outputs[1] + outputs[2],
            "The gammons that the opponent wins are missing: they cost what ours earn.",
            cap=0.75,
        ),
        Mutant(
            "lost ones added",
            lambda outputs: 2 * outputs[0] - 1 + sum(outputs[1:]),
            "Gammons lost are added: they cost points.",
            cap=0.75,
        ),
        Mutant(
            "backgammon adds two",
            lambda outputs: 2 * outputs[0] - 1 + outputs[1] + 2 * outputs[2] - outputs[3] - 2 * outputs[4],
            "A backgammon adds two points to a win here: the gammon in it has added one of them already.",
            cap=0.75,
        ),
        Mutant(
            "backgammons ignored",
            lambda outputs: 2 * outputs[0] - 1 + outputs[1] - outputs[3],
            "Backgammons count like gammons here: they earn or cost a third point.",
            cap=0.75,
        ),
        Mutant(
            "outputs taken for disjoint",
            lambda outputs: outputs[0] + 2 * outputs[1] + 3 * outputs[2] - 2 * outputs[3] - 3 * outputs[4],
            "You add 1, 2 and 3 points as if no game were in two outputs, and a single game lost costs nothing.",
            cap=0.5,
        ),
    ),
    hints=(
        "What is a gammon worth beyond a single game, if the win is already counted?",
        "Start with 2p − 1; each further output changes the points by one.",
    ),
    forbids=RULES,
)


STEPS = Question(
    id="10.steps",
    title="One die",
    kind="function",
    points=3,
    minutes=20,
    signature="steps(own: tuple, other: tuple, die: int) -> list[tuple[tuple, tuple]]",
    oracle=steps,
    visible=(
        Case((START, START, 5), note="Two sources: 24/19 runs into five checkers of the opponent."),
        Case((side({24: 1, 25: 1}), START, 4), note="The checker on the bar must enter first."),
        Case((side({10: 1, 6: 1}), side({6: 1}), 4), note="10/6 moves on, 6/2 too; nothing is hit."),
        Case((side({10: 1}), side({19: 1}), 4), note="On the 6-point stands a lone checker: it goes to the bar."),
        Case((side({8: 1, 4: 1}), ALONE, 4), note="One checker is not at home yet, so nothing is borne off."),
        Case(
            (side({4: 1, 2: 1}, 13), side({12: 15}), 3),
            note="A 3 moves from the 4-point; it cannot bear off from the 2.",
        ),
        Case((side({4: 1, 2: 1}, 13), ALONE, 6), note="A 6 bears off from the highest point, and from there only."),
        Case((side({25: 1}), side({1: 2, 2: 2, 3: 2}), 3), note="All is closed: nothing can be done with this die."),
    ),
    generate=draw_die,
    mutants=(
        Mutant(
            "bar ignored",
            steps_with(enter_first=False),
            "A checker moves while another one is on the bar: that one must enter first.",
            cap=1.5,
        ),
        Mutant(
            "closed at one",
            steps_with(closed=1),
            "A lone checker closes a point to you: it takes two; one may be hit.",
            cap=1.5,
        ),
        Mutant(
            "nothing closed",
            steps_with(closed=16),
            "You land on points that the opponent holds with two or more checkers: those are closed.",
            cap=1.25,
        ),
        Mutant(
            "no hits",
            steps_with(hit=False),
            "A lone checker that you land on stays where it is: it goes to the bar, entry 25 of the opponent.",
            cap=1.5,
        ),
        Mutant(
            "off too early",
            steps_with(all_home=False),
            "You bear off while a checker is still outside the home board: all of them must be on points 1 to 6.",
            cap=1.5,
        ),
        Mutant(
            "any larger die",
            steps_with(larger="any"),
            "A die larger than the point bears off from every point: only from the highest one that you hold.",
            cap=2,
        ),
        Mutant(
            "exact only",
            steps_with(larger="none"),
            "You bear off with the exact number only: a larger die takes a checker from your highest point.",
            cap=2,
        ),
        Mutant(
            "the other's points from our end",
            steps_with(mirrored=False),
            "You look at the opponent's entry of the same number: your point p is its point 25 − p.",
            cap=1.25,
        ),
        Mutant(
            "hit and gone",
            steps_with(sent=None),
            "A checker that is hit leaves the board: it goes to the bar, entry 25, and must come back.",
            cap=1.5,
        ),
        Mutant(
            "hit and home",
            steps_with(sent=OFF),
            "A checker that is hit counts as borne off, entry 0: it goes to the bar, entry 25.",
            cap=1.5,
        ),
        Mutant(
            "each checker",
            steps_with(each_checker=True),
            "A point with several checkers gives the same position several times: each source counts once.",
            cap=2,
        ),
        Mutant(
            "lowest first",
            lambda own, other, die: steps(own, other, die)[::-1],
            "Your positions come with the lowest source first: the highest was asked for.",
            cap=2.5,
        ),
    ),
    hints=(
        "The opponent's checkers on your point p: under which number does the opponent count that point?",
        "Go through the sources from the bar down and ask: may it leave, may it land, is somebody hit?",
    ),
    forbids=RULES,
)


PLAYS = Question(
    id="10.plays",
    title="A whole roll",
    kind="function",
    points=4,
    minutes=25,
    signature="plays(own: tuple, other: tuple, roll: tuple[int, int]) -> list[tuple[tuple, tuple]]",
    oracle=plays,
    visible=(
        Case((side({13: 1, 8: 1}), ALONE, (3, 1)), note="Either checker may play either die, or one of them both."),
        Case(
            (side({24: 1}), side({3: 1}), (2, 1)), note="One checker, both dice: hit on the way, or pass over the blot."
        ),
        Case((side({13: 2}), ALONE, (2, 2)), note="A double is played four times."),
        Case(
            (side({20: 1}), side({10: 2, 13: 2}), (6, 2)),
            note="Either die can be played, not both: then the larger one must be.",
        ),
        Case(
            (side({20: 1, 3: 1}), side({13: 2, 11: 2}), (6, 2)),
            note="No 6 can be played, so the 2 must be, with either checker.",
        ),
        Case(
            (side({20: 1, 8: 1}), side({13: 2, 11: 2}), (6, 2)),
            note="Both dice can be played in one way, so they must be.",
        ),
        Case((side({25: 1}), side({5: 2, 6: 2}), (6, 5)), note="Nothing can be played: the position stays as it is."),
        Case((side({2: 1, 1: 1}, 13), side({12: 1}), (6, 5)), note="Both dice bear off; how, makes no difference."),
    ),
    generate=draw_roll,
    mutants=(
        Mutant(
            "doubles as two",
            plays_with(copies=2),
            "You play a double twice: it is played four times.",
            cap=2,
        ),
        Mutant(
            "must use the larger die",
            plays_with(larger_first=False),
            "Where only one of two dice can be played, you take either: it must be the larger one if that can be.",
            cap=2.5,
        ),
        Mutant(
            "dice left over",
            plays_with(most=False),
            "You stop with dice left that could still be played: as many as possible must be.",
            cap=1.5,
        ),
        Mutant(
            "one order",
            plays_with(both_orders=False),
            "You play the larger die first and never the smaller: some positions need the other order.",
            cap=2,
        ),
        Mutant(
            "twins",
            plays_with(distinct=False),
            "Some positions come twice: two ways that end in the same position are one play.",
            cap=2.5,
        ),
        Mutant(
            "no play, no position",
            plays_with(forced=False),
            "Where nothing can be played you return nothing: the turn passes, and the position stays as it is.",
            cap=3,
        ),
    ),
    hints=(
        "How would you play the dice in one given order, and how many orders are there?",
        "Let a recursion return positions with the number of dice used, then keep those with the most.",
    ),
    forbids=RULES,
)


INPUTS = Question(
    id="10.inputs",
    title="The 198 inputs",
    kind="function",
    points=2.5,
    minutes=15,
    signature="inputs(own: tuple, other: tuple) -> list[float]",
    oracle=inputs,
    accept=numbers_alike,
    visible=(
        Case((START, START), note="The start: 2 checkers make two units 1, 5 make three units 1 and the fourth 1.0."),
        Case(
            (side({1: 1}, 14), side({12: 15})),
            note="One checker left, fourteen off; fifteen on one point give (15 − 3) / 2.",
        ),
        Case((side({25: 2, 6: 13}), side({3: 4}, 11)), note="Two on the bar give 1, four on a point give one half."),
    ),
    generate=draw_full,
    mutants=(
        Mutant(
            "exactly",
            inputs_with(at_least=False),
            "Your units say exactly one, two, three: they say at least, so that three checkers make three units 1.",
            cap=1.25,
        ),
        Mutant(
            "not halved",
            inputs_with(half=1),
            "The fourth unit of a point is half of what is above three: you do not halve it.",
            cap=1.5,
        ),
        Mutant(
            "bar not halved",
            inputs_with(bar=1),
            "The unit of the bar is half the checkers there: you do not halve them.",
            cap=1.75,
        ),
        Mutant(
            "off not divided",
            inputs_with(off=1),
            "The unit of the checkers borne off is a fifteenth of their number: you do not divide it.",
            cap=1.75,
        ),
        Mutant(
            "from our end",
            inputs_with(mirrored=True),
            "The opponent's points come from your end: each side counts from its own, and so do the inputs.",
            cap=1.25,
        ),
        Mutant(
            "turn swapped",
            inputs_with(turn=False),
            "The last two units are exchanged: the side on roll comes first everywhere, so they are 1 and 0.",
            cap=1.75,
        ),
        Mutant(
            "below zero",
            inputs_with(least=-3),
            "Your fourth unit goes below 0 where there are fewer than three checkers: it is 0 there.",
            cap=1.5,
        ),
        Mutant(
            "other first",
            inputs_with(own_first=False),
            "The opponent's units come first: the side about to roll is first everywhere.",
            cap=1.75,
        ),
        Mutant(
            "off before the bar",
            inputs_with(bar_first=False),
            "The units of the bar and of the borne off are exchanged: the bar comes first.",
            cap=1.75,
        ),
    ),
    hints=(
        "How many units does one side have, and in which order?",
        "Four for each of the 24 points, one for the bar, one for the checkers off; twice; and two for the turn.",
    ),
    forbids=RULES,
)


TARGETS = Question(
    id="10.targets",
    title="The λ-return",
    kind="function",
    points=3,
    minutes=15,
    signature="targets(values: list[float], outcome: float, decay: float) -> list[float]",
    oracle=targets,
    visible=(
        Case(([0.5], 1.0, 0.75), note="The last position learns what the game turned out to be worth."),
        Case(([0.5, 0.25], 1.0, 0.0), note="λ = 0: the next position's value, as the other side sees it."),
        Case(([0.5, 0.25], 1.0, 1.0), note="λ = 1: the outcome, as the other side sees it."),
        Case(([0.5, -0.25, 0.125], 2.0, 0.75), note="In between, backwards from the end."),
    ),
    generate=draw_game,
    mutants=(
        Mutant(
            "no change of side",
            targets_with(flip=1.0),
            "What is good for the next side on roll is taken for good: with every turn the sign changes.",
            cap=1,
        ),
        Mutant(
            "lambda and the rest exchanged",
            targets_with(swapped=True),
            "λ and 1 − λ are exchanged: λ weighs the target that comes after, 1 − λ the net's own value.",
            cap=1.5,
        ),
        Mutant(
            "own value",
            targets_with(own_value=True),
            "A position's own value is mixed in: the part 1 − λ is the value of the position after it.",
            cap=1.5,
        ),
        Mutant(
            "outcome turned too",
            targets_with(flip_outcome=True),
            "The outcome changes its sign at the last position: it is given as that side sees it.",
            cap=1.5,
        ),
        Mutant(
            "value not turned",
            targets_with(flip_value=1.0),
            "Only the target after it changes its sign: the next position's value is the other side's as well.",
            cap=1.5,
        ),
        Mutant(
            "target not turned",
            targets_with(flip=1.0, flip_value=-1.0),
            "Only the next position's value changes its sign: the target after it is the other side's as well.",
            cap=1.5,
        ),
        Mutant(
            "last first",
            targets_with(backwards=True),
            "Your targets begin with the last position: turn the list round.",
            cap=2,
        ),
    ),
    hints=(
        "Whose points are the values of two positions in a row?",
        "Begin at the last position and walk backwards; each target needs only the one after it.",
    ),
    forbids=RULES,
)


TD_STEP = Question(
    id="10.td_step",
    title="One step of learning",
    kind="function",
    points=2,
    minutes=10,
    signature="td_step(weights: list[float], units: list[float], target: float, rate: float) -> list[float]",
    oracle=td_step,
    visible=(
        Case(([0.0, 0.0], [1.0, 1.0], 1.0, 0.5), note="A value of 0.5, a target of 1: both weights go up."),
        Case(([0.0, 0.0], [1.0, 0.0], 0.0, 0.5), note="An input of 0 is not to blame, its weight stays."),
        Case(([1.0, -0.5], [1.0, 2.0], 0.5, 1.0), note="Value and target agree: nothing to learn."),
        Case(([2.0, 1.0], [1.0, 0.5], 0.25, 0.1), note="A value that is too high: the weights go down."),
    ),
    generate=draw_step,
    mutants=(
        Mutant(
            "squared error",
            step_with(squared=True),
            "Your step has the factor v (1 − v), the slope for squared error: with cross-entropy it cancels.",
            cap=1.25,
        ),
        Mutant(
            "wrong way",
            step_with(sign=-1),
            "The value moves away from its target: the step is rate × (target − value) × input.",
            cap=1,
        ),
        Mutant(
            "input forgotten",
            step_with(scaled=False),
            "All weights change alike: each one is responsible as far as its input is not 0.",
            cap=1,
        ),
        Mutant(
            "not squeezed",
            step_with(plain=True),
            "Your value is the sum itself: the unit squeezes it with 1 / (1 + exp(−sum)).",
            cap=1,
        ),
        Mutant(
            "sign of the exponent",
            step_with(slope=1),
            "Your unit falls where the sum grows: the exponent is minus the sum.",
            cap=1,
        ),
        Mutant(
            "no rate",
            step_with(rated=False),
            "Your step is taken in full: it is multiplied by the rate.",
            cap=1,
        ),
        Mutant(
            "the change alone",
            step_with(step_only=True),
            "You return the changes: add them to the weights.",
            cap=1.25,
        ),
    ),
    hints=(
        "Of what sign is target − value if the value is too low, and which way should a weight with input 1 go?",
        "For cross-entropy the derivative by a weight is (value − target) times its input.",
    ),
    forbids=RULES,
)


VALUE_AFTER = Question(
    id="10.value_after",
    title="One roll ahead",
    kind="function",
    points=3.5,
    minutes=20,
    signature="value_after(own: tuple, other: tuple, evaluate: Callable) -> float",
    oracle=value_after,
    visible=(
        Case((side({6: 2}), side({6: 2}), PIPS), note="The opponent rolls; each of the 21 rolls has its best reply."),
        Case(
            (side({10: 1, 6: 2}), side({22: 1, 18: 1}), BLOTS),
            note="The opponent can hit: whether it does is its choice.",
        ),
        Case((side({1: 2}, 13), side({1: 2}, 13), PIPS), note="Whatever the opponent rolls, it bears off both."),
        Case((side({20: 2, 12: 1}), side({25: 1, 4: 2}), BLOTS), note="A checker on the bar has to enter first."),
    ),
    generate=draw_value,
    mutants=(
        Mutant(
            "1/21 each",
            value_with(double=1 / 21, other_rolls=1 / 21),
            "All 21 rolls count alike: a double has probability 1/36, any other roll 2/36.",
            cap=1.75,
        ),
        Mutant(
            "replies for us",
            value_with(choose=max),
            "The opponent plays what is best for you: it is a MIN node.",
            cap=1.25,
        ),
        Mutant(
            "replies at random",
            value_with(choose=lambda values: sum(values) / len(values)),
            "You take the mean over the replies: the roll is chance, the reply is a choice.",
            cap=1.25,
        ),
        Mutant(
            "wrong side's view",
            value_with(view=lambda evaluate, own, other: evaluate(other, own)),
            "You take the opponent's value for yours: after the reply you are on roll, so evaluate your side.",
            cap=1.5,
        ),
        Mutant(
            "one thirty-sixth each",
            value_with(other_rolls=1 / 36),
            "Your probabilities do not sum to one: rolls that are no doubles fall in two ways.",
            cap=1.75,
        ),
        Mutant(
            "turned round",
            value_with(view=lambda evaluate, own, other: -evaluate(other, own)),
            "You negate the value with the opponent on roll: after the reply it is you who is about to roll.",
            cap=2.25,
        ),
        Mutant(
            "sign of the total",
            lambda own, other, evaluate: -value_after(own, other, evaluate),
            "Your sign is wrong: you are on roll after the reply, so evaluate speaks of your points already.",
            cap=2,
        ),
        Mutant(
            "no search",
            lambda own, other, evaluate: -evaluate(other, own),
            "You value the position as it stands: one roll and one reply come first.",
            cap=0.5,
        ),
    ),
    hints=(
        "Who moves after the roll, and whose points does evaluate return?",
        "`plays` seen from the opponent gives its positions; swap the two sides before you evaluate.",
    ),
    forbids=RULES,
)


QUESTIONS = (SHOTS, EQUITY, STEPS, PLAYS, INPUTS, TARGETS, TD_STEP, VALUE_AFTER)
