"""Input is exclusive: one batch at a time, first come first served."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from deskhand.types.errors import DeskhandError


class InputQueue:
    """The turn to send input to one desktop."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()  # asyncio's lock wakes its waiters in the order they came
        self.holder = ""
        self.waiting = 0

    @asynccontextmanager
    async def turn(self, client: str, patience: float) -> AsyncIterator[None]:
        """Wait for the turn at most ``patience`` seconds, hold it for the block.

        Raises:
            DeskhandError: ``input_busy`` naming who holds it.
        """
        await self._wait(patience)
        self.holder = client
        try:
            yield
        finally:
            self.holder = ""
            self._lock.release()

    async def _wait(self, patience: float) -> None:
        self.waiting += 1
        try:
            async with asyncio.timeout(patience):
                await self._lock.acquire()
        except TimeoutError:
            raise DeskhandError(
                "input_busy",
                f"{json.dumps(self.holder)} has been sending input for {patience:g} s; nothing was sent, try again",
                found=self.holder,
            ) from None
        finally:
            self.waiting -= 1
