"""The clipboard: read from whoever owns it, owned by the steward when written, lent for a paste and given back."""

from __future__ import annotations

from typing import Any

from Xlib import X

from deskhand.platforms.linux.x11.connection import Connection, XThread
from deskhand.platforms.linux.x11.selections import Fetching, TooLarge, soon
from deskhand.platforms.linux.x11.stewardship import Stewardship
from deskhand.types.errors import DeskhandError

PATIENCE = 5.0
"""Seconds that the owner of the clipboard has to hand over its text."""
PASTING = 3.0
"""Seconds that an application has to ask for what it was told to paste."""


class Clipboard:
    """One display's ``CLIPBOARD`` selection. What is written stays there after this object is closed."""

    def __init__(self, display: str, authority: str | None = None, steward: Stewardship | None = None) -> None:
        self._thread = XThread(display, authority)
        self._steward = steward or Stewardship(display, authority)

    async def read(self) -> str | None:
        """The text, None where the clipboard holds none. Raises ``app_unresponsive`` when its owner does not answer."""
        return await self._thread.call(_read, PATIENCE + 5.0)

    async def write(self, text: str) -> None:
        """Own the clipboard with ``text``.

        Raises ``unsendable_text`` for lone surrogates, ``input_failed`` when another program keeps the clipboard.
        """
        _encoded(text)
        await self._steward.ask("own", text=text)

    async def lend(self, text: str) -> str:
        """Put ``text`` on the clipboard for a paste; what was there, in all its forms, is kept.

        Says why not, having changed nothing, where that cannot be kept: more than 16 MB, an owner that does not answer.
        """
        _encoded(text)
        try:
            answer = await self._steward.ask("lend", text=text)
        except DeskhandError as problem:
            if problem.code != "app_unresponsive":
                raise
            return problem.message
        return str(answer.get("why", ""))

    async def taken(self, window: int, seconds: float = PASTING) -> bool:
        """Whether the client of ``window`` asked for what is lent within so many seconds, and has it."""
        answer = await self._steward.ask("taken", client=window, seconds=seconds)
        return bool(answer["taken"])

    async def keep(self, window: int) -> None:
        """Leave what is lent until the client of ``window`` has it; then what was there before is there again."""
        await self._steward.ask("keep", client=window)

    async def give_back(self) -> None:
        """What was there before ``lend`` is there again, unless somebody has put something new there meanwhile."""
        await self._steward.ask("give_back")

    async def close(self) -> None:
        """Disconnect. What was written stays."""
        await self._thread.close()
        await self._steward.close()


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as problem:
        raise DeskhandError("unsendable_text", "lone surrogates are no text; take them out") from problem


def _read(connection: Connection) -> str | None:
    if connection.display.get_selection_owner(connection.atom("CLIPBOARD")) == X.NONE:
        return None
    window = connection.root.create_window(-10, -10, 1, 1, 0, X.CopyFromParent, event_mask=X.PropertyChangeMask)
    try:
        return _text(Fetching(connection, window, _ignore), soon(PATIENCE))
    except TooLarge as error:
        raise DeskhandError("unsupported_action", "the clipboard holds too much text to be read; copy less") from error
    finally:
        window.destroy()
        connection.display.flush()


def _ignore(_: Any) -> None:
    """Events of this connection that nobody waits for."""


def _text(fetching: Fetching, deadline: float) -> str | None:
    for target in ("UTF8_STRING", "text/plain;charset=utf-8", "STRING"):
        offer = fetching.one(target, deadline)
        if offer is not None:
            return offer.value.decode("latin-1" if target == "STRING" else "utf-8", errors="replace")
    return None
