"""The console script: what it prints, and one clear line for what it refuses."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from expectimax_course import __version__


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "expectimax_course", *arguments], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(("faces", "stand_from"), [(10, 14), (9, 14), (15, 11)])
def test_solve_push_prints_the_table(faces: int, stand_from: int) -> None:
    done = run("solve", "push", "--target", "21", "--faces", str(faces), "--json")
    result = json.loads(done.stdout)
    assert done.returncode == 0
    assert result["stand_from"] == stand_from
    assert len(result["values"]) == len(result["actions"]) == 22
    assert result["actions"][stand_from - 1 : stand_from + 1] == ["hit", "stand"]


def test_solve_push_is_readable_without_json() -> None:
    assert run("solve", "push").stdout.startswith("stand from 14; a hand is worth 15.8585 points")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "push", "--target", "0"], "expected target to be a whole number of 1 or more, got 0"),
        (["solve", "push", "--target", "many"], "'--target'"),
        (["solve", "push", "--target", "100001"], "--target"),
        (["solve", "push", "--dice", "2"], "No such option: --dice"),
        (["paint"], "No such command 'paint'"),
    ],
)
def test_bad_usage_is_one_line_on_stderr_and_status_two(arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("expectimax-course: ")
    assert message in done.stderr


def test_the_version_is_that_of_the_package() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{__version__}\n", "")


def test_a_group_without_a_command_shows_its_help() -> None:
    done = run("solve")
    assert done.returncode == 2
    assert "push" in done.stdout


INTERRUPTED = """
import importlib, sys, time
from expectimax_course.cli import main
module, name, waits = {module!r}, {name!r}, {waits!r}
holder = importlib.import_module(module)
*path, last = name.split(".")
for part in path:
    holder = getattr(holder, part)
real, calls = getattr(holder, last), 0
def marked(*args, **options):
    global calls
    calls += 1
    if calls == waits[0]:
        print("now", flush=True)
        time.sleep(waits[1])
    return real(*args, **options)
setattr(holder, last, marked)
sys.argv = ["expectimax-course", *{arguments!r}]
main()
"""


def interrupt(
    *arguments: str, at: str, calls: int = 1, seconds: float = 60.0
) -> tuple[subprocess.CompletedProcess[str], bool]:
    """Run a command and send it a real SIGINT when the function ``at`` ("module:name") was called so often.

    That call first sleeps for ``seconds``: with 0 the function itself must let itself be interrupted.
    """
    module, name = at.split(":")
    code = INTERRUPTED.format(module=module, name=name, waits=(calls, seconds), arguments=arguments)
    # A test run in the background ignores SIGINT, and a child would inherit that.
    own = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        child = subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
    finally:
        signal.signal(signal.SIGINT, own)
    try:
        assert child.stdout is not None
        marked = child.stdout.readline() == "now\n"
        time.sleep(0.3)  # until the function is well on its way
        os.kill(child.pid, signal.SIGINT)
        out, err = child.communicate(timeout=50)
    finally:
        child.kill()
    return subprocess.CompletedProcess(arguments, child.returncode, out, err), marked


BOARD = "2 4 8 16 / 0 0 2 4 / 0 0 0 2 / 0 0 0 0"
PLAYERS = "expectimax_course.game2048.players"


@pytest.mark.parametrize(
    ("arguments", "at"),
    [
        (["play", "2048", "--games", "3"], f"{PLAYERS}:play"),
        (["train", "2048", "--games", "9", "--out", "x"], "expectimax_course.game2048.train:train"),
        (["play", "backgammon", "--json"], "expectimax_course.backgammon.match:play_pair"),
        (["solve", "push"], "expectimax_course.exact.push_to_21:solve_push"),
        (["bench"], "expectimax_course.experiments.bench:run_contests"),
        (["grade", "x.ipynb", "--out", "out"], "expectimax_course.grading.batch:grade_all"),
    ],
)
def test_ctrl_c_ends_a_command_with_one_line(arguments: list[str], at: str) -> None:
    done, marked = interrupt(*arguments, at=at)
    assert marked, done.stderr
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "expectimax-course: interrupted\n")


@pytest.mark.parametrize(
    ("arguments", "at", "calls"),
    [
        (["advise", "2048", BOARD, "--depth", "14"], "Searcher._start", 2),  # the first call warms up
        (["play", "2048", "--depth", "14", "--json"], "Searcher.play", 1),
    ],
)
def test_ctrl_c_is_heard_in_compiled_searches(arguments: list[str], at: str, calls: int) -> None:
    done, marked = interrupt(*arguments, at=f"expectimax_course.game2048.search:{at}", calls=calls, seconds=0)
    assert marked, done.stderr
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "expectimax-course: interrupted\n")


def test_ctrl_c_during_an_experiment_says_that_it_can_continue() -> None:
    done, _ = interrupt("experiment", "run", "cost_2048", "--quick", at="expectimax_course.experiments:run_experiment")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (130, "", 1)
    assert "finished tasks are kept, and the same command continues" in done.stderr


def test_games_that_are_finished_are_printed_before_the_end() -> None:
    """Also as JSON: one object, of the games that there are."""
    arguments = ("play", "2048", "--depth", "1", "--games", "50", "--seed", "3")
    whole = json.loads(run(*arguments, "--json").stdout)
    done, _ = interrupt(*arguments, "--json", at=f"{PLAYERS}:play", calls=5)
    result = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (130, "expectimax-course: interrupted\n")
    assert (result["n_games"], result["games"]) == (4, whole["games"][:4])
    done, _ = interrupt(*arguments, at=f"{PLAYERS}:play", calls=3)
    assert done.stdout.count("\n") == 4
    assert "mean of 2: " in done.stdout


def test_a_match_of_backgammon_is_reported_up_to_its_last_pair() -> None:
    arguments = ("play", "backgammon", "--first", "random", "--seed", "4", "--json")
    done, _ = interrupt(*arguments, "--games", "50", at="expectimax_course.backgammon.match:play_pair", calls=4)
    result = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (130, "expectimax-course: interrupted\n")
    assert result["n_games"] == 6
    assert [(game["pair"], game["first_starts"]) for game in result["games"][:3]] == [(0, True), (0, False), (1, True)]
    again = json.loads(run(*arguments, "--games", "4", "--first-pair", "1").stdout)
    assert again["games"] == result["games"][2:]
