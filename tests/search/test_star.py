"""Star1 and Star2 by hand: windows, probes, bounds, kinds, tables, rewards, and every bad input."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from expectimax_course.game import DepthError, EvaluationError, NoActionsError, Player, ProbabilityError
from expectimax_course.game2048.rules import Game2048
from expectimax_course.games.cards import DrawToEleven
from expectimax_course.games.dice import Dice
from expectimax_course.games.einstein import Einstein
from expectimax_course.games.pig import Pig
from expectimax_course.games.push_to_21 import PushTo21
from expectimax_course.random_trees import irregular_tree, regular_tree
from expectimax_course.search.alphabeta import alphabeta
from expectimax_course.search.bounded import leaf_bounds
from expectimax_course.search.cutoff import cutoff_search
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.pvs import pvs
from expectimax_course.search.result import BoundsError, PlayerError, SettingError, WrongSearchError
from expectimax_course.search.star import ChanceNode, Child, star
from expectimax_course.search.table import Table, TableMismatchError
from expectimax_course.trees import TreeGame, TreeNode, build_tree, parse_tree


def ballard(text: str, probing: int = 0, **how: Any) -> Any:
    return star(parse_tree(text, Fraction), 0, probing=probing, **how)


def test_the_child_windows_are_those_of_the_formula() -> None:
    """Three children, ½ exact at 4, ¼ and ¼ unknown in [0, 10]; the window is (3, 6).

    SL = 2, SH = 7; for an unknown child the others add at least 2 and at most 4.5: a = (3 − 4.5)/¼, b = (6 − 2)/¼.
    """
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    node = ChanceNode([Child(half, "a", 4, 4), Child(quarter, "b", 0, 10), Child(quarter, "c", 0, 10)])
    assert (node.low, node.high) == (2, 7)
    assert node.window(node.children[1], 3, 6) == (-6, 16)
    node.tighten(node.children[1], 8, 8)
    assert (node.low, node.high) == (4, Fraction(13, 2))
    assert node.window(node.children[2], 3, 6) == (-4, 8)


def test_star1_cuts_once_the_rest_cannot_help() -> None:
    """b is at most (0 + 10)/2 = 5 <= 6 after its first child, so the max node behind it is never opened."""
    result = ballard("max(a: 6, b: chance(1/2: 0, 1/2: max(10, 10)))", bounds=(0, 10))
    assert result.value == 6
    assert result.leaves == 2
    assert result.action_values == {"a": (6, 6), "b": (0, 5)}


def test_star2_cuts_before_any_child_is_searched_in_full() -> None:
    """One reply of 1 in each min child proves b at most 1; Star1 must look at all of the first child's replies."""
    tree = "max(a: 2, b: chance(1/2: min(1, 2, 3), 1/2: min(1, 2, 3)))"
    assert ballard(tree, 0, bounds=(0, 10)).leaves == 1 + 3 + 1
    assert ballard(tree, 1, bounds=(0, 10)).leaves == 1 + 1 + 1
    assert ballard(tree, 1, bounds=(0, 10)).action_values["b"] == (0, 1)


def test_a_probe_keeps_what_it_has_found() -> None:
    tree = "chance(1/2: max(1, 5, 3), 1/2: min(7, 2, 9))"
    for probing in (1, 2, 3, 9):
        result = ballard(tree, probing, bounds=(0, 10))
        assert result.value == Fraction(7, 2)
        assert result.leaves == 6


def test_a_window_above_or_below_the_value_gives_a_bound_and_says_which() -> None:
    tree = "chance(1/2: max(4, 6), 1/2: max(0, 2))"
    inside = ballard(tree, bounds=(0, 10))
    assert (inside.value, inside.kind) == (4, "exact")
    above = ballard(tree, bounds=(0, 10), window=(7, 9))
    assert above.kind == "upper"
    assert 4 <= above.value <= 7
    below = ballard(tree, bounds=(0, 10), window=(1, 2))
    assert below.kind == "lower"
    assert 2 <= below.value <= 4
    assert below.leaves < inside.leaves


