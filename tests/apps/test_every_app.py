"""What holds for every live app: pure, JSON-able, well-formed, labelled, and calm about nonsense."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pages import Element, accessible_name, read

from expectimax_course.apps import (
    _protocol,
    backgammon,
    budget,
    failure_gallery,
    gamble,
    game2048,
    learned_2048,
    push_table,
    scale,
    star_window,
    td_2048,
    tree_stepper,
)

APPS = [
    gamble,
    tree_stepper,
    push_table,
    star_window,
    game2048,
    budget,
    scale,
    backgammon,
    td_2048,
    learned_2048,
    failure_gallery,
]
CONTROLS = ("button", "input", "select")
NONSENSE = [
    None,
    "",
    "x",
    "-1",
    "99999",
    "1e999",
    "nan",
    "²",
    float("nan"),
    float("inf"),
    -7,
    3.7,
    10**30,
    True,
    [],
    {},
]

app = pytest.mark.parametrize("app", APPS, ids=lambda a: a.__name__.rpartition(".")[2])


def step(app: Any, state: Any, name: Any, value: Any = None, student: Any = None) -> Any:
    """Send one event, check that the old state is untouched and the new one survives JSON."""
    before = copy.deepcopy(state)
    new = app.update(state, {"name": name, "value": value}, student)
    assert state == before
    assert json.loads(_protocol.dump(new)) == new
    return new


def offered(app: Any, state: Any) -> list[tuple[str, Any]]:
    """Every event that the view offers now."""
    events: list[tuple[str, Any]] = []
    for e in read(app.view(state)).all():
        name = e.attributes.get("data-event")
        if name and e.name == "select":
            events += [(name, option.attributes["value"]) for option in e.all("option")]
        elif name and e.name == "input" and e.attributes["type"] == "range":
            events += [(name, float(e.attributes[end] or 0)) for end in ("min", "max", "value")]
        elif name and e.name == "input":
            events += [(name, words) for words in ("max(1, 2)", "chance(1/2: 1, 1/2: min(0, 4))", "max(")]
        elif name:
            events.append((name, e.attributes.get("data-value")))
        events += [(pair.partition("=")[2], None) for pair in (e.attributes.get("data-keys") or "").split()]
    return events


def check_view(root: Element) -> None:
    """Check what a keyboard, a screen reader and a second app on the page need."""
    assert not [e for e in root.all() if "id" in e.attributes], "an id could stand twice on a page"
    for control in root.all(*CONTROLS):
        assert accessible_name(control), f"no label: {control.attributes}"
        assert control.attributes.get("data-event")
        assert "disabled" not in control.attributes, "a disabled control loses the focus"
    for control in root.all("select"):
        chosen = [option for option in control.all("option") if "selected" in option.attributes]
        assert len(chosen) == 1, f"not one chosen: {control.attributes}"
    for e in root.all():
        focusable = e.name in (*CONTROLS, "summary") or "tabindex" in e.attributes
        assert not focusable or e.attributes.get("data-lm-suppress-shortcuts") == "true", e.attributes
        if e.name == "svg":
            assert e.attributes["role"] == "img"
            assert e.attributes["aria-label"]
        if e.attributes.get("role") in ("region", "group"):
            assert e.attributes["aria-label"]
    assert len([b for b in root.all("button") if b.attributes.get("class") == "ec-primary"]) == 1
    assert len([b for b in root.all("button") if b.text == "Reset"]) <= 1
    assert len([p for p in root.all("p") if p.attributes.get("class") == "ec-try"]) == 1


@app
def test_the_first_view_is_whole(app: Any) -> None:
    assert app.TITLE
    state = app.init()
    assert json.loads(_protocol.dump(state)) == state
    check_view(read(app.view(state)))


def test_the_2048_app_offers_the_network_to_whoever_opened_it_with_it() -> None:
    state = step(game2048, game2048.init(evaluation="network"), "evaluation", "fitted")
    check_view(read(game2048.view(game2048.init(evaluation="network"))))
    assert ("evaluation", "network") in offered(game2048, state)
    assert ("evaluation", "network") not in offered(game2048, game2048.init())


@app
@given(data=st.data())
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_the_view_offers_leads_to_a_whole_view(app: Any, data: st.DataObject) -> None:
    state = app.init(exercise=data.draw(st.booleans()))
    for _ in range(8):
        name, value = data.draw(st.sampled_from(offered(app, state)))
        state = step(app, state, name, value)
        check_view(read(app.view(state)))


def path(e: Element) -> list[tuple[str, int]]:
    """Where an element stands: element names and positions from the top."""
    return [] if e.parent is None else [*path(e.parent), (e.name, e.parent.children.index(e))]


def places(root: Element) -> dict[tuple[str, str | None], list[tuple[str, int]]]:
    """Where each control stands."""
    controls = root.all(*CONTROLS)
    return {(e.attributes["data-event"] or "", e.attributes.get("data-value")): path(e) for e in controls}


@app
@given(data=st.data())
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_control_keeps_its_place_so_that_the_focus_stays(app: Any, data: st.DataObject) -> None:
    state = app.init(exercise=data.draw(st.booleans()))
    for _ in range(8):
        before = places(read(app.view(state)))
        name, value = data.draw(st.sampled_from(offered(app, state)))
        state = step(app, state, name, value)
        after = places(read(app.view(state)))
        assert not [control for control in before if control in after and before[control] != after[control]]


def live(root: Element) -> dict[str, str]:
    """Where a screen reader listens, and what is said there."""
    return {str(path(e)): e.text for e in root.all() if e.attributes.get("role") == "status"}


@app
@pytest.mark.parametrize("exercise", [False, True])
def test_an_answer_is_read_aloud_where_a_live_paragraph_stood_before(app: Any, exercise: bool) -> None:
    """One that comes already filled may go unannounced."""
    first = app.init(exercise=exercise)
    before = live(read(app.view(first)))
    for event in offered(app, first):
        after = live(read(app.view(step(app, first, *event))))
        heard = [place for place, said in before.items() if after.get(place) != said]
        assert heard or after.keys() <= before.keys(), event


def test_the_button_that_reveals_becomes_the_one_that_draws() -> None:
    state = gamble.init()
    before, after = (places(read(gamble.view(s))) for s in (state, step(gamble, state, "reveal")))
    assert before["reveal", None] == after["again", None]


@app
def test_nonsense_leaves_a_valid_state(app: Any) -> None:
    state = app.init()
    names = {name for name, _ in offered(app, state)} | {
        "deal",
        "roll",
        "stop",
        "pick",
        "kind",
        "again",
        "nothing",
        None,
        7,
    }
    for name in sorted(names, key=str):
        for value in NONSENSE:
            new = step(app, state, name, value)
            check_view(read(app.view(new)))
    assert step(app, state, "nothing", 3) == state


@app
def test_reset_leads_back_to_the_start(app: Any) -> None:
    start = app.init()
    state = start
    for name, value in offered(app, state):
        state = step(app, state, name, value)
    assert step(app, state, "reset") == start


def unwritten(*_: Any) -> None:
    raise NotImplementedError


def raising(*_: Any) -> float:
    return 1 / 0


def endless(*arguments: Any) -> Any:
    return endless(*arguments)


FAULTY = [
    (unwritten, "unwritten returns nothing yet"),
    (lambda *_: None, "returns nothing yet"),
    (raising, "raising raised ZeroDivisionError: division by zero"),
    (endless, "endless calls itself without end"),
    (lambda *_: "eight", "Your function returned 'eight': expected"),
    (lambda *_: float("nan"), "Your function returned nan: expected"),
    (lambda *_: 10**400, "Your function returned 1000"),
    (lambda *_: 10**9999, "Your function returned ...: expected"),
    (lambda: 1, "raised TypeError"),
]


@app
@pytest.mark.parametrize(("student", "sentence"), FAULTY)
def test_a_faulty_student_function_shows_one_sentence(app: Any, student: Any, sentence: str) -> None:
    event = {"name": "start", "value": None}
    state, note = _protocol.step(app, app.init(exercise=True), event, student)
    assert note == ""
    root = read(app.view(state))
    check_view(root)
    said = [p.text for p in root.all("p") if p.attributes.get("class") == "ec-student"]
    assert len(said) == 1
    assert sentence in said[0]
    assert "StudentError" not in said[0]


@app
def test_the_first_view_plays_the_students_function_and_changes_nothing_else(app: Any) -> None:
    first = app.init(exercise=True)
    state = step(app, first, "start", student=raising)
    assert {**state, "student": None} == {**first, "student": None}
    assert "ZeroDivisionError" in read(app.view(state)).text


@app
def test_without_a_student_function_the_exercise_says_who_plays(app: Any) -> None:
    words = "Here the course's own answer plays; in a notebook it is your function."
    assert words not in read(app.view(app.init())).text
    state = app.init(exercise=True)
    assert words in read(app.view(state)).text
    state = step(app, state, "run", student=raising)
    assert words not in read(app.view(state)).text
    assert words in read(app.view(step(app, state, "run"))).text


@app
def test_a_student_function_is_played_without_being_asked_for_twice(app: Any) -> None:
    state = step(app, app.init(), "reveal", student=raising)
    assert "ZeroDivisionError" in read(app.view(state)).text


@app
def test_the_page_gets_the_same_answer_as_the_kernel(app: Any) -> None:
    state = app.init()
    name, value = offered(app, state)[0]
    request = {
        "app": app.__name__.rpartition(".")[2],
        "state": _protocol.dump(state),
        "event": {"name": name, "value": value},
    }
    answer = json.loads(_protocol.answer(json.dumps(request)))
    assert answer["html"] == app.view(step(app, state, name, value))
    assert answer["note"] == ""
