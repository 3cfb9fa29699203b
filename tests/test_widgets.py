"""LiveApp: what the kernel answers, what the page gets, and what a student's broken function leads to."""

from __future__ import annotations

import html
import inspect
import json
import re
from types import SimpleNamespace
from typing import Any

import pytest

from expectimax_course.apps import _protocol as protocol
from expectimax_course.apps import push_table
from expectimax_course.widgets import LiveApp


def counter(**changes: Any) -> SimpleNamespace:
    """An app that counts, by a student's function if there is one."""

    def update(state: dict[str, Any], event: protocol.Event, student: Any = None) -> dict[str, Any]:
        if event["name"] == "refuse":
            raise ValueError("expected a number, got 'x'")
        if event["name"] == "break":
            raise KeyError("total")
        if event["name"] == "start":
            return {**state, "said": student(state["n"])}
        return {**state, "n": state["n"] + (student(state["n"]) if student else 1)}

    parts = {"TITLE": "Count", "init": lambda start=0: {"n": start, "pair": (1, 2)}, "update": update}
    return SimpleNamespace(**parts | {"view": lambda state: f"<b>{state['n']}</b>"} | changes)


def page_data(app: LiveApp) -> Any:
    markup = app._repr_mimebundle_()
    bundle = markup[0] if isinstance(markup, tuple) else markup
    found = re.search(r'data-liveapp="([^"]*)"', bundle["text/html"])
    assert found
    return json.loads(html.unescape(found[1]) or "null")


def test_dispatch_does_what_a_click_does() -> None:
    app = LiveApp(counter(), start=5)
    app.dispatch("more")
    assert app.state == {"n": 6, "pair": [1, 2]}
    assert app.data["html"] == "<b>6</b>"


def test_a_view_is_answered_by_its_own_name_and_greeted(monkeypatch: pytest.MonkeyPatch) -> None:
    app = LiveApp(counter())
    sent: list[Any] = []
    monkeypatch.setattr(app, "send", sent.append)
    app._on_message(app, {"kind": "hello"}, [])
    app._on_message(app, {"kind": "event", "id": "7-0", "event": {"name": "more", "value": None}}, [])
    assert sent == [{"kind": "here"}]
    assert app.data == {"title": "Count", "html": "<b>1</b>", "note": "", "answered": "7-0"}


def fails_at_one(state: Any) -> str:
    if state["n"] == 1:
        raise RuntimeError("no picture of 1")
    return f"<b>{state['n']}</b>"


@pytest.mark.parametrize(
    ("app", "note"),
    [
        (counter(view=fails_at_one), "The app stopped with RuntimeError: no picture of 1"),
        (
            counter(update=lambda state, event: {"n": {1}}),
            "The app stopped with TypeError: Object of type set is not JSON serializable",
        ),
    ],
    ids=["view", "dump"],
)
def test_a_state_that_cannot_be_shown_is_given_up_and_the_view_is_answered(app: Any, note: str) -> None:
    widget = LiveApp(app)
    widget._on_message(widget, {"kind": "event", "id": "7-0", "event": {"name": "more", "value": None}}, [])
    assert widget.data == {"title": "Count", "html": "<b>0</b>", "note": note, "answered": "7-0"}
    assert widget.state["n"] == 0


def test_the_still_view_says_how_the_page_goes_on() -> None:
    app = LiveApp(push_table)
    data = page_data(app)
    assert (data["protocol"], data["app"]) == (protocol.PROTOCOL, "push_table")
    assert json.loads(data["state"]) == app.state
    assert repr(app) == "LiveApp(push_table)"


def test_two_widgets_of_one_app_leave_the_same_bytes() -> None:
    assert LiveApp(push_table)._still() == LiveApp(push_table)._still()


def test_an_app_from_elsewhere_is_shown_but_not_woken_in_the_page() -> None:
    assert page_data(LiveApp(counter())) is None


def double(n: int) -> int:
    return 2 * n + 2


def unwritten(n: int) -> int:
    raise NotImplementedError


def silent(n: int) -> None:
    return None


def divides(n: int) -> float:
    return n / 0


def endless(n: int) -> int:
    return endless(n)


def test_the_app_plays_the_students_function_from_the_first_view_on() -> None:
    app = LiveApp(counter(), student=double, start=3)
    assert app.state["said"] == 8
    app.dispatch("more")
    assert app.state["n"] == 11
    assert repr(app) == "LiveApp(Count, student=double, start=3)"


def test_a_guard_keeps_the_signature_and_is_put_on_once() -> None:
    """Apps tell the exercises apart by their parameters."""
    guarded = protocol.guard(double)
    assert inspect.signature(guarded) == inspect.signature(double)
    assert protocol.guard(guarded) is guarded


def test_a_function_that_fails_is_told_in_the_still_view() -> None:
    app = LiveApp(counter(), student=divides)
    assert 'role="status">divides raised ZeroDivisionError: division by zero</p>' in app._still()


@pytest.mark.parametrize(
    ("student", "sentence"),
    [
        (unwritten, "unwritten returns nothing yet: write it, then run its cell and this one again."),
        (silent, "silent returns nothing yet: write it, then run its cell and this one again."),
        (divides, "divides raised ZeroDivisionError: division by zero"),
        (endless, "endless calls itself without end: does it stop at the end of the game?"),
    ],
)
def test_a_function_that_fails_leaves_one_sentence_and_the_old_state(student: Any, sentence: str) -> None:
    app = LiveApp(counter(), student=student)
    app.dispatch("more")
    assert app.data["note"] == sentence
    assert app.state["n"] == 0


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        ("refuse", "That is not possible here: expected a number, got 'x'."),
        ("break", "The app stopped with KeyError: 'total'"),
    ],
)
def test_an_app_that_raises_keeps_its_state_and_says_why(event: str, sentence: str) -> None:
    app = LiveApp(counter())
    app.dispatch(event)
    assert (app.data["note"], app.state["n"]) == (sentence, 0)


def test_a_student_must_be_a_function_and_the_app_must_play_it() -> None:
    with pytest.raises(ValueError, match="expected a function as student, got 3"):
        LiveApp(counter(), student=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected an app that plays a student's function, got 'Count'"):
        LiveApp(counter(update=lambda state, event: state), student=double)


def test_states_pass_through_the_page_unchanged() -> None:
    """JavaScript would make 1.0 an int and round 2**60; the page never parses the state."""
    assert json.loads(protocol.dump({"x": 1.0, "seed": 2**60})) == {"x": 1.0, "seed": 2**60}
    assert protocol.dump({"x": 1.0}) == '{"x":1.0}'


@pytest.mark.parametrize("name", ["nothing", "_protocol", "../game", ""])
def test_an_unknown_app_is_refused_by_name(name: str) -> None:
    with pytest.raises(ValueError, match="expected the name of an app, got"):
        protocol.load(name)
