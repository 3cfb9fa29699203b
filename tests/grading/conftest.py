"""A small chapter of its own, so that these tests do not move when the course's questions do."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from expectimax_course.grading import bank, grade
from expectimax_course.grading.bank import Case, Mutant, Question
from expectimax_course.rng import Rng

CHAPTER, MORE = "90_small", "91_more"


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
    id="91.colour",
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
    id="91.roll",
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
SMALL = {CHAPTER: (MEAN, TWICE, PARTS), MORE: (COLOUR, ROLL)}

ANSWERS = {
    CHAPTER: {
        "mean": "def mean(pairs):\n    return sum(v * p for v, p in pairs)\n",
        "twice": "def twice(pairs):\n    return 2 * mean(pairs)\n",
        "parts": "parts = {'a': 1, 'b': 2.5, 'c': (1, 2)}\n",
    },
    MORE: {
        "colour": "colour = 'blue'\n",
        "roll": "def roll(faces, rng):\n    return 1 + rng.below(faces)\n",
    },
}


@pytest.fixture(scope="module")
def small_bank() -> Iterator[None]:
    """The bank holds two small chapters alone."""
    references = {
        chapter: tuple({"question": f"{chapter[:2]}.{name}", "source": source} for name, source in answers.items())
        for chapter, answers in ANSWERS.items()
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bank, "chapters", lambda: tuple(SMALL))
        patch.setattr(bank, "questions", lambda chapter: next(SMALL[c] for c in SMALL if c[:2] == chapter[:2]))
        patch.setattr(grade, "chapter_references", references.__getitem__)
        yield


def write_submission(path: Path, *extra: str, chapter: str = CHAPTER, **replaced: str) -> Path:
    """Write a submission: cells with ``extra`` code, then the right answers, some of them replaced."""
    answers = {**ANSWERS[chapter], **replaced}
    sources = [(None, source) for source in extra] + [(f"{chapter[:2]}.{key}", answers[key]) for key in answers]
    cells = [
        {
            "cell_type": "code",
            "id": f"c{position}",
            "metadata": {"expectimax_course": {"role": "answer", "question": question}} if question else {},
            "source": source,
            "outputs": [],
            "execution_count": None,
        }
        for position, (question, source) in enumerate(sources)
    ]
    about = {"expectimax_course": {"chapter": chapter, "version": "0.1.0"}}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": about, "cells": cells}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path


@pytest.fixture
def write_notebook(tmp_path: Path) -> Callable[..., Path]:
    """Return ``write_submission`` for names below the test's own folder."""
    return lambda name="submission.ipynb", *extra, **rest: write_submission(tmp_path / name, *extra, **rest)


@pytest.fixture(scope="session")
def write_to() -> Callable[..., Path]:
    """Return ``write_submission`` for full paths."""
    return write_submission
