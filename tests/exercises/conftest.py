"""``pytest tests/exercises --submission FILE`` grades one notebook through pytest's own report."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option; without it the course grades its own solutions and stubs."""
    parser.addoption("--submission", default=None, metavar="FILE", help="grade this notebook")
