"""Trapped: a runner on a small grid, guards who wander, and an exit. Who chooses where the guards step?

``#`` is a wall, ``.`` floor, ``E`` an exit, ``R`` the runner, ``G`` a guard. The runner (MAX) steps to a free
neighbouring cell or stays; then each guard in turn steps to a neighbouring floor cell. The runner wins by reaching the
exit and loses when a guard stands on the same cell. Every step costs ``step_cost``, so a runner who is sure to be
caught prefers to be caught soon: this is what a player who takes wandering guards for hunters does.

The guards are a parameter: ``"wander"`` (each neighbouring cell equally likely: CHANCE) or ``"hunt"`` (MIN). The same
map, the same moves, another chooser, another value. A guard never stays unless it has nowhere to go.

The idea is a teaching exercise of the Berkeley Pac-Man projects; map, rules and code here are our own.

References
----------
J. DeNero and D. Klein, "Teaching introductory artificial intelligence with Pac-Man", EAAI 2010.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from expectimax_course.game import Player, StateError, illegal_action

Cell = tuple[int, int]
STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1), "stay": (0, 0)}

CORNERED = """
#########
##.##.E##
#.G....##
#GR.....#
#########
"""
"""Two guards beside the runner. Hunters would catch him for sure; wanderers almost never do."""

FORK = """
########
##.#EG.#
###....#
#E..R#.#
########
"""
"""A near exit that a guard could close, and a far one that no guard can reach in time."""


class TrappedState(NamedTuple):
    """Cells as (row, column), steps taken, and who moves next: 0 the runner, i the i-th guard."""

    runner: Cell
    guards: tuple[Cell, ...]
    steps: int
    turn: int


class Trapped:
    """The game on one map.

    Parameters
    ----------
    plan : str
        The map, one line per row.
    guards : "wander" or "hunt"
        Who chooses the guards' steps: nature, or an adversary.
    limit : int
        Steps of the runner after which the game ends, caught by the clock.
    step_cost, win, loss : float
        Points; the utility is win or loss minus ``step_cost`` per step.

    Raises
    ------
    StateError
        If the map lacks a runner or any exit, has an unknown letter, or a setting is out of range.

    Examples
    --------
    >>> game = Trapped()
    >>> game.legal_actions(game.initial_state())
    ('up', 'left', 'right', 'stay')
    """

    def __init__(
        self,
        plan: str = CORNERED,
        *,
        guards: Literal["wander", "hunt"] = "wander",
        limit: int = 10,
        step_cost: float = 3.0,
        win: float = 100.0,
        loss: float = -100.0,
    ) -> None:
        if guards not in ("wander", "hunt") or limit < 1:
            raise StateError(f"expected guards 'wander' or 'hunt' and a limit >= 1, got {guards!r} and {limit!r}")
        cells = {(r, c): letter for r, row in enumerate(plan.strip().splitlines()) for c, letter in enumerate(row)}
        found = {letter: [cell for cell, x in cells.items() if x == letter] for letter in "#.ERG"}
        if len(found["R"]) != 1 or not found["E"] or sum(map(len, found.values())) != len(cells):
            raise StateError(f"expected a map of # . G with one R and at least one E, got {plan!r}")
        self.plan, self.guards, self.limit = plan, guards, limit
        self.step_cost, self.win, self.loss = step_cost, win, loss
        self.floor = frozenset(cell for cell, letter in cells.items() if letter != "#")
        self.exits = frozenset(found["E"])
        self._start = TrappedState(found["R"][0], tuple(found["G"]), 0, 0)

    def __repr__(self) -> str:
        return f"Trapped(guards={self.guards!r}, limit={self.limit})"

    def initial_state(self) -> TrappedState:
        """Return the map's own position, the runner to move."""
        return self._start

    def current_player(self, state: TrappedState) -> Player:
        """MAX for the runner; the guards are CHANCE or MIN."""
        if state.turn == 0:
            return Player.MAX
        return Player.CHANCE if self.guards == "wander" else Player.MIN

    def legal_actions(self, state: TrappedState) -> tuple[str, ...]:
        """Directions in the order up, down, left, right, stay; guards stay only where they must."""
        row, column = state.runner if state.turn == 0 else state.guards[state.turn - 1]
        free = tuple(
            name for name, (dr, dc) in STEPS.items() if name != "stay" and (row + dr, column + dc) in self.floor
        )
        return (*free, "stay") if state.turn == 0 or not free else free

    def chance_outcomes(self, state: TrappedState) -> tuple[tuple[str, float], ...]:
        """A wandering guard takes each of its directions equally often."""
        directions = self.legal_actions(state)
        return tuple((direction, 1 / len(directions)) for direction in directions)

    def result(self, state: TrappedState, action: str) -> TrappedState:
        """Move whoever is to move one step."""
        if action not in self.legal_actions(state):
            illegal_action(action, state, self.legal_actions(state))
        dr, dc = STEPS[action]
        runner, guards, steps, turn = state
        after = (turn + 1) % (len(guards) + 1)
        if turn == 0:
            return TrappedState((runner[0] + dr, runner[1] + dc), guards, steps + 1, after)
        row, column = guards[turn - 1]
        moved = (*guards[: turn - 1], (row + dr, column + dc), *guards[turn:])
        return TrappedState(runner, moved, steps, after)

    def is_caught(self, state: TrappedState) -> bool:
        """A guard stands on the runner's cell."""
        return state.runner in state.guards

    def is_terminal(self, state: TrappedState) -> bool:
        """Caught, out, or out of time with the round complete."""
        return (
            state.runner in state.guards
            or state.runner in self.exits
            or (state.steps >= self.limit and state.turn == 0)
        )

    def utility(self, state: TrappedState) -> float:
        """Win or loss, minus the cost of the steps taken."""
        won = state.runner in self.exits and not self.is_caught(state)
        return (self.win if won else self.loss) - self.step_cost * state.steps

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """The worst and best that the clock allows."""
        costs = (self.step_cost, self.step_cost * self.limit)
        return (min(self.win, self.loss) - max(costs), max(self.win, self.loss) - min(costs))
