"""Push to 21: roll and add as long as you dare; above the target everything is lost.

The total starts at 0. *Hit* rolls a die with ``faces`` faces and adds it; *stand* banks the total. A total above the
target is a bust and banks nothing. One chance node follows another, each with the player's choice between them.

The solution stands in `exact/push_to_21`, apart from the rules: students get the rules and write the rest.
"""

from __future__ import annotations

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
