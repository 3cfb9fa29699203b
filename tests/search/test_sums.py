"""Means over outcomes round alike in every search and on every Python: none is taken by the built-in sum."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import expectimax_course

PACKAGE = Path(expectimax_course.__file__).parent
FILES = [path for part in ("search", "exact", "failures") for path in sorted((PACKAGE / part).glob("*.py"))]


def called(tree: ast.AST) -> set[str]:
    return {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_search_takes_a_mean_by_the_built_in_sum(path: Path) -> None:
    """From Python 3.12 on it makes up for rounding, and differs in the last bit from adding on the way."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    broken = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("broken_")]
    for node in broken:  # those are to be wrong
        node.body = []
    assert "sum" not in called(tree)
