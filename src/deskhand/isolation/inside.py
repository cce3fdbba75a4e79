"""What every desktop consists of: the X server, the session bus, the accessibility bus and the window manager."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import struct
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus
from Xlib import Xatom
from Xlib.display import Display
from Xlib.error import DisplayError

from deskhand.isolation.control import settle
from deskhand.isolation.environment import program
from deskhand.isolation.reaper import Reaper
from deskhand.types.errors import DeskhandError

FAMILY_LOCAL, FAMILY_WILD = 256, 65535
COOKIE = b"MIT-MAGIC-COOKIE-1"
STEP_SECONDS = 8.0
"""How long each part may take to answer."""
SPARED = -900
"""``oom_score_adj`` of what the whole desktop rests on."""
ACCESSIBILITY = ("/usr/libexec", "/usr/lib/at-spi2-core", "/usr/lib/at-spi2")


class Remote(NamedTuple):
    """An interface of an object on a bus."""

    name: str
    path: str
    interface: str


BUS = Remote("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
ACCESSIBILITY_BUS = Remote("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus")
ACCESSIBILITY_STATUS = Remote("org.a11y.Bus", "/org/a11y/bus", "org.freedesktop.DBus.Properties")


def _needed(name: str, package: str, environment: Mapping[str, str]) -> str:
    found = program(name, environment, *ACCESSIBILITY)
    if found is None:
        raise DeskhandError("desktop_unavailable", f"{name} is missing; run: apt-get install {package}")
    return found


def _field(data: bytes) -> bytes:
    return struct.pack(">H", len(data)) + data


def write_authority(path: Path, cookie: bytes, number: str = "") -> None:
    """Write the X cookie: for any display, and by this machine's name for clients that know no wildcard."""
    entries = [(FAMILY_WILD, b"", b"")]
    if number:
        entries.insert(0, (FAMILY_LOCAL, socket.gethostname().encode(), number.encode()))
    data = b"".join(
        struct.pack(">H", family) + _field(address) + _field(display) + _field(COOKIE) + _field(cookie)
        for family, address, display in entries
    )
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data)


async def start_screen(reaper: Reaper, environment: dict[str, str], size: tuple[int, int]) -> int:
    """Start the X server on a free display, put ``DISPLAY`` into ``environment``, and return its pid."""
    authority = Path(environment["XAUTHORITY"])
    cookie = secrets.token_bytes(16)
    write_authority(authority, cookie)
    command = [
        _needed("Xvfb", "xvfb", environment), "-screen", "0", f"{size[0]}x{size[1]}x24", "-nolisten", "tcp",
        "-auth", str(authority), "-noreset", "-displayfd",
    ]  # fmt: skip
    pid, number = await _announced(reaper, "Xvfb", command, environment)
    write_authority(authority, cookie, number)
    environment["DISPLAY"] = f":{number}"
    return pid


async def start_session_bus(reaper: Reaper, environment: dict[str, str]) -> int:
    """Start the session bus, put its address into ``environment``, and return its pid."""
    path = Path(environment["XDG_RUNTIME_DIR"]) / "bus"
    command = [
        _needed("dbus-daemon", "dbus-daemon", environment), "--session", "--nofork", "--nopidfile", "--nosyslog",
        f"--address=unix:path={path}", "--print-address",
    ]  # fmt: skip
    pid, address = await _announced(reaper, "dbus-daemon", command, environment)
    environment["DBUS_SESSION_BUS_ADDRESS"] = address
    return pid


async def _announced(reaper: Reaper, name: str, command: list[str], environment: Mapping[str, str]) -> tuple[int, str]:
    """Start a server that writes one line to the descriptor named last when it is ready."""
    reading, writing = os.pipe()
    try:
        separator = "=" if command[-1].startswith("--") else None
        tail = [f"{command[-1]}={writing}"] if separator else [command[-1], str(writing)]
        pid = reaper.start(
            [*command[:-1], *tail], environment, passed=(writing,), score=SPARED if name == "Xvfb" else 0
        )
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
            raise DeskhandError("desktop_unavailable", f"{name} ended before it was ready; see keeper.log")
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


