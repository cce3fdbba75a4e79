"""Who gets the keys, and has it dealt with them: input focus and the ``_NET_WM_PING`` round trip.

A client answers a ping in the order in which it reads its events, so the answer proves that it has read, and looked up
in the keyboard map, every key sent before.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Set
from dataclasses import dataclass
from typing import Any

from Xlib import X, error
from Xlib.protocol import event

from deskhand.platforms.linux.x11.connection import Connection
from deskhand.types.errors import DeskhandError

_ANSWERS = X.SubstructureNotifyMask | X.StructureNotifyMask
"""Answers go to whoever manages windows: most toolkits send them to the first of these, Qt 6 to the second."""


@dataclass(frozen=True, slots=True)
class Focus:
    """The X focus: ``window`` has it, ``top`` is that window's top-level ancestor, ``ping`` answers pings (or 0)."""

    window: int
    top: int
    ping: int


def current_focus(connection: Connection) -> Focus:
    """Where keystrokes go now; zeros where the focus is nowhere or follows the pointer."""
    window = _focused_window(connection)
    return focus_through(connection, window) if window > X.PointerRoot else Focus(0, 0, 0)


def focus_through(connection: Connection, window: int) -> Focus:
    """The same of a window that is named; zeros where it is gone."""
    try:
        return _trace(connection, window)
    except (error.BadWindow, error.BadDrawable):
        return Focus(0, 0, 0)  # it went while we looked


def _focused_window(connection: Connection) -> int:
    focus = connection.display.get_input_focus().focus
    return int(getattr(focus, "id", focus))


def _trace(connection: Connection, window: int) -> Focus:
    ping, node = 0, connection.window(window)
    wanted = connection.atom("_NET_WM_PING")
    while True:
        if not ping and wanted in (node.get_wm_protocols() or ()):
            ping = node.id
        parent = node.query_tree().parent
        if not parent or parent.id == connection.root.id:
            return Focus(window, node.id, ping)
        node = parent


def require_receiver(connection: Connection, focus: Focus) -> None:
    """Refuse when keys would go nowhere: window managers park the focus on a window that cannot be seen, or give it to
    what lies under all others."""
    if not focus.top:
        return
    if _is_desktop(connection, focus.window):
        raise DeskhandError(
            "focus_lost", "the bare desktop has the keyboard focus; activate a window, or click into it"
        )
    top, place = connection.window(focus.top), connection.window(focus.top).get_geometry()
    unseen = place.x + place.width <= 0 or place.y + place.height <= 0
    if unseen or top.get_attributes().win_class == X.InputOnly:
        raise DeskhandError("focus_lost", "no window has the keyboard focus; activate one, or click into it, first")


def _is_desktop(connection: Connection, window: int) -> bool:
    kind, desktop = connection.atom("_NET_WM_WINDOW_TYPE"), connection.atom("_NET_WM_WINDOW_TYPE_DESKTOP")
    try:
        told = connection.window(window).get_full_property(kind, X.AnyPropertyType)
    except error.BadWindow:
        return False  # it went while we looked
    return told is not None and desktop in told.value


def still_there(connection: Connection, focus: Focus) -> bool:
    """Whether keys still go to the same top-level window (or never had one)."""
    if focus.window == 0:
        return True
    now = _focused_window(connection)
    return now == focus.window or current_focus(connection).top == focus.top


def ping(
    connection: Connection, window: int, timeout: float, otherwise: Callable[[Any], None] = lambda _: None
) -> bool:
    """Ask ``window``'s client to answer; False when it did not within ``timeout`` seconds.

    Events read meanwhile that are not its answer are given to ``otherwise``.
    """
    token = secrets.randbelow(0x7FFFFFFF) + 1
    name = connection.atom("_NET_WM_PING")
    question = event.ClientMessage(
        window=connection.window(window),
        client_type=connection.atom("WM_PROTOCOLS"),
        data=(32, [name, token, window, 0, 0]),
    )

    def answered(happened: Any) -> bool:
        if happened.type == X.ClientMessage and list(happened.data[1][:2]) == [name, token]:
            return True
        otherwise(happened)
        return False

    with connection.selecting(connection.root, _ANSWERS, otherwise):
        connection.window(window).send_event(question, 0)
        connection.display.flush()
        return connection.wait(answered, time.monotonic() + timeout)


def surfaces(connection: Connection) -> frozenset[int]:
    """Everything that lies on the screen as a surface of its own, shown or not."""
    return frozenset(child.id for child in connection.root.query_tree().children)


def comes(connection: Connection, known: Set[int]) -> bool:
    """Whether a window that a window manager gives the focus to has come since ``known``, shown or not yet.

    Menus, tooltips and lists are no such: they ask for no manager, and take no focus.
    """
    return any(_managed(connection, xid) for xid in surfaces(connection) - known)


def _managed(connection: Connection, xid: int) -> bool:
    """Whether it is a window that asks to be managed, or the frame that its manager has drawn around one."""
    window = connection.window(xid)
    try:
        attributes = window.get_attributes()
        if attributes.win_class == X.InputOnly:
            return False
        if not attributes.override_redirect:
            return True
        return any(child.get_wm_class() for child in window.query_tree().children)
    except (error.BadWindow, error.BadDrawable):
        return False
