"""Reaching a desktop's owner, starting it where there is none. Two clients may race: the lock lets one owner win."""

from __future__ import annotations

import asyncio
import os
import subprocess
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from deskhand.daemon.client import RemoteDesktop, attach
from deskhand.daemon.protocol import Hello
from deskhand.types.errors import DeskhandError
from deskhand.types.results import Failure

LOG_NAME = "owner.log"
FAILURE_NAME = "owner.failed"
LOCKED = 4
"""Exit code of an owner that found another one in place."""
_START = 25.0  # seconds that an owner may take until it greets
_POLL = 0.02


@dataclass(frozen=True, slots=True)
class Place:
    """Where a desktop's owner lives and how it is started.

    ``command`` starts the owner; ``environment`` None inherits this process's.
    """

    name: str
    folder: Path
    command: tuple[str, ...]
    environment: Mapping[str, str] | None = None


async def reach(place: Place, hello: Hello, *, start: bool = True, timeout: float = _START) -> RemoteDesktop:
    """Connect to the owner; start one where there is none.

    Raises:
        DeskhandError: ``desktop_unavailable``: none runs and ``start`` is False, it did not come up in ``timeout``
            seconds, or it said why it cannot; or the owner's refusal.
    """
    remote = await attach(place.folder, hello)
    if remote is not None:
        return remote
    if not start:
        raise DeskhandError("desktop_unavailable", f"no owner runs for desktop {place.name}")
    try:
        async with asyncio.timeout(timeout):
            return await _started(place, hello)
    except TimeoutError:
        raise DeskhandError(
            "desktop_unavailable", f"the owner did not come up in {timeout:g} s; see {place.folder / LOG_NAME}"
        ) from None


async def _started(place: Place, hello: Hello) -> RemoteDesktop:
    process = _spawn(place)
    while True:
        remote = await attach(place.folder, hello)
        if remote is not None:
            return remote
        code = process.poll()
        if code is not None and code != LOCKED:
            raise _why(place, code)
        if code == LOCKED:  # another one is coming up, or was just ending: ask again, then try again
            await asyncio.sleep(_POLL * 5)
            remote = await attach(place.folder, hello)
            if remote is not None:
                return remote
            process = _spawn(place)
        await asyncio.sleep(_POLL)


def _spawn(place: Place) -> subprocess.Popen[bytes]:
    """A process of its own session: it outlives its starter, and no terminal's Ctrl+C reaches it."""
    place.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (place.folder / FAILURE_NAME).unlink(missing_ok=True)
    with open(place.folder / LOG_NAME, "ab", opener=_private) as sink:
        try:
            process = subprocess.Popen(
                place.command,
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=sink,
                env=None if place.environment is None else dict(place.environment),
                start_new_session=True,
                cwd="/",  # it outlives its starter, whose folder may go
            )
        except OSError as error:
            raise DeskhandError("desktop_unavailable", f"cannot start {place.command[0]}: {error}") from error
    threading.Thread(target=process.wait, daemon=True).start()  # reaps it, whenever it ends
    return process


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _why(place: Place, code: int) -> DeskhandError:
    try:
        return Failure.model_validate_json((place.folder / FAILURE_NAME).read_bytes()).error()
    except (OSError, ValidationError):
        return DeskhandError("desktop_unavailable", f"the owner ended with code {code}; see {place.folder / LOG_NAME}")
