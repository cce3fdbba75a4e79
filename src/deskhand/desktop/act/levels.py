"""What opens and closes: menus, combo boxes and whatever says that it can be expanded."""

from __future__ import annotations

from deskhand.desktop.act.scene import Scene
from deskhand.platforms.base import ReadLimits
from deskhand.types.nodes import Node, State, Tree

MENU_ITEMS = frozenset({"menu", "menuitem", "menuitemcheckbox", "menuitemradio"})
ITEMS = MENU_ITEMS | {"listitem", "option", "treeitem"}
_WITHIN = 14
"""Levels between a combo box and the texts of its items (GTK4: 9)."""
_DEEPEST = 5
_TELL_BY_ITEMS = frozenset({"menu", "combobox"})


async def menu_items(scene: Scene, key: str, *, hidden: bool = False) -> list[Node]:
    """The items below a menu; those that show, unless ``hidden``."""
    tree = await scene.platform.read(key, ReadLimits(hidden=hidden, depth=4))
    return [node for node in tree.nodes.values() if node.role in MENU_ITEMS and node.key != key]


def tells_by_items(node: Node) -> bool:
    """Whether it is known to be open by what shows in it only: a menu, or a combo box's list."""
    return node.role in _TELL_BY_ITEMS and not node.has(State.EXPANDABLE)


async def close_popup(scene: Scene, node: Node) -> None:
    """Close an open menu with all of its submenus, by the key that closes menus in every toolkit."""
    for _ in range(_DEEPEST):
        if not await is_open(scene, node):
            return
        serial = scene.platform.events.serial
        scene.sending("keyboard")
        await scene.platform.press_chord("Escape")
        await scene.settle(serial)


async def is_open(scene: Scene, node: Node) -> bool | None:
    """Whether it is expanded: by its own word, else by whether its items show; None where neither tells."""
    if node.has(State.EXPANDABLE):
        return node.has(State.EXPANDED)
    if node.role == "button":
        return bool(node.states & (State.PRESSED | State.CHECKED))  # a menu button stays down while its menu is open
    if node.role not in _TELL_BY_ITEMS:
        return None
    if node.role == "menu":
        return any(item.has(State.SHOWING) for item in await menu_items(scene, node.key))
    return bool(await dropped_items(scene, node.key))


async def dropped_items(scene: Scene, key: str) -> list[tuple[Node, str]]:
    """The items of an open combo box with what they say: those that lie on a surface of their own."""
    popups = [window.bounds for window in await scene.platform.windows() if window.popup]
    if not popups:
        return []
    tree = await scene.platform.read(key, ReadLimits(depth=_WITHIN))
    items = [node for node in tree.nodes.values() if node.role in ITEMS and node.has(State.SHOWING)]
    return [
        (node, said(tree, node))
        for node in items
        if node.bounds is not None and any(popup.contains(*node.bounds.centre) for popup in popups)
    ]


def said(tree: Tree, node: Node) -> str:
    """Its name, else what is written in it: GTK4's list items have no name of their own."""
    below = [tree.nodes[key] for key in node.children if key in tree.nodes]
    if node.has(State.SHOWING):
        below = [child for child in below if child.has(State.SHOWING)]
    return node.name or node.text or " ".join(part for part in (said(tree, child) for child in below) if part)
