"""Playing games out: agents, single games, and comparisons on the same luck.

An *agent* is a function ``agent(state, rng) -> action``; anything random in it comes from ``rng``. Nature draws from a
stream of its own, so two agents that play on one seed meet the same draws for as long as they choose alike: compare
them in pairs and most of the noise cancels.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Generic, NamedTuple, TypeVar

from expectimax_course.game import DepthError, Game, GameError, Player
from expectimax_course.rng import Rng, derive_seed
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.walk import depth_limit
from expectimax_course.stats import Estimate, mean_interval, paired_difference

S = TypeVar("S", bound=Hashable)
A = TypeVar("A", bound=Hashable)
Agent = Callable[[S, Rng], A]


class UnfinishedGameError(GameError):
    """A game did not end within the number of moves it was given."""


class GameRecord(NamedTuple, Generic[S, A]):
    """One game as it was played.

    ``history`` holds (state, action or outcome) pairs, ``score`` the rewards on the way plus the final utility, in
    MAX's view, and ``decisions`` how often a player chose.
    """

    seed: int
    history: list[tuple[S, A]]
    final_state: S
    score: float
    decisions: int


class Comparison(NamedTuple):
    """Two agents on the same seeds: the mean of each and of the difference first − second, all with intervals."""

    first: Estimate
    second: Estimate
    difference: Estimate


def random_agent(game: Game[S, A]) -> Agent[S, A]:
    """Return an agent that chooses each legal action equally often."""
    return lambda state, rng: rng.choice(game.legal_actions(state))


def search_agent(
    game: Game[S, A], depth: int | None, evaluate: Callable[[S], float] | None = None, *, use_rewards: bool = False
) -> Agent[S, A]:
    """Return an agent that plays the best action of `expectiminimax`, for whichever player is to move.

    Raises
    ------
    DepthError
        If the depth is none, is 0, which decides nothing, or comes without ``evaluate``.
    """
    if depth_limit(depth, evaluate) == 0:
        raise DepthError(f"expected a depth of 1 or more decisions to choose an action, got {depth!r}")

    def choose(state: S, rng: Rng) -> A:
        action = expectiminimax(game, state, depth, evaluate, use_rewards=use_rewards).action
        assert action is not None
        return action

    return choose


def play_game(
    game: Game[S, A],
    agent: Agent[S, A],
    opponent: Agent[S, A] | None = None,
    *,
    seed: int,
    max_moves: int = 1_000_000,
) -> GameRecord[S, A]:
    """Play one game from the initial state.

    Parameters
    ----------
    agent, opponent : Agent
        The players of MAX and of MIN; MAX's agent plays both where no opponent is given.
    seed : int
        Nature draws from ``derive_seed(seed, 0)``, MAX from 1, MIN from 2.
    max_moves : int
        Actions and outcomes after which the game is given up.

    Raises
    ------
    UnfinishedGameError
        If the game goes on longer than that.
    IllegalActionError
        From the game, if an agent's action does not exist.

    Examples
    --------
    >>> from expectimax_course.games.push_to_21 import PushTo21
    >>> play_game(PushTo21(), lambda state, rng: "hit" if state.total < 14 else "stand", seed=3).score
    15.0
    """
    nature, own, other = (Rng(derive_seed(seed, index)) for index in range(3))
    reward: Callable[[S, A], float] | None = getattr(game, "reward", None)
    state, score, decisions = game.initial_state(), 0.0, 0
    history: list[tuple[S, A]] = []
    while not game.is_terminal(state):
        if len(history) >= max_moves:
            raise UnfinishedGameError(f"expected an end within {max_moves} moves, got state {state!r}")
        player = game.current_player(state)
        if player is Player.CHANCE:
            move: Any = nature.outcome(game.chance_outcomes(state))
        else:
            decisions += 1
            move = opponent(state, other) if player is Player.MIN and opponent else agent(state, own)
            score += reward(state, move) if reward else 0.0
        history.append((state, move))
        state = game.result(state, move)
    return GameRecord(seed, history, state, score + game.utility(state), decisions)


def compare_agents(
    game: Game[S, A],
    first: Agent[S, A],
    second: Agent[S, A],
    *,
    opponent: Agent[S, A] | None = None,
    games: int,
    seed: int,
) -> Comparison:
    """Let two agents play MAX's part on the same seeds.

    Parameters
    ----------
    opponent : Agent, optional
        Plays MIN against both, in a game for two.
    games : int
        Games of each, at least 2; game i runs on ``derive_seed(seed, i)``.

    Examples
    --------
    >>> from expectimax_course.games.push_to_21 import PushTo21
    >>> def stop_at(total):
    ...     return lambda state, rng: "hit" if state.total < total else "stand"
    >>> result = compare_agents(PushTo21(), stop_at(14), stop_at(17), games=200, seed=1)
    >>> result.difference.low > 0
    True
    """
    seeds = [derive_seed(seed, index) for index in range(games)]
    scores = [[play_game(game, agent, opponent, seed=s).score for s in seeds] for agent in (first, second)]
    return Comparison(mean_interval(scores[0]), mean_interval(scores[1]), paired_difference(scores[0], scores[1]))
