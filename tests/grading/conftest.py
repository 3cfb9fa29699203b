"""A small chapter of its own, so that these tests do not move when the course's questions do."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from expectimax_course.grading import bank, grade
from expectimax_course.grading.bank import Case, Mutant, Question
from expectimax_course.rng import Rng

CHAPTER = "90_small"


def mean(pairs: list[tuple[float, float]]) -> float:
    return sum(value * probability for value, probability in pairs)


def draw_pairs(rng: Rng) -> tuple[Any, ...]:
    first = (1 + rng.below(9)) / 10
    return ([(float(rng.below(20)), first), (float(20 + rng.below(20)), 1 - first)],)


MEAN = Question(
    id="90.mean",
    title="The mean",
    kind="function",
    points=5,
    minutes=5,
    signature="mean(pairs: list[tuple[float, float]]) -> float",
    oracle=mean,
    visible=(Case(([(10.0, 0.9), (-5.0, 0.1)],), note="A gamble."), Case(([(2.0, 1.0)],))),
    generate=draw_pairs,
    mutants=(
        Mutant(
            "unweighted",
            lambda pairs: sum(value for value, _ in pairs) / len(pairs),
            "This is the mean of the children: weight them by their probabilities.",
            cap=4,
        ),
        Mutant("worst", lambda pairs: min(value for value, _ in pairs), "This is the worst child."),
    ),
    hints=("What does each child weigh?", "Multiply, then add."),
    seconds=1.0,
)
TWICE = Question(
    id="90.twice",
    title="Twice the mean",
    kind="function",
    points=3,
    minutes=5,
    signature="twice(pairs: list[tuple[float, float]]) -> float",
    oracle=lambda pairs: 2 * mean(pairs),
    visible=(Case(([(1.0, 1.0)],)),),
    generate=draw_pairs,
    seconds=1.0,
)
PARTS = Question(
    id="90.parts",
    title="Three numbers",
    kind="value",
    points=3,
    minutes=1,
    signature="parts: dict[str, float]",
    oracle=lambda key: {"a": 1, "b": 2.5, "c": [1, 2]}[key],
    visible=(Case(("a",)), Case(("b",), note="Half of five."), Case(("c",))),
)
COLOUR = Question(
    id="90.colour",
    title="A colour",
    kind="choice",
    points=1,
    minutes=1,
    signature="colour: str",
    oracle=lambda: "blue",
    choices=("red", "blue"),
    visible=(Case(),),
    mutants=(Mutant("red", lambda: "red", "Red is the other one."),),
)
ROLL = Question(
    id="90.roll",
    title="A die",
    kind="sampler",
    points=2,
    minutes=2,
    signature="roll(faces: int, rng: Rng) -> int",
    oracle=lambda faces: [(face, 1 / faces) for face in range(1, faces + 1)],
    visible=(Case((6,)),),
    generate=lambda rng: (2 + rng.below(4),),
    mutants=(
        Mutant("from zero", lambda faces: [(face, 1 / faces) for face in range(faces)], "Faces count from 1.", cap=1),
    ),
    hidden=5,
)
SMALL = (MEAN, TWICE, PARTS, COLOUR, ROLL)

ANSWERS = {
    "mean": "def mean(pairs):\n    return sum(v * p for v, p in pairs)\n",
    "twice": "def twice(pairs):\n    return 2 * mean(pairs)\n",
    "parts": "parts = {'a': 1, 'b': 2.5, 'c': (1, 2)}\n",
    "colour": "colour = 'blue'\n",
    "roll": "def roll(faces, rng):\n    return 1 + rng.below(faces)\n",
}
FULL = 14.0


@pytest.fixture
def small_bank(monkeypatch: pytest.MonkeyPatch) -> tuple[Question, ...]:
    """The bank holds the chapter 90_small alone."""
    monkeypatch.setattr(bank, "chapters", lambda: (CHAPTER,))
    monkeypatch.setattr(bank, "questions", lambda chapter: SMALL)
    references = tuple({"question": f"90.{name}", "source": source} for name, source in ANSWERS.items())
    monkeypatch.setattr(grade, "chapter_references", lambda chapter: references)
    return SMALL


Write = Callable[..., Path]


@pytest.fixture
def write_notebook(tmp_path: Path) -> Write:
    """Return a function that writes a submission: the right answers, with some replaced, and extra cells."""

    def write(name: str = "submission.ipynb", *extra: str, chapter: str = CHAPTER, **replaced: str) -> Path:
        sources = [(f"90.{key}", source) for key, source in {**ANSWERS, **replaced}.items()]
        cells = [
            {
                "cell_type": "code",
                "id": f"c{position}",
                "metadata": {"expectimax_course": {"role": "answer", "question": question}} if question else {},
                "source": source,
                "outputs": [],
                "execution_count": None,
            }
            for position, (question, source) in enumerate([*((None, source) for source in extra), *sources])
        ]
        notebook = {
            "nbformat": 4,
            "nbformat_minor": 5,
            "metadata": {"expectimax_course": {"chapter": chapter, "version": "0.1.0"}},
            "cells": cells,
        }
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(notebook), encoding="utf-8")
        return path

    return write
