"""The table app shows the package's exact numbers, marks where the rule parts, and deals fair hands."""

from __future__ import annotations

from typing import Any

import pytest
from pages import Element, read, value_of

from expectimax_course.apps import push_table
from expectimax_course.apps._push_players import banked, dice
from expectimax_course.exact.push_to_21 import solve_push, threshold_values


def send(state: Any, *events: Any, student: Any = None) -> Any:
    for event in events:
        name, value = event if isinstance(event, tuple) else (event, None)
        state = push_table.update(state, {"name": name, "value": value}, student)
    return state


def rows(state: Any) -> list[Element]:
    return read(push_table.view(state)).all("tbody")[0].all("tr")


def words(state: Any) -> str:
    return read(push_table.view(state)).text


@pytest.mark.parametrize(("target", "faces", "rule"), [(21, 10, 17), (21, 6, 17), (21, 9, 14), (5, 2, 0), (30, 20, 30)])
def test_the_finished_table_is_the_exact_one(target: int, faces: int, rule: int) -> None:
    solution = solve_push(target, faces)
    state = send(push_table.init(target, faces, rule), "run")
    shown = rows(state)
    assert [int(r.all("th")[0].text) for r in shown] == list(range(target, -1, -1))
    for total, row in zip(range(target, -1, -1), shown, strict=True):
        hit, value, best, _ = (cell.text for cell in row.all("td"))
        assert value_of(hit) == pytest.approx(solution.hit_values[total], abs=0.0051)
        assert value_of(value) == pytest.approx(solution.values[total], abs=0.0051)
        assert best.split(",")[0] == solution.actions[total]


def test_the_chapters_rule_parts_at_fourteen_to_sixteen_and_loses_two_points() -> None:
    state = send(push_table.init(), "run")
    marked = [r.all("th")[0].text for r in rows(state) if "≠" in r.text]
    assert marked == ["16", "15", "14"]
    assert marked == [r.all("th")[0].text for r in rows(state) if "ec-part" in (r.attributes.get("class") or "")]
    assert "EV[0] = 15.86: the optimum stands from 14 on." in words(state)
    assert "“Hit below 17” earns 13.72, 2.14 less: they part at 14, 15 and 16." in words(state)


@pytest.mark.parametrize("rule", [0, 10, 14, 21])
def test_the_rule_earns_what_its_policy_is_worth(rule: int) -> None:
    state = send(push_table.init(), "run", ("rule", rule))
    assert f"earns {threshold_values(rule)[0]:.2f}".rstrip("0").rstrip(".") in words(state)
    assert ("never part" in words(state)) == (rule == 14)


def test_a_tie_is_marked_as_one_and_is_no_difference() -> None:
    state = send(push_table.init(21, 9, 15), "run")
    fourteen = next(r for r in rows(state) if r.all("th")[0].text == "14")
    assert fourteen.all("td")[2].text == "stand, a tie"
    assert "≠" not in fourteen.text


def test_steps_fill_from_the_target_backwards_and_show_the_sum() -> None:
    state = send(push_table.init(), "step")
    assert [r.all("th")[0].text for r in rows(state)] == ["21"]
    assert "hit(21) = (10 × 0) / 10 = 0, stand = 21: stand." in words(state)
    state = send(state, ("guess", "hit"), *["step"] * 5)
    assert "hit(16) = (EV[17] + … + EV[21] + 5 × 0) / 10 = 9.5, stand = 16: stand. You guessed hit." in words(state)
    state = send(state, *["step"] * 40)
    assert state["filled"] == 22


def test_another_die_starts_the_table_anew_unless_it_was_finished() -> None:
    assert send(push_table.init(), "step", ("faces", 6))["filled"] == 0
    finished = send(push_table.init(), "run", ("target", 25))
    assert finished["filled"] == 26
    assert send(finished, ("target", 5))["rule"] == 5


def test_a_hand_rolls_the_seeds_dice_and_banks_their_sum() -> None:
    faces = dice(1, 0, 10, 2)
    state = send(push_table.init(), "deal", "roll", "roll", "stop")
    assert state["results"] == [sum(faces)]
    assert f"{faces[0]} + {faces[1]} = {sum(faces)}: banked {sum(faces)}." in words(state)


