"""Search a sample of the outcomes: a tree that no longer grows with the number of outcomes, and a bias upwards.

Sampling is a property of the game searched, not of the search: a `SampledGame` shows only ``samples`` outcomes of each
chance node, and any search runs on it. Plain search gives *sparse sampling*, whose leaves do not depend on the number
of states at all; Star1 and Star2 give *Monte Carlo \\*-minimax*. To draw, the game is asked for all outcomes of a
chance node, once.

With replacement an outcome drawn m times counts m / samples. Without, distinct outcomes are drawn, each with its
probability among those left, and weighted by their probabilities scaled to 1; with ``samples`` at least the number of
outcomes nothing is sampled and the search is exact. With fewer, such weights favour the likely outcomes, which are
also the first to be drawn: where probabilities differ even a plain average is off, with replacement it is not.

MAX prefers the action that was lucky in the sample, so a MAX node's sampled value is too high on average, the more so
the fewer the samples: E[max] >= max E, Jensen's inequality. MIN errs the other way. Every chance node keeps its sample
for the life of the `SampledGame`, so that a search that comes back to a state sees the same game.

References
----------
M. Kearns, Y. Mansour and A. Ng, "A sparse sampling algorithm for near-optimal planning in large Markov decision
processes", Machine Learning 49, 2002. M. Lanctot, A. Saffidine, J. Veness, C. Archibald and M. Winands, "Monte Carlo
\\*-minimax search", IJCAI 2013, arXiv 1304.6057.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

from expectimax_course.game import Game, add_up, check_outcomes
from expectimax_course.games.wrapped import WrappedGame
from expectimax_course.rng import Rng
from expectimax_course.search.bounded import Order
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.result import SearchResult, SettingError
from expectimax_course.search.star import star

S = TypeVar("S", bound=Hashable)
A = TypeVar("A", bound=Hashable)


class SampledGame(WrappedGame):
    """A game that shows a fixed random sample of the outcomes of each chance node.

    Parameters
    ----------
    game : Game
    samples : int
        Outcomes drawn at each chance node, at least 1.
    rng : Rng
        Drawn from when a chance node is first seen.
    replacement : bool
        Whether an outcome can be drawn twice.

    Raises
    ------
    SettingError
        If ``samples`` is not a whole number of 1 or more.

    Examples
    --------
    >>> from expectimax_course.games.push_to_21 import PushTo21, PushState
    >>> game = SampledGame(PushTo21(), 4, rng=Rng(1))
    >>> game.chance_outcomes(PushState(0, "roll"))
    ((5, 0.25), (6, 0.25), (8, 0.25), (10, 0.25))
    """

    def __init__(self, game: Game[Any, Any], samples: int, *, rng: Rng, replacement: bool = True) -> None:
        super().__init__(game)
        if isinstance(samples, bool) or not isinstance(samples, int) or samples < 1:
            raise SettingError(f"expected a number of samples of 1 or more, got {samples!r}")
        self.samples, self.rng, self.replacement = samples, rng, replacement
        self._seen: dict[Any, tuple[tuple[Any, float], ...]] = {}

    def chance_outcomes(self, state: Any) -> tuple[tuple[Any, float], ...]:
        """Return the sample of this node: (outcome, weight) pairs in the game's order; the weights sum to 1."""
        if state not in self._seen:
            outcomes = self.game.chance_outcomes(state)
            check_outcomes(outcomes, state)  # here, because the weights of a sample always sum to 1
            draw = self._with_replacement if self.replacement else self._without_replacement
            self._seen[state] = draw(outcomes)
        return self._seen[state]

    def _with_replacement(self, outcomes: Sequence[tuple[Any, Any]]) -> tuple[tuple[Any, float], ...]:
        counts: dict[Any, int] = {}
        for _ in range(self.samples):
            outcome = self.rng.outcome(outcomes)
            counts[outcome] = counts.get(outcome, 0) + 1
        return tuple((o, counts[o] / self.samples) for o, _ in outcomes if o in counts)

    def _without_replacement(self, outcomes: Sequence[tuple[Any, Any]]) -> tuple[tuple[Any, Any], ...]:
        left = [(o, p) for o, p in outcomes if p > 0]
        if self.samples >= len(left):
            return tuple(left)
        drawn: set[Any] = set()
        for _ in range(self.samples):
            mass = add_up(p for o, p in left if o not in drawn)
            drawn.add(self.rng.outcome([(o, p / mass) for o, p in left if o not in drawn]))
        mass = add_up(p for o, p in left if o in drawn)
        return tuple((o, p / mass) for o, p in left if o in drawn)


def sparse_sampling(
    game: Game[S, A],
    state: S,
    depth: int | None = None,
    evaluate: Callable[[S], float] | None = None,
    *,
    samples: int,
    rng: Rng,
    replacement: bool = True,
    use_rewards: bool = False,
) -> SearchResult[A]:
    """Search plainly on a sample of the outcomes. The value is an estimate, biased towards whoever decides.

    Parameters
    ----------
    game, state, depth, evaluate, use_rewards
        As in `expectiminimax`.
    samples, rng, replacement
        As in `SampledGame`.

    Raises
    ------
    SettingError
        If ``samples`` is not a whole number of 1 or more.
    GameError
        As in `expectiminimax`.

    Examples
    --------
    >>> from expectimax_course.games.push_to_21 import PushTo21
    >>> game = PushTo21()
    >>> runs = [sparse_sampling(game, game.initial_state(), samples=1, rng=Rng(seed)) for seed in range(100)]
    >>> sum(run.value for run in runs) / 100 > 15.86
    True
    """
    sampled = SampledGame(game, samples, rng=rng, replacement=replacement)
    return expectiminimax(sampled, state, depth, evaluate, use_rewards=use_rewards)


def monte_carlo_star(
    game: Game[S, A],
    state: S,
    depth: int | None = None,
    evaluate: Callable[[S], float] | None = None,
    *,
    samples: int,
    rng: Rng,
    replacement: bool = True,
    probing: int = 1,
    bounds: tuple[float, float] | None = None,
    order: Order | None = None,
    use_rewards: bool = False,
) -> SearchResult[A]:
    """Search a sample of the outcomes with Star1 or Star2: the value of plain search of that sample for fewer leaves.

    Parameters
    ----------
    game, state, depth, evaluate, probing, bounds, order, use_rewards
        As in `star`. Without replacement and with enough samples the result is that of `star`.
    samples, rng, replacement
        As in `SampledGame`.

    Raises
    ------
    SettingError
        If ``samples`` is not a whole number of 1 or more.
    GameError
        As in `star`.

    Examples
    --------
    >>> from expectimax_course.games.dice import Dice
    >>> game = Dice(3, 3)
    >>> every = monte_carlo_star(game, game.initial_state(), 3, game.estimate, samples=3, rng=Rng(1),
    ...     replacement=False, bounds=(-1, 1))
    >>> every.value == star(game, game.initial_state(), 3, game.estimate, probing=1, bounds=(-1, 1)).value
    True
    """
    sampled = SampledGame(game, samples, rng=rng, replacement=replacement)
    return star(sampled, state, depth, evaluate, probing=probing, bounds=bounds, order=order, use_rewards=use_rewards)
