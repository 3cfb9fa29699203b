"""Scores, statuses and comparisons."""

from __future__ import annotations

from dataclasses import replace

import pytest

from expectimax_course.grading.bank import Case, Mutant, Question
from expectimax_course.grading.codec import Opaque
from expectimax_course.grading.judge import Trouble, expectations, judge
from expectimax_course.grading.outcomes import Outcome, describe_error, same, same_distribution, shorten, told_error
from expectimax_course.rng import Rng

SQUARE = Question(
    id="01.square",
    title="Square",
    kind="function",
    points=2,
    minutes=1,
    signature="square(n: int) -> int",
    oracle=lambda n: n * n,
    visible=(Case((3,), note="Three times three."),),
    generate=lambda rng: (rng.below(1000) + 3,),
    mutants=(
        Mutant("double", lambda n: 2 * n, "This doubles.", cap=0.5),
        Mutant("given", lambda n: n, "As you found it.", given=True),
    ),
)


def judged(fn, trouble=None, seed=1, question=SQUARE):
    cases = expectations(question, seed)
    outcomes = []
    for case in cases:
        try:
            outcomes.append(fn(case.case.args[0]))
        except ValueError:
            outcomes.append(Outcome(error={"names": ["ValueError", "Exception"]}))
    outcomes = [one if isinstance(one, Outcome) else Outcome(value=one) for one in outcomes]
    return judge(question, cases, outcomes, trouble)


def test_practice_cases_count_for_nothing_and_graded_ones_are_never_shown():
    cases = expectations(SQUARE, 1)
    assert len(cases) == 1 + 10 + 20
    assert [case.shown for case in cases] == [True] * 11 + [False] * 20
    assert [case.graded for case in cases] == [False] * 11 + [True] * 20
    verdict = judge(SQUARE, cases, [Outcome(value=0 if case.graded else case.right.value) for case in cases])
    assert (verdict.score, verdict.failing) == (0, None)


def test_the_score_is_floored_to_quarters():
    cases = expectations(SQUARE, 1)
    for wrong, score in ((1, 1.75), (5, 1.5), (10, 1.0), (19, 0.0)):
        answers = [case.right for case in cases[:-wrong]] + [Outcome(value=-1)] * wrong
        verdict = judge(SQUARE, cases, answers)
        assert (verdict.score, verdict.passed) == (score, 20 - wrong)
        assert verdict.status == ("partial" if score else "wrong")


def test_a_known_mistake_earns_its_cap_whatever_the_seed():
    for seed in range(5):
        verdict = judged(lambda n: 2 * n, seed=seed)
        assert (verdict.status, verdict.score, verdict.message) == ("partial", 0.5, "This doubles.")


def test_almost_a_known_mistake_is_not_that_mistake():
    assert judged(lambda n: 2 * n if n != 3 else 7).message != "This doubles."


def edges(n):
    """Return the square, as the tests below ask for it, except that it is 0 for every third number."""
    return 0 if n % 3 == 0 else n * n


RARELY = replace(SQUARE, oracle=edges, mutants=(Mutant("no edge", lambda n: n * n, "No edge.", cap=0.25),))


@pytest.mark.parametrize("seed", range(5))
def test_an_answer_no_better_than_a_known_mistake_earns_no_more(seed):
    cases = expectations(RARELY, seed)
    mistaken = [case.wrong[0] for case in cases]
    raw = sum(case.right == case.wrong[0] for case in cases if case.graded) / 20 * 2
    assert raw > 0.5

    one_practice = [Outcome(value=-1), *mistaken[1:]]
    crash = [*mistaken[:-1], Outcome(missing=True)]
    two_graded = [*mistaken[:-2], Outcome(value=-1), Outcome(value=-1)]
    for answers, trouble in (
        (one_practice, None),
        (two_graded, None),
        (crash, Trouble(ended="killed")),
        (crash, Trouble(ended="timeout")),
    ):
        verdict = judge(RARELY, cases, answers, trouble)
        assert verdict.score == 0.25
        assert verdict.message != "No edge."

    better = [case.right if case.case.args[0] % 2 else case.wrong[0] for case in cases]
    assert judge(RARELY, cases, better).score >= raw


