"""The book's Sphinx extension: frames, foreign addresses, build variables, the wheel."""

from __future__ import annotations

import html
import json
import os
import subprocess
import sys
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import browser_archive
import build_variables
import live_pages
import page_html
import pytest
import site_files

from expectimax_course import __version__
from expectimax_course.apps import _protocol as protocol
from expectimax_course.apps import push_table

ROOT = Path(__file__).resolve().parents[2]


def test_first_events_are_those_of_buttons_keys_boxes_and_choices() -> None:
    view = (
        '<div data-keys="ArrowLeft=left ArrowUp=up"></div><button data-event="go" data-value="1">Go</button>'
        '<button data-event="no" aria-disabled="true">No</button><input type="range" data-event="slide" value="3">'
        '<input type="checkbox" data-event="box" checked><button data-event="go" data-value="1">Go again</button>'
        '<select data-event="pick"><option value="a" selected>A</option><option value="b">B</option></select>'
    )
    assert [(event["name"], event["value"]) for event in page_html.first_events(view)] == [
        ("left", None), ("up", None), ("go", "1"), ("box", False), ("pick", "b"),
    ]  # fmt: skip


def test_frames_are_the_apps_own_answers() -> None:
    state = push_table.init()
    data = {"protocol": 1, "app": "push_table", "state": protocol.dump(state)}
    body = page_html.with_frames(f'<div data-liveapp="{html.escape(json.dumps(data))}"></div>')
    stored = json.loads(html.unescape(body.partition('data-frames="')[2].partition('"')[0]))
    after = push_table.update(state, {"name": "step", "value": None})
    assert stored['["step",null]']["html"] == push_table.view(after)
    assert len(json.dumps(stored)) < 2 * page_html.MOST_CHARACTERS


@pytest.mark.parametrize(
    ("markup", "address"),
    [
        ('<script src="https://other.invalid/a.js"></script>', "https://other.invalid/a.js"),
        ('<link rel="stylesheet" href="//other.invalid/a.css">', "//other.invalid/a.css"),
        ('<img src="http://other.invalid/a.png">', "http://other.invalid/a.png"),
        ("<style>@import url('https://other.invalid/font.css');</style>", "https://other.invalid/font.css"),
        ('<p style="background: url(//other.invalid/a.png)">', "//other.invalid/a.png"),
        ('<img src="a.png" srcset="b.png 2x, https://other.invalid/c.png 3x">', "https://other.invalid/c.png"),
        ('<picture><source srcset="//other.invalid/a.webp"></picture>', "//other.invalid/a.webp"),
        ('<link rel="preload" as="image" imagesrcset="//other.invalid/a.png 2x">', "//other.invalid/a.png"),
        ('<video src="a.mp4" poster="https://other.invalid/a.png"></video>', "https://other.invalid/a.png"),
        ('<audio src="https://other.invalid/a.mp3"></audio>', "https://other.invalid/a.mp3"),
        ('<video><track src="https://other.invalid/a.vtt"></video>', "https://other.invalid/a.vtt"),
        ('<object data="https://other.invalid/a.svg"></object>', "https://other.invalid/a.svg"),
        ('<embed src="https://other.invalid/a.svg">', "https://other.invalid/a.svg"),
        ('<svg><image href="https://other.invalid/a.png"/></svg>', "https://other.invalid/a.png"),
        ('<svg><use xlink:href="//other.invalid/a.svg#b"/></svg>', "//other.invalid/a.svg#b"),
        (
            '<script type="module">import { a } from "https://other.invalid/a.mjs";</script>',
            "https://other.invalid/a.mjs",
        ),
        ('<script>import("https://other.invalid/a.mjs")</script>', "https://other.invalid/a.mjs"),
    ],
)
def test_a_page_that_would_ask_another_host_is_found(tmp_path: Path, markup: str, address: str) -> None:
    fine = '<a href="https://fine.invalid">a link is no request</a><script>"https://fine.invalid"</script>'
    (tmp_path / "page.html").write_text(f'{fine}import "https://fine.invalid"{markup}')
    assert [found for _, found in page_html.foreign_addresses(tmp_path)] == [address]


