"""The questions of chapter 11: oracles against other sources, and every known mistake told by its name."""

from __future__ import annotations

import re

import pytest
from answering import cells, verdict, written

from expectimax_course.failures.opponents import GUARDS, LIMITS, plan
from expectimax_course.failures.opponents import win_rate as exact_rate
from expectimax_course.game import Player
from expectimax_course.games.counted import CountedGame
from expectimax_course.games.trapped import CORNERED, FORK, Trapped
from expectimax_course.grading.bank import parts11, question
from expectimax_course.grading.codec import decode, encode
from expectimax_course.rng import Rng
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.stats import proportion_interval

CHAPTER = "11_failure_modes"
SEEDS = (1, 2, 3)

REPAIRED = """
def repaired(game, state):
    if game.is_terminal(state):
        return game.utility(state)
    if game.current_player(state) is Player.CHANCE:
        total = 0
        for outcome, p in game.chance_outcomes(state):
            total += p * repaired(game, game.result(state, outcome))
        return total
    return max(repaired(game, game.result(state, action)) for action in game.legal_actions(state))
"""

WIN_RATE = """
def win_rate(game, policy):
    def rate(state):
        if game.is_terminal(state):
            return float(game.utility(state) > 0)
        if game.current_player(state) is Player.MAX:
            return rate(game.result(state, policy(game, state)))
        if game.current_player(state) is Player.CHANCE:
            return sum(p * rate(game.result(state, o)) for o, p in game.chance_outcomes(state))
        return min(rate(game.result(state, a)) for a in game.legal_actions(state))
    return rate(game.initial_state())
"""

DEEPENED = """
def deepened(game, state, depth, evaluate):
    known = {}
    def value(state, left):
        if game.is_terminal(state):
            return game.utility(state)
        if left == 0:
            return evaluate(state)
        if KEY not in known:
            if game.current_player(state) is Player.CHANCE:
                v = sum(p * value(game.result(state, o), left) for o, p in game.chance_outcomes(state))
            else:
                below = [value(game.result(state, a), left - 1) for a in game.legal_actions(state)]
                v = max(below) if game.current_player(state) is Player.MAX else min(below)
            known[KEY] = v
        return known[KEY]
    found = []
    for limit in range(1, depth + 1):
        found.append(value(state, limit))
    return found
"""

DEEP_ENOUGH = """
def deepened(game, state, depth, evaluate):
    known = {}
    def value(state, left):
        if game.is_terminal(state):
            return game.utility(state)
        if left == 0:
            return evaluate(state)
        if state in known and known[state][0] >= left:
            return known[state][1]
        if game.current_player(state) is Player.CHANCE:
            v = sum(p * value(game.result(state, o), left) for o, p in game.chance_outcomes(state))
        else:
            below = [value(game.result(state, a), left - 1) for a in game.legal_actions(state)]
            v = max(below) if game.current_player(state) is Player.MAX else min(below)
        known[state] = (left, v)
        return v
    return [value(state, limit) for limit in range(1, depth + 1)]
"""

AFFORDABLE = """
def affordable(branching, leaves):
    opened, depth = 1, 0
    for actions, outcomes in branching:
        opened *= actions
        if opened > leaves:
            break
        depth, opened = depth + 1, opened * outcomes
    return max(depth, 1)
"""

INTERVAL = """
def spawn_interval(tiles):
    n, z = len(tiles), 1.96
    p = tiles.count(4) / n
    half = z * (p * (1 - p) / n + z * z / (4 * n * n)) ** 0.5
    return ((p + z * z / (2 * n) - half) / (1 + z * z / n), (p + z * z / (2 * n) + half) / (1 + z * z / n))
"""

