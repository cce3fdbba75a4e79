"""Spreadsheet cells with as few cell objects as can be: report 16 (the application's memory).

LibreOffice (7.4) never frees a cell's accessible object while its sheet lives (measured: 6.5 KB each, 5.4 MB for each
full read of a view). Nor may an old object be asked again: it goes on telling what it told first (measured: after
Delete). So where a cell's pixels are the very ones that were there when it was read — uncovered, and with the
application at rest, so that all is drawn that it means to draw — what was read stands; a cell that looks like one of
its size that holds nothing holds nothing; any other is asked for anew, and so is one whose text its column may cut.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import Protocol

from deskhand.platforms.linux.atspi import vocabulary as words
from deskhand.platforms.linux.atspi.bus import ATSPI, join_key, split_key
from deskhand.platforms.linux.atspi.raw import SCREEN, Questions
from deskhand.types.geometry import Rect
from deskhand.types.nodes import Cell

View = tuple[int, int, int, int]
FOCUSED = 1 << 12
VIEWS = 40
BLANKS = 2000
"""Views remembered; scrolled away and back is seen before."""
LINE = 17
"""Pixels of a row of 10-point text; letters are taken to grow with the row."""
NARROW, USUAL, WIDE = 5.0, 9.0, 14.0
_NARROW = frozenset(" .,:;'|!ijlIrtf()[]-")
_WIDE = frozenset("mwMWQ@%&—…")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sheet is drawn: its area in root pixels, and the system's id of the window that it is drawn in."""

    area: Rect
    surface: int


class Look(Protocol):
    """One look at an area."""

    def print(self, area: Rect) -> bytes:
        """A fingerprint of the pixels of a part; empty where anything lies over it or it is not all in the look."""
        ...


class Sight(Protocol):
    """Eyes for what is drawn."""

    async def look(self, place: Place) -> Look | None:
        """A look at the area once its application is at rest; None where it does not come to rest."""
        ...


@dataclass(frozen=True, slots=True)
class _Held:
    """One cell as last read. ``print`` are its pixels while it held this; empty where they were not seen."""

    key: str | None
    text: str
    print: bytes


@dataclass(frozen=True, slots=True)
class _Shape:
    """Where the rows (top, height) and columns (left, width) of a view lie, in root pixels. Empty: not told."""

    rows: tuple[tuple[int, int], ...] = ()
    columns: tuple[tuple[int, int], ...] = ()

    def cell(self, row: int, column: int) -> Rect | None:
        """The place of a cell, counted from the view's corner."""
        if not self.rows or not self.columns:
            return None
        (top, height), (left, width) = self.rows[row], self.columns[column]
        return Rect(left, top, width, height)


@dataclass(frozen=True, slots=True)
class _Seen:
    """One view of one sheet as last read; cells by row and column from its corner."""

    place: Place
    shape: _Shape
    cells: dict[tuple[int, int], _Held]


