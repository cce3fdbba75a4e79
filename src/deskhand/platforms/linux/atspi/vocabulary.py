"""AT-SPI role numbers and state bits in deskhand's words. Source: atspi-constants.h of at-spi2-core 2.46."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from deskhand.types.nodes import Ability, State

ROLES: dict[int, str] = {
    2: "alert", 4: "img", 5: "grid", 6: "canvas", 7: "checkbox", 8: "menuitemcheckbox", 9: "dialog",
    10: "columnheader", 11: "combobox", 12: "textbox", 13: "img", 14: "group", 15: "slider", 16: "dialog",
    17: "group", 18: "canvas", 19: "dialog", 20: "generic", 22: "dialog", 23: "window", 24: "generic",
    25: "document", 26: "img", 27: "img", 28: "window", 29: "label", 30: "generic", 31: "list", 32: "listitem",
    33: "menu", 34: "menubar", 35: "menuitem", 36: "dialog", 37: "tab", 38: "tablist", 39: "generic",
    40: "textbox", 41: "menu", 42: "progressbar", 43: "button", 44: "radio", 45: "menuitemradio", 46: "generic",
    47: "rowheader", 48: "scrollbar", 49: "generic", 50: "separator", 51: "slider", 52: "spinbutton",
    53: "generic", 54: "status", 55: "table", 56: "cell", 57: "columnheader", 58: "rowheader", 59: "menuitem",
    60: "terminal", 61: "textbox", 62: "toggle", 63: "toolbar", 64: "tooltip", 65: "tree", 66: "treegrid",
    67: "generic", 68: "generic", 69: "window", 70: "generic", 71: "group", 72: "group", 73: "paragraph",
    74: "img", 75: "application", 76: "combobox", 77: "textbox", 78: "generic", 79: "textbox", 80: "img",
    81: "label", 82: "document", 83: "heading", 84: "generic", 85: "generic", 86: "generic", 87: "form",
    88: "link", 89: "window", 90: "row", 91: "treeitem", 92: "document", 93: "document", 94: "document",
    95: "document", 96: "document", 97: "note", 98: "listbox", 99: "group", 100: "img", 101: "alert",
    102: "group", 103: "meter", 104: "generic", 105: "blockquote", 106: "audio", 107: "video",
    108: "definition", 109: "article", 110: "region", 111: "log", 112: "marquee", 113: "math", 114: "slider",
    115: "timer", 116: "label", 119: "subscript", 120: "superscript", 121: "list", 122: "term",
    123: "definition", 124: "note", 129: "button",
}  # fmt: skip
PASSWORD_ROLE = 40
SCROLLED = frozenset({49, 17})
"""What holds scroll bars: scroll panes, and the directory pane that Thunar makes of one."""
FRAME_ROLES = frozenset({2, 9, 16, 19, 22, 23, 28, 36, 69})
MENU_ROLES = frozenset({33, 41})
DIALOG_ROLES = frozenset({2, 9, 16, 19, 22, 36})

DATE_ROLE = 12
DOCUMENT_ROLES = frozenset({95})
"""What holds a page."""
EMBEDDED = "\ufffc"
"""Stands in a text where a child is embedded."""

DEFUNCT = 1 << 6
EDITABLE = 1 << 7
ENABLED = 1 << 8
EXPANDABLE = 1 << 9
FOCUSABLE = 1 << 11
EXPANDED = 1 << 10
FOCUSED = 1 << 12
SELECTABLE = 1 << 22
SELECTED = 1 << 23
READ_ONLY = 1 << 43
SENSITIVE = 1 << 24
SHOWING = 1 << 25
VISIBLE = 1 << 30
CHECKABLE = 1 << 41

_STATES: tuple[tuple[int, State], ...] = (
    (1, State.ACTIVE), (3, State.BUSY), (4, State.CHECKED), (7, State.EDITABLE), (9, State.EXPANDABLE),
    (10, State.EXPANDED), (11, State.FOCUSABLE), (12, State.FOCUSED), (16, State.MODAL), (17, State.MULTILINE),
    (18, State.MULTISELECTABLE), (20, State.PRESSED), (22, State.SELECTABLE), (23, State.SELECTED),
    (25, State.SHOWING), (32, State.MIXED), (33, State.REQUIRED), (36, State.INVALID), (39, State.DEFAULT),
    (41, State.CHECKABLE), (42, State.HAS_POPUP), (43, State.READONLY),
)  # fmt: skip
_ABILITIES: tuple[tuple[str, Ability], ...] = (
    ("Action", Ability.ACTION), ("Text", Ability.TEXT), ("EditableText", Ability.EDIT_TEXT),
    ("Value", Ability.VALUE), ("Selection", Ability.SELECTION), ("Table", Ability.TABLE),
    ("Component", Ability.COMPONENT),
)  # fmt: skip


def formula(attributes: Mapping[str, str]) -> str:
    """A cell's formula with its ``=``, which LibreOffice (7.4) leaves out; empty where it has none."""
    told = attributes.get("Formula", "")
    return f"={told.removeprefix('=')}" if told else ""


@lru_cache(maxsize=4096)
def states(bits: int) -> State:
    """The state bits of ``GetState`` in our words (all but DISABLED, which toolkits tell differently).

    What is neither on nor off may be called checked, too (measured in GTK3): it is mixed alone.
    """
    found = State.NONE
    for bit, state in _STATES:
        if bits >> bit & 1:
            found |= state
    return found & ~State.CHECKED if State.MIXED in found else found


@lru_cache(maxsize=4096)
def abilities(interfaces: tuple[str, ...]) -> Ability:
    """The interface names of ``GetInterfaces`` in our words."""
    names = {name.rpartition(".")[2] for name in interfaces}
    found = Ability.NONE
    for name, ability in _ABILITIES:
        if name in names:
            found |= ability
    return found
