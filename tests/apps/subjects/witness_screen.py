"""A witness for this Python: what the X server and the window manager say, asked by python-xlib alone.

One JSON question a line on stdin, one JSON answer a line on stdout.
"""

import json
import sys
from collections.abc import Callable
from typing import Any

from Xlib import X, display, error

SERVER = display.Display()
ROOT = SERVER.screen().root
SMALL = 20


def atom(name: str) -> int:
    return int(SERVER.intern_atom(name))


def values(window: Any, name: str) -> list[Any]:
    found = window.get_full_property(atom(name), X.AnyPropertyType)
    return list(found.value) if found else []


def title(window: Any) -> str:
    found = window.get_full_property(atom("_NET_WM_NAME"), X.AnyPropertyType)
    return found.value.decode() if found else ""


def place(window: Any) -> list[int]:
    size, corner = window.get_geometry(), window.translate_coords(ROOT, 0, 0)
    return [-corner.x, -corner.y, size.width, size.height]


def frame(window: Any) -> list[int]:
    """What a person sees as the window: with its decoration, without the shadow that it draws itself."""
    x, y, w, h = place(window)
    shadow = values(window, "_GTK_FRAME_EXTENTS")
    if any(shadow):
        left, right, top, bottom = shadow
        return [x + left, y + top, w - left - right, h - top - bottom]
    left, right, top, bottom = values(window, "_NET_FRAME_EXTENTS") or [0, 0, 0, 0]
    return [x - left, y - top, w + left + right, h + top + bottom]


def client(xid: int) -> dict[str, Any]:
    window = SERVER.create_resource_object("window", xid)
    held = [SERVER.get_atom_name(one).rpartition("STATE_")[2].lower() for one in values(window, "_NET_WM_STATE")]
    pid = (values(window, "_NET_WM_PID") or [0])[0]
    active = values(ROOT, "_NET_ACTIVE_WINDOW")[:1] == [xid]
    return {"xid": xid, "title": title(window), "pid": pid, "states": held, "bounds": place(window), "active": active,
            "frame": frame(window)}  # fmt: skip


def clients() -> list[dict[str, Any]]:
    """Managed windows, without what lies under all of them."""
    found = []
    for xid in values(ROOT, "_NET_CLIENT_LIST"):
        try:
            if not is_a(SERVER.create_resource_object("window", xid), "DESKTOP"):
                found.append(client(xid))
        except (error.BadWindow, error.BadDrawable):
            continue
    return found


def is_a(window: Any, kind: str) -> bool:
    """Whether it says of itself that it is one: a ``TOOLTIP`` comes and goes with the pointer, whoever moved that."""
    return atom(f"_NET_WM_WINDOW_TYPE_{kind}") in values(window, "_NET_WM_WINDOW_TYPE")


def popups() -> list[list[int]]:
    """Places of the menus and other surfaces that no window manager manages and that show now; tooltips left out."""
    return unmanaged(False)


def tooltips() -> list[list[int]]:
    """Places of the tooltips that show now."""
    return unmanaged(True)


def unmanaged(tooltips: bool) -> list[list[int]]:
    found = []
    for window in ROOT.query_tree().children:
        try:
            held, where, tooltip = window.get_attributes(), place(window), is_a(window, "TOOLTIP")
        except (error.BadWindow, error.BadDrawable):
            continue
        if held.override_redirect and held.map_state == X.IsViewable and min(where[2:]) > SMALL and tooltip is tooltips:
            found.append(where)
    return found


def held() -> list[str]:
    """Keys and buttons that are down."""
    bits = SERVER.query_keymap()
    keys = [f"key {code}" for code in range(256) if bits[code // 8] & (1 << code % 8)]
    mask = ROOT.query_pointer().mask
    return keys + [f"button {n}" for n, bit in enumerate((256, 512, 1024), 1) if mask & bit]


def pointer() -> list[int]:
    where = ROOT.query_pointer()
    return [where.root_x, where.root_y]


def pixel(x: int, y: int) -> list[int]:
    """Red, green and blue of what is drawn there."""
    data = ROOT.get_image(x, y, 1, 1, X.ZPixmap, 0xFFFFFFFF).data
    return [data[2], data[1], data[0]]


QUESTIONS: dict[str, Callable[..., Any]] = {
    "clients": clients,
    "popups": popups,
    "tooltips": tooltips,
    "held": held,
    "pointer": pointer,
    "pixel": pixel,
}
for line in sys.stdin:
    question, *asked = json.loads(line)
    print(json.dumps({"answer": QUESTIONS[question](*asked)}), flush=True)
