"""Every question of the bank keeps the guide's promises: answers pass, mistakes are named, delegates are refused."""

from __future__ import annotations

import dataclasses
import functools
import importlib
import inspect
import json
import pickle
import re
from collections.abc import Callable

import pytest
from answering import cells

from expectimax_course.grading import bank
from expectimax_course.grading.bank import Case, Mutant, Question, heading
from expectimax_course.grading.check import check_answer
from expectimax_course.grading.codec import decode, encode
from expectimax_course.grading.explain import explain_html, explain_text, parameters
from expectimax_course.grading.grade import chapter_references, grade
from expectimax_course.grading.judge import Trouble, expectations, judge, right
from expectimax_course.grading.outcomes import Outcome

QUESTIONS = [question for chapter in bank.chapters() for question in bank.questions(chapter)]
EVERY = pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
SEEDS = (1, 2, 3)


def test_ids_are_unique_and_belong_to_their_chapter():
    ids = [question.id for question in QUESTIONS]
    assert len(set(ids)) == len(ids)
    for chapter in bank.chapters():
        assert {question.chapter for question in bank.questions(chapter)} == {chapter[:2]}


def test_each_chapter_has_three_questions_or_more_and_starts_with_a_short_one():
    for chapter in bank.chapters():
        assert len(bank.questions(chapter)) >= 3
        assert bank.questions(chapter)[0].minutes <= 5


@EVERY
def test_a_question_has_hints_a_signature_and_cases_that_cross_a_border(question):
    assert 1 <= len(question.hints) <= 2
    assert question.minutes >= 1
    names = parameters(question)
    for expected in expectations(question, 1):
        args = expected.case.args
        if question.kind not in ("value", "choice"):
            assert len(names) == len(args) + (question.kind == "sampler")
        assert len([decode(json.loads(json.dumps(encode(arg)))) for arg in args]) == len(args)


@EVERY
def test_cases_depend_on_the_seed_alone(question):
    one, again = ([encode(e.case.args) for e in expectations.__wrapped__(question, 5)] for _ in range(2))
    assert one == again
    if question.generate is not None:
        other = [encode(e.case.args) for e in expectations(question, 6)]
        assert one != other


@EVERY
def test_the_oracle_agrees_with_itself_and_is_not_constant(question):
    cases = expectations(question, 1)
    outcomes = [case.right for case in cases]
    if question.kind == "sampler":
        return
    assert judge(question, cases, outcomes).status == "passed"
    if len(cases) > 1:
        assert len({repr(outcome) for outcome in outcomes}) > 1, "one constant answers every case"


@EVERY
def test_every_known_mistake_is_named_on_any_seed_and_in_check(question):
    for mutant in question.mutants:
        for seed in (None, *SEEDS):
            cases = expectations(question, seed)
            answers = [case.wrong[question.mutants.index(mutant)] for case in cases]
            if question.kind == "sampler":
                continue
            verdict = judge(question, cases, answers)
            assert verdict.message == mutant.message, f"{mutant.name} is taken for something else with seed {seed}"
            assert verdict.score == mutant.cap
            assert verdict.status == ("not_attempted" if mutant.given else "partial" if mutant.cap else "wrong")


@EVERY
def test_no_mistake_earns_more_by_spoiling_a_case(question):
    if question.generate is None or question.kind == "sampler":
        return
    for position, mutant in enumerate(question.mutants):
        for seed in SEEDS:
            cases = expectations(question, seed)
            answers = [case.wrong[position] for case in cases]
            for spoilt in (0, len(question.visible), len(cases) - 1):
                changed = [*answers[:spoilt], Outcome(value="spoilt"), *answers[spoilt + 1 :]]
                assert judge(question, cases, changed).score <= mutant.cap, mutant.name
            crash = [*answers[:-1], Outcome(missing=True)]
            assert judge(question, cases, crash, Trouble(ended="killed")).score <= mutant.cap, mutant.name


@EVERY
def test_no_constant_earns_more_than_a_quarter(question):
    """A ``value`` is one: there a constant is an answer, and may be right."""
    if question.generate is None:
        return
    raised = Outcome(error={"names": ["ValueError", "Exception"]})
    for seed in SEEDS:
        cases = expectations(question, seed)
        plain = [Outcome(value=value) for value in (None, 0, 1, 1.0, True, False, cases[0].right.value)]
        if question.kind == "sampler":
            plain = [Outcome(value=[one.value] * question.draws) for one in plain]
        for constant in [*plain, raised]:
            assert judge(question, cases, [constant] * len(cases)).score <= question.points / 4, constant


