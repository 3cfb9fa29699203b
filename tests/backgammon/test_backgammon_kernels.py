"""The compiled twin against the readable rules and network, and both against GNU Backgammon and OpenSpiel."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import chain
from typing import Any

import numpy as np
import pytest
from backgammon_positions import played, scattered

from expectimax_course.backgammon import kernels
from expectimax_course.backgammon.inputs import active_inputs, inputs
from expectimax_course.backgammon.net import is_race, load_net, new_net, write_net
from expectimax_course.backgammon.rules import Backgammon, Roll, Side, plays, rolls
from expectimax_course.backgammon.search import from_weights, to_weights
from expectimax_course.rng import Rng

SCRATCH = kernels.new_scratch(1)
START = Backgammon().initial_state().max_side


def board(own: Side, other: Side) -> Any:
    return np.array((own, other), np.int8)


def generated(own: Side, other: Side, roll: Roll) -> list[bytes]:
    """The afterstates that the kernel finds, as bytes."""
    before = board(own, other)
    count = kernels.generate(before, *roll, kernels.KEYS, SCRATCH)
    assert (before == board(own, other)).all()
    return [play.tobytes() for play in SCRATCH.plays[:count]]


def test_kernel_and_rules_find_the_same_plays() -> None:
    seen: dict[int, int] = {}
    for own, other, roll in chain(played(11, 2500), scattered(12, 2500)):
        found = generated(own, other, roll)
        legal = plays(own, other, roll)
        assert len(found) == len(set(found)) == len(legal)
        assert set(found) == {board(*position).tobytes() for position in legal.values()}
        most = len(next(iter(legal)))
        seen[most] = seen.get(most, 0) + 1
    assert set(seen) == {0, 1, 2, 3, 4}, "no play, one die, two dice and all lengths of doubles come up"


def test_kernel_says_which_steps_lead_to_each_play() -> None:
    for own, other, roll in chain(played(13, 200), scattered(14, 200)):
        count = kernels.generate(board(own, other), *roll, kernels.KEYS, SCRATCH)
        for play, steps in zip(SCRATCH.plays[:count].copy(), SCRATCH.steps[:count].copy(), strict=True):
            after = np.zeros((2, 26), np.int8)
            assert kernels._follow(board(own, other), steps, int((steps > 0).sum()), after)
            assert (after == play).all()


def test_two_turns_have_202782_sequences() -> None:
    """Roll × afterstate × roll, a forced pass counting 1: the same number as GNU Backgammon's."""
    total = 0
    inner = kernels.new_scratch(1)
    for first, _ in rolls():
        count = kernels.generate(board(START, START), *first, kernels.KEYS, SCRATCH)
        for play in SCRATCH.plays[:count]:
            flipped = np.ascontiguousarray(play[::-1])
            total += sum(kernels.generate(flipped, *second, kernels.KEYS, inner) for second, _ in rolls())
    assert total == 202_782


@pytest.mark.referee
def test_afterstates_equal_gnu_backgammon_on_twenty_thousand_positions() -> None:
    gnubg = pytest.importorskip("gnubg_nn")
    for own, other, roll in chain(played(21, 10_000), scattered(22, 10_000)):
        expected = set()
        for key in gnubg.moves([list(other[1:]), list(own[1:])], *roll):
            theirs, mine = gnubg.board_from_position_key(key)
            expected.add(board((15 - sum(mine), *mine), (15 - sum(theirs), *theirs)).tobytes())
        found = set(generated(own, other, roll))
        assert found == (expected or {board(own, other).tobytes()}), (own, other, roll)


@pytest.mark.referee
def test_position_ids_equal_gnu_backgammon() -> None:
    gnubg = pytest.importorskip("gnubg_nn")
    from expectimax_course.backgammon.notation import position_id

    for own, other, _ in chain(played(23, 500), scattered(24, 500)):
        assert position_id(own, other) == gnubg.position_id([list(other[1:]), list(own[1:])])


def spiel_sides(state: Any, player: int) -> tuple[Side, Side]:
    """Both sides of an OpenSpiel state, ``player`` first, each from its own end."""
    found = []
    for who in (player, 1 - player):
        points = [abs(state.board(who, p)) for p in range(24)]
        # in OpenSpiel player 0 moves up from point 0, player 1 down from point 23
        counts = points[::-1] if who == 0 else points
        bar = state.board(who, 100)
        found.append((15 - bar - sum(counts), *counts, bar))
    return found[0], found[1]


@pytest.mark.referee
def test_afterstates_equal_openspiel_on_two_thousand_turns() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game, rng = pyspiel.load_game("backgammon"), Rng(31)
    state, turns = game.new_initial_state(), 0
    while turns < 2000:
        if state.is_terminal():
            state = game.new_initial_state()
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(rng.outcome(outcomes))
            continue
        player = state.current_player()
        dice = sorted((int(die) for die in re.findall(r"Dice: (\d)(\d)", str(state))[0]), reverse=True)
        own, other = spiel_sides(state, player)
        expected = set()
        for action in state.legal_actions():
            child = state.child(action)
            if dice[0] == dice[1] and not child.is_terminal() and child.current_player() == player:
                expected |= {spiel_sides(child.child(second), player) for second in child.legal_actions()}
            else:
                expected.add(spiel_sides(child, player))
        assert set(plays(own, other, (dice[0], dice[1])).values()) == expected
        turns += 1
        state.apply_action(rng.choice(state.legal_actions()))
        if dice[0] == dice[1] and not state.is_terminal() and state.current_player() == player:
            state.apply_action(rng.choice(state.legal_actions()))


