"""The owner's end of its steward (see ``steward``): started when first needed, asked one thing at a time."""

from __future__ import annotations

import asyncio
import json
import os
import select
import subprocess
import sys
import threading
from typing import Any

from deskhand.platforms.linux.x11.selections import soon
from deskhand.platforms.linux.x11.worker import Worker
from deskhand.types.errors import DeskhandError

ANSWERING = 12.0
"""Seconds that the steward has for an answer, its start included."""
_MODULE = "deskhand.platforms.linux.x11.steward"


class Stewardship:
    """One display's steward process."""

    def __init__(self, display: str, authority: str | None = None) -> None:
        self._display, self._authority = display, authority
        self._running: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._worker = Worker("deskhand-steward")
        self._heard = b""

    def note(self, line: str) -> None:
        """Have it know what is borrowed and held now. Called from the X thread, before it is true."""
        self._tell({"do": "note", "line": line})

    async def ask(self, what: str, **more: Any) -> dict[str, Any]:
        """Ask for something. Raises what the steward raised, ``input_failed`` when it does not answer."""
        asking = self._worker.submit(lambda: self._ask({"do": what, **more}))
        answer = await asyncio.shield(asyncio.wrap_future(asking))
        if "error" in answer:
            raise DeskhandError(answer["error"], answer["message"])
        return answer

    async def close(self) -> None:
        """Let it go: it settles what is owed, and stays as long as the clipboard is its own."""
        with self._lock:
            running, self._running = self._running, None
        if running is not None:
            _leave(running)
        self._worker.end()

    # -- in threads -------------------------------------------------------------------------------------------------
    def _ask(self, message: dict[str, Any]) -> dict[str, Any]:
        running = self._tell(message)
        assert running.stdout is not None
        deadline = soon(ANSWERING)
        while b"\n" not in self._heard:
            left = deadline - soon(0)
            ready = select.select([running.stdout], [], [], max(left, 0))[0]
            chunk = os.read(running.stdout.fileno(), 1 << 16) if ready else b""
            if not chunk:
                self._drop(running)
                raise DeskhandError("input_failed", "the clipboard's keeper did not answer; try again", sent="unknown")
            self._heard += chunk
        line, _, self._heard = self._heard.partition(b"\n")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _tell(self, message: dict[str, Any]) -> subprocess.Popen[bytes]:
        line = json.dumps(message).encode() + b"\n"
        with self._lock:
            running = self._running if self._running is not None and self._running.poll() is None else self._start()
            assert running.stdin is not None
            try:
                running.stdin.write(line)
                running.stdin.flush()
            except BrokenPipeError as problem:
                raise DeskhandError("desktop_unavailable", "the display is gone; start the desktop again") from problem
            return running

    def _start(self) -> subprocess.Popen[bytes]:
        environment = dict(os.environ)
        if self._authority is not None:
            environment["XAUTHORITY"] = self._authority
        self._heard = b""
        self._running = subprocess.Popen(
            [sys.executable, "-P", "-m", _MODULE, self._display], env=environment, cwd="/", start_new_session=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        return self._running

    def _drop(self, running: subprocess.Popen[bytes]) -> None:
        with self._lock:
            if self._running is running:
                self._running = None
        _leave(running)


def _leave(running: subprocess.Popen[bytes]) -> None:
    for pipe in (running.stdin, running.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except BrokenPipeError:
                continue  # it ended first
    threading.Thread(target=running.wait, name="deskhand-steward-end", daemon=True).start()
