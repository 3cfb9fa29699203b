"""The questions of chapter 10: oracles against the package, every misconception named, the rules closed."""

from __future__ import annotations

import json
import math

import pytest
from answering import cells, namespace_of, verdict

from expectimax_course.backgammon.inputs import inputs
from expectimax_course.backgammon.net import flip
from expectimax_course.backgammon.rules import Backgammon, State, rolls
from expectimax_course.game import Player
from expectimax_course.grading.bank import question, questions
from expectimax_course.grading.check import check_answer
from expectimax_course.grading.codec import decode, encode
from expectimax_course.grading.grade import grade
from expectimax_course.rng import Rng
from expectimax_course.search.expectimax import expectiminimax

CHAPTER = "10_td_gammon"
SEEDS = (1, 2, 3)

PLAYS = """
def plays(own, other, roll):
    high, low = max(roll), min(roll)
    found = {}
    def go(position, dice, used):
        found.setdefault(used, set()).add(position)
        for after in steps(*position, dice[0]) if dice else ():
            go(after, dice[1:], used + 1)
    if high == low:
        go((own, other), (high,) * 4, 0)
    else:
        go((own, other), (high, low), 0)
        if max(found) < 2:
            one = set(found.get(1, ()))
            found.clear()
            go((own, other), (low, high), 0)
            if max(found) < 2 and one:
                found[1] = one
        else:
            go((own, other), (low, high), 0)
    return sorted(found[max(found)])
"""

VALUE = """
def value_after(own, other, evaluate):
    total = 0
    for a in range(1, 7):
        for b in range(1, 7):
            values = []
            for theirs, mine in plays(other, own, (a, b)):
                values.append(evaluate(mine, theirs))
            total += min(values) / 36
    return total
"""

# What a student might write. Each entry: misconception of the teaching plan, question, known mistake, code.
MISCONCEPTIONS = [
    (
        "doubles as two, in a whole roll",
        "10.plays",
        "doubles as two",
        PLAYS.replace("(high,) * 4", "(high,) * 2"),
    ),
    (
        "doubles as two, from a distance",
        "10.shots",
        "doubles as two",
        """
def shots(distance):
    pairs = [(a, b) for a in range(1, 7) for b in range(1, 7)]
    return len([1 for a, b in pairs if distance == a or distance == b or distance == a + b])
""",
    ),
    (
        "must-use-larger-die forgotten",
        "10.plays",
        "must use the larger die",
        """
def plays(own, other, roll):
    high, low = max(roll), min(roll)
    orders = [[high] * 4] if high == low else [[high, low], [low, high]]
    best, found = 0, {(own, other)}
    def go(position, dice, used):
        nonlocal best, found
        if used > best:
            best, found = used, set()
        if used == best:
            found.add(position)
        for after in steps(*position, dice[0]) if dice else []:
            go(after, dice[1:], used + 1)
    for dice in orders:
        go((own, other), dice, 0)
    return sorted(found if best else {(own, other)})
""",
    ),
    (
        "probabilities 1/21 each, in a search",
        "10.value_after",
        "1/21 each",
        """
def value_after(own, other, evaluate):
    rolls = [(a, b) for a in range(1, 7) for b in range(a, 7)]
    return sum(min(evaluate(m, t) for t, m in plays(other, own, r)) for r in rolls) / len(rolls)
""",
    ),
    (
        "probabilities 1/21 each, in a count",
        "10.shots",
        "1 in 21",
        """
def shots(distance):
    hits = 0
    for a in range(1, 7):
        for b in range(a, 7):
            if distance in ([a, 2 * a, 3 * a, 4 * a] if a == b else [a, b, a + b]):
                hits += 1
    return hits
""",
    ),
    (
        "sign on the change of turn, in a target",
        "10.targets",
        "no change of side",
        """
def targets(values, outcome, decay):
    out = [None] * len(values)
    out[-1] = outcome
    for t in reversed(range(len(values) - 1)):
        out[t] = decay * out[t + 1] + (1 - decay) * values[t + 1]
    return out
""",
    ),
    (
        "sign on the change of turn, in a search",
        "10.value_after",
        "wrong side's view",
        VALUE.replace("evaluate(mine, theirs)", "evaluate(theirs, mine)"),
    ),
    (
        "gammons ignored",
        "10.equity",
        "gammons ignored",
        "def equity(outputs):\n    win = outputs[0]\n    return win - (1 - win)\n",
    ),
    (
        "the opponent helps",
        "10.value_after",
        "replies for us",
        VALUE.replace("min(values)", "max(values)"),
    ),
    (
        "units say exactly",
        "10.inputs",
        "exactly",
        """
def inputs(own, other):
    units = []
    for side in (own, other):
        for n in side[1:25]:
            four = [0.0, 0.0, 0.0, (n - 3) / 2 if n > 3 else 0.0]
            if 1 <= n <= 3:
                four[n - 1] = 1.0
            units.extend(four)
        units.extend([side[25] / 2, side[0] / 15])
    return units + [1.0, 0.0]
""",
    ),
    (
        "squared error",
        "10.td_step",
        "squared error",
        """
def td_step(weights, units, target, rate):
    s = sum(w * x for w, x in zip(weights, units))
    v = 1 / (1 + 2.718281828459045 ** -s)
    return [w + rate * (target - v) * v * (1 - v) * x for w, x in zip(weights, units)]
""",
    ),
    (
        "the bar can wait",
        "10.steps",
        "bar ignored",
        """
def steps(own, other, die):
    out = []
    top = max([p for p in range(1, 26) if own[p]] or [0])
    for p in range(25, 0, -1):
        if own[p] == 0:
            continue
        q = p - die
        if q >= 1 and other[25 - q] >= 2:
            continue
        if q < 1 and (top > 6 or (q < 0 and p != top)):
            continue
        a, b = list(own), list(other)
        a[p] -= 1
        a[max(q, 0)] += 1
        if q >= 1 and b[25 - q]:
            b[25 - q] -= 1
            b[25] += 1
        out.append((a, b))
    return out
""",
    ),
]


