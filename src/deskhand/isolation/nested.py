"""Start, find and use isolated desktops."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from deskhand.isolation import places
from deskhand.isolation.arrangement import Arrangement
from deskhand.isolation.control import readable
from deskhand.isolation.limits import default_megabytes, require_enough
from deskhand.isolation.messages import (
    LONGEST_MESSAGE,
    SOCKET,
    Home,
    LimitKind,
    Record,
    Reply,
    Request,
    Status,
    Wish,
    read_record,
)
from deskhand.isolation.sweep import reclaim, reclaim_one
from deskhand.types.errors import DeskhandError

START_SECONDS = 20.0
ANSWER_SECONDS = 10.0
STOP_SECONDS = 15.0


class NestedDesktop:
    """A running isolated desktop. Bound to no event loop; satisfies ``types.protocols.Launcher``."""

    def __init__(self, record: Record, lease: socket.socket | None = None) -> None:
        self.record = record
        self._lease = lease

    @property
    def name(self) -> str:
        """The desktop's name."""
        return self.record.wish.name

    @property
    def folder(self) -> Path:
        """The desktop's own folder, mode 0700; removed with it."""
        return Path(self.record.wish.folder)

    @property
    def environment(self) -> Mapping[str, str]:
        """Everything that a program needs to be inside."""
        return dict(self.record.environment)

    async def launch(self, command: Sequence[str], directory: str | None = None) -> int:
        """Start detached, below the keeper and under its limit; the pid. Raises ``launch_failed``."""
        request = Request(do="launch", command=tuple(command), directory=directory)
        return (await self._ask(request)).pid

    async def status(self) -> Status:
        """Programs running and ended, leases, memory."""
        reply = await self._ask(Request(do="status"))
        if reply.status is None:
            raise DeskhandError("internal", "the keeper told no status")
        return reply.status

    async def resize(self, monitors: Arrangement) -> None:
        """Give it these monitors. Raises ``invalid_request`` where it cannot have them."""
        await self._ask(Request(do="resize", monitors=monitors))
        self.record = read_record(self.folder) or self.record

    async def stop(self) -> None:
        """End it and wait until nothing is left. One that has ended already is well."""
        self.release()
        try:
            await self._ask(Request(do="stop"))
        except DeskhandError as error:
            if error.code != "desktop_unavailable":
                raise
        await asyncio.to_thread(wait_until_gone, self.folder)

    def hold(self) -> None:
        """Take a lease: while any is held, a lingering desktop lives."""
        if self._lease is None:
            self._lease = _leased(self.folder)

    def release(self) -> None:
        """Give the lease back; a tied desktop ends with its last one."""
        if self._lease is not None:
            self._lease.close()
            self._lease = None

    async def _ask(self, request: Request) -> Reply:
        return await asyncio.to_thread(ask, self.folder, request)


def connect(folder: Path) -> socket.socket:
    """A connection to the keeper. Raises ``desktop_unavailable``."""
    endpoint = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    endpoint.settimeout(ANSWER_SECONDS)
    try:
        endpoint.connect(str(folder / SOCKET))
    except OSError as error:
        endpoint.close()
        raise DeskhandError("desktop_unavailable", f'the desktop "{folder.name}" is not running') from error
    return endpoint


def exchange(endpoint: socket.socket, request: Request, descriptors: Sequence[int] = ()) -> Reply:
    """Send one request and read its answer. Raises what the keeper answers."""
    data = request.model_dump_json(exclude_defaults=True).encode()
    if len(data) > LONGEST_MESSAGE:
        raise DeskhandError("invalid_request", f"the command is longer than {LONGEST_MESSAGE} bytes")
    try:
        socket.send_fds(endpoint, [data], list(descriptors))
        return told(endpoint.recv(LONGEST_MESSAGE))
    except OSError as error:
        raise DeskhandError("desktop_unavailable", f"the desktop's keeper does not answer: {error}") from error


def told(data: bytes) -> Reply:
    """The keeper's answer as a reply; an error in it is raised."""
    if not data:
        raise DeskhandError("desktop_unavailable", "the desktop has ended")
    try:
        reply = Reply.model_validate_json(data)
    except ValidationError as error:
        raise DeskhandError("internal", "the keeper speaks another version; stop the desktop and start it") from error
    if reply.error:
        raise DeskhandError(reply.error, reply.message)
    return reply


def ask(folder: Path, request: Request) -> Reply:
    """One request on a connection of its own. Blocks."""
    with connect(folder) as endpoint:
        return exchange(endpoint, request)


def _leased(folder: Path) -> socket.socket:
    endpoint = connect(folder)
    exchange(endpoint, Request(do="lease"))
    return endpoint


def wait_until_gone(folder: Path, seconds: float = STOP_SECONDS) -> None:
    """Wait until the desktop's folder is removed, the last thing that its sentinel does; without one, sweep. Blocks."""
    deadline = time.monotonic() + seconds
    while folder.exists():
        with places.all_desktops_locked(folder.parent):
            reclaim_one(folder)
        if time.monotonic() > deadline:
            raise DeskhandError("wait_timeout", f"{folder} is still there after {seconds:.0f} s; see keeper.log in it")
        time.sleep(0.02)


