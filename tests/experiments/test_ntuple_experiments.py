"""The experiments of n-tuple networks, on a few games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from expectimax_course.experiments import ntuple_calibration, ntuple_learning, ntuple_strength
from expectimax_course.experiments.runner import Job
from expectimax_course.game2048.players import play
from expectimax_course.game2048.train import Settings, train

SMALL: dict[str, Any] = {"width": 2}


def test_a_curve_that_was_killed_goes_on_to_the_same_scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def scores(folder: Path) -> list[list[int]]:
        folder.mkdir(exist_ok=True)
        return [point["scores"] for point in ntuple_learning.curve(str(folder), SMALL, [200, 400, 600], 3, 5)]

    whole = scores(tmp_path / "whole")
    assert whole[0] != whole[1] != whole[2]
    monkeypatch.setattr(ntuple_learning, "SAVE_SECONDS", 0)
    written: list[Path] = []

    def killed(path: Path, value: object) -> None:
        written.append(path)
        raise KeyboardInterrupt

    with monkeypatch.context() as context:
        context.setattr(ntuple_learning, "write_json", killed)
        with pytest.raises(KeyboardInterrupt):
            scores(tmp_path / "cut")
    assert written
    assert scores(tmp_path / "cut") == whole


def test_a_curve_trains_as_the_command_does(tmp_path: Path) -> None:
    points = ntuple_learning.curve(str(tmp_path), SMALL, [200], 3, 5)
    network = train(Settings(5, 200, **SMALL), tmp_path / "run.npz")
    seeds = [ntuple_learning.derive_seed(ntuple_learning.SEEDS["games"], index) for index in range(3)]
    assert points[0]["scores"] == [record.score for record in ntuple_learning.play_greedy(network, seeds)]


def test_the_strength_of_a_network_is_that_of_its_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ntuple_strength, "NAMES", {"browser": "ntuple-small"})
    monkeypatch.setattr(ntuple_strength, "VARIANTS", {})
    monkeypatch.setattr(ntuple_strength, "DEPTHS", ((1, 6, 4), (2, 2, 2)))
    found = ntuple_strength.run(Job(tmp_path))
    first, second = found.tables["players"]
    assert (first["games"], second["games"]) == (6, 2)
    seeds = [ntuple_strength.derive_seed(2048, index) for index in range(6)]
    games = [play("ntuple-small", seed=seed, depth=1) for seed in seeds]
    assert first["score"] == sum(game.score for game in games) / 6
    assert first["reaches_2048"] == sum(game.max_tile >= 2048 for game in games) / 6
    assert set(found.results) >= {"browser_1_score", "browser_2_reaches_32768"}


def test_variants_of_the_large_network_play_the_same_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ntuple_strength, "NAMES", {"ntuple": "ntuple"})
    monkeypatch.setattr(ntuple_strength, "VARIANTS", {"as_is": 32_768, "blind": 64})
    monkeypatch.setattr(ntuple_strength, "DEPTHS", ((1, 3, 3),))
    found = ntuple_strength.run(Job(tmp_path))
    full, as_is, blind = (row["score"] for row in found.tables["players"])
    assert full == play_mean(3)
    assert found.results["ntuple_over_as_is_1"]["mean"] == pytest.approx(full - as_is)
    assert found.results["ntuple_over_blind_1"]["mean"] == pytest.approx(full - blind)
    assert full > 2 * blind, "a player that sees no tile above 64 cannot plan for large ones"


def play_mean(games: int) -> float:
    return sum(play("ntuple", seed=ntuple_strength.derive_seed(2048, i), depth=1).score for i in range(games)) / games


def test_a_reliability_pair_holds_what_the_game_still_earned() -> None:
    version = ntuple_strength.fingerprint("ntuple-small")
    (game,) = ntuple_calibration.pairs("ntuple-small", version, 0, 1)
    values, earned = zip(*game, strict=True)
    assert list(earned) == sorted(earned, reverse=True)
    assert earned[-1] >= 0
    total = play("ntuple-small", seed=ntuple_calibration.derive_seed(ntuple_calibration.SEEDS["games"], 0), depth=1)
    assert 0 <= total.score - earned[0] <= 8, "the first afterstate comes after one slide"
    assert max(values) > 1000