# What a student might write. Each entry: misconception of the teaching plan, question, known mistake, code.
MISCONCEPTIONS = [
    (
        "adversary for chance",
        "11.win_rate",
        "nature hunts",
        WIN_RATE.replace(
            "sum(p * rate(game.result(state, o)) for o, p in game.chance_outcomes(state))",
            "min(rate(game.result(state, o)) for o, p in game.chance_outcomes(state))",
        ),
    ),
    (
        "chance for adversary",
        "11.win_rate",
        "MIN drawn by lot",
        WIN_RATE.replace(
            "min(rate(game.result(state, a)) for a in game.legal_actions(state))",
            "sum(rate(game.result(state, a)) / len(game.legal_actions(state)) for a in game.legal_actions(state))",
        ),
    ),
    (
        "the value of a plan taken for the optimum",
        "11.win_rate",
        "optimal",
        WIN_RATE.replace(
            "rate(game.result(state, policy(game, state)))",
            "max(rate(game.result(state, a)) for a in game.legal_actions(state))",
        ),
    ),
    (
        "wrong probabilities",
        "11.spawn_interval",
        "symmetric",
        """
def spawn_interval(tiles):
    n = len(tiles)
    p = tiles.count(4) / n
    half = 1.96 * (p * (1 - p) / n) ** 0.5
    return p - half, p + half
""",
    ),
    ("a key that misses state", "11.deepened", "as given", DEEPENED.replace("KEY", "state")),
    (
        "the depth of the whole search in the key",
        "11.deepened",
        "limit for left",
        DEEPENED.replace("KEY", "(state, limit)"),
    ),
    (
        "infinities",
        "11.repaired",
        "still infinite",
        REPAIRED.replace(
            "        return game.utility(state)\n",
            "        return game.utility(state) if game.utility(state) > 0 else -1e400\n",
        ).replace("game.chance_outcomes(state):", "((o, p) for o, p in game.chance_outcomes(state) if p):"),
    ),
    (
        "divided by the number of outcomes",
        "11.repaired",
        "still divided",
        REPAIRED.replace("return total", "return total / len(game.chance_outcomes(state))"),
    ),
    (
        "draws forgotten in the arithmetic",
        "11.affordable",
        "no chance",
        AFFORDABLE.replace("opened * outcomes", "opened"),
    ),
    (
        "the first depth that does not fit",
        "11.affordable",
        "first too deep",
        """
def affordable(branching, leaves):
    opened = 1
    for depth, (actions, outcomes) in enumerate(branching, 1):
        opened *= actions
        if opened > leaves:
            return depth
        opened *= outcomes
    return len(branching)
""",
    ),
    (
        "a new table for each depth",
        "11.deepened",
        "limit for left",
        DEEPENED.replace("KEY", "state").replace("        found.append", "        known.clear()\n        found.append"),
    ),
    ("an entry that is deep enough", "11.deepened", "at least as deep", DEEP_ENOUGH),
    (
        "a finite number that is as bad",
        "11.repaired",
        "a huge loss",
        REPAIRED.replace(
            "return game.utility(state)", "return game.utility(state) if game.utility(state) > 0 else -1e9"
        ),
    ),
    (
        "a loss that counts as nothing",
        "11.repaired",
        "a loss as 0",
        REPAIRED.replace("return game.utility(state)", "return max(0, game.utility(state))"),
    ),
    (
        "an interval around the share",
        "11.spawn_interval",
        "around p",
        INTERVAL.replace("return (", "half /= 1 + z * z / n\n    return p - half, p + half\n    ("),
    ),
    (
        "centre and margin for the ends",
        "11.spawn_interval",
        "centre and margin",
        INTERVAL.replace("return (", "s = 1 + z * z / n\n    return (p + z * z / (2 * n)) / s, half / s\n    ("),
    ),
]

# Right answers, written in other ways.
OTHERWISE = [
    ("11.deepened", DEEPENED.replace("KEY", "f'{state!r} {left}'")),
    (
        "11.deepened",
        DEEPENED.replace(
            "    found = []",
            "    found = [value(state, limit) for limit in range(depth, 0, -1)][::-1]\n    return found",
        ).replace("KEY", "(left, state)"),
    ),
    (
        "11.spawn_interval",
        """
from statistics import NormalDist

def spawn_interval(tiles):
    n, k, z = len(tiles), sum(t == 4 for t in tiles), NormalDist().inv_cdf(0.975)
    root = z * (k * (n - k) / n + z * z / 4) ** 0.5
    return [max(0.0, (k + z * z / 2 - root) / (n + z * z)), min(1.0, (k + z * z / 2 + root) / (n + z * z))]
""",
    ),
    (
        "11.affordable",
        """
from itertools import accumulate
from operator import mul

def affordable(branching, leaves):
    factors = [branching[0][0]] + [o * a for (_, o), (a, _) in zip(branching, branching[1:])]
    return max(1, sum(size <= leaves for size in accumulate(factors, mul)))
""",
    ),
    (
        "11.repaired",
        """
def repaired(game, state):
    if game.is_terminal(state):
        return game.utility(state)
    if game.current_player(state) is Player.MAX:
        return max(repaired(game, game.result(state, a)) for a in game.legal_actions(state))
    weights = [(p, repaired(game, game.result(state, o))) for o, p in game.chance_outcomes(state)]
    return sum(p * v for p, v in weights) / sum(p for p, _ in weights)
""",
    ),
    (
        "11.win_rate",
        """
def win_rate(game, policy, state=None):
    state = game.initial_state() if state is None else state
    if game.is_terminal(state):
        return game.utility(state) > 0 and 1.0 or 0.0
    match game.current_player(state):
        case Player.MAX:
            return win_rate(game, policy, game.result(state, policy(game, state)))
        case Player.MIN:
            return min(win_rate(game, policy, game.result(state, a)) for a in game.legal_actions(state))
    return sum(p * win_rate(game, policy, game.result(state, o)) for o, p in game.chance_outcomes(state))
""",
    ),
]


