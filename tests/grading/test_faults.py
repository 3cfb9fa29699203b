"""Every fault that broke other graders costs one question here, and only that one.

The rows are those of a comparison of two published graders: each submission below breaks the first question
in one way and answers the second rightly with the help of the first.
"""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest

import expectimax_course
from expectimax_course.grading import grade as grade_module
from expectimax_course.grading.batch import grade_safely
from expectimax_course.grading.exports import gradescope_json, junit_xml
from expectimax_course.grading.feedback import feedback_html
from expectimax_course.grading.grade import Report, grade
from expectimax_course.rng import derive_seed

pytestmark = [pytest.mark.sandbox, pytest.mark.usefixtures("small_bank")]

SEED = 2024
OTHERS = {"90.twice": 3.0, "90.parts": 3.0}


def graded(path: Path) -> tuple[Report, str, float]:
    """Grade; assert that the other questions earn full marks; return report, status and score of the first."""
    report = grade(path, path.name, SEED)
    assert report.problem == ""
    scores = {verdict.question.id: verdict.score for verdict in report.verdicts}
    first = report.verdicts[0]
    assert {id: score for id, score in scores.items() if id != "90.mean"} == OTHERS
    return report, first.status, first.score


def function(*body: str) -> str:
    """Return a definition of ``mean`` with this body; ``right`` computes the right answer in it."""
    lines = ["right = lambda: sum(v * p for v, p in pairs)", *body]
    return "\n".join(["def mean(pairs):", *(f"    {line}" for line in lines)]) + "\n"


def test_a_correct_submission_earns_everything(write_notebook):
    assert graded(write_notebook())[1:] == ("passed", 5.0)


def test_mean_of_children_earns_its_cap_and_the_exact_diagnosis(write_notebook):
    report, status, score = graded(write_notebook(mean=function("return sum(v for v, _ in pairs) / len(pairs)")))
    assert (status, score) == ("partial", 4.0)
    assert report.verdicts[0].message == "This is the mean of the children: weight them by their probabilities."


def test_a_notebook_that_takes_too_long_as_a_whole_costs_the_questions_that_are_left(write_notebook, monkeypatch):
    monkeypatch.setattr(grade_module, "MOST_SECONDS", 0.5)
    report = grade(write_notebook(mean=function("while True: pass")), "a", SEED)
    assert [verdict.status for verdict in report.verdicts] == ["timeout"] * 3
    assert report.verdicts[1].message == "This question was not begun: those before it took more than 0.5 s together."
    assert (report.score, report.max_score) == (0.0, 11)
    assert report.verdicts[1].message in feedback_html(report)


def test_an_infinite_loop_runs_out_of_time_alone(write_notebook):
    assert graded(write_notebook(mean=function("while True: pass")))[1:] == ("timeout", 0.0)


def test_a_loop_that_swallows_interrupts_runs_out_of_time_alone(write_notebook):
    body = [
        "import signal",
        "for number in range(1, 65):",
        "    try: signal.signal(number, signal.SIG_IGN)",
        "    except (OSError, ValueError): pass",
        "while True:",
        "    try:",
        "        while True: pass",
        "    except BaseException: pass",
    ]
    assert graded(write_notebook(mean=function(*body)))[1:] == ("timeout", 0.0)


def test_sys_exit_in_the_answer_is_an_error(write_notebook):
    _, status, score = graded(write_notebook(mean=function("import sys", "sys.exit(0)")))
    assert (status, score) == ("error", 0.0)


def test_os_exit_in_the_answer_kills_one_question(write_notebook):
    report, status, score = graded(write_notebook(mean=function("import os", "os._exit(0)")))
    assert (status, score) == ("killed", 0.0)
    assert "os._exit" in report.verdicts[0].message


def test_os_exit_outside_any_function_is_left_out(write_notebook):
    report, status, score = graded(write_notebook(mean="import os\nos._exit(0)\n"))
    assert (status, score) == ("killed", 0.0)
    assert report.cell_errors == ((1, "ended Python itself"),)


