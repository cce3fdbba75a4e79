"""A bare X11 window that journals what reaches it: ``journal_x11.py TITLE X Y WIDTH HEIGHT [focus]``.

It has no decoration and covers exactly that part of the root. Its first line of output is its window id; then one JSON
line an event: ``kind``, ``detail`` (button or keycode), ``x`` and ``y`` in root pixels, ``state``, ``symbol`` (the
keysym's number, of a key without modifiers). With ``focus`` it takes the focus. It lives until its standard input ends.
"""

from __future__ import annotations

import json
import select
import sys
from typing import Any

from Xlib import X, Xutil, display

_KINDS = {
    X.KeyPress: "key_press",
    X.KeyRelease: "key_release",
    X.ButtonPress: "button_press",
    X.ButtonRelease: "button_release",
}
_MASK = (
    X.ExposureMask | X.KeyPressMask | X.KeyReleaseMask | X.ButtonPressMask | X.ButtonReleaseMask
    | X.StructureNotifyMask
)  # fmt: skip


def say(**line: Any) -> None:
    """One line of output, at once."""
    print(json.dumps(line), flush=True)


def opened(server: display.Display, title: str, place: list[int]) -> Any:
    """The window, once it shows where it was asked for."""
    screen = server.screen()
    window = screen.root.create_window(*place, 0, screen.root_depth, background_pixel=0x306090, event_mask=_MASK)
    window.set_wm_name(title)
    window.set_wm_class("journal", "Journal")
    window.set_wm_normal_hints(flags=Xutil.USPosition | Xutil.USSize, x=place[0], y=place[1])
    window.set_wm_hints(flags=Xutil.InputHint, input=1)
    window.set_wm_protocols([server.intern_atom("_NET_WM_PING")])
    motif = server.intern_atom("_MOTIF_WM_HINTS")
    window.change_property(motif, motif, 32, [2, 0, 0, 0, 0])  # no decoration
    window.map()
    while server.next_event().type != X.Expose:
        pass
    return window


def heard(server: display.Display, window: Any, happened: Any) -> None:
    """Journal an event, answer a ping."""
    if happened.type == X.MappingNotify:
        server.refresh_keyboard_mapping(happened)
    elif happened.type == X.ClientMessage:
        pong = happened
        pong.window = server.screen().root
        server.screen().root.send_event(pong, X.SubstructureNotifyMask | X.SubstructureRedirectMask)
    elif happened.type in _KINDS:
        key = happened.type in (X.KeyPress, X.KeyRelease)
        symbol = server.keycode_to_keysym(happened.detail, 0) if key else 0
        say(
            kind=_KINDS[happened.type], detail=happened.detail, x=happened.root_x, y=happened.root_y,
            state=happened.state, symbol=symbol,
        )  # fmt: skip


def main() -> None:
    """Run until standard input ends."""
    title, place = sys.argv[1], [int(word) for word in sys.argv[2:6]]
    server = display.Display()
    window = opened(server, title, place)
    if sys.argv[6:] == ["focus"]:
        window.set_input_focus(X.RevertToParent, X.CurrentTime)
    server.sync()
    print(window.id, flush=True)
    while True:
        drain(server, window)
        server.flush()
        waiting = [] if server.pending_events() else [server.fileno()]
        readable, _, _ = select.select([*waiting, sys.stdin], [], [], None if waiting else 0)
        if sys.stdin in readable:
            line = sys.stdin.readline()
            if not line:
                return
            server.sync()
            drain(server, window)
            say(mark=line.strip())


def drain(server: display.Display, window: Any) -> None:
    """Journal what has come by now; what comes meanwhile waits, so that commands have their turn."""
    for _ in range(server.pending_events()):
        heard(server, window, server.next_event())


if __name__ == "__main__":
    main()
