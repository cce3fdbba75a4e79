"""Windows as the X server and the window manager have them: looked at, and changed."""

from __future__ import annotations

from deskhand.platforms.base import WindowOperation
from deskhand.platforms.linux.x11.connection import XThread
from deskhand.platforms.linux.x11.events import WindowEvents
from deskhand.platforms.linux.x11.operations import perform
from deskhand.platforms.linux.x11.surfaces import Surface, read_surfaces, window_at
from deskhand.types.geometry import Rect


class WindowSource:
    """Reads surfaces and asks the window manager for changes. ``events``, while they come, save most of the reading."""

    def __init__(self, thread: XThread, events: WindowEvents | None = None) -> None:
        self._thread, self._events = thread, events

    async def surfaces(self) -> list[Surface]:
        """All top-level surfaces, bottom first, minimised ones and popups included."""
        if self._events is not None and self._events.listening:
            return await self._events.surfaces()
        return await self._thread.call(read_surfaces)

    async def window_at(self, x: int, y: int) -> int | None:
        """The surface that would get a click at this point, None for the bare root.

        The server's own answer: stacking, bounding and input shapes count. A decoration answers for its client.
        """
        return await self._thread.call(lambda c: window_at(c, x, y))

    async def operate(self, xid: int, operation: WindowOperation, bounds: Rect | None = None) -> bool:
        """Ask the window manager, and wait (bounded) until it is so; False when it was not seen to happen.

        ``move`` uses the place of ``bounds``, ``resize`` all of it, in the terms of ``Surface.frame``. ``close``
        also ends when the application answers by a new window (a question). Raises ``window_gone``.
        """
        return await self._thread.call(lambda c: perform(c, xid, operation, bounds), timeout=8.0)
