"""The keyboard: keys go to the focused widget of the active window, as on a real screen."""

from __future__ import annotations

from collections.abc import Callable

from deskhand.platforms.fake import toolkit
from deskhand.platforms.fake.model import FakeWindow, Widget
from deskhand.platforms.fake.pointer import focus
from deskhand.platforms.fake.world import World
from deskhand.types import keynames

_NAMES = {
    "return": "enter",
    "esc": "escape",
    "control": "ctrl",
    "del": "delete",
    "page_down": "pagedown",
    "capslock": "caps_lock",
}
MODIFIERS = ("ctrl", "shift", "alt", "super")
_ARROWS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


def parse(keys: str) -> list[str]:
    """``Ctrl+Shift+S`` as its parts, lower case, modifiers first and in one order."""
    parts = [part.strip().lower() for part in keys.split("+")] if keys != "+" else ["+"]
    known = [_NAMES.get(part, part) for part in parts]
    return [part for part in MODIFIERS if part in known] + [part for part in known if part not in MODIFIERS]


def target(world: World) -> Widget | None:
    """What gets keys now: the newest popup, else the focus of the active window."""
    popups = [each for each in world.windows if each.popup and not each.kind]
    if popups:
        return popups[-1].root
    return world.active.focus if world.active is not None else None


def characters(world: World, text: str, locked: bool) -> None:
    """Text typed, one character after the other; Caps Lock changes it only where ``locked``."""
    for char in text.swapcase() if locked and world.capitals else text:
        character(world, char)


def paste(world: World, text: str) -> None:
    """Text that arrives at once."""
    widget = target(world)
    if widget is not None and widget.enabled:
        toolkit.replace_selection(widget, text)
        world.changed()


def character(world: World, char: str) -> None:
    """One character typed."""
    special = {"\n": "enter", "\t": "tab", "\b": "backspace"}.get(char)
    if special is not None:
        chord(world, special)
        return
    widget = target(world)
    if widget is None or not widget.enabled:
        return
    if "shift" in world.held:
        char = char.upper()
    _insert(world, widget, char)
    world.changed()


def _insert(world: World, widget: Widget, char: str) -> None:
    sheet = widget.sheet
    if sheet is not None and sheet.spreadsheet:
        sheet.editing = (sheet.editing or "") + char
    elif widget.editable:
        toolkit.replace_selection(widget, char)
    elif char == " " and widget.actions:
        toolkit.activate(world, widget)


def chord(world: World, keys: str) -> None:
    """A chord pressed and released: the window's accelerators first, then the focused widget."""
    parts = parse("+".join([*world.held, keys]) if world.held else keys)
    name = "+".join(dict.fromkeys(parts))
    if name == "caps_lock":
        world.capitals = not world.capitals
        return
    window = world.active
    if window is None or keynames.x_name(name) in keynames.MODIFIERS.values():
        return  # a modifier alone does nothing, and nothing is announced
    if name == "alt+f4":
        world.close(window)
    elif name in window.accelerators:
        toolkit.run(window.accelerators[name])
    elif (item := _accelerated(window, name)) is not None:
        toolkit.activate(world, item)
    else:
        _to_widget(world, window, name)
    world.changed()


def _accelerated(window: FakeWindow, name: str) -> Widget | None:
    for widget in window.root.walk():
        if widget.accelerator and "+".join(parse(widget.accelerator)) == name and widget.enabled:
            return widget
    return None


def _to_widget(world: World, window: FakeWindow, name: str) -> None:
    widget = target(world)
    if name in ("tab", "shift+tab"):
        _tab(world, window, backwards=name != "tab")
    elif name == "escape":
        _escape(world, window)
    elif name == "enter":
        _enter(world, window, widget)
    elif widget is None or not widget.enabled:
        return
    elif name in _ARROWS:
        _arrow(world, widget, *_ARROWS[name])
    elif name in _TEXT_KEYS and widget.sheet is None:
        _edit(world, widget, name)
    elif name in ("delete", "backspace") and widget.sheet is not None:
        _clear_cells(widget, back=name == "backspace")
    elif len(name) == 1 or name == "space":
        character(world, " " if name == "space" else name)
    elif name.startswith("shift+") and len(name) == 7:
        character(world, name[-1].upper())
    elif name.startswith("super+") and len(name) == 7:
        character(world, name[-1])  # as GTK, which heeds no Super


def _tab(world: World, window: FakeWindow, backwards: bool) -> None:
    focused = window.focus
    if focused is not None and focused.sheet is not None and focused.sheet.spreadsheet:
        toolkit.commit_cell(focused, (0, -1 if backwards else 1))
        return
    order = list(world.focusables(window))
    if order:
        here = order.index(focused) if focused in order else (0 if backwards else -1)
        focus(world, order[(here + (-1 if backwards else 1)) % len(order)])


