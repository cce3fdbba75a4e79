"""Monitors of a running display, changed. Blocks: the keeper runs it in a thread.

Xvnc has as many outputs as an RFB client asks for; Xvfb has one, as large as it was started at most, that takes any
smaller mode.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from Xlib.display import Display
from Xlib.error import DisplayError, XError

from deskhand.isolation.arrangement import Arrangement, Size
from deskhand.isolation.rfb import RfbConnection
from deskhand.isolation.screen import opened
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Rect

_MILLIMETRES = 25.4 / 96
"""Of a pixel at 96 dots per inch."""


def arrange(environment: Mapping[str, str], endpoint: Path, wanted: Arrangement) -> None:
    """Give an Xvnc these monitors. Raises ``invalid_request`` where it refuses them."""
    with RfbConnection(endpoint) as client:
        client.arrange(wanted.places)
    with _talking(environment) as display:
        root = display.screen().root
        primary = wanted.places[wanted.primary - 1]
        outputs = {_place(monitor): monitor.crtcs[0] for monitor in root.xrandr_get_monitors().monitors}
        if set(outputs) != set(wanted.places):
            raise DeskhandError("desktop_unavailable", f"asked for {wanted}, the display has {sorted(outputs)}")
        root.xrandr_set_output_primary(outputs[primary])  # python-xlib calls a monitor's outputs crtcs
        display.sync()


def _place(monitor: Any) -> Rect:
    return Rect(monitor.x, monitor.y, monitor.width_in_pixels, monitor.height_in_pixels)


def shrink(environment: Mapping[str, str], largest: Size, wanted: Arrangement) -> None:
    """Give an Xvfb another size. Raises ``invalid_request`` for more than one monitor, or one that is too large."""
    (width, height), limits = wanted.sizes[0], f"{largest[0]}x{largest[1]}"
    if len(wanted.sizes) > 1:
        raise DeskhandError("invalid_request", "this desktop has one monitor for good; start one with --monitors")
    if width > largest[0] or height > largest[1]:
        message = f"this desktop was started with {limits} and can only be made smaller; start one with --monitors"
        raise DeskhandError("invalid_request", message)
    with _talking(environment) as display:
        _set_mode(display, width, height)
        found = display.screen().root.get_geometry()
        if (found.width, found.height) != (width, height):
            raise DeskhandError("desktop_unavailable", f"the display stays at {found.width}x{found.height}")


def _set_mode(display: Any, width: int, height: int) -> None:
    root = display.screen().root
    told = root.xrandr_get_screen_resources()
    crtc, output = told.crtcs[0], told.outputs[0]
    now = next((mode.id for mode in told.modes if (mode.width, mode.height) == (width, height)), None)
    mode = now or _new_mode(display, output, width, height)
    stamp = told.config_timestamp
    with_display = display.xrandr_set_crtc_config
    display.grab_server()  # nobody sees it dark
    try:
        with_display(crtc, stamp, 0, 0, 0, 1, [])
        root.xrandr_set_screen_size(width, height, round(width * _MILLIMETRES), round(height * _MILLIMETRES))
        with_display(crtc, stamp, 0, 0, mode, 1, [output])
    finally:
        display.ungrab_server()
        display.sync()


def _new_mode(display: Any, output: int, width: int, height: int) -> int:
    name = f"{width}x{height}"
    described = {
        "id": 0, "width": width, "height": height, "dot_clock": 0, "h_sync_start": width, "h_sync_end": width,
        "h_total": width, "h_skew": 0, "v_sync_start": height, "v_sync_end": height, "v_total": height,
        "name_length": len(name), "flags": 0,
    }  # fmt: skip
    mode = int(display.screen().root.xrandr_create_mode(described, name).mode)
    display.xrandr_add_output_mode(output, mode)
    return mode


@contextmanager
def _talking(environment: Mapping[str, str]) -> Iterator[Display]:
    display = opened(environment)
    try:
        yield display
    except (XError, DisplayError) as error:
        raise DeskhandError("desktop_unavailable", f"the display refuses: {error}") from error
    finally:
        display.close()
