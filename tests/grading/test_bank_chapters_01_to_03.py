"""The questions of chapters 01 to 03: oracles against other sources, and every known mistake told by its name.

"Claims" are figures of the texts that the course examines, recomputed with exact fractions.
"""

from __future__ import annotations

import math
import re
import statistics
from functools import cache

import pytest
from answering import namespace_of, verdict, written

from expectimax_course.game import Player
from expectimax_course.games.push_to_21 import PushState, PushTo21
from expectimax_course.grading.bank import Make, parts02, parts03, question, questions
from expectimax_course.random_trees import regular_tree
from expectimax_course.rng import Rng
from expectimax_course.trees import parse_tree

CHAPTERS = ("01_expected_case", "02_recursion", "03_push_to_21")
QUESTIONS = [one for chapter in CHAPTERS for one in questions(chapter)]
SEEDS = (1, 2, 3)
GAMBLE = [(10.0, 0.9), (-5.0, 0.1)]

DEPTH = """
def depth_limited(game, state, depth, evaluate):
    if game.is_terminal(state):
        return game.utility(state)
    if depth == 0:
        return evaluate(state)
    def child(x, left):
        return depth_limited(game, game.result(state, x), left, evaluate)
    if game.current_player(state) is Player.CHANCE:
        return sum(p * child(o, depth) for o, p in game.chance_outcomes(state))
    values = [child(a, depth - 1) for a in game.legal_actions(state)]
    return max(values) if game.current_player(state) is Player.MAX else min(values)
"""

STRICT = """
def strict_value(node):
    if not isinstance(node, dict):
        return node
    if node["kind"] == "max":
        return max(strict_value(child) for child in node["children"].values())
    p = node["probability"]
    if abs(sum(p.values()) - 1) > 1e-9:
        raise ValueError("bad probabilities")
    return sum(p[name] * strict_value(child) for name, child in node["children"].items())
"""

