"""The cost of 2048: the plain bitboard finds what the readable search finds, and the record says what is taught."""

from __future__ import annotations

import numpy as np
import pytest

from expectimax_course.experiments import cost_2048, load, plain_bitboard
from expectimax_course.game import Player
from expectimax_course.game2048 import bitboard
from expectimax_course.game2048.evaluate import article
from expectimax_course.game2048.rules import Game2048, State
from expectimax_course.search.expectimax import expectimax

BOARD = ((0, 2, 4, 8), (0, 2, 0, 16), (2, 0, 32, 0), (4, 64, 128, 0))


def table(name: str) -> list[dict[str, float]]:
    return load("cost_2048")["tables"][name]


def test_the_plain_row_tables_are_those_of_the_engine() -> None:
    tables, slides = plain_bitboard.row_tables(), bitboard.tables().slides
    assert (np.array(tables.left) == slides[: 1 << 16]).all()
    assert (np.array(tables.right) == slides[1 << 16 :]).all()


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_plain_bitboard_finds_the_very_value_of_the_readable_search(depth: int) -> None:
    readable = expectimax(Game2048(terminal_utility=-1e9), State(BOARD, Player.MAX), depth, article)
    assert plain_bitboard.search(bitboard.pack(BOARD), depth, {}) == readable.value


def test_a_lost_position_is_worth_the_articles_loss() -> None:
    full = ((2, 4, 2, 4), (4, 2, 4, 2), (2, 4, 2, 4), (4, 2, 4, 2))
    assert plain_bitboard.search(bitboard.pack(full), 1, {}) == -1e9


def test_counts_are_those_of_the_readable_search() -> None:
    readable = expectimax(Game2048(terminal_utility=-1e9), State(BOARD, Player.MAX), 2, article)
    assert cost_2048.counts(bitboard.pack(BOARD), 2, 0) == readable.evaluations


def test_the_table_saves_nothing_at_depth_two_and_much_from_depth_three_on() -> None:
    saving = [row["saving"] for row in table("depths")]
    assert saving[:2] == [1, 1]
    # Oracle: the claims' factor of 2.1 to 2.4 at the article's depth 2, on other positions.
    assert 1.9 < saving[2] < 2.7 < saving[3]


def test_each_depth_multiplies_the_work_by_the_claimed_factors_or_nearly() -> None:
    # Oracle: the claims, 54 (47 to 63), 22.9 (17.5 to 27.7), 12.7 to 17, on 30 other positions.
    factors = [row["factor"] for row in table("depths")[1:]]
    for factor, (low, high) in zip(factors, [(47, 63), (17.5, 27.7), (12, 18)], strict=True):
        assert low < factor < high


def test_early_positions_cost_more_than_late_ones() -> None:
    costs = [row["evaluations"] for row in table("empty")]
    assert costs == sorted(costs)


def test_the_shares_of_a_profile_add_up() -> None:
    for version in ("tuples", "bitboard"):
        assert sum(row[version] for row in table("profile")) == pytest.approx(1)


def test_a_profile_finds_where_a_search_spends_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost_2048, "SAMPLES", 60)
    boards = [bitboard.pack(BOARD)]
    shares = cost_2048.profile(lambda board, depth: plain_bitboard.search(board, 2, {}), (plain_bitboard,), boards)
    assert sum(shares.values()) == pytest.approx(1)
    assert shares["slides"] + shares["evaluation"] > 0.4
