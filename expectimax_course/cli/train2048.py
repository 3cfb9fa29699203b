"""``expectimax-course train 2048``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from expectimax_course.cli import emit
from expectimax_course.cli.play import train_app
from expectimax_course.cli.solve import Json


def register(app: typer.Typer) -> None:
    """Add nothing but the command below, which importing this module added to its group."""


@train_app.command("2048")
def train_2048_command(
    games: Annotated[int, typer.Option(help="Games from an empty board.")],
    out: Annotated[Path, typer.Option(dir_okay=False, help="File for the network; FILE.run beside it holds the run.")],
    seed: Annotated[int, typer.Option(help="The run's seed: with one thread it decides everything.")] = 1,
    decay: Annotated[float, typer.Option("--lambda", help="λ of the returns.")] = 0.5,
    width: Annotated[int, typer.Option(help="3 for tuples of six cells, 2 for the small network of four.")] = 3,
    initial: Annotated[float, typer.Option(help="Value of every board before training.")] = 0.0,
    threads: Annotated[int, typer.Option(help="Threads that share the network; with two or more no run repeats.")] = 1,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in FILE.run.")] = False,
    json_: Json = False,
) -> None:
    """Train an n-tuple network by self-play; interrupt it when you like and resume it later."""
    from tqdm import tqdm

    from expectimax_course.game2048.net import write_net
    from expectimax_course.game2048.train import Progress, Settings, finish, train
    from expectimax_course.learning.checkpoints import load_checkpoint, write_atomically

    def report(progress: Progress) -> None:
        mean = sum(progress.scores) / len(progress.scores)
        rate = sum(tile >= 2048 for tile in progress.max_tiles) / len(progress.max_tiles)
        bar.update(progress.games - bar.n)
        bar.set_postfix_str(f"mean {mean:,.0f}, 2048 in {rate:.0%}, {progress.slides / 1e6:,.0f} M slides")

    run = out.with_name(out.name + ".run")
    settings = Settings(seed, games, decay=decay, initial=initial, width=width, threads=threads)
    with tqdm(total=games, unit="game", delay=0.1) as bar:
        network = train(settings, run, resume=resume, report=report)
    options = {"games": games, "seed": seed, "lambda": decay, "width": width, "initial": initial}
    options |= {"threads": threads} if threads > 1 else {}
    made = " ".join(["expectimax-course train 2048", *(f"--{name} {value}" for name, value in options.items())])
    write_atomically(out, write_net(finish(network, made=made)))
    slides = load_checkpoint(run)[0]["slides"]
    result = {"games": games, "slides": slides, "file": str(out), "bytes": out.stat().st_size}
    emit(result, as_json=json_, text=f"{out}: {result['bytes']:,} bytes after {games:,} games")
