"""The compiled search is the readable search: values, actions and counts to the last bit."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from boards import played_states, random_board, sample

from expectimax_course.game import DepthError, EvaluationError, Player, StateError
from expectimax_course.game2048 import kernels
from expectimax_course.game2048 import search as search_module
from expectimax_course.game2048.bitboard import pack
from expectimax_course.game2048.evaluate import FITTED, LineWeights, RowEvaluation, article
from expectimax_course.game2048.net import FOUR_FOUR, FOUR_SIX, TupleNet
from expectimax_course.game2048.published import NNEONNEO
from expectimax_course.game2048.rules import ACTIONS, Game2048, State
from expectimax_course.game2048.search import MAX_DEPTH, STEPS, Searcher
from expectimax_course.play import play_game, search_agent
from expectimax_course.rng import Rng
from expectimax_course.search.expectimax import expectimax
from expectimax_course.search.result import SettingError

ODD = RowEvaluation(LineWeights(1, 2.5, 3, 1.1, 2, 0.7, 1.5), LineWeights(2, 2.1, 1, 0.9, 3, 0.3, 2.5), lost=-100.0)
"""Weights that differ in everything between rim and inside."""


def noise(tuples: tuple[tuple[int, ...], ...]) -> TupleNet:
    """A network of random weights, those of large tiles left out."""
    weights = np.zeros(len(tuples) * 16 ** len(tuples[0]), np.int16)
    weights[::3] = np.random.default_rng(1).integers(-30_000, 30_000, len(weights[::3]))
    return TupleNet(tuples, 32, array("h", weights.tobytes()))


EVALUATIONS: dict[str, Any] = {
    "published": NNEONNEO,
    "fitted": FITTED,
    "odd": ODD,
    "article": article,
    "small net": noise(FOUR_FOUR),
    "large net": noise(FOUR_SIX),
}


def states(n: int, seed: int) -> list[State]:
    """Played states, and as many that only random filling reaches, all with a legal slide."""
    rng, game = Rng(seed), Game2048()
    found = sample(played_states(), n // 2, seed)
    while len(found) < n:
        state = State(random_board(rng, highest=13, filled=0.5 + 0.5 * rng.random()), Player.MAX)
        if game.legal_actions(state):
            found.append(state)
    return found


@pytest.mark.parametrize("use_rewards", [False, True])
@pytest.mark.parametrize("name", EVALUATIONS)
def test_values_actions_and_counts_are_those_of_the_readable_search(name: str, use_rewards: bool) -> None:
    evaluation = EVALUATIONS[name]
    plain = Searcher(evaluation, use_rewards=use_rewards, table_bits=0)
    tabled = Searcher(evaluation, use_rewards=use_rewards, table_bits=10)
    game = Game2048(terminal_utility=plain.lost)
    for depth, n in ((1, 300), (2, 40), (3, 2)):
        for state in states(n, seed=depth):
            expected = expectimax(game, state, depth, evaluation, use_rewards=use_rewards)
            assert plain.search(pack(state.board), depth) == expected
            found = tabled.search(pack(state.board), depth)
            assert (found.action, found.action_values) == (expected.action, expected.action_values)
            assert found.evaluations <= expected.evaluations


@pytest.mark.parametrize("spawn_four", [0.0, 0.6, 1.0])
def test_other_spawn_probabilities_give_the_readable_values_too(spawn_four: float) -> None:
    searcher = Searcher(ODD, spawn_four=spawn_four, table_bits=0)
    game = Game2048(spawn_four=spawn_four, terminal_utility=ODD.lost)
    for state in states(40, seed=9):
        assert searcher.search(pack(state.board), 2) == expectimax(game, state, 2, ODD)


def test_values_agree_on_thousands_of_boards() -> None:
    searcher, game = Searcher(NNEONNEO), Game2048(terminal_utility=NNEONNEO.lost)
    for state in states(3000, seed=4):
        found, expected = searcher.search(pack(state.board), 1), expectimax(game, state, 1, NNEONNEO)
        assert found.action_values == expected.action_values


def cut_value(
    game: Game2048, state: State, depth: int, reach: float, cutoff: float, evaluate: Callable[[State], float]
) -> float:
    """Expectimax that evaluates afterstates of small reach, in ten lines."""
    if state.player is Player.CHANCE:
        if depth == 0 or reach < cutoff:
            return evaluate(state)
        return sum(
            p * cut_value(game, game.result(state, o), depth, reach * p, cutoff, evaluate)
            for o, p in game.chance_outcomes(state)
        )
    after = [game.result(state, action) for action in game.legal_actions(state)]
    return max((cut_value(game, s, depth - 1, reach, cutoff, evaluate) for s in after), default=game.terminal_utility)


@pytest.mark.parametrize("cutoff", [0.3, 0.05, 0.01])
def test_a_cutoff_evaluates_afterstates_of_small_reach(cutoff: float) -> None:
    searcher, game = Searcher(ODD, table_bits=0), Game2048(terminal_utility=ODD.lost)
    for state in states(8, seed=2):
        for action, (value, _) in searcher.search(pack(state.board), 3, cutoff).action_values.items():
            assert value == cut_value(game, game.result(state, action), 2, 1.0, cutoff, ODD)


@pytest.mark.parametrize(("depth", "cutoff"), [(3, 0.1), (4, 0.02), (2, 0.0), (4, 0.0)])
def test_the_table_never_answers_with_less_than_was_asked(depth: int, cutoff: float) -> None:
    """What a narrower search, or one of another depth, has left in the table changes no value of a wide one."""
    tabled, plain = Searcher(NNEONNEO, table_bits=16), Searcher(NNEONNEO, table_bits=0)
    for state in states(8, seed=3):
        code = pack(state.board)
        left = tabled.search(code, depth, cutoff)
        tabled.generation -= 1
        assert tabled.search(code, 3).action_values == plain.search(code, 3).action_values
        assert tabled.search(code, depth, cutoff) == left, "an earlier search must not leak into a later one"


def test_ties_go_to_the_first_action() -> None:
    board = ((0, 0, 0, 0), (0, 2, 2, 0), (0, 2, 2, 0), (0, 0, 0, 0))
    result = Searcher(NNEONNEO).search(pack(board), 2)
    assert len({value for value, _ in result.action_values.values()}) < 4
    best = [action for action in ACTIONS if result.action_values[action][0] == result.value]
    assert result.action == best[0]


@pytest.mark.parametrize(("name", "depth", "seed"), [("published", 1, 3), ("article", 1, 4), ("odd", 1, 5)])
def test_seeded_whole_games_are_identical_to_the_readable_ones(name: str, depth: int, seed: int) -> None:
    evaluation = EVALUATIONS[name]
    searcher = Searcher(evaluation)
    agent = search_agent(Game2048(terminal_utility=searcher.lost), depth, evaluation)
    readable = play_game(Game2048(), agent, seed=seed)
    assert searcher.play(seed, depth) == (readable.score, readable.decisions, pack(readable.final_state.board))


GOLDEN_GAMES = {"published": (8120, 541), "article": (9992, 699), "odd": (27232, 1416)}
"""Score and moves of the game of seed 7, two decisions deep."""


@pytest.mark.parametrize("name", GOLDEN_GAMES)
def test_golden_games(name: str) -> None:
    assert Searcher(EVALUATIONS[name]).play(7, 2)[:2] == GOLDEN_GAMES[name]


def test_a_game_move_by_move_is_the_compiled_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deep games are played so, that Ctrl-C stops them."""
    compiled = Searcher(NNEONNEO, table_bits=8)
    games = [(compiled.play(seed, 2, 0.03), compiled.evaluations, compiled.generation) for seed in (3, 4)]
    monkeypatch.setattr(search_module, "COMPILED_DEPTH", 1)
    by_move = Searcher(NNEONNEO, table_bits=8)
    assert games == [(by_move.play(seed, 2, 0.03), by_move.evaluations, by_move.generation) for seed in (3, 4)]


