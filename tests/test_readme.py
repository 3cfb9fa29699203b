"""The README's commands and examples do what it says."""

from __future__ import annotations

import doctest
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from expectimax_course import __version__

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf8")
COMMANDS = re.findall(r"^\$ \.venv/bin/(expectimax-course .*)$", README, re.M)
TARGETS = sorted(set(re.findall(r"(?:`|^)make (\w+)", README, re.M)))


def test_the_python_examples_print_what_they_show() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted >= 4
    assert result.failed == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_runs(command: str) -> None:
    words = shlex.split(command)
    run = subprocess.run(
        [Path(sys.executable).with_name(words[0]), *words[1:]], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert run.returncode == 0, run.stderr
    if "--json" in words:
        assert json.loads(run.stdout)


def test_commands_and_targets_are_found() -> None:
    assert len(COMMANDS) >= 2
    assert {"book", "serve", "test"} <= set(TARGETS)


@pytest.mark.parametrize("target", TARGETS)
def test_each_make_target_exists(target: str) -> None:
    run = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def test_citation_and_changelog_know_the_version() -> None:
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text("utf8"))["version"] == __version__
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text("utf8")


def test_lock_and_constraints_hold_no_address() -> None:
    """They name versions and hashes; where to fetch from is the user's business."""
    lock = json.loads((ROOT / "package-lock.json").read_text("utf8"))
    assert not [name for name, entry in lock["packages"].items() if "resolved" in entry]
    assert all("integrity" in entry for name, entry in lock["packages"].items() if name)
    assert "://" not in (ROOT / "constraints.txt").read_text("utf8")
