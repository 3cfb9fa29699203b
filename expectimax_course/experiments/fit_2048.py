"""Which weights play 2048 best? A search by the outcome of whole games.

The evaluation has six weights for the lines on the rim and six for those inside. The search starts at the published
weights of another program, which treat all lines alike; each round plays the same seeds with every candidate, two
decisions deep, and moves towards the candidates with the best mean scores. The logarithms of the weights are drawn,
so that all stay positive. The two coefficients that multiply powers of the rank are given by what they make of rank
10, because coefficient and power move together otherwise.

The final weights are `game2048.evaluate.FITTED`; `strength_2048` compares them on fresh seeds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import islice

from expectimax_course.evaluation.fit import cross_entropy
from expectimax_course.experiments.record import Findings, Result, Row, exact
from expectimax_course.experiments.runner import Job
from expectimax_course.game import EvaluationError
from expectimax_course.game2048.evaluate import LineWeights, RowEvaluation
from expectimax_course.game2048.published import NNEONNEO
from expectimax_course.rng import Rng, derive_seed

TITLE = "2048: weights fitted to the outcomes of games"
SEEDS = {"candidates": 11, "games": 12}

DEPTH, GAMES, POPULATION, ELITE, ROUNDS = 2, 200, 24, 6, 24
SPREAD = (0.3, 0.3, 0.3, 0.08, 0.3, 0.08)
NAMES = ("empty", "merges", "disorder", "disorder_power", "weight", "weight_power")
LOST = -1_600_000.0
"""A lost game, on a scale where an empty cell counts some hundreds: so low that survival comes first."""


def logarithms(line: LineWeights) -> list[float]:
    """Return the six numbers that the search moves."""
    disorder = math.log(line.disorder * 10**line.disorder_power)
    weight = math.log(line.weight * 10**line.weight_power)
    return [
        math.log(line.empty), math.log(line.merges), disorder, math.log(line.disorder_power), weight,
        math.log(line.weight_power),
    ]  # fmt: skip


def line_weights(numbers: Sequence[float]) -> LineWeights:
    """Return the weights that six such numbers stand for, rounded to four digits."""
    empty, merges, disorder, disorder_power, weight, weight_power = (math.exp(number) for number in numbers)
    values = (empty, merges, disorder / 10**disorder_power, disorder_power, weight / 10**weight_power, weight_power)
    return LineWeights(**{name: float(f"{value:.4g}") for name, value in zip(NAMES, values, strict=True)})


def evaluation(numbers: Sequence[float]) -> RowEvaluation:
    """Return the evaluation of a candidate: six numbers for the rim, six for inside."""
    return RowEvaluation(line_weights(numbers[:6]), line_weights(numbers[6:]), LOST)


def mean_score(numbers: Sequence[float], round_number: int, games: int) -> float:
    """Return the mean score of a candidate; 0 where a value outgrows the table's 32 bits."""
    from expectimax_course.game2048.search import Searcher

    try:
        engine = Searcher(evaluation(numbers), table_bits=12)
    except (EvaluationError, OverflowError):
        return 0.0
    seeds = [derive_seed(SEEDS["games"], round_number, game) for game in range(games)]
    return sum(engine.play(seed, DEPTH).score for seed in seeds) / games


def run(job: Job) -> Findings:
    """Search, and record every round."""
    games = job.size(GAMES, quick=3)

    def play(candidates: list[list[float]], round_number: int) -> list[float]:
        return job.map(mean_score, [(numbers, round_number, games) for numbers in candidates], seed=None)

    rounds = cross_entropy(
        play, logarithms(NNEONNEO.rim) * 2, SPREAD * 2, rng=Rng(SEEDS["candidates"]), population=POPULATION, elite=ELITE
    )
    rows: list[Row] = []
    mean: list[float] = []
    for number, generation in enumerate(islice(rounds, job.size(ROUNDS, quick=2))):
        mean = generation.mean
        outcomes = sorted(generation.outcomes)
        rows.append(
            {"round": number, "worst": outcomes[0], "median": outcomes[len(outcomes) // 2], "best": outcomes[-1]}
        )
    fitted = evaluation(mean)
    results: dict[str, Result] = {}
    for kind, line in (("rim", fitted.rim), ("inside", fitted.inside)):
        results |= {f"{kind}_{name}": exact(getattr(line, name), unit="weight") for name in NAMES}
    return Findings(results, {"rounds": rows})
