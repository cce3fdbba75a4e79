"""Text pasted where the focus is: the clipboard is lent for it, and given back."""

from __future__ import annotations

import logging

from deskhand.platforms.linux.x11.clipboard import Clipboard
from deskhand.platforms.linux.x11.connection import finish
from deskhand.platforms.linux.x11.focus import Focus
from deskhand.platforms.linux.x11.input import InputDevice
from deskhand.platforms.linux.x11.keysyms import symbol_of
from deskhand.types.errors import DeskhandError

log = logging.getLogger(__name__)
PASTE = "ctrl+v"
READ = 1.0
"""Seconds that an application which has read the paste has to ask for the text."""


async def paste(hands: InputDevice, clipboard: Clipboard, text: str) -> bool:
    """Whether the application that has the focus has taken ``text``; see ``Platform.paste_text``."""
    wanted = text.replace("\r\n", "\n")
    for character in wanted:
        symbol_of(character)  # what cannot be typed is not pasted either
    focus = await hands.receiver()
    if not focus.window:
        return False
    unread = False
    try:
        taken = await _lend(hands, clipboard, wanted, focus)
        unread = taken is None
    finally:
        await finish(clipboard.keep(focus.window) if unread else clipboard.give_back())
    if taken is None:
        message = "the application has not read the paste yet, and may still carry it out; look again, do not repeat it"
        raise DeskhandError("outcome_unknown", message, "yes")
    return taken


async def _lend(hands: InputDevice, clipboard: Clipboard, text: str, focus: Focus) -> bool | None:
    """Whether it was taken; None where the paste is sent and not read: it would paste what comes back too early."""
    why = await clipboard.lend(text)
    if why:
        log.info("not pasted: %s", why)
        return False
    await hands.chord_to(PASTE, focus)
    if await clipboard.taken(focus.window):
        return True
    if not await hands.answers(focus):
        return None
    return await clipboard.taken(focus.window, READ)  # it has read the paste: whoever wants the text has asked by now
