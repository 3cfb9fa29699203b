"""A server of one folder, and a screen of one size, for the browser tests."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from selenium import webdriver

StartBrowser = Callable[..., webdriver.Chrome]


POLICY = "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; report-uri /report"
"""What pages and their workers may load: files of the same site. The browser reports whatever else they try."""


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves a folder; addresses that end in one of ``blocked`` do not exist."""

    blocked: tuple[str, ...] = ()
    reports: list[str]
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path.split("?")[0].endswith(self.blocked):
            self.send_error(404)
        else:
            super().do_GET()

    def do_POST(self) -> None:
        self.reports.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.send_response(204)
        self.end_headers()

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def log_message(self, *_: Any) -> None:
        """Stay silent."""


class Server(http.server.ThreadingHTTPServer):
    """A running server: its address, and what the policy forbade so far, as JSON texts."""

    address: str
    reports: list[str]


def serve(folder: Path, blocked: tuple[str, ...] = ()) -> Server:
    """Serve a folder on a free port of this machine."""
    reports: list[str] = []
    handler = type("SiteHandler", (Handler,), {"blocked": blocked, "reports": reports})
    server = Server(("127.0.0.1", 0), functools.partial(handler, directory=str(folder)))
    server.address, server.reports = f"http://127.0.0.1:{server.server_port}", reports
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def set_screen(browser: webdriver.Chrome, width: int, height: int) -> None:
    """Give the page a screen of that size; a headless window would not go below 500 pixels."""
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600},
    )
