"""The tap as tests use it: marks, and the events since a mark."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

_PATIENCE = 10.0


@dataclass(frozen=True, slots=True)
class Tapped:
    """One device event: ``detail`` is the keycode or button number, coordinates are root pixels."""

    kind: str
    detail: int
    x: int
    y: int
    state: int


class EventTap:
    """Runs the recorder in a process of its own, in a desktop's environment. Use as a context manager."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        program = Path(__file__).with_name("recorder.py")
        self._process = subprocess.Popen(
            [sys.executable, str(program), environment["DISPLAY"]],
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._lines: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._events: list[Tapped] = []
        self._marks = 0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        if "ready" not in self._line():
            raise AssertionError("the event tap did not start")

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(json.loads(line))
        self._lines.put(None)

    def _line(self) -> dict[str, Any]:
        line = self._lines.get(timeout=_PATIENCE)
        if line is None:
            raise AssertionError("the event tap has ended: nothing can be proven")
        return line

    def mark(self) -> int:
        """A place in the journal: everything the server has processed until now lies before it."""
        self._marks += 1
        assert self._process.stdin is not None
        self._process.stdin.write(f"{self._marks}\n")
        self._process.stdin.flush()
        while True:
            line = self._line()
            if line.get("mark") == str(self._marks):
                return len(self._events)
            if "kind" in line:
                self._events.append(Tapped(**line))

    def since(self, mark: int) -> list[Tapped]:
        """All device events that the server processed after ``mark`` was made and until now."""
        end = self.mark()
        return self._events[mark:end]

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(3)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(3)
        if self._process.stdout is not None:
            self._process.stdout.close()

    def __enter__(self) -> EventTap:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
