"""How strong are the shipped networks of 2048, what does each ply of search add, and what does downgrading tiles?

k-ply is a search of k decisions. The games run on the seeds of `strength_2048`. ``browser`` is the network ``small``,
which the pages play with; ``ntuple`` is ``strong``, ``as_is`` the same without `net.downgrade`, and ``too_low``
downgrades boards that the network knows well.

References
----------
M. Szubert and W. Jaśkowski, CIG 2014, and later papers report the same figures; chapter 09 has the table.
"""

from __future__ import annotations

from functools import lru_cache

from expectimax_course.experiments.record import Findings, Result, Row, measured
from expectimax_course.experiments.runner import Job
from expectimax_course.experiments.strength_2048 import SEEDS as SEEDS_2048
from expectimax_course.game2048.net import load_net
from expectimax_course.game2048.players import DOWNGRADE_ABOVE, NETS
from expectimax_course.game2048.search import Searcher
from expectimax_course.rng import derive_seed
from expectimax_course.stats import mean_interval, paired_difference, proportion_interval

TITLE = "2048: the shipped n-tuple networks at 1-, 2- and 3-ply"
SEEDS = {"games": SEEDS_2048["games"]}
TIMED = True

TILES = (2048, 4096, 8192, 16384, 32768)
NAMES = {"browser": "ntuple-small", "ntuple": "ntuple"}
"""The players of the course: `ntuple_calibration` looks at them too."""
VARIANTS = {"as_is": 32_768, "too_low": 4096}
"""What is compared with ``ntuple``, and the tile above which it sees other boards."""
DEPTHS = ((1, 1000, 100), (2, 300, 10), (3, 100, 1))
"""Depth in decisions, games, games of one task."""


def play_games(
    player: str, version: int, downgrade_above: int, depth: int, first: int, games: int
) -> list[list[float]]:
    """Play games ``first`` … ``first + games − 1``; return score, largest tile, moves, evaluations, CPU seconds.

    ``version`` changes with the network, so that no resumed run mixes two.
    """
    import time

    found = []
    engine = searcher(player, downgrade_above)
    engine.play(0, 1)  # compile first: that is no part of the cost of a move
    for index in range(first, first + games):
        start = time.process_time()
        record = engine.play(derive_seed(SEEDS["games"], index), depth)
        seconds = time.process_time() - start
        found.append([record.score, record.max_tile, record.moves, engine.evaluations, seconds])
    return found


@lru_cache(maxsize=1)
def searcher(player: str, downgrade_above: int) -> Searcher:
    """Return an engine with a player's network."""
    return Searcher(load_net(NETS[player]), use_rewards=True, downgrade_above=downgrade_above)


def fingerprint(player: str) -> int:
    """Return a number that changes with a player's network."""
    import zlib

    return zlib.crc32(load_net(NETS[player]).weights)


def run(job: Job) -> Findings:
    """Play all matches, the small network first."""
    results: dict[str, Result] = {}
    rows: list[Row] = []
    scores: dict[tuple[str, int], list[float]] = {}
    matches = [(name, player, DOWNGRADE_ABOVE.get(player, 1 << 15)) for name, player in NAMES.items()]
    for name, player, above in matches + [(name, "ntuple", above) for name, above in VARIANTS.items()]:
        version = fingerprint(player)
        for depth, full, block in DEPTHS:
            games = job.size(full, quick=2)
            tasks = [
                (player, version, above, depth, first, min(block, games - first)) for first in range(0, games, block)
            ]
            played = [game for part in job.map(play_games, tasks, seed=None) for game in part]
            scores[name, depth] = [game[0] for game in played]
            score = mean_interval(scores[name, depth])
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
    for depth, _, _ in DEPTHS:
        for name in VARIANTS:
            gain = paired_difference(scores["ntuple", depth], scores[name, depth])
            results[f"ntuple_over_{name}_{depth}"] = measured(gain, unit="points")
    return Findings(results, {"players": rows})
