"""Waits for a browser's page that is not told yet (report 5): slow is not empty.

Measured with Chromium 156: just woken, or with a page just opened, it tells its own controls and for 0.15 s (idle; more
under load) a document without anything in it, or none.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Protocol

from deskhand.platforms.base import EventFeed, ReadLimits
from deskhand.types.nodes import Tree

PAGE_SECONDS = 2.0
"""Seconds that a page has to be told after the browser's own controls."""
LOOK = 0.1
"""Seconds, at most, between two looks: not every change is announced."""
NOT_TOLD = "the page is empty, or not told yet"
_KNOWN_MOST = 1000


class Reader(Protocol):
    """What reads trees, and knows of a window just read whether it is a browser's."""

    async def read(self, root: str, limits: ReadLimits) -> Tree:
        """The tree below ``root``."""
        ...

    def web(self, key: str) -> bool:
        """Whether what was read belongs to a browser."""
        ...


class PageWait:
    """Reads a browser's window again until its page is told, for 2 s at most, and not again where that was in vain."""

    def __init__(self, reader: Reader, events: EventFeed) -> None:
        self._reader, self._events = reader, events
        self._in_vain: set[str] = set()

    async def read(self, root: str, limits: ReadLimits) -> Tree:
        """The tree below ``root``, with a note where it has tabs and nothing in the page in front."""
        ends = time.monotonic() + min(PAGE_SECONDS, limits.seconds)
        serial = self._events.serial
        tree = await self._reader.read(root, limits)
        if not self._reader.web(root):
            return tree
        while (missing := untold(tree)) and missing not in self._in_vain and (left := ends - time.monotonic()) > 0:
            await self._events.changed(serial, min(left, LOOK))
            serial = self._events.serial
            tree = await self._reader.read(root, limits)
        if not missing:
            self._in_vain.discard(root)
            return tree
        self._remember(missing)
        return replace(tree, notes=(*tree.notes, NOT_TOLD))

    def _remember(self, missing: str) -> None:
        if len(self._in_vain) >= _KNOWN_MOST:
            self._in_vain.clear()
        self._in_vain.add(missing)


def untold(tree: Tree) -> str:
    """Key of the empty document of a window with tabs, of the window where it has none; "" where a page is told."""
    root = tree.nodes.get(tree.root)
    if root is None or root.role != "window" or all(node.role != "tablist" for node in tree.nodes.values()):
        return ""
    documents = [node for node in tree.nodes.values() if node.role == "document"]
    if any(node.text or node.child_count for node in documents):
        return ""
    return documents[0].key if documents else tree.root
