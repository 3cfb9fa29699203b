"""What a student sees in the notebook: check and hint."""

from __future__ import annotations

import pytest

import expectimax_course
from expectimax_course.grading import check as module
from expectimax_course.grading.check import check, hint

pytestmark = pytest.mark.usefixtures("small_bank")


def test_check_finds_the_callers_own_function(monkeypatch):
    monkeypatch.setitem(globals(), "mean", lambda pairs: sum(v * p for v, p in pairs))
    assert check("90.mean").passed
    assert repr(check("90.mean")) == "✓ 90.mean: All 12 cases pass."


def test_check_and_hint_are_offered_by_the_package():
    assert expectimax_course.check is check
    assert expectimax_course.hint is hint


def test_nothing_written_yet_is_not_an_error():
    def stub(pairs):
        raise NotImplementedError

    for result in (
        check("90.mean"),
        check("90.mean", stub),
        check("90.parts"),
        check("90.parts", dict.fromkeys("abc", ...)),
    ):
        assert result.verdict.status == "not_attempted"
        assert repr(result).endswith("Not attempted yet.")


def test_a_known_mistake_is_named_and_shown():
    text = repr(check("90.mean", lambda pairs: min(v for v, _ in pairs)))
    assert text.splitlines() == [
        "✗ 90.mean: This is the worst child.",
        "  mean([(10.0, 0.9), (-5.0, 0.1)])",
        "  expected 8.5, but your code returned -5.0.",
        "  A gamble.",
    ]


def test_an_unknown_mistake_shows_the_smallest_failing_case():
    result = check("90.mean", lambda pairs: 0)
    assert result.verdict.message == "0 of 12 cases pass."
    assert "mean([(2.0, 1.0)])\n  expected 2.0, but your code returned 0." in repr(result)
    assert "<table" in result._repr_html_()


def test_an_exception_is_told_with_its_line():
    namespace: dict[str, object] = {}
    exec(compile("def mean(pairs):\n    x = 1\n    return x / 0\n", "<cell 4>", "exec"), namespace)
    text = repr(check("90.mean", namespace["mean"]))
    assert "Your code raised ZeroDivisionError: division by zero (cell 4, line 3)." in text


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (lambda pairs: float("nan"), "returned nan"),
        (lambda pairs: None, "returned None"),
        (lambda pairs: True, "returned True"),
        (lambda pairs: (p for p in pairs), "returned generator"),
        (lambda pairs: "8.5", "returned '8.5'"),
        (lambda pairs: [8.5], "returned [8.5]"),
        (lambda pairs: print, "returned builtin_function_or_method"),
    ],
)
def test_an_answer_of_the_wrong_kind_is_named(answer, told):
    assert told in repr(check("90.mean", answer))


def test_numpy_answers_are_legitimate():
    import numpy as np

    assert check("90.mean", lambda pairs: np.dot(*np.array(pairs).T)).passed
    assert check("90.parts", {"a": np.int64(1), "b": np.float32(2.5), "c": np.array([1, 2])}).passed


def test_a_wrong_part_shows_its_note():
    text = repr(check("90.parts", {"a": 1, "b": 2, "c": [1, 2]}))
    assert "parts['b']" in text
    assert "Half of five." in text
    assert "KeyError" in repr(check("90.parts", {"a": 1}))


def test_a_name_used_for_something_else_is_told():
    assert "not a function any more" in repr(check("90.mean", 3))


def test_a_sampler_is_judged_by_its_frequencies():
    assert check("91.roll", lambda faces, rng: 1 + rng.below(faces)).passed
    assert check("91.roll", lambda faces, rng: rng.below(faces)).verdict.message == "Faces count from 1."
    loaded = check("91.roll", lambda faces, rng: 1 + min(rng.below(faces), rng.below(faces)))
    assert loaded.verdict.status == "wrong"
    assert "× about" in repr(loaded)
    assert "drew 1 ×" in repr(loaded)


def test_what_a_student_returns_cannot_become_markup():
    html = check("90.mean", lambda pairs: "<script>alert(1)</script>")._repr_html_()
    assert "<script" not in html
    assert "&lt;script" in html


def test_hints_come_one_after_the_other(monkeypatch):
    monkeypatch.setattr(module, "_given", {})
    assert [repr(hint("90.mean")) for _ in range(3)] == [
        "What does each child weigh? (hint 1 of 2)",
        "Multiply, then add. (hint 2 of 2)",
        "Multiply, then add. (hint 2 of 2)",
    ]
    assert repr(hint("90.twice")) == "This question has no hint."


@pytest.mark.parametrize("function", [check, hint])
def test_an_unknown_question_is_an_error(function):
    with pytest.raises(ValueError, match=r"expected one of 90\.mean.*got '90\.nothing'"):
        function("90.nothing")


def test_an_interrupt_reaches_the_student():
    def interrupted(pairs):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check("90.mean", interrupted)
