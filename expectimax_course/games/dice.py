"""Dice: a die names the line in which you must place your stone; k in a row wins.

Two players fill an m × m board. Before each move an m-sided die picks the row in which MAX, or the column in which MIN,
must place a stone on an empty cell; a full line is rolled again, so every line with room is equally likely and the
game ends after at most m² moves. The first to own k adjacent cells in a row, a column or a diagonal wins; a full board
is a draw. Every decision follows a chance node, as in backgammon: a regular tree, the home ground of Star1 and Star2.

References
----------
J. Veness and A. Blair, "Effective use of transposition tables in stochastic game tree search", CIG 2007. T. Hauk,
*Search in trees with chance nodes*, MSc thesis, University of Alberta, 2004.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from expectimax_course.game import Player, StateError, illegal_action

MAX, MIN, CHANCE = Player.MAX, Player.MIN, Player.CHANCE


class DiceState(NamedTuple):
    """Stones of MAX and MIN as bit sets (cell ``row · m + column``), the mover, the line rolled, the end.

    ``line`` is None while the die is in the air. ``outcome`` is None while the game runs, then 1, 0 or −1 for MAX.
    """

    max_stones: int
    min_stones: int
    mover: Player
    line: int | None
    outcome: int | None


class Dice:
    """Dice on a ``size`` × ``size`` board, ``in_a_row`` to win. Actions are cells; outcomes are lines 0 … size − 1.

    Raises
    ------
    StateError
        If not 2 <= in_a_row <= size, both whole numbers.

    Examples
    --------
    >>> game = Dice(size=3, in_a_row=3)
    >>> rolled = game.result(game.initial_state(), 1)
    >>> game.legal_actions(rolled)
    (3, 4, 5)
    """

    def __init__(self, size: int = 6, in_a_row: int = 3) -> None:
        if not (isinstance(size, int) and isinstance(in_a_row, int) and 2 <= in_a_row <= size):
            raise StateError(
                f"expected whole numbers 2 <= in_a_row <= size, got {in_a_row!r} in a row on size {size!r}"
            )
        self.size, self.in_a_row = size, in_a_row
        self._full = (1 << size * size) - 1
        self._lines = {
            MAX: [[row * size + column for column in range(size)] for row in range(size)],
            MIN: [[row * size + column for row in range(size)] for column in range(size)],
        }
        self._masks = {player: [_mask(line) for line in lines] for player, lines in self._lines.items()}
        self.winning = _winning_sets(size, in_a_row)
        self._through = [[w for w in self.winning if w >> cell & 1] for cell in range(size * size)]

    def __repr__(self) -> str:
        return f"Dice(size={self.size}, in_a_row={self.in_a_row})"

    def initial_state(self) -> DiceState:
        """Return the empty board with MAX's die in the air."""
        return DiceState(0, 0, MAX, None, None)

    def current_player(self, state: DiceState) -> Player:
        """CHANCE while the die is in the air, else the mover."""
        return CHANCE if state[3] is None else state[2]

    def legal_actions(self, state: DiceState) -> tuple[int, ...]:
        """Return the empty cells of the line rolled, in board order."""
        max_stones, min_stones, mover, line, _ = state
        if line is None:
            return ()
        taken = max_stones | min_stones
        return tuple([cell for cell in self._lines[mover][line] if not taken >> cell & 1])

    def chance_outcomes(self, state: DiceState) -> tuple[tuple[int, float], ...]:
        """Return the lines that still have room, equally likely."""
        taken = state[0] | state[1]
        open_lines = [i for i, mask in enumerate(self._masks[state[2]]) if taken & mask != mask]
        return tuple([(line, 1 / len(open_lines)) for line in open_lines])

    def result(self, state: DiceState, action: int) -> DiceState:
        """Apply a line while the die is in the air, else place a stone."""
        max_stones, min_stones, mover, line, outcome = state
        taken = max_stones | min_stones
        if line is None and outcome is None:
            lines = [i for i, mask in enumerate(self._masks[mover]) if taken & mask != mask]
            if action not in lines:
                illegal_action(action, state, lines)
            return DiceState(max_stones, min_stones, mover, action, None)
        if outcome is not None or action not in self.legal_actions(state):
            illegal_action(action, state, () if outcome is not None else self.legal_actions(state))
        stone = 1 << action
        mine = (max_stones if mover is MAX else min_stones) | stone
        if any(mine & winning == winning for winning in self._through[action]):
            outcome = int(mover)
        elif taken | stone == self._full:
            outcome = 0
        if mover is MAX:
            return DiceState(mine, min_stones, MIN, None, outcome)
        return DiceState(max_stones, mine, MAX, None, outcome)

    def is_terminal(self, state: DiceState) -> bool:
        """Say whether someone has k in a row or the board is full."""
        return state[4] is not None

    def utility(self, state: DiceState) -> float:
        """Return 1 if MAX has won, −1 if MIN has, 0 for a full board."""
        return float(state[4] or 0)

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """A loss and a win."""
        return (-1.0, 1.0)

    def estimate(self, state: DiceState) -> float:
        """Estimate a position by its open lines: an ``evaluate`` for searches with a depth.

        Each winning set that only one player has entered counts 4^(stones in it − in_a_row) for that player. The sum x
        is squashed to x / (1 + abs(x)), which keeps the estimate strictly inside the utility's bounds.

        Examples
        --------
        >>> game = Dice(3, 3)
        >>> round(game.estimate(DiceState(0b000010000, 0, MIN, None, None)), 3)
        0.2
        """
        max_stones, min_stones = state[0], state[1]
        total = 0.0
        for winning in self.winning:
            mine, theirs = winning & max_stones, winning & min_stones
            if mine and not theirs:
                total += math.ldexp(1.0, 2 * (mine.bit_count() - self.in_a_row))
            elif theirs and not mine:
                total -= math.ldexp(1.0, 2 * (theirs.bit_count() - self.in_a_row))
        return total / (1 + abs(total))

    def urgency(self, state: DiceState, cell: int) -> float:
        """Return how good a cell looks for the mover: a cheap order of moves for pruned searches.

        A winning set through the cell counts 4^(1 + the mover's stones in it) where the opponent has none in it, and
        4^(the opponent's stones in it) where only the opponent has some. So cells that win tend to come first, then
        those that stop a win, then those where most is going on; lesser sets can add up to more than a greater one.
        """
        mine, theirs = (state[0], state[1]) if state[2] is MAX else (state[1], state[0])
        total = 0
        for winning in self._through[cell]:
            if not winning & theirs:
                total += 4 << 2 * (winning & mine).bit_count()
            elif not winning & mine:
                total += 1 << 2 * (winning & theirs).bit_count()
        return float(total)


def _mask(cells: list[int]) -> int:
    return sum(1 << cell for cell in cells)


def _winning_sets(size: int, in_a_row: int) -> list[int]:
    """Return every run of ``in_a_row`` adjacent cells as a bit set."""
    sets = []
    for row in range(size):
        for column in range(size):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + down * i, column + right * i) for i in range(in_a_row)]
                if all(0 <= r < size and 0 <= c < size for r, c in cells):
                    sets.append(_mask([r * size + c for r, c in cells]))
    return sets