def test_rolling_on_busts_and_ends_the_hand() -> None:
    state = send(push_table.init(), "deal", *["roll"] * 40)
    assert state["results"] == [0]
    assert not state["playing"]
    assert ": bust. On the same dice, optimum: " in words(state)


def test_nothing_rolls_between_hands_and_no_hand_is_dealt_twice() -> None:
    assert send(push_table.init(), "roll", "stop") == push_table.init()
    dealt = send(push_table.init(), "deal", "roll")
    assert send(dealt, "deal") == dealt


def test_the_optimum_on_these_dice_earns_about_its_exact_value() -> None:
    solution = solve_push()
    hits = [action == "hit" for action in solution.actions]
    points = [banked(1, hand, 21, 10, hits) for hand in range(2000)]
    spread = (sum(p * p for p in points) / 2000 - (sum(points) / 2000) ** 2) ** 0.5
    assert abs(sum(points) / 2000 - solution.values[0]) < 4 * spread / 2000**0.5


def test_the_optimum_and_the_rule_play_every_hand_of_the_tally() -> None:
    state = push_table.init()
    for _ in range(5):
        state = send(state, "deal", "roll", "stop")
    tally = read(push_table.view(state)).all("table")[-1]
    assert [row.all("th")[0].text for row in tally.all("tbody")[0].all("tr")] == ["you", "optimum", "hit below 17"]
    hits = [action == "hit" for action in solve_push().actions]
    mean = sum(banked(1, hand, 21, 10, hits) for hand in range(5)) / 5
    assert value_of(tally.all("tbody")[0].all("tr")[1].all("td")[1].text) == pytest.approx(mean)


def test_hands_end_at_a_hundred() -> None:
    state = {**push_table.init(), "results": [0] * 100}
    assert send(state, "deal") == state


def hit_value(total: int, values: list[float], faces: int) -> float:
    return sum(values[total + 1 : total + 1 + faces]) / faces


def last_face_missing(total: int, values: list[float], faces: int) -> float:
    return sum(values[total + 1 : total + faces]) / faces


def ev_table(target: int, faces: int) -> list[float]:
    return solve_push(target, faces).values


@pytest.mark.parametrize("student", [hit_value, ev_table])
def test_a_right_student_function_fills_the_same_table_and_plays_as_the_optimum(student: Any) -> None:
    state = send(push_table.init(exercise=True), "run", "deal", "roll", "stop", student=student)
    assert "Your function fills the same table." in words(state)
    assert not [row for row in rows(state) if "≠" in row.all("td")[-1].text]
    played = read(push_table.view(state)).all("table")[-1].all("tbody")[0].all("tr")
    assert played[1].all("td")[0].text == played[3].all("td")[0].text


def test_a_wrong_student_function_is_marked_row_by_row() -> None:
    state = send(push_table.init(exercise=True), "run", student=last_face_missing)
    assert "parts from the optimum at 12 of 22 totals, first, from the target down, at 11." in words(state)
    assert len([row for row in rows(state) if "≠" in row.all("td")[-1].text]) == 12


def test_what_the_students_function_says_of_a_rule_is_compared_as_the_rule_moves() -> None:
    def threshold_value(threshold: int, target: int, faces: int) -> float:
        return threshold_values(threshold, target, faces)[0] if threshold != 12 else 1.5

    state = send(push_table.init(exercise=True), "run", student=threshold_value)
    assert "Your function says that “hit below 17” earns 13.7174. So it does." in words(state)
    state = send(state, ("rule", "12"), student=threshold_value)
    assert "Your function says that “hit below 12” earns 1.5; it earns 15.1421." in words(state)


@pytest.mark.parametrize("answer", [[1.0, 2.0], 3, [None] * 22, "x" * 22])
def test_a_table_of_the_wrong_form_is_one_sentence(answer: Any) -> None:
    def wrong(target: int, faces: int) -> Any:
        return answer

    state = send(push_table.init(exercise=True), "run", student=wrong)
    assert "expected a list of 22 numbers." in words(state)


@pytest.mark.parametrize("settings", [{"target": 4}, {"faces": 21}, {"rule": 22}, {"filled": -1}, {"faces": 6.0}])
def test_settings_out_of_range_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="as a whole number from"):
        push_table.init(**settings)
