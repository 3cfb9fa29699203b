"""Does a higher value predict a higher score? Greedy (1-ply) games of the shipped networks of 2048, value by value.

Every tenth afterstate of each game gives a pair: what the network expected from there on, and what the game still
earned. The pairs are cut into `BINS` groups of equal size by the expectation. Afterstates of one game are no
independent observations: a group is the mean over games of what each has in it, and so is its interval.

References
----------
A. H. Murphy and R. L. Winkler, "Reliability of subjective probability forecasts of precipitation and temperature",
Applied Statistics 26(1), 1977: the reliability diagram.
"""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean

import numpy as np

from expectimax_course.experiments.ntuple_strength import NAMES, fingerprint
from expectimax_course.experiments.record import Findings, Result, Row, measured
from expectimax_course.experiments.runner import Job
from expectimax_course.game2048 import bitboard, kernels, ntuple_kernels
from expectimax_course.game2048.net import load_net
from expectimax_course.game2048.players import NETS
from expectimax_course.game2048.search import COMPILED_TUPLES
from expectimax_course.game2048.train import LONGEST_GAME
from expectimax_course.rng import Rng, derive_seed
from expectimax_course.stats import mean_interval

TITLE = "2048: what the shipped networks expect, and what the games then earn"
SEEDS = {"games": 91}

GAMES, BLOCK, EVERY, BINS = 400, 50, 10, 10


def pairs(player: str, version: int, first: int, games: int) -> list[list[list[float]]]:
    """Return, for each game, pairs of value and points still earned at every tenth afterstate; see `fingerprint`."""
    net = load_net(NETS[player])
    weights = np.array(net.weights, np.float32) * np.float32(net.step)
    width = np.uint64(COMPILED_TUPLES[net.tuples])
    slides, rewards, _, _ = bitboard.tables()
    spawns = bitboard.cumulative(0.1), bitboard.four_from(0.1)
    boards, path = np.zeros(LONGEST_GAME, np.uint64), np.zeros(LONGEST_GAME, np.uint64)
    earned = np.zeros(LONGEST_GAME, np.int64)
    found = []
    for index in range(first, first + games):
        rng = Rng(derive_seed(derive_seed(SEEDS["games"], index), 0))
        board = np.uint64(kernels.first_board(np.uint64(rng.state), *spawns))
        rng.next64(), rng.next64()
        state = np.uint64(rng.state)
        steps = int(
            ntuple_kernels.play(board, state, weights, width, slides, rewards, *spawns, boards, path, earned)[1]
        )
        still = np.cumsum(earned[:steps][::-1])[::-1] - earned[:steps]
        chosen = range(0, steps, EVERY)
        values = [float(kernels.net_value(path[t], weights, width, np.float32(0))) for t in chosen]
        found.append([[value, float(still[t])] for value, t in zip(values, chosen, strict=True)])
    return found


def run(job: Job) -> Findings:
    """Play both networks' games."""
    results: dict[str, Result] = {}
    rows: list[Row] = []
    games = job.size(GAMES, quick=4)
    for name, player in NAMES.items():
        version = fingerprint(player)
        tasks = [(player, version, first, min(BLOCK, games - first)) for first in range(0, games, BLOCK)]
        played = [game for part in job.map(pairs, tasks, seed=None) for game in part]
        points = [(value, earned, number) for number, game in enumerate(played) for value, earned in game]
        points.sort()
        for group in range(BINS):
            part = points[len(points) * group // BINS : len(points) * (group + 1) // BINS]
            by_game = defaultdict(list)
            for value, earned, number in part:
                by_game[number].append((value, earned))
            scored = mean_interval([fmean(earned for _, earned in game) for game in by_game.values()])
            results[f"{name}_{group + 1}"] = measured(scored, unit="points still earned")
            row: Row = {"row": f"{name}-{group + 1}", "net": name, "n": scored.n, "afterstates": len(part)}
            row |= {"predicted": fmean(fmean(value for value, _ in game) for game in by_game.values())}
            rows.append(row | {"scored": scored.mean, "low": scored.low, "high": scored.high})
    return Findings(results, {"reliability": rows})
