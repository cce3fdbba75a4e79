"""One count of everything that changes, from the accessibility bus and from X."""

from __future__ import annotations

import asyncio
import time


class ChangeFeed:
    """The ``EventFeed`` of a platform. ``announce`` belongs to the event loop; threads use ``announce_threadsafe``."""

    def __init__(self) -> None:
        self._serial = 0
        self._last = time.monotonic()
        self._waiters: set[asyncio.Future[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None

    def attach(self) -> None:
        """Bind to the running loop, for announcements from threads."""
        self._loop = asyncio.get_running_loop()

    @property
    def serial(self) -> int:
        """How many changes were announced so far."""
        return self._serial

    def announce(self, kind: str = "") -> None:
        """Count one change and wake who waits."""
        self._serial += 1
        self._last = time.monotonic()
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)
        self._waiters.clear()

    def announce_threadsafe(self, kind: str = "") -> None:
        """The same from another thread; nothing once the loop is closed."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.announce, kind)

    async def changed(self, after: int, timeout: float) -> bool:
        """Wait until the serial exceeds ``after``; False when ``timeout`` seconds passed first."""
        deadline = time.monotonic() + timeout
        while self._serial <= after:
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            await self._wait(left)
        return True

    async def quiet(self, period: float, timeout: float) -> bool:
        """Wait until nothing was announced for ``period`` seconds; False when ``timeout`` passed first."""
        deadline = time.monotonic() + timeout
        # Silence counts from now: the answer to what was just sent may not have begun.
        self._last = max(self._last, time.monotonic())
        while True:
            now = time.monotonic()
            silent = self._last + period - now
            if silent <= 0:
                return True
            if now >= deadline:
                return False
            await self._wait(min(silent, deadline - now))

    async def _wait(self, seconds: float) -> None:
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.add(waiter)
        try:
            async with asyncio.timeout(seconds):
                await waiter
        except TimeoutError:
            self._waiters.discard(waiter)