class SheetReader:
    """Reads the visible cells of sheets. ``sight`` None: everything is asked for anew each time."""

    def __init__(self, ask: Questions) -> None:
        self._bus, self._ask = ask.asker, ask
        self._seen: OrderedDict[tuple[str, View], _Seen] = OrderedDict()
        self._blank: OrderedDict[tuple[int, int, bytes], None] = OrderedDict()  # looks of cells that hold nothing
        self.sight: Sight | None = None

    def forget(self) -> None:
        """Read everything anew next time."""
        self._seen.clear()
        self._blank.clear()

    async def cells(
        self, key: str, view: View, place: Place | None, chosen: frozenset[tuple[int, int]], line: str | None
    ) -> list[Cell]:
        """All cells of ``view`` that hold something or are selected. ``line``: what the formula bar shows."""
        known = self._seen.get((key, view))
        if known is not None and place is not None and known.place != place:
            known = None  # moved or resized: its pixels lie elsewhere
        look = await self.sight.look(place) if place is not None and self.sight is not None else None
        shape = known.shape if known else await self._shape(key, view, place)
        held: dict[tuple[int, int], _Held] = {}
        for row in range(view[2] - view[0]):  # one after the other: each row teaches what holds nothing looks like
            held |= await self._row(key, view, row, shape, known, look, line)
        if place is not None:
            self._remember(key, view, _Seen(place, shape, held))
        return [
            Cell(view[0] + r, view[1] + c, cell.text, cell.key, (view[0] + r, view[1] + c) in chosen)
            for (r, c), cell in held.items()
            if cell.text or (view[0] + r, view[1] + c) in chosen
        ]

    async def _row(  # noqa: PLR0917
        self,
        key: str,
        view: View,
        row: int,
        shape: _Shape,
        known: _Seen | None,
        look: Look | None,
        line: str | None,
    ) -> dict[tuple[int, int], _Held]:
        places = [(row, column) for column in range(view[3] - view[1])]
        held = {at: self._recalled(shape.cell(*at), known.cells.get(at) if known else None, look) for at in places}
        asked = [at for at, cell in held.items() if cell is None]
        fresh = await asyncio.gather(*(self._asked(key, view, at, shape.cell(*at), look, line) for at in asked))
        return {at: cell for at, cell in {**held, **dict(zip(asked, fresh, strict=True))}.items() if cell is not None}

    def _recalled(self, area: Rect | None, old: _Held | None, look: Look | None) -> _Held | None:
        """What a cell holds by its look; None where it has to be asked for."""
        pixels = look.print(area) if look is not None and area is not None else b""
        if not pixels or area is None:
            return None
        if old is not None and old.print == pixels and drawn_width(old.text, area.h) <= area.w:
            return old
        return _Held(None, "", pixels) if (area.w, area.h, pixels) in self._blank else None

    async def _asked(  # noqa: PLR0917
        self, key: str, view: View, at: tuple[int, int], area: Rect | None, look: Look | None, line: str | None
    ) -> _Held:
        cell = await self._at(key, view[0] + at[0], view[1] + at[1])
        text = await self._text(cell)
        if line is not None and text != line and text and await self._active(cell):
            text = live_content(text, line)
        if not text and not cell.endswith("/null"):
            text = await self._failed_formula(cell)
        pixels = look.print(area) if look is not None and area is not None else b""
        if pixels and area is not None and not text:
            self._blank[area.w, area.h, pixels] = None
            if len(self._blank) > BLANKS:
                self._blank.popitem(last=False)
        return _Held(None if cell.endswith("/null") else cell, text, pixels)

    async def _active(self, cell: str) -> bool:
        """Whether the sheet's cursor is on it."""
        return bool(await self._ask.bits(cell) & FOCUSED)

    async def _failed_formula(self, cell: str) -> str:
        """A formula that ends in an error tells no text (LibreOffice 7.4): then the formula itself is told."""
        said = await self._bus.get_all(*split_key(cell), "Accessible")
        formula = words.formula(said.get("Attributes") or {})
        return f"#ERROR {formula}" if formula else ""

    def _remember(self, key: str, view: View, seen: _Seen) -> None:
        self._seen[key, view] = seen
        self._seen.move_to_end((key, view))
        while len(self._seen) > VIEWS:
            self._seen.popitem(last=False)

    async def _shape(self, key: str, view: View, place: Place | None) -> _Shape:
        """The shape of a view. The frame of cells is the sheet's own: the first cell lies in its corner.

        Rows between a first and a last one of the same height that lie so far apart are of that height, too; where
        they are not, their cells show no pixels that were seen before.
        """
        rows, columns = view[2] - view[0], range(view[1], view[3])
        if place is None or not columns or rows <= 0:
            return _Shape()
        boxes = await asyncio.gather(*(self._box(key, view[0], column) for column in columns))
        heads, last = [box for box in boxes if box], await self._box(key, view[2] - 1, view[1])
        if len(heads) < len(columns) or last is None or heads[0].h <= 0:
            return _Shape()
        first, area = heads[0], place.area
        lefts = tuple((area.x + box.x - first.x, box.w) for box in heads)
        if last.y - first.y == (rows - 1) * first.h:
            return _Shape(tuple((area.y + n * first.h, first.h) for n in range(rows)), lefts)
        return _Shape(await self._tops(key, view, area.y - first.y), lefts)

    async def _tops(self, key: str, view: View, shift: int) -> tuple[tuple[int, int], ...]:
        """Rows of several heights: each is asked for. None of them where one does not tell."""
        lines = await asyncio.gather(*(self._box(key, row, view[1]) for row in range(view[0], view[2])))
        if any(box is None or box.h <= 0 for box in lines):
            return ()
        return tuple((shift + box.y, box.h) for box in lines if box)

    async def _box(self, key: str, row: int, column: int) -> Rect | None:
        return await self._ask.bounds(await self._at(key, row, column), SCREEN)

    async def _at(self, key: str, row: int, column: int) -> str:
        app, path = split_key(key)
        return join_key(await self._bus.call(app, path, ATSPI + "Table", "GetAccessibleAt", "ii", row, column))

    async def _text(self, cell: str) -> str:
        return "" if cell.endswith("/null") else await self._ask.text(cell, 0, -1)


def drawn_width(text: str, height: int) -> float:
    """Pixels that a text takes at the most, in a row of this height: more than the column has, and it may be cut."""
    width = sum(NARROW if char in _NARROW else WIDE if char in _WIDE or char > "\u024f" else USUAL for char in text)
    return width * max(1.0, height / LINE)


def live_content(told: str, line: str) -> str:
    """What the active cell holds, from what its object tells and what the formula bar shows.

    The object of the active cell goes on telling what it told first (LibreOffice 7.4, after Delete, paste or undo);
    the formula bar is live, but shows numbers and dates without their format.
    """
    if line == "" or not any(char.isdigit() or char == "=" for char in line):
        return line
    try:
        return told if float(told) == float(line) else line
    except ValueError:
        return told
