"""Means with intervals, proportions with intervals, and paired comparisons.

Everything random in this course carries *n* and an interval. An interval of confidence 95 % is one that covers the
truth in 95 % of repetitions of the whole experiment.

References
----------
E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22, 1927.
R. A. Fisher and E. A. Cornish, "The percentile points of distributions having known cumulants", Technometrics 2(2),
1960: the expansion of Student's quantile.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import NormalDist
from typing import NamedTuple

POWER, LEVEL = 0.8, 0.05
"""How often a test sees a difference that is there, and how often one that is not."""


class Estimate(NamedTuple):
    """A mean or a proportion, with its uncertainty.

    ``mean`` and the interval ``low`` … ``high`` have the unit of the observations; ``n`` counts them (pairs, in a
    paired comparison). ``standard_error`` is the estimated standard deviation of ``mean``.
    """

    n: int
    mean: float
    standard_error: float
    low: float
    high: float


def student_quantile(probability: float, degrees: int) -> float:
    """Return Student's quantile: exact for 1 and 2 degrees of freedom, else by the Cornish–Fisher expansion.

    The expansion is a little too narrow: at .975 by 0.8 % for 3 degrees of freedom, 0.3 % for 4 and 0.1 % for 5; at
    .9995 by 12 %, 5 % and 2.4 %, and by less than 0.5 % from 8 on.

    Raises
    ------
    ValueError
        If the probability is not between 0 and 1, or there is no degree of freedom.

    Examples
    --------
    >>> round(student_quantile(0.975, 9), 2), round(student_quantile(0.975, 2), 2)
    (2.26, 4.3)
    """
    if not 0 < probability < 1 or degrees < 1:
        raise ValueError(
            f"expected a probability between 0 and 1 and 1 or more degrees, got {probability!r}, {degrees!r}"
        )
    if degrees == 1:
        return math.tan(math.pi * (probability - 0.5))
    if degrees == 2:
        return (2 * probability - 1) / math.sqrt(2 * probability * (1 - probability))
    z = NormalDist().inv_cdf(probability)
    g1 = (z**3 + z) / 4
    g2 = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    g3 = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + g1 / degrees + g2 / degrees**2 + g3 / degrees**3


def mean_interval(values: Iterable[float], *, confidence: float = 0.95) -> Estimate:
    """Return the mean of independent observations with Student's interval.

    Parameters
    ----------
    values : iterable of float, shape (n,)
    confidence : coverage of the interval, between 0 and 1

    Raises
    ------
    ValueError
        If fewer than two values come, or a value is not finite.

    Examples
    --------
    >>> mean_interval([1.0, 2.0, 3.0, 4.0]).mean
    2.5
    """
    data = list(values)
    n = len(data)
    if n < 2:
        raise ValueError(f"expected at least two observations, got {n}")
    if not all(math.isfinite(x) for x in data):
        raise ValueError("expected finite observations, got nan or infinity among them")
    mean = math.fsum(data) / n
    variance = math.fsum((x - mean) ** 2 for x in data) / (n - 1)
    return interval_from_moments(n, mean, variance, confidence=confidence)


def interval_from_moments(n: int, mean: float, variance: float, *, confidence: float = 0.95) -> Estimate:
    """Return the interval of a mean from its running moments (``variance`` with n − 1 in the denominator)."""
    standard_error = math.sqrt(variance / n)
    margin = student_quantile(0.5 + confidence / 2, n - 1) * standard_error
    return Estimate(n, mean, standard_error, mean - margin, mean + margin)


def proportion_interval(successes: int, n: int, *, confidence: float = 0.95) -> Estimate:
    """Return a rate with Wilson's interval, sound near 0 and 1 too.

    Raises
    ------
    ValueError
        If not 0 <= successes <= n with n at least 1.

    Examples
    --------
    >>> estimate = proportion_interval(5, 10)
    >>> f"{estimate.low:.3f} to {estimate.high:.3f}"
    '0.237 to 0.763'
    """
    if n < 1 or not 0 <= successes <= n:
        raise ValueError(f"expected 0 <= successes <= n with n at least 1, got {successes} of {n}")
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    p = successes / n
    shrink = 1 + z * z / n
    centre = (p + z * z / (2 * n)) / shrink
    margin = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / shrink
    # Rounding must not put the rate itself outside: at 0 and 1 it is an end of the interval.
    low, high = max(0.0, min(p, centre - margin)), min(1.0, max(p, centre + margin))
    return Estimate(n, p, math.sqrt(p * (1 - p) / n), low, high)


def paired_difference(first: Sequence[float], second: Sequence[float], *, confidence: float = 0.95) -> Estimate:
    """Return the mean of ``first[i] − second[i]`` with its interval; entry i of both ran on the same seed.

    Raises
    ------
    ValueError
        If the two differ in length.

    Examples
    --------
    >>> paired_difference([3.0, 5.0, 4.0], [2.0, 4.0, 3.0]).mean
    1.0
    """
    if len(first) != len(second):
        raise ValueError(f"expected two sequences of one length, got {len(first)} and {len(second)}")
    return mean_interval((a - b for a, b in zip(first, second, strict=True)), confidence=confidence)


def games_to_tell_apart(p: float, q: float) -> int:
    """Return how many games each of two players needs so that a two-sided test tells rates p and q apart.

    The textbook formula for two independent proportions at ``POWER`` and ``LEVEL``, unpooled variance; at least 1.

    Raises
    ------
    ValueError
        If the rates are equal or outside [0, 1].

    Examples
    --------
    >>> games_to_tell_apart(0.67, 0.86)
    75
    """
    if p == q or not (0 <= p <= 1 and 0 <= q <= 1):
        raise ValueError(f"expected two different rates in [0, 1], got {p!r} and {q!r}")
    z = NormalDist().inv_cdf(1 - LEVEL / 2) + NormalDist().inv_cdf(POWER)
    return max(1, math.ceil(z * z * (p * (1 - p) + q * (1 - q)) / (p - q) ** 2))
