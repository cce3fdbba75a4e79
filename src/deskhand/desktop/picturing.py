"""screenshot and zoom: a picture in a declared frame, and the lease that binds what was on the desktop."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Sequence
from dataclasses import dataclass, replace

from deskhand.desktop.pixels.frames import Frame
from deskhand.desktop.pixels.layout import Focus, Layout, differences, lasting, surface_of
from deskhand.desktop.pixels.leases import Lease, LeaseStore
from deskhand.desktop.pixels.marks import Mark
from deskhand.desktop.pixels.pictures import Most, shown
from deskhand.desktop.semantics.outline import Item
from deskhand.desktop.semantics.quoting import TITLE, quote_cut
from deskhand.desktop.semantics.refs import is_element_ref
from deskhand.desktop.targets import Resolver
from deskhand.desktop.world import World
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Rect
from deskhand.types.nodes import Window
from deskhand.types.protocols import Counters
from deskhand.types.requests import ScreenshotRequest, ZoomRequest
from deskhand.types.results import ScreenshotResult
from deskhand.types.steps import Selector

_TRIES = 4
"""How often a picture is taken anew because the desktop changed while it was taken."""
MARKED_WINDOWS = 8
"""Windows whose elements are marked, front first."""
ENLARGED = 4
"""How much larger than the desktop a zoom is at most."""
_CONTAINERS = frozenset({"table", "grid", "document", "toolbar", "menubar", "list", "tree", "tablist", "statusbar"})


@dataclass(frozen=True, slots=True)
class _Area:
    bounds: Rect | None  # None: the whole desktop
    words: str
    enlarge: int = 1
    window: str | None = None  # key of the window that is meant to be seen


class Photographer:
    """Takes pictures of one desktop and keeps their leases."""

    def __init__(self, world: World, resolver: Resolver, counters: Counters) -> None:
        self._world, self._resolver = world, resolver
        self.leases = LeaseStore(counters)

    async def screenshot(self, request: ScreenshotRequest) -> ScreenshotResult:
        """The desktop, a window, an element or a region."""
        return await self._taken(request, await self._area(request))

    async def zoom(self, request: ZoomRequest) -> ScreenshotResult:
        """A part of a picture, larger. Raises ``layout_changed`` where something else is there by now."""
        lease = await self.standing(request.lease)
        part = lease.frame.area(request.rect)
        asked = ScreenshotRequest(
            region=part, marks=request.marks, max_bytes=request.max_bytes, max_pixels=request.max_pixels
        )
        return await self._taken(asked, _Area(part, f"a part of {lease.id}", ENLARGED, lease.window))

    async def standing(self, id: str) -> Lease:
        """A lease whose picture shows what is there still. Raises ``layout_changed``, or what ``leases.get`` does."""
        lease = self.leases.get(id)
        if changed := differences(lease.layout, await self.layout(focus=False)):
            message = "the desktop is not as that picture has it; take a new screenshot"
            raise DeskhandError("layout_changed", message, target=id, found="; ".join(changed))
        return lease

    async def again(self, lease: Lease) -> ScreenshotResult:
        """What a lease's picture shows now; the whole desktop where its window is gone."""
        try:
            asked = lease.asked.model_copy(update={"marks": False})
            return await self._taken(asked, await self._area_again(asked, lease))
        except DeskhandError as error:
            if error.code in ("desktop_unavailable", "layout_changed"):
                raise
            return await self.screenshot(asked.model_copy(update={"target": None, "region": None, "monitor": None}))

    async def _area_again(self, asked: ScreenshotRequest, lease: Lease) -> _Area:
        area = replace(await self._area(asked), enlarge=lease.enlarge)
        open_ = {window.key for window in await self._world.windows()}
        return replace(area, window=lease.window) if lease.window in open_ else area

    async def layout(self, *, focus: bool = True) -> Layout:
        """The desktop as it is now. ``focus``: also which element gets the keys, where its application tells."""
        platform = self._world.platform
        screen, monitors = await platform.screen(), await platform.monitors()
        windows = lasting(await self._world.windows())
        surfaces = tuple(surface_of(window, self._words(window)) for window in windows)
        active = next((window.key for window in windows if window.active), None)
        focused = await self._focus(active) if focus else None
        return Layout(screen, tuple(monitors), surfaces, active, focused)

    def _words(self, window: Window) -> str:
        if window.popup:
            return f"a menu or popup of {quote_cut(window.app, TITLE)}" if window.app else "a menu or popup"
        return self._world.window_name(window)

    async def _focus(self, active: str | None) -> Focus | None:
        try:
            node = await self._world.platform.focused()
        except DeskhandError as error:
            if error.code == "desktop_unavailable":
                raise
            return None  # an application that does not answer can be looked at all the same
        if node is None or active is None:
            return Focus.of(node) if node is not None else None
        refs = self._world.refs
        ref = refs.known(node.key) or refs.bind(node, active)
        return Focus.of(node, ref, refs.seen(ref).name)

    async def _taken(self, asked: ScreenshotRequest, area: _Area) -> ScreenshotResult:
        """A picture of a desktop that is the same before and after: only then the lease tells what it shows."""
        layout = await self.layout()
        for _ in range(_TRIES):
            picture = await self._world.platform.capture(area.bounds)
            after = await self.layout()
            if not differences(layout, after):
                break
            layout = after
        else:
            raise DeskhandError(
                "layout_changed", "the desktop keeps changing; wait a moment, then take the picture again"
            )
        marks = await self._marks(picture.bounds) if asked.marks else []
        most = Most(asked.max_pixels, asked.max_side, asked.max_bytes)
        made = await asyncio.to_thread(shown, picture, most, marks, enlarge=area.enlarge)
        lease = self.leases.keep(made.frame, after, asked, area.enlarge, area.window)
        return ScreenshotResult(
            text=_said(area, made.frame, lease, after, marks), image=base64.b64encode(made.data).decode(),
            mime=made.mime, width=made.frame.width, height=made.frame.height, bounds=made.frame.bounds,
            scale=made.frame.scale, lease=lease.id, marks=[mark.ref for mark in marks],
        )  # fmt: skip

    async def _area(self, request: ScreenshotRequest) -> _Area:
        target = request.target
        if request.region is not None:
            return _Area(Rect(*request.region), "a region")
        if request.monitor is not None:
            return await self._monitor(request.monitor)
        if target is None:
            return _Area(None, "the desktop")
        if isinstance(target, Selector) or is_element_ref(target):
            found = await self._resolver.resolve(target)
            self._require_shown(found.window)
            return _Area(found.node.visible or found.node.bounds, found.words, window=found.window.key)
        window = await self._world.window(target)
        self._require_shown(window)
        return _Area(window.frame or window.bounds, self._world.window_words(window), window=window.key)

    async def _monitor(self, number: int) -> _Area:
        there = (await self.layout(focus=False)).from_the_left
        if number > len(there):
            many = f"{len(there)} monitors, counted from the left" if len(there) > 1 else "one monitor"
            raise DeskhandError("invalid_request", f"there is no monitor {number}: this desktop has {many}")
        return _Area(there[number - 1], f"monitor {number} of {len(there)}")

    def _require_shown(self, window: Window) -> None:
        if window.minimised:
            remedy = 'first {"do": "window", "on": "' + self._world.refs.bind_window(window.key) + '", "op": "restore"}'
            message = f"{self._world.window_name(window)} is minimised and shows nothing; {remedy}"
            raise DeskhandError("hidden", message, target=self._world.refs.bind_window(window.key))

    # -- marks -------------------------------------------------------------------------------------------------------
    async def _marks(self, part: Rect) -> list[Mark]:
        """Elements that show in ``part``, of the windows there, front first; their refs are known from now on."""
        marks: list[Mark] = []
        above: list[Rect] = []
        for window in reversed(lasting(await self._world.windows())):
            place = window.frame or window.bounds
            if window.minimised or window.popup or place.intersect(part).empty or len(above) >= MARKED_WINDOWS:
                continue
            marks += await self._marks_of(window, part, above)
            above.append(place)
        self._world.refs.publish(mark.ref for mark in marks)
        return marks

    async def _marks_of(self, window: Window, part: Rect, above: Sequence[Rect]) -> list[Mark]:
        try:
            snapshot = await self._world.snapshot(window)
        except DeskhandError as error:
            if error.code == "desktop_unavailable":
                raise
            return []  # a window that does not answer shows all the same, unmarked
        found = []
        for item in snapshot.flat.values():
            node = snapshot.nodes.get(item.key)
            bounds = (node.visible if node.visible is not None else node.bounds) if node is not None else None
            if item.ref and bounds is not None and _worth_a_mark(item):
                seen = bounds.intersect(part)
                if not seen.empty and not any(rect.contains(*seen.centre) for rect in above):
                    found.append(Mark(item.ref, seen))
        return found


