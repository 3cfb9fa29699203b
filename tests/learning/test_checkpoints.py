from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from expectimax_course.learning.checkpoints import (
    CheckpointError,
    load_checkpoint,
    save_checkpoint,
    write_atomically,
)


def test_checkpoints_read_back(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "run.npz"
    save_checkpoint(path, {"seed": 1, "name": "a"}, {"weights": np.arange(6.0).reshape(2, 3)})
    settings, arrays = load_checkpoint(path)
    assert settings == {"seed": 1, "name": "a"}
    assert (arrays["weights"] == np.arange(6.0).reshape(2, 3)).all()


@pytest.mark.parametrize("data", [None, b"", b"garbage", b"PK\x03\x04 cut short"])
def test_what_is_no_checkpoint_is_refused(tmp_path: Path, data: bytes | None) -> None:
    path = tmp_path / "run.npz"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(CheckpointError, match="expected a checkpoint"):
        load_checkpoint(path)


def test_an_array_file_without_settings_is_no_checkpoint(tmp_path: Path) -> None:
    np.savez(tmp_path / "run.npz", weights=np.zeros(3))
    with pytest.raises(CheckpointError, match="expected a checkpoint"):
        load_checkpoint(tmp_path / "run.npz")


def test_one_array_alone_is_no_checkpoint(tmp_path: Path) -> None:
    with (tmp_path / "run.npz").open("wb") as file:
        np.save(file, np.zeros(3))
    with pytest.raises(CheckpointError, match="one array alone"):
        load_checkpoint(tmp_path / "run.npz")


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "net.bin"
    write_atomically(path, b"old")

    def fail(*paths: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["net.bin"]
