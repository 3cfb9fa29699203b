"""The scale app: the flip point, what the gamble is worth in sure points, and minimax, which never moves."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pages import Element, read, value_of

from expectimax_course.apps import scale
from expectimax_course.apps._scale_facts import HIGHEST, LOWEST, STEPS, bend_beyond, decision, exponent_of, facts
from expectimax_course.evaluation.scale import expected, power

payoffs = st.integers(0, 40)
settings_of = st.fixed_dictionaries(
    {"chance": st.integers(1, 99), "first": payoffs, "second": payoffs, "sure": payoffs}
)


def send(state: Any, *events: tuple[str, Any], student: Any = None) -> Any:
    for name, value in events:
        state = scale.update(state, {"name": name, "value": value}, student)
    return state


def rows(state: Any) -> dict[str, list[str]]:
    """The table's cells by planner."""
    body: list[Element] = read(scale.view(state)).all("tbody")[0].all("tr")
    return {row.all("th")[0].text: [cell.text for cell in row.all("td")] for row in body}


def test_the_reader_guesses_before_any_value_of_the_root_is_shown() -> None:
    view = read(scale.view(scale.init()))
    assert "2.24" not in view.text
    assert not view.all("table", "svg")
    said = read(scale.view(send(scale.init(), ("guess", "gamble"), ("reveal", None)))).text
    assert "You guessed the gamble: not so for √x." in said


def test_the_chapters_gamble_flips_under_the_root() -> None:
    shown = rows(send(scale.init(), ("reveal", None)))
    assert shown["expectimax on x"] == ["10", "9", "gamble"]
    assert shown["expectimax on x^0.5"] == ["2.24", "3", "sure"]
    assert shown["minimax on x^0.5"] == ["0", "3", "sure"]


def test_its_flip_point_is_log_two_over_log_twenty_ninths() -> None:
    assert facts(scale.init()).flip == pytest.approx(math.log(2) / math.log(20 / 9))


def test_flipping_goes_to_the_nearest_place_of_the_slider_on_the_other_side() -> None:
    state = send(scale.init(), ("reveal", None), ("flip", None))
    assert facts(state).picks == "gamble"
    assert facts({**state, "bend": state["bend"] - 1}).picks == "sure"
    back = send(state, ("flip", None))
    assert facts(back).picks == "sure"


def test_a_choice_that_no_bend_changes_says_so() -> None:
    state = send(scale.init(sure=30), ("reveal", None))
    assert bend_beyond(state) is None
    assert send(state, ("flip", None)) == state
    assert "No exponent from 0.25 to 4 changes that." in read(scale.view(state)).text


def test_equal_offers_tie_at_every_bend_whatever_rounding_does() -> None:
    for bend in range(-STEPS, STEPS + 1):
        known = facts({**scale.init(37, 7, 7, 7), "bend": bend})
        assert (known.picks, known.worst_picks, known.flip) == ("either", "either", None)


@given(start=settings_of, bend=st.integers(-STEPS, STEPS))
@settings(max_examples=60, deadline=None)
def test_the_equivalent_rises_with_the_exponent_and_minimax_never_moves(start: dict[str, int], bend: int) -> None:
    state = {**scale.init(**start), "bend": bend}
    low, here = facts(state, LOWEST), facts(state)
    assert low.equivalent <= here.equivalent + 1e-9
    assert here.worst_picks == low.worst_picks
    spread = sorted((start["first"], start["second"]))
    assert spread[0] - 1e-9 <= here.equivalent <= spread[1] + 1e-9


@given(start=settings_of)
@settings(max_examples=60, deadline=None)
def test_on_both_sides_of_the_flip_point_the_choices_differ(start: dict[str, int]) -> None:
    state = scale.init(**start)
    flip = facts(state).flip
    if flip is not None:
        gaps = []
        for exponent in (0.25, 4.0):
            gamble, sure = (expected(offer, power(exponent).function) for offer in decision(state))
            gaps.append(gamble - sure)
        tie = pytest.approx(0, abs=1e-9)
        assert gaps[0] == tie if flip == LOWEST else gaps[0] < 0
        assert gaps[1] == tie if flip == HIGHEST else gaps[1] > 0
        assert 0.25 <= flip <= 4


@given(start=settings_of)
@settings(max_examples=60, deadline=None)
@example({"chance": 50, "first": 0, "second": 16, "sure": 1})
@example({"chance": 50, "first": 0, "second": 2, "sure": 0})
def test_no_exponent_changes_a_choice_exactly_where_the_verdict_says_so(start: dict[str, int]) -> None:
    """Also with a tie at one end of the range alone: there "Flip the choice" leads to the tie."""
    state = {**scale.init(**start), "shown": True}
    picks = {facts({**state, "bend": bend}).picks for bend in range(-STEPS, STEPS + 1)}
    for bend in (-STEPS, 0, STEPS):
        here = {**state, "bend": bend}
        said = scale.verdict(here, facts(here))
        if len(picks) > 1:
            assert "No exponent" not in said
            assert bend_beyond(here) is not None
        elif "No exponent" not in said:  # the choice flips between two places of the slider
            assert facts(here).flip is not None


def test_a_tie_at_the_end_of_the_range_is_a_flip_there() -> None:
    start = scale.init(50, 0, 16, 1)
    for bend, takes in ((-STEPS, "either: a tie"), (0, "the gamble")):
        state = {**start, "shown": True, "bend": bend}
        said = f"expectimax takes {takes}. Its choice flips at the exponent 0.25, the end of the range, where both tie."
        assert said in read(scale.view(state)).text
    assert bend_beyond({**start, "bend": 0}) == -STEPS
    assert bend_beyond({**start, "bend": -STEPS}) == 1 - STEPS


def test_the_slider_is_the_exponent_on_a_logarithmic_scale() -> None:
    assert [exponent_of(bend) for bend in (-20, 0, 20)] == [0.5, 1, 2]


def test_a_students_map_is_judged_by_order_and_choice() -> None:
    start = scale.init(exercise=True)
    said = {
        name: read(scale.view(send(start, ("run", None), student=student))).text
        for name, student in {"log": math.log1p, "affine": lambda x: 3 * x + 7, "turned": lambda x: -x}.items()
    }
    assert "Your map keeps the order of the three payoffs yet changes the choice." in said["log"]
    assert "Your map keeps the order of the three payoffs and leaves the choice as it was." in said["affine"]
    assert "Your map does not keep the order of the payoffs and changes the choice." in said["turned"]
    shown = rows(send(start, ("run", None), student=math.log1p))
    assert value_of(shown["expectimax on your map"][0]) == pytest.approx(math.log(21) / 2, abs=0.006)
    assert "expectimax on the course's own map, √x" in rows(start)


@pytest.mark.parametrize("bad", [{"chance": 0}, {"sure": 41}, {"first": 1.5}, {"second": True}])
def test_a_start_outside_the_sliders_is_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected"):
        scale.init(**bad)
