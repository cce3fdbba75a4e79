"""A thread that lives with its X connection: it reads events as they come and does jobs in between."""

from __future__ import annotations

import asyncio
import os
import queue
import select
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from Xlib import error

from deskhand.platforms.linux.x11.connection import Connection, one_line
from deskhand.types.errors import DeskhandError

T = TypeVar("T")


class EventLoopThread:
    """Runs ``on_event`` for every event on its own connection, and jobs given from asyncio."""

    def __init__(
        self,
        display: str,
        on_event: Callable[[Connection, Any], None],
        on_gone: Callable[[], None] = lambda: None,
        authority: str | None = None,
    ) -> None:
        self.display, self._authority = display, authority
        self._on_event, self._on_gone = on_event, on_gone
        self._jobs: queue.SimpleQueue[tuple[Callable[[Connection], Any], Future[Any]] | None] = queue.SimpleQueue()
        self._wake_read, self._wake_write = -1, -1
        self._thread: threading.Thread | None = None

    @property
    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread is not None and self._thread.is_alive()

    async def start(self, prepare: Callable[[Connection], None]) -> None:
        """Connect and do ``prepare``. Raises ``desktop_unavailable``."""
        self._release_pipe()
        self._jobs = queue.SimpleQueue()
        self._wake_read, self._wake_write = os.pipe()
        ready: Future[None] = Future()
        self._thread = threading.Thread(
            target=self._run, args=(prepare, ready), name="deskhand-x11-events", daemon=True
        )
        self._thread.start()
        await self._await(ready, 5.0)

    async def call(self, job: Callable[[Connection], T], timeout: float) -> T:
        """Do ``job`` in the thread. Raises ``desktop_unavailable`` when it has ended or does not answer."""
        if not self.alive:
            raise self._gone()
        done: Future[T] = Future()
        self._jobs.put((job, done))
        os.write(self._wake_write, b"j")
        return await self._await(done, timeout)

    async def _await(self, done: Future[T], timeout: float) -> T:
        try:
            async with asyncio.timeout(timeout):
                return await asyncio.wrap_future(done)
        except TimeoutError as problem:
            raise DeskhandError(
                "desktop_unavailable", f"X display {self.display} did not answer within {timeout:g} s"
            ) from problem

    async def close(self) -> None:
        """End the thread and disconnect."""
        thread, self._thread = self._thread, None
        if thread is not None and thread.is_alive():
            self._jobs.put(None)
            os.write(self._wake_write, b"q")
            await asyncio.to_thread(thread.join, 2.0)
        self._release_pipe()

    def _release_pipe(self) -> None:
        for end in (self._wake_read, self._wake_write):
            if end >= 0:
                os.close(end)
        self._wake_read = self._wake_write = -1

    def _gone(self) -> DeskhandError:
        return DeskhandError("desktop_unavailable", f"X display {self.display} is gone; start the desktop again")

    # -- in the thread ----------------------------------------------------------------------------------------------
    def _run(self, prepare: Callable[[Connection], None], ready: Future[None]) -> None:
        try:
            connection = Connection(self.display, self._authority)
            prepare(connection)
            connection.display.sync()
        except (DeskhandError, error.ConnectionClosedError, error.XError, OSError) as problem:
            ready.set_exception(problem if isinstance(problem, DeskhandError) else self._gone())
            return
        ready.set_result(None)
        try:
            self._serve(connection)
            connection.close()
        except (error.ConnectionClosedError, OSError) as problem:
            connection.errors.append(one_line(problem))
            self._on_gone()
        self._refuse_the_rest()

    def _serve(self, connection: Connection) -> None:
        while True:
            while connection.display.pending_events():
                self._on_event(connection, connection.display.next_event())
            connection.display.flush()
            readable, _, _ = select.select([connection.display.fileno(), self._wake_read], [], [])
            if self._wake_read in readable:
                os.read(self._wake_read, 1)
                job = self._jobs.get()
                if job is None:
                    return
                _settle(connection, *job)

    def _refuse_the_rest(self) -> None:
        while not self._jobs.empty():
            job = self._jobs.get()
            if job is not None:
                job[1].set_exception(self._gone())


def _settle(connection: Connection, job: Callable[[Connection], T], done: Future[T]) -> None:
    if not done.set_running_or_notify_cancel():
        return
    try:
        result = job(connection)
    except (DeskhandError, error.XError) as problem:
        done.set_exception(problem)
    except (error.ConnectionClosedError, OSError) as problem:
        done.set_exception(DeskhandError("desktop_unavailable", f"the X display is gone: {one_line(problem)}"))
        raise
    else:
        done.set_result(result)
