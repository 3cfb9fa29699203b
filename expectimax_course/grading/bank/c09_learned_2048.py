"""Questions of chapter 09: afterstates, TD errors, λ-returns, symmetric look-ups, a rate for every weight."""

from __future__ import annotations

from expectimax_course.grading.bank import Case, Mutant, Question
from expectimax_course.grading.bank.parts09 import (
    CORNER,
    ROOMY,
    after_the_tile,
    coherence,
    coherence_with,
    distinct,
    draw_errors,
    draw_history,
    draw_path,
    draw_reading,
    draw_update,
    draw_valued,
    eight,
    errors_with,
    lambda_targets,
    learn,
    learn_with,
    readings,
    readings_of,
    slide_values,
    targets_with,
    td_errors,
    valued,
    whole_game,
)

LINE = ((2, 2, 4), (0, 8, 4), (0, 0, 0))
GAME = [
    (((0, 2), (4, 8)), 0, ((2, 0), (4, 8))),
    (((2, 2), (4, 8)), 4, ((4, 0), (4, 8))),
    (((4, 2), (4, 8)), 8, ((8, 2), (0, 8))),
]
SQUARE = ((2, 4), (8, 16))
LIKE = ((2, 4), (4, 2))


SLIDE_VALUES = Question(
    id="09.slide_values",
    title="What is a slide worth?",
    kind="function",
    points=2,
    minutes=5,
    signature="slide_values(board: tuple, value: Callable) -> dict[str, float]",
    oracle=slide_values,
    visible=(
        Case((LINE, ROOMY), note="Left and right merge the 2s, up and down the 4s."),
        Case((((4, 2), (2, 0)), ROOMY), note="No slide merges anything here: the afterstates alone decide."),
        Case((((2, 4), (4, 2)), ROOMY), note="No slide is legal: an empty dictionary."),
    ),
    generate=draw_valued,
    mutants=(
        Mutant(
            "reward missing",
            lambda board, value: valued(board, value, reward=0),
            "The reward is missing: a value counts what comes after the slide, and what the slide earns is not in it.",
            cap=0.5,
        ),
        Mutant(
            "reward twice",
            lambda board, value: valued(board, value, reward=2),
            "The reward counts twice: the value of the afterstate begins after this slide, so add its reward once.",
            cap=1,
        ),
        Mutant(
            "board before",
            lambda board, value: valued(board, value, of=lambda before, after, value: value(before)),
            "You value the board before the slide, which is the same for all four: value the board after it.",
            cap=0.5,
        ),
        Mutant(
            "after the new tile",
            lambda board, value: valued(board, value, of=after_the_tile),
            "You average over new tiles: the value of an afterstate has that average in it already, so ask once.",
            cap=1,
        ),
        Mutant(
            "no-ops",
            lambda board, value: valued(board, value, no_ops=True),
            "A slide that changes nothing is not legal: leave it out.",
            cap=1,
        ),
        Mutant(
            "value missing",
            lambda board, value: valued(board, value, of=lambda before, after, value: 0),
            "Only the reward counts here: the points still to come, the value of the board after it, are missing.",
            cap=0.5,
        ),
    ),
    hints=(
        "Which points are counted in the value of an afterstate, and which are not yet?",
        "slide(board, action) gives the board after the slide and the reward; compare the board with the one before.",
    ),
)

