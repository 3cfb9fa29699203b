"""One round trip of a live app, in text: what the kernel and the page's own Python both answer.

An app is a module of this folder with ``TITLE``, ``init(**params) -> state``, ``update(state, event) -> state`` and
``view(state) -> HTML``. The page keeps the state between two events as the JSON text it was given and never looks
inside, because JavaScript would turn 1.0 into 1 and round whole numbers above 2**53.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import json
from collections.abc import Callable
from typing import Any, Protocol

PROTOCOL = 1
"""Raised when the page's script and this module would no longer understand each other."""

State = Any
"""Whatever the app's ``init`` returns, as long as JSON can hold it."""

Event = dict[str, Any]
"""``{"name": str, "value": str | float | bool | None}``; an app leaves its state alone at a name that it does not know,
such as "start", which only asks a student's function to play."""

Student = Callable[..., Any]


class App(Protocol):
    """What every module in ``expectimax_course.apps`` offers; any object with these names will do."""

    TITLE: str
    init: Callable[..., State]
    update: Callable[..., State]
    view: Callable[[State], str]


class StudentError(Exception):
    """The student's function raised, or returned nothing; the message is one sentence for the student."""


def load(name: str) -> App:
    """Import the app of that name.

    Raises
    ------
    ValueError
        If there is no such app.
    """
    if not name.isidentifier() or name.startswith("_"):
        raise ValueError(f"expected the name of an app, got {name!r}")
    try:
        module: Any = importlib.import_module(f"expectimax_course.apps.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"expectimax_course.apps.{name}":
            raise
        raise ValueError(f"expected the name of an app, got {name!r}") from None
    app: App = module
    return app


def guard(student: Student) -> Student:
    """Wrap a student's function so that whatever goes wrong in it becomes one sentence; its signature stays readable.

    Raises
    ------
    StudentError
        From the wrapped function: it raised, or it returned None because it is not written yet.
    """
    if hasattr(student, "guarded"):
        return student
    name = getattr(student, "__name__", "your function")

    @functools.wraps(student)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        try:
            result = student(*args, **kwargs)
        except NotImplementedError:
            result = None
        except RecursionError:
            raise StudentError(f"{name} calls itself without end: does it stop at the end of the game?") from None
        except Exception as error:
            raise StudentError(f"{name} raised {type(error).__name__}: {error}") from error
        if result is None or result is ...:
            raise StudentError(f"{name} returns nothing yet: write it, then run its cell and this one again.")
        return result

    vars(guarded)["guarded"] = True
    return guarded


def step(app: App, state: State, event: Event, student: Student | None = None) -> tuple[State, str]:
    """Return the state after an event and one sentence about what went wrong, empty if nothing did.

    The old state comes back where the app refuses the event or the student's function fails, so that the reader
    can go on from there.
    """
    extra = {"student": guard(student)} if student is not None else {}
    try:
        return app.update(state, event, **extra), ""
    except StudentError as error:
        return state, str(error)
    except ValueError as error:
        return state, f"That is not possible here: {error}."
    except Exception as error:
        return state, f"The app stopped with {type(error).__name__}: {error}"


def plays_student(app: App) -> bool:
    """Say whether the app can run a student's function.

    >>> import types
    >>> plays_student(types.SimpleNamespace(update=lambda state, event, student=None: state))
    True
    """
    return "student" in inspect.signature(app.update).parameters


def dump(state: State) -> str:
    """Return the state as JSON text, the same text for the same state; tuples become lists.

    >>> dump({"total": 1.0, "seed": 2**60})
    '{"total":1.0,"seed":1152921504606846976}'
    """
    return json.dumps(state, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def answer(request: str) -> str:
    """Answer one request of the page, JSON text in and out.

    Parameters
    ----------
    request : ``{"app": name, "state": JSON text, "event": {"name": ..., "value": ...}}``

    Returns
    -------
    str
        ``{"state": JSON text, "html": the view, "note": a sentence or ""}``
    """
    message = json.loads(request)
    app = load(message["app"])
    state, note = step(app, json.loads(message["state"]), message["event"])
    return json.dumps({"state": dump(state), "html": app.view(state), "note": note}, ensure_ascii=False)
