"""Questions of chapter 07: budgets of time and of games."""

from __future__ import annotations

import math

from expectimax_course.games.push_to_21 import PushState
from expectimax_course.grading.bank import Case, Mutant, Question
from expectimax_course.grading.bank.parts02 import BY_NUMBER, BY_TOTAL, push, tree
from expectimax_course.grading.bank.parts07 import (
    best_gamble,
    cached_cutoff,
    cut_wrong,
    cutoff,
    deepen,
    deepen_wrong,
    differences,
    draw_cut,
    draw_deadline,
    draw_gambles,
    draw_match,
    draw_meeting,
    draw_rates,
    expected_best,
    games_needed,
    games_wrong,
    halves,
    interval,
    keyed,
    mean_of,
    meeting,
    met_alike,
    one_game,
    paired,
    play_source,
    redrawn,
    search_source,
    unpaired,
    upward_bias,
)

GAMES_NEEDED = Question(
    id="07.games_needed",
    title="How many games?",
    kind="function",
    points=2,
    minutes=5,
    signature="games_needed(p: float, q: float) -> int",
    oracle=games_needed,
    visible=(
        Case((0.5, 0.6), note="Half of the games against three in five."),
        Case((0.9, 0.1), note="A difference that nobody overlooks still takes more than one game."),
        Case((0.5, 0.51), note="One percentage point more."),
    ),
    generate=draw_rates,
    mutants=(
        Mutant(
            "one game",
            lambda p, q: 1,
            "One game proves nothing: the weaker player wins many of them. Ask how large the noise of a rate is.",
        ),
        Mutant(
            "difference not squared",
            lambda p, q: games_wrong(p, q, exponent=1),
            "The difference is not squared: noise shrinks with the root of n, so half the gap takes four times the n.",
            cap=0.5,
        ),
        Mutant(
            "one player's noise",
            lambda p, q: games_wrong(p, q, noise=lambda p, q: p * (1 - p)),
            "Only one player's results scatter here: both rates are measured, so add both variances.",
            cap=1,
        ),
        Mutant(
            "no power",
            lambda p, q: games_wrong(p, q, power=0.5),
            "With 1.96 alone the difference is overlooked every second time: the power adds its own quantile to z.",
            cap=1,
        ),
        Mutant(
            "both together",
            lambda p, q: games_wrong(p, q, times=2),
            "This is the sum over both players: the question asks for the games of each.",
            cap=1.5,
        ),
        Mutant(
            "rounded",
            lambda p, q: games_wrong(p, q, whole=round),
            "Rounding to the nearest can give one game too few: round up.",
            cap=1.5,
        ),
        Mutant(
            "rounded down",
            lambda p, q: games_wrong(p, q, whole=math.floor),
            "Rounding down, as int() does, gives one game too few: round up.",
            cap=1.5,
        ),
        Mutant(
            "unrounded",
            lambda p, q: games_wrong(p, q, whole=float),
            "You ask for a fraction of a game: round up.",
            cap=1.5,
        ),
    ),
    hints=(
        "Which grows faster when p and q come closer: the noise or what it takes to see through it?",
        "The variance of one game is p(1 − p); of the difference of two rates over n games each, the sum over n.",
    ),
)

PAIRED = Question(
    id="07.paired",
    title="The same luck for both",
    kind="function",
    points=2,
    minutes=10,
    signature="paired(play: Callable, first: str, second: str, seeds: list[int]) -> tuple[float, float, float]",
    oracle=paired,
    visible=(
        Case((play_source(4), "A", "B", [1, 2, 3, 4, 5, 6]), note="A is four points better, and luck is larger."),
        Case((play_source(4), "B", "A", [1, 2, 3, 4, 5, 6]), note="First minus second, also if the first is worse."),
        Case((play_source(0), "A", "B", [11, 7, 5, 3]), note="Two equal players."),
    ),
    generate=draw_match,
    mutants=(
        Mutant(
            "one game",
            one_game,
            "This is the difference of the first game alone: one game proves nothing, so average over all seeds.",
        ),
        Mutant(
            "different seeds",
            halves,
            "Your players meet different seeds, so their luck differs too: give both every seed, and subtract.",
            cap=0.5,
        ),
        Mutant(
            "unpaired interval",
            unpaired,
            "The same seeds, but the interval adds both players' scatter: take the scatter of the differences.",
            cap=1,
        ),
        Mutant(
            "spread of the games",
            lambda *args: interval(differences(*args), root=False),
            "This is the spread of single games: the mean of n of them is surer, by the square root of n.",
            cap=1,
        ),
        Mutant(
            "divided by n",
            lambda *args: interval(differences(*args), less=0),
            "The variance is divided by n: the mean was fitted to the same games, so divide by n − 1.",
            cap=1.5,
        ),
        Mutant(
            "one standard error",
            lambda *args: interval(differences(*args), z=1.0),
            "One standard error to each side covers about two cases in three: take 1.96 of them.",
            cap=1.5,
        ),
        Mutant(
            "second minus first",
            lambda play, first, second, seeds: paired(play, second, first, seeds),
            "The sign is turned: a positive difference says that the first player is better.",
            cap=1.5,
        ),
    ),
    hints=(
        "What is left of a lucky seed when the scores of two players on it are subtracted?",
        "Make the list of differences first; then mean and interval are those of a single list, as in chapter 03.",
    ),
)

