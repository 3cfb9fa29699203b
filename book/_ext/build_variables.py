"""What the builder of the site may set from outside: ``make book SITE_URL=… REPO_URL=… SOLUTIONS=0``."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]


class BuildVariables(NamedTuple):
    """The addresses end without a slash and are empty where unset; so are the links that need them."""

    site_url: str
    repo_url: str
    solutions: bool
    execute: bool
    date: str


def commit_date() -> str:
    """Return the day of the last commit, so that one commit builds one site; without any, or without git, today."""
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        return datetime.fromtimestamp(int(epoch), UTC).date().isoformat()
    day = ""
    with suppress(FileNotFoundError):  # no git on this machine
        command = ["git", "log", "-1", "--format=%cs"]
        day = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    return day or datetime.now(UTC).date().isoformat()


def address(name: str) -> str:
    """Read one address from the environment.

    Raises
    ------
    ValueError
        If it is set and no web address.
    """
    value = os.environ.get(name, "").rstrip("/")
    if value and not value.startswith(("https://", "http://")):
        raise ValueError(f"expected {name} to start with https:// or http://, got {value!r}")
    return value


def student_toc(toc: dict[str, Any]) -> dict[str, Any]:
    """Return a table of contents without the pages below ``solutions/`` and without a part that is then empty.

    >>> student_toc({"root": "a", "parts": [{"caption": "Solutions", "chapters": [{"file": "solutions/01"}]}]})
    {'root': 'a', 'parts': []}
    """
    parts = []
    for part in toc["parts"]:
        chapters = [entry for entry in part["chapters"] if not entry["file"].startswith("solutions/")]
        parts += [{**part, "chapters": chapters}] if chapters else []
    return {**toc, "parts": parts}


def read() -> BuildVariables:
    """Read all of them from the environment."""
    return BuildVariables(
        site_url=address("SITE_URL"),
        repo_url=address("REPO_URL"),
        solutions=os.environ.get("SOLUTIONS", "1") != "0",
        execute=os.environ.get("BOOK_EXECUTE", "1") != "0",
        date=commit_date(),
    )