TD_ERRORS = Question(
    id="09.td_errors",
    title="The error of each guess",
    kind="function",
    points=3,
    minutes=12,
    signature="td_errors(history: list[tuple], value: Callable) -> list[float]",
    oracle=td_errors,
    visible=(
        Case((GAME[1:], ROOMY), note="Two slides: the second reward belongs to the first afterstate's target."),
        Case((GAME[2:], ROOMY), note="One slide, and the game was over: nothing was still to come."),
        Case((GAME, CORNER), note="Three slides, another value function."),
    ),
    generate=draw_history,
    mutants=(
        Mutant(
            "states",
            lambda history, value: errors_with(history, value, afterstates=False, own=1, following=0),
            "These are errors of the boards before the slides: V is a function of afterstates, take the third entry.",
            cap=1,
        ),
        Mutant(
            "boards before, rewards after",
            lambda history, value: errors_with(history, value, afterstates=False),
            "You value boards before the slides, and their own rewards are lost: V is a function of afterstates.",
            cap=1,
        ),
        Mutant(
            "own reward",
            lambda history, value: errors_with(history, value, own=1, following=0),
            "This reward was paid before the afterstate was reached: its target holds the reward of the next slide.",
            cap=1,
        ),
        Mutant(
            "reward missing",
            lambda history, value: errors_with(history, value, following=0),
            "The targets lack their reward: between two afterstates lies a slide, and it earned something.",
            cap=1,
        ),
        Mutant(
            "reward twice",
            lambda history, value: errors_with(history, value, own=1),
            "Each reward is counted in two targets: an afterstate is worth what comes after it, its own is past.",
            cap=1,
        ),
        Mutant(
            "end trusts itself",
            lambda history, value: errors_with(history, value, end=lambda reward, known: known),
            "The last afterstate keeps its own value as target: the game was over, nothing came, so the target is 0.",
            cap=1.5,
        ),
        Mutant(
            "end pays",
            lambda history, value: errors_with(history, value, end=lambda reward, known: reward),
            "The last target is the last reward: that was paid on the way there. After it nothing came, so it is 0.",
            cap=1.5,
        ),
        Mutant(
            "end forgotten",
            lambda history, value: errors_with(history, value)[:-1],
            "The last afterstate gets no error: without it no value ever hears that games end.",
            cap=1.5,
        ),
        Mutant(
            "targets",
            lambda history, value: errors_with(history, value, subtract=0),
            "These are the targets: the error is the target minus the value that was believed before.",
            cap=1.5,
        ),
        Mutant(
            "across the slide",
            lambda history, value: [reward + value(after) - value(before) for before, reward, after in history],
            "You compare a board with the one after its slide: compare each afterstate with the next afterstate.",
            cap=0.5,
        ),
        Mutant(
            "whole game",
            whole_game,
            "Your targets are all rewards to the end: TD looks one step ahead, then believes the next value.",
            cap=1,
        ),
        Mutant(
            "turned",
            lambda history, value: [-error for error in errors_with(history, value)],
            "The sign is turned: an error is positive where more came than was expected.",
            cap=2,
        ),
    ),
    hints=(
        "What did you still expect after a slide, and what did the next step tell you?",
        "One list of values of afterstates, one of rewards; the target at t uses both lists at t + 1.",
    ),
)

LAMBDA_TARGETS = Question(
    id="09.lambda_targets",
    title="Believe the next guess, or what happened?",
    kind="function",
    points=2,
    minutes=8,
    signature="lambda_targets(path: list[tuple[float, float]], decay: float) -> list[float]",
    oracle=lambda_targets,
    visible=(
        Case(([(4.0, 20.0), (8.0, 10.0), (0.0, 6.0)], 0.0), note="λ = 0 believes the next value: TD(0)."),
        Case(([(4.0, 20.0), (8.0, 10.0), (0.0, 6.0)], 1.0), note="λ = 1 believes only what was earned."),
        Case(([(4.0, 20.0), (8.0, 10.0), (4.0, 6.0)], 0.5), note="Half and half."),
    ),
    generate=draw_path,
    mutants=(
        Mutant(
            "swapped",
            lambda path, decay: targets_with(path, 1 - decay),
            "λ and 1 − λ are swapped: λ is the weight of the return, of what happened.",
            cap=0.5,
        ),
        Mutant(
            "one step",
            lambda path, decay: targets_with(path, 0.0),
            "These are the one-step targets whatever λ is: mix the next value with the return of the next afterstate.",
            cap=0.5,
        ),
        Mutant(
            "own reward",
            lambda path, decay: targets_with(path, decay, own=True),
            "This reward was paid before the afterstate was reached: take the reward of the next slide.",
            cap=0.5,
        ),
        Mutant(
            "reward discounted",
            lambda path, decay: targets_with(path, decay, mix=lambda r, v, g, d: (1 - d) * v + d * (r + g)),
            "Your λ shrinks the reward too: the reward was paid for certain, only what comes after it is mixed.",
            cap=1,
        ),
        Mutant(
            "end trusts itself",
            lambda path, decay: targets_with(path, decay, end=lambda value: value),
            "The last afterstate keeps its own value as target: the game was over, so the target is 0.",
            cap=1,
        ),
        Mutant(
            "value lost",
            lambda path, decay: targets_with(path, decay, mix=lambda r, v, g, d: r + d * g),
            "The next value is missing: 1 − λ of the target is what you believe of the next afterstate.",
            cap=0.5,
        ),
        Mutant(
            "from the end",
            lambda path, decay: targets_with(path, decay)[::-1],
            "Your list runs from the end of the game to its beginning: turn it, so that it follows the order of play.",
            cap=1,
        ),
    ),
    hints=(
        "Which of the two numbers of a step is known when you come from the end of the game?",
        "Start with 0 for the last afterstate and go backwards; each target needs only the one after it.",
    ),
)

