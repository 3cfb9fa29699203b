"""Imports point downward only, and the core stands on the standard library alone."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "expectimax_course"
LAYERS = [
    {"game", "rng", "stats", "_jit"},
    {"trees", "random_trees", "games", "interop"},
    {"search", "exact", "evaluation", "learning"},
    {"game2048", "backgammon"},
    {"play"},
    {"failures"},
    {"viz", "experiments"},
    {"apps", "grading"},
    {"widgets", "cli"},
]
ONE_ROOM = {"trees": "trees", "random_trees": "trees"}
"""Siblings that count as one part."""
CORE = [
    "game", "rng", "stats", "trees", "random_trees", "games", "search", "exact", "play", "failures", "apps",
    "game2048.rules", "backgammon.rules", "backgammon.notation", "backgammon.search",
    "grading.check",
    "viz",
]  # fmt: skip
NOT_CORE = {"viz/curves.py"}
BLOCKED = ["numpy", "numba", "matplotlib", "scipy", "sklearn", "joblib", "tqdm", "typer", "nbformat", "anywidget"]


def part(module: str) -> str:
    return module.split(".")[1] if "." in module else module


def imports(path: Path) -> set[str]:
    """Every module of the package that a file imports, at module level or inside a function."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.startswith("expectimax_course")}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            if node.module and node.module.startswith("expectimax_course"):
                found |= {node.module} if "." in node.module else {f"{node.module}.{a.name}" for a in node.names}
    return found


def layer(name: str) -> int:
    return next((i for i, names in enumerate(LAYERS) if name in names), -1)


FILES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_downward(path: Path) -> None:
    own = path.relative_to(PACKAGE).with_suffix("").parts[0]
    for module in imports(path):
        other = part(module)
        if other in ("__version__", "expectimax_course") or own in ("__init__", "__main__"):
            continue
        if own == other or ONE_ROOM.get(own, own) == ONE_ROOM.get(other, other):
            continue
        assert layer(other) >= 0, f"{path.name} imports {module}, which stands in no layer"
        assert layer(other) < layer(own), f"{own} (layer {layer(own)}) imports {module} (layer {layer(other)})"


def test_modules_of_one_part_import_each_other_without_circles() -> None:
    graph = {
        "expectimax_course."
        + ".".join(p.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__"): imports(p)
        for p in FILES
    }
    done: set[str] = set()

    def visit(module: str, trail: tuple[str, ...]) -> None:
        assert module not in trail, f"circle: {' -> '.join([*trail, module])}"
        if module in done:
            return
        for other in graph.get(module, ()):
            if other != module and not module.startswith(other + "."):
                visit(other, (*trail, module))
        done.add(module)

    for module in graph:
        visit(module, ())


@pytest.mark.parametrize("name", CORE)
def test_the_core_needs_nothing_but_the_standard_library(name: str) -> None:
    path = PACKAGE.joinpath(*name.split("."))
    files = sorted(path.glob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
    files = [f for f in files if f.relative_to(PACKAGE).as_posix() not in NOT_CORE]
    modules = [
        "expectimax_course." + ".".join(f.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")
        for f in files
    ]
    block = f"import sys\nfor name in {BLOCKED!r}: sys.modules[name] = None\n"
    code = block + "import importlib\n" + "".join(f"importlib.import_module({m!r})\n" for m in modules)
    run = subprocess.run([sys.executable, "-S", "-c", code], cwd=PACKAGE.parent, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
