"""What LibreOffice (7.4, gtk3) calls by another role than it is: report 20 (combo boxes), and what a document tells.

A combo box of its dialogs and sidebar is a nameless filler of three parts: an entry, a GTK combo box that is never
shown, and a toggle button that opens the list (a window of its own with a table in it). Where the entry shows, it is
the field and the toggle opens its list; where it does not, the toggle is as wide as the filler and is all there is of
the combo box. The slides panel of Impress is a document frame that holds panels.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from deskhand.platforms.linux.atspi import vocabulary as words
from deskhand.platforms.linux.atspi.quirks.base import Pages
from deskhand.platforms.linux.atspi.raw import Raw
from deskhand.types.geometry import Rect
from deskhand.types.nodes import State

_COMBO_BOX, _FILLER, _LIST_ITEM, _PANEL, _ENTRY, _TOGGLE, _FRAME, _LIST_BOX, _GROUP = 11, 20, 32, 39, 61, 62, 82, 98, 99
_COMBO_PARTS = 3
_PROSE = frozenset({"paragraph", "heading"})


def recast(raws: Mapping[str, Raw]) -> dict[str, Raw]:
    """All elements, with the roles of slides, their panel, shapes and combo boxes put right."""
    found = {key: _recast(raw, raws.get(raw.parent or "")) for key, raw in raws.items()}
    box = _name_box(raws)
    return {**found, box.key: replace(box, description="Name Box")} if box else found


def _recast(raw: Raw, above: Raw | None) -> Raw:
    """One element, by itself and what holds it alone: it must be the same thing however it is read."""
    if _is_slides_panel(raw):
        return replace(raw, number=_LIST_BOX)
    if raw.number == _PANEL and _is(raw, State.SELECTABLE):
        slide = above is not None and _is_slides_panel(above)
        return replace(raw, number=_LIST_ITEM if slide else _GROUP if _is(raw, State.EDITABLE) else _PANEL)
    return replace(raw, number=_COMBO_BOX) if _is_combo_box(raw, above) else raw


def _is(raw: Raw, state: State) -> bool:
    return bool(words.states(raw.bits) & state)


def _is_slides_panel(raw: Raw) -> bool:
    return raw.number == _FRAME and _is(raw, State.MULTISELECTABLE) and _is(raw, State.SELECTABLE)


def is_input_line(raw: Raw) -> bool:
    """The panel around the formula bar's input line: it is called defunct while it works."""
    return raw.bits == words.DEFUNCT and raw.number == _PANEL and raw.child_count == 1


def _name_box(raws: Mapping[str, Raw]) -> Raw | None:
    """The nameless entry of the toolbar that holds the input line, which shows where the cursor is."""
    line = next((raw for raw in raws.values() if is_input_line(raw)), None)
    bar = _toolbar(line, raws) if line else None
    entries = (raw for raw in raws.values() if raw.number == _ENTRY and not raw.name and not raw.description)
    return next((raw for raw in entries if bar is not None and _toolbar(raw, raws) is bar), None)


def _toolbar(raw: Raw, raws: Mapping[str, Raw]) -> Raw | None:
    above: Raw | None = raw
    while above is not None and above.role != "toolbar":
        above = raws.get(above.parent or "")
    return above


def _is_combo_box(raw: Raw, above: Raw | None) -> bool:
    if raw.number != _TOGGLE or raw.name or above is None:
        return False
    return above.number == _FILLER and above.child_count == _COMBO_PARTS and _as_wide(raw.bounds, above.bounds)


def _as_wide(one: Rect | None, other: Rect | None) -> bool:
    return one is not None and other is not None and abs(one.w - other.w) <= 1


def pages(raws: Mapping[str, Raw]) -> Pages | None:
    """A Writer document, its place told by its vertical scroll bar (which counts the whole document's height)."""
    document = next((raw for raw in raws.values() if raw.attributes.get("total-pages", "").isdigit()), None)
    if document is None:
        return None
    shown = [key for key in document.children if key in raws and raws[key].role in _PROSE]
    bars = [r for r in raws.values() if r.parent == document.parent and r.role == "scrollbar" and r.value]
    bar = next((r for r in bars if r.bounds and r.bounds.h > r.bounds.w), None)
    if not shown or bar is None or bar.value is None:
        return None
    number, low, high = bar.value
    total = int(document.attributes["total-pages"])
    above = int((number - low) / (high - low) * total) if high > low else 0
    return Pages(document.key, min(above, total - 1), total, shown[0], shown[-1])
