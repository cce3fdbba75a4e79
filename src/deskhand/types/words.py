"""The words for roles and states that callers may use, and what they are called elsewhere."""

from __future__ import annotations

import difflib
import json

ROLES = frozenset(
    {"alert", "application", "article", "audio", "blockquote", "button", "canvas", "cell", "checkbox", "columnheader",
     "combobox", "definition", "dialog", "document", "form", "generic", "grid", "gridcell",
     "group", "heading", "img", "label",
     "link", "list", "listbox", "listitem", "log", "marquee", "math", "menu", "menubar", "menuitem",
     "menuitemcheckbox", "menuitemradio", "meter", "note", "option", "paragraph", "progressbar", "radio", "radiogroup",
     "region", "row", "rowheader", "scrollarea", "scrollbar", "separator", "slider", "spinbutton", "status",
     "subscript", "superscript", "switch", "tab", "table", "tablist", "tabpanel", "term", "terminal", "textbox",
     "timer", "toggle", "toolbar", "tooltip", "tree", "treegrid", "treeitem", "video", "window"}
)  # fmt: skip
"""ARIA's, where it has one; plus ``toggle``, ``terminal``, ``canvas``, ``label``."""
_ROLE_HABITS = {
    "pushbutton": "button", "btn": "button", "togglebutton": "toggle", "entry": "textbox", "edit": "textbox",
    "textfield": "textbox", "text": "textbox", "input": "textbox", "textarea": "textbox", "searchbox": "textbox",
    "password": "textbox", "passwordtext": "textbox", "radiobutton": "radio", "pagetab": "tab",
    "pagetablist": "tablist",
    "spinner": "spinbutton", "dropdown": "combobox", "select": "combobox", "image": "img", "icon": "img",
    "tablecell": "cell", "hyperlink": "link", "anchor": "link", "checkmenuitem": "menuitemcheckbox",
    "radiomenuitem": "menuitemradio", "statusbar": "status", "frame": "window", "treetable": "treegrid",
    "tableheader": "columnheader", "header": "columnheader", "alertdialog": "alert", "statictext": "label",
    "scrollpane": "scrollarea", "popupmenu": "menu", "levelbar": "meter", "progress": "progressbar",
}  # fmt: skip
STATES = frozenset(
    {"on", "off", "mixed", "selected", "expanded", "collapsed", "disabled", "enabled", "focused", "default", "invalid",
     "required", "busy", "password", "readonly", "editable", "offscreen", "hidden", "showing"}
)  # fmt: skip
"""As views say them; and ``off``, ``collapsed``, ``enabled``, ``editable``, ``showing``, which views leave unsaid."""
_STATE_HABITS = {
    "checked": "on", "pressed": "on", "unchecked": "off", "active": "focused", "visible": "showing",
    "invisible": "hidden", "open": "expanded", "closed": "collapsed", "sensitive": "enabled", "protected": "password",
    "indeterminate": "mixed", "inactive": "disabled", "grayed": "disabled", "greyed": "disabled",
}  # fmt: skip

_NEAR = 0.6
_NEAR_BUT_FOR_THE_BEGINNING = 0.85


def role_named(said: str) -> str:
    """The role that is meant: ``push button`` is ``button``. Raises ``ValueError`` naming near ones."""
    return _named("role", said, ROLES, _ROLE_HABITS)


def state_named(said: str) -> str:
    """The state that is meant: ``checked`` is ``on``. Raises ``ValueError`` naming near ones."""
    return _named("state", said, STATES, _STATE_HABITS)


def likeness(wanted: str, said: str) -> float:
    """How near a name is to the one that was written, case aside: 1 holds it, 0 is another name altogether.

    A typing error or two is near; a name that begins otherwise is so only where all else is the same.
    """
    wanted, said = wanted.casefold().strip(), said.casefold().strip()
    if not wanted or not said:
        return 0.0
    if wanted in said:
        return 1.0
    ratio = difflib.SequenceMatcher(None, wanted, said).ratio()
    return ratio if ratio >= (_NEAR if wanted[0] == said[0] else _NEAR_BUT_FOR_THE_BEGINNING) else 0.0


def _named(kind: str, said: str, known: frozenset[str], habits: dict[str, str]) -> str:
    plain = "".join(char for char in said.casefold() if char.isalnum())
    if plain in known:
        return plain
    if plain in habits:
        return habits[plain]
    near = difflib.get_close_matches(plain, sorted(known | set(habits)), 3, 0.6)
    names = list(dict.fromkeys(habits.get(name, name) for name in near)) or sorted(known)
    shown = json.dumps(said[:40], ensure_ascii=False)
    raise ValueError(f"there is no {kind} {shown}; {'try' if near else 'there are'} {', '.join(names)}")
