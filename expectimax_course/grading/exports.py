"""Grades for other programs: CSV for spreadsheets, Gradescope's results.json, JUnit XML.

What students wrote (file names, messages, values) goes into these files, so every writer here cleans and
escapes it.

References
----------
Gradescope: https://gradescope-autograders.readthedocs.io/en/latest/specs/.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from expectimax_course.grading.explain import explain_text
from expectimax_course.grading.grade import Report
from expectimax_course.grading.judge import Verdict

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def clean(text: str) -> str:
    """Replace what no XML or UTF-8 file may hold.

    Examples
    --------
    >>> clean("a" + chr(0) + chr(0xD800) + "b")
    'a��b'
    """
    return _CONTROL.sub("�", text)


def write_atomic(path: Path, text: str, mode: int = 0o644) -> None:
    """Write a file so that it is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(clean(text))
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def grades_csv(reports: Sequence[Report]) -> str:
    """Return one row per submission; a submission that could not be graded has empty scores.

    A name that a spreadsheet would run as a formula gets an apostrophe in front.
    """
    by_chapter = sorted(reports, key=lambda report: report.chapter)
    ids = list(dict.fromkeys(verdict.question.id for report in by_chapter for verdict in report.verdicts))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["submission", "chapter", "score", "max_score", "seconds", *ids])
    for report in reports:
        name = "'" + report.name if report.name.startswith(("=", "+", "-", "@", "\t", "\r")) else report.name
        points = {verdict.question.id: f"{verdict.score:g}" for verdict in report.verdicts}
        total = ["", ""] if report.problem else [f"{report.score:g}", f"{report.max_score:g}"]
        row = [name, report.chapter, *total, f"{report.seconds:.2f}", *(points.get(id, "") for id in ids)]
        writer.writerow(row)
    return out.getvalue()


def verdict_text(verdict: Verdict) -> str:
    """Return message and failing case as text."""
    return "\n".join([verdict.message, *explain_text(verdict)])


def gradescope_json(report: Report) -> str:
    """Return Gradescope's results.json for one submission."""
    tests: list[dict[str, Any]] = [
        {
            "number": str(position),
            "name": f"{verdict.question.id} {verdict.question.title}",
            "score": verdict.score,
            "max_score": verdict.question.points,
            "status": "passed" if verdict.status == "passed" else "failed",
            "output": clean(f"{verdict.status}: {verdict_text(verdict)}"),
            "output_format": "text",
            "visibility": "visible",
        }
        for position, verdict in enumerate(report.verdicts, start=1)
    ]
    skipped = [f"Cell {index} was skipped: {error}" for index, error in report.cell_errors]
    result: dict[str, Any] = {
        "output": clean("\n".join([report.problem, *skipped] if report.problem else skipped)),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "execution_time": round(report.seconds, 2),
        "tests": tests,
    }
    if report.problem:
        result["score"] = 0
    return json.dumps(result, indent=1)


def junit_xml(reports: Sequence[Report]) -> str:
    """Return JUnit XML: a suite per submission, a case per question, points as properties (JUnit has none)."""
    root = ElementTree.Element("testsuites", name="expectimax_course")
    for report in reports:
        suite = ElementTree.SubElement(root, "testsuite", name=clean(report.name), time=f"{report.seconds:.2f}")
        counts = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
        if report.problem:
            case = ElementTree.SubElement(suite, "testcase", classname=clean(report.name), name="notebook")
            ElementTree.SubElement(case, "error", message=clean(report.problem))
            counts["tests"] = counts["errors"] = 1
        for verdict in report.verdicts:
            counts["tests"] += 1
            kind = _junit_case(suite, clean(report.name), verdict)
            if kind:
                counts[kind] += 1
        for key, count in counts.items():
            suite.set(key, str(count))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _junit_case(suite: ElementTree.Element, name: str, verdict: Verdict) -> str | None:
    """Add one case; return which of the suite's counters it belongs to."""
    case = ElementTree.SubElement(suite, "testcase", classname=name, name=verdict.question.id)
    case.set("time", f"{verdict.seconds:.2f}")
    properties = ElementTree.SubElement(case, "properties")
    for key, value in (
        ("score", f"{verdict.score:g}"),
        ("max_score", f"{verdict.question.points:g}"),
        ("status", verdict.status),
    ):
        ElementTree.SubElement(properties, "property", name=key, value=value)
    if verdict.status == "passed":
        return None
    tag, counter = {
        "not_attempted": ("skipped", "skipped"),
        "partial": ("failure", "failures"),
        "wrong": ("failure", "failures"),
    }.get(verdict.status, ("error", "errors"))
    ElementTree.SubElement(case, tag, message=clean(verdict.message)).text = clean(verdict_text(verdict))
    return counter