# What a student might write. Each entry: misconception of the teaching plan, question, known mistake, code.
MISCONCEPTIONS = [
    (
        "unweighted mean",
        "01.weighted_value",
        "unweighted mean",
        """
def weighted_value(outcomes):
    return sum(x for x, p in outcomes) / len(outcomes)
""",
    ),
    (
        "worst outcome",
        "01.weighted_value",
        "worst case",
        """
def weighted_value(outcomes):
    return sorted(outcomes)[0][0]
""",
    ),
    (
        "best outcome",
        "01.weighted_value",
        "best case",
        """
def weighted_value(outcomes):
    best = -10**9
    for payoff, p in outcomes:
        if payoff > best:
            best = payoff
    return best
""",
    ),
    (
        "probabilities that do not sum to one",
        "01.checked_value",
        "accepts everything",
        """
def checked_value(outcomes):
    total = 0
    for x, p in outcomes:
        total += x * p
    return total
""",
    ),
    (
        "probability 0 taken for none",
        "01.checked_value",
        "zero refused",
        """
def checked_value(outcomes):
    if any(p <= 0 for x, p in outcomes) or abs(sum(p for x, p in outcomes) - 1) > 1e-9:
        raise ValueError("no distribution")
    return sum(x * p for x, p in outcomes)
""",
    ),
    (
        "dividing by the number of outcomes",
        "01.weighted_value",
        "divided by the number of outcomes",
        """
def weighted_value(outcomes):
    return sum(x * p for x, p in outcomes) / len(outcomes)
""",
    ),
    (
        "max at chance",
        "02.expectimax",
        "max at chance",
        """
def expectimax(game, state):
    if game.is_terminal(state):
        return game.utility(state)
    if game.current_player(state) is Player.CHANCE:
        return max(expectimax(game, game.result(state, o)) for o, p in game.chance_outcomes(state))
    return max(expectimax(game, game.result(state, a)) for a in game.legal_actions(state))
""",
    ),
    (
        "depth off by one",
        "02.depth_limited",
        "one too few",
        DEPTH.replace("depth == 0", "depth <= 1"),
    ),
    (
        "depth off by one, the other way",
        "02.depth_limited",
        "one too many",
        DEPTH.replace("depth == 0", "depth < 0"),
    ),
    (
        "depth counted at chance",
        "02.depth_limited",
        "depth counted at chance",
        DEPTH.replace("child(o, depth)", "child(o, depth - 1)"),
    ),
    (
        "utility at the cut instead of evaluate",
        "02.depth_limited",
        "utility at the cut",
        DEPTH.replace("return evaluate(state)", "return game.utility(state)"),
    ),
    (
        "state of one outcome reused for the next",
        "02.expectimax",
        "state overwritten",
        """
def expectimax(game, state):
    if game.is_terminal(state):
        return game.utility(state)
    if game.current_player(state) is Player.CHANCE:
        value = 0
        for outcome, p in game.chance_outcomes(state):
            state = game.result(state, outcome)
            value += p * expectimax(game, state)
        return value
    return max(expectimax(game, game.result(state, a)) for a in game.legal_actions(state))
""",
    ),
    (
        "whose view a value takes",
        "02.expectiminimax",
        "MIN's view",
        """
def expectiminimax(game, state):
    if game.is_terminal(state):
        return game.utility(state)
    if game.current_player(state) is Player.CHANCE:
        return sum(p * expectiminimax(game, game.result(state, o)) for o, p in game.chance_outcomes(state))
    values = [expectiminimax(game, game.result(state, a)) for a in game.legal_actions(state)]
    if game.current_player(state) is Player.MIN:
        values = [-v for v in values]
    return max(values)
""",
    ),
    (
        "minus infinity",
        "02.strict_value",
        "empty max is minus infinity",
        """
def strict_value(node):
    if not isinstance(node, dict):
        return node
    if node["kind"] == "max":
        best = float("-inf")
        for child in node["children"].values():
            best = max(best, strict_value(child))
        return best
    p = node["probability"]
    if abs(sum(p.values()) - 1) > 1e-9 or not set(node["children"]) <= set(p):
        raise ValueError("bad probabilities")
    return sum(p[name] * strict_value(child) for name, child in node["children"].items())
""",
    ),
    (
        "bust counted as the total",
        "03.hit_value",
        "bust banked",
        """
def hit_value(total, values, faces):
    result = 0
    for face in range(1, faces + 1):
        t = total + face
        result += values[t] if t < len(values) else t
    return result / faces
""",
    ),
    (
        "wrong end of the table",
        "03.ev_table",
        "wrong end",
        """
def ev_table(target, faces):
    values = [0] * (target + 1)
    for t in range(target + 1):
        values[t] = max(t, sum(values[t + f] for f in range(1, faces + 1) if t + f <= target) / faces)
    return values
""",
    ),
    (
        "faces off by one",
        "03.hit_value",
        "faces from 0",
        """
def hit_value(total, values, faces):
    return sum(values[total + face] for face in range(faces) if total + face < len(values)) / faces
""",
    ),
    (
        "> against >=",
        "03.stand_from",
        "a tie hits",
        """
def stand_from(target, faces):
    values = [0.0] * (target + 1)
    first = target
    for t in range(target, -1, -1):
        hit = sum(values[t + 1:t + faces + 1]) / faces
        if hit >= t and t < target:
            values[t] = hit
        else:
            values[t] = t
            first = t
    return first
""",
    ),
    (
        "> against >=, of a pessimist",
        "03.min_player",
        "a tie hits",
        """
def min_player(target, faces):
    believed, earned = [0] * (target + 1), [0.0] * (target + 1)
    first = target
    for t in range(target, -1, -1):
        least = min(believed[t + 1:t + faces + 1]) if t + faces <= target else 0
        believed[t] = max(t, least)
        if t > least:
            first = t
    for t in range(target, -1, -1):
        earned[t] = t if t >= first else sum(earned[t + 1:t + faces + 1]) / faces
    return believed[0], earned[0]
""",
    ),
    (
        "mean over non-bust faces only",
        "03.hit_value",
        "busts left out",
        """
def hit_value(total, values, faces):
    safe = [values[total + face] for face in range(1, faces + 1) if total + face < len(values)]
    return sum(safe) / len(safe) if safe else 0
""",
    ),
    (
        "policy value confused with the optimal value",
        "03.threshold_value",
        "optimal value",
        """
def threshold_value(threshold, target, faces):
    values = [0.0] * (target + 1)
    for t in range(target, -1, -1):
        values[t] = max(t, sum(values[t + 1:t + faces + 1]) / faces)
    return values[0]
""",
    ),
    (
        "a missing probability counted as 0",
        "02.strict_value",
        "missing probability is 0",
        STRICT.replace("p[name]", "p.get(name, 0)"),
    ),
    ("a missing probability left to a KeyError", "02.strict_value", "KeyError", STRICT),
    (
        "a sum of 1.5",
        "02.strict_value",
        "sum unchecked",
        STRICT.replace("abs(sum(p.values()) - 1) > 1e-9", "not set(node['children']) <= set(p)"),
    ),
    (
        "a mean over no face at all",
        "03.hit_value",
        "busts forgotten",
        """
def hit_value(total, values, faces):
    safe = [values[total + face] for face in range(1, faces + 1) if total + face < len(values)]
    return sum(safe) / len(safe)
""",
    ),
]


def drawing(fn):
    """Turn a distribution into a hand that a student might deal."""
    known = cache(fn)
    return lambda *args: args[-1].outcome(known(*args[:-1]))


# --- oracles against other sources


