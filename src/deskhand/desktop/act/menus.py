"""menu: a path opened level by level in one step; what was opened is closed again when a level is missing."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

from deskhand.desktop.act.evidence import Outcome, before
from deskhand.desktop.act.guard import click_point
from deskhand.desktop.act.levels import MENU_ITEMS, close_popup, is_open, menu_items
from deskhand.desktop.act.looking import Looks
from deskhand.desktop.act.openers import menus_of, opens, path_start
from deskhand.desktop.act.pressing import click_at, press_target
from deskhand.desktop.act.scene import Scene
from deskhand.desktop.semantics import matching, roles
from deskhand.desktop.semantics.quoting import quote
from deskhand.desktop.semantics.snapshots import Snapshot
from deskhand.desktop.targets import Resolved
from deskhand.types.errors import DeskhandError
from deskhand.types.nodes import Ability, Node, State, Window
from deskhand.types.results import Failure
from deskhand.types.steps import Step

_LIKE = frozenset({"button", "toggle", "checkbox", "radio"})
_CLICK = ("click", "press", "activate", "toggle", "Show Menu", "ShowMenu", "Press")
_OPENS_WITHIN = 1.5
CLOSING = 0.5


async def menu(scene: Scene, step: Step) -> Outcome:
    """Open each level, then press the last item. The gate is asked about what is pressed before it is pressed."""
    assert step.path is not None
    window = await scene.resolver.window_in(step.within)
    snapshot = await scene.remember(window)
    if snapshot is None:
        raise DeskhandError("accessibility_off", "the window tells no menus; use screenshot and click")
    await scene.permit(step, None)
    was, opened = await before(scene), False
    level = opener = _first(scene, window, snapshot, step.path)
    try:
        for name in step.path[1:]:
            level = await _passable(scene, step, await scene.guard.admit(level))
            opened = await _open(scene, level) or opened
            level = await _next(scene, level, name)
        level = await scene.guard.admit(level)
        await scene.permit(step, level)
        if click_point(level.node) is None and (node := await scene.again(level.node.key)) is not None:
            level = replace(level, node=node)  # with its actions
        outcome = await press_target(scene, step, level, _CLICK, was)
        if opener.node.role in _LIKE and level is not opener:
            await _close_popover(scene, opener, level)
        return outcome
    except (DeskhandError, asyncio.CancelledError):
        if opened:
            await asyncio.shield(_closed_again(scene, window, opener))
        raise


def _first(scene: Scene, window: Window, snapshot: Snapshot, path: list[str]) -> Resolved:
    """The menu, or the button that opens one, at the path's start."""
    item = path_start(snapshot, path)
    if item is None:
        menus = matching.listed(menus_of(snapshot))
        raise DeskhandError("not_found", f"no menu is called {quote(path[0])}", target=path[0], found=menus)
    return _resolved(scene, window, snapshot.nodes[item.key], item.name or item.hint)


async def _passable(scene: Scene, step: Step, level: Resolved) -> Resolved:
    """A level that may be opened. GTK3's popovers are made of plain buttons: the gate judges these as pressed."""
    if not opens(level.node) and level.node.role not in _LIKE:
        message = f"{level.words} opens no menu; end the path there, or name a submenu"
        raise DeskhandError("unsupported_action", message, sent=scene.sent, target=level.ref)
    if level.node.role not in MENU_ITEMS:
        await scene.permit(step, level)
    return level


def _resolved(scene: Scene, window: Window, node: Node, name: str) -> Resolved:
    ref = scene.world.refs.bind(node, window.key, name)
    return Resolved(node, window, f"{ref} {node.role} {quote(name)}", ref)


async def _open(scene: Scene, level: Resolved) -> bool:
    """Open a menu unless it is open; True when something was opened."""
    if await is_open(scene, level.node):
        return False
    node = await scene.again(level.node.key)
    action = next((name for name in _CLICK if node and name in node.actions), None)
    serial = scene.platform.events.serial
    if action is None:  # a toolkit that offers none
        await click_at(scene, level)
    else:
        scene.sending("accessibility")
        await scene.platform.do_action(level.node.key, action)
    await scene.settle(serial)
    return True


