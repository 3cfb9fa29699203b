"""How strong are the shipped networks, and what does search add?

Two measures. *Points per game* against pubeval and against GNU Backgammon at its 0-ply (our depth 1), without a cube,
every dice stream played twice with the seats swapped. And *equity loss*: the points that the choice of a play gives
away, judged by GNU Backgammon's 0-ply, per decision with more than one play, over positions from its play against
itself. The second has far less noise, but the judge is not always right.

References
----------
B. Higgins, "Computational Backgammon", 2012: networks of this kind against pubeval.
"""

from __future__ import annotations

import zlib
from itertools import chain
from typing import Any

from expectimax_course.backgammon.match import movers, net_mover, play_match
from expectimax_course.backgammon.net import load_net, write_net
from expectimax_course.backgammon.referee import Referee
from expectimax_course.backgammon.rules import OFF, Backgammon, plays, rolls
from expectimax_course.backgammon.search import Engine
from expectimax_course.experiments.record import Findings, Result, Row, measured
from expectimax_course.experiments.runner import Job
from expectimax_course.rng import Rng
from expectimax_course.stats import Estimate, mean_interval

TITLE = "Backgammon: the shipped networks at depth 1 and 2 against pubeval and GNU Backgammon"
SEEDS = {"matches": 61, "decisions": 62}

NETS = ("small", "strong")
OPPONENTS = ("pubeval", "gnubg-0ply")
PLAYERS = (*((net, depth) for net in NETS for depth in (1, 2)),)
_BLOCK = 100
_DECISIONS = 100


def fingerprint(net: str) -> int:
    """Return a number that changes with the network: an argument of every task, so that no resumed run mixes two."""
    return zlib.crc32(write_net(load_net(net)))


def match_block(net: str, version: int, depth: int, opponent: str, games: int, *, seed: int) -> list[float]:
    """Return the net's points per game of each pair."""
    with movers(opponent) as (other,):
        games_played = play_match(net_mover(load_net(net), depth), other, games=games, seed=seed).games
    return [(a.points + b.points) / 2 for a, b in zip(games_played[::2], games_played[1::2], strict=True)]


def referee_block(games: int, *, seed: int) -> list[float]:
    """Return GNU Backgammon's points per game of each pair against pubeval."""
    with movers("gnubg-0ply", "pubeval") as (first, second):
        games_played = play_match(first, second, games=games, seed=seed).games
    return [(a.points + b.points) / 2 for a, b in zip(games_played[::2], games_played[1::2], strict=True)]


def loss_block(decisions: int, versions: list[int], *, seed: int) -> list[list[float]]:
    """Return, for each decision, what random play, pubeval and each of `PLAYERS` give away, in points."""
    engines = {net: Engine(load_net(net)) for net in NETS}
    rng = Rng(seed)
    found: list[list[float]] = []
    side = Backgammon().initial_state().max_side
    own = other = side
    with Referee() as referee:
        while len(found) < decisions:
            if other[OFF] == 15:
                own = other = side
            roll = rng.outcome(rolls())
            legal = plays(own, other, roll)
            position = next(iter(legal.values()))
            if len(legal) > 1:
                values = referee.equities(own, other, roll)
                best = max(values.values())
                losses = [best - sum(values.values()) / len(values)]
                losses.append(best - values[referee.play("pubeval", own, other, roll)])
                for net, depth in PLAYERS:
                    choice = engines[net].search(own, other, roll, depth)[0].play
                    losses.append(best - values[legal[choice]])
                found.append(losses)
                position = max(values, key=lambda after: values[after])
            other, own = position
    return found


def run(job: Job) -> Findings:
    """Play all matches, then value the decisions."""
    results: dict[str, Result] = {}
    matches: list[Row] = []

    def add(name: str, opponent: str, depth: int, blocks: list[list[float]]) -> None:
        estimate = mean_interval(chain.from_iterable(blocks))
        key = f"{name}_{depth}ply_{opponent}".replace("-", "_")
        results[key] = measured(estimate, unit="points per game")
        row: Row = {"player": name, "depth": depth, "opponent": opponent, "games": 2 * estimate.n}
        matches.append(row | _row(estimate))

    for net, depth in PLAYERS:
        for opponent in OPPONENTS:
            games = job.size(4_000 if depth == 1 else 1_000, quick=20)
            size = min(games, _BLOCK)
            games_of: list[tuple[Any, ...]] = [(net, fingerprint(net), depth, opponent, size)] * (games // size)
            add(net, opponent, depth, job.map(match_block, games_of, seed=SEEDS["matches"]))
    games = job.size(2_000, quick=20)
    size = min(games, _BLOCK)
    add("gnubg", "pubeval", 1, job.map(referee_block, [(size,)] * (games // size), seed=SEEDS["matches"]))

    decisions = job.size(4_000, quick=20)
    size = min(decisions, _DECISIONS)
    tasks = [(size, [fingerprint(net) for net in NETS])] * (decisions // size)
    blocks: list[list[list[float]]] = job.map(loss_block, tasks, seed=SEEDS["decisions"])
    losses: list[Row] = []
    names = ["random", "pubeval", *(f"{net}_{depth}ply" for net, depth in PLAYERS)]
    for index, name in enumerate(names):
        estimate = mean_interval(1000 * row[index] for block in blocks for row in block)
        results[f"loss_{name}"] = measured(estimate, unit="thousandths of a point")
        row: Row = {"player": name, "decisions": estimate.n}
        losses.append(row | _row(estimate))
    return Findings(results, {"matches": matches, "losses": losses})


def _row(estimate: Estimate) -> Row:
    return {"mean": estimate.mean, "low": estimate.low, "high": estimate.high}
