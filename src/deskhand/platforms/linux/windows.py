"""Windows as one thing: an X11 surface joined with the accessible root that draws in it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from deskhand.platforms.linux.atspi import vocabulary as words
from deskhand.platforms.linux.atspi.asking import Asker, AskerAhead, Memory
from deskhand.platforms.linux.atspi.bus import (
    ATSPI,
    CALL_SECONDS,
    PROPERTIES,
    REGISTRY,
    ROOT,
    AccessibilityBus,
    Gone,
    Refused,
    join_key,
    split_key,
)
from deskhand.platforms.linux.atspi.line import values
from deskhand.platforms.linux.atspi.quirks.base import Home, Quirks
from deskhand.platforms.linux.atspi.raw import SCREEN, Raw
from deskhand.platforms.linux.atspi.reader import TreeReader
from deskhand.platforms.linux.atspi.scaling import Scales, scale_of, scaled, within_edges
from deskhand.platforms.linux.x11.surfaces import Surface
from deskhand.platforms.linux.x11.windows import WindowSource
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Point, Rect
from deskhand.types.nodes import Window

WALLPAPER = "desktop"
"""Type of what shells draw on under all windows; some have icons there, and a tree."""
_ALL = "all"
_SURELY = 5.0
"""Likeness of a frame that has both the title and the size of a surface."""
SHOWN_MOST = 24
"""How many of the elements that an application last announced as showing are remembered."""
_ROOTS_SECONDS = 0.7
"""How long one application may take to list its windows before it is called unresponsive."""


@dataclass(frozen=True, slots=True)
class _App:
    """One application on the accessibility bus. ``frames`` is None while it does not answer."""

    bus_name: str
    pid: int
    toolkit: str
    name: str
    frames: tuple[Raw, ...] | None
    unlisted: bool = False  # whether some of its popups or dialogs are told among no children
    quirks: Quirks | None = None


class WindowJoin:
    """Lists windows. All applications are asked at once, each bounded: one that hangs never hides the others."""

    def __init__(self, bus: AccessibilityBus, reader: TreeReader, source: WindowSource) -> None:
        self._bus, self._reader, self._source = bus, reader, source
        self._memory = Memory()
        self._scales = Scales()
        self._rooted: frozenset[int] = frozenset()  # surfaces that a tree describes
        self._dialogs: dict[int, tuple[str, ...]] = {}  # surface: key of the unlisted root that draws in it
        self._shown: dict[str, list[str]] = {}  # bus name: keys of what was last announced to show, newest first

    def shown(self, key: str, whether: bool) -> None:
        """An element was announced to show, or not to show any more."""
        keys = self._shown.setdefault(split_key(key)[0], [])
        if key in keys:
            keys.remove(key)
        if whether:
            keys.insert(0, key)
            del keys[SHOWN_MOST:]

    def left(self, app: str) -> None:
        """An application left the bus."""
        self._shown.pop(app, None)

    async def windows(self) -> list[Window]:
        """All surfaces, bottom first, each with its accessible root where one matches.

        What lies under all windows and has no tree is a wallpaper: to everybody it is the bare desktop.
        """
        surfaces, apps = await asyncio.gather(self._source.surfaces(), self._apps())
        apps = self._in_root_pixels(surfaces, apps)
        roots = match_roots(surfaces, [(app.pid, frame) for app in apps for frame in app.frames or ()])
        roots |= await self._unlisted(surfaces, apps, roots)
        by_pid: dict[int, _App] = {}
        for app in apps:  # an application may register twice; the object that has windows speaks for it
            if app.pid not in by_pid or app.frames:
                by_pid[app.pid] = app
        self._place(surfaces, roots, {app.bus_name: app.quirks for app in apps})
        self._rooted = frozenset(roots)
        return [
            _window(surface, roots.get(surface.xid), by_pid.get(surface.pid))
            for surface in surfaces
            if not self.bare(surface)
        ]

    def bare(self, surface: Surface) -> bool:
        """Whether it is but a wallpaper, as far as the windows that were last listed tell."""
        return surface.kind == WALLPAPER and surface.xid not in self._rooted

    def _in_root_pixels(self, surfaces: list[Surface], apps: list[_App]) -> list[_App]:
        """The applications with their frames as large as they are drawn, as far as a titled window tells that."""
        self._scales.forget(app.pid for app in apps)
        for app in (app for app in apps if app.quirks is not None and app.quirks.scales):
            for surface in (s for s in surfaces if s.pid == app.pid and s.title and not s.popup):
                named = (f for f in app.frames or () if f.name == surface.title and f.bounds is not None)
                found = [scale for f in named if (scale := scale_of(f.bounds or surface.bounds, _sizes(surface)))]
                if found:
                    self._scales.note(app.pid, found[0])
        return [self._scaled(app) for app in apps]

    def _scaled(self, app: _App) -> _App:
        scale = self._scales.of(app.pid)
        if scale == 1.0 or app.frames is None:
            return app
        return replace(app, frames=tuple(_enlarged(frame, scale) for frame in app.frames))

    async def _unlisted(self, surfaces: list[Surface], apps: list[_App], roots: dict[int, Raw]) -> dict[int, Raw]:
        """Roots that their application tells among no children, by what it announced to show."""
        found: dict[int, Raw] = {}
        for surface in (s for s in surfaces if s.xid not in roots):
            for app in (a for a in apps if a.pid == surface.pid and a.unlisted and a.frames is not None):
                known = self._dialogs.get(surface.xid, ())
                announced = await self._announced(app.bus_name, known)
                scale = self._scales.of(app.pid)
                frames = [f for f in (_enlarged(raw, scale) for raw in announced) if _draws(surface, f, scale)]
                found |= dict.fromkeys([surface.xid], frames[0]) if frames else {}
        self._dialogs = {xid: (raw.key,) for xid, raw in found.items() if raw.number in words.DIALOG_ROLES}
        return found

    async def _announced(self, bus_name: str, known: tuple[str, ...]) -> list[Raw]:
        keys = dict.fromkeys((*known, *self._shown.get(bus_name, ())))
        try:
            async with self._bus.bounded(bus_name, _ROOTS_SECONDS, patient=False):
                quirks = await self._reader.quirks(bus_name)
                ask = self._reader.questions(bus_name, quirks, Asker(self._bus))
                read = await ask.elements(((key, None, -1) for key in keys), SCREEN)
        except (DeskhandError, Gone, Refused):
            return []  # it hangs or has just left: its windows tell that
        return [raw for raw in read if raw is not None]

    def _place(self, surfaces: list[Surface], roots: dict[int, Raw], quirks: Mapping[str, Quirks | None]) -> None:
        for surface in surfaces:
            if surface.xid in roots:
                popups = tuple(s.bounds for s in surfaces if s.popup and s.pid == surface.pid)
                root, scale = roots[surface.xid], self._scales.of(surface.pid)
                known = quirks.get(split_key(root.key)[0])
                told = root.bounds if known is not None and known.edges_untold else None
                origin = _origin(surface, told, scale)
                shift = known.shift(surface.bounds, root.bounds, scale) if known and scale != 1.0 else Point(0, 0)
                self._reader.homes[root.key] = Home(origin, popups, surface.xid, scale, shift)

    async def _apps(self) -> list[_App]:
        asker = AskerAhead(self._bus, self._memory.expected(_ALL))
        try:
            async with self._bus.bounded(REGISTRY, CALL_SECONDS):
                listed = await asker.call(REGISTRY, ROOT, ATSPI + "Accessible", "GetChildren")
            names = list(dict.fromkeys(name for name, _path in listed))
            found = await asyncio.gather(*(self._app(name, asker) for name in names))
        except (Gone, Refused) as error:
            raise DeskhandError("accessibility_off", f"the accessibility registry is gone ({error.args[0]})") from error
        finally:
            asker.drop()
        self._memory.remember(_ALL, asker.asked)
        return [app for app in found if app is not None]

    async def _app(self, bus_name: str, asker: Asker) -> _App | None:
        pid = await self._bus.pid(bus_name)
        try:
            async with self._bus.bounded(bus_name, _ROOTS_SECONDS, patient=False):
                quirks = await self._reader.quirks(bus_name)
                ask = self._reader.questions(bus_name, quirks, asker)
                asked = asker.post(bus_name, ROOT, PROPERTIES, "Get", "ss", ATSPI + "Accessible", "Name")
                children = await ask.children(join_key((bus_name, ROOT)))
                frames = [f for f in await ask.elements(((c, None, -1) for c in children), SCREEN) if f is not None]
                name = values(await asked)[0].value
                unlisted = quirks.popups_unlisted or quirks.dialogs_unlisted
        except DeskhandError:
            return _App(bus_name, pid, "", "", None)  # told as unresponsive, not hidden
        except (Gone, Refused):
            return None
        return _App(bus_name, pid, quirks.toolkit, str(name), tuple(frames), unlisted, quirks)


def _sizes(surface: Surface) -> tuple[Rect, ...]:
    """The window with the shadow that it draws itself, and without; with its decoration."""
    left, right, top, bottom = surface.shadow
    whole = surface.bounds
    return whole, Rect(whole.x + left, whole.y + top, whole.w - left - right, whole.h - top - bottom), surface.frame


def _origin(surface: Surface, told: Rect | None, scale: float) -> Point:
    """Where a window's elements begin; ``told``: its size in root pixels, where that leaves out edges that it draws."""
    inner = _sizes(surface)[1]
    return Point(inner.x, inner.y) if told is None else within_edges(told, inner, scale)


