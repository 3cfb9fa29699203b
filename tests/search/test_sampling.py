"""Sampling: exact with all outcomes, unbiased at chance, biased upwards at max, and one for all searches."""

from __future__ import annotations

from typing import Any

import pytest

from expectimax_course.exact.push_to_21 import solve_push
from expectimax_course.game import Game, NoOutcomesError, Player, ProbabilityError, check_outcomes
from expectimax_course.games.dice import Dice
from expectimax_course.games.push_to_21 import PushState, PushTo21
from expectimax_course.random_trees import irregular_tree
from expectimax_course.rng import Rng
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.result import SettingError
from expectimax_course.search.sampling import SampledGame, monte_carlo_star, sparse_sampling
from expectimax_course.search.star import star
from expectimax_course.search.table import Table
from expectimax_course.stats import mean_interval
from expectimax_course.trees import TreeGame, TreeNode, build_tree, parse_tree

ROLL = PushState(0, "roll")


def test_a_sampled_game_is_a_game_and_keeps_its_sample() -> None:
    game = SampledGame(PushTo21(), 3, rng=Rng(1))
    assert isinstance(game, Game)
    assert repr(game) == "SampledGame(PushTo21(target=21, faces=10))"
    first = game.chance_outcomes(ROLL)
    assert game.chance_outcomes(ROLL) == first
    check_outcomes(first, ROLL)
    assert game.utility_bounds == (0, 21)
    assert game.initial_state() == PushTo21().initial_state()


def test_without_replacement_all_outcomes_are_the_game_itself() -> None:
    game = Dice(3, 3)
    state = game.initial_state()
    plain = expectiminimax(game, state, 3, game.estimate)
    sampled = sparse_sampling(game, state, 3, game.estimate, samples=3, rng=Rng(1), replacement=False)
    assert sampled == plain
    for probing in (0, 1, 2):
        pruned = star(game, state, 3, game.estimate, probing=probing, bounds=(-1, 1))
        monte_carlo = monte_carlo_star(
            game, state, 3, game.estimate, samples=9, rng=Rng(1), replacement=False, probing=probing, bounds=(-1, 1)
        )
        assert monte_carlo == pruned


def test_star_finds_the_value_of_plain_search_on_the_same_sample_for_no_more_leaves() -> None:
    for seed in range(300):
        tree = irregular_tree(seed)
        for replacement in (True, False):
            sampled = SampledGame(tree, 2, rng=Rng(seed), replacement=replacement)
            plain = expectiminimax(sampled, 0)
            pruned = star(sampled, 0, probing=1)
            assert pruned.value == plain.value
            assert pruned.leaves <= plain.leaves


@pytest.mark.parametrize("replacement", [True, False])
def test_a_sampled_average_is_right_on_average(replacement: bool) -> None:
    """Equally likely outcomes: both ways of drawing are unbiased. Exact: 5."""
    tree = parse_tree("chance(1/4: 2, 1/4: 4, 1/4: 6, 1/4: 8)")
    values = [sparse_sampling(tree, 0, samples=2, rng=Rng(seed), replacement=replacement).value for seed in range(3000)]
    estimate = mean_interval(values, confidence=0.999)
    assert estimate.low < 5 < estimate.high


def test_without_replacement_unequal_outcomes_pull_even_a_plain_average_towards_the_likely() -> None:
    """By hand: P{1, 3} = .5·.4 + .2·.625 = .325 gives 2/7, P{2, 3} = .3·2/7 + .2·.375 = 9/56 gives 2/5. True: 0.2."""
    tree = parse_tree("chance(0.5: 0, 0.3: 0, 0.2: 1)")
    mean = 0.325 * 2 / 7 + (0.3 * 2 / 7 + 0.2 * 0.375) * 2 / 5
    for replacement, expected in ((False, mean), (True, 0.2)):
        runs = (sparse_sampling(tree, 0, samples=2, rng=Rng(seed), replacement=replacement) for seed in range(4000))
        estimate = mean_interval([run.value for run in runs], confidence=0.999)
        assert estimate.low < expected < estimate.high
        assert (estimate.high < 0.2) is not replacement


@pytest.mark.parametrize("replacement", [True, False])
def test_a_sample_does_not_hide_probabilities_that_are_none(replacement: bool) -> None:
    leaf = TreeNode(None, (), (), (), 0)
    for probabilities, error in (
        ((0.5, 0.4), ProbabilityError),
        ((1.5, -0.5), ProbabilityError),
        ((), NoOutcomesError),
    ):
        labels = tuple(range(len(probabilities)))
        root = TreeNode(Player.CHANCE, labels, labels and (1, 2), probabilities, 0)
        with pytest.raises(error):
            sparse_sampling(TreeGame([root, leaf, leaf], (0, 1)), 0, samples=1, rng=Rng(1), replacement=replacement)


def test_with_replacement_an_outcome_counts_as_often_as_it_is_drawn() -> None:
    tree = build_tree(("chance", (0.7, 1), (0.0, 2), (0.3, 3)))
    game = SampledGame(tree, 10, rng=Rng(5))
    weights = dict(game.chance_outcomes(0))
    assert set(weights) <= {0, 2}
    assert all(round(10 * w) == pytest.approx(10 * w) for w in weights.values())


def test_without_replacement_no_outcome_comes_twice_and_the_likely_come_more_often() -> None:
    tree = build_tree(("chance", (0.8, 1), (0.1, 2), (0.1, 3)))
    seen: list[Any] = []
    for seed in range(500):
        outcomes = SampledGame(tree, 2, rng=Rng(seed), replacement=False).chance_outcomes(0)
        assert len({o for o, _ in outcomes}) == 2
        check_outcomes(outcomes, 0)
        seen += [o for o, _ in outcomes]
    # drawn first with 0.8, or second after one of the others (0.2 · 8/9): 0.978 of the samples contain it
    assert 0.95 < seen.count(0) / 500 < 1.0
    assert seen.count(1) < 400


def test_the_value_of_push_to_21_is_overestimated_the_more_the_fewer_faces_are_drawn() -> None:
    """Jensen's inequality at every max node; the exact value is 15.8585."""
    exact = solve_push().values[0]
    game = PushTo21()
    means = []
    for samples in (1, 4, 16):
        sampled = [SampledGame(game, samples, rng=Rng(seed)) for seed in range(200)]
        values = [expectiminimax(one, one.initial_state(), table=Table()).value for one in sampled]
        means.append(sum(values) / len(values))
    assert means[0] > means[1] > means[2] > exact
    assert means[0] > 17.4


@pytest.mark.parametrize("samples", [0, -1, 2.0, True])
def test_fewer_than_one_sample_is_refused(samples: Any) -> None:
    with pytest.raises(SettingError, match="expected a number of samples of 1 or more"):
        SampledGame(PushTo21(), samples, rng=Rng(1))
