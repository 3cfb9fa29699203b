"""The console script ``expectimax-course``: one module per command group, imported only when asked for.

Errors go to stderr in one line: exit status 2 for bad usage or bad input, 1 for a check that failed.
"""

from __future__ import annotations

import importlib
import json
import sys
from typing import Any

import typer

app = typer.Typer(
    name="expectimax-course",
    help="Search under chance: solve, play, train, advise, check and grade.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

_MODULES = ("solve", "experiment")
"""Each module has ``register(app)``, which adds its commands; nothing heavy is imported at module level."""


def emit(result: Any, *, as_json: bool, text: str) -> None:
    """Print a result: one JSON object with ``--json``, else the readable text."""
    typer.echo(json.dumps(result) if as_json else text)


def build() -> typer.Typer:
    """Return the whole command tree."""
    for name in _MODULES:
        importlib.import_module(f"expectimax_course.cli.{name}").register(app)
    return app


def main() -> None:
    """Run the console script; what a command rejects becomes one line on stderr and exit status 2."""
    try:
        build()()
    except (ValueError, OSError) as error:
        typer.echo(f"expectimax-course: {' '.join(str(error).split())}", err=True)
        sys.exit(2)
