"""Monitors as RandR tells them."""

from __future__ import annotations

from deskhand.platforms.linux.x11.connection import Connection
from deskhand.types.geometry import Rect


def monitors(connection: Connection) -> list[Rect]:
    """The part of the root that each monitor shows, the primary one first."""
    if not connection.display.has_extension("RANDR"):
        return []
    told = connection.root.xrandr_get_monitors(is_active=True).monitors
    ordered = sorted(told, key=lambda monitor: not monitor.primary)
    return [Rect(each.x, each.y, each.width_in_pixels, each.height_in_pixels) for each in ordered]
