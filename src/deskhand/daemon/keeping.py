"""Keeping hold of a desktop: connects when first needed, and again after its owner has ended."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from deskhand.daemon.client import RemoteDesktop
from deskhand.daemon.protocol import Hello
from deskhand.daemon.starting import Place, reach
from deskhand.types.errors import DeskhandError

SESSIONS_MOST = 64
"""Clients' sessions that have a connection at once; the idle one unused for longest gives its up."""


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

    @property
    def reached(self) -> bool:
        """Whether there has been a connection."""
        return self._remote is not None

    async def close(self) -> None:
        """Let go; the owner lives on."""
        if self._remote is not None:
            await self._remote.close()


class Reaches:
    """A connection of its own for each client session: what one user consents to is not another's (report 37).

    Args:
        place: finds (or starts) the desktop.
        hello: who a new session is.
    """

    def __init__(self, place: Callable[[], Awaitable[Place]], hello: Callable[[], Hello]) -> None:
        self._place = place
        self._hello = hello
        self._held: OrderedDict[str, Reach] = OrderedDict()
        self._hellos: dict[
            str, Hello
        ] = {}  # a session keeps its name with the owner, whatever becomes of its connection
        self._calls: Counter[str] = Counter()
        self._named_so_far = 0
        self.reached = False  # whether there ever was a desktop

    @contextmanager
    def in_use(self, session: str) -> Iterator[None]:
        """While a call of ``session`` is in flight, its connection is nobody else's to close."""
        self._calls[session] += 1
        try:
            yield
        finally:
            self._calls[session] -= 1
            if not self._calls[session]:
                del self._calls[session]

    async def desktop(self, session: str = "", lasts: bool = True) -> RemoteDesktop:
        """The desktop as ``session`` reaches it.

        A session that ``lasts`` beside others is known by a name of its own: its calls can be told from theirs.
        Raises ``desktop_unavailable`` with cause and remedy, also where every connection has a call in flight.
        """
        held = self._held.get(session)
        if held is None:
            idle = self._room()
            if session not in self._hellos:
                self._hellos[session] = self._named(self._hello(), bool(session) and lasts)
            held = self._held[session] = Reach(self._place, self._hellos[session])
            if idle is not None:
                await idle.close()
        else:
            self._held.move_to_end(session)
        desktop = await held.desktop()
        self.reached = True
        return desktop

    def _named(self, hello: Hello, own: bool) -> Hello:
        self._named_so_far += own
        return hello.model_copy(update={"client": f"{hello.client} #{self._named_so_far}"}) if own else hello

    def _room(self) -> Reach | None:
        """Which connection must be closed before there is another."""
        if len(self._held) < SESSIONS_MOST:
            return None
        idle = next((session for session in self._held if session not in self._calls), None)
        if idle is None:
            raise DeskhandError("desktop_unavailable", f"{SESSIONS_MOST} clients have calls in flight; try again later")
        return self._held.pop(idle)

    async def end(self, session: str) -> None:
        """The session is over."""
        self._hellos.pop(session, None)
        held = self._held.pop(session, None)
        if held is not None:
            await held.close()

    async def close(self) -> None:
        """Let go of all; the owner lives on."""
        for held in self._held.values():
            await held.close()
        self._held.clear()
