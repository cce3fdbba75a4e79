"""Which line leads to which application: one of its own where it has one, else the bus's."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from urllib.parse import unquote

from deskhand.platforms.linux.atspi.line import Gone, Line, Refused, values

log = logging.getLogger(__name__)
_BUS = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
_ROOT = ("/org/a11y/atspi/accessible/root", "org.a11y.atspi.Application")


class Lines:
    """The lines of one accessibility bus. All calls to one application take the same line, so they keep their order.

    ``pid`` tells the process behind a bus name.
    """

    def __init__(self, shared: Line, flight: int, pid: Callable[[str], Awaitable[int]]) -> None:
        self._shared, self._flight, self._pid = shared, flight, pid
        self._own: dict[str, Line] = {}
        self._reaching: dict[str, asyncio.Task[None]] = {}

    @classmethod
    async def open(cls, address: str, flight: int, pid: Callable[[str], Awaitable[int]]) -> Lines:
        """Connect to the bus. Raises ``OSError``."""
        paths = [path for part in address.split(";") if (path := socket_path(part)) is not None]
        if not paths:
            raise OSError(f"no UNIX socket in {address!r}")
        line = await Line.open(paths[0], flight)
        values(await line.ask(*_BUS, "Hello", "", ()))
        return cls(line, flight, pid)

    @property
    def lost(self) -> bool:
        """Whether the bus hung up."""
        return self._shared.lost

    def line(self, app: str) -> Line:
        """The line to an application, as far as it has been reached."""
        own = self._own.get(app)
        return own if own is not None and not own.lost else self._shared

    async def reach(self, app: str) -> None:
        """Open the application's own line, once. Without one, the bus's serves."""
        task = self._reaching.get(app)
        if task is None:
            task = self._reaching[app] = asyncio.create_task(self._reach(app))
        if not task.done():
            await asyncio.shield(task)

    async def _reach(self, app: str) -> None:
        if not app.startswith(":"):
            return  # the registry
        try:
            said = values(await self._shared.ask(app, *_ROOT, "GetApplicationBusAddress", "", ()))
            path = socket_path(str(said[0])) if said else None
            if path is not None:
                await self._connect(app, path)
        except (Refused, OSError) as error:
            log.info("%s has no line of its own (%r)", app, error)
        except Gone:
            self._reaching.pop(app, None)  # it has left, and nobody tells so twice

    async def _connect(self, app: str, path: str) -> None:
        line = await Line.open(path, self._flight)
        if line.peer == await self._pid(app):
            self._own[app] = line
        else:  # whoever listens there is not the application that the bus knows
            line.close()

    def left(self, app: str) -> None:
        """The application left the bus: hang up."""
        self._reaching.pop(app, None)
        if (own := self._own.pop(app, None)) is not None:
            own.close()

    def close(self) -> None:
        """Hang up everywhere."""
        for task in self._reaching.values():
            task.cancel()
        for line in (*self._own.values(), self._shared):
            line.close()


def socket_path(address: str) -> str | None:
    """The socket of a D-Bus address (``unix:path=…`` or ``unix:abstract=…``); None for other transports."""
    transport, _, options = address.partition(":")
    said = dict(option.partition("=")[::2] for option in options.split(","))
    if transport != "unix":
        return None
    return unquote(said["path"]) if "path" in said else "\0" + unquote(said["abstract"]) if "abstract" in said else None
