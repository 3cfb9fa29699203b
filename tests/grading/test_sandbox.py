"""What a hostile student finds in the sandbox, and what a forged answer is worth."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import expectimax_course
from expectimax_course.grading import bank, isolation, sandbox
from expectimax_course.grading import grade as grading
from expectimax_course.grading.codec import Source, encode
from expectimax_course.grading.grade import earlier_references, grade
from expectimax_course.grading.outcomes import describe_error
from expectimax_course.grading.sandbox import SandboxError, SandboxWarning, Transcript, run_job, stage

SEED = 7


def run(source: str, *, seconds: float = 5.0, calls: int = 1) -> Transcript:
    """Run one cell that defines ``f``, and call it with 3.0."""
    requests = [{"id": f"call-{n}", "args": [3.0], "shown": True} for n in range(calls)]
    cell = {"index": 1, "source": source}
    job = {"name": "f", "kind": "function", "cells": [cell], "references": [], "calls": requests}
    return run_job(job, stage(()), seconds=seconds)


def answer(source: str) -> object:
    """Return what ``f`` returned."""
    return run(source).answers["call-0"].get("value")


def attempt(expression: str) -> object:
    """Return the value of an expression in the sandbox, or the name of what it raised."""
    return answer(
        "import os, socket, subprocess, sys, threading\n"
        "def f(x):\n"
        f"    try: return {expression}\n"
        "    except BaseException as error: return type(error).__name__\n"
    )


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("os.fork()", "PermissionError"),
        ("subprocess.run(['/bin/sh', '-c', 'true'])", "PermissionError"),
        ("os.listdir('/proc')", "FileNotFoundError"),
        ("os.listdir(os.path.expanduser('~'))", "FileNotFoundError"),
        ("open('/etc/passwd').read()", "FileNotFoundError"),
        ("socket.create_connection(('127.0.0.1', 80), 1)", "OSError"),
        ("open('/stage/new', 'w')", "OSError"),
        ("open('/dev/shm/new', 'w')", "OSError"),
        ("sorted(os.environ)", ["LC_CTYPE", "OPENBLAS_NUM_THREADS", "PWD"]),
        ("os.getuid()", 65534),
        ("len(bytearray(2 << 30))", "MemoryError"),
        ("__import__('resource').setrlimit(__import__('resource').RLIMIT_AS, (-1, -1))", "ValueError"),
        ("__import__('ctypes').CDLL(None).syscall(435, 0, 0)", -1),
        ("__import__('ctypes').CDLL(None).shmget(0, 80_000_000, 0o1600)", -1),
        ("__import__('ctypes').CDLL(None).msgget(0, 0o1600)", -1),
        ("__import__('ctypes').CDLL(None).semget(0, 30_000, 0o1600)", -1),
        ("os.setuid(0)", "OSError"),
        ("__import__('pip')", "ModuleNotFoundError"),
        ("input()", "EOFError"),
        ("threading.Thread(target=print).start() or 'started'", "started"),
    ],
)
def test_the_sandbox_holds_nothing_worth_having(expression, found):
    got = attempt(expression)
    if found == "OSError":
        assert got in ("OSError", "ConnectionRefusedError", "PermissionError")
    else:
        assert got == found


@pytest.mark.sandbox
def test_a_full_disk_stays_in_the_sandbox():
    source = (
        "def f(x):\n"
        "    try:\n"
        "        for n in range(100):\n"
        "            with open(f'/tmp/{n}', 'wb') as file: file.write(bytes(1_000_000))\n"
        "    except OSError: return n\n"
    )
    assert answer(source) in range(10, 20)


@pytest.mark.sandbox
def test_only_the_open_part_of_the_package_is_there():
    listed = answer(
        "import os\n"
        "def f(x):\n"
        "    return sorted(os.path.join(top, name) for top, _, names in os.walk('/stage') for name in names"
        " if name.endswith('.py'))\n"
    )
    assert isinstance(listed, list)
    assert "/stage/expectimax_course/game.py" in listed
    closed = ("search", "exact", "bank", "judge", "check", "stats", "learning", "evaluation")
    assert not [path for path in listed if any(word in path for word in closed)]


@pytest.mark.sandbox
def test_every_open_module_imports_inside():
    package = Path(expectimax_course.__file__).parent
    files = [path for pattern in sandbox.OPEN_MODULES for path in package.glob(pattern)]
    names = [".".join(("expectimax_course", *path.relative_to(package).with_suffix("").parts)) for path in files]
    names = [name.removesuffix(".__init__") for name in names]
    transcript = run(
        f"import importlib\ndef f(x):\n    return [importlib.import_module(n).__name__ for n in {names!r}]"
    )
    assert transcript.answers["call-0"].get("value") == names
    assert transcript.forbidden == []


@pytest.mark.sandbox
def test_numpy_is_there_for_those_who_use_it():
    assert answer("import numpy as np\ndef f(x):\n    return [np.float64(x), np.array([1, 2]), np.True_]") == [
        3.0,
        [1, 2],
        True,
    ]


@pytest.mark.sandbox
def test_drawing_does_nothing_and_fails_nothing():
    source = (
        "import matplotlib.pyplot as plt\n"
        "from expectimax_course.widgets import LiveApp\n"
        "from expectimax_course import check, hint\n"
        "figure, axes = plt.subplots(2, 2)\n"
        "axes[0].plot([1], label='x').set(color='red')\n"
        "with plt.style.context('x'): plt.show()\n"
        "LiveApp('push')\n"
        "check('01.weighted_value')\n"
        "def f(x): return x\n"
    )
    transcript = run(source)
    assert transcript.cell_errors == {}
    assert transcript.answers["call-0"]["value"] == 3.0


@pytest.mark.sandbox
@pytest.mark.parametrize(
    "use",
    [
        "n, bins, patches = plt.hist([1, 2])",
        "line, = plt.plot([1, 2])",
        "(line,), (a, b, c, d) = plt.plot([1]), plt.subplots(1, 4)",
        "fig, (a, b, c) = plt.subplots(1, 3)",
        "fig, ((a, b), (c, d)) = plt.subplots(2, 2)",
        "first, *rest = plt.plot([1], [2])",
        "for ax in plt.subplots(2)[1].flat: ax.set_ylim(0, ax.get_ylim()[1] * 1.1)",
        "for ax, n in zip(plt.subplots(2)[1], [1, 2]): ax.plot(n)",
        "number = len(plt.gca().lines) + int(plt.x) + float(plt.x)",
        "ax = plt.gca(); ax.y = 1 - ax.x / 2 + abs(-ax.x) ** 2; ax[0] = 3; wide = ax.x > 3 or not ax.x",
        "print(f'{plt.xlim()[0]:.2f}', round(plt.x, 2), list(range(plt.x)), 3 in plt.x, [1, 2][plt.x])",
        "class Figure(plt.Figure):\n    pass\nFigure(1).draw()",
        "def draw(ax: plt.Axes | None = None) -> list[plt.Axes]: pass",
    ],
)
def test_whatever_is_done_with_a_drawing_the_answer_still_counts(use):
    transcript = run(f"import matplotlib.pyplot as plt\n{use}\ndef f(x): return x\n")
    assert transcript.cell_errors == {}
    assert transcript.answers["call-0"]["value"] == 3.0


@pytest.mark.sandbox
def test_importing_the_answer_key_is_reported():
    transcript = run("from expectimax_course.search.expectimax import expectimax as f")
    assert transcript.forbidden == [("expectimax_course.search", 1)]
    assert "write this one yourself" in transcript.cell_errors[1]["message"]
    assert transcript.calls == "missing"


@pytest.mark.sandbox
def test_a_flood_of_answers_is_cut():
    assert run("def f(x):\n    return ['x' * 90_000] * 100", calls=3).ended == "flooded"


TRICKLE = """
import os, time
def f(x):
    for channel in range(3, 64):
        try:
            while True:
                os.write(channel, {chunk})
        except OSError: pass
