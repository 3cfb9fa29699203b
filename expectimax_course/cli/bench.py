"""``expectimax-course bench``: our engines against others, as ratios from one run."""

from __future__ import annotations

from typing import Annotated

import typer

from expectimax_course.cli import emit


def register(app: typer.Typer) -> None:
    """Add the command ``bench``."""
    app.command("bench")(bench)


def bench(
    names: Annotated[list[str] | None, typer.Argument(help="Contests to run; all that can run by default.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Run our engines and others in turn and print the ratio of their speeds in CPU time.

    Contests: 2048-gymnasium, 2048-learning, 2048-openspiel, 2048-readable, 2048-search, expectiminimax, star2.
    """
    from expectimax_course.experiments.bench import run_contests

    results = run_contests(names or [])
    lines = [
        f"{r['name']}: {r['ours']:.4g} against {r['other']:.4g} {r['unit']}, "
        f"ratio {r['ratio'][1]:.2f} ({r['ratio'][0]:.2f} to {r['ratio'][2]:.2f})"
        for r in results
    ]
    emit(results, as_json=as_json, text="\n".join(lines))
