"""The examples in the package's docstrings print what they show."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in (ROOT / "expectimax_course").rglob("*.py")
    if ">>> " in path.read_text("utf8")
)


@pytest.mark.parametrize("name", MODULES)
def test_every_example_of(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name.removesuffix(".__init__"))).failed == 0


@pytest.mark.parametrize("name", ["build_variables"])
def test_every_example_of_the_books_extension(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
