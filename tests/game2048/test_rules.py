"""The rules of 2048 as sentences, against counts by hand and against two other implementations."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest
from boards import played_states, random_board, sample

from expectimax_course.game import IllegalActionError, Player, StateError
from expectimax_course.game2048.rules import ACTIONS, Board, Game2048, Spawn, State, slide, slide_row
from expectimax_course.rng import Rng


@pytest.mark.parametrize(
    ("row", "after", "reward"),
    [
        ((0, 0, 0, 0), (0, 0, 0, 0), 0),
        ((0, 2, 0, 4), (2, 4, 0, 0), 0),
        ((2, 2, 2, 0), (4, 2, 0, 0), 4),
        ((2, 2, 2, 2), (4, 4, 0, 0), 8),
        ((4, 2, 2, 0), (4, 4, 0, 0), 4),
        ((8, 0, 0, 8), (16, 0, 0, 0), 16),
        ((2, 4, 2, 4), (2, 4, 2, 4), 0),
    ],
)
def test_equal_neighbours_merge_once_into_their_sum(row: tuple[int, ...], after: tuple[int, ...], reward: int) -> None:
    assert slide_row(row) == (after, reward)


def test_a_slide_to_the_right_merges_the_tiles_on_the_right() -> None:
    assert slide(((2, 2, 2, 0),), "right") == (((0, 0, 2, 4),), 4)


def test_up_and_down_are_left_and_right_of_the_columns() -> None:
    rng = Rng(1)
    for _ in range(200):
        board = random_board(rng)
        turned = tuple(zip(*board, strict=True))
        for vertical, horizontal in (("up", "left"), ("down", "right")):
            after, reward = slide(turned, horizontal)
            assert slide(board, vertical) == (tuple(zip(*after, strict=True)), reward)


def test_slides_keep_the_sum_of_the_tiles_and_both_sides_earn_the_same() -> None:
    rng = Rng(2)
    for _ in range(500):
        board = random_board(rng)
        for one, other in (("left", "right"), ("up", "down")):
            assert sum(map(sum, slide(board, one)[0])) == sum(map(sum, board))
            assert slide(board, one)[1] == slide(board, other)[1]


def test_play_starts_with_two_tiles() -> None:
    game, rng = Game2048(3, 5), Rng(3)
    state = game.initial_state()
    for expected in (Player.CHANCE, Player.CHANCE, Player.MAX):
        assert game.current_player(state) is expected
        if expected is Player.CHANCE:
            state = game.result(state, rng.outcome(game.chance_outcomes(state)))
    assert sum(cell > 0 for row in state.board for cell in row) == 2
    assert sum(len(row) for row in state.board) == 15


def test_one_tile_left_by_a_merge_gets_one_new_tile_not_two() -> None:
    game = Game2048(2, 2)
    after = game.result(game.state([[2, 2], [0, 0]]), "left")
    state = game.result(after, Spawn(1, 1, 2))
    assert state == State(((4, 0), (0, 2)), Player.MAX)


def test_a_spawn_is_uniform_over_cells_in_row_major_order_with_the_two_first() -> None:
    game = Game2048(2, 2)
    outcomes = game.chance_outcomes(State(((2, 0), (4, 0)), Player.CHANCE))
    assert outcomes == [
        (Spawn(0, 1, 2), 0.45),
        (Spawn(0, 1, 4), 0.05),
        (Spawn(1, 1, 2), 0.45),
        (Spawn(1, 1, 4), 0.05),
    ]


@pytest.mark.parametrize(("spawn_four", "tiles"), [(0, {2}), (1, {4}), (Fraction(1, 10), {2, 4})])
def test_outcomes_of_probability_zero_are_left_out(spawn_four: float, tiles: set[int]) -> None:
    game = Game2048(2, 2, spawn_four)
    outcomes = game.chance_outcomes(game.initial_state())
    assert {spawn.tile for spawn, _ in outcomes} == tiles
    assert sum(probability for _, probability in outcomes) == 1


def test_a_game_is_over_only_on_a_full_board_without_equal_neighbours() -> None:
    game = Game2048()
    over = ((2, 4, 2, 4), (4, 2, 4, 2), (2, 4, 2, 4), (4, 2, 4, 2))
    assert game.is_terminal(State(over, Player.MAX))
    assert game.legal_actions(State(over, Player.MAX)) == ()
    for row in range(4):
        changed = [list(line) for line in over]
        changed[row][0] = changed[row][1]
        assert game.legal_actions(game.state(changed))[:2] == ("left", "right")


def test_legal_slides_come_in_the_fixed_order() -> None:
    for state in sample(played_states(), 300, seed=1):
        legal = Game2048().legal_actions(state)
        assert legal == tuple(action for action in ACTIONS if slide(state.board, action)[0] != state.board)


def test_counts_by_depth_on_two_by_two() -> None:
    """Perft: sequences of draws and slides from the empty board, the first three plies counted by hand."""
    game = Game2048(2, 2)

    def perft(state: State, plies: int) -> int:
        if not plies or game.is_terminal(state):
            return 1
        if state.player is Player.CHANCE:
            return sum(perft(game.result(state, spawn), plies - 1) for spawn, _ in game.chance_outcomes(state))
        return sum(perft(game.result(state, action), plies - 1) for action in game.legal_actions(state))

    # Of the 12 ordered pairs of cells 8 are side by side and 4 crosswise; each comes with 4 pairs of tiles. Side by
    # side, equal tiles (half) have 3 slides and unequal ones 1; crosswise there are always 4.
    assert [perft(game.initial_state(), plies) for plies in (1, 2)] == [8, 48]
    assert perft(game.initial_state(), 3) == 32 // 2 * 3 + 32 // 2 * 1 + 16 * 4


def test_golden_game_of_seed_one() -> None:
    game, rng = Game2048(), Rng(1)
    state, score, slides = game.initial_state(), 0.0, []
    while len(slides) < 12:
        if state.player is Player.CHANCE:
            state = game.result(state, rng.outcome(game.chance_outcomes(state)))
        else:
            action = rng.choice(game.legal_actions(state))
            score += game.reward(state, action)
            slides.append(action[0])
            state = game.result(state, action)
    assert ("".join(slides), score) == GOLDEN[:2]
    assert state.board == GOLDEN[2]


GOLDEN: tuple[str, int, Board] = ("drdlurrddlur", 60, ((0, 0, 16, 2), (0, 0, 0, 8), (0, 0, 0, 2), (0, 0, 0, 0)))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ((0, 4), "expected at least two cells, got 0 rows and 4 columns"),
        ((1, 1), "expected at least two cells, got 1 rows and 1 columns"),
        ((True, 4), "expected at least two cells, got True rows and 4 columns"),
        ((4, 4, 1.5), "expected a probability between 0 and 1 for a 4, got 1.5"),
        ((4, 4, 0.1, float("nan")), "expected a finite terminal utility, got nan"),
    ],
)
def test_impossible_settings_are_refused(settings: tuple[Any, ...], message: str) -> None:
    with pytest.raises(StateError, match=re.escape(message)):
        Game2048(*settings)


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ([[2, 2]], "expected 2 rows of 2 cells, got 1 × 2 cells"),
        ([[2, 2], [2]], "expected 2 rows of 2 cells, got rows of 2, 1 cells"),
        ([], "expected 2 rows of 2 cells, got rows of no cells"),
        ([[2, 6], [0, 0]], "expected tiles that are powers of two from 2 on, or 0, got 6"),
        ([[2, 1], [0, 0]], "got 1"),
        ([[2, -4], [0, 0]], "got -4"),
        ([[2, 2.0], [0, 0]], "got 2.0"),
        ([[2, 2], [False, 0]], "got False"),
        ([[2, 0], [0, 0]], "expected at least two tiles on a board with a slide to make, got 1"),
    ],
)
def test_impossible_boards_are_refused(board: Any, message: str) -> None:
    with pytest.raises(StateError, match=re.escape(message)):
        Game2048(2, 2).state(board)


@pytest.mark.parametrize(
    ("player", "action"),
    [
        (Player.MAX, "left"),
        (Player.MAX, "sideways"),
        (Player.MAX, Spawn(0, 1, 2)),
        (Player.CHANCE, Spawn(0, 0, 2)),
        (Player.CHANCE, Spawn(0, 1, 8)),
        (Player.CHANCE, Spawn(2, 1, 2)),
        (Player.CHANCE, "right"),
    ],
)
def test_illegal_moves_name_move_and_state(player: Player, action: Any) -> None:
    game, state = Game2048(2, 2), State(((2, 0), (4, 0)), player)
    with pytest.raises(IllegalActionError, match=re.escape(repr(action))):
        game.result(state, action)


@pytest.mark.parametrize(("spawn_four", "tile"), [(0, 4), (1, 2)])
def test_a_tile_that_never_comes_is_no_outcome(spawn_four: float, tile: int) -> None:
    game, state = Game2048(2, 2, spawn_four), State(((2, 0), (4, 0)), Player.CHANCE)
    assert {outcome.tile for outcome, _ in game.chance_outcomes(state)} == {6 - tile}
    with pytest.raises(IllegalActionError, match=f"tile={tile}"):
        game.result(state, Spawn(0, 1, tile))


def test_reward_refuses_an_illegal_slide() -> None:
    with pytest.raises(IllegalActionError, match="left"):
        Game2048(2, 2).reward(State(((2, 0), (4, 0)), Player.MAX), "left")


def test_rewards_keep_their_bounds_on_the_largest_board() -> None:
    """One slide earns at most all tiles that can lie on a board: on 2 × 2 the chain 32, 16, 8, 4 is 60 points."""
    game = Game2048(2, 2)
    low, high = game.reward_bounds
    assert (low, high) == (0, 60)
    rewards, seen, todo = set(), set(), [game.initial_state()]
    while todo:
        state = todo.pop()
        if state not in seen:
            seen.add(state)
            actions = [outcome for outcome, _ in game.chance_outcomes(state)] if state.player is Player.CHANCE else []
            for slide in game.legal_actions(state) if state.player is Player.MAX else ():
                rewards.add(game.reward(state, slide))
                actions.append(slide)
            todo += [game.result(state, action) for action in actions]
    assert low <= min(rewards) < max(rewards) <= high


@pytest.mark.referee
def test_rules_agree_with_open_spiel() -> None:
    """Walk OpenSpiel's game and ours together: slides, rewards, spawns.

    OpenSpiel 1.6 leaves its marks "has just merged" on the tiles, so it misses slides that would only merge tiles which
    the slide before has made. Everything else agrees.
    """
    pyspiel = pytest.importorskip("pyspiel")
    game, rng, slides = Game2048(), Rng(8), 0
    for _ in range(10):
        other, state, score, reward = pyspiel.load_game("2048").new_initial_state(), game.initial_state(), 0.0, 0.0
        while not other.is_terminal():
            if other.is_chance_node():
                outcomes, theirs = game.chance_outcomes(state), dict(other.chance_outcomes())
                spawn, probability = rng.choice(outcomes)
                code = 2 * (4 * spawn.row + spawn.col) + (spawn.tile == 4)
                assert theirs[code] == pytest.approx(probability)
                assert len(theirs) == len(outcomes)
                other.apply_action(code)
                state = game.result(state, spawn)
            else:
                names = {other.action_to_string(action).lower(): action for action in other.legal_actions()}
                extra = set(game.legal_actions(state)) - set(names)
                assert set(names) <= set(game.legal_actions(state))
                assert not extra or reward > 0
                action = rng.choice(sorted(names))
                reward = game.reward(state, action)
                score, slides = score + reward, slides + 1
                other.apply_action(names[action])
                state = game.result(state, action)
        assert other.returns() == [score]
    assert slides > 500


@pytest.mark.referee
def test_slides_agree_with_gymnasium_2048() -> None:
    numpy = pytest.importorskip("numpy")
    env = pytest.importorskip("gymnasium_2048.envs.twenty_forty_eight").TwentyFortyEightEnv
    rng = Rng(4)
    for _ in range(500):
        board = random_board(rng, highest=11)
        ranks = numpy.array(
            [[tile.bit_length() - 1 if tile else 0 for tile in row] for row in board], dtype=numpy.uint8
        )
        for code, name in enumerate(("up", "right", "down", "left")):
            after, reward, legal = env.apply_action(ranks.copy(), code)
            ours, ours_reward = slide(board, name)
            assert [[1 << int(rank) if rank else 0 for rank in row] for row in after] == [list(row) for row in ours]
            assert reward == ours_reward
            assert bool(legal) == (ours != board)
