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
from dataclasses import dataclass, replace
from typing import Protocol

from deskhand.platforms.linux.atspi.bus import ATSPI, AccessibilityBus, join_key, split_key
from deskhand.platforms.linux.atspi.raw import SCREEN, Questions
from deskhand.types.geometry import Rect
from deskhand.types.nodes import Cell

View = tuple[int, int, int, int]
VIEWS = 40
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
class _Seen:
    """One view of one sheet: where its rows lie, how wide its columns are, what they held."""

    place: Place
    bands: tuple[tuple[int, int], ...]
    widths: tuple[int, ...]
    rows: tuple[_Row, ...]


class SheetReader:
    """Reads the visible cells of sheets. ``sight`` None: every row is asked for anew once its leases end."""

    def __init__(self, bus: AccessibilityBus, ask: Questions) -> None:
        self._bus, self._ask = bus, ask
        self._seen: OrderedDict[tuple[str, View], _Seen] = OrderedDict()
        self.sight: Sight | None = None

    def forget(self) -> None:
        """Read everything anew next time."""
        self._seen.clear()

    async def cells(self, key: str, view: View, place: Place | None, chosen: frozenset[tuple[int, int]]) -> list[Cell]:
        """All cells of ``view`` that hold something or are selected."""
        known = self._seen.get((key, view))
        if known is not None and place is not None and known.place != place:
            known = None  # moved or resized: its pixels and columns lie elsewhere
        look = await self.sight.look(place) if place is not None and self.sight is not None else None
        rows = await asyncio.gather(*(self._row(key, view, number, known, look) for number in range(view[2] - view[0])))
        await self._remember(key, view, place, known, rows, look)
        return [
            Cell(view[0] + r, view[1] + c, row.texts[c], row.keys[c], (view[0] + r, view[1] + c) in chosen)
            for r, row in enumerate(rows)
            for c in range(len(row.keys))
            if row.texts[c] or (view[0] + r, view[1] + c) in chosen
        ]

    async def _row(self, key: str, view: View, number: int, known: _Seen | None, look: Look | None) -> _Row:
        pixels = look.print(*known.bands[number]) if known and known.bands and look else b""
        if known is not None and pixels and pixels == known.rows[number].print:
            return await self._trusted(key, view, number, known.rows[number], known.widths)
        return await self._fresh(key, view, number, pixels)

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

    async def _remember(  # noqa: PLR0917
        self, key: str, view: View, place: Place | None, known: _Seen | None, rows: Sequence[_Row], look: Look | None
    ) -> None:
        if place is None or not rows:
            return
        bands, widths = (known.bands, known.widths) if known else await self._geometry(place.area, rows)
        if known is None and look is not None and bands:  # the look was taken before the first cell was asked for
            rows = [replace(row, print=look.print(*band)) for row, band in zip(rows, bands, strict=True)]
        self._seen[key, view] = _Seen(place, bands, widths, tuple(rows))
        self._seen.move_to_end((key, view))
        while len(self._seen) > VIEWS:
            self._seen.popitem(last=False)

    async def _geometry(self, area: Rect, rows: Sequence[_Row]) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
        """Where rows lie and how wide columns are, by the first cell of each; no bands where that is not told.

        The frame of cells is the sheet's own: the first cell lies in its corner.
        """
        lines = await asyncio.gather(*(self._ask.bounds(row.keys[0], SCREEN) for row in rows))
        columns = await asyncio.gather(*(self._ask.bounds(key, SCREEN) for key in rows[0].keys))
        widths = tuple(box.w if box else 0 for box in columns)
        first = lines[0]
        if first is None or any(box is None or box.h <= 0 for box in lines):
            return (), widths
        return tuple((area.y + box.y - first.y, box.h) for box in lines if box), widths

    async def _at(self, key: str, row: int, column: int) -> str:
        app, path = split_key(key)
        return join_key(await self._bus.call(app, path, ATSPI + "Table", "GetAccessibleAt", "ii", row, column))

    async def _text(self, cell: str) -> str:
        return "" if cell.endswith("/null") else await self._ask.text(cell, 0, -1)
