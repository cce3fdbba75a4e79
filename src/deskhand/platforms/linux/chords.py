"""Chords as the application with the focus can take them."""

from __future__ import annotations

import asyncio

from deskhand.platforms.linux.atspi.bus import REGISTRY, ROOT, AccessibilityBus, Gone, Refused
from deskhand.platforms.linux.atspi.reader import TreeReader
from deskhand.platforms.linux.x11 import keysyms
from deskhand.platforms.linux.x11.input import InputDevice

NOTICE = 0.25
"""Seconds that an application has to notice a modifier; Qt itself waits 0.1 s for the registry, then goes on."""


class Chords:
    """Presses chords at once; with Alt ahead of the key for toolkits that must have handled it by then."""

    def __init__(self, bus: AccessibilityBus, reader: TreeReader, hands: InputDevice) -> None:
        self._bus, self._reader, self._hands = bus, reader, hands

    async def press(self, keys: str, down: bool | None, app: str | None) -> None:
        """Press and release a chord, or one of both. ``app``: bus name of the application with the focus, if known."""
        modifiers = keysyms.with_alt(keys) if down is not False and app is not None else ""
        if app is None or not modifiers or not await self._alt_first(app):
            return await self._hands.chord(keys, down)
        await self._hands.require_keys(keys)
        stays = False
        await self._hands.chord(modifiers, True)
        try:
            await self._noticed(app)
            await self._hands.chord(keys, down)
            stays = bool(down)
        finally:
            if not stays:
                await self._hands.chord(modifiers, False)

    async def _alt_first(self, app: str) -> bool:
        try:
            async with asyncio.timeout(NOTICE):
                return (await self._reader.quirks(app)).alt_first
        except (TimeoutError, Gone, Refused):
            return False  # who does not tell is given the chord as it is

    async def _noticed(self, app: str) -> None:
        """Wait until the key has gone from the display to the application, to the registry, and back to it.

        One that is too slow for that gets the rest all the same: who takes that long is no worse off.
        """
        try:
            async with asyncio.timeout(NOTICE):
                await self._hands.has_read(NOTICE)
                await self._bus.call(REGISTRY, "/org/a11y/atspi/registry", REGISTRY, "GetRegisteredEvents")
                await self._bus.get(app, ROOT, "Accessible", "ChildCount")
        except (TimeoutError, Gone, Refused):
            return
