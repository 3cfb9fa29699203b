"""How strong are players of 2048, and what does a deeper search cost?

Every player at every depth plays the same seeds, so that differences are known better than from separate games. The
source article's player runs at its depths 0, 1 and 2, which are 1, 2 and 3 decisions, and once more on the ten seeds
of the article with Python's own generator. A second experiment, `strength_2048_clock`, gives time instead of depth.

References
----------
The article stands in the course's source texts; the published player is that of `game2048.published`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from expectimax_course.experiments.record import Findings, Result, Row, exact, measured
from expectimax_course.experiments.runner import Job
from expectimax_course.rng import derive_seed
from expectimax_course.stats import mean_interval, paired_difference, proportion_interval

TITLE = "2048: strength and cost of hand-made evaluations at equal depth"
SEEDS = {"games": 2048}
TIMED = True

TILES = (512, 1024, 2048, 4096, 8192, 16384)
MATCHES = (
    ("random", 0, 200, 200),
    ("article", 1, 200, 50),
    ("article", 2, 200, 50),
    ("article", 3, 200, 10),
    ("published", 1, 1000, 200),
    ("published", 2, 1000, 100),
    ("published", 3, 1000, 10),
    ("expectimax", 1, 1000, 200),
    ("expectimax", 2, 1000, 100),
    ("expectimax", 3, 1000, 10),
)
"""Player, depth in decisions, games, games of one task."""


def play_games(player: str, depth: int, first: int, games: int) -> list[list[float]]:
    """Play games ``first`` … ``first + games − 1``; return score, largest tile, moves, evaluations, CPU seconds."""
    from expectimax_course.game2048.players import play

    seeds = [derive_seed(SEEDS["games"], index) for index in range(first, first + games)]
    return [list(play(player, seed=seed, depth=depth or None)[1:]) for seed in seeds]


def article_game(seed: int) -> int:
    """Play the article's game of a seed of ``random.Random`` at its depth 1; return the largest tile.

    Two start tiles, then one after each slide: an empty cell by ``choice`` in row-major order, then a 2 if ``random()``
    is below 0.9.
    """
    from expectimax_course.game2048.bitboard import pack
    from expectimax_course.game2048.players import searcher
    from expectimax_course.game2048.rules import Board, slide

    rng = random.Random(seed)
    cells = [0] * 16
    board: Board = ()
    for tile in range(100_000):
        empty = [i for i, cell in enumerate(cells) if not cell]
        cell = rng.choice(empty)
        cells[cell] = 2 if rng.random() < 0.9 else 4
        if tile == 0:
            continue
        board = tuple(tuple(cells[i : i + 4]) for i in range(0, 16, 4))
        legal = [action for action in ("left", "right", "up", "down") if slide(board, action)[0] != board]
        if not legal:
            break
        action = searcher("article").search(pack(board), 2).action
        assert action is not None
        cells = [cell for row in slide(board, action)[0] for cell in row]
    return max(cells)


def run(job: Job) -> Findings:
    """Play all matches."""
    results: dict[str, Result] = {}
    rows: list[Row] = []
    scores: dict[tuple[str, int], list[float]] = {}
    for player, depth, full, block in MATCHES:
        games = job.size(full, quick=4)
        tasks = [(player, depth, first, min(block, games - first)) for first in range(0, games, block)]
        played = [game for part in job.map(play_games, tasks, seed=None) for game in part]
        scores[player, depth] = [game[0] for game in played]
        found, row = summarise(f"{player}_{depth}" if depth else player, played)
        results |= found
        rows.append({"player": player, "depth": depth or None, **row})
    for depth in (1, 2, 3):
        difference = paired_difference(scores["expectimax", depth], scores["published", depth])
        results[f"gain_{depth}"] = measured(difference, unit="points per game")
    tiles = job.map(article_game, [(seed,) for seed in range(10)], seed=None)
    for tile in (512, 1024, 2048):
        results[f"article_ten_{tile}"] = exact(tiles.count(tile), unit="of ten games")
    return Findings(results, {"players": rows})


def summarise(
    name: str, played: Sequence[Sequence[float]], tiles: Sequence[int] = TILES
) -> tuple[dict[str, Result], Row]:
    """Return the named results and the row of one match; costs are per move."""
    score = mean_interval([game[0] for game in played])
    moves = sum(game[2] for game in played)
    results = {f"{name}_score": measured(score, unit="points")}
    row: Row = {"games": len(played), "score": score.mean, "standard_error": score.standard_error}
    for tile in tiles:
        rate = proportion_interval(sum(game[1] >= tile for game in played), len(played))
        results[f"{name}_reaches_{tile}"] = measured(rate, unit="share of games")
        row |= {f"reaches_{tile}": rate.mean}
    row |= {
        "moves": moves / len(played),
        "evaluations_per_move": sum(game[3] for game in played) / moves,
        "microseconds_per_move": 1e6 * sum(game[4] for game in played) / moves,
    }
    return results, row
