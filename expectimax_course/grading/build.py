"""From solutions to exercises: one notebook is written by hand, the student's and the references come from it.

For each ``solutions/NN_name.ipynb`` the build

* checks that its cells and the question bank agree;
* completes its metadata: the course's version, and nbgrader's cell metadata, so that nbgrader can load it;
* writes ``exercises/NN_name.ipynb``: the same cells with the same ids, solutions replaced by stubs,
  discussion left out;
* writes ``grading/bank/cNN_name.json``: the sources of the reference answers, which stand in for a
  student's earlier answers when a later question is graded;
* executes what is new, so that every committed notebook shows its outputs.

References
----------
nbgrader's cell metadata, schema version 3:
https://nbgrader.readthedocs.io/en/stable/contributor_guide/metadata.html.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

import expectimax_course
from expectimax_course.grading import bank
from expectimax_course.grading.bank import Question, heading
from expectimax_course.grading.execution import execute
from expectimax_course.grading.exports import write_atomic
from expectimax_course.grading.notebook import KEY

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
ROLES = {"statement", "answer", "check", "app", "solution", None}
_REGION = re.compile(rf"^([ \t]*){BEGIN}[ \t]*\n(.*?)^[ \t]*{END}[ \t]*$", re.MULTILINE | re.DOTALL)


class BuildError(ValueError):
    """A solution notebook that breaks the format of ``grading.bank``."""


def build(root: Path, *, check: bool = False) -> list[str]:
    """Build all exercises of a repository.

    Parameters
    ----------
    root : the repository, with ``solutions`` and ``exercises``
    check : write nothing

    Returns
    -------
    list of str
        The files that were written, or with ``check`` those that are out of date (sources, metadata and
        ids; never outputs).

    Raises
    ------
    BuildError
        If a solution breaks the format; the message names notebook and cell.
    """
    solutions = sorted((root / "solutions").glob("[0-9][0-9]_*.ipynb"))
    if not solutions:
        raise BuildError(f"expected solutions/NN_name.ipynb below {str(root)!r}, got none")
    stale: list[str] = []
    for path in solutions:
        solution = nbformat.read(path, as_version=4)
        before = _compared(solution)
        complete(solution, path.stem)
        exercise = make_exercise(solution)
        for target, notebook, old in (
            (path, solution, before),
            (root / "exercises" / path.name, exercise, _compared_file(root / "exercises" / path.name)),
        ):
            if _compared(notebook) != old or (not check and not _executed(target)):
                stale.append(target.relative_to(root).as_posix())
                if not check:
                    _execute(notebook, root)
                    write_atomic(target, nbformat.writes(notebook) + "\n")
        stale += _write_references(solution, path.stem, check=check)
    known = {path.name for path in solutions}
    for extra in sorted((root / "exercises").glob("*.ipynb")):
        if extra.name not in known:
            stale.append(f"exercises/{extra.name} (no solution of that name)")
    return stale


def complete(notebook: NotebookNode, chapter: str) -> None:
    """Check a solution against the bank and complete its metadata in place.

    Raises
    ------
    BuildError
        If the notebook names another chapter, a role or question is unknown, a statement's heading differs
        from the bank's, marks are missing, or a question of the chapter has not exactly one answer cell.
    """
    section = notebook.metadata.setdefault(KEY, NotebookNode())
    if section.get("chapter") != chapter:
        raise BuildError(f"expected the metadata of {chapter} to name this chapter, got {section.get('chapter')!r}")
    section["version"] = expectimax_course.__version__
    answered: list[str] = []
    for position, cell in enumerate(notebook.cells, start=1):
        place = f"{chapter}, cell {position}"
        role, question = _role(cell, place)
        if role == "statement" and question is not None:
            first = cell.source.partition("\n")[0]
            if first != heading(question):
                raise BuildError(f"expected {heading(question)!r} as the first line of {place}, got {first!r}")
        if role == "answer" and question is not None:
            if len(_REGION.findall(cell.source)) != 1:
                raise BuildError(f"expected one {BEGIN} … {END} in {place}, got {cell.source!r}")
            answered.append(question.id)
        cell.metadata.pop("nbgrader", None)
        if role in ("answer", "check") and question is not None:
            cell.metadata["nbgrader"] = _nbgrader(question, role)
    asked = [question.id for question in bank.questions(chapter)]
    if answered != asked:
        raise BuildError(f"expected answers to {asked} in this order in {chapter}, got {answered}")


def _role(cell: NotebookNode, place: str) -> tuple[str | None, Question | None]:
    section = cell.metadata.get(KEY, {})
    role = section.get("role")
    if role not in ROLES:
        raise BuildError(f"expected a role of {sorted(filter(None, ROLES))} in {place}, got {role!r}")
    if role in ("statement", "answer", "check") or section.get("question"):
        try:
            return role, bank.question(str(section.get("question")))
        except ValueError as error:
            raise BuildError(f"{place}: {error}") from None
    return role, None


def _nbgrader(question: Question, role: str) -> NotebookNode:
    answer = role == "answer"
    name = question.id.replace(".", "-")
    fields: dict[str, Any] = {
        "grade": not answer,
        "grade_id": name if answer else f"{name}-check",
        "locked": not answer,
        "schema_version": 3,
        "solution": answer,
        "task": False,
    }
    return NotebookNode(fields if answer else {**fields, "points": question.points})


def make_exercise(solution: NotebookNode) -> NotebookNode:
    """Return the student's notebook of a completed solution: stubs for answers, no discussion, no outputs."""
    exercise = copy.deepcopy(solution)
    exercise.cells = [cell for cell in exercise.cells if cell.metadata.get(KEY, {}).get("role") != "solution"]
    for cell in exercise.cells:
        section = cell.metadata.get(KEY, {})
        if section.get("role") == "answer":
            stub = section.pop("stub", None)
            cell.source = with_stub(cell.source, bank.question(section["question"]), stub)
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return exercise