SAMPLERS = [question for question in QUESTIONS if question.kind == "sampler"]


@pytest.mark.parametrize("question", SAMPLERS, ids=lambda question: question.id)
def test_samplers_name_their_known_mistakes_too(question):
    for mutant in question.mutants:
        assert check_answer(question, _draw_from(mutant)).message == mutant.message


def _draw_from(mutant: Mutant):
    distributions: dict[str, list[tuple[object, float]]] = {}

    def draw(*args):
        case = repr(args[:-1])
        if case not in distributions:
            distributions[case] = mutant.fn(*args[:-1])
        return args[-1].outcome(distributions[case])

    return draw


@EVERY
def test_messages_and_titles_differ_and_are_sentences(question):
    messages = [mutant.message for mutant in question.mutants]
    assert len({mutant.name for mutant in question.mutants}) == len(messages)
    for message in [*messages, *question.hints]:
        assert message[-1] in ".?!"
        assert len(message) < 300


@EVERY
def test_the_smallest_failing_case_can_be_shown(question):
    cases = expectations(question, None)
    wrong = [type(case.right)(value="nonsense") for case in cases]
    verdict = judge(question, cases, wrong)
    assert verdict.failing is not None
    assert any("nonsense" in line or "drew" in line for line in explain_text(verdict))
    assert "nonsense" in explain_html(verdict) or "drew" in explain_html(verdict)


@EVERY
def test_the_reference_of_the_notebook_passes_check(question):
    chapter = next(name for name in bank.chapters() if name[:2] == question.chapter)
    namespace: dict[str, object] = {}
    for entry in chapter_references(chapter):
        exec(entry["source"], namespace)
    verdict = check_answer(question, namespace.get(question.name, ...))
    cases = len(expectations(question, None))
    assert (verdict.status, verdict.message) == ("passed", f"All {cases} cases pass."), explain_text(verdict)


@EVERY
def test_questions_travel_between_processes_as_ids(question):
    assert pickle.loads(pickle.dumps(question)) is question


def delegate(question: Question) -> str:
    """Return an answer cell that asks the package instead of answering."""
    oracle = question.oracle
    lines = [
        f"from expectimax_course.grading.bank import question\n{question.name} = question({question.id!r}).oracle\n"
    ]
    if inspect.isfunction(oracle) and "<" not in oracle.__qualname__ and "." not in oracle.__qualname__:
        lines.append(f"from {oracle.__module__} import {oracle.__name__} as {question.name}\n")
    return lines


@pytest.mark.sandbox
@pytest.mark.parametrize("chapter", bank.chapters())
def test_answers_that_delegate_to_the_package_are_refused(chapter, tmp_path):
    variants = max(len(delegate(question)) for question in bank.questions(chapter))
    for variant in range(variants):
        cells = []
        for question in bank.questions(chapter):
            sources = delegate(question)
            cells.append({"cell_type": "code", "metadata": {}, "source": sources[min(variant, len(sources) - 1)]})
        path = tmp_path / "delegate.ipynb"
        path.write_text(json.dumps({"cells": cells, "metadata": {"expectimax_course": {"chapter": chapter}}}))
        report = grade(path, path.name, 1)
        found = {verdict.question.id: (verdict.status, verdict.score) for verdict in report.verdicts}
        assert found == {question.id: ("forbidden", 0.0) for question in bank.questions(chapter)}


def answering(question: Question) -> list[str]:
    """Return the functions, of the modules that a question allows, that answer it by themselves or with their value."""
    found = []
    for name in question.allows:
        module = importlib.import_module(name)
        for key, fn in inspect.getmembers(module, inspect.isfunction):
            if fn.__module__ != name or not _takes(fn, question):
                continue
            valued = functools.wraps(fn)(lambda *args, fn=fn: fn(*args).value)
            if any(check_answer(question, one).status == "passed" for one in (fn, valued)):
                found.append(key)
    return found


def _takes(fn: Callable[..., object], question: Question) -> bool:
    count = len(question.visible[0].args) + (question.kind == "sampler")
    try:
        inspect.signature(fn).bind(*[None] * count)
    except TypeError:
        return False
    return True


ALLOWING = [question for question in QUESTIONS if question.allows]


@pytest.mark.parametrize("question", ALLOWING, ids=lambda question: question.id)
def test_no_question_allows_a_module_that_answers_it(question):
    assert answering(question) == []


