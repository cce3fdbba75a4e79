"""Items into lines, by the grammar of docs/contract.md."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby

from deskhand.desktop.semantics import roles
from deskhand.desktop.semantics.outline import Item
from deskhand.desktop.semantics.quoting import SHORT_TEXT, cell, number, quote, quote_cut
from deskhand.desktop.semantics.viewport import LISTS, in_view, tree_rows
from deskhand.types.nodes import Cell, Grid

LONG_TEXT = 400
"""Characters of a multi-line editor's text that a view shows."""


OUT = "offscreen"
RUN = 3
"""From so many on, neighbours of one role share a line."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of each thing is said."""

    text: int = SHORT_TEXT
    editor: int = LONG_TEXT
    group: int = 100
    rows: int = 60
    columns: int = 26
    sections: bool = True
    bounds: bool = False
    actions: bool = False


def render(items: tuple[Item, ...], limits: Limits, indent: int = 0) -> list[str]:
    """Lines of all items, children indented by one blank; a run of like elements stands on one line."""
    lines: list[str] = []
    for (role, plain), run in groupby(items, key=_run_key):
        alike = tuple(run)
        if plain and len(alike) >= RUN:
            lines.append(_run_line(role, alike, limits, " " * indent))
        else:
            lines += [line for item in alike for line in _render(item, limits, indent)]
    return lines


def _run_key(item: Item) -> tuple[str, bool]:
    return item.role, item.role in roles.SPEAKING and not item.children


def _run_line(role: str, items: tuple[Item, ...], limits: Limits, pad: str) -> str:
    shown, out = _first(items, limits), all(OUT in item.states for item in items)
    said = ", ".join(say(item, limits, role) for item in (_hushed(shown) if out else shown))
    more = len(items) - len(shown)
    return f"{pad}{role}{f' {OUT}' if out else ''}: {said}" + (f", … {more} more" if more else "")


