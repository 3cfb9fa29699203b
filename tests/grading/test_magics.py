"""What IPython reads and Python does not: left out of a cell, and nothing else with it."""

from __future__ import annotations

import pytest

from expectimax_course.grading.grade import grade
from expectimax_course.grading.magics import without_magics


@pytest.mark.parametrize(
    ("source", "python"),
    [
        ("x = 7 % 3\n%timeit f()\n  !pip list\ny = 1", "x = 7 % 3\npass\n  pass\ny = 1"),
        ("%%timeit\nf()", ""),
        ("\n%%time\nx = 1", "\npass\nx = 1"),
        ("f?\nf.g??\n?f", "pass\npass\npass"),
        ("%time f()\nx = (7\n    % 3)", "f()\nx = (7\n    % 3)"),
        ('%time f()\nx = """\n!loud\n"""', 'f()\nx = """\n!loud\n"""'),
        ("  %time x = f(a, \\\n    b)\ny = %time f(3)\n%time !ls", "  x = f(a, \\\n    b)\ny = f(3)\npass"),
        (
            "a, b = !ls\nt = %timeit -o f()\ns='x=%d' % 3",
            "a, b = get_ipython()\nt = get_ipython()\ns='x=%d' % 3",
        ),
        ("%%capture out\nx = 1", "out = get_ipython()\nx = 1"),
        ("!pip install \\\n  numpy \\\n  scipy\nx = 7 \\\n    % 3", "pass\n\n\nx = 7 \\\n    % 3"),
        ("x = 7 \\\n    % 3", "x = 7 \\\n    % 3"),
        ("def f():\n        x\n    y\n%timeit f()", "def f():\n        x\n    y\npass"),
    ],
)
def test_only_lines_of_ipython_are_replaced(source, python):
    assert without_magics(source) == python


MEAN = "def mean(pairs):\n    return sum(v * p for v, p in pairs)\n"


@pytest.mark.sandbox
@pytest.mark.usefixtures("small_bank")
@pytest.mark.parametrize(
    "mean",
    [
        "%%time\n" + MEAN,
        "%matplotlib inline\nlen?\n" + MEAN,
        "display('x')\nhelp(display)\nfiles = !ls\nprint(files[0])\n%time factor = 1\n" + MEAN.rstrip() + " * factor\n",
        "get_ipython().run_line_magic('time', 'x')\nimport asyncio\nawait asyncio.sleep(0)\n" + MEAN,
        MEAN.rstrip() + " + (\n        7\n        % 7\n    )\n",
    ],
)
def test_an_answer_beside_them_is_graded(write_notebook, mean):
    path = write_notebook(mean=mean)
    report = grade(path, path.name, 5)
    assert (report.score, report.cell_errors) == (report.max_score, ())