def with_stub(source: str, question: Question, stub: str | None = None) -> str:
    """Return an answer cell with the marked lines replaced by what the student starts from.

    Examples
    --------
    >>> source = "def weighted_value(outcomes):\\n    ### BEGIN SOLUTION\\n    return 0\\n    ### END SOLUTION"
    >>> print(with_stub(source, bank.question("01.weighted_value")))
    def weighted_value(outcomes):
        # YOUR CODE HERE
        raise NotImplementedError
    """

    def replacement(match: re.Match[str]) -> str:
        if stub is not None:
            return stub.rstrip("\n")
        if question.kind in ("value", "choice"):
            return f"{match[1]}{question.name} = ...  # YOUR ANSWER HERE"
        return f"{match[1]}# YOUR CODE HERE\n{match[1]}raise NotImplementedError"

    return _REGION.sub(replacement, source)


def references(solution: NotebookNode) -> list[dict[str, str | None]]:
    """Return the code that reference answers need, in order: answers with their question, given code with None."""
    entries: list[dict[str, str | None]] = []
    for cell in solution.cells:
        section = cell.metadata.get(KEY, {})
        if cell.cell_type == "code" and section.get("role") in (None, "answer"):
            source = _REGION.sub(lambda match: match[2].rstrip("\n"), cell.source)
            entries.append({"question": section.get("question"), "source": source})
    return entries


def _write_references(solution: NotebookNode, chapter: str, *, check: bool) -> list[str]:
    path = Path(bank.__file__).parent / f"c{chapter}.json"
    text = json.dumps(references(solution), indent=1, ensure_ascii=False) + "\n"
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return []
    if not check:
        write_atomic(path, text)
    return [f"expectimax_course/grading/bank/{path.name}"]


def _compared(notebook: NotebookNode) -> Any:
    """Return what ``--check`` compares: sources, metadata and ids."""
    cells: Iterable[NotebookNode] = notebook.cells
    about = notebook.metadata.get(KEY)
    return [
        dict(about or {}),
        *([cell.get("id"), cell.cell_type, cell.source, json.dumps(_lasting(cell), sort_keys=True)] for cell in cells),
    ]


def _lasting(cell: NotebookNode) -> dict[str, Any]:
    return {key: value for key, value in cell.metadata.items() if key != "execution"}


def _compared_file(path: Path) -> Any:
    return _compared(nbformat.read(path, as_version=4)) if path.exists() else None


def _executed(path: Path) -> bool:
    if not path.exists():
        return False
    cells = nbformat.read(path, as_version=4).cells
    return all(cell.execution_count for cell in cells if cell.cell_type == "code" and cell.source.strip())


def _execute(notebook: NotebookNode, root: Path) -> None:
    """Run a notebook in a fresh kernel and keep its outputs.

    Raises
    ------
    BuildError
        If the tools for it are missing, or a cell fails.
    """
    try:
        from nbclient.exceptions import CellExecutionError
    except ImportError:
        raise BuildError('expected nbclient, got none: pip install "expectimax-course[book]"') from None
    try:
        execute(notebook, root / "exercises")
    except CellExecutionError as error:
        raise BuildError(f"expected every cell to run, got: {error}") from None
