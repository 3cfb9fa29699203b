"""Iterative deepening against a deadline: always an answer, never one from an unfinished search.

Search to depth 1, then 2, and so on until time is up, and answer with the last depth that was *completed*: a search cut
short has seen its first actions at a greater depth than its last, and its favourite is an accident. Since the work
grows by a factor with each depth, all shallower searches together cost a fraction of the last one, and a search that
prunes can earn that back: they order its actions, best first, and fill the table's guesses of what to try first. Values
are kept for one depth only: those of a shallower search rest on its evaluations, and hide from the next that it cut.

Time comes from an injected clock, so that tests run on a false one. It is read every ``nodes_per_slice`` nodes; a
deadline is overrun by one slice at most. What else can stop a process still counts: a program that must be on time
calls ``gc.freeze()`` once it has started, because a full garbage collection takes many milliseconds.

Depth can also be chosen before the search: see `adaptive`.

References
----------
D. J. Slate and L. R. Atkin, "CHESS 4.5: the Northwestern University chess program", 1977. R. E. Korf, "Depth-first
iterative-deepening", Artificial Intelligence 27(1), 1985.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple, TypeVar

from expectimax_course.game import Game, NoActionsError, Player
from expectimax_course.games.wrapped import WrappedGame
from expectimax_course.search.bounded import Order, finite_bounds, leaf_bounds
from expectimax_course.search.result import NodeCounts, SearchResult, SettingError, reject_stuck
from expectimax_course.search.star import star
from expectimax_course.search.table import Table
from expectimax_course.search.walk import scored

S = TypeVar("S", bound=Hashable)
A = TypeVar("A", bound=Hashable)

DEEPEST = 64
"""No search deepens beyond this."""


class TimeUp(Exception):
    """The deadline has passed; raised inside a search and caught by `deepen`."""


class Watch:
    """A stopwatch with a deadline.

    Parameters
    ----------
    milliseconds : float
        Time from now to the deadline; above 0 and finite.
    clock : callable
        Returns seconds; monotonic.

    Raises
    ------
    SettingError
        If the time is not above 0 and finite.
    """

    def __init__(self, milliseconds: float, clock: Callable[[], float] = time.perf_counter) -> None:
        if not 0 < milliseconds < math.inf:
            raise SettingError(f"expected a finite deadline above 0 milliseconds, got {milliseconds!r}")
        self.milliseconds, self.clock = milliseconds, clock
        self.start = clock()

    def elapsed(self) -> float:
        """Return the milliseconds since the start."""
        return 1000 * (self.clock() - self.start)

    def check(self) -> None:
        """Raise `TimeUp` once the deadline has passed. A search calls this after every slice of its work."""
        if self.elapsed() >= self.milliseconds:
            raise TimeUp


class Step(NamedTuple):
    """One completed depth: its answer, what it cost, and when it was ready (milliseconds since the start)."""

    depth: int
    action: Any
    value: float
    leaves: int
    milliseconds: float


class Deepened(NamedTuple):
    """The answer of the last completed depth, how it came about, and how long everything took in milliseconds.

    Where not even depth 1 was completed, ``steps`` is empty and the result is the fallback: for `deepening_star` the
    first legal action with ``depth`` 0, ``complete`` False, and for its value no more than a lower bound of what depth
    1 would have found.
    """

    result: SearchResult[Any]
    steps: tuple[Step, ...]
    milliseconds: float


def deepen(
    search: Callable[[int, SearchResult[Any] | None], SearchResult[Any]],
    watch: Watch,
    fallback: SearchResult[Any],
    max_depth: int = DEEPEST,
) -> Deepened:
    """Run one search after another, each a decision deeper, until the watch stops them.

    Parameters
    ----------
    search : callable
        ``search(depth, previous)`` returns the result for a depth, given that of the depth before (None at first); it
        calls ``watch.check()`` after every slice of its work and lets `TimeUp` pass.
    watch : Watch
    fallback : SearchResult
        The answer if not even depth 1 is completed.
    max_depth : int
        Stop here; also after a search that evaluated nothing, since it has seen the whole tree. A search must therefore
        not take values from a table that a shallower one has filled.

    Examples
    --------
    >>> from expectimax_course.search.result import NodeCounts, SearchResult
    >>> answer = lambda depth, _: SearchResult(float(depth), "go", {}, NodeCounts(1, 0, 0, 0), 1, 0, depth)
    >>> deepened = deepen(answer, Watch(1000), answer(0, None), max_depth=3)
    >>> deepened.result.value, [step.depth for step in deepened.steps]
    (3.0, [1, 2, 3])
    """
    steps: list[Step] = []
    previous: SearchResult[Any] | None = None
    try:
        for depth in range(1, max_depth + 1):
            watch.check()
            previous = search(depth, previous)
            steps.append(Step(depth, previous.action, previous.value, previous.leaves, watch.elapsed()))
            if previous.evaluations == 0:
                break
    except TimeUp:
        pass
    return Deepened(previous or fallback, tuple(steps), watch.elapsed())


def deepening_star(
    game: Game[S, A],
    state: S,
    evaluate: Callable[[S], float],
    *,
    milliseconds: float,
    bounds: tuple[float, float],
    probing: int = 1,
    order: Order | None = None,
    use_rewards: bool = False,
    max_depth: int = DEEPEST,
    clock: Callable[[], float] = time.perf_counter,
    nodes_per_slice: int = 8,
) -> Deepened:
    """Decide within a time limit: Star2, deeper and deeper, with a table.

    Parameters
    ----------
    game, state, evaluate, bounds, probing, use_rewards
        As in `star`; ``state`` is a decision.
    milliseconds : float
        The time limit, above 0.
    order : callable, optional
        The order at depth 1 and below the root; the root's actions then come in the order of the depth before.
    max_depth : int
        Decisions to look ahead at most.
    clock : callable
        Returns seconds.
    nodes_per_slice : int
        Nodes between two looks at the clock.

    Raises
    ------
    SettingError
        If the time limit is not above 0, or a slice or the depth has less than one node or decision.
    NoActionsError
        If the state is no decision, or has no action.
    GameError
        As in `star`.

    Examples
    --------
    >>> from expectimax_course.games.dice import Dice
    >>> game = Dice(4, 3)
    >>> state = game.result(game.initial_state(), 1)
    >>> answer = deepening_star(game, state, game.estimate, milliseconds=5000, bounds=(-1, 1), max_depth=2)
    >>> answer.result.depth, answer.result.action in game.legal_actions(state)
    (2, True)
    """
    for name, number in (("nodes per slice", nodes_per_slice), ("maximum depth", max_depth)):
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise SettingError(f"expected {name} of 1 or more, got {number!r}")
    watch = Watch(milliseconds, clock)
    if game.is_terminal(state) or game.current_player(state) is Player.CHANCE:
        raise NoActionsError(f"expected a decision to deepen, got state {state!r}")
    timed, table = _TimedGame(game, watch, nodes_per_slice), Table()

    def search(depth: int, previous: SearchResult[Any] | None) -> SearchResult[Any]:
        table.values.clear()
        return star(
            timed,
            state,
            depth,
            evaluate,
            probing=probing,
            bounds=bounds,
            order=order if previous is None else _best_first(game, state, previous, order),
            use_rewards=use_rewards,
            table=table,
        )

    low, _ = leaf_bounds(game, evaluate, bounds)
    if use_rewards:
        low += min(0, finite_bounds(scored(game).reward_bounds)[0])
    actions = game.legal_actions(state)
    if not actions:
        reject_stuck(state)
    nothing = SearchResult(low, actions[0], {}, NodeCounts(0, 0, 0, 0), 0, 0, 0, kind="lower", complete=False)
    return deepen(search, watch, nothing, max_depth)


class _TimedGame(WrappedGame):
    """The game, with a look at the clock every few nodes: a search asks each node it visits whether it is over."""

    def __init__(self, game: Game[Any, Any], watch: Watch, nodes_per_slice: int) -> None:
        super().__init__(game)
        self.watch, self.nodes_per_slice, self.nodes = watch, nodes_per_slice, 0

    def is_terminal(self, state: Any) -> bool:
        """Pass through, and check the time."""
        self.nodes += 1
        if self.nodes % self.nodes_per_slice == 0:
            self.watch.check()
        return self.game.is_terminal(state)


def _best_first(game: Game[Any, Any], root: Any, previous: SearchResult[Any], order: Order | None) -> Order:
    """Rank the root's actions by what the depth before proved, and leave every other decision to ``order``."""
    lower_is_better = game.current_player(root) is Player.MIN
    promise = {a: lower if lower_is_better else -upper for a, (lower, upper) in previous.action_values.items()}
    ranked = sorted(promise, key=lambda action: (action != previous.action, promise[action]))

    def best_first(state: Any, actions: Sequence[Any]) -> Sequence[Any]:
        if state == root:
            return ranked
        return actions if order is None else order(state, actions)

    return best_first
