"""Pig: roll a die as long as you like and bank the turn's total, or lose it all with a one.

Two players race to ``target`` points. At their turn they *roll*, adding the face to the turn total (a 1 ends the turn
with nothing), or *hold*, which banks the turn total and passes the die. The first player is MAX; the utility is MAX's
win: 1 or 0. Play can go on without end, so a search needs a depth; the exact solution iterates.

References
----------
T. W. Neller and C. G. M. Presser, "Optimal play of the dice game Pig", The UMAP Journal 25(1), 2004: the first player
wins with probability .5306 at target 100.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from expectimax_course.game import Player, StateError, illegal_action

ROLL, HOLD = "roll", "hold"
_BOTH, _ROLL_ONLY = (ROLL, HOLD), (ROLL,)
MAX, MIN, CHANCE = Player.MAX, Player.MIN, Player.CHANCE


class PigState(NamedTuple):
    """Banked points of MAX and MIN, whose turn it is, the turn total, and whether the die is in the air."""

    max_score: int
    min_score: int
    mover: Player
    turn_total: int
    rolling: bool


# What `PigState(…)` calls in the end, without the detour: a search is as fast as `result` is.
_new: Callable[[type[PigState], tuple[int, int, Player, int, bool]], PigState] = tuple.__new__


class Pig:
    """Pig to ``target`` points with a die of ``faces`` faces. Actions "roll" and "hold"; outcomes are faces.

    At turn total 0 only "roll" is legal: holding nothing would pass for ever. Holding with enough to win wins at once.

    Raises
    ------
    StateError
        If ``target`` is not a whole number of 1 or more, or ``faces`` not one of 2 or more.

    Examples
    --------
    >>> game = Pig(target=10)
    >>> game.legal_actions(game.result(game.result(game.initial_state(), "roll"), 5))
    ('roll', 'hold')
    """

    def __init__(self, target: int = 100, faces: int = 6) -> None:
        for name, number, least in (("target", target, 1), ("faces", faces, 2)):
            if isinstance(number, bool) or not isinstance(number, int) or number < least:
                raise StateError(f"expected {name} to be a whole number of {least} or more, got {number!r}")
        self.target, self.faces = target, faces
        self._outcomes = tuple((face, 1 / faces) for face in range(1, faces + 1))

    def __repr__(self) -> str:
        return f"Pig(target={self.target}, faces={self.faces})"

    def initial_state(self) -> PigState:
        """MAX begins with nothing banked."""
        return PigState(0, 0, MAX, 0, False)

    def current_player(self, state: PigState) -> Player:
        """CHANCE while the die is in the air, else the mover."""
        return CHANCE if state[4] else state[2]

    def legal_actions(self, state: PigState) -> tuple[str, ...]:
        """Roll first; hold only with something to bank."""
        return _BOTH if state[3] else _ROLL_ONLY

    def chance_outcomes(self, state: PigState) -> tuple[tuple[int, float], ...]:
        """Every face, equally likely."""
        return self._outcomes

    def result(self, state: PigState, action: str | int) -> PigState:
        """Apply an action or, while the die is in the air, a face."""
        max_score, min_score, mover, turn_total, rolling = state
        if rolling:
            if action == 1:
                return _new(PigState, (max_score, min_score, MIN if mover is MAX else MAX, 0, False))
            if isinstance(action, int) and 1 < action <= self.faces:
                return _new(PigState, (max_score, min_score, mover, turn_total + action, False))
            illegal_action(action, state, f"the faces 1 to {self.faces}")
        if action == ROLL:
            return _new(PigState, (max_score, min_score, mover, turn_total, True))
        if action == HOLD and turn_total:
            if mover is MAX:
                return _new(PigState, (max_score + turn_total, min_score, MIN, 0, False))
            return _new(PigState, (max_score, min_score + turn_total, MAX, 0, False))
        illegal_action(action, state, self.legal_actions(state))

    def is_terminal(self, state: PigState) -> bool:
        """Someone has banked the target."""
        return state[0] >= self.target or state[1] >= self.target

    def utility(self, state: PigState) -> float:
        """1 if MAX has won, 0 if MIN has."""
        return 1.0 if state[0] >= self.target else 0.0

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """A probability of winning."""
        return (0.0, 1.0)
