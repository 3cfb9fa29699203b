"""Draw to eleven: two players draw from one small deck, and what has been drawn does not come again.

MAX draws cards and adds their ranks as long as they dare, then stands; then MIN does the same from what is left of the
deck. A total above the target loses at once; otherwise the higher total wins, and equal totals draw.

Push to 21 rolls a die that forgets. A deck remembers: the chance of a rank depends on every card drawn before. So the
state must hold the deck, and a cache whose key holds the totals alone returns answers to other questions:
2 + 2 and 1 + 3 are both four, but they leave different decks. The deck is kept as a *count* of each rank, because the
order in which cards went does not matter; that makes equal what is equal and no more.
"""

from __future__ import annotations

from typing import NamedTuple

from expectimax_course.game import Player, StateError, illegal_action

DRAW, STAND = "draw", "stand"
_BOTH, _STAND_ONLY = (DRAW, STAND), (STAND,)
MAX, MIN, CHANCE = Player.MAX, Player.MIN, Player.CHANCE


class CardState(NamedTuple):
    """Both totals, whose turn it is, what happens next ("choose", "draw", "over"), and the deck.

    ``deck[i]`` counts the cards of rank i + 1 that are left.
    """

    max_total: int
    min_total: int
    mover: Player
    phase: str
    deck: tuple[int, ...]


class DrawToEleven:
    """Draw to ``target`` from a deck of ranks 1 … ``ranks``, ``copies`` of each.

    Actions "draw" and "stand" (only "stand" once the deck is empty); outcomes are ranks.

    Raises
    ------
    StateError
        If ``target``, ``ranks`` or ``copies`` is not a whole number of 1 or more.

    Examples
    --------
    >>> game = DrawToEleven(target=6, ranks=3, copies=2)
    >>> after = game.result(game.result(game.initial_state(), "draw"), 3)
    >>> game.chance_outcomes(game.result(after, "draw"))
    ((1, 0.4), (2, 0.4), (3, 0.2))
    """

    def __init__(self, target: int = 11, ranks: int = 6, copies: int = 2) -> None:
        for name, number in (("target", target), ("ranks", ranks), ("copies", copies)):
            if isinstance(number, bool) or not isinstance(number, int) or number < 1:
                raise StateError(f"expected {name} to be a whole number of 1 or more, got {number!r}")
        self.target, self.ranks, self.copies = target, ranks, copies

    def __repr__(self) -> str:
        return f"DrawToEleven(target={self.target}, ranks={self.ranks}, copies={self.copies})"

    def initial_state(self) -> CardState:
        """Return MAX's first choice, with the deck full."""
        return CardState(0, 0, MAX, "choose", (self.copies,) * self.ranks)

    def current_player(self, state: CardState) -> Player:
        """CHANCE while a card is being drawn, else the mover."""
        return CHANCE if state[3] == "draw" else state[2]

    def legal_actions(self, state: CardState) -> tuple[str, ...]:
        """Draw first; an empty deck leaves only "stand"."""
        return _BOTH if any(state[4]) else _STAND_ONLY

    def chance_outcomes(self, state: CardState) -> tuple[tuple[int, float], ...]:
        """Return the ranks still in the deck, each with its share of the cards left."""
        left = sum(state[4])
        return tuple([(rank, count / left) for rank, count in enumerate(state[4], 1) if count])

    def result(self, state: CardState, action: str | int) -> CardState:
        """Apply "draw" or "stand", or the rank of the card that comes."""
        max_total, min_total, mover, phase, deck = state
        if phase == "choose":
            if action not in self.legal_actions(state):
                illegal_action(action, state, self.legal_actions(state))
            if action == DRAW:
                return state._replace(phase="draw")
            if mover is MAX:
                return state._replace(mover=MIN)
            return state._replace(phase="over")
        if phase != "draw" or not isinstance(action, int) or not 1 <= action <= self.ranks or not deck[action - 1]:
            illegal_action(action, state, "a rank that is left in the deck while a card is being drawn")
        deck = (*deck[: action - 1], deck[action - 1] - 1, *deck[action:])
        if mover is MAX:
            max_total += action
        else:
            min_total += action
        phase = "over" if max(max_total, min_total) > self.target else "choose"
        return CardState(max_total, min_total, mover, phase, deck)

    def is_terminal(self, state: CardState) -> bool:
        """Say whether someone went over the target or both have stood."""
        return state[3] == "over"

    def utility(self, state: CardState) -> float:
        """Return 1 if MAX has won, −1 if MIN has, 0 for equal totals."""
        max_total, min_total = state[0], state[1]
        if max_total > self.target:
            return -1.0
        if min_total > self.target:
            return 1.0
        return float((max_total > min_total) - (max_total < min_total))

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """A loss and a win."""
        return (-1.0, 1.0)

    def estimate(self, state: CardState) -> float:
        """Estimate a position by the lead in points, as a share of one more than the target."""
        return (min(state[0], self.target) - min(state[1], self.target)) / (self.target + 1)
