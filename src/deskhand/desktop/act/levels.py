"""What opens and closes: menus, combo boxes and whatever says that it can be expanded."""

from __future__ import annotations

from deskhand.desktop.act.scene import Scene
from deskhand.platforms.base import ReadLimits
from deskhand.types.nodes import Node, State

MENU_ITEMS = frozenset({"menu", "menuitem", "menuitemcheckbox", "menuitemradio"})
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
    if node.role not in _TELL_BY_ITEMS:
        return None
    # A combo box holds its menu as a child, whose state is SHOWING as long as the menu is up.
    return any(item.has(State.SHOWING) for item in await menu_items(scene, node.key))
