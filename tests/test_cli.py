"""The console script: what it prints, and one clear line for what it refuses."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest


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


def test_a_group_without_a_command_shows_its_help() -> None:
    done = run("solve")
    assert done.returncode == 2
    assert "push" in done.stdout