def test_chapter_01_has_the_values_of_the_claims():
    assert question("01.weighted_value").oracle(GAMBLE) == pytest.approx(8.5)
    assert question("01.wrong_model_cost").oracle([GAMBLE, [(2.0, 1.0)]]) == pytest.approx([6.5, 7.0])


def test_at_the_break_even_probability_both_offers_are_worth_the_same():
    one = question("01.break_even")
    for index in range(50):
        win, lose, sure = one.generate(Rng(index))
        p = one.oracle(win, lose, sure)
        assert 0 <= p <= 1
        assert p * win + (1 - p) * lose == pytest.approx(sure)


def test_a_price_of_the_wrong_model_is_never_negative():
    one = question("01.wrong_model_cost")
    for index in range(50):
        assert min(one.oracle(*one.generate(Rng(index)))) >= 0


def test_no_choice_of_either_model_is_ever_tied():
    one = question("01.wrong_model_cost")
    for (options,) in [*(case.args for case in one.visible), *(one.generate(Rng(index)) for index in range(200))]:
        means = sorted(sum(x * p for x, p in gamble) for gamble in options)
        worsts = sorted(min(x for x, _ in gamble) for gamble in options)
        assert means[-1] > means[-2]
        assert worsts[-1] > worsts[-2]


def test_an_outcome_of_probability_0_is_drawn_where_it_must_not_be_refused_and_nowhere_where_nodes_are_counted():
    suspects = [question("01.checked_value").generate(Rng(index))[0] for index in range(100)]
    assert sum(any(p == 0 for _, p in outcomes) for outcomes in suspects) >= 5
    trees = [question("02.count_nodes").generate(Rng(index))[0] for index in range(200)]
    texts = [repr(recipe) for recipe in trees if "parse_tree" in repr(recipe)]
    assert sum("chance(" in text for text in texts) > 20
    assert not any("(0: " in text for text in texts)


def test_what_is_no_distribution_is_refused():
    for bad in ([], [(1.0, 0.5)], [(1.0, 1.5)], [(1.0, 1.5), (2.0, -0.5)], [(1.0, math.nan)]):
        with pytest.raises(ValueError, match="expected probabilities"):
            question("01.checked_value").oracle(bad)


def test_expectimax_and_one_node_agree_with_the_claims():
    tree = parse_tree("max(gamble: chance(0.9: 10, 0.1: -5), sure: 2)")
    assert question("02.expectimax").oracle(tree, 0) == pytest.approx(8.5)
    assert question("02.backed_up").oracle(Player.CHANCE, [10.0, -5.0], [0.9, 0.1]) == pytest.approx(8.5)


def test_a_regular_tree_has_the_nodes_that_a_formula_counts():
    moves, outcomes = 3, 2
    tree = regular_tree(1, depth=3, moves=moves, outcomes=outcomes)
    count = question("02.count_nodes").oracle
    for depth in (1, 2, 3):
        decisions = sum((moves * outcomes) ** k for k in range(depth))
        assert count(tree, 0, depth) == decisions * (1 + moves)


def test_an_afterstate_is_evaluated_as_it_stands():
    value = question("02.depth_limited").oracle(
        PushTo21(), PushState(16, "choose"), 1, lambda state: 100.0 + state.total
    )
    assert value == 116.0


def test_the_given_search_has_the_silent_faults_of_the_claims():
    given = next(mutant for mutant in question("02.strict_value").mutants if mutant.given).fn
    missing = parts02.chance_node({"a": 10, "b": 20}, {"a": 0.5})
    too_much = parts02.chance_node({"a": 10, "b": 20}, {"a": 0.5, "b": 1.0})
    empty = {"kind": "max", "children": {}}
    assert given(missing) == 5.0  # for the 15.0 of a half each
    assert given(parts02.chance_node({"a": 10, "b": 20}, {"a": 0.5, "b": 0.5})) == 15.0
    assert given(too_much) == 25.0
    assert given(empty) == -math.inf
    for bad in (missing, too_much, empty):
        with pytest.raises(ValueError, match=r"expected|empty"):
            question("02.strict_value").oracle(bad)


def test_chapter_03_has_the_values_of_the_claims():
    values = question("03.ev_table").oracle(21, 10)
    hit = question("03.hit_value").oracle
    assert values[0] == pytest.approx(79292566171467 / 5e12)
    assert values[1] == pytest.approx(15.957, abs=5e-4)
    assert [hit(total, values, 10) for total in (13, 14, 16)] == pytest.approx([14.0, 12.6, 9.5])
    assert question("03.min_player").oracle(21, 10) == pytest.approx([12.0, 15.142], abs=5e-4)


def test_fixed_thresholds_earn_what_the_claims_say():
    earned = [question("03.threshold_value").oracle(threshold, 21, 10) for threshold in range(10, 22)]
    claimed = [12.969, 14.266, 15.142, 15.688, 15.859, 15.612, 14.910, 13.717, 12.009, 9.770, 7.003, 3.729]
    assert earned == pytest.approx(claimed, abs=5e-4)


