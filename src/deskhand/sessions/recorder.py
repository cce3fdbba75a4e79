"""The recorder: JSON lines, one per event, flushed before the caller goes on. It never raises into the caller."""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from deskhand.daemon.caller import CALLER
from deskhand.sessions.places import day_file, prune
from deskhand.sessions.redaction import Redactor

log = logging.getLogger(__name__)
SCHEMA = 1
"""Version of the events' form; counts up when a reader must know."""
KEPT_DAYS = 14


class FileRecorder:
    """Writes the events of one desktop to ``folder``, a file per day, mode 0600.

    A failing disk is told once, by the log and by ``trouble``; each later event tries again.

    Args:
        folder: the desktop's records.
        name: the desktop's name, in each event.
        kept_days: older files are removed.
        now: seconds since the epoch.
    """

    def __init__(
        self, folder: Path, name: str, kept_days: int = KEPT_DAYS, now: Callable[[], float] = time.time
    ) -> None:
        self._folder = folder
        self._name = name
        self._kept_days = kept_days
        self._now = now
        self._redactor = Redactor()
        self._path: Path | None = None
        self._file: IO[str] | None = None
        self._number = 0
        self._lost = 0
        self._trouble = ""

    @property
    def trouble(self) -> str:
        """Empty, or what keeps the record from being written."""
        return self._trouble

    def record(self, event: str, **data: Any) -> None:
        """One event, redacted and flushed to the system."""
        self._number += 1
        stamp = self._now()
        head = {"schema": SCHEMA, "n": self._number, "at": round(stamp, 6), "pid": os.getpid(), "desktop": self._name,
                "client": CALLER.get().client}  # fmt: skip
        if call := CALLER.get().call:
            head["call"] = call
        if self._lost:
            head["lost"] = self._lost
        said = self._redactor.clean(data, CALLER.get().call)
        line = json.dumps({**head, "event": event, **said}, ensure_ascii=False)
        try:
            self._write(line + "\n", stamp)
        except (OSError, ValueError) as error:
            self._fail(error)
        else:
            self._lost = 0
            self._trouble = ""

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            try:
                self._file.close()
            except OSError as error:
                self._fail(error)
            self._file = None

    def _write(self, line: str, stamp: float) -> None:
        path = day_file(self._folder, stamp)
        if self._file is None or path != self._path:
            self.close()
            self._open(path, stamp)
        assert self._file is not None
        self._file.write(line)
        self._file.flush()

    def _open(self, path: Path, stamp: float) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        prune(self._folder, self._kept_days, stamp)
        self._file = open(path, "a", encoding="utf-8", errors="backslashreplace", opener=_private)  # noqa: SIM115
        self._path = path
        if _cut_short(path):
            self._file.write("\n")

    def _fail(self, error: Exception) -> None:
        if not self._trouble:
            log.error("the record cannot be written: %s", error)
        self._lost += 1
        self._trouble = f"the record cannot be written ({error}); free some space or use --no-record"
        broken, self._file = self._file, None
        if broken is not None:
            try:
                broken.close()
            except OSError as closing:
                log.debug("closing the record failed too: %s", closing)


class NoRecorder:
    """Records nothing: ``--no-record``."""

    @property
    def trouble(self) -> str:
        """Never any."""
        return ""

    def record(self, event: str, **data: Any) -> None:
        """Nothing is kept."""


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CLOEXEC, 0o600)


def _cut_short(path: Path) -> bool:
    """Whether the last line is only half there: the disk was full, or the owner was killed."""
    with open(path, "rb") as file:
        if file.seek(0, os.SEEK_END) == 0:
            return False
        file.seek(-1, os.SEEK_END)
        return file.read(1) != b"\n"
