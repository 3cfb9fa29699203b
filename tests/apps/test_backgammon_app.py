"""The backgammon app plays by the rules, values plays as the package does, and keeps honest books."""

from __future__ import annotations

import re
from typing import Any

import pytest
from pages import Element, read, value_of

from expectimax_course.apps import _backgammon_turn as turn
from expectimax_course.apps import backgammon
from expectimax_course.backgammon.net import load_net
from expectimax_course.backgammon.notation import format_play, parse_position_id, position_id
from expectimax_course.backgammon.rules import Backgammon, Side, plays, rolls
from expectimax_course.backgammon.search import rank_plays
from expectimax_course.game import GameError
from expectimax_course.rng import Rng

START = "4HPwATDgc/ABMA"


def send(state: Any, *events: Any, student: Any = None) -> Any:
    for event in events:
        name, value = event if isinstance(event, tuple) else (event, None)
        state = backgammon.update(state, {"name": name, "value": value}, student)
    return state


def shown(state: Any) -> Element:
    return read(backgammon.view(state))


def side(**points: int) -> Side:
    counts = [0] * 26
    for name, count in points.items():
        counts[int(name[1:])] = count
    counts[0] = 15 - sum(counts)
    return tuple(counts)


def played_out(seed: int) -> Any:
    state = backgammon.init(seed=seed)
    while not backgammon.over(state):
        state = send(state, "auto", "end")
    return state


def test_no_double_opens_a_game_and_either_side_may_start() -> None:
    states = [backgammon.init(seed=seed) for seed in range(1, 41)]
    for state in states:
        words = state["words"].split()
        assert words[2].rstrip(",") != words[5].rstrip(":")
    starts = ["you start" in state["words"] for state in states]
    assert 10 < sum(starts) < 30
    assert all(bool(state["theirs"]) != start for state, start in zip(states, starts, strict=True))


OPENING = (
    r"You rolled \d, the network \d: "
    r"(you start with both dice\.|it started with both dice and played \S+/\S+( \S+/\S+)?\. You rolled \d\d\.)"
)


def test_what_is_told_of_an_opening_is_one_sentence_whoever_starts() -> None:
    told = [backgammon.init(seed=seed)["words"] for seed in range(1, 21)]
    assert all(re.fullmatch(OPENING, words) for words in told), told
    assert 0 < sum("you start" in words for words in told) < 20


def test_what_is_told_of_a_turn_is_whole_sentences() -> None:
    told = send(backgammon.init(position=START, roll="31"), "auto", "end")["words"]
    assert re.fullmatch(
        r"You played 8/5 6/5\. The network rolled \d\d and played \S+/\S+( \S+/\S+)*\. You rolled \d\d\.", told
    )


def test_the_dice_of_a_seed_are_the_same_whatever_is_played() -> None:
    state = other = next(s for s in map(backgammon.init, range(1, 9)) if "you start" in s["words"])
    options = len(plays(*parse_position_id(START), tuple(state["roll"])))
    state, other = (send(s, ("play", str(k)), "end") for s, k in ((state, 0), (other, options - 1)))
    assert state["position"] != other["position"]
    assert state["roll"] == other["roll"]


@pytest.mark.parametrize("seed", range(12))
def test_steps_on_the_board_lead_to_every_legal_play_and_to_no_other(seed: int) -> None:
    rng = Rng(seed)
    own = other = Backgammon().initial_state().max_side
    for _ in range(rng.below(40)):
        roll = rng.outcome(rolls())
        other, own = rng.choice(list(plays(own, other, roll).values()))
        if 15 in (own[0], other[0]):
            return
    for roll in ((1, 1), (6, 2), (4, 3), (6, 6)):
        ends, seen, stack = set(), set(), [()]
        while stack:
            made = stack.pop()
            position = turn.played(own, other, made)
            following, left = turn.next_steps(own, other, roll, made)
            if turn.is_complete(own, other, roll, made):
                ends.add(position)
            else:
                assert following, "stuck before the play is whole"
            for step in following:
                after = (*turn.played(own, other, (*made, step)), len(left))
                if after not in seen:
                    seen.add(after)
                    stack.append((*made, step))
        assert ends == set(plays(own, other, roll).values())


def test_the_larger_die_must_be_played_if_only_one_can_be() -> None:
    own, other = side(p20=1), side(p10=2, p13=2, p1=11)  # 20/14 and 20/18 are open, 14/12 and 18/12 closed
    following, _ = turn.next_steps(own, other, (6, 2), ())
    assert list(following) == [(20, 14)]


def test_a_turn_cannot_end_before_the_play_is_whole() -> None:
    state = backgammon.init(position=START, roll="31")
    assert send(state, "end") == state
    half = send(state, ("from", "8"))
    assert half["made"] == [[8, 5]]
    assert send(half, "end")["turns"] == 0
    assert send(half, "back") == state
    whole = send(half, ("from", "6"))
    assert whole["made"] == [[8, 5], [6, 5]]
    assert send(whole, "end")["turns"] == 1


