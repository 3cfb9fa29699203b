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


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves a folder; addresses that end in one of ``blocked`` do not exist."""

    blocked: tuple[str, ...] = ()
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path.split("?")[0].endswith(self.blocked):
            self.send_error(404)
        else:
            super().do_GET()

    def log_message(self, *_: Any) -> None:
        """Stay silent."""


def serve(folder: Path, blocked: tuple[str, ...] = ()) -> tuple[http.server.ThreadingHTTPServer, str]:
    """Serve a folder on a free port of this machine; return the server and its address."""
    handler = type("SiteHandler", (Handler,), {"blocked": blocked})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}"


def set_screen(browser: webdriver.Chrome, width: int, height: int) -> None:
    """Give the page a screen of that size; a headless window would not go below 500 pixels."""
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600},
    )
