"""What all tests share: programs that may be missing on a user's machine and must not be on ours."""

from __future__ import annotations

import pytest
from missing import skip_or_fail


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Tests marked ``sandbox`` need bubblewrap."""
    if item.get_closest_marker("sandbox"):
        from expectimax_course.grading.isolation import bubblewrap

        if bubblewrap() is None:
            skip_or_fail("bubblewrap is missing or may not make namespaces here")
