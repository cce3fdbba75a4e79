"""GTK2 through GAIL and atk-bridge (measured: GIMP 2.10, GAIL 2.24): report 20 (menus), areas drawn by the application.

An open menu is never SELECTED, and what lies in it never SHOWING. Its items have a place, which they keep when the menu
has closed: they show while a popup of their process lies there. So menus are looked into only while it has one.
"""

from __future__ import annotations

from dataclasses import replace

from deskhand.platforms.linux.atspi import vocabulary as words
from deskhand.platforms.linux.atspi.quirks.gtk3 import Gtk3
from deskhand.platforms.linux.atspi.raw import Raw
from deskhand.types.geometry import Rect

_NOWHERE = -(2**31)
_FRAME = 6  # pixels of a popup around its items
_IN_MENUS = frozenset({"menu", "menuitem", "menuitemcheckbox", "menuitemradio"})


class Gtk2(Gtk3):
    """As GTK3 (a handler may run a dialog's main loop, a drawn area is a childless panel) but for its menus."""

    menus_by_surface = True
    hidden_cached = menus_unmapped = False  # whether a menu is open is told by where its items lie

    def __init__(self) -> None:
        super().__init__("gtk2")

    def surfaced(self, raw: Raw, popups: tuple[Rect, ...]) -> Raw:
        """An item of an open menu is as wide as the popup that it lies on."""
        if raw.bounds is None or _NOWHERE in raw.bounds[:2]:
            return replace(raw, bounds=None)
        if raw.role not in _IN_MENUS or raw.bit(words.SHOWING):
            return raw
        drawn = raw.bit(words.VISIBLE) and any(_lies_on(raw.bounds, popup) for popup in popups)
        return replace(raw, bits=raw.bits | words.SHOWING) if drawn else replace(raw, bounds=None)

    def bits_show(self, bits: int) -> bool:
        """An item of a menu may show; its place tells."""
        return bool(bits & (words.SHOWING | words.VISIBLE))

    def closed(self, raw: Raw, above: Raw | None) -> bool:
        """No menu says so."""
        return False


def _lies_on(item: Rect, popup: Rect) -> bool:
    across = 0 <= item.x - popup.x <= _FRAME and 0 <= popup.x + popup.w - item.x - item.w <= _FRAME
    return across and popup.y <= item.y and item.y + item.h <= popup.y + popup.h
