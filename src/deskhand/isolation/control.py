"""The keeper's socket: one request a packet, answered to this user alone."""

from __future__ import annotations

import asyncio
import os
import socket
import struct
from collections.abc import Awaitable, Callable
from pathlib import Path

from pydantic import ValidationError

from deskhand.isolation.messages import LONGEST_MESSAGE, Reply, Request
from deskhand.types.errors import DeskhandError

CREDENTIALS = struct.Struct("3i")


def peer_user(connection: socket.socket) -> int:
    """The user id of whoever is at the other end."""
    raw = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size)
    return int(CREDENTIALS.unpack(raw)[1])


class Connection:
    """One client, seen from the keeper."""

    def __init__(self, endpoint: socket.socket) -> None:
        endpoint.setblocking(False)
        self.endpoint = endpoint

    async def receive(self) -> tuple[Request, list[int]] | None:
        """The next request with the descriptors it brought; None when the client has gone."""
        await readable(self.endpoint)
        try:
            data, descriptors, _, _ = socket.recv_fds(self.endpoint, LONGEST_MESSAGE, 3)
        except OSError:
            return None
        if not data:
            return None
        try:
            return Request.model_validate_json(data), list(descriptors)
        except ValidationError as error:
            close_all(descriptors)
            raise DeskhandError("invalid_request", f"not a keeper's request: {error.errors()[0]['msg']}") from error

    def send(self, reply: Reply) -> None:
        """Answer; a client that has gone gets nothing."""
        try:
            self.endpoint.send(reply.model_dump_json().encode())
        except OSError:
            self.endpoint.close()


def close_all(descriptors: list[int]) -> None:
    """Close what a request brought."""
    for descriptor in descriptors:
        os.close(descriptor)


def settle(waited: asyncio.Future[None]) -> None:
    """Resolve the future unless it is resolved or cancelled already."""
    if not waited.done():
        waited.set_result(None)


async def readable(endpoint: socket.socket) -> None:
    """Wait until the socket has something, or its end."""
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()
    loop.add_reader(endpoint, settle, ready)
    try:
        await ready
    finally:
        loop.remove_reader(endpoint)


def listen(path: Path) -> socket.socket:
    """Open the socket, for this user alone."""
    server = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    server.bind(str(path))
    path.chmod(0o600)
    server.listen(64)
    server.setblocking(False)
    return server


async def serve(server: socket.socket, handle: Callable[[Connection], Awaitable[None]]) -> None:
    """Accept clients for ever; strangers are hung up on."""
    tasks: set[asyncio.Task[None]] = set()
    while True:
        endpoint, _ = await asyncio.get_running_loop().sock_accept(server)
        if peer_user(endpoint) != os.getuid():
            endpoint.close()
            continue
        task = asyncio.ensure_future(_attend(Connection(endpoint), handle))
        tasks.add(task)
        task.add_done_callback(tasks.discard)


async def _attend(connection: Connection, handle: Callable[[Connection], Awaitable[None]]) -> None:
    try:
        await handle(connection)
    except DeskhandError as error:
        connection.send(Reply(error=error.code, message=error.message))
    finally:
        connection.endpoint.close()
