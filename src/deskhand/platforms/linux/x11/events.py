"""The X side of the event feed: windows that come, go, move, change their title, state or stacking."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from Xlib import X

from deskhand.platforms.linux.x11.connection import Connection
from deskhand.platforms.linux.x11.looping import EventLoopThread
from deskhand.platforms.linux.x11.properties import read_properties

_KINDS = {
    X.CreateNotify: "created",
    X.DestroyNotify: "destroyed",
    X.MapNotify: "mapped",
    X.UnmapNotify: "unmapped",
    X.ConfigureNotify: "moved",
    X.CirculateNotify: "stacking",
    X.ReparentNotify: "reparented",
}
_PROPERTIES = {
    "_NET_CLIENT_LIST": "windows",
    "_NET_CLIENT_LIST_STACKING": "stacking",
    "_NET_ACTIVE_WINDOW": "active",
    "_NET_WM_NAME": "title",
    "WM_NAME": "title",
    "_NET_WM_STATE": "state",
    "WM_STATE": "state",
}


class WindowEvents:
    """Calls ``on_change`` with the kind of every change, in its own thread: the callee must be thread-safe.

    Kinds: ``windows stacking active title state created destroyed mapped unmapped moved reparented``, and ``gone``
    once when the display is lost.
    """

    def __init__(self, display: str, on_change: Callable[[str], None], authority: str | None = None) -> None:
        self._on_change = on_change
        self._watched: set[int] = set()
        self._loop = EventLoopThread(display, self._on_event, lambda: on_change("gone"), authority)

    async def start(self) -> None:
        """Connect and listen. Raises ``desktop_unavailable``."""
        self._watched.clear()
        await self._loop.start(self._listen)

    async def close(self) -> None:
        """Stop listening."""
        await self._loop.close()

    def _listen(self, connection: Connection) -> None:
        connection.root.change_attributes(event_mask=X.SubstructureNotifyMask | X.PropertyChangeMask)
        self._watch_clients(connection)

    def _watch_clients(self, connection: Connection) -> None:
        root = connection.root.id
        listed = set(read_properties(connection, [root], ["_NET_CLIENT_LIST"])[root]["_NET_CLIENT_LIST"].numbers)
        for xid in listed - self._watched:
            connection.window(xid).change_attributes(event_mask=X.PropertyChangeMask)
        self._watched = listed

    def _on_event(self, connection: Connection, happened: Any) -> None:
        kind = _KINDS.get(happened.type)
        if happened.type == X.PropertyNotify:
            kind = _PROPERTIES.get(connection.atom_name(happened.atom))
        if kind == "windows":
            self._watch_clients(connection)
        if kind is not None:
            self._on_change(kind)
