"""Toolkits that draw larger than they tell (200 %): report 29.

Measured with GDK_SCALE=2 and QT_SCALE_FACTOR=2: GTK 3, GTK 4 and Qt 6 tell places and sizes in their own pixels, each
as many root pixels wide as the scale says. So the scale is the ratio of a window's real size to the size that is told.
A window's place is divided and rounded, so that what lies in it is off by a part of one; how much is each toolkit's own
(``Quirks.shift``).
"""

from __future__ import annotations

from collections.abc import Iterable

from deskhand.types.geometry import Point, Rect

LEAST, MOST = 1.2, 6.0
"""Scales that are believed; what lies between 1 and the least is a window told a little too small."""
_NONE = Point(0, 0)
_STEP = 0.05
"""Scales are multiples of it: 125 %, 150 %, 200 %."""
_WHOLE = (2.0, 3.0, 4.0)
_EDGES = 16
"""Pixels of its own that GTK 4 does not tell of a window's size: the edges that it draws where there is no compositor
(measured: 10 of Calculator's width and height)."""
_OFF_SCREEN = 1_000_000
"""GTK 3 tells -2147483648 as the place of what is scrolled away."""


def scale_of(told: Rect, real: Iterable[Rect]) -> float | None:
    """How many root pixels a pixel of ``told`` is, where one of the ``real`` sizes is the same; None where none is."""
    if told.empty:
        return None
    for rect in real:
        ratio = round(_STEP * round(rect.w / told.w / _STEP), 2)
        if _fits(told, rect, 1.0, _EDGES):
            return 1.0
        if LEAST <= ratio <= MOST and _fits(told, rect, ratio, 1):
            return ratio
        if whole := next((scale for scale in _WHOLE if _fits(told, rect, scale, _EDGES)), None):
            return whole
    return None


def _fits(told: Rect, real: Rect, scale: float, edges: float) -> bool:
    """Whether ``told`` is as large, scaled, but for edges that are as wide as they are high."""
    across, down = real.w - told.w * scale, real.h - told.h * scale
    return abs(across - down) <= 2 * scale and all(-2 * scale <= rest <= edges * scale for rest in (across, down))


def within_edges(told: Rect, real: Rect, scale: float) -> Point:
    """Where what lies within a window's untold edges begins; ``told`` is its size without them, in root pixels."""
    across, down = real.w - told.w, real.h - told.h
    even = abs(across - down) <= 2 * scale and all(0 <= rest <= _EDGES * scale for rest in (across, down))
    return Point(real.x + across // 2, real.y + down // 2) if even else Point(real.x, real.y)


def scaled(told: Rect, scale: float, shift: Point = _NONE) -> Rect:
    """A place as it is told, in root pixels; ``shift`` is added."""
    if scale == 1.0 or min(told.x, told.y) < -_OFF_SCREEN:
        return told
    left, top = round(told.x * scale), round(told.y * scale)
    right, bottom = round((told.x + told.w) * scale), round((told.y + told.h) * scale)
    return Rect(left, top, right - left, bottom - top).moved(*shift)


def unscaled(real: Rect, scale: float) -> Rect:
    """The size of a place in the toolkit's own pixels, and its distance to others unscaled alike."""
    return scaled(real, 1 / scale) if scale != 1.0 else real


class Scales:
    """The scale of each process. One that is known changes only when it is found changed twice in a row."""

    def __init__(self) -> None:
        self._known: dict[int, float] = {}
        self._doubted: dict[int, float] = {}

    def note(self, pid: int, found: float) -> None:
        """A window of the process was found drawn so."""
        known = self._known.setdefault(pid, found)
        if found == known:
            self._doubted.pop(pid, None)
        elif self._doubted.get(pid) == found:
            self._known[pid] = found  # a window that is just being resized would not be found so again
            del self._doubted[pid]
        else:
            self._doubted[pid] = found

    def of(self, pid: int) -> float:
        """Root pixels per pixel that the process tells; 1 where none is known."""
        return self._known.get(pid, 1.0)

    def forget(self, alive: Iterable[int]) -> None:
        """Processes that are gone; their ids are given again."""
        here = set(alive)
        for memory in (self._known, self._doubted):
            for pid in [pid for pid in memory if pid not in here]:
                del memory[pid]
