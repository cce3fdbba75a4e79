"""Targets resolved at the moment of use, against the live element."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from deskhand.desktop.semantics import matching
from deskhand.desktop.semantics.outline import Item
from deskhand.desktop.semantics.quoting import quote
from deskhand.desktop.semantics.refs import Told, is_element_ref
from deskhand.desktop.semantics.snapshots import Snapshot
from deskhand.desktop.world import REMEDY, World
from deskhand.types.errors import DeskhandError
from deskhand.types.nodes import Node, Window
from deskhand.types.steps import Selector, Target

_NOTHING: Mapping[str, Node | None] = {}
_AT_ONCE = 16
"""Elements read in one go; more would keep a slow application at it for too long."""
_REF = re.compile(r"r[1-9]\d*", re.ASCII)
_WINDOW = re.compile(r"w[1-9]\d*", re.ASCII)
_INDEXED = re.compile(r"(r[1-9]\d*)\[([^\]]*)\]", re.ASCII)
_ADDRESS = re.compile(r"([A-Za-z]{1,3})([1-9]\d{0,6})", re.ASCII)
_PLACE = re.compile(r"([1-9]\d{0,8})(?:,([1-9]\d{0,8}))?", re.ASCII)
"""Rows and columns are counted in 32 bits by every toolkit."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """A live element. ``words`` name it in effects; ``table`` and ``place`` are set for a cell (row, column from 0)."""

    node: Node
    window: Window
    words: str
    ref: str
    table: str | None = None
    place: tuple[int, int] | None = None
    says: str = ""  # the text by which a cell was meant, whatever its place
    scrolled: bool = False  # whether it was scrolled into view for this step


class Resolver:
    """Turns targets into live elements. Raises typed errors; sends nothing."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def resolve(
        self,
        target: Target,
        *,
        renamed: bool = False,
        seen: dict[str, Snapshot] | None = None,
        live: Mapping[str, Node | None] = _NOTHING,
    ) -> Resolved:
        """The live element that a ref, an indexed ref or a selector means.

        ``renamed``: it may have another name by now than the caller was told, as what is waited for may. ``seen``:
        snapshots by window key in which selectors are looked up, and to which the read ones are added. ``live``: what
        has just been read of several (``live``).
        """
        if isinstance(target, Selector):
            return await self._selected(target, {} if seen is None else seen)
        if indexed := _INDEXED.fullmatch(target):
            return await self._cell(target, self._world.refs.told(indexed[1]), indexed[2])
        if not is_element_ref(target):
            raise DeskhandError(
                "invalid_request", f"{quote(target)} is no element; use a ref such as r12, r70[B7] or a selector",
                target=target,
            )  # fmt: skip
        return await self._ref(target, self._world.refs.told(target), renamed, live)

    async def live(self, targets: Iterable[object]) -> dict[str, Node | None]:
        """The elements that refs mean, by key, read at once: what holds them all is asked only once.

        What cannot be read so is left to ``resolve``, which says why.
        """
        refs = [target for target in targets if isinstance(target, str) and _REF.fullmatch(target)]
        try:
            keys = list(dict.fromkeys(self._world.refs.told(ref).key for ref in refs))[:_AT_ONCE]
            if len(keys) < 2:
                return {}
            await self._world.windows(recent=True)  # tells the platform where windows are now
            return await self._world.platform.refresh(keys)
        except DeskhandError:
            return {}

    async def _selected(self, selector: Selector, seen: dict[str, Snapshot]) -> Resolved:
        if selector.within is not None and is_element_ref(selector.within):
            return await self._selected_below(selector, await self.resolve(selector.within))
        window = await self._world.window(selector.within)
        snapshot = seen.get(window.key) or await self._world.snapshot(window)
        seen[window.key] = snapshot
        if snapshot.bare:
            message = f"{snapshot.ref} tells no elements; {REMEDY}"
            raise DeskhandError("accessibility_off", message, target=snapshot.ref)
        item = await matching.select(selector, snapshot.flat.values())
        return await self._seen(item)

    async def _seen(self, item: Item) -> Resolved:
        """What was found just now, itself never told before."""
        assert item.ref is not None
        if indexed := _INDEXED.fullmatch(item.ref):
            cell = await self._cell(item.ref, self._world.refs.seen(indexed[1]), indexed[2])
            return replace(cell, says=item.name) if _PLACE.fullmatch(indexed[2]) else cell
        return await self._ref(item.ref, self._world.refs.seen(item.ref))

    async def _selected_below(self, selector: Selector, holder: Resolved) -> Resolved:
        """Among what an element holds."""
        snapshot = await self._world.subtree(holder.window, holder.ref.partition("[")[0])
        return await self._seen(await matching.select(selector, snapshot.flat.values(), below=holder.ref))

    def require_known(self, target: object) -> None:
        """Raises ``unknown_ref`` for a ref that was never given out, or is not known any more."""
        target = target.within if isinstance(target, Selector) else target
        if not isinstance(target, str):
            return
        ref = target.partition("[")[0]
        if is_element_ref(ref):
            self._world.refs.told(ref)
        elif _WINDOW.fullmatch(ref):
            self._world.refs.require_window(ref)

    async def window_in(self, place: Target | None) -> Window:
        """The window that is named, or that holds the element that is; the active one for nothing."""
        if isinstance(place, Selector) or (place is not None and is_element_ref(place)):
            return (await self.resolve(place)).window
        return await self._world.window(place)

    async def _ref(
        self, ref: str, told: Told, renamed: bool = False, live: Mapping[str, Node | None] = _NOTHING
    ) -> Resolved:
        window = await self.window_of(told)  # also tells the platform where windows are now
        node = live.get(told.key) or (await self._world.platform.refresh([told.key])).get(told.key)
        if node is None:
            await self._world.snapshot(window)  # lets the refs of fleeting elements follow them
            told = replace(told, key=self._world.refs.seen(ref).key)
            node = (await self._world.platform.refresh([told.key])).get(told.key)
        if node is None or node.role != told.role or (node.name != told.native_name and not renamed):
            raise await self._stale(told, node, window)
        return Resolved(node, window, words(told), ref)

    async def window_of(self, told: Told) -> Window:
        """The window that an element was seen in. Raises ``window_gone``."""
        window = next((w for w in await self._world.windows(recent=True) if w.key == told.window), None)
        if window is None:
            raise DeskhandError("window_gone", f"the window of {words(told)} has closed", target=told.ref)
        return window

    async def _stale(self, told: Told, node: Node | None, window: Window) -> DeskhandError:
        snapshot = await self._world.snapshot(window)
        near = matching.near(told.role, told.name, snapshot.flat.values())
        self._world.refs.publish(words.partition(" ")[0] for words in near)
        found = f"{node.role} {quote(node.name)}" if node else "nothing"
        return DeskhandError(
            "stale_ref", f"{told.ref} is no longer what was seen", target=told.ref,
            expected=f"{told.role} {quote(told.name)}", found=found,
            candidates=near,
        )  # fmt: skip

    async def _cell(self, target: str, told: Told, index: str) -> Resolved:
        table = await self._ref(told.ref, told)
        place = parse_place(index)
        if place is None:
            raise DeskhandError("invalid_request", f"{quote(index)} is no cell; use B7, or row,column", target=target)
        node = await self._world.platform.cell(table.node.key, *place)
        return Resolved(node, table.window, target, target, table.node.key, place)


def parse_place(index: str) -> tuple[int, int] | None:
    """``B7`` → (6, 1); ``3,2`` → (2, 1); ``3`` → (2, 0)."""
    if address := _ADDRESS.fullmatch(index.strip()):
        column = 0
        for letter in address[1].upper():
            column = column * 26 + ord(letter) - 64
        return int(address[2]) - 1, column - 1
    if place := _PLACE.fullmatch(index.replace(" ", "")):
        return int(place[1]) - 1, int(place[2] or 1) - 1
    return None


def still_says(node: Node, text: str) -> bool:
    """Whether a cell is the one that said ``text``, as far as it tells: rows come and go."""
    told = {said for said in (node.text, node.name) if said}
    head = node.text if node.text and node.text_length > len(node.text) else None  # more than is read of a node
    return not told or text in told or (head is not None and text.startswith(head))


def words(told: Told) -> str:
    """``r23 button "Save"``."""
    return " ".join(part for part in (told.ref, told.role, quote(told.name) if told.name else "") if part)
