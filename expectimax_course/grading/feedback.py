"""The feedback page of one submission: one HTML file that stands alone, reads on a phone, and prints."""

from __future__ import annotations

from expectimax_course import __version__
from expectimax_course.grading.explain import explain_html, prose
from expectimax_course.grading.grade import Report
from expectimax_course.grading.judge import Verdict
from expectimax_course.viz.html import element, table, text

WORDS = {
    "passed": "✓ passed",
    "partial": "◐ partial",
    "wrong": "✗ not right yet",
    "not_attempted": "○ not attempted",
    "error": "✗ error",
    "timeout": "✗ out of time",
    "killed": "✗ Python ended",
    "forbidden": "✗ not your own",
}

STYLE = """
:root { color-scheme: light dark; --ec-ink: #14181f; --ec-muted: #5b6470; --ec-paper: #fff; --ec-line:
#d5dae1;
  --ec-max: #0072b2; --ec-min: #b84f00; --ec-chance: #007d5b; --ec-leaf: #5b6470; --ec-best: #14181f; }
@media (prefers-color-scheme: dark) { :root { --ec-ink: #e8ebf0; --ec-muted: #a3acb9; --ec-paper: #14181f;
  --ec-line: #3a424e; --ec-max: #56b4e9; --ec-min: #f0a35e; --ec-chance: #35c79a; --ec-leaf: #a3acb9;
  --ec-best: #fff; } }
body { font: 1rem/1.5 system-ui, sans-serif; color: var(--ec-ink); background: var(--ec-paper);
  max-width: 46rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: .75rem 0; }
th, td { padding: .25rem .75rem .25rem 0; vertical-align: top; border-bottom: 1px solid var(--ec-line);
text-align: right; } caption { text-align: left; color: var(--ec-muted); } .ec-text { text-align: left; } th
{ font-weight: 600; } code { overflow-wrap: anywhere; } pre { overflow-x: auto; } svg { max-width: 100%;
height: auto; } .muted { color: var(--ec-muted); }
"""


def feedback_html(report: Report) -> str:
    """Return the whole page. Everything a student wrote enters it as escaped text."""
    title = f"Feedback: {report.name}"
    parts = [element("h1", text(title))]
    if report.problem:
        parts.append(element("p", text(f"This file could not be graded: {report.problem}.")))
    else:
        parts += _summary(report)
        parts += [_section(verdict) for verdict in report.verdicts]
    if report.cell_errors:
        items = (element("li", text(f"cell {index}: {error}")) for index, error in report.cell_errors)
        lead = element("p", text("These cells did not run to their end; everything else was graded without them."))
        parts.append(element("section", element("h2", text("Cells that failed")), lead, element("ul", *items)))
    head = element(
        "head", '<meta charset="utf-8"/>', VIEWPORT, element("title", text(title)), f"<style>{STYLE}</style>"
    )
    return f"<!DOCTYPE html>\n{element('html', head, element('body', element('main', *parts)), lang='en')}\n"


VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1"/>'


def _summary(report: Report) -> list[str]:
    rows = [
        [
            verdict.question.title,
            WORDS[verdict.status],
            f"{verdict.score:g} of {verdict.question.points:g}",
        ]
        for verdict in report.verdicts
    ]
    rows.append(["total", "", f"{report.score:g} of {report.max_score:g}"])
    caption = f"Chapter {report.chapter}"
    grid = table(["question", "result", "points"], rows, caption=caption, text_columns=(0, 1))
    parts = [str(grid)]
    if report.version and report.version != __version__:
        note = f"The notebook is of version {report.version} of the course; it was graded with version {__version__}."
        parts.append(element("p", text(note), class_="muted"))
    return parts


def _section(verdict: Verdict) -> str:
    question = verdict.question
    head = element("h2", text(f"{question.id} {question.title} ({verdict.score:g} of {question.points:g})"))
    lines = [element("p", element("strong", text(WORDS[verdict.status])), prose(f". {verdict.message}"))]
    if example := explain_html(verdict):
        lines.append(element("p", text("The smallest example we found that goes wrong:")) + example)
    return element("section", head, *lines)
