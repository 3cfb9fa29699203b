"""The part of the package that the page's own Python needs, as one zip: the apps, whatever they import, and data.

Pyodide has no NumPy here, so nothing in this part may need it; ``tests/test_browser_archive.py`` runs the very
archive with the standard library alone.

A data file goes along only where a module of the archive names it, relative to the package, in a literal tuple at its
top level; the module opens it with ``importlib.resources``::

    BROWSER_DATA = ("backgammon/nets/strong.bin",)
"""

from __future__ import annotations

import ast
import hashlib
import zipfile
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path

PACKAGE = "expectimax_course"
DATA = "BROWSER_DATA"
ROOT = Path(__file__).resolve().parents[2]


def _source(name: str) -> Path | None:
    """Return the file of a module of the package, None if there is no such module."""
    base = ROOT.joinpath(*name.split("."))
    for path in (base / "__init__.py", base.with_suffix(".py")):
        if path.is_file():
            return path
    return None


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Walk all statements but those of type checkers and of lazy module attributes."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        if isinstance(child, ast.FunctionDef) and child.name == "__getattr__":
            continue
        yield child
        yield from _statements(child)


def _imports(name: str, path: Path) -> Iterator[str]:
    """Yield the names that a module of the package imports from the package, modules or not."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in _statements(ast.parse(path.read_text("utf8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            module = ".".join([*parts, *([node.module] if node.module else [])])
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def browser_modules() -> dict[str, Path]:
    """Return name and file of every app and of every module that the apps import, directly or not, sorted."""
    found: dict[str, Path] = {}
    apps = sorted((ROOT / PACKAGE / "apps").glob("*.py"))
    names = [f"{PACKAGE}.apps.{path.stem}" for path in apps if path.stem != "__init__"]
    while names:
        name = names.pop()
        path = _source(name)
        if name in found or path is None or name.split(".")[0] != PACKAGE:
            continue
        found[name] = path
        names.extend(_imports(name, path))
        parent = name.rpartition(".")[0]
        names.extend([parent] if parent else [])
    return dict(sorted(found.items()))


def browser_data(modules: Iterable[Path]) -> list[Path]:
    """Return the data files that these modules name, sorted.

    Raises
    ------
    FileNotFoundError
        If a named file does not exist.
    """
    found = set()
    for module in modules:
        for node in ast.parse(module.read_text("utf8")).body:
            if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == [DATA]:
                found |= {ROOT / PACKAGE / name for name in ast.literal_eval(node.value)}
    if missing := sorted(path.as_posix() for path in found if not path.is_file()):
        raise FileNotFoundError(f"expected the data files that {DATA} names, got none at {', '.join(missing)}")
    return sorted(found)


def archive_bytes() -> bytes:
    """Return the zip: the same bytes for the same sources, on every machine and day."""
    buffer = BytesIO()
    modules = list(browser_modules().values())
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in [*modules, *browser_data(modules)]:
            info = zipfile.ZipInfo(path.relative_to(ROOT).as_posix(), date_time=(1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            archive.writestr(info, path.read_bytes())
    return buffer.getvalue()


def archive_name(content: bytes) -> str:
    """Return a file name that changes with the content, so that no browser keeps an old one."""
    return f"course-{hashlib.sha256(content).hexdigest()[:12]}.zip"
