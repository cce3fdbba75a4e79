"""Window properties, asked for all at once: every request is sent before the first answer is awaited."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from Xlib import X, error
from Xlib.protocol import request

from deskhand.platforms.linux.x11.connection import Connection

_GONE = (error.BadWindow, error.BadDrawable, error.BadMatch)
EVERY_DESKTOP = 0xFFFFFFFF
"""Of ``_NET_WM_DESKTOP``: a window that stands on all of them."""
_WORDS = 16384
"""Length of the longest property read, in 4-byte units."""


@dataclass(frozen=True, slots=True)
class Property:
    """A property's raw value: ``format`` is 8, 16 or 32 bits a unit."""

    format: int
    value: bytes

    @property
    def numbers(self) -> tuple[int, ...]:
        """A 32-bit property as unsigned numbers."""
        if self.format != 32:
            return ()
        count = len(self.value) // 4
        return struct.unpack(f"={count}I", self.value[: 4 * count])

    @property
    def text(self) -> str:
        """An 8-bit property as text: UTF-8, or Latin-1 where it is not valid UTF-8."""
        raw = self.value.rstrip(b"\0")
        try:
            return raw.decode()
        except UnicodeDecodeError:
            return raw.decode("latin-1")


class Inquiry:
    """A pipeline of requests on one connection: ``ask…`` sends, ``answer`` waits; None where the window is gone."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._display = connection.display.display

    def property(self, xid: int, name: str, words: int = _WORDS) -> Any:
        """Ask for a property of any type, at most ``words`` × 4 bytes of it."""
        return request.GetProperty(
            self._display, True, delete=0, window=xid, property=self._connection.atom(name),
            type=X.AnyPropertyType, long_offset=0, long_length=words,
        )  # fmt: skip

    def geometry(self, xid: int) -> Any:
        """Ask for position in the parent, size and border width."""
        return request.GetGeometry(self._display, True, drawable=xid)

    def attributes(self, xid: int) -> Any:
        """Ask for class, map state and override-redirect."""
        return request.GetWindowAttributes(self._display, True, window=xid)

    def tree(self, xid: int) -> Any:
        """Ask for parent and children."""
        return request.QueryTree(self._display, True, window=xid)

    def origin(self, xid: int) -> Any:
        """Ask where the window's top left pixel lies in the root window."""
        root = self._connection.root.id
        return request.TranslateCoords(self._display, True, src_wid=xid, dst_wid=root, src_x=0, src_y=0)

    def answer(self, asked: Any) -> Any:
        """Wait for one answer."""
        try:
            asked.reply()
        except _GONE:
            return None
        return asked

    def value(self, asked: Any) -> Property:
        """Wait for a property; an empty one where there is none."""
        got = self.answer(asked)
        if got is None or got.property_type == X.NONE or got.value is None:
            return Property(0, b"")
        form, raw = got.value
        return Property(form, raw if isinstance(raw, bytes) else _packed(form, raw))


def _packed(form: int, raw: Iterable[int]) -> bytes:
    units = list(raw)
    return struct.pack(f"={len(units)}{'H' if form == 16 else 'I'}", *units)


def read_properties(
    connection: Connection, xids: Iterable[int], names: Iterable[str]
) -> dict[int, dict[str, Property]]:
    """The named properties of many windows in one round trip."""
    inquiry = Inquiry(connection)
    wanted = list(names)
    asked = {xid: {name: inquiry.property(xid, name) for name in wanted} for xid in xids}
    return {xid: {name: inquiry.value(got) for name, got in row.items()} for xid, row in asked.items()}
