"""A transposition table whose key holds all that a value depends on.

The value of a search depends on the state, on the depth that remains, and on what the search was asked: which game,
which evaluation, with or without rewards. State and depth are the key of an entry. The rest is fixed by the search that
fills the table first; a second search that differs there is refused, because it would read answers to another
question. Probability cutoffs add the reach to this list (``search/cutoff``).

Time O(1) per look-up; space one entry per distinct (state, depth). O(b^m c^d) is only an upper bound on that number:
what counts is how many different positions there are.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any


class TableMismatchError(ValueError):
    """A table filled for one question was offered to another."""


class Table:
    """What is known of (state, depth that remains), for one game, one evaluation and one way of counting.

    A plain search keeps a value, a pruned one the proven interval ``(lower, upper)``. Pruned searches also keep
    ``best``, the action that did best when a state was last searched, at whatever depth: a guess, good for trying it
    first and for nothing else.

    Examples
    --------
    >>> from expectimax_course.games.push_to_21 import PushTo21
    >>> from expectimax_course.search.expectimax import expectimax
    >>> game, table = PushTo21(), Table()
    >>> first = expectimax(game, game.initial_state(), table=table)
    >>> again = expectimax(game, game.initial_state(), table=table)
    >>> len(table), again.value == first.value, again.nodes.chance
    (43, True, 0)
    """

    def __init__(self) -> None:
        self.values: dict[tuple[Hashable, float], Any] = {}
        self.best: dict[Hashable, Any] = {}
        self.question: tuple[Any, ...] | None = None

    def __len__(self) -> int:
        return len(self.values)

    def bind(self, *question: Any) -> dict[tuple[Hashable, float], Any]:
        """Fix what the values depend on beside their key, or check it once there are entries, and return the entries.

        Raises
        ------
        TableMismatchError
            If the table holds answers to another question.
        """
        if self.question is None or not (self.values or self.best):
            self.question = question
        elif len(self.question) != len(question) or any(
            mine is not theirs and mine != theirs for mine, theirs in zip(self.question, question, strict=True)
        ):
            raise TableMismatchError(
                f"expected a new table or one filled with {self.question!r}, got a search with {question!r}"
            )
        return self.values
