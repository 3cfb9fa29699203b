"""The gamble app shows exact values, seeded draws, and the cost of the wrong model both ways."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pages import Element, read, value_of

from expectimax_course.apps import gamble
from expectimax_course.apps._gamble_facts import facts
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.trees import parse_tree

payoffs = st.integers(-20, 20)


def send(state: Any, *events: tuple[str, Any], student: Any = None) -> Any:
    for name, value in events:
        state = gamble.update(state, {"name": name, "value": value}, student)
    return state


def rows(state: Any) -> dict[str, list[str]]:
    """The table's cells by planner."""
    body: list[Element] = read(gamble.view(state)).all("tbody")[0].all("tr")
    return {row.all("th")[0].text: [cell.text for cell in row.all("td")] for row in body}


def test_the_reader_guesses_before_any_value_is_shown() -> None:
    view = read(gamble.view(gamble.init()))
    assert "8.5" not in view.text
    assert not view.all("table")
    assert "You guessed 4." in read(gamble.view(send(gamble.init(), ("guess", 4), ("reveal", None)))).text


def test_the_chapters_gamble_costs_six_and_a_half_or_seven_with_the_wrong_model() -> None:
    state = send(gamble.init(), ("reveal", None))
    assert rows(state)["worst case"][:2] == ["sure", "2"]
    assert rows(state)["expected case"][0::3] == ["gamble", "−5"]
    assert "8.5, against 2: gamble. Planning for an adversary would cost 6.5 a play." in read(gamble.view(state)).text
    state = send(state, ("decider", "adversary"))
    words = "−5, against 2: take the sure thing. Planning for dice would cost 7 a play."
    assert words in read(gamble.view(state)).text


@given(chance=st.integers(1, 99), first=payoffs, second=payoffs, sure=payoffs)
@settings(max_examples=40, deadline=None)
def test_the_values_are_those_of_expectiminimax(chance: int, first: int, second: int, sure: int) -> None:
    text = f"max(chance({chance}/100: {first}, {100 - chance}/100: {second}), {sure})"
    tree = parse_tree(text, Fraction)
    result = expectiminimax(tree, 0)
    state = send(gamble.init(chance, first, second, sure), ("reveal", None))
    assert facts(state).expected == result.action_values["a"][0]
    assert facts(state).worst == min(first, second)
    dice = [value_of(cells[1]) for cells in rows(state).values()]
    assert max(dice) == pytest.approx(float(result.value), abs=0.006)
    assert value_of(rows(state)["worst case"][3]) == max(min(first, second), sure)


def test_a_break_even_is_a_tie_although_floats_disagree() -> None:
    assert 0.04 * -14 + 0.96 * 11 != 10
    state = send(gamble.init(4, -14, 11, 10), ("reveal", None))
    assert "a tie" in read(gamble.view(state)).text
    assert rows(state)["expected case"][0] == "sure (a tie)"


@given(chance=st.integers(1, 99), first=payoffs, second=payoffs, sure=payoffs, tie=st.booleans())
@settings(max_examples=60, deadline=None)
@example(90, 10, -5, -5, False)
@example(4, -14, 11, 10, False)
def test_the_verdict_says_the_cost_that_the_table_shows(
    chance: int, first: int, second: int, sure: int, tie: bool
) -> None:
    state = send(gamble.init(chance, first, second, min(first, second) if tie else sure), ("reveal", None))
    worst, expected = rows(state).values()
    for decider, column, (right, wrong) in (("dice", 1, (expected, worst)), ("adversary", 3, (worst, expected))):
        said = gamble.verdict({**state, "decider": decider}, facts(state))
        cost = value_of(right[column]) - value_of(wrong[column])
        assert ("cost nothing" in said) == (right[column] == wrong[column])
        if "cost nothing" not in said:
            assert value_of(said.rpartition("would cost ")[2].split()[0]) == pytest.approx(cost, abs=0.011)


@pytest.mark.parametrize("draws", ["10", "100", "1000"])
def test_the_draws_come_from_the_seed_and_carry_an_interval(draws: str) -> None:
    state = send(gamble.init(), ("draws", draws))
    measured = facts(state).measured
    assert measured == facts(send(gamble.init(), ("draws", draws))).measured
    assert measured.n == int(draws)
    assert measured.low < measured.mean < measured.high
    assert measured != facts(send(state, ("again", None))).measured


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    state = {**gamble.init(70, 10, -5), "draws": 100}
    covered = 0
    for seed in range(1, 301):
        measured = facts({**state, "seed": seed}).measured
        covered += measured.low <= 5.5 <= measured.high
    assert 0.91 * 300 <= covered <= 0.985 * 300


def test_an_adversary_makes_a_min_node_without_probabilities() -> None:
    state = send(gamble.init(), ("reveal", None), ("decider", "adversary"))
    picture = read(gamble.view(state)).all("svg")[0].attributes["aria-label"] or ""
    assert "gamble: MIN −5" in picture
    assert "0.9" not in picture


def test_the_students_function_plays_as_a_planner_of_its_own() -> None:
    def plain_mean(outcomes: list[tuple[float, float]]) -> float:
        return sum(payoff for payoff, _ in outcomes) / len(outcomes)

    state = send(gamble.init(sure=4, exercise=True), ("start", None), student=plain_mean)
    assert "Your function says 2.5, not the expected value, 8.5." in read(gamble.view(state)).text
    assert rows(state)["your function"] == ["sure", "4", "4", "4"]
    state = send(state, ("sure", 2), student=lambda outcomes: sum(payoff * p for payoff, p in outcomes))
    assert "Your function says 8.5, the same as the expected value, 8.5." in read(gamble.view(state)).text
    assert rows(state)["your function"][:2] == ["gamble", "8.5"]


@pytest.mark.parametrize("settings", [{"chance": 0}, {"chance": 0.9}, {"first": 21}, {"sure": True}])
def test_settings_out_of_range_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="as a whole number from"):
        gamble.init(**settings)
