"""The pointer: what lies under it gets the click, as on a real screen."""

from __future__ import annotations

import time

from deskhand.platforms.fake import toolkit
from deskhand.platforms.fake.layout import cell_at
from deskhand.platforms.fake.model import CellAddress, FakeWindow, Widget
from deskhand.platforms.fake.world import World
from deskhand.types.geometry import Point, Rect

_DOUBLE_CLICK = 0.4


def window_at(world: World, x: int, y: int) -> FakeWindow | None:
    """The topmost surface at a point."""
    for window in reversed(world.windows):
        if not window.minimised and (window.frame or window.bounds).contains(x, y):
            return window
    return None


def widget_at(world: World, x: int, y: int) -> Widget | None:
    """The deepest widget at a point of the topmost surface, None beside all accessible ones."""
    window = window_at(world, x, y)
    if window is None or not window.accessible:
        return None
    found: Widget | None = None
    for widget in window.root.walk():
        if world.window_of(widget) is window and _hit(world, window, widget, x, y):
            found = widget
    return found


def _hit(world: World, window: FakeWindow, widget: Widget, x: int, y: int) -> bool:
    if widget is window.root:
        return not window.popup
    return world.showing(widget) and visible_part(world, widget).contains(x, y)


def visible_part(world: World, widget: Widget) -> Rect:
    """A widget's bounds cut by its window and by the scroll areas around it."""
    part = widget.bounds
    for link in widget.chain():
        if link is not widget and link.viewport is not None:
            part = part.intersect(link.bounds)
    window = world.window_of(widget)
    return part.intersect(window.bounds) if window is not None else part


def cell_under(world: World, x: int, y: int) -> tuple[Widget, CellAddress] | None:
    """The table and the cell of it at a point."""
    widget = widget_at(world, x, y)
    if widget is None or widget.sheet is None:
        return None
    address = cell_at(widget, x, y)
    return (widget, address) if address is not None else None


def press(world: World) -> None:
    """The left button goes down."""
    window = window_at(world, *world.pointer)
    if window is None or _grabbed(world, window):
        return
    world.pressed_on = widget_at(world, *world.pointer)
    if window.popup:
        return
    _raise_for_click(world, window)
    if world.active is window and world.pressed_on is not None and world.pressed_on.focusable:
        focus(world, world.pressed_on)


def _grabbed(world: World, window: FakeWindow) -> bool:
    """An open popup takes a click beside it; a modal dialog takes one on its owner."""
    if any(each.popup for each in world.windows) and not window.popup:
        hit = widget_at(world, *world.pointer)
        if hit is None or hit.role != "menu":
            world.close_popups()
            return True
    dialog = world.modal_above(window)
    if dialog is not None:
        world.activate(dialog)
    return dialog is not None


def _raise_for_click(world: World, window: FakeWindow) -> None:
    over_menus = any(each.popup for each in world.windows)
    if world.active is not window and not over_menus:
        world.activate(window)


def release(world: World) -> None:
    """The left button comes up: a click where it went down."""
    pressed, world.pressed_on = world.pressed_on, None
    hit = widget_at(world, *world.pointer)
    if hit is None or hit is not pressed or not hit.enabled:
        return
    now, last = time.monotonic(), world.last_click
    soon = last is not None and now - last[2] < _DOUBLE_CLICK
    twice = soon and last is not None and last[:2] == (hit, world.pointer)
    world.last_click = None if soon else (hit, world.pointer, now)  # as GTK: soon after one elsewhere it is not counted
    _clicked(world, hit, twice)
    world.changed()


def _clicked(world: World, widget: Widget, twice: bool) -> None:
    if widget.sheet is not None:
        _click_cell(world, widget, twice)
    elif widget.role == "slider":
        _click_slider(world, widget)
    elif widget.role == "option" or (widget.actions[:1] == ("activate",) and widget.role == "treeitem"):
        toolkit.choose(world, widget, extend="ctrl" in world.held)
    elif widget.text is not None and widget.editable:
        widget.caret = widget.anchor = len(widget.text)
    elif widget.actions or widget.selectable:
        toolkit.activate(world, widget)
    if twice:
        toolkit.run(widget.on_activate)


def _click_cell(world: World, table: Widget, twice: bool) -> None:
    address = cell_at(table, *world.pointer)
    if address is None or table.sheet is None:
        return
    toolkit.commit_cell(table)
    toolkit.go_to_cell(table, address, extend="ctrl" in world.held)
    if twice and table.sheet.spreadsheet:
        table.sheet.editing = table.sheet.cells.get(address, "")


def _click_slider(world: World, slider: Widget) -> None:
    share = (world.pointer.x - slider.bounds.x) / max(1, slider.bounds.w - 1)
    low, high = slider.minimum or 0.0, slider.maximum or 0.0
    toolkit.set_number(slider, round(low + share * (high - low)))
    toolkit.run(slider.on_change)


def wheel(world: World, dx: int, dy: int) -> None:
    """Whole notches over what is under the pointer."""
    hit = widget_at(world, *world.pointer)
    for link in hit.chain() if hit is not None else ():
        if link.viewport is not None:
            toolkit.scroll(world, link, dy * 40)
            return
        if link.sheet is not None:
            row, column = link.sheet.origin
            rows = max(0, min(link.sheet.rows - 1, row + 3 * dy))
            link.sheet.origin = (rows, max(0, min(link.sheet.columns - 1, column + dx)))
            world.changed()
            return


def focus(world: World, widget: Widget) -> None:
    """Give the keyboard focus to a widget of a window that may have it."""
    window = world.top_level(widget)
    if window is None or not widget.focusable or not widget.enabled:
        return
    old = window.focus
    if old is not None and old is not widget and old.sheet is not None:
        toolkit.commit_cell(old)
    window.focus = widget
    world.changed()


def move(world: World, x: int, y: int) -> None:
    """The pointer goes somewhere, within the screen."""
    screen = world.screen
    world.pointer = Point(
        max(screen.x, min(screen.x + screen.w - 1, x)), max(screen.y, min(screen.y + screen.h - 1, y))
    )
