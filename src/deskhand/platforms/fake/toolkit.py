"""How widgets behave, whoever asks: a click, a key or the accessibility interface."""

from __future__ import annotations

from deskhand.platforms.fake.layout import reveal_cell
from deskhand.platforms.fake.model import CellAddress, Effect, Widget
from deskhand.platforms.fake.world import World


def run(effect: Effect | None) -> None:
    """Let the application react."""
    if effect is not None:
        effect()


def activate(world: World, widget: Widget) -> None:
    """What a widget does when it is pressed."""
    if not widget.enabled or widget.inert:
        return
    widget.presses += 1
    if widget.role == "menu":
        _open_menu(world, widget)
    elif widget.role == "combobox":
        _toggle_combo(world, widget)
    elif widget.role in ("option", "tab", "treeitem"):
        choose(world, widget)
    else:
        _press(world, widget)
    world.changed()


def _press(world: World, widget: Widget) -> None:
    if widget.checkable:
        check(widget)
    if widget.role.startswith("menuitem"):
        world.close_popups()
    run(widget.on_press)


def check(widget: Widget) -> None:
    """Turn a check mark; a radio button takes it from its siblings."""
    if widget.role == "radio":
        for other in widget.parent.children if widget.parent else ():
            other.checked = False if other.role == "radio" else other.checked
        widget.checked = True
    else:
        widget.checked = not widget.checked
    run(widget.on_change)


def _open_menu(world: World, menu: Widget) -> None:
    if world.is_open(menu):
        world.close_popups()
        return
    keep = list(menu.chain())
    if not any(world.is_open(link) for link in keep[1:]):
        world.close_popups()
    world.open_popup(menu)


def _toggle_combo(world: World, combo: Widget) -> None:
    if world.is_open(combo.children[0]):
        world.close_popups()
        return
    world.close_popups()
    combo.expanded = True
    world.open_popup(combo.children[0])


def choose(world: World, item: Widget, extend: bool = False) -> None:
    """Select one item among its siblings."""
    holder = item.parent
    if not extend or holder is None or not holder.multiselectable:
        for other in _family(item):
            other.selected = False
    item.selected = True
    if holder is not None and holder.parent is not None and holder.parent.role == "combobox":
        holder.parent.text = item.name
        world.close_popups()
        run(holder.parent.on_change)
    run(item.on_press)
    run(holder.on_change if holder is not None else None)


def _family(item: Widget) -> list[Widget]:
    if item.role != "treeitem":
        return item.parent.children if item.parent else []
    top = next((link for link in item.chain() if link.role == "tree"), item)
    return list(top.walk())


def expand(item: Widget) -> None:
    """Open or close a branch."""
    item.expanded = not item.expanded
    run(item.on_change)


def write(widget: Widget, wanted: str) -> None:
    """Replace a field's text by what the application makes of it."""
    old = widget.text or ""
    if widget.role == "spinbutton":
        _write_number(widget, wanted)
    else:
        widget.text = widget.rewrite(old, wanted)
    widget.caret = widget.anchor = len(widget.text or "")
    run(widget.on_change)


def _write_number(widget: Widget, wanted: str) -> None:
    widget.text = wanted
    try:
        number = float(wanted)
    except ValueError:
        return  # half-typed, as in a real spin button: the number stays until it is one
    set_number(widget, number)
    if widget.number == number:
        widget.text = wanted


def set_number(widget: Widget, number: float) -> None:
    """Set a number within its limits."""
    low = widget.minimum if widget.minimum is not None else number
    high = widget.maximum if widget.maximum is not None else number
    widget.number = max(low, min(high, number))
    if widget.text is not None:
        widget.text = str(int(widget.number)) if widget.number == int(widget.number) else str(widget.number)


def replace_selection(widget: Widget, text: str) -> None:
    """Type over what is selected, or at the caret."""
    first, last = widget.selection
    old = widget.text or ""
    write(widget, old[:first] + text + old[last:])
    widget.caret = widget.anchor = min(first + len(text), len(widget.text or ""))


def scroll(world: World, area: Widget, pixels: int) -> None:
    """Scroll an area within its content."""
    bottom = max((link.bounds.y + link.bounds.h for child in area.children for link in child.walk()), default=0)
    height = bottom - area.bounds.y + area.scrolled
    area.scrolled = max(0, min(area.scrolled + pixels, height - (area.viewport or 0)))
    world.changed()


def commit_cell(table: Widget, move: CellAddress = (0, 0)) -> None:
    """Keep what was typed into the current cell and move the cursor."""
    sheet = table.sheet
    assert sheet is not None
    if sheet.editing is not None:
        store_cell(table, sheet.cursor, sheet.editing)
        sheet.editing = None
    row = max(0, min(sheet.rows - 1, sheet.cursor[0] + move[0]))
    column = max(0, min(sheet.columns - 1, sheet.cursor[1] + move[1]))
    go_to_cell(table, (row, column))


def store_cell(table: Widget, address: CellAddress, text: str) -> None:
    """Write a cell; an empty text frees it."""
    sheet = table.sheet
    assert sheet is not None
    kept = table.rewrite(sheet.cells.get(address, ""), text)
    if kept:
        sheet.cells[address] = kept
    else:
        sheet.cells.pop(address, None)
    run(table.on_change)


def go_to_cell(table: Widget, address: CellAddress, extend: bool = False) -> None:
    """Put the cursor on a cell and show it."""
    sheet = table.sheet
    assert sheet is not None
    sheet.cursor = address
    sheet.selected = {*sheet.selected, address} if extend else {address}
    reveal_cell(table, address)
