"""The experiments of 2048: what the records say against the code."""

from __future__ import annotations

import pytest

from expectimax_course.experiments import fit_2048, load
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


def test_both_sides_of_a_contest_do_the_same_kind_of_work() -> None:
    """Those that need no other program: the compiled side must win, or the bitboard is not worth its chapter."""
    for name in ("2048-readable", "2048-search", "2048-learning"):
        result = run_contest(name, rounds=1)
        assert result["ratio"][1] > 10


@pytest.mark.referee
@pytest.mark.parametrize("name", ["2048-openspiel", "2048-gymnasium"])
def test_other_programs_play_too(name: str) -> None:
    assert run_contest(name, rounds=1)["ratio"][1] > 10
