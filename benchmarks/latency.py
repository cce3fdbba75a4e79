"""What a person at the keyboard feels: from a key to the changed text, with deskhand looking on and without.

Keys go by XTEST, the change is heard as an AT-SPI event on a bus connection of the benchmark's own; deskhand observes
in another process. Each pair is one key with it observing in a loop and one without, in changing order.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from dbus_fast import Message, MessageType
from dbus_fast.aio import MessageBus
from Xlib import XK, X
from Xlib.display import Display
from Xlib.ext import xtest

from benchmarks.figures import Felt, middle, ratio
from benchmarks.rig import MEMORY_MB, fill
from deskhand import isolation
from deskhand.isolation import NestedDesktop

PAIRS = 200
APPLICATIONS = ("Mousepad", "Text Editor")
_PATIENCE = 3.0
_PHASE = 0.06  # seconds within which a key falls at any moment of a view


class Keyboard:
    """One letter, and away with it again, each with the seconds until the text has changed."""

    def __init__(self, environment: Mapping[str, str], heard: asyncio.Event) -> None:
        os.environ["XAUTHORITY"] = environment["XAUTHORITY"]
        self._display, self._heard = Display(environment["DISPLAY"]), heard
        self._codes = [self._display.keysym_to_keycode(XK.string_to_keysym(name)) for name in ("a", "BackSpace")]
        self._next = 0

    async def press(self) -> float:
        """Seconds from the key to the event."""
        code, self._next = self._codes[self._next], 1 - self._next
        self._heard.clear()
        started = time.perf_counter()
        for kind in (X.KeyPress, X.KeyRelease):
            xtest.fake_input(self._display, kind, code)
        self._display.sync()
        await asyncio.wait_for(self._heard.wait(), _PATIENCE)
        return time.perf_counter() - started

    def close(self) -> None:
        """Leave the display."""
        self._display.close()


class Beside:
    """The process in which deskhand runs."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def tell(self, command: str) -> int:
        """A command, answered by the views so far."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{command}\n".encode())
        answer = await asyncio.wait_for(self._process.stdout.readline(), 90)
        if not answer:
            raise RuntimeError(f"the watching process ended at {command!r}")
        return int(answer)

    async def stop(self) -> None:
        """End it by closing its stdin."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        await self._process.wait()


async def latency(pairs: int = PAIRS) -> list[Felt]:
    """Each application on a desktop of its own."""
    return [await _felt(name, pairs) for name in APPLICATIONS]


async def _felt(name: str, pairs: int) -> Felt:
    async with _desktop() as desktop, _beside(desktop) as beside, _heard(desktop.environment) as heard:
        await beside.tell(f"open {name}")
        keyboard = Keyboard(desktop.environment, heard)
        try:
            return await _measure(name, pairs, keyboard, beside)
        finally:
            keyboard.close()


async def _measure(name: str, pairs: int, keyboard: Keyboard, beside: Beside) -> Felt:
    alone: list[float] = []
    watched: list[float] = []
    before = await beside.tell("halt")
    for turn in range(pairs + 5):
        for looks in (turn % 2 == 0, turn % 2 == 1):
            (watched if looks else alone).append(await _one(keyboard, beside, looks))
    views = await beside.tell("halt") - before
    alone, watched = alone[5:], watched[5:]  # the first ones warm everything up
    return Felt(
        name=name, pairs=pairs, alone_ms=middle(alone), watched_ms=middle(watched), ratio=ratio(alone, watched),
        views=views,
    )  # fmt: skip


async def _one(keyboard: Keyboard, beside: Beside, looks: bool) -> float:
    await beside.tell("go" if looks else "halt")
    await asyncio.sleep(random.uniform(0, _PHASE))
    seconds = await keyboard.press()
    await beside.tell("halt")
    return seconds


@asynccontextmanager
async def _desktop() -> AsyncIterator[NestedDesktop]:
    desktop = await isolation.start(
        f"latency-{os.getpid()}", memory_mb=MEMORY_MB, tied=True, environment={"LC_ALL": "C.UTF-8"}
    )
    try:
        await fill(desktop)
        yield desktop
    finally:
        await desktop.stop()


@asynccontextmanager
async def _beside(desktop: NestedDesktop) -> AsyncIterator[Beside]:
    pipe = asyncio.subprocess.PIPE
    command = (sys.executable, "-m", "benchmarks.watching", desktop.name)
    beside = Beside(await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe))
    try:
        yield beside
    finally:
        await beside.stop()


@asynccontextmanager
async def _heard(environment: Mapping[str, str]) -> AsyncIterator[asyncio.Event]:
    """Set whenever a text changes anywhere, heard without deskhand."""
    session = await MessageBus(environment["DBUS_SESSION_BUS_ADDRESS"]).connect()
    address = await _call(session, Message("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress"))
    session.disconnect()
    bus, heard = await MessageBus(address).connect(), asyncio.Event()
    bus.add_message_handler(lambda message: heard.set() if message.member == "TextChanged" else None)
    rule = "type='signal',interface='org.a11y.atspi.Event.Object',member='TextChanged'"
    own = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
    registry = ("org.a11y.atspi.Registry", "/org/a11y/atspi/registry", "org.a11y.atspi.Registry")
    await _call(bus, Message(*own, "AddMatch", signature="s", body=[rule]))
    await _call(bus, Message(*registry, "RegisterEvent", signature="sass", body=["object:text-changed", [], ""]))
    try:
        yield heard
    finally:
        bus.disconnect()


async def _call(bus: MessageBus, message: Message) -> Any:
    answer = await bus.call(message)
    if answer is None or answer.message_type is MessageType.ERROR:
        raise RuntimeError(f"{message.member}: {answer.body if answer else 'no answer'}")
    return answer.body[0] if answer.body else None
