"""OpenSpiel's games as our `Game`: all of its perfect-information games whose chance is explicit.

OpenSpiel's states are mutable objects with clones; ours are immutable and hashable. The adapter wraps a state and never
changes it afterwards. Two wrapped states are equal when their *keys* are: by default the history, the one key that is
right for every game, though it makes no two paths meet. A game whose text shows all that its future depends on can be
given ``key=str``, and then transposition tables work. Whoever shortens a key must be sure of that.

Needs the extra ``referee`` (``open-spiel`` on PyPI).

References
----------
M. Lanctot et al., "OpenSpiel: a framework for reinforcement learning in games", arXiv 1908.09453, 2019.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from expectimax_course.game import Player, StateError, illegal_action


def history(state: Any) -> Hashable:
    """Return the actions and outcomes that led to an OpenSpiel state: the safe key."""
    return tuple(state.history())


class OpenSpielState:
    """One OpenSpiel state, frozen: hashed and compared by its key. Never change ``state``, the wrapped object."""

    __slots__ = ("_hash", "key", "state")

    def __init__(self, state: Any, key: Hashable) -> None:
        self.state, self.key, self._hash = state, key, hash(key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpenSpielState) and self.key == other.key

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"OpenSpielState({' / '.join(str(self.state).split())!r})"


class OpenSpielGame:
    """A game of OpenSpiel. Player 0 is MAX, player 1 is MIN; actions and outcomes are OpenSpiel's integers.

    ``utility`` is player 0's total return, what was earned on the way included: search with ``use_rewards=False``.

    Parameters
    ----------
    name : str
        As for ``pyspiel.load_game``, parameters included: ``"pig(winscore=20)"``.
    key : callable
        ``key(pyspiel_state)`` returns what identifies a state; see the module's docstring.

    Raises
    ------
    StateError
        If OpenSpiel does not know the game or its parameters, or the game has hidden information, sampled chance,
        simultaneous moves, more than two players, or two players whose gains do not sum to zero.
    ImportError
        If ``open-spiel`` is not installed.

    Examples
    --------
    >>> game = OpenSpielGame("pig(winscore=20)")
    >>> game.legal_actions(game.initial_state())
    (0, 1)

    OpenSpiel has no search that prunes at chance nodes; through the adapter its games have Star1 and Star2:

    >>> from expectimax_course.search.expectimax import expectiminimax
    >>> from expectimax_course.search.star import star
    >>> game = OpenSpielGame("pig(winscore=5)")
    >>> plain = expectiminimax(game, game.initial_state(), 5, lambda state: 0.0)
    >>> pruned = star(game, game.initial_state(), 5, lambda state: 0.0, probing=1, bounds=(-1, 1))
    >>> pruned.value == plain.value, pruned.leaves, plain.leaves
    (True, 411, 763)
    """

    def __init__(self, name: str, key: Callable[[Any], Hashable] = history) -> None:
        import pyspiel

        if name.partition("(")[0] not in pyspiel.registered_names():
            raise StateError(f"expected the name of a game of OpenSpiel, got {name!r}")
        try:
            self.game = pyspiel.load_game(name)
        except pyspiel.SpielError as error:
            raise StateError(
                f"expected parameters that a game of OpenSpiel has, got {name!r}: {str(error).splitlines()[0]}"
            ) from None
        kind = self.game.get_type()
        fits = {
            "perfect information": kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION,
            "turns, not simultaneous moves": kind.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL,
            "explicit chance or none": kind.chance_mode != pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC,
            "one player, or two with gains that sum to zero": self.game.num_players() == 1
            or (self.game.num_players() == 2 and kind.utility == pyspiel.GameType.Utility.ZERO_SUM),
        }
        for wanted, fulfilled in fits.items():
            if not fulfilled:
                raise StateError(f"expected a game with {wanted}, got {name!r}")
        self.name, self.key = name, key

    def __repr__(self) -> str:
        return f"OpenSpielGame({self.name!r})"

    def wrap(self, state: Any) -> OpenSpielState:
        """Return our state for an OpenSpiel state of this game; the caller must not change it afterwards."""
        return OpenSpielState(state, self.key(state))

    def initial_state(self) -> OpenSpielState:
        """Return OpenSpiel's initial state."""
        return self.wrap(self.game.new_initial_state())

    def current_player(self, state: OpenSpielState) -> Player:
        """CHANCE at a chance node, MAX for player 0, MIN for player 1."""
        if state.state.is_chance_node():
            return Player.CHANCE
        return Player.MIN if state.state.current_player() == 1 else Player.MAX

    def legal_actions(self, state: OpenSpielState) -> tuple[int, ...]:
        """Return OpenSpiel's legal actions, in its order."""
        return tuple(state.state.legal_actions())

    def chance_outcomes(self, state: OpenSpielState) -> tuple[tuple[int, float], ...]:
        """Return OpenSpiel's outcomes, in its order."""
        return tuple(state.state.chance_outcomes())

    def result(self, state: OpenSpielState, action: int) -> OpenSpielState:
        """Apply an action or outcome to a clone."""
        if action not in state.state.legal_actions():
            illegal_action(action, state, state.state.legal_actions())
        return self.wrap(state.state.child(action))

    def is_terminal(self, state: OpenSpielState) -> bool:
        """Say whether OpenSpiel calls the state terminal."""
        return bool(state.state.is_terminal())

    def utility(self, state: OpenSpielState) -> float:
        """Return player 0's total return."""
        return float(state.state.returns()[0])

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """OpenSpiel's own bounds."""
        return (float(self.game.min_utility()), float(self.game.max_utility()))
