"""The contract catches what people get wrong: each mutant of the search dies within 500 trees."""

from __future__ import annotations

import pytest

from expectimax_course.experiments import load
from expectimax_course.experiments.star_contract import MUTANTS, Mutant, first_failure, kill, mutated


@pytest.mark.parametrize("name", MUTANTS)
def test_every_mutant_dies_within_five_hundred_trees(name: str) -> None:
    how, trees, _ = kill(name)
    assert how != "survived"
    assert int(trees) <= 500


def test_the_sources_without_an_edit_survive() -> None:
    assert first_failure(mutated(None), range(100))[1] < 0


def test_there_is_an_edit_in_every_mutant() -> None:
    assert all(mutant.old != mutant.new for mutant in MUTANTS.values())
    assert len(MUTANTS) >= 5 + 5


def test_a_mutant_that_fits_no_source_is_refused() -> None:
    with pytest.raises(ValueError, match="expected 'no such line' in the source of star"):
        mutated(Mutant("star", "no such line", ""))


def test_the_recorded_run_has_five_thousand_trees_no_failure_and_no_survivor() -> None:
    results = {name: result["value"] for name, result in load("star_contract")["results"].items()}
    assert results["star_trees"] >= 5000
    assert results["star_checks"] == 36 * results["star_trees"]
    assert results["star_failures"] == results["pvs_failures"] == results["survivors"] == 0
    assert results["mutants"] == len(MUTANTS)
