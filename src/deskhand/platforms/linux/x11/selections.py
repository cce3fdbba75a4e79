"""The ``CLIPBOARD`` selection with everything in it: fetched from whoever owns it, and served as its owner.

Large content goes in pieces (INCR) both ways. Protocol: Inter-Client Communication Conventions Manual, section 2.
"""

from __future__ import annotations

import itertools
import time
from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from Xlib import X, error
from Xlib.protocol import event, request

from deskhand.platforms.linux.x11.connection import Connection
from deskhand.types.errors import DeskhandError

TEXT_TARGETS = ("UTF8_STRING", "text/plain;charset=utf-8", "STRING", "TEXT", "text/plain")
_ABOUT = frozenset(
    {"TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS", "DELETE", "INSERT_SELECTION", "INSERT_PROPERTY"}
)
"""Targets that are questions to an owner, or orders, not content."""
_PIECE = 128 * 1024  # bytes; below every server's maximum request
_PLACES = 32
"""Properties that content is put into, by turns: GTK 4 (4.8) takes what is done with a property for a sign to the
transfer before, which still ends, and frees it twice (measured: one in eight, now and then the program dies of it)."""
_UNITS = {16: "H", 32: "I"}


@dataclass(frozen=True, slots=True)
class Offer:
    """One form of the content: its type's name, the bits of a unit (8, 16, 32) and the value."""

    kind: str
    format: int
    value: bytes


Content = Mapping[str, Offer]
"""What a clipboard holds: an offer for each target."""


def as_text(raw: bytes) -> dict[str, Offer]:
    """UTF-8 text in all the forms that programs ask for."""
    latin = raw.decode("utf-8", "replace").encode("latin-1", "replace")
    kinds = {name: "UTF8_STRING" if name == "TEXT" else name for name in TEXT_TARGETS}
    return {name: Offer(kind, 8, latin if name == "STRING" else raw) for name, kind in kinds.items()}


class TooLarge(Exception):
    """The content is larger than the limit it was fetched with."""


