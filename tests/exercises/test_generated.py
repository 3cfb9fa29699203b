"""The committed exercises are those that the committed solutions give."""

from __future__ import annotations

from pathlib import Path

from expectimax_course.grading.build import build

ROOT = Path(__file__).resolve().parents[2]


def test_exercises_and_references_are_up_to_date():
    assert build(ROOT, check=True) == []
