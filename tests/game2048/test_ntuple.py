"""n-tuple networks: the readable learner, its compiled twin to the last bit, runs that resume, files that are whole."""

from __future__ import annotations

from array import array
from pathlib import Path

import numpy as np
import pytest

from expectimax_course.game import GameError, StateError
from expectimax_course.game2048 import bitboard, kernels, ntuple_kernels
from expectimax_course.game2048.net import (
    FOUR_FOUR,
    FOUR_SIX,
    Cells,
    TupleNet,
    TupleNetError,
    downgrade,
    load_net,
    read_net,
    symmetries,
    write_net,
)
from expectimax_course.game2048.ntuple import NTupleNetwork
from expectimax_course.game2048.rules import ACTIONS, Board, Game2048, slide
from expectimax_course.game2048.train import (
    RARELY,
    TUPLES,
    CheckpointError,
    Settings,
    finish,
    play_greedy,
    train,
)
from expectimax_course.learning.checkpoints import load_checkpoint, save_checkpoint
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


def test_one_update_moves_the_value_to_its_target_and_on_a_symmetric_board_beyond() -> None:
    # A weight read once moves by its share; one that all eight symmetries read moves eight times that share.
    fresh = NTupleNetwork([(0, 1)], rows=2, cols=2)
    fresh.update(((2, 4), (8, 16)), np.float32(100))
    assert float(fresh.value(((2, 4), (8, 16)))) == pytest.approx(100)
    fresh.update(((2, 2), (2, 2)), np.float32(100))
    assert float(fresh.value(((2, 2), (2, 2)))) > 100


@pytest.mark.parametrize(("tuples", "width"), [(FOUR_FOUR, 2), (FOUR_SIX, 3)])
def test_readable_and_compiled_agree_to_the_last_bit(tuples: tuple[Cells, ...], width: int) -> None:
    network = NTupleNetwork(tuples)
    rng = Rng(5)
    for board in random_boards(300):
        network.update(board, np.float32(rng.random() * 5000 - 1000))
    digits, index = np.zeros(8, np.uint64), np.zeros((4, 8), np.uint32)
    for board in random_boards(600):
        code = np.uint64(bitboard.pack(board))
        ntuple_kernels.turns(code, digits, 0, 1)
        ntuple_kernels.features(digits, 8, index, np.uint64(width))
        assert index.T.ravel().tolist() == network.indices(board)
        assert kernels.net_value(code, network.weights, np.uint64(width), np.float32(0)) == network.value(board)


@pytest.mark.parametrize(
    ("width", "decay", "coherence"), [(3, 0.0, True), (3, 0.5, True), (2, 0.5, True), (2, 0.0, False)]
)
def test_learning_whole_games_gives_the_same_bits_readable_and_compiled(
    width: int, decay: float, coherence: bool
) -> None:
    readable, compiled = (NTupleNetwork(TUPLES[width], coherence=coherence) for _ in range(2))
    slides, rewards, _, _ = bitboard.tables()
    buffers = [np.zeros(5000, dtype) for dtype in (np.uint64, np.uint64, np.int64)]
    results = np.zeros((8, 2), np.uint64)
    rules = (slides, rewards, bitboard.cumulative(0.1), bitboard.four_from(0.1))
    ntuple_kernels.train(
        compiled.weights,
        compiled.sums,
        np.uint64(width),
        np.uint64(3),
        8,
        10**9,
        np.float32(0.5),
        np.float32(decay),
        *rules,
        *buffers,
        results,
    )
    game, rng, updates = Game2048(), Rng(3), 0
    for score in results[:, 0].tolist():
        path = play_path(readable, game, rng)
        assert sum(reward for reward, _ in path) == score
        readable.learn_path(path, decay=decay, rate=0.5)
        updates += len(path)
    assert updates > 1000
    assert np.array_equal(readable.weights, compiled.weights)
    assert np.array_equal(readable.sums, compiled.sums)