def _enlarged(frame: Raw, scale: float) -> Raw:
    return replace(frame, bounds=scaled(frame.bounds, scale)) if frame.bounds is not None else frame


def _draws(surface: Surface, frame: Raw, scale: float) -> bool:
    """Whether what was announced is the menu or dialog that draws in a surface."""
    if surface.popup:
        same = frame.bounds is not None and _off(frame.bounds, surface.bounds) <= (scale if scale != 1.0 else 0)
        return frame.number in words.MENU_ROLES and same
    return frame.number in words.DIALOG_ROLES and _likeness(surface, frame) >= _SURELY


def match_roots(surfaces: list[Surface], frames: list[tuple[int, Raw]]) -> dict[int, Raw]:
    """The accessible root of each surface: same process, then the best of title, place and size.

    GTK4 tells no place and popups carry no title, so each of the three may decide alone when it is unambiguous.
    """
    many = {pid for pid, count in Counter(pid for pid, _frame in frames).items() if count > 1}
    matched: dict[int, Raw] = {}
    taken: set[str] = set()
    rated = [
        (_likeness(surface, frame), surface.xid, number)
        for surface in surfaces
        for number, (pid, frame) in enumerate(frames)
        if pid == surface.pid and _could_be(surface, frame) and (pid not in many or _is_like(surface, frame))
    ]
    for score, xid, number in sorted(rated, key=lambda row: -row[0]):
        frame = frames[number][1]
        if score > 0 and xid not in matched and frame.key not in taken:
            matched[xid] = frame
            taken.add(frame.key)
    return matched


