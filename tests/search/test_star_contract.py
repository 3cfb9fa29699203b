"""Star and PVS on thousands of random trees: the three-way contract, and never more leaves than plain search."""

from __future__ import annotations

from typing import Any

import pytest

from expectimax_course.experiments.star_contract import TOLERANCE, WINDOWS, case, first_failure
from expectimax_course.search.alphabeta import alphabeta
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.ordering import by_estimate
from expectimax_course.search.pvs import pvs
from expectimax_course.search.star import star

BLOCK, BLOCKS = 500, 10


@pytest.mark.parametrize("block", range(BLOCKS))
def test_star_keeps_the_contract_on_random_trees_and_windows(block: int) -> None:
    seeds = range(block * BLOCK, (block + 1) * BLOCK)
    assert first_failure(star, seeds) == (BLOCK, -BLOCK * WINDOWS * 3)


def test_pvs_keeps_the_contract_on_random_trees_and_windows() -> None:
    """On the first 500; the recorded run has 1,000 for it."""
    assert first_failure(pvs, range(BLOCK)) == (BLOCK, -BLOCK * WINDOWS * 3)


def test_any_order_keeps_the_contract() -> None:
    def backwards(state: Any, actions: Any) -> Any:
        return actions[::-1]

    assert first_failure(star, range(100), order=backwards)[1] < 0
    assert first_failure(pvs, range(100), order=backwards)[1] < 0


@pytest.mark.parametrize("probing", [0, 1, 2, 5])
def test_an_open_window_gives_the_value_bit_for_bit_and_a_best_action_for_no_more_leaves(probing: int) -> None:
    """Without a table every leaf is met once at most, because a probe's work is kept."""
    for seed in range(400):
        this = case(seed)
        slack = 0 if this.exact else TOLERANCE
        shifted = TOLERANCE if not this.exact and "use_rewards" in this.settings else 0  # a reward rounds the window
        settings = dict(this.settings)
        bounds = settings.pop("bounds")
        plain = expectiminimax(this.tree, 0, **settings)
        for order in (None, by_estimate(this.tree, lambda state, tree=this.tree: tree.nodes[state].number)):
            pruned = star(this.tree, 0, probing=probing, bounds=bounds, order=order, **settings)
            assert abs(pruned.value - plain.value) <= shifted
            assert pruned.kind == "exact"
            assert pruned.leaves <= plain.leaves
            if plain.action is not None:
                assert abs(plain.action_values[pruned.action][0] - plain.value) <= shifted
            if order is None and not shifted:
                assert pruned.action == plain.action
            for action, (lower, upper) in pruned.action_values.items():
                assert lower - slack <= plain.action_values[action][0] <= upper + slack


def test_alpha_beta_reset_at_chance_gives_the_value_for_no_more_leaves() -> None:
    for seed in range(400):
        this = case(seed)
        settings = {k: v for k, v in this.settings.items() if k != "bounds"}
        plain = expectiminimax(this.tree, 0, **settings)
        reset = alphabeta(this.tree, 0, reset_at_chance=True, **settings)
        rounded = not this.exact and "use_rewards" in this.settings
        assert abs(reset.value - plain.value) <= (TOLERANCE if rounded else 0)
        assert rounded or reset.action == plain.action
        assert reset.leaves <= plain.leaves
