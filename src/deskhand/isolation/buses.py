"""The buses of a desktop: the session bus, and the accessibility bus with accessibility on from the start."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from dbus_fast import AuthError, InvalidAddressError, Message, MessageType, Variant
from dbus_fast.aio import MessageBus

from deskhand.isolation.reaper import Reaper
from deskhand.isolation.servers import STEP_SECONDS, announced, needed
from deskhand.types.errors import DeskhandError

REGISTRY = "org.a11y.atspi.Registry"


class Remote(NamedTuple):
    """An interface of an object on a bus."""

    name: str
    path: str
    interface: str


BUS = Remote("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
ACCESSIBILITY_BUS = Remote("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus")
ACCESSIBILITY_STATUS = Remote("org.a11y.Bus", "/org/a11y/bus", "org.freedesktop.DBus.Properties")


async def start_session_bus(reaper: Reaper, environment: dict[str, str]) -> int:
    """Start the session bus, put its address into ``environment``, and return its pid."""
    path = Path(environment["XDG_RUNTIME_DIR"]) / "bus"
    command = [
        needed("dbus-daemon", "dbus-daemon", environment), "--session", "--nofork", "--nopidfile", "--nosyslog",
        f"--address=unix:path={path}", "--print-address",
    ]  # fmt: skip
    pid, address = await announced(reaper, "dbus-daemon", command, environment)
    environment["DBUS_SESSION_BUS_ADDRESS"] = address
    return pid


async def start_accessibility(reaper: Reaper, environment: dict[str, str]) -> int:
    """Start the accessibility bus, switch accessibility on, await the registry; the launcher's pid.

    Puts ``AT_SPI_BUS_ADDRESS`` into ``environment`` and into what the session bus gives to services it starts.
    """
    launcher = needed("at-spi-bus-launcher", "at-spi2-core", environment)
    pid = reaper.start([launcher, "--launch-immediately"], environment)
    session = await _connected(environment["DBUS_SESSION_BUS_ADDRESS"], "session")
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
    bus = await _connected(address, "accessibility")
    try:
        await _call(bus, BUS, "StartServiceByName", "su", [REGISTRY, 0])
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


async def _connected(address: str, which: str) -> MessageBus:
    try:
        return await asyncio.wait_for(MessageBus(bus_address=address).connect(), STEP_SECONDS)
    except TimeoutError as error:
        said = f"the {which} bus accepts connections and does not answer ({STEP_SECONDS:g} s)"
        raise DeskhandError("desktop_unavailable", said) from error
    except (OSError, AuthError, InvalidAddressError, EOFError) as error:
        raise DeskhandError("desktop_unavailable", f"the {which} bus cannot be reached: {error}") from error


class Accessibility(NamedTuple):
    """What a session's accessibility bus says of itself."""

    address: str
    enabled: bool
    registry: bool


async def accessibility_of(environment: Mapping[str, str]) -> Accessibility:
    """Ask a session. Raises ``desktop_unavailable`` naming what does not answer."""
    runtime = environment.get("XDG_RUNTIME_DIR", "")
    address = environment.get("DBUS_SESSION_BUS_ADDRESS") or (f"unix:path={runtime}/bus" if runtime else "")
    if not address:
        raise DeskhandError("desktop_unavailable", "there is no session bus (DBUS_SESSION_BUS_ADDRESS is not set)")
    session = await _connected(address, "session")
    try:
        given = environment.get("AT_SPI_BUS_ADDRESS")
        accessible = given or str(await _call(session, ACCESSIBILITY_BUS, "GetAddress"))
        enabled = await _call(session, ACCESSIBILITY_STATUS, "Get", "ss", ["org.a11y.Status", "IsEnabled"])
    finally:
        session.disconnect()
    return Accessibility(accessible, enabled == Variant("b", True), await _registry_answers(accessible))


async def _registry_answers(address: str) -> bool:
    bus = await _connected(address, "accessibility")
    try:
        return bool(await _call(bus, BUS, "NameHasOwner", "s", [REGISTRY]))
    finally:
        bus.disconnect()
