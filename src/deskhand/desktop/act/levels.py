"""What opens and closes: menus, combo boxes and whatever says that it can be expanded."""

from __future__ import annotations

import time
from dataclasses import replace

from deskhand.desktop.act.scene import Scene
from deskhand.desktop.targets import Resolved
from deskhand.platforms.base import ReadLimits
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Rect
from deskhand.types.nodes import Ability, Node, State, Tree, Window

MENU_ITEMS = frozenset({"menu", "menuitem", "menuitemcheckbox", "menuitemradio"})
ITEMS = MENU_ITEMS | {"listitem", "option", "treeitem"}
_WITHIN = 14
"""Levels between a combo box and the texts of its items (GTK4: 9)."""
_DEEPEST = 5
_UNCOVERED = 0.5
"""Seconds that the surface of a closed popup has to go from over its button."""
_ROWS_MOST = 200
"""Rows of a dropped list that are looked at."""
_MENU_BUTTONS = frozenset({"button", "toggle"})
_TELL_BY_ITEMS = frozenset({"menu", "combobox"})


async def menu_items(scene: Scene, key: str, *, hidden: bool = False) -> list[Node]:
    """The items below a menu; those that show, unless ``hidden``."""
    tree = await scene.platform.read(key, ReadLimits(hidden=hidden, depth=4))
    return [node for node in tree.nodes.values() if node.role in MENU_ITEMS and node.key != key]


async def close_popup(scene: Scene, node: Node, window: Window) -> None:
    """Close an open menu with all of its submenus, by the key that closes menus in every toolkit.

    Only while its window is in front: another one would be closed by that key itself.
    """
    for _ in range(_DEEPEST):
        now = await scene.again(node.key)
        if now is None or not await is_open(scene, now):
            return await _uncovered(scene, node, window)
        if scene.world.active(await scene.world.windows()).key != window.key:
            return None
        serial = scene.platform.events.serial
        scene.sending("keyboard")
        await scene.platform.press_chord("Escape")
        await scene.settle(serial)
    return None


async def _uncovered(scene: Scene, node: Node, window: Window) -> None:
    """A popover's surface outlives it, and takes the next click where it lay over its own button (GTK 4's shadow)."""
    ends = time.monotonic() + min(_UNCOVERED, scene.left)
    while node.bounds is not None and (rest := ends - time.monotonic()) > 0:
        serial, found = scene.platform.events.serial, await scene.world.windows()
        popups = [w for w in found if w.popup and w.pid == window.pid and w.role != "tooltip"]
        if not any(popup.bounds.contains(*node.bounds.centre) for popup in popups):
            return
        await scene.platform.events.changed(serial, min(rest, _UNCOVERED / 10))


async def leave_menus(scene: Scene, item: Resolved) -> None:
    """Close the menus around an item whose action would leave them open.

    Raises ``unsupported_action`` when they do not close, and then the item has not been pressed.
    """
    if item.node.role not in MENU_ITEMS or not item.node.can(Ability.MENUS_INSIDE):
        return
    for _ in range(_DEEPEST):
        if not await _menus_show(scene, item.window):
            return
        serial = scene.platform.events.serial
        scene.sending("keyboard")
        await scene.platform.press_chord("Escape")
        await scene.settle(serial)
    if await _menus_show(scene, item.window):
        raise DeskhandError("unsupported_action", f"the menus around {item.words} do not close", sent=scene.sent)


async def _menus_show(scene: Scene, window: Window) -> bool:
    """Whether a menu is open inside of a window, or on a surface of its own where it does not fit there."""
    popups = [w.root for w in await scene.platform.windows() if w.popup and w.pid == window.pid]
    for root in (root for root in (window.root, *popups) if root is not None):
        tree = await scene.platform.read(root, ReadLimits(rows=1, columns=1))
        items = (node for node in tree.nodes.values() if node.role in MENU_ITEMS and node.can(Ability.ON_POPUP))
        if any(node.has(State.SHOWING) for node in items):
            return True
    return False


