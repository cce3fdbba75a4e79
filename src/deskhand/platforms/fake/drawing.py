"""What the fake screen shows: windows as plain rectangles."""

from __future__ import annotations

from zlib import crc32

from PIL import Image, ImageDraw

from deskhand.platforms.fake.world import World
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Rect
from deskhand.types.nodes import Picture

_DESKTOP = (40, 90, 140)


def drawn(world: World, bounds: Rect) -> Picture:
    """The part of the screen within ``bounds``. Raises ``invalid_request`` where nothing of them is on it."""
    part = bounds.intersect(world.screen)
    if part.empty:
        raise DeskhandError("invalid_request", "nothing of this lies on the screen")
    image = Image.new("RGB", (part.w, part.h), _DESKTOP)
    brush = ImageDraw.Draw(image)
    for window in world.windows:
        shown = window.bounds.intersect(part).moved(-part.x, -part.y)
        if not window.minimised and not shown.empty:
            brush.rectangle((shown.x, shown.y, shown.x + shown.w - 1, shown.y + shown.h - 1), _colour(window.key))
    return Picture(image.tobytes(), part, part.w, part.h)


def _colour(key: str) -> tuple[int, int, int]:
    mixed = crc32(key.encode())
    return mixed & 0xFF, mixed >> 8 & 0xFF, mixed >> 16 & 0xFF