# --- oracles against other sources


@pytest.mark.parametrize("text", [CORNERED, FORK])
def test_the_measure_gives_the_chapters_four_cells(text):
    for world in GUARDS:
        game = Trapped(text, guards=world, limit=3)
        for model in GUARDS:
            known = plan(text, model)

            def policy(game, state, known=known):
                return known[state]

            if LIMITS[text] == 6 and world == "wander":
                full = Trapped(text, guards=world, limit=6)
                assert cached_rate(full, known) == pytest.approx(exact_rate(text, model, world))
            assert parts11.win_rate(game, policy) == pytest.approx(cached_rate(game, known))


def cached_rate(game, known):
    """Measure a plan with a dictionary, written once more."""
    rates = {}

    def rate(state):
        if state not in rates:
            if game.is_terminal(state):
                rates[state] = float(game.utility(state) > 0)
            elif game.current_player(state) is Player.MAX:
                rates[state] = rate(game.result(state, known[state]))
            else:
                below = [rate(game.result(state, a)) for a in game.legal_actions(state)]
                rates[state] = min(below) if game.current_player(state) is Player.MIN else sum(below) / len(below)
        return rates[state]

    return rate(game.initial_state())


def test_the_interval_is_that_of_the_package():
    for seed in range(30):
        (tiles,) = parts11.draw_tiles(Rng(seed))
        found = proportion_interval(tiles.count(4), len(tiles))
        assert question("11.spawn_interval").oracle(tiles) == [found.low, found.high]


def test_the_depths_are_plain_searches_and_the_broken_table_repeats_the_first():
    differ = 0
    for seed in range(100):
        game, state, depth, evaluate = parts11.draw_deepened(Rng(seed))
        game = game.args[0] if game.path.endswith("CountedGame") else game  # here searches may open any number
        game, evaluate = decode(encode(game)), decode(encode(evaluate))
        right = question("11.deepened").oracle(game, state, depth, evaluate)
        assert right == [expectiminimax(game, state, d, evaluate).value for d in range(1, depth + 1)]
        wrong = parts11.tabled(lambda state, left, limit: state)(game, state, depth, evaluate)
        assert wrong == pytest.approx([right[0]] * depth)
        differ += wrong != pytest.approx(right)
    assert differ > 80


def test_affordable_depths_fit_and_the_next_one_does_not():
    for seed in range(200):
        line, leaves = parts11.draw_branching(Rng(seed))
        depth = question("11.affordable").oracle(line, leaves)

        def opened(depth, line=line):
            product = 1
            for i, (actions, outcomes) in enumerate(line[:depth]):
                product *= actions * (outcomes if i < depth - 1 else 1)
            return product

        assert depth == 1 or opened(depth) <= leaves
        assert depth == len(line) or opened(depth + 1) > leaves


