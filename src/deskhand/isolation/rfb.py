"""As much of the RFB protocol (RFC 6143, and the extension ExtendedDesktopSize) as arranging monitors needs."""

from __future__ import annotations

import socket
import struct
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Rect

SECONDS = 5.0
"""How long the server may take to answer."""
_VERSION = b"RFB 003.008\n"
_NO_AUTHENTICATION = 1
_RAW, _EXTENDED_DESKTOP_SIZE = 0, -308
_SET_ENCODINGS, _UPDATE_REQUEST, _SET_DESKTOP_SIZE = 2, 3, 251
_UPDATE, _BELL, _CUT_TEXT = 0, 2, 3
_OURS = 1  # what an answer to this client's own request says of its cause
_REFUSALS = {1: "it is not allowed", 2: "the server lacks memory", 3: "the server takes no such layout"}


class RfbConnection:
    """A client of a VNC server that listens on a UNIX socket and trusts whoever can open that. Blocks.

    Raises ``desktop_unavailable`` when the server does not answer as the protocol says.
    """

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(SECONDS)
        try:
            self._socket.connect(str(path))
            self._bytes_a_pixel = self._greeted()
        except BaseException as error:
            self._socket.close()
            if isinstance(error, OSError):
                raise _gone(error) from error
            raise

    def _greeted(self) -> int:
        self._read(len(_VERSION))
        self.send(_VERSION)
        offered = self._read(self._read(1)[0])
        if _NO_AUTHENTICATION not in offered:
            raise DeskhandError("desktop_unavailable", "the VNC server of this desktop wants a password")
        self.send(bytes([_NO_AUTHENTICATION]))
        self._read(4)
        self.send(b"\x01")  # others stay connected
        _, _, pixels, _, length = struct.unpack(">HHB15sI", self._read(24))
        self._read(length)
        self.send(struct.pack(">BxHii", _SET_ENCODINGS, 2, _RAW, _EXTENDED_DESKTOP_SIZE))
        return int(pixels) // 8

    def send(self, message: bytes) -> None:
        """Send one message of the protocol."""
        try:
            self._socket.sendall(message)
        except OSError as error:
            raise _gone(error) from error

    def arrange(self, places: Sequence[Rect]) -> None:
        """Ask for these monitors. Raises ``invalid_request`` where the server refuses them."""
        self._ask_for_update()
        self._await_update()  # the first update tells this client that the extension is there
        width, height = max(place.x + place.w for place in places), max(place.y + place.h for place in places)
        screens = b"".join(struct.pack(">IHHHHI", number, *place, 0) for number, place in enumerate(places))
        self.send(struct.pack(">BxHHBx", _SET_DESKTOP_SIZE, width, height, len(places)) + screens)
        answer: int | None = None
        while answer is None:
            self._ask_for_update()
            answer = self._await_update()
        if answer:
            raise DeskhandError("invalid_request", f"no such monitors: {_REFUSALS.get(answer, f'error {answer}')}")

    def _ask_for_update(self) -> None:
        self.send(struct.pack(">BBHHHH", _UPDATE_REQUEST, 0, 0, 0, 1, 1))

    def _await_update(self) -> int | None:
        """Read up to the end of an update; what it answers to a wish of this client, 0 for granted."""
        while (kind := self._read(1)[0]) != _UPDATE:
            if kind == _CUT_TEXT:
                self._read(struct.unpack(">3xI", self._read(7))[0])
            elif kind != _BELL:
                raise DeskhandError("desktop_unavailable", f"the VNC server sent a message of the unknown kind {kind}")
        answers = [self._rectangle() for _ in range(struct.unpack(">xH", self._read(3))[0])]
        return next((answer for answer in answers if answer is not None), None)

    def _rectangle(self) -> int | None:
        cause, status, width, height, encoding = struct.unpack(">HHHHi", self._read(12))
        if encoding == _RAW:
            self._read(width * height * self._bytes_a_pixel)
            return None
        if encoding != _EXTENDED_DESKTOP_SIZE:
            raise DeskhandError("desktop_unavailable", f"the VNC server uses encoding {encoding}, not asked for")
        self._read(16 * self._read(4)[0])
        return int(status) if cause == _OURS else None

    def _read(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            try:
                piece = self._socket.recv(count - len(data))
            except OSError as error:
                raise _gone(error) from error
            if not piece:
                raise DeskhandError("desktop_unavailable", "the VNC server of this desktop hung up")
            data += piece
        return data

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _gone(error: OSError) -> DeskhandError:
    return DeskhandError("desktop_unavailable", f"the VNC server of this desktop does not answer: {error}")
