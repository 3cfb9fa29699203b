"""Push to 21: roll and add as long as you dare; above the target everything is lost.

The total starts at 0. *Hit* rolls a die with ``faces`` faces and adds it; *stand* banks the total. A total above the
target is a bust and banks nothing. One chance node follows another, each with the player's choice between them:

    EV[t]  = max(t, hit(t))
    hit(t) = (EV[t + 1] + … + EV[t + faces]) / faces,   where EV of a total above the target is 0

Totals only grow, so filling the table from the target down to 0 meets every value before it is needed: backward
induction, O(target · faces) time and O(target) space (pseudo-polynomial: the target's size counts, not its digits).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from expectimax_course.game import Player, StateError, illegal_action

HIT, STAND = "hit", "stand"
_ACTIONS = (HIT, STAND)
MAX, CHANCE = Player.MAX, Player.CHANCE


class PushState(NamedTuple):
    """The total, and what happens next: "choose", "roll" (the die is in the air) or "over"."""

    total: int
    phase: str


class PushTo21:
    """Push to ``target`` with a die of ``faces`` faces. Actions "hit" and "stand"; outcomes are faces.

    Raises
    ------
    StateError
        If ``target`` or ``faces`` is not a whole number of 1 or more.

    Examples
    --------
    >>> game = PushTo21()
    >>> game.result(PushState(16, "roll"), 6)
    PushState(total=0, phase='over')
    """

    def __init__(self, target: int = 21, faces: int = 10) -> None:
        for name, number in (("target", target), ("faces", faces)):
            if isinstance(number, bool) or not isinstance(number, int) or number < 1:
                raise StateError(f"expected {name} to be a whole number of 1 or more, got {number!r}")
        self.target, self.faces = target, faces
        self._outcomes = tuple((face, 1 / faces) for face in range(1, faces + 1))

    def __repr__(self) -> str:
        return f"PushTo21(target={self.target}, faces={self.faces})"

    def initial_state(self) -> PushState:
        """Return a total of 0, with the choice open."""
        return PushState(0, "choose")

    def current_player(self, state: PushState) -> Player:
        """CHANCE while the die is in the air, else MAX."""
        return CHANCE if state[1] == "roll" else MAX

    def legal_actions(self, state: PushState) -> tuple[str, ...]:
        """Hit, then stand: at every total, 0 and the target included."""
        return _ACTIONS

    def chance_outcomes(self, state: PushState) -> tuple[tuple[int, float], ...]:
        """Every face, equally likely."""
        return self._outcomes

    def result(self, state: PushState, action: str | int) -> PushState:
        """Apply an action, or a face while the die is in the air. A bust is over with a total of 0."""
        total, phase = state
        if phase == "choose":
            if action == HIT:
                return PushState(total, "roll")
            if action == STAND:
                return PushState(total, "over")
            illegal_action(action, state, _ACTIONS)
        if phase == "roll" and isinstance(action, int) and 1 <= action <= self.faces:
            total += action
            return PushState(total, "choose") if total <= self.target else PushState(0, "over")
        illegal_action(action, state, f"the faces 1 to {self.faces} of a die in the air")

    def is_terminal(self, state: PushState) -> bool:
        """Banked or bust."""
        return state[1] == "over"

    def utility(self, state: PushState) -> float:
        """The banked total."""
        return float(state[0])

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """Nothing, or the target."""
        return (0.0, float(self.target))


class PushSolution(NamedTuple):
    """The table of a Push game, one entry per total 0 … target.

    ``values`` are expected banked points under optimal play, ``hit_values`` those of one more roll and optimal play
    after it, ``actions`` the optimal action (a tie stands), ``stand_from`` the first total at which the optimum stands.
    """

    values: list[float]
    hit_values: list[float]
    actions: list[str]
    stand_from: int


def mean(values: Sequence[float]) -> float:
    """Return the plain average: every face of a fair die is equally likely."""
    return sum(values) / len(values)


def solve_push(target: int = 21, faces: int = 10, combine: Callable[[Sequence[float]], float] = mean) -> PushSolution:
    """Fill the table by backward induction.

    Parameters
    ----------
    target, faces : int
    combine : callable
        What a roll is worth, from the values of its faces; ``min`` gives the table of a player who takes chance for
        an adversary.

    Examples
    --------
    >>> solution = solve_push()
    >>> round(solution.values[0], 4), solution.stand_from
    (15.8585, 14)
    """
    PushTo21(target, faces)
    values = [0.0] * (target + 1 + faces)
    hit_values = [0.0] * (target + 1)
    for total in range(target, -1, -1):
        hit_values[total] = combine(values[total + 1 : total + 1 + faces])
        values[total] = max(float(total), hit_values[total])
    actions = [HIT if hit_values[total] > total else STAND for total in range(target + 1)]
    return PushSolution(values[: target + 1], hit_values, actions, actions.index(STAND))


def threshold_values(threshold: int, target: int = 21, faces: int = 10) -> list[float]:
    """Return what the rule "hit below ``threshold``, else stand" earns from each total 0 … target.

    This is the value of a *policy*: no maximum is taken.

    Examples
    --------
    >>> round(threshold_values(17)[0], 4)
    13.7174
    """
    PushTo21(target, faces)
    values = [0.0] * (target + 1 + faces)
    for total in range(target, -1, -1):
        values[total] = mean(values[total + 1 : total + 1 + faces]) if total < threshold else float(total)
    return values[: target + 1]