async def _next(scene: Scene, level: Resolved, name: str) -> Resolved:
    """The item called ``name`` once it shows, below the level or in a popover of its window."""
    ends, looks = time.monotonic() + min(_OPENS_WITHIN, scene.left), Looks(scene.platform.events)
    serial = scene.platform.events.serial
    while True:
        items = await menu_items(scene, level.node.key) or await _in_window(scene, level)
        found = [node for node in items if matching.same_item(name, node.name or node.text or "")]
        if found:
            return _resolved(scene, level.window, found[0], found[0].name or found[0].text or "")
        left = ends - time.monotonic()
        if left <= 0 or not await looks.again(serial, left):
            break
        serial = scene.platform.events.serial
    every = matching.listed([node.name for node in items])
    raise DeskhandError(
        "not_found", f"{level.words} has no item {quote(name)}", sent=scene.sent, target=name, found=every
    )


async def _in_window(scene: Scene, level: Resolved) -> list[Node]:
    """Menu items anywhere, and buttons in a modal part of the window: GTK3's popovers are made of these."""
    snapshot = await scene.world.snapshot(level.window)
    items = [
        item
        for item in snapshot.flat.values()
        if item.key != level.node.key
        and (item.role in MENU_ITEMS or (item.role in _LIKE and _in_popover(snapshot, item.key)))
    ]
    return [replace(snapshot.nodes[item.key], name=item.name) for item in items]


def _in_popover(snapshot: Snapshot, key: str) -> bool:
    node = snapshot.nodes.get(snapshot.nodes[key].parent or "")
    while node is not None and not (node.has(State.MODAL) and node.role not in roles.WINDOWS):
        node = snapshot.nodes.get(node.parent or "")
    return node is not None


async def _close_popover(scene: Scene, opener: Resolved, item: Resolved) -> None:
    """Close what stays open after an item was pressed: a popover whose item is a switch."""
    active = scene.world.active(await scene.world.windows())
    now = await scene.again(item.node.key)
    if active.key == opener.window.key and now is not None and now.has(State.SHOWING):
        await close_popup(scene, opener.node, opener.window)


async def _closed_again(scene: Scene, window: Window, opener: Resolved) -> None:
    """What went wrong first is told; that a menu stayed open, too, stands in the record."""
    try:
        await _close(scene, window, opener)
    except DeskhandError as error:
        scene.recorder.record("left_open", failure=Failure.of(error).model_dump())


async def _close(scene: Scene, window: Window, opener: Resolved) -> None:
    """Close what was opened, by the key that closes menus everywhere."""
    if opener.node.role in _LIKE or opener.node.can(Ability.MENUS_INSIDE):
        await close_popup(scene, opener.node, window)
    for _ in range(3):
        popups = await _menus_of(scene, window)
        if not popups:
            return
        scene.sending("keyboard")
        await scene.platform.press_chord("Escape")
        await _fewer(scene, window, popups)


async def _menus_of(scene: Scene, window: Window) -> set[str]:
    """The open menus of a window's process, while that window is the active one."""
    windows = await scene.world.windows()
    menus = {w.key for w in windows if w.popup and w.pid == window.pid and "menu" in w.role}
    return menus if scene.world.active(windows).key == window.key else set()


async def _fewer(scene: Scene, window: Window, popups: set[str]) -> None:
    """Wait until one has closed: the next key would be the window's own (Inkscape's Escape drops the selection)."""
    ends = time.monotonic() + CLOSING
    while time.monotonic() < ends:
        serial = scene.platform.events.serial
        if not popups <= await _menus_of(scene, window):
            return
        await scene.platform.events.changed(serial, max(0.0, ends - time.monotonic()))
