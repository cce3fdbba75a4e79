"""The accessibility bus: lines to applications with capped flight, and applications that hang told from dead ones.

What is in flight is capped per application, and a hung application gets nothing more until a probe sent to it has been
answered.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from dbus_fast import AuthError, BusType, DBusError, Message, MessageType
from dbus_fast.aio import MessageBus

from deskhand.platforms.linux.atspi.line import Answer, Gone, Refused, values
from deskhand.platforms.linux.atspi.lines import Lines
from deskhand.types.errors import DeskhandError

__all__ = ["AccessibilityBus", "Deadline", "Gone", "Refused", "join_key", "process_state", "split_key", "unresponsive"]

ATSPI = "org.a11y.atspi."
PROPERTIES = "org.freedesktop.DBus.Properties"
REGISTRY = "org.a11y.atspi.Registry"
ROOT = "/org/a11y/atspi/accessible/root"
FLIGHT = 8
"""Calls in flight per application. An application answers from its UI thread: more is felt by its user."""
CALL_SECONDS = 4.0
GRACE = 4.0
"""Seconds from when an application is suspected to hang in which it may be busy, opening a large dialog for one."""
PROPERTY_NAMES: dict[str, tuple[str, ...]] = {
    "Accessible": ("Name", "Description", "ChildCount"),
    "Value": ("CurrentValue", "MinimumValue", "MaximumValue"),
    "Table": ("NRows", "NColumns"),
}
"""What is read of an interface where its properties must be asked for one by one."""
_NEVER = frozenset({"T", "t", "Z", "X", ""})
"""States of processes that answer nothing by themselves: stopped, traced, dead, gone."""
START_SECONDS = 6.0
"""Each bus may take so long to greet; all of them together less than an owner has to start."""
_R = TypeVar("_R")
log = logging.getLogger(__name__)


async def answered(who: str, work: Awaitable[_R]) -> _R:
    """What a bus answers at start-up, within ``START_SECONDS``. Raises ``accessibility_off`` with the remedy."""
    try:
        async with asyncio.timeout(START_SECONDS):
            return await work
    except TimeoutError as error:
        said = f"{who} accepts connections and does not answer ({START_SECONDS:g} s)"
        raise DeskhandError("accessibility_off", f"{said}; what is wrong and what mends it: deskhand doctor") from error
    except (OSError, AuthError, DBusError, EOFError, ValueError) as error:
        why = str(error) or type(error).__name__
        raise DeskhandError(
            "accessibility_off", f"{who} cannot be reached ({why}); what mends it: deskhand doctor"
        ) from error


async def _greeted(address: str) -> MessageBus:
    return await MessageBus(bus_address=address).connect()


class AccessibilityBus:
    """One connection to a desktop's accessibility bus.

    ``calls`` counts round trips to applications, for the tests and benchmarks that hold them.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._bus: MessageBus | None = None
        self._lines: Lines | None = None
        self._address = ""
        self._opening = asyncio.Lock()
        self._probes: dict[str, asyncio.Task[None]] = {}
        self._suspected: dict[str, float] = {}  # bus name: since when (monotonic seconds)
        self._pids: dict[str, int] = {}
        self.piecemeal: set[str] = set()  # bus names of applications that answer no GetAll
        self.calls = 0

    async def connect(self) -> None:
        """Connect by the session bus. Raises ``desktop_unavailable`` or ``accessibility_off`` with the remedy."""
        address = self._environment.get("AT_SPI_BUS_ADDRESS")
        if not address:
            address = await answered("the session bus", self._ask_session_bus())
        self._address = address
        self._bus = await answered("the accessibility bus", _greeted(address))
        self._lines = await answered("the accessibility bus", Lines.open(address, FLIGHT, self.pid))

    async def revive(self) -> None:
        """Open the lines anew where the bus hung up on them and still stands. Raises ``accessibility_off``."""
        if self._lines is None or not self._lines.lost:
            return
        async with self._opening:
            if self._lines.lost and self.connection.connected:
                log.warning("the accessibility bus hung up; its line is opened anew")
                lines = await answered("the accessibility bus", Lines.open(self._address, FLIGHT, self.pid))
                self._lines.close()
                self._lines = lines

    async def _ask_session_bus(self) -> str:
        address = self._environment.get("DBUS_SESSION_BUS_ADDRESS")
        if not address:
            raise DeskhandError("desktop_unavailable", "no session bus (DBUS_SESSION_BUS_ADDRESS is unset)")
        session = await MessageBus(bus_address=address, bus_type=BusType.SESSION).connect()
        try:
            request = Message("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress")
            reply = await session.call(request)
        finally:
            session.disconnect()
        if reply.message_type is MessageType.ERROR or not reply.body[0]:
            raise DeskhandError("accessibility_off", "org.a11y.Bus gives no address; install at-spi2-core")
        return str(reply.body[0])

    def disconnect(self) -> None:
        """Close the connection and drop outstanding probes."""
        for probe in self._probes.values():
            probe.cancel()
        if self._lines is not None:
            self._lines.close()
            self._lines = None
        if self._bus is not None:
            self._bus.disconnect()
            self._bus = None

    @property
    def connection(self) -> MessageBus:
        """The live connection. Raises ``desktop_unavailable`` once it is lost."""
        if self._bus is None or not self._bus.connected:
            raise DeskhandError("desktop_unavailable", "the accessibility bus connection is lost")
        return self._bus

    async def call(self, app: str, path: str, interface: str, member: str, signature: str = "", *body: Any) -> Any:
        """One call without a deadline of its own; the first value of the answer, None where it has none.

        Raises ``Gone`` or ``Refused``. Cancelling it (a deadline) marks nothing: see ``hung``.
        """
        values = await self.values(app, path, interface, member, signature, *body)
        return values[0] if values else None

    async def values(
        self, app: str, path: str, interface: str, member: str, signature: str = "", *body: Any
    ) -> list[Any]:
        """As ``call``, with all values of the answer."""
        await self.revive()
        await self._reached().reach(app)
        return values(await self.post(app, path, interface, member, signature, *body))

    def post(
        self, app: str, path: str, interface: str, member: str, signature: str = "", *body: Any
    ) -> asyncio.Future[Answer]:
        """Send a question together with all that are posted in the same turn of the loop."""
        self.calls += 1
        return self._reached().line(app).ask(app, path, interface, member, signature, body)

    def _reached(self) -> Lines:
        if self._lines is None or self._lines.lost:
            raise DeskhandError("desktop_unavailable", "the accessibility bus connection is lost")
        return self._lines

    async def _sent(self, message: Message) -> Message:
        try:
            reply = await self.connection.call(message)
        except (EOFError, OSError) as error:
            raise DeskhandError("desktop_unavailable", "the accessibility bus went away", "unknown") from error
        assert reply is not None  # only calls that expect an answer come here
        return reply

    async def tell(self, app: str, path: str, interface: str, member: str, signature: str = "", *body: Any) -> None:
        """A call whose answer nobody waits for: some toolkits carry it out and never answer."""
        await self.revive()
        await self._reached().reach(app)
        self.calls += 1
        self._reached().line(app).tell(app, path, interface, member, signature, body)

    async def ask(self, app: str, path: str, interface: str, member: str, signature: str = "", *body: Any) -> Any:
        """As ``call`` for an AT-SPI interface (short name), bounded: ``app_unresponsive`` after ``CALL_SECONDS``."""
        async with self.bounded(app, CALL_SECONDS):
            return await self.call(app, path, ATSPI + interface, member, signature, *body)

    async def get(self, app: str, path: str, interface: str, name: str) -> Any:
        """One property, without a deadline of its own."""
        value = await self.call(app, path, PROPERTIES, "Get", "ss", ATSPI + interface, name)
        return value.value

    async def get_all(self, app: str, path: str, interface: str) -> dict[str, Any]:
        """All properties of an interface, unpacked, without a deadline of its own.

        One by one (those in ``PROPERTY_NAMES``) from applications that are in ``piecemeal``.
        """
        if app in self.piecemeal:
            names = PROPERTY_NAMES[interface]
            values = await asyncio.gather(*(self.get(app, path, interface, name) for name in names))
            return dict(zip(names, values, strict=True))
        found = await self.call(app, path, PROPERTIES, "GetAll", "s", ATSPI + interface)
        return {name: variant.value for name, variant in found.items()}

    def bounded(self, app: str, seconds: float, *, patient: bool = True) -> Deadline:
        """A deadline around calls to one application; running out of it marks the application as hung.

        ``patient``: one that has been suspected only just now is given its ``GRACE`` before.
        """
        return Deadline(self, app, seconds, patient)

    def hung(self, app: str) -> bool:
        """Whether a probe sent to this application is still unanswered."""
        probe = self._probes.get(app)
        return probe is not None and not probe.done()

    def suspect(self, app: str) -> None:
        """Mark as hung until it answers one probe."""
        if not self.hung(app):
            self._suspected[app] = time.monotonic()
            self._probes[app] = asyncio.create_task(self._probe(app))

    async def recovers(self, app: str) -> bool:
        """Whether a suspected application answers within what is left of its grace; one that is stopped has none."""
        left = self._suspected[app] + GRACE - time.monotonic()
        if left > 0 and process_state(await self.pid(app)) not in _NEVER:
            await asyncio.wait([self._probes[app]], timeout=left)
        return not self.hung(app)

    async def _probe(self, app: str) -> None:
        message = Message(app, ROOT, "org.freedesktop.DBus.Peer", "Ping")
        try:
            await self.connection.call(message)
        except (EOFError, OSError, DeskhandError):
            return  # the bus itself is gone: whoever asks next is told so

    async def pid(self, app: str) -> int:
        """The process behind a bus name; 0 when it left."""
        if app not in self._pids:
            bus = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
            reply = await self._sent(Message(*bus, "GetConnectionUnixProcessID", signature="s", body=[app]))
            if reply.message_type is MessageType.ERROR:
                return 0  # not remembered: it has left
            self._pids[app] = int(reply.body[0])
        return self._pids[app]

    def left(self, app: str) -> None:
        """An application left the bus: nothing is kept of it."""
        self._pids.pop(app, None)
        self._suspected.pop(app, None)
        self.piecemeal.discard(app)
        if (probe := self._probes.pop(app, None)) is not None:
            probe.cancel()
        if self._lines is not None:
            self._lines.left(app)


