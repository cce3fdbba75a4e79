"""What applications announce: changes, coalesced to a count, and who has the focus."""

from __future__ import annotations

from collections.abc import Callable

from dbus_fast import Message, MessageType
from dbus_fast.aio import MessageBus

from deskhand.platforms.linux.atspi.bus import REGISTRY, AccessibilityBus, answered
from deskhand.types.errors import DeskhandError

EVENTS = (
    "object:state-changed", "object:children-changed", "object:text-changed", "object:property-change",
    "object:selection-changed", "object:text-selection-changed", "object:visible-data-changed", "object:row-inserted",
    "object:row-deleted", "object:active-descendant-changed", "object:value-changed", "window:", "focus:",
)  # fmt: skip
_INTERFACES = ("org.a11y.atspi.Event.Object", "org.a11y.atspi.Event.Window", "org.a11y.atspi.Event.Focus")
_BUS = "org.freedesktop.DBus"


class ElementEvents:
    """Listens on the accessibility bus; calls ``on_change(kind)`` for all that it hears.

    ``on_focus(key)`` is told of a new focus, ``on_role(key)`` of what is another thing now,
    ``on_shown(key, whether)`` of what shows, or does not any more, ``on_left(bus name)`` of an application that left.
    """

    def __init__(
        self,
        bus: AccessibilityBus,
        on_change: Callable[[str], None],
        on_focus: Callable[[str], None],
        on_role: Callable[[str], None],
        on_shown: Callable[[str, bool], None],
        *,
        on_left: Callable[[str], None],
    ) -> None:
        self._bus, self._on_change, self._on_focus = bus, on_change, on_focus
        self._on_role, self._on_shown, self._on_left = on_role, on_shown, on_left

    async def start(self) -> None:
        """Ask the registry for events. Raises ``accessibility_off`` when it does not answer."""
        await answered("the accessibility registry", self._register(self._bus.connection))

    async def _register(self, connection: MessageBus) -> None:
        connection.add_message_handler(self._heard)
        for interface in _INTERFACES:
            await self._add_match(f"type='signal',interface='{interface}'")
        await self._add_match(f"type='signal',sender='{_BUS}',interface='{_BUS}',member='NameOwnerChanged',arg2=''")
        for event in EVENTS:
            path = "/org/a11y/atspi/registry"
            reply = await connection.call(
                Message(REGISTRY, path, "org.a11y.atspi.Registry", "RegisterEvent", signature="s", body=[event])
            )
            if reply.message_type is MessageType.ERROR:
                raise DeskhandError("accessibility_off", f"the accessibility registry refused events: {reply.body}")

    async def _add_match(self, rule: str) -> None:
        bus = (_BUS, "/org/freedesktop/DBus", _BUS)
        await self._bus.connection.call(Message(*bus, "AddMatch", signature="s", body=[rule]))

    def close(self) -> None:
        """Stop listening."""
        self._bus.connection.remove_message_handler(self._heard)

    def _heard(self, message: Message) -> bool:
        if message.message_type is not MessageType.SIGNAL:
            return False
        if message.sender == _BUS and message.member == "NameOwnerChanged":
            name, _before, now = message.body
            if name.startswith(":") and not now:
                self._on_left(name)
            return False
        if not str(message.interface).startswith("org.a11y.atspi.Event"):
            return False
        detail = str(message.body[0]) if message.body else ""
        if message.member == "StateChanged" and detail == "focused" and message.body[1]:
            self._on_focus(f"{message.sender}{message.path}")
        if message.member == "PropertyChange" and detail == "accessible-role":
            self._on_role(f"{message.sender}{message.path}")
        if message.member == "StateChanged" and detail == "showing":
            self._on_shown(f"{message.sender}{message.path}", bool(message.body[1]))
        self._on_change(f"{message.member}:{detail}")
        return True