def _could_be(surface: Surface, frame: Raw) -> bool:
    """A hidden frame draws nowhere; a titled frame is no popup."""
    if not frame.bit(words.SHOWING | words.VISIBLE):
        return False
    return not (surface.popup and frame.name and surface.title and frame.name != surface.title)


def _is_like(surface: Surface, frame: Raw) -> bool:
    """Whether a frame that is not its process's only one has a name of its own, or the surface's size."""
    return bool(frame.name) or surface.popup or _likeness(surface, frame) >= 1.0


def _likeness(surface: Surface, frame: Raw) -> float:
    score = 4.0 if frame.name and frame.name == surface.title else 0.0
    if frame.bounds is None:
        return score
    sizes = [_same_size(frame.bounds, rect) for rect in (surface.bounds, surface.frame)]
    places = [_near(frame.bounds, rect) for rect in (surface.bounds, surface.frame)]
    score += 2.0 * any(a and b for a, b in zip(sizes, places, strict=True)) + 1.0 * any(sizes)
    return score if surface.popup else score + 0.5  # the only frame of a process is its only window


def _same_size(a: Rect, b: Rect) -> bool:
    return abs(a.w - b.w) <= 4 and abs(a.h - b.h) <= 4


def _off(a: Rect, b: Rect) -> int:
    return max(abs(one - other) for one, other in zip(a, b, strict=True))


def _near(a: Rect, b: Rect) -> bool:
    return abs(a.x - b.x) <= 4 and abs(a.y - b.y) <= 4


def _window(surface: Surface, root: Raw | None, app: _App | None) -> Window:
    dialog = surface.kind == "dialog" or (root is not None and root.number in words.DIALOG_ROLES)
    return Window(
        key=window_key(surface), title=surface.title or (root.name if root else ""),
        app=(app.name if app else "") or surface.class_name, pid=surface.pid, bounds=surface.bounds,
        root=root.key if root else None, role="dialog" if dialog else surface.kind or "window", active=surface.active,
        minimised=surface.minimised, modal=surface.modal or (root is not None and root.bit(1 << 16)),
        popup=surface.popup, stack=surface.stack,
        owner=f"x{surface.transient_for:x}.{surface.pid}" if surface.transient_for else None,
        responsive=app is None or app.frames is not None, toolkit=app.toolkit if app else "", frame=surface.frame,
    )  # fmt: skip


def window_key(surface: Surface) -> str:
    """X ids are given again to later windows; the process makes a key as unique as can be had."""
    return f"x{surface.xid:x}.{surface.pid}"


def surface_id(key: str) -> int:
    """The X window id in a window key. Raises ``window_gone`` for what is no window's key."""
    try:
        return int(key[1:].partition(".")[0], 16)
    except ValueError as error:
        raise DeskhandError("window_gone", "no such window") from error
