"""The questions of chapter 04: oracles against other sources, and every known mistake told by its name."""

from __future__ import annotations

import math
import statistics

import pytest
from answering import verdict, written

from expectimax_course.evaluation.calibration import affine_fit, reliability_curve
from expectimax_course.evaluation.scale import (
    Transform,
    best_actions,
    expected,
    flip_exponent,
    flips,
    power,
    random_decision,
)
from expectimax_course.grading.bank import parts04, question
from expectimax_course.grading.codec import decode, encode
from expectimax_course.rng import Rng

CHAPTER = "04_evaluation_scale"
SEEDS = (1, 2, 3)

STRAIGHT = """
def is_safe(f):
    payoffs = [k / 4 for k in range(401)]
    for x in payoffs:
        for y in (0.0, 3.25, 100.0):
            if not CLOSE:
                return False
    return f(100.0) > f(0.0)
"""
CLOSE = "abs(f((x + y) / 2) - (f(x) + f(y)) / 2) < 1e-9 * max(1, abs(f(x)), abs(f(y)))"

RATES = """
def win_rates(scores, wins, bins):
    pairs = sorted(zip(scores, wins))
    size, curve = len(pairs) // bins, []
    for i in range(bins):
        chunk = pairs[i * size : i * size + size]
        curve.append((sum(s for s, w in chunk) / size, RATE))
    return curve
"""

# What a student might write. Each entry: misconception of the teaching plan, question, known mistake, code.
MISCONCEPTIONS = [
    (
        "any increasing map is safe",
        "04.is_safe",
        "increasing is enough",
        """
def is_safe(f):
    values = [f(x / 10) for x in range(1001)]
    return values == sorted(values) and len(set(values)) == len(values)
""",
    ),
    (
        "any increasing map is safe, by name",
        "04.safe_maps",
        "any increasing map",
        """
safe_maps = dict.fromkeys("ABDEFG", "safe") | {"C": "neither"}
""",
    ),
    (
        "comparing scales by size",
        "04.safe_maps",
        "compared by size",
        """
safe_maps = dict.fromkeys("ABDEFG", "minimax only") | {"C": "neither"}
""",
    ),
    (
        "comparing two offers by size",
        "04.flip_exponent",
        "ratio of the offers",
        """
def flip_exponent(prize, p, sure):
    return prize * p / sure
""",
    ),
    (
        "ties through floats, in a set of best actions",
        "04.best_set",
        "exact",
        """
def best_set(values, tolerance):
    best = max(values)
    return [i for i in range(len(values)) if values[i] >= best]
""",
    ),
    (
        "a slack that is relative for small values too",
        "04.best_set",
        "no floor",
        """
def best_set(values, tolerance):
    slack = tolerance * max(map(abs, values))
    return [i for i, v in enumerate(values) if max(values) - v <= slack]
""",
    ),
    (
        "ties through floats, in a test",
        "04.is_safe",
        "exact",
        STRAIGHT.replace("CLOSE", "f((x + y) / 2) == (f(x) + f(y)) / 2"),
    ),
    (
        "calibration by rank only",
        "04.win_rates",
        "by rank alone",
        RATES.replace("RATE", "(i + 0.5) / bins"),
    ),
    (
        "a count for a rate",
        "04.win_rates",
        "counts",
        RATES.replace("RATE", "sum(w for s, w in chunk)"),
    ),
    (
        "a weight without an intercept",
        "04.fit_weight",
        "through the origin",
        """
def fit_weight(features, outcomes):
    return [sum(x * y for x, y in zip(features, outcomes)) / sum(x * x for x in features), 0]
""",
    ),
]


# --- oracles against other sources


def test_the_flip_exponent_is_the_one_that_bisection_finds():
    for seed in range(40):
        prize, p, sure = parts04.draw_offer(Rng(seed))
        exponent = question("04.flip_exponent").oracle(prize, p, sure)
        if 0.02 < exponent < 9:
            found = flip_exponent([[(prize, p), (0.0, 1 - p)], [(sure, 1.0)]])
            assert found == pytest.approx(exponent, rel=1e-6)


def test_both_offers_are_worth_the_same_at_the_flip_exponent():
    for seed in range(40):
        prize, p, sure = parts04.draw_offer(Rng(seed))
        bent = power(question("04.flip_exponent").oracle(prize, p, sure)).function
        assert expected([(prize, p), (0.0, 1 - p)], bent) == pytest.approx(bent(sure))


def test_the_best_set_is_that_of_the_package():
    for seed in range(60):
        values, tolerance = parts04.draw_values(Rng(seed))
        assert parts04.best_set(values, tolerance) == sorted(best_actions(values, tolerance=tolerance))


def test_a_map_is_safe_just_if_no_random_decision_flips_under_it():
    rng = Rng(4)
    decisions = [random_decision(rng) for _ in range(300)]
    groups = (parts04.EXACT, parts04.ROUNDED, parts04.BENT, parts04.STEPS, parts04.OTHERS)
    for expression in [one for group in groups for one in group]:
        f = decode(encode(parts04.scale_map(expression)))
        flipped = any(flips(d, Transform(expression, f, "neither")) for d in decisions)
        assert parts04.is_safe(f) != flipped, expression


def test_the_answers_about_named_maps_are_what_random_decisions_say():
    maps = {
        "A": lambda x: 0.1 * x - 100,
        "B": math.sqrt,
        "C": lambda x: 50 - 2 * x,
        "D": math.log1p,
        "E": lambda x: 1000 * x,
        "F": lambda x: x * x,
        "G": lambda x: (x - 3) / 7,
    }
    for letter, f in maps.items():
        rises = f(60.0) > f(50.0)
        safe = parts04.is_safe(f)
        assert parts04.MAPS[letter] == ("safe" if safe else "minimax only" if rises else "neither")


def test_no_drawn_score_comes_twice():
    draws = [parts04.draw_outcomes(Rng(seed))[0] for seed in range(500)]
    assert all(len(set(scores)) == len(scores) for scores in draws)


def test_a_map_is_forgiven_a_share_of_its_largest_value_however_small_that_is():
    assert parts04.is_safe(lambda x: 1e-12 * x)
    assert not parts04.is_safe(lambda x: 1e-12 * x * x)
    assert parts04.is_safe(lambda x: x / 3 - 0.1)


def test_win_rates_are_the_packages_reliability_curve():
    for seed in range(30):
        scores, wins, bins = parts04.draw_outcomes(Rng(seed))
        curve = reliability_curve(scores, wins, bins=bins)
        assert parts04.win_rates(scores, wins, bins) == [pytest.approx([b.evaluation, b.outcome.mean]) for b in curve]


def test_the_fitted_weight_is_that_of_the_standard_library():
    for seed in range(30):
        features, outcomes = parts04.draw_sample(Rng(seed))
        assert parts04.fit_weight(features, outcomes) == pytest.approx(affine_fit(features, outcomes))
        slope, intercept = statistics.linear_regression(features, outcomes)
        assert parts04.fit_weight(features, outcomes) == pytest.approx([slope, intercept])


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


@pytest.mark.parametrize(
    ("id", "source"),
    [
        ("04.is_safe", STRAIGHT.replace("CLOSE", CLOSE)),
        ("04.win_rates", RATES.replace("RATE", "sum(w for s, w in chunk) / size")),
    ],
)
def test_the_code_that_the_misconceptions_spoil_is_right(id, source):
    one = question(id)
    for seed in SEEDS:
        assert verdict(one, written(source, one.name), seed).status == "passed"


# --- notebooks
