"""Asking the window manager (EWMH client messages), and waiting until it has done it."""

from __future__ import annotations

import time
from collections.abc import Callable

from Xlib import X

from deskhand.platforms.base import WindowOperation
from deskhand.platforms.linux.x11.connection import Connection
from deskhand.platforms.linux.x11.properties import EVERY_DESKTOP, Inquiry, read_properties
from deskhand.platforms.linux.x11.surfaces import read_surfaces
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Rect

PATIENCE = 5.0
"""Seconds to wait for the window manager: it can be busy reading a keyboard map that typing has just changed."""
_PAGER = 2  # source indication: the user asked for it
_REMOVE, _ADD = 0, 1
_ICONIC = 3
_STATIC_GRAVITY = 10
_REST = 0.5
"""Seconds after which a window that has moved, but not to where it was to be, stays: it has a least size, or whole
cells."""


def perform(connection: Connection, xid: int, operation: WindowOperation, bounds: Rect | None) -> bool:
    """Do one window operation; True once it is seen. Raises ``window_gone`` and ``invalid_request``.

    ``bounds`` are of the frame (``Surface.frame``): ``move`` uses its place, ``resize`` all of it. A window that takes
    another place or size than was asked for has moved all the same: whoever asked reads where it is.
    """
    if operation not in _OPERATIONS:
        raise DeskhandError("invalid_request", f'no window operation is called "{operation}"')
    if operation in ("move", "resize") and bounds is None:
        raise DeskhandError("invalid_request", f"window {operation} needs a rectangle")
    _require(connection, xid)
    with connection.selecting(connection.root, X.SubstructureNotifyMask | X.PropertyChangeMask):
        return _OPERATIONS[operation](connection, xid, bounds or Rect(0, 0, 0, 0))


def _require(connection: Connection, xid: int) -> None:
    inquiry = Inquiry(connection)
    if inquiry.answer(inquiry.attributes(xid)) is None:
        raise DeskhandError("window_gone", "the window is gone; look again with apps")


def _until(connection: Connection, xid: int, holds: Callable[[], bool]) -> bool:
    window = connection.window(xid)
    with connection.selecting(window, X.PropertyChangeMask | X.StructureNotifyMask):
        return connection.wait_until(holds, time.monotonic() + PATIENCE)


def _activate(connection: Connection, xid: int, _: Rect) -> bool:
    window, now = connection.window(xid), connection.server_time()
    _go_to_its_desktop(connection, xid, now)
    connection.tell_manager(window, "_NET_ACTIVE_WINDOW", [_PAGER, now, _active(connection)])
    return _until(connection, xid, lambda: _active(connection) == xid and _shown(connection, xid))


def _go_to_its_desktop(connection: Connection, xid: int, now: int) -> None:
    """Some managers only mark a window of another virtual desktop when asked to activate it."""
    root = connection.root.id
    facts = read_properties(connection, [root, xid], ["_NET_CURRENT_DESKTOP", "_NET_WM_DESKTOP"])
    current, own = facts[root]["_NET_CURRENT_DESKTOP"].numbers, facts[xid]["_NET_WM_DESKTOP"].numbers
    if current and own and own[0] not in (current[0], EVERY_DESKTOP):
        connection.tell_manager(connection.root, "_NET_CURRENT_DESKTOP", [own[0], now])


def _close(connection: Connection, xid: int, _: Rect) -> bool:
    before = _listed(connection)
    connection.tell_manager(connection.window(xid), "_NET_CLOSE_WINDOW", [connection.server_time(), _PAGER])

    def answered() -> bool:
        now = _listed(connection)
        return xid not in now or bool(now - before)

    return _until(connection, xid, answered)


def _minimise(connection: Connection, xid: int, _: Rect) -> bool:
    connection.tell_manager(connection.window(xid), "WM_CHANGE_STATE", [_ICONIC])
    return _until(connection, xid, lambda: _minimised(connection, xid) and _active(connection) != xid)


def _maximise(connection: Connection, xid: int, bounds: Rect) -> bool:
    _set_maximised(connection, xid, _ADD)
    return _until(connection, xid, lambda: _maximised(connection, xid))


def _restore(connection: Connection, xid: int, bounds: Rect) -> bool:
    if _minimised(connection, xid):
        return _activate(connection, xid, bounds)
    window = connection.window(xid)
    fullscreen = connection.atom("_NET_WM_STATE_FULLSCREEN")
    connection.tell_manager(window, "_NET_WM_STATE", [_REMOVE, fullscreen, 0, _PAGER])
    _set_maximised(connection, xid, _REMOVE)
    return _until(connection, xid, lambda: not (_states(connection, xid) & (_MAXIMISED | {"_NET_WM_STATE_FULLSCREEN"})))


