"""Run an experiment: tasks in parallel, each with its own seed, each kept as soon as it is done.

Nothing that a run returns depends on the number of processes, on the order in which they finish, or on how often the
run was interrupted: a task is a pure function of its arguments and its seed; results come in the order of the tasks.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import importlib.util
import inspect
import json
import os
import platform
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

from expectimax_course import __version__
from expectimax_course.experiments import record as records
from expectimax_course.rng import derive_seed

_LIBRARIES = {"numpy": "numpy", "numba": "numba", "scipy": "scipy", "sklearn": "scikit-learn", "joblib": "joblib"}
"""Modules whose version a record states where they were used, and all of them where times are reported, with the names
they are installed by."""


class Job:
    """What an experiment may ask of the framework while it runs.

    Parameters
    ----------
    folder : where this run keeps its checkpoints
    quick : whether this is the short run
    jobs : number of processes; None leaves the choice to ``joblib.parallel_config`` (else one)
    """

    def __init__(self, folder: Path, *, quick: bool = False, jobs: int | None = None) -> None:
        self.folder = folder
        self.quick = quick
        self.jobs = jobs
        self.task_seconds = 0.0
        self._seconds_here = 0.0
        self.tasks.mkdir(parents=True, exist_ok=True)

    @property
    def tasks(self) -> Path:
        """Where finished tasks, and checkpoints of an experiment's own, are kept until the record is written."""
        return self.folder / "tasks"

    def size(self, full: int, *, quick: int) -> int:
        """Return the size of the run: ``full``, or ``quick`` in a quick one."""
        return quick if self.quick else full

    def map(self, function: Callable[..., Any], tasks: Sequence[Sequence[Any]], *, seed: int | None) -> list[Any]:
        """Return ``[function(*task, seed=derive_seed(seed, index)) for index, task in enumerate(tasks)]``.

        Parameters
        ----------
        function : a module-level function; its results are JSON-able (tuples come back as lists)
        tasks : the positional arguments of each call, JSON-able
        seed : the seed of this batch; None passes no seed

        Notes
        -----
        A finished task is found again by the source of the function's module, its name, its arguments and its seed: a
        changed experiment does not reuse old results. What that module imports is not looked at: after a change there
        that matters, delete ``folder``, or name a version among the task's arguments. After a whole run the kept tasks
        are deleted.
        """
        from joblib import Parallel, delayed
        from tqdm import tqdm

        keys = [_key(function, task, seed, index) for index, task in enumerate(tasks)]
        done = {key: _read(path) for key in keys if (path := self._path(key)).is_file()}
        missing = [index for index, key in enumerate(keys) if key not in done]
        calls = (
            delayed(_call)(function, tuple(tasks[index]), None if seed is None else derive_seed(seed, index), index)
            for index in missing
        )
        quiet = not sys.stderr.isatty()
        with tqdm(
            total=len(keys),
            initial=len(keys) - len(missing),
            desc=function.__name__,
            mininterval=10 if quiet else 0.2,
        ) as bar:
            finished = Parallel(n_jobs=self.jobs, return_as="generator_unordered")(calls) if missing else ()
            for index, process, answer in finished:
                self._seconds_here += answer["cpu_seconds"] if process == os.getpid() else 0.0
                records.write_json(self._path(keys[index]), answer)
                done[keys[index]] = _read(self._path(keys[index]))
                bar.update()
        answers = [done[key] for key in keys]
        self.task_seconds += sum(answer["cpu_seconds"] for answer in answers)
        return [answer["result"] for answer in answers]

    def cpu_seconds(self, own: float) -> float:
        """Return the CPU time of the whole run, earlier parts of it included, given what this process used."""
        return own - self._seconds_here + self.task_seconds

    def forget_tasks(self) -> None:
        """Delete the kept tasks and checkpoints."""
        shutil.rmtree(self.tasks, ignore_errors=True)

    def _path(self, key: str) -> Path:
        return self.tasks / f"{key}.json"


def _key(function: Callable[..., Any], task: Sequence[Any], seed: int | None, index: int) -> str:
    source = inspect.getsource(sys.modules[function.__module__])
    parts = [source, function.__qualname__, json.dumps(list(task)), seed, None if seed is None else index]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def _read(path: Path) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return answer


def _call(
    function: Callable[..., Any], task: tuple[Any, ...], seed: int | None, index: int
) -> tuple[int, int, dict[str, Any]]:
    start = time.process_time()
    result = function(*task) if seed is None else function(*task, seed=seed)
    return index, os.getpid(), {"cpu_seconds": time.process_time() - start, "result": result}


def load_experiment(name: str) -> ModuleType:
    """Return the module of an experiment.

    Raises
    ------
    ValueError
        If no experiment has this name.
    """
    from expectimax_course.experiments import EXPERIMENTS

    if name not in EXPERIMENTS:
        raise ValueError(f"expected one of {', '.join(sorted(EXPERIMENTS))}, got {name!r}")
    return importlib.import_module(EXPERIMENTS[name])


def run_experiment(
    name: str, *, quick: bool = False, jobs: int | None = None, root: Path | None = None
) -> tuple[Path, dict[str, Any]]:
    """Run an experiment and write its record.

    Parameters
    ----------
    name : a key of ``EXPERIMENTS``
    quick : run the short version; its record goes to ``runs/quick/``, never to ``book/_data/``
    jobs : number of processes, -1 for one per core; None for what ``joblib.parallel_config`` says, else one
    root : the checkout; found from the working directory by default

    Returns
    -------
    path, record

    Raises
    ------
    ValueError
        If no experiment has this name.
    RecordError
        If what it found breaks the schema, or there is no checkout to keep it in.
    """
    module = load_experiment(name)
    data = records.data_folder() if root is None else root / "book" / "_data"
    if data.name != "_data":
        raise records.RecordError(f"expected a checkout of the course, got records inside a package: {data}")
    runs = data.parents[1] / "runs"
    folder = runs / "quick" if quick else data
    job = Job(runs / (f"{name}-quick" if quick else name), quick=quick, jobs=jobs)
    start = time.process_time()
    findings = module.run(job)
    seconds = job.cpu_seconds(time.process_time() - start)
    record = describe(name, module, quick=quick, cpu_seconds=seconds)
    record |= {"results": findings.results, "tables": findings.tables}
    path = records.write(json.loads(json.dumps(record)), folder)
    job.forget_tasks()
    return path, record


def describe(name: str, module: ModuleType, *, quick: bool, cpu_seconds: float) -> dict[str, Any]:
    """Return the part of a record that says how it was made; no name, path or address of the machine."""
    timed = getattr(module, "TIMED", False)
    versions = {"python": platform.python_version(), "expectimax-course": __version__}
    for imported, library in _LIBRARIES.items():
        # Tasks can have run in other processes, or in an earlier part of the run.
        if imported in sys.modules or (timed and importlib.util.find_spec(imported)):
            versions[library] = importlib.metadata.version(library)
    described = {
        "name": name,
        "title": module.TITLE,
        "command": f"expectimax-course experiment run {name}{' --quick' if quick else ''}",
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "quick": quick,
        "seeds": dict(module.SEEDS),
        "versions": versions,
        "cpu_seconds": round(cpu_seconds, 1),
    }
    if timed:
        described["processor"] = processor()
    return described


def processor() -> str:
    """Return the kind of processor that times were taken on: architecture and model."""
    model = platform.processor()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        lines = cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines()
        model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), model)
    return ", ".join(part for part in (platform.machine(), model) if part)