def _escape(world: World, window: FakeWindow) -> None:
    focused = window.focus
    if any(each.popup for each in world.windows):
        world.close_popups()
    elif focused is not None and focused.sheet is not None and focused.sheet.editing is not None:
        focused.sheet.editing = None
    elif window.root.role == "dialog":
        world.close(window)


def _enter(world: World, window: FakeWindow, widget: Widget | None) -> None:
    if widget is not None and widget.sheet is not None and widget.sheet.spreadsheet:
        toolkit.commit_cell(widget, (1, 0))
    elif widget is not None and widget.multiline:
        toolkit.replace_selection(widget, "\n")
    elif widget is not None and widget.role in ("button", "toggle"):
        toolkit.activate(world, widget)
    elif widget is not None and any(each.popup for each in world.windows):
        _activate_marked(world, widget)
    else:
        toolkit.run(widget.on_activate if widget is not None else None)
        default = default_button(world, window)
        if default is not None:
            toolkit.activate(world, default)


def _activate_marked(world: World, root: Widget) -> None:
    for child in root.children:
        if child.selected:
            toolkit.activate(world, child)
            return


def default_button(world: World, window: FakeWindow) -> Widget | None:
    """What Enter presses in a window."""
    return next((each for each in window.root.walk() if each.default and world.showing(each)), None)


def _arrow(world: World, widget: Widget, down: int, right: int) -> None:
    if widget.sheet is not None:
        toolkit.commit_cell(widget, (down, right))
    elif widget.number is not None:
        toolkit.set_number(widget, widget.number + widget.step * (right - down))
        toolkit.run(widget.on_change)
    elif widget.role in ("menu", "listbox") and down:
        _mark_next(world, widget, down)
    elif widget.text is not None and right:
        place = max(0, min(len(widget.text), widget.caret + right))
        widget.caret = widget.anchor = place


def _mark_next(world: World, root: Widget, by: int) -> None:
    items = [child for child in root.children if child.selectable and child.enabled]
    marked = next((place for place, item in enumerate(items) if item.selected), -1 if by > 0 else 0)
    if not items:
        return
    item = items[(marked + by) % len(items)]
    if world.is_open(root):
        for other in items:
            other.selected = other is item
    else:
        toolkit.choose(world, item)


def _clear_cells(table: Widget, back: bool) -> None:
    """While a cell is edited the cursor stands at its end: there is nothing behind it to delete."""
    sheet = table.sheet
    if sheet is not None and sheet.editing is not None:
        sheet.editing = sheet.editing[:-1] if back else sheet.editing
    elif sheet is not None and sheet.spreadsheet:
        for address in sheet.selected or {sheet.cursor}:
            toolkit.store_cell(table, address, "")


def _select_all(world: World, widget: Widget) -> None:
    widget.anchor, widget.caret = 0, len(widget.text or "")


def _copy(world: World, widget: Widget) -> None:
    first, last = widget.selection
    if first < last and not widget.protected:
        world.clipboard = (widget.text or "")[first:last]


def _cut(world: World, widget: Widget) -> None:
    _copy(world, widget)
    if widget.selection[0] < widget.selection[1] and not widget.protected:
        toolkit.replace_selection(widget, "")


def _paste(world: World, widget: Widget) -> None:
    if world.clipboard is not None:
        toolkit.replace_selection(widget, world.clipboard)


def _backspace(world: World, widget: Widget) -> None:
    if widget.selection[0] == widget.selection[1]:
        widget.anchor = max(0, widget.caret - 1)
    toolkit.replace_selection(widget, "")


def _delete(world: World, widget: Widget) -> None:
    if widget.selection[0] == widget.selection[1]:
        widget.anchor = min(len(widget.text or ""), widget.caret + 1)
    toolkit.replace_selection(widget, "")


def _home(world: World, widget: Widget) -> None:
    widget.caret = widget.anchor = 0


def _end(world: World, widget: Widget) -> None:
    widget.caret = widget.anchor = len(widget.text or "")


_TEXT_KEYS: dict[str, Callable[[World, Widget], None]] = {
    "ctrl+a": _select_all, "ctrl+c": _copy, "ctrl+x": _cut, "ctrl+v": _paste, "backspace": _backspace,
    "delete": _delete, "home": _home, "end": _end, "ctrl+home": _home, "ctrl+end": _end,
}  # fmt: skip


def _edit(world: World, widget: Widget, name: str) -> None:
    if widget.text is not None and widget.editable:
        _TEXT_KEYS[name](world, widget)
