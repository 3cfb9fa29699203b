"""ChanceProbCut: cut at a chance node what a shallower search makes improbable.

Values at different depths of one state are strongly correlated. Fit, on positions of the game, the value at depth d by
the value s at depth d − R:

    v ≈ slope · s + intercept,  residuals with standard deviation σ.

Before a chance node is searched at depth d, its children are searched at depth d − R. Each then probably lies in
slope · s + intercept ± t·σ. If the averages of these intervals leave the window, the node is cut at once, as Star1 cuts
on proven intervals; else it is searched as usual. This is *forward* pruning: a cut can be wrong, and values are no
longer proven. The threshold t trades speed for errors; how often cuts are wrong must be measured on positions that the
fit has not seen.

References
----------
M. Schadd, M. Winands and J. Uiterwijk, "ChanceProbCut: forward pruning in chance nodes", CIG 2009. M. Buro, "ProbCut:
an effective selective extension of the alpha-beta algorithm", ICCA Journal 18(2), 1995.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from statistics import correlation, linear_regression
from typing import Any, Literal, NamedTuple, TypeVar

from expectimax_course.game import Game
from expectimax_course.search.alphabeta import run_in_window
from expectimax_course.search.bounded import Order
from expectimax_course.search.result import SearchResult, SettingError, is_finite
from expectimax_course.search.star import ChanceNode, Child, Star, prepare, star

S = TypeVar("S", bound=Hashable)
A = TypeVar("A", bound=Hashable)


class DepthFit(NamedTuple):
    """How values at one depth follow from values ``reduction`` decisions shallower; ``n`` positions were fitted."""

    reduction: int
    slope: float
    intercept: float
    sigma: float
    correlation: float
    n: int


class Cut(NamedTuple):
    """One cut that was not proven: the chance node, its depth, and the claim "value >= bound" or "value <= bound"."""

    state: Any
    depth: int
    claim: Literal["at least", "at most"]
    bound: float


class ProbCutResult(NamedTuple):
    """The search's result, whose values and intervals are probable and not proven, and every cut it made."""

    search: SearchResult[Any]
    cuts: tuple[Cut, ...]


def fit_depths(pairs: Sequence[tuple[float, float]], reduction: int) -> DepthFit:
    """Fit deep values by shallow ones (least squares).

    Parameters
    ----------
    pairs : sequence of (shallow, deep) values of one position each, shape (n, 2)
    reduction : int
        Decisions between the two depths.

    Raises
    ------
    SettingError
        If there are fewer than three pairs, the shallow values are all equal, or the slope is not positive.

    Examples
    --------
    >>> fit_depths([(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)], reduction=2).slope
    2.0
    """
    if len(pairs) < 3 or len({shallow for shallow, _ in pairs}) < 2:
        raise SettingError(f"expected at least three pairs with different shallow values, got {pairs!r}")
    shallow, deep = [s for s, _ in pairs], [d for _, d in pairs]
    slope, intercept = linear_regression(shallow, deep)
    if not slope > 0:
        raise SettingError(f"expected deep values that grow with the shallow ones, got a slope of {slope!r}")
    residuals = math.fsum((d - slope * s - intercept) ** 2 for s, d in pairs)
    sigma = math.sqrt(residuals / (len(pairs) - 2))
    return DepthFit(reduction, slope, intercept, sigma, correlation(shallow, deep), len(pairs))


def depth_pairs(
    game: Game[S, A],
    states: Sequence[S],
    depth: int,
    evaluate: Callable[[S], float],
    *,
    reduction: int,
    bounds: tuple[float, float],
    order: Order | None = None,
) -> list[tuple[float, float]]:
    """Return (value at ``depth − reduction``, value at ``depth``) of each state, both exact: the data of a fit.

    Raises
    ------
    SettingError
        If the reduction is not between 1 and the depth.
    """
    if not 1 <= reduction <= depth:
        raise SettingError(f"expected a reduction between 1 and the depth {depth}, got {reduction!r}")

    def value(state: S, decisions: int) -> float:
        return star(game, state, decisions, evaluate, probing=1, bounds=bounds, order=order).value

    return [(value(state, depth - reduction), value(state, depth)) for state in states]


