"""GTK4's own AT-SPI back end (4.8): report 3 (bounds), report 8 (actions), class names given as names."""

from __future__ import annotations

import re
from collections.abc import Mapping

from deskhand.platforms.linux.atspi import vocabulary as words
from deskhand.platforms.linux.atspi.quirks.base import Home, Quirks
from deskhand.platforms.linux.atspi.raw import WINDOW, Raw
from deskhand.types.geometry import Point, Rect

_CLASS_NAME = re.compile(r"(Gtk|Adw|Gd|Hdy)[A-Z]\w+|\w+(View|Gizmo|Button|Widget|Box|Row|Display|Window)")


class Gtk4(Quirks):
    """SHOWING and ENABLED are only set on windows; every widget offers the actions of its whole window."""

    frame = WINDOW
    cached = True  # a fifth of the calls, a third of the time (measured: Calculator 534 to 100 calls)
    click_first = True  # an activated button waits 250 ms (GtkButton's activate timeout) before it acts

    def __init__(self) -> None:
        super().__init__("gtk4")

    def shows(self, raw: Raw) -> bool:
        """VISIBLE is all it tells below a window."""
        return raw.bit(words.VISIBLE)

    def bits_show(self, bits: int) -> bool:
        """VISIBLE is all it tells below a window."""
        return bool(bits & words.VISIBLE)

    def disabled(self, raw: Raw) -> bool:
        """SENSITIVE is all it tells below a window."""
        return not raw.bit(words.SENSITIVE)

    def name(self, raw: Raw) -> str:
        """A widget without a label is called by its class; a button's label is said twice (``"7 7"``)."""
        name = raw.name.strip()
        if _CLASS_NAME.fullmatch(name):
            return ""
        half = len(name) // 2
        return name[:half] if len(name) % 2 and name[half] == " " and name[:half] == name[half + 1 :] else name

    def actions(self, raw: Raw) -> tuple[str, ...]:
        """Only the widget's own; ``win.close`` and the like belong to the window, wherever they are listed."""
        return raw.actions if raw.number in words.FRAME_ROLES else tuple(a for a in raw.actions if "." not in a)

    def place(self, raws: Mapping[str, Raw], home: Home) -> dict[str, Rect | None]:
        """Extents count from the window's own corner, whatever frame is asked for.

        What lies in a popover is told as if the popover lay over its button: it is known by its surface's size.
        """
        shifts: dict[str, Point] = {}
        placed: dict[str, Rect | None] = {}
        for key, raw in raws.items():  # parents come before children
            shift = shifts.get(raw.parent or "", home.origin)
            shifts[key] = shift = _popover_shift(raw, home.popups) or shift
            placed[key] = raw.bounds.moved(*shift) if raw.bounds else None
        return placed


def _popover_shift(raw: Raw, popups: tuple[Rect, ...]) -> Point | None:
    if raw.parent is None or raw.bounds is None:
        return None
    surface = next((p for p in popups if abs(p.w - raw.bounds.w) <= 1 and abs(p.h - raw.bounds.h) <= 1), None)
    return Point(surface.x - raw.bounds.x, surface.y - raw.bounds.y) if surface else None
