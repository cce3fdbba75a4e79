"""A bare X11 window, made by python-xlib alone, for what toolkits do not do.

``plain_x11.py X Y WIDTH HEIGHT COLOUR [popup] [through] [lower]``: ``popup`` is override-redirect, ``through`` has an
empty input shape. It prints its window id, then lives until its standard input ends. It says no pid.
"""

from __future__ import annotations

import sys

from Xlib import X, display
from Xlib.ext import shape


def main() -> None:
    x, y, width, height = (int(word) for word in sys.argv[1:5])
    colour, options = int(sys.argv[5], 16), sys.argv[6:]
    server = display.Display()
    screen = server.screen()
    window = screen.root.create_window(
        x, y, width, height, 0, screen.root_depth, background_pixel=colour, override_redirect="popup" in options,
        event_mask=X.ExposureMask,
    )  # fmt: skip
    window.set_wm_name("Plain")
    window.set_wm_class("plain", "Plain")
    window.set_wm_normal_hints(flags=1 | 2, x=x, y=y)  # position as the user said
    if "through" in options:
        window.shape_rectangles(shape.SO.Set, shape.SK.Input, 0, 0, 0, [])
    window.map()
    server.sync()
    while server.next_event().type != X.Expose:
        pass
    window.clear_area()
    server.sync()
    print(window.id, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
