"""Servers of a desktop: found, started, and waited for until they say that they are ready."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Mapping

from deskhand.isolation.control import settle
from deskhand.isolation.environment import program
from deskhand.isolation.reaper import Reaper
from deskhand.types.errors import DeskhandError

STEP_SECONDS = 8.0
"""How long each part may take to answer."""
SPARED = -900
"""``oom_score_adj`` of what the whole desktop rests on."""
PLACES = ("/usr/libexec", "/usr/lib/at-spi2-core", "/usr/lib/at-spi2")
"""Where programs are that are not meant for ``PATH``."""


def needed(name: str, package: str, environment: Mapping[str, str]) -> str:
    """The program's full path. Raises ``desktop_unavailable`` with the command that installs it."""
    found = program(name, environment, *PLACES)
    if found is None:
        raise DeskhandError("desktop_unavailable", f"{name} is missing; run: apt-get install {package}")
    return found


async def announced(
    reaper: Reaper, name: str, command: list[str], environment: Mapping[str, str], score: int = 0
) -> tuple[int, str]:
    """Start a server that writes one line to the descriptor named last when it is ready."""
    reading, writing = os.pipe()
    try:
        separator = "=" if command[-1].startswith("--") else None
        tail = [f"{command[-1]}={writing}"] if separator else [command[-1], str(writing)]
        pid = reaper.start([*command[:-1], *tail], environment, passed=(writing,), score=score)
    finally:
        os.close(writing)
    try:
        return pid, await _line(reading, name)
    finally:
        os.close(reading)


async def _line(descriptor: int, name: str) -> str:
    os.set_blocking(descriptor, False)
    said = b""
    deadline = time.monotonic() + STEP_SECONDS
    while not said.endswith(b"\n"):
        await _readable(descriptor, deadline - time.monotonic(), name)
        piece = os.read(descriptor, 4096)
        if not piece:
            raise DeskhandError("desktop_unavailable", f"{name} ended before it was ready")
        said += piece
    return said.decode().strip()


async def _readable(descriptor: int, seconds: float, name: str) -> None:
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()
    loop.add_reader(descriptor, settle, ready)
    try:
        await asyncio.wait_for(ready, max(0.01, seconds))
    except TimeoutError as error:
        raise DeskhandError("desktop_unavailable", f"{name} did not become ready in {STEP_SECONDS:.0f} s") from error
    finally:
        loop.remove_reader(descriptor)


async def until(condition: Callable[[], bool], complaint: str) -> None:
    """Wait for it. Raises ``desktop_unavailable`` with the complaint after ``STEP_SECONDS``."""
    deadline = time.monotonic() + STEP_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise DeskhandError("desktop_unavailable", complaint)
        await asyncio.sleep(0.02)
