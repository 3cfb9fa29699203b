"""What a test does where a program is missing that a user need not have and our own machines must."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def skip_or_fail(reason: str) -> NoReturn:
    """Skip the running test; with EXPECTIMAX_REQUIRE_ALL=1 a missing program is a failure."""
    if os.environ.get("EXPECTIMAX_REQUIRE_ALL") == "1":
        pytest.fail(f"{reason} (EXPECTIMAX_REQUIRE_ALL=1)", pytrace=False)
    pytest.skip(reason)
