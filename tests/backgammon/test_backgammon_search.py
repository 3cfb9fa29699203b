from __future__ import annotations

import numpy as np
import pytest
from backgammon_positions import played, scattered, side

from expectimax_course.backgammon import kernels
from expectimax_course.backgammon.net import Net, load_net, new_net
from expectimax_course.backgammon.rules import Backgammon, Play, Roll, plays, rolls
from expectimax_course.backgammon.search import Engine, Method, rank_plays
from expectimax_course.game import DepthError
from expectimax_course.rng import Rng

START = Backgammon().initial_state().max_side
NET = load_net("small")


def two_ply(own: tuple[int, ...], other: tuple[int, ...], net: Net = NET) -> float:
    """What the mover of this afterstate may expect: each roll of the opponent answered by its best play, readably."""
    if own[0] == sum(own):
        return -net.equity(other, own)
    return -sum(
        chance * max(-net.equity(mine, theirs) for theirs, mine in plays(other, own, roll).values())
        for roll, chance in rolls()
    )


def test_depth_1_is_the_readable_ranking() -> None:
    engine = Engine(NET)
    for own, other, roll in [*played(61, 60), *scattered(62, 60)]:
        readable = {candidate.play: candidate.value for candidate in rank_plays(NET, own, other, roll)}
        found = engine.search(own, other, roll, 1)
        assert {candidate.play: pytest.approx(candidate.value, abs=1e-5) for candidate in found} == readable
        assert found[0].value == max(candidate.value for candidate in found)


def test_depth_2_is_the_readable_average_over_rolls() -> None:
    own, other = side({8: 2, 6: 2, 3: 1}), side({20: 1, 5: 3, 1: 1})
    for candidate in Engine(NET).search(own, other, (6, 4), 2, method="plain"):
        assert candidate.kind == "exact"
        after = plays(own, other, (6, 4))[candidate.play]
        assert candidate.value == pytest.approx(two_ply(*after), abs=1e-5)


@pytest.mark.parametrize("method", ["star1", "star2"])
@pytest.mark.parametrize("net", [NET, new_net(6, seed=9)], ids=["trained", "untrained"])
def test_pruned_searches_find_the_exact_value_and_play(method: str, net: object) -> None:
    plain, pruned = Engine(net), Engine(net)  # type: ignore[arg-type]
    for own, other, roll in [*played(63, 40), *scattered(64, 40)]:
        exact = plain.search(own, other, roll, 2, method="plain")
        found = pruned.search(own, other, roll, 2, method=method)  # type: ignore[arg-type]
        assert found[0].value == exact[0].value
        best = {candidate.play for candidate in exact if candidate.value == exact[0].value}
        assert found[0].play in best
        truth = {candidate.play: candidate.value for candidate in exact}
        for candidate in found:
            if candidate.kind == "exact":
                assert candidate.value == truth[candidate.play]
            else:
                assert candidate.value >= truth[candidate.play] - 1e-12
    assert pruned.leaves < plain.leaves


def test_star_keeps_its_contract_in_random_windows() -> None:
    """Inside the window the value itself, outside a bound on the right side: for Star1 and Star2."""
    weights = Engine(NET).weights
    scratch, rng = kernels.new_scratch(NET.hidden), Rng(65)
    outcomes = set()
    for own, other, _ in [*played(66, 25), *scattered(67, 25)]:
        board = np.array((own, other), np.int8)
        value = kernels.expectation(board, weights, kernels.TABLES, scratch)
        for _ in range(6):
            alpha = value + (rng.random() - 0.7) * 0.5
            beta = alpha + rng.random() * 0.5
            for probe in (False, True):
                found = kernels.star(board, alpha, beta, probe, weights, kernels.TABLES, scratch)
                if found <= alpha:
                    assert value <= found + 1e-12
                    outcomes.add("low")
                elif found >= beta:
                    assert value >= found - 1e-12
                    outcomes.add("high")
                else:
                    assert found == value
                    outcomes.add("exact")
    assert outcomes == {"low", "high", "exact"}


