"""One isolated process per question: bubblewrap where it is installed, else a plain process and a loud warning.

What the student's code finds inside: the standard library, NumPy if it asks for it, the few modules of this
package that are not the answer, a small empty /tmp. No network, no /proc, no home directory, no environment
variable, no second process and no shared memory (a system call filter), and limits on memory, time, files and
output. The judge outside kills the whole namespace when time is up.
"""

from __future__ import annotations

import atexit
import compileall
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import IO, Any

import expectimax_course
from expectimax_course.grading import isolation
from expectimax_course.grading.outcomes import told_error

STARTUP = 30.0
"""Seconds that the sandbox has to start."""
CELLS = 6
"""All cells together have this many times the limit of one; what has not begun by then is left out."""
MEMORY = 1 << 30
CHANNEL = 16 << 20
OPEN_MODULES = (
    "game.py",
    "rng.py",
    "trees.py",
    "random_trees.py",
    "games/*.py",
    "game2048/__init__.py",
    "game2048/rules.py",
    "backgammon/__init__.py",
    "backgammon/rules.py",
    "backgammon/notation.py",
    "grading/__init__.py",
    "grading/codec.py",
    "grading/magics.py",
    "grading/worker.py",
)
"""What every question may import; ``Question.allows`` adds to it, ``Question.forbids`` takes away."""

_STUB = "__version__ = {version!r}\n\n\ndef check(id, fn=None): ...\n\n\ndef hint(id): ...\n"


class SandboxWarning(UserWarning):
    """Submissions run without isolation."""


class SandboxError(RuntimeError):
    """The sandbox ended before the first line of a submission: no fault of that submission."""


