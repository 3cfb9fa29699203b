"""How many games does it take to tell two players apart, and do common seeds help?

Two pairs of players. In Push to 21 the optimum (hit below 14) meets its neighbours and the dealer's rule on the same
dice. In 2048 the source article's player looks two and three decisions ahead; both start each game from one seed and
meet the same spawns for as long as they move alike. For each pair: the variance of the paired difference, divided by
the one that unpaired games would have; and how often the worse player comes out ahead in a single game.
"""

from __future__ import annotations

from collections.abc import Sequence

from expectimax_course.experiments.push_simulation import play_hand
from expectimax_course.experiments.record import Findings, Result, Row, exact, measured
from expectimax_course.experiments.runner import Job
from expectimax_course.rng import Rng, derive_seed
from expectimax_course.stats import games_to_tell_apart, mean_interval, paired_difference, proportion_interval

TITLE = "Telling two players apart: rates, paired seeds, and single games"
SEEDS = {"push": 21, "game2048": 2048}
PUSH = (14, 13, 15, 17)


def hands(thresholds: Sequence[int], number: int, *, seed: int) -> list[list[int]]:
    """Return what each rule "hit below" banks on the same dice, hand by hand; shape (number, len(thresholds))."""
    rng = Rng(seed)
    played = []
    for _ in range(number):
        dice: list[int] = []
        played.append([play_hand(threshold, dice, rng) for threshold in thresholds])
    return played


def games(depth: int, first: int, number: int) -> list[list[int]]:
    """Return score and greatest tile of the article's player in games ``first`` … ``first + number − 1``."""
    from expectimax_course.game2048.evaluate import article
    from expectimax_course.game2048.search import Searcher

    searcher = Searcher(article)
    records = [searcher.play(derive_seed(SEEDS["game2048"], first + i), depth) for i in range(number)]
    return [[record.score, record.max_tile] for record in records]


def pair(better: Sequence[float], worse: Sequence[float]) -> Row:
    """Return how two players compare on common seeds and what separate seeds would have given."""
    difference = paired_difference(better, worse)
    separate = mean_interval(better).standard_error ** 2 + mean_interval(worse).standard_error ** 2
    ahead = sum(w > b for b, w in zip(better, worse, strict=True)) / len(better)
    return {
        "difference": difference.mean,
        "low": difference.low,
        "high": difference.high,
        "variance_ratio": difference.standard_error**2 / separate,
        "worse_ahead": ahead,
    }


def run(job: Job) -> Findings:
    """Play both games."""
    results: dict[str, Result] = {}
    rows: list[Row] = []
    blocks = job.size(20, quick=1)
    played = [row for block in job.map(hands, [(PUSH, 5000)] * blocks, seed=SEEDS["push"]) for row in block]
    columns = [[float(row[i]) for row in played] for i in range(len(PUSH))]
    for threshold, column in zip(PUSH[1:], columns[1:], strict=True):
        row: Row = {"pair": f"push_{threshold}", "n": len(column)}
        rows.append(row | pair(columns[0], column))
    blocks = job.size(20, quick=1)
    scores, reached = {}, {}
    for depth in (2, 3):
        played = [g for block in job.map(games, [(depth, 25 * i, 25) for i in range(blocks)], seed=None) for g in block]
        scores[depth] = [float(score) for score, _ in played]
        reached[depth] = [tile >= 2048 for _, tile in played]
        rate = proportion_interval(sum(reached[depth]), len(played))
        results[f"rate_{depth}"] = measured(rate, unit="share of games")
        results[f"score_{depth}"] = measured(mean_interval(scores[depth]), unit="points")
    row = {"pair": "game2048", "n": len(scores[2])}
    rows.append(row | pair(scores[3], scores[2]))
    rates = [results[f"rate_{depth}"]["mean"] for depth in (2, 3)]
    results["games_needed"] = exact(games_to_tell_apart(float(rates[0]), float(rates[1])), unit="games of each")
    both = [a > b for a, b in zip(reached[2], reached[3], strict=True)]
    results["worse_alone"] = measured(proportion_interval(sum(both), len(both)), unit="share of games")
    return Findings(results, {"pairs": rows})
