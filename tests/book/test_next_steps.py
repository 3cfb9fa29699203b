"""The page of next steps sends readers to questions that exist, in the chapter that it names."""

from __future__ import annotations

import re
from pathlib import Path

from expectimax_course.grading.bank import questions

PAGE = Path(__file__).resolve().parents[2] / "book" / "next_steps.md"
STEPS = re.findall(r"^\d\. .*$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def test_all_six_steps_are_there() -> None:
    assert len(STEPS) == 6


def test_every_step_names_a_question_of_a_chapter_that_it_links() -> None:
    for step in STEPS:
        chapters = re.findall(r"\{chapter\}`(\d\d_\w+)`", step)
        named = re.findall(r"`(\d\d\.\w+)`", step)
        assert named
        asked = {question.id for chapter in chapters for question in questions(chapter)}
        assert set(named) <= asked
