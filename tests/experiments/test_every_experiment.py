"""Every experiment can be run again: its short run gives a valid record with the fields of the recorded one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from expectimax_course.experiments import EXPERIMENTS, cost_2048, fit_2048, load, run_experiment


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_short_run_gives_a_valid_record(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if name.startswith("backgammon"):
        pytest.importorskip("gnubg_nn")
    monkeypatch.setattr(fit_2048, "POPULATION", 4)
    monkeypatch.setattr(fit_2048, "ELITE", 2)
    monkeypatch.setattr(cost_2048, "SAMPLES", 100)
    (tmp_path / "book" / "_data").mkdir(parents=True)
    path, record = run_experiment(name, quick=True, root=tmp_path)
    assert path.is_file()
    recorded = load(name)
    assert fields(record) <= fields(recorded)
    for table, rows in record["tables"].items():
        assert set(rows[0]) == set(recorded["tables"][table][0])


def fields(record: dict[str, Any]) -> set[tuple[str, str, bool]]:
    """Return name, unit and kind of each result; numbers in the first two may be those of the size of the run."""
    named = ((re.sub(r"\d+", "#", name), result) for name, result in record["results"].items())
    return {(name, re.sub(r"\d+", "#", str(result["unit"])), "mean" in result) for name, result in named}
