"""What a conformance check drives: a started platform, and a program that tells by itself what was done to it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from deskhand.platforms.base import Platform, ReadLimits
from deskhand.types.errors import DeskhandError, ErrorCode
from deskhand.types.geometry import Point
from deskhand.types.nodes import Node, Tree, Window

Found = TypeVar("Found")

PATIENCE = 8.0
"""Seconds until what must come true has to be true."""


class Application(Protocol):
    """The program under the platform's hands."""

    @property
    def state(self) -> dict[str, Any]:
        """What it says of itself now."""
        ...

    async def command(self, line: str) -> object:
        """Change it, and wait until it has changed."""
        ...

    async def until(self, met: Callable[[dict[str, Any]], bool], what: str = "") -> object:
        """Wait until its state meets a condition; raises ``AssertionError`` when it does not."""
        ...

    def stop(self) -> None:
        """Make it answer nothing."""
        ...

    def resume(self) -> None:
        """Let it go on."""
        ...


@dataclass(frozen=True)
class Subject:
    """What a check drives: ``title`` is the title of the application's window."""

    platform: Platform
    application: Application
    title: str

    async def window(self) -> Window:
        """The application's window, once it is there and can be read."""

        async def look() -> Window | None:
            found = [each for each in await self.platform.windows() if each.title == self.title]
            return found[0] if found and found[0].root is not None else None

        return await self.eventually(look, f"window {self.title!r}")

    async def tree(self, limits: ReadLimits | None = None) -> Tree:
        """The window's tree."""
        root = (await self.window()).root
        assert root is not None
        return await self.platform.read(root, limits or ReadLimits(actions=True))

    async def find(self, role: str | tuple[str, ...], name: str) -> Node:
        """An element that shows, once it is there."""

        async def look() -> Node | None:
            return pick(await self.tree(), role, name)

        return await self.eventually(look, f"{role} {name!r}")

    async def eventually(self, look: Callable[[], Awaitable[Found | None]], what: str) -> Found:
        """Look again after every change until there is something; ``AssertionError`` when nothing comes."""
        loop = asyncio.get_running_loop()
        end = loop.time() + PATIENCE
        while loop.time() < end:
            serial = self.platform.events.serial
            found = await look()
            if found is not None:
                return found
            await self.platform.events.changed(serial, 0.1)
        raise AssertionError(f"{what} did not come")

    async def live(self, key: str, met: Callable[[Node], bool], what: str) -> Node:
        """An element once its live state meets a condition."""

        async def look() -> Node | None:
            node = (await self.platform.refresh([key]))[key]
            return node if node is not None and met(node) else None

        return await self.eventually(look, what)

    async def click(self, point: Point) -> None:
        """A click of the left button."""
        await self.platform.move_pointer(*point)
        await self.platform.press_button("left", True)
        await self.platform.press_button("left", False)


def pick(tree: Tree, role: str | tuple[str, ...], name: str) -> Node | None:
    """The node of a tree with this role and name."""
    roles = (role,) if isinstance(role, str) else role
    found = [node for node in tree.nodes.values() if node.role in roles and node.name == name]
    return found[0] if found else None


def centre(node: Node) -> Point:
    """The middle of what can be seen of an element."""
    bounds = node.visible if node.visible is not None else node.bounds
    assert bounds is not None, f"{node.role} {node.name!r} has no bounds"
    assert not bounds.empty, f"{node.role} {node.name!r} cannot be seen"
    return bounds.centre


async def refused(call: Awaitable[object], *codes: ErrorCode) -> DeskhandError:
    """The typed error that a call raises."""
    refusal = await refusal_of(call)
    assert refusal is not None, f"was not refused with {' or '.join(codes)}"
    assert refusal.code in codes, f"{refusal.code} instead of {' or '.join(codes)}: {refusal.message}"
    assert refusal.message, "an error says what to do"
    return refusal


async def refusal_of(call: Awaitable[object]) -> DeskhandError | None:
    """The typed error that a call raises, None where it does not."""
    try:
        await call
    except DeskhandError as error:
        return error
    return None
