"""Fitting the weights of an evaluation to outcomes, in three ways.

`fit_linear`
    Least squares: the weights w that minimise Σ (outcome − w·features)²; the value is an expected outcome.
`fit_logistic`
    For outcomes that are won (1) or lost (0): the log-odds of winning are w·features.
`cross_entropy`
    When the outcome is that of whole games played *with* the weights: draw weights from a normal distribution, play,
    move the distribution towards the best few, repeat.

The first two learn from positions that somebody else's play produced, the third searches for weights that play well.

References
----------
A. L. Samuel, "Some studies in machine learning using the game of checkers", IBM Journal 3(3), 1959. M. Buro, "From
simple features to sophisticated evaluation functions", Computers and Games 1998. R. Y. Rubinstein, "The cross-entropy
method for combinatorial and continuous optimization", Methodology and Computing in Applied Probability 1(2), 1999.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from expectimax_course.rng import Rng

Matrix = Sequence[Sequence[float]]

LOST = 2.0**-26
"""Standard errors square the singular values: what is below this share of the largest one then drowns in rounding."""


class LinearFit(NamedTuple):
    """Fitted weights with their uncertainty.

    Attributes
    ----------
    weights, standard_errors : list of float, shape (n_features,)
        Per unit of a feature; for `fit_logistic` in log-odds.
    intercept : float
    explained : float
        Share of the outcomes' variance that the fit explains (R²; McFadden's pseudo-R² for `fit_logistic`).
    """

    weights: list[float]
    standard_errors: list[float]
    intercept: float
    explained: float


class Generation(NamedTuple):
    """One round of `cross_entropy`: the distribution that it leads to, and what was seen.

    Attributes
    ----------
    mean, spread : list of float, shape (n_weights,)
        Centre and standard deviation of the next draws.
    outcomes : list of float, shape (population,)
        The outcome of each candidate of this round.
    """

    mean: list[float]
    spread: list[float]
    outcomes: list[float]


def fit_linear(features: Matrix, outcomes: Sequence[float]) -> LinearFit:
    """Fit outcomes by least squares.

    Parameters
    ----------
    features : array_like, shape (n, n_features)
    outcomes : array_like, shape (n,)

    Raises
    ------
    ValueError
        If the shapes do not fit, a number is not finite, or features determine one another.

    Examples
    --------
    >>> fit = fit_linear([[0.0], [1.0], [2.0], [3.0]], [1.0, 3.1, 4.9, 7.0])
    >>> round(fit.weights[0], 2), round(fit.intercept, 2)
    (1.98, 1.03)
    """
    import numpy as np

    x, y = _design(features, outcomes)
    n, columns = x.shape
    mean, deviation = np.zeros(columns - 1), np.ones(columns - 1)
    solution, _, rank, _ = np.linalg.lstsq(x, y, rcond=LOST)
    if rank < columns:  # because features are dependent, or only because units and origins are far apart
        mean, deviation = _standardise(x)
        solution, _, rank, _ = np.linalg.lstsq(x, y, rcond=LOST)
    if rank < columns or n <= columns:
        raise ValueError(f"expected more observations than weights and independent features, got {n} of rank {rank}")
    residuals = y - x @ solution
    variance = residuals @ residuals / (n - columns)
    weights = solution[1:] / deviation
    errors = np.sqrt(variance * np.diag(np.linalg.inv(x.T @ x)))[1:] / deviation
    around_mean = ((y - y.mean()) ** 2).sum()
    explained = 1 - residuals @ residuals / around_mean if around_mean > 0 else 1.0
    intercept = solution[0] - weights @ mean
    return LinearFit(weights.tolist(), errors.tolist(), float(intercept), float(explained))


def fit_logistic(features: Matrix, wins: Sequence[float]) -> LinearFit:
    """Fit the probability of winning.

    Parameters
    ----------
    features : array_like, shape (n, n_features)
    wins : array_like of 0 and 1, shape (n,)

    Raises
    ------
    ValueError
        If the shapes do not fit, a number is not finite, features determine one another, an outcome is neither 0 nor 1,
        or all are equal; or if some weights part the games won from the games lost, and no finite weights fit best.

    Examples
    --------
    >>> fit = fit_logistic([[0.0], [0.0], [0.0], [1.0], [1.0], [1.0]], [0, 0, 1, 0, 1, 1])
    >>> round(fit.weights[0], 2)
    1.39
    """
    import numpy as np
    from sklearn.linear_model import LogisticRegression

    x, y = _design(features, wins)
    if set(np.unique(y)) != {0.0, 1.0}:
        raise ValueError(f"expected outcomes 0 and 1, both of them, got {sorted(set(y.tolist()))[:5]}")
    mean, deviation = _standardise(x)
    rank = np.linalg.matrix_rank(x)
    if rank < x.shape[1]:
        raise ValueError(
            f"expected independent features and more observations than weights, got {len(x)} of rank {rank}"
        )
    if _parted(x, y):
        raise ValueError("expected wins and losses that the features do not part, got games that some weights part")
    model = LogisticRegression(C=math.inf, tol=1e-8, max_iter=1000).fit(x[:, 1:], y)
    weights = model.coef_[0] / deviation
    p = model.predict_proba(x[:, 1:])[:, 1]
    errors = np.sqrt(np.diag(np.linalg.inv(x.T @ (x * (p * (1 - p))[:, None]))))[1:] / deviation
    rate = y.mean()
    likelihood = np.log(np.where(y == 1, p, 1 - p)).sum()
    baseline = len(y) * (rate * math.log(rate) + (1 - rate) * math.log(1 - rate))
    explained = 1 - likelihood / baseline
    intercept = model.intercept_[0] - weights @ mean
    return LinearFit(weights.tolist(), errors.tolist(), float(intercept), float(explained))


def cross_entropy(
    outcomes_of: Callable[[list[list[float]], int], Sequence[float]],
    mean: Sequence[float],
    spread: Sequence[float],
    *,
    rng: Rng,
    population: int = 24,
    elite: int = 6,
    step: float = 0.7,
) -> Iterator[Generation]:
    """Search for the weights with the best mean outcome; an endless iterator of rounds.

    Parameters
    ----------
    outcomes_of : callable
        ``outcomes_of(candidates, round_number)`` plays with each list of weights and returns what is to be as large as
        possible, one number for each. All candidates of one round should meet the same seeds.
    mean, spread : sequence of float, shape (n_weights,)
        Where to start, and how far to look. The spread shrinks as the best candidates agree.
    rng : Rng
        Draws the candidates.
    population, elite : int
        Candidates per round, and how many of the best move the distribution.
    step : float
        How far it moves, above 0 and at most 1.

    Raises
    ------
    ValueError
        If not 2 <= elite <= population, the step is out of its range, ``mean`` and ``spread`` differ in length, a round
        brings more or fewer outcomes than candidates, or a number is not finite.

    Examples
    --------
    >>> rounds = cross_entropy(lambda ws, _: [-(w[0] - 3) ** 2 for w in ws], [0.0], [2.0], rng=Rng(1))
    >>> for _, generation in zip(range(30), rounds): pass
    >>> round(generation.mean[0], 2)
    3.0
    """
    if not 2 <= elite <= population:
        raise ValueError(f"expected 2 <= elite <= population, got elite {elite!r} and population {population!r}")
    if not 0 < step <= 1:
        raise ValueError(f"expected a step above 0 and at most 1, got {step!r}")
    if len(mean) != len(spread) or not all(map(math.isfinite, [*mean, *spread])):
        raise ValueError(f"expected as many spreads as means, all finite, got {mean!r} and {spread!r}")
    return _rounds(outcomes_of, mean, spread, rng, population, elite, step)


def _rounds(
    outcomes_of: Callable[[list[list[float]], int], Sequence[float]],
    mean: Sequence[float],
    spread: Sequence[float],
    rng: Rng,
    population: int,
    elite: int,
    step: float,
) -> Iterator[Generation]:
    mean, spread = list(mean), list(spread)
    round_number = 0
    while True:
        candidates = [[m + s * _normal(rng) for m, s in zip(mean, spread, strict=True)] for _ in range(population)]
        outcomes = list(outcomes_of(candidates, round_number))
        if len(outcomes) != population:
            raise ValueError(f"expected one outcome for each of {population} candidates, got {len(outcomes)}")
        if not all(map(math.isfinite, outcomes)):
            raise ValueError("expected finite outcomes, got nan or infinity among them")
        ranked = sorted(range(population), key=lambda i: -outcomes[i])
        for k in range(len(mean)):
            best = [candidates[i][k] for i in ranked[:elite]]
            centre = math.fsum(best) / elite
            deviation = math.sqrt(math.fsum((value - centre) ** 2 for value in best) / (elite - 1))
            mean[k] += step * (centre - mean[k])
            spread[k] += step * (deviation - spread[k])
        yield Generation(list(mean), list(spread), outcomes)
        round_number += 1


def _parted(x: Any, y: Any) -> bool:
    """Say whether some weights put no win below 0, no loss above, and not all games at 0: a linear program."""
    import numpy as np
    from scipy.optimize import linprog

    sides = np.where(y == 1, 1.0, -1.0)[:, None] * x
    sides /= np.abs(sides).max()
    best = linprog(-sides.mean(axis=0), A_ub=-sides, b_ub=np.zeros(len(x)), bounds=(-1, 1))
    return bool(-best.fun > 1e-7)


def _design(features: Matrix, outcomes: Sequence[float]) -> tuple[Any, Any]:
    """Return the features with a leading column of ones, and the outcomes, as arrays."""
    import numpy as np

    x, y = np.asarray(features, float), np.asarray(outcomes, float)
    if x.ndim != 2 or y.shape != (len(x),):
        raise ValueError(f"expected features (n, n_features) and outcomes (n,), got shapes {x.shape} and {y.shape}")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise ValueError("expected finite features and outcomes, got nan or infinity among them")
    return np.column_stack([np.ones(len(x)), x]), y


def _standardise(x: Any) -> tuple[Any, Any]:
    """Give each feature of a design mean 0 and deviation 1, in place, and return what they were.

    Neither units nor origins then matter to a solver. A constant feature becomes 0.
    """
    mean, deviation = x[:, 1:].mean(axis=0), x[:, 1:].std(axis=0)
    deviation[deviation == 0] = 1
    x[:, 1:] = (x[:, 1:] - mean) / deviation
    return mean, deviation


def _normal(rng: Rng) -> float:
    """Draw from the standard normal distribution (Box and Muller); two draws of the generator."""
    radius = math.sqrt(-2 * math.log(1 - rng.random()))
    return radius * math.cos(2 * math.pi * rng.random())