@pytest.mark.parametrize("mended", [0, 1, 3])
def test_a_known_mistake_that_is_half_mended_earns_at_least_its_cap(mended):
    question = replace(RARELY, mutants=(*SQUARE.mutants, Mutant("negative", lambda n: -edges(n), "Signs.", cap=1.75)))
    cases = expectations(question, 1)
    answers = [case.right if case.graded and 0 < case.case.args[0] % 10 <= mended else case.wrong[2] for case in cases]
    verdict = judge(question, cases, answers)
    assert (verdict.status, verdict.score, verdict.message) == ("partial", 1.75, "Signs.")
    spoilt = judge(question, cases, [*answers[:-1], Outcome(value="else")])
    assert spoilt.score < 1.75


def test_an_answer_right_on_the_graded_cases_alone_is_still_no_better():
    cases = [replace(case, right=case.wrong[0]) if case.graded else case for case in expectations(RARELY, 1)]
    answers = [Outcome(value=-1), *(case.wrong[0] for case in cases[1:])]
    verdict = judge(RARELY, cases, answers)
    assert (verdict.passed, verdict.total, verdict.status, verdict.score) == (20, 20, "partial", 0.25)


@pytest.mark.parametrize("constant", [Outcome(value=0), Outcome(value=0.0)])
def test_what_a_constant_would_do_as_well_earns_nothing(constant):
    question = replace(RARELY, mutants=())
    cases = expectations(question, 1)
    assert sum(case.right.value == 0 for case in cases if case.graded) >= 5
    verdict = judge(question, cases, [constant] * len(cases))
    assert (verdict.score, verdict.status) == (0, "wrong")
    assert verdict.message.endswith("it has to depend on the arguments.")
    spoilt = [Outcome(value=-1) if case.shown else constant for case in cases]
    assert judge(question, cases, spoilt).score == 0


