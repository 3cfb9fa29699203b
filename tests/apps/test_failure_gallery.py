"""The gallery plays the package's own pairs on one seed each, and says no more than its pairs show."""

from __future__ import annotations

from typing import Any

import pytest
from pages import read

from expectimax_course.apps import failure_gallery
from expectimax_course.apps._failure_facts import EXHIBITS, FILLED, seen
from expectimax_course.failures import chance, opponents
from expectimax_course.failures.explosion import LEAVES
from expectimax_course.failures.gallery import GALLERY
from expectimax_course.games.trapped import CORNERED, FORK
from expectimax_course.stats import paired_difference


def send(state: Any, *names: str, student: Any = None) -> Any:
    for name in names:
        state = failure_gallery.update(state, {"name": name, "value": None}, student)
    return state


def words(state: Any) -> str:
    return read(failure_gallery.view(state)).text


def test_every_failure_has_its_exhibit_in_the_order_of_the_gallery() -> None:
    assert [(key, one.title) for key, one in EXHIBITS.items()] == [(one.key, one.title) for one in GALLERY]


@pytest.mark.parametrize("key", EXHIBITS)
def test_a_pair_is_the_same_whenever_it_is_played(key: str) -> None:
    exhibit = EXHIBITS[key]
    state = send(failure_gallery.init(key), "run", "several")
    assert len(state["pairs"]) == min(21, exhibit.most)
    assert state["pairs"][0] == [side.score for side in seen(key, 0)]
    assert send(failure_gallery.init(key), "several")["pairs"] == state["pairs"][: min(20, exhibit.most)]


def test_the_runners_scores_are_those_of_their_plans() -> None:
    for index in range(5):
        broken, mended = seen("adversary_for_chance", index)
        assert broken.score == opponents.run(CORNERED, "hunt", "wander", seed=index).score == -103
        assert mended.score == opponents.run(CORNERED, "wander", "wander", seed=index).score
    broken, mended = seen("chance_for_adversary", 0)
    assert (broken.score, mended.score) == tuple(opponents.points(FORK, m, "hunt") for m in ("wander", "hunt"))


def test_hands_are_played_by_the_rules_of_the_plans() -> None:
    for key, mean, scale in (
        ("divided", chance.broken_divided, chance.honest_scale),
        ("overwritten", chance.broken_overwritten, chance.honest_scale),
        ("infinity", chance.weighted_mean, chance.broken_infinite),
        ("bent_scale", chance.weighted_mean, chance.broken_square),
    ):
        plan = chance.make_plan(mean, scale)
        stand_from = next(total for total in range(22) if plan[total] == "stand")
        broken, mended = seen(key, 4)
        assert f"hit below {stand_from})" in broken.words
        assert "hit below 14)" in mended.words


def test_the_fixed_depth_breaks_the_budget_on_wide_boards_only() -> None:
    late = [seen("explosion", index) for index in range(len(FILLED))]
    assert [broken.score < 0 for broken, _ in late] == [False, False, True, True]
    assert all(mended.score == 0 for _, mended in late)
    assert f"{LEAVES:,} leaves" in EXHIBITS["explosion"].question


def test_the_tally_is_the_paired_difference_and_claims_a_cost_only_where_the_interval_is_above_nothing() -> None:
    claimed = 0
    for key, exhibit in EXHIBITS.items():
        state = send(failure_gallery.init(key), "several", "several")
        if exhibit.most < 20:
            continue
        broken, mended = zip(*state["pairs"], strict=True)
        gap = paired_difference(mended, broken)
        assert ("more than luck" in words(state)) == (gap.low > 0)
        assert ("no cost seen at n = 40" in words(state)) == (gap.low <= 0 <= gap.high and gap.low < gap.high)
        claimed += gap.low > 0
    assert 0 < claimed < len(EXHIBITS) - 2


def test_a_guess_is_judged_by_the_last_pair() -> None:
    guessed = failure_gallery.update(failure_gallery.init(), {"name": "guess", "value": "worse"})
    assert "You guessed worse: right, this time." in words(send(guessed, "run"))
    guessed = failure_gallery.update(failure_gallery.init(), {"name": "guess", "value": "same"})
    assert "You guessed the same; this time it was worse." in words(send(guessed, "run"))


def test_what_was_recorded_comes_in_as_a_parameter() -> None:
    costs = {"divided": ["10,000 hands", 10.36, 10.2, 10.5, 10_000, "points"]}
    assert "Recorded" not in words(failure_gallery.init("divided", costs)), "told before the guess"
    told = "Recorded, 10,000 hands: 10.36 points (10.2 to 10.5, n = 10,000)."
    assert told in words(send(failure_gallery.init("divided", costs), "run"))
    assert "Recorded" not in words(send(failure_gallery.init("overwritten", costs), "run"))
    unseen = {"wrong_probabilities": ["2048", 364.0, -736.3, 1464.3, 1500, "points"]}
    told = "Recorded, 2048: 364 points (−736 to 1,464, n = 1,500): no cost seen at n = 1,500."
    assert told in words(send(failure_gallery.init("wrong_probabilities", unseen), "run"))


def test_a_run_can_be_stepped_through_and_a_hand_cannot() -> None:
    state = send(failure_gallery.init(), "run")
    runs = seen("adversary_for_chance", 0)
    assert [len(side.pictures) for side in runs] == [2, 7]
    view = failure_gallery.view(failure_gallery.update(state, {"name": "step", "value": 0}))
    assert view.count(runs[0].pictures[0]) == 2, "both runs begin alike"
    view = failure_gallery.view(failure_gallery.update(state, {"name": "step", "value": 3}))
    assert runs[0].pictures[1] in view
    assert runs[1].pictures[3] in view
    assert 'data-event="step"' not in failure_gallery.view(send(failure_gallery.init("divided"), "run"))
    assert send(failure_gallery.update(state, {"name": "step", "value": 3}), "run")["step"] is None


def test_another_failure_starts_anew_and_keeps_what_was_recorded() -> None:
    state = send(failure_gallery.init("divided", {"infinity": ["x", 1, 0, 2, 3, "points"]}), "run")
    other = failure_gallery.update(state, {"name": "failure", "value": "infinity"})
    assert (other["pairs"], other["guess"]) == ([], None)
    assert "Recorded, x" in words(send(other, "run"))
    assert send(other, "reset") == failure_gallery.init("divided", state["costs"])


def test_a_student_is_told_which_search_the_answer_is_that_of() -> None:
    def told(value: float) -> str:
        return words(send(failure_gallery.init(exercise=True), "run", student=lambda game, state: value))

    assert "as 9.5, as the mended mean does." in told(9.5)
    assert "as 0.95, as the search that divides twice." in told(0.95)
    assert "as 3.6, as the search that adds face to face." in told(3.6)
    assert "as 5; the mended mean says 9.5." in told(5.0)


def test_a_failure_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="expected one of adversary_for_chance"):
        failure_gallery.init("bad_luck")
