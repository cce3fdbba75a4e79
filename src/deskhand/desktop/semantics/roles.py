"""Which roles do what in a view. Roles are ARIA's (plus ``toggle`` for a toggle button, ``canvas``, ``terminal``)."""

from __future__ import annotations

SPEAKING = frozenset(
    {"button", "toggle", "checkbox", "radio", "menuitem", "menuitemcheckbox", "menuitemradio", "link", "switch",
     "columnheader", "rowheader", "listitem", "option", "treeitem"}
)  # fmt: skip
"""What they contain is their face."""
INTERACTIVE = SPEAKING | frozenset(
    {"textbox", "combobox", "slider", "spinbutton", "tab", "menu", "scrollbar", "progressbar", "meter", "listbox",
     "tree", "treegrid", "table", "grid", "list", "terminal", "canvas", "cell", "row", "gridcell"}
)  # fmt: skip
"""Always said, with a ref."""
ATOMIC = frozenset({"textbox", "spinbutton", "slider", "scrollbar", "combobox", "progressbar", "meter"})
"""Only elements inside of them are said, not texts."""
TEXTUAL = frozenset(
    {"label", "paragraph", "heading", "tooltip", "note", "img", "blockquote", "definition", "term", "log", "timer",
     "math"}
)  # fmt: skip
PROSE = frozenset({"paragraph", "heading", "blockquote"})
"""Texts of a document: what can be written in has a ref."""
PLAIN = frozenset({"label", "paragraph", "status"})
"""Their role goes without saying."""
GROUPING = frozenset({"menubar", "toolbar", "tablist", "menu", "radiogroup", "listbox", "list", "status"})
"""Their items stand on one line."""
TREES = frozenset({"tree", "treegrid"})
"""Their rows stand on lines of their own, with marks for what is expanded and collapsed."""
SECTIONS = frozenset({"group", "region", "form", "article", "dialog", "alert", "generic", "window"})
DRAWN = frozenset({"generic", "group", "img", "canvas", "math"})
"""What lies in a document as an object of its own, where it can be selected and changed."""
WINDOWS = frozenset({"window", "dialog", "alert"})
SILENT = frozenset({"separator"})
BARS = frozenset({"menubar", "toolbar", "scrollbar", "tablist", "status"})
"""Without area they are not there, and neither is what they hold."""
NUMERIC = frozenset({"slider", "spinbutton", "scrollbar", "progressbar", "meter"})
VALUED = frozenset({"textbox", "combobox", "terminal", "document", "cell"}) | PROSE
USUAL_ITEM = {
    "menubar": "menu", "menu": "menuitem", "toolbar": "button", "tablist": "tab", "radiogroup": "radio",
    "listbox": "listitem", "list": "listitem", "tree": "treeitem",
}  # fmt: skip
"""The role that an item of a group has unless said otherwise."""
UNSAID: dict[str, tuple[str, ...]] = {
    "menu": ("selected",),
    "scrollbar": ("focused",),
    "table": ("selected",),
    "combobox": ("on",),
    "paragraph": ("selected",),
    "heading": ("selected",),
}
"""State words that mean nothing on a role."""
WRAPPERS = frozenset({"button", "toggle"})
"""Some toolkits wrap the real button in a nameless one."""
EDITABLE = frozenset({"textbox", "spinbutton", "combobox", "slider", "cell", "terminal"})
FIELDS = EDITABLE | frozenset(
    {"checkbox", "radio", "switch", "toggle", "listbox", "tree", "table", "grid", "treegrid", "progressbar", "meter"}
)
"""What a label can stand beside."""
