from __future__ import annotations

import subprocess
import sys
import time

import pytest
from backgammon_positions import played, scattered, side

from expectimax_course.backgammon.inputs import N_INPUTS, active_inputs, expert_inputs, inputs
from expectimax_course.backgammon.net import (
    NetError,
    equity,
    flip,
    is_race,
    learn,
    load_net,
    new_net,
    read_net,
    shipped_nets,
    write_net,
)
from expectimax_course.backgammon.rules import Backgammon, hyper_backgammon, plays, rolls
from expectimax_course.backgammon.search import Engine, evaluator, rank_plays
from expectimax_course.game import Player
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.star import star

START = Backgammon().initial_state().max_side


def test_the_opening_position_has_these_inputs() -> None:
    """Points 6, 8, 13 and 24 with 5, 3, 5 and 2 checkers: three units and 1, three, three and 1, two."""
    own = {20: 1, 21: 1, 22: 1, 23: 1, 28: 1, 29: 1, 30: 1, 48: 1, 49: 1, 50: 1, 51: 1, 92: 1, 93: 1}
    expected = own | {98 + unit: value for unit, value in own.items()} | {196: 1}
    assert dict(active_inputs(START, START)) == expected
    assert sum(map(bool, inputs(START, START))) == len(expected)


def test_bar_and_borne_off_checkers_are_scaled() -> None:
    units = inputs(side({25: 3, 6: 2}), side({1: 9}))
    assert (units[96], units[97]) == (1.5, 10 / 15)
    assert (units[98 + 3], units[98 + 97]) == (3.0, 6 / 15)
    assert units[196:] == [1.0, 0.0]
    assert len(units) == N_INPUTS


def test_expert_inputs_of_both_sides_follow_the_raw_ones() -> None:
    """On the bar against a board of four points, with a blot to hit: counted by hand."""
    own, other = side({25: 1, 13: 2, 6: 12}), side({24: 2, 6: 2, 5: 2, 4: 2, 3: 1, 2: 6})
    mine = expert_inputs(own, other)[:10]
    # their blot stands on our point 22 (a 3 from the bar); walls on 19, 20, 21, 23 and 1
    # a 3 hits: 11 rolls; entering needs a 1 or a 3, and from the bar, 13 or 6 nothing else reaches 22 but 1 + 2
    assert [12 * mine[0], 144 * mine[1]] == pytest.approx([13, 13 * 22])
    assert mine[4] == mine[5] == pytest.approx(4 * 4 / 18)
    theirs = expert_inputs(other, own)[:10]
    assert expert_inputs(own, other) == mine + theirs
    assert theirs[5] == 0
    units = dict(active_inputs(own, other, expert=True))
    assert [units.get(198 + k, 0.0) for k in range(20)] == mine + theirs
    assert all(unit < 198 for unit, _ in active_inputs(own, other))


def test_rolls_that_hit_are_those_that_hit_by_the_rules() -> None:
    """But for doubles from the bar, which are not followed to the end, and for a die that has to be played first."""
    differences = []
    for own, other, _ in [*played(53, 300), *scattered(54, 300)]:
        by_the_rules = sum(
            round(36 * chance)
            for roll, chance in rolls()
            if any(theirs[25] > other[25] for _, theirs in plays(own, other, roll).values())
        )
        found = round(12 * expert_inputs(own, other)[0])
        if own[25] == 0:
            differences.append(found - by_the_rules)
        else:
            assert 0 <= by_the_rules - found <= 6, "of 36 rolls six are doubles"
    assert len(differences) > 400
    assert differences.count(0) > 0.99 * len(differences)


def test_probabilities_are_nested_by_the_rules_where_games_are_decided() -> None:
    net = load_net("small")
    assert net.probabilities(side({}), START) == (1, 1, 1, 0, 0)  # two checkers of the loser are still far back
    assert net.probabilities(side({6: 15}), side({})) == (0, 0, 0, 1, 0)
    assert net.probabilities(side({6: 14}), side({})) == (0, 0, 0, 0, 0)


