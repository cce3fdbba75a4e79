"""The X side of the event feed: windows that come, go, move, change their title, state or stacking."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from Xlib import X

from deskhand.platforms.linux.x11.connection import DEADLINE, Connection
from deskhand.platforms.linux.x11.looping import EventLoopThread
from deskhand.platforms.linux.x11.properties import read_properties
from deskhand.platforms.linux.x11.surfaces import Surface, read_surfaces

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


@dataclass(frozen=True, slots=True)
class _Held:
    """The surfaces, and how many events had been heard before they were read."""

    surfaces: tuple[Surface, ...]
    heard: int


class WindowEvents:
    """Calls ``on_change`` with the kind of every change, in its own thread: the callee must be thread-safe.

    Kinds: ``windows stacking active title state created destroyed mapped unmapped moved reparented``, and ``gone``
    once when the display is lost.
    """

    def __init__(self, display: str, on_change: Callable[[str], None], authority: str | None = None) -> None:
        self._on_change = on_change
        self._clients: set[int] = set()
        self._others: set[int] = set()  # surfaces that nobody manages, and frames
        self._heard, self._held = 0, _Held((), -1)
        self._loop = EventLoopThread(display, self._on_event, lambda: on_change("gone"), authority)

    async def start(self) -> None:
        """Connect and listen. Raises ``desktop_unavailable``."""
        self._clients.clear()
        self._others.clear()
        self._held = _Held((), -1)
        await self._loop.start(self._listen)

    async def close(self) -> None:
        """Stop listening."""
        await self._loop.close()

    @property
    def listening(self) -> bool:
        """Whether events come."""
        return self._loop.alive

    async def surfaces(self) -> list[Surface]:
        """All surfaces, bottom first; as last read where no event tells that anything about them is different since.

        The server is asked first whether it has more to tell, so what is returned is never older than the question.
        Raises ``desktop_unavailable``.
        """
        return await self._loop.call(self._surfaces, DEADLINE)

    def _surfaces(self, connection: Connection) -> list[Surface]:
        connection.display.sync()
        while connection.display.pending_events():
            self._on_event(connection, connection.display.next_event())
        if self._held.heard != self._heard:
            self._held = self._read(connection)
        return list(self._held.surfaces)

    def _read(self, connection: Connection) -> _Held:
        """What is watched first cannot change unheard while it is read, and afterwards."""
        heard = self._heard
        self._watch_clients(connection)
        children = {child.id for child in connection.root.query_tree().children}
        self._others = _watch(connection, children - self._clients, self._others, X.PropertyChangeMask)
        surfaces = read_surfaces(connection)
        told = all(surface.popup or surface.xid in self._clients for surface in surfaces)
        return _Held(tuple(surfaces), heard if told else -1)  # without a list of clients nobody tells which to watch

    def _listen(self, connection: Connection) -> None:
        mask = X.SubstructureNotifyMask | X.StructureNotifyMask | X.PropertyChangeMask
        connection.root.change_attributes(event_mask=mask)
        self._watch_clients(connection)

    def _watch_clients(self, connection: Connection) -> None:
        root = connection.root.id
        listed = set(read_properties(connection, [root], ["_NET_CLIENT_LIST"])[root]["_NET_CLIENT_LIST"].numbers)
        mask = X.StructureNotifyMask | X.PropertyChangeMask
        self._clients = _watch(connection, listed, self._clients, mask)

    def _on_event(self, connection: Connection, happened: Any) -> None:
        kind = _KINDS.get(happened.type)
        if happened.type == X.PropertyNotify:
            kind = _PROPERTIES.get(connection.atom_name(happened.atom))
        elif kind is None:
            return  # no event of a window: a keyboard map has changed
        self._heard += 1
        if kind == "windows":
            self._watch_clients(connection)
        if kind is not None and self._announced(connection, happened):
            self._on_change(kind)

    def _announced(self, connection: Connection, happened: Any) -> bool:
        """Whether it is told on: of what lies in the root once, by the root."""
        if happened.type == X.PropertyNotify:
            return happened.window == connection.root or happened.window.id in self._clients
        return bool(getattr(happened, "event", connection.root) == connection.root)


def _watch(connection: Connection, wanted: Iterable[int], known: set[int], mask: int) -> set[int]:
    """Hear of all of these; what has just gone is none of them any more by the next event."""
    listed = set(wanted)
    for xid in listed - known:
        connection.window(xid).change_attributes(event_mask=mask)
    return listed