UPWARD_BIAS = Question(
    id="07.upward_bias",
    title="What a sample makes of a maximum",
    kind="function",
    points=2,
    minutes=12,
    signature="upward_bias(gambles: list[list[tuple[float, float]]]) -> float",
    oracle=upward_bias,
    visible=(
        Case(([[(10.0, 0.5), (0.0, 0.5)], [(10.0, 0.5), (0.0, 0.5)]],), note="Two equal coins."),
        Case(([[(3.0, 1.0)], [(5.0, 1.0)]],), note="Where nothing is uncertain, nothing is biased."),
        Case(([[(8.0, 0.25), (0.0, 0.75)], [(1.0, 1.0)]],), note="A long shot and a sure point."),
    ),
    generate=draw_gambles,
    mutants=(
        Mutant(
            "unbiased",
            lambda gambles: 0.0,
            "Each draw is right on average, the highest of them is not: it is the lucky ones that are chosen.",
        ),
        Mutant(
            "best payoff",
            lambda gambles: max(x for g in gambles for x, _ in g) - max(map(mean_of, gambles)),
            "The highest payoff is drawn only now and then: weight each combination of draws by its probability.",
            cap=0.5,
        ),
        Mutant(
            "not subtracted",
            expected_best,
            "This is the average of the highest draw: subtract the value of the decision, the best mean.",
            cap=1,
        ),
        Mutant(
            "mean of the means",
            lambda gambles: expected_best(gambles) - sum(map(mean_of, gambles)) / len(gambles),
            "You compare with the average gamble: who decides takes the best one, so subtract the highest mean.",
            cap=1,
        ),
        Mutant(
            "combinations alike",
            lambda gambles: expected_best(gambles, weigh=False) - max(map(mean_of, gambles)),
            "Every combination of draws counts the same here: multiply the probabilities of its draws.",
            cap=1,
        ),
        Mutant(
            "downward",
            lambda gambles: -upward_bias(gambles),
            "The sign is turned: the sampled maximum is too high, so the bias is its average minus the value.",
            cap=1.5,
        ),
    ),
    hints=(
        "Two fair coins pay 10 or 0. How often does at least one of two draws show 10?",
        "itertools.product(*gambles) gives every combination of draws; each has a highest payoff and a probability.",
    ),
)

FRESH_SAMPLE = Question(
    id="07.fresh_sample",
    title="Choose by one sample, value by another",
    kind="sampler",
    points=2,
    minutes=8,
    signature="fresh_sample(gambles: list[list[tuple[float, float]]], rng: Rng) -> float",
    oracle=redrawn,
    visible=(
        Case(([[(10.0, 0.5), (0.0, 0.5)], [(10.0, 0.5), (0.0, 0.5)]],), note="Two equal coins are worth 5."),
        Case(([[(8.0, 0.25), (0.0, 0.75)], [(1.0, 1.0)]],), note="A long shot and a sure point."),
    ),
    generate=draw_gambles,
    hidden=6,
    draws=1000,
    mutants=(
        Mutant(
            "same sample",
            lambda gambles: redrawn(gambles, fresh=False),
            "You return the draw that won: it was chosen for being lucky, so draw the chosen gamble once more.",
            cap=0.5,
        ),
        Mutant(
            "lowest",
            lambda gambles: redrawn(gambles, choose=min),
            "Your choice falls on the lowest draw: who decides takes the highest.",
            cap=0.5,
        ),
        Mutant(
            "knows the means",
            best_gamble,
            "This picks the gamble of the best mean, which a sample cannot know: pick by the first draws.",
            cap=1,
        ),
    ),
    hints=(
        "Which of the two jobs, choosing and valuing, makes the sampled maximum too high?",
        "rng.outcome(gamble) draws; do it once for each gamble, then once more for the one that came out on top.",
    ),
)

