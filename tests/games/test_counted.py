"""A counted game is the same game, and knows how many leaves were opened."""

from __future__ import annotations

import copy

import pytest

from expectimax_course.game import Game, GameError
from expectimax_course.games.counted import CountedGame, TooManyLeavesError
from expectimax_course.random_trees import irregular_tree
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.star import star
from expectimax_course.trees import parse_tree


def test_a_counted_game_is_a_game_and_has_the_value_of_the_game_inside() -> None:
    for seed in range(10):
        tree = irregular_tree(seed)
        game = CountedGame(tree)
        assert isinstance(game, Game)
        found = expectiminimax(game, game.initial_state())
        assert found.value == expectiminimax(tree, 0).value
        assert game.leaves == found.leaves


def test_a_pruned_search_opens_as_many_leaves_as_it_says() -> None:
    for seed in range(10):
        game = CountedGame(irregular_tree(seed))
        assert star(game, 0, probing=1).leaves == game.leaves


def test_a_leaf_beyond_the_limit_is_refused() -> None:
    game = CountedGame(parse_tree("max(3, 5, 4)"), limit=2)
    with pytest.raises(TooManyLeavesError, match="expected at most 2 leaves to be opened, got one more at state 3"):
        expectiminimax(game, 0)
    assert issubclass(TooManyLeavesError, GameError)


def test_it_claims_the_bounds_it_was_given() -> None:
    tree = parse_tree("max(3, 5)")
    assert CountedGame(tree).utility_bounds == tree.utility_bounds == (3, 5)
    assert CountedGame(tree, bounds=(0, 4)).utility_bounds == (0, 4)
    assert repr(CountedGame(tree, 2, (0, 9))) == "CountedGame(TreeGame, limit=2, bounds=(0, 9))"


def test_a_search_cannot_go_round_the_count() -> None:
    game = CountedGame(parse_tree("max(chance(0.5: 3, 0.5: 9), min(5, 4))"), limit=2)
    inside = game.game
    with pytest.raises(TooManyLeavesError):
        expectiminimax(inside, 0)
    with pytest.raises(AttributeError):
        game.leaves = 0  # type: ignore[misc]
    for name in ("nodes", "game", "_results", "__dict__", "__class__"):
        holder = getattr(inside, name, None)
        assert "TreeNode" not in repr(holder)
        assert not isinstance(holder, Game)
    for asked in (inside.initial_state, inside.result, game.initial_state, game.result):
        owner = getattr(asked, "__self__", game)
        assert owner is game
    for name in ("__dict__", "__getattribute__", "nodes"):
        with pytest.raises(AttributeError):
            inside._answer(name)  # type: ignore[attr-defined]
    assert "chance" not in repr(game)
    again = copy.deepcopy(game)
    with pytest.raises(TooManyLeavesError):
        again.utility(4)
    assert game.leaves == 2
    with pytest.raises(TooManyLeavesError):
        inside.utility(4)
