"""Captures made small enough to be shown: scaled, drawn on, encoded."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from PIL import Image

from deskhand.desktop.pixels.frames import Frame
from deskhand.desktop.pixels.marks import Mark, draw
from deskhand.types.nodes import Picture

_FAST = 3  # zlib level: a screen in about 40 ms
_QUALITIES = (85, 60)
_SHRUNK = 0.8


@dataclass(frozen=True, slots=True)
class Shown:
    """An encoded picture."""

    data: bytes
    mime: str
    frame: Frame


@dataclass(frozen=True, slots=True)
class Most:
    """What a picture may have at most: pixels, pixels of its longer side, bytes."""

    pixels: int
    side: int
    bytes: int

    def scale(self, image: Image.Image) -> float:
        """By how much an image can be scaled and keep within."""
        return min(math.sqrt(self.pixels / (image.width * image.height)), self.side / max(image.size))


def shown(picture: Picture, most: Most, marks: Sequence[Mark] = (), *, enlarge: int = 1) -> Shown:
    """A capture within its bounds: as PNG; as JPEG where that is too large; then smaller and smaller.

    ``enlarge``: at most so many times larger, where that fits.
    """
    whole = _enlarged(Image.frombytes("RGB", (picture.width, picture.height), picture.pixels), most, enlarge)
    while True:
        image = _scaled(whole, most)
        frame = Frame(picture.bounds, *image.size)
        drawn = draw(image, frame, marks) if marks else image
        for kind, data in _encodings(drawn):
            if len(data) <= most.bytes or image.size == (1, 1):
                return Shown(data, kind, frame)
        most = replace(most, pixels=int(image.width * image.height * _SHRUNK))


def _enlarged(image: Image.Image, most: Most, times: int) -> Image.Image:
    """By a whole number, so that every pixel stays one."""
    times = min(times, int(most.scale(image)))
    return image.resize((image.width * times, image.height * times), Image.Resampling.BICUBIC) if times > 1 else image


def _scaled(image: Image.Image, most: Most) -> Image.Image:
    if (scale := most.scale(image)) >= 1:
        return image
    return image.resize((max(1, int(image.width * scale)), max(1, int(image.height * scale))), Image.Resampling.LANCZOS)


def _encodings(image: Image.Image) -> Iterator[tuple[str, bytes]]:
    yield "image/png", _encoded(image, "PNG", compress_level=_FAST)
    for quality in _QUALITIES:
        yield "image/jpeg", _encoded(image, "JPEG", quality=quality)


def _encoded(image: Image.Image, kind: str, **more: int) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **more)
    return out.getvalue()
