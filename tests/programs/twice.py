"""An application that is registered twice, once with an empty object: ``twice.py STATE``.

Both registrations have one process and one name; the empty one comes first and would hide the full one.
Run by an interpreter that has dbus-fast and python-xlib.
"""

from __future__ import annotations

import asyncio
import sys

from dbus_fast import Message

from tests.programs.cyclic import ROOT, TITLE, Tree, accessibility_bus, embed, show_window

BUTTON = "/org/a11y/atspi/accessible/2"


class Full(Tree):
    """One window with one button."""

    def children(self, path: str) -> list[str]:
        return [] if path == BUTTON else super().children(path)


class Empty(Tree):
    """An application object with nothing in it."""

    def children(self, path: str) -> list[str]:
        return []

    def answer(self, message: Message) -> Message | bool:
        return super().answer(message) if message.path == ROOT else False


async def register(tree: Tree) -> None:
    """Answer for a tree on a connection of its own."""
    bus = await accessibility_bus()
    tree.bus_name = bus.unique_name or ""
    bus.add_message_handler(tree.answer)
    tree.desktop = await embed(bus)


async def main() -> None:
    """Answer until ended."""
    screen = show_window(TITLE)
    empty, full = Empty("cycle", sys.argv[1]), Full("cycle", sys.argv[1])
    await register(empty)
    await register(full)
    full.tell()
    try:
        await asyncio.Event().wait()  # until ended
    finally:
        screen.close()


if __name__ == "__main__":
    asyncio.run(main())
