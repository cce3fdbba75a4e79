"""The keeper's children: started with the limit on, reaped with whatever orphans come to it."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

from deskhand.isolation import processes
from deskhand.isolation.limits import Limit
from deskhand.isolation.messages import Exit

REMEMBERED = 200
"""Ended programs whose exit codes are kept."""

KEEPER_LOG = 2
"""The keeper's own stderr."""

Descriptor = int | IO[bytes]


class Reaper:
    """Starts children and collects everything that dies below the keeper."""

    def __init__(self, limit: Limit) -> None:
        self.limit = limit
        self.running: dict[int, str] = {}
        self.ended: list[Exit] = []
        self._children: dict[int, subprocess.Popen[bytes]] = {}
        self._waiting: dict[int, list[asyncio.Future[int]]] = {}
        asyncio.get_running_loop().add_signal_handler(signal.SIGCHLD, self._collect)

    def start(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        *,
        directory: str | Path = "/",
        streams: Sequence[Descriptor] = (subprocess.DEVNULL, subprocess.DEVNULL, KEEPER_LOG),
        passed: Sequence[int] = (),
        score: int = 0,
    ) -> int:
        """Start in a session of its own and return the pid. Raises ``OSError`` when it cannot be executed.

        ``score`` is the program's ``oom_score_adj``: higher is killed first at the limit.
        """
        child = subprocess.Popen(
            list(command), env=dict(environment), cwd=directory, stdin=streams[0], stdout=streams[1], stderr=streams[2],
            pass_fds=passed, start_new_session=True, preexec_fn=_preparation(self.limit, score),  # noqa: PLW1509 -- the keeper has one thread
        )  # fmt: skip
        self._children[child.pid] = child
        self.running[child.pid] = " ".join(command)
        return child.pid

    def exited(self, pid: int) -> asyncio.Future[int]:
        """Resolves to the exit code (or 128 + signal) when the child has ended."""
        future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        code = next((ended.code for ended in reversed(self.ended) if ended.pid == pid), None)
        if code is not None and pid not in self.running:
            future.set_result(code)
        else:
            self._waiting.setdefault(pid, []).append(future)
        return future

    def _collect(self) -> None:
        for pid, code in processes.reap().items():
            self._note(pid, code)

    def _note(self, pid: int, code: int) -> None:
        if child := self._children.pop(pid, None):
            child.returncode = code  # reaped here, so that Popen does not try
            self.running.pop(pid, None)
            self.ended = [*self.ended[-REMEMBERED + 1 :], Exit(pid=pid, code=code)]
        for future in self._waiting.pop(pid, ()):
            if not future.done():
                future.set_result(code)


def _preparation(limit: Limit, score: int) -> Callable[[], None]:
    def prepare() -> None:
        limit.enter()
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        with contextlib.suppress(PermissionError):  # lowering the score needs privilege; the default will do
            Path("/proc/self/oom_score_adj").write_text(str(score))

    return prepare
