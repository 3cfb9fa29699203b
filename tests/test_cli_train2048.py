"""``train 2048``: a network file and a run to resume, and one line for a run that does not fit."""

from __future__ import annotations

import json
from pathlib import Path

from test_cli import run


def test_a_run_is_trained_resumed_and_guarded(tmp_path: Path) -> None:
    out = tmp_path / "net.xz"
    first = run("train", "2048", "--games", "20", "--seed", "3", "--out", str(out), "--json")
    assert first.returncode == 0, first.stderr
    assert json.loads(first.stdout)["bytes"] == out.stat().st_size
    before = out.read_bytes()
    again = run("train", "2048", "--games", "30", "--seed", "3", "--out", str(out))
    assert (again.returncode, again.stderr.count("expected no run at")) == (2, 1)
    other = run("train", "2048", "--games", "30", "--seed", "4", "--out", str(out), "--resume")
    assert other.returncode == 2
    assert "expected a run with seed = 4, got a checkpoint with 3" in other.stderr
    assert out.read_bytes() == before
    more = run("train", "2048", "--games", "30", "--seed", "3", "--out", str(out), "--resume", "--json")
    assert json.loads(more.stdout)["games"] == 30
    assert out.read_bytes() != before
