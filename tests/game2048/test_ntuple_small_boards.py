"""The learner finds the optimum of 2048 on small boards: compiled as readable, policy and value."""

from __future__ import annotations

import numpy as np
import pytest
from test_ntuple import play_path

from expectimax_course.experiments import ntuple_small_boards
from expectimax_course.game2048.exact import solve
from expectimax_course.game2048.ntuple import NTupleNetwork
from expectimax_course.game2048.rules import Game2048
from expectimax_course.rng import Rng


@pytest.mark.parametrize(("rows", "cols", "games"), [(2, 2, 200), (2, 3, 40)])
def test_small_boards_are_learnt_as_the_readable_learner_does(rows: int, cols: int, games: int) -> None:
    compiled = ntuple_small_boards.train(rows, cols, games, seed=4)
    readable = NTupleNetwork(compiled.tuples, rows=rows, cols=cols, initial=ntuple_small_boards.INITIAL[cols])
    game, rng = Game2048(rows, cols), Rng(4)
    for _ in range(games):
        readable.learn_path(play_path(readable, game, rng), decay=0.0, rate=ntuple_small_boards.RATE)
    assert np.array_equal(readable.weights, compiled.weights)


def test_the_graph_of_a_small_board_is_whole() -> None:
    graph = ntuple_small_boards.graph(2, 2)
    assert len(graph.afters) == solve(2, 2).states
    assert (np.diff(graph.cumulative[:, :2]) > 0).all()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_on_two_by_two_the_learnt_policy_is_the_best(seed: int) -> None:
    policy, learnt = ntuple_small_boards.small_board(2, 2, 200_000, seed)
    assert policy >= 0.995 * solve(2, 2).expected_score
    assert learnt == pytest.approx(policy, rel=0.01)


def test_on_two_by_three_the_learnt_policy_is_nearly_the_best() -> None:
    """The optimum is that of `exact.solve`, see test_exact; the record has three seeds and more games."""
    policy, learnt = ntuple_small_boards.small_board(2, 3, 400_000, 1)
    assert policy >= 0.98 * 480.25827
    assert learnt == pytest.approx(policy, rel=0.01)


def test_a_worse_policy_is_valued_lower() -> None:
    blind, expected = ntuple_small_boards.judge(NTupleNetwork([(0, 1, 2, 3)], rows=2, cols=2))
    assert expected < blind < 0.99 * solve(2, 2).expected_score
