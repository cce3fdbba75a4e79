"""LibreOffice (7.4, gtk3): report 16 (sheets), and bounds that lie one menu bar too high.

Its own elements (toolbars, cells) count from below the menu bar but are reported as from the window's top; GTK
widgets embedded in it are right. An embedded widget betrays itself: it lies exactly one menu bar below the native
parent that it fills.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from deskhand.platforms.linux.atspi import vocabulary as words
from deskhand.platforms.linux.atspi.quirks import libreoffice_parts as parts
from deskhand.platforms.linux.atspi.quirks.base import Home, Pages
from deskhand.platforms.linux.atspi.quirks.gtk3 import Gtk3
from deskhand.platforms.linux.atspi.raw import Raw
from deskhand.types.geometry import Rect

_SUFFIX = re.compile(r" - LibreOffice \w+$")
_ROOT_PANE = 46


class LibreOffice(Gtk3):
    """Never ask its cache (it aborts); never list a sheet's children."""

    cached = hidden_cached = False  # SIGABRT
    menus_unmapped = True  # the items of a closed menu are told to be 0 by 0 pixels (7.4)
    numbers_text = True  # SetTextContents answers true and does nothing there; a stretch behind the number is taken
    ancestors_only_clip = False  # what an element is called depends on what holds it

    def __init__(self) -> None:
        super().__init__("libreoffice")

    def fleeting(self, raw: Raw) -> bool:
        """Sidebar, toolbars and cells get new objects without being new."""
        return True

    def shows(self, raw: Raw) -> bool:
        """The formula bar's input line is called defunct while it works."""
        return super().shows(raw) or parts.is_input_line(raw)

    def bits_show(self, bits: int) -> bool:
        """The same, from the state bits alone."""
        return super().bits_show(bits) or bits == words.DEFUNCT

    def known(self, raw: Raw, above: Raw | None) -> Raw:
        """Panels that hold nothing are slides and empty shapes here (see ``recast``), not drawn areas of GTK.

        A button of a toolbar that was clicked calls itself focused while keys still go to the document (report 34);
        where they do go to a toolbar, it says so itself.
        """
        in_bar = above is not None and above.role == "toolbar" and not above.bit(words.FOCUSED)
        return replace(raw, bits=raw.bits & ~words.FOCUSED) if in_bar and raw.bit(words.FOCUSED) else raw

    def name(self, raw: Raw) -> str:
        """A document is called by its file, not by the application."""
        name = super().name(raw)
        return _SUFFIX.sub("", name) if raw.role == "document" else name

    def recast(self, raws: Mapping[str, Raw]) -> Mapping[str, Raw]:
        """Slides are items of a list; a toggle that is all that shows of a combo box is one."""
        return parts.recast(raws)

    def pages(self, raws: Mapping[str, Raw]) -> Pages | None:
        """A Writer document."""
        return parts.pages(raws)

    def input_line(self, raws: Mapping[str, Raw]) -> str | None:
        """The paragraph inside of the formula bar's input line."""
        return next((r.key for r in raws.values() if (p := raws.get(r.parent or "")) and parts.is_input_line(p)), None)

    def place(self, raws: Mapping[str, Raw], home: Home) -> dict[str, Rect | None]:
        """Lift native elements back down by the menu bar's height."""
        drop = _drop(raws)
        placed: dict[str, Rect | None] = {}
        native: dict[str, bool] = {}
        for key, raw in raws.items():  # parents come before children
            native[key] = _is_native(raw, raws, native, drop)
            placed[key] = raw.bounds.moved(0, drop) if raw.bounds and native[key] else raw.bounds
        return placed


def _drop(raws: Mapping[str, Raw]) -> int:
    """How far too high native elements are: the root pane's top against the top of the panel that holds it."""
    for raw in raws.values():
        parent = raws.get(raw.parent or "")
        if raw.number == _ROOT_PANE and raw.bounds and parent and parent.bounds:
            return parent.bounds.y - raw.bounds.y
    return 0


def _is_native(raw: Raw, raws: Mapping[str, Raw], native: Mapping[str, bool], drop: int) -> bool:
    if raw.number == _ROOT_PANE:
        return True
    parent = raws.get(raw.parent or "")
    if parent is None or not native.get(parent.key, False):
        return False
    return not _fills_one_bar_lower(raw.bounds, parent.bounds, drop)


def _fills_one_bar_lower(bounds: Rect | None, parent: Rect | None, drop: int) -> bool:
    if not bounds or not parent or not drop:
        return False
    same_place = abs(bounds.x - parent.x) <= 2 and abs(bounds.y - parent.y - drop) <= 2
    return same_place and abs(bounds.w - parent.w) <= 2 and abs(bounds.h - parent.h) <= 2
