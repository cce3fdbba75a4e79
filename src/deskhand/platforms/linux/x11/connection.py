"""One thread per X connection: python-xlib blocks, so every use of it happens in a thread of its own.

The display is always named, and so is the file with its key (``authority``, the desktop's ``XAUTHORITY``): nothing here
looks at the process's environment to find a display.
"""

from __future__ import annotations

import asyncio
import os
import select
import socket
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from Xlib import X, display, error
from Xlib.protocol import event

from deskhand.types.errors import DeskhandError

T = TypeVar("T")

_ENVIRONMENT = threading.Lock()

DEADLINE = 5.0
"""Seconds that one job on an X connection may take unless its caller says otherwise."""


class Connection:
    """An open X connection. Used only in the thread that opened it."""

    def __init__(self, name: str, authority: str | None = None) -> None:
        self.name = name
        self.display: Any = open_display(name, authority)
        self.display.set_error_handler(self._note_error)
        self.root: Any = self.display.screen().root
        self.errors: list[Any] = []
        self._atoms: dict[str, int] = {}
        self._stamp: Any = None

    def _note_error(self, problem: Any, request: Any) -> int:
        self.errors = [*self.errors[-9:], problem]
        return 1

    def atom(self, name: str) -> int:
        """The number of an atom, asked for once."""
        if name not in self._atoms:
            self._atoms[name] = self.display.intern_atom(name)
        return self._atoms[name]

    def atom_name(self, number: int) -> str:
        """The name of an atom, asked for once."""
        for name, known in self._atoms.items():
            if known == number:
                return name
        name = str(self.display.get_atom_name(number))
        self._atoms[name] = number
        return name

    def window(self, xid: int) -> Any:
        """python-xlib's object for a window id."""
        return self.display.create_resource_object("window", xid)

    def drain(self) -> None:
        """Forget events that nobody waits for."""
        while self.display.pending_events():
            self.display.next_event()

    def wait(self, seen: Callable[[Any], bool], deadline: float) -> bool:
        """Read events until one satisfies ``seen``; False when ``deadline`` (monotonic seconds) passed first."""
        while True:
            while self.display.pending_events():
                if seen(self.display.next_event()):
                    return True
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            select.select([self.display.fileno()], [], [], left)

    def wait_until(self, holds: Callable[[], bool], deadline: float) -> bool:
        """Check ``holds`` now and after every event; False when ``deadline`` passed first."""
        if holds():
            return True
        return self.wait(lambda _: holds(), deadline) or holds()

    @contextmanager
    def selecting(self, window: Any, mask: int) -> Iterator[None]:
        """Receive the events of ``mask`` from ``window`` for a while."""
        window.change_attributes(event_mask=mask)
        self.display.sync()
        try:
            yield
        finally:
            with_errors_ignored = error.CatchError(error.BadWindow)
            window.change_attributes(event_mask=0, onerror=with_errors_ignored)
            self.display.sync()
            self.drain()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """The server listens to nobody else: what is looked at stays true until what is sent has been done."""
        self.display.grab_server()
        try:
            yield
        finally:
            self.display.ungrab_server()
            self.display.flush()

    def server_time(self, otherwise: Callable[[Any], None] = lambda _: None) -> int:
        """The server's clock in milliseconds: what window managers accept as the time of a user's action.

        Events read while waiting for it are given to ``otherwise``.
        """
        if self._stamp is None:
            self._stamp = self.root.create_window(
                -10, -10, 1, 1, 0, 0, X.InputOnly, X.CopyFromParent, event_mask=X.PropertyChangeMask
            )
        times: list[int] = []

        def stamped(happened: Any) -> bool:
            if happened.type == X.PropertyNotify and happened.window == self._stamp:
                times.append(happened.time)
            else:
                otherwise(happened)
            return bool(times)

        self._stamp.change_property(self.atom("DESKHAND_TIME"), self.atom("INTEGER"), 8, b"", X.PropModeAppend)
        self.display.flush()
        self.wait(stamped, time.monotonic() + 1.0)
        return times[0] if times else X.CurrentTime

    def tell_manager(self, window: Any, message: str, data: list[int]) -> None:
        """Send an EWMH client message about ``window`` to the window manager."""
        notice = event.ClientMessage(
            window=window, client_type=self.atom(message), data=(32, (data + [0] * 5)[:5])
        )  # fmt: skip
        self.root.send_event(notice, X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        self.display.flush()

    def cut(self) -> None:
        """Shut the socket: whatever waits on it in the thread fails at once. Callable from any thread."""
        try:
            self.display.display.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            return  # already closed: nothing waits on it

    def close(self) -> None:
        """Disconnect."""
        self.display.close()


@contextmanager
def authorised(authority: str | None) -> Iterator[None]:
    """Let the X libraries read their key from ``authority`` while they connect: the environment is all they ask.

    None leaves it to them (``XAUTHORITY``, then the home folder).
    """
    if authority is None:
        yield
        return
    with _ENVIRONMENT:
        before = os.environ.get("XAUTHORITY")
        os.environ["XAUTHORITY"] = authority
        try:
            yield
        finally:
            if before is None:
                del os.environ["XAUTHORITY"]
            else:
                os.environ["XAUTHORITY"] = before


def open_display(name: str, authority: str | None = None) -> Any:
    """Connect to the X server ``name``. Raises ``desktop_unavailable`` with the remedy."""
    if not name:
        raise DeskhandError("desktop_unavailable", "no display is named; start a desktop or set DISPLAY")
    try:
        with authorised(authority):
            return display.Display(name)
    except (error.DisplayError, error.ConnectionClosedError, OSError) as problem:
        raise DeskhandError(
            "desktop_unavailable",
            f"X display {name} does not answer ({one_line(problem)}); check that it runs and lets you in",
        ) from problem


def one_line(problem: BaseException) -> str:
    """An exception as one line of text."""
    return " ".join(str(problem).split()) or type(problem).__name__


class XThread:
    """A thread that owns one X connection and does jobs on it one after the other.

    A job that misses its deadline, and a server that goes away, both cut the connection; the next call connects anew.
    """

    def __init__(self, display_name: str, authority: str | None = None) -> None:
        self.display_name, self._authority = display_name, authority
        self._pool: ThreadPoolExecutor | None = None
        self._connection: Connection | None = None

    async def start(self) -> None:
        """Connect. Raises ``desktop_unavailable``."""
        await self.call(lambda _: None)

    async def call(self, job: Callable[[Connection], T], timeout: float = DEADLINE) -> T:
        """Run ``job`` in the thread.

        Raises ``desktop_unavailable`` when there is no display or it does not answer within ``timeout`` seconds, and
        ``window_gone`` when the window that the job was about is gone. A cancelled caller leaves the job to end.
        """
        pool = self._pool = self._pool or ThreadPoolExecutor(1, thread_name_prefix="deskhand-x11")
        running = asyncio.get_running_loop().run_in_executor(pool, self._run, job)
        try:
            return await asyncio.wait_for(running, timeout)
        except TimeoutError as problem:
            self._give_up()
            raise DeskhandError(
                "desktop_unavailable",
                f"X display {self.display_name} did not answer within {timeout:g} s; check that its server is alive",
                sent="unknown",
            ) from problem

    def _run(self, job: Callable[[Connection], T]) -> T:
        if self._connection is None:
            self._connection = Connection(self.display_name, self._authority)
        try:
            self._connection.drain()
            return job(self._connection)
        except (error.BadWindow, error.BadDrawable, error.BadMatch) as problem:
            raise DeskhandError("window_gone", "the window is gone; look again with apps") from problem
        except error.XError as problem:
            raise DeskhandError("internal", f"the X server refused: {one_line(problem)}") from problem
        except (error.ConnectionClosedError, OSError) as problem:
            self._connection = None
            raise DeskhandError(
                "desktop_unavailable",
                f"X display {self.display_name} is gone ({one_line(problem)}); start the desktop again",
                sent="unknown",
            ) from problem

    def _give_up(self) -> None:
        stuck, self._connection = self._connection, None
        pool, self._pool = self._pool, None
        if stuck is not None:
            stuck.cut()
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)

    async def close(self) -> None:
        """Disconnect and end the thread."""
        pool, self._pool = self._pool, None
        if pool is None:
            return
        loop = asyncio.get_running_loop()
        try:
            await asyncio.wait_for(loop.run_in_executor(pool, self._disconnect), 2.0)
        except TimeoutError:
            if self._connection is not None:
                self._connection.cut()
        pool.shutdown(wait=False, cancel_futures=True)

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.close()
            except (error.ConnectionClosedError, OSError):
                return  # the server went first


async def finish(work: Coroutine[Any, Any, T]) -> T:
    """Run ``work`` to its end even when the caller is cancelled meanwhile; the cancellation is raised afterwards."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as problem:
            if task.cancelled():
                raise
            cancelled = problem
        except DeskhandError:
            break
    if cancelled is not None:
        task.exception()  # looked at, so that it is not reported as lost
        raise cancelled
    return task.result()