async def is_open(scene: Scene, node: Node) -> bool | None:
    """Whether it is expanded: by its own word, else by whether its items show; None where neither tells."""
    if node.has(State.EXPANDABLE):
        return node.has(State.EXPANDED)
    if node.role in _MENU_BUTTONS:
        return bool(node.states & (State.PRESSED | State.CHECKED))  # a menu button stays down while its menu is open
    if node.role not in _TELL_BY_ITEMS:
        return None
    if node.role == "menu":
        return any(item.has(State.SHOWING) for item in await menu_items(scene, node.key))
    return bool(await dropped_items(scene, node.key))


async def dropped_items(scene: Scene, key: str) -> list[tuple[Node, str]]:
    """The items of an open combo box with what they say: those that lie on a surface of their own."""
    windows = await scene.platform.windows()
    pid = _pid(scene, key, windows)
    mine = [window for window in windows if window.popup and window.pid == pid]
    popups = [window.bounds for window in mine]
    owner = None if popups else await scene.again(key)
    if owner is not None and not owner.can(Ability.MENUS_INSIDE):
        return []
    tree = await scene.platform.read(key, ReadLimits(depth=_WITHIN))
    if len(tree.nodes) == 1 and (rows := await _dropped_rows(scene, key, mine)):
        return rows
    roots = [window.root for window in windows if window.root and window.active and popups]
    return _on(popups, tree) or [item for root in roots for item in _on(popups, await _chosen(scene, tree, root))]


def _pid(scene: Scene, key: str, windows: list[Window]) -> int | None:
    """The process of an element: that of the window it was last seen in, else of the active one."""
    seen = next((base.window for base in scene.bases.values() if key in base.nodes), None)
    found = seen or next((window for window in windows if window.active), None)
    return found.pid if found is not None else None


async def _chosen(scene: Scene, tree: Tree, root: str) -> Tree:
    """The whole window where nothing below a combo box has a place: its list is drawn by another part (Firefox)."""
    placed = any(node.bounds is not None for key, node in tree.nodes.items() if node.role in ITEMS)
    return tree if placed else await scene.platform.read(root, ReadLimits())


def _on(popups: list[Rect], tree: Tree) -> list[tuple[Node, str]]:
    """The items of a tree that lie on popups, with what they say."""
    items = [node for node in tree.nodes.values() if node.role in ITEMS and node.has(State.SHOWING)]
    return [
        (node, said(tree, node))
        for node in items
        if (place := node.visible or node.bounds) is not None
        and (node.can(Ability.MENUS_INSIDE) or any(popup.contains(*place.centre) for popup in popups))
    ]


async def _dropped_rows(scene: Scene, key: str, popups: list[Window]) -> list[tuple[Node, str]]:
    """The rows of a list that opens as a window of its own, for a combo box that has nothing below it."""
    owner = (await scene.platform.refresh([key])).get(key)
    if owner is None or not owner.states & (State.CHECKED | State.PRESSED):
        return []
    found: list[tuple[Node, str]] = []
    for window in popups:
        if window.root is None:
            continue
        tree = await scene.platform.read(window.root, ReadLimits(depth=_WITHIN, rows=_ROWS_MOST))
        for grid in tree.grids.values():
            cells = {cell.row: cell for cell in reversed(grid.cells) if cell.text}
            for row in sorted(cells):
                node = await scene.platform.cell(grid.key, row, cells[row].column)
                chosen = State.SELECTED if cells[row].selected else State.NONE
                found.append((replace(node, states=node.states | chosen), cells[row].text))
    return found


def said(tree: Tree, node: Node) -> str:
    """Its name, else what is written in it: GTK4's list items have no name of their own."""
    below = [tree.nodes[key] for key in node.children if key in tree.nodes]
    if node.has(State.SHOWING):
        below = [child for child in below if child.has(State.SHOWING)]
    return node.name or node.text or " ".join(part for part in (said(tree, child) for child in below) if part)
