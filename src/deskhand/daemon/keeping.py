"""Keeping hold of a desktop: connects when first needed, and again after its owner has ended."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from deskhand.daemon.client import RemoteDesktop
from deskhand.daemon.protocol import Hello
from deskhand.daemon.starting import Place, reach


class Reach:
    """One desktop, reached on demand.

    Args:
        place: finds (or starts) the desktop; asked again for each new connection.
        hello: who we are; one session for as long as this object lives.
    """

    def __init__(self, place: Callable[[], Awaitable[Place]], hello: Hello) -> None:
        self._place = place
        self._hello = hello
        self._remote: RemoteDesktop | None = None
        self._lock = asyncio.Lock()

    async def desktop(self) -> RemoteDesktop:
        """The connected desktop. Raises ``DeskhandError`` ``desktop_unavailable`` with cause and remedy."""
        async with self._lock:
            if self._remote is None or not self._remote.alive:
                self._remote = await reach(await self._place(), self._hello)
            return self._remote

    async def close(self) -> None:
        """Let go; the owner lives on."""
        if self._remote is not None:
            await self._remote.close()
