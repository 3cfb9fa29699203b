"""A whole batch: every submission gets a report, whatever the others do; every file is written whole or not at all."""

from __future__ import annotations

import os
import re
import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from expectimax_course.grading.exports import grades_csv, gradescope_json, junit_xml, write_atomic
from expectimax_course.grading.feedback import feedback_html
from expectimax_course.grading.grade import Report, grade
from expectimax_course.grading.sandbox import SandboxError

NOTED = "seed.txt"
"""Where a folder of results keeps its seed."""
LONGEST = 200
"""Bytes of a report's name; file systems take 255, and a number and an ending come behind it."""


def find_submissions(inputs: Sequence[Path], out: Path | None = None) -> list[tuple[Path, str]]:
    """Return (file, name) of every notebook; names are relative to the folder that was given.

    In a folder every file counts with ".ipynb" in its name, such as "01.ipynb.txt" or "01.ipynb (1)", but for what
    ``left_out`` names. Where two folders hold the same relative name, the folder's own name is put in front, and where
    that is not enough, its whole path. A file that is given twice counts once.

    Parameters
    ----------
    inputs : notebooks, or folders of them
    out : where results go; what lies there is none

    Raises
    ------
    ValueError
        If an input does not exist or is ``out``, or there is no notebook at all.
    """
    found: dict[Path, tuple[Path, str]] = {}
    for given in inputs:
        if given.is_dir():
            if out is not None and out.resolve() == given.resolve():
                raise ValueError(f"expected another folder for the results than for the submissions, got {str(out)!r}")
            for path, why_not in _files(given, out):
                if not why_not:
                    found.setdefault(path.absolute(), (given, path.relative_to(given).as_posix()))
        elif given.exists():
            found.setdefault(given.absolute(), (given.absolute().parent, given.name))
        else:
            raise ValueError(f"expected a notebook or a folder of notebooks, got {str(given)!r}")
    if not found:
        raise ValueError(f"expected at least one notebook (.ipynb), got none in {', '.join(map(str, inputs))}")
    short = Counter(name for _, name in found.values())
    names = [name if short[name] == 1 else f"{given.resolve().name}/{name}" for given, name in found.values()]
    longer = Counter(names)
    return [(path, name if longer[name] == 1 else path.as_posix()) for path, name in zip(found, names, strict=True)]


def _files(folder: Path, out: Path | None) -> Iterator[tuple[Path, str]]:
    """Return (file, why it is not graded, or "") of all that somebody may have handed in, at any depth.

    Neither the results are, nor the editor's own copies, nor hidden files that do not look like notebooks.
    """
    root = folder.resolve()
    results = out.resolve() if out is not None and root in out.resolve().parents else None
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        place = root / inside
        is_notebook = ".ipynb" in path.name.lower()
        if ".ipynb_checkpoints" in inside.parts or (results and place.is_relative_to(results)):
            continue
        if path.is_symlink():
            yield path, "links are not followed"
        elif path.is_dir():
            if not os.access(path, os.R_OK | os.X_OK):
                yield path, "the folder cannot be read"
        elif any(part.startswith(".") for part in inside.parts):
            if is_notebook:
                yield path, "it is hidden: its name, or that of a folder, starts with a dot"
        else:
            yield path, "" if is_notebook else "its name does not say that it is a notebook (.ipynb)"


def left_out(inputs: Sequence[Path], out: Path) -> dict[str, str]:
    """Return the files of the folders that are not graded, and why: somebody's work may be among them."""
    folders = [given for given in inputs if given.is_dir()]
    return {path.as_posix(): why_not for given in folders for path, why_not in _files(given, out) if why_not}


def draw_seed() -> int:
    """Return a fresh secret seed from the system."""
    return secrets.randbits(63)


def seed_for(out: Path) -> int:
    """Return the seed of the results that ``out`` holds already, else a fresh one.

    Raises
    ------
    ValueError
        If what is noted there is no whole number.
    """
    noted = out / NOTED
    if not noted.exists():
        return draw_seed()
    text = noted.read_text(encoding="utf-8", errors="replace").strip()
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"expected a seed, a whole number, in {str(noted)!r}, got {text[:40]!r}") from None


