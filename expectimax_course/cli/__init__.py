"""The console script ``expectimax-course``: one module per command group, imported only when asked for.

Errors go to stderr in one line: exit status 2 for bad usage or bad input, 1 for a check that failed or work that must
be graded again, 130 after Ctrl-C.
"""

from __future__ import annotations

import importlib
import json
import re
import sys
from typing import Annotated, Any, NoReturn

import typer

from expectimax_course import __version__

app = typer.Typer(
    name="expectimax-course",
    help="Search under chance: solve, play, train, advise, check and grade.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

_MODULES = ("solve", "play", "play2048", "train2048", "backgammon", "experiment", "grade", "bench")
"""Each module has ``register(app)``, which adds its commands; nothing heavy is imported at module level."""


def _processes(jobs: int) -> int:
    if jobs < 1 and jobs != -1:
        raise typer.BadParameter(f"expected 1 process or more, or -1 for one per core, got {jobs}")
    return jobs


Jobs = Annotated[int, typer.Option("--jobs", callback=_processes, help="Processes; -1 for one per core.")]


def emit(result: Any, *, as_json: bool, text: str) -> None:
    """Print a result: one JSON object with ``--json``, else the readable text, with "?" for what cannot be shown."""
    encoding = sys.stdout.encoding or "utf-8"
    shown = re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", "?", text)
    typer.echo(json.dumps(result) if as_json else shown.encode(encoding, "replace").decode(encoding))


def _tell_version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None: ...


def build() -> typer.Typer:
    """Return the whole command tree."""
    for name in _MODULES:
        importlib.import_module(f"expectimax_course.cli.{name}").register(app)
    return app


UsageError: Any = typer.BadParameter.__base__
"""The base of all usage errors, whether typer uses click or the copy that newer releases carry."""


def main() -> None:
    """Run the console script; whatever is wrong with the input becomes one line on stderr and exit status 2."""
    try:
        status = build()(standalone_mode=False)
    except UsageError as error:
        message = error.format_message()
        if "\n" in message:  # a command group without a command: its help
            typer.echo(message)
            sys.exit(2)
        fail(f"{error.ctx.command_path}: {message}" if error.ctx else message)
    except KeyboardInterrupt:
        status = 130
    except (ValueError, OSError) as error:
        fail(str(error))
    if status == 130:  # also what typer makes of Ctrl-C within a command
        fail("interrupted", status=130)
    sys.exit(status if isinstance(status, int) else 0)


def fail(message: str, *, status: int = 2) -> NoReturn:
    """Print one line on stderr and leave with ``status``."""
    typer.echo(
        f"expectimax-course: {' '.join(message.split()).removeprefix('expectimax-course').lstrip(' :')}", err=True
    )
    sys.exit(status)
