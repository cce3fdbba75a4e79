"""The fake's event feed: every change counts, waits are woken by the change itself."""

from __future__ import annotations

import asyncio


class FakeFeed:
    """Counts changes and wakes whoever waits for one."""

    def __init__(self) -> None:
        self._serial = 0
        self._waiting: set[asyncio.Future[None]] = set()

    @property
    def serial(self) -> int:
        """How many changes were announced."""
        return self._serial

    def announce(self) -> None:
        """One change more."""
        self._serial += 1
        waiting, self._waiting = self._waiting, set()
        for future in waiting:
            if not future.done():
                future.set_result(None)

    async def changed(self, after: int, timeout: float) -> bool:
        """Wait until ``serial`` exceeds ``after``; False when ``timeout`` seconds passed first."""
        loop = asyncio.get_running_loop()
        end = loop.time() + timeout
        while self._serial <= after:
            if not await self._next(end - loop.time()):
                return self._serial > after
        return True

    async def quiet(self, period: float, timeout: float) -> bool:
        """Wait until nothing was announced for ``period`` seconds; False when ``timeout`` passed first."""
        loop = asyncio.get_running_loop()
        end = loop.time() + timeout
        while (left := end - loop.time()) > 0:
            if not await self._next(min(period, left)):
                return period <= left
        return False

    async def _next(self, timeout: float) -> bool:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(future)
        try:
            await asyncio.wait_for(future, max(timeout, 0))
        except TimeoutError:
            return False
        finally:
            self._waiting.discard(future)
        return True
