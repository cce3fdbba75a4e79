"""How the monitors of an isolated desktop stand: side by side, from the left, their upper edges in line."""

from __future__ import annotations

from itertools import accumulate

from pydantic import BaseModel, ConfigDict

from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Rect

Size = tuple[int, int]
SMALLEST, LARGEST, MOST = 200, 8192, 8
"""Pixels of a monitor's width and height; monitors of a desktop."""


class Arrangement(BaseModel):
    """Widths and heights in pixels, from the left. ``primary`` says which is the primary one, counted from 1."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sizes: tuple[Size, ...]
    primary: int = 1

    @classmethod
    def of(cls, *sizes: Size, primary: int = 1) -> Arrangement:
        """A checked one. Raises ``invalid_request``."""
        if not 1 <= len(sizes) <= MOST:
            raise DeskhandError("invalid_request", f"a desktop has 1 to {MOST} monitors")
        if not all(SMALLEST <= side <= LARGEST for size in sizes for side in size):
            raise DeskhandError("invalid_request", f"a monitor is {SMALLEST} to {LARGEST} pixels wide and high")
        if not 1 <= primary <= len(sizes):
            raise DeskhandError("invalid_request", f"the primary monitor is one of 1 to {len(sizes)}, from the left")
        return cls(sizes=sizes, primary=primary)

    @property
    def size(self) -> Size:
        """Width and height of the whole."""
        return sum(width for width, _ in self.sizes), max(height for _, height in self.sizes)

    @property
    def places(self) -> tuple[Rect, ...]:
        """Where each monitor stands, in root pixels, from the left."""
        lefts = accumulate((width for width, _ in self.sizes), initial=0)
        return tuple(Rect(left, 0, *size) for left, size in zip(lefts, self.sizes, strict=False))

    def __str__(self) -> str:
        """``1280x1024``, ``1280x1024+1920x1080, primary 2``."""
        told = "+".join(f"{width}x{height}" for width, height in self.sizes)
        return f"{told}, primary {self.primary}" if len(self.sizes) > 1 else told
