"""A tree read by the checked cache is the tree that a walk finds, whatever the toolkit keeps in its cache."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from collections.abc import AsyncIterator

import pytest

from deskhand.isolation import NestedDesktop
from deskhand.platforms.base import ReadLimits
from deskhand.platforms.linux.atspi.bus import split_key
from deskhand.platforms.linux.platform import LinuxPlatform
from deskhand.types.geometry import Rect
from deskhand.types.nodes import Node, Tree

pytestmark = pytest.mark.apps
NOWHERE = -(2**31)


@pytest.fixture
async def platform(fresh_desktop: NestedDesktop) -> AsyncIterator[LinuxPlatform]:
    made = LinuxPlatform(fresh_desktop.environment)
    await made.start()
    for command in (["mousepad"], ["gnome-calculator"]):
        await fresh_desktop.launch(command)
    yield made
    await made.close()


async def roots(platform: LinuxPlatform) -> list[str]:
    """The roots of both applications, once they can be read."""
    for _ in range(100):
        found = [w.root for w in await platform.windows() if w.root]
        if len(found) == 2:
            await platform.events.quiet(0.3, 5.0)
            return found
        await platform.events.changed(platform.events.serial, 0.2)
    raise AssertionError("two windows were expected")


def told(tree: Tree) -> Counter[tuple[object, ...]]:
    return Counter((n.role, n.name, n.states, place(n), n.text, n.child_count, n.index) for n in tree.nodes.values())


def place(node: Node) -> Rect | None:
    """Its bounds; GTK3 says of what is in a closed menu, asked for it, that it lies nowhere."""
    return node.bounds if node.bounds is not None and node.bounds.y != NOWHERE else None


@pytest.mark.proves("A1", "G1")
async def test_the_checked_cache_and_the_walk_tell_the_same(platform: LinuxPlatform) -> None:
    for root in await roots(platform):
        quirks = await platform.reader.quirks(split_key(root)[0])
        quirks.hidden_cached = False
        for limits in (ReadLimits(hidden=True), ReadLimits()):
            trees = {}
            for cached in (True, False):
                quirks.cached = quirks.menus_unmapped = cached
                trees[cached] = await platform.read(root, limits)
            assert told(trees[True]) == told(trees[False])
            assert trees[True].hidden == trees[False].hidden
        quirks.cached = True
        await platform.read(root, ReadLimits())  # it asks ahead what the walk has asked
        again = await platform.read(root, ReadLimits())  # a first read finds the cache half filled, and no role known
        assert again.calls < trees[False].calls


@pytest.mark.proves("report-39")
async def test_nothing_is_remembered_of_an_application_that_left(platform: LinuxPlatform) -> None:
    kept, gone = [split_key(root)[0] for root in await roots(platform)]
    for window in await platform.windows():
        if window.root:
            await platform.read(window.root, ReadLimits())
    assert remembers(platform, kept)
    assert remembers(platform, gone)
    os.kill(await platform.bus.pid(gone), signal.SIGTERM)
    async with asyncio.timeout(10):
        while remembers(platform, gone):
            await platform.events.changed(platform.events.serial, 0.1)
    await platform.windows()
    assert not remembers(platform, gone)
    assert remembers(platform, kept)


def remembers(platform: LinuxPlatform, app: str) -> bool:
    """Whether anything that lasts is kept by the application's bus name."""
    rooms = (platform.bus, vars(platform.bus)["_lines"], platform.reader, vars(platform)["_join"])
    kept = [value for room in rooms for value in vars(room).values() if isinstance(value, dict | set)]
    return any(str(key).partition("/")[0] == app for holder in kept for key in holder)
