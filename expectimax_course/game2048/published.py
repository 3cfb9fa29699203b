"""The hand-made evaluation and the depth rule of a well-known program, written afresh from its description.

Every row and column counts 200,000 + 270 per empty cell + 700 per mergeable tile − 47 · min(rise, fall) of rank^4
− 11 · Σ rank^3.5, and a lost game 0. The program looks max(3, k − 2) moves beyond its own for k different tiles on the
board, which is one decision more in this course's count, and evaluates afterstates of reach below 0.0001. Its author
found the weights with CMA-ES, a search for the best mean outcome of games.

References
----------
R. Xiao (nneonneo), *2048-ai*, 2014, https://github.com/nneonneo/2048-ai; and his answer to "What is the optimal
algorithm for the game 2048?", Stack Overflow, 2014.
"""

from __future__ import annotations

from expectimax_course.game2048.evaluate import LineWeights, RowEvaluation

_LINE = LineWeights(base=200_000, empty=270, merges=700, disorder=47, disorder_power=4, weight=11, weight_power=3.5)

NNEONNEO = RowEvaluation(rim=_LINE, inside=_LINE, lost=0.0)
"""The evaluation. Rounding a term to 1/256 moves a board's value by less than 0.2 of about 1.6 million."""

CUTOFF = 1e-4
"""The reach below which an afterstate is evaluated."""


def depth_rule(different_tiles: int) -> int:
    """Return the depth, in decisions, for a board with so many different tiles.

    Examples
    --------
    >>> depth_rule(4), depth_rule(10)
    (4, 9)
    """
    return 1 + max(3, different_tiles - 2)