def test_a_value_on_a_bound_is_exact_and_ends_the_search() -> None:
    result = ballard("max(a: 3, b: 10, c: max(1, 2))", bounds=(0, 10))
    assert (result.value, result.action, result.kind, result.leaves) == (10, "b", "exact", 2)


def test_loose_bounds_cost_work_and_not_the_truth() -> None:
    leaves = []
    for scale in (1, 2, 26):
        total = 0
        for seed in range(10):
            tree = regular_tree(seed, depth=2, moves=5, outcomes=5, correlated=True)
            result = star(tree, 0, bounds=(-100 * scale, 100 * scale))
            assert result.value == expectiminimax(tree, 0).value
            total += result.leaves
        leaves.append(total)
    assert leaves[0] < leaves[1] <= leaves[2] <= 10 * 125


def test_dishonest_bounds_give_wrong_values_and_are_named_when_asked() -> None:
    wrong = named = 0
    for seed in range(200):
        tree = irregular_tree(seed, exact=True)
        wrong += star(tree, 0, bounds=(-20, 20)).value != expectiminimax(tree, 0).value
        try:
            star(tree, 0, bounds=(-20, 20), verify_bounds=True)
        except BoundsError as error:
            message, state = str(error), int(str(error).rsplit(" ", 1)[1])
            honest = -20 <= tree.utility(state) <= 20 or repr(tree.utility(state)) not in message
            named += not honest
    assert named >= wrong > 20


def test_a_dishonest_reward_is_named_when_asked() -> None:
    class Generous(TreeGame):
        reward_bounds = (0, 1)

        def reward(self, state: int, action: Any) -> float:
            return 3.0

    tree = Generous(parse_tree("max(1, 2)").nodes)
    with pytest.raises(BoundsError, match=r"expected rewards within \[0, 1\], got 3.0 at state 0"):
        star(tree, 0, 1, tree.utility, bounds=(0, 9), use_rewards=True, verify_bounds=True)


@pytest.mark.parametrize("probing", [0, 1, 2])
@pytest.mark.parametrize(
    ("game", "depth", "estimate"),
    [
        (Dice(4, 3), 3, Dice(4, 3).estimate),
        (Einstein(3, 2), None, None),
        (DrawToEleven(target=4, ranks=3), None, None),
        (Pig(target=20), 5, lambda s: 0.5 + (s.max_score - s.min_score) / 60),
        (PushTo21(target=7, faces=3), None, None),
    ],
    ids=lambda value: type(value).__name__,
)
def test_real_games_have_the_same_value_and_action_for_no_more_leaves(
    game: Any, depth: int | None, estimate: Any, probing: int
) -> None:
    state = game.initial_state()
    bounds = None if estimate is None else (-1, 1)
    for plain_table, table in ((None, None), (Table(), Table())):
        plain = expectiminimax(game, state, depth, estimate, table=plain_table)
        pruned = star(game, state, depth, estimate, probing=probing, bounds=bounds, table=table)
        assert pruned.leaves <= plain.leaves
        assert pruned.value == pytest.approx(plain.value, abs=1e-12)
        assert pruned.action == plain.action


def test_rewards_on_the_way_are_counted_and_bounded() -> None:
    """2048 on a 2 × 2 board, three moves ahead: every point of the score is a reward."""
    game = Game2048(2, 2)
    state = game.initial_state()
    while game.current_player(state) is Player.CHANCE:
        state = game.result(state, game.chance_outcomes(state)[0][0])

    def nothing(_: Any) -> float:
        return 0.0

    plain = expectiminimax(game, state, 3, nothing, use_rewards=True)
    pruned = star(game, state, 3, nothing, probing=1, bounds=(0, 0), use_rewards=True, verify_bounds=True)
    assert pruned.value == pytest.approx(plain.value, abs=1e-9)
    assert pruned.value > 0
    assert pruned.action == plain.action