def test_a_cell_that_never_ends_is_left_out(write_notebook):
    report, status, score = graded(write_notebook(mean="while True: pass\n"))
    assert (status, score) == ("timeout", 0.0)
    assert report.cell_errors == ((1, "never ended"),)


def test_a_cell_that_writes_without_end_is_left_out_and_said_to_do_that(write_notebook):
    flood = (
        "import os\n"
        "while True:\n"
        "    for channel in range(3, 16):\n"
        "        try: os.write(channel, b'x' * 65536)\n"
        "        except OSError: pass\n"
    )
    report, status, score = graded(write_notebook(mean=flood))
    assert (status, score) == ("killed", 0.0)
    assert report.cell_errors == ((1, "wrote more than can be read"),)
    assert report.verdicts[0].message.startswith("More was written in cell 1 than can be read")


def test_an_answer_that_suits_the_students_own_earlier_one_alone_counts(write_notebook):
    mean = "def mean(pairs, factor=1):\n    return factor * sum(v * p for v, p in pairs)\n"
    twice = "def twice(pairs):\n    return mean(pairs, 2)\n"
    report, status, score = graded(write_notebook(mean=mean, twice=twice))
    assert (status, score) == ("passed", 5.0)
    assert report.verdicts[1].message == "All 31 cases pass."


def test_a_mistake_that_suits_nothing_is_told_with_the_reference_in_place(write_notebook):
    mean = "def mean(pairs):\n    raise KeyError('my own')\n"
    twice = "def twice(pairs):\n    return mean(pairs) + nothing\n"
    report = grade(write_notebook(mean=mean, twice=twice), "a", SEED)
    assert [verdict.status for verdict in report.verdicts] == ["error", "error", "passed"]
    assert "NameError" in report.verdicts[1].message


def test_patching_builtins_changes_no_comparison(write_notebook):
    body = [
        "import builtins, json, math",
        "builtins.abs = lambda x: 0",
        "builtins.all = builtins.isinstance = lambda *a: True",
        "math.isclose = lambda *a, **k: True",
        "json.dumps = lambda *a, **k: 'true'",
        "return -1.0",
    ]
    assert graded(write_notebook(mean=function(*body)))[2] == 0.0


def test_an_object_equal_to_everything_equals_nothing(write_notebook):
    cell = (
        "class Yes(float):\n"
        "    def __eq__(self, other): return True\n"
        "    def __hash__(self): return 0\n"
        "    def __sub__(self, other): return 0.0\n"
        "    __rsub__ = __sub__\n"
        "class No:\n"
        "    def __eq__(self, other): return True\n"
        "    def __float__(self): return 8.5\n"
        "def mean(pairs):\n"
        "    return Yes(-3.0) if pairs[0][0] > 10 else No()\n"
    )
    assert graded(write_notebook(mean=cell))[1:] == ("wrong", 0.0)


def test_the_solution_is_not_on_the_disk(write_notebook):
    package = Path(expectimax_course.__file__).parent
    answer = package / "grading" / "bank" / "c01_expected_case.py"
    assert answer.exists()
    cell = (
        "import glob, os\n"
        f"found = [path for path in ({str(answer)!r}, {str(package)!r}) if os.path.exists(path)]\n"
        "for root in ('/', '/stage', '/site', '/usr/lib/python3'):\n"
        "    found += glob.glob(root + '/**/grading/bank/*.py', recursive=True) if root != '/' else []\n"
        "def mean(pairs):\n"
        "    return sum(v * p for v, p in pairs) if found else -1.0\n"
    )
    assert graded(write_notebook(mean=cell))[2] == 0.0


