"""Java Swing through the ATK wrapper (OpenJDK 17): reports 3 (bounds), 14 (items that are labels), 20 (pop-ups).

Measured: a menu opens inside of its window as far as it fits, so no surface tells of it, and covers what lies there.
Its items count from the menu's corner instead of the popup's, which opens below it, beside it or above it: they get no
place and are pressed by their action, which works in a closed menu, too, and waits for no dialog that it opens.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from deskhand.platforms.linux.atspi.quirks.base import Home, Quirks
from deskhand.platforms.linux.atspi.raw import Raw
from deskhand.types.geometry import Rect

_LABEL, _LIST_ITEM, _CELL, _HEAD, _TREE_ITEM = 29, 32, 56, 57, 91
_ITEM_OF = {"list": _LIST_ITEM, "tree": _TREE_ITEM, "treeitem": _TREE_ITEM, "table": _CELL}
_TICKED = {7: 8, 44: 45}
"""Check boxes and radio buttons in a menu are items of it."""
_MADE_ANEW = frozenset({"listitem", "treeitem", "cell", "columnheader"})
_ITEMS = frozenset({"menu", "menuitem", "menuitemcheckbox", "menuitemradio"})
_WHOLE = frozenset({"scrollbar", "spinbutton"})
"""What is inside of them (arrows, a text) says nothing that they do not say."""


class Swing(Quirks):
    """What draws an item is told instead of the item, and a tab's page lies where its tab would have it."""

    click_first = True  # what a hand does: an action takes neither the focus nor the selection
    menus_inside = True
    combo_named_by_value = True
    plane = 0xFFFF

    def __init__(self) -> None:
        super().__init__("swing")

    def fleeting(self, raw: Raw) -> bool:
        """An item is a new object at every read."""
        return raw.role in _MADE_ANEW

    def known(self, raw: Raw, above: Raw | None) -> Raw:
        """Items of lists and trees are called labels, as what draws them is one."""
        if raw.role in _WHOLE:
            return replace(raw, child_count=0)
        if above is not None and above.role == "menu":
            return replace(raw, number=_TICKED.get(raw.number, raw.number))
        if raw.number == _LABEL and raw.bounds is not None and raw.bounds.h == 0 < raw.bounds.w:
            return replace(raw, number=_HEAD)
        item = _ITEM_OF.get(above.role) if above is not None and raw.number == _LABEL else None
        return raw if item is None else replace(raw, number=item)

    def name(self, raw: Raw) -> str:
        """Tabs are called by the one in front."""
        return "" if raw.role == "tablist" else super().name(raw)

    def place(self, raws: Mapping[str, Raw], home: Home) -> dict[str, Rect | None]:
        """A page counts from its tab's corner instead of the tabs'; a column's head tells no height."""
        return {key: _placed(raw, raws) for key, raw in raws.items()}


def _placed(raw: Raw, raws: Mapping[str, Raw]) -> Rect | None:
    above = raws.get(raw.parent or "")
    bounds, outer = raw.bounds, above.bounds if above else None
    if bounds is None or above is None or outer is None:
        return bounds
    if above.role == "menu" and raw.role in _ITEMS:
        return None
    if above.role == "tab" and (tabs := raws.get(above.parent or "")) is not None and tabs.bounds is not None:
        return bounds.moved(tabs.bounds.x - outer.x, tabs.bounds.y - outer.y)
    return bounds._replace(h=outer.h) if raw.number == _HEAD and bounds.h == 0 else bounds
