"""A whole batch: every submission gets a report, whatever the others do; every file is written whole or not at all."""

from __future__ import annotations

import re
import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from expectimax_course.grading.exports import grades_csv, gradescope_json, junit_xml, write_atomic
from expectimax_course.grading.feedback import feedback_html
from expectimax_course.grading.grade import Report, grade
from expectimax_course.grading.sandbox import SandboxError


def find_submissions(inputs: Sequence[Path]) -> list[tuple[Path, str]]:
    """Return (file, name) of every notebook; names are relative to the folder that was given.

    In a folder every file counts with ".ipynb" in its name, such as "01.ipynb.txt" or "01.ipynb (1)". Where two folders
    hold the same relative name, the folder's own name is put in front, and where that is not enough, its whole path. A
    file that is given twice counts once.

    Raises
    ------
    ValueError
        If an input does not exist, or there is no notebook at all.
    """
    found: dict[Path, tuple[Path, str]] = {}
    for given in inputs:
        if given.is_dir():
            for path in _files(given):
                if ".ipynb" in path.name.lower():
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


def _files(folder: Path) -> list[Path]:
    """Return what lies in a folder, at any depth, except for hidden files and folders."""
    inside = ((path, path.relative_to(folder).parts) for path in sorted(folder.rglob("*")))
    return [path for path, parts in inside if not path.is_dir() and not any(part.startswith(".") for part in parts)]


def left_out(inputs: Sequence[Path], out: Path) -> list[str]:
    """Return the files of the folders that are not graded, except for the output: somebody's work may be among them."""
    folders = [given for given in inputs if given.is_dir()]
    others = (path for given in folders for path in _files(given) if ".ipynb" not in path.name.lower())
    return [path.as_posix() for path in others if out.resolve() not in path.resolve().parents]


def draw_seed() -> int:
    """Return a fresh secret seed from the system."""
    return secrets.randbits(63)


def file_names(names: Sequence[str]) -> list[str]:
    """Return a safe and unique file name, without ending, for each submission.

    Examples
    --------
    >>> file_names(["ann/01.ipynb", "ann__01.ipynb", "../x y.ipynb"])
    ['ann__01', 'ann__01-2', '..__x_y']
    """
    used: set[str] = set()
    result = []
    for name in names:
        base = re.sub(r"[^\w.-]", "_", name.removesuffix(".ipynb").replace("/", "__"))[:150] or "_"
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
        return Report(name, problem=str(error))
    except Exception as error:
        return Report(name, problem=f"the grader failed on it ({type(error).__name__}): tell the course's authors")


def _stream(found: Sequence[tuple[Path, str]], seed: int, jobs: int) -> Iterator[Report]:
    if jobs == 1:  # joblib imports NumPy, which takes as long as grading a question
        return (grade_safely(path, name, seed) for path, name in found)
    from joblib import Parallel, delayed

    parallel = Parallel(n_jobs=jobs, prefer="threads", return_as="generator")
    stream: Iterator[Report] = parallel(delayed(grade_safely)(path, name, seed) for path, name in found)
    return stream


def grade_all(inputs: Sequence[Path], out: Path, *, seed: int, jobs: int = 1, progress: bool = False) -> list[Report]:
    """Grade a batch and write ``grades.csv``, ``junit.xml``, ``results/*.json``, ``feedback/*.html`` and ``seed.txt``.

    The work is done by sandboxed processes, so threads are enough here; each report is written as soon as
    it is there, and an interrupted batch keeps the table of those that are done.

    Raises
    ------
    ValueError
        If there is nothing to grade, or ``jobs`` is not 1 or more.
    """
    from tqdm import tqdm

    if jobs < 1:
        raise ValueError(f"expected 1 or more jobs, got {jobs!r}")
    found = find_submissions(inputs)
    write_atomic(out / "seed.txt", f"{seed}\n")
    stream = _stream(found, seed, jobs)
    reports: list[Report] = []
    try:
        names = file_names([name for _, name in found])
        for report, file in zip(tqdm(stream, total=len(found), disable=not progress), names, strict=True):
            reports.append(report)
            write_atomic(out / "results" / f"{file}.json", gradescope_json(report))
            write_atomic(out / "feedback" / f"{file}.html", feedback_html(report))
    finally:
        write_atomic(out / "grades.csv", grades_csv(reports))
        write_atomic(out / "junit.xml", junit_xml(reports))
    return reports
