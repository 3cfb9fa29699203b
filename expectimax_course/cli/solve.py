"""``expectimax-course solve``: games small enough to be solved exactly."""

from __future__ import annotations

from typing import Annotated

import typer

from expectimax_course.cli import emit

solve_app = typer.Typer(help="Solve a small game exactly.", no_args_is_help=True)
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]

MOST = 100_000
"""A table of this length is solved and printed in seconds; a thousand times longer it would fill the memory."""


def register(app: typer.Typer) -> None:
    """Add the group ``solve``."""
    app.add_typer(solve_app, name="solve")


@solve_app.command("push")
def solve_push_command(
    target: Annotated[int, typer.Option(max=MOST, help="Highest total that is not a bust.")] = 21,
    faces: Annotated[int, typer.Option(max=MOST, help="Faces of the die.")] = 10,
    json_: Json = False,
) -> None:
    """Solve Push to 21 (or another target) by backward induction; ties stand."""
    from expectimax_course.exact.push_to_21 import solve_push

    solution = solve_push(target, faces)
    result = {"target": target, "faces": faces, **solution._asdict()}
    lines = [
        f"stand from {solution.stand_from}; a hand is worth {solution.values[0]:.4f} points",
        "total  hit      best",
    ]
    rows = zip(solution.hit_values, solution.actions, strict=True)
    lines += [f"{total:>5}  {hit:<7.4f}  {action}" for total, (hit, action) in enumerate(rows)]
    emit(result, as_json=json_, text="\n".join(lines))
