"""Tables by range: what shows, or what is asked for, never all of it (a Calc sheet has 17 billion cells).

The visible range is found from the cells in the view's corners; cells and their texts are pipelined (measured: 782
cells of a sheet in 80 ms).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from itertools import product

from deskhand.platforms.base import ReadLimits
from deskhand.platforms.linux.atspi import vocabulary as words
from deskhand.platforms.linux.atspi.bus import ATSPI, Refused, join_key, split_key
from deskhand.platforms.linux.atspi.quirks.base import Quirks
from deskhand.platforms.linux.atspi.raw import SCREEN, Questions, Raw
from deskhand.platforms.linux.atspi.sheets import Place, SheetReader
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Rect
from deskhand.types.nodes import Ability, Cell, Grid

_ADDRESS = re.compile(r"([A-Z]{1,3})([1-9]\d{0,6})")
_TABLE_ROLES = frozenset({"table", "treegrid", "tree"})
SHEET_CHILDREN = 100_000
SELECTED_MOST = 40
"""More selected cells than this are not marked: each that is asked for stays in LibreOffice's memory."""
HEADS_MOST = 60
_CORNER = 3  # pixels inside the view's corner
_STEP, _STEPS_MOST = 12, 40
"""Pixels between the places, and how many of them, at which the last cell is looked for from an edge on."""