# --- oracles against the package


def test_shots_are_those_of_the_well_known_table():
    table = [11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3]  # open board, distances 1 to 12
    assert [question("10.shots").oracle(distance) for distance in range(1, 13)] == table


def test_a_target_is_the_networks_change_of_side_for_equities():
    outputs = (0.625, 0.25, 0.125, 0.0625, 0.0)
    equity = question("10.equity").oracle
    assert equity(flip(outputs)) == -equity(outputs)
    assert question("10.targets").oracle([0.0, equity(outputs)], 1.0, 0.0)[0] == equity(flip(outputs))


def test_inputs_are_the_raw_units_of_the_package():
    one = question("10.inputs")
    for index in range(20):
        own, other = one.generate(Rng(index))
        assert one.oracle(own, other) == inputs(own, other)[:198]


def test_one_roll_ahead_is_expectiminimax_of_depth_one():
    game = Backgammon()
    one = question("10.value_after")
    for index in range(30):
        own, other, source = one.generate(Rng(index))
        evaluate = decode(encode(source))
        found = expectiminimax(
            game, State(own, other, Player.MIN, None), 1, lambda s, e=evaluate: e(s.max_side, s.min_side)
        )
        assert one.oracle(own, other, evaluate) == pytest.approx(found.value)


def test_a_step_of_learning_is_the_slope_of_the_cross_entropy():
    def loss(weights, units, target):
        v = 1 / (1 + math.exp(-sum(w * x for w, x in zip(weights, units, strict=True))))
        return -target * math.log(v) - (1 - target) * math.log(1 - v)

    one = question("10.td_step")
    for index in range(20):
        weights, units, target, rate = one.generate(Rng(index))
        after = one.oracle(weights, units, target, rate)
        for k in range(len(weights)):
            moved = [w + (1e-6 if j == k else 0) for j, w in enumerate(weights)]
            slope = (loss(moved, units, target) - loss(weights, units, target)) / 1e-6
            assert after[k] - weights[k] == pytest.approx(-rate * slope, abs=1e-5)


def test_the_cases_of_a_roll_hold_every_rule_that_is_hard():
    one = question("10.plays")
    stays = singles = doubles = 0
    for index in range(300):
        own, other, roll = one.generate(Rng(index))
        doubles += roll[0] == roll[1]
        stays += one.oracle(own, other, roll) == [(own, other)]
        left = [pips(mine) for mine, _ in one.oracle(own, other, roll)]
        singles += roll[0] != roll[1] and max(left) == pips(own) - roll[0]
    assert min(stays, singles, doubles) > 5
    assert len(rolls()) == 21


