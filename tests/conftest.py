"""What all tests share: programs that may be missing on a user's machine and must not be on ours."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def skip_or_fail(reason: str) -> NoReturn:
    """Skip the running test; with EXPECTIMAX_REQUIRE_ALL=1 a missing program is a failure."""
    if os.environ.get("EXPECTIMAX_REQUIRE_ALL") == "1":
        pytest.fail(f"{reason} (EXPECTIMAX_REQUIRE_ALL=1)", pytrace=False)
    pytest.skip(reason)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Tests marked ``sandbox`` need bubblewrap."""
    if item.get_closest_marker("sandbox"):
        from expectimax_course.grading.isolation import bubblewrap

        if bubblewrap() is None:
            skip_or_fail("bubblewrap is missing or may not make namespaces here")
