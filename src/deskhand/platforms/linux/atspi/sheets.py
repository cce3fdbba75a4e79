"""Spreadsheet cells with as few cell objects as can be: report 16 (the application's memory).

LibreOffice (7.4) never frees a cell's accessible object while its sheet lives (measured: 6.5 KB each, 5.4 MB for each
full read of a view). Nor may an old object be asked again: it goes on telling what it told first (measured: after
Delete). So where a row's pixels are the very ones that were there when it was read — uncovered, and with the
application at rest, so that all is drawn that it means to draw — what was read stands; any other row is asked for
anew, and so is a cell whose text may be cut by its column.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from deskhand.platforms.linux.atspi.bus import ATSPI, AccessibilityBus, join_key, split_key
from deskhand.platforms.linux.atspi.raw import SCREEN, Questions
from deskhand.types.geometry import Rect
from deskhand.types.nodes import Cell

View = tuple[int, int, int, int]
VIEWS = 40
BLANKS = 400
"""Views remembered; scrolled away and back is seen before."""
WIDEST_LETTER = 11
"""Pixels; a text of more than column width / this many letters may be cut."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sheet is drawn: its area in root pixels, and the system's id of the window that it is drawn in."""

    area: Rect
    surface: int


class Look(Protocol):
    """One look at an area."""

    def print(self, top: int, height: int) -> bytes:
        """A fingerprint of the pixels of a band (root pixels); empty where anything lies over it."""
        ...


class Sight(Protocol):
    """Eyes for what is drawn."""

    async def look(self, place: Place) -> Look | None:
        """A look at the area once its application is at rest; None where it does not come to rest."""
        ...


@dataclass(frozen=True, slots=True)
class _Row:
    """One row as last read. ``print`` are its pixels while it held these texts; empty where they were not seen."""

    keys: tuple[str, ...]
    texts: tuple[str, ...]
    print: bytes


@dataclass(frozen=True, slots=True)
class _Shape:
    """Where the rows of a view lie (top, height in root pixels) and how wide its columns are. No bands: not told."""

    bands: tuple[tuple[int, int], ...] = ()
    widths: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Seen:
    """One view of one sheet as last read."""

    place: Place
    shape: _Shape
    rows: tuple[_Row, ...]


class SheetReader:
    """Reads the visible cells of sheets. ``sight`` None: everything is asked for anew each time."""

    def __init__(self, bus: AccessibilityBus, ask: Questions) -> None:
        self._bus, self._ask = bus, ask
        self._seen: OrderedDict[tuple[str, View], _Seen] = OrderedDict()
        self._blank: OrderedDict[tuple[tuple[int, ...], bytes], None] = (
            OrderedDict()
        )  # pixels of rows that hold nothing
        self.sight: Sight | None = None

    def forget(self) -> None:
        """Read everything anew next time."""
        self._seen.clear()
        self._blank.clear()

    async def cells(self, key: str, view: View, place: Place | None, chosen: frozenset[tuple[int, int]]) -> list[Cell]:
        """All cells of ``view`` that hold something or are selected."""
        known = self._seen.get((key, view))
        if known is not None and place is not None and known.place != place:
            known = None  # moved or resized: its pixels and columns lie elsewhere
        look = await self.sight.look(place) if place is not None and self.sight is not None else None
        shape = known.shape if known else await self._shape(key, view, place)
        rows = [await self._row(key, view, n, shape, known, look) for n in range(view[2] - view[0])]
        if place is not None:
            self._remember(key, view, _Seen(place, shape, tuple(rows)))
        return [
            Cell(view[0] + r, view[1] + c, text, row.keys[c] or None, (view[0] + r, view[1] + c) in chosen)
            for r, row in enumerate(rows)
            for c, text in enumerate(row.texts)
            if text or (view[0] + r, view[1] + c) in chosen
        ]

    async def _row(  # noqa: PLR0917
        self, key: str, view: View, number: int, shape: _Shape, known: _Seen | None, look: Look | None
    ) -> _Row:
        """One row; a row that holds nothing looks like any other such row of the same columns."""
        pixels = look.print(*shape.bands[number]) if shape.bands and look else b""
        if pixels and known is not None and pixels == known.rows[number].print:
            return await self._trusted(key, view, number, known.rows[number], shape.widths)
        if pixels and (shape.widths, pixels) in self._blank:
            return _Row(("",) * len(shape.widths), ("",) * len(shape.widths), pixels)
        row = await self._fresh(key, view, number, pixels)
        if pixels and not any(row.texts):
            self._blank[shape.widths, pixels] = None
            if len(self._blank) > BLANKS:
                self._blank.popitem(last=False)
        return row

    async def _fresh(self, key: str, view: View, number: int, pixels: bytes) -> _Row:
        row = view[0] + number
        keys = await asyncio.gather(*(self._at(key, row, column) for column in range(view[1], view[3])))
        texts = await asyncio.gather(*(self._text(cell) for cell in keys))
        return _Row(tuple(keys), tuple(texts), pixels)

    async def _trusted(self, key: str, view: View, number: int, old: _Row, widths: Sequence[int]) -> _Row:
        """What was read stands, but for cells that may hold more than they show."""
        cut = [c for c, text in enumerate(old.texts) if c >= len(widths) or len(text) * WIDEST_LETTER > widths[c]]
        keys = await asyncio.gather(*(self._at(key, view[0] + number, view[1] + c) for c in cut))
        texts = await asyncio.gather(*(self._text(cell) for cell in keys))
        said = list(old.texts)
        for c, text in zip(cut, texts, strict=True):
            said[c] = text
        return _Row(old.keys, tuple(said), old.print)

    def _remember(self, key: str, view: View, seen: _Seen) -> None:
        self._seen[key, view] = seen
        self._seen.move_to_end((key, view))
        while len(self._seen) > VIEWS:
            self._seen.popitem(last=False)

    async def _shape(self, key: str, view: View, place: Place | None) -> _Shape:
        """The shape of a view, by the first cell of each row and column. The frame of cells is the sheet's own: the
        first cell lies in its corner."""
        columns = range(view[1], view[3])
        if place is None or not columns:
            return _Shape()
        lines = await asyncio.gather(*(self._box(key, row, view[1]) for row in range(view[0], view[2])))
        heads = await asyncio.gather(*(self._box(key, view[0], column) for column in columns))
        widths = tuple(box.w if box else 0 for box in heads)
        first = lines[0] if lines else None
        if first is None or any(box is None or box.h <= 0 for box in lines):
            return _Shape((), widths)
        return _Shape(tuple((place.area.y + box.y - first.y, box.h) for box in lines if box), widths)

    async def _box(self, key: str, row: int, column: int) -> Rect | None:
        return await self._ask.bounds(await self._at(key, row, column), SCREEN)

    async def _at(self, key: str, row: int, column: int) -> str:
        app, path = split_key(key)
        return join_key(await self._bus.call(app, path, ATSPI + "Table", "GetAccessibleAt", "ii", row, column))

    async def _text(self, cell: str) -> str:
        return "" if cell.endswith("/null") else await self._ask.text(cell, 0, -1)
