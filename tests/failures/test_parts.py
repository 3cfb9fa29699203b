"""What the halves of the pairs do, against other sources: recursions of the tests' own, simulation, exact fractions."""

from __future__ import annotations

from statistics import fmean
from typing import Any

import pytest

from expectimax_course.exact.push_to_21 import solve_push, threshold_values
from expectimax_course.failures import chance, explosion, gallery, models, opponents
from expectimax_course.failures.keys import DepthBlind, Unsafe, crossroads, deepened
from expectimax_course.game import IllegalActionError, Player, StateError, check_outcomes
from expectimax_course.game2048.evaluate import article
from expectimax_course.game2048.exact import solve
from expectimax_course.game2048.rules import State
from expectimax_course.games.counted import CountedGame
from expectimax_course.games.push_to_21 import PushState, PushTo21
from expectimax_course.games.trapped import CORNERED, FORK
from expectimax_course.play import play_game
from expectimax_course.rng import Rng
from expectimax_course.search.cutoff import Cutoff, run_cutoff
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.table import Table
from expectimax_course.stats import mean_interval, proportion_interval

START = PushTo21().initial_state()


# --- who chooses?


@pytest.mark.parametrize("world", opponents.GUARDS)
@pytest.mark.parametrize("model", opponents.GUARDS)
@pytest.mark.parametrize("text", [CORNERED, FORK])
def test_a_win_rate_is_that_of_games_played_out(text: str, model: Any, world: Any) -> None:
    games = [opponents.run(text, model, world, seed=seed) for seed in range(60)]
    won = sum(game.score > 0 for game in games)
    seen = proportion_interval(won, len(games), confidence=0.999)
    assert seen.low <= opponents.win_rate(text, model, world) <= seen.high
    assert fmean(game.score for game in games) == pytest.approx(opponents.points(text, model, world), abs=3)


def test_each_model_is_the_best_one_in_its_own_world() -> None:
    for text in (CORNERED, FORK):
        for world in opponents.GUARDS:
            earned = {model: opponents.points(text, model, world) for model in opponents.GUARDS}
            assert earned[world] == max(earned.values())


def test_hunters_answer_the_plan_at_hand() -> None:
    game = opponents.run(FORK, "wander", "hunt", seed=1)
    assert game.final_state.runner in game.final_state.guards or game.final_state.steps == 10
    assert game.score == opponents.points(FORK, "wander", "hunt")


def test_a_map_that_has_no_limit_is_refused() -> None:
    with pytest.raises(StateError, match="expected one of the 2 maps"):
        opponents.win_rate("#####\n#R.E#\n#####", "wander", "hunt")


# --- the mean


def by_hand(hit: Any) -> tuple[dict[int, float], dict[int, str]]:
    """Fill a table with a value for a roll, written without the game."""
    values, plan = dict.fromkeys(range(22, 300), 0.0), {}
    for total in range(21, -1, -1):
        rolled = hit(values, total)
        plan[total] = "hit" if rolled > total else "stand"
        values[total] = max(rolled, float(total))
    return values, plan


def overwritten(values: dict[int, float], total: int) -> float:
    mean = 0.0
    for face in range(1, 11):
        total += face
        mean += values[total] / 10
    return mean


def test_broken_means_plan_as_a_table_filled_by_hand_does() -> None:
    def right(values: dict[int, float], total: int) -> float:
        return fmean(values[total + face] for face in range(1, 11))

    hits = {
        chance.weighted_mean: right,
        chance.broken_divided: lambda values, total: right(values, total) / 10,
        chance.broken_overwritten: overwritten,
        chance.broken_worst: lambda values, total: min(values[total + face] for face in range(1, 11)),
    }
    for mean, hit in hits.items():
        assert chance.make_plan(mean) == by_hand(hit)[1]


def test_what_the_plans_earn_is_what_their_thresholds_earn() -> None:
    assert chance.earned(chance.make_plan()) == pytest.approx(solve_push().values[0])
    for mean, stand_from in ((chance.broken_divided, 1), (chance.broken_overwritten, 7), (chance.broken_worst, 12)):
        assert chance.earned(chance.make_plan(mean)) == pytest.approx(threshold_values(stand_from)[0])


def test_an_infinite_bust_turns_the_mean_into_a_minimum() -> None:
    assert chance.make_plan(scale=chance.broken_infinite) == chance.make_plan(chance.broken_worst)


def test_the_rules_themselves_refuse_an_outcome_on_top_of_another() -> None:
    game = PushTo21()

    def value(state: PushState) -> float:
        return 0.0

    with pytest.raises(IllegalActionError):
        chance.broken_overwritten(game, PushState(3, "roll"), value, Rng(0))


def test_rolling_again_gives_another_answer_each_time_and_the_mean_gives_one() -> None:
    for mean, answers in ((chance.weighted_mean, 1), (chance.broken_rerolled, 20)):
        found = {mean(PushTo21(), PushState(10, "roll"), lambda s: s.total, Rng(seed)) for seed in range(30)}
        assert len(found) == 1 if answers == 1 else len(found) > answers // 2


def test_a_plan_earns_what_hands_played_with_it_earn() -> None:
    plan = chance.make_plan(chance.broken_overwritten)
    hands = [play_game(PushTo21(), lambda state, rng: plan[state.total], seed=seed).score for seed in range(3000)]
    seen = mean_interval(hands, confidence=0.999)
    assert seen.low < chance.earned(plan) < seen.high


