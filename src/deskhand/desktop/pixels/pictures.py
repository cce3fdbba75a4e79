"""Captures made small enough to be shown: scaled, drawn on, encoded."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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


def shown(picture: Picture, max_pixels: int, max_bytes: int, marks: Sequence[Mark] = (), *, enlarge: int = 1) -> Shown:
    """A capture within both bounds: as PNG; as JPEG where that is too large; then smaller and smaller.

    ``enlarge``: at most so many times larger, where that fits.
    """
    whole = Image.frombytes("RGB", (picture.width, picture.height), picture.pixels)
    pixels, whole = max_pixels, _enlarged(whole, min(max_pixels, picture.width * picture.height * enlarge**2))
    while True:
        image = _scaled(whole, pixels)
        frame = Frame(picture.bounds, *image.size)
        drawn = draw(image, frame, marks) if marks else image
        for kind, data in _encodings(drawn):
            if len(data) <= max_bytes or image.size == (1, 1):
                return Shown(data, kind, frame)
        pixels = int(image.width * image.height * _SHRUNK)


def _enlarged(image: Image.Image, most: int) -> Image.Image:
    """By a whole number, so that every pixel stays one."""
    times = math.isqrt(max(1, most // (image.width * image.height)))
    return image.resize((image.width * times, image.height * times), Image.Resampling.BICUBIC) if times > 1 else image


def _scaled(image: Image.Image, most: int) -> Image.Image:
    if image.width * image.height <= most:
        return image
    scale = math.sqrt(most / (image.width * image.height))
    return image.resize((max(1, int(image.width * scale)), max(1, int(image.height * scale))), Image.Resampling.LANCZOS)


def _encodings(image: Image.Image) -> Iterator[tuple[str, bytes]]:
    yield "image/png", _encoded(image, "PNG", compress_level=_FAST)
    for quality in _QUALITIES:
        yield "image/jpeg", _encoded(image, "JPEG", quality=quality)


def _encoded(image: Image.Image, kind: str, **more: int) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **more)
    return out.getvalue()