def test_no_gammon_against_a_side_that_has_borne_off_a_checker() -> None:
    win, gammon, backgammon, lost_gammon, lost_backgammon = load_net("small").probabilities(side({6: 15}), side({6: 3}))
    assert gammon == backgammon == 0
    assert lost_gammon > 0 < win + lost_backgammon


def test_equity_changes_sign_with_the_view() -> None:
    outputs = (0.6, 0.2, 0.05, 0.1, 0.01)
    assert equity(outputs) == pytest.approx(0.2 + 0.25 - 0.11)
    assert equity(flip(outputs)) == pytest.approx(-equity(outputs))
    assert flip(flip(outputs)) == pytest.approx(outputs)


def test_a_race_begins_when_the_sides_have_passed() -> None:
    assert not is_race(START, START)
    assert is_race(side({12: 15}), side({12: 15}))
    assert not is_race(side({12: 15}), side({14: 1, 6: 14}))


def test_learning_moves_the_outputs_to_the_target() -> None:
    net = new_net(5, seed=3, parts=1)
    target = (0.8, 0.3, 0.1, 0.05, 0.0)
    errors = []
    for _ in range(200):
        before = learn(net, START, START, target, 0.1)
        errors.append(sum(abs(t - o) for t, o in zip(target, before, strict=True)))
    assert errors[-1] < 0.05 < errors[0]


def test_learning_follows_the_gradient_of_the_cross_entropy() -> None:
    """Each weight moves by −rate × the derivative of Σ −(t log o + (1 − t) log(1 − o)), found by differences."""
    from math import log

    target = (0.7, 0.2, 0.1, 0.3, 0.05)

    def loss(net: object) -> float:
        outputs = net.probabilities(START, START)  # type: ignore[attr-defined]
        return -sum(t * log(o) + (1 - t) * log(1 - o) for t, o in zip(target, outputs, strict=True))

    step, rate = 1e-5, 1e-3
    for weight in (("w1", 20, 1), ("w1", 196, 0), ("w1", 97, 0), ("w2", 3, 1)):
        name, i, j = weight
        rows = getattr(new_net(2, seed=4, parts=1).parts[0], name)
        losses = []
        for change in (step, -step):
            net = new_net(2, seed=4, parts=1)
            getattr(net.parts[0], name)[i][j] += change
            losses.append(loss(net))
        gradient = (losses[0] - losses[1]) / (2 * step)
        net = new_net(2, seed=4, parts=1)
        learn(net, START, START, target, rate)
        moved = getattr(net.parts[0], name)[i][j] - rows[i][j]
        assert moved == pytest.approx(-rate * gradient, rel=1e-4, abs=1e-12)


@pytest.mark.parametrize("expert", [False, True])
def test_files_hold_the_network(expert: bool) -> None:
    net = new_net(3, seed=1, expert=expert)
    data = write_net(net)
    again = read_net(data)
    assert again.hidden == 3
    assert write_net(again) == data
    assert again.equity(START, START) == pytest.approx(net.equity(START, START), abs=1e-3)


@pytest.mark.parametrize("damage", [b"", b"ECB", b"XXXX" + bytes(6), "cut", "long"])
def test_a_broken_file_is_refused(damage: bytes | str) -> None:
    data = write_net(new_net(2, seed=1))
    broken = damage if isinstance(damage, bytes) else data[:-1] if damage == "cut" else data + b"\0"
    with pytest.raises(NetError, match="expected"):
        read_net(broken)


def test_wrong_settings_and_names_are_refused() -> None:
    for hidden, parts, message in ((0, 2, "hidden units"), (5, 3, "parts")):
        with pytest.raises(NetError, match=message):
            new_net(hidden, seed=1, parts=parts)
    with pytest.raises(NetError, match="small, strong, got 'nobody'"):
        load_net("nobody")
    hyper = hyper_backgammon().initial_state().max_side
    with pytest.raises(NetError, match="24 points"):
        load_net("small").equity(hyper[:-4], hyper[:-4])


