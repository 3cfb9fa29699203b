"""``pytest tests/exercises --submission FILE`` grades one notebook through pytest's own report."""

from __future__ import annotations

from pathlib import Path

import pytest

from expectimax_course.grading import bank
from expectimax_course.grading.batch import draw_seed
from expectimax_course.grading.notebook import read_submission


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options; without a submission the course grades its own solutions and stubs."""
    parser.addoption("--submission", default=None, metavar="FILE", help="grade this notebook")
    parser.addoption("--seed", default=None, type=int, help="draws its graded cases; the system's choice if not given")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse what cannot be graded, and draw a seed unless one is given: one that stood here would be known to all."""
    given = config.getoption("--submission", default=None)
    if given is None:
        return
    try:
        bank.questions(read_submission(Path(given)).chapter)
    except (ValueError, OSError) as error:
        raise pytest.UsageError(f"--submission: {error}") from None
    if config.option.seed is None:
        config.option.seed = draw_seed()


def pytest_report_header(config: pytest.Config) -> str | None:
    """Name the seed, so that the same grading can be had again."""
    given = config.getoption("--submission", default=None)
    return f"graded with --seed {config.option.seed}" if given else None
