"""What does another scale of one evaluation do to a player of 2048, and is the article's scale a calibrated one?

The player searches two decisions deep with the source article's evaluation v. One position is drawn from each of many
games, uniformly over the game's moves, so that positions are independent.

*Calibration.* v of the afterstate that the player makes there, against what came of it: the points still to come, and
whether another hundred moves follow. Least squares gives an affine and an isotonic prediction, and weights.

*Moves.* The sets of best actions (with a tolerance, see `evaluation.scale.best_actions`) on v and on f(v), for each
map f of the scale. "Changed": the sets differ. "Flipped": they have no action in common.

*Points.* The same player with f(v) in place of v, on the same seeds of fresh games; also with the isotonic prediction,
as it is, with v added to it (so that boards on one step no longer tie), and with a lost game worth no points to come.

Else a finished game keeps its value, −1e9, under every map but the affine one, where it moves along. Powers keep the
sign of v.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from expectimax_course.evaluation.calibration import affine_fit, isotonic_fit, reliability_curve
from expectimax_course.evaluation.fit import fit_linear
from expectimax_course.evaluation.scale import best_actions
from expectimax_course.experiments.record import Findings, Result, Row, exact, measured
from expectimax_course.experiments.runner import Job
from expectimax_course.experiments.scaled_player import TOLERANCE, Player, U, as_table, tenths_of
from expectimax_course.game2048.search import ARTICLE_LOST
from expectimax_course.rng import Rng, derive_seed
from expectimax_course.stats import Estimate, mean_interval, paired_difference, proportion_interval

TITLE = "2048: another scale for the same evaluation, and calibration"
SEEDS = {"positions": 41, "pairs": 42}

LATER, BATCH = 100, 50
"""Moves that a position must survive; games of a task."""


class Scale(NamedTuple):
    """A map of the article's evaluation: its field in the record, how it is written, f, and a lost game's value."""

    field: str
    name: str
    function: Callable[[float], float]
    lost: float = ARTICLE_LOST


def signed_power(exponent: float) -> Callable[[float], float]:
    """Return v ↦ sign(v) · |v|^exponent, which increases everywhere."""
    return lambda v: math.copysign(abs(v) ** exponent, v)


SCALES = (
    Scale("plain", "v", float),
    Scale("affine", "3v + 7", lambda v: 3 * v + 7, 3 * ARTICLE_LOST + 7),
    Scale("root", "√v", signed_power(0.5)),
    Scale("square", "v²", signed_power(2.0)),
    Scale("averse", "−2^(−v/4)", lambda v: -(2 ** (-v / 4))),
    Scale("seeking", "2^(v/4)", lambda v: 2 ** (v / 4)),
    Scale("lost_zero", "v, a lost game 0", float, 0.0),
)


def best_set(values: Sequence[float]) -> frozenset[int]:
    """Return the best legal slides, ties through rounding included."""
    legal = [action for action, value in enumerate(values) if value > -math.inf]
    return frozenset(legal[i] for i in best_actions([values[a] for a in legal], tolerance=TOLERANCE))


def draw_positions(games: int, *, seed: int) -> list[list[float]]:
    """Return, of one position per game: tenths of v, empty cells, rank in the corner, points to come, alive later,
    then 0, 1 (changed) or 2 (flipped) for each scale."""
    players = [Player(as_table(scale.function), scale.lost) for scale in SCALES]
    rng = Rng(derive_seed(seed, 1 << 20))
    found: list[list[float]] = []
    for game in range(games):
        history = players[0].game(derive_seed(seed, game))
        move = rng.below(len(history))
        board, after, score = history[move]
        plain, *others = [best_set(player.values(board)) for player in players]
        moved = [0 if best == plain else 1 if best & plain else 2 for best in (plain, *others)]
        empty = sum(not after >> 4 * cell & 15 for cell in range(16))
        tenths = int(tenths_of(U(after), players[0].zigzag))
        alive = move + LATER < len(history)
        found.append([tenths, empty, after & 15, history[-1][2] - score, int(alive), *moved])
    return found


def play_scores(table: list[float], lost: float, games: list[int]) -> list[int]:
    """Return the scores of games of the pairs."""
    player = Player(table, lost)
    return [player.game(derive_seed(SEEDS["pairs"], game))[-1][2] for game in games]


def moved_rows(positions: Sequence[Sequence[float]]) -> tuple[dict[str, Result], list[Row]]:
    """Return the share of decisions that each scale changes and flips."""
    results: dict[str, Result] = {}
    rows: list[Row] = []
    for i, scale in enumerate(SCALES[1:], start=6):
        row: Row = {"scale": scale.name}
        for word, least in (("changed", 1), ("flipped", 2)):
            share = proportion_interval(sum(position[i] >= least for position in positions), len(positions))
            results[f"{word}_{scale.field}"] = measured(share, unit="share of decisions")
            row |= {word: share.mean, f"{word}_low": share.low, f"{word}_high": share.high}
        rows.append(row)
    return results, rows


def calibration_rows(positions: Sequence[Sequence[float]]) -> tuple[dict[str, Result], dict[str, list[Row]]]:
    """Return reliability curves, fits to the points to come with their error on other games, and fitted weights."""
    evaluations = [position[0] / 10 for position in positions]
    points, alive = [[float(position[k]) for position in positions] for k in (3, 4)]
    half = len(positions) // 2
    slope, intercept = affine_fit(evaluations[:half], points[:half])
    fits: dict[str, Callable[[float], float]] = {
        "mean": lambda _: sum(points[:half]) / half,
        "affine": lambda v: slope * v + intercept,
        "isotonic": isotonic_fit(evaluations[:half], points[:half]),
    }
    results = {"slope": exact(slope, unit="points per 1"), "intercept": exact(intercept, unit="points")}
    held_out = list(zip(evaluations[half:], points[half:], strict=True))
    for name, fit in fits.items():
        square = sum((fit(v) - y) ** 2 for v, y in held_out) / len(held_out)
        results[f"error_{name}"] = exact(math.sqrt(square), unit="points, root mean square")
    results["least"] = exact(min(evaluations), unit="evaluation")
    results["greatest"] = exact(max(evaluations), unit="evaluation")
    tables = {"points": curve_rows(evaluations, points), "alive": curve_rows(evaluations, alive)}
    for row in tables["points"]:
        row |= {name: fits[name](float(row["evaluation"] or 0)) for name in ("affine", "isotonic")}
    zigzag = [2.7 * p[1] + 1.5 * p[2] - p[0] / 10 for p in positions]
    features = [[p[1], z, p[2]] for p, z in zip(positions, zigzag, strict=True)]
    line = fit_linear(features, points)
    results["explained"] = exact(line.explained, unit="share of variance")
    weights = zip(("empty", "zigzag", "corner"), (2.7, -1.0, 1.5), line.weights, line.standard_errors, strict=True)
    tables["weights"] = [{"feature": f, "article": a, "fitted": w, "error": e} for f, a, w, e in weights]
    return results, tables


def curve_rows(evaluations: Sequence[float], outcomes: Sequence[float]) -> list[Row]:
    """Return a reliability curve as rows."""
    rows: list[Row] = []
    for evaluation, outcome in reliability_curve(evaluations, outcomes):
        if set(outcomes) <= {0.0, 1.0}:
            outcome = proportion_interval(round(outcome.mean * outcome.n), outcome.n)
        rows.append({"evaluation": evaluation, "mean": outcome.mean, "low": outcome.low, "high": outcome.high})
    return rows


def run(job: Job) -> Findings:
    """Draw positions, then play pairs."""
    batches = job.map(draw_positions, [(BATCH,)] * job.size(200, quick=2), seed=SEEDS["positions"])
    positions = [position for batch in batches for position in batch]
    moved, moved_table = moved_rows(positions)
    results, tables = calibration_rows(positions)
    results |= moved
    results["positions"] = exact(len(positions), unit="positions")

    calibrated = isotonic_fit([p[0] / 10 for p in positions], [float(p[3]) for p in positions])

    def strict(v: float) -> float:
        return calibrated(v) + v

    scales = (
        *SCALES,
        Scale("isotonic", "isotonic", calibrated),
        Scale("strict", "isotonic + v", strict),
        Scale("honest", "isotonic + v, a lost game 0", strict, 0.0),
    )
    size = job.size(100, quick=1)
    maps = [(as_table(scale.function), scale.lost) for scale in scales]
    tasks = [(*each, list(range(BATCH * i, BATCH * (i + 1)))) for each in maps for i in range(size)]
    found = job.map(play_scores, tasks, seed=None)
    scores = [[s for part in found[size * k : size * (k + 1)] for s in part] for k in range(len(scales))]
    rows: list[Row] = []
    for scale, own in zip(scales, scores, strict=True):
        mean, gap = mean_interval(own), paired_difference(scores[0], own)
        results[f"score_{scale.field}"] = measured(mean, unit="points per game")
        if scale.field != "plain":
            results[f"cost_{scale.field}"] = measured(gap, unit="points per game")
        rows.append({"scale": scale.name, "score": mean.mean, **_cost(gap)})
    return Findings(results, {**tables, "moves": moved_table, "cost": rows})


def _cost(gap: Estimate) -> Row:
    return {"cost": gap.mean, "cost_low": gap.low, "cost_high": gap.high}