@pytest.mark.parametrize("coherence", [True, False])
def test_a_run_that_resumes_ends_like_one_that_never_stopped(
    coherence: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("expectimax_course.game2048.train.BLOCK", 5)
    settings = Settings(seed=2, games=15, restart_above=50, width=2, coherence=coherence, initial=100)
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
    network = train(
        Settings(seed=1, games=600, width=2), tmp_path / "run.npz", report=lambda p: scores.extend(p.scores)
    )
    assert sum(scores[-100:]) > 2 * sum(scores[:100])
    first, second = play_greedy(network, [4, 5])
    assert first != second
    game = Game2048()
    record = play_game(game, lambda state, rng: network.best_slide(state.board)[0], seed=4)
    assert (record.score, record.decisions) == (first.score, first.moves)
    net = finish(network, step=1, made="here")
    moved = network.sums[:, 1]
    often = moved >= np.median(moved[moved > 0])
    error = np.abs(np.array(net.weights) - network.weights)
    assert error[often].max() <= 0.5
    assert 0.5 < error[~often].max() <= RARELY / 2
    assert not np.any(np.array(net.weights)[~often] % RARELY)
    again = read_net(write_net(net))
    assert (again.weights, again.tuples, again.step, again.made) == (net.weights, FOUR_FOUR, 1, "here")
    board = ((2, 4, 0, 0), (8, 2, 4, 0), (2, 0, 0, 0), (0, 0, 0, 0))
    assert net.value(board) == pytest.approx(network.value(board), abs=16)
    assert net.value(board) == sum(net.weights[index] for index in net.indices(board))
    net.weights[16**4 + 0b11_00_00_00_11_00_10_01] = 77  # high digits 3000 before low digits 3021, the first cell last
    assert net.weight(1, (1, 2, 0, 15)) == 77


def test_two_threads_learn_one_network_and_resume(tmp_path: Path) -> None:
    settings, path = Settings(seed=1, games=601, width=2, threads=2), tmp_path / "run.npz"
    scores: list[int] = []
    network = train(settings, path, report=lambda progress: scores.extend(progress.scores))
    assert len(scores) == 601
    assert min(scores) > 0
    assert sum(scores[-100:]) > 2 * sum(scores[:100])
    further = train(settings._replace(games=801), path, resume=True)
    assert not np.array_equal(further.weights, network.weights)
    with pytest.raises(CheckpointError, match="expected a run with threads = 1, got a checkpoint with 2 in"):
        train(settings._replace(threads=1, games=1000), path, resume=True)


def test_a_file_that_is_no_network_is_refused_and_left_alone(tmp_path: Path) -> None:
    network = NTupleNetwork(FOUR_FOUR)
    path = tmp_path / "net.xz"
    whole = write_net(finish(network))
    for content in (
        whole[:-10],
        whole[:50],
        b"PNG",
        whole[:33] + b"{}\n" + whole[40:],
        whole.replace(b'"step": 16', b'"step": {}'),
    ):
        path.write_bytes(content)
        with pytest.raises(TupleNetError, match="expected"):
            load_net(str(path))
        assert path.read_bytes() == content
    with pytest.raises(TupleNetError, match=r"expected a network file or one of .*small.*, got 'nothing'"):
        load_net("nothing")
    for weight in (1e9, 524_272):  # the second is beyond the largest only when it is rounded as a rare one
        network.weights[0] = weight
        network.sums[:3, 1] = 1, 2, 2
        with pytest.raises(TupleNetError, match="expected weights below 524288 in size, got "):
            finish(network)
    with pytest.raises(TupleNetError, match="expected 262144 weights, got 1"):
        TupleNet(FOUR_FOUR, 1, array("h", [0]))


def test_a_downgraded_board_has_the_same_slides_readable_and_compiled() -> None:
    changed = 0
    for largest in (512, 8192):
        for board in random_boards(1000):
            lower = downgrade(board, largest)
            assert kernels.downgrade(np.uint64(bitboard.pack(board)), largest.bit_length() - 1) == bitboard.pack(lower)
            assert downgrade(lower, largest) == lower
            tiles = {tile for row in lower for tile in row if tile}
            stays = tiles >= {64 << rank for rank in range(max(tiles).bit_length() - 6)}
            assert max(tiles) <= largest or stays or sum(row.count(32768) for row in lower) > 1
            if lower == board:
                continue
            changed += 1
            for action in ACTIONS:
                (after, _), (lower_after, _) = slide(board, action), slide(lower, action)
                assert (after == board) == (lower_after == lower)
                moved, lower_moved = ([[bool(tile) for tile in row] for row in grid] for grid in (after, lower_after))
                assert moved == lower_moved
    assert changed > 500


@pytest.mark.parametrize("cells", [(), (0, 0), (0, 16), (-1,)])
def test_a_tuple_outside_the_board_is_refused(cells: tuple[int, ...]) -> None:
    with pytest.raises(StateError, match="expected different cells of a 4 × 4 board"):
        NTupleNetwork([FOUR_SIX[0], cells])


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("games", 0, "1 game or more, got 0"),
        ("decay", 1.5, r"a λ in \[0, 1\], got 1.5"),
        ("decay", float("nan"), "a λ"),
        ("rate", 0.0, "a rate"),
        ("restart_above", 1, "a restart_above of 2"),
        ("width", 4, "a width of 2 or 3, got 4"),
        ("threads", 0, "1 thread or more, got 0"),
        ("initial", float("nan"), "an initial value of at most 10,000,000 in size, got nan"),
        ("initial", float("-inf"), "an initial value"),
        ("initial", 1e9, "an initial value"),
    ],
)
def test_a_setting_out_of_range_is_refused_by_name(name: str, value: float, words: str, tmp_path: Path) -> None:
    with pytest.raises(GameError, match=f"^expected {words}"):
        train(Settings(seed=1, games=10)._replace(**{name: value}), tmp_path / "x.npz")


def test_a_run_that_went_further_is_not_passed_off_as_a_shorter_one(tmp_path: Path) -> None:
    settings, path = Settings(seed=1, games=4, width=2), tmp_path / "long.npz"
    train(settings, path)
    kept = path.read_bytes()
    with pytest.raises(CheckpointError, match="expected a run of at most 2 games so far, got 4 in"):
        train(settings._replace(games=2), path, resume=True)
    assert path.read_bytes() == kept


def test_a_checkpoint_from_before_a_setting_existed_is_resumed(tmp_path: Path) -> None:
    settings, path = Settings(seed=1, games=2), tmp_path / "old.npz"
    train(settings, path)
    stored, arrays = load_checkpoint(path)
    save_checkpoint(path, {name: stored[name] for name in stored if name not in ("width", "coherence")}, arrays)
    assert train(settings, path, resume=True).tuples == FOUR_SIX
    with pytest.raises(CheckpointError, match="expected a run with width = 2, got a checkpoint with 3"):
        train(settings._replace(width=2), path, resume=True)