def _set_maximised(connection: Connection, xid: int, action: int) -> None:
    sides = [connection.atom(name) for name in sorted(_MAXIMISED)]
    connection.tell_manager(connection.window(xid), "_NET_WM_STATE", [action, *sides, _PAGER])


def _move(connection: Connection, xid: int, to: Rect) -> bool:
    client, first = _client_in(connection, xid, to), _bounds(connection, xid)
    _move_resize(connection, xid, client, 0b0011)
    return _placed(connection, xid, first, lambda now: now[:2] == client[:2])


def _resize(connection: Connection, xid: int, to: Rect) -> bool:
    """First as large, then there: Swing takes the answer to both at once for its place on the root (measured: it tells
    its elements beside the window then); to a move the manager answers in root pixels."""
    client, first = _client_in(connection, xid, to), _bounds(connection, xid)
    _move_resize(connection, xid, client, 0b1100)
    _move_resize(connection, xid, client, 0b0011)
    return _placed(connection, xid, first, lambda now: now == client)


def _client_in(connection: Connection, xid: int, frame: Rect) -> Rect:
    """Where the client's own window is when its frame is there: inside a decoration, around a shadow of its own."""
    now = next((surface for surface in read_surfaces(connection) if surface.xid == xid), None)
    if now is None:
        raise DeskhandError("window_gone", "the window is gone; look again with apps")
    (x, y, w, h), (left, top, wide, high) = now.bounds, now.frame
    return Rect(frame.x + x - left, frame.y + y - top, max(1, frame.w + w - wide), max(1, frame.h + h - high))


def _placed(connection: Connection, xid: int, first: Rect, there: Callable[[Rect], bool]) -> bool:
    """Until it is there, or has moved from where it was ``first`` and rests elsewhere."""
    deadline, last = time.monotonic() + PATIENCE, first
    with connection.selecting(connection.window(xid), X.PropertyChangeMask | X.StructureNotifyMask):
        while time.monotonic() < deadline:
            if connection.wait_until(lambda: there(_bounds(connection, xid)), time.monotonic() + _REST):
                return True
            last, before = _bounds(connection, xid), last
            if last == before != first:
                return True
    return False


def _move_resize(connection: Connection, xid: int, to: Rect, given: int) -> None:
    flags = _STATIC_GRAVITY | given << 8 | _PAGER << 12
    data = [flags, to.x & 0xFFFFFFFF, to.y & 0xFFFFFFFF, to.w, to.h]
    connection.tell_manager(connection.window(xid), "_NET_MOVERESIZE_WINDOW", data)


_MAXIMISED = {"_NET_WM_STATE_MAXIMIZED_HORZ", "_NET_WM_STATE_MAXIMIZED_VERT"}
_OPERATIONS: dict[str, Callable[[Connection, int, Rect], bool]] = {
    "activate": _activate, "close": _close, "minimise": _minimise, "maximise": _maximise, "restore": _restore,
    "move": _move, "resize": _resize,
}  # fmt: skip


def _active(connection: Connection) -> int:
    root = connection.root.id
    numbers = read_properties(connection, [root], ["_NET_ACTIVE_WINDOW"])[root]["_NET_ACTIVE_WINDOW"].numbers
    return numbers[0] if numbers else 0


def _listed(connection: Connection) -> set[int]:
    root = connection.root.id
    return set(read_properties(connection, [root], ["_NET_CLIENT_LIST"])[root]["_NET_CLIENT_LIST"].numbers)


def _states(connection: Connection, xid: int) -> set[str]:
    numbers = read_properties(connection, [xid], ["_NET_WM_STATE"])[xid]["_NET_WM_STATE"].numbers
    return {connection.atom_name(number) for number in numbers}


def _minimised(connection: Connection, xid: int) -> bool:
    state = read_properties(connection, [xid], ["WM_STATE"])[xid]["WM_STATE"].numbers
    return "_NET_WM_STATE_HIDDEN" in _states(connection, xid) or state[:1] == (_ICONIC,)


def _shown(connection: Connection, xid: int) -> bool:
    inquiry = Inquiry(connection)
    facts = inquiry.answer(inquiry.attributes(xid))
    return facts is not None and facts.map_state == X.IsViewable and not _minimised(connection, xid)


def _maximised(connection: Connection, xid: int) -> bool:
    return _states(connection, xid) >= _MAXIMISED


def _bounds(connection: Connection, xid: int) -> Rect:
    inquiry = Inquiry(connection)
    asked = inquiry.geometry(xid), inquiry.origin(xid)
    geometry, origin = (inquiry.answer(one) for one in asked)
    if geometry is None or origin is None:
        raise DeskhandError("window_gone", "the window went while it was moved", sent="yes")
    return Rect(origin.x, origin.y, geometry.width, geometry.height)