def file_names(names: Sequence[str]) -> list[str]:
    """Return a safe and unique file name, without ending, for each submission; none looks like a notebook's.

    Examples
    --------
    >>> file_names(["ann/01.ipynb", "ann__01.ipynb", "../x y.ipynb"])
    ['ann__01', 'ann__01-2', '..__x_y']
    >>> file_names(["a.IPYNB.txt", "é" * 200])[0], len(file_names(["é" * 200])[0].encode())
    ('a_ipynb.txt', 200)
    """
    used: set[str] = set()
    result = []
    for name in names:
        bare = re.sub(r"\.ipynb", "_ipynb", re.sub(r"\.ipynb$", "", name, flags=re.IGNORECASE), flags=re.IGNORECASE)
        long = re.sub(r"[^\w.-]", "_", bare.replace("/", "__"))
        base = long.encode()[:LONGEST].decode(errors="ignore") or "_"
        candidate, n = base, 1
        while candidate.lower() in used:
            n += 1
            candidate = f"{base}-{n}"
        used.add(candidate.lower())
        result.append(candidate)
    return result


def grade_safely(path: Path, name: str, seed: int) -> Report:
    """Grade one submission; a fault of the grader itself becomes a report too."""
    try:
        return grade(path, name, seed)
    except SandboxError as error:
        return Report(name, problem=str(error), again=True)
    except Exception as error:
        why = f"the grader failed on it ({type(error).__name__}): tell the course's authors"
        return Report(name, problem=why, again=True)


def _stream(found: Sequence[tuple[Path, str]], seed: int, jobs: int) -> Iterator[Report]:
    if jobs == 1:  # joblib imports NumPy, which takes as long as grading a question
        return (grade_safely(path, name, seed) for path, name in found)
    from joblib import Parallel, delayed

    parallel = Parallel(n_jobs=jobs, prefer="threads", return_as="generator")
    stream: Iterator[Report] = parallel(delayed(grade_safely)(path, name, seed) for path, name in found)
    return stream


def _keep(out: Path, file: str, report: Report) -> Report:
    """Write the files of one report and return it; one that cannot be written is replaced by one that says so."""
    try:
        _write(out, file, report)
    except Exception as error:
        why = (isinstance(error, OSError) and error.strerror) or type(error).__name__
        report = Report(report.name, problem=f"its report could not be written: {why}", again=True)
        with suppress(Exception):
            _write(out, file, report)
    return report


def _write(out: Path, file: str, report: Report) -> None:
    write_atomic(out / "results" / f"{file}.json", gradescope_json(report))
    write_atomic(out / "feedback" / f"{file}.html", feedback_html(report))


def grade_all(inputs: Sequence[Path], out: Path, *, seed: int, jobs: int = 1, progress: bool = False) -> list[Report]:
    """Grade a batch and write ``grades.csv``, ``junit.xml``, ``results/*.json``, ``feedback/*.html`` and ``seed.txt``.

    The work is done by sandboxed processes, so threads are enough here; each report is written as soon as
    it is there, and an interrupted batch keeps the table of those that are done.

    Raises
    ------
    ValueError
        If there is nothing to grade, ``jobs`` is not 1 or more, or ``out`` holds the results of another seed.
    """
    from tqdm import tqdm

    if jobs < 1:
        raise ValueError(f"expected 1 or more jobs, got {jobs!r}")
    found = find_submissions(inputs, out)
    noted = out / NOTED
    if noted.exists() and seed_for(out) != seed:
        raise ValueError(f"{str(out)!r} holds the results of another seed: give that one, or another folder")
    write_atomic(noted, f"{seed}\n", mode=0o600)
    stream = _stream(found, seed, jobs)
    reports: list[Report] = []
    try:
        names = file_names([name for _, name in found])
        for report, file in zip(tqdm(stream, total=len(found), disable=not progress), names, strict=True):
            reports.append(_keep(out, file, report))
    finally:
        write_atomic(out / "grades.csv", grades_csv(reports))
        write_atomic(out / "junit.xml", junit_xml(reports))
    return reports