def test_who_gives_one_answer_only_where_it_is_right_has_told_the_cases_apart():
    question = replace(RARELY, mutants=())
    cases = expectations(question, 1)
    told_apart = [Outcome(value=0 if case.right.value == 0 else -index) for index, case in enumerate(cases, start=1)]
    hits = sum(case.right.value == 0 for case in cases if case.graded)
    verdict = judge(question, cases, told_apart)
    assert (verdict.passed, verdict.score) == (hits, hits * 8 // 20 / 4)
    once_wrong = next(index for index, case in enumerate(cases) if case.graded and case.right.value != 0)
    told_apart[once_wrong] = Outcome(value=0.0)
    assert judge(question, cases, told_apart).score == 0


class Ours(ValueError):
    pass


def test_a_mistake_that_raises_is_known_by_the_class_it_raises():
    def refuses(n):
        raise Ours

    question = replace(SQUARE, mutants=(Mutant("refuses", refuses, "It refuses.", cap=0.5),))
    assert judged(raiser(["Ours", "ValueError", "Exception"]), question=question).message == "It refuses."
    verdict = judged(raiser(["ValueError", "Exception"]), question=question)
    assert (verdict.status, verdict.score) == ("error", 0)


def test_unchanged_given_code_is_not_attempted():
    assert judged(lambda n: n).status == "not_attempted"


def test_the_smallest_case_is_shown():
    failing = judged(lambda n: -1).failing
    assert failing is not None
    assert failing[0].case.args == (3,)


def raiser(names):
    return lambda n: Outcome(error={"names": names, "message": "m"})


@pytest.mark.parametrize(
    ("fn", "trouble", "status"),
    [
        (raiser(["KeyError"]), None, "error"),
        (raiser(["NotImplementedError"]), None, "not_attempted"),
        (lambda n: Opaque("..."), None, "not_attempted"),
        (lambda n: Outcome(missing=True), Trouble(calls="missing"), "not_attempted"),
        (lambda n: Outcome(missing=True), Trouble(calls="missing", cell_error="X"), "error"),
        (lambda n: Outcome(missing=True), Trouble(calls="not callable"), "error"),
        (lambda n: Outcome(missing=True), Trouble(ended="timeout"), "timeout"),
        (lambda n: Outcome(missing=True), Trouble(ended="killed"), "killed"),
        (lambda n: Outcome(missing=True), Trouble(ended="flooded"), "killed"),
        (lambda n: Outcome(missing=True), Trouble(calls="missing", forbidden="a.b"), "forbidden"),
        (raiser(["NameError"]), Trouble(forbidden="a.b"), "forbidden"),
        (lambda n: n * n, Trouble(forbidden="a.b"), "passed"),
        (lambda n: 5, Trouble(forbidden="a.b"), "wrong"),
        (lambda n: Outcome(missing=True), None, "wrong"),
    ],
)
def test_the_status_tells_what_happened(fn, trouble, status):
    assert judged(fn, trouble).status == status


def test_what_was_answered_before_time_ran_out_counts():
    cases = expectations(SQUARE, 1)
    answers = [case.right for case in cases[:21]] + [Outcome(missing=True)] * 10
    verdict = judge(SQUARE, cases, answers, Trouble(ended="timeout"))
    assert (verdict.status, verdict.score) == ("timeout", 1.0)


def strict(n):
    if n % 2:
        raise ZeroDivisionError
    if n % 3 == 0:
        raise UnicodeError
    return n


def test_where_the_oracle_raises_the_answer_must_raise_the_same_kind():
    question = replace(SQUARE, oracle=strict, mutants=())

    def good(n):
        if n % 2:
            return Outcome(error={"names": ["MyError", "ZeroDivisionError", "ArithmeticError"]})
        return Outcome(error={"names": ["UnicodeError", "ValueError"]}) if n % 3 == 0 else n

    assert judged(good, question=question).status == "passed"
    assert judged(lambda n: n, question=question).status == "partial"
    failing = judged(raiser(["KeyError"]), question=question)
    assert failing.score == 0


@pytest.mark.parametrize(
    ("expected", "got", "answer"),
    [
        (1, 1.0, True),
        (0.1 + 0.2, 0.3, True),
        (1.0, 1.001, False),
        (10**400, 10**400, True),
        (10**400, 1.0, False),
        (float("inf"), float("inf"), True),
        (float("inf"), 1e308, False),
        (float("nan"), float("nan"), False),
        (1, True, False),
        (True, 1, False),
        (True, True, True),
        ("a", "a", True),
        ("1", 1, False),
        (None, None, True),
        (None, 0, False),
        ([1, [2]], [1, [2.0]], True),
        ([1], [1, 2], False),
        ([1], 1, False),
        ({"a": 1}, {"a": 1.0}, True),
        ({"a": 1}, {"b": 1}, False),
        ({1: "x"}, {1.0: "x"}, True),
        (Opaque("f"), Opaque("f"), False),
    ],
)
def test_values_are_compared_with_care(expected, got, answer):
    assert same(expected, got, 1e-9) is answer


def test_a_sample_must_fit_in_size_in_frequency_and_in_outcomes():
    coin = [[0, 0.5], [1, 0.5]]
    rng = Rng(1)
    draws = [rng.below(2) for _ in range(2000)]
    assert same_distribution(coin, draws, 2000)
    assert not same_distribution(coin, draws[:-1], 2000)
    assert not same_distribution(coin, [0] * 2000, 2000)
    assert not same_distribution(coin, [*draws[:-200], *[2] * 200], 2000)
    assert not same_distribution(coin, 3, 2000)
    assert same_distribution([["x", 1.0000000000000004]], ["x"] * 10, 10)


def test_a_fair_sampler_is_hardly_ever_refused():
    die = [[face, 1 / 6] for face in range(6)]
    for seed in range(200):
        rng = Rng(seed)
        assert same_distribution(die, [rng.below(6) for _ in range(1000)], 1000)


@pytest.mark.parametrize("forged", [None, 3, [], {}, {"names": []}, {"names": [1]}, {"names": "X"}])
def test_a_forged_error_is_some_exception(forged):
    assert describe_error(told_error(forged)) == "Exception"


def test_long_values_are_cut_in_the_middle():
    assert len(shorten("x" * 10_000)) < 210
    assert shorten([1, 2]) == "[1, 2]"