def test_a_table_saves_leaves_and_a_second_search_is_answered_from_it() -> None:
    game, table = Einstein(3, 2), Table()
    start = game.initial_state()
    without = star(game, start, probing=1)
    first = star(game, start, probing=1, table=table)
    again = star(game, start, probing=1, table=table)
    assert first.value == again.value == without.value == -0.125
    assert first.leaves < without.leaves
    assert again.leaves == 0
    assert again.table_hits > 0


def test_a_table_filled_under_other_bounds_or_by_plain_search_is_refused() -> None:
    tree, table = parse_tree("max(1, 2)"), Table()
    star(tree, 0, bounds=(0, 5), table=table)
    with pytest.raises(TableMismatchError):
        star(tree, 0, bounds=(0, 4), table=table)
    with pytest.raises(TableMismatchError):
        expectiminimax(tree, 0, table=table)


def test_a_refused_search_leaves_a_new_table_as_it_was() -> None:
    tree, table = parse_tree("max(min(1, 2), 2)"), Table()
    with pytest.raises(SettingError):
        star(tree, 0, bounds=(0, 5), window=(1, 1), table=table)
    assert expectiminimax(tree, 0, table=table).value == 2
    with pytest.raises(TableMismatchError):
        star(tree, 0, bounds=(0, 5), table=table)


def test_an_evaluation_that_calls_itself_without_end_is_named_too() -> None:
    def evaluate(state: int) -> float:
        return evaluate(state)

    tree = irregular_tree(5)
    for search, how in ((star, {"bounds": (0, 1)}), (expectiminimax, {}), (cutoff_search, {"threshold": 0})):
        with pytest.raises(WrongSearchError, match="or the game or its evaluation calls itself too deeply"):
            search(tree, 0, 1, evaluate, **how)  # type: ignore[operator]


def test_nodes_are_counted_once_by_kind() -> None:
    result = ballard("max(min(1, 2), chance(1/2: 3, 1/2: max(4, 5)))", 1, bounds=(0, 10))
    assert result.nodes == (2, 1, 1, 5)


@pytest.mark.parametrize("probing", [-1, 1.0, True, "one"])
def test_a_probing_factor_below_zero_is_refused(probing: Any) -> None:
    with pytest.raises(SettingError, match="expected a probing factor of 0 or more"):
        ballard("max(1, 2)", probing)


@pytest.mark.parametrize("bounds", [(1, 0), (0, float("inf")), (float("nan"), 1), ("a", "b"), 5, (1,), (1, 2, 3)])
def test_what_are_no_bounds_are_refused(bounds: Any) -> None:
    with pytest.raises(BoundsError, match="expected two finite bounds"):
        leaf_bounds(parse_tree("1"), None, bounds)


def test_bounds_must_be_given_with_an_evaluation() -> None:
    tree = irregular_tree(1)
    with pytest.raises(BoundsError, match="expected bounds on the values of evaluate"):
        star(tree, 0, 2, tree.estimate)


def test_rewards_without_a_depth_have_no_bounds() -> None:
    game = Game2048(2, 2)
    with pytest.raises(BoundsError, match="expected a depth"):
        star(game, game.initial_state(), bounds=(0, 0), use_rewards=True)


@pytest.mark.parametrize("window", [(3, 3), (4, 3), (float("nan"), 3), 3, (3,)])
def test_what_is_no_window_is_refused(window: Any) -> None:
    with pytest.raises(SettingError, match="expected a window"):
        ballard("max(1, 2)", window=window)


class Paid(TreeGame):
    """A tree whose actions pay one each; it claims ``reward_bounds``."""

    reward_bounds: Any = (0, 1)

    def reward(self, state: int, action: Any) -> float:
        return 1.0


