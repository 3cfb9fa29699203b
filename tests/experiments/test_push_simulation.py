"""The simulation of chapter 03: the source page's figure digit for digit, and exact values inside the intervals."""

import pytest

from expectimax_course.experiments import Job, load
from expectimax_course.experiments import push_simulation as push
from expectimax_course.rng import Rng


def test_mulberry32_draws_what_its_javascript_original_draws():
    # Oracle: the published JavaScript, run with seed 42.
    generator = push.Mulberry32(42)
    assert [generator.random() for _ in range(3)] == [0.6011037519201636, 0.44829055899754167, 0.8524657934904099]


def test_mulberry32_can_start_anywhere_in_its_stream():
    generator = push.Mulberry32(42)
    draws = [generator.random() for _ in range(10)]
    assert push.Mulberry32(42, skip=7).random() == draws[7]


def test_the_record_reproduces_the_source_pages_figure_to_the_last_digit():
    # Oracle: shared claims of the source texts, mulberry32 with seed 42, 2,000,000 hands.
    record = load("push_simulation")
    assert record["results"]["hit_at_16"]["mean"] == 9.5034435
    assert record["results"]["hit_at_16"]["n"] == 2_000_000


@pytest.mark.parametrize("policy", ["hit_at_16", "optimum", "rule_17", "min_policy"])
def test_the_recorded_intervals_hold_the_exact_values(policy):
    results = load("push_simulation")["results"]
    assert results[policy]["low"] < results[f"{policy}_exact"]["value"] < results[policy]["high"]


def test_on_the_same_dice_the_differences_are_known_better_than_on_separate_dice():
    results = load("push_simulation")["results"]
    separate = (results["optimum"]["standard_error"] ** 2 + results["rule_17"]["standard_error"] ** 2) ** 0.5
    assert results["optimum_over_rule_17"]["standard_error"] < separate


def test_a_hand_reads_the_given_dice_and_rolls_on_where_they_end():
    dice = [10, 3]
    assert push.play_hand(14, dice, Rng(1)) in (0, *range(14, 22))
    assert len(dice) == 3
    assert push.play_hand(11, dice, Rng(2)) == 13
    assert push.play_hand(0, dice, Rng(2)) == 0


def test_a_bust_banks_nothing():
    assert push.play_hand(14, [10, 3, 9], Rng(1)) == 0


def test_blocks_of_hands_add_up_to_the_whole():
    parts = [push.simulate_hit(0, 300), push.simulate_hit(300, 700)]
    assert [sum(column) for column in zip(*parts, strict=True)] == push.simulate_hit(0, 1000)


def test_products_of_the_policies_are_sums_over_shared_hands():
    *products, sums = push.simulate_thresholds([14, 17], 200, seed=1)
    rng = Rng(1)
    hands = []
    for _ in range(200):
        dice: list[int] = []
        hands.append((push.play_hand(14, dice, rng), push.play_hand(17, dice, rng)))
    assert sums == [sum(x for x, _ in hands), sum(y for _, y in hands)]
    assert products[0][1] == products[1][0] == sum(x * y for x, y in hands)


def test_a_quick_run_agrees_with_the_exact_values_within_five_standard_errors(tmp_path):
    results = push.run(Job(tmp_path, quick=True)).results
    for policy in ("hit_at_16", "optimum", "rule_17", "min_policy"):
        error = abs(results[policy]["mean"] - results[f"{policy}_exact"]["value"])
        assert error < 5 * results[policy]["standard_error"]
