"""The questions of chapter 05: oracles against other sources, and every known mistake told by its name."""

from __future__ import annotations

import itertools

import pytest
from answering import verdict, written

from expectimax_course.games.counted import CountedGame
from expectimax_course.grading.bank import question
from expectimax_course.grading.bank.parts05 import HIGH, LOW, MISTAKES, opened, probe_with, star_with
from expectimax_course.grading.codec import decode, encode
from expectimax_course.random_trees import irregular_tree
from expectimax_course.rng import Rng
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.star import ChanceNode, Child, star
from expectimax_course.trees import parse_tree

CHAPTER = "05_pruning_bounds"
SEEDS = (1, 2, 3)
PRUNABLE = [case.args[0] for case in question("05.prunable").visible]

WINDOW = """
def child_window(i, probabilities, lowers, uppers, alpha, beta):
    rest_low = rest_high = 0
    for j, p in enumerate(probabilities):
        if j == i:
            continue
        rest_low += p * lowers[j]
        rest_high += p * uppers[j]
    return [(alpha - rest_high) / probabilities[i], (beta - rest_low) / probabilities[i]]
"""

STAR = """
def star1(game, state, alpha, beta):
    if game.is_terminal(state):
        return game.utility(state)
    who = game.current_player(state)
    L, U = game.utility_bounds
    if who is Player.CHANCE:
        pairs = [(p, game.result(state, o)) for o, p in game.chance_outcomes(state) if p > 0]
        done, left = 0.0, 1.0
        for p, child in pairs:
            left -= p
            a = (alpha - done - left * U) / p
            b = (beta - done - left * L) / p
            v = star1(game, child, max(a, L), min(b, U))
            if v <= a:
                return done + p * v + left * U
            if v >= b:
                return done + p * v + left * L
            done += p * v
        return done
    if who is Player.MAX:
        best = -1e9
        for action in game.legal_actions(state):
            best = max(best, star1(game, game.result(state, action), max(alpha, best), beta))
            if best >= beta:
                return best
        return best
    best = 1e9
    for action in game.legal_actions(state):
        best = min(best, star1(game, game.result(state, action), alpha, min(beta, best)))
        if best <= alpha:
            return best
    return best
"""