def _hushed(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Items of what is out of view: that each of them is goes without saying."""
    return tuple(replace(item, states=tuple(word for word in item.states if word != OUT)) for item in items)


def _first(items: tuple[Item, ...], limits: Limits) -> tuple[Item, ...]:
    """As many as are said on one line: the first ones, and whatever has the focus."""
    most = max(limits.group, 1)
    rest = tuple(item for item in items[most:] if _holds_focus(item)) if len(items) > most else ()
    return (*items[:most], *rest)


def _render(item: Item, limits: Limits, indent: int) -> list[str]:
    pad = " " * indent
    if OUT in item.states:
        item = replace(item, children=_hushed(item.children))
    if item.grid is not None:
        return [pad + line for line in grid_lines(item, item.grid, limits)]
    if not item.children:
        return [pad + say(item, limits)]
    if item.role in roles.TREES and any(child.role == "treeitem" for child in item.children):
        return _tree(item, limits, pad)
    if item.role in roles.GROUPING and not any(child.children or child.grid for child in item.children):
        return [_group(item, limits, pad)]
    head = pad + say(item, limits)
    if not limits.sections and not _holds_focus(item):
        return [f"{head}: {_count(item)} elements"]
    view = in_view(item, limits.rows if item.role in LISTS else len(item.children))
    return [f"{head} {view.words}" if view.words else head, *render(view.items, limits, indent + 1)]


def _group(item: Item, limits: Limits, pad: str) -> str:
    if not limits.group and not _holds_focus(item):
        return f"{pad}{say(item, limits)}: {len(item.children)} elements"
    view = in_view(item, max(limits.group, 8))
    options = item.role == "listbox" and all(child.role == "option" for child in view.items)
    usual = "option" if options else roles.USUAL_ITEM.get(item.role, "")
    parts = [say(child, limits, usual) for child in view.items] + ([view.words] if view.words else [])
    return f"{pad}{say(item, limits)}: {', '.join(parts)}"


def _tree(item: Item, limits: Limits, pad: str) -> list[str]:
    """A tree's rows, each on its line: ``-`` expanded, ``+`` collapsed."""
    rows, view = tree_rows(item, max(limits.group, limits.rows))
    usual = roles.USUAL_ITEM.get(item.role, "treeitem")
    head = say(item, limits) + (f" {view.words}" if view.words else "")
    lines = [f"{pad}{head}"]
    for depth, row in rows:
        open_ = "expanded" in row.states
        mark = "-" if open_ else "+" if row.expandable else " "
        bare = replace(row, states=tuple(state for state in row.states if state != "expanded"), children=())
        lines.append(f"{pad} {' ' * depth}{mark} {say(bare, limits, usual)}")
    return lines


def say(item: Item, limits: Limits, usual: str = "") -> str:
    """One element: ref, role, name, value, states, hint."""
    if item.ref is None:
        role = f"{item.role} " if item.role else ""
        return f"{role}{quote_cut(item.name, limits.text, item.length)}"
    parts = [item.ref]
    if item.role not in (usual, "paragraph"):
        parts.append(item.role)
    if item.name:
        parts.append(quote_cut(item.name, limits.text))
    if item.value is not None:
        parts.append(f"= {value(item, limits)}")
    parts += item.states
    if item.hint:
        parts.append(f"({quote_cut(item.hint, limits.text)})")
    if item.beyond is not None:
        parts.append(_beyond(*item.beyond))
    if limits.bounds and item.bounds:
        parts.append("@" + ",".join(str(n) for n in item.bounds))
    if limits.actions and item.actions:
        parts.append(f"[{', '.join(quote(action) for action in item.actions)}]")
    return " ".join(parts)


def _beyond(above: int, below: int) -> str:
    """How much of a document lies outside of what shows, in pages; less than one is told as such."""
    up, down = (str(pages) if pages >= 0 else "<1" for pages in (above, below))
    return f"… {up} pages above, {down} below"


def value(item: Item, limits: Limits) -> str:
    """What it holds."""
    if isinstance(item.value, str):
        return quote_cut(item.value, limits.editor if "\n" in item.value else limits.text, item.length)
    return number(item.value or 0.0)


def grid_lines(item: Item, grid: Grid, limits: Limits) -> list[str]:
    """A table: its size, what is used and seen, its columns, its rows that hold something."""
    used = _used(grid) if grid.view[:2] == (0, 0) else None  # more may lie where a scrolled view does not reach
    head = f"{item.ref} table {quote(item.name) + ' ' if item.name else ''}{grid.rows}x{grid.columns}"
    if grid.spreadsheet:
        head += f"{_range(' used ', used)} view {_address(grid.view[0], grid.view[1])}:{_last(grid.view)}"
    elif grid.view[2] - grid.view[0] < grid.rows:
        head += f" view {grid.view[0] + 1}:{grid.view[2]}"
    head += "".join(f" {state}" for state in item.states)
    rows = _rows(grid, limits)
    columns = max((c.column for cells in rows.values() for c in cells), default=grid.view[1] - 1) + 1
    lines = [head]
    heads = _heads(grid)[: columns - grid.view[1]]
    if rows and any(heads):
        lines.append("# " + ",".join(heads))
    lines += [_row(n, cells, grid.view[1]) for n, cells in rows.items()]
    left = len({c.row for c in grid.cells if c.text or c.selected}) - len(rows)
    return [*lines, f"… {left} rows more"] if left > 0 else lines


def _rows(grid: Grid, limits: Limits) -> dict[int, list[Cell]]:
    rows: dict[int, list[Cell]] = {}
    for one in grid.cells:
        if (one.text or one.selected) and one.column - grid.view[1] < limits.columns:
            rows.setdefault(one.row, []).append(one)
    return dict(list(rows.items())[: limits.rows])


def _row(row: int, cells: list[Cell], first: int) -> str:
    by_column = {one.column: one for one in cells}
    last = max(by_column)
    said = ",".join(cell(by_column[c].text) if c in by_column else "" for c in range(first, last + 1))
    mark = "*" if any(one.selected for one in cells) else ""
    return f"{row + 1}{mark} {said}".rstrip()


def _heads(grid: Grid) -> list[str]:
    return list(grid.heads) if grid.spreadsheet else [quote(head) if head else "" for head in grid.heads]


def _used(grid: Grid) -> tuple[int, int, int, int] | None:
    filled = [one for one in grid.cells if one.text]
    if not filled:
        return None
    rows, columns = [c.row for c in filled], [c.column for c in filled]
    return min(rows), min(columns), max(rows) + 1, max(columns) + 1


def _range(word: str, area: tuple[int, int, int, int] | None) -> str:
    return f"{word}{_address(area[0], area[1])}:{_last(area)}" if area else ""


def _last(area: tuple[int, int, int, int]) -> str:
    return _address(max(area[2] - 1, area[0]), max(area[3] - 1, area[1]))


def _address(row: int, column: int) -> str:
    return f"{column_name(column)}{row + 1}"


def address(grid: Grid, place: tuple[int, int]) -> str:
    """How a cell is named in brackets: ``B7`` in a spreadsheet, else ``7,2``."""
    row, column = place
    return _address(row, column) if grid.spreadsheet else f"{row + 1},{column + 1}"


def column_name(column: int) -> str:
    """0 → ``"A"``, 27 → ``"AB"``."""
    name, left = "", column + 1
    while left:
        left, letter = divmod(left - 1, 26)
        name = chr(65 + letter) + name
    return name


def _holds_focus(item: Item) -> bool:
    return "focused" in item.states or any(_holds_focus(child) for child in item.children)


def _count(item: Item) -> int:
    return sum((1 if child.ref else 0) + _count(child) for child in item.children)
