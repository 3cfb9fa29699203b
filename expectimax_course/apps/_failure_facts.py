"""What the gallery of failures shows: for each one a pair that plays the same luck, hand by hand or game by game.

An exhibit plays pair number ``index`` and says for both halves what happened and what it brought.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

from expectimax_course.apps._failure_pictures import hand_picture, run_picture
from expectimax_course.failures import chance, opponents
from expectimax_course.failures.explosion import LEAVES, broken_fixed, counted
from expectimax_course.failures.gallery import GALLERY, NARROW, THRESHOLD, leaves_of
from expectimax_course.failures.keys import DepthBlind, Unsafe, crossroads, deepened
from expectimax_course.game import Game, Player
from expectimax_course.game2048.exact import solve
from expectimax_course.game2048.rules import Board, Game2048, State
from expectimax_course.games.push_to_21 import PushState, PushTo21
from expectimax_course.games.trapped import CORNERED, FORK
from expectimax_course.play import play_game
from expectimax_course.search.cutoff import Cutoff, run_cutoff
from expectimax_course.search.expectimax import expectimax
from expectimax_course.search.table import Table
from expectimax_course.viz.html import number

PUSH: Game[PushState, Any] = PushTo21()
ROW: Game[State, Any] = Game2048(1, 4)
BELIEVED, REAL = 0.5, 0.1
FILLED: tuple[tuple[str, Board], ...] = (
    ("1 empty cell", NARROW),
    ("4 empty cells", ((256, 64, 8, 4), (4, 32, 4, 2), (8, 4, 0, 0), (2, 8, 0, 0))),
    ("8 empty cells", ((64, 32, 8, 0), (8, 16, 0, 0), (4, 2, 0, 0), (2, 0, 0, 0))),
    ("9 empty cells", ((16, 8, 4, 2), (4, 2, 0, 0), (2, 0, 0, 0), (0, 0, 0, 0))),
)


class Side(NamedTuple):
    """One half of a pair in one game: what happened, in words, what it brought, and pictures, one per step.

    A hand has one picture, a run one for the start and one after each step, and some games have none.
    """

    words: str
    score: float
    pictures: tuple[str, ...] = ()


class Exhibit(NamedTuple):
    """One failure: what is at stake, the line of code in which the halves differ, the unit of a score, and the play.

    ``most`` is how many different pairs there are, ``start`` the picture before the first.
    """

    title: str
    question: str
    broken: str
    mended: str
    unit: str
    one: str
    play: Callable[[int], tuple[Side, Side]]
    finds: str
    most: int
    start: str


def seen(key: str, index: int) -> tuple[Side, Side]:
    """Return pair number ``index`` of a failure, broken and mended."""
    return EXHIBITS[key].play(index)


# ------------------------------------------------------------------------------------------------ who chooses?


def _map(text: str, world: opponents.Guards) -> str:
    return run_picture(text, [opponents.game_on(text, world).initial_state()], hunted=world == "hunt")


def _runs(text: str, models: tuple[opponents.Guards, opponents.Guards], world: opponents.Guards, index: int) -> Any:
    return tuple(_run(text, model, world, index) for model in models)


@lru_cache(maxsize=64)
def _run(text: str, model: opponents.Guards, world: opponents.Guards, index: int) -> Side:
    game = opponents.run(text, model, world, seed=index)
    states = [*(state for state, _ in game.history if state.turn == 0), game.final_state]
    end = "out" if game.score > 0 else "caught" if game.final_state.runner in game.final_state.guards else "out of time"
    steps = game.final_state.steps
    words = f"{end} after {steps} step{'' if steps == 1 else 's'}"
    pictures = tuple(run_picture(text, states[: k + 1], hunted=world == "hunt") for k in range(len(states)))
    return Side(words, game.score, pictures)


# ------------------------------------------------------------------------------------------------ the mean, the scale


def _hands(mean: chance.Mean, scale: Callable[[float], float], index: int) -> tuple[Side, Side]:
    seed = index if mean is chance.broken_rerolled else 0
    return _hand(_plan(mean, scale, seed), index), _hand(_plan(chance.weighted_mean, chance.honest_scale, 0), index)


@lru_cache(maxsize=64)
def _plan(mean: chance.Mean, scale: Callable[[float], float], seed: int) -> chance.Plan:
    return chance.make_plan(mean, scale, seed=seed)


def _hand(plan: chance.Plan, index: int) -> Side:
    game = play_game(PUSH, lambda state, rng: plan[state.total], seed=index)
    faces = [action for _, action in game.history if isinstance(action, int)]
    end = f"stands at {game.final_state.total}" if game.history[-1][1] == "stand" else "bust"
    stands = chance.stands_at(plan)
    rule = " and ".join(str(low) if low == high else f"{low} to {high}" for low, high in stands)
    words = f"rolls {', '.join(map(str, faces))}: {end} (its rule: stand at {rule})"
    return Side(words, game.score, (hand_picture(faces, stands, rule),))


# ------------------------------------------------------------------------------------------------ probabilities


@cache
def _row_policy(spawn_four: float) -> dict[Board, str]:
    return solve(1, 4, spawn_four).policy


def _rows(index: int) -> tuple[Side, Side]:
    broken, mended = (_row(believed, index) for believed in (BELIEVED, REAL))
    return broken, mended


def _row(believed: float, index: int) -> Side:
    policy = _row_policy(believed)
    game = play_game(ROW, lambda state, rng: policy[state.board], seed=index)
    tiles = max(game.final_state.board[0])
    slides = game.decisions
    return Side(f"largest tile {tiles} after {slides} slide{'' if slides == 1 else 's'}", game.score)


# ------------------------------------------------------------------------------------------------ keys


def _worth(game: Any, action: Any, value: float) -> Side:
    truth = expectimax(game, 0).action_values
    exact = {a: low for a, (low, _) in truth.items()}
    best = max(exact.values())
    other = "as good as it gets" if exact[action] == best else f"the other one is worth {number(best)}"
    return Side(f"finds {number(value)} and takes {action}, worth {number(exact[action])} ({other})", exact[action])


@lru_cache(maxsize=64)
def _reach(index: int) -> tuple[Side, Side]:
    game = crossroads(index)
    searches = (
        Unsafe(game, game.estimate, False, THRESHOLD, "exact"),
        Cutoff(game, game.estimate, False, THRESHOLD, "reach"),
    )
    found = [run_cutoff(search, 0, 5) for search in searches]
    return _worth(game, found[0].action, found[0].value), _worth(game, found[1].action, found[1].value)


@lru_cache(maxsize=64)
def _depth(index: int) -> tuple[Side, Side]:
    game = crossroads(index)
    found = [deepened(game, 0, 3, game.estimate, table()) for table in (DepthBlind, Table)]
    return _worth(game, found[0].action, found[0].value), _worth(game, found[1].action, found[1].value)


# ------------------------------------------------------------------------------------------------ explosion


@lru_cache(maxsize=8)
def _budget(index: int) -> tuple[Side, Side]:
    name, board = FILLED[index]
    broken, mended = (leaves_of(decide, State(board, Player.MAX)) for decide in (broken_fixed, counted))
    return _spent(name, broken), _spent(name, mended)


def _spent(name: str, leaves: int) -> Side:
    late = max(0, leaves - LEAVES)
    words = f"a board with {name}: {leaves:,} leaves, " + (f"{late:,} too many" if late else "in time")
    return Side(words, -float(late))


# ------------------------------------------------------------------------------------------------ all of them

_TITLES = {failure.key: (failure.title, failure.finds) for failure in GALLERY}
_MEAN = "sum(p * value(result(state, o)) for o, p in outcomes)"


def _exhibit(
    key: str, question: str, broken: str, mended: str, unit: str, one: str, play: Any, most: int = 200, start: str = ""
) -> Exhibit:
    title, finds = _TITLES[key]
    return Exhibit(title, question, broken, mended, unit, one, play, finds, most, start)


EXHIBITS: dict[str, Exhibit] = {
    "adversary_for_chance": _exhibit(
        "adversary_for_chance",
        "A runner (▲) between two guards (●) that wander. One plan expects hunters. Does it reach the exit?",
        'Trapped(guards="hunt")',
        'Trapped(guards="wander")',
        "points",
        "run",
        partial(_runs, CORNERED, ("hunt", "wander"), "wander"),
        start=_map(CORNERED, "wander"),
    ),
    "chance_for_adversary": _exhibit(
        "chance_for_adversary",
        "A runner (▲), a near exit that the guard (▼) can close, and a far one. It hunts; one plan expects a wanderer.",
        'Trapped(guards="wander")',
        'Trapped(guards="hunt")',
        "points",
        "run",
        partial(_runs, FORK, ("wander", "hunt"), "hunt"),
        most=1,
        start=_map(FORK, "hunt"),
    ),
    "bent_scale": _exhibit(
        "bent_scale",
        "Push to 21, planned with the squares of the totals. The order of all totals is right.",
        "return total * total",
        "return total",
        "points",
        "hand",
        partial(_hands, chance.weighted_mean, chance.broken_square),
    ),
    "wrong_probabilities": _exhibit(
        "wrong_probabilities",
        "2048 on a single row of four cells. The game puts down a 4 once in ten times; one plan expects every second.",
        "Game2048(1, 4, spawn_four=0.5)",
        "Game2048(1, 4, spawn_four=0.1)",
        "points",
        "game",
        _rows,
    ),
    "missing_reach": _exhibit(
        "missing_reach",
        "Small random games whose paths meet. What is reached with little probability is estimated, and kept.",
        "key = (state, depth)",
        "key = (state, depth, reach)",
        "points",
        "game",
        _reach,
    ),
    "wrong_depth": _exhibit(
        "wrong_depth",
        "The same kind of game, searched to depth 1, 2 and 3 with one table.",
        "key = state",
        "key = (state, depth)",
        "points",
        "game",
        _depth,
    ),
    "infinity": _exhibit(
        "infinity",
        "Push to 21 again. One plan counts a bust as minus infinity, to be on the safe side.",
        'return total if total else float("-inf")',
        "return total",
        "points",
        "hand",
        partial(_hands, chance.weighted_mean, chance.broken_infinite),
    ),
    "explosion": _exhibit(
        "explosion",
        f"2048: a move may cost {LEAVES:,} leaves. One player always looks three decisions ahead.",
        "expectiminimax(game, state, 3, evaluate)",
        "deepen(search, watch, nothing)",
        "leaves over the budget, with a minus",
        "board",
        _budget,
        most=len(FILLED),
    ),
    "divided": _exhibit(
        "divided",
        "Push to 21. One search weights by probability and then divides by the number of faces, too.",
        f"{_MEAN} / len(outcomes)",
        _MEAN,
        "points",
        "hand",
        partial(_hands, chance.broken_divided, chance.honest_scale),
    ),
    "overwritten": _exhibit(
        "overwritten",
        "Push to 21. One search adds each face to what the face before has left.",
        "state = result(state, o)",
        "child = result(state, o)",
        "points",
        "hand",
        partial(_hands, chance.broken_overwritten, chance.honest_scale),
    ),
    "rerolled": _exhibit(
        "rerolled",
        "Push to 21. One search rolls the die again in each of its ten branches.",
        "p * value(result(state, roll()))",
        "p * value(result(state, o))",
        "points",
        "hand",
        partial(_hands, chance.broken_rerolled, chance.honest_scale),
    ),
}
"""In the order of the chapter."""


def rolls_at_16(mean: chance.Mean) -> float:
    """Return what one more roll at 16 is worth to a search with this mean."""
    from expectimax_course.rng import Rng

    def value(state: PushState) -> float:
        if PUSH.is_terminal(state):
            return PUSH.utility(state)
        if PUSH.current_player(state) is Player.CHANCE:
            return mean(chance.InPlace(PUSH), state, value, Rng(0))
        return max(value(PUSH.result(state, action)) for action in PUSH.legal_actions(state))

    return value(PushState(16, "roll"))