class TableReader:
    """Reads tables and cells by row and column (both from 0)."""

    def __init__(self, ask: Questions, quirks: Mapping[str, Quirks], plain: TableReader | None = None) -> None:
        self._bus, self._ask, self._quirks = ask.asker, ask, quirks
        self.outlived = 0  # cells that were told and are not those at their places
        self._plain = plain or self
        self.sheets: SheetReader = plain.sheets if plain else SheetReader(ask)

    def through(self, ask: Questions) -> TableReader:
        """The same, asking through ``ask``; but not for sheets, whose cells must not be asked for ahead."""
        return TableReader(ask, self._quirks, self)

    def is_table(self, raw: Raw) -> bool:
        """Whether it is read by range instead of by children."""
        return raw.role in _TABLE_ROLES and bool(raw.abilities & Ability.TABLE)

    async def read(
        self,
        raw: Raw,
        view: tuple[int, int, int, int] | None,
        limits: ReadLimits,
        place: Place | None = None,
        line: str | None = None,
    ) -> tuple[Grid, tuple[Raw, ...]]:
        """The cells in ``view`` and the column headers that show.

        ``view`` None: the cells that show, at most ``limits.rows`` × ``limits.columns``. ``place``: where the table is
        drawn, for a sheet whose view is read.
        """
        app, path = split_key(raw.key)
        said = await self._bus.get_all(app, path, "Table")
        rows, columns = max(0, int(said["NRows"])), max(0, int(said["NColumns"]))
        sheet = rows * columns > SHEET_CHILDREN
        reader = self._plain if sheet else self
        return await reader._read(raw, (rows, columns, sheet), view, limits, place, line)

    async def _read(  # noqa: PLR0917
        self,
        raw: Raw,
        shape: tuple[int, int, bool],
        view: tuple[int, int, int, int] | None,
        limits: ReadLimits,
        place: Place | None,
        line: str | None,
    ) -> tuple[Grid, tuple[Raw, ...]]:
        rows, columns, sheet = shape
        heads = () if sheet or raw.page else await self._shown_heads(raw.key, columns)
        below = max((head.bounds.h for head in heads if head.bounds), default=0)
        first_row, first_column, last_row, last_column = (
            view or await self._range(raw, rows, columns, below, limits)
        )  # fmt: skip
        last_row = min(rows, last_row, first_row + limits.rows)
        last_column = min(columns, last_column, first_column + limits.columns)
        view = (first_row, first_column, max(first_row, last_row), max(first_column, last_column))
        if sheet:
            cells = await self.sheets.cells(raw.key, view, place, await self._selected(raw.key), line)
        else:
            cells = await self._cells(raw.key, view)
        names = tuple(column_name(c) for c in range(view[1], view[3])) if sheet else ()
        if not sheet and not raw.page:  # a page's heads are its first row
            names = await self._heads(raw.key, view)
        return Grid(raw.key, rows, columns, view, tuple(cells), names, sheet), heads

    async def _shown_heads(self, key: str, columns: int) -> tuple[Raw, ...]:
        """Column headers that are elements of their own (GTK: clickable, drawn inside of the table's bounds)."""
        if not 0 < columns <= HEADS_MOST:
            return ()
        app, path = split_key(key)
        asked = (
            self._bus.call(app, path, ATSPI + "Table", "GetColumnHeader", "i", column) for column in range(columns)
        )
        try:
            keys = [join_key(head) for head in await asyncio.gather(*asked)]
        except Refused:
            return ()
        keys = list(dict.fromkeys(head for head in keys if not head.endswith("/null")))
        read = await self._ask.elements(((head, key, n) for n, head in enumerate(keys)), SCREEN)
        shown = [raw for raw in read if raw and raw.role == "columnheader" and raw.bit(words.SHOWING)]
        return tuple(raw for raw in shown if raw.bounds and not raw.bounds.empty)

    async def head_height(self, key: str) -> int:
        """Pixels at the top of a table that its column headers cover."""
        heads = await self._shown_heads(key, 1)
        return heads[0].bounds.h if heads and heads[0].bounds else 0

    async def index(self, cell: str) -> int:
        """Its place among its table's children."""
        app, path = split_key(cell)
        return int(await self._bus.call(app, path, ATSPI + "Accessible", "GetIndexInParent"))

    async def cell_key(self, key: str, row: int, column: int) -> str:
        """Key of one cell. Raises ``not_found`` outside of the table."""
        try:
            found = await self._at(key, row, column)
        except Refused as error:
            raise DeskhandError("not_found", f"the table has no cell at row {row + 1}, column {column + 1}") from error
        if found.endswith("/null"):
            raise DeskhandError("not_found", f"the table has no cell at row {row + 1}, column {column + 1}")
        return found

    async def only_paragraph(self, cell: str) -> str | None:
        """The one paragraph that a cell of a text document holds, which takes what is written to the cell."""
        app, path = split_key(cell)
        name = str(await self._bus.get(app, path, "Accessible", "Name") or "")
        if parse_address(name) is None:
            return None
        children = await self._ask.children(cell)
        if len(children) != 1:
            return None
        only = await self._ask.element(children[0], cell, SCREEN)
        return only.key if only is not None and only.role == "paragraph" else None

    async def _at(self, key: str, row: int, column: int) -> str:
        app, path = split_key(key)
        return join_key(await self._bus.call(app, path, ATSPI + "Table", "GetAccessibleAt", "ii", row, column))

    async def _selected(self, key: str) -> frozenset[tuple[int, int]]:
        """Rows and columns of the selected cells of a sheet."""
        app, path = split_key(key)
        count = int(await self._bus.get(app, path, "Selection", "NSelectedChildren"))
        if not 0 < count <= SELECTED_MOST:
            return frozenset()
        asked = (self._bus.call(app, path, ATSPI + "Selection", "GetSelectedChild", "i", n) for n in range(count))
        keys = [join_key(child) for child in await asyncio.gather(*asked)]
        names = await asyncio.gather(*(self._bus.get(*split_key(cell), "Accessible", "Name") for cell in keys))
        return frozenset(place for name in names if (place := parse_address(str(name))) is not None)

    async def _cells(self, key: str, view: tuple[int, int, int, int]) -> list[Cell]:
        places = list(product(range(view[0], view[2]), range(view[1], view[3])))
        keys = await asyncio.gather(*(self._at(key, row, column) for row, column in places))
        read = await asyncio.gather(*(self._cell_text(cell) for cell in keys))
        return [
            Cell(row, column, text, cell, selected)
            for (row, column), cell, (text, selected) in zip(places, keys, read, strict=True)
            if text or selected
        ]

    async def _cell_text(self, key: str) -> tuple[str, bool]:
        if key.endswith("/null"):
            return "", False
        text, bits = await asyncio.gather(self._content(key), self._ask.bits(key))
        if not bits & (words.SHOWING | words.VISIBLE) and await self._has_outlived(key):
            self.outlived += 1
            return "", False
        return text, bool(bits >> 23 & 1)

    async def _has_outlived(self, key: str) -> bool:
        """Whether it is the object of a row that is not drawn any more, though asked for by its place."""
        quirks = self._quirks.get(split_key(key)[0])
        if quirks is None or not quirks.cells_outlive_rows:
            return False
        bounds = await self._ask.bounds(key, SCREEN)
        return bounds is None or bounds.empty

    async def _content(self, key: str) -> str:
        text = await self._written(key)
        if text is not None:
            return text
        name = str(await self._bus.get(*split_key(key), "Accessible", "Name") or "")
        if parse_address(name) is not None and await self._ask.children(key):
            name = ""  # Writer calls the cells of its tables A1, B1 …; what they hold stands in their paragraphs
        return name or await self._drawn(key)

    async def _written(self, key: str) -> str | None:
        """Its text; None where it has no such interface."""
        if key in self._ask.fixed.mute:
            return None
        try:
            return await self._ask.text(key, 0, -1)
        except Refused:
            self._ask.fixed.silent(key)
            return None

    async def _drawn(self, key: str) -> str:
        """What several renderers of one cell say together (an icon and a name), each thing once."""
        parts = await asyncio.gather(*(self._written(part) for part in await self._ask.children(key)))
        return " ".join(dict.fromkeys(part for part in parts if part))

    async def _heads(self, key: str, view: tuple[int, int, int, int]) -> tuple[str, ...]:
        app, path = split_key(key)
        asked = (
            self._bus.call(app, path, ATSPI + "Table", "GetColumnDescription", "i", column)
            for column in range(view[1], view[3])
        )
        try:
            return tuple(str(head) for head in await asyncio.gather(*asked))
        except Refused:
            return ()

    async def _range(
        self, raw: Raw, rows: int, columns: int, below: int, limits: ReadLimits
    ) -> tuple[int, int, int, int]:
        """A page's table whole where it is small; of any other what shows."""
        if raw.page and rows <= limits.rows:
            return 0, 0, rows, columns
        return await self._visible(raw, rows, columns, below)

    async def _visible(self, raw: Raw, rows: int, columns: int, below: int) -> tuple[int, int, int, int]:
        """The range between the cells under the view's corners (in the toolkit's own frame), ``below`` the heads."""
        if raw.bounds is None or raw.bounds.empty:
            return 0, 0, 0, 0
        inner = await self._clip(raw)
        left, top = inner.x + _CORNER, inner.y + below + _CORNER
        right, bottom = inner.x + inner.w - _CORNER, inner.y + inner.h - _CORNER
        first = await self._place_at(raw.key, left, top, columns)
        last = await self._place_at(raw.key, right, bottom, columns)
        first_row, first_column = first or (0, 0)
        if last is None:  # the columns end before the table does, or a scroll bar lies there
            last = await self._ends(raw.key, Rect(left, top, right - left, bottom - top), (rows, columns))
        return first_row, first_column, last[0] + 1, last[1] + 1

    async def _ends(self, key: str, area: Rect, size: tuple[int, int]) -> tuple[int, int]:
        """The last row and column that show: the table's own where these do, else what lies at the area's edges."""
        rows, columns = size
        low, far = await asyncio.gather(self._edge(key, rows - 1, 0), self._edge(key, 0, columns - 1))
        row = rows - 1 if low and low.y < area.y + area.h and low.y + low.h > area.y else None
        column = columns - 1 if far and far.x < area.x + area.w and far.x + far.w > area.x else None
        down = [area.y + area.h - step for step in range(0, area.h, _STEP)][:_STEPS_MOST]
        across = [area.x + area.w - step for step in range(0, area.w, _STEP)][:_STEPS_MOST]
        return (
            row if row is not None else await self._probe(key, [(area.x, y) for y in down], columns, 0, rows - 1),
            column
            if column is not None
            else await self._probe(key, [(x, area.y) for x in across], columns, 1, columns - 1),
        )

    async def _edge(self, key: str, row: int, column: int) -> Rect | None:
        """Where a cell lies; None where it tells no place."""
        try:
            bounds = await self._ask.bounds(await self._at(key, row, column), SCREEN)
        except Refused:
            return None
        return bounds if bounds is not None and not bounds.empty else None

    async def _probe(self, key: str, points: list[tuple[int, int]], columns: int, axis: int, otherwise: int) -> int:
        """The row (axis 0) or column (1) of the first of the points that lies on a cell."""
        found = await asyncio.gather(*(self._place_at(key, x, y, columns) for x, y in points))
        return next((place[axis] for place in found if place is not None), otherwise)

    async def _clip(self, raw: Raw) -> Rect:
        """The table's bounds, cut by its parent's where a scrolled table is larger than what shows."""
        assert raw.bounds is not None
        outer = await self._ask.bounds(raw.parent, SCREEN) if raw.parent else None
        cut = raw.bounds.intersect(outer) if outer else raw.bounds
        return raw.bounds if cut.empty else cut

    async def _place_at(self, key: str, x: int, y: int, columns: int) -> tuple[int, int] | None:
        app, path = split_key(key)
        try:
            under = join_key(
                await self._bus.call(app, path, ATSPI + "Component", "GetAccessibleAtPoint", "iiu", x, y, SCREEN)
            )
        except Refused:
            return None
        return None if under.endswith("/null") else await self._place(key, under, columns)

    async def _place(self, table: str, cell: str, columns: int) -> tuple[int, int] | None:
        app, path = split_key(cell)
        address = parse_address(str(await self._bus.get(app, path, "Accessible", "Name")))
        if address:
            return address
        index = int(await self._bus.call(app, path, ATSPI + "Accessible", "GetIndexInParent"))
        if index < 0:
            return None
        table_path = split_key(table)[1]
        row = int(await self._bus.call(app, table_path, ATSPI + "Table", "GetRowAtIndex", "i", index))
        column = int(await self._bus.call(app, table_path, ATSPI + "Table", "GetColumnAtIndex", "i", index))
        return (row, column) if row >= 0 and column >= 0 else None


def parse_address(address: str) -> tuple[int, int] | None:
    """``"B7"`` → (6, 1): row and column from 0; None for anything else."""
    match = _ADDRESS.fullmatch(address)
    if match is None:
        return None
    column = 0
    for letter in match[1]:
        column = column * 26 + ord(letter) - 64
    return int(match[2]) - 1, column - 1


def column_name(column: int) -> str:
    """0 → ``"A"``, 27 → ``"AB"``."""
    name = ""
    number = column + 1
    while number:
        number, letter = divmod(number - 1, 26)
        name = chr(65 + letter) + name
    return name
