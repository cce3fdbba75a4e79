"""When to look again: after what is announced, but ever more seldom."""

from __future__ import annotations

import asyncio

from deskhand.platforms.base import EventFeed

_FIRST, _MOST, _LONGER = 0.002, 0.04, 1.5
"""Seconds between a change and the look at it, at first and at most; by how much each is longer than the one before."""


class Looks:
    """Paces what is looked at until it holds.

    Being asked makes some toolkits announce a change (measured: each look at a row of a GTK3 tree two of them), so that
    a look after every change would go round without end, 200 times a second in the application's own thread.
    """

    def __init__(self, events: EventFeed) -> None:
        self._events, self._pause = events, _FIRST

    async def again(self, serial: int, seconds: float) -> bool:
        """Wait for a change after ``serial``; False when ``seconds`` passed first."""
        if not await self._events.changed(serial, seconds):
            return False
        await asyncio.sleep(min(self._pause, seconds))
        self._pause = min(self._pause * _LONGER, _MOST)
        return True
