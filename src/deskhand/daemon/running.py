"""The life of an owner process: lock, serve, end; with its failure left where its starter reads it."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

from deskhand.daemon.locks import OwnerLock
from deskhand.daemon.server import Owner
from deskhand.daemon.starting import FAILURE_NAME, LOCKED
from deskhand.types.errors import DeskhandError
from deskhand.types.results import Failure

log = logging.getLogger(__name__)
FAILED = 3
"""Exit code of an owner that could not start; ``owner.failed`` tells why."""
_END = 5.0  # seconds that an ending owner may take for its platform

Closing = Callable[[], Awaitable[None]]
"""Closes the owner's parts: platform, counters, recorder."""
Build = Callable[[], Awaitable[tuple[Owner, Closing]]]
"""Makes the owner; called with the lock held."""


async def run_owner(folder: Path, build: Build) -> int:
    """Be the owner of the desktop in ``folder`` until idle or told to end. The process's exit code."""
    lock = OwnerLock(folder)
    try:
        lock.acquire()
    except DeskhandError as error:
        log.info("%s", error)
        return LOCKED
    try:
        return await _owned(build)
    except DeskhandError as error:
        log.error("%s", error)
        note_failure(folder, error)
        return FAILED
    finally:
        lock.release()


def note_failure(folder: Path, error: DeskhandError) -> None:
    """Leave why the owner cannot start where its starter looks."""
    (folder / FAILURE_NAME).write_text(Failure.of(error).model_dump_json())


async def _owned(build: Build) -> int:
    owner, close = await build()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(number, owner.stop)
    try:
        await owner.serve()
    finally:
        async with asyncio.timeout(_END):
            await close()
    return 0