@pytest.mark.parametrize("table_bits", [0, 10])
def test_a_search_in_many_calls_of_the_kernel_is_the_search_in_one(
    table_bits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the calls Ctrl-C is heard; nothing else may come of it."""

    def answers() -> list[Any]:
        searcher = Searcher(ODD, table_bits=table_bits)
        found: list[Any] = [searcher.search(code, depth, cutoff) for depth, cutoff in ((4, 0.01), (3, 0.0))]
        return [*found, searcher.search_within(code, 2_500), searcher._stack[2].tolist()]

    code = pack(states(2, seed=11)[0].board)
    monkeypatch.setattr(search_module, "UNSTOPPABLE", 1 << 40)
    whole = answers()
    assert whole[0].evaluations > 2_000
    monkeypatch.setattr(search_module, "UNSTOPPABLE", 100)
    assert answers() == whole


def test_no_call_of_the_kernel_lasts_long(monkeypatch: pytest.MonkeyPatch) -> None:
    budgets: list[int] = []

    def call(*arguments: Any) -> bool:
        _, _, _, root, budget, *_ = arguments
        budgets.append(budget)
        root[0] = 1.0
        return len(budgets) == 3

    monkeypatch.setattr(kernels, "search", call)
    Searcher(NNEONNEO).search(0x11, 9)
    assert budgets == 3 * [search_module.UNSTOPPABLE]


def test_a_game_by_the_depth_rule_searches_deeper_than_a_short_one() -> None:
    searcher = Searcher(NNEONNEO)
    record = searcher.play(6, None, 0.1)
    assert record.score > Searcher(NNEONNEO).play(6, 1).score
    assert searcher.evaluations > 100 * record.moves


@pytest.mark.parametrize("seconds", [0, 1, 2, 3, 5, 12])
def test_a_search_against_the_clock_keeps_the_last_complete_answer(
    seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock here goes on by one with every look at it, and many slices make a step."""
    monkeypatch.setattr(search_module, "SLICE", 1_000)
    ticks, depths = itertools.count(), set()
    for state in states(10, seed=6):
        code, steps = pack(state.board), Searcher(NNEONNEO)
        result = Searcher(NNEONNEO).search_for(code, seconds, clock=lambda: next(ticks))
        assert result.depth is not None
        answers = []
        for depth, cutoff in STEPS:
            if depth <= result.depth:
                steps.generation = 0  # all steps share the table
                answers.append((depth, steps.search(code, depth, cutoff).action_values))
        assert (result.depth, result.action_values) in answers
        assert not result.complete
        depths.add(result.depth)
    assert (depths == {1}) == (seconds < 3)


@pytest.mark.parametrize("allowed", [1, 500, 3_000])
def test_a_search_within_a_count_answers_from_the_last_depth_that_fits(allowed: int) -> None:
    searcher = Searcher(NNEONNEO, table_bits=0)
    depths = set()
    for state in states(10, seed=7):
        code = pack(state.board)
        result = searcher.search_within(code, allowed)
        assert result.depth is not None
        plain = [searcher.search(code, depth) for depth in range(1, result.depth + 2)]
        assert (result.action, result.action_values) == (plain[-2].action, plain[-2].action_values)
        spent = [sum(one.evaluations for one in plain[: k + 1]) for k in range(len(plain))]
        assert result.depth == 1 or spent[-2] <= allowed
        assert spent[-1] > allowed
        assert min(allowed, spent[0]) <= result.evaluations <= spent[-1]
        depths.add(result.depth)
    assert (depths == {1}) == (allowed == 1)


@pytest.mark.parametrize("table_bits", [0, 16])
def test_a_search_within_a_count_completes_a_depth_that_fits_exactly(table_bits: int) -> None:
    searcher = Searcher(NNEONNEO, table_bits=table_bits)
    for state in states(5, seed=9):
        code = pack(state.board)
        costs = [searcher.search(code, depth).evaluations for depth in (1, 2, 3)]
        exact, short = searcher.search_within(code, sum(costs)), searcher.search_within(code, sum(costs) - 1)
        assert (exact.depth, exact.evaluations, short.depth) == (3, sum(costs), 2)


def test_what_an_interrupted_game_left_in_the_table_answers_no_later_game(monkeypatch: pytest.MonkeyPatch) -> None:
    searcher, play_game = Searcher(NNEONNEO), kernels.play_game
    fresh = searcher.play(3, 2, 0.03), searcher.evaluations

    def interrupted(*arguments: Any) -> Any:
        play_game(*arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(kernels, "play_game", interrupted)
    with pytest.raises(KeyboardInterrupt):
        searcher.play(3, 2, 0.03)
    monkeypatch.setattr(kernels, "play_game", play_game)
    assert (searcher.play(3, 2, 0.03), searcher.evaluations) == fresh


def test_lines_beyond_32_bits_are_refused() -> None:
    steep = LineWeights(weight=1, weight_power=7)
    with pytest.raises(EvaluationError, match="expected lines of a value below 8,388,608, got "):
        Searcher(RowEvaluation(steep, steep, lost=0.0))


def test_a_search_within_a_count_ends_where_the_game_does() -> None:
    board = ((2, 4, 8, 16), (32, 64, 128, 256), (512, 1024, 2, 4), (8, 16, 32, 0))
    assert Searcher(NNEONNEO).search_within(pack(board), 10**6).depth == MAX_DEPTH


def test_no_time_at_all_still_gives_an_answer_and_more_time_a_deeper_one() -> None:
    searcher, code = Searcher(NNEONNEO), pack(states(2, seed=8)[0].board)
    shallow, deep = searcher.search_for(code, 0), searcher.search_for(code, 0.2)
    assert shallow.action is not None
    assert deep.depth is not None
    assert shallow.depth == 1 < deep.depth
    assert not deep.complete


def test_a_forced_end_of_the_game_is_searched_to_the_last_step() -> None:
    """A board whose every line ends soon: all steps finish, and the search says so."""
    board = ((2, 4, 8, 16), (32, 64, 128, 256), (512, 1024, 2, 4), (8, 16, 32, 0))
    result = Searcher(NNEONNEO).search_for(pack(board), 60)
    assert result.complete
    assert result.depth == STEPS[-1][0]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda s: s.search(0x11, 0), DepthError, "expected a depth between 1 and 30 decisions, got 0"),
        (lambda s: s.search(0x11, 31), DepthError, "got 31"),
        (lambda s: s.search(0x11, True), DepthError, "got True"),
        (lambda s: s.search(0x11, 2, 1.0), ValueError, "expected a cutoff between 0 and 1, got 1.0"),
        (lambda s: s.search(0x1212212112122121, 1), StateError, "expected a board with a legal slide"),
        (lambda s: s.search(-1, 1), StateError, "expected a board with a legal slide"),
        (lambda s: s.search(0, 1), StateError, "expected a board with a legal slide"),
        (lambda s: s.play(1, 0), DepthError, "expected a depth between 1 and 30 decisions, got 0"),
        (lambda s: s.play(1, 31), DepthError, "got 31"),
        (lambda s: s.play(1, None, -1.0), ValueError, "expected a cutoff between 0 and 1, got -1.0"),
        (lambda s: s.search_for(0x11, -1), ValueError, "expected a time of 0 seconds or more, got -1"),
        (lambda s: s.search_for(0x11, float("nan")), ValueError, "got nan"),
        (lambda s: s.search_within(0x11, 0), ValueError, "expected 1 evaluation or more, got 0"),
        (lambda s: s.search_within(0x1212212112122121, 9), StateError, "expected a board with a legal slide"),
    ],
)
def test_bad_requests_are_refused(call: Callable[[Searcher], Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        call(Searcher(NNEONNEO, table_bits=4))


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"table_bits": -1}, SettingError, "expected 0 to 30 bits for the table, got -1"),
        ({"table_bits": 31}, SettingError, "got 31"),
        ({"table_bits": 4.0}, SettingError, "got 4.0"),
        ({"spawn_four": 2}, StateError, "expected a probability between 0 and 1 for a 4, got 2"),
        ({"lost": float("nan")}, SettingError, "expected a finite value of a lost game, got nan"),
        ({"downgrade_above": 0}, SettingError, "expected a tile to downgrade above, 2 or more, got 0"),
    ],
)
def test_bad_settings_are_refused(settings: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        Searcher(NNEONNEO, **settings)


def test_other_evaluations_are_refused() -> None:
    with pytest.raises(EvaluationError, match="expected a RowEvaluation, `article` or a compiled network"):
        Searcher(lambda state: 0.0)


SCRIPT = """
import sys, time
if {blocked}:
    sys.modules["numba"] = None
from expectimax_course.game2048 import bitboard
from expectimax_course.game2048.published import NNEONNEO
from expectimax_course.game2048.search import Searcher
import warnings; warnings.simplefilter("error", RuntimeWarning)
searcher = Searcher(NNEONNEO)
first = searcher.search(0x1234000012000011, 2)
cpu = time.process_time()
results = [first.value, first.action, first.nodes, first.evaluations]
results += [searcher.search(code, 2).action_values for code in (0x1020304050607081, 0x1111, 0x2112312245633456)]
results += [searcher.search(0x1023004050600081, 3, 0.01).value, searcher.play(3, 1), bitboard.play_random(range(3))]
print(results)
print(cpu, file=sys.stderr)
"""


def run_script(cache: Path, *, blocked: bool = False) -> tuple[str, float]:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(blocked=blocked)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout, float(done.stderr.split()[-1])


@pytest.mark.slow
def test_kernels_give_the_same_from_cold_and_warm_cache_and_without_numba(tmp_path: Path) -> None:
    """Also the budget: from start to first move in 10 s of CPU time cold, 1.5 s warm, with room for a busy machine."""
    cold, cold_seconds = run_script(tmp_path)
    warm, warm_seconds = run_script(tmp_path)
    plain, _ = run_script(tmp_path, blocked=True)
    assert cold == warm == plain
    assert cold_seconds < 15
    assert warm_seconds < 2.5