READINGS = Question(
    id="09.readings",
    title="Eight readings",
    kind="function",
    points=2.5,
    minutes=10,
    signature="readings(board: tuple, cells: list[int]) -> list[tuple]",
    oracle=readings,
    visible=(
        Case((SQUARE, [0, 1]), note="Four sides, each in two directions."),
        Case((LIKE, [0, 1]), note="A symmetric board reads the same again: eight readings all the same."),
        Case((((2, 4, 8), (0, 0, 0), (0, 16, 0)), [0, 1, 2]), note="Rows and columns at the rim, in both directions."),
    ),
    generate=draw_reading,
    mutants=(
        Mutant(
            "as it stands",
            lambda board, cells: readings_of([board], cells),
            "Only the board as it stands is read: turn it and mirror it, there are eight ways to look at it.",
            cap=0.5,
        ),
        Mutant(
            "turns alone",
            lambda board, cells: readings_of(eight(board, mirrors=False), cells),
            "These are the four turns: each has a mirror image too.",
            cap=1,
        ),
        Mutant(
            "mirrors alone",
            lambda board, cells: readings_of(
                [b[::v] for b in (board, tuple(row[::-1] for row in board)) for v in (1, -1)], cells
            ),
            "Upside down and left for right give four ways: a square can be laid on its side as well.",
            cap=1,
        ),
        Mutant(
            "each once",
            lambda board, cells: distinct(readings(board, cells)),
            "Equal readings are dropped: a symmetric board reads a weight several times, and its value counts each.",
            cap=1.5,
        ),
        Mutant(
            "twice",
            lambda board, cells: sorted(2 * readings(board, cells)),
            "Every symmetry is there twice: turning the mirror images of all turns gives no new ones, there are eight.",
            cap=1,
        ),
    ),
    hints=(
        "How many ways are there to lay a square sheet of glass on a square board?",
        "tuple(zip(*board[::-1])) is a quarter turn, row[::-1] a mirrored row; sort the eight readings at the end.",
    ),
)

