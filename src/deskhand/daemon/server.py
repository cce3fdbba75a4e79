"""The owner: one process serves one desktop to many clients over a private socket."""

from __future__ import annotations

import asyncio
import itertools
import logging
import os
import socket
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from deskhand.daemon.connection import Connection
from deskhand.daemon.operations import Operations
from deskhand.daemon.protocol import Status
from deskhand.types.errors import DeskhandError

log = logging.getLogger(__name__)
SOCKET_NAME = "owner.sock"
_LONGEST_PATH = 107  # bytes of sun_path, less its final zero


@dataclass(frozen=True, slots=True)
class OwnerSettings:
    """Times in seconds.

    ``idle``: without a client and without a pending question, the owner ends. ``patience``: how long a batch waits
    for its turn. ``call``: the longest a call may take. ``beat``: how often a long call says that it lives.
    """

    idle: float = 600.0
    patience: float = 20.0
    call: float = 50.0
    beat: float = 2.0


class Owner:
    """Serves ``operations`` on ``folder/owner.sock`` until idle or stopped. Its caller holds the ``OwnerLock``."""

    def __init__(
        self, name: str, folder: Path, operations: Operations, settings: OwnerSettings, about: str = ""
    ) -> None:
        self.name = name
        self.about = about
        self.operations = operations
        self.settings = settings
        self._path = folder / SOCKET_NAME
        self._connections: dict[Connection, asyncio.Task[None]] = {}
        self._stop = asyncio.Event()
        self._calls = itertools.count(1)

    def next_call(self) -> int:
        """A number that no other call of this owner has."""
        return next(self._calls)

    def stop(self) -> None:
        """End soon: calls in flight are cancelled, keys released. For signal handlers."""
        self._stop.set()

    async def serve(self, ready: Callable[[], None] = lambda: None) -> None:
        """Serve until idle or stopped, then leave no socket and no call behind.

        Raises:
            DeskhandError: ``desktop_unavailable`` when the socket cannot be made.
        """
        server = await asyncio.start_unix_server(self._accept, sock=_listening(self._path))
        try:
            ready()
            await self._until_over()
        finally:
            server.close()
            self._path.unlink(missing_ok=True)
            await self._end_connections()

    def status(self) -> Status:
        """The owner as it is now."""
        turns = self.operations.turns
        return Status(
            desktop=self.name,
            pid=os.getpid(),
            clients=sorted(connection.caller.client for connection in self._connections),
            holder=turns.holder,
            waiting=turns.waiting,
            pending=len(self.operations.questions.pending()),
            trouble=self.operations.trouble(),
        )

    async def _until_over(self) -> None:
        clock = asyncio.get_running_loop().time
        since = clock()
        while not self._stop.is_set() and self._path.exists():  # a desktop that ends takes its folder along
            if self._connections or self.operations.questions.pending():
                since = clock()
            elif clock() - since >= self.settings.idle:
                return
            try:
                async with asyncio.timeout(min(1.0, self.settings.idle / 4)):
                    await self._stop.wait()
            except TimeoutError:
                continue

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if _peer_uid(writer) != os.getuid():
            writer.close()
            return
        connection = Connection(self, reader, writer)
        task = asyncio.current_task()
        assert task is not None
        self._connections[connection] = task
        try:
            await connection.serve()
        except (OSError, DeskhandError) as error:
            log.warning("connection of %s ended: %s", connection.caller.client, error)
        except asyncio.CancelledError:
            log.info("connection of %s ended with the owner", connection.caller.client)
        finally:
            del self._connections[connection]

    async def _end_connections(self) -> None:
        tasks = list(self._connections.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _listening(path: Path) -> socket.socket:
    if len(os.fsencode(path)) > _LONGEST_PATH:
        raise DeskhandError(
            "desktop_unavailable", f"{path} is too long for a socket; set XDG_RUNTIME_DIR to a short path"
        )
    path.unlink(missing_ok=True)  # left by a killed owner: the lock says that there is no other
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        made.bind(os.fspath(path))
        path.chmod(0o700)
    except OSError as error:
        made.close()
        raise DeskhandError("desktop_unavailable", f"cannot make {path}: {error}") from error
    return made


def _peer_uid(writer: asyncio.StreamWriter) -> int:
    sock: socket.socket = writer.get_extra_info("socket")
    size = struct.calcsize("3i")
    _, uid, _ = struct.unpack("3i", sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
    return int(uid)
