"""The question bank: one module per chapter, and this guide to writing one.

A chapter ``NN_name`` has a module ``bank/cNN_name.py`` with ``QUESTIONS: tuple[Question, ...]``, easiest
first, in the order of the notebook. Everything here runs on the standard library (``check`` runs in a
browser); import what an oracle needs inside the oracle when it lies above layer 2.

Writing a question
------------------
``id``
    ``"NN.name"``. ``name`` is what the student defines: a function, or a variable for ``value`` and
    ``choice``.
``kind``
    * ``function`` — the student's ``name(*args)`` is called once per case.
    * ``value`` — the student assigns ``name = ...``. A case with no argument compares the whole value; a
      case with arguments ``(key,)`` compares ``name[key]``, so that one dictionary can hold several
      answers.
    * ``choice`` — as ``value``, and every answer is one of ``choices`` (tell the reader that list in the
      statement).
    * ``sampler`` — the student's ``name(*args, rng)`` returns one draw from an explicit ``Rng``. It is called
      ``draws`` times per case; the oracle, and every mutant, returns the *distribution* as a list of
      ``(outcome, probability)``. Five standard errors are allowed.
    * ``property-test`` — the student's ``name(candidate, ...)`` tests other code and returns True or False;
      cases pass candidates as ``Source``.
``oracle(*args)``
    The right answer: the package's own function, or at most ten lines here. It runs outside the sandbox.
    Where it raises ``ValueError`` or a subclass, the student's function must raise ``ValueError`` (or any
    subclass). For ``value`` and ``choice`` it takes the case's arguments too: nothing, or the key.
``visible``
    A few ``Case(args, note="...")`` a student may see; the note is one sentence shown when that case fails.
``generate(rng)``
    Draws the arguments of *one* more case (a tuple) from an ``Rng``. ``grade`` calls it ``hidden`` times
    with the instructor's seed; ``check`` uses it with a public seed, so that students meet the same kind of
    case without ever seeing a graded one. ``value`` and ``choice`` have none: there the visible cases are
    the graded ones. Draw edge cases with real probability (ties, one outcome, the first and the last
    index), and keep cases small: all cases of a question together run well under a second.
``tolerance``
    Numbers agree if ``math.isclose(rel_tol=tolerance, abs_tol=tolerance)``. Lists and tuples are the same,
    ints do for floats, NumPy scalars and arrays do for both, bool only for bool, nan equals nothing.
``accept(got, expected, *args)``
    Only where several answers stand for one another (such as True for 1.0): says if a plain ``got`` will do for
    ``expected``, which may be a mutant's answer too.
``mutants``
    Known wrong implementations, with the oracle's signature: ``Mutant(name, fn, message, cap)``. An answer
    that agrees with one on *all* cases, and differs from the oracle on at least one, gets its message and
    earns exactly ``cap`` points, and one that does so wherever it is wrong at least ``cap``. One that repeats a wrong
    answer of it, and is right on no graded case beyond those on which it is right, earns at most ``cap``; one that
    gives a constant, right or wrong, and is right nowhere else, earns nothing, so no mutant is needed for constants.
    The message names the misconception and the way out, not the answer: "this is the mean of the payoffs: weight each
    by its probability". A mutant may raise. ``given=True`` marks
    the broken code that a "find the fault" exercise starts from: who hands it in unchanged has "not
    attempted" the question.
``hints``
    None to two; the first asks a question, the second points to the idea. Never the answer.
``allows``
    Modules the sandbox may import beside ``expectimax_course.game``, ``.rng``, ``.trees``, ``.games.*``,
    the rules of the case studies and NumPy: full names, such as ``"expectimax_course.stats"``. Never one
    that holds the answer.
``seconds``
    The time that each cell, and all cases together, may take when grading. No question of the course needs more than
    the default; tests that run out of time need less.
``forbids``
    Modules among those that every question may import and this one may not, because they hold its answer: the rules
    of 2048 in chapter 06.

Arguments cross into another process, so they are plain data or recipes (``grading.codec``):

* None, bool, int, float (nan and infinities too), str, Fraction, list, tuple, dict — as they are;
* a NamedTuple, an Enum or a dataclass of the package (states, ``Player``) — as it is;
* any other object, such as a game: ``Make("expectimax_course.games.push_to_21:PushTo21", target=30)``;
  ``Make`` calls the thing, its arguments may be recipes too (``Make("expectimax_course.trees:parse_tree",
  "...")``);
* a function of the package, uncalled: ``Named("expectimax_course.games.pig:some_function")``;
* a function written for the case: ``Source("def evaluate(state):\\n    return state.total / 2",
  "evaluate")``.

Oracle, mutants and the student each get freshly built arguments; what they return may hold the same plain
data.

Example
-------
``bank/c01_expected_case.py`` holds a complete question, ``01.weighted_value``. ``pytest
tests/grading/test_bank.py`` checks every question of the bank: ids, points in quarters, hints, the oracle
on many seeds, every mutant caught with its own message both in ``check`` and in ``grade``, and that answers
which delegate to the package are refused.

The notebook
------------
``solutions/NN_name.ipynb`` is the one source; ``expectimax-course exercises build`` makes
``exercises/NN_name.ipynb`` and ``bank/cNN_name.json`` (the references, as text) from it, and completes the
nbgrader metadata of the solution itself. Notebook metadata: ``{"expectimax_course": {"chapter":
"NN_name"}}`` (the build adds the version). Every cell has an ``id``. A cell says what it is in its
metadata, ``{"expectimax_course": {"role": ..., "question": "NN.name"}}``:

============= ======== ===================================================================================
role          cell     meaning
============= ======== ===================================================================================
(none)        any      copied as it is; code is run when grading
``statement`` markdown the task. Its first line is ``heading(question)``: ``## Title (2 points, 5 minutes)``
``answer``    code     the reference, between ``### BEGIN SOLUTION`` and ``### END SOLUTION``
``check``     code     ``check("NN.name")``; run when grading, where ``check`` does nothing
``app``       code     shows or plays with the student's function; run when grading, where drawings do nothing
``solution``  any      only on the solution page: the discussion
============= ======== ===================================================================================

In an ``answer`` cell of a function the marks stand *inside* the function, indented, below signature and
docstring; the student gets ``# YOUR CODE HERE`` and ``raise NotImplementedError`` in their place. For
``value`` and ``choice`` they stand at the left margin and the student gets ``name = ...``. Where the
exercise starts from broken code, the cell's metadata has ``"stub"``: the text that replaces the marked
lines. There is one answer cell per question, the answer must run with what the cells above it define
(imports go in a cell with no role at the top), and may call earlier answers: when a question is graded,
earlier ones are replaced by the reference, so that one mistake is punished once; where that does not earn full points,
the student's own are tried, and the better result counts. No cell may fail when the
stubs are untouched.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from expectimax_course.grading.codec import Make, Named, Source
from expectimax_course.rng import Rng

__all__ = [
    "Case",
    "Make",
    "Mutant",
    "Named",
    "Question",
    "Source",
    "chapters",
    "heading",
    "question",
    "questions",
]

Kind = Literal["function", "value", "choice", "sampler", "property-test"]


@dataclass(frozen=True)
class Case:
    """One call of the student's function, or one part of the student's value.

    Parameters
    ----------
    args : the arguments, plain data or recipes
    note : one sentence shown when a *visible* case fails
    """

    args: tuple[Any, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Mutant:
    """A known wrong implementation.

    Parameters
    ----------
    name : short name for tests and tables
    fn : takes what the oracle takes
    message : what the student reads: the misconception and the way out
    cap : what such an answer earns, in points
    given : True for the broken code that the exercise starts from
    """

    name: str
    fn: Callable[..., Any]
    message: str
    cap: float = 0.0
    given: bool = False


@dataclass(frozen=True, eq=False)
class Question:
    """One question; the module's docstring explains every field."""

    id: str
    title: str
    kind: Kind
    points: float
    minutes: int
    signature: str
    oracle: Callable[..., Any]
    visible: tuple[Case, ...]
    generate: Callable[[Rng], tuple[Any, ...]] | None = None
    mutants: tuple[Mutant, ...] = ()
    hints: tuple[str, ...] = ()
    allows: tuple[str, ...] = ()
    forbids: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    tolerance: float = 1e-9
    accept: Callable[..., bool] | None = None
    hidden: int = 20
    draws: int = 2000
    seconds: float = 5.0

    def __post_init__(self) -> None:
        """Refuse a question that breaks the guide.

        Raises
        ------
        ValueError
            With the field, what was expected and what came.
        """

        def need(right: bool, expected: str, got: object) -> None:
            if not right:
                raise ValueError(f"expected {expected} in question {self.id!r}, got {got!r}")

        need(re.fullmatch(r"\d\d\.[a-z]\w*", self.id) is not None, "an id such as '05.star1'", self.id)
        need(self.points > 0 and self.points * 4 % 1 == 0, "points in quarters, more than 0", self.points)
        need(len(self.hints) <= 2, "at most two hints", self.hints)
        need(len(self.visible) > 0, "at least one visible case", self.visible)
        fixed = self.kind in ("value", "choice")
        need(fixed == (self.generate is None), "a generator, except for value and choice", self.generate)
        need((self.kind == "choice") == bool(self.choices), "choices for kind 'choice' alone", self.choices)
        need(
            self.signature.startswith(self.name),
            f"a signature that starts with {self.name!r}",
            self.signature,
        )
        for mutant in self.mutants:
            low = 0 <= mutant.cap < self.points and mutant.cap * 4 % 1 == 0
            need(low, f"a cap of mutant {mutant.name!r} in quarters, below the points", mutant.cap)

    def __reduce__(self) -> tuple[Callable[[str], Question], tuple[str]]:
        """Cross process borders as an id: the bank is everywhere, lambdas do not travel."""
        return question, (self.id,)

    @property
    def name(self) -> str:
        """What the student defines."""
        return self.id.partition(".")[2]

    @property
    def chapter(self) -> str:
        """The number of the chapter, such as ``"01"``."""
        return self.id.partition(".")[0]


