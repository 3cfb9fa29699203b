"""``LiveApp``: any app of the course, in a notebook and in the published page.

In a notebook the kernel answers every event. The published page has no kernel: there the same JavaScript file finds
the still view that ``LiveApp`` left as ``text/html``, starts Python in the page itself and lets the same app answer.
"""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from expectimax_course.apps import _protocol as protocol

_FOLDER = Path(__file__).parent
_PACKAGE_APPS = "expectimax_course.apps."


class LiveApp(anywidget.AnyWidget):
    """Show an app and keep it alive.

    Parameters
    ----------
    app : a module of ``expectimax_course.apps``, or any object with the same four names
    student : your own function, where the app is one for an exercise; it plays from the first view on
    **params : passed on to the app's ``init``

    Attributes
    ----------
    data : what every view of the widget shows: title, view, one sentence on what went wrong, the last answered event
    state : the app's state now

    Raises
    ------
    ValueError
        If ``student`` is given to an app that plays no student function, or is not a function.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> counter = SimpleNamespace(TITLE="Counter", init=lambda start=0: start,
    ...     update=lambda state, event: state + 1, view=lambda state: f"<p>{state}</p>")
    >>> app = LiveApp(counter, start=5)
    >>> app.dispatch("more")
    >>> app.state
    6
    """

    _esm = _FOLDER / "liveapp.js"
    _css = _FOLDER / "apps" / "apps.css"
    data = traitlets.Dict().tag(sync=True)

    def __init__(self, app: protocol.App, student: protocol.Student | None = None, **params: Any) -> None:
        if student is not None and not callable(student):
            raise ValueError(f"expected a function as student, got {student!r}")
        if student is not None and not protocol.plays_student(app):
            raise ValueError(f"expected an app that plays a student's function, got {app.TITLE!r}")
        super().__init__()
        self._app = app
        self._student = student
        self._params = params
        self._state = protocol.dump(app.init(**params))
        if student is None:
            self._show(self._state, "", None)
        else:
            self.dispatch("start")
        self.on_msg(self._on_message)

    @property
    def state(self) -> protocol.State:
        """The state, as JSON gives it back: tuples have become lists."""
        return json.loads(self._state)

    def dispatch(self, name: str, value: str | float | bool | None = None) -> None:
        """Do from Python what a click does in a view."""
        self._step({"name": name, "value": value}, None)

    def _step(self, event: protocol.Event, answered: str | None) -> None:
        state, note = protocol.step(self._app, self.state, event, self._student)
        self._show(protocol.dump(state), note, answered)

    def _show(self, dumped: str, note: str, answered: str | None) -> None:
        view = self._app.view(json.loads(dumped))
        self._state = dumped  # only now: a state that has no view is none to go on from
        self.data = {"title": self._app.TITLE, "html": view, "note": note, "answered": answered}

    def _on_message(self, _: Any, content: dict[str, Any], __: Any) -> None:
        if content.get("kind") == "hello":
            self.send({"kind": "here"})
        elif content.get("kind") == "event":
            try:
                self._step(content["event"], content["id"])
            except Exception as error:
                note = f"The app stopped with {type(error).__name__}: {error}"
                self.data = {**self.data, "note": note, "answered": content["id"]}

    def _page_data(self) -> str:
        """Return what the published page needs to go on; empty for an app that the package does not hold."""
        name = getattr(self._app, "__name__", "")
        if not name.startswith(_PACKAGE_APPS):
            return ""
        data = {
            "protocol": protocol.PROTOCOL,
            "app": name.removeprefix(_PACKAGE_APPS),
            "state": self._state,
        }
        return html.escape(json.dumps(data, ensure_ascii=False))

    def _still(self) -> str:
        title = html.escape(self._app.TITLE)
        return (
            f'<div class="ec-app" role="group" aria-label="{title}" data-liveapp="{self._page_data()}">'
            f"<h3>{title}</h3>"
            f'<div class="ec-app-view">{self._app.view(self.state)}</div>'
            f'<p class="ec-app-status ec-status" role="status">{html.escape(self.data["note"])}</p></div>'
        )

    def __repr__(self) -> str:
        name = getattr(self._app, "__name__", self._app.TITLE).rpartition(".")[2]
        student = [f"student={getattr(self._student, '__name__', '...')}"] if self._student else []
        params = [f"{key}={value!r}" for key, value in self._params.items()]
        return f"LiveApp({', '.join([name, *student, *params])})"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        bundle = super()._repr_mimebundle_(**kwargs)
        still = {"text/plain": repr(self), "text/html": self._still()}
        if isinstance(bundle, tuple):
            return {**bundle[0], **still}, bundle[1]
        return {**(bundle or {}), **still}
