"""The questions of chapter 07: oracles against other sources, and every known mistake told by its name."""

from __future__ import annotations

import math
from statistics import NormalDist, fmean, stdev

import pytest
from answering import cells, verdict, written

from expectimax_course.grading.bank import parts07, question
from expectimax_course.grading.codec import decode, encode
from expectimax_course.rng import Rng
from expectimax_course.search.cutoff import cutoff_search
from expectimax_course.search.expectimax import expectiminimax

CHAPTER = "07_budgets"
SEEDS = (1, 2, 3)
COIN = [(10.0, 0.5), (0.0, 0.5)]

GAMES = """
from math import ceil
from statistics import NormalDist

def games_needed(p, q):
    z = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.8)
    return ceil((z / (p - q)) ** 2 * (p - p * p + q - q * q))
"""

DEEPEN = """
def deepen(search, limit, first, max_depth):
    answer, spent = (0, first), 0
    for depth in range(1, max_depth + 1):
        for ms, favourite in search(depth):
            spent += ms
            if spent > limit:
                return answer
        answer = (depth, favourite)
    return answer
"""

CACHED = """
def cached_cutoff(game, state, depth, evaluate, threshold):
    known = {}
    def value(state, depth, reach):
        if game.is_terminal(state):
            return game.utility(state)
        if depth == 0 or reach < threshold:
            return evaluate(state)
        if KEY in known:
            return known[KEY]
        if game.current_player(state) is Player.CHANCE:
            v = sum(p * value(game.result(state, o), depth, reach * p) for o, p in game.chance_outcomes(state))
        else:
            below = [value(game.result(state, a), depth - 1, reach) for a in game.legal_actions(state)]
            v = max(below) if game.current_player(state) is Player.MAX else min(below)
        known[KEY] = v
        return v
    return value(state, depth, 1.0)
"""

CUTOFF = """
def cutoff(game, state, depth, evaluate, threshold, reach=1.0):
    if game.is_terminal(state):
        return game.utility(state)
    if depth == 0 or reach < threshold:
        return evaluate(state)
    if game.current_player(state) is Player.CHANCE:
        total = 0
        for o, p in game.chance_outcomes(state):
            total += p * cutoff(game, game.result(state, o), depth, evaluate, threshold, reach * p)
        return total
    values = [cutoff(game, game.result(state, a), depth - 1, evaluate, threshold, reach)
              for a in game.legal_actions(state)]
    return max(values) if game.current_player(state) is Player.MAX else min(values)
"""

