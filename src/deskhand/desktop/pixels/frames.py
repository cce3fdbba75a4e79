"""One frame: what a picture shows, and where each of its pixels lies on the desktop."""

from __future__ import annotations

from dataclasses import dataclass

from deskhand.types.actions import Pixel
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Point, Rect


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture of ``width`` by ``height`` pixels that shows ``bounds`` (root pixels)."""

    bounds: Rect
    width: int
    height: int

    @property
    def scale(self) -> float:
        """Picture pixels per root pixel."""
        return self.width / self.bounds.w

    def root(self, at: Pixel) -> Point:
        """The root pixel under the middle of a pixel. Raises ``invalid_request`` beyond the picture's edge."""
        x, y = at
        if not (0 <= x < self.width and 0 <= y < self.height):
            message = f"{x},{y} lies outside of the picture, which is {self.width}x{self.height}; count in its pixels"
            raise DeskhandError("invalid_request", message)
        across = (2 * x + 1) * self.bounds.w // (2 * self.width)
        down = (2 * y + 1) * self.bounds.h // (2 * self.height)
        return Point(self.bounds.x + across, self.bounds.y + down)

    def area(self, rect: tuple[int, int, int, int]) -> Rect:
        """The part of the desktop that a rectangle of the picture shows, cut to the picture."""
        part = Rect(*rect).intersect(Rect(0, 0, self.width, self.height))
        if part.empty:
            message = f"{list(rect)} lies outside of the picture, which is {self.width}x{self.height}"
            raise DeskhandError("invalid_request", message)
        first = self.root((part.x, part.y))
        last = self.root((part.x + part.w - 1, part.y + part.h - 1))
        return Rect(first.x, first.y, last.x - first.x + 1, last.y - first.y + 1)

    def pixel(self, at: Point) -> Pixel:
        """The pixel that shows a root pixel, which may lie beyond the picture."""
        x = (2 * (at.x - self.bounds.x) + 1) * self.width // (2 * self.bounds.w)
        y = (2 * (at.y - self.bounds.y) + 1) * self.height // (2 * self.bounds.h)
        return x, y
