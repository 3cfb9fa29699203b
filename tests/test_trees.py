"""Literal and random trees: what is read is what was written, and a bad tree says where."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expectimax_course.game import IllegalActionError, NoOutcomesError, Player, ProbabilityError, StateError
from expectimax_course.random_trees import LEAF_BOUNDS, irregular_tree, regular_tree
from expectimax_course.trees import build_tree, format_tree, parse_tree


def test_text_and_tuples_give_the_same_tree() -> None:
    text = parse_tree("max(gamble: chance(0.9: 10, 0.1: -5), sure: 2)")
    tuples = build_tree(("max", ("gamble", ("chance", (0.9, 10), (0.1, -5))), ("sure", 2)))
    assert text.nodes == tuples.nodes


@given(st.integers(0, 10_000))
def test_a_tree_written_out_reads_back(seed: int) -> None:
    tree = irregular_tree(seed, exact=True)
    again = parse_tree(format_tree(tree), Fraction)
    assert [n.player for n in again.nodes] == [n.player for n in tree.nodes]
    assert [n.number for n in again.nodes if n.player is None] == [n.number for n in tree.nodes if n.player is None]
    assert [n.probabilities for n in again.nodes] == [n.probabilities for n in tree.nodes]


def test_children_without_a_label_are_called_by_letters() -> None:
    tree = parse_tree(f"max({', '.join(map(str, range(28)))})")
    assert tree.legal_actions(0)[:2] + tree.legal_actions(0)[25:] == ("a", "b", "z", "aa", "ab")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a number, max, min or chance after '', got the end of the text"),
        ("max(1, 2", r"expected ',' or '\)' after 'max\(1, 2', got the end"),
        ("max 1", r"expected '\(' after 'max', got '1'"),
        ("max()", "expected a number, max, min or chance after 'max\\(', got '\\)'"),
        ("mox(1)", "expected a number, max, min or chance after '', got 'mox'"),
        ("max(1) 2", "expected the end of the text"),
        ("chance(1, 2)", r"expected \(probability, child\)"),
        ("max(a: 1, a: 2)", "expected children with different labels"),
        ("max(1 ; 2)", "got ';'"),
        ("max(max: 3, min: 4)", r"expected a label that is not max, min or chance after 'max\(', got 'max'"),
        ("max(1, chance: 3)", r"expected a label that is not max, min or chance after 'max\(1,', got 'chance'"),
        ("chance(1/0: 1, 1: 2)", r"expected a number after 'chance\(', got '1/0'"),
        ("max(1, 1/0)", r"expected a number after 'max\(1,', got '1/0'"),
        ("max(1.5/2)", r"expected a number after 'max\(', got '1.5/2'"),
    ],
)
def test_a_text_that_is_no_tree_says_where(text: str, message: str) -> None:
    with pytest.raises(StateError, match=message):
        parse_tree(text)


def test_probabilities_are_checked_when_a_tree_is_read() -> None:
    with pytest.raises(ProbabilityError, match=r"sum of 1\.5"):
        parse_tree("chance(0.5: 1, 0.5: 2, 0.5: 3)")
    with pytest.raises(NoOutcomesError):
        build_tree(("chance",))


@pytest.mark.parametrize("word", ["good", None, True, [0.5], Decimal("0.5")])
def test_a_probability_is_a_number(word: object) -> None:
    with pytest.raises(ProbabilityError, match="expected a number as probability at a chance node, got"):
        build_tree(("chance", (word, 1), (0.5, 2)))
    with pytest.raises(ProbabilityError, match="got 'good'"):
        parse_tree("chance(good: 1, bad: 2)")


def test_numbers_of_numpy_are_numbers() -> None:
    half = np.float32(0.5)
    tree = build_tree(("chance", (half, np.float32(3)), (half, np.int64(4))))
    assert tree.nodes[0].probabilities == (half, half)


@pytest.mark.parametrize("label", [[1, 2], {}, (1, [2])])
def test_a_label_that_no_dictionary_can_hold_is_refused(label: object) -> None:
    with pytest.raises(StateError, match="expected a label that can be the key of a dictionary, got"):
        build_tree(("max", (label, 3)))


@pytest.mark.parametrize("bad", ["max", ("most", 1), (), None, True, ("max",), [[1, 2], 3], ({}, 1)])
def test_something_else_is_no_tree(bad: object) -> None:
    with pytest.raises(StateError, match="expected"):
        build_tree(bad)


def test_a_leaf_has_no_player_and_an_unknown_label_leads_nowhere() -> None:
    tree = parse_tree("max(1, 2)")
    with pytest.raises(StateError, match="not a leaf"):
        tree.current_player(1)
    with pytest.raises(IllegalActionError, match="got 'c' at state 0"):
        tree.result(0, "c")
    with pytest.raises(StateError, match="static estimates"):
        tree.estimate(0)


def test_a_regular_tree_has_the_shape_it_was_asked_for() -> None:
    tree = regular_tree(4, depth=3, moves=4, outcomes=5)
    kinds = [sum(n.player is kind for n in tree.nodes) for kind in (Player.MAX, Player.MIN, Player.CHANCE, None)]
    assert kinds == [1 + (4 * 5) ** 2, 4 * 5, 4 + 4 * 5 * 4, 4 * 5 * 4 * 5 * 4]


def test_a_correlated_tree_predicts_its_leaves() -> None:
    tree = regular_tree(2, depth=2, moves=8, outcomes=8, correlated=True)
    estimates, means = [], []
    for child in tree.nodes[0].children:
        leaves = [tree.nodes[x].number for y in tree.nodes[child].children for x in tree.nodes[y].children]
        estimates.append(tree.estimate(child))
        means.append(sum(leaves) / len(leaves))
    ranks = sorted(range(8), key=estimates.__getitem__)
    assert means[ranks[-1]] > means[ranks[0]]


@given(st.integers(0, 10_000), st.booleans())
def test_leaves_and_estimates_stay_within_the_bounds(seed: int, correlated: bool) -> None:
    low, high = LEAF_BOUNDS
    for tree in (irregular_tree(seed), regular_tree(seed, depth=2, moves=2, outcomes=2, correlated=correlated)):
        assert all(low <= node.number <= high for node in tree.nodes)


def test_the_same_seed_gives_the_same_tree_and_another_seed_another() -> None:
    assert irregular_tree(5).nodes == irregular_tree(5).nodes
    assert irregular_tree(5).nodes != irregular_tree(6).nodes


def test_a_tree_without_size_is_refused() -> None:
    with pytest.raises(StateError, match="expected sizes of at least 1"):
        regular_tree(1, depth=0, moves=2, outcomes=2)
