"""EinStein würfelt nicht: moves by hand, the ends, the counts by depth, and OpenSpiel's rules as the referee."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from missing import skip_or_fail

from expectimax_course.game import IllegalActionError, Player, StateError
from expectimax_course.games.einstein import GONE, Einstein, EinsteinState, Move
from expectimax_course.play import play_game
from expectimax_course.rng import Rng
from expectimax_course.search.expectimax import expectiminimax
from expectimax_course.search.ordering import by_estimate
from expectimax_course.search.table import Table

MAX, MIN = Player.MAX, Player.MIN


def play(game: Einstein, *moves: Any) -> EinsteinState:
    state = game.initial_state()
    for move in moves:
        state = game.result(state, Move(*move) if isinstance(move, tuple) else move)
    return state


def test_the_set_up_of_the_full_game() -> None:
    state = Einstein().initial_state()
    assert state.max_cells == (0, 1, 5, 2, 6, 10)
    assert state.min_cells == (24, 23, 19, 22, 18, 14)


def test_a_stone_moves_along_the_row_the_column_or_the_diagonal_and_min_mirrors() -> None:
    game = Einstein()
    assert [move.to for move in game.legal_actions(play(game, 6))] == [11, 15, 16]
    assert [move.to for move in game.legal_actions(play(game, 6, (6, 11), 6))] == [13, 9, 8]


def test_the_nearest_stones_stand_in_for_one_that_is_gone() -> None:
    game = Einstein()
    state = EinsteinState((0, GONE, GONE, 2, 6, GONE), (24, 23, 19, 22, 18, 14), MAX, 3)
    assert {move.stone for move in game.legal_actions(state)} == {1, 4}
    assert {move.stone for move in game.legal_actions(state._replace(roll=6))} == {5}
    assert {move.stone for move in game.legal_actions(state._replace(roll=4))} == {4}


def test_a_stone_takes_whatever_stands_in_its_way() -> None:
    game = Einstein(size=3, stones=2)
    own = play(game, 1, (1, 1))
    assert own.max_cells == (1, GONE)
    state = EinsteinState((4, 1), (8, 5), MAX, 1)
    assert game.result(state, Move(1, 5)).min_cells == (8, GONE)


def test_reaching_the_corner_wins_and_so_does_taking_the_last_stone() -> None:
    game = Einstein(size=3, stones=2)
    arrived = game.result(EinsteinState((4, 1), (7, 5), MAX, 1), Move(1, 8))
    assert game.is_terminal(arrived)
    assert game.utility(arrived) == 1
    bare = game.result(EinsteinState((4, GONE), (7, 5), MIN, 1), Move(1, 4))
    assert bare.max_cells == (GONE, GONE)
    assert game.is_terminal(bare)
    assert game.utility(bare) == -1
    with pytest.raises(IllegalActionError, match="of a game that runs"):
        game.result(bare, 1)


def paths(size: int, mine: list[int], theirs: list[int], decisions: int) -> int:
    """Count paths with the rules written out again: every cell seen from the mover's corner, a lost stone is −1."""
    if decisions == 0:
        return 1
    total = 0
    for roll in range(len(mine)):
        left = [i for i, cell in enumerate(mine) if cell >= 0]
        above, below = [i for i in left if i >= roll], [i for i in left if i <= roll]
        for stone in {*above[:1], *below[-1:]} if mine[roll] < 0 else {roll}:
            for step in (1, size, size + 1):
                cell = mine[stone] + step
                if cell >= size * size or (step != size and cell % size == 0):
                    continue
                moved = [cell if i == stone else -1 if other == cell else other for i, other in enumerate(mine)]
                hit = [-1 if size * size - 1 - other == cell else other for other in theirs]
                over = cell == size * size - 1 or max(hit) < 0
                total += 1 if over else paths(size, hit, moved, decisions - 1)
    return total


def test_counts_by_depth_are_those_of_rules_written_twice() -> None:
    """On 5 × 5 every roll leaves three moves until stones meet: 18 paths of one decision, 18² of two."""
    for size, stones, cells, depth in ((3, 2, [0, 1], 6), (4, 3, [0, 1, 4], 4), (5, 6, [0, 1, 5, 2, 6, 10], 3)):
        game = Einstein(size, stones)
        for decisions in range(1, depth + 1):
            found = expectiminimax(game, game.initial_state(), decisions, game.estimate)
            assert found.leaves == paths(size, cells, cells, decisions)
    assert [paths(5, [0, 1, 5, 2, 6, 10], [0, 1, 5, 2, 6, 10], decisions) for decisions in (1, 2)] == [18, 18**2]


def test_a_seeded_game_stays_as_it_was_played() -> None:
    """Rolls with the stone moved and its cell. MAX takes her own 2, the nearest stones stand in, MIN takes the rest."""
    game = Einstein(size=4, stones=3)
    record = play_game(game, lambda state, rng: rng.choice(game.legal_actions(state)), seed=1)
    rolls = [move for state, move in record.history if state.roll is None]
    moves = [(move.stone, move.to) for state, move in record.history if state.roll is not None]
    assert rolls == [3, 3, 2, 3, 2, 3, 3, 1, 1, 1, 2, 1, 2, 2]
    assert moves[:7] == [(3, 8), (3, 7), (2, 5), (3, 3), (2, 9), (3, 2), (3, 9)]
    assert moves[7:] == [(1, 11), (1, 4), (1, 6), (1, 5), (1, 5), (3, 10), (2, 10)]
    assert (record.final_state.max_cells, record.score) == ((GONE, GONE, GONE), -1.0)


