"""An in-memory desktop with the whole contract of a platform: instant, exact, and breakable on command."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from deskhand.platforms.base import Capability, EventFeed, MouseButton, ReadLimits, WindowOperation
from deskhand.platforms.fake import keyboard, pointer, reading, toolkit
from deskhand.platforms.fake.drawing import drawn
from deskhand.platforms.fake.faults import Faults, deliver, must_answer, perform
from deskhand.platforms.fake.layout import reveal_cell
from deskhand.platforms.fake.model import SCREEN, CellAddress, Effect, FakeApp, FakeWindow, Widget
from deskhand.platforms.fake.world import World
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Point, Rect
from deskhand.types.nodes import Application, Grid, Node, Picture, Tree, Window
from deskhand.types.texts import require_sendable

LEAST_SIDE = 100
"""Pixels: no window here gets narrower or lower."""


class FakePlatform:
    """Implements ``Platform`` over a ``World``.

    ``journal`` lists everything that was sent: pointer, keys, element actions, window operations. A refused call
    leaves it as it was. ``faults`` breaks things; ``world`` is the desktop itself, for looking behind the scenes.
    """

    def __init__(self, *windows: FakeWindow, app: str = "app", screen: Rect = SCREEN) -> None:
        self.name: str = "fake"
        self.capabilities: Capability = ~Capability.NONE
        self.world = World(screen)
        self.faults = Faults(self.world)
        self.events: EventFeed = self.world.feed
        self.journal: list[str] = []
        self.installed: list[Application] = []
        self.started = False
        for each in windows:
            self.add(each, app)

    # -- the scene -------------------------------------------------------------------------------------------
    def add(self, window: FakeWindow, app: str = "app", owner: FakeWindow | None = None) -> FakeWindow:
        """Show a window on top; a dialog belongs to ``owner``."""
        return self.world.add(window, owner.app.name if owner is not None else app, owner)

    def after(self, ticks: int, effect: Effect) -> None:
        """Let something happen after so many ticks (``world.tick``, or the loop's turns with ``world.auto_tick``)."""
        self.world.after(ticks, effect)

    def replace(self, widget: Widget) -> None:
        """The toolkit makes a new object for the same widget: its old key is gone."""
        self.world.rekey(widget)
        self.world.changed()

    def remove(self, widget: Widget) -> None:
        """An element disappears from its parent."""
        if widget.parent is not None:
            widget.parent.children.remove(widget)
        self.world.forget(widget)
        self.world.changed()

    # -- finding -----------------------------------------------------------------------------------------------
    def _window(self, key: str) -> FakeWindow:
        for window in self.world.windows:
            if window.key == key:
                return window
        raise DeskhandError("window_gone", "the window is closed; list the windows again")

    def _locate(self, key: str) -> tuple[Widget, CellAddress | None]:
        base, _, rest = key.partition("#")
        widget = self.world.widgets.get(base)
        if widget is None:
            raise DeskhandError("stale_ref", "the element no longer exists; observe again")
        row, _, column = rest.partition(",")
        return widget, (int(row), int(column)) if rest else None

    def _app(self, widget: Widget) -> FakeApp:
        window = self.world.top_level(widget)
        if window is None:
            raise DeskhandError("stale_ref", "the element no longer exists; observe again")
        return window.app

    def _answering(self, key: str) -> tuple[Widget, CellAddress | None]:
        widget, address = self._locate(key)
        must_answer(self._app(widget))
        return widget, address

    # -- looking -----------------------------------------------------------------------------------------------
    async def start(self) -> None:
        """Connect."""
        self.faults.begin("start")
        self.started = True

    async def close(self) -> None:
        """Release what is held, disconnect."""
        await self.release_all()
        self.started = False

    async def windows(self) -> list[Window]:
        """All surfaces, bottom first."""
        self.faults.begin("windows")
        return [reading.window_of(self.world, each, place) for place, each in enumerate(self.world.windows)]

    async def read(self, root: str, limits: ReadLimits) -> Tree:
        """The tree below an element."""
        self.faults.begin("read")
        widget, _ = self._answering(root)
        return reading.tree_of(self.world, widget, limits)

    async def refresh(self, keys: Sequence[str]) -> dict[str, Node | None]:
        """Elements read again."""
        self.faults.begin("refresh")
        return {key: self._again(key) for key in keys}

    def _again(self, key: str) -> Node | None:
        if key.partition("#")[0] not in self.world.widgets:
            return None
        widget, address = self._answering(key)
        if address is not None:
            return reading.cell_node(self.world, widget, address)
        return reading.node_of(self.world, widget)

    async def text(self, key: str, first: int, last: int) -> str:
        """A range of characters; refused for passwords."""
        self.faults.begin("text")
        widget, address = self._answering(key)
        if widget.protected or (widget.text is None and address is None):
            raise DeskhandError("unsupported_action", "this element offers no text to read")
        whole = (widget.sheet.cells.get(address, "") if address and widget.sheet else widget.text) or ""
        return whole[first:] if last < 0 else whole[first:last]

    async def grid(self, key: str, view: tuple[int, int, int, int] | None, limits: ReadLimits) -> Grid:
        """A table's cells."""
        self.faults.begin("grid")
        widget, _ = self._answering(key)
        return reading.grid_of(widget, view, limits)

    async def cell(self, key: str, row: int, column: int) -> Node:
        """One cell."""
        self.faults.begin("cell")
        table, _ = self._answering(key)
        sheet = table.sheet
        if sheet is None or not (0 <= row < sheet.rows and 0 <= column < sheet.columns):
            raise DeskhandError("not_found", "there is no such cell; observe the table for its size")
        return reading.cell_node(self.world, table, (row, column))

    async def cell_number(self, key: str, row: int, column: int) -> float | None:
        """The number that a cell holds."""
        table, _ = self._answering(key)
        assert table.sheet is not None
        return reading.cell_number(table.sheet, (row, column))

    async def at_point(self, x: int, y: int) -> str | None:
        """The deepest element at a point."""
        self.faults.begin("at_point")
        widget = pointer.widget_at(self.world, x, y)
        if widget is None:
            return None
        must_answer(self._app(widget))
        cell = pointer.cell_under(self.world, x, y)
        return reading.cell_key(*cell) if cell is not None else widget.key

    async def window_at(self, x: int, y: int) -> str | None:
        """The topmost surface at a point."""
        self.faults.begin("window_at")
        window = pointer.window_at(self.world, x, y)
        return window.key if window is not None else None

    async def screen(self) -> Rect:
        """All that there is to see."""
        return self.world.screen

    async def monitors(self) -> list[Rect]:
        """The world's monitors, else its one screen."""
        return self.world.monitors or [self.world.screen]

    async def pointer(self) -> Point:
        """Where the pointer is."""
        self.faults.begin("pointer")
        return self.world.pointer

    async def focused(self) -> Node | None:
        """What gets keys."""
        self.faults.begin("focused")
        widget = keyboard.target(self.world)
        if widget is None:
            return None
        must_answer(self._app(widget))
        if widget.sheet is not None and widget.sheet.spreadsheet:
            return reading.cell_node(self.world, widget, widget.sheet.cursor)
        return reading.node_of(self.world, widget)

    async def capture(self, bounds: Rect | None) -> Picture:
        """Windows as plain rectangles, each in a colour of its own."""
        self.faults.begin("capture")
        return drawn(self.world, bounds or self.world.screen)

    @property
    def hands_of_others(self) -> int:
        """What tests say that the person did."""
        return self.world.hands_of_others

    async def applications(self) -> list[Application]:
        """What can be started: ``installed``."""
        return list(self.installed)

    async def application(self, name: str) -> Application | None:
        """The installed application of this name or id."""
        found = [each for each in self.installed if name.casefold() in (each.name.casefold(), each.id.casefold())]
        return found[0] if len(found) == 1 else None

    async def command_for(
        self, *, app: str | None = None, file: str | None = None, url: str | None = None
    ) -> list[str]:
        """The argument list that opens it: the named application, else the first one for files."""
        opened = file or url
        meant = await self.application(app) if app is not None else next(iter(self.installed), None)
        if meant is None:
            names = [each.name for each in self.installed]
            raise DeskhandError("not_found", "no such application; take one of the candidates", candidates=names)
        return [*meant.command, *([opened] if opened is not None else [])]

    # -- acting on elements --------------------------------------------------------------------------------------
    def _send(self, call: str, key: str, detail: str, effect: Effect) -> None:
        widget, _ = self._locate(key)
        app = self._app(widget)
        self.journal.append(f"{call} {key} {detail}".rstrip())
        perform(app, effect)
        self.world.changed()

    async def do_action(self, key: str, action: str) -> None:
        """Do one of the element's actions."""
        self.faults.begin("do_action")
        widget, _ = self._locate(key)
        if action not in widget.actions:
            raise DeskhandError("unsupported_action", f"the element offers {', '.join(widget.actions) or 'no action'}")
        self._send("do_action", key, action, lambda: self._act(widget, action))

    def _act(self, widget: Widget, action: str) -> None:
        if action == "expand or contract":
            toolkit.expand(widget)
        elif widget.role in ("textbox", "treeitem") and action == "activate":
            toolkit.run(widget.on_activate)
        else:
            toolkit.activate(self.world, widget)

    def _writable(self, key: str) -> Widget:
        widget, address = self._locate(key)
        focused = self.world.active is not None and self.world.active.focus is widget
        hidden_from_writing = widget.edit_when_focused and not focused
        if address is not None or not widget.editable or not widget.enabled or hidden_from_writing:
            raise DeskhandError("unsupported_action", "the text cannot be written here; focus it and type")
        return widget

    async def set_text(self, key: str, text: str) -> int:
        """Replace the text."""
        self.faults.begin("set_text")
        widget = self._writable(key)
        self._send("set_text", key, _shown(widget, text), lambda: toolkit.write(widget, text))
        return 0

    async def replace_text(self, key: str, first: int, last: int, text: str) -> None:
        """Replace a part of the text."""
        self.faults.begin("replace_text")
        widget = self._writable(key)
        old = widget.text or ""
        whole = old[:first] + text + old[last:]
        self._send("replace_text", key, _shown(widget, text), lambda: toolkit.write(widget, whole))

    async def insert_text(self, key: str, offset: int, text: str) -> None:
        """Insert into the text."""
        self.faults.begin("insert_text")
        widget = self._writable(key)

        def insert() -> None:
            old = widget.text or ""
            place = len(old) if offset < 0 else offset
            toolkit.write(widget, old[:place] + text + old[place:])

        self._send("insert_text", key, _shown(widget, text), insert)

    async def set_number(self, key: str, number: float) -> None:
        """Set the number."""
        self.faults.begin("set_number")
        widget, _ = self._locate(key)
        if widget.number is None:
            raise DeskhandError("unsupported_action", "this element holds no number")

        def change() -> None:
            toolkit.set_number(widget, number)
            toolkit.run(widget.on_change)

        self._send("set_number", key, str(number), change)

    async def focus(self, key: str) -> None:
        """Give it the focus."""
        self.faults.begin("focus")
        widget, address = self._locate(key)
        if not widget.focusable:
            raise DeskhandError("unsupported_action", "this element takes no focus")

        def take() -> None:
            pointer.focus(self.world, widget)
            if address is not None:
                toolkit.go_to_cell(widget, address)

        self._send("focus", key, "", take)

    async def select_children(self, key: str, indices: Iterable[int], extend: bool = False) -> None:
        """Select children (or cells, by row × columns + column)."""
        self.faults.begin("select_children")
        widget, _ = self._locate(key)
        wanted = list(indices)
        self._check_selectable(widget, wanted)
        self._send("select_children", key, str(wanted), lambda: self._select(widget, wanted, extend))

    def _check_selectable(self, widget: Widget, wanted: list[int]) -> None:
        count = reading.node_of(self.world, widget).child_count
        items = widget.children if widget.sheet is None else None
        if any(not 0 <= each < count for each in wanted):
            raise DeskhandError("not_found", f"there are {count} children, counted from 0")
        if items is not None and not all(items[each].selectable for each in wanted):
            raise DeskhandError("unsupported_action", "its children cannot be selected")

    def _select(self, widget: Widget, wanted: list[int], extend: bool) -> None:
        for place, index in enumerate(wanted):
            more = extend or place > 0
            if widget.sheet is not None:
                toolkit.go_to_cell(widget, divmod(index, widget.sheet.columns), more)
            else:
                toolkit.choose(self.world, widget.children[index], more)

    async def select_text(self, key: str, first: int, last: int) -> None:
        """Select characters."""
        self.faults.begin("select_text")
        widget, _ = self._locate(key)
        if widget.text is None:
            raise DeskhandError("unsupported_action", "this element holds no text")

        def select() -> None:
            widget.anchor, widget.caret = first, last

        self._send("select_text", key, f"{first}:{last}", select)

    async def selection(self, key: str) -> tuple[int, int] | None:
        """The selected characters; None for an element without text."""
        self.faults.begin("selection")
        widget, _ = self._answering(key)
        return widget.selection if widget.text is not None else None

    async def scroll_to(self, key: str) -> bool:
        """Scroll it into view."""
        self.faults.begin("scroll_to")
        widget, address = self._locate(key)
        areas = [link for link in widget.chain() if link.viewport is not None]
        if not areas and address is None:
            return False

        def bring() -> None:
            if address is not None:
                reveal_cell(widget, address)
            for area in areas:
                toolkit.scroll(self.world, area, widget.bounds.y - area.bounds.y)

        self._send("scroll_to", key, "", bring)
        return True

    # -- input -----------------------------------------------------------------------------------------------
    def _input(self, line: str, app: FakeApp | None, effect: Effect) -> None:
        self.journal.append(line)
        deliver(app, effect)

    def _app_at_pointer(self) -> FakeApp | None:
        window = pointer.window_at(self.world, *self.world.pointer)
        return window.app if window is not None else None

    def _active_app(self) -> FakeApp | None:
        return self.world.active.app if self.world.active is not None else None

    async def move_pointer(self, x: int, y: int) -> None:
        """Move the pointer."""
        self.faults.begin("move_pointer")
        self.journal.append(f"move {x},{y}")
        pointer.move(self.world, x, y)

    async def press_button(self, button: MouseButton, down: bool) -> None:
        """Press or release a button."""
        self.faults.begin("press_button")
        (self.world.buttons.add if down else self.world.buttons.discard)(button)
        line = f"{button} {'down' if down else 'up'}"
        step = pointer.press if down else pointer.release
        self._input(line, self._app_at_pointer(), (lambda: step(self.world)) if button == "left" else (lambda: None))

    async def wheel(self, dx: int, dy: int) -> None:
        """Turn the wheel."""
        self.faults.begin("wheel")
        self._input(f"wheel {dx},{dy}", self._app_at_pointer(), lambda: pointer.wheel(self.world, dx, dy))

    async def paste_text(self, text: str) -> bool:
        """Paste characters; the clipboard is not touched."""
        self.faults.begin("paste_text")
        require_sendable(text)
        focused = keyboard.target(self.world)
        if focused is None or not focused.editable:
            return False
        self._input(f"paste {_shown(focused, text)}", self._active_app(), lambda: keyboard.paste(self.world, text))
        return True

    def mistaken(self, text: str) -> bool:
        """As GTK3 does it: the full-width at sign is taken for the Compose key."""
        return "\uff20" in text

    async def type_text(self, text: str, *, locked: bool = False) -> None:
        """Type characters."""
        self.faults.begin("type_text")
        require_sendable(text)
        focused = keyboard.target(self.world)
        secret = focused is not None and focused.protected
        line = f"type {len(text)} characters" if secret else f"type {text!r}"
        self._input(line, self._active_app(), lambda: keyboard.characters(self.world, text, locked))

    async def press_chord(self, keys: str, down: bool | None = None) -> None:
        """Press a chord."""
        self.faults.begin("press_chord")
        parts = keyboard.parse(keys)
        if not all(parts):
            raise DeskhandError("invalid_request", f"{keys!r} is no chord; write it like ctrl+s")
        self.journal.append(f"key {keys}" + {None: "", True: " down", False: " up"}[down])
        if down is True:
            self.world.held.extend(part for part in parts if part not in self.world.held)
        elif down is False:
            self.world.held[:] = [part for part in self.world.held if part not in parts]
        else:
            deliver(self._active_app(), lambda: keyboard.chord(self.world, keys))

    async def has_read(self, window: str | None = None) -> bool:
        """At once, unless its application is frozen."""
        wanted = self._window(window) if window is not None else self.world.active
        return wanted is not None and not wanted.app.frozen

    async def release_all(self) -> None:
        """Release everything held."""
        for key in list(self.world.held):
            await self.press_chord(key, down=False)
        for button in list(self.world.buttons):
            self.world.buttons.discard(button)
            self.journal.append(f"{button} up")

    # -- windows ---------------------------------------------------------------------------------------------
    async def window_operation(self, key: str, operation: WindowOperation, bounds: Rect | None = None) -> None:
        """Ask the window manager."""
        self.faults.begin("window_operation")
        window = self._window(key)
        self.journal.append(f"window {key} {operation}")
        if operation == "close":
            deliver(window.app, lambda: self.world.close(window))
        else:
            self._manage(window, operation, bounds)
            self.world.changed()

    def _manage(self, window: FakeWindow, operation: WindowOperation, bounds: Rect | None) -> None:
        if operation == "activate":
            self.world.activate(window)
        elif operation == "minimise":
            self.world.minimise(window)
        elif operation == "maximise":
            window.restored, window.bounds = window.restored or window.bounds, self.world.screen
        elif operation == "restore":
            window.bounds, window.restored = window.restored or window.bounds, None
            self.world.activate(window)
        elif bounds is not None:
            old = window.bounds
            moved = operation == "move"
            least = Rect(bounds.x, bounds.y, max(bounds.w, LEAST_SIDE), max(bounds.h, LEAST_SIDE))
            window.bounds = Rect(bounds.x, bounds.y, old.w, old.h) if moved else least

    async def read_clipboard(self) -> str | None:
        """The clipboard's text."""
        self.faults.begin("read_clipboard")
        return self.world.clipboard

    async def write_clipboard(self, text: str) -> None:
        """Fill the clipboard."""
        self.faults.begin("write_clipboard")
        self.journal.append("clipboard write")
        self.world.clipboard = text


def _shown(widget: Widget, text: str) -> str:
    return f"{len(text)} characters" if widget.protected else repr(text)