PIECES = {
    1: [(1.0, "left"), (1.0, "left")],
    2: [(2.0, "left"), (2.0, "up")],
    3: [(4.0, "left"), (6.0, "left"), (4.0, "up")],
}

BETWEEN_DEPTHS = (
    "You look at the clock only between depths, so the last one overruns the limit: check after every piece."
)

DEEPEN = Question(
    id="07.deepen",
    title="Before the time is over",
    kind="function",
    points=3,
    minutes=15,
    signature="deepen(search: Callable, limit: float, first: str, max_depth: int) -> tuple[int, str]",
    oracle=deepen,
    visible=(
        Case((search_source(PIECES, 12.0), 12.0, "left", 3), note="Time runs out within depth 3."),
        Case((search_source(PIECES, 6.0), 6.0, "left", 3), note="Depth 2 ends exactly at the limit: in time."),
        Case(
            (search_source(PIECES, 1.5), 1.5, "left", 3),
            note="Not even depth 1 is complete: depth 0 and the first action.",
        ),
        Case((search_source(PIECES, 99.0), 99.0, "left", 3), note="There is more time than depths."),
    ),
    generate=draw_deadline,
    mutants=(
        Mutant(
            "unfinished",
            deepen_wrong("unfinished"),
            "When time runs out you return the favourite of an unfinished depth: the moves not yet seen had no chance.",
            cap=1,
        ),
        Mutant(
            "finishes",
            deepen_wrong("finishes"),
            BETWEEN_DEPTHS,
            cap=1.5,
        ),
        Mutant(
            "finishes one more",
            deepen_wrong("finishes one more"),
            BETWEEN_DEPTHS,
            cap=1.5,
        ),
        Mutant(
            "looks at the end",
            deepen_wrong("looks at the end"),
            "You take all pieces of a depth before you look at the clock, so the last one overruns the limit: check "
            "after every piece.",
            cap=2,
        ),
        Mutant(
            "clock restarts",
            deepen_wrong("clock restarts"),
            "Your clock starts again with every depth: the limit holds for all of them together.",
            cap=1.5,
        ),
        Mutant(
            "one search",
            deepen_wrong("one search"),
            "Only the greatest depth is searched: begin with depth 1, so that an answer is there when time runs out.",
            cap=1,
        ),
        Mutant(
            "limit excluded",
            deepen_wrong("limit excluded"),
            "A depth that ends exactly at the limit is in time: it fails only if more than the limit is spent.",
            cap=2.5,
        ),
        Mutant(
            "no fallback",
            deepen_wrong("no fallback"),
            "Where not even depth 1 is complete you have no action: return depth 0 and the first legal one.",
            cap=2,
        ),
    ),
    hints=(
        "At which moment does a depth's favourite become an answer?",
        "Keep the answer in a variable that changes only when the inner loop has run to its end.",
    ),
)