async def start_accessibility(reaper: Reaper, environment: dict[str, str]) -> int:
    """Start the accessibility bus, switch accessibility on, await the registry; the launcher's pid.

    Puts ``AT_SPI_BUS_ADDRESS`` into ``environment`` and into what the session bus gives to services it starts.
    """
    launcher = _needed("at-spi-bus-launcher", "at-spi2-core", environment)
    pid = reaper.start([launcher, "--launch-immediately"], environment)
    session = await MessageBus(bus_address=environment["DBUS_SESSION_BUS_ADDRESS"]).connect()
    try:
        address = await _accessibility_address(session)
        environment["AT_SPI_BUS_ADDRESS"] = address
        for name in ("IsEnabled", "ScreenReaderEnabled"):
            body: list[object] = ["org.a11y.Status", name, Variant("b", True)]
            await _call(session, ACCESSIBILITY_STATUS, "Set", "ssv", body)
        await _call(session, BUS, "UpdateActivationEnvironment", "a{ss}", [environment])
    finally:
        session.disconnect()
    await _start_registry(address)
    return pid


async def _accessibility_address(session: MessageBus) -> str:
    deadline = time.monotonic() + STEP_SECONDS
    while not await _call(session, BUS, "NameHasOwner", "s", ["org.a11y.Bus"]):
        if time.monotonic() > deadline:
            raise DeskhandError("desktop_unavailable", "the accessibility bus did not come up; reinstall at-spi2-core")
        await asyncio.sleep(0.01)
    return str(await _call(session, ACCESSIBILITY_BUS, "GetAddress"))


async def _start_registry(address: str) -> None:
    bus = await MessageBus(bus_address=address).connect()
    try:
        await _call(bus, BUS, "StartServiceByName", "su", ["org.a11y.atspi.Registry", 0])
    finally:
        bus.disconnect()


async def _call(bus: MessageBus, on: Remote, member: str, signature: str = "", body: Sequence[object] = ()) -> object:
    message = Message(on.name, on.path, on.interface, member, signature=signature, body=list(body))
    try:
        reply = await asyncio.wait_for(bus.call(message), STEP_SECONDS)
    except TimeoutError as error:
        raise DeskhandError("desktop_unavailable", f"{on.name} did not answer {member}") from error
    if reply is None or reply.message_type is MessageType.ERROR:
        raise DeskhandError("desktop_unavailable", f"{on.name} refused {member}: {reply and reply.body}")
    return reply.body[0] if reply.body else None


def start_window_manager(reaper: Reaper, environment: Mapping[str, str], folder: Path) -> int:
    """Start openbox with deskhand's own settings; its pid."""
    command = [
        _needed("openbox", "openbox", environment),
        "--sm-disable",
        "--config-file",
        str(folder / "config/openbox.xml"),
    ]
    return reaper.start(command, environment, score=SPARED)


async def window_manager_ready(environment: Mapping[str, str]) -> None:
    """Wait until a window manager manages the display."""
    await _until(lambda: _managed(environment), "openbox did not become ready")


async def _until(condition: Callable[[], bool], complaint: str) -> None:
    deadline = time.monotonic() + STEP_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise DeskhandError("desktop_unavailable", complaint)
        await asyncio.sleep(0.02)


def _managed(environment: Mapping[str, str]) -> bool:
    os.environ["XAUTHORITY"] = environment["XAUTHORITY"]  # python-xlib reads the cookie's place from there
    try:
        display = Display(environment["DISPLAY"])
    except DisplayError as error:
        raise DeskhandError("desktop_unavailable", f"the display does not answer: {error}") from error
    try:
        atom = display.intern_atom("_NET_SUPPORTING_WM_CHECK")
        return display.screen().root.get_full_property(atom, Xatom.WINDOW) is not None
    finally:
        display.close()