def test_build_variables_are_addresses_or_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE_URL", "https://example.org/course/")
    monkeypatch.setenv("SOLUTIONS", "0")
    variables = build_variables.read()
    assert (variables.site_url, variables.repo_url, variables.solutions) == ("https://example.org/course", "", False)
    monkeypatch.setenv("REPO_URL", "example.org")
    with pytest.raises(ValueError, match=r"expected REPO_URL to start with https:// or http://, got 'example.org'"):
        build_variables.read()


def test_the_date_is_the_epoch_where_one_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert build_variables.commit_date() == "1970-01-02"


def test_without_git_the_date_is_that_of_today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    monkeypatch.setenv("PATH", "")
    assert build_variables.commit_date() == datetime.now(UTC).date().isoformat()


@pytest.mark.parametrize("name", ["search.py", "nets/small.xz", "nets/small.bin", "bank.json", "app.css", "app.js"])
def test_chapters_run_again_when_any_file_of_the_package_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(live_pages, "ROOT", tmp_path)
    path = tmp_path / "expectimax_course" / name
    path.parent.mkdir(parents=True)
    path.write_text("old")
    before = live_pages.sources_digest()
    (tmp_path / "expectimax_course" / "__pycache__").mkdir()
    (tmp_path / "expectimax_course" / "__pycache__" / "search.pyc").write_text("compiled")
    assert live_pages.sources_digest() == before
    path.write_text("new")
    assert live_pages.sources_digest() != before


def test_a_missing_npm_package_is_named() -> None:
    with pytest.raises(FileNotFoundError, match="expected the npm package no-such-thing in node_modules, got none"):
        site_files.npm_version("no-such-thing")


def test_the_sites_wheel_holds_the_package_and_its_browser_files(tmp_path: Path) -> None:
    site_files.build_wheel(tmp_path, __version__)
    with zipfile.ZipFile(tmp_path / site_files.wheel_name(__version__)) as wheel:
        names = set(wheel.namelist())
    sources = {path.relative_to(ROOT).as_posix() for path in browser_archive.browser_modules().values()}
    assert sources <= names
    assert {"expectimax_course/liveapp.js", "expectimax_course/apps/apps.css", "expectimax_course/py.typed"} <= names


def test_a_wheel_of_another_version_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"expected pip to build expectimax_course-9\.9-py3-none-any\.whl"):
        site_files.build_wheel(tmp_path, "9.9")


def test_the_book_for_students_holds_no_solution_but_every_address(tmp_path: Path) -> None:
    """``make book SOLUTIONS=0 SITE_URL=… REPO_URL=…``: no solution as page, as source or in the search index."""
    command = [str(Path(sys.executable).with_name("jupyter-book")), "build", ".", "--path-output", str(tmp_path), "-q"]
    command += ["-W", "-n", "--keep-going"]
    addresses = {"SITE_URL": "https://site.example/course", "REPO_URL": "https://code.example/group/course"}
    environment = {**os.environ, **addresses, "SOLUTIONS": "0", "BOOK_EXECUTE": "0"}
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    site = tmp_path / "_build" / "html"
    assert list((site / "exercises").glob("*.html"))
    assert not list(site.rglob("solutions/*"))
    assert "solutions/" not in (site / "searchindex.js").read_text("utf8")

    page = (site / "exercises" / "01_expected_case.html").read_text("utf8")
    assert f"pip install jupyterlab <span>https://site.example/course/dist/{wheel_of_this_version()}</span>" in page
    assert 'href="https://code.example/group/course/issues/new">Report an error</a>' in page
    assert f"Version {__version__}, {build_variables.commit_date()}" in page
    assert (site / "dist" / wheel_of_this_version()).is_file()
    assert (site / "_sources" / "exercises" / "01_expected_case.ipynb").is_file()


def wheel_of_this_version() -> str:
    return site_files.wheel_name(__version__)
