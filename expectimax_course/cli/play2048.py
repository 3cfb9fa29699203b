"""``expectimax-course play 2048``, ``advise 2048`` and ``solve 2048``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from expectimax_course.cli import Jobs, emit
from expectimax_course.cli.play import advise_app, play_app
from expectimax_course.cli.solve import Json, solve_app

if TYPE_CHECKING:
    from expectimax_course.game2048.players import PlayedGame

Depth = Annotated[int | None, typer.Option(help="Decisions to look ahead.")]
Milliseconds = Annotated[float | None, typer.Option("--ms", help="Time per move instead of a depth.")]


def register(app: typer.Typer) -> None:
    """Add nothing but the commands below, which importing this module added to their groups."""


@solve_app.command("2048")
def solve_2048_command(
    rows: Annotated[int, typer.Option(help="Rows of the board.")] = 2,
    cols: Annotated[int, typer.Option(help="Columns of the board.")] = 2,
    target: Annotated[int | None, typer.Option(help="A tile to make; the game ends with it.")] = None,
    json_: Json = False,
) -> None:
    """Solve a board of up to nine cells exactly: for points, or for the best chance of a target tile.

    2 × 4 takes seconds, 3 × 3 minutes.
    """
    from tqdm import tqdm

    from expectimax_course.game2048.exact_layers import solve_layers

    with tqdm(unit="layer", delay=1, disable=None, leave=False) as bar:

        def show(done: int, known: int) -> None:
            bar.total = known
            bar.update(done - bar.n)

        optimum = solve_layers(rows, cols, target, progress=show)
    result = {"rows": rows, "cols": cols, "target": target, **optimum._asdict()}
    lines = [f"expected score {optimum.expected_score:.5f}; {optimum.states} states"]
    lines.append("  tile  it or a larger one with probability")
    lines += [f"{tile:>6}  {probability:.6f}" for tile, probability in optimum.tile_probabilities.items()]
    emit(result, as_json=json_, text="\n".join(lines))


@play_app.command("2048")
def play_2048_command(
    player: Annotated[
        str, typer.Option(help="random, greedy, expectimax, published, article, ntuple, ntuple-small.")
    ] = "expectimax",
    depth: Depth = None,
    ms: Milliseconds = None,
    games: Annotated[int, typer.Option(min=1, help="Games to play.")] = 1,
    seed: Annotated[int, typer.Option(help="Game i runs on a seed derived from this one and i.")] = 1,
    first: Annotated[int, typer.Option(min=0, help="Number of the first game: --first I alone replays game I.")] = 0,
    jobs: Jobs = 1,
    json_: Json = False,
) -> None:
    """Play games of 2048; without a depth or a time, a player that searches looks 2 decisions ahead.

    Ctrl-C stops a game of depth 3 or less at its end, any other at once; the games finished by then are printed.
    """
    from joblib import Parallel, delayed

    from expectimax_course.game2048.players import SHORTSIGHTED, check_budget, play
    from expectimax_course.rng import derive_seed

    check_budget(player, depth, ms)
    if depth is None and ms is None and player not in SHORTSIGHTED:
        depth = 2
    numbers = range(first, first + games)
    calls = (delayed(play)(player, seed=derive_seed(seed, i), depth=depth, milliseconds=ms) for i in numbers)
    played: list[PlayedGame] = []
    try:
        for game in Parallel(n_jobs=jobs, return_as="generator")(calls):
            played.append(game)
    finally:  # also after Ctrl-C
        if played:
            _print_games(played, seed, first, as_json=json_)


def _print_games(played: list[PlayedGame], seed: int, first: int, *, as_json: bool) -> None:
    from expectimax_course.stats import mean_interval

    n, scores = len(played), [float(game.score) for game in played]
    seconds = sum(game.seconds for game in played)
    result: dict[str, Any] = {
        "seed": seed,
        "games": [
            {
                "game": number,
                "seed": game.seed,
                "score": game.score,
                "max_tile": game.max_tile,
                "moves": game.moves,
            }
            for number, game in enumerate(played, first)
        ],
        "n_games": n,
        "mean_score": sum(scores) / n,
        "standard_error": mean_interval(scores).standard_error if n > 1 else None,
        "moves_per_second": sum(game.moves for game in played) / seconds if seconds > 0 else None,
    }
    lines = [f"{'game':>6} {'score':>9} {'tile':>6} {'moves':>6}"]
    lines += [
        f"{number:>6} {game.score:>9} {game.max_tile:>6} {game.moves:>6}" for number, game in enumerate(played, first)
    ]
    error = f" ± {result['standard_error']:.0f} (standard error)" if n > 1 else ""
    lines += [f"mean of {n}: {result['mean_score']:.1f}{error}"]
    emit(result, as_json=as_json, text="\n".join(lines))


class _WithBoard(TyperCommand):
    """A command whose board may begin with ``-``, an empty cell, without being taken for an option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        boards = [arg for arg in args if re.match(r"-[\s,/]", arg)]
        if boards and "--" not in args:
            args = [*(arg for arg in args if arg not in boards), "--", *boards]
        return super().parse_args(ctx, args)