CUTOFF = Question(
    id="07.cutoff",
    title="Cut what hardly happens",
    kind="function",
    points=3,
    minutes=15,
    signature="cutoff(game: Game, state, depth: int, evaluate: Callable, threshold: float) -> float",
    oracle=cutoff,
    visible=(
        Case(
            (tree("chance(0.75: max(1, 2), 0.25: chance(0.5: max(8, 9), 0.5: 4))"), 0, 2, BY_NUMBER, 0.2),
            note="The second max node has a reach of 1/8, below 0.2: it is evaluated.",
        ),
        Case(
            (tree("chance(0.75: max(1, 2), 0.25: max(8, 9))"), 0, 2, BY_NUMBER, 0.25),
            note="A reach equal to the threshold is not below it.",
        ),
        Case(
            (tree("chance(0.75: 1, 0.25: 9)"), 0, 2, BY_NUMBER, 0.5),
            note="The end of the game keeps its utility, however improbable.",
        ),
        Case((push(6, 2), PushState(0, "choose"), 3, BY_TOTAL, 0.3), note="Two rolls in a row have a reach of 1/4."),
    ),
    generate=draw_cut,
    hidden=30,
    mutants=(
        Mutant(
            "nothing cut",
            cut_wrong("nothing cut"),
            "Nothing is cut: compare the reach with the threshold, and hand the reach down multiplied by p.",
            cap=0.5,
        ),
        Mutant(
            "last alone",
            cut_wrong("last alone"),
            "You compare the last probability alone: the reach is the product of all on the path, so pass it on.",
            cap=1.5,
        ),
        Mutant(
            "shared",
            cut_wrong("shared"),
            "Decisions share the reach among their actions here: nobody draws an action, so hand the reach on whole.",
            cap=1.5,
        ),
        Mutant(
            "dropped",
            cut_wrong("dropped"),
            "What is cut counts as 0 here: it is improbable, not worthless, so evaluate it.",
            cap=1,
        ),
        Mutant(
            "or equal",
            cut_wrong("or equal"),
            "You cut where reach and threshold are equal too: cut below it, < and not <=.",
            cap=2.5,
        ),
        Mutant(
            "before the end",
            cut_wrong("before the end"),
            "You evaluate finished games of small reach: their utility is known, so test for the end first.",
            cap=2,
        ),
    ),
    hints=(
        "Who changes the reach of a state: the players, nature, or both?",
        "It is the depth-limited search of chapter 02 with one more test beside depth == 0.",
    ),
)

SAFE_KEY = Question(
    id="07.cached_cutoff",
    title="Mend the key",
    kind="function",
    points=2,
    minutes=10,
    signature="cached_cutoff(game: Game, state, depth: int, evaluate: Callable, threshold: float) -> float",
    oracle=cached_cutoff,
    visible=(
        Case(
            (meeting(0.25, 0.25, (4, 12, -2), longer=False), 0, 3, BY_NUMBER, 0.125),
            note="X is met with a reach of 1/4, where something below it is cut, and with 3/4.",
        ),
        Case(
            (meeting(0.5, 0.25, (4, 12, -2), longer=True), 0, 2, BY_NUMBER, 0.0),
            note="X is met with two decisions left, and with one.",
        ),
        Case((meeting(0.25, 0.5, (4, 12, -2), longer=False), 0, 2, BY_NUMBER, 0.0), note="Nothing is cut at 0."),
        Case(
            (meeting(0.75, 0.25, (4, 12, -2), longer=False), 0, 3, BY_NUMBER, 0.125),
            note="X is met with a reach of 3/4 first, where nothing below it is cut, and then with 1/4.",
        ),
        Case(
            (met_alike(0.25, (4, 12, -2)), 0, 2, BY_NUMBER, 0.0),
            note="X is met twice with a reach of 1/2: no need to search it again.",
        ),
    ),
    generate=draw_meeting,
    hidden=30,
    mutants=(
        Mutant(
            "as given",
            keyed(lambda state, depth, reach: (state, depth)),
            "A value with something cut below it, found at small reach, answers for a larger one: the key lacks it.",
            given=True,
        ),
        Mutant(
            "no depth",
            keyed(lambda state, depth, reach: (state, reach)),
            "Now the depth is missing from the key: a value of one decision answers where two were asked for.",
            cap=0.75,
        ),
        Mutant(
            "state alone",
            keyed(lambda state, depth, reach: state),
            "The state alone is no key: the value depends on the depth that is left and on the reach.",
            cap=0.25,
        ),
        Mutant(
            "exact only",
            keyed(lambda state, depth, reach: (state, depth), exact_only=True),
            "Keeping exact values only is safe too, but it comes closer to the full search than the cut one: here the "
            "value must stay.",
            cap=1.5,
        ),
        Mutant(
            "no cache",
            cutoff,
            "Nothing is kept: where a position is met again with the same depth and reach, the cache has to answer.",
            cap=0.5,
        ),
    ),
    hints=(
        "On what does the returned value depend? Go through the arguments one by one.",
        "Whatever changes from call to call and changes the value belongs into the key.",
    ),
)

QUESTIONS = (GAMES_NEEDED, PAIRED, UPWARD_BIAS, FRESH_SAMPLE, DEEPEN, CUTOFF, SAFE_KEY)
