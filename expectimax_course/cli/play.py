"""The groups ``play``, ``train`` and ``advise``; each game adds its commands in a module of its own."""

from __future__ import annotations

import typer

play_app = typer.Typer(help="Let a player play games.", no_args_is_help=True)
train_app = typer.Typer(help="Train a player by self-play.", no_args_is_help=True)
advise_app = typer.Typer(help="Ask for the best move in a position.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the groups."""
    app.add_typer(play_app, name="play")
    app.add_typer(train_app, name="train")
    app.add_typer(advise_app, name="advise")
