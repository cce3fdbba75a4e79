"""The person at a desktop, played by an RFB client: to the X server its mouse and keys are a device of their own."""

from __future__ import annotations

import struct

from deskhand.isolation.messages import VIEWS
from deskhand.isolation.nested import NestedDesktop
from deskhand.isolation.rfb import RfbConnection

_KEY, _POINTER = 4, 5


class Person(RfbConnection):
    """Mouse and keys, on a desktop that was started with ``monitors``."""

    def __init__(self, desktop: NestedDesktop) -> None:
        super().__init__(desktop.folder / VIEWS)

    def move(self, x: int, y: int, buttons: int = 0) -> None:
        """Move the mouse, in root pixels, with these buttons down (1: the left one)."""
        self.send(struct.pack(">BBHH", _POINTER, buttons, x, y))

    def key(self, symbol: int) -> None:
        """Press and release a key by its keysym."""
        for down in (1, 0):
            self.send(struct.pack(">BBxxI", _KEY, down, symbol))
