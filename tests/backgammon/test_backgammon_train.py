from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from expectimax_course.backgammon import kernels
from expectimax_course.backgammon.net import Net, flip, new_net, write_net
from expectimax_course.backgammon.rules import Backgammon, Side, plays, rolls
from expectimax_course.backgammon.search import to_weights
from expectimax_course.backgammon.train import Settings, Training, rate_at, sweep, train
from expectimax_course.game import GameError
from expectimax_course.learning.checkpoints import CheckpointError, save_checkpoint
from expectimax_course.rng import Rng

START = Backgammon().initial_state().max_side
SMALL = Settings(seed=3, games=710, hidden=4)


def readable_game(net: Net, seed: int) -> tuple[list[tuple[Side, Side]], list[float]]:
    """One game of self-play in plain Python: the positions before each roll, and what the last was worth."""
    rng, own, other = Rng(seed), START, START
    game = []
    while other[0] < 15:
        game.append((own, other))
        found = plays(own, other, rng.outcome(rolls())).values()
        mine, theirs = max(found, key=lambda position: -net.equity(position[1], position[0]))
        own, other = theirs, mine
    return game, list(flip(net.probabilities(own, other)))


@pytest.mark.parametrize("expert", [False, True])
@pytest.mark.parametrize("decay", [0.0, 0.7])
def test_readable_and_compiled_learning_agree_on_a_whole_game(decay: float, expert: bool) -> None:
    net = new_net(4, seed=8, expert=expert)
    game, outcome = readable_game(net, seed=12)
    weights = to_weights(net)
    kernels.self_play(
        np.array([12], np.uint64), np.array((START, START), np.int8), np.float32(decay), np.float32(0.1),
        weights, kernels.TABLES, kernels.new_scratch(4), 4096,
    )  # fmt: skip
    sweep(net, game, outcome, decay=decay, rate=0.1)
    for ours, theirs in zip(to_weights(net), weights, strict=True):
        assert np.abs(ours - theirs).max() < 1e-4
    assert np.abs(to_weights(new_net(4, seed=8, expert=expert)).w1 - weights.w1).max() > 1e-3


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(tmp_path: Path) -> None:
    nets = [train(settings, tmp_path / f"{i}.bin") for i, settings in enumerate((SMALL, SMALL, SMALL._replace(seed=4)))]
    data = [write_net(net) for net in nets]
    assert data[0] == data[1] != data[2]
    assert (tmp_path / "0.bin").read_bytes() == data[0]


def test_a_resumed_run_ends_with_the_bits_of_one_that_never_stopped(tmp_path: Path) -> None:
    whole = train(SMALL, tmp_path / "whole.bin")

    class KilledError(Exception):
        pass

    def kill(done: int, total: int) -> None:
        assert total == 710
        raise KilledError

    with pytest.raises(KilledError):
        train(SMALL, tmp_path / "part.bin", progress=kill)
    assert not (tmp_path / "part.bin").exists()
    with pytest.raises(CheckpointError, match="resume"):
        train(SMALL, tmp_path / "part.bin")
    seen: list[int] = []
    resumed = train(SMALL, tmp_path / "part.bin", resume=True, progress=lambda done, total: seen.append(done))
    assert seen == [710], "it went on after the first 500 games"
    assert write_net(resumed) == write_net(whole)
    assert not list(tmp_path.glob("*.tmp"))


def test_resuming_needs_the_checkpoint_of_these_settings(tmp_path: Path) -> None:
    out = tmp_path / "net.bin"
    with pytest.raises(CheckpointError, match="expected a checkpoint"):
        train(SMALL, out, resume=True)
    Training(SMALL).save(tmp_path / "net.bin.checkpoint.npz")
    with pytest.raises(CheckpointError, match="seed=9"):
        train(SMALL._replace(seed=9), out, resume=True)
    save_checkpoint(tmp_path / "other.npz", {"alpha": 1, "done": 0}, {"w": np.zeros(2)})
    with pytest.raises(CheckpointError, match="backgammon training"):
        Training.load(tmp_path / "other.npz")


def test_a_folder_in_place_of_the_file_is_refused_before_any_game(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="expected a file for the network, got the folder"):
        train(Settings(seed=1, games=10), tmp_path)
    assert not list(tmp_path.parent.glob("*.checkpoint.npz"))


@pytest.mark.parametrize(
    "wrong",
    [{"games": 0}, {"games": -1}, {"decay": 1.5}, {"rate": 0.0}, {"rate": 2.0}],
)
def test_wrong_settings_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(GameError, match="expected"):
        Training(Settings(seed=1, games=10)._replace(**wrong))  # type: ignore[arg-type]


def test_the_rate_falls_to_a_twentieth() -> None:
    assert rate_at(0.2, 0.49) == 0.2
    assert rate_at(0.2, 1.0) == pytest.approx(0.01)


def test_two_thousand_games_teach_it_to_beat_random_play() -> None:
    from expectimax_course.backgammon.match import net_mover, play_match, random_mover

    training = Training(Settings(seed=1, games=2000, hidden=10))
    while not training.finished:
        training.advance()
    result = play_match(net_mover(training.net()), random_mover, games=60, seed=2)
    assert result.points_per_game.low > 0.5
