"""How strong are the shipped networks, and what does search add?

Two measures. *Points per game* against pubeval and against GNU Backgammon at its 0-ply (our depth 1), without a cube,
every dice stream played twice with the seats swapped, less the luck of the dice as `JUDGE` sees it; one match is
reported without that correction too. And *equity loss*: the points that the choice of a play gives away, judged by GNU
Backgammon's 0-ply, per decision with more than one play, over positions from its play against itself. The second has
far less noise, but the referee is not always right.

References
----------
B. Higgins, "Computational Backgammon", 2012: networks of this kind against pubeval.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from expectimax_course.backgammon.match import Mover, movers, net_mover, play_match
from expectimax_course.backgammon.net import load_net, write_net
from expectimax_course.backgammon.referee import Referee
from expectimax_course.backgammon.rules import OFF, Backgammon, Roll, Side, plays, rolls
from expectimax_course.backgammon.search import Engine
from expectimax_course.experiments.record import Findings, Result, Row, measured
from expectimax_course.experiments.runner import Job
from expectimax_course.rng import Rng
from expectimax_course.stats import Estimate, mean_interval

TITLE = "Backgammon: the shipped networks at depth 1 and 2 against pubeval and GNU Backgammon"
SEEDS = {"matches": 61, "decisions": 62}

NETS = ("small", "strong")
JUDGE = "strong"
OPPONENTS = ("pubeval", "gnubg-0ply")
GAMES = {("small", 1): 800, ("small", 2): 400, ("strong", 1): 1_000, ("strong", 2): 2_000}
PLAYERS = tuple(GAMES)
RAW = ("strong", 1, "pubeval")
_BLOCK = 100
_DECISIONS = 100

Decision = tuple[Side, Side, Roll, dict[tuple[Side, Side], float]]


def fingerprint(net: str) -> int:
    """Return a number that changes with the network: an argument of every task, so that no resumed run mixes two."""
    return zlib.crc32(write_net(load_net(net)))


def match_block(
    net: str, depth: int, opponent: str, games: int, versions: list[int], *, seed: int
) -> list[list[float]]:
    """Return the net's points per game of each pair: less luck, and as they were."""
    with movers(opponent) as (other,):
        return pair_means(net_mover(load_net(net), depth), other, games, seed)


def referee_block(games: int, versions: list[int], *, seed: int) -> list[list[float]]:
    """Return GNU Backgammon's points per game of each pair against pubeval: less luck, and as they were."""
    with movers("gnubg-0ply", "pubeval") as (first, second):
        return pair_means(first, second, games, seed)


def pair_means(first: Mover, second: Mover, games: int, seed: int) -> list[list[float]]:
    """Play pairs of games; return the first player's points per game of each: less luck, and as they were."""
    played = play_match(first, second, games=games, seed=seed, judge=Engine(load_net(JUDGE))).games
    points = [[game.points - game.luck, game.points] for game in played]
    return [[(x + y) / 2 for x, y in zip(a, b, strict=True)] for a, b in zip(points[::2], points[1::2], strict=True)]


def judged_decisions(referee: Referee, count: int, seed: int) -> Iterator[Decision]:
    """Yield decisions of GNU Backgammon's play against itself, each with its value of every position to choose from."""
    rng = Rng(seed)
    side = Backgammon().initial_state().max_side
    own = other = side
    found = 0
    while found < count:
        if other[OFF] == 15:
            own = other = side
        roll = rng.outcome(rolls())
        legal = plays(own, other, roll)
        position = next(iter(legal.values()))
        if len(legal) > 1:
            values = referee.equities(own, other, roll)
            found += 1
            yield own, other, roll, values
            position = max(values, key=lambda after: values[after])
        other, own = position


def given_away(engine: Engine, decision: Decision, depth: int = 1) -> float:
    """Return how many points the engine's choice is behind the best."""
    own, other, roll, values = decision
    mine, theirs = engine.choose(np.array((own, other), np.int8), roll, depth).tolist()
    return max(values.values()) - values[tuple(mine), tuple(theirs)]


def loss_block(decisions: int, versions: list[int], *, seed: int) -> list[list[float]]:
    """Return, for each decision, what random play, pubeval and each of `PLAYERS` give away, in points."""
    engines = {net: Engine(load_net(net)) for net in NETS}
    found: list[list[float]] = []
    with Referee() as referee:
        for decision in judged_decisions(referee, decisions, seed):
            own, other, roll, values = decision
            best = max(values.values())
            losses = [best - sum(values.values()) / len(values)]
            losses.append(best - values[referee.play("pubeval", own, other, roll)])
            losses += [given_away(engines[net], decision, depth) for net, depth in PLAYERS]
            found.append(losses)
    return found


def run(job: Job) -> Findings:
    """Play all matches, then value the decisions."""
    results: dict[str, Result] = {}
    matches: list[Row] = []
    version = {net: fingerprint(net) for net in NETS}

    def add(name: str, opponent: str, depth: int, blocks: list[list[list[float]]]) -> None:
        estimate = mean_interval(pair[0] for block in blocks for pair in block)
        if (name, depth, opponent) == RAW:
            raw = mean_interval(pair[1] for block in blocks for pair in block)
            results["raw_strong_1ply_pubeval"] = measured(raw, unit="points per game, luck and all")
        key = f"{name}_{depth}ply_{opponent}".replace("-", "_")
        results[key] = measured(estimate, unit="points per game")
        row: Row = {"player": name, "depth": depth, "opponent": opponent, "games": 2 * estimate.n}
        matches.append(row | _row(estimate))

    for net, depth in PLAYERS:
        for opponent in OPPONENTS:
            games = job.size(GAMES[net, depth], quick=20)
            size = min(games, _BLOCK)
            used = [version[net], version[JUDGE]]
            games_of: list[tuple[Any, ...]] = [(net, depth, opponent, size, used)] * (games // size)
            add(net, opponent, depth, job.map(match_block, games_of, seed=SEEDS["matches"]))
    games = job.size(600, quick=20)
    size = min(games, _BLOCK)
    tasks = [(size, [version[JUDGE]])] * (games // size)
    add("gnubg", "pubeval", 1, job.map(referee_block, tasks, seed=SEEDS["matches"]))

    decisions = job.size(4_000, quick=20)
    size = min(decisions, _DECISIONS)
    tasks = [(size, list(version.values()))] * (decisions // size)
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
