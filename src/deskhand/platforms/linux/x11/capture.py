"""Screen captures, in a thread of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

import mss
from mss.exception import ScreenShotError
from mss.screenshot import ScreenShot
from PIL import Image

from deskhand.platforms.linux.x11.connection import authorised, one_line, open_display
from deskhand.platforms.linux.x11.worker import Worker
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Rect
from deskhand.types.nodes import Picture

T = TypeVar("T")
DEADLINE = 5.0
"""Seconds that one capture may take."""


class Camera:
    """Takes pictures of one display. Bounds are root pixels."""

    def __init__(self, display: str, authority: str | None = None) -> None:
        self._display, self._authority = display, authority
        self._worker: Worker | None = None
        self._grabber: mss.MSS | None = None

    async def grab(self, bounds: Rect | None) -> Picture:
        """The pixels of ``bounds`` (the whole screen when None), cut to the screen.

        Raises ``invalid_request`` where nothing of ``bounds`` is on the screen, ``desktop_unavailable`` when the
        display does not answer.
        """
        return await self._work(lambda: self._grab(bounds))

    async def pixels(self, area: Rect) -> bytes | None:
        """The raw pixels of ``area``, four bytes each, row by row; None if it is not all on the screen."""
        return await self._work(lambda: self._raw(area))

    async def _work(self, job: Callable[[], T]) -> T:
        worker = self._worker = self._worker or Worker("deskhand-camera")
        running = asyncio.wrap_future(worker.submit(job))
        try:
            async with asyncio.timeout(DEADLINE):
                return await running
        except TimeoutError as problem:
            self._worker, self._grabber = None, None
            worker.end()
            raise DeskhandError(
                "desktop_unavailable", f"X display {self._display} gave no picture within {DEADLINE:g} s"
            ) from problem

    def _raw(self, area: Rect) -> bytes | None:
        shot, taken = self._shoot(area)
        return bytes(shot.raw) if taken == area else None

    def _grab(self, bounds: Rect | None) -> Picture:
        shot, area = self._shoot(bounds)
        image = Image.frombuffer("RGB", (shot.width, shot.height), shot.raw, "raw", "BGRX", 0, 1)
        return Picture(image.tobytes(), area, shot.width, shot.height)

    def _shoot(self, bounds: Rect | None) -> tuple[ScreenShot, Rect]:
        try:
            grabber = self._open()
            area = _area(grabber, bounds)
            return grabber.grab({"left": area.x, "top": area.y, "width": area.w, "height": area.h}), area
        except ScreenShotError as problem:
            self._grabber = None
            raise DeskhandError(
                "desktop_unavailable", f"X display {self._display} gave no picture: {one_line(problem)}"
            ) from problem

    def _open(self) -> mss.MSS:
        if self._grabber is None:
            open_display(self._display, self._authority).close()  # tells plainly what is wrong, where something is
            with authorised(self._authority):
                self._grabber = mss.MSS(display=self._display)
        return self._grabber

    async def close(self) -> None:
        """Disconnect."""
        worker, self._worker = self._worker, None
        grabber, self._grabber = self._grabber, None
        if worker is None:
            return
        if grabber is not None:
            async with asyncio.timeout(DEADLINE):
                await asyncio.wrap_future(worker.submit(grabber.close))
        worker.end()


def _area(grabber: mss.MSS, bounds: Rect | None) -> Rect:
    whole = grabber.monitors[0]
    screen = Rect(whole["left"], whole["top"], whole["width"], whole["height"])
    area = screen if bounds is None else bounds.intersect(screen)
    if area.empty:
        raise DeskhandError("invalid_request", f"nothing of {tuple(bounds or ())} is on the screen {tuple(screen)}")
    return area
