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
from contextlib import contextmanager
from typing import Any, TypeVar

from Xlib import X, display, error
from Xlib.protocol import display as server
from Xlib.protocol import event

from deskhand.platforms.linux.x11.worker import Worker
from deskhand.types.errors import DeskhandError, Sent

T = TypeVar("T")

_ENVIRONMENT, _NUMBERS = threading.Lock(), threading.Lock()

DEADLINE = 5.0
"""Seconds that one job on an X connection may take unless its caller says otherwise."""
CLOSING = 2.0
"""Seconds to wait for a connection to close."""


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

    def drain(self, otherwise: Callable[[Any], None] = lambda _: None) -> None:
        """Forget events that nobody waits for; ``otherwise`` is told of them."""
        while self.display.pending_events():
            otherwise(self.display.next_event())

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
    def selecting(self, window: Any, mask: int, otherwise: Callable[[Any], None] = lambda _: None) -> Iterator[None]:
        """Receive the events of ``mask`` from ``window`` for a while; ``otherwise`` is told of those left over."""
        window.change_attributes(event_mask=mask)
        self.display.sync()
        try:
            yield
        finally:
            with_errors_ignored = error.CatchError(error.BadWindow)
            window.change_attributes(event_mask=0, onerror=with_errors_ignored)
            self.display.sync()
            self.drain(otherwise)

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


@contextmanager
def _own_numbers() -> Iterator[None]:
    """Extensions number their events anew on each X server; python-xlib notes the numbers of all servers in one table.

    (Measured: who has been on an Xvfb cannot connect to an Xvnc.) So a connection begins with a table of its own.
    """
    with _NUMBERS:
        server.Display.event_classes = event.event_class.copy()
        server.Display.error_classes = error.xerror_class.copy()
        yield


def _bound(made: Any) -> Any:
    made.display.event_classes = server.Display.event_classes
    made.display.error_classes = server.Display.error_classes
    return made


def open_display(name: str, authority: str | None = None) -> Any:
    """Connect to the X server ``name``. Raises ``desktop_unavailable`` with the remedy."""
    if not name:
        raise DeskhandError("desktop_unavailable", "no display is named; start a desktop or set DISPLAY")
    try:
        with authorised(authority), _own_numbers():
            return _bound(display.Display(name))
    except (error.DisplayError, error.ConnectionClosedError, OSError) as problem:
        raise DeskhandError(
            "desktop_unavailable",
            f"X display {name} does not answer ({one_line(problem)}); check that it runs and lets you in",
        ) from problem


def one_line(problem: BaseException) -> str:
    """An exception as one line of text."""
    return " ".join(str(problem).split()) or type(problem).__name__


class _Line:
    """One worker with one connection: what is cut once stays cut, also for the jobs still queued."""

    def __init__(self, display_name: str, authority: str | None) -> None:
        self.worker = Worker("deskhand-x11")
        self._display_name, self._authority = display_name, authority
        self._connection: Connection | None = None
        self._cut = False

    def run(self, job: Callable[[Connection], T]) -> T:
        """Do a job in the worker's thread; what goes wrong becomes a typed error."""
        if self._cut:
            raise self._gone("the connection was cut")
        try:
            if self._connection is None:
                self._connection = Connection(self._display_name, self._authority)
            self._connection.drain()
            return job(self._connection)
        except (error.BadWindow, error.BadDrawable, error.BadMatch) as problem:
            raise DeskhandError("window_gone", "the window is gone; look again with apps") from problem
        except error.XError as problem:
            raise DeskhandError("internal", f"the X server refused: {one_line(problem)}") from problem
        except (error.ConnectionClosedError, OSError) as problem:
            self._cut = True
            raise self._gone(one_line(problem), "unknown") from problem

    @property
    def is_cut(self) -> bool:
        """Whether it is of no more use."""
        return self._cut

    def cut(self) -> None:
        """Give it up from outside: a hung job fails at once, queued ones when their turn comes."""
        self._cut = True
        if self._connection is not None:
            self._connection.cut()
        self.worker.end()

    def disconnect(self) -> None:
        """Close the connection, in the worker's thread."""
        self._cut = True
        if self._connection is not None:
            try:
                self._connection.close()
            except (error.ConnectionClosedError, OSError):
                return  # the server went first

    def _gone(self, why: str, sent: Sent = "no") -> DeskhandError:
        return DeskhandError(
            "desktop_unavailable", f"X display {self._display_name} is gone ({why}); start the desktop again", sent
        )


class XThread:
    """A thread that owns one X connection and does jobs on it one after the other.

    A job that misses its deadline, and a server that goes away, both cut the connection; the next call connects anew.
    """

    def __init__(self, display_name: str, authority: str | None = None) -> None:
        self.display_name, self._authority = display_name, authority
        self._line: _Line | None = None

    async def start(self) -> None:
        """Connect. Raises ``desktop_unavailable``."""
        await self.call(lambda _: None)

    async def call(self, job: Callable[[Connection], T], timeout: float = DEADLINE) -> T:
        """Run ``job`` in the thread.

        Raises ``desktop_unavailable`` when there is no display or it does not answer within ``timeout`` seconds, and
        ``window_gone`` when the window that the job was about is gone. A cancelled caller leaves a job that has begun
        to end.
        """
        line = self._line = self._usable_line()
        running = asyncio.wrap_future(line.worker.submit(lambda: line.run(job)))
        try:
            async with asyncio.timeout(timeout):  # wait_for of Python 3.11 can swallow a cancellation
                return await running
        except TimeoutError as problem:
            line.cut()
            raise DeskhandError(
                "desktop_unavailable",
                f"X display {self.display_name} did not answer within {timeout:g} s; check that its server is alive",
                sent="unknown",
            ) from problem

    def _usable_line(self) -> _Line:
        if self._line is not None and self._line.is_cut:
            self._line.cut()
            self._line = None
        return self._line or _Line(self.display_name, self._authority)

    async def close(self) -> None:
        """Disconnect and end the thread."""
        line, self._line = self._line, None
        if line is None or line.is_cut:
            return
        leaving = asyncio.wrap_future(line.worker.submit(line.disconnect))
        line.worker.end()
        try:
            async with asyncio.timeout(CLOSING):
                await leaving
        except TimeoutError:
            line.cut()


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
