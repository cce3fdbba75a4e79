"""A sentinel: a window that no test means, under all others, which journals whatever input reaches it all the same.

A module whose tests send input takes ``sentinel`` as a fixture of its own and ``silent`` after each test.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from deskhand.isolation import NestedDesktop
from deskhand.types.geometry import Rect
from tests.apps.journals import Journal, Reached, journal

TITLE = "Sentinel"


@asynccontextmanager
async def sentinel(desktop: NestedDesktop, place: Rect) -> AsyncIterator[Journal]:
    """One on the part of the desktop that the tests leave free."""
    async with journal(desktop.environment, TITLE, place, below=True) as window:
        yield window


def said(leaked: list[Reached]) -> str:
    """What has leaked, in words."""
    return "; ".join(f"{event.kind} {event.detail} at {event.x},{event.y}" for event in leaked)


async def silent(window: Journal) -> None:
    """Fail the test that has just ended if any of its input reached the sentinel."""
    leaked = await window.read()
    assert not leaked, f"input leaked to a window that was not meant: {said(leaked)}"