@advise_app.command("2048", cls=_WithBoard)
def advise_2048_command(
    board: Annotated[str, typer.Argument(help="Rows divided by /, or 16 hexadecimal digits.", show_default=False)],
    player: Annotated[
        str, typer.Option(help="greedy, expectimax, published, article, ntuple, ntuple-small.")
    ] = "expectimax",
    depth: Depth = None,
    ms: Milliseconds = None,
    json_: Json = False,
) -> None:
    """Advise on a 4 × 4 board, such as "2 4 8 16 / . . 2 4 / . . . 2 / . . . ."; 100 ms without a depth or a time."""
    import time

    from expectimax_course.game import StateError
    from expectimax_course.game2048.bitboard import pack
    from expectimax_course.game2048.net import downgrade
    from expectimax_course.game2048.notation import format_board, parse_board
    from expectimax_course.game2048.players import CLOCK_TABLE_BITS, PLAYERS, check_budget, searcher
    from expectimax_course.game2048.rules import Game2048

    game, tiles = Game2048(), parse_board(board)
    state = game.state(tiles)
    if game.is_terminal(state):
        raise StateError(f"expected a board with a legal slide, got one with no move left: {board.strip()!r}")
    if player not in PLAYERS[1:]:
        raise ValueError(f"expected one of {', '.join(PLAYERS[1:])}, got {player!r}")
    check_budget(player, depth, ms)
    if player == "greedy":
        depth = 1
    engine, code = searcher(player, CLOCK_TABLE_BITS), pack(tiles)
    engine.search(code, 1)  # compile first: that is not part of the time for the move
    start = time.perf_counter()
    answer = (
        engine.search_for(code, (100 if ms is None else ms) / 1000) if depth is None else engine.search(code, depth)
    )
    seconds = time.perf_counter() - start
    values = {action: value for action, (value, _) in answer.action_values.items()}
    seen = downgrade(tiles, engine.downgrade_above)
    result = {
        "action": answer.action,
        "action_values": values,
        "depth": answer.depth,
        "evaluations": answer.evaluations,
        "seconds": seconds,
        "seen_as": seen,
    }
    equal = [action for action, value in values.items() if value == answer.value]
    tie = f" (the first of {len(equal)} of equal value)" if len(equal) > 1 else ""
    lines = [format_board(tiles), f"best: {answer.action}{tie}"]
    lines += ["values of the board that the network knows better:", format_board(seen)] if seen != tiles else []
    lines += [f"{action:>6} {value:>14.2f}" for action, value in values.items()]
    lines += [f"depth {answer.depth}, {answer.evaluations} evaluations in {seconds:.3f} s"]
    emit(result, as_json=json_, text="\n".join(lines))