def test_shipped_nets_are_small() -> None:
    assert shipped_nets() == ["small", "strong"]
    assert sum(len(write_net(load_net(name))) for name in shipped_nets()) < 300_000


@pytest.mark.parametrize("name", ["small", "strong"])
def test_shipped_nets_know_the_best_openings(name: str) -> None:
    """31, 42 and 61 make a point: on this all strong programs agree."""
    net = load_net(name)
    for roll, play in (
        ((3, 1), ((8, 5), (6, 5))),
        ((4, 2), ((8, 4), (6, 4))),
        ((6, 1), ((13, 7), (8, 7))),
    ):
        assert rank_plays(net, START, START, roll)[0].play == play


def test_evaluation_takes_the_view_of_max() -> None:
    evaluate, net = evaluator(load_net("small")), load_net("small")
    start = Backgammon().initial_state()
    assert evaluate(start) == net.equity(START, START)
    assert evaluate(start._replace(turn=Player.MIN)) == -net.equity(START, START)


def test_generic_searches_play_with_a_net_and_agree() -> None:
    """`expectiminimax` and `star` on the game object give what ranking by hand gives, at depth 1 and 2."""
    net, game = load_net("small"), Backgammon()
    evaluate = evaluator(net)
    opening = game.result(game.initial_state(), (3, 1))
    result = expectiminimax(game, opening, 1, evaluate)
    best = rank_plays(net, START, START, (3, 1))[0]
    assert (result.action, result.value) == (best.play, pytest.approx(best.value))

    late = game.position(side({1: 1, 2: 1}), side({1: 2, 3: 1}), Player.MAX, (1, 1))
    plain = expectiminimax(game, late, 2, evaluate)
    for probing in (0, 1):
        pruned = star(game, late, 2, evaluate, probing=probing, bounds=(-3.0, 3.0))
        assert pruned.value == pytest.approx(plain.value, abs=1e-12)


def test_the_generic_star2_and_the_engine_agree_on_the_opening() -> None:
    net, game = load_net("small"), Backgammon()
    evaluate = evaluator(net)
    state = game.result(game.initial_state(), (6, 5))
    generic = star(game, state, 2, evaluate, probing=1, bounds=(-3.0, 3.0))
    compiled = Engine(net).search(START, START, (6, 5), 2)[0]
    assert generic.action == compiled.play
    assert generic.value == pytest.approx(compiled.value, abs=1e-5)


def test_nets_play_on_the_standard_library_alone() -> None:
    """Twenty candidate plays take well under the 300 ms that a browser may take; here there is time to spare."""
    program = (
        "import sys\n"
        "from expectimax_course.backgammon.net import load_net\n"
        "from expectimax_course.backgammon.notation import parse_position_id\n"
        "from expectimax_course.backgammon.search import rank_plays\n"
        "own, other = parse_position_id('4HPwATDgc/ABMA')\n"
        "print(rank_plays(load_net('strong'), own, other, (3, 1))[0].play)\n"
        "assert not {'numpy', 'numba'} & set(sys.modules)"
    )
    run = subprocess.run([sys.executable, "-S", "-c", program], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == "((8, 5), (6, 5))"
    net = load_net("strong")
    start = time.process_time()
    rank_plays(net, START, START, (6, 4))
    assert time.process_time() - start < 0.3


def test_values_stay_within_what_the_rules_leave() -> None:
    """A side that has borne off a checker loses a single game at most; `kernels.star` prunes by these bounds."""
    net = load_net("strong")
    bounds = set()
    met = [(own, other) for own, other, _ in [*played(51, 50), *scattered(52, 100)]]
    for own, other in [*met, (side({6: 5}), START), (START, side({6: 5}))]:
        least, most = -1 if own[0] else -3, 1 if other[0] else 3
        assert least <= net.equity(own, other) <= most
        bounds.add((least, most))
    assert len(bounds) == 4