@pytest.mark.parametrize("claimed", [(1, 0), (0, float("nan")), (float("-inf"), 1), 3])
def test_reward_bounds_that_are_none_are_refused(claimed: Any) -> None:
    tree = Paid(parse_tree("max(1, 2)").nodes)
    tree.reward_bounds = claimed
    with pytest.raises(BoundsError, match="expected two finite bounds"):
        star(tree, 0, 1, tree.utility, bounds=(0, 9), use_rewards=True)


def test_rewards_are_not_asked_of_a_game_that_has_none() -> None:
    tree = parse_tree("max(1, 2)")
    for search, how in (
        (star, {"bounds": (0, 9)}),
        (alphabeta, {}),
        (expectiminimax, {}),
        (cutoff_search, {"threshold": 0}),
    ):
        with pytest.raises(WrongSearchError, match="expected a game with reward and reward_bounds"):
            search(tree, 0, 1, tree.utility, use_rewards=True, **how)  # type: ignore[operator]


def test_alpha_beta_needs_no_bounds_on_rewards_and_refuses_utility_bounds_that_are_none() -> None:
    tree = Paid(parse_tree("max(min(1, 2), 2)").nodes)
    for claimed in ((0, 1), (float("-inf"), float("inf")), None):
        tree.reward_bounds = claimed
        assert alphabeta(tree, 0, use_rewards=True).value == expectiminimax(tree, 0, use_rewards=True).value == 3
    for claimed in ((1, 0), (float("nan"), 1), 5):
        with pytest.raises(BoundsError, match="expected bounds, the lower first"):
            alphabeta(TreeGame(tree.nodes, claimed), 0)  # type: ignore[arg-type]


class Numbered(TreeGame):
    """A tree that answers with the plain number of a player: 0 is not `Player.CHANCE`, though the two are equal."""

    def current_player(self, state: int) -> Any:
        return int(super().current_player(state))


@pytest.mark.parametrize("text", ["max(1, 2)", "min(1, 2)", "chance(1/2: 1, 1/2: 2)"])
def test_a_player_that_is_only_a_number_is_refused_by_every_search(text: str) -> None:
    tree = Numbered(parse_tree(text).nodes)
    for search, how in (
        (star, {"bounds": (0, 9)}),
        (alphabeta, {}),
        (expectiminimax, {}),
        (cutoff_search, {"threshold": 0}),
    ):
        with pytest.raises(PlayerError, match=r"expected a Player from current_player, got (-1|0|1) at state 0"):
            search(tree, 0, 1, tree.estimate, **how)  # type: ignore[operator]


def test_a_depth_that_python_cannot_follow_is_named() -> None:
    game = Pig()
    for search, how in ((star, {"bounds": (0, 1)}), (expectiminimax, {})):
        with pytest.raises(WrongSearchError, match="within Python's recursion limit, got 5000"):
            search(game, game.initial_state(), 5000, lambda state: 0.0, **how)  # type: ignore[operator]


def test_an_order_that_loses_an_action_is_refused() -> None:
    with pytest.raises(SettingError, match="rearranged by order"):
        ballard("max(1, 2)", order=lambda state, actions: actions[:1])
    with pytest.raises(SettingError, match="rearranged by order"):
        ballard("max(1, 2)", order=lambda state, actions: ["a", "a"])
    with pytest.raises(SettingError, match="rearranged by order, got None"):
        ballard("max(1, 2)", order=lambda state, actions: list(actions).sort())


def test_broken_games_and_evaluations_are_named_as_in_plain_search() -> None:
    tree = irregular_tree(5)
    with pytest.raises(EvaluationError, match="got nan"):
        star(tree, 0, 1, lambda s: float("nan"), bounds=(0, 1))
    with pytest.raises(DepthError):
        star(tree, 0, -1, tree.estimate, bounds=(0, 1))
    stuck = TreeGame([TreeNode(Player.MAX, (), (), (), 0)], (0, 1))
    with pytest.raises(NoActionsError):
        star(stuck, 0)
    leaf = TreeNode(None, (), (), (), 0)
    unfair = TreeGame([TreeNode(Player.CHANCE, (0, 1), (1, 2), (0.5, 0.4), 0), leaf, leaf], (0, 1))
    with pytest.raises(ProbabilityError):
        star(unfair, 0)
    with pytest.raises(WrongSearchError, match="expected a depth"):
        star(Pig(), Pig().initial_state())


