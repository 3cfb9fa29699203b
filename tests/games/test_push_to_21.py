"""Push to 21 against the values that were computed independently, with exact fractions, for the source page."""

from __future__ import annotations

from fractions import Fraction

import pytest

from expectimax_course.exact.backward_induction import backward_induction, evaluate_policy
from expectimax_course.exact.push_to_21 import solve_push, threshold_values
from expectimax_course.game import StateError
from expectimax_course.games.push_to_21 import PushState, PushTo21


def test_a_hand_is_worth_the_published_fraction() -> None:
    exact = solve_push(combine=lambda values: Fraction(sum(map(Fraction, values))) / 10).values[0]
    assert exact == Fraction(79292566171467, 5 * 10**12)
    assert solve_push().values[0] == pytest.approx(float(exact), abs=1e-12)


def test_stand_threshold_is_fourteen() -> None:
    solution = solve_push()
    assert solution.stand_from == 14
    assert solution.hit_values[13] == pytest.approx(14.0, abs=1e-12)
    assert solution.hit_values[14] == pytest.approx(12.6, abs=1e-12)
    assert solution.hit_values[16] == pytest.approx(9.5, abs=1e-12)


@pytest.mark.parametrize(("faces", "stand", "value"), [(6, 16, 17.661428), (10, 14, 15.858513), (13, 12, 14.206239)])
def test_other_dice_move_the_threshold(faces: int, stand: int, value: float) -> None:
    solution = solve_push(21, faces)
    assert (solution.stand_from, round(solution.values[0], 6)) == (stand, value)


@pytest.mark.parametrize(("faces", "total"), [(9, 14), (15, 11)])
def test_an_exact_tie_stands(faces: int, total: int) -> None:
    solution = solve_push(21, faces)
    assert solution.hit_values[total] == total
    assert solution.stand_from == total


def test_the_rule_of_seventeen_earns_two_points_less() -> None:
    assert threshold_values(17)[0] == pytest.approx(13.7174186, abs=1e-6)
    assert solve_push().values[0] - threshold_values(17)[0] == pytest.approx(2.1410946, abs=1e-6)


def test_fixed_thresholds_earn_the_published_table() -> None:
    expected = [12.969, 14.266, 15.142, 15.688, 15.859, 15.612, 14.910, 13.717, 12.009, 9.770, 7.003, 3.729]
    assert [round(threshold_values(t)[0], 3) for t in range(10, 22)] == expected


def test_minimum_for_mean_is_a_wrong_value_and_a_fair_policy() -> None:
    pessimist = solve_push(combine=min)
    assert (pessimist.values[0], pessimist.stand_from) == (12.0, 12)
    assert threshold_values(pessimist.stand_from)[0] == pytest.approx(15.142, abs=5e-4)


def test_the_value_is_not_monotone_in_the_total() -> None:
    values = solve_push().values
    assert (round(values[1], 3), round(values[5], 3), round(values[11], 2)) == (15.957, 15.523, 16.94)


@pytest.mark.parametrize(("target", "faces"), [(21, 10), (7, 3), (1, 1)])
def test_the_table_agrees_with_backward_induction_over_the_game(target: int, faces: int) -> None:
    game = PushTo21(target, faces)
    solution, table = backward_induction(game), solve_push(target, faces)
    for total in range(target + 1):
        state = PushState(total, "choose")
        if state in solution.values:
            assert solution.values[state] == pytest.approx(table.values[total], abs=1e-12)
    rule = evaluate_policy(game, lambda state: "hit" if state.total < 5 else "stand")
    assert rule[game.initial_state()] == pytest.approx(threshold_values(5, target, faces)[0], abs=1e-12)


@pytest.mark.parametrize("setting", [{"target": 0}, {"faces": 0}, {"target": 2.5}, {"faces": True}])
def test_a_game_without_a_target_or_a_die_is_refused(setting: dict[str, int]) -> None:
    with pytest.raises(StateError, match=r"expected (target|faces) to be a whole number"):
        PushTo21(**setting)