@pytest.mark.parametrize("name", ["steps", "plays", "inputs", "value_after"])
def test_no_two_sides_share_a_point_and_a_visible_one_has_fifteen_checkers_at_most(name):
    one = question(f"10.{name}")
    shown = [case.args for case in one.visible]
    for own, other, *_ in [*shown, *(one.generate(Rng(index)) for index in range(100))]:
        assert not [point for point in range(1, 25) if own[point] and other[25 - point]]
    assert max(sum(side) for args in shown for side in args[:2]) <= 15


def noted(name, words):
    """Return what is right in the visible case of a note."""
    one = question(f"10.{name}")
    (args,) = (case.args for case in one.visible if words in case.note)
    return args, one.oracle(*args)


def test_the_notes_of_the_rules_say_what_happens():
    (own, other, _), found = noted("steps", "nothing is hit")
    assert [theirs for _, theirs in found] == [other, other]
    assert [mine[2] for mine, _ in found] == [0, 1]
    assert [mine[0] for mine, _ in noted("steps", "cannot bear off")[1]] == [13]
    (own, other, _), found = noted("plays", "pass over the blot")
    assert sorted(theirs == other for _, theirs in found) == [False, True]
    (own, other, roll), found = noted("plays", "with either checker")
    assert len(found) == 2
    assert all(pips(own) - pips(mine) == min(roll) for mine, _ in found)
    (own, other, roll), found = noted("plays", "so they must be.")
    assert [pips(own) - pips(mine) for mine, _ in found] == [sum(roll)]
    (own, other, _), found = noted("plays", "Both dice bear off")
    assert [mine[0] for mine, _ in found] == [15]


def pips(side):
    return sum(point * count for point, count in enumerate(side))


# --- known mistakes


@pytest.mark.parametrize(
    ("id", "name", "source"), [entry[1:] for entry in MISCONCEPTIONS], ids=[entry[0] for entry in MISCONCEPTIONS]
)
def test_a_misconception_in_a_students_own_words_is_named(id, name, source):
    one = question(id)
    mutant = next(mutant for mutant in one.mutants if mutant.name == name)
    written = namespace_of("solutions", CHAPTER)
    exec(source, written)
    for seed in SEEDS:
        found = verdict(one, written[one.name], seed)
        assert found.message == mutant.message
        assert found.score <= mutant.cap < one.points


def with_change(name, old, new):
    """Return the solution's answer with a piece of its text exchanged."""
    for cell in cells("solutions", CHAPTER):
        if cell.cell_type == "code" and f"def {name}(" in cell.source:
            assert old in cell.source
            return cell.source.replace(old, new)
    raise AssertionError(name)


