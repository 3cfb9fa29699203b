"""The 64-bit board is the tuple board: slides, rewards, legal moves and whole games, draw by draw."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from boards import played_states, random_board

from expectimax_course.game import IllegalActionError, Player, StateError
from expectimax_course.game2048 import bitboard, kernels
from expectimax_course.game2048.bitboard import pack, unpack
from expectimax_course.game2048.rules import ACTIONS, Board, Game2048, slide
from expectimax_course.play import play_game, random_agent
from expectimax_course.rng import Rng, derive_seed

U = np.uint64


def many_boards() -> list[Board]:
    """Three thousand boards: played ones, and fillings with all ranks up to 2^14, dense and sparse."""
    rng = Rng(7)
    random = [random_board(rng, highest=highest, filled=f) for highest in (2, 5, 14) for f in (0.3, 0.6, 1.0)]
    random += [random_board(rng, highest=14, filled=rng.random()) for _ in range(1000)]
    return random + [state.board for state in played_states()[:2000]]


def test_packing_and_unpacking_are_inverse() -> None:
    for board in many_boards():
        assert unpack(pack(board)) == board


def test_slides_and_rewards_are_those_of_the_rules() -> None:
    slides, rewards, _, _ = bitboard.tables()
    for board in many_boards():
        code = U(pack(board))
        legal = int(kernels.legal_slides(code))
        for number, action in enumerate(ACTIONS):
            after, reward = slide(board, action)
            assert int(kernels.slide(code, U(number), slides)) == pack(after)
            assert int(kernels.reward_of(code, U(number), rewards)) == reward
            assert bool(legal >> number & 1) == (after != board)


def test_transposing_swaps_rows_and_columns() -> None:
    for board in many_boards()[:300]:
        assert unpack(int(kernels.transpose(U(pack(board))))) == tuple(zip(*board, strict=True))


def test_empty_cells_are_found_and_counted() -> None:
    for board in many_boards():
        cells = [cell for row in board for cell in row]
        mask = int(kernels.empty_cells(U(pack(board))))
        assert mask == sum(1 << 4 * i for i, cell in enumerate(cells) if not cell)
        if cells.count(0) < 16:
            assert int(kernels.count(U(mask))) == cells.count(0)


@pytest.mark.parametrize("spawn_four", [0.1, 0.0, 1.0, 0.37])
def test_random_games_are_identical_to_the_readable_ones(spawn_four: float) -> None:
    game = Game2048(spawn_four=spawn_four)
    for seed, record in enumerate(bitboard.play_random(range(12), spawn_four=spawn_four)):
        readable = play_game(game, random_agent(game), seed=seed)
        assert record == (readable.score, readable.decisions, pack(readable.final_state.board))
        assert record.max_tile == max(map(max, readable.final_state.board))


@pytest.mark.parametrize("spawn_four", [0.1, 0.0, 1.0])
def test_the_compiled_spawn_takes_the_outcome_of_the_readable_draw_even_at_its_edges(spawn_four: float) -> None:
    """Draws on either side of every boundary between outcomes, where a rounded guess would slip."""
    game, rng = Game2048(spawn_four=spawn_four), Rng(3)
    table, four_from = bitboard.cumulative(spawn_four), bitboard.four_from(spawn_four)
    for _ in range(20):
        board = random_board(rng, filled=0.5)
        state = game.state(board)._replace(player=Player.CHANCE)
        outcomes = game.chance_outcomes(state)
        n = sum(row.count(0) for row in board)
        edges = [int(p * 2.0**53) + step for p in table[n, : 2 * n] for step in (-1, 0, 1)]
        for draw in [*edges, 0, 2**53 - 1]:
            if 0 <= draw < 2**53:
                fixed = FixedDraw(draw << 11)
                expected = game.result(state, fixed.outcome(outcomes)).board
                assert int(kernels.spawn(U(pack(board)), U(draw << 11), table, four_from)) == pack(expected)


def test_no_games_are_no_records() -> None:
    assert bitboard.play_random([]) == []


@pytest.mark.parametrize("chosen", [-1, 0, 4])
def test_a_chosen_slide_must_be_legal(chosen: int) -> None:
    """Slide 0 is legal at first and then no longer: tiles that lie at the top cannot go up."""
    with pytest.raises(IllegalActionError, match=f"expected one of .*, got {chosen} at state '0x"):
        bitboard.play_chosen(1, lambda board, legal: chosen)


class FixedDraw(Rng):
    """A generator that always gives one draw."""

    def next64(self) -> int:
        return self.state


def test_recorded_spawns_can_be_replayed() -> None:
    """A game is its spawns: from the seed of nature alone the compiled spawns repeat a readable game."""
    game = Game2048()
    record = play_game(game, random_agent(game), seed=11)
    nature, board = Rng(derive_seed(11, 0)), U(0)
    slides = bitboard.tables().slides
    for state, move in record.history:
        assert int(board) == pack(state.board)
        if isinstance(move, str):
            board = U(kernels.slide(board, U(ACTIONS.index(move)), slides))
        else:
            board = U(kernels.spawn(board, U(nature.next64()), bitboard.cumulative(0.1), bitboard.four_from(0.1)))


def test_two_tiles_of_32768_do_not_merge_because_four_bits_end_there() -> None:
    code = U(pack(((32768, 32768, 16384, 16384), (0,) * 4, (0,) * 4, (0,) * 4)))
    after = unpack(int(kernels.slide(code, U(0), bitboard.tables().slides)))
    assert after[0] == (32768, 32768, 32768, 0)


def test_a_slide_is_legal_if_it_changes_the_board_also_where_tiles_of_32768_meet() -> None:
    """Else a full board of such tiles would have slides that change nothing, and a game on it no end."""
    rng, slides, dead = Rng(15), bitboard.tables().slides, 0
    boards = [random_board(rng, highest=15, filled=f) for f in (0.4, 0.8, 1.0) for _ in range(300)]
    boards += [tuple(zip(*board, strict=True)) for board in boards]
    boards += [((32768, 32768, 2, 4), (2, 4, 8, 16), (4, 8, 16, 32), (8, 16, 32, 64)), ((32768,) * 4,) * 4]
    for board in boards:
        code = U(pack(board))
        moves = [int(kernels.slide(code, U(a), slides)) != code for a in range(4)]
        assert int(kernels.legal_slides(code)) == sum(moved << a for a, moved in enumerate(moves))
        dead += not any(moves)
    assert dead >= 2


def test_mixing_of_signed_and_unsigned_numbers_never_happens() -> None:
    """Numba turns uint64 with int into int64 or float64; the top cell would then spoil every shift."""
    top = U(pack(((0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 32768))))
    assert unpack(int(kernels.transpose(top)))[3][3] == 32768
    assert int(kernels.empty_cells(top)) >> 60 == 0
    assert unpack(int(kernels.slide(top, U(2), bitboard.tables().slides)))[0][3] == 32768


@pytest.mark.parametrize(
    ("board", "message"),
    [
        (((2, 2), (2, 2)), "expected 4 rows of 4 cells, got 2 × 2 cells"),
        (((2.0, 0, 0, 0), (0,) * 4, (0,) * 4, (0,) * 4), "expected 0 or a power of two from 2 to 32768, got 2.0"),
        (((65536, 0, 0, 0), (0,) * 4, (0,) * 4, (0,) * 4), "expected 0 or a power of two from 2 to 32768, got 65536"),
        (((3, 0, 0, 0), (0,) * 4, (0,) * 4, (0,) * 4), "got 3"),
    ],
)
def test_boards_that_do_not_fit_are_refused(board: Board, message: str) -> None:
    with pytest.raises(StateError, match=re.escape(message)):
        pack(board)


@pytest.mark.parametrize("code", [-1, 1 << 64, 2.0])
def test_codes_that_are_no_64_bits_are_refused(code: Any) -> None:
    with pytest.raises(StateError, match="expected a code of 64 bits"):
        unpack(code)
