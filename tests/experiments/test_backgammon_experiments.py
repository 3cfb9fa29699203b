"""The experiments of backgammon, on a few decisions and games."""

from __future__ import annotations

import pytest

from expectimax_course.experiments import load_experiment
from expectimax_course.experiments.backgammon_search import SEARCHES, block


def test_every_pruned_search_finds_plain_searchs_value() -> None:
    for plain, star1, star2 in block(6, 2, seed=3):
        assert plain[0] == star1[0] == star2[0]
        assert star1[1] <= plain[1]
    assert [name for name, depth, _ in SEARCHES if depth == 2] == ["plain", "star1", "star2"]


@pytest.mark.referee
def test_a_better_player_gives_away_less() -> None:
    pytest.importorskip("gnubg_nn")
    strength = load_experiment("backgammon_strength")
    losses = strength.loss_block(60, [0, 0], seed=4)
    random, pubeval, *nets = (sum(column) for column in zip(*losses, strict=True))
    assert random > pubeval > max(nets)
    assert min(min(row) for row in losses) >= 0


@pytest.mark.referee
def test_a_match_block_holds_one_result_a_pair() -> None:
    pytest.importorskip("gnubg_nn")
    strength = load_experiment("backgammon_strength")
    pairs = strength.match_block("small", 1, "gnubg-0ply", 6, [], seed=5)
    assert len(pairs) == 3
    assert all(-3 <= points <= 3 for _, points in pairs)
