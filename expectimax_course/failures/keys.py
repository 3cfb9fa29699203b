"""Caches whose key lacks something that the value depends on: the reach, the depth.

A key without the reach needs positions that are met on two paths, so trees do not show it; one without the depth shows
wherever a deeper search follows a shallower one. `crossroads` draws small games in which paths meet: MAX chooses,
nature draws, and the same few positions are met again and again with different reach.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from expectimax_course.game import Game, Player, add_up
from expectimax_course.rng import Rng
from expectimax_course.search.cutoff import Cutoff
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.result import SearchResult
from expectimax_course.search.table import Table
from expectimax_course.trees import TreeGame, TreeNode

LAYERS, POSITIONS, SPREAD = 4, 3, 8.0
"""Decisions to the end of a game of `crossroads`, positions per layer, and how far an estimate may be off."""
LIKELIHOODS = ((0.9, 0.08, 0.02), (0.7, 0.2, 0.1), (0.5, 0.3, 0.2))


class Unsafe(Cutoff):
    """The mistake: truncated values kept under a key without the reach."""

    def keeps(self, exact: bool) -> bool:
        """Keep everything."""
        return True


class DepthBlind(Table):
    """The mistake: one entry per state, whatever depth it was searched to. A shallow answer passes for a deep one."""

    def __init__(self) -> None:
        super().__init__()
        self.values = _ByState()


class _ByState(dict[tuple[Hashable, float], Any]):
    """A dictionary that forgets the second half of its keys."""

    def __contains__(self, key: object) -> bool:
        assert isinstance(key, tuple)
        return super().__contains__((key[0], 0))

    def __getitem__(self, key: tuple[Hashable, float]) -> Any:
        return super().__getitem__((key[0], 0))

    def __setitem__(self, key: tuple[Hashable, float], value: Any) -> None:
        super().__setitem__((key[0], 0), value)


def deepened(
    game: Game[Any, Any], state: Any, depth: int, evaluate: Callable[[Any], float], table: Table
) -> SearchResult[Any]:
    """Search to depth 1, 2, … ``depth`` with one table and return the last answer.

    Examples
    --------
    >>> game = crossroads(1)
    >>> right, wrong = (deepened(game, 0, 3, game.estimate, table()).value for table in (Table, DepthBlind))
    >>> right == expectiminimax(game, 0, 3, game.estimate).value, right == wrong
    (True, False)
    """
    for shallow in range(1, depth):
        expectiminimax(game, state, shallow, evaluate, table=table)
    return expectiminimax(game, state, depth, evaluate, table=table)


def crossroads(seed: int) -> TreeGame:
    """Return a random game whose paths meet, for MAX against nature.

    Four layers of decisions between two actions, each followed by a draw of three outcomes; the three positions of the
    next layer are all that a draw can lead to. Leaves lie between −20 and 20; ``estimate`` of an inner node is its
    exact value, off by up to 8 points.
    """
    rng = Rng(seed)
    nodes: list[TreeNode] = []  # from the end of the game to its start
    values: list[float] = []

    def add(player: Player | None, children: Sequence[int], probabilities: Sequence[float], value: float) -> int:
        labels = ("a", "b") if player is Player.MAX else tuple(range(len(children)))
        number = value if player is None else value + SPREAD * (2 * rng.random() - 1)
        nodes.append(TreeNode(player, labels, tuple(children), tuple(probabilities), number))
        values.append(value)
        return len(nodes) - 1

    def draw(below: Sequence[int]) -> int:
        children, p = [rng.choice(below) for _ in range(3)], list(rng.choice(LIKELIHOODS))
        rng.shuffle(p)
        return add(Player.CHANCE, children, p, add_up(q * values[child] for q, child in zip(p, children, strict=True)))

    def decide(below: Sequence[int]) -> int:
        draws = [draw(below) for _ in range(2)]
        return add(Player.MAX, draws, (), max(values[i] for i in draws))

    below = [add(None, (), (), float(rng.below(41) - 20)) for _ in range(POSITIONS + 1)]
    for layer in range(LAYERS):
        below = [decide(below) for _ in range(1 if layer == LAYERS - 1 else POSITIONS)]
    last = len(nodes) - 1
    return TreeGame([node._replace(children=tuple(last - i for i in node.children)) for node in reversed(nodes)])