"""


@pytest.mark.sandbox
@pytest.mark.parametrize(("chunk", "ended"), [("b'x' * 65536", "flooded"), ("b'x'", "timeout")])
def test_garbage_without_an_end_is_cut(chunk, ended):
    transcript = run(TRICKLE.format(chunk=chunk), seconds=3.0 if ended == "flooded" else 0.5)
    assert transcript.ended == ended
    assert transcript.seconds < 5


@pytest.mark.sandbox
def test_an_interrupted_run_keeps_the_answers_before_it():
    transcript = run(
        "n = []\ndef f(x):\n    n.append(1)\n    while len(n) > 2: pass\n    return len(n)", seconds=0.5, calls=4
    )
    assert transcript.ended == "timeout"
    assert [transcript.answers[f"call-{k}"]["value"] for k in range(2)] == [1, 2]


@pytest.mark.sandbox
@pytest.mark.parametrize(
    "body",
    [
        "import os; os.abort()",
        "import ctypes; ctypes.string_at(0)",
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
        "import ctypes, os, sys; sys.modules.clear(); sys.meta_path.clear(); ctypes.memset(id(f), 0, 64); f(x)",
    ],
)
def test_a_crash_ends_as_killed(body):
    assert run(f"def f(x):\n    {body}").ended == "killed"


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("returned", "told"),
    [
        ("(n for n in [1])", {"$type": "generator"}),
        ("object()", {"$type": "object"}),
        ("10**5000", {"$type": "an enormous integer"}),
        ("'x' * 10**6", {"$type": "an enormous text"}),
        ("[0] * 10**6", {"$type": "a list of 1000000 items"}),
        ("float('-inf')", {"$float": "-inf"}),
        ("...", {"$type": "..."}),
        ("{'b': {1}}", {"$dict": [["b", [1]]]}),
    ],
)
def test_any_value_comes_out_as_plain_data(returned, told):
    assert answer(f"def f(x):\n    return {returned}") == told


@pytest.mark.sandbox
def test_a_value_that_contains_itself_ends():
    got = answer("def f(x):\n    a = []\n    a.append(a)\n    return a")
    assert "nested too deeply" in str(got)


@pytest.mark.sandbox
def test_an_exception_with_evil_text_is_still_an_error():
    source = "class Evil(Exception):\n    def __str__(self): raise SystemExit\ndef f(x): raise Evil\n"
    assert run(source).answers["call-0"]["error"] == {"names": ["Exception"]}


@pytest.mark.sandbox
def test_errors_of_hidden_cases_carry_no_text():
    cell = {"index": 1, "source": "def f(x):\n    raise type('secret%s' % x, (ValueError,), {})(x)"}
    calls = [{"id": "a", "args": [3.0], "shown": False}]
    job = {"name": "f", "kind": "function", "cells": [cell], "references": [], "calls": calls}
    error = run_job(job, stage(()), seconds=5).answers["a"]["error"]
    assert error == {"names": ["ValueError", "Exception", "BaseException", "object"]}


UNRESOLVED = """
import builtins, dis
def f(names):
    missing = [name for name in names if name not in globals()]
    for name in names:
        codes = [getattr(globals().get(name), "__code__", None)]
        for code in filter(None, codes):
            codes += [constant for constant in code.co_consts if hasattr(constant, "co_code")]
            used = {step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"}
            missing += sorted(used - globals()[name].__globals__.keys() - vars(builtins).keys())
    return missing
"""


@pytest.mark.sandbox
@pytest.mark.parametrize("chapter", bank.chapters())
def test_the_references_of_earlier_questions_have_all_that_they_need(chapter):
    for question in bank.questions(chapter):
        references = earlier_references(question)
        names = [entry["question"].partition(".")[2] for entry in references if entry["question"]]
        calls = [{"id": "a", "args": [names], "shown": True}]
        cell = {"index": 1, "source": UNRESOLVED}
        job = {"name": "f", "kind": "function", "cells": [cell], "references": references, "calls": calls}
        transcript = run_job(job, stage(question.allows, question.forbids), seconds=5)
        assert transcript.answers["a"].get("value") == [], question.id
        assert transcript.forbidden == []


@pytest.mark.sandbox
def test_a_reference_that_fails_is_not_passed_over():
    cell = {"index": 1, "source": "def f(x): return x"}
    calls = [{"id": "a", "args": [3.0], "shown": True}]
    references = [{"question": None, "source": "import expectimax_course.search"}]
    job = {"name": "f", "kind": "function", "cells": [cell], "references": references, "calls": calls}
    with pytest.raises(SandboxError, match=r"expectimax_course.search is not part of this exercise"):
        run_job(job, stage(()), seconds=5)


KEYWORDS = """
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar as Shared
def f(x):
    @dataclass
    class Total:
        value: float
        rest: KW_ONLY
        faces: int = 6
        bust: Shared[float] = 0.0
    return [Total(x, faces=8).faces, sorted(Total.__annotations__), type(Total.__annotations__["value"]).__name__]
"""
"""Nothing in it is true where annotations are texts."""


@pytest.mark.sandbox
def test_a_cell_is_compiled_without_the_graders_own_future():
    assert answer(KEYWORDS) == [8, ["bust", "faces", "rest", "value"], "type"]


@pytest.mark.sandbox
def test_a_reference_and_a_candidate_are_compiled_without_the_graders_own_future():
    cell = {"index": 1, "source": "def f(g):\n    return [h(1), g(1)]"}
    source = "def {}(x: int):\n    return {}.__annotations__['x'] is int"
    calls = [{"id": "a", "args": [encode(Source(source.format("g", "g"), "g"))], "shown": True}]
    references = [{"question": "1.h", "source": source.format("h", "h")}]
    job = {"name": "f", "kind": "function", "cells": [cell], "references": references, "calls": calls}
    assert run_job(job, stage(()), seconds=5).answers["a"]["value"] == [True, True]


@pytest.mark.sandbox
def test_cells_share_future_statements_and_a_main_module_as_in_a_notebook():
    cells = [
        "from __future__ import annotations",
        "from dataclasses import dataclass\nfrom typing import ClassVar as Shared",
        "@dataclass\nclass Total:\n    bust: Shared[Unknown] = 1.0\n    value: float = 2.0",
        "import __main__\ndef f(x): return [__main__.Total(x).value, Total.__annotations__['value']]",
    ]
    numbered = [{"index": index, "source": source} for index, source in enumerate(cells)]
    calls = [{"id": "a", "args": [3.0], "shown": True}]
    job = {"name": "f", "kind": "function", "cells": numbered, "references": [], "calls": calls}
    transcript = run_job(job, stage(()), seconds=5)
    assert (transcript.cell_errors, transcript.answers["a"].get("value")) == ({}, [3.0, "float"])


def run_cells(*sources: str, seconds: float) -> Transcript:
    """Run these cells, numbered from 1, then one that defines ``f``, and call it with 3.0."""
    cells = [{"index": index, "source": source} for index, source in enumerate((*sources, "def f(x): return x"), 1)]
    calls = [{"id": "a", "args": [3.0], "shown": True}]
    job = {"name": "f", "kind": "function", "cells": cells, "references": [], "calls": calls}
    return run_job(job, stage(()), seconds=seconds)


@pytest.mark.sandbox
def test_each_cell_has_the_whole_limit_to_itself():
    transcript = run_cells(*["import time; time.sleep(0.6)"] * 3, seconds=1.0)
    assert (transcript.ended, transcript.cell_errors) == ("done", {})
    transcript = run_cells("import time; time.sleep(0.6)", "while True: pass", seconds=1.0)
    assert (transcript.ended, transcript.last_cell) == ("timeout", 2)


@pytest.mark.sandbox
def test_cells_that_take_too_long_together_leave_out_those_below_them_and_say_so():
    transcript = run_cells(*["import time; time.sleep(0.75)"] * 10, seconds=1.0)
    assert (transcript.ended, transcript.calls) == ("done", "missing")
    assert sorted(transcript.cell_errors) == [9, 10, 11]
    assert "the cells above it took more than 6 s" in describe_error(transcript.cell_errors[11])


def test_the_instructors_page_names_the_limits():
    text = (Path(__file__).parents[2] / "book" / "instructors.md").read_text(encoding="utf-8")
    assert {question.seconds for chapter in bank.chapters() for question in bank.questions(chapter)} == {5.0}
    assert sandbox.CELLS == 6
    assert "Each cell may run for five seconds and all cells together for six times as long" in text
    assert grading.MOST_SECONDS == 5 * 60
    assert "after five minutes for one notebook no further question is begun" in text


@pytest.mark.sandbox
def test_forging_that_cells_begin_does_not_stretch_the_time():
    source = (
        "import os, time\n"
        "for number in range(100):\n"
        "    for channel in range(3, 16):\n"
        "        try: os.write(channel, b'{\"begin\": %d}\\n' % number)\n"
        "        except OSError: pass\n"
        "    time.sleep(0.1)\n"
    )
    transcript = run_cells(source, seconds=0.3)
    assert transcript.ended == "timeout"
    assert transcript.seconds < 6  # the cell would take 10 s


FORGERIES = {
    "answers all calls with nothing and stops": "send(b'{\"done\": true}')",
    "answers every call twice": "[send(json.dumps({'id': c['id'], 'value': 1.0}).encode()) for c in calls()]",
    "deep json": "send(b'[' * 100_000); send(b'{\"id\": \"x\", \"value\": ' + b'[' * 900 + b']' * 900 + b'}')",
    "errors of the wrong shape": "[send(json.dumps({'cell': n, 'error': e}).encode()) for n, e in "
    "[(1, {}), (1, {'names': []}), (10**30, {'names': [3]}), (2, {'names': ['X'], 'where': [1], 'message': {}})]]",
    "an endless fraction": "[send(json.dumps({'id': c['id'], 'value': {'$fraction': '1e999999999'}}).encode()) "
    "for c in calls()]",
    "values of no form": "[send(json.dumps({'id': c['id'], 'value': v}).encode()) for c, v in zip(calls(), "
    "[{'$dict': [[{}, 1]]}, {'$dict': 3}, {'$float': []}, {}, {'$type': {}}, {'$fraction': '1/0'}, [{'$x': 1}]])]",
    "surrogates and control characters": "send(json.dumps({'cell': 1, 'error': {'names': ['\\ud800\\x00<b>'], "
    "'message': ']]>\\x1b'}}).encode())",
}


@pytest.mark.sandbox
@pytest.mark.usefixtures("small_bank")
@pytest.mark.parametrize("forgery", FORGERIES.values(), ids=FORGERIES)
def test_a_forged_channel_earns_nothing_and_breaks_nothing(write_notebook, tmp_path, forgery):
    from expectimax_course.grading.batch import grade_all

    source = (
        "import json, os, sys\n"
        "def calls():\n"
        "    frame = sys._getframe()\n"
        "    while 'job' not in frame.f_locals: frame = frame.f_back\n"
        "    return frame.f_locals['job']['calls']\n"
        "def send(line):\n"
        "    for channel in range(3, 16):\n"
        "        try: os.write(channel, line + b'\\n')\n"
        "        except OSError: pass\n"
        f"def mean(pairs):\n    {forgery}\n    return -1.0\n"
    )
    path = write_notebook(mean=source)
    (report,) = grade_all([path], tmp_path / "out", seed=SEED)
    assert report.verdicts[0].score == 0
    assert [verdict.score for verdict in report.verdicts[1:]] == [3, 3]
    assert (tmp_path / "out" / "feedback" / "submission.html").read_text(encoding="utf-8").endswith("</html>\n")


@pytest.mark.sandbox
@pytest.mark.usefixtures("small_bank")
@pytest.mark.parametrize(
    ("tool", "folder", "why"),
    [
        (None, "gone", "Can't find source path /gone"),
        ("/bin/false", "/", "killed"),
        ("/gone", "/", "No such file or directory: '/gone'"),
    ],
)
def test_a_sandbox_that_does_not_start_is_held_against_no_submission(write_notebook, monkeypatch, tool, folder, why):
    if tool is not None:
        monkeypatch.setattr(isolation, "bubblewrap", lambda: tool)
    if folder == "gone":
        monkeypatch.setattr(grading, "stage", lambda allows, forbids: Path("/gone"))
    with pytest.raises(SandboxError, match=f"the sandbox did not start: .*{why}"):
        grade(write_notebook(), "a", SEED)


@pytest.mark.usefixtures("small_bank")
def test_without_bubblewrap_too_a_folder_that_is_gone_is_no_fault_of_the_submission(write_notebook, monkeypatch):
    monkeypatch.setattr(isolation, "bubblewrap", lambda: None)
    monkeypatch.setattr(grading, "stage", lambda allows, forbids: Path("/gone"))
    with pytest.warns(SandboxWarning), pytest.raises(SandboxError, match="did not start: ModuleNotFoundError"):
        grade(write_notebook(), "a", SEED)


@pytest.mark.usefixtures("small_bank")
def test_without_bubblewrap_it_works_and_warns_loudly(write_notebook, monkeypatch):
    monkeypatch.setattr(isolation, "bubblewrap", lambda: None)
    with pytest.warns(SandboxWarning, match="WITHOUT ISOLATION"):
        report = grade(write_notebook(mean="import numpy as np\ndef mean(p):\n    return np.dot(*zip(*p))"), "a", SEED)
    assert report.score == report.max_score


@pytest.mark.usefixtures("small_bank")
def test_without_bubblewrap_an_endless_loop_still_ends(write_notebook, monkeypatch):
    monkeypatch.setattr(isolation, "bubblewrap", lambda: None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SandboxWarning)
        report = grade(write_notebook(mean="def mean(pairs):\n    while True: pass"), "a", SEED)
    assert [verdict.status for verdict in report.verdicts] == ["timeout", "passed", "passed"]


@pytest.mark.filterwarnings("ignore::expectimax_course.grading.sandbox.SandboxWarning")
@pytest.mark.parametrize(("chunk", "pause"), [("b'x'", 0.3), ("b'x' * 65536", 0)])
def test_without_bubblewrap_an_orphan_that_writes_on_and_on_holds_nothing_up(monkeypatch, chunk, pause):
    monkeypatch.setattr(isolation, "bubblewrap", lambda: None)
    source = (
        "import os, time\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    end = time.monotonic() + 6\n"
        "    while time.monotonic() < end:\n"
        "        for channel in range(3, 16):\n"
        f"            try: os.write(channel, {chunk})\n"
        "            except OSError: pass\n"
        f"        time.sleep({pause})\n"
        "    os._exit(0)\n"
        "os._exit(0)\n"
    )
    transcript = run(source, seconds=1.0)
    assert transcript.ended in ("timeout", "flooded")
    assert transcript.seconds < 4


def test_a_bubblewrap_that_cannot_make_namespaces_counts_as_missing(monkeypatch):
    monkeypatch.setattr(isolation.shutil, "which", lambda name: "/bin/false")
    isolation.bubblewrap.cache_clear()
    try:
        assert isolation.bubblewrap() is None
    finally:
        isolation.bubblewrap.cache_clear()


def test_the_filter_is_known_on_common_machines_only(monkeypatch):
    for machine, size in (("x86_64", 23), ("aarch64", 19), ("riscv64", None)):
        monkeypatch.setattr(isolation.platform, "machine", lambda machine=machine: machine)
        isolation.system_call_filter.cache_clear()
        program = isolation.system_call_filter()
        assert (None if program is None else len(program) // 8) == (size if sys.platform == "linux" else None)
    isolation.system_call_filter.cache_clear()


def test_staged_folders_vanish_with_the_process(tmp_path):
    code = "from expectimax_course.grading.sandbox import stage; print(stage(()))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert Path(out).name.startswith("expectimax-stage-")
    assert not Path(out).exists()
