"""Cells of tables as elements of their own: found, selected and looked at by what they hold."""

from __future__ import annotations

from collections.abc import Iterable

from deskhand.desktop.semantics.lines import address
from deskhand.desktop.semantics.outline import Item, state_words
from deskhand.types.nodes import Cell, Grid, Node

CELL = "cell"


def cell_items(table: Item) -> list[Item]:
    """What a table shows, cell by cell; each is called by its text and its ref is the table's with its place."""
    if table.grid is None or table.ref is None:
        return []
    return [_cell(table, table.grid, cell) for cell in table.grid.cells if cell.text]


def _cell(table: Item, grid: Grid, cell: Cell) -> Item:
    place = address(grid, (cell.row, cell.column))
    chosen = ("selected",) if cell.selected else ()
    key = cell.key or f"{table.key}#{place}"
    return Item(key, f"{table.ref}[{place}]", CELL, cell.text, None, len(cell.text), chosen, bounds=cell.bounds)


def all_cells(items: Iterable[Item]) -> list[Item]:
    """Those of all tables among these items."""
    return [cell for item in items for cell in cell_items(item)]


def cell_item(node: Node, ref: str) -> Item:
    """One cell that was read by itself, with its formula as the hint."""
    held = (node.text or "", node.text_length)
    return Item(node.key, ref, CELL, "", *held, state_words(node), node.formula, bounds=node.bounds)