def test_alpha_beta_needs_a_game_without_chance_or_the_word() -> None:
    tree = parse_tree("max(chance(1/2: 1, 1/2: 2), 0)")
    with pytest.raises(WrongSearchError, match="expected no chance node"):
        alphabeta(tree, 0)
    assert alphabeta(tree, 0, reset_at_chance=True).value == 1.5


def test_alpha_beta_cuts_the_textbook_tree() -> None:
    """Russell and Norvig's tree: 3, 2, 2 with two leaves of the middle min node cut."""
    tree = parse_tree("max(min(3, 12, 8), min(2, 4, 6), min(14, 5, 2))")
    result = alphabeta(tree, 0)
    assert (result.value, result.action, result.leaves) == (3, "a", 7)


def test_alpha_beta_in_the_best_order_opens_knuth_and_moores_number_of_leaves() -> None:
    """b^⌈d/2⌉ + b^⌊d/2⌋ − 1 leaves for b moves and depth d (Knuth and Moore 1975)."""
    for moves, depth in ((3, 3), (4, 2), (2, 6)):

        def perfect(levels: int, player: Player, worth: int, moves: int = moves) -> Any:
            if levels == 0:
                return worth
            kind = "max" if player is Player.MAX else "min"
            other = Player(-player)
            best = perfect(levels - 1, other, worth)
            rest = [perfect(levels - 1, other, worth - player * (i + 1)) for i in range(moves - 1)]
            return (kind, *((i, child) for i, child in enumerate([best, *rest])))

        tree = build_tree(perfect(depth, Player.MAX, 0))
        result = alphabeta(TreeGame(tree.nodes, (-99, 99)), 0)
        assert result.value == 0
        assert result.leaves == moves ** -(-depth // 2) + moves ** (depth // 2) - 1


class Pays(TreeGame):
    """A tree in which an action pays what its label says, in floats."""

    reward_bounds = (-1e9, 1e9)

    def reward(self, state: int, action: Any) -> float:
        return float(action)


def test_rounding_does_not_lift_a_bound_into_the_window() -> None:
    """The first reply leaves the second action no better than the first; by rounding its bound looks better."""
    numbers = [(r / 10, s / 10) for r in range(-20, 20) for s in range(20)]
    reward, sure = next((r, s) for r, s in numbers if r + (s - r) > s)
    for sign, kind, other in ((1, "max", "min"), (-1, "min", "max")):
        replies = (other, (0, sign * (sure - reward)), ("-0", sign * -100.0))
        tree = Pays(build_tree((kind, (0, sign * sure), (sign * reward, replies))).nodes)
        result = alphabeta(tree, 0, use_rewards=True)
        assert (result.value, result.action, result.leaves) == (sign * sure, 0, 2)


@pytest.mark.parametrize("search", [star, pvs])
def test_a_window_that_rounding_has_closed_is_opened(search: Any) -> None:
    """In an empty window one leaf would be read as a bound from above, where the other one is worth 5 more."""
    paid = Pays(build_tree(("max", (-1e8, ("max", (0, 1e8), ("-0", 1e8 + 5))))).nodes)
    found = search(paid, 0, 9, paid.utility, bounds=(0, 2e8), use_rewards=True, window=(0.0, 1e-9))
    assert (found.kind, found.value) == ("lower", 5)
    drawn = parse_tree("chance(0.5: 1e9, 0.5: max(-1e9, -999999990))")
    found = search(drawn, 0, bounds=(-2e9, 2e9), window=(0.0, 1e-9))
    assert (found.kind, found.value) == ("lower", 5)
