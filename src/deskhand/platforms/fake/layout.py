"""Where widgets lie: rows from top to bottom, bars from left to right, popups where they open."""

from __future__ import annotations

from deskhand.platforms.fake.model import NOWHERE, CellAddress, FakeWindow, Widget
from deskhand.types.geometry import Rect

ROW = 28
CELL_WIDTH = 80
BAR_ITEM = 96
TABLE_ROWS = 10
"""Rows of a table that show at once."""
TEXT_AREA = 112
BARS = ("menubar", "toolbar")


def arrange(window: FakeWindow) -> None:
    """Give every widget of a surface its root-pixel bounds."""
    x, y, width, _ = window.bounds
    if not window.popup:
        window.root.bounds = window.bounds
    for child in window.root.children:
        y += _place(child, x, y, width)


def _place(widget: Widget, x: int, y: int, width: int) -> int:
    if not widget.visible:
        _nowhere(widget)
        return 0
    if widget.role in BARS:
        return _bar(widget, x, y, width)
    if widget.role == "tablist":
        return _tabs(widget, x, y, width)
    if widget.role == "treeitem":
        return _branch(widget, x, y, width)
    if widget.viewport is not None:
        _stack(widget, x, y - widget.scrolled, width)
        return _set(widget, x, y, width, widget.viewport)
    if widget.children and widget.role not in ("menu", "combobox"):
        height = _stack(widget, x, y, width)
        return _set(widget, x, y, width, height)
    return _set(widget, x, y, width, _own_height(widget))


def _own_height(widget: Widget) -> int:
    if widget.sheet is not None:
        return ROW * (TABLE_ROWS + 1)
    return TEXT_AREA if widget.multiline else ROW


def _set(widget: Widget, x: int, y: int, width: int, height: int) -> int:
    widget.bounds = Rect(x, y, width, height)
    return height


def _stack(widget: Widget, x: int, y: int, width: int) -> int:
    below = y
    for child in widget.children:
        below += _place(child, x, below, width)
    return below - y


def _bar(widget: Widget, x: int, y: int, width: int) -> int:
    for place, child in enumerate(item for item in widget.children if item.visible):
        _set(child, x + place * BAR_ITEM, y, BAR_ITEM, ROW)
    return _set(widget, x, y, width, ROW)


def _tabs(widget: Widget, x: int, y: int, width: int) -> int:
    height = ROW
    for place, tab in enumerate(widget.children):
        if tab.selected:
            height += _stack(tab, x, y + ROW, width)
        _set(tab, x + place * BAR_ITEM, y, BAR_ITEM, ROW)
    return _set(widget, x, y, width, height)


def _branch(widget: Widget, x: int, y: int, width: int) -> int:
    _set(widget, x, y, width, ROW)
    return ROW + (_stack(widget, x + 16, y + ROW, width - 16) if widget.expanded else 0)


def _nowhere(widget: Widget) -> None:
    for each in widget.walk():
        each.bounds = NOWHERE


def cell_bounds(table: Widget, address: CellAddress) -> Rect:
    """Where a cell lies, also outside of what shows."""
    sheet = table.sheet
    assert sheet is not None
    row, column = address[0] - sheet.origin[0], address[1] - sheet.origin[1]
    return Rect(table.bounds.x + column * CELL_WIDTH, table.bounds.y + (row + 1) * ROW, CELL_WIDTH, ROW)


def cell_at(table: Widget, x: int, y: int) -> CellAddress | None:
    """The cell under a point of a table, None on its heads or beyond its end."""
    sheet = table.sheet
    assert sheet is not None
    row = (y - table.bounds.y) // ROW - 1
    column = (x - table.bounds.x) // CELL_WIDTH
    address = row + sheet.origin[0], column + sheet.origin[1]
    inside = row >= 0 and address[0] < sheet.rows and address[1] < sheet.columns
    return address if inside else None


def shown_range(table: Widget) -> tuple[int, int, int, int]:
    """The range of a table that shows, half open."""
    sheet = table.sheet
    assert sheet is not None
    row, column = sheet.origin
    across = max(1, table.bounds.w // CELL_WIDTH)
    return row, column, min(sheet.rows, row + TABLE_ROWS), min(sheet.columns, column + across)


def reveal_cell(table: Widget, address: CellAddress) -> None:
    """Scroll the table so that the cell shows."""
    sheet = table.sheet
    assert sheet is not None
    first_row, first_column, last_row, last_column = shown_range(table)
    row, column = address
    if not first_row <= row < last_row:
        first_row = max(0, min(row, sheet.rows - TABLE_ROWS))
    if not first_column <= column < last_column:
        first_column = column
    sheet.origin = (first_row, first_column)
