"""Rectangles and points in root (screen) pixels."""

from __future__ import annotations

from typing import NamedTuple


class Point(NamedTuple):
    """A point in root pixels."""

    x: int
    y: int


class Rect(NamedTuple):
    """A rectangle in root pixels; ``w`` and ``h`` are at least 0 for a real one."""

    x: int
    y: int
    w: int
    h: int

    @property
    def empty(self) -> bool:
        """Whether nothing lies inside."""
        return self.w <= 0 or self.h <= 0

    @property
    def centre(self) -> Point:
        """The middle, rounded down."""
        return Point(self.x + self.w // 2, self.y + self.h // 2)

    def contains(self, x: int, y: int) -> bool:
        """Whether the pixel lies inside."""
        return self.x <= x < self.x + self.w and self.y <= y < self.y + self.h

    def intersect(self, other: Rect) -> Rect:
        """What both cover; empty where they do not meet."""
        left, top = max(self.x, other.x), max(self.y, other.y)
        right = min(self.x + self.w, other.x + other.w)
        bottom = min(self.y + self.h, other.y + other.h)
        return Rect(left, top, max(0, right - left), max(0, bottom - top))

    def moved(self, dx: int, dy: int) -> Rect:
        """The same size, elsewhere."""
        return Rect(self.x + dx, self.y + dy, self.w, self.h)
