"""One owner per desktop: a lock file held for as long as the process lives."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from deskhand.types.errors import DeskhandError

LOCK_NAME = "owner.lock"


class OwnerLock:
    """The right to be a desktop's owner. The kernel takes it back when the process ends, however it ends."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / LOCK_NAME
        self._handle: int | None = None

    def acquire(self) -> None:
        """Become the owner.

        Raises:
            DeskhandError: ``desktop_unavailable`` when another process is the owner.
        """
        handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(handle)
            raise DeskhandError("desktop_unavailable", f"process {self.owner()} owns this desktop already") from error
        os.ftruncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
        self._handle = handle

    def release(self) -> None:
        """Stop being the owner. The file stays: unlinking it would let two processes lock two files of one name."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def holder(self) -> int | None:
        """The pid of the process that is the owner now; None where there is none."""
        try:
            handle = os.open(self._path, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pid = self.owner()
            return int(pid) if pid.isdecimal() else None
        finally:
            os.close(handle)
        return None

    def owner(self) -> str:
        """The pid that the lock file names, for messages; ``unknown`` where it names none."""
        try:
            return self._path.read_text().strip() or "unknown"
        except OSError:
            return "unknown"

    def __enter__(self) -> OwnerLock:
        self.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        self.release()