class Fetching:
    """Asks the owner of the clipboard for its content. ``otherwise`` gets the events read while waiting."""

    def __init__(self, connection: Connection, window: Any, otherwise: Callable[[Any], None]) -> None:
        self._connection, self._window, self._otherwise = connection, window, otherwise
        self._places = itertools.cycle([connection.atom(f"DESKHAND_CLIPBOARD_{number}") for number in range(_PLACES)])
        self._place = next(self._places)

    def everything(self, deadline: float, limit: int) -> dict[str, Offer]:
        """All content. Raises ``TooLarge`` above ``limit`` bytes, ``app_unresponsive`` when ``deadline`` passes."""
        told = self.one("TARGETS", deadline, limit)
        names = [self._connection.atom_name(number) for number in array("I", told.value)] if told else []
        found: dict[str, Offer] = {}
        for name in (name for name in dict.fromkeys(names) if name not in _ABOUT):
            offer = self.one(name, deadline, limit)
            if offer is not None:
                found[name] = offer
                limit -= len(offer.value)
        return found

    def one(self, target: str, deadline: float, limit: int = 1 << 28) -> Offer | None:
        """The content as ``target``; None when its owner has no such form of it."""
        connection, selection = self._connection, self._connection.atom("CLIPBOARD")
        now = connection.server_time(self._otherwise)
        self._place = next(self._places)
        self._window.delete_property(self._place)
        self._window.convert_selection(selection, connection.atom(target), self._place, now)
        connection.display.flush()
        asked = connection.atom(target)
        told = self._await(
            lambda e: e.type == X.SelectionNotify and e.selection == selection and e.target == asked, deadline
        )
        if told.property == X.NONE:
            return None
        first = self._take(limit)
        return self._pieces(deadline, limit) if first.kind == "INCR" else first

    def _pieces(self, deadline: float, limit: int) -> Offer:
        pieces: list[Offer] = []
        while True:
            self._await(self._arrived, deadline)
            piece = self._take(limit)
            if not piece.value:
                last = pieces[0] if pieces else piece
                return Offer(last.kind, last.format, b"".join(one.value for one in pieces))
            pieces.append(piece)
            limit -= len(piece.value)

    def _arrived(self, happened: Any) -> bool:
        return bool(
            happened.type == X.PropertyNotify
            and happened.window == self._window
            and happened.atom == self._place
            and happened.state == X.PropertyNewValue
        )

    def _take(self, limit: int) -> Offer:
        got = self._window.get_full_property(self._place, X.AnyPropertyType, sizehint=limit // 4 + 1)
        self._window.delete_property(self._place)
        self._connection.display.flush()
        if got is None:
            return Offer("", 8, b"")
        raw = got.value if isinstance(got.value, bytes) else array(_UNITS[got.format], got.value).tobytes()
        if len(raw) > limit:
            raise TooLarge
        return Offer(self._connection.atom_name(got.property_type), got.format, raw)

    def _await(self, wanted: Callable[[Any], bool], deadline: float) -> Any:
        found: list[Any] = []

        def look(happened: Any) -> bool:
            if wanted(happened):
                found.append(happened)
            else:
                self._otherwise(happened)
            return bool(found)

        if not self._connection.wait(look, deadline):
            raise DeskhandError(
                "app_unresponsive", "the program that owns the clipboard does not hand over its content"
            )
        return found[0]


@dataclass
class _Sending:
    """A transfer on its way: what is not sent yet (None: all is sent), and whether it is text."""

    window: Any
    offer: Offer
    kind: int
    rest: bytes | None
    text: bool


class Serving:
    """Owns the clipboard while ``content`` is not None."""

    def __init__(self, connection: Connection, window: Any) -> None:
        self._connection, self._window = connection, window
        self._selection = connection.atom("CLIPBOARD")
        self._since = 0
        self._sending: dict[tuple[int, int], _Sending] = {}
        self.content: Content | None = None
        self.fetched: set[int] = set()
        """Clients (resource bases) that were answered with text since ``own``."""
        self.taken: set[int] = set()
        """Of those, clients that have taken all of it."""
        self.asked: dict[int, float] = {}
        """When each client last asked for anything since ``own``, on the monotonic clock."""

    @property
    def in_force(self) -> bool:
        """Whether the clipboard is still ours: whoever has taken it may not have been heard of yet."""
        return (
            self.content is not None and self._connection.display.get_selection_owner(self._selection) == self._window
        )

    @property
    def busy(self) -> bool:
        """Whether a transfer in pieces is under way."""
        return any(one.rest is not None for one in self._sending.values())

    def own(self, content: Content) -> None:
        """Become the owner, with ``content``. Raises ``input_failed`` when another program keeps the clipboard."""
        self._since = self._connection.server_time(self.handle)
        self._window.set_selection_owner(self._selection, self._since)
        if self._connection.display.get_selection_owner(self._selection) != self._window:
            raise DeskhandError("input_failed", "another program keeps the clipboard; try again")
        self.content, self.fetched, self.taken, self.asked = content, set(), set(), {}

    def disown(self) -> None:
        """Leave the clipboard without an owner."""
        if self.content is not None:
            self.content = None
            request.SetSelectionOwner(
                display=self._connection.display.display, window=X.NONE, selection=self._selection, time=self._since
            )
            self._connection.display.sync()

    def client(self, xid: int) -> int:
        """The base of the resource ids of the client that made ``xid``."""
        return xid & ~int(self._connection.display.display.info.resource_id_mask)

    def handle(self, happened: Any) -> None:
        """Answer a request, send the next piece, or learn that another program owns the clipboard now."""
        if happened.type == X.SelectionRequest:
            self._answer(happened)
        elif happened.type == X.SelectionClear and happened.time >= self._since:
            self.content = None
        elif happened.type == X.DestroyNotify:
            self._drop(happened.window.id)
        elif happened.type == X.PropertyNotify and happened.state == X.PropertyDelete:
            self._next((happened.window.id, happened.atom))

    def _answer(self, asked: Any) -> None:
        place, name = asked.property or asked.target, self._connection.atom_name(asked.target)
        self.asked[self.client(asked.requestor.id)] = time.monotonic()
        done = self.content is not None and self._put(self.content, asked.requestor, place, name)
        notice = event.SelectionNotify(
            time=asked.time, requestor=asked.requestor, selection=asked.selection, target=asked.target,
            property=place if done else X.NONE,
        )  # fmt: skip
        asked.requestor.send_event(notice)
        self._connection.display.flush()

    def _put(self, content: Content, window: Any, place: int, name: str) -> bool:
        if name == "TARGETS":
            offered = [self._connection.atom(one) for one in ("TARGETS", "TIMESTAMP", *content)]
            window.change_property(place, self._connection.atom("ATOM"), 32, offered)
        elif name == "TIMESTAMP":
            window.change_property(place, self._connection.atom("INTEGER"), 32, [self._since])
        elif name in content:
            self._send(window, place, content[name], name in TEXT_TARGETS)
        else:
            return False
        return True

    def _send(self, window: Any, place: int, offer: Offer, text: bool) -> None:
        gone = error.CatchError(error.BadWindow)
        window.change_attributes(event_mask=X.PropertyChangeMask | X.StructureNotifyMask, onerror=gone)
        kind, whole = self._connection.atom(offer.kind), len(offer.value) <= _PIECE
        self._sending[window.id, place] = _Sending(window, offer, kind, None if whole else offer.value, text)
        if whole:
            window.change_property(place, kind, offer.format, _units(offer.format, offer.value))
        else:
            window.change_property(place, self._connection.atom("INCR"), 32, [len(offer.value)])
        if text:
            self.fetched.add(self.client(window.id))
        self._connection.display.sync()
        if gone.get_error() is not None:
            self._drop(window.id)

    def _drop(self, xid: int) -> None:
        """A window that is gone takes nothing more."""
        self._sending = {place: one for place, one in self._sending.items() if place[0] != xid}

    def _next(self, transfer: tuple[int, int]) -> None:
        sending = self._sending.get(transfer)
        if sending is None:
            return
        if sending.rest is None:
            del self._sending[transfer]
            if sending.text:
                self.taken.add(self.client(transfer[0]))
            return
        piece, rest = sending.rest[:_PIECE], sending.rest[_PIECE:]
        sending.rest = rest if piece else None
        sending.window.change_property(
            transfer[1], sending.kind, sending.offer.format, _units(sending.offer.format, piece)
        )
        self._connection.display.flush()


def _units(form: int, raw: bytes) -> Any:
    return raw if form == 8 else array(_UNITS[form], raw)


def soon(seconds: float) -> float:
    """A deadline on the monotonic clock."""
    return time.monotonic() + seconds