def test_nothing_is_written_outside(write_notebook, tmp_path):
    target = tmp_path / "written"
    home = Path.home() / ".expectimax-course-test"
    body = [
        f"for path in ({str(target)!r}, {str(home)!r}, '/stage/x', '/dev/shm/x', '/usr/lib/x'):",
        "    try: open(path, 'w').close()",
        "    except OSError: pass",
        "    else: return -1.0",
        "return right()",
    ]
    assert graded(write_notebook(mean=function(*body)))[2] == 5.0
    assert not target.exists()
    assert not home.exists()


def test_three_gigabytes_are_refused(write_notebook):
    report, status, score = graded(write_notebook(mean=function("return len(bytearray(3 << 30)) * 0.0 + right()")))
    assert (status, score) == ("error", 0.0)
    assert "MemoryError" in report.verdicts[0].message


def test_no_process_is_left_behind(write_notebook):
    marker = f"left-behind-{os.getpid()}"
    body = [
        "import os, subprocess, sys, threading, time",
        "if threading.active_count() == 1: threading.Thread(target=time.sleep, args=(600,)).start()",
        f"try: subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)', {marker!r}])",
        "except OSError: pass",
        "try:",
        f"    if os.fork() == 0: os.execv(sys.executable, [sys.executable, '-c', 'while 1: pass', {marker!r}])",
        "except OSError: pass",
        "return right()",
    ]
    assert graded(write_notebook(mean=function(*body)))[1:] == ("passed", 5.0)
    time.sleep(0.1)
    lines = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
    assert not any(marker.encode() in line for line in lines)


def test_a_syntax_error_in_one_cell_leaves_the_others(write_notebook):
    report, status, score = graded(write_notebook(mean="def mean(pairs)\n    return 0\n"))
    assert (status, score) == ("error", 0.0)
    assert "SyntaxError" in report.verdicts[0].message
    assert "cell 1, line 1" in report.verdicts[0].message


def test_three_hundred_thousand_prints_cost_nothing(write_notebook):
    body = [
        "if not hasattr(mean, 'done'):",
        "    mean.done = [print('debug', i) for i in range(300_000)]",
        "return right()",
    ]
    assert graded(write_notebook(mean=function(*body)))[1:] == ("passed", 5.0)


def test_nan_is_wrong_and_named(write_notebook):
    report, status, score = graded(write_notebook(mean=function("return float('nan')")))
    assert (status, score) == ("wrong", 0.0)
    failing = report.verdicts[0].failing
    assert failing is not None
    assert failing[1].value != failing[1].value


def test_asking_for_one_answer_is_held_against_that_answer_alone(write_notebook):
    cell = (
        "from expectimax_course.search.expectimax import expectimax\ndef mean(pairs):\n    return expectimax(pairs)\n"
    )
    report = grade(write_notebook(mean=cell, twice="def twice(pairs):\n    return {}[1]\n", parts=""), "a", SEED)
    assert [verdict.status for verdict in report.verdicts] == ["forbidden", "error", "not_attempted"]
    inside = "def mean(pairs):\n    import expectimax_course.exact\n"
    assert graded(write_notebook(mean=inside))[1:] == ("forbidden", 0.0)


SPY = """
import sys
frame = sys._getframe()
while "job" not in frame.f_locals:
    frame = frame.f_back
seen = "saw " + str(len(frame.f_locals["job"]["calls"])) + " calls"
"""
TELLTALES = {
    "a value": SPY + "def mean(pairs): return seen",
    "an exception": SPY + "def mean(pairs): raise Exception(seen)",
    "an exception's name": SPY + "def mean(pairs): raise type(seen, (Exception,), {})",
    "a cell's exception": SPY + "raise Exception(seen)",
    "the name of a module": SPY + "mean = __import__('expectimax_course.' + seen)",
}


@pytest.mark.parametrize("source", TELLTALES.values(), ids=TELLTALES)
def test_nothing_that_could_spell_out_a_graded_case_is_told(write_notebook, source):
    """What the report repeats was said where only practice cases could be read: the visible ones and ten drawn."""
    report, _, score = graded(write_notebook(mean=source))
    told = gradescope_json(report) + feedback_html(report) + junit_xml([report])
    assert score == 0
    counts = set(re.findall(r"saw (\d+) calls", told))
    assert counts
    assert counts <= {"12", "11", "3"}


