"""n-tuple networks: the readable learner, its compiled twin to the last bit, runs that resume, files that are whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from expectimax_course.game import GameError, StateError
from expectimax_course.game2048 import bitboard, ntuple_kernels
from expectimax_course.game2048.exact import solve
from expectimax_course.game2048.ntuple import FOUR_SIX, NTupleNetwork, symmetries
from expectimax_course.game2048.rules import Board, Game2048, State
from expectimax_course.game2048.train import (
    CheckpointError,
    Settings,
    WeightsError,
    play_greedy,
    read_network,
    train,
    write_network,
)
from expectimax_course.play import play_game
from expectimax_course.rng import Rng


def random_boards(n: int) -> list[Board]:
    rng = Rng(7)
    return [bitboard.unpack(rng.next64() & rng.next64()) for _ in range(n)]


def play_path(network: NTupleNetwork, game: Game2048, rng: Rng) -> list[tuple[int, Board]]:
    state, path = game.initial_state(), []
    while not game.is_terminal(state):
        if game.current_player(state) == 0:
            state = game.result(state, rng.outcome(game.chance_outcomes(state)))
        else:
            best = network.best_slide(state.board)
            assert best is not None
            path.append((best[1], best[2]))
            state = game.result(state, best[0])
    return path


def test_a_square_has_eight_symmetries_and_a_rectangle_four() -> None:
    assert len(set(symmetries(4, 4))) == len(set(symmetries(3, 3))) == 8
    assert len(set(symmetries(2, 3))) == 4
    assert all(sorted(turn) == list(range(6)) for turn in symmetries(2, 3))


def test_symmetric_boards_have_one_value() -> None:
    network = NTupleNetwork([(0, 1, 2), (1, 4)], rows=3, cols=3)
    rng = Rng(1)
    network.weights[:] = [rng.random() for _ in network.weights]
    cells = [2, 4, 0, 8, 16, 2, 0, 0, 4]
    values = set()
    for turn in symmetries(3, 3):
        turned = [cells[i] for i in turn]
        values.add(round(float(network.value(tuple(tuple(turned[i : i + 3]) for i in (0, 3, 6)))), 4))
    assert len(values) == 1


def test_one_update_moves_the_value_to_its_target_and_so_on_a_symmetric_board() -> None:
    network = NTupleNetwork([(0, 1)], rows=2, cols=2)
    for board in (((2, 4), (8, 16)), ((2, 2), (2, 2))):
        network.update(board, np.float32(100))
    # A weight read once moves by its share; one that all eight symmetries read moves eight times that share.
    fresh = NTupleNetwork([(0, 1)], rows=2, cols=2)
    fresh.update(((2, 4), (8, 16)), np.float32(100))
    assert float(fresh.value(((2, 4), (8, 16)))) == pytest.approx(100)
    fresh.update(((2, 2), (2, 2)), np.float32(100))
    assert float(fresh.value(((2, 2), (2, 2)))) > 100


def test_readable_and_compiled_agree_to_the_last_bit() -> None:
    network = NTupleNetwork()
    rng = Rng(5)
    for board in random_boards(300):
        network.update(board, np.float32(rng.random() * 5000 - 1000))
    index = np.zeros(ntuple_kernels.FEATURES, np.uint64)
    for board in random_boards(600):
        code = np.uint64(bitboard.pack(board))
        ntuple_kernels.features(code, index)
        assert index.tolist() == network.indices(board)
        assert ntuple_kernels.value(code, network.weights) == network.value(board)


@pytest.mark.parametrize("decay", [0.0, 0.5])
def test_learning_whole_games_gives_the_same_bits_readable_and_compiled(decay: float) -> None:
    readable, compiled = NTupleNetwork(), NTupleNetwork()
    slides, _, scores, _ = bitboard.tables()
    buffers = [np.zeros(5000, dtype) for dtype in (np.uint64, np.uint64, np.int64)]
    results = np.zeros((8, 2), np.uint64)
    rules = (slides, scores, bitboard.cumulative(0.1), bitboard.four_from(0.1))
    ntuple_kernels.train(
        compiled.weights,
        compiled.sums,
        np.uint64(3),
        8,
        10**9,
        np.float32(1),
        np.float32(decay),
        *rules,
        *buffers,
        results,
    )
    game, rng, updates = Game2048(), Rng(3), 0
    for score in results[:, 0].tolist():
        path = play_path(readable, game, rng)
        assert sum(reward for reward, _ in path) == score
        readable.learn_path(path, decay=decay)
        updates += len(path)
    assert updates > 1000
    assert np.array_equal(readable.weights, compiled.weights)
    assert np.array_equal(readable.sums, compiled.sums)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_learning_finds_the_best_policy_of_two_by_two(seed: int) -> None:
    game, network, rng = Game2048(2, 2), NTupleNetwork([(0, 1, 2, 3)], rows=2, cols=2), Rng(seed)
    for _ in range(2000):
        network.learn_path(play_path(network, game, rng), decay=0.0)
    assert exact_score(game, network) >= 0.995 * solve(2, 2).expected_score


def exact_score(game: Game2048, network: NTupleNetwork) -> float:
    """The expected score of the greedy policy, by exact evaluation over all states that it can reach."""
    known: dict[State, float] = {}

    def score(state: State) -> float:
        if state not in known:
            if game.is_terminal(state):
                known[state] = 0.0
            elif game.current_player(state) == 0:
                known[state] = sum(p * score(game.result(state, o)) for o, p in game.chance_outcomes(state))
            else:
                best = network.best_slide(state.board)
                assert best is not None
                known[state] = best[1] + score(game.result(state, best[0]))
        return known[state]

    return score(game.initial_state())


def test_a_run_that_resumes_ends_like_one_that_never_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("expectimax_course.game2048.train.BLOCK", 5)
    settings = Settings(seed=2, games=15, restart_above=50)
    whole = train(settings, tmp_path / "whole.npz")

    class Killed(Exception):
        pass

    def kill(progress: object) -> None:
        if progress.games == 10:  # type: ignore[attr-defined]
            raise Killed

    with pytest.raises(Killed):
        train(settings, tmp_path / "cut.npz", save_every=0, report=kill)
    resumed = train(settings, tmp_path / "cut.npz", resume=True)
    assert np.array_equal(whole.weights, resumed.weights)
    assert np.array_equal(whole.sums, resumed.sums)
    with pytest.raises(CheckpointError, match=r"expected a run with decay = 0\.9, got a checkpoint with 0\.5"):
        train(settings._replace(decay=0.9), tmp_path / "cut.npz", resume=True)
    with pytest.raises(CheckpointError, match="resume it or name another"):
        train(settings, tmp_path / "cut.npz")


def test_training_learns_and_its_network_survives_the_disk(tmp_path: Path) -> None:
    scores: list[int] = []
    network = train(Settings(seed=1, games=600), tmp_path / "run.npz", report=lambda p: scores.extend(p.scores))
    assert sum(scores[-100:]) > 2 * sum(scores[:100])
    write_network(network, tmp_path / "net.xz", step=1)
    again = read_network(tmp_path / "net.xz")
    assert np.abs(again.weights - network.weights).max() <= 0.5
    first, second = play_greedy(again, [4, 5])
    assert first != second
    game = Game2048()
    record = play_game(game, lambda state, rng: again.best_slide(state.board)[0], seed=4)
    assert (record.score, record.decisions) == (first.score, first.moves)


def test_a_file_that_is_no_network_is_refused_and_left_alone(tmp_path: Path) -> None:
    network = NTupleNetwork()
    path = tmp_path / "net.xz"
    write_network(network, path)
    whole = path.read_bytes()
    for content in (whole[:-10], whole[:50], b"PNG", whole[:33] + b"{}\n" + whole[40:]):
        path.write_bytes(content)
        with pytest.raises(WeightsError, match="expected"):
            read_network(path)
        assert path.read_bytes() == content
    with pytest.raises(WeightsError, match="expected a file of weights"):
        read_network(tmp_path / "nothing.xz")
    network.weights[0] = 1e9
    with pytest.raises(WeightsError, match="expected weights below"):
        write_network(network, path)


@pytest.mark.parametrize("cells", [(), (0, 0), (0, 16), (-1,)])
def test_a_tuple_outside_the_board_is_refused(cells: tuple[int, ...]) -> None:
    with pytest.raises(StateError, match="expected different cells of a 4 × 4 board"):
        NTupleNetwork([FOUR_SIX[0], cells])


@pytest.mark.parametrize("change", [{"games": 0}, {"decay": 1.5}, {"rate": 0.0}, {"restart_above": 0}])
def test_a_setting_out_of_range_is_refused(change: dict[str, float], tmp_path: Path) -> None:
    with pytest.raises(GameError, match="expected games and restart_above"):
        train(Settings(seed=1, games=10)._replace(**change), tmp_path / "x.npz")