class Deadline:
    """Bounds calls to one application: raises ``app_unresponsive`` while it hangs, and when time runs out."""

    def __init__(self, bus: AccessibilityBus, app: str, seconds: float, patient: bool) -> None:
        self._bus, self._app, self._seconds, self._patient = bus, app, seconds, patient
        self._timeout: asyncio.Timeout | None = None

    async def __aenter__(self) -> None:
        await self._bus.revive()
        if self._bus.hung(self._app) and not (self._patient and await self._bus.recovers(self._app)):
            raise await unresponsive(self._bus, self._app)
        self._timeout = asyncio.timeout(self._seconds)
        await self._timeout.__aenter__()

    async def __aexit__(self, *exc: Any) -> None:
        assert self._timeout is not None
        try:
            await self._timeout.__aexit__(*exc)
        except TimeoutError:
            self._bus.suspect(self._app)
            raise await unresponsive(self._bus, self._app) from None


async def unresponsive(bus: AccessibilityBus, app: str) -> DeskhandError:
    """The error for an application that does not answer, with what the system knows of its process."""
    pid = await bus.pid(app)
    state = process_state(pid)
    hint = {"T": "it is stopped (SIGCONT wakes it)", "Z": "it has died", "": "its process is gone"}.get(state, "")
    return DeskhandError("app_unresponsive", f"process {pid} does not answer; {hint or 'it may be busy: wait'}")


def process_state(pid: int) -> str:
    """The one-letter state from /proc (R S D T Z …), empty when there is no such process."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    return status.rpartition(")")[2].split()[0]


@lru_cache(maxsize=65536)
def split_key(key: str) -> tuple[str, str]:
    """``":1.3/org/a11y/…"`` → bus name and object path."""
    app, slash, path = key.partition("/")
    if not app.startswith(":") or not slash:
        raise DeskhandError("stale_ref", "no element has such a key")
    return app, slash + path


def join_key(reference: Sequence[str]) -> str:
    """An AT-SPI reference (bus name, path) as a key."""
    return f"{reference[0]}{reference[1]}"