def test_the_six_agents_do_what_their_names_say():
    agents: dict[str, object] = {}
    for cell in cells("solutions", CHAPTER):
        if cell.cell_type == "code" and "def agent_" in cell.source:
            exec(cell.source, agents)
    a, b, c, d, e, f = (agents[f"agent_{letter}"] for letter in "abcdef")
    assert a(lambda total: 8, 10, 6) == pytest.approx(8 / 6)
    assert b(lambda total: total, 0, 3) == pytest.approx((1 + 3 + 6) / 3)
    assert c(lambda total: total, 10, 6) == 11
    known = {}
    assert d(lambda total: total, 10, 6, 3, known) == d(lambda total: total, 10, 6, 1, known)
    assert d(lambda total: -abs(total - 9), 3, 6, 3, {}) != d(lambda total: -abs(total - 9), 3, 6, 1, {})

    def points(total):
        return total if total <= 21 else 0

    assert d(points, 16, 10, 1, {}) == 9.5  # a bust is not taken back
    assert d(points, 14, 10, 1, {}) == sum(range(15, 22)) / 10
    assert d(points, 12, 10, 2, {}) == pytest.approx(
        sum(max(t, sum(range(t + 1, 22)) / 10) for t in range(13, 22)) / 10
    )
    (hinted,) = re.findall(r"total (\d+)", question("11.find_the_fault").hints[1])
    assert e(lambda total: total, int(hinted), 6) == float("-inf")
    assert e(lambda total: total, 11, 10) == 16.5
    rng = Rng(1)
    assert len({f(lambda total: total, 10, 10, rng) for _ in range(10)}) > 1


# --- known mistakes


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


@pytest.mark.parametrize(
    ("id", "source"),
    [
        ("11.repaired", REPAIRED),
        ("11.win_rate", WIN_RATE),
        ("11.deepened", DEEPENED.replace("KEY", "(state, left)")),
        ("11.affordable", AFFORDABLE),
        ("11.spawn_interval", INTERVAL),
    ],
)
def test_the_code_that_the_misconceptions_spoil_is_right(id, source):
    one = question(id)
    for seed in SEEDS:
        assert verdict(one, written(source, one.name), seed).status == "passed"


@pytest.mark.parametrize(("id", "source"), OTHERWISE)
def test_a_right_answer_written_otherwise_passes(id, source):
    one = question(id)
    for seed in SEEDS:
        assert verdict(one, written(source, one.name), seed).status == "passed"


# --- notebooks


@pytest.mark.parametrize("name", ["repaired", "deepened"])
def test_the_exercise_starts_from_broken_code(name):
    cell = next(c for c in cells("exercises", CHAPTER) if c.cell_type == "code" and f"def {name}" in c.source)
    for seed in SEEDS:
        assert verdict(question(f"11.{name}"), written(cell.source, name), seed).status == "not_attempted"


def test_every_choice_of_names_is_one_of_the_lists():
    assert set(parts11.NAMES) >= {answer for one in ("symptoms", "find_the_fault") for answer in answers(one)}
    task = next(c.source for c in cells("exercises", CHAPTER) if "Six complaints" in c.source)
    assert all(f'"{name}"' in task for name in parts11.NAMES)


def answers(name):
    one = question(f"11.{name}")
    return [one.oracle(*case.args) for case in one.visible]


def test_searches_without_a_table_are_told_so_and_any_that_saves_is_enough():
    one = question("11.deepened")
    source = DEEPENED.replace("KEY", "(state, left)")
    plain = written(source.replace("(state, left) not in known", "True"), "deepened")
    apart = written(source.replace("        found.append", "        known.clear()\n        found.append"), "deepened")
    keep = "            known[(state, left)] = v\n"
    assert keep in source
    draws, decisions = (
        written(
            source.replace(keep, f"            if {which} Player.CHANCE:\n                return v\n{keep}"), "deepened"
        )
        for which in ("game.current_player(state) is not", "game.current_player(state) is")
    )
    for seed in SEEDS:
        found = verdict(one, plain, seed)
        assert found.message.startswith("Nothing is kept")
        assert found.score == 1
        assert verdict(one, apart, seed).status == "passed"
        assert verdict(one, draws, seed).status == "passed"
        assert verdict(one, decisions, seed).status == "passed"


def test_the_limit_of_leaves_is_drawn_often_and_is_one_less_than_a_search_without_a_table_opens():
    one = question("11.deepened")
    limits = 0
    for game, state, depth, evaluate in [one.visible[0].args, *(one.generate(Rng(index)) for index in range(60))]:
        if not game.path.endswith("CountedGame"):
            continue
        counting = CountedGame(decode(encode(game.args[0])))
        parts11.plain_searches(counting, state, depth, decode(encode(evaluate)))
        assert game.kwargs["limit"] == counting.leaves - 1
        limits += 1
    assert limits > 5
