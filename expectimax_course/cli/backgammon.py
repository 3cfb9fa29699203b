"""``expectimax-course play backgammon``, ``train backgammon`` and ``advise backgammon``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from expectimax_course.cli import emit
from expectimax_course.cli.play import advise_app, play_app, train_app
from expectimax_course.cli.solve import Json

if TYPE_CHECKING:
    from expectimax_course.backgammon.match import GameResult

Player = Annotated[str, typer.Option(help="random, net, net-2ply, pubeval or gnubg-0ply.")]


def register(app: typer.Typer) -> None:
    """Add nothing but the commands below, which importing this module added to their groups."""


@play_app.command("backgammon")
def play_backgammon_command(
    first: Player = "net",
    second: Player = "random",
    games: Annotated[int, typer.Option(help="An even number of games, 4 or more.")] = 20,
    seed: Annotated[int, typer.Option(help="Pair i of games runs on a seed derived from this one and i.")] = 1,
    first_pair: Annotated[int, typer.Option(min=0, help="Number of the first pair; I replays pair I.")] = 0,
    json_: Json = False,
) -> None:
    """Play pairs of games on the same dice, seats swapped: the two start in turn, doubles included, no cube.

    Ctrl-C ends the match with the pairs played by then, if there are two or more.
    """
    from tqdm import tqdm

    from expectimax_course.backgammon.match import check_games, movers, play_pair

    check_games(games)
    played: list[GameResult] = []
    try:
        with movers(first, second) as (one, two), tqdm(total=games, unit="game", disable=None, leave=False) as bar:
            for pair in range(first_pair, first_pair + games // 2):
                played += play_pair(one, two, pair=pair, seed=seed)
                bar.update(2)
    finally:  # also after Ctrl-C
        if len(played) >= 4:
            _print_match(first, second, played, seed, first_pair, as_json=json_)


def _print_match(
    first: str, second: str, played: list[GameResult], seed: int, first_pair: int, *, as_json: bool
) -> None:
    from expectimax_course.backgammon.match import match_result

    match, games = match_result(played), len(played)
    estimate = match.points_per_game
    result = {
        "seed": seed,
        "games": [{"pair": first_pair + number // 2, **game._asdict()} for number, game in enumerate(played)],
        "n_games": games,
        "points_per_game": estimate.mean,
        "standard_error": estimate.standard_error,
        "wins": match.wins,
    }
    text = (
        f"{first} against {second}: {estimate.mean:+.3f} points per game (95 %: {estimate.low:+.3f} to "
        f"{estimate.high:+.3f}), {match.wins} of {games} games won"
    )
    emit(result, as_json=as_json, text=text)


@train_app.command("backgammon")
def train_backgammon_command(
    games: Annotated[int, typer.Option(min=1, help="Games of self-play.")],
    seed: Annotated[int, typer.Option(help="Seed of the weights and of the dice.")],
    out: Annotated[Path, typer.Option(help="File for the network; a checkpoint stands beside it.")],
    hidden: Annotated[int, typer.Option(help="Hidden units.")] = 40,
    expert: Annotated[bool, typer.Option("--expert", help="Give the network the expert inputs too.")] = False,
    rate: Annotated[float, typer.Option(help="Rate of learning to start with.")] = 0.2,
    resume: Annotated[bool, typer.Option("--resume", help="Continue from the checkpoint.")] = False,
    json_: Json = False,
) -> None:
    """Train a network by self-play; interrupted, the same command with --resume continues."""
    from tqdm import tqdm

    from expectimax_course.backgammon.train import Settings, train

    settings = Settings(seed, games, hidden=hidden, expert=expert, rate=rate)
    with tqdm(total=games, unit="game", disable=None) as bar:
        train(settings, out, resume=resume, progress=lambda done, total: bar.update(done - bar.n))
    result = {**settings._asdict(), "out": str(out), "bytes": out.stat().st_size}
    emit(result, as_json=json_, text=f"{bar.total} games learnt; {result['bytes']} bytes written to {out}")


@advise_app.command("backgammon")
def advise_backgammon_command(
    position: Annotated[str, typer.Argument(help="Position ID as in GNU Backgammon.", show_default=False)],
    roll: Annotated[str, typer.Argument(help="The dice, such as 31.", show_default=False)],
    depth: Annotated[int, typer.Option(help="Decisions to look ahead: 1, 2 or 3.")] = 2,
    net: Annotated[str, typer.Option(help="A shipped network, small or strong, or a file.")] = "strong",
    json_: Json = False,
) -> None:
    """Advise on a position of standard backgammon, such as 4HPwATDgc/ABMA."""
    import time

    from expectimax_course.backgammon.net import load_net
    from expectimax_course.backgammon.notation import format_play, parse_position_id, parse_roll
    from expectimax_course.backgammon.search import Engine
    from expectimax_course.game import StateError

    own, other = parse_position_id(position)
    dice = parse_roll(roll)
    if 15 in (own[0], other[0]):
        raise StateError(f"expected a game that is not over, got position ID {position!r}")
    engine = Engine(load_net(net))
    engine.search(own, other, dice, 1)  # compile first: that is not part of the time for the play
    before, start = engine.leaves, time.perf_counter()
    # Plain search values every play; depth 3 cannot afford it and proves bounds for all but the best.
    found = engine.search(own, other, dice, depth, method="plain")
    seconds = time.perf_counter() - start
    names = [format_play(other, candidate.play) for candidate in found]
    result = {
        "action": names[0],
        "action_values": {name: candidate.value for name, candidate in zip(names, found, strict=True)},
        "kinds": {name: candidate.kind for name, candidate in zip(names, found, strict=True)},
        "depth": depth,
        "evaluations": engine.leaves - before,
        "seconds": seconds,
    }
    equal = sum(candidate[1:] == found[0][1:] for candidate in found)
    tie = f" (the first of {equal} of equal value)" if equal > 1 else ""
    lines = [f"best: {names[0]}{tie}", f"{'points':>8}  play"]
    bound = {"exact": " ", "upper": "≤", "depth 1": "~"}
    lines += [f"{bound[c.kind]}{c.value:>+7.3f}  {name}" for name, c in zip(names, found, strict=True)]
    lines.append(
        f"depth {depth}, {result['evaluations']} evaluations in {seconds:.3f} s"
        + ("; ≤ marks an upper bound" * (depth == 3))
    )
    emit(result, as_json=json_, text="\n".join(lines))
