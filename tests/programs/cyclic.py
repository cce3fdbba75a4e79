"""An application whose accessible tree does not end: ``cyclic.py STATE cycle|self|deep``.

It shows a real (empty) X window of the process, registers on the accessibility bus and answers by hand:

- ``cycle``: the window's child has the window as its child;
- ``self``: the window is its own child and its own parent;
- ``deep``: every element has one more child, for ever.

Run by an interpreter that has dbus-fast and python-xlib. The state file counts the questions asked.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus
from Xlib import X, display

TITLE = "Cyclic"
ROOT = "/org/a11y/atspi/accessible/root"
BASE = "/org/a11y/atspi/accessible/"
ATSPI = "org.a11y.atspi."
APPLICATION, FRAME, BUTTON = 75, 23, 43
SHOWN = [1 << 8 | 1 << 24 | 1 << 25 | 1 << 30, 0]
WIDTH, HEIGHT = 300, 200


class Tree:
    """Answers for every path of the tree; ``asked`` counts."""

    def __init__(self, shape: str, state: str) -> None:
        self.shape = shape
        self.state = state
        self.asked = 0
        self.bus_name = ""
        self.desktop: tuple[str, str] = ("", "/org/a11y/atspi/null")

    def tell(self, ready: bool = True) -> None:
        with open(self.state + ".new", "w", encoding="utf-8") as file:
            json.dump({"ready": ready, "asked": self.asked, "pid": os.getpid(), "pressed": {}, "commands": 0}, file)
        os.rename(self.state + ".new", self.state)

    def children(self, path: str) -> list[str]:
        if path == ROOT:
            return [BASE + "1"]
        number = int(path.rpartition("/")[2])
        if self.shape == "self":
            return [path]
        if self.shape == "cycle":
            return [BASE + ("2" if number == 1 else "1")]
        return [BASE + str(number + 1)]

    def parent(self, path: str) -> tuple[str, str]:
        if path == ROOT:
            return self.desktop
        number = int(path.rpartition("/")[2])
        if self.shape == "self":
            return self.bus_name, path
        return self.bus_name, ROOT if number == 1 else BASE + str(number - 1)

    def role(self, path: str) -> int:
        return APPLICATION if path == ROOT else FRAME if path == BASE + "1" else BUTTON

    def name(self, path: str) -> str:
        return "cyclic" if path == ROOT else TITLE if path == BASE + "1" else f"Level {path.rpartition('/')[2]}"

    def interfaces(self, path: str) -> list[str]:
        return [ATSPI + "Accessible", ATSPI + ("Application" if path == ROOT else "Component")]

    # -- answers -----------------------------------------------------------------------------------------------
    def answer(self, message: Message) -> Message | bool:
        path = message.path or ""
        if message.message_type is not MessageType.METHOD_CALL or not path.startswith(BASE):
            return False
        self.asked += 1
        if self.asked % 50 == 0:
            self.tell()
        if message.interface == "org.freedesktop.DBus.Properties":
            return self._property(message, path)
        found = self._method(message, path)
        if found is None:
            return Message.new_error(message, "org.freedesktop.DBus.Error.UnknownMethod", "not here")
        return Message.new_method_return(message, *found)

    def _properties(self, path: str) -> dict[str, Variant]:
        return {
            "Name": Variant("s", self.name(path)),
            "Description": Variant("s", ""),
            "Parent": Variant("(so)", list(self.parent(path))),
            "ChildCount": Variant("i", len(self.children(path))),
            "Locale": Variant("s", "C"),
            "AccessibleId": Variant("s", ""),
            "ToolkitName": Variant("s", "cyclic"),
            "Version": Variant("s", "1"),
            "AtspiVersion": Variant("s", "2.1"),
            "Id": Variant("i", 0),
        }

    def _property(self, message: Message, path: str) -> Message:
        if message.member == "GetAll":
            return Message.new_method_return(message, "a{sv}", [self._properties(path)])
        if message.member == "Get" and message.body[1] in (known := self._properties(path)):
            return Message.new_method_return(message, "v", [known[message.body[1]]])
        if message.member == "Set":
            return Message.new_method_return(message)
        return Message.new_error(message, "org.freedesktop.DBus.Error.UnknownProperty", "not here")

    def _method(self, message: Message, path: str) -> tuple[str, list[Any]] | None:
        below = self.children(path)
        answers: dict[str, tuple[str, list[Any]]] = {
            "GetChildren": ("a(so)", [[[self.bus_name, each] for each in below]]),
            "GetChildAtIndex": ("(so)", [[self.bus_name, (below or ["/org/a11y/atspi/null"])[0]]]),
            "GetIndexInParent": ("i", [0]),
            "GetRole": ("u", [self.role(path)]),
            "GetRoleName": ("s", ["frame" if path == BASE + "1" else "push button"]),
            "GetLocalizedRoleName": ("s", [""]),
            "GetState": ("au", [SHOWN]),
            "GetAttributes": ("a{ss}", [{}]),
            "GetApplication": ("(so)", [[self.bus_name, ROOT]]),
            "GetRelationSet": ("a(ua(so))", [[]]),
            "GetInterfaces": ("as", [self.interfaces(path)]),
            "GetExtents": ("(iiii)", [[0, 0, WIDTH, HEIGHT]]),
            "GetPosition": ("ii", [0, 0]),
            "GetSize": ("ii", [WIDTH, HEIGHT]),
            "Contains": ("b", [True]),
            "GetAccessibleAtPoint": ("(so)", [[self.bus_name, path]]),
            "GetLocale": ("s", ["C"]),
        }
        return answers.get(message.member or "")


async def accessibility_bus() -> MessageBus:
    """The bus that assistive technologies talk on."""
    session = await MessageBus().connect()
    ask = Message(
        destination="org.a11y.Bus", path="/org/a11y/bus", interface="org.a11y.Bus", member="GetAddress"
    )  # fmt: skip
    reply = await session.call(ask)
    assert reply is not None
    session.disconnect()
    return await MessageBus(bus_address=reply.body[0]).connect()


async def embed(bus: MessageBus, root: str = ROOT) -> tuple[str, str]:
    """Register an application; returns the desktop it stands in."""
    call = Message(
        destination="org.a11y.atspi.Registry", path=ROOT, interface=ATSPI + "Socket", member="Embed",
        signature="(so)", body=[[bus.unique_name, root]],
    )  # fmt: skip
    reply = await bus.call(call)
    assert reply is not None
    assert reply.message_type is MessageType.METHOD_RETURN, reply.body
    return reply.body[0][0], reply.body[0][1]


def show_window(title: str) -> Any:
    """A plain X window of this process, so that the tree has a surface."""
    screen = display.Display()
    root = screen.screen()
    window = root.root.create_window(
        0, 0, WIDTH, HEIGHT, 0, root.root_depth, X.InputOutput, background_pixel=root.white_pixel
    )
    window.set_wm_name(title)
    window.set_wm_class("cyclic", "Cyclic")
    window.change_property(
        screen.intern_atom("_NET_WM_PID"), screen.intern_atom("CARDINAL"), 32, [os.getpid()]
    )  # fmt: skip
    window.map()
    screen.sync()
    return screen


async def main() -> None:
    """Answer until ended."""
    screen = show_window(TITLE)
    tree = Tree(sys.argv[2] if len(sys.argv) > 2 else "cycle", sys.argv[1])
    bus = await accessibility_bus()
    tree.bus_name = bus.unique_name or ""
    bus.add_message_handler(tree.answer)
    tree.desktop = await embed(bus)
    tree.tell()
    try:
        await asyncio.Event().wait()  # until ended
    finally:
        screen.close()


if __name__ == "__main__":
    asyncio.run(main())