def chance_prob_cut(
    game: Game[S, A],
    state: S,
    depth: int,
    evaluate: Callable[[S], float],
    *,
    fits: Mapping[int, DepthFit],
    threshold: float,
    probing: int = 1,
    bounds: tuple[float, float] | None = None,
    order: Order | None = None,
) -> ProbCutResult:
    """Search with Star and cut improbable chance nodes.

    Parameters
    ----------
    game, state, depth, evaluate, probing, bounds, order
        As in `star`; depth and evaluate are required.
    fits : mapping of depth to DepthFit
        Chance nodes at other depths are not cut. A fit belongs to the decisions that follow the chance node.
    threshold : float
        t, the half-width of the interval in standard deviations; above 0 and finite.

    Raises
    ------
    SettingError
        If the threshold is not above 0 and finite, or a fit reduces by more than its depth or is no fit.
    GameError
        As in `star`.

    Examples
    --------
    >>> from expectimax_course.games.dice import Dice
    >>> game = Dice(4, 3)
    >>> loose = {2: DepthFit(2, 1.0, 0.0, 0.05, 0.9, 100)}
    >>> result = chance_prob_cut(game, game.initial_state(), 3, game.estimate, fits=loose, threshold=1, bounds=(-1, 1))
    >>> len(result.cuts) > 0
    True
    """
    if not 0 < threshold < math.inf:
        raise SettingError(f"expected a finite threshold above 0 standard deviations, got {threshold!r}")
    for fitted, fit in fits.items():
        if not 1 <= fit.reduction <= fitted:
            raise SettingError(f"expected a fit that reduces depth {fitted} by 1 to {fitted}, got {fit!r}")
        if not (0 < fit.slope < math.inf and is_finite(fit.intercept) and 0 <= fit.sigma < math.inf):
            raise SettingError(f"expected a fit with a positive slope and finite numbers, got {fit!r}")
    # no table: its intervals are proven, those of this search are not
    how: dict[str, Any] = {"order": order, "use_rewards": False, "table": None, "verify_bounds": False}
    search = prepare(ProbCut, game, depth, evaluate, probing, bounds, **how)
    search.fits, search.threshold, search.cuts = fits, threshold, []
    return ProbCutResult(run_in_window(search, state, depth, (-math.inf, math.inf)), tuple(search.cuts))


class ProbCut(Star):
    """One run of Star with improbable chance nodes cut."""

    fits: Mapping[int, DepthFit]
    threshold: float
    cuts: list[Cut]

    def chance_value(self, state: Any, depth: float, alpha: Any, beta: Any, node: ChanceNode | None = None) -> Any:
        """Return the average of a chance node, or a bound that is probable or proven."""
        fit = self.fits.get(depth)  # type: ignore[call-overload]
        if fit is None:
            return super().chance_value(state, depth, alpha, beta, node)
        children = node.children if node else self.children(state, depth)
        node = ChanceNode([Child(child.probability, child.state, child.lower, child.upper) for child in children])
        margin = self.threshold * fit.sigma
        for child in node.children:
            if child.lower < child.upper and not self.game.is_terminal(child.state):
                a, b = node.window(child, alpha, beta)
                floor, ceiling = (a - margin - fit.intercept) / fit.slope, (b + margin - fit.intercept) / fit.slope
                shallow = self.search(child.state, depth - fit.reduction, floor, ceiling)
                expected = fit.slope * shallow + fit.intercept
                lower = expected - margin if shallow > floor else child.lower
                upper = expected + margin if shallow < ceiling else child.upper
                node.tighten(
                    child, max(child.lower, min(lower, child.upper)), min(child.upper, max(upper, child.lower))
                )
                if node.low >= beta:
                    self.cuts.append(Cut(state, int(depth), "at least", beta))
                    return node.low
                if node.high <= alpha:
                    self.cuts.append(Cut(state, int(depth), "at most", alpha))
                    return node.high
        return super().chance_value(state, depth, alpha, beta, ChanceNode(children))
