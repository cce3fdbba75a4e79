"""Several bare windows, moved about on command: what a layout is made of, without any toolkit.

Reads one command a line and answers ``ok`` (``open`` answers with the window's id): ``open X Y W H [popup]``,
``move ID X Y W H``, ``raise ID``, ``close ID``, ``minimise ID``, ``focus ID``. Ends with its standard input.
"""

from __future__ import annotations

import sys
from typing import Any

from Xlib import X, display
from Xlib.protocol import event


class Windows:
    """One client's windows."""

    def __init__(self) -> None:
        self.server: Any = display.Display()
        self.root: Any = self.server.screen().root
        self.made: dict[int, Any] = {}

    def open(self, x: int, y: int, width: int, height: int, kind: str = "") -> int:
        window = self.root.create_window(
            x, y, width, height, 0, self.server.screen().root_depth, background_pixel=0x6080A0 + 999 * len(self.made),
            override_redirect=kind == "popup", event_mask=X.ExposureMask | X.StructureNotifyMask,
        )  # fmt: skip
        window.set_wm_name(f"Bare {len(self.made)}")
        window.set_wm_class("bare", "Bare")
        window.set_wm_normal_hints(flags=1 | 2, x=x, y=y)
        window.map()
        self.server.sync()
        while self.server.next_event().type != X.Expose:
            pass
        self.made[window.id] = window
        return int(window.id)

    def move(self, number: int, x: int, y: int, width: int, height: int) -> None:
        self.made[number].configure(x=x, y=y, width=width, height=height)

    def minimise(self, number: int) -> None:
        self._tell(number, "WM_CHANGE_STATE", [3, 0, 0, 0, 0])

    def focus(self, number: int) -> None:
        self._tell(number, "_NET_ACTIVE_WINDOW", [2, 0, 0, 0, 0])

    def close(self, number: int) -> None:
        self.made.pop(number).destroy()

    def _tell(self, number: int, what: str, data: list[int]) -> None:
        atom = self.server.intern_atom(what)
        told = event.ClientMessage(window=self.made[number], client_type=atom, data=(32, data))
        self.root.send_event(told, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)


def main() -> None:
    windows = Windows()
    for line in sys.stdin:
        verb, *words = line.split()
        numbers = [int(word) for word in words if word.lstrip("-").isdigit()]
        said = getattr(windows, verb)(*numbers, *[word for word in words if word == "popup"])
        windows.server.sync()
        while windows.server.pending_events():
            windows.server.next_event()
        print(said if said is not None else "ok", flush=True)


if __name__ == "__main__":
    main()
