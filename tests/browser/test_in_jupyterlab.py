"""The same apps in JupyterLab, where the kernel answers."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from driving import attribute, idle, send, status, text, wait
from nbformat.v4 import new_code_cell, new_notebook
from serving import StartBrowser

CELL = """
from expectimax_course.apps import push_table
from expectimax_course.widgets import LiveApp
LiveApp(push_table)
"""
SLEEPER = """
import time
from types import SimpleNamespace
sleep = lambda state, event: time.sleep(600)
LiveApp(SimpleNamespace(TITLE="Sleeper", init=lambda: None, update=sleep, view=lambda state: "<p>Good night.</p>"))
"""


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[str]:
    """JupyterLab on a notebook with one app; the address that opens it."""
    notebook = new_notebook(cells=[new_code_cell(CELL), new_code_cell(SLEEPER)])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, tmp_path / "app.ipynb")
    settings = tmp_path / "settings"
    settings.mkdir()
    log = tmp_path / "lab.log"
    command = [sys.executable, "-m", "jupyter", "lab", "--no-browser", "--allow-root", "--ip=127.0.0.1", "--port=0"]
    command.append("--expose-app-in-browser")  # as window.jupyterapp
    folders = {name: str(settings) for name in ["JUPYTER_CONFIG_DIR", "JUPYTERLAB_SETTINGS_DIR", "JUPYTER_RUNTIME_DIR"]}
    folders["JUPYTERLAB_WORKSPACES_DIR"] = str(settings / "workspaces")
    with log.open("w") as out:
        server = subprocess.Popen(
            [*command, "--IdentityProvider.token=course", "--LabApp.news_url=", "--LabApp.check_for_updates_class="
             "jupyterlab.NeverCheckForUpdate"],
            cwd=tmp_path, env={**os.environ, **folders}, stdout=out, stderr=subprocess.STDOUT,
        )  # fmt: skip
        end = time.monotonic() + 60
        while not (found := re.search(r"http://127\.0\.0\.1:\d+", log.read_text())):
            assert time.monotonic() < end, log.read_text()
            assert server.poll() is None, log.read_text()
            time.sleep(0.2)
        yield f"{found[0]}/lab/tree/app.ipynb?token=course"
        server.terminate()
        server.wait(30)


def test_in_jupyterlab_the_kernel_answers_every_event(lab: str, start_browser: StartBrowser) -> None:
    browser = start_browser()
    browser.get(lab)
    wait(browser, "return window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel != null", seconds=60)
    # The cell runs once, through Lab's own command: a second run would put a new app in the place of the driven one.
    ran = """
    const done = arguments[arguments.length - 1];
    const {commands, shell} = window.jupyterapp, panel = shell.currentWidget;
    Promise.all([panel.context.ready, panel.sessionContext.ready, panel.revealed])
      .then(() => commands.execute("notebook:run-all-cells"))
      .then(() => done("ran"), (error) => done(String(error)));
    """
    browser.set_script_timeout(120)
    assert browser.execute_async_script(ran) == "ran"
    wait(browser, "return document.querySelector('.ec-app[data-live]') !== null", seconds=60)
    before = text(browser, 0)
    send(browser, 0, "step")
    assert attribute(browser, 0, "data-answered-by") == "kernel"
    assert text(browser, 0) != before
    one_step = text(browser, 0)
    send(browser, 0, "step")
    assert text(browser, 0) != one_step
    wait(browser, "return document.querySelectorAll('.ec-app[data-live]').length === 2", seconds=60)
    restarted = """
    const done = arguments[arguments.length - 1];
    document.querySelectorAll(".ec-app")[1].insertAdjacentHTML("beforeend", "<button data-event=sleep>Sleep</button>");
    document.querySelector("[data-event=sleep]").click();
    const {kernel} = window.jupyterapp.shell.currentWidget.sessionContext.session;
    setTimeout(() => kernel.restart().then(() => done("restarted"), (error) => done(String(error))), 1000);
    """
    assert browser.execute_async_script(restarted) == "restarted"
    idle(browser, 1)
    assert status(browser, 1) == "The kernel is gone: run this cell again."
    foreign = [
        event["params"]["request"]["url"]
        for event in (json.loads(entry["message"])["message"] for entry in browser.get_log("performance"))
        if event["method"] == "Network.requestWillBeSent"
    ]
    assert not [url for url in foreign if not url.startswith((lab.split("/lab/")[0], "data:", "blob:", "chrome"))]