def test_star2_saves_four_fifths_of_the_leaves() -> None:
    leaves = {}
    for method in ("plain", "star1", "star2"):
        engine = Engine(load_net("strong"))
        for own, other, roll in played(68, 40):
            engine.search(own, other, roll, 2, method=method)  # type: ignore[arg-type]
        leaves[method] = engine.leaves
    assert leaves["star1"] < leaves["plain"]
    assert leaves["star2"] < 0.2 * leaves["plain"]


def test_searches_are_pure_down_to_their_leaves() -> None:
    engine = Engine(NET)
    counts, found = [], []
    for _ in range(2):
        before = engine.leaves
        found.append(engine.search(START, START, (5, 2), 2))
        engine.search(START, START, (6, 6), 2)
        counts.append(engine.leaves - before)
    assert counts[0] == counts[1]
    assert found[0] == found[1]


def three_ply(net: Net, own: tuple[int, ...], other: tuple[int, ...], roll: Roll) -> dict[Play, float]:
    """What each play is worth at depth 3, in the readable way."""
    values = {}
    for play, (mine, theirs) in plays(own, other, roll).items():
        values[play] = 0.0
        for reply, chance in rolls():
            values[play] -= chance * max(two_ply(hers, his, net) for hers, his in plays(theirs, mine, reply).values())
    return values


@pytest.mark.parametrize("method", ["plain", "star2"])
@pytest.mark.parametrize("net", [NET, new_net(1, seed=3, parts=1)], ids=["trained", "untrained"])
def test_depth_3_is_the_exhaustive_value_or_a_bound_that_says_so(method: Method, net: Net) -> None:
    """Near the end, where every reply and every answer to it can be tried in the readable way."""
    kinds = set()
    for own, other in ((side({6: 2, 4: 1}), side({3: 2})), (side({6: 1, 3: 1, 2: 1}), side({1: 3}))):
        truth = three_ply(net, own, other, (2, 1))
        found = Engine(net).search(own, other, (2, 1), 3, method=method)
        assert found[0].value == pytest.approx(max(truth.values()), abs=1e-5)
        for candidate in found:
            kinds.add(candidate.kind)
            if candidate.kind == "exact":
                assert candidate.value == pytest.approx(truth[candidate.play], abs=1e-5)
            else:
                assert candidate.value >= truth[candidate.play] - 1e-5
    assert kinds == {"exact", "upper"}


def test_best_k_searches_only_so_many_plays() -> None:
    engine = Engine(NET)
    ranking = [candidate.play for candidate in engine.search(START, START, (4, 1), 1)]
    found = engine.search(START, START, (4, 1), 2, width=3)
    assert {candidate.play for candidate in found[:3]} == set(ranking[:3])
    assert {candidate.kind for candidate in found[3:]} == {"depth 1"}


def test_the_fast_choice_is_the_first_candidate() -> None:
    engine = Engine(NET)
    for own, other, roll in played(69, 30):
        for depth, width in ((1, None), (2, None), (2, 5)):
            first = engine.search(own, other, roll, depth, width=width)[0]
            after = engine.choose(np.array((own, other), np.int8), roll, depth, width)
            assert tuple(map(tuple, after.tolist())) == plays(own, other, roll)[first.play]


def test_luck_is_fair_and_knows_a_good_roll() -> None:
    engine = Engine(NET)
    for own, other, _ in [*played(70, 20), *scattered(71, 20)]:
        board = np.array((own, other), np.int8)
        assert sum(chance * engine.luck(board, roll) for roll, chance in rolls()) == pytest.approx(0, abs=1e-9)
    shut_out = np.array((side({25: 1, 6: 2}), side({1: 2, 2: 2, 3: 2, 4: 2, 6: 2, 24: 1})), np.int8)
    # only a 5 enters: the 6 points that are made but the fifth
    assert engine.luck(shut_out, (5, 4)) > 0 > engine.luck(shut_out, (4, 3))


def test_wrong_settings_are_refused() -> None:
    engine = Engine(NET)
    for settings in ({"depth": 0}, {"depth": 4}, {"depth": 2, "width": 0}, {"method": "alphabeta"}):
        with pytest.raises(DepthError, match="expected"):
            engine.search(START, START, (3, 1), **settings)  # type: ignore[arg-type]
