"""``expectimax-course experiment``: list the experiments, run one and write its record."""

from __future__ import annotations

from typing import Annotated

import typer

from expectimax_course.cli import Jobs, emit, fail


def register(app: typer.Typer) -> None:
    """Add the group ``experiment`` with its commands ``list`` and ``run``."""
    group = typer.Typer(help="The long runs behind the figures of the book: list them, run one.", no_args_is_help=True)
    group.command("list")(list_experiments)
    group.command("run")(run)
    app.add_typer(group, name="experiment")


def list_experiments(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the experiments, one line each."""
    from expectimax_course.experiments import EXPERIMENTS, load_experiment

    titles = {name: load_experiment(name).TITLE for name in sorted(EXPERIMENTS)}
    width = max(len(name) for name in titles)
    emit(titles, as_json=as_json, text="\n".join(f"{name:{width}}  {title}" for name, title in titles.items()))


def run(
    name: Annotated[str, typer.Argument(help="A name from `experiment list`.")],
    quick: Annotated[
        bool, typer.Option("--quick", help="A short run, written to runs/quick/; the record stays as it is.")
    ] = False,
    jobs: Jobs = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole record.")] = False,
) -> None:
    """Run an experiment and write its record; interrupted, the same command continues."""
    from expectimax_course.experiments import lookup, run_experiment

    try:
        path, record = run_experiment(name, quick=quick, jobs=jobs)
    except KeyboardInterrupt:
        fail("interrupted: finished tasks are kept, and the same command continues", status=130)
    lines = [f"{name}: {record['title']}"]
    for field, result in record["results"].items():
        interval = f"  [{result['low']:.6g}, {result['high']:.6g}], n = {result['n']}" if "mean" in result else ""
        lines.append(f"  {field} = {lookup(record, field):.10g} {result['unit']}{interval}")
    lines.append(f"written to {path.parent.name}/{path.name} after {record['cpu_seconds']} s of CPU")
    emit(record, as_json=as_json, text="\n".join(lines))
