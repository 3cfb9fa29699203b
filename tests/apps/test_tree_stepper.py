"""The tree stepper's steps are those of the search, and turning a node changes what it should."""

from __future__ import annotations

from typing import Any

import pytest
from pages import read

from expectimax_course.apps import tree_stepper
from expectimax_course.apps._recursion import below, middle, moments, turn
from expectimax_course.apps._small_trees import TREES
from expectimax_course.game import Player
from expectimax_course.random_trees import irregular_tree
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.trees import parse_tree


def send(state: Any, *events: tuple[str, Any], student: Any = None) -> Any:
    for name, value in events:
        state = tree_stepper.update(state, {"name": name, "value": value}, student)
    return state


def said(state: Any) -> str:
    """The sentence of the step."""
    return next(p.text for p in read(tree_stepper.view(state)).all("p") if p.attributes.get("class") == "ec-step")


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("depth", [None, 0, 1, 2])
def test_the_steps_end_at_the_value_of_expectiminimax(seed: int, depth: int | None) -> None:
    tree = irregular_tree(seed, exact=True)
    steps = moments(tree, depth)
    result = expectiminimax(tree, 0, depth, lambda state: middle(tree, state))
    assert steps[-1].values[0] == result.value
    assert len(steps[-1].estimated) == result.evaluations
    visited = {moment.state for moment in steps}
    assert len(visited) == result.nodes.total + result.evaluations
    assert len(steps) == 2 * len(visited) - 1


def test_every_step_stands_in_the_innermost_open_call() -> None:
    for moment in moments(parse_tree(TREES["opponent"][1])):
        assert moment.stack[-1].state == moment.state
        assert moment.stack[0].state == 0


def test_the_words_of_a_chance_node_add_up() -> None:
    words = [moment.words for moment in moments(parse_tree("chance(0.9: 10, 0.1: -5)"))]
    assert words == [
        "Nature draws here: each child's value counts with its probability.",
        "Terminal: the value is the utility, 10.",
        "back up 0.9 · 10 = 9.",
        "Terminal: the value is the utility, −5.",
        "back up 0.1 · −5 = −0.5, the sum is 8.5. All children are known: the value is 8.5.",
    ]


def test_depth_is_handed_on_at_chance_and_spent_at_decisions() -> None:
    tree = parse_tree("max(chance(1/2: min(1, 3), 1/2: 5))")
    depths = {moment.state: moment.stack[-1].depth for moment in moments(tree, 2)}
    assert [depths[state] for state in (0, 1, 2)] == [2, 1, 1]


def test_run_shows_the_root_and_what_was_visited() -> None:
    state = send(tree_stepper.init("gamble"), ("run", None))
    assert said(state) == (
        "Step 9 of 9. The root is worth 8.5, the best action is gamble. Visited: 1 MAX, 1 CHANCE, 3 terminal."
    )


def test_back_undoes_a_step() -> None:
    state = send(tree_stepper.init(), ("step", None), ("step", None))
    assert send(state, ("step", None), ("back", None)) == state
    assert send(tree_stepper.init(), ("back", None)) == tree_stepper.init()


def test_turning_both_chance_nodes_to_min_flips_the_best_action() -> None:
    state = send(tree_stepper.init("chooser"), ("run", None))
    assert "the best action is left" in said(state)
    state = send(state, ("pick", "1"), ("kind", "min"), ("pick", "4"), ("kind", "min"))
    assert "worth 3, the best action is right" in said(state)


def test_turning_back_to_chance_restores_the_probabilities() -> None:
    state = send(tree_stepper.init("gamble"), ("pick", "1"), ("kind", "max"), ("kind", "chance"), ("run", None))
    assert "worth 8.5" in said(state)


def test_a_decision_turned_to_chance_draws_evenly_and_exactly() -> None:
    tree = turn(tree_stepper.game(tree_stepper.init("max(1, 2, 6)")), {0: "chance"})
    assert tree.current_player(0) is Player.CHANCE
    assert sum(p for _, p in tree.chance_outcomes(0)) == 1
    assert expectiminimax(tree, 0).value == 3


