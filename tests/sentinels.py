"""Sentinels: under all windows of a test's desktop lies one that no test means, and it journals whatever reaches it.

It is what shells draw icons on (``_NET_WM_WINDOW_TYPE_DESKTOP``): a click that misses its window reaches it, and the
window manager gives it the focus when no other window is there to take it, so that keys sent to nobody reach it too.
"""

from __future__ import annotations

import select
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from Xlib import X, Xatom
from Xlib.error import ConnectionClosedError

from deskhand.platforms.linux.x11.connection import open_display

TITLE = "Sentinel"
LARGEST, PATIENCE = 8192, 10.0
"""Pixels each way, so that it covers whatever the screen is resized to; seconds that it has to show."""
_HEARD = {
    X.KeyPress: "key_press",
    X.KeyRelease: "key_release",
    X.ButtonPress: "button_press",
    X.ButtonRelease: "button_release",
}
_MASK = X.ExposureMask | X.KeyPressMask | X.KeyReleaseMask | X.ButtonPressMask | X.ButtonReleaseMask


@dataclass(frozen=True, slots=True)
class Leak:
    """An event that no window should have got. ``detail``: button or keycode; root pixels."""

    desktop: str
    kind: str
    detail: int
    x: int
    y: int

    def __str__(self) -> str:
        return f"{self.kind} {self.detail} at {self.x},{self.y} of {self.desktop}"


@dataclass
class Sentinel:
    """The window of one desktop."""

    desktop: str
    display: Any
    window: Any = field(init=False)

    def __post_init__(self) -> None:
        self.window = _opened(self.display)

    def read(self) -> list[Leak]:
        """All that has reached it since it was last read; nothing of a display that has ended."""
        try:
            self.display.sync()
            events = [self.display.next_event() for _ in range(self.display.pending_events())]
        except (ConnectionClosedError, OSError):
            _WATCHING.pop(self.desktop, None)
            return []
        return [Leak(self.desktop, _HEARD[e.type], e.detail, e.root_x, e.root_y) for e in events if e.type in _HEARD]


_WATCHING: dict[str, Sentinel] = {}
"""By the name of their desktop."""


def watch(desktop: str, environment: Mapping[str, str]) -> Sentinel:
    """Put one on a desktop that has just started; it stays until the desktop ends."""
    display = open_display(environment["DISPLAY"], environment["XAUTHORITY"])
    _WATCHING[desktop] = Sentinel(desktop, display)
    return _WATCHING[desktop]


def leaked() -> list[Leak]:
    """What has reached the sentinels of all desktops since they were last read."""
    return [leak for sentinel in [*_WATCHING.values()] for leak in sentinel.read()]


def silent() -> None:
    """Fail the test that has just run if any of its input reached a sentinel."""
    found = leaked()
    assert not found, "input reached a window that was not meant: " + "; ".join(map(str, found))


@contextmanager
def deliberate() -> Iterator[list[Leak]]:
    """What is done here means to miss all windows: what the sentinels heard is in the list afterwards."""
    heard: list[Leak] = []
    silent()
    yield heard
    heard += leaked()


def _opened(display: Any) -> Any:
    """The window, once it shows."""
    root = display.screen().root
    window = root.create_window(
        0, 0, LARGEST, LARGEST, 0, display.screen().root_depth, background_pixel=0, event_mask=_MASK
    )
    window.set_wm_name(TITLE)
    kind = display.intern_atom("_NET_WM_WINDOW_TYPE")
    window.change_property(kind, Xatom.ATOM, 32, [display.intern_atom("_NET_WM_WINDOW_TYPE_DESKTOP")])
    window.map()
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        while display.pending_events():
            if display.next_event().type == X.Expose:
                return window
        select.select([display.fileno()], [], [], 0.1)
    raise AssertionError("the window manager shows no sentinel")
