"""Probability cutoff: do not look behind what will hardly happen.

The *reach* of a state is the product of the probabilities on the path to it. Where it falls below a threshold, the
state is evaluated instead of searched, whatever depth is left. The value is then that of the truncated tree. Let the
values lie in an interval of width w, and let every way of playing both sides meet a mass of at most m that is cut; then
it is off by at most m·w.

Now a value depends on the reach too, and a cache keyed by state and depth alone returns a truncated value where a full
one was due. Two keys are safe. ``caching="reach"`` puts the reach into the key: the same answer as without a cache.
``caching="exact"`` keeps only values below which nothing was cut: they serve any reach, and the mass that is cut can
only become less. The error mostly does too, but not always: two errors that cancelled may lose one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Literal, TypeVar

from expectimax_course.game import DepthError, Game, Player
from expectimax_course.search.result import SearchResult, SettingError, reject_stuck
from expectimax_course.search.walk import Walk, depth_limit, reject_endless

S = TypeVar("S", bound=Hashable)
A = TypeVar("A", bound=Hashable)
Caching = Literal["none", "exact", "reach"]

MAX, CHANCE = Player.MAX, Player.CHANCE


def cutoff_search(
    game: Game[S, A],
    state: S,
    depth: int,
    evaluate: Callable[[S], float],
    *,
    threshold: float,
    caching: Caching = "exact",
    use_rewards: bool = False,
) -> SearchResult[A]:
    """Search like `expectiminimax`, but evaluate every state whose reach is below the threshold.

    Parameters
    ----------
    game, state, depth, evaluate, use_rewards
        As in `expectiminimax`; depth and evaluate are required.
    threshold : float
        At least 0, which cuts nothing, and below 1.
    caching : "none", "exact" or "reach"
        What is kept during the search; see the module's docstring.

    Returns
    -------
    SearchResult
        Values of the truncated tree; they prove nothing about the full one.

    Raises
    ------
    SettingError
        If the threshold is outside [0, 1) or the caching unknown.
    DepthError, EvaluationError, UtilityError, ProbabilityError, NoOutcomesError, NoActionsError
        As in `expectiminimax`.
    WrongSearchError, PlayerError
        As in `expectiminimax`.

    Examples
    --------
    >>> from expectimax_course.games.pig import Pig
    >>> game = Pig(target=20)
    >>> lead = lambda state: 0.5 + (state.max_score - state.min_score) / 80
    >>> full = cutoff_search(game, game.initial_state(), 4, lead, threshold=0)
    >>> cut = cutoff_search(game, game.initial_state(), 4, lead, threshold=0.1)
    >>> full.leaves, cut.leaves, round(full.value - cut.value, 3)
    (127, 66, 0.029)
    """
    return run_cutoff(Cutoff(game, evaluate, use_rewards, threshold, caching), state, depth)


def run_cutoff(search: Cutoff, root: Any, depth: int) -> SearchResult[Any]:
    """Run a prepared search at the root and collect its result."""
    depth_limit(depth, search.evaluate)
    if depth is None:
        raise DepthError("expected a depth of 0 or more decisions, got None")
    action: Any = None
    values: dict[Any, Any] = {}
    try:
        if depth == 0 or search.game.is_terminal(root) or search.game.current_player(root) is CHANCE:
            value, _ = search.value(root, depth, 1)  # a whole 1: with Fractions the reach stays exact
        else:
            values, _ = search.action_values(root, depth, 1)
            best = max if search.game.current_player(root) is MAX else min
            action = best(values, key=values.__getitem__)
            value = values[action]
    except RecursionError:
        reject_endless(depth, root)
    intervals = {a: (v, v) for a, v in values.items()}
    return SearchResult(value, action, intervals, search.counts, search.evaluations, search.table_hits, depth)


class Cutoff(Walk):
    """One run. Every value comes with a flag: was nothing cut by the threshold below?"""

    def __init__(
        self,
        game: Game[Any, Any],
        evaluate: Callable[[Any], Any],
        use_rewards: bool,
        threshold: float,
        caching: Caching,
    ) -> None:
        super().__init__(game, evaluate, use_rewards)
        if not 0 <= threshold < 1:
            raise SettingError(f"expected a threshold of at least 0 and below 1, got {threshold!r}")
        if caching not in ("none", "exact", "reach"):
            raise SettingError(f"expected caching to be 'none', 'exact' or 'reach', got {caching!r}")
        self.threshold, self.caching = threshold, caching
        self.entries: dict[Hashable, tuple[Any, bool]] = {}

    def key(self, state: Any, depth: int, reach: Any) -> Hashable:
        """Return all that a kept value depends on."""
        return (state, depth, reach) if self.caching == "reach" else (state, depth)

    def keeps(self, exact: bool) -> bool:
        """Say whether a value may be kept."""
        return self.caching == "reach" or (self.caching == "exact" and exact)

    def value(self, state: Any, depth: int, reach: Any) -> tuple[Any, bool]:
        """Return the value of a state in the truncated tree, and whether it is that of the full one."""
        if self.game.is_terminal(state):
            return self.terminal_value(state), True
        if depth == 0:
            return self.estimate(state), True
        if reach < self.threshold:
            return self.estimate(state), False
        key = self.key(state, depth, reach)
        if key in self.entries:
            self.table_hits += 1
            return self.entries[key]
        if self.game.current_player(state) is CHANCE:
            value, exact = self.expectation(state, depth, reach)
        else:
            values, exact = self.action_values(state, depth, reach)
            value = max(values.values()) if self.game.current_player(state) is MAX else min(values.values())
        if self.keeps(exact):
            self.entries[key] = (value, exact)
        return value, exact

    def expectation(self, state: Any, depth: int, reach: Any) -> tuple[Any, bool]:
        """Average the outcomes of a chance node, each with its share of the reach."""
        total: Any = 0
        exact = True
        for outcome, p in self.open_chance(state):
            value, whole = self.value(self.game.result(state, outcome), depth, reach * p)
            total += p * value
            exact = exact and whole
        return total, exact

    def action_values(self, state: Any, depth: int, reach: Any) -> tuple[dict[Any, Any], bool]:
        """Return the value of each action, rewards included, and whether all are those of the full tree."""
        self.count_decision(state, self.game.current_player(state))
        values: dict[Any, Any] = {}
        exact = True
        for action in self.game.legal_actions(state):
            value, whole = self.value(self.game.result(state, action), depth - 1, reach)
            values[action] = value if self.reward is None else self.reward_of(state, action) + value
            exact = exact and whole
        if not values:
            reject_stuck(state)
        return values, exact
