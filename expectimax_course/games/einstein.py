"""EinStein würfelt nicht: a die names the stone you must move; reach the far corner or take everything.

On an n × n board each player starts in one corner with ``stones`` stones, numbered from 1. A die with as many faces
picks a number: the mover moves that stone or, if it is gone, the next higher or the next lower one that is left. MAX
starts at the top left and moves right, down or diagonally down-right; MIN mirrors. A stone captures whatever stands
where it arrives, its own side's stones too. The first on the corner opposite wins, and so does the one who takes the
opponent's last stone. Nobody ever moves back, so every game ends.

The players of the full game choose how to set up their stones; here the set-up is fixed: number 1 in the corner, the
others along the diagonals outward.

References
----------
I. Althöfer, "On the origins of EinStein würfelt nicht!", in *Advances in Computer Games* 13, LNCS 7168, 2012.
R. Lorentz, "An MCTS program to play EinStein würfelt nicht!", LNCS 7168, 2012.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from expectimax_course.game import Player, StateError, illegal_action

MAX, MIN, CHANCE = Player.MAX, Player.MIN, Player.CHANCE
GONE = -1


class EinsteinState(NamedTuple):
    """The cell of every stone (−1: captured) of MAX and of MIN, the mover, and the number rolled (None: not yet).

    Cells are ``row · size + column``; entry i belongs to the stone with number i + 1.
    """

    max_cells: tuple[int, ...]
    min_cells: tuple[int, ...]
    mover: Player
    roll: int | None


class Move(NamedTuple):
    """One move: the number of the stone and the cell it goes to."""

    stone: int
    to: int


class Einstein:
    """EinStein würfelt nicht on a ``size`` × ``size`` board with ``stones`` stones a side.

    Actions are `Move`; outcomes are the numbers 1 … stones, equally likely.

    Raises
    ------
    StateError
        If the size is below 3, the two triangles of stones would overlap, or a number is not whole.

    Examples
    --------
    >>> game = Einstein(size=3, stones=2)
    >>> game.legal_actions(game.result(game.initial_state(), 2))
    (Move(stone=2, to=2), Move(stone=2, to=4), Move(stone=2, to=5))
    """

    def __init__(self, size: int = 5, stones: int = 6) -> None:
        if not (isinstance(size, int) and isinstance(stones, int)):
            raise StateError(f"expected whole numbers for size and stones, got {size!r} and {stones!r}")
        triangle = [(row, diagonal - row) for diagonal in range(size - 1) for row in range(diagonal + 1)]
        if size < 3 or not 1 <= stones <= len(triangle):
            raise StateError(f"expected a size of 3 or more and stones for one corner, got {size!r} and {stones!r}")
        self.size, self.stones = size, stones
        self._last = size * size - 1
        cells = tuple(row * size + column for row, column in triangle[:stones])
        self._start = EinsteinState(cells, tuple(self._last - cell for cell in cells), MAX, None)
        self._outcomes = tuple((number, 1 / stones) for number in range(1, stones + 1))
        self._targets = {player: [self._steps(cell, player) for cell in range(size * size)] for player in (MAX, MIN)}

    def __repr__(self) -> str:
        return f"Einstein(size={self.size}, stones={self.stones})"

    def _steps(self, cell: int, player: Player) -> tuple[int, ...]:
        """Return the cells one step ahead: sideways, diagonally, along the column, in board order for MAX."""
        row, column = divmod(cell, self.size)
        steps = ((0, 1), (1, 0), (1, 1))
        ahead = [(row + player * down, column + player * right) for down, right in steps]
        return tuple(r * self.size + c for r, c in ahead if 0 <= r < self.size and 0 <= c < self.size)

    def initial_state(self) -> EinsteinState:
        """Return the set-up with MAX's die in the air."""
        return self._start

    def current_player(self, state: EinsteinState) -> Player:
        """CHANCE while the die is in the air, else the mover."""
        return CHANCE if state[3] is None else state[2]

    def legal_actions(self, state: EinsteinState) -> tuple[Move, ...]:
        """Return the moves of the stone rolled, or of its nearest neighbours in number, the lower one first."""
        max_cells, min_cells, mover, roll = state
        if roll is None:
            return ()
        cells, targets = (max_cells if mover is MAX else min_cells), self._targets[mover]
        movable = _movable(tuple(cell != GONE for cell in cells), roll)
        return tuple([Move(stone, to) for stone in movable for to in targets[cells[stone - 1]]])

    def chance_outcomes(self, state: EinsteinState) -> tuple[tuple[int, float], ...]:
        """Return every number, equally likely, whether or not its stone is still there."""
        return self._outcomes

    def result(self, state: EinsteinState, action: int | Move) -> EinsteinState:
        """Apply a number while the die is in the air, else a move; what stands at its end is captured."""
        max_cells, min_cells, mover, roll = state
        if roll is None:
            if not isinstance(action, int) or not 1 <= action <= self.stones or self.is_terminal(state):
                illegal_action(action, state, f"the numbers 1 to {self.stones} of a game that runs")
            return EinsteinState(max_cells, min_cells, mover, action)
        if not isinstance(action, tuple) or action not in self.legal_actions(state):
            illegal_action(action, state, self.legal_actions(state))
        stone, to = action
        if to in max_cells:
            max_cells = tuple([GONE if cell == to else cell for cell in max_cells])
        if to in min_cells:
            min_cells = tuple([GONE if cell == to else cell for cell in min_cells])
        if mover is MAX:
            return EinsteinState((*max_cells[: stone - 1], to, *max_cells[stone:]), min_cells, MIN, None)
        return EinsteinState(max_cells, (*min_cells[: stone - 1], to, *min_cells[stone:]), MAX, None)

    def is_terminal(self, state: EinsteinState) -> bool:
        """Say whether a stone has arrived, or a side has none left. Only who has just moved can have won."""
        if state[3] is not None:
            return False
        if state[2] is MIN:
            return self._last in state[0] or max(state[1]) == GONE
        return 0 in state[1] or max(state[0]) == GONE

    def utility(self, state: EinsteinState) -> float:
        """Return 1 if MAX has won, −1 if MIN has: the winner is whoever is not to move."""
        return -float(state[2])

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """A loss and a win."""
        return (-1.0, 1.0)

    def estimate(self, state: EinsteinState) -> float:
        """Estimate a position by the race: how many steps each side's best stone still needs.

        Returns (MIN's steps − MAX's steps + ½ for the side to move) / (size + 1), strictly inside the utility's bounds,
        while the game runs, and the utility once it is over.

        Examples
        --------
        >>> game = Einstein(size=3, stones=2)
        >>> game.estimate(game.initial_state())
        0.125
        """
        if self.is_terminal(state):
            return self.utility(state)
        to_go = self.size - 1
        max_steps = min([max(to_go - c // self.size, to_go - c % self.size) for c in state[0] if c != GONE])
        min_steps = min([max(c // self.size, c % self.size) for c in state[1] if c != GONE])
        return (min_steps - max_steps + 0.5 * state[2]) / (self.size + 1)

    def urgency(self, state: EinsteinState, move: Move) -> float:
        """Return how good a move looks for the mover: a cheap order of moves for pruned searches.

        Arriving comes first, then taking an enemy stone, the more advanced the better; taking one's own comes last.
        Otherwise the stone that is nearest to the goal afterwards goes first.
        """
        mine, theirs = (state[0], state[1]) if state[2] is MAX else (state[1], state[0])
        row, column = divmod(move[1], self.size)
        steps = max(row, column) if state[2] is MIN else self.size - 1 - min(row, column)
        if steps == 0:
            return 100.0
        if move[1] in theirs:
            return 50.0 + steps
        return -float(steps) - (20.0 if move[1] in mine else 0.0)


@lru_cache(maxsize=4096)
def _movable(present: tuple[bool, ...], roll: int) -> tuple[int, ...]:
    """Return the stones that may move: the one rolled, else the nearest lower and the nearest higher one left."""
    if present[roll - 1]:
        return (roll,)
    lower = [number for number in range(1, roll) if present[number - 1]]
    higher = [number for number in range(roll + 1, len(present) + 1) if present[number - 1]]
    return tuple(lower[-1:] + higher[:1])
