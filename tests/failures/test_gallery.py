"""Every failure is a pair: its test passes on the mended half and fails on the broken one."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from expectimax_course.failures.gallery import GALLERY, Failure

PACKAGE = Path(__file__).resolve().parents[2] / "expectimax_course"
MAY_IMPORT = {"failures", "experiments", "apps", "grading"}

failure = pytest.mark.parametrize("failure", GALLERY, ids=[one.key for one in GALLERY])


@failure
def test_the_mended_half_passes(failure: Failure) -> None:
    assert failure.passes(failure.mended)


@failure
def test_the_broken_half_fails(failure: Failure) -> None:
    assert not failure.passes(failure.broken)


def test_keys_and_titles_are_told_apart() -> None:
    assert len({one.key for one in GALLERY}) == len({one.title for one in GALLERY}) == len(GALLERY) == 11


def test_nothing_that_plays_imports_what_is_broken() -> None:
    for path in PACKAGE.rglob("*.py"):
        if path.relative_to(PACKAGE).parts[0] in MAY_IMPORT:
            continue
        assert not broken_imports(path.read_text(encoding="utf-8")), path


def broken_imports(source: str) -> list[str]:
    named = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            named += [alias.name for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute, so that this can be read off them"
            named += [f"{node.module}.{alias.name}" for alias in node.names]
    return [name for name in named if name.startswith("expectimax_course.failures")]


@pytest.mark.parametrize(
    "source",
    [
        "import expectimax_course.failures.keys",
        "from expectimax_course.failures import keys",
        "from expectimax_course.failures.keys import Unsafe",
        "from expectimax_course import failures",
    ],
)
def test_no_way_to_import_what_is_broken_is_overlooked(source: str) -> None:
    assert broken_imports(source)
