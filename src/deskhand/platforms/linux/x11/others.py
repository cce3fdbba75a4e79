"""The person's hands: input that comes from devices, and not from programs such as this one.

Programs inject by XTEST, whose events the server attributes to devices of their own ("Virtual core XTEST pointer").
Whatever else moves or presses is a person's mouse and keyboard, or a person who looks on by VNC. Under Xvfb there is no
such device that anybody could use.

Wire formats: XI2, The X Input Extension, version 2.
"""

from __future__ import annotations

import struct
import threading
import time
from select import select
from typing import Any

from Xlib import error
from Xlib.ext import ge, xinput

from deskhand.platforms.linux.x11.connection import Connection
from deskhand.types.errors import DeskhandError

IDLE = 120.0
"""Seconds after the last question when nobody is listened to any more: a mouse that is moved sends a lot."""
_LOOK = 5.0
_WATCHED = (
    xinput.RawMotionMask
    | xinput.RawButtonPressMask
    | xinput.RawButtonReleaseMask
    | xinput.RawKeyPressMask
    | xinput.RawKeyReleaseMask
)
_RAW = frozenset({
    xinput.RawMotion, xinput.RawButtonPress, xinput.RawButtonRelease, xinput.RawKeyPress, xinput.RawKeyRelease,
})  # fmt: skip
_PROGRAMS = "XTEST"
"""Part of the name of the devices by which programs inject."""


class Raw:
    """The start of a raw event's data: device, time, detail, and the device that it came from at first."""

    _HEAD = struct.Struct("=HIIH")

    def parse_binary(self, data: bytes, display: Any) -> tuple[int, bytes]:
        """The source device's number."""
        return int(self._HEAD.unpack_from(data)[3]), b""


class OtherHands:
    """Counts events of people's devices. Asking starts the counting; a display that is gone counts no more."""

    def __init__(self, display: str, authority: str | None = None) -> None:
        self._display, self._authority = display, authority
        self._count = 0
        self._asked = 0.0
        self._lock = threading.Lock()
        self._listening = False
        self._closed = threading.Event()
        self._connection: Connection | None = None

    def count(self) -> int:
        """Events so far, beginning with the first question."""
        with self._lock:
            self._asked = time.monotonic()
            if not self._listening and not self._closed.is_set():
                self._listening = True
                threading.Thread(target=self._listen, name="deskhand-other-hands", daemon=True).start()
            return self._count

    def close(self) -> None:
        """Listen no more."""
        self._closed.set()
        with self._lock:
            if self._connection is not None:
                self._connection.cut()

    # -- in the thread ----------------------------------------------------------------------------------------------
    def _listen(self) -> None:
        try:
            connection = Connection(self._display, self._authority)
            with self._lock:
                self._connection = connection
            try:
                self._count_events(connection)
            finally:
                with self._lock:
                    self._connection = None
                connection.close()
        except (DeskhandError, error.ConnectionClosedError, error.XError, OSError):
            with self._lock:
                self._listening = False  # the next question tries anew; whoever sends input hears what is wrong

    def _count_events(self, connection: Connection) -> None:
        opcode = _select(connection)
        programs: dict[int, bool] = {}
        while self._wanted():
            while connection.display.pending_events():
                happened = connection.display.next_event()
                if happened.type != ge.GenericEventCode or happened.extension != opcode:
                    continue
                if happened.evtype == xinput.HierarchyChanged:
                    programs.clear()
                elif happened.evtype in _RAW and not _by_program(connection, happened.data, programs):
                    with self._lock:
                        self._count += 1
            select([connection.display.fileno()], [], [], _LOOK)

    def _wanted(self) -> bool:
        with self._lock:
            self._listening = not self._closed.is_set() and time.monotonic() - self._asked < IDLE
            return self._listening


def _select(connection: Connection) -> int:
    """Ask for the events; the extension's number. Raises ``desktop_unavailable`` where the server has none."""
    found = connection.display.query_extension(xinput.extname)
    if found is None or not found.present:
        raise DeskhandError("desktop_unavailable", "this X server has no XInputExtension")
    opcode = int(found.major_opcode)
    # from 2.1 on raw events also come while some program grabs the pointer, as menus do
    xinput.XIQueryVersion(display=connection.display.display, opcode=opcode, major_version=2, minor_version=2)
    for kind in _RAW:
        connection.display.ge_add_event_data(opcode, kind, Raw())
    connection.root.xinput_select_events([
        (xinput.AllMasterDevices, _WATCHED), (xinput.AllDevices, xinput.HierarchyChangedMask),
    ])  # fmt: skip
    connection.display.sync()
    return opcode


def _by_program(connection: Connection, source: int, known: dict[int, bool]) -> bool:
    if source not in known:
        devices = connection.display.xinput_query_device(xinput.AllDevices).devices
        known.update({device.deviceid: _PROGRAMS in str(device.name) for device in devices})
    return known.get(source, True)  # one that has been unplugged already
