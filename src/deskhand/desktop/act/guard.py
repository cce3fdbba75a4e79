"""The guard before every input: enabled, showing, in view, not covered. A refusal has sent nothing."""

from __future__ import annotations

import time
from dataclasses import replace

from deskhand.desktop.semantics.quoting import SHORT_TEXT, quote, quote_cut
from deskhand.desktop.targets import Resolved, still_says
from deskhand.desktop.world import World
from deskhand.platforms.base import ReadLimits
from deskhand.types.errors import DeskhandError, ErrorCode
from deskhand.types.geometry import Point, Rect
from deskhand.types.nodes import Ability, Node, State, Window

_REDRAWS, _REDRAW = 10, 0.1
"""How often, and how many seconds apart, a scrolled element is looked at until it has come into view."""
_ENABLING = 0.5
"""Seconds that a disabled element is waited for: toolkits enable it a moment after what the step before has done."""
_TOOLTIP = "tooltip"
_DIALOG_ROLES = frozenset({"dialog", "alert"})


class Guard:
    """Holds an element against what can be seen and clicked now."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def admit(self, target: Resolved, *, covered: bool = True) -> Resolved:
        """The target, scrolled into view where needed. ``covered`` False leaves out what lies over it."""
        if target.table is not None and not target.node.has(State.SHOWING):
            await self._admit_table(target)
            return await self._cell_in_view(target)
        target = await self._enabled(target)
        self._same_row(target, target.node)
        self._usable(target)
        await self._not_blocked(target)
        if not covered:
            return target
        target = await self._in_view(target)
        await self._on_top(target, passing=True)
        return target

    async def _admit_table(self, cell: Resolved) -> None:
        """A cell that is scrolled away is reached through its table, which must itself be usable."""
        assert cell.table is not None
        node = (await self._world.platform.refresh([cell.table])).get(cell.table)
        if node is None:
            raise DeskhandError("stale_ref", "the table is gone", target=cell.ref)
        await self.admit(replace(cell, node=node, table=None, place=None, says=""))

    async def _enabled(self, target: Resolved) -> Resolved:
        """The target as soon as it is enabled, or as it is when the patience for that is over."""
        events, ends = self._world.platform.events, time.monotonic() + _ENABLING
        while target.node.has(State.DISABLED) and (rest := ends - time.monotonic()) > 0:
            await events.changed(events.serial, min(rest, _REDRAW))
            node = await self.again(target)
            if node is None:
                break
            target = replace(target, node=node)
        return target

    def _same_row(self, target: Resolved, node: Node) -> None:
        """A cell that was meant by what it says is not another one at its place."""
        if target.says and not still_says(node, target.says):
            said, wanted = (quote_cut(text, SHORT_TEXT) for text in (node.text or node.name, target.says))
            why = f"it says {said}, not {wanted}: rows have moved"
            raise self._refusal("stale_ref", target, why, "observe again")

    def _usable(self, target: Resolved) -> None:
        if target.window.minimised:
            raise self._refusal("hidden", target, "its window is minimised", "window restore")
        if not target.node.has(State.SHOWING):
            raise self._refusal("hidden", target, "it does not show", "menu, expand or select what holds it")
        if target.node.has(State.DISABLED):
            raise self._refusal("disabled", target, "it is disabled", "wait for enabled, or do what enables it")

    async def _not_blocked(self, target: Resolved) -> None:
        """A modal dialog in front takes all input of its owner, also through the accessibility bus."""
        if (front := await dialog_before(self._world, target.window)) is not None:
            said = self._world.window_words(front)
            raise self._refusal("occluded", target, f"{said} is in front of it", "answer that dialog first")

    async def _in_view(self, target: Resolved) -> Resolved:
        if not _out_of_view(target.node):
            return target
        node = await self.scrolled(target)
        if node is None or _out_of_view(node):
            raise self._refusal("hidden", target, "it lies outside of what shows", "scroll what holds it")
        return replace(target, node=node, scrolled=True)

    async def _cell_in_view(self, cell: Resolved) -> Resolved:
        """A cell scrolled into view where its table can; where not, whoever needs it puts the cursor on it."""
        node = await self.scrolled(cell)
        return replace(cell, node=node, scrolled=True) if node is not None and not _out_of_view(node) else cell

    async def scrolled(self, target: Resolved) -> Node | None:
        """The element after a scroll through the toolkit, which draws it when it gets round to it."""
        platform = self._world.platform
        serial = platform.events.serial
        scrolls = await platform.scroll_to(target.node.key)
        node = await self.again(target)
        for _ in range(_REDRAWS if scrolls else 0):
            if node is None or not _out_of_view(node):
                break
            await platform.events.changed(serial, _REDRAW)
            serial, node = platform.events.serial, await self.again(target)
        return node

    async def again(self, target: Resolved) -> Node | None:
        """The element, or the cell at the same place, read again."""
        if target.table is not None and target.place is not None:
            return await self._world.platform.cell(target.table, *target.place)
        return (await self._world.platform.refresh([target.node.key])).get(target.node.key)

    async def confirm(self, target: Resolved, *, passing: bool = False) -> Resolved:
        """The element where it lies now, right before the pointer goes there; it may have moved meanwhile.

        ``passing``: a tooltip may lie over it.
        """
        node = await self.again(target)
        if node is None:
            raise self._refusal("stale_ref", target, "it has just gone", "observe again")
        self._same_row(target, node)
        target = replace(target, node=await self._on_screen(target, node))
        await self._on_top(target, passing=passing)
        return target

    async def _on_screen(self, target: Resolved, node: Node) -> Node:
        """The element by what of it the pointer can go to: windows reach beyond the screen, the pointer does not."""
        rect = node.visible if node.visible is not None else node.bounds
        if rect is None or rect.empty:
            return node
        part = rect.intersect(await self._world.platform.screen())
        if part.empty:
            remedy = "move or maximise its window, or press it by the accessibility route"
            raise self._refusal("hidden", target, "it lies beyond the screen's edge", remedy)
        return replace(node, visible=part)

    async def below_tooltip(self, target: Resolved) -> bool:
        """Whether a click on it would hit a tooltip."""
        point = click_point(target.node)
        top = await self._world.platform.window_at(*point) if point is not None else None
        if top is None or top == target.window.key:
            return False
        return any(window.key == top and window.role == _TOOLTIP for window in await self._world.windows())

    async def _on_top(self, target: Resolved, *, passing: bool = False) -> None:
        """``passing``: a tooltip is let be, since it goes with the pointer."""
        point = click_point(target.node)
        if point is None:
            return
        top = await self._world.platform.window_at(*point)
        if top == target.window.key:
            await self._not_below_menu(target, point)
            return
        windows = {window.key: window for window in await self._world.windows()}
        if target.window.key not in windows:
            raise DeskhandError("window_gone", f"the window of {target.words} has just closed", target=target.ref)
        over = windows.get(top or "")
        if passing and over is not None and over.role == _TOOLTIP:
            return
        if over is not None and over.popup and over.pid == target.window.pid != 0 and target.node.can(Ability.ON_POPUP):
            return  # its own menu or popover: the element lies on that surface
        raise self._refusal(
            "occluded", target, f"{_over_words(self._world, over)} lies over it", _first_activate(self._world, target)
        )

    async def _not_below_menu(self, target: Resolved, point: Point) -> None:
        """Where menus are drawn inside of their window, no surface tells that one covers what lies there."""
        root, node = target.window.root, target.node
        if root is None or not node.can(Ability.MENUS_INSIDE) or node.can(Ability.ON_POPUP) or node.role == "menu":
            return
        tree = await self._world.platform.read(root, ReadLimits(rows=1, columns=1))
        shown = (n for n in tree.nodes.values() if n.can(Ability.ON_POPUP) and n.has(State.SHOWING))
        for over in shown:
            if over.bounds is None or over.bounds.contains(*point):
                raise self._refusal(
                    "occluded", target, "an open menu or list lies over it", "collapse that, or press it"
                )

    def _refusal(self, code: ErrorCode, target: Resolved, why: str, remedy: str) -> DeskhandError:
        message = f"{target.words}: {why}; {remedy}"
        return DeskhandError(code, message, target=target.ref, found=_found(target.node))


async def dialog_before(world: World, window: Window) -> Window | None:
    """The modal dialog that has to be answered before its owner takes anything."""
    there = await world.windows(recent=True)
    return next((w for w in there if w.owner == window.key and w.role in _DIALOG_ROLES and w.modal), None)


def _first_activate(world: World, target: Resolved) -> str:
    return f'first {{"do": "window", "on": "{world.refs.bind_window(target.window.key)}", "op": "activate"}}'


def click_point(node: Node) -> Point | None:
    """The middle of what shows of an element."""
    rect: Rect | None = node.visible if node.visible is not None else node.bounds
    return None if rect is None or rect.empty else rect.centre


def _out_of_view(node: Node) -> bool:
    return node.visible is not None and node.visible.empty


def _found(node: Node) -> str:
    return f"{node.role} {quote(node.name)}" if node.name else node.role


def _over_words(world: World, over: Window | None) -> str:
    return world.window_words(over) if over is not None else "another surface"
