"""Screen captures, in a thread of their own."""

from __future__ import annotations

from typing import Literal

from PIL import Image
from Xlib import error

from deskhand.platforms.linux.x11.connection import Connection, XThread
from deskhand.platforms.linux.x11.film import Film
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Rect
from deskhand.types.nodes import Picture

_TRIES = 3
"""A screen that shrinks between two requests is looked at again."""


class Camera:
    """Takes pictures of one display, whatever its size is at the moment. Bounds are root pixels."""

    def __init__(self, display: str, authority: str | None = None) -> None:
        self._thread = XThread(display, authority)
        self._film: Film | None = None

    async def grab(self, bounds: Rect | None) -> Picture:
        """The pixels of ``bounds`` (the whole screen when None), cut to the screen.

        Raises ``invalid_request`` where nothing of ``bounds`` is on the screen, ``desktop_unavailable`` when the
        display does not answer.
        """
        return await self._thread.call(lambda connection: self._grab(connection, bounds))

    async def pixels(self, area: Rect) -> bytes | None:
        """The raw pixels of ``area``, four bytes each, row by row; None if it is not all on the screen."""
        return await self._thread.call(lambda connection: self._raw(connection, area))

    async def way(self) -> Literal["shared memory", "connection"]:
        """How pixels come."""
        await self.pixels(Rect(0, 0, 1, 1))
        return "shared memory" if self._film is not None and self._film.shared else "connection"

    def _raw(self, connection: Connection, area: Rect) -> bytes | None:
        if area.empty or area.intersect(_screen(connection)) != area:
            return None
        data, taken = self._shoot(connection, area)
        return data if taken == area else None

    def _grab(self, connection: Connection, bounds: Rect | None) -> Picture:
        data, area = self._shoot(connection, bounds)
        image = Image.frombuffer("RGB", (area.w, area.h), data, "raw", "BGRX", 0, 1)
        return Picture(image.tobytes(), area, area.w, area.h)

    def _shoot(self, connection: Connection, bounds: Rect | None) -> tuple[bytes, Rect]:
        film = self._loaded(connection)
        for tries in range(1, _TRIES + 1):
            area = _area(_screen(connection), bounds)
            try:
                return film.take(area), area
            except error.BadMatch:
                if tries == _TRIES:
                    break
        raise DeskhandError("desktop_unavailable", "the screen keeps changing its size; take the picture again")

    def _loaded(self, connection: Connection) -> Film:
        if self._film is not None and self._film.connection is not connection:
            self._film.forget()
            self._film = None
        self._film = self._film or Film(connection)
        return self._film

    async def close(self) -> None:
        """Disconnect."""
        await self._thread.close()
        film, self._film = self._film, None
        if film is not None:
            film.forget()


def _screen(connection: Connection) -> Rect:
    root = connection.root.get_geometry()
    return Rect(0, 0, root.width, root.height)


def _area(screen: Rect, bounds: Rect | None) -> Rect:
    area = screen if bounds is None else bounds.intersect(screen)
    if area.empty:
        raise DeskhandError("invalid_request", f"nothing of {tuple(bounds or ())} is on the screen {tuple(screen)}")
    return area