# --- probabilities


def test_believing_the_truth_costs_nothing_and_never_earns_more() -> None:
    for real in (0.1, 0.5):
        best, misled = models.expected_scores(2, 2, believed=real, real=real)
        assert best == pytest.approx(misled)
        assert best == pytest.approx(solve(2, 2, real).expected_score)
    for believed in (0.3, 0.5, 0.9):
        best, misled = models.expected_scores(1, 5, believed=believed, real=0.1)
        assert misled <= best + 1e-9


@pytest.mark.parametrize("belief", [{"believed": 0.0, "real": 0.1}, {"believed": 0.1, "real": 1.0}])
def test_a_belief_that_knows_other_boards_is_refused(belief: dict[str, float]) -> None:
    with pytest.raises(StateError, match="expected probabilities between 0 and 1, both excluded"):
        models.expected_scores(1, 4, **belief)


def test_the_interval_of_what_was_seen_holds_the_truth_about_as_often_as_it_says() -> None:
    held = 0
    for seed in range(200):
        seen = models.spawn_interval(models.observe_spawns(100, spawn_four=0.1, seed=seed))
        held += seen.low <= 0.1 <= seen.high
    assert 0.9 <= held / 200 <= 0.99


def test_an_interval_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="expected 0 <= successes <= n"):
        models.spawn_interval([])


# --- keys


def test_paths_meet_at_a_crossroads_and_the_game_keeps_its_contract() -> None:
    for seed in range(50):
        game = crossroads(seed)
        met = [child for node in game.nodes for child in node.children]
        assert len(met) > len(set(met))
        for state, node in enumerate(game.nodes):
            assert all(child > state for child in node.children)
            if node.player is Player.CHANCE:
                check_outcomes(game.chance_outcomes(state), state)


def test_an_estimate_is_the_exact_value_off_by_up_to_eight_points() -> None:
    for seed in range(20):
        game = crossroads(seed)
        for state in range(len(game.nodes)):
            assert abs(game.estimate(state) - expectiminimax(game, state).value) <= 8


def test_unsafe_search_is_right_where_nothing_is_cut() -> None:
    for seed in range(20):
        game = crossroads(seed)
        kept = run_cutoff(Unsafe(game, game.estimate, False, 0.0, "exact"), 0, 4)
        assert kept.value == pytest.approx(expectiminimax(game, 0, 4, game.estimate).value)
        plain = run_cutoff(Cutoff(game, game.estimate, False, 0.0, "none"), 0, 4)
        assert kept.evaluations < plain.evaluations


def test_a_depth_blind_table_makes_the_deepened_search_a_shallow_one() -> None:
    for seed in range(20):
        game = crossroads(seed)
        shallow = expectiminimax(game, 0, 2, game.estimate)
        for depth in (3, 4):
            wrong = deepened(game, 0, depth, game.estimate, DepthBlind())
            assert (wrong.action, wrong.value) == (shallow.action, shallow.value)
            assert deepened(game, 0, depth, game.estimate, Table()).value == pytest.approx(
                expectiminimax(game, 0, depth, game.estimate).value
            )


# --- explosion


def test_only_counting_keeps_the_budget_on_both_boards() -> None:
    wide, narrow = (State(board, Player.MAX) for board in (gallery.WIDE, gallery.NARROW))
    for board in (wide, narrow):
        assert gallery.leaves_of(explosion.counted, board) == explosion.LEAVES
    assert gallery.leaves_of(explosion.broken_fixed, wide) > 2 * explosion.LEAVES
    assert gallery.leaves_of(explosion.broken_arithmetic, wide) < explosion.LEAVES
    assert gallery.leaves_of(explosion.broken_arithmetic, narrow) > 5 * explosion.LEAVES


def test_counting_keeps_the_budget_where_most_leaves_are_finished_games() -> None:
    """Push to 21 to the end: every second leaf is a utility. The count here is the game's own."""
    game = CountedGame(PushTo21(60, 10))
    looked = 0

    def evaluate(state: PushState) -> float:
        nonlocal looked
        looked += 1
        return float(state.total)

    found = explosion.counted(game, game.initial_state(), evaluate)
    assert game.leaves > 1000
    assert looked + game.leaves == explosion.LEAVES
    assert found.kind == "exact"


def test_without_a_complete_depth_counting_says_that_it_knows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explosion, "LEAVES", 1)
    found = explosion.counted(PushTo21(), START, lambda state: 100.0)
    assert (found.action, found.kind, found.complete) == ("hit", "lower", False)
    assert found.value <= 0


def test_leaves_are_evaluations_and_finished_games() -> None:
    found: list[Any] = []

    def decide(game: Any, state: Any, evaluate: Any) -> Any:
        found.append(expectiminimax(game, state, 4, evaluate))
        return found[-1]

    opened = gallery.leaves_of(decide, State(gallery.NARROW, Player.MAX))
    assert opened == found[0].leaves
    assert found[0].nodes.terminal > 0


def test_the_counted_search_answers_from_its_last_complete_depth() -> None:
    for board, depth in ((gallery.WIDE, 2), (gallery.NARROW, 3)):
        state = State(board, Player.MAX)
        found = explosion.counted(gallery.BOARDS, state, article)
        plain = expectiminimax(gallery.BOARDS, state, depth, article)
        assert (found.depth, found.action, found.value) == (depth, plain.action, plain.value)
