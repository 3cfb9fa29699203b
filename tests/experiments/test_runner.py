"""Whatever interrupts a run, and however many processes share it, it finds the same."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from expectimax_course import experiments
from expectimax_course.cli import build
from expectimax_course.experiments import Job, run_experiment
from expectimax_course.experiments.runner import describe
from expectimax_course.rng import Rng, derive_seed

DEMO = '''
"""A slow experiment for tests."""
import os
import time

from expectimax_course.experiments import Findings, exact
from expectimax_course.rng import Rng

TITLE = "Draws"
SEEDS = {"draws": 5}


def draw(index, *, seed):
    time.sleep(float(os.environ.get("DEMO_PAUSE", "0")))
    with open(os.environ["DEMO_LOG"], "a") as log:
        log.write(f"{index}\\n")
    return [index, Rng(seed).below(1000)]


def run(job):
    drawn = job.map(draw, [(index,) for index in range(job.size(12, quick=3))], seed=SEEDS["draws"])
    total = exact(sum(number for _, number in drawn), unit="")
    return Findings({"total": total}, {"drawn": [{"i": i, "x": x} for i, x in drawn]})
'''


@pytest.fixture
def demo(tmp_path, monkeypatch):
    """A checkout with one experiment, ``demo``, registered; the log says which tasks were computed."""
    (tmp_path / "book" / "_data").mkdir(parents=True)
    (tmp_path / "demo_experiment.py").write_text(DEMO)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("DEMO_LOG", str(tmp_path / "log"))
    monkeypatch.setitem(experiments.EXPERIMENTS, "demo", "demo_experiment")
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    sys.modules.pop("demo_experiment", None)


def computed(folder):
    return [int(line) for line in (folder / "log").read_text().split()]


def square_of_draw(base, *, seed):
    return (base + Rng(seed).below(100)) ** 2


def plain_square(base):
    return base**2


def test_map_gives_each_task_its_own_derived_seed_in_the_order_of_the_tasks(tmp_path):
    job = Job(tmp_path)
    expected = [square_of_draw(base, seed=derive_seed(9, index)) for index, base in enumerate((10, 20, 30))]
    assert job.map(square_of_draw, [(10,), (20,), (30,)], seed=9) == expected


def test_map_without_a_seed_passes_none(tmp_path):
    assert Job(tmp_path).map(plain_square, [(2,), (3,)], seed=None) == [4, 9]


def test_equal_tasks_of_a_seeded_batch_are_different_draws(tmp_path):
    first, second = Job(tmp_path).map(square_of_draw, [(10,), (10,)], seed=9)
    assert first != second


def test_two_processes_find_what_one_finds(demo):
    _, alone = run_experiment("demo", jobs=1)
    _, shared = run_experiment("demo", jobs=2)
    assert shared["results"] == alone["results"]
    assert shared["tables"] == alone["tables"]


def test_a_dask_cluster_finds_what_one_process_finds(demo):
    distributed = pytest.importorskip("distributed", reason="needs the extra `cluster`")
    import joblib

    _, alone = run_experiment("demo")
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        _, shared = run_experiment("demo")
    assert shared["tables"] == alone["tables"]


def test_a_killed_run_continues_and_finds_the_same(demo):
    _, uninterrupted = run_experiment("demo")
    (demo / "log").unlink()
    script = textwrap.dedent(
        """
        from expectimax_course import experiments
        experiments.EXPERIMENTS["demo"] = "demo_experiment"
        experiments.run_experiment("demo")
        """
    )
    record = demo / "book" / "_data" / "demo.json"
    record.unlink()
    process = subprocess.Popen(
        [sys.executable, "-c", script], env={**os.environ, "DEMO_PAUSE": "0.1"}, stderr=subprocess.DEVNULL
    )
    tasks = demo / "runs" / "demo" / "tasks"
    deadline = time.monotonic() + 60
    while len(list(tasks.glob("*.json"))) < 3 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = len(list(tasks.glob("*.json")))
    assert 3 <= kept < 12
    assert not record.exists()
    (demo / "log").unlink()
    _, resumed = run_experiment("demo")
    assert len(computed(demo)) == 12 - kept
    assert resumed["tables"] == uninterrupted["tables"]
    assert not tasks.exists()


def test_a_changed_experiment_does_not_reuse_old_tasks(tmp_path, monkeypatch):
    Job(tmp_path).map(plain_square, [(2,), (3,)], seed=None)
    assert len(list((tmp_path / "tasks").iterdir())) == 2
    from expectimax_course.experiments import runner

    original = runner.inspect.getsource
    monkeypatch.setattr(runner.inspect, "getsource", lambda module: original(module) + "# changed")
    Job(tmp_path).map(plain_square, [(2,)], seed=None)
    assert len(list((tmp_path / "tasks").iterdir())) == 3


def test_a_quick_run_leaves_the_record_alone(demo):
    path, _ = run_experiment("demo")
    before = path.read_bytes()
    quick_path, quick = run_experiment("demo", quick=True)
    assert path.read_bytes() == before
    assert quick_path == demo / "runs" / "quick" / "demo.json"
    assert quick["quick"]
    assert quick["command"].endswith("--quick")
    assert len(quick["tables"]["drawn"]) == 3


def test_cpu_time_includes_what_ran_before_an_interruption(tmp_path):
    first = Job(tmp_path)
    first.map(square_of_draw, [(10,)], seed=9)
    (task,) = (tmp_path / "tasks").iterdir()
    task.write_text(json.dumps(json.loads(task.read_text()) | {"cpu_seconds": 100.0}))
    second = Job(tmp_path)
    second.map(square_of_draw, [(10,)], seed=9)
    assert second.cpu_seconds(own=1.0) == 101.0


def test_a_timed_record_names_the_libraries_that_its_other_processes_used(monkeypatch):
    monkeypatch.delitem(sys.modules, "sklearn", raising=False)
    for timed in (False, True):
        module = SimpleNamespace(TITLE="t", SEEDS={}, TIMED=timed)
        versions = describe("t", module, quick=True, cpu_seconds=0.0)["versions"]
        assert ("scikit-learn" in versions) is timed


def test_an_unknown_experiment_is_one_clear_sentence():
    with pytest.raises(ValueError, match=r"expected one of .*push_simulation.*, got 'gone'"):
        run_experiment("gone")


def test_the_command_lists_and_runs(demo):
    command = CliRunner()
    listed = json.loads(command.invoke(build(), ["experiment", "list", "--json"]).stdout)
    assert listed["demo"] == "Draws"
    result = command.invoke(build(), ["experiment", "run", "demo", "--quick"])
    assert result.exit_code == 0
    assert "total = " in result.stdout
    assert "written to quick/demo.json" in result.stdout


def test_an_interrupted_command_says_that_it_can_continue(demo, monkeypatch):
    def interrupt(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(experiments, "run_experiment", interrupt)
    result = CliRunner().invoke(build(), ["experiment", "run", "demo"])
    assert result.exit_code == 130
    assert "the same command continues" in result.output
