"""``exercises build``, ``check`` and ``grade``: the instructor's commands."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from expectimax_course.cli import emit

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the tree."""
    exercises = typer.Typer(help="Make the students' notebooks from the solutions.", no_args_is_help=True)
    exercises.callback()(lambda: None)  # keeps "build" a subcommand while it is the only one
    exercises.command("build")(build)
    app.add_typer(exercises, name="exercises")
    app.command()(check)
    app.command()(grade)


def build(
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 if anything is out of date.")] = False,
    root: Annotated[Path, typer.Option(help="The repository.")] = Path("."),
    as_json: Json = False,
) -> None:
    """Generate exercises/ and the reference answers from solutions/."""
    from expectimax_course.grading.build import build as build_all

    files = build_all(root, check=check)
    word = "out of date" if check else "written"
    emit({"files": files}, as_json=as_json, text="\n".join([f"{word}: {file}" for file in files] or ["up to date"]))
    if check and files:
        raise typer.Exit(1)


def check(
    notebook: Annotated[Path, typer.Argument(help="An exercise notebook.")],
    as_json: Json = False,
) -> None:
    """Check a notebook on the cases that may be seen. Exit 0: all passed or not attempted; 1: not; 2: unreadable."""
    from expectimax_course.grading.exports import verdict_text
    from expectimax_course.grading.grade import grade as grade_one
    from expectimax_course.grading.sandbox import SandboxError

    try:
        report = grade_one(notebook, notebook.name, None)
    except SandboxError as error:
        raise ValueError(str(error)) from error
    if report.problem:
        raise ValueError(report.problem)
    statuses = {verdict.question.id: verdict.status for verdict in report.verdicts}
    lines = [f"{verdict.question.id}  {verdict.status}: {verdict_text(verdict)}" for verdict in report.verdicts]
    lines += [f"cell {index} was skipped: {error}" for index, error in report.cell_errors]
    result = {"chapter": report.chapter, "questions": statuses, "cells_skipped": dict(report.cell_errors)}
    emit(result, as_json=as_json, text="\n".join(lines))
    if not set(statuses.values()) <= {"passed", "not_attempted"}:
        raise typer.Exit(1)


def grade(
    inputs: Annotated[list[Path], typer.Argument(help="Notebooks, or folders of them.")],
    out: Annotated[Path, typer.Option(help="Folder for grades.csv, junit.xml, results/ and feedback/.")],
    seed: Annotated[int | None, typer.Option(help="Draws the graded cases. Keep it secret.")] = None,
    jobs: Annotated[int, typer.Option(help="Submissions graded at a time.")] = 1,
    as_json: Json = False,
) -> None:
    """Grade submissions. Exit 0: each has its report; 1: some must be graded again, through no fault of theirs.

    Without --seed OUT's own is taken, or one is drawn and noted there.
    """
    from expectimax_course.grading.batch import grade_all, left_out, seed_for

    used = seed_for(out) if seed is None else seed
    reports = grade_all(inputs, out, seed=used, jobs=jobs, progress=sys.stderr.isatty())
    lines = [f"{report.name}: {report.problem or f'{report.score:g} of {report.max_score:g}'}" for report in reports]
    others = left_out(inputs, out)
    lines += [f"{name}: not graded: {why}" for name, why in others.items()]
    lines = [line.replace("\n", "?") for line in lines]  # a name may look like somebody else's line
    statuses = Counter(verdict.status for report in reports for verdict in report.verdicts)
    lines.append(f"{len(reports)} reports in {out}, seed {used}")
    result = {
        "out": str(out),
        "seed": str(used),
        "submissions": [
            {
                "submission": report.name,
                "chapter": report.chapter,
                "score": None if report.problem else report.score,
                "max_score": None if report.problem else report.max_score,
                "problem": report.problem,
                "again": report.again,
            }
            for report in reports
        ],
        "left_out": list(others),
        "statuses": dict(statuses),
    }
    emit(result, as_json=as_json, text="\n".join(lines))
    if again := sum(report.again for report in reports):
        typer.echo(f"{again} of {len(reports)} must be graded again; the reason is not in the submission", err=True)
        raise typer.Exit(1)
