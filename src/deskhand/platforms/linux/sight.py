"""Eyes for the readers: what is drawn of a window, where nothing lies over it."""

from __future__ import annotations

from collections.abc import Sequence

from deskhand.platforms.linux.atspi.sheets import Place
from deskhand.platforms.linux.x11.capture import Camera
from deskhand.platforms.linux.x11.windows import WindowSource


class WindowSight:
    """The ``Sight`` of one display."""

    def __init__(self, source: WindowSource, camera: Camera) -> None:
        self._source, self._camera = source, camera

    async def bands(self, place: Place, bands: Sequence[tuple[int, int]]) -> list[bytes] | None:
        """Digests of the pixels of each band; None where any other surface lies over the area."""
        surfaces = await self._source.surfaces()
        own = next((s for s in surfaces if s.xid == place.surface), None)
        if own is None or own.minimised:
            return None
        above = [s for s in surfaces if s.stack > own.stack and not s.minimised]
        if any(not s.bounds.intersect(place.area).empty for s in above):
            return None
        return await self._camera.bands(place.area, bands)