def heading(question: Question) -> str:
    """Return the first line of a question's statement.

    Examples
    --------
    >>> heading(question("01.weighted_value"))
    '## The value of a gamble (2 points, 5 minutes)'
    """
    points = f"{question.points:g} point" + ("s" if question.points != 1 else "")
    minutes = f"{question.minutes} minute" + ("s" if question.minutes != 1 else "")
    return f"## {question.title} ({points}, {minutes})"


@cache
def chapters() -> tuple[str, ...]:
    """Return the chapters that have questions, such as ``"01_expected_case"``, in order."""
    return tuple(sorted(m.name[1:] for m in pkgutil.iter_modules(__path__) if re.match(r"c\d\d_", m.name)))


@cache
def questions(chapter: str) -> tuple[Question, ...]:
    """Return the questions of one chapter in order; ``chapter`` is ``"01_expected_case"`` or just ``"01"``.

    Raises
    ------
    ValueError
        If no such chapter has questions.
    """
    for name in chapters():
        if chapter in (name, name[:2]):
            found: Sequence[Question] = importlib.import_module(f"{__name__}.c{name}").QUESTIONS
            return tuple(found)
    raise ValueError(f"expected a chapter with questions, one of {', '.join(chapters())}, got {chapter!r}")


def question(id: str) -> Question:
    """Return the question with this id.

    Raises
    ------
    ValueError
        If there is none; the error lists what there is.
    """
    known = questions(id[:2]) if any(name[:2] == id[:2] for name in chapters()) else ()
    for candidate in known:
        if candidate.id == id:
            return candidate
    ids = [one.id for name in chapters() for one in questions(name)]
    raise ValueError(f"expected one of {', '.join(ids)}, got {id!r}")
