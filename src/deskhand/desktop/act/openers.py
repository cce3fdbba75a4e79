"""What a menu path may go through: things that open something, and carry out nothing."""

from __future__ import annotations

from deskhand.desktop.semantics import matching
from deskhand.desktop.semantics.outline import Item
from deskhand.desktop.semantics.snapshots import Snapshot
from deskhand.types.nodes import Node, State

_OPENERS = frozenset({"menu", "button", "toggle", "combobox"})
_ALWAYS = frozenset({"menu", "combobox", "toggle"})  # a menu button of GTK3 says nothing of its menu


def opens(node: Node) -> bool:
    """Whether it has something to open; pressing anything else carries out an order."""
    submenu = node.role == "menuitem" and node.child_count > 0
    return node.role in _ALWAYS or bool(node.states & (State.HAS_POPUP | State.EXPANDABLE)) or submenu


def path_start(snapshot: Snapshot, path: list[str]) -> Item | None:
    """The element that a path begins with: a menu before a button; with more to come it must open something."""
    items = [i for i in snapshot.flat.values() if i.ref and i.role in _OPENERS]
    found = [i for i in items if matching.same_item(path[0], i.name or i.hint)]
    found.sort(key=lambda i: i.role != "menu")
    return next((i for i in found if len(path) == 1 or _starts(snapshot, i.key)), None)


def _starts(snapshot: Snapshot, key: str) -> bool:
    """Whether it opens something: GTK4 tells its menu button by nothing but being a button within a button."""
    node = snapshot.nodes[key]
    holder = snapshot.nodes.get(node.parent or "")
    return opens(node) or (node.role == "button" and holder is not None and holder.role == "button")


def menus_of(snapshot: Snapshot) -> list[str]:
    """The names of its menus."""
    return [item.name for item in snapshot.flat.values() if item.ref and item.role == "menu"]
