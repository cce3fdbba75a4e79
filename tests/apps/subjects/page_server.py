"""Serves the fixture pages on loopback and hears from their scripts what they hold: a witness without deskhand."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

PAGES = Path(__file__).parents[2] / "fixtures" / "pages"
State = dict[str, Any]


class _Handler(SimpleHTTPRequestHandler):
    """Files by GET; what a page tells by POST."""

    def __init__(self, heard: Callable[[State], None], *arguments: Any) -> None:
        self._heard = heard
        super().__init__(*arguments, directory=str(PAGES))

    def do_POST(self) -> None:
        self._heard(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        """Nothing is printed."""


class PageServer:
    """The server, and the last word of the page that spoke last."""

    def __init__(self) -> None:
        self.state: State = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, self._heard))
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def _heard(self, state: State) -> None:
        if state["at"] >= self.state.get("at", 0):  # what a page told last may arrive after the next page's first word
            self.state = state

    def url(self, page: str) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/{page}"

    def stop(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