# What a student might write. Each entry: misconception of the teaching plan, question, known mistake, code.
MISCONCEPTIONS = [
    (
        "answer from an unfinished depth",
        "07.deepen",
        "unfinished",
        DEEPEN.replace("        answer = (depth, favourite)\n", "            answer = (depth, favourite)\n"),
    ),
    (
        "the clock is read between depths only",
        "07.deepen",
        "finishes",
        """
def deepen(search, limit, first, max_depth):
    answer, spent, depth = (0, first), 0, 1
    while spent < limit and depth <= max_depth:
        for ms, favourite in search(depth):
            spent += ms
        answer = (depth, favourite)
        depth += 1
    return answer
""",
    ),
    (
        "the clock is read between depths only, and the limit is not its end",
        "07.deepen",
        "finishes one more",
        """
def deepen(search, limit, first, max_depth):
    answer, spent = (0, first), 0
    for depth in range(1, max_depth + 1):
        if spent > limit:
            break
        for ms, favourite in search(depth):
            spent += ms
        answer = (depth, favourite)
    return answer
""",
    ),
    (
        "the clock is read at the end of each depth",
        "07.deepen",
        "looks at the end",
        """
def deepen(search, limit, first, max_depth):
    answer, spent = (0, first), 0
    for depth in range(1, max_depth + 1):
        pieces = list(search(depth))
        spent += sum(ms for ms, _ in pieces)
        if spent > limit:
            break
        answer = (depth, pieces[-1][1])
    return answer
""",
    ),
    ("rounding down", "07.games_needed", "rounded down", GAMES.replace("ceil(", "int(")),
    ("no rounding", "07.games_needed", "unrounded", GAMES.replace("ceil(", "(")),
    (
        "reach missing from the key",
        "07.cached_cutoff",
        "as given",
        CACHED.replace("KEY", "(state, depth)"),
    ),
    (
        "depth missing from the key",
        "07.cached_cutoff",
        "no depth",
        CACHED.replace("KEY", "(state, reach)"),
    ),
    (
        "the last probability for the reach",
        "07.cutoff",
        "last alone",
        CUTOFF.replace("threshold, reach * p)", "threshold, p)"),
    ),
    (
        "what is cut is left out",
        "07.cutoff",
        "dropped",
        CUTOFF.replace(
            "    if depth == 0 or reach < threshold:\n        return evaluate(state)",
            "    if depth == 0:\n        return evaluate(state)\n    if reach < threshold:\n        return 0",
        ),
    ),
    (
        "sampled maximum taken as unbiased",
        "07.upward_bias",
        "unbiased",
        """
def upward_bias(gambles):
    means = [sum(x * p for x, p in g) for g in gambles]
    return max(means) - max(means)
""",
    ),
    (
        "one game as proof",
        "07.games_needed",
        "one game",
        """
def games_needed(p, q):
    return 1 if p != q else None
""",
    ),
    (
        "one game as proof, with an interval of no width",
        "07.paired",
        "one game",
        """
def paired(play, first, second, seeds):
    d = play(first, seeds[0]) - play(second, seeds[0])
    return d, d, d
""",
    ),
    (
        "comparing on different seeds",
        "07.paired",
        "different seeds",
        """
def paired(play, first, second, seeds):
    half = len(seeds) // 2
    d = [play(first, seeds[i]) - play(second, seeds[half + i]) for i in range(half)]
    mean = sum(d) / half
    margin = 1.96 * (sum((x - mean) ** 2 for x in d) / (half - 1) / half) ** 0.5
    return mean, mean - margin, mean + margin
""",
    ),
    (
        "the interval of strangers",
        "07.paired",
        "unpaired interval",
        """
def paired(play, first, second, seeds):
    n = len(seeds)
    def moments(player):
        scores = [play(player, seed) for seed in seeds]
        mean = sum(scores) / n
        return mean, sum((s - mean) ** 2 for s in scores) / (n - 1)
    (m1, v1), (m2, v2) = moments(first), moments(second)
    margin = 1.96 * (v1 / n + v2 / n) ** 0.5
    return m1 - m2, m1 - m2 - margin, m1 - m2 + margin
""",
    ),
]


def drawing(fn):
    """Turn a distribution into a draw that a student might make."""
    return lambda gambles, rng: rng.outcome(fn(gambles))


# --- oracles against other sources


def test_the_number_of_games_is_the_least_at_which_the_gap_is_z_deviations():
    z = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.8)
    for p, q in ((0.67, 0.86), (0.5, 0.6), (0.5, 0.51), (0.9, 0.1)):
        n = question("07.games_needed").oracle(p, q)
        deviation = [math.sqrt((p * (1 - p) + q * (1 - q)) / games) for games in (n, n - 1)]
        assert abs(p - q) >= z * deviation[0]
        assert abs(p - q) < z * deviation[1]
    assert 74 <= question("07.games_needed").oracle(0.67, 0.86) <= 78


def test_the_paired_interval_is_that_of_the_standard_library():
    play = decode(encode(parts07.play_source(3)))
    seeds = [3, 1, 4, 15, 92]
    differences = [play("A", seed) - play("B", seed) for seed in seeds]
    margin = 1.96 * stdev(differences) / math.sqrt(5)
    mean = fmean(differences)
    assert question("07.paired").oracle(play, "A", "B", seeds) == pytest.approx([mean, mean - margin, mean + margin])


def test_pairing_narrows_the_interval_of_the_questions_game():
    play = decode(encode(parts07.play_source(3)))
    seeds = list(range(40))
    _, low, high = parts07.paired(play, "A", "B", seeds)
    _, wide_low, wide_high = parts07.unpaired(play, "A", "B", seeds)
    assert high - low < (wide_high - wide_low) / 3


def test_the_bias_of_two_fair_coins_is_a_quarter_of_the_prize():
    bias = question("07.upward_bias").oracle
    assert bias([COIN, COIN]) == pytest.approx(2.5)
    assert bias([COIN]) == 0
    assert min(bias(*parts07.draw_gambles(Rng(seed))) for seed in range(200)) >= -1e-12


def test_a_fresh_draw_is_worth_what_the_chosen_gamble_is_worth():
    for seed in range(50):
        (gambles,) = parts07.draw_gambles(Rng(seed))
        outcomes = question("07.fresh_sample").oracle(gambles)
        assert sum(p for _, p in outcomes) == pytest.approx(1)
        assert sum(x * p for x, p in outcomes) <= max(map(parts07.mean_of, gambles)) + 1e-12


