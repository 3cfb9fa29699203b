"""The record on telling players apart agrees with exact values, with the package's formula, and with itself."""

from __future__ import annotations

import pytest

from expectimax_course.exact.push_to_21 import threshold_values
from expectimax_course.experiments import load
from expectimax_course.experiments.telling_apart import PUSH, games, hands, pair
from expectimax_course.stats import games_to_tell_apart

RECORD = load("telling_apart")
PAIRS = {row["pair"]: row for row in RECORD["tables"]["pairs"]}


@pytest.mark.parametrize("threshold", PUSH[1:])
def test_the_paired_difference_covers_the_exact_gap(threshold: int) -> None:
    gap = threshold_values(PUSH[0])[0] - threshold_values(threshold)[0]
    row = PAIRS[f"push_{threshold}"]
    margin = (row["high"] - row["low"]) / 2
    assert abs(row["difference"] - gap) < 2 * margin


def test_common_dice_help_the_more_the_more_alike_the_players_are() -> None:
    ratios = [PAIRS[f"push_{threshold}"]["variance_ratio"] for threshold in (15, 17)]
    assert ratios[0] < ratios[1] < 1


def test_the_games_needed_follow_from_the_rates() -> None:
    rates = [RECORD["results"][f"rate_{depth}"]["mean"] for depth in (2, 3)]
    assert RECORD["results"]["games_needed"]["value"] == games_to_tell_apart(*rates)


def test_a_pair_by_hand() -> None:
    row = pair([3.0, 5.0, 4.0], [1.0, 6.0, 2.0])
    assert row["difference"] == 1
    assert row["worse_ahead"] == pytest.approx(1 / 3)
    assert row["variance_ratio"] == pytest.approx(3 / (1 + 7))


def test_hands_and_games_repeat_from_their_seed() -> None:
    assert hands(PUSH, 20, seed=3) == hands(PUSH, 20, seed=3)
    assert games(2, 4, 2) == [*games(2, 4, 1), *games(2, 5, 1)]
