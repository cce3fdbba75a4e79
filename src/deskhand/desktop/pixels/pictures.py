"""Captures made small enough to be shown: scaled, drawn on, encoded."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from PIL import Image

from deskhand.desktop.pixels.frames import Frame
from deskhand.desktop.pixels.marks import Mark, draw
from deskhand.types.nodes import Picture

_FAST = 3  # zlib level: a screen in about 40 ms
_GOOD, _SMALL = 85, 60  # JPEG
_HOPELESS = 4
"""How many times too large a JPEG is where a PNG is not worth its time: of plain windows it may be so much smaller."""
_TRIED_FIRST = 2_000_000
"""Pixels up to which a PNG is tried before anything else: a screen is nearly always one."""
_SURE, _HEADER = 1.0, 1000
"""Bytes of a small JPEG at most: for each pixel (measured: 0.47 to 0.68 of all kinds of noise), and besides."""
_HOPED = 0.7
"""Share of the room that a smaller picture is planned for: it has more detail in each pixel."""


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
    """A capture within its bounds: as PNG; as JPEG where that is too large; then smaller.

    ``enlarge``: at most so many times larger, where that fits.
    """
    whole = _enlarged(Image.frombytes("RGB", (picture.width, picture.height), picture.pixels), most, enlarge)

    def drawn(most: Most) -> tuple[Image.Image, Frame]:
        image = _scaled(whole, most)
        frame = Frame(picture.bounds, *image.size)
        return (draw(image, frame, marks) if marks else image), frame

    return _within(drawn, most)


def _within(drawn: Callable[[Most], tuple[Image.Image, Frame]], most: Most) -> Shown:
    """In at most three encodings."""
    image, frame = drawn(most)
    size = image.width * image.height
    if size <= _TRIED_FIRST and len(png := _png(image)) <= most.bytes:
        return Shown(png, "image/png", frame)
    jpeg = _jpeg(image, _GOOD)
    if size > _TRIED_FIRST and len(jpeg) <= most.bytes * _HOPELESS and len(png := _png(image)) <= most.bytes:
        return Shown(png, "image/png", frame)
    if len(jpeg) <= most.bytes:
        return Shown(jpeg, "image/jpeg", frame)
    if size > _TRIED_FIRST and len(jpeg) > most.bytes * _HOPELESS:
        image, frame = drawn(replace(most, pixels=int(size * most.bytes / len(jpeg) * _HOPED)))
        if len(jpeg := _jpeg(image, _SMALL)) <= most.bytes:
            return Shown(jpeg, "image/jpeg", frame)
    image, frame = drawn(replace(most, pixels=max(1, int((most.bytes - _HEADER) / _SURE))))
    return Shown(_jpeg(image, _SMALL), "image/jpeg", frame)


def _enlarged(image: Image.Image, most: Most, times: int) -> Image.Image:
    """By a whole number, so that every pixel stays one."""
    times = min(times, int(most.scale(image)))
    return image.resize((image.width * times, image.height * times), Image.Resampling.BICUBIC) if times > 1 else image


def _scaled(image: Image.Image, most: Most) -> Image.Image:
    if (scale := most.scale(image)) >= 1:
        return image
    return image.resize((max(1, int(image.width * scale)), max(1, int(image.height * scale))), Image.Resampling.LANCZOS)


def _png(image: Image.Image) -> bytes:
    return _encoded(image, "PNG", compress_level=_FAST)


def _jpeg(image: Image.Image, quality: int) -> bytes:
    return _encoded(image, "JPEG", quality=quality)


def _encoded(image: Image.Image, kind: str, **more: int) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **more)
    return out.getvalue()
