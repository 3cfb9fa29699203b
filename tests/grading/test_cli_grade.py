"""The instructor's commands, as a shell sees them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from expectimax_course.cli.grade import check as cli_check
from expectimax_course.cli.grade import grade as cli_grade
from expectimax_course.grading import batch
from expectimax_course.grading import grade as grade_module
from expectimax_course.grading.grade import Report
from expectimax_course.grading.sandbox import SandboxError

ROOT = Path(__file__).resolve().parents[2]
EXERCISE = ROOT / "exercises" / "01_expected_case.ipynb"
SOLUTION = ROOT / "solutions" / "01_expected_case.ipynb"


def run(
    *arguments: object, module: str = "expectimax_course", encoding: str = "utf-8"
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", module, *map(str, arguments)]
    environment = {**os.environ, "PYTHONIOENCODING": f"{encoding}:strict"}
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False, env=environment)


def answered(tmp_path: Path, source: str) -> Path:
    """Return the first exercise with this code in the first answer cell."""
    notebook = json.loads(EXERCISE.read_text(encoding="utf-8"))
    cell = next(c for c in notebook["cells"] if c["metadata"].get("expectimax_course", {}).get("role") == "answer")
    cell["source"] = source
    path = tmp_path / "submission.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path


WRONG = "def weighted_value(outcomes):\n    return min(payoff for payoff, _ in outcomes)\n"


@pytest.mark.sandbox
def test_check_exits_0_for_stubs_1_for_mistakes_2_for_rubbish(tmp_path):
    untouched = run("check", EXERCISE, "--json")
    assert untouched.returncode == 0
    assert set(json.loads(untouched.stdout)["questions"].values()) == {"not_attempted"}

    wrong = run("check", answered(tmp_path, WRONG))
    assert wrong.returncode == 1
    assert "01.weighted_value  wrong: " in wrong.stdout
    assert "expected 8.5, but your code returned -5.0." in wrong.stdout

    rubbish = tmp_path / "rubbish.ipynb"
    rubbish.write_text("rubbish")
    unreadable = run("check", rubbish)
    assert (unreadable.returncode, unreadable.stdout) == (2, "")
    assert len(unreadable.stderr.splitlines()) == 1


@pytest.mark.sandbox
def test_grade_writes_its_files_and_exits_0_even_for_bad_submissions(tmp_path):
    (tmp_path / "rubbish.ipynb").write_text("rubbish")
    answered(tmp_path, WRONG)
    done = run("grade", tmp_path, "--out", tmp_path / "out", "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert [one["submission"] for one in result["submissions"]] == ["rubbish.ipynb", "submission.ipynb"]
    assert [one["again"] for one in result["submissions"]] == [False, False]
    assert (tmp_path / "out" / "seed.txt").read_text().strip() == result["seed"]
    assert (tmp_path / "out" / "feedback" / "submission.html").exists()


def test_grade_hands_seed_and_jobs_on(tmp_path, monkeypatch):
    asked = []

    def grade_all(inputs, out, **options):
        asked.append(options)
        return []

    monkeypatch.setattr(batch, "grade_all", grade_all)
    cli_grade([SOLUTION], tmp_path / "out", seed=5, jobs=2)
    cli_grade([SOLUTION], tmp_path / "out", seed=None, jobs=1)
    assert [(one["seed"], one["jobs"]) for one in asked] == [(5, 2), (asked[1]["seed"], 1)]
    assert asked[1]["seed"] > 5


def test_a_sandbox_that_does_not_start_is_bad_input_for_check_in_one_sentence(monkeypatch):
    def broken(*args, **options):
        raise SandboxError("the sandbox did not start: no room")

    monkeypatch.setattr(grade_module, "run_job", broken)
    with pytest.raises(ValueError, match="the sandbox did not start: no room"):
        cli_check(EXERCISE)


def test_grade_exits_1_where_something_must_be_graded_again(tmp_path, monkeypatch, capsys):
    def half_broken(path, name, seed):
        if name == EXERCISE.name:
            raise SandboxError("the sandbox did not start: no room")
        return Report(name, problem="it is no notebook")

    monkeypatch.setattr(batch, "grade", half_broken)
    (tmp_path / "rubbish.ipynb").touch()
    cli_grade([tmp_path / "rubbish.ipynb"], tmp_path / "one", seed=1, jobs=1)
    with pytest.raises(typer.Exit) as ended:
        cli_grade([tmp_path / "rubbish.ipynb", EXERCISE], tmp_path / "two", seed=1, jobs=1)
    assert ended.value.exit_code == 1
    said = capsys.readouterr()
    assert f"{EXERCISE.name}: the sandbox did not start: no room" in said.out
    assert said.err == "1 of 2 must be graded again; the reason is not in the submission\n"


@pytest.mark.sandbox
def test_grade_takes_a_seed_and_jobs(tmp_path):
    done = run("grade", SOLUTION, EXERCISE, "--out", tmp_path / "out", "--seed", 5, "--jobs", 2)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == f"2 reports in {tmp_path / 'out'}, seed 5"


@pytest.mark.sandbox
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_what_no_terminal_can_show_is_no_reason_to_fail(tmp_path, encoding):
    (tmp_path / "in").mkdir()
    wrong = "def weighted_value(outcomes):\n    raise ValueError('\\ud800 é')\n"
    os.rename(answered(tmp_path, wrong), os.fsencode(tmp_path / "in") + b"/caf\xe9.ipynb")
    (tmp_path / "in" / "naïve.txt").touch()
    done = run("grade", tmp_path / "in", "--out", tmp_path / "out", encoding=encoding)
    assert done.returncode == 0, done.stderr
    assert "caf?.ipynb: 0 of " in done.stdout
    checked = run("check", next((tmp_path / "in").glob("*.ipynb")), encoding=encoding)
    assert checked.returncode == 1, checked.stderr
    assert "01.weighted_value  error: Your code raised ValueError: ? " in checked.stdout


@pytest.mark.sandbox
def test_a_name_neither_commands_the_terminal_nor_looks_like_a_line_of_its_own(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a\nann: 12 of 12\r\x1b[2J.ipynb").touch()
    (tmp_path / "in" / "b\x9b2J\nbob: 12 of 12").touch()
    done = subprocess.run(
        [sys.executable, "-m", "expectimax_course", "grade", tmp_path / "in", "--out", tmp_path / "out"],
        capture_output=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, "FORCE_COLOR": "1", "PYTHONIOENCODING": "utf-8"},
    )
    first, second, last = done.stdout.decode().split("\n")[:-1]
    assert first.startswith("a?ann: 12 of 12??[2J.ipynb: expected a notebook")
    assert second.endswith("b?2J?bob: 12 of 12: not graded: its name does not say that it is a notebook (.ipynb)")
    assert last.startswith("1 reports in ")


def test_grade_refuses_what_is_not_there(tmp_path):
    done = run("grade", tmp_path / "nothing", "--out", tmp_path / "out")
    assert done.returncode == 2
    assert "expected a notebook or a folder of notebooks" in done.stderr


@pytest.mark.sandbox
def test_pytest_reports_a_submission_question_by_question(tmp_path):
    path = answered(tmp_path, WRONG)
    done = run("tests/exercises", "--submission", path, "-q", "-p", "no:cacheprovider", module="pytest")
    assert done.returncode == 1
    assert "test_question[01.weighted_value]" in done.stdout
    assert "0 of 2. " in done.stdout
    assert "1 failed" in done.stdout


@pytest.mark.sandbox
def test_pytest_grades_with_the_seed_that_is_given_or_one_drawn(tmp_path):
    path = answered(tmp_path, "def weighted_value(outcomes):\n    return 0\n")

    def seed(*options: object) -> str:
        done = run(
            "tests/exercises",
            "--submission",
            path,
            *options,
            "--collect-only",
            "-p",
            "no:cacheprovider",
            module="pytest",
        )
        return next(line for line in done.stdout.splitlines() if line.startswith("graded with --seed "))

    assert seed("--seed", 5) == "graded with --seed 5"
    assert seed() != seed()


def test_pytest_refuses_what_it_cannot_grade_in_one_line(tmp_path):
    unknown = tmp_path / "unknown.ipynb"
    unknown.write_text(EXERCISE.read_text(encoding="utf-8").replace('"01_expected_case"', '"98_unknown"'))
    for path, why in ((unknown, "expected a chapter with questions"), (tmp_path / "none.ipynb", "No such file")):
        done = run("tests/exercises", "--submission", path, "-q", "-p", "no:cacheprovider", module="pytest")
        assert done.returncode == pytest.ExitCode.USAGE_ERROR
        assert why in done.stderr + done.stdout
        assert "INTERNALERROR" not in done.stderr + done.stdout
    checked = run("check", unknown)
    assert checked.returncode == 2
    assert "expected a chapter with questions" in checked.stderr
