"""The clipboard's text: read from whoever owns it, owned when written. Large text goes in pieces (INCR)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from Xlib import X
from Xlib.protocol import event

from deskhand.platforms.linux.x11.connection import Connection
from deskhand.platforms.linux.x11.looping import EventLoopThread
from deskhand.platforms.linux.x11.properties import Inquiry, Property
from deskhand.types.errors import DeskhandError

PATIENCE = 5.0
"""Seconds that the owner of the clipboard has to hand over its text."""
_PIECE = 128 * 1024  # bytes; below every server's maximum request
_TEXT_TARGETS = ("UTF8_STRING", "text/plain;charset=utf-8", "STRING", "TEXT", "text/plain")


@dataclass
class _Sending:
    """A transfer in pieces that is on its way out."""

    window: Any
    property: int
    target: int
    rest: bytes


class Clipboard:
    """One display's ``CLIPBOARD`` selection. What is written lives as long as this object is open."""

    def __init__(self, display: str, authority: str | None = None) -> None:
        self._loop = EventLoopThread(display, self._serve, authority=authority)
        self._window: Any = None
        self._text: bytes | None = None
        self._since = 0
        self._sending: dict[tuple[int, int], _Sending] = {}

    async def read(self) -> str | None:
        """The text, None where the clipboard holds none. Raises ``app_unresponsive`` when its owner does not answer."""
        await self._ensure()
        return await self._loop.call(self._read, PATIENCE + 5.0)

    async def write(self, text: str) -> None:
        """Own the clipboard with ``text``.

        Raises ``unsendable_text`` for lone surrogates, ``input_failed`` when another program keeps the clipboard.
        """
        try:
            raw = text.encode()
        except UnicodeEncodeError as problem:
            raise DeskhandError("unsendable_text", "lone surrogates are no text; take them out") from problem
        await self._ensure()
        await self._loop.call(lambda c: self._own(c, raw), PATIENCE)

    async def close(self) -> None:
        """Let go of the clipboard and disconnect."""
        await self._loop.close()
        self._text = None

    async def _ensure(self) -> None:
        if not self._loop.alive:
            self._text = None
            self._sending.clear()
            await self._loop.start(self._prepare)

    # -- in the thread ----------------------------------------------------------------------------------------------
    def _prepare(self, connection: Connection) -> None:
        self._window = connection.root.create_window(
            -10, -10, 1, 1, 0, X.CopyFromParent, event_mask=X.PropertyChangeMask
        )  # fmt: skip

    def _own(self, connection: Connection, raw: bytes) -> None:
        selection = connection.atom("CLIPBOARD")
        self._since = connection.server_time(lambda e: self._serve(connection, e))
        self._text = raw
        self._window.set_selection_owner(selection, self._since)
        if connection.display.get_selection_owner(selection) != self._window:
            self._text = None
            raise DeskhandError("input_failed", "another program keeps the clipboard; try again")

    def _read(self, connection: Connection) -> str | None:
        owner = connection.display.get_selection_owner(connection.atom("CLIPBOARD"))
        if owner == X.NONE:
            return None
        if owner == self._window and self._text is not None:
            return self._text.decode()
        deadline = time.monotonic() + PATIENCE
        for target in ("UTF8_STRING", "text/plain;charset=utf-8", "STRING"):
            raw = self._convert(connection, target, deadline)
            if raw is not None:
                return raw.decode("latin-1" if target == "STRING" else "utf-8", errors="replace")
        return None

    def _convert(self, connection: Connection, target: str, deadline: float) -> bytes | None:
        selection, place = connection.atom("CLIPBOARD"), connection.atom("DESKHAND_CLIPBOARD")
        now = connection.server_time(lambda e: self._serve(connection, e))
        self._window.delete_property(place)
        self._window.convert_selection(selection, connection.atom(target), place, now)
        connection.display.flush()
        told = self._await(connection, lambda e: e.type == X.SelectionNotify and e.selection == selection, deadline)
        if told.property == X.NONE:
            return None
        first = self._take(connection, place)
        if first.format == 32:  # INCR: the value is a lower bound of the size
            return self._collect(connection, place, deadline)
        return first.value

    def _collect(self, connection: Connection, place: int, deadline: float) -> bytes:
        pieces: list[bytes] = []

        def arrived(happened: Any) -> bool:
            return bool(
                happened.type == X.PropertyNotify
                and happened.window == self._window
                and happened.atom == place
                and happened.state == X.PropertyNewValue
            )

        while True:
            self._await(connection, arrived, deadline)
            piece = self._take(connection, place).value
            if not piece:
                return b"".join(pieces)
            pieces.append(piece)

    def _take(self, connection: Connection, place: int) -> Property:
        inquiry = Inquiry(connection)
        got = inquiry.value(inquiry.property(self._window.id, connection.atom_name(place), 1 << 26))
        self._window.delete_property(place)
        connection.display.flush()
        return got

    def _await(self, connection: Connection, wanted: Callable[[Any], bool], deadline: float) -> Any:
        found: list[Any] = []

        def look(happened: Any) -> bool:
            if wanted(happened):
                found.append(happened)
            else:
                self._serve(connection, happened)
            return bool(found)

        if not connection.wait(look, deadline):
            raise DeskhandError("app_unresponsive", "the program that owns the clipboard does not hand over its text")
        return found[0]

    # -- as the owner ------------------------------------------------------------------------------------------------
    def _serve(self, connection: Connection, happened: Any) -> None:
        if happened.type == X.SelectionRequest:
            self._answer(connection, happened)
        elif happened.type == X.SelectionClear:
            self._text = None
        elif happened.type == X.PropertyNotify and happened.state == X.PropertyDelete:
            self._send_piece(connection, (happened.window.id, happened.atom))

    def _answer(self, connection: Connection, asked: Any) -> None:
        place = asked.property or asked.target
        done = self._text is not None and self._put(connection, asked.requestor, place, asked.target)
        notice = event.SelectionNotify(
            time=asked.time,
            requestor=asked.requestor,
            selection=asked.selection,
            target=asked.target,
            property=place if done else X.NONE,
        )
        asked.requestor.send_event(notice)
        connection.display.flush()

    def _put(self, connection: Connection, window: Any, place: int, target: int) -> bool:
        name, text = connection.atom_name(target), self._text or b""
        if name == "TARGETS":
            offered = [connection.atom(one) for one in ("TARGETS", "TIMESTAMP", *_TEXT_TARGETS)]
            window.change_property(place, connection.atom("ATOM"), 32, offered)
        elif name == "TIMESTAMP":
            window.change_property(place, connection.atom("INTEGER"), 32, [self._since])
        elif name in _TEXT_TARGETS:
            raw = text.decode("utf-8", "replace").encode("latin-1", "replace") if name == "STRING" else text
            kind = connection.atom("UTF8_STRING") if name == "TEXT" else target
            self._put_text(connection, window, place, kind, raw)
        else:
            return False
        return True

    def _put_text(self, connection: Connection, window: Any, place: int, kind: int, raw: bytes) -> None:
        if len(raw) <= _PIECE:
            window.change_property(place, kind, 8, raw)
            return
        window.change_attributes(event_mask=X.PropertyChangeMask)
        self._sending[window.id, place] = _Sending(window, place, kind, raw)
        window.change_property(place, connection.atom("INCR"), 32, [len(raw)])

    def _send_piece(self, connection: Connection, transfer: tuple[int, int]) -> None:
        sending = self._sending.get(transfer)
        if sending is None:
            return
        piece, sending.rest = sending.rest[:_PIECE], sending.rest[_PIECE:]
        sending.window.change_property(sending.property, sending.target, 8, piece)
        connection.display.flush()
        if not piece:
            del self._sending[transfer]
