"""Pixels of a display by MIT-SHM: the server writes them into memory that both share; python-xlib has none of it.

Wire formats: MIT-SHM, The MIT Shared Memory Extension, version 1.1. Where the server shares no memory with this process
(another machine, another container) the pixels come over the connection (measured at 1280x1024: 3 to 6 ms, not 0.6).
"""

from __future__ import annotations

import ctypes
from typing import Any

from Xlib import X, error
from Xlib.protocol import rq

from deskhand.platforms.linux.x11.connection import Connection
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Rect

_EXTENSION = "MIT-SHM"
_WHOLE = 0xFFFFFFFF
BYTES = 4
"""A pixel: blue, green, red, and one that means nothing."""


class _Attach(rq.Request):  # type: ignore[misc]
    _request = rq.Struct(
        rq.Card8("opcode"), rq.Opcode(1), rq.RequestLength(), rq.Card32("segment"), rq.Card32("memory"),
        rq.Bool("read_only"), rq.Pad(3),
    )  # fmt: skip


class _Detach(rq.Request):  # type: ignore[misc]
    _request = rq.Struct(rq.Card8("opcode"), rq.Opcode(2), rq.RequestLength(), rq.Card32("segment"))


class _GetImage(rq.ReplyRequest):  # type: ignore[misc]
    _request = rq.Struct(
        rq.Card8("opcode"), rq.Opcode(4), rq.RequestLength(), rq.Drawable("drawable"), rq.Int16("x"), rq.Int16("y"),
        rq.Card16("width"), rq.Card16("height"), rq.Card32("planes"), rq.Card8("format"), rq.Pad(3),
        rq.Card32("segment"), rq.Card32("offset"),
    )  # fmt: skip
    _reply = rq.Struct(
        rq.ReplyCode(), rq.Card8("depth"), rq.Card16("sequence_number"), rq.ReplyLength(), rq.Card32("visual"),
        rq.Card32("size"), rq.Pad(16),
    )  # fmt: skip


class Memory:
    """Shared memory of this process's own. Marked for removal once the server has it, it goes with the last user."""

    _CREATE, _PRIVATE, _REMOVE = 0o1000 | 0o600, 0, 0

    def __init__(self, size: int) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        libc.shmat.restype = ctypes.c_void_p
        libc.shmat.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_int)
        libc.shmdt.argtypes = (ctypes.c_void_p,)
        self._libc, self.size = libc, size
        self.id: int = libc.shmget(self._PRIVATE, ctypes.c_size_t(size), self._CREATE)
        address = libc.shmat(self.id, None, 0) if self.id >= 0 else None
        if self.id < 0 or address in (None, ctypes.c_void_p(-1).value):
            self.remove()
            raise OSError(ctypes.get_errno(), "no shared memory")
        self._address: int | None = address

    def remove(self) -> None:
        """No further process can attach it."""
        if self.id >= 0:
            self._libc.shmctl(self.id, self._REMOVE, None)

    def head(self, count: int) -> bytes:
        """Its first bytes."""
        assert self._address is not None
        return ctypes.string_at(self._address, count)

    def close(self) -> None:
        """Let go of it."""
        if self._address is not None:
            self._libc.shmdt(self._address)
            self._address = None


class Film:
    """What one connection takes pictures on. Used in the connection's thread."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        found = connection.display.query_extension(_EXTENSION)
        self._opcode = found.major_opcode if found is not None and found.present else 0
        self._segment: int = connection.display.display.allocate_resource_id() if self._opcode else 0
        self._memory: Memory | None = None
        _require_true_colour(connection.display)

    @property
    def shared(self) -> bool:
        """Whether pixels come by shared memory, as far as is known by now."""
        return self._opcode != 0

    def take(self, area: Rect) -> bytes:
        """The pixels of ``area``, row by row. Raises ``BadMatch`` where it is not all on the screen."""
        size = area.w * area.h * BYTES
        memory = self._ready(size)
        if memory is None:
            return _by_wire(self.connection, area)
        _GetImage(
            self.connection.display.display, opcode=self._opcode, drawable=self.connection.root, x=area.x, y=area.y,
            width=area.w, height=area.h, planes=_WHOLE, format=X.ZPixmap, segment=self._segment, offset=0,
        )  # fmt: skip
        return memory.head(size)

    def _ready(self, size: int) -> Memory | None:
        if self._opcode and (self._memory is None or self._memory.size < size):
            self._drop()
            self._memory = self._attached(size)
            self._opcode = self._opcode if self._memory is not None else 0
        return self._memory

    def _drop(self) -> None:
        if self._memory is not None:
            _Detach(self.connection.display.display, opcode=self._opcode, segment=self._segment)
            self.forget()

    def _attached(self, size: int) -> Memory | None:
        """Memory that the server writes into; None where it cannot."""
        try:
            memory = Memory(size)
        except OSError:
            return None
        refused = error.CatchError(error.BadAccess, error.BadValue, error.BadRequest, error.BadAlloc)
        server = self.connection.display.display
        _Attach(server, onerror=refused, opcode=self._opcode, segment=self._segment, memory=memory.id, read_only=False)
        self.connection.display.sync()
        memory.remove()
        if refused.get_error() is None:
            return memory
        memory.close()
        return None

    def forget(self) -> None:
        """Let go of the memory; the server lets go of it when the connection ends, at the latest."""
        if self._memory is not None:
            self._memory.close()
            self._memory = None


def _by_wire(connection: Connection, area: Rect) -> bytes:
    got = connection.root.get_image(area.x, area.y, area.w, area.h, X.ZPixmap, _WHOLE)
    return bytes(got.data)


def _require_true_colour(display: Any) -> None:
    """Pixels are read as 32 bits each, blue first."""
    told, screen = display.display.info, display.screen()
    bits = {form.depth: form.bits_per_pixel for form in told.pixmap_formats}
    visual = next(
        (
            one
            for depth in screen.allowed_depths
            for one in depth.visuals
            if one.visual_id == screen.root_visual
        ),
        None,
    )  # fmt: skip
    if bits.get(screen.root_depth) != 32 or visual is None or visual.red_mask != 0xFF0000 or told.image_byte_order:
        raise DeskhandError(
            "desktop_unavailable",
            f"pictures need a display of 24 bits a pixel, and this one has {screen.root_depth}; start it with 24",
        )
