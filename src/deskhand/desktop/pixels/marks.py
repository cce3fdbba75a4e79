"""Marks on a picture: a box around each element, with its ref, coloured by where deskhand knows it from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from PIL import Image, ImageDraw, ImageFont

from deskhand.desktop.pixels.frames import Frame
from deskhand.types.geometry import Point, Rect

COLOURS: dict[str, tuple[int, int, int]] = {"tree": (0, 90, 200)}
"""By source. White is written on them."""
_SIZE = 11  # of the letters, in pixels
_ROOM = 1


@dataclass(frozen=True, slots=True)
class Mark:
    """An element: its ref, the part of it that shows (root pixels), and its source."""

    ref: str
    bounds: Rect
    source: str = "tree"


def draw(image: Image.Image, frame: Frame, marks: Sequence[Mark]) -> Image.Image:
    """The picture with all marks, labels above all boxes; the picture that was given stays as it is."""
    marked = image.copy()
    brush = ImageDraw.Draw(marked)
    boxes = [(mark, _box(frame, mark.bounds)) for mark in marks]
    for mark, box in boxes:
        brush.rectangle(box, outline=COLOURS[mark.source])
    taken: list[tuple[int, int, int, int]] = []
    for mark, box in boxes:
        taken.append(_label(brush, marked.size, mark, box, taken))
    return marked


def _box(frame: Frame, bounds: Rect) -> tuple[int, int, int, int]:
    left, top = frame.pixel(Point(bounds.x, bounds.y))
    right, bottom = frame.pixel(Point(bounds.x + bounds.w - 1, bounds.y + bounds.h - 1))
    return left, top, max(left, right), max(top, bottom)


def _label(
    brush: ImageDraw.ImageDraw,
    size: tuple[int, int],
    mark: Mark,
    box: tuple[int, int, int, int],
    taken: Sequence[tuple[int, int, int, int]],
) -> tuple[int, int, int, int]:
    """Write a ref at a corner of its box where no other label is, within the picture."""
    left, top, right, bottom = brush.textbbox((0, 0), mark.ref, font=_font())
    wide, high = int(right - left) + 2 * _ROOM, int(bottom - top) + 2 * _ROOM
    corners = [(box[0], box[1]), (box[2] - wide + 1, box[1]), (box[0], box[3] - high + 1), (box[0], box[1] - high)]
    places = [_within(size, corner, wide, high) for corner in corners]
    place = next((place for place in places if not any(_meet(place, other) for other in taken)), places[0])
    brush.rectangle(place, fill=COLOURS[mark.source])
    brush.text((place[0] + _ROOM - left, place[1] + _ROOM - top), mark.ref, fill=(255, 255, 255), font=_font())
    return place


def _within(size: tuple[int, int], corner: tuple[int, int], wide: int, high: int) -> tuple[int, int, int, int]:
    x = max(0, min(corner[0], size[0] - wide))
    y = max(0, min(corner[1], size[1] - high))
    return x, y, x + wide - 1, y + high - 1


def _meet(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


@cache
def _font() -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
    return ImageFont.load_default(_SIZE)
