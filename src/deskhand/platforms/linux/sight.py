"""Eyes for the readers: what is drawn of a window, where nothing lies over it and its application is at rest."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass
from pathlib import Path

from deskhand.platforms.linux.atspi.sheets import Place
from deskhand.platforms.linux.x11.capture import Camera
from deskhand.platforms.linux.x11.surfaces import Surface
from deskhand.platforms.linux.x11.windows import WindowSource
from deskhand.types.geometry import Rect

REST = 5
"""Looks in a row at which the main thread must sleep, without having run between them."""
LOOK_EVERY = 0.012
LOOKS_MOST = 100
OFTEN, MOSTLY = 25, 0.8
"""Looks after which a thread that slept at so many of them, if never for long, has drawn what it was to draw, too.

Who types fast wakes it every few milliseconds; without a picture every cell of a sheet would be asked for, and
LibreOffice never forgets a cell that it was asked for (measured: 2.6 kB each, 4 MB a view).
"""


@dataclass(frozen=True, slots=True)
class AreaLook:
    """The pixels of an area, and what lay over it."""

    area: Rect
    pixels: bytes
    over: tuple[Rect, ...]

    def print(self, area: Rect) -> bytes:
        """A digest of a part's pixels; empty where anything lies over it or it is not all in the look."""
        if self.area.intersect(area) != area or any(not rect.intersect(area).empty for rect in self.over):
            return b""
        stride, left = self.area.w * 4, (area.x - self.area.x) * 4
        starts = range((area.y - self.area.y) * stride + left, (area.y + area.h - self.area.y) * stride, stride)
        lines = b"".join(self.pixels[start : start + area.w * 4] for start in starts)
        return hashlib.blake2b(lines, digest_size=16).digest()


class WindowSight:
    """The ``Sight`` of one display."""

    def __init__(self, source: WindowSource, camera: Camera) -> None:
        self._source, self._camera = source, camera

    async def look(self, place: Place) -> AreaLook | None:
        """A look at the area; None where its application never rests, or its window is gone or minimised."""
        own, before = await self._over(place)
        if own is None or not await at_rest(own.pid):
            return None
        pixels = await self._camera.pixels(place.area)
        own, after = await self._over(place)
        return AreaLook(place.area, pixels, (*before, *after)) if own is not None and pixels is not None else None

    async def _over(self, place: Place) -> tuple[Surface | None, tuple[Rect, ...]]:
        """The window, and the rectangles of all that lies above it."""
        surfaces = await self._source.surfaces()
        own = next((s for s in surfaces if s.xid == place.surface and not s.minimised), None)
        if own is None:
            return None, ()
        above = (s.frame if not s.popup else s.bounds for s in surfaces if s.stack > own.stack and not s.minimised)
        return own, tuple(above)


async def at_rest(pid: int) -> bool:
    """Wait until a process's main thread sleeps and stays asleep: then it has drawn what it was to draw.

    Drawing is done when a toolkit's main loop has nothing else to do, also after questions over D-Bus have been
    answered; so a picture taken while it is busy may show what is no longer true.
    """
    last, resting, slept = _activity(pid), 0, 0
    for looks in range(1, LOOKS_MOST + 1):
        await asyncio.sleep(LOOK_EVERY)
        now = _activity(pid)
        if now is None:
            return False
        resting = resting + 1 if now == last and now[0] == "S" else 0
        slept += now[0] == "S"
        if resting >= REST or (looks >= OFTEN and slept >= MOSTLY * looks):
            return True
        last = now
    return False


def _activity(pid: int) -> tuple[str, int] | None:
    """State of the main thread, and how often it has been switched away from: any run in between counts."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    lines = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    switches = int(lines["voluntary_ctxt_switches"]) + int(lines["nonvoluntary_ctxt_switches"])
    return lines["State"].split()[0], switches