def test_kernel_lists_the_same_inputs() -> None:
    """All inputs of a board, and what turns those of another into them."""
    scratch = kernels.new_scratch(1)
    before = board(START, START)
    for own, other, _ in chain(played(41, 300), scattered(42, 300)):
        after = board(own, other)
        n = kernels._active(after, True, kernels.TABLES, scratch)
        found = {196: 1.0} | {int(scratch.units[i]): float(scratch.amounts[i]) for i in range(n) if scratch.amounts[i]}
        assert found == pytest.approx(dict(active_inputs(own, other, expert=True)), rel=1e-6)
        raw = np.zeros(198)
        for listed in (before, after):
            n = kernels._changes(
                kernels.TABLES.empty if listed is before else before, listed, scratch.units, scratch.amounts
            )
            np.add.at(raw, scratch.units[:n], scratch.amounts[:n])
        raw[196] = 1
        assert raw == pytest.approx(inputs(own, other), abs=1e-6)


def test_kernels_logistic_is_the_logistic_function() -> None:
    z = np.linspace(-30, 30, 10_001).astype(np.float32)
    found = z.copy()
    kernels._logistic(found)
    assert found == pytest.approx(1 / (1 + np.exp(-z.astype(np.float64))), abs=2e-7)


@pytest.mark.parametrize("parts", [1, 2])
@pytest.mark.parametrize("expert", [False, True])
def test_kernel_and_readable_network_agree(parts: int, expert: bool) -> None:
    """Of every position itself, and of the plays of a roll, which are valued by what they change."""
    net = new_net(7, seed=5, parts=parts, expert=expert)
    weights, tables, scratch = to_weights(net), kernels.TABLES, kernels.new_scratch(7)
    crossed = 0
    for own, other, roll in chain(played(43, 300), scattered(44, 300)):
        before = board(own, other)
        kernels.probabilities(before, weights, tables, scratch)
        assert scratch.out == pytest.approx(net.probabilities(own, other), abs=1e-6)
        count = kernels.generate(before, *roll, kernels.KEYS, scratch)
        kernels.prepare(before, weights, tables, scratch)
        kernels.value_plays(0, count, weights, tables, scratch)
        for play, value in zip(scratch.plays[:count:9], scratch.values[:count:9], strict=True):
            mine, theirs = (tuple(int(n) for n in row) for row in play)
            assert value == pytest.approx(-net.equity(theirs, mine), abs=3e-6)
            crossed += is_race(theirs, mine) != is_race(other, own)
    assert crossed > 0, "some plays end all contact and change the network"


def test_finished_games_have_their_outcome_in_both() -> None:
    net = load_net("small")
    weights, scratch = to_weights(net), kernels.new_scratch(net.hidden)
    off = (15, *(0,) * 25)
    for loser in (START, (1, *START[1:24], 1, 0), (0,) * 6 + (15,) + (0,) * 19):
        for own, other in ((off, loser), (loser, off)):
            kernels.probabilities(board(own, other), weights, kernels.TABLES, scratch)
            assert tuple(scratch.out) == net.probabilities(own, other)
            assert set(scratch.out) <= {0.0, 1.0}


def test_weights_survive_the_way_to_the_kernels_and_back() -> None:
    net = load_net("small")
    assert write_net(from_weights(to_weights(net))) == write_net(net)


def test_dice_of_the_kernel_are_those_of_the_readable_generator() -> None:
    rng, state = Rng(7), np.array([7], np.uint64)
    for _ in range(300):
        assert rolls()[kernels.roll_dice(state, kernels.PROBABILITIES)][0] == rng.outcome(rolls())


def test_kernels_run_without_numba() -> None:
    """The same plays and values as plain Python, in a process where numba cannot be imported."""
    program = (
        "import sys; sys.modules['numba'] = None\n"
        "import numpy as np\n"
        "from expectimax_course.backgammon import kernels as k\n"
        "from expectimax_course.backgammon.net import load_net\n"
        "from expectimax_course.backgammon.search import Engine\n"
        "from expectimax_course.backgammon.train import Settings, Training\n"
        "from expectimax_course.backgammon.rules import Backgammon\n"
        "side = Backgammon().initial_state().max_side\n"
        "found = Engine(load_net('small')).search(side, side, (6, 5), 1)\n"
        "training = Training(Settings(seed=1, games=1, hidden=2)); training.advance(1)\n"
        "print(found[0].play, len(found), training.done)"
    )
    run = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == "((24, 18), (18, 13)) 7 1"
