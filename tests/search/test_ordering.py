"""Orders: the mover's favourite first, ties in the game's order, and a look through the draw."""

from __future__ import annotations

from expectimax_course.game import Player
from expectimax_course.games.dice import Dice, DiceState
from expectimax_course.random_trees import regular_tree
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.ordering import by_estimate, by_score
from expectimax_course.search.star import star
from expectimax_course.trees import parse_tree


def test_max_wants_the_highest_and_min_the_lowest_estimate_first() -> None:
    for kind, wanted in (("max", ["b", "a", "c"]), ("min", ["c", "a", "b"])):
        tree = parse_tree(f"{kind}(a: 5, b: 8, c: 2)")
        assert by_estimate(tree, tree.utility)(0, ("a", "b", "c")) == wanted


def test_ties_keep_the_order_of_the_game() -> None:
    tree = parse_tree("max(a: 5, b: 8, c: 5, d: 8)")
    assert by_estimate(tree, tree.utility)(0, ("a", "b", "c", "d")) == ["b", "d", "a", "c"]


def test_through_chance_an_afterstate_counts_as_the_average_of_its_outcomes() -> None:
    tree = parse_tree("max(a: chance(1/2: 0, 1/2: 9), b: chance(3/4: 5, 1/4: 1), c: 4.2)")

    def estimate(state: int) -> float:
        return float(tree.nodes[state].number or 0)

    assert by_estimate(tree, estimate)(0, ("a", "b", "c")) == ["c", "a", "b"]
    assert by_estimate(tree, estimate, through_chance=True)(0, ("a", "b", "c")) == ["a", "c", "b"]


def test_a_score_ranks_actions_for_whoever_moves() -> None:
    game = Dice(4, 3)
    state = DiceState(0b0011, 0, Player.MAX, 0, None)
    assert by_score(game.urgency)(state, game.legal_actions(state)) == [2, 3]


def test_a_good_order_saves_most_of_the_leaves_that_star2_opens_in_a_bad_one() -> None:
    """The goal of the experiment, on one tree: at most a tenth of the leaves of 20 moves and 21 outcomes at depth 2."""
    tree = regular_tree(1, depth=2, moves=20, outcomes=21, correlated=True)
    plain = expectiminimax(tree, 0)
    good = star(tree, 0, probing=1, order=by_estimate(tree, tree.estimate, through_chance=True))
    bad = star(tree, 0, probing=1)
    assert good.value == plain.value == bad.value
    assert good.leaves <= 0.10 * plain.leaves < 0.3 * plain.leaves < bad.leaves
