"""What a deepening search knows, and when: its favourite after every action of the root.

`deepening.deepen` returns the answer at a deadline. To see what another deadline would have given, run once and write
down, after each action of the root, the depth, the favourite so far and the leaves valued. The clock is the number of
leaves: the same on every machine, so that a lesson, a test and a live app can rely on it.

Each depth is plain expectiminimax with one transposition table for all depths. The root's actions come best first, in
the order of the depth before, or in the game's fixed order, where the difference shows.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple, TypeVar

from expectimax_course.game import Game, NoActionsError, Player
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.result import SettingError
from expectimax_course.search.table import Table

S = TypeVar("S", bound=Hashable)
A = TypeVar("A", bound=Hashable)


class Progress(NamedTuple):
    """The state of affairs after one action of the root.

    ``action`` has just been searched to ``depth`` and is worth ``value``; ``favourite`` is the best action searched to
    this depth so far. ``leaves`` were valued since the start. ``complete`` says that all actions have been searched to
    this depth, so that the favourite is its answer.
    """

    depth: int
    action: Any
    value: float
    favourite: Any
    leaves: int
    complete: bool


def progress(
    game: Game[S, A],
    state: S,
    evaluate: Callable[[S], float],
    max_depth: int,
    *,
    best_first: bool = True,
) -> tuple[Progress, ...]:
    """Deepen to ``max_depth`` and return the progress after every action of the root.

    Parameters
    ----------
    game, state, evaluate
        As in `expectiminimax`; ``state`` is a decision.
    max_depth : int
        At least 1.
    best_first : bool
        Whether the root's actions come in the order of their values at the depth before.

    Raises
    ------
    SettingError
        If ``max_depth`` is not a whole number of 1 or more.
    NoActionsError
        If the state is no decision.

    Examples
    --------
    >>> from expectimax_course.games.push_to_21 import PushState, PushTo21
    >>> steps = progress(PushTo21(), PushState(13, "choose"), lambda state: state.total, 2)
    >>> [(step.depth, step.favourite, step.leaves, step.complete) for step in steps]
    [(1, 'hit', 1, False), (1, 'hit', 2, True), (2, 'hit', 20, False), (2, 'hit', 21, True)]
    """
    if isinstance(max_depth, bool) or not isinstance(max_depth, int) or max_depth < 1:
        raise SettingError(f"expected a maximum depth of 1 or more, got {max_depth!r}")
    if game.is_terminal(state) or game.current_player(state) is Player.CHANCE:
        raise NoActionsError(f"expected a decision to deepen, got state {state!r}")
    lower_is_better = game.current_player(state) is Player.MIN
    order = list(game.legal_actions(state))
    table, spent = Table(), 0
    steps: list[Progress] = []
    for depth in range(1, max_depth + 1):
        values: dict[Any, float] = {}
        for action in order:
            result = expectiminimax(game, game.result(state, action), depth - 1, evaluate, table=table)
            spent += result.leaves
            values[action] = result.value
            favourite = (min if lower_is_better else max)(values, key=values.__getitem__)
            steps.append(Progress(depth, action, values[action], favourite, spent, len(values) == len(order)))
        if best_first:
            order.sort(key=values.__getitem__, reverse=not lower_is_better)
    return tuple(steps)


def known_at(steps: Sequence[Progress], budget: float) -> tuple[Progress | None, Progress | None]:
    """Return what is known when ``budget`` leaves have been valued.

    Returns
    -------
    finished, unfinished : Progress or None
        The last step of the deepest complete depth: its favourite is the answer. And the last step of a depth begun
        after it, None where none of its actions was searched: its favourite is an accident.

    Examples
    --------
    >>> from expectimax_course.games.push_to_21 import PushState, PushTo21
    >>> steps = progress(PushTo21(), PushState(13, "choose"), lambda state: state.total, 2)
    >>> finished, unfinished = known_at(steps, 20)
    >>> finished.depth, unfinished.depth
    (1, 2)
    """
    finished = unfinished = None
    for step in steps:
        if step.leaves > budget:
            break
        finished, unfinished = (step, None) if step.complete else (finished, step)
    return finished, unfinished
