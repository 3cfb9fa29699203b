"""The record of flip rates says what chapter 04 teaches, and its parts add up."""

from __future__ import annotations

import pytest

from expectimax_course.evaluation.scale import TRANSFORMS
from expectimax_course.experiments import load
from expectimax_course.experiments.scale_flips import FIELDS, count_flips


def test_the_record_names_every_transform() -> None:
    assert list(FIELDS) == [t.name for t in TRANSFORMS]
    rows = load("scale_flips")["tables"]["flips"]
    assert [row["transform"] for row in rows] == list(FIELDS)


@pytest.mark.parametrize("row", load("scale_flips")["tables"]["flips"], ids=lambda row: row["transform"])
def test_safe_transforms_never_flip_and_unsafe_ones_do(row: dict[str, float | str]) -> None:
    assert (row["expectimax"] == 0) == (row["kind"] == "affine")
    assert (row["minimax"] == 0) == (row["kind"] != "neither")


def test_a_seed_repeats_its_counts() -> None:
    assert count_flips(50, seed=9) == count_flips(50, seed=9)
