"""The controls of the live apps: one look, one set of accessible names, one way to read what a control sends.

Every control has a visible label, carries ``data-event`` for the page's script and ``data-lm-suppress-shortcuts`` so
that JupyterLab leaves its keys alone. No control has an id: two apps can stand on one page.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

from expectimax_course.apps._protocol import StudentError, guard
from expectimax_course.viz.html import element, text

FOCUSABLE: dict[str, Any] = {"data_lm_suppress_shortcuts": "true"}


def button(
    label: str,
    event: str,
    value: str | None = None,
    *,
    primary: bool = False,
    quiet: bool = False,
    pressed: bool | None = None,
    enabled: bool = True,
) -> str:
    """Return a button: ``primary`` is the one that stands out, ``quiet`` a reset, ``pressed`` one of a choice."""
    return element(
        "button",
        text(label),
        type="button",
        class_="ec-primary" if primary else "ec-quiet" if quiet else None,
        data_event=event,
        data_value=value,
        aria_pressed=pressed,
        aria_disabled=None if enabled else True,
        **FOCUSABLE,
    )


def slider(label: str, event: str, value: float, low: float, high: float, *, step: float = 1, shown: str = "") -> str:
    """Return a slider with its label and value above it; ``shown`` is the value in words, with its unit."""
    words = shown or f"{value:g}"
    head = element("span", text(label)) + element("span", text(words), class_="ec-number")
    control = element(
        "input",
        type="range",
        min=f"{low:g}",
        max=f"{high:g}",
        step=f"{step:g}",
        value=f"{value:g}",
        data_event=event,
        aria_label=label,
        aria_valuetext=words,
        **FOCUSABLE,
    )
    return element("label", element("span", head, class_="ec-slider-head"), control, class_="ec-slider")


def choice(label: str, event: str, options: Iterable[tuple[str, str]], value: str) -> str:
    """Return a drop-down list of (value, words) options."""
    items = [element("option", text(words), value=key, selected=key == value) for key, words in options]
    control = element("select", *items, data_event=event, **FOCUSABLE)
    return element("label", element("span", text(label)), control, class_="ec-field")


def text_field(label: str, event: str, value: str, *, largest: int, wrong: bool = False) -> str:
    """Return a one-line text field of at most ``largest`` characters."""
    control = element(
        "input",
        type="text",
        value=value,
        maxlength=largest,
        spellcheck="false",
        autocomplete="off",
        data_event=event,
        aria_invalid=True if wrong else None,
        **FOCUSABLE,
    )
    return element("label", element("span", text(label)), control, class_="ec-field")


def row(*controls: str, label: str = "", keys: str | None = None) -> str:
    """Return controls side by side.

    With a ``label`` they are one named group. ``keys``, such as "ArrowRight=step", work while one has the focus.
    """
    group = {"role": "group", "aria_label": label} if label else {}
    return element("div", *controls, class_="ec-row", data_keys=keys, **group)


def grid(*controls: str) -> str:
    """Return controls in as many columns as fit."""
    return element("div", *controls, class_="ec-grid")


def slot(*markup: str) -> str:
    """Return a place for what is not always there.

    The page changes its elements in place, by position: with a slot everything below stays the same element, and the
    focus stays where it is.
    """
    return element("div", *markup)


def scroll(label: str, *markup: str, tall: Literal["", "start", "end"] = "") -> str:
    """Return a region that scrolls on its own and is reached by keyboard.

    ``tall`` limits its height and says which end shows when it overflows.
    """
    classes = {"": "ec-scroll", "start": "ec-scroll ec-scroll-y", "end": "ec-scroll ec-scroll-y ec-scroll-end"}
    return element(
        "div",
        *markup,
        class_=classes[tall],
        role="region",
        aria_label=label,
        tabindex="0",
        **FOCUSABLE,
    )


def paragraph(words: str, class_: str | None = None, *, live: bool = False) -> str:
    """Return a paragraph of plain text; a ``live`` one is read aloud when it changes, and may be empty."""
    return element("p", text(words), class_=class_, role="status" if live else None)


def what_to_try(words: str) -> str:
    """Return the sentence that says what to try."""
    return element("p", element("strong", "Try: "), text(words), class_="ec-try")


def details(summary: str, *markup: str) -> str:
    """Return what stands one click away."""
    return element("details", element("summary", text(summary), **FOCUSABLE), *markup)


def read_number(value: Any, low: float, high: float) -> float | None:
    """Return what a control sent as a finite number within its limits, or None where it is no number.

    Examples
    --------
    >>> read_number("7", 0, 5), read_number("seven", 0, 5), read_number(True, 0, 5)
    (5.0, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        read = float(value)
    except (ValueError, OverflowError):
        return None
    return float(min(max(read, low), high)) if math.isfinite(read) else None


def read_whole(value: Any, low: int, high: int) -> int | None:
    """Return what a control sent as a whole number within its limits, or None."""
    read = read_number(value, low, high)
    return None if read is None else round(read)


def ask_student(student: Callable[..., Any], *args: Any) -> dict[str, Any]:
    """Call a student's function that should return a number.

    Returns
    -------
    dict
        ``{"value": float}``, or ``{"sentence": str}`` that says in one sentence what went wrong.

    Examples
    --------
    >>> ask_student(lambda x: x / 2, 5), ask_student(lambda x: "two", 5)["sentence"]
    ({'value': 2.5}, "Your function returned 'two': expected a finite number.")
    """
    try:
        result = guard(student)(*args)
    except StudentError as error:
        return {"sentence": str(error)}
    value = finite(result)
    return {"sentence": returned(result, "a finite number")} if value is None else {"value": value}


def finite(value: Any) -> float | None:
    """Return what a student's function gave as a finite number, or None where it is none, such as 10**400.

    Examples
    --------
    >>> finite(3), finite("3"), finite(True), finite(10**400)
    (3.0, None, None, None)
    """
    if isinstance(value, bool | str):
        return None
    try:
        read = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return read if math.isfinite(read) else None


def returned(result: Any, expected: str) -> str:
    """Return the sentence on what a student's function returned and what was expected.

    Examples
    --------
    >>> returned("two", "a finite number"), returned(10**9999, "a finite number")
    ("Your function returned 'two': expected a finite number.", 'Your function returned ...: expected a finite number.')
    """
    try:
        words = f"{result!r:.60}"
    except Exception:  # Python writes no number of more than some thousand digits
        words = "..."
    return f"Your function returned {words}: expected {expected}."


def whose(student: dict[str, Any] | None, sentence: Callable[[dict[str, Any]], str]) -> str:
    """Return whose function plays: what ``sentence`` says of the student's answer, or what went wrong with it."""
    if student is None:
        words = "Here the course's own answer plays; in a notebook it is your function."
    else:
        words = student["sentence"] if "sentence" in student else sentence(student)
    return paragraph(words, "ec-student", live=True)


def join(words: Sequence[str]) -> str:
    """Return a list in words.

    >>> join(["a", "b", "c"])
    'a, b and c'
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