@pytest.mark.parametrize(("faces", "first"), [(6, 16), (9, 14), (10, 14), (13, 12), (15, 11)])
def test_the_optimum_stands_first_where_the_claims_say(faces, first):
    assert question("03.stand_from").oracle(21, faces) == first


def test_the_listed_ties_are_exact():
    for target, faces in parts03.TIES:
        values = question("03.ev_table").oracle(target, faces)
        first = question("03.stand_from").oracle(target, faces)
        assert parts03.hit_value(first, values, faces) == first


def test_the_distribution_of_a_hand_has_the_mean_of_its_rule():
    for threshold, target, faces in ((17, 21, 10), (14, 21, 10), (0, 5, 2), (3, 4, 6)):
        outcomes = parts03.distribution(threshold, target, faces)
        assert sum(p for _, p in outcomes) == pytest.approx(1)
        mean = sum(points * p for points, p in outcomes)
        assert mean == pytest.approx(question("03.threshold_value").oracle(threshold, target, faces))


def test_the_interval_is_that_of_the_standard_library():
    results = [0.0, 20.0, 18.0, 0.0, 17.0, 21.0]
    low, high = question("03.interval").oracle(results)
    margin = 1.96 * statistics.stdev(results) / math.sqrt(len(results))
    assert (low, high) == pytest.approx((statistics.mean(results) - margin, statistics.mean(results) + margin))


# --- known mistakes


def test_a_wrongly_dealt_hand_is_named_on_graded_cases_too():
    one = question("03.play_hand")
    assert verdict(one, drawing(one.oracle), 1).status == "passed"
    for mutant in one.mutants:
        for seed in SEEDS:
            found = verdict(one, drawing(mutant.fn), seed)
            assert (found.message, found.score) == (mutant.message, mutant.cap)


@pytest.mark.parametrize(
    ("id", "name", "source"), [entry[1:] for entry in MISCONCEPTIONS], ids=[entry[0] for entry in MISCONCEPTIONS]
)
def test_a_misconception_in_a_students_own_words_is_named(id, name, source):
    one = question(id)
    mutant = next(mutant for mutant in one.mutants if mutant.name == name)
    for seed in SEEDS:
        found = verdict(one, written(source, one.name), seed)
        assert found.message == mutant.message
        assert found.score <= mutant.cap < one.points


# --- notebooks


def test_the_five_broken_searches_have_the_faults_they_are_asked_for():
    broken = namespace_of("solutions", "02_recursion")
    right = broken["expectiminimax"]
    (text,) = re.findall(r"chance\(.*\)\)", question("02.find_the_fault").hints[0])
    draws = parse_tree(text)
    alone = parse_tree("max(min(3, 5), min(2, 9))")
    losing = parse_tree("max(gamble: chance(0.99: 10, 0.01: -5), sure: 1)")

    a = broken["value_a"]
    counted = next(m.fn for m in question("02.depth_limited").mutants if m.name == "depth counted at chance")
    deep = parse_tree("max(chance(1/2: max(1, 2), 1/2: 3), 0)")
    for depth in range(4):
        assert a(deep, 0, depth, lambda state: -7.0) == counted(deep, 0, depth, lambda state: -7.0)
        assert a(alone, 0, depth, lambda state: -7.0) == broken["depth_limited"](alone, 0, depth, lambda state: -7.0)

    assert broken["value_b"](alone, 0) == right(alone, 0)
    with pytest.raises(ValueError, match="expected one of"):
        broken["value_b"](draws, 0)

    assert broken["value_c"](parse_tree("min(3, 5)"), 0) == -3
    assert broken["value_c"](losing, 0) == right(losing, 0)

    assert broken["value_d"](losing, 0) == 1
    assert broken["value_d"](draws, 0) == -math.inf
    assert broken["value_d"](parse_tree("chance(1/2: min(3, 5), 1/2: max(4, 8))"), 0) == 5.5

    known: dict[int, float] = {}
    assert broken["value_e"](draws, 0, known) is None
    assert broken["value_e"](draws, 0, known) == right(draws, 0)


def test_the_stub_of_the_lenient_search_is_the_known_mistake_it_starts_from():
    given = next(mutant for mutant in question("02.strict_value").mutants if mutant.given).fn
    stub = namespace_of("exercises", "02_recursion")["strict_value"]
    for index in range(40):
        (tree,) = question("02.strict_value").generate(Rng(index))
        assert stub(tree) == pytest.approx(given(tree), nan_ok=True)


def test_a_recipe_is_shown_as_the_code_that_makes_it():
    assert repr(parts02.tree("max(1, 2)")) == "parse_tree('max(1, 2)')"
    assert isinstance(parts02.push(21, 10), Make)
