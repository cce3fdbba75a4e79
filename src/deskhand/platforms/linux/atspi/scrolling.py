"""Scrolling by the value of scroll bars: GTK3 implements no ScrollTo, but its scrolled windows tell their bars."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from deskhand.platforms.linux.atspi.reader import TreeReader
from deskhand.platforms.linux.atspi.scaling import unscaled
from deskhand.types.geometry import Rect
from deskhand.types.nodes import Node

_NOWHERE = -100_000
"""GTK3 tells -2147483648 as the place of what is scrolled away."""
SetNumber = Callable[[str, float], Awaitable[None]]


async def scroll_by_bars(reader: TreeReader, set_number: SetNumber, key: str) -> bool:
    """Bring the middle of an element to the middle of the scrolled area around it; False where there is none."""
    area, bars = await reader.scrolled_area(key)
    target = (await reader.refresh([key])).get(key)
    if target is None or target.bounds is None or area is None:
        return False
    placed = target.bounds.y > _NOWHERE
    share = 0.0 if placed else await reader.share(key)
    moved, scale = False, reader.scale(key)
    for bar in (_counted(bar, scale) for bar in bars):
        number = (
            _by_place(bar, unscaled(target.bounds, scale), unscaled(area, scale)) if placed else _by_share(bar, share)
        )
        if number is not None and number != bar.number:
            await set_number(bar.key, number)
            moved = True
    return moved


def _counted(bar: Node, scale: float) -> Node:
    """The bar in the pixels in which its number counts."""
    return replace(bar, bounds=unscaled(bar.bounds, scale)) if bar.bounds is not None else bar


def _by_share(bar: Node, share: float) -> float | None:
    """The vertical bar's number that shows the part of a list at ``share`` (0 to 1) in the middle."""
    if bar.maximum is None or bar.bounds is None or bar.bounds.h <= bar.bounds.w:
        return None
    return min(max(share * (bar.maximum + bar.bounds.h) - bar.bounds.h / 2, bar.minimum or 0.0), bar.maximum)


def _by_place(bar: Node, target: Rect, area: Rect) -> float | None:
    """The bar's number (pixels from the start) that puts ``target`` into the middle of ``area``."""
    if bar.number is None or bar.minimum is None or bar.maximum is None or bar.bounds is None:
        return None
    if bar.bounds.h > bar.bounds.w:
        distance = target.centre.y - area.centre.y
    elif target.w < area.w:
        distance = target.centre.x - area.centre.x
    else:
        return None  # wider than what shows: there is no better place
    return min(max(bar.number + distance, bar.minimum), bar.maximum)