def test_after_a_change_at_the_end_the_search_is_still_finished() -> None:
    state = send(tree_stepper.init("opponent"), ("run", None), ("depth", "1"))
    assert said(state).startswith("Step 5 of 5.")
    assert "the best action is bold" in said(state)
    state = send(state, ("depth", "all"))
    assert said(state).startswith("Step 21 of 21.")
    assert "the best action is safe" in said(state)


def test_a_written_tree_replaces_the_loaded_one_and_a_broken_one_says_why() -> None:
    state = send(tree_stepper.init(), ("write", "max(3, 4)"), ("run", None))
    assert "worth 4" in said(state)
    broken = send(state, ("write", "max(3, "))
    view = read(tree_stepper.view(broken))
    assert "Not a tree yet: expected a number, max, min or chance after 'max(3,', got the end of the text." in view.text
    assert "worth 4" in said(broken)
    assert view.all("input")[0].attributes["aria-invalid"] == "true"
    assert view.all("input")[0].attributes["value"] == "max(3, "


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("max(" + ", ".join("1" * 30) + ")", "expected at most 25 nodes to show, got 31"),
        ("max(1e999999999, 2)", "expected a number without an exponent, got '1e999999999'"),
        ("max(1000, 2)", "expected leaves between −1000 and 1000, got a larger one"),
        ("max(1/0, 2)", "expected a number after 'max(', got '1/0'"),
        ("max(averyverylongname: 1, 2)", "expected labels of at most 12 letters, got a longer one"),
        ("chance(good: 1, bad: 2)", "expected a number as probability at a chance node, got 'good'"),
        ("chance(0.5: 1, 0.6: 2)", "expected probabilities that sum to 1, got a sum of 11/10"),
    ],
)
def test_a_tree_that_cannot_be_shown_is_refused_in_one_sentence(words: str, sentence: str) -> None:
    assert sentence in send(tree_stepper.init(), ("write", words))["error"]
    with pytest.raises(ValueError, match="expected"):
        tree_stepper.init(words)


def test_a_depth_that_is_not_offered_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a depth from 0 to 3, or None, got 9"):
        tree_stepper.init(depth=9)


def test_a_single_leaf_is_a_tree_too() -> None:
    state = send(tree_stepper.init("7"), ("kind", "min"), ("run", None))
    assert said(state) == "Step 1 of 1. The root is worth 7. Visited: 1 terminal."


def test_nothing_below_an_estimate_is_opened() -> None:
    tree = tree_stepper.game(tree_stepper.init("opponent"))
    opened = {moment.state for moment in moments(tree, 1)}
    assert opened == {0, *tree.nodes[0].children}
    assert len(list(below(tree, 0))) == 11
    state = send(tree_stepper.init("opponent", depth=1), ("run", None))
    picture = read(tree_stepper.view(state)).all("svg")[0].attributes["aria-label"] or ""
    assert "bold (best): CHANCE 4.5 (estimate)" in picture


def worst_case(game: Any, state: Any) -> float:
    """The usual mistake: nature as an adversary."""
    if game.is_terminal(state):
        return float(game.utility(state))
    if game.current_player(state) is Player.CHANCE:
        return min(worst_case(game, game.result(state, outcome)) for outcome, _ in game.chance_outcomes(state))
    values = [worst_case(game, game.result(state, action)) for action in game.legal_actions(state)]
    return max(values) if game.current_player(state) is Player.MAX else min(values)


def right(game: Any, state: Any, depth: int | None, evaluate: Any) -> float:
    return float(expectiminimax(game, state, depth, evaluate).value)


def test_the_students_function_is_compared_on_the_tree_as_it_stands() -> None:
    state = send(tree_stepper.init(exercise=True), ("run", None), student=worst_case)
    assert "Your function says 3, not the recursion's 5 for the whole tree." in read(tree_stepper.view(state)).text
    state = send(state, ("pick", "1"), ("kind", "min"), ("pick", "4"), ("kind", "min"), student=worst_case)
    assert "says 3, the same as the recursion's 3" in read(tree_stepper.view(state)).text


def test_a_students_function_with_a_depth_gets_depth_and_evaluation() -> None:
    state = send(tree_stepper.init("opponent", exercise=True), ("depth", "1"), student=right)
    assert "Your function says 4.5, the same as the recursion's 4.5." in read(tree_stepper.view(state)).text
