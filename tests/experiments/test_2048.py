"""The experiments of 2048: short runs, and what the records say against the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from expectimax_course.experiments import fit_2048, load, run_experiment, strength_2048_clock
from expectimax_course.experiments.bench import run_contest
from expectimax_course.experiments.fit_2048 import NAMES, evaluation, logarithms
from expectimax_course.game2048.evaluate import FITTED
from expectimax_course.game2048.published import NNEONNEO


def test_the_fitted_weights_are_those_of_the_record() -> None:
    results = load("fit_2048")["results"]
    for kind, line in (("rim", FITTED.rim), ("inside", FITTED.inside)):
        assert [getattr(line, name) for name in NAMES] == [results[f"{kind}_{name}"]["value"] for name in NAMES]
    assert FITTED.lost == fit_2048.LOST


def test_the_fit_starts_at_the_published_weights() -> None:
    start = evaluation(logarithms(NNEONNEO.rim) * 2)
    for name in NAMES:
        assert getattr(start.rim, name) == pytest.approx(getattr(NNEONNEO.rim, name), rel=1e-3)
        assert getattr(start.inside, name) == getattr(start.rim, name)


@pytest.mark.parametrize("name", ["fit_2048", "strength_2048", "strength_2048_clock"])
def test_a_short_run_gives_a_valid_record(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength_2048_clock, "MATCHES", ((0, 2),))
    monkeypatch.setattr(fit_2048, "POPULATION", 4)
    monkeypatch.setattr(fit_2048, "ELITE", 2)
    (tmp_path / "book" / "_data").mkdir(parents=True)
    path, record = run_experiment(name, quick=True, root=tmp_path)
    assert path.is_file()
    assert record["results"]


def test_both_sides_of_a_contest_do_the_same_kind_of_work() -> None:
    """Those that need no other program: the compiled side must win, or the bitboard is not worth its chapter."""
    for name in ("2048-readable", "2048-search", "2048-learning"):
        result = run_contest(name, rounds=1)
        assert result["ratio"][1] > 10


@pytest.mark.referee
@pytest.mark.parametrize("name", ["2048-openspiel", "2048-gymnasium"])
def test_other_programs_play_too(name: str) -> None:
    assert run_contest(name, rounds=1)["ratio"][1] > 10
