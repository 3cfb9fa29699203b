"""The window app's steps are those of the package's Star, and its bars, verdicts and guesses say what is true."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from pages import read

from expectimax_course.apps import star_window
from expectimax_course.apps._star_steps import METHODS, moments, total
from expectimax_course.grading.bank.parts05 import child_window, mean_bounds
from expectimax_course.rng import Rng
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.star import star
from expectimax_course.trees import parse_tree


def send(state: Any, *events: tuple[str, Any], student: Any = None) -> Any:
    for name, value in events:
        state = star_window.update(state, {"name": name, "value": value}, student)
    return state


def said(state: Any, class_: str = "ec-step") -> str:
    return next(p.text for p in read(star_window.view(state)).all("p") if p.attributes.get("class") == class_)


def pictures(state: Any) -> list[str]:
    return [svg.attributes["aria-label"] or "" for svg in read(star_window.view(state)).all("svg")]


def drawn(rng: Rng) -> Any:
    """A chance node over leaves and decisions, with numbers from 0 to 10."""
    weights = rng.choice((("1/2", "1/4", "1/4"), ("1/3", "1/3", "1/3"), ("1/6", "1/2", "1/3")))

    def child() -> str:
        if rng.below(4) == 0:
            return str(rng.below(11))
        return f"{rng.choice(('max', 'min'))}({', '.join(str(rng.below(11)) for _ in range(1 + rng.below(3)))})"

    return parse_tree(f"chance({', '.join(f'{p}: {child()}' for p in weights)})", Fraction)


@pytest.mark.parametrize("seed", range(60))
def test_the_steps_end_where_star_ends_and_open_its_leaves(seed: int) -> None:
    rng = Rng(seed)
    tree, alpha = drawn(rng), rng.below(9)
    window = (alpha, alpha + 1 + rng.below(3))
    for method, probing in (("star1", 0), ("star2", 1)):
        end = moments(tree, method, (0, 10), window)[-1]
        found = star(tree, 0, probing=probing, bounds=(0, 10), window=window)
        assert (end.result, len(end.leaves)) == (found.value, found.leaves)


@pytest.mark.parametrize("seed", range(60))
def test_with_honest_bounds_the_bars_hold_the_mean_at_every_step_and_only_shrink(seed: int) -> None:
    rng = Rng(seed)
    tree, alpha = drawn(rng), rng.below(9)
    value = expectiminimax(tree, 0).value
    for method in METHODS:
        before = (Fraction(0), Fraction(10))
        for moment in moments(tree, method, (0, 10), (alpha, alpha + 2)):
            low, high = total(tree, moment.bounds)
            assert before[0] <= low <= value <= high <= before[1]
            before = (low, high)


@pytest.mark.parametrize("seed", range(60))
def test_what_each_method_reports_is_a_true_bound_outside_the_window(seed: int) -> None:
    rng = Rng(seed)
    tree, alpha = drawn(rng), rng.below(9)
    value, beta = expectiminimax(tree, 0).value, alpha + 2
    leaves = {}
    for method in METHODS:
        end = moments(tree, method, (0, 10), (alpha, beta))[-1]
        leaves[method] = len(end.leaves)
        exact = method == "all" or alpha < value < beta
        assert end.result == value if exact else value <= end.result <= alpha or beta <= end.result <= value
    assert leaves["all"] == sum(node.player is None for node in tree.nodes)
    assert leaves["star1"] <= leaves["mean"] <= leaves["all"]


def test_two_leaves_settle_the_opening_question() -> None:
    state = send(star_window.init(), ("guess", "cut"), ("run", None))
    words = said(state)
    assert "the mean is at most 6.25, no more than alpha, 7. Cut." in words
    assert "You guessed right. 2 of 4 leaves were opened. The true mean is 5.5." in words
    assert "You guessed otherwise." in said(send(star_window.init(), ("guess", "whole"), ("run", None)))


def test_the_dishonest_bound_makes_a_false_claim_and_the_table_says_so() -> None:
    state = send(star_window.init(), ("alpha", 5), ("bounds", "dishonest"), ("run", None))
    words = said(state)
    assert "at most 4.75, no more than alpha, 5" in words
    assert "But the true mean is 5.5: the bound was false, and so is the answer." in words
    rows = [[cell.text for cell in row.all("th", "td")] for row in read(star_window.view(state)).all("tr")]
    assert ["Star1", "2", "≤ 4.75", "no"] in rows
    assert ["every leaf", "4", "5.5", "yes"] in rows


def test_loose_bounds_cost_leaves_and_no_truth() -> None:
    opened = {}
    for bounds in ("honest", "loose"):
        state = send(star_window.init("sorted", bounds=bounds), ("run", None))
        assert "The true mean is 3." in said(state)
        opened[bounds] = len(star_window.moments(state)[-1].leaves)
    assert opened["honest"] < opened["loose"]


def test_a_bound_below_the_window_settles_the_draw_before_any_leaf() -> None:
    state = send(star_window.init(bounds="dishonest"), ("run", None))
    assert said(state).startswith("Step 1 of 1. The mean is at most 7, no more than alpha, 7. Cut.")


def test_star2_needs_good_order_and_star1_profits_less() -> None:
    def leaves(scene: str, method: str) -> int:
        return len(star_window.moments(star_window.init(scene, method))[-1].leaves)

    assert [leaves("replies", method) for method in METHODS] == [7, 5, 4, 5]
    assert [leaves("sorted", method) for method in METHODS] == [7, 5, 3, 2]
    assert [leaves("max", method) for method in METHODS] == [7, 5, 3, 2]


def test_a_child_has_its_own_window_and_a_cut_its_reason() -> None:
    state = send(star_window.init("replies"), *[("step", None)] * 5)
    assert "Child 2 matters between 4 and 34 only: 4 or less proves the mean too low." in said(state)
    assert any("What one child may still be" in words and "window 4 to 34" in words for words in pictures(state))
    tree = pictures(send(state, ("run", None)))[0]
    assert "0.25 (cut: ≤ α): MIN ?" in tree
    assert "CHANCE ≤4.5" in tree


def test_the_other_end_moves_where_the_window_would_be_empty() -> None:
    state = send(star_window.init("max"), ("alpha", 8))
    assert (state["alpha"], state["beta"]) == (8, 9)
    state = send(state, ("beta", 3))
    assert (state["alpha"], state["beta"]) == (2, 3)
    assert send(state, ("beta", 3)) == state


def test_a_change_starts_again_and_reset_restores_the_start() -> None:
    state = send(star_window.init(), ("guess", "cut"), ("step", None), ("method", "star2"))
    assert (state["step"], state["guess"]) == (0, None)
    assert send(state, ("scene", "max"), ("reset", None)) == star_window.init()
    assert send(star_window.init(), ("step", None), ("back", None)) == star_window.init()


@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        ({"scene": "x"}, "expected scene as one of leaves, replies, sorted, max, got 'x'"),
        ({"method": "x"}, "expected method as one of all, mean, star1, star2, got 'x'"),
        ({"bounds": "x"}, "expected bounds as one of honest, loose, dishonest, got 'x'"),
    ],
)
def test_an_unknown_name_is_refused(setting: dict[str, str], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        star_window.init(**setting)


def parents_window(i: int, probabilities: Any, lowers: Any, uppers: Any, alpha: float, beta: float) -> Any:
    return alpha, beta


@pytest.mark.parametrize("scene", ["leaves", "replies", "max"])
def test_the_oracles_of_the_exercise_are_right_at_every_step(scene: str) -> None:
    for student in (child_window, mean_bounds):
        state = star_window.init(scene, "star2", exercise=True)
        for _ in range(12):
            state = send(state, ("step", None), student=student)
            assert "as it should be." in said(state, "ec-student")


def test_a_wrong_child_window_is_shown_beside_the_right_one() -> None:
    state = send(star_window.init("replies", exercise=True), *[("step", None)] * 5, student=parents_window)
    assert said(state, "ec-student") == "Your function says that the window of child 2 is 5 to 10, not 4 to 34."