# What a student might write. Each entry: misconception of the teaching plan, question, known mistake, code.
MISCONCEPTIONS = [
    (
        "parent's window handed down",
        "05.star1",
        "parent",
        STAR.replace("(alpha - done - left * U) / p", "alpha").replace("(beta - done - left * L) / p", "beta"),
    ),
    (
        "parent's window handed down, as a window",
        "05.child_window",
        "parent",
        "def child_window(i, probabilities, lowers, uppers, alpha, beta):\n    return alpha, beta\n",
    ),
    ("forgetting to divide by p", "05.child_window", "not divided", WINDOW.replace(" / probabilities[i]", "")),
    (
        "forgetting to divide by p, in the search",
        "05.star1",
        "not divided",
        STAR.replace("left * U) / p", "left * U)").replace("left * L) / p", "left * L)"),
    ),
    (
        "L and U swapped",
        "05.child_window",
        "swapped",
        WINDOW.replace("alpha - rest_high", "alpha - rest_low").replace("beta - rest_low", "beta - rest_high"),
    ),
    (
        "L and U swapped in the first question",
        "05.mean_bounds",
        "swapped",
        """
def mean_bounds(probabilities, seen, low, high):
    known = sum(probabilities[i] * seen[i] for i in range(len(seen)))
    rest = 1 - sum(probabilities[: len(seen)])
    return known + rest * high, known + rest * low
""",
    ),
    (
        "remaining probability off by one child",
        "05.mean_bounds",
        "one child forgotten",
        """
def mean_bounds(probabilities, seen, low, high):
    k = len(seen)
    known = sum(probabilities[i] * seen[i] for i in range(k))
    rest = sum(probabilities[k + 1 :])
    return known + rest * low, known + rest * high
""",
    ),
    (
        "remaining probability off by one child, in the window",
        "05.child_window",
        "itself too",
        WINDOW.replace("        if j == i:\n            continue\n", ""),
    ),
    (
        "returning the window and not the bound",
        "05.cut_value",
        "window returned",
        """
def cut_value(lower, upper, alpha, beta):
    if lower >= beta:
        return beta
    elif upper <= alpha:
        return alpha
""",
    ),
    (
        "pruning at > for >=",
        "05.cut_value",
        "strict",
        """
def cut_value(lower, upper, alpha, beta):
    if lower > beta:
        return lower
    if upper < alpha:
        return upper
""",
    ),
    (
        "pruning at > for >=, in the search",
        "05.star1",
        "strict",
        STAR.replace("if v <= a", "if v < a").replace("if v >= b", "if v > b"),
    ),
    (
        "a window reset at chance nodes",
        "05.star1",
        "reset",
        STAR.replace("(alpha - done - left * U) / p", "-1e9")
        .replace("(beta - done - left * L) / p", "1e9")
        .replace("max(a, L), min(b, U)", "a, b"),
    ),
    (
        "a search that never cuts",
        "05.star1",
        "plain",
        """
def star1(game, state, alpha, beta):
    if game.is_terminal(state):
        return game.utility(state)
    if game.current_player(state) is Player.CHANCE:
        return sum(p * star1(game, game.result(state, o), alpha, beta) for o, p in game.chance_outcomes(state))
    best = max if game.current_player(state) is Player.MAX else min
    return best(star1(game, game.result(state, a), alpha, beta) for a in game.legal_actions(state))
""",
    ),
    (
        "the test of the mean alone",
        "05.star1",
        "bounds only",
        STAR.replace("max(a, L), min(b, U)", "-1e9, 1e9"),
    ),
    ("an outcome of probability 0", "05.star1", "zero", STAR.replace(" if p > 0]", "]")),
    (
        "a probe taken for the value",
        "05.probe",
        "exact",
        """
def probe(game, state):
    total = 0
    for outcome, p in game.chance_outcomes(state):
        child = game.result(state, outcome)
        while not game.is_terminal(child):
            if game.current_player(child) is Player.CHANCE:
                break
            child = game.result(child, game.legal_actions(child)[0])
        if game.is_terminal(child):
            total += p * game.utility(child)
        else:
            total += p * sum(q * game.utility(game.result(child, o)) for o, q in game.chance_outcomes(child))
    return total, total
""",
    ),
    (
        "finite taken for bounded",
        "05.prunable",
        "finite is bounded",
        "prunable = dict.fromkeys(ANSWERS, 'possible')\n",
    ),
]


# --- oracles against other sources


def test_the_mean_bounds_are_reached_by_unseen_children_at_their_ends():
    one = question("05.mean_bounds")
    for index in range(60):
        probabilities, seen, low, high = one.generate(Rng(index))
        unseen = len(probabilities) - len(seen)
        means = [
            sum(p * v for p, v in zip(probabilities, [*seen, *rest], strict=True))
            for rest in itertools.product((low, high), repeat=unseen)
        ]
        assert one.oracle(probabilities, seen, low, high) == pytest.approx([min(means), max(means)])


def test_the_exams_question_has_the_answer_of_the_exam():
    """Two of three equally likely leaves within [−2, 2] seen: what may the mean still be?"""
    low, high = question("05.mean_bounds").oracle([1 / 3] * 3, [1.0, -0.5], -2.0, 2.0)
    assert (low, high) == pytest.approx((-0.5, 2.5 / 3))