IF_GRADED = SPY + "if len(frame.f_locals['job']['calls']) > 12:\n"
CELLS = {
    "fails": "    raise Exception",
    "hangs": "    while True: pass",
    "ends": "    import os; os._exit(0)",
}


@pytest.mark.parametrize("body", CELLS.values(), ids=CELLS)
def test_which_cells_fail_where_graded_cases_can_be_read_is_not_told(write_notebook, body):
    """A notebook has as many cells as its author likes, so a list of those that failed holds any number."""
    source = IF_GRADED + body + "\ndef mean(pairs):\n    return sum(v * p for v, p in pairs)\n"
    report = grade(write_notebook("a.ipynb", IF_GRADED + body, mean=source), "a", SEED)
    assert report.cell_errors == ()
    told = gradescope_json(report) + feedback_html(report) + junit_xml([report])
    assert not re.search(r"cell \d", told, re.IGNORECASE)
    assert [verdict.score for verdict in report.verdicts] == [0, 3, 3]


@pytest.mark.parametrize("body", CELLS.values(), ids=CELLS)
def test_cells_that_fail_in_any_case_are_told(write_notebook, body):
    report = grade(write_notebook("a.ipynb", body.strip()), "a", SEED)
    said = {"fails": "Exception (cell 1, line 1)", "hangs": "never ended", "ends": "ended Python itself"}
    assert report.cell_errors == ((1, next(said[key] for key in CELLS if CELLS[key] == body)),)
    assert report.score == 11


def test_a_notebook_with_six_cells_that_end_python_is_graded_without_them(write_notebook):
    report = grade(write_notebook("a.ipynb", *["import os; os._exit(0)"] * 6), "a", SEED)
    assert [words for _, words in report.cell_errors] == ["ended Python itself"] * 6
    assert report.score == 11


def test_no_call_carries_the_instructors_seed_nor_what_leads_back_to_it(write_notebook, monkeypatch):
    jobs = []

    def keep(job, *rest, **options):
        jobs.append(job)
        return run_job(job, *rest, **options)

    run_job = grade_module.run_job
    monkeypatch.setattr(grade_module, "run_job", keep)
    for name, chapter in (("a.ipynb", "90_small"), ("b.ipynb", "91_more")):
        grade(write_notebook(name, chapter=chapter), name, SEED)
    near = {derive_seed(SEED, index) for index in range(100)} | {SEED}
    seeds = {call["id"]: call.get("seed") for job in jobs for call in job["calls"]}
    assert not near & set(seeds.values())
    samplers = [call for job in jobs if job["kind"] == "sampler" for call in job["calls"]]
    assert len({call["seed"] for call in samplers}) == len(samplers) > 10
    assert all("seed" not in call for job in jobs if job["kind"] != "sampler" for call in job["calls"])


def test_a_fault_of_the_grader_is_not_told_as_the_students(write_notebook, monkeypatch):
    for error in (OSError(28, "No space left on device"), ValueError("a bug of ours")):

        def broken(*args, error=error, **options):
            raise error

        monkeypatch.setattr(grade_module, "run_job", broken)
        with pytest.raises(type(error)):
            grade(write_notebook(), "a", SEED)
        problem = grade_safely(write_notebook(), "a", SEED).problem
        assert problem == f"the grader failed on it ({type(error).__name__}): tell the course's authors"


def test_a_run_that_was_cut_short_repeats_no_word_of_the_students(write_notebook):
    source = SPY + "def mean(pairs):\n    if pairs[0][1] == 1: import os; os._exit(0)\n    return seen"
    report, status, _ = graded(write_notebook(mean=source))
    assert status == "killed"
    assert "saw" not in gradescope_json(report) + feedback_html(report) + junit_xml([report])