@dataclass
class Transcript:
    """What came out of one sandboxed run.

    Attributes
    ----------
    answers : call id → the line of that call
    cell_errors : cell index → the error that skipped it
    forbidden : (module, cell or None inside a call) of each refused import
    calls : "function", "value", "missing", "not callable", or None if the cells never ended
    last_cell : the last cell that started
    ended : "done", "timeout", "killed" or "flooded"
    seconds : wall-clock time
    started : the worker was ready for the student's code
    """

    answers: dict[str, dict[str, Any]] = field(default_factory=dict)
    cell_errors: dict[int, dict[str, Any]] = field(default_factory=dict)
    forbidden: list[tuple[str, int | None]] = field(default_factory=list)
    calls: str | None = None
    last_cell: int | None = None
    ended: str = "killed"
    seconds: float = 0.0
    started: bool = False

    def read(self, line: bytes) -> None:
        """Take in one line; what is no line of ours is ignored, and a call answered twice counts as unanswered."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return
        match message:
            case {"started": True}:
                self.started = True
            case {"begin": int(index)} if self.calls is None:
                self.last_cell = index
            case {"cell": int(index), "error": error}:
                self.cell_errors[index] = told_error(error)
            case {"forbidden": str(module), "at": int() | None as at}:
                self.forbidden.append((module[:100], at))
            case {"calls": str(calls)} if self.calls is None:
                self.calls = calls
            case {"id": str(id)}:
                twice = {"id": id, "error": {"names": ["Exception"]}}
                self.answers[id] = twice if id in self.answers else message
            case {"done": True}:
                self.ended = "done"


@cache
def stage(allows: tuple[str, ...], forbids: tuple[str, ...] = ()) -> Path:
    """Return a folder with the part of the package that a question may import, compiled.

    Made once per process and question's modules, removed when the process ends.
    """
    package = Path(expectimax_course.__file__).parent
    folder = Path(tempfile.mkdtemp(prefix="expectimax-stage-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    target = folder / "expectimax_course"
    target.mkdir()
    stub = _STUB.format(version=expectimax_course.__version__)
    (target / "__init__.py").write_text(stub, encoding="utf-8")
    extra, closed = (
        [name.partition(".")[2].replace(".", "/") + ".py" for name in names] for names in (allows, forbids)
    )
    opened = {path for pattern in [*OPEN_MODULES, *extra] for path in package.glob(pattern)}
    for source in sorted(opened - {package / name for name in closed}):
        copy = target / source.relative_to(package)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, copy)
        (copy.parent / "__init__.py").touch()
    compileall.compile_dir(target, quiet=2)
    return folder


def run_job(job: Mapping[str, Any], staged: Path, *, seconds: float) -> Transcript:
    """Run one job of ``worker`` and return what it said.

    Parameters
    ----------
    job : see ``worker.run``; ``path`` and the limits are added here
    staged : a folder made by ``stage``
    seconds : wall-clock limit of each cell, and of all calls together

    Raises
    ------
    SandboxError
        If the sandbox does not start.
    """
    bwrap = isolation.bubblewrap()
    numpy_path = isolation.find_numpy() if any("numpy" in cell["source"] for cell in job["cells"]) else None
    limits = {"memory": MEMORY, "cells_seconds": CELLS * seconds, "cpu_seconds": (CELLS + 2) * seconds + 1}
    full = {**job, **limits, "path": []}
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as filter_file, tempfile.TemporaryFile() as errors:
        if bwrap is None:
            warnings.warn(
                "bubblewrap is missing: submissions run on this machine WITHOUT ISOLATION, with limits only. "
                "Install the package bubblewrap, or grade only code that you trust.",
                SandboxWarning,
                stacklevel=2,
            )
            full["path"] = [] if numpy_path is None else [str(numpy_path.parent)]
            command = [sys.executable, "-I", "-S", "-c", isolation.START.format(stage=str(staged))]
        else:
            full["path"] = [] if numpy_path is None else ["/site"]
            command = isolation.isolated_command(bwrap, staged, numpy_path, filter_file.fileno())
            filter_file.write(isolation.system_call_filter() or b"")
            filter_file.seek(0)
        stdin.write(json.dumps(full).encode())
        stdin.seek(0)
        try:
            process = subprocess.Popen(
                command,
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=_plain_environment() if bwrap is None else {},
                pass_fds=() if bwrap is None else (filter_file.fileno(),),
                start_new_session=True,
            )
        except OSError as error:
            raise SandboxError(f"the sandbox did not start: {error}") from None
        transcript = _listen(process, seconds)
        if not transcript.started:
            errors.seek(0)
            words = errors.read(1 << 16).decode(errors="replace").split("\n")
            why = next((line for line in reversed(words) if line), transcript.ended)
            raise SandboxError(f"the sandbox did not start: {why}")
        return transcript


def _listen(process: subprocess.Popen[bytes], seconds: float) -> Transcript:
    """Read lines until the worker is done, dies, floods the channel or runs out of time; then end everything."""
    transcript = Transcript()
    assert process.stdout is not None
    chunks: Queue[bytes] = Queue(maxsize=64)
    Thread(target=_pump, args=(process.stdout, chunks), daemon=True).start()
    started = time.monotonic()
    latest = deadline = started + STARTUP
    received, open_end = 0, True
    step: tuple[bool, int | None, str | None] = (False, None, None)
    rest: list[bytes] = []
    try:
        while transcript.ended != "done":
            chunk = chunks.get(timeout=max(0.0, deadline - time.monotonic()))
            received += len(chunk)
            if not chunk:
                open_end = False
                break
            if time.monotonic() > deadline:  # a steady trickle never leaves the queue empty
                raise Empty
            if received > CHANNEL:
                transcript.ended = "flooded"
                break
            rest.append(chunk)
            if b"\n" not in chunk:  # joining at every chunk would take quadratic time
                continue
            *lines, last = b"".join(rest).split(b"\n")
            rest = [last]
            for line in lines:
                transcript.read(line)
            if (reached := (transcript.started, transcript.last_cell, transcript.calls)) != step:
                if not step[0]:
                    latest = time.monotonic() + (CELLS + 1) * seconds  # a student can forge that a cell begins
                step, deadline = reached, time.monotonic() + seconds
            if transcript.calls is None:
                deadline = min(deadline, latest)
    except Empty:
        transcript.ended = "timeout"
    finally:
        _end(process)
        patience = time.monotonic() + 1  # without bubblewrap an orphan may hold the pipe open: it stays with its thread
        while open_end and (left := patience - time.monotonic()) > 0:
            with suppress(Empty):
                open_end = bool(chunks.get(timeout=left))
    transcript.seconds = time.monotonic() - started
    return transcript


def _pump(pipe: IO[bytes], chunks: Queue[bytes]) -> None:
    """Move what a pipe gives into a queue; an empty chunk is the end. A thread, because Windows cannot poll pipes.

    The pipe is closed here: were it closed while this thread reads, its number could be another sandbox's next.
    """
    with pipe:
        while chunk := os.read(pipe.fileno(), 1 << 16):
            chunks.put(chunk)
    chunks.put(b"")


def _plain_environment() -> dict[str, str]:
    """Return the few variables a process needs without bubblewrap; Windows cannot start Python without the second."""
    return {"OPENBLAS_NUM_THREADS": "1"} | {k: v for k, v in os.environ.items() if k.upper() == "SYSTEMROOT"}


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the process group; under bubblewrap the namespace dies with it."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()