def test_who_begins_on_three_by_three_loses_an_eighth() -> None:
    """The value by an independent count: retrograde, with the rules written out again over plain lists."""
    game = Einstein(size=3, stones=2)

    @cache
    def value(mine: tuple[int, ...], theirs: tuple[int, ...]) -> float:
        """Wins less losses of the mover; cells are seen from the mover's own corner, 0 is where it starts."""
        total = 0.0
        for roll in (0, 1):
            stones = [roll] if mine[roll] >= 0 else [1 - roll]
            best = -1.0
            for stone in stones:
                row, column = divmod(mine[stone], 3)
                for r, c in ((row, column + 1), (row + 1, column), (row + 1, column + 1)):
                    if r > 2 or c > 2:
                        continue
                    cell = 3 * r + c
                    moved = tuple(cell if i == stone else (-1 if m == cell else m) for i, m in enumerate(mine))
                    left = tuple(-1 if 8 - t == cell else t for t in theirs)
                    won = cell == 8 or max(left) < 0
                    best = max(best, 1.0 if won else -value(left, moved))
            total += best / 2
        return total

    result = expectiminimax(game, game.initial_state(), table=Table())
    assert result.value == pytest.approx(value((0, 1), (0, 1)), abs=1e-12)
    assert result.value == -0.125


def test_nobody_moves_back_so_a_game_ends_within_the_distances() -> None:
    game = Einstein()
    longest = 0
    for seed in range(50):
        rng, state, moves = Rng(seed), game.initial_state(), 0
        while not game.is_terminal(state):
            state = game.result(state, rng.outcome(game.chance_outcomes(state)))
            state = game.result(state, rng.choice(game.legal_actions(state)))
            moves += 1
        longest = max(longest, moves)
    assert longest <= 2 * 6 * 8


@pytest.mark.parametrize(("size", "stones"), [(5.0, 6), (5, 2.5), ("5", 6)])
def test_sizes_that_are_not_whole_are_refused(size: Any, stones: Any) -> None:
    with pytest.raises(StateError, match="expected whole numbers for size and stones"):
        Einstein(size, stones)


@pytest.mark.parametrize(("size", "stones"), [(2, 1), (3, 4), (5, 0)])
def test_an_impossible_set_up_is_refused(size: int, stones: int) -> None:
    with pytest.raises(StateError, match="expected a size of 3 or more"):
        Einstein(size, stones)


def test_the_estimate_is_the_race() -> None:
    game = Einstein(size=5, stones=2)
    ahead = EinsteinState((18, 0), (24, 23), MAX, None)
    assert game.estimate(ahead) == (4 - 1 + 0.5) / 6
    assert game.estimate(ahead._replace(mover=MIN)) == (4 - 1 - 0.5) / 6


def test_arriving_is_most_urgent_then_taking_an_enemy_and_taking_ones_own_is_last() -> None:
    game = Einstein(size=3, stones=2)
    state = EinsteinState((4, 1), (7, 3), MAX, 1)
    assert max(game.legal_actions(state), key=lambda move: game.urgency(state, move)) == Move(1, 8)
    assert game.urgency(state, Move(1, 7)) > game.urgency(state, Move(1, 5)) > game.urgency(state, Move(2, 4))
    mirrored = EinsteinState((7, 3), (4, 1), MIN, 1)
    assert max(game.legal_actions(mirrored), key=lambda move: game.urgency(mirrored, move)) == Move(1, 0)


def test_by_estimate_a_move_that_wins_comes_first() -> None:
    """A side without stones has no best stone to race with: its game is over."""
    game = Einstein(size=3, stones=1)
    for state, best in (
        (EinsteinState((4,), (5,), MAX, 1), (5, 8)),  # taking the last stone, or arriving
        (EinsteinState((3,), (4,), MIN, 1), (0, 3)),
    ):
        moves = by_estimate(game, game.estimate)(state, game.legal_actions(state))
        assert {move.to for move in moves[:2]} == set(best)
        ends = [game.result(state, move) for move in moves[:2]]
        assert [game.estimate(end) for end in ends] == [game.utility(end) for end in ends] == [state.mover] * 2


def read_board(text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the cells of both sides from OpenSpiel's picture of a 5 × 5 board."""
    cells = {"b": [GONE] * 6, "w": [GONE] * 6}
    squares = [square for line in text.split() for square in line.strip("|").split("||")]
    for cell, square in enumerate(squares):
        if square[0] in cells:
            cells[square[0]][int(square[1]) - 1] = cell
    return tuple(cells["b"]), tuple(cells["w"])


@pytest.mark.referee
def test_openspiel_plays_by_the_same_rules() -> None:
    try:
        import pyspiel
    except ImportError:
        skip_or_fail("the extra `referee` is not installed")
    ours, theirs = Einstein(), pyspiel.load_game("einstein_wurfelt_nicht")
    compared = 0
    for seed in range(40):
        rng, state = Rng(seed), theirs.new_initial_state()
        for _ in range(2):
            state.apply_action(rng.choice(state.legal_actions()))
        mine = EinsteinState(*read_board(str(state)), MAX, None)
        while not state.is_terminal():
            roll = rng.below(6)
            state.apply_action(roll)
            mover = MAX if state.current_player() == 0 else MIN
            mine = ours.result(mine._replace(mover=mover), roll + 1)
            children = {read_board(str(state.child(action))): action for action in state.legal_actions()}
            replies = {ours.result(mine, move)[:2]: move for move in ours.legal_actions(mine)}
            assert children.keys() == replies.keys()
            chosen = rng.choice(sorted(children))
            state.apply_action(children[chosen])
            mine = ours.result(mine, replies[chosen])
            assert ours.is_terminal(mine) == state.is_terminal()
            compared += 1
        assert ours.utility(mine) == state.returns()[0]
    assert compared > 300
