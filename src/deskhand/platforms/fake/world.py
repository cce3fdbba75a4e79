"""The fake desktop itself: windows in their stacking order, focus, popups, time that is told when to pass."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field

from deskhand.platforms.fake.feed import FakeFeed
from deskhand.platforms.fake.layout import arrange
from deskhand.platforms.fake.model import SCREEN, Effect, FakeApp, FakeWindow, Widget
from deskhand.types.geometry import Point, Rect

_ORIGIN = Point(0, 0)


@dataclass(eq=False)
class World:
    """All that changes. ``windows`` stand bottom first, popups among them."""

    screen: Rect = SCREEN
    windows: list[FakeWindow] = field(default_factory=list)
    apps: dict[str, FakeApp] = field(default_factory=dict)
    active: FakeWindow | None = None
    pointer: Point = _ORIGIN
    pressed_on: Widget | None = None
    last_click: tuple[Widget, Point, float] | None = None
    clipboard: str | None = None
    held: list[str] = field(default_factory=list)
    capitals: bool = False  # Caps Lock is on
    buttons: set[str] = field(default_factory=set)
    feed: FakeFeed = field(default_factory=FakeFeed)
    widgets: dict[str, Widget] = field(default_factory=dict)
    scheduled: list[tuple[int, Effect]] = field(default_factory=list)
    auto_tick: bool = False
    monitors: list[Rect] = field(default_factory=list)  # the primary one first; none: the whole screen is one
    hands_of_others: int = 0  # events of the person, as a test says
    _issued: int = 0

    # -- coming and going ------------------------------------------------------------------------------------
    def add(self, window: FakeWindow, app: str = "app", owner: FakeWindow | None = None) -> FakeWindow:
        """Show a window on top, active and with the focus on its first field."""
        window.app = self.apps.setdefault(app, FakeApp(app, 1000 + len(self.apps)))
        window.owner = owner
        window.key = window.key or f"win{self._next()}"
        self.adopt(window.root, None)
        self.windows.append(window)
        self.activate(window)
        return window

    def adopt(self, widget: Widget, parent: Widget | None) -> None:
        """Give a widget and all below their keys and parents; keys are never used twice."""
        widget.parent = parent
        if widget.key in self.widgets:
            return
        widget.key = f"e{self._next()}"
        self.widgets[widget.key] = widget
        for child in widget.children:
            self.adopt(child, widget)

    def append(self, parent: Widget, child: Widget) -> Widget:
        """Add a child to a live widget."""
        parent.children.append(child)
        self.adopt(child, parent)
        self.changed()
        return child

    def forget(self, widget: Widget) -> None:
        """Its keys and those below no longer exist."""
        for each in widget.walk():
            self.widgets.pop(each.key, None)

    def rekey(self, widget: Widget) -> None:
        """The toolkit makes new objects for the same widget and all below."""
        self.forget(widget)
        for each in widget.walk():
            each.key = f"e{self._next()}"
            self.widgets[each.key] = each

    def close(self, window: FakeWindow) -> bool:
        """Close a window and what belongs to it; False where the application keeps it open."""
        if window.on_close is not None and not window.on_close():
            self.changed()
            return False
        self.remove(window)
        return True

    def remove(self, window: FakeWindow) -> None:
        """Take a window and what belongs to it away, unasked."""
        for owned in [each for each in self.windows if each.owner is window]:
            self.remove(owned)
        if window in self.windows:
            self.windows.remove(window)
        if not window.popup:
            self.forget(window.root)
        if self.active is window:
            self.active = None
            self._activate_next(window.owner)
        self.changed()

    def _activate_next(self, owner: FakeWindow | None) -> None:
        others = [each for each in self.windows if not each.popup and not each.minimised]
        if owner in others:
            self.activate(owner)
        elif others:
            self.activate(others[-1])

    # -- windows ---------------------------------------------------------------------------------------------
    def activate(self, window: FakeWindow | None) -> None:
        """Raise a window with its dialogs and make the topmost of them active."""
        if window is None or window not in self.windows:
            return
        self.close_popups()
        window.minimised = False
        for each in [each for each in self.windows if each is window or each.owner is window]:
            self.windows.remove(each)
            self.windows.append(each)
        self.active = self.modal_above(window) or window
        if self.active.focus is None:
            self.active.focus = next(self.focusables(self.active), None)
        self.changed()

    def minimise(self, window: FakeWindow) -> None:
        """Take a window off the screen; the next one becomes active."""
        window.minimised = True
        if self.active is window:
            self.active = None
            self._activate_next(window.owner)

    def modal_above(self, window: FakeWindow) -> FakeWindow | None:
        """The modal dialog that takes the window's input, None where there is none."""
        for each in reversed(self.windows):
            if each.modal and each.owner is window:
                return self.modal_above(each) or each
        return None

    def window_of(self, widget: Widget) -> FakeWindow | None:
        """The surface a widget shows on: an open popup, else its window."""
        chain = list(widget.chain())
        for link in chain[1:] + chain[:1]:
            for window in self.windows:
                if window.root is link and (not window.popup or link is not widget):
                    return window
        return None

    def top_level(self, widget: Widget) -> FakeWindow | None:
        """The managed window whose tree holds the widget."""
        roots = list(widget.chain())
        return next((each for each in self.windows if not each.popup and each.root in roots), None)

    # -- popups ------------------------------------------------------------------------------------------------
    def open_popup(self, root: Widget) -> None:
        """Show a menu or a combo's list as a window of its own, below (or beside) what opened it."""
        owner = self.top_level(root)
        if owner is None or self.is_open(root):
            return
        opener = root if root.role == "menu" else root.parent or root
        x, y, w, h = opener.bounds
        inside_menu = root.role == "menu" and root.parent is not None and root.parent.role == "menu"
        corner = Point(x + w, y) if inside_menu else Point(x, y + h)
        place = Rect(*corner, 160, 28 * max(1, len(root.children)))
        popup = FakeWindow(root, bounds=place, popup=True, owner=owner, key=f"win{self._next()}", app=owner.app)
        self.windows.append(popup)
        self.changed()

    def close_popups(self) -> None:
        """Close every menu and combo list."""
        open_ones = [each for each in self.windows if each.popup]
        for popup in open_ones:
            self.windows.remove(popup)
            if popup.root.parent is not None:
                popup.root.parent.expanded = False
        if open_ones:
            self.changed()

    def is_open(self, root: Widget) -> bool:
        """Whether this menu or list shows as a popup."""
        return any(each.popup and each.root is root for each in self.windows)

    # -- what shows --------------------------------------------------------------------------------------------
    def showing(self, widget: Widget) -> bool:
        """Whether it is on screen or can be scrolled to."""
        window = self.top_level(widget)
        if window is None or window.minimised:
            return False
        below: Widget | None = None
        for link in widget.chain():
            if not link.visible or (below is not None and self._folds(link)):
                return False
            below = link
        return True

    def _folds(self, parent: Widget) -> bool:
        if parent.role == "menu":
            return not self.is_open(parent)
        if parent.role == "combobox":
            return not self.is_open(parent.children[0])
        if parent.role == "tab":
            return not parent.selected
        return parent.role == "treeitem" and not parent.expanded

    def focusables(self, window: FakeWindow) -> Iterator[Widget]:
        """What Tab walks through, in order."""
        return (each for each in window.root.walk() if each.focusable and each.enabled and self.showing(each))

    # -- change and time ---------------------------------------------------------------------------------------
    def changed(self) -> None:
        """Lay out again and announce one change."""
        for window in list(self.windows):
            arrange(window)
        self.feed.announce()

    def after(self, ticks: int, effect: Effect) -> None:
        """Do something after so many ticks; with ``auto_tick`` the event loop's turns are the ticks."""
        self.scheduled.append((ticks, effect))
        if self.auto_tick:
            asyncio.get_running_loop().call_soon(self._turn)

    def tick(self, times: int = 1) -> None:
        """Let time pass."""
        for _ in range(times):
            due = [effect for left, effect in self.scheduled if left <= 1]
            self.scheduled = [(left - 1, effect) for left, effect in self.scheduled if left > 1]
            for effect in due:
                effect()
            if due:
                self.changed()

    def _turn(self) -> None:
        self.tick()
        if self.scheduled:
            asyncio.get_running_loop().call_soon(self._turn)

    def _next(self) -> int:
        self._issued += 1
        return self._issued