LEARN = Question(
    id="09.learn",
    title="One step of learning",
    kind="function",
    points=3,
    minutes=12,
    signature="learn(weights: dict, board: tuple, cells: list[int], target: float, rate: float) -> dict",
    oracle=learn,
    visible=(
        Case(({}, SQUARE, [0, 1], 16.0, 1.0), note="From nothing: eight readings, each moves by an eighth."),
        Case(({(2, 4): 3.0, (8, 2): 1.0}, SQUARE, [0, 1], 20.0, 0.5), note="Some weights are there already; rate 1/2."),
        Case(({(2, 4): 1.0}, LIKE, [0, 1], 20.0, 0.5), note="One weight is read several times."),
    ),
    generate=draw_update,
    mutants=(
        Mutant(
            "whole error",
            lambda *args: learn_with(*args, parts=lambda keys: 1),
            "The symmetries are counted twice: each of eight readings moves by the whole error. Give each its share.",
            cap=1,
        ),
        Mutant(
            "one reading",
            lambda *args: learn_with(*args, read=lambda board, cells: readings_of([board], cells)),
            "You read and move one weight: the value is the sum over all eight readings.",
            cap=0.5,
        ),
        Mutant(
            "moved once",
            lambda *args: learn_with(*args, moved=distinct),
            "A weight that is read several times moves only once here: every reading moves its weight.",
            cap=1.5,
        ),
        Mutant(
            "summed once",
            lambda *args: learn_with(*args, summed=distinct, moved=distinct, parts=lambda keys: len(set(keys))),
            "Equal readings count once in your value: it is the sum over all eight, whatever they read.",
            cap=1,
        ),
        Mutant(
            "moving value",
            lambda *args: learn_with(*args, again=True),
            "The error changes while you move the weights: compute it once, before the first of them.",
            cap=1.5,
        ),
        Mutant(
            "away",
            lambda *args: learn_with(*args, sign=-1),
            "The weights move away from the target: the error is the target minus the value.",
            cap=1,
        ),
        Mutant(
            "rate ignored",
            lambda weights, board, cells, target, rate: learn_with(weights, board, cells, target, 1.0),
            "The rate is ignored: move by rate times the error.",
            cap=1,
        ),
        Mutant(
            "known weights alone",
            lambda *args: learn_with(*args, moved=lambda keys: [key for key in keys if key in args[0]]),
            "Weights that were not there yet are not moved: what is missing weighs 0, and learns like the others.",
            cap=1.5,
        ),
    ),
    hints=(
        "By how much should the value move, and how many weights share the work?",
        "First the value, then the error, then one loop over the readings; weights.get(key, 0) knows missing ones.",
    ),
)

COHERENCE = Question(
    id="09.coherence",
    title="A rate that knows when to slow down",
    kind="function",
    points=2,
    minutes=8,
    signature="coherence(errors: list[float]) -> list[float]",
    oracle=coherence,
    visible=(
        Case(([4.0, 2.0, 2.0],), note="All errors say the same: full speed."),
        Case(([4.0, -4.0, 4.0],), note="After one step up and one down of the same size the sum is 0."),
        Case(([-3.0, -1.0, 2.0, 2.0],), note="Signs agree, then not."),
    ),
    generate=draw_errors,
    mutants=(
        Mutant(
            "present error too",
            lambda errors: coherence_with(errors, after=True),
            "The present error is among the sums already: the rate comes from the errors before it.",
            cap=1,
        ),
        Mutant(
            "signed",
            lambda errors: coherence_with(errors, rate=lambda past: sum(past) / sum(map(abs, past))),
            "A rate is negative where the errors are: take the size of the sum.",
            cap=1,
        ),
        Mutant(
            "mean error",
            lambda errors: coherence_with(errors, rate=lambda past: abs(sum(past)) / len(past)),
            "You divide by the number of errors: divide by the sum of their sizes, so that the rate lies in [0, 1].",
            cap=0.5,
        ),
        Mutant(
            "sizes alone",
            lambda errors: coherence_with(errors, rate=lambda past: 1.0),
            "Your rate is always 1: errors of different sign must cancel above the line: add them, then take the size.",
            cap=0.5,
        ),
        Mutant(
            "starts at zero",
            lambda errors: coherence_with(errors, first=0.0),
            "A weight without errors has the rate 0 here and would learn slowly or never: it starts at 1.",
            cap=1,
        ),
        Mutant(
            "last two",
            lambda errors: coherence_with(errors, rate=lambda past: abs(sum(past[-2:])) / sum(map(abs, past[-2:]))),
            "Only the last two errors count here: sum over all of them.",
            cap=1,
        ),
    ),
    hints=(
        "When errors only fluctuate, what happens to their sum, and what to the sum of their sizes?",
        "Keep two running sums; append the rate before you add the present error to them.",
    ),
)

QUESTIONS = (SLIDE_VALUES, TD_ERRORS, LAMBDA_TARGETS, READINGS, LEARN, COHERENCE)