def test_the_child_window_is_that_of_the_packages_star():
    one = question("05.child_window")
    for index in range(60):
        i, probabilities, lowers, uppers, alpha, beta = one.generate(Rng(index))
        family = [Child(p, None, lo, hi) for p, lo, hi in zip(probabilities, lowers, uppers, strict=True)]
        assert one.oracle(i, probabilities, lowers, uppers, alpha, beta) == pytest.approx(
            list(ChanceNode(family).window(family[i], alpha, beta))
        )


def test_at_the_ends_of_its_window_a_child_puts_the_mean_on_the_ends_of_the_window():
    one = question("05.child_window")
    for index in range(60):
        i, probabilities, lowers, uppers, alpha, beta = one.generate(Rng(index))
        a, b = one.oracle(i, probabilities, lowers, uppers, alpha, beta)
        best = [a if j == i else upper for j, upper in enumerate(uppers)]
        worst = [b if j == i else lower for j, lower in enumerate(lowers)]
        assert sum(p * v for p, v in zip(probabilities, best, strict=True)) == pytest.approx(alpha)
        assert sum(p * v for p, v in zip(probabilities, worst, strict=True)) == pytest.approx(beta)


def test_a_cut_is_made_exactly_when_no_mean_of_the_interval_lies_inside_the_window():
    one = question("05.cut_value")
    for index in range(100):
        lower, upper, alpha, beta = one.generate(Rng(index))
        inside = any(alpha < lower + (upper - lower) * k / 64 < beta for k in range(65))
        inside |= lower < beta and upper > alpha
        assert (one.oracle(lower, upper, alpha, beta) is None) == inside


def test_the_reference_without_a_mistake_keeps_stars_contract():
    search = star_with()
    for seed in range(60):
        tree = irregular_tree(seed)
        low, high = tree.utility_bounds
        value = expectiminimax(tree, 0).value
        for alpha, beta in ((low, high), (-50, 0), (0, 50), (value - 1, value + 1)):
            found = search(tree, 0, alpha, beta)
            if alpha < value < beta:
                assert found == pytest.approx(value)
            else:
                assert value - 1e-9 <= found <= alpha + 1e-9 or beta - 1e-9 <= found <= value + 1e-9


def test_every_drawn_star_case_can_be_searched_within_its_limit_and_asks_for_an_exact_value():
    one = question("05.star1")
    tells = dict.fromkeys(MISTAKES, 0)
    for index in range(40):
        recipe, state, alpha, beta = one.generate(Rng(index))
        text, limit = recipe.args[0].args[0], recipe.kwargs["limit"]
        value = expectiminimax(parse_tree(text), state).value
        assert alpha < value < beta
        assert star(decode(encode(recipe)), state, window=(alpha, beta)).value == pytest.approx(value)
        for mistake in MISTAKES:
            tells[mistake] += opened(star_with(mistake), text, alpha, beta, limit=limit)[0] != value
    assert min(tells.values()) >= 4, tells


def test_a_probe_opens_the_first_actions_and_proves_bounds_around_the_value():
    one = question("05.probe")
    for index in range(40):
        recipe, state = one.generate(Rng(index))
        game = decode(encode(recipe))
        lower, upper = one.oracle(game, state)
        assert game.leaves == recipe.kwargs["limit"]
        value = expectiminimax(parse_tree(recipe.args[0].args[0]), state).value
        assert LOW <= lower <= value <= upper <= HIGH


def test_star2_saves_more_than_star1_where_the_order_is_good():
    one = question("05.leaf_fraction")
    game, states, depth, _ = decode(encode(one.visible[2].args))
    star1_share, star2_share = (one.oracle(game, states, depth, probing) for probing in (0, 1))
    assert star2_share < star1_share < 1