def test_the_list_of_plays_holds_the_legal_ones_and_follows_the_board() -> None:
    state = backgammon.init(position=START, roll="31")
    own, other = parse_position_id(START)
    legal = list(plays(own, other, (3, 1)))
    select = next(e for e in shown(state).all("select") if e.attributes["data-event"] == "play")
    assert [o.text for o in select.all("option")][1:] == [format_play(other, play) for play in legal]
    made = send(state, ("from", "6"), ("from", "8"))
    select = next(e for e in shown(made).all("select") if e.attributes["data-event"] == "play")
    assert [o.text for o in select.all("option") if "selected" in o.attributes] == ["8/7 6/3"]


def test_advice_is_the_networks_and_the_deeper_one_is_the_mean_over_rolls_of_the_best_replies() -> None:
    state = send(backgammon.init(position=START, roll="31"), "deeper")
    own, other = parse_position_id(START)
    net = load_net(turn.NET)
    found = rank_plays(net, own, other, (3, 1))
    rows = [[c.text for c in r.all("th", "td")] for r in shown(state).all("tbody")[0].all("tr")]
    for row, candidate in zip(rows, found, strict=False):
        assert row[0] == format_play(other, candidate.play)
        assert value_of(row[1].removeprefix("★ ")) == pytest.approx(candidate.value, abs=5.1e-4)
    for row, candidate in zip(rows[: turn.SEARCHED], found, strict=False):
        mine, theirs = plays(own, other, (3, 1))[candidate.play]
        value = -sum(p * rank_plays(net, theirs, mine, roll)[0].value for roll, p in rolls())
        assert value_of(row[2].removeprefix("★ ")) == pytest.approx(value, abs=5.1e-4)
    assert [row[1].startswith("★") for row in rows] == [True] + [False] * (len(rows) - 1)
    assert sum(row[2].startswith("★") for row in rows) == 1


def test_ending_a_turn_says_what_the_play_gave_away() -> None:
    state = backgammon.init(position=START, roll="31")
    own, other = parse_position_id(START)
    found = rank_plays(load_net(turn.NET), own, other, (3, 1))
    legal = list(plays(own, other, (3, 1)))
    worst = send(state, ("play", str(legal.index(found[-1].play))), "end")
    assert worst["lost"] == found[0].value - found[-1].value
    assert f"points worse than {format_play(other, found[0].play)}" in worst["words"]
    best = send(state, "auto", "end")
    assert best["lost"] == 0
    assert "worse" not in best["words"]


@pytest.mark.parametrize("seed", range(1, 4))
def test_a_game_ends_and_its_points_are_counted(seed: int) -> None:
    state = played_out(seed)
    assert sum(state["score"]) in (1, 2, 3)
    own, other = parse_position_id(state["position"])
    assert 15 in (own[0], other[0])
    assert "game over" not in state["words"]
    buttons = {b.text: b.attributes.get("aria-disabled") for b in shown(state).all("button")}
    assert buttons["Next game"] is None
    assert buttons["Advice"] == buttons["Look deeper"] == "true"
    assert buttons["End turn"] == "true"
    assert send(state, "end") == state, "a double click on End turn would hide how the game ended"
    again = send(state, "next")
    assert not backgammon.over(again)
    assert again["score"] == state["score"]


def test_a_gammon_counts_two() -> None:
    own, other = side(p1=1), (0,) * 18 + (15,) + (0,) * 7
    won = send(backgammon.init(position=position_id(own, other), roll="21"), "auto", "end")
    assert won["score"] == [2, 0]
    assert "You win a gammon: 2 points." in won["words"]


def test_another_roll_and_another_position_can_be_set() -> None:
    state = send(backgammon.init(), ("roll", "66"), ("position", START))
    assert state["position"] == START
    assert state["roll"] == [6, 6]
    assert state["made"] == []
    assert send(state, ("roll", "77"))["roll"] == [6, 6]


@pytest.mark.parametrize("typed", ["", "x", "4HPwATDgc/ABM", "/////////////w", "AAAAAAAAAAAAAA"])
def test_a_position_that_is_none_is_told_and_changes_nothing(typed: str) -> None:
    before = backgammon.init()
    state = send(before, ("position", typed))
    assert state["position"] == before["position"]
    said = next(p.text for p in shown(state).all("p") if p.attributes.get("class") == "ec-error")
    assert said.startswith("No position")


BAD = [
    *({"seed": seed} for seed in (0, True, 1.0, "1", None)),
    *({"position": position, "roll": "31"} for position in ("x", 3, None)),
    *({"position": START, "roll": roll} for roll in ("7", "", 31)),
    {"roll": "31"},
]


@pytest.mark.parametrize("given", BAD)
def test_bad_parameters_are_refused(given: Any) -> None:
    with pytest.raises((GameError, ValueError), match="expected"):
        backgammon.init(**given)


def test_a_students_evaluation_is_compared_with_the_networks_choice_and_can_play() -> None:
    net = load_net(turn.NET)
    state = backgammon.init(position=START, roll="31", exercise=True)
    same = send(state, "start", student=net.equity)
    assert "as the network would" in shown(same).text
    far = send(state, "start", "auto", student=lambda own, other: own[24] - 100 * other[24])
    assert far["made"]
    assert "to it worth" in shown(far).text