def test_the_deadline_by_hand():
    answers = []
    for limit in (1.5, 2.0, 5.9, 6.0):
        pieces = {1: [(1.0, "a"), (1.0, "b")], 2: [(2.0, "b"), (2.0, "a")]}
        search = decode(encode(parts07.search_source(pieces, limit)))
        answers.append(question("07.deepen").oracle(search, limit, "a", 2))
    assert answers == [[0, "a"], [1, "b"], [1, "b"], [2, "a"]]


def test_after_the_limit_a_search_gives_no_piece():
    search = decode(encode(parts07.search_source({1: [(1.0, "a"), (1.0, "b"), (1.0, "a")]}, 1.5)))
    pieces = search(1)
    assert [next(pieces), next(pieces)] == [(1.0, "a"), (1.0, "b")]
    with pytest.raises(RuntimeError, match="after the limit"):
        next(pieces)


def test_where_paths_meet_the_unsafe_key_changes_the_value_and_the_exact_one_comes_closer_to_the_full_search():
    safe, unsafe, closer = 0, 0, 0
    for seed in range(200):
        recipe, state, depth, evaluate, threshold = parts07.draw_meeting(Rng(seed))
        recipe = recipe.args[0] if recipe.path.endswith("CountedGame") else recipe  # here searches may open any number
        game, evaluate = decode(encode(recipe)), decode(encode(evaluate))
        right = question("07.cached_cutoff").oracle(game, state, depth, evaluate, threshold)
        kept = cutoff_search(game, state, depth, evaluate, threshold=threshold, caching="exact").value
        full = expectiminimax(game, state, depth, evaluate).value
        wrong = parts07.keyed(lambda state, depth, reach: (state, depth))(game, state, depth, evaluate, threshold)
        assert abs(kept - full) <= abs(right - full) + 1e-12
        assert parts07.keyed(lambda *key: key)(game, state, depth, evaluate, threshold) == pytest.approx(right)
        safe, unsafe, closer = safe + 1, unsafe + (abs(wrong - right) > 1e-9), closer + (abs(kept - right) > 1e-9)
    assert 0 < unsafe < safe
    assert 0 < closer < safe


# --- known mistakes


@pytest.mark.parametrize(
    ("id", "name", "source"), [entry[1:] for entry in MISCONCEPTIONS], ids=[entry[0] for entry in MISCONCEPTIONS]
)
def test_a_misconception_in_a_students_own_words_is_named(id, name, source):
    one = question(id)
    mutant = next(mutant for mutant in one.mutants if mutant.name == name)
    for seed in SEEDS:
        found = verdict(one, written(source, one.name), seed)
        assert found.message == mutant.message
        assert found.score <= mutant.cap < one.points


@pytest.mark.parametrize(("id", "source"), [("07.games_needed", GAMES), ("07.deepen", DEEPEN), ("07.cutoff", CUTOFF)])
def test_the_code_that_the_misconceptions_spoil_is_right(id, source):
    one = question(id)
    for seed in SEEDS:
        assert verdict(one, written(source, one.name), seed).status == "passed"


def test_a_wrongly_drawn_sample_is_named_on_graded_cases_too():
    one = question("07.fresh_sample")
    assert verdict(one, drawing(one.oracle), 1).status == "passed"
    for mutant in one.mutants:
        for seed in SEEDS:
            found = verdict(one, drawing(mutant.fn), seed)
            assert (found.message, found.score) == (mutant.message, mutant.cap)


# --- notebooks


def test_the_exercise_starts_from_the_unsafe_key():
    cell = next(c for c in cells("exercises", CHAPTER) if c.cell_type == "code" and "def cached_cutoff" in c.source)
    given = written(cell.source, "cached_cutoff")
    for seed in SEEDS:
        assert verdict(question("07.cached_cutoff"), given, seed).status == "not_attempted"


def test_a_search_without_a_cache_is_told_so_and_any_cache_that_saves_is_enough():
    one = question("07.cached_cutoff")
    plain = written(CUTOFF, "cutoff")
    decisions = CACHED.replace(
        "known[KEY] = v", "known.update({KEY: v} if game.current_player(state) is Player.MAX else {})"
    )
    kept = written(decisions.replace("KEY", "(state, depth, reach)"), "cached_cutoff")
    for seed in SEEDS:
        found = verdict(one, lambda *args: plain(*args), seed)
        assert found.message.startswith("Nothing is kept")
        assert found.score == 0.5
        assert verdict(one, kept, seed).status == "passed"
