"""Files that the built site serves itself: MathJax, Pyodide, the apps' script and archive, our wheel."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import browser_archive

ROOT = Path(__file__).resolve().parents[2]
MODULES = ROOT / "node_modules"
PYODIDE_FILES = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip"]
LIVEAPP = "liveapp"
"""The folder below ``_static`` that holds everything an app needs."""


def npm_version(package: str) -> str:
    """Return the installed version of an npm package.

    Raises
    ------
    FileNotFoundError
        If it is not installed.
    """
    path = MODULES / package / "package.json"
    if not path.is_file():
        raise FileNotFoundError(
            f"expected the npm package {package} in node_modules, got none: run `npm ci`, or `make book`"
        )
    version: str = json.loads(path.read_text("utf8"))["version"]
    return version


def pyodide_folder() -> str:
    """Return Pyodide's folder below the apps' folder; its name carries the version."""
    return f"pyodide-{npm_version('pyodide')}"


def copy_mathjax(static: Path) -> None:
    """Copy the one MathJax file that pages load, its fonts and its licence."""
    source, target = MODULES / "mathjax" / "es5", static / "vendor" / "mathjax"
    fonts = Path("output/chtml/fonts/woff-v2")
    shutil.copytree(source / fonts, target / fonts, dirs_exist_ok=True)
    shutil.copy2(source / "tex-chtml.js", target)
    shutil.copy2(MODULES / "mathjax" / "LICENSE", target)


def copy_liveapp(static: Path) -> None:
    """Copy Pyodide, the apps' script and style, and write the archive of the course."""
    target = static / LIVEAPP
    pyodide = target / pyodide_folder()
    pyodide.mkdir(parents=True, exist_ok=True)
    for name in PYODIDE_FILES:
        shutil.copy2(MODULES / "pyodide" / name, pyodide)
        (pyodide / name).chmod(0o644)
    for name in ["liveapp.js", "apps/apps.css"]:
        shutil.copy2(ROOT / browser_archive.PACKAGE / name, target)
    content = browser_archive.archive_bytes()
    (target / browser_archive.archive_name(content)).write_bytes(content)


def wheel_name(version: str) -> str:
    """Return the file name of the wheel of that version."""
    return f"{browser_archive.PACKAGE}-{version}-py3-none-any.whl"


def build_wheel(target: Path, version: str) -> None:
    """Build our wheel into ``target`` from a fresh copy of the sources.

    A copy, because setuptools leaves a ``build`` folder behind and packs whatever an earlier run left in it.

    Raises
    ------
    RuntimeError
        If the build fails or makes a wheel of another name.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        ignore = shutil.ignore_patterns("__pycache__", "*.pyc", "*.egg-info")
        shutil.copytree(ROOT / browser_archive.PACKAGE, copy / browser_archive.PACKAGE, ignore=ignore)
        # Downloaded chapters read the records of the experiments.
        records = copy / browser_archive.PACKAGE / "_records"
        records.mkdir()
        for record in (ROOT / "book" / "_data").glob("*.json"):
            shutil.copy2(record, records)
        for name in ["pyproject.toml", "README.md", "LICENSE", "LICENSE-TEXT"]:
            shutil.copy2(ROOT / name, copy)
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
        run = subprocess.run(
            [*command, "--wheel-dir", str(target), str(copy)],
            env={**os.environ, "SOURCE_DATE_EPOCH": "315532800", "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
    if run.returncode or not (target / wheel_name(version)).is_file():
        raise RuntimeError(f"expected pip to build {wheel_name(version)}, got: {run.stdout}{run.stderr}")
