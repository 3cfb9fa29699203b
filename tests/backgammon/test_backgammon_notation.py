from __future__ import annotations

import pytest
from backgammon_positions import FAR, played, scattered, side

from expectimax_course.backgammon.notation import (
    NotationError,
    format_play,
    parse_play,
    parse_position_id,
    parse_roll,
    position_id,
)
from expectimax_course.backgammon.rules import Backgammon, plays
from expectimax_course.game import IllegalActionError, StateError

START = Backgammon().initial_state().max_side


def test_every_play_reads_back_as_itself() -> None:
    for own, other, roll in [*played(1, 300), *scattered(2, 300)]:
        legal = plays(own, other, roll)
        for play in legal:
            assert legal[parse_play(own, other, roll, format_play(other, play))] == legal[play]


@pytest.mark.parametrize(
    ("own", "other", "roll", "text"),
    [
        (START, START, (6, 1), "13/7 8/7"),
        (side({13: 1, 8: 1, 6: 13}), side({18: 1, 1: 14}), (6, 1), "13/7* 8/7"),
        (side({25: 1, 6: 14}), FAR, (4, 3), "bar/21 6/3"),
        (side({6: 2, 1: 1}), FAR, (6, 6), "6/off(2) 1/off"),
        (START, START, (6, 5), "24/13"),
        (side({24: 1, 6: 14}), side({5: 1, 1: 14}), (4, 2), "24/20*/18"),
        (START, START, (4, 4), "24/20(2) 13/9(2)"),
        (side({6: 2, 1: 13}), side({20: 1, 1: 14}), (1, 1), "6/5*(2) 5/4(2)"),
    ],
)
def test_plays_are_written_as_people_write_them(
    own: tuple[int, ...], other: tuple[int, ...], roll: tuple[int, int], text: str
) -> None:
    play = parse_play(own, other, roll, text)
    if "5/4(2)" not in text:
        assert format_play(other, play) == text


def test_hits_may_be_left_out_where_only_one_play_fits() -> None:
    own, other = side({13: 1, 8: 1, 6: 13}), side({18: 1, 1: 14})
    assert parse_play(own, other, (6, 1), "8/7 13/7") == ((13, 7), (8, 7))


def test_a_quiet_play_is_meant_where_no_hit_is_marked() -> None:
    own, other = side({24: 1, 6: 14}), side({5: 1, 1: 14})
    quiet, hit = (parse_play(own, other, (4, 2), text) for text in ("24/18", "24/20*/18"))
    assert quiet == ((24, 22), (22, 18))
    assert hit == ((24, 20), (20, 18))


def test_hits_must_be_written_where_the_way_matters() -> None:
    own, other = side({24: 1, 6: 14}), side({5: 1, 3: 1, 1: 13})
    with pytest.raises(NotationError, match="hits"):
        parse_play(own, other, (4, 2), "24/18")
    assert parse_play(own, other, (4, 2), "24/22*/18") == ((24, 22), (22, 18))


def test_no_play_is_written_and_read() -> None:
    own, other = side({25: 1, 6: 14}), side(dict.fromkeys(range(1, 7), 2) | {8: 3})
    assert format_play(other, ()) == "no play"
    assert parse_play(own, other, (6, 6), "no play") == ()
    with pytest.raises(IllegalActionError):
        parse_play(START, START, (6, 6), "no play")


@pytest.mark.parametrize(
    "text", ["", "13-7", "13/7/", "off/3", "7/13", "30/24", "13/7(5)", "x/y", "٨/5", "²/1", "9" * 5000 + "/1"]
)
def test_what_is_no_play_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="expected"):
        parse_play(START, START, (6, 1), text)


@pytest.mark.parametrize("text", ["13/6 8/7", "13/7", "24/18*/17", "8/off", "bar/21 6/5"])
def test_an_illegal_play_is_refused_with_the_legal_ones(text: str) -> None:
    with pytest.raises(IllegalActionError, match="13/7 8/7"):
        parse_play(START, START, (6, 1), text)


@pytest.mark.parametrize("text", ["", "7", "71", "0-3", "111", "ab", "3/1"])
def test_wrong_dice_are_refused(text: str) -> None:
    with pytest.raises(NotationError, match="two dice from 1 to 6"):
        parse_roll(text)


@pytest.mark.parametrize("text", ["31", "13", " 3-1", "1 3", "3,1"])
def test_rolls_are_read_in_any_order(text: str) -> None:
    assert parse_roll(text) == (3, 1)


def test_position_ids_read_back() -> None:
    for own, other, _ in [*played(3, 300), *scattered(4, 300)]:
        text = position_id(own, other)
        assert len(text) == 14
        assert parse_position_id(text) == (own, other)


@pytest.mark.parametrize("text", ["", "4HPwATDgc/ABM", "4HPwATDgc/ABMAA", "4HPwATDgc/AB!A", "4HPwATDgc/ABMB"])
def test_a_text_that_is_no_position_id_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="position ID of 14 characters"):
        parse_position_id(text)


def test_ids_of_impossible_positions_are_refused() -> None:
    with pytest.raises(StateError, match="both"):
        parse_position_id("AAAAAAAAAAAAAA")
    with pytest.raises(StateError, match="at most 15 checkers a side, got 80"):
        parse_position_id("/////////////w")
    with pytest.raises(NotationError, match="50 points"):
        parse_position_id("AAAAAAAAAIAAAA")
    with pytest.raises(StateError, match="16"):
        position_id(side({6: 16}, checkers=16), START)