def _worth_a_mark(item: Item) -> bool:
    """What can be pressed or written in; what only holds such things is not boxed around them."""
    return item.role not in _CONTAINERS and not any(child.ref for child in item.children)


def _said(area: _Area, frame: Frame, lease: Lease, layout: Layout, marks: Sequence[Mark]) -> str:
    scale = "" if frame.scale == 1.0 else f", scale {frame.scale:.3f}"
    place = _place(frame.bounds)
    over = _over(area, frame, layout)
    covered = f"; partly covered by {over}" if over else ""
    monitors = f"; {_monitors(layout)}" if len(layout.monitors) > 1 and area.bounds is None else ""
    marked = f"; {len(marks)} refs marked" if marks else ""
    return f"lease {lease.id}: {area.words}, {frame.width}x{frame.height} @{place}{scale}{covered}{monitors}{marked}"


def _place(rect: Rect) -> str:
    return ",".join(str(number) for number in rect)


def _monitors(layout: Layout) -> str:
    """``2 monitors: 1 @0,0,1000,800, 2 @1000,0,1280,1024 primary``."""
    there = layout.from_the_left
    told = (f"{n} @{_place(each)}{' primary' * (each == layout.monitors[0])}" for n, each in enumerate(there, 1))
    return f"{len(there)} monitors: {', '.join(told)}"


def _over(area: _Area, frame: Frame, layout: Layout) -> str:
    """What lies over the window that is meant: what shows there is not it."""
    if area.window is None:
        return ""
    keys = [surface.key for surface in layout.surfaces]
    above = layout.surfaces[keys.index(area.window) + 1 :] if area.window in keys else ()
    covering = [s.words for s in above if not s.minimised and not s.bounds.intersect(frame.bounds).empty]
    return ", ".join(covering)