@pytest.mark.parametrize(
    ("id", "module", "name"),
    [
        ("11.repaired", "expectimax_course.search.expectimax", "expectimax"),
        ("01.weighted_value", "expectimax_course.grading.bank.parts01", "weighted_value"),
    ],
)
def test_a_module_that_answers_is_found_out(id, module, name):
    assert name in answering(dataclasses.replace(bank.question(id), allows=(module,)))


def test_the_heading_counts_in_singular_and_plural():
    fields = {"visible": (Case((1,)),), "generate": lambda rng: (rng.below(9),), "oracle": abs, "kind": "function"}
    one = Question(id="01.size", title="Size", points=1, minutes=1, signature="size(x)", **fields)
    some = Question(id="01.size", title="Size", points=1.25, minutes=2, signature="size(x)", **fields)
    assert heading(one) == "## Size (1 point, 1 minute)"
    assert heading(some) == "## Size (1.25 points, 2 minutes)"


def test_an_unknown_question_or_chapter_is_named():
    with pytest.raises(ValueError, match=r"expected one of 01\.weighted_value.*got '01\.nothing'"):
        bank.question("01.nothing")
    with pytest.raises(ValueError, match="expected one of"):
        bank.question("77.nothing")
    with pytest.raises(ValueError, match=r"expected a chapter with questions.*got '77'"):
        bank.questions("77")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"id": "1.x"}, "an id such as"),
        ({"points": 0.3}, "points in quarters"),
        ({"points": 0}, "points in quarters"),
        ({"hints": ("a.", "b.", "c.")}, "at most two hints"),
        ({"visible": ()}, "at least one visible case"),
        ({"generate": None}, "a generator"),
        ({"kind": "value"}, "a generator"),
        ({"choices": ("a",)}, "choices for kind"),
        ({"signature": "other(x)"}, "a signature that starts with"),
        ({"mutants": (Mutant("m", abs, "No.", cap=1),)}, "a cap of mutant"),
        ({"mutants": (Mutant("m", abs, "No.", cap=0.1),)}, "a cap of mutant"),
    ],
)
def test_a_question_that_breaks_the_guide_is_refused(changes, message):
    fields = {
        "id": "01.size",
        "title": "Size",
        "kind": "function",
        "points": 1,
        "minutes": 1,
        "signature": "size(x: int) -> int",
        "oracle": abs,
        "visible": (Case((1,)),),
        "generate": lambda rng: (rng.below(9),),
    }
    Question(**fields)
    with pytest.raises(ValueError, match=message):
        Question(**{**fields, **changes})


def test_what_an_acceptance_test_cannot_read_is_wrong():
    question = Question(
        id="01.size",
        title="Size",
        kind="function",
        points=1,
        minutes=1,
        signature="size(x: int) -> int",
        oracle=abs,
        visible=(Case((-3,)),),
        generate=lambda rng: (-1 - rng.below(9),),
        accept=lambda got, expected, x: got["either"] in (expected, x),
    )
    assert check_answer(question, lambda x: {"either": x}).status == "passed"
    assert check_answer(question, lambda x: 5).status == "wrong"
    case = expectations(question, None)[0]
    assert not right(question, case, type(case.right)(missing=True))
    assert judge(question, [case], [type(case.right)(missing=True)], Trouble(calls="missing")).status == "not_attempted"


@pytest.mark.parametrize("question", [q for q in QUESTIONS if q.kind in ("value", "choice")], ids=lambda q: q.id)
def test_what_is_right_is_not_told_where_the_case_is_the_question(question):
    for answer in ("nothing of the sort", dict.fromkeys((case.args[0] for case in question.visible if case.args), "?")):
        verdict = check_answer(question, answer)
        told = "\n".join(explain_text(verdict)) + explain_html(verdict)
        assert verdict.status != "passed"
        assert "which is not right" in told
        assert not any(f"expected {expected.right.value!r}" in told for expected in expectations(question, 1))


@EVERY
def test_messages_are_one_or_two_sentences(question):
    for mutant in question.mutants:
        assert mutant.message.endswith((".", "?"))
        assert len(re.findall(r"[.!?](?=\s|$)", mutant.message)) <= 2
        assert len(mutant.message) <= 160


@pytest.mark.parametrize("chapter", bank.chapters())
def test_no_statement_gives_a_message_away(chapter):
    statements = " ".join(cell.source for cell in cells("exercises", chapter) if cell.cell_type == "markdown")
    for question in bank.questions(chapter):
        for mutant in question.mutants:
            assert mutant.message not in statements