async def start(
    name: str | None = None,
    size: tuple[int, int] = (1280, 1024),
    home: Home = "own",
    *,
    memory_mb: int | None = None,
    tied: bool = False,
    linger: float | None = None,
    limit: LimitKind | None = None,
    environment: Mapping[str, str] | None = None,
    monitors: Arrangement | None = None,
) -> NestedDesktop:
    """Start a desktop and wait until everything in it answers.

    Args:
        name: its name; made up when left out.
        size: width and height in pixels of its one monitor, which can be made smaller later, never larger.
        home: ``own`` gives it an empty home, removed with it; ``files`` the user's files with settings of its own;
            ``shared`` the user's files and settings.
        memory_mb: memory limit of everything inside, from 64; 0 for none, None for 4 GB (less on a small machine).
        tied: it ends when the returned object is released or this process ends.
        linger: with no lease held, it ends after this many seconds; None: it stays.
        limit: how to limit memory; the strongest there is when left out.
        environment: further variables for everything inside.
        monitors: instead of ``size``: these, which can be arranged anew while it runs.

    Raises:
        DeskhandError: ``invalid_request`` for a bad or taken name, ``desktop_unavailable`` with the remedy.
    """
    require_enough(memory_mb)
    name = name or f"new-{secrets.token_hex(4)}"
    folder = places.desktop_folder(name)
    await asyncio.to_thread(reclaim, folder.parent)
    wish = Wish(
        name=name, folder=str(folder), token=secrets.token_hex(12), home=home, limit=limit or "auto",
        monitors=monitors or Arrangement.of(size), movable=monitors is not None,
        memory_mb=default_megabytes() if memory_mb is None else memory_mb, linger=0.0 if tied else linger,
        environment=dict(environment or {}),
    )  # fmt: skip
    await _begin(wish, await asyncio.to_thread(_claim, folder))
    record = read_record(folder)
    if record is None or not record.ready:
        raise DeskhandError("desktop_unavailable", f'the desktop "{name}" ended as soon as it was ready')
    return NestedDesktop(record, _leased(folder) if wish.linger is not None else None)


def _claim(folder: Path) -> int:
    """Make the folder and hold it; waits for one that is just ending."""
    deadline = time.monotonic() + STOP_SECONDS
    while True:
        with places.all_desktops_locked(folder.parent):
            reclaim_one(folder)
            if not folder.exists():
                folder.mkdir(mode=0o700)
                if (held := places.hold(folder)) is not None:
                    return held
        if answers(folder) or time.monotonic() > deadline:
            raise DeskhandError(
                "invalid_request", f'a desktop named "{folder.name}" is running; attach to it or stop it'
            )
        time.sleep(0.05)


def answers(folder: Path) -> bool:
    """Whether a keeper listens there."""
    try:
        connect(folder).close()
    except DeskhandError:
        return False
    return True


async def _begin(wish: Wish, held: int) -> None:
    """Start the keeper and hear that it is ready; when it is not, leave nothing."""
    try:
        said = await _spawned(wish, held)
        if said != "ready":
            raise DeskhandError("desktop_unavailable", said or "the keeper ended before it was ready")
    except DeskhandError:
        await asyncio.to_thread(wait_until_gone, Path(wish.folder))
        raise


async def _spawned(wish: Wish, held: int) -> str:
    reading, writing = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with reading:
        try:
            await asyncio.to_thread(_spawn, wish, held, writing.fileno())
        finally:
            writing.close()
            os.close(held)
        return await _heard(reading)


def _spawn(wish: Wish, held: int, ready: int) -> None:
    command = [sys.executable, "-m", "deskhand.isolation.keeper", str(held), str(ready)]
    wanted = wish.model_dump_json().encode()
    try:
        subprocess.run(command, input=wanted, pass_fds=(held, ready), check=True, timeout=START_SECONDS)
    except (OSError, subprocess.SubprocessError) as error:
        raise DeskhandError("desktop_unavailable", f"the keeper cannot be started: {error}") from error


async def _heard(reading: socket.socket) -> str:
    reading.setblocking(False)
    try:
        await asyncio.wait_for(readable(reading), START_SECONDS)
    except TimeoutError as error:
        raise DeskhandError(
            "desktop_unavailable", f"no desktop after {START_SECONDS:.0f} s; run: deskhand doctor"
        ) from error
    return reading.recv(LONGEST_MESSAGE).decode(errors="replace")


def attach(name: str) -> NestedDesktop:
    """The running desktop of this name. Raises ``desktop_unavailable``."""
    folder = places.desktop_folder(name)
    record = read_record(folder)
    if record is None or not record.ready or not answers(folder):
        raise DeskhandError(
            "desktop_unavailable", f'no desktop "{name}" is running; run: deskhand desktop start {name}'
        )
    return NestedDesktop(record)


async def obtain(name: str, home: Home = "own", linger: float | None = None) -> NestedDesktop:
    """Attach to it, or start it if it does not run."""
    if not answers(places.desktop_folder(name)):
        try:
            return await start(name, home=home, linger=linger)
        except DeskhandError as error:
            if error.code != "invalid_request":
                raise  # else somebody else was faster
    return attach(name)


def list_desktops() -> list[NestedDesktop]:
    """All running desktops of this user; what a crash left is swept."""
    folder = places.desktops_folder()
    reclaim(folder)
    records = (read_record(entry) for entry in sorted(folder.iterdir()))
    return [NestedDesktop(record) for record in records if record and record.ready]
