"""The archive that the site ships runs on the standard library alone, as it must in the page."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path

import browser_archive
import pytest

RUN_EVERY_APP = """
import importlib, json, pkgutil, sys
import expectimax_course.apps as apps
from expectimax_course.apps import _protocol as protocol

names = sorted(module.name for module in pkgutil.iter_modules(apps.__path__) if not module.name.startswith("_"))
for name in names:
    app = protocol.load(name)
    state = protocol.dump(app.init())
    view = app.view(json.loads(state))
    event = {"name": "step", "value": None}
    answer = json.loads(protocol.answer(json.dumps({"app": name, "state": state, "event": event})))
    assert app.TITLE and view and answer["html"] and not answer["note"], (name, answer["note"])
    json.loads(answer["state"])
heavy = {"numpy", "numba", "matplotlib", "scipy", "anywidget", "traitlets"} & set(sys.modules)
assert not heavy, heavy
print(*names)
"""


def test_every_app_of_the_archive_runs_without_site_packages(tmp_path: Path) -> None:
    archive = tmp_path / "course.zip"
    archive.write_bytes(browser_archive.archive_bytes())
    script = f"import sys; sys.path.insert(0, {str(archive)!r})\n{RUN_EVERY_APP}"
    run = subprocess.run(
        [sys.executable, "-S", "-I", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    folder = Path(browser_archive.ROOT / "expectimax_course" / "apps")
    assert run.stdout.split() == sorted(path.stem for path in folder.glob("[a-z]*.py"))


def test_the_archive_is_the_same_each_time_and_named_after_its_content() -> None:
    first, second = browser_archive.archive_bytes(), browser_archive.archive_bytes()
    assert first == second
    assert browser_archive.archive_name(first) != browser_archive.archive_name(first + b" ")


def test_the_archive_leaves_out_what_no_app_imports() -> None:
    with zipfile.ZipFile(BytesIO(browser_archive.archive_bytes())) as archive:
        names = archive.namelist()
    assert "expectimax_course/apps/_protocol.py" in names
    assert "expectimax_course/__init__.py" in names
    for folder in ["cli", "experiments", "grading"]:
        assert not [name for name in names if name.startswith(f"expectimax_course/{folder}/")]
    assert "expectimax_course/widgets.py" not in names


def test_the_archive_holds_the_data_that_its_modules_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / browser_archive.PACKAGE
    for name, content in {
        "__init__.py": "",
        "apps/__init__.py": "",
        "apps/one.py": "from expectimax_course.room import net\n",
        "room/__init__.py": "",
        "room/net.py": 'BROWSER_DATA = ("room/nets/small.bin",)\n',
        "room/nets/small.bin": "small",
        "room/nets/large.bin": "large",
    }.items():
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    monkeypatch.setattr(browser_archive, "ROOT", tmp_path)
    with zipfile.ZipFile(BytesIO(browser_archive.archive_bytes())) as archive:
        data = [name for name in archive.namelist() if name.endswith(".bin")]
    assert data == ["expectimax_course/room/nets/small.bin"]
    (package / "room" / "nets" / "small.bin").unlink()
    with pytest.raises(
        FileNotFoundError, match=r"expected the data files that BROWSER_DATA names, got none at .*small"
    ):
        browser_archive.archive_bytes()


def test_a_phone_fetches_less_than_a_megabyte_for_the_apps() -> None:
    assert len(browser_archive.archive_bytes()) < 1_000_000