@pytest.mark.parametrize(
    ("name", "mistake", "old", "new"),
    [
        ("shots", "ways", "distance in reached", "[a, b, a + b, *[3 * a, 4 * a] * (a == b)].count(distance)"),
        ("shots", "doubles do not stop", "{a, 2 * a, 3 * a, 4 * a}", "{a, 4 * a}"),
        ("shots", "a probability", "return hits", "return hits / 36"),
        ("equity", "backgammon adds two", "+ backgammon - lost_gammon - lost", "+ 2*backgammon - lost_gammon - 2*lost"),
        ("equity", "backgammons ignored", "+ backgammon - lost_gammon - lost_backgammon", "- lost_gammon"),
        ("steps", "the other's points from our end", "25 - target", "target"),
        ("steps", "hit and gone", "theirs[25] += 1", "pass"),
        ("steps", "hit and home", "theirs[25] += 1", "theirs[0] += 1"),
        (
            "steps",
            "each checker",
            "found.append((tuple(mine), tuple(theirs)))",
            "found += [(mine, theirs)] * own[source]",
        ),
        ("steps", "lowest first", "return found", "return found[::-1]"),
        ("inputs", "below zero", "max(n - 3, 0)", "(n - 3)"),
        ("inputs", "other first", "(own, other):\n        for", "(other, own):\n        for"),
        ("inputs", "off before the bar", "counts[25] / 2, counts[0] / 15", "counts[0] / 15, counts[25] / 2"),
        ("targets", "last first", "return found[::-1]", "return found"),
        ("targets", "value not turned", "-(decay * found[-1] + (", "(-decay * found[-1] + ("),
        ("targets", "target not turned", "-(decay * found[-1] + (", "(decay * found[-1] - ("),
        ("td_step", "sign of the exponent", "exp(-sum", "exp(sum"),
        ("td_step", "no rate", "rate * (", "("),
        ("td_step", "the change alone", "w + rate", "rate"),
        ("value_after", "turned round", "evaluate(mine, theirs)", "-evaluate(theirs, mine)"),
        ("value_after", "sign of the total", "return total", "return -total"),
    ],
)
def test_a_small_slip_in_the_solution_is_named(name, mistake, old, new):
    one = question(f"10.{name}")
    written = namespace_of("solutions", CHAPTER)
    exec(with_change(name, old, new), written)
    message = next(mutant.message for mutant in one.mutants if mutant.name == mistake)
    assert {verdict(one, written[name], seed).message for seed in SEEDS} == {message}


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("steps", "highest <= 6", "highest <= 7"),
        ("steps", "theirs[25 - target] = 0", "theirs[target] = 0"),
        ("plays", "ends = ends[:1]", "ends = ends[1:]"),
        ("plays", "any(unused == 1 for unused, _ in ends[0])", "not any(unused == 1 for unused, _ in ends[1])"),
    ],
)
def test_the_graded_cases_catch_a_rule_that_is_seldom_needed(name, old, new):
    written = namespace_of("solutions", CHAPTER)
    exec(with_change(name, old, new), written)
    assert {verdict(question(f"10.{name}"), written[name], seed).status for seed in range(1, 6)} == {"partial"}


def test_the_rows_of_the_teaching_plan_are_all_there():
    named = " ".join(entry[0] for entry in MISCONCEPTIONS)
    for row in (
        "doubles as two",
        "must-use-larger-die forgotten",
        "probabilities 1/21 each",
        "sign on the change of turn",
        "gammons ignored",
    ):
        assert row in named


@pytest.mark.parametrize("mutant", question("10.inputs").mutants, ids=lambda mutant: mutant.name)
def test_a_known_mistake_with_true_for_1_is_still_known(mutant):
    def answer(own, other):
        return [bool(unit) if unit in (0, 1) else unit for unit in mutant.fn(own, other)]

    found = verdict(question("10.inputs"), answer, 1)
    assert (found.score, found.message) == (mutant.cap, mutant.message)


def test_a_right_answer_written_differently_passes():
    written = namespace_of("solutions", CHAPTER)
    exec(PLAYS + VALUE, written)
    exec(with_change("inputs", "float(n >= 1), float(n >= 2), float(n >= 3)", "n >= 1, n >= 2, n >= 3"), written)
    for name in ("plays", "value_after", "inputs"):
        assert check_answer(question(f"10.{name}"), written[name]).status == "passed"


# --- the open modules that answer


def test_every_question_closes_the_rules_and_the_notation_that_imports_them():
    closed = ("expectimax_course.backgammon.rules", "expectimax_course.backgammon.notation")
    assert {one.forbids for one in questions(CHAPTER)} == {closed}


@pytest.mark.sandbox
def test_the_rules_of_the_package_are_refused_as_an_answer(tmp_path):
    sources = [
        "from expectimax_course.backgammon import rules\n"
        "def steps(own, other, die):\n    return [rules.move(own, other, s) for s in rules.steps(own, other, die)]",
        "from expectimax_course.backgammon import notation\n"
        "def plays(own, other, roll):\n    return sorted(notation.plays(own, other, roll).values())",
        "from expectimax_course.backgammon.inputs import inputs",
    ]
    path = tmp_path / "borrowed.ipynb"
    borrowed = [{"cell_type": "code", "metadata": {}, "source": source} for source in sources]
    path.write_text(json.dumps({"cells": borrowed, "metadata": {"expectimax_course": {"chapter": CHAPTER}}}))
    found = {v.question.id: v.status for v in grade(path, path.name, 1).verdicts}
    assert found["10.steps"] == found["10.plays"] == found["10.inputs"] == "forbidden"
