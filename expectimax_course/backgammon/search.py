"""Choosing a play: the readable way, for any search of the course, and the compiled engine.

`evaluator` turns a network into the ``evaluate`` of `expectiminimax` and `star`: their depth 1 on `Backgammon` is the
"1-ply" of the literature, depth 2 the "2-ply". `Engine` computes the same values hundreds of times faster.

A 2-ply search answers each of the opponent's 21 rolls with each of its plays, some 420 evaluations for each of our
own plays. *Best-k* searches only the k plays that depth 1 puts first. *Star2* (`kernels.star`) gives up a play as soon
as the favourite replies to each roll prove it worse than the best so far.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from expectimax_course.backgammon.net import Net
from expectimax_course.backgammon.rules import Play, Roll, Side, State, plays, sides
from expectimax_course.game import DepthError

if TYPE_CHECKING:
    from expectimax_course.backgammon.kernels import Weights

BOUNDS = (-3.0, 3.0)
"""Honest bounds of every value of a network, for `star`."""

Method = Literal["plain", "star1", "star2"]
_METHODS: tuple[Method, ...] = ("plain", "star1", "star2")


class Candidate(NamedTuple):
    """A play and what it is worth to the mover.

    ``kind`` is "exact" at the depth of the search, "upper" where pruning proved only a bound, and "depth 1" where the
    play was not searched deeper.
    """

    play: Play
    value: float
    kind: Literal["exact", "upper", "depth 1"]


def evaluator(net: Net) -> Callable[[State], float]:
    """Return the evaluation of states before the roll, in MAX's view, for the searches of the course."""

    def evaluate(state: State) -> float:
        own, other = sides(state)
        return int(state.turn) * net.equity(own, other)

    return evaluate


def rank_plays(net: Net, own: Side, other: Side, roll: Roll) -> list[Candidate]:
    """Return the plays of a roll by their value at depth 1, the best first; ties keep the order of `plays`.

    Examples
    --------
    >>> from expectimax_course.backgammon.net import load_net
    >>> from expectimax_course.backgammon.rules import Backgammon
    >>> start = Backgammon().initial_state()
    >>> rank_plays(load_net("small"), start.max_side, start.min_side, (3, 1))[0].play
    ((8, 5), (6, 5))
    """
    found = [
        Candidate(play, -net.equity(theirs, mine), "exact") for play, (mine, theirs) in plays(own, other, roll).items()
    ]
    return sorted(found, key=lambda candidate: -candidate.value)


class Engine:
    """The compiled search with one network. Not thread-safe: it works in scratch space of its own.

    Parameters
    ----------
    net : Net or Weights

    Attributes
    ----------
    leaves : int
        Evaluations so far.
    """

    def __init__(self, net: Net | Weights) -> None:
        import numpy as np

        from expectimax_course.backgammon import kernels

        self._np, self._kernels = np, kernels
        self.weights = to_weights(net) if isinstance(net, Net) else net
        hidden = self.weights.w1.shape[2]
        self._scratch = tuple(kernels.new_scratch(hidden) for _ in range(3))
        self._rolls = {(int(high), int(low)): index for index, (high, low) in enumerate(kernels.ROLLS)}
        self._values = np.zeros(kernels.MAX_PLAYS, np.float64)
        self._kinds = np.zeros(kernels.MAX_PLAYS, np.int64)

    @property
    def leaves(self) -> int:
        return sum(int(scratch.leaves[0]) for scratch in self._scratch)

    def search(
        self, own: Side, other: Side, roll: Roll, depth: int = 1, *, width: int | None = None, method: Method = "star2"
    ) -> list[Candidate]:
        """Return the plays of a roll, the best first.

        Parameters
        ----------
        own, other : the mover and its opponent, each from its own end
        depth : 1, 2 or 3 decisions
        width : int, optional
            Search only so many plays deeper, the best at depth 1; None is full width.
        method : "plain", "star1" or "star2"
            The values of the best play are equal; depth 3 always uses Star2.

        Raises
        ------
        DepthError
            If the depth is not 1, 2 or 3, the width below 1, or the method unknown.
        """
        if depth not in (1, 2, 3) or isinstance(depth, bool):
            raise DepthError(f"expected a depth of 1, 2 or 3, got {depth!r}")
        if width is not None and width < 1:
            raise DepthError(f"expected a width of 1 or more plays, got {width!r}")
        if method not in _METHODS:
            raise DepthError(f"expected one of {', '.join(_METHODS)}, got {method!r}")
        np = self._np
        board = np.array((own, other), np.int8)
        count = self._search(board, np.array(roll, np.int64), depth, width, _METHODS.index(method))
        by_position = {
            (tuple(int(n) for n in play[0]), tuple(int(n) for n in play[1])): index
            for index, play in enumerate(self._scratch[0].plays[:count])
        }
        kinds: tuple[Literal["depth 1", "exact", "upper"], ...] = ("depth 1", "exact", "upper")
        found = []
        for play, position in plays(own, other, roll).items():
            index = by_position[position]
            found.append(Candidate(play, float(self._values[index]), kinds[int(self._kinds[index])]))
        rank = {"exact": 0, "upper": 1, "depth 1": 2}
        return sorted(found, key=lambda candidate: (rank[candidate.kind] == 2, -candidate.value, rank[candidate.kind]))

    def choose(self, board: Any, roll: Roll, depth: int = 1, width: int | None = None) -> Any:
        """Return the board after the best play: arrays of shape (2, 26) int8, the mover in row 0 of both."""
        np = self._np
        count = self._search(board, np.array(roll, np.int64), depth, width, 2)
        # what was not searched deeper is no candidate; an exact value wins a tie with a bound
        searched = np.where(self._kinds[:count] == 1, self._values[:count], -np.inf)
        return self._scratch[0].plays[int(searched.argmax())].copy()

    def luck(self, board: Any, roll: Roll) -> float:
        """Return how many points more this roll is worth to the mover, row 0, than the mean of all rolls, at depth 1.

        The mean over rolls is 0 whatever the network thinks: what a game's luck adds up to can be taken off its result
        without bias, and much of the noise goes with it.
        """
        kernels = self._kernels
        scratch = self._scratch[2]
        mean = kernels.expectation(board, self.weights, kernels.TABLES, scratch)
        return float(scratch.expected[self._rolls[roll]] - mean)

    def _search(self, board: Any, roll: Any, depth: int, width: int | None, method: int) -> int:
        kernels = self._kernels
        count: int = kernels.search_root(
            board,
            roll,
            depth,
            kernels.MAX_PLAYS if width is None else width,
            method,
            self.weights,
            kernels.TABLES,
            *self._scratch,
            self._values,
            self._kinds,
        )
        return count


def to_weights(net: Net) -> Weights:
    """Return the arrays of a network, float32, for the kernels."""
    import numpy as np

    from expectimax_course.backgammon.kernels import Weights

    return Weights(
        np.array([part.w1 for part in net.parts], np.float32),
        np.ascontiguousarray(np.array([part.w2 for part in net.parts], np.float32).transpose(0, 2, 1)),
        np.array([part.b2 for part in net.parts], np.float32),
    )


def from_weights(weights: Weights) -> Net:
    """Return the network of the kernels' arrays."""
    from expectimax_course.backgammon.net import Part

    return Net(
        tuple(
            Part(w1.tolist(), w2.T.tolist(), b2.tolist())
            for w1, w2, b2 in zip(weights.w1, weights.w2, weights.b2, strict=True)
        )
    )
