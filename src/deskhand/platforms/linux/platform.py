"""``LinuxPlatform``: AT-SPI for meaning, X11 for windows, input and pictures, one contract."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence

from deskhand.platforms.base import Capability, MouseButton, ReadLimits, WindowOperation
from deskhand.platforms.linux.applications import Catalogue
from deskhand.platforms.linux.atspi.bus import AccessibilityBus, Gone, Refused, split_key
from deskhand.platforms.linux.atspi.events import ElementEvents
from deskhand.platforms.linux.atspi.quirks.base import Quirks
from deskhand.platforms.linux.atspi.quirks.gtk4 import padded_at
from deskhand.platforms.linux.atspi.reader import TreeReader
from deskhand.platforms.linux.atspi.scrolling import scroll_by_bars
from deskhand.platforms.linux.atspi.writer import ElementWriter
from deskhand.platforms.linux.chords import Chords
from deskhand.platforms.linux.feed import ChangeFeed
from deskhand.platforms.linux.pages import PageWait
from deskhand.platforms.linux.sight import WindowSight
from deskhand.platforms.linux.windows import WindowJoin, surface_id, window_key
from deskhand.platforms.linux.x11 import keysyms
from deskhand.platforms.linux.x11.capture import Camera
from deskhand.platforms.linux.x11.clipboard import Clipboard
from deskhand.platforms.linux.x11.connection import XThread
from deskhand.platforms.linux.x11.events import WindowEvents
from deskhand.platforms.linux.x11.input import InputDevice, restore_keymap
from deskhand.platforms.linux.x11.others import OtherHands
from deskhand.platforms.linux.x11.pasting import paste
from deskhand.platforms.linux.x11.stewardship import Stewardship
from deskhand.platforms.linux.x11.windows import WindowSource
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Point, Rect
from deskhand.types.nodes import Ability, Application, Grid, Node, Picture, State, Tree, Window

READING = 0.1
"""Seconds that an application has to answer whether it has read its input."""
log = logging.getLogger(__name__)

FOCUSED_MOST = 3
"""Elements that are asked first who has the focus: it goes back to earlier ones without a word (LibreOffice)."""


class LinuxPlatform(ElementWriter):
    """One X display with its buses. ``environment`` names them (DISPLAY, DBUS_SESSION_BUS_ADDRESS …).

    ``on_debt`` is told what keyboard mapping is borrowed, so that a crash can be healed.
    """

    name = "linux"
    capabilities = (
        Capability.TREE | Capability.EVENTS | Capability.POINTER | Capability.KEYBOARD | Capability.CAPTURE
        | Capability.STACKING | Capability.WINDOW_OPS | Capability.CLIPBOARD | Capability.APPLICATIONS
    )  # fmt: skip

    def __init__(self, environment: Mapping[str, str], on_debt: Callable[[str], None] | None = None) -> None:
        display = environment.get("DISPLAY")
        if not display:
            raise DeskhandError("desktop_unavailable", "no DISPLAY; run `deskhand desktop start`, or set DISPLAY")
        key = environment.get("XAUTHORITY")
        self.bus = AccessibilityBus(environment)
        super().__init__(self.bus)
        self.events = ChangeFeed()
        self.reader = TreeReader(self.bus)
        self._pages = PageWait(self.reader, self.events)
        self.catalogue = Catalogue(environment)
        self._thread = XThread(display, key)
        self._window_events = WindowEvents(display, self.events.announce_threadsafe, key)
        self._windows = WindowSource(self._thread, self._window_events)
        self._join = WindowJoin(self.bus, self.reader, self._windows)
        self._steward = Stewardship(display, key)
        self._on_debt = on_debt
        self._input = InputDevice(self._thread, self._note)
        self._chords = Chords(self.bus, self.reader, self._input)
        self._others = OtherHands(display, key)
        self._camera = Camera(display, key)
        self.reader.tables.sheets.sight = WindowSight(self._windows, self._camera)
        self._clipboard = Clipboard(display, key, self._steward)
        self._element_events = ElementEvents(
            self.bus,
            self.events.announce,
            self._on_focus,
            self.reader.forget,
            self._join.shown,
            on_left=self._on_left,
        )
        self._focused: list[str] = []  # what was last known to have the focus, newest first
        self._listed: list[Window] = []  # as last looked at

    async def start(self) -> None:
        """Connect to display and buses. Raises ``desktop_unavailable`` or ``accessibility_off``."""
        self.events.attach()
        await self._thread.start()
        await self.bus.connect()
        await self._window_events.start()
        await self._element_events.start()

    def _note(self, line: str) -> None:
        """What is owed is known to the steward, and to whoever keeps it for the next owner."""
        self._steward.note(line)
        if self._on_debt is not None:
            self._on_debt(line)

    async def pay_back(self, state: str) -> None:
        """Heal a desktop whose owner was killed: ``state`` is what ``on_debt`` was last told."""
        await restore_keymap(self._thread, state)

    async def close(self) -> None:
        """Release every held key and button, then disconnect."""
        try:
            await self.release_all()
        except DeskhandError as error:
            if error.code != "desktop_unavailable":
                raise
            log.info("nothing to release: %s", error)  # what was held went with the display
        finally:
            await self._window_events.close()
            await self._clipboard.close()
            await self._camera.close()
            self._others.close()
            self.bus.disconnect()
            await self._thread.close()

    def _on_focus(self, key: str) -> None:
        if not self.reader.mirrors(key):
            self._remember_focus(key)

    def _remember_focus(self, key: str) -> None:
        """Of one application only: another one, which may hang, is not asked for what it had."""
        app = split_key(key)[0]
        earlier = (other for other in self._focused if other != key and split_key(other)[0] == app)
        self._focused = [key, *earlier][:FOCUSED_MOST]

    def _on_left(self, app: str) -> None:
        """Its bus name never comes again, so what is known of it is of no use."""
        for memory in (self.bus, self.reader, self._join):
            memory.left(app)

    # -- looking ---------------------------------------------------------------------------------------------------
    async def windows(self) -> list[Window]:
        """All top-level surfaces, bottom first."""
        self._listed = await self._join.windows()
        return list(self._listed)

    async def read(self, root: str, limits: ReadLimits) -> Tree:
        """The tree below ``root``; a browser's once its page is told."""
        return await self._pages.read(root, limits)

    async def refresh(self, keys: Sequence[str]) -> dict[str, Node | None]:
        """Elements read again, with their actions."""
        return await self.reader.refresh(keys)

    async def text(self, key: str, first: int, last: int) -> str:
        """Characters of an element's text."""
        return await self.reader.text(key, first, last)

    async def grid(self, key: str, view: tuple[int, int, int, int] | None, limits: ReadLimits) -> Grid:
        """A table's cells."""
        return await self.reader.grid(key, view, limits)

    async def cell(self, key: str, row: int, column: int) -> Node:
        """One cell of a table."""
        return await self.reader.cell(key, row, column)

    async def cell_number(self, key: str, row: int, column: int) -> float | None:
        """The number behind what a sheet's cell shows."""
        return await self.reader.cell_number(key, row, column)

    async def at_point(self, x: int, y: int) -> str | None:
        """The deepest element that shows at a point of the topmost window there."""
        key = await self.window_at(x, y)
        windows = await self.windows()
        top = next((w for w in windows if w.key == key), None)
        if top is None:
            return None
        inside = top.popup and top.root is None  # a popover of GTK4: its elements are told in its window's tree
        roots = [w.root for w in reversed(windows) if w.root and w.pid == top.pid] if inside else [top.root]
        for root in roots:
            tree = await self.read(root, ReadLimits()) if root else None
            hits = [n for n in tree.nodes.values() if _lies_at(n, x, y, inside, top.popup)] if tree else []
            if hits and tree is not None:  # a wrapper may lie over all of a window, beside what can be seen (Chromium)
                hit = ([n for n in hits if not _is_mute(n)] or hits)[-1]
                padded = [n for n in padded_at(tree.nodes.values(), hit, x, y) if _on_surface(n, inside, top.popup)]
                return padded[0].key if padded else hit.key
        return None

    async def window_at(self, x: int, y: int) -> str | None:
        """The window that would get a click; None where only the bare desktop would."""
        xid = await self._windows.window_at(x, y)
        surfaces = await self._windows.surfaces() if xid is not None else []
        keys = (window_key(surface) for surface in surfaces if surface.xid == xid and not self._join.bare(surface))
        return next(keys, None)

    async def screen(self) -> Rect:
        """The root window."""
        return await self._input.screen()

    async def monitors(self) -> list[Rect]:
        """Monitors by RandR."""
        return await self._input.monitors()

    async def pointer(self) -> Point:
        """Where the pointer is."""
        return await self._input.pointer()

    async def focused(self) -> Node | None:
        """The element with the keyboard focus, read live."""
        for node in (await self.refresh(self._focused)).values():
            if node is not None and node.has(State.FOCUSED) and not self._lies_behind(node.key):
                return node
        return await self._search_focus()

    def _lies_behind(self, key: str) -> bool:
        """Whether it is in a window that is not the active one: each window keeps a focus, one gets the keys."""
        known = self._listed if any(w.active for w in self._listed) else ()
        return self.reader.root_of(key) in {w.root for w in known if w.root and not w.popup and not w.active}

    async def _search_focus(self) -> Node | None:
        active = next((w for w in await self.windows() if w.active and w.root), None)
        if active is None or active.root is None:
            return None
        tree = await self.read(active.root, ReadLimits())
        claiming = [node for node in tree.nodes.values() if node.has(State.FOCUSED)]
        focused = [node for node in claiming if not self.reader.mirrors(node.key)] or claiming
        if focused:
            self._remember_focus(focused[-1].key)
        return focused[-1] if focused else None

    async def capture(self, bounds: Rect | None) -> Picture:
        """The screen's pixels."""
        return await self._camera.grab(bounds)

    @property
    def hands_of_others(self) -> int:
        """Events of other devices than those of programs."""
        return self._others.count()

    async def applications(self) -> list[Application]:
        """Desktop entries."""
        return await asyncio.to_thread(self.catalogue.entries)

    async def application(self, name: str) -> Application | None:
        """The one application that a person calls ``name``."""
        try:
            return await asyncio.to_thread(self.catalogue.match, name)
        except DeskhandError as error:
            if error.code in ("not_found", "ambiguous_target"):
                return None
            raise

    async def command_for(
        self, *, app: str | None = None, file: str | None = None, url: str | None = None
    ) -> list[str]:
        """The argument list that opens it."""
        return await asyncio.to_thread(self._command, app, file, url)

    def _command(self, app: str | None, file: str | None, url: str | None) -> list[str]:
        named = self.catalogue.match(app) if app is not None else None
        if file is not None:
            return list(self.catalogue.command_line(named or self.catalogue.for_file(file), files=(file,)))
        if url is not None:
            return list(self.catalogue.command_line(named or self.catalogue.for_url(url), urls=(url,)))
        assert named is not None
        return list(self.catalogue.command_line(named))

    async def insert_text(self, key: str, offset: int, text: str, in_bytes: bool = True) -> None:
        """Insert at an offset; refused where the toolkit would garble it."""
        quirks = await self._must_pass(key, text)
        await super().insert_text(key, offset, text, in_bytes and quirks.lengths_in_bytes)

    async def _must_pass(self, key: str, text: str) -> Quirks:
        """Java takes no character outside of the basic plane from its bridge."""
        try:
            quirks = await self.reader.quirks(split_key(key)[0])
        except (Gone, Refused) as error:
            raise DeskhandError("stale_ref", "the element's application has left") from error
        if all(ord(letter) <= quirks.plane for letter in text):
            return quirks
        raise DeskhandError("unsupported_action", "its toolkit takes some of these characters by keys only")

    async def scroll_to(self, key: str) -> bool:
        """Scroll it into view: as the toolkit does it, else by the scroll bars around it."""
        return await super().scroll_to(key) or await scroll_by_bars(self.reader, self.set_number, key)

    async def set_text(self, key: str, text: str) -> int:
        """Replace the whole text; what a list puts in front of its items stays.

        Refused where the toolkit would garble it.
        """
        quirks = await self._must_pass(key, text)
        node = (await self.refresh([key])).get(key) if quirks.numbers_text else None
        if node is None or node.role not in ("paragraph", "heading"):
            return await super().set_text(key, text)
        old = await self.reader.text(key, 0, -1)
        kept = await super().set_text(key, text)
        if text == old or await self.reader.text(key, 0, -1) != old:
            return kept
        return await self.set_behind_number(key, old, text)

    # -- input -----------------------------------------------------------------------------------------------------
    async def move_pointer(self, x: int, y: int) -> None:
        """Move the pointer."""
        await self._input.move(x, y)

    async def press_button(self, button: MouseButton, down: bool) -> None:
        """Press or release a mouse button."""
        await self._input.button(button, down)

    async def wheel(self, dx: int, dy: int) -> None:
        """Turn the wheel by notches."""
        await self._input.wheel(dx, dy)

    async def type_text(self, text: str, *, locked: bool = False) -> None:
        """Exact Unicode by keystrokes."""
        await self._input.type_text(text, locked=locked)

    async def paste_text(self, text: str) -> bool:
        """By the clipboard, given back afterwards."""
        return await paste(self._input, self._clipboard, text)

    def mistaken(self, text: str) -> bool:
        """Whether a toolkit takes some of these keys for something else."""
        return keysyms.mistaken(text)

    async def press_chord(self, keys: str, down: bool | None = None) -> None:
        """A chord."""
        front = next((w for w in self._listed if w.active and w.root), None)
        await self._chords.press(keys, down, split_key(front.root)[0] if front is not None and front.root else None)

    async def has_read(self, window: str | None = None) -> bool:
        """By a ping: clients answer it in the order of their events."""
        return await self._input.has_read(READING, surface_id(window) if window is not None else 0)

    async def release_all(self) -> None:
        """Release everything held."""
        await self._input.release_all()

    # -- windows ---------------------------------------------------------------------------------------------------
    async def window_operation(self, key: str, operation: WindowOperation, bounds: Rect | None = None) -> None:
        """Ask the window manager, and wait until it is so."""
        if not await self._windows.operate(surface_id(key), operation, bounds):
            raise DeskhandError("unsupported_action", f"the window did not {operation}", sent="yes")

    async def read_clipboard(self) -> str | None:
        """The clipboard's text."""
        return await self._clipboard.read()

    async def write_clipboard(self, text: str) -> None:
        """Own the clipboard with ``text``."""
        await self._clipboard.write(text)


def _is_mute(node: Node) -> bool:
    """A wrapper that says nothing by itself."""
    return node.role == "generic" and not node.name and not node.text


def _lies_at(node: Node, x: int, y: int, inside: bool, popup: bool) -> bool:
    """Whether it shows there. ``inside``: only what is drawn on popups; what a popup holds lies on no other window."""
    rect = node.visible if node.visible is not None else node.bounds
    return rect is not None and rect.contains(x, y) and _on_surface(node, inside, popup)


def _on_surface(node: Node, inside: bool, popup: bool) -> bool:
    on_popup = node.can(Ability.ON_POPUP)
    return on_popup if inside else popup or not on_popup
