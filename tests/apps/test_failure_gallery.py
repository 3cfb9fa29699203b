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


@pytest.mark.parametrize("key", EXHIBITS)
def test_no_button_promises_a_pair_when_all_are_played(key: str) -> None:
    state = failure_gallery.init(key)
    state = {**state, "pairs": [[side.score for side in seen(key, 0)]] * EXHIBITS[key].most}
    assert send(state, "run") == send(state, "several") == state
    buttons = {b.attributes["data-event"]: b for b in read(failure_gallery.view(state)).all("button")}
    assert buttons["run"].attributes["aria-disabled"] == buttons["several"].attributes["aria-disabled"] == "true"
    assert buttons["several"].text == "No more to play"


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
        assert f"stand at {stand_from} to 21)" in broken.words
        assert "stand at 14 to 21)" in mended.words


def test_a_rule_with_a_gap_is_told_with_its_gap() -> None:
    gaps = 0
    for index in range(30):
        broken, _ = seen("rerolled", index)
        plan = chance.make_plan(chance.broken_rerolled, seed=index)
        told = broken.words.rpartition("stand at ")[2].removesuffix(")")
        ranges = [[int(end) for end in part.split(" to ")] for part in told.split(" and ")]
        stands = {total for low, *high in ranges for total in range(low, (high or [low])[0] + 1)}
        assert stands == {total for total, action in plan.items() if action == "stand"}
        gaps += len(ranges) > 1
        assert f"the rule stands at {told}" in broken.pictures[0]
        assert broken.pictures[0].count("stroke-width:4") == len(ranges)
    assert gaps > 2


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
        assert ("more than luck" in words(state)) == (0 < gap.low < gap.high)
        assert ("no cost seen at n = 40" in words(state)) == (gap.low <= 0 <= gap.high and gap.low < gap.high)
        claimed += gap.low > 0
    assert 0 < claimed < len(EXHIBITS) - 2


def test_pairs_that_are_all_alike_give_no_interval() -> None:
    """The first pairs of the cornered runner all cost 185; the mean over all runs is less, since some are caught."""
    state = send(failure_gallery.init(), "several")
    assert {mended - broken for broken, mended in state["pairs"]} == {185}
    exact = opponents.points(CORNERED, "wander", "wander") - opponents.points(CORNERED, "hunt", "wander")
    assert exact < 185
    assert "In each of 20 pairs the broken one was 185 behind: so far no spread, and no interval." in words(state)
    assert "185 to 185" not in words(state)
    assert "Over 20 pairs not one differed." in words({**state, "pairs": [[82, 82]] * 20})
    assert "In each of 20 pairs the broken one was 3 ahead" in words({**state, "pairs": [[5, 2]] * 20})


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


def test_a_recorded_cost_that_never_varies_shows_no_interval() -> None:
    alike = {"chance_for_adversary": ["runs among hunters", 221.0, 221.0, 221.0, 1000, "points per run"]}
    told = words(send(failure_gallery.init("chance_for_adversary", alike), "run"))
    assert "Recorded, runs among hunters: 221 points per run (each time, n = 1,000)." in told


def test_the_second_button_promises_no_more_pairs_than_there_are() -> None:
    state = failure_gallery.init("explosion")
    assert "Play 4 more" in words(state)
    state = send(state, "run")
    assert words(state).count("Play 3 more") == 2, "on the button and in what to try"
    assert "one pair proves nothing" in words(state)
    assert len(send(state, "several")["pairs"]) == 4
    assert "that was all there is to see" in words(send(state, "several", "run"))
    assert "so few pairs prove nothing. Play 20 more." in words(send(failure_gallery.init("divided"), "run", "run"))


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
