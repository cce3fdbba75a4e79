"""Qt's own AT-SPI bridge (measured: 5.15 and 6.12): reports 6 (only the root), 9 (spin boxes), 20 (pop-up menus)."""

from __future__ import annotations

from dataclasses import replace

from deskhand.platforms.linux.atspi import vocabulary as words
from deskhand.platforms.linux.atspi.quirks.base import Quirks
from deskhand.platforms.linux.atspi.raw import Raw
from deskhand.types.geometry import Point, Rect
from deskhand.types.nodes import Ability

_MENU, _MENU_ITEM, _CHECK_ITEM, _TAB = 33, 35, 8, 37
_MADE_ANEW = frozenset({"cell", "columnheader", "rowheader", "listitem", "treeitem"})


class Qt(Quirks):
    """``GetAll`` is refused by Qt 6 and known to crash some Qt 5; its cache is empty."""

    piecemeal = True
    scales = True
    click_first = True  # an action that opens a dialog answers only when that is closed
    combo_named_by_value = True
    popups_unlisted = True
    bars_wrapped = True
    cells_outlive_rows = True  # a tree forgets its objects when a row is expanded, not when it is collapsed
    lengths_in_bytes = False
    alt_first = True
    """While somebody listens on the accessibility bus, it tells the registry of each key and hands it to its widgets
    when that has answered; what a key is a shortcut for is done at once. (Measured, 5.15 and 6.12: of Alt+F in one go
    the menu opens, then the menu bar learns of Alt's press and release and closes it, in 12 of 12 tries; with 5 ms
    between Alt and F it stays open, in 12 of 12.)"""

    def __init__(self) -> None:
        super().__init__("qt")

    def shift(self, real: Rect, told: Rect | None, scale: float) -> Point:
        """Places are divided within their monitor, whose own corner stays as it is; the window is told likewise."""
        return Point(real.x - told.x, real.y - told.y) if told is not None else Point(0, 0)

    def fleeting(self, raw: Raw) -> bool:
        """Item views hand out a new object for the same cell or header now and then."""
        return raw.role in _MADE_ANEW

    def known(self, raw: Raw, above: Raw | None) -> Raw:
        """A menu's title is an item that holds a popup menu, an item to be ticked says so by a state only.

        What is read-only is called editable, too, and takes what is written to it. The tab in front is called focused,
        wherever the keyboard is, and not selected (5.15).
        """
        if raw.bit(words.READ_ONLY):
            raw = replace(raw, bits=raw.bits & ~words.EDITABLE)
        if raw.number == _TAB and raw.bit(words.FOCUSED):
            raw = replace(raw, bits=raw.bits & ~words.FOCUSED | words.SELECTED)
        if raw.number != _MENU_ITEM or not (raw.child_count > 0 or raw.bit(words.CHECKABLE)):
            return raw
        return replace(raw, number=_MENU if raw.child_count > 0 else _CHECK_ITEM)

    def known_whole(self, raw: Raw) -> Raw:
        """A date or time field claims a number between 0 and 0: it holds text."""
        if raw.role == "spinbutton" and raw.value is not None and raw.value[1] >= raw.value[2]:
            return replace(raw, value=None, abilities=raw.abilities & ~Ability.VALUE)
        return raw

    def usable(self, raw: Raw) -> Ability:
        """A slider that is made only to show goes back 0.25 s after it took a number (VLC's place in what it plays)."""
        return raw.abilities | Ability.ECHOES if raw.role == "slider" else raw.abilities

    def name(self, raw: Raw) -> str:
        """A tab bar is called by the tab in front."""
        return "" if raw.role == "tablist" else super().name(raw)
