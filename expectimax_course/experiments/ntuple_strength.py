"""How strong are the shipped networks of 2048, and what does each ply of search add?

k-ply is a search of k decisions. The games run on the seeds of `strength_2048`. ``browser`` is the network ``small``,
which the pages play with; ``ntuple`` is ``strong``.

References
----------
M. Szubert and W. Jaśkowski, CIG 2014, and later papers report the same figures; chapter 09 has the table.
"""

from __future__ import annotations

from expectimax_course.experiments.record import Findings, Result, Row, measured
from expectimax_course.experiments.runner import Job
from expectimax_course.experiments.strength_2048 import SEEDS as SEEDS_2048
from expectimax_course.game2048.players import NETS
from expectimax_course.rng import derive_seed
from expectimax_course.stats import mean_interval, proportion_interval

TITLE = "2048: the shipped n-tuple networks at 1-, 2- and 3-ply"
SEEDS = {"games": SEEDS_2048["games"]}
TIMED = True

TILES = (2048, 4096, 8192, 16384, 32768)
NAMES = {"browser": "ntuple-small", "ntuple": "ntuple"}
DEPTHS = ((1, 1000, 100), (2, 300, 10), (3, 100, 1))
"""Depth in decisions, games, games of one task."""


def play_games(player: str, version: int, depth: int, first: int, games: int) -> list[list[float]]:
    """Play games ``first`` … ``first + games − 1``; return score, largest tile, moves, evaluations, CPU seconds.

    ``version`` changes with the network, so that no resumed run mixes two.
    """
    from expectimax_course.game2048.players import play

    play(player, seed=0, depth=1)  # load and compile first: that is no part of the cost of a move
    seeds = [derive_seed(SEEDS["games"], index) for index in range(first, first + games)]
    return [list(play(player, seed=seed, depth=depth)[1:]) for seed in seeds]


def fingerprint(player: str) -> int:
    """Return a number that changes with a player's network."""
    import zlib

    from expectimax_course.game2048.net import load_net

    return zlib.crc32(load_net(NETS[player]).weights)


def run(job: Job) -> Findings:
    """Play all matches, the small network first."""
    results: dict[str, Result] = {}
    rows: list[Row] = []
    for name, player in NAMES.items():
        version = fingerprint(player)
        for depth, full, block in DEPTHS:
            games = job.size(full, quick=2)
            tasks = [(player, version, depth, first, min(block, games - first)) for first in range(0, games, block)]
            played = [game for part in job.map(play_games, tasks, seed=None) for game in part]
            score = mean_interval([game[0] for game in played])
            results[f"{name}_{depth}_score"] = measured(score, unit="points")
            row: Row = {"row": f"{name}-{depth}", "player": name, "depth": depth, "games": games}
            row |= {"score": score.mean, "low": score.low, "high": score.high}
            for tile in TILES:
                rate = proportion_interval(sum(game[1] >= tile for game in played), games)
                results[f"{name}_{depth}_reaches_{tile}"] = measured(rate, unit="share of games")
                row[f"reaches_{tile}"] = rate.mean
            moves, seconds = sum(game[2] for game in played), sum(game[4] for game in played)
            row |= {"moves": moves / games, "evaluations_per_move": sum(game[3] for game in played) / moves}
            rows.append(row | {"microseconds_per_move": 1e6 * seconds / moves, "moves_per_second": moves / seconds})
    return Findings(results, {"players": rows})
