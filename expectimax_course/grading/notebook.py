"""Reading what was handed in: the code cells of a notebook, its chapter and its version.

The file is read as the JSON it is: importing nbformat takes longer than grading a submission, and what a
student hands in need not be valid to be graded. File names are never trusted: the chapter stands in the
notebook's metadata.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

KEY = "expectimax_course"
MOST_BYTES = 50 << 20


class NotebookError(ValueError):
    """A file that is no notebook of this course."""


@dataclass(frozen=True)
class CodeCell:
    """One code cell: its position counted from 1 over all cells, as a reader would count, and its source."""

    index: int
    source: str
    question: str | None = None


@dataclass(frozen=True)
class Submission:
    """A notebook as far as grading cares."""

    chapter: str
    version: str
    cells: tuple[CodeCell, ...]


def read_submission(path: Path) -> Submission:
    """Read a notebook.

    Raises
    ------
    NotebookError
        If the file is not JSON, not a notebook, or names no chapter.
    OSError
        If the file cannot be read.
    """
    size = path.stat().st_size
    if not path.is_file():
        raise NotebookError(f"expected a regular file, got {path.name!r}")
    if size == 0:
        raise NotebookError(f"expected a notebook, got the empty file {path.name!r}")
    if size > MOST_BYTES:
        raise NotebookError(f"expected a notebook of at most {MOST_BYTES >> 20} MB, got {path.name!r}")
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))  # Windows' editor puts a mark in front
    except (ValueError, RecursionError) as error:
        raise NotebookError(f"expected a notebook (JSON in UTF-8), got {path.name!r}: {error}") from None
    cells = data.get("cells") if isinstance(data, dict) else None
    if not isinstance(cells, list):
        raise NotebookError(f"expected a notebook with cells (nbformat 4), got {path.name!r}")
    about = _section(data)
    chapter = about.get("chapter")
    if not isinstance(chapter, str) or not re.fullmatch(r"\d\d_\w+", chapter):
        raise NotebookError(
            f"expected a notebook whose metadata names its chapter, as the one handed out does, got {path.name!r}"
        )
    found = (_code_cell(index, cell) for index, cell in enumerate(cells, start=1))
    return Submission(chapter, str(about.get("version", ""))[:40], tuple(cell for cell in found if cell))


def _section(owner: Mapping[str, Any]) -> Mapping[str, Any]:
    metadata = owner.get("metadata")
    section = metadata.get(KEY) if isinstance(metadata, dict) else None
    return section if isinstance(section, dict) else {}


def _code_cell(index: int, cell: Any) -> CodeCell | None:
    if not isinstance(cell, dict) or cell.get("cell_type") != "code":
        return None
    source = cell.get("source")
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    if not isinstance(source, str):
        return None
    question = _section(cell).get("question")
    return CodeCell(index, source, question if isinstance(question, str) else None)