def test_a_second_leaf_above_the_number_makes_the_decision_wrong_and_one_at_it_does_not():
    one = question("05.breaking_leaf")
    broken = 0
    for index in range(60):
        p, first, sure, high = one.generate(Rng(index))
        limit = one.oracle(p, first, sure, high)
        assert first <= high

        def decide(second, p=p, first=first, sure=sure, high=high):
            tree = parse_tree(f"max(sure: {sure}, gamble: chance({p}: {first}, {1 - p}: {second}))")
            low = min(first, sure, second)
            believes = star(tree, 0, bounds=(low, high))
            return believes, expectiminimax(tree, 0)

        if limit is None:
            believes, true = decide(high + 50)
            assert believes.action == true.action == "gamble"
        elif sure < high:
            broken += 1
            believes, true = decide(limit + 1)
            assert (believes.action, true.action) == ("sure", "gamble")
            assert decide(limit)[0].value == pytest.approx(decide(limit)[1].value)
    assert broken > 10


def test_the_answers_about_pruning_follow_from_trying():
    """A leaf may be skipped if no value it may have moves the root: try many, far out where no bound stops us."""
    ranges = {"finite": range(-200, 201), "non-negative": range(201), "0 to 1": [k / 20 for k in range(21)]}
    for kind, answer in ((case.args[0], question("05.prunable").oracle(case.args[0])) for case in _prunable_cases()):
        root, _, leaves = kind.partition(", ")
        values = ranges[leaves]
        seen = [values[len(values) * k // 8] for k in range(8)] if leaves != "finite" else [-3, -1, 0, 1, 2, 5]
        seen = [value for value in {*seen, values[-1]} if leaves == "0 to 1" or abs(value) <= 40]
        best = min if root == "expectimin" else max

        def value(a, b, root=root, best=best):
            return best(a, b) if root == "max" else best(a, (b[0] + b[1]) / 2)

        if root == "max":
            skips = any(len({value(a, x) for x in values}) == 1 for a in seen)
        else:
            skips = any(len({value(a, (b, x)) for x in values}) == 1 for a in seen for b in seen)
        assert skips == (answer == "possible"), kind


def _prunable_cases():
    return question("05.prunable").visible


# --- known mistakes


@pytest.mark.parametrize("seed", SEEDS)
def test_another_right_star1_gets_full_marks(seed):
    assert verdict(question("05.star1"), written(STAR, "star1"), seed).status == "passed"
    raw = STAR.replace("max(a, L), min(b, U)", "a, b")
    assert verdict(question("05.star1"), written(raw, "star1"), seed).status == "passed"
    hard = STAR.replace("return done + p * v + left * U", "return alpha")
    hard = hard.replace("return done + p * v + left * L", "return beta")
    assert verdict(question("05.star1"), written(hard, "star1"), seed).status == "passed"
    assert verdict(question("05.child_window"), written(WINDOW, "child_window"), seed).status == "passed"


@pytest.mark.parametrize(
    ("id", "name", "source"), [entry[1:] for entry in MISCONCEPTIONS], ids=[entry[0] for entry in MISCONCEPTIONS]
)
def test_a_misconception_in_a_students_own_words_is_named(id, name, source):
    one = question(id)
    mutant = next(mutant for mutant in one.mutants if mutant.name == name)
    for seed in SEEDS:
        found = verdict(one, written(source, one.name, ANSWERS=PRUNABLE), seed)
        assert found.message == mutant.message
        assert found.score <= mutant.cap < one.points


def test_a_tree_that_counts_is_shown_as_the_code_that_makes_it():
    recipe = question("05.star1").visible[1].args[0]
    shown = "CountedGame(parse_tree('max(6, chance(0.5: 0, 0.5: max(3, 9)))'), limit=2, bounds=(0, 12))"
    assert repr(recipe) == shown
    assert isinstance(decode(encode(recipe)), CountedGame)


@pytest.mark.parametrize("name", ["star1", "probe"])
def test_searching_the_game_inside_a_counted_one_is_no_way_round(name):
    plain = star_with("plain") if name == "star1" else probe_with("all")

    def around(game, *args):
        return plain(game.game, *args)

    one = question(f"05.{name}")
    for seed in SEEDS:
        assert verdict(one, around, seed).score <= 1
