"""Text pasted where the focus is: the clipboard is lent for it, and given back."""

from __future__ import annotations

import logging

from deskhand.platforms.linux.x11.clipboard import Clipboard
from deskhand.platforms.linux.x11.connection import finish
from deskhand.platforms.linux.x11.input import InputDevice
from deskhand.platforms.linux.x11.keysyms import symbol_of

log = logging.getLogger(__name__)
PASTE = "ctrl+v"


async def paste(hands: InputDevice, clipboard: Clipboard, text: str) -> bool:
    """Whether the application that has the focus has taken ``text``; see ``Platform.paste_text``."""
    wanted = text.replace("\r\n", "\n")
    for character in wanted:
        symbol_of(character)  # what cannot be typed is not pasted either
    window = await hands.receiver()
    if not window:
        return False
    try:
        return await _lend(hands, clipboard, wanted, window)
    finally:
        await finish(clipboard.give_back())


async def _lend(hands: InputDevice, clipboard: Clipboard, text: str, window: int) -> bool:
    why = await clipboard.lend(text)
    if why:
        log.info("not pasted: %s", why)
        return False
    await hands.chord(PASTE)
    return await clipboard.taken(window)
