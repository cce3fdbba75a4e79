"""The keyboard as it is pressed: held keys, borrowed keycodes, neutral modifiers. Runs in the X thread.

Spare keycodes are borrowed for what the layout lacks, and given back as they were. What is borrowed and held can be
written down (``Debts``) so that another process can pay it back after a crash.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from Xlib import X
from Xlib.ext import xtest

from deskhand.platforms.linux.x11.connection import Connection
from deskhand.platforms.linux.x11.focus import Focus, comes, current_focus, ping, still_there, surfaces
from deskhand.platforms.linux.x11.layout import Batch, Chord, Layout
from deskhand.platforms.linux.x11.xkb import NUM_LOCK_MASK, Keymap, Xkb, single
from deskhand.types.errors import DeskhandError

ANSWER = 3.0
"""Seconds a client has to answer a ping before it counts as unresponsive."""
WORK = 8.0
"""Seconds it has once it was typed into: what the keys set off may keep it busy."""
COMING = 1.0
"""Seconds within which a window that has come takes the focus, if it takes it: GTK4's first one is slow to be drawn."""
_LOOK = 0.01
NOTHING: Mapping[int, int] = MappingProxyType({})
UNHURRIED = 0.25
"""Seconds given to a client that answers no pings before the keyboard map changes under it."""


@dataclass(frozen=True, slots=True)
class Debts:
    """What is borrowed from the desktop: spare keycodes as they were (XKB's wire form) and the keysyms that they may
    carry now, keys and buttons held, and the modifiers (a mask) that were locked and are not while text is typed."""

    keycodes: Mapping[int, bytes] = field(default_factory=dict)
    carried: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    keys: tuple[int, ...] = ()
    buttons: tuple[int, ...] = ()
    locks: int = 0

    def to_json(self) -> str:
        """One line of JSON."""
        former = {str(code): wire.hex() for code, wire in self.keycodes.items()}
        said = {"keycodes": former, "carried": dict(self.carried), "keys": self.keys, "buttons": self.buttons}
        return json.dumps({**said, "locks": self.locks})

    @classmethod
    def from_json(cls, line: str) -> Debts:
        """Read what ``to_json`` wrote. Raises ``invalid_request`` for anything else."""
        try:
            said = json.loads(line)
            former = {int(code): bytes.fromhex(wire) for code, wire in said["keycodes"].items()}
            carried = {int(code): tuple(map(int, symbols)) for code, symbols in said["carried"].items()}
            keys, buttons = (tuple(map(int, said[name])) for name in ("keys", "buttons"))
            return cls(former, carried, keys, buttons, int(said["locks"]))
        except (ValueError, KeyError, TypeError, AttributeError) as problem:
            raise DeskhandError("invalid_request", "not a note of borrowed keys; start the desktop anew") from problem


def pay_back(connection: Connection, debts: Debts) -> None:
    """Release what is held, make borrowed keycodes what they were, lock what was locked."""
    for code in reversed(debts.keys):
        xtest.fake_input(connection.display, X.KeyRelease, code)
    for number in reversed(debts.buttons):
        xtest.fake_input(connection.display, X.ButtonRelease, number)
    if debts.locks:
        Xkb(connection.display).set_locks(debts.locks, debts.locks)
    _return_keys(connection, debts)
    connection.display.sync()


def _return_keys(connection: Connection, debts: Debts) -> None:
    """Borrowed keycodes become what they were, but for those that somebody has changed since."""
    if not debts.keycodes:
        return
    with connection.alone():
        xkb = Xkb(connection.display)
        now = xkb.keymap()
        keys = now.keys
        ours = {code: [((symbol,),) for symbol in symbols] for code, symbols in debts.carried.items()}
        back = {code: wire for code, wire in debts.keycodes.items() if keys[code].groups in ours.get(code, [])}
        if back:
            xkb.write_keys(back, now)


def _without(keycodes: Mapping[int, bytes], kept: Set[int]) -> dict[int, bytes]:
    return {code: wire for code, wire in keycodes.items() if code not in kept}


class _Changes:
    """Whether the keyboard's map or group was changed, by the events that have come on a connection."""

    def __init__(self, connection: Connection, event: int) -> None:
        self._connection, self._event, self._seen = connection, event, False

    def see(self, happened: Any) -> None:
        """Look at an event that somebody else has read."""
        self._seen = self._seen or happened.type == self._event

    def any(self) -> bool:
        """Whether there was one."""
        self._connection.drain(self.see)
        return self._seen


class Keyboard:
    """Presses keys on one connection's display. Every method runs in the X thread, one at a time."""

    def __init__(self, on_debt: Callable[[str], None] | None = None) -> None:
        self.held_codes: list[int] = []
        self.held_buttons: list[int] = []
        self.stop = threading.Event()
        self._lent: dict[int, bytes] = {}
        self._carries: dict[int, tuple[int, ...]] = {}  # the last is what it carries, once that is written
        self._planned: tuple[Keymap, int] | None = None
        self._unlocked = 0
        self._locked = 0  # a mask of what our own presses have locked
        self._on_debt = on_debt

    @property
    def debts(self) -> Debts:
        """What is borrowed and held now."""
        held = tuple(self.held_codes), tuple(self.held_buttons)
        return Debts(dict(self._lent), dict(self._carries), *held, self._unlocked)

    def note(self) -> None:
        """Tell whoever keeps the record of debts."""
        if self._on_debt is not None:
            self._on_debt(self.debts.to_json())

    def layout(self, connection: Connection) -> Layout:
        """The keyboard map in force, without what is borrowed from it."""
        xkb = Xkb(connection.display)
        state = xkb.state()
        self._planned = keymap, group = xkb.keymap(), state.group
        return Layout(keymap, group, numbers=bool(state.locked & NUM_LOCK_MASK))

    def _as_planned(self, now: Keymap, group: int) -> bool:
        """Whether keyboard map and group are those that ``layout`` saw, but for what is borrowed."""
        if self._planned is None or group != self._planned[1]:
            return False
        before = self._planned[0]
        lent = {code: ((symbols[-1],),) for code, symbols in self._carries.items()}
        return now.modifiers == before.modifiers and all(
            key.groups == lent[code] if code in lent else key.wire == before.keys[code].wire
            for code, key in now.keys.items()
        )

    # -- single events ------------------------------------------------------------------------------------------
    def hold(self, connection: Connection, codes: Iterable[int], borrow: Mapping[int, int] = NOTHING) -> None:
        """Press keys and keep them down; a keycode in ``borrow`` is lent until it is let go."""
        if borrow and not self.borrow(connection, borrow):
            raise DeskhandError("layout_changed", "the keyboard layout changed just now; press the keys again")
        fresh = [code for code in codes if code not in self.held_codes]
        self.held_codes += fresh
        self.note()
        with self._noting_locks(connection):
            for code in fresh:
                xtest.fake_input(connection.display, X.KeyPress, code)

    def let_go(self, connection: Connection, codes: Iterable[int]) -> None:
        """Release held keys, the last pressed first; who reads a borrowed one late still knows what it was."""
        wanted = set(codes)
        lent = {code: 0 for code in wanted if code in self.held_codes and code in self._lent}
        with self._noting_locks(connection):
            for code in [code for code in reversed(self.held_codes) if code in wanted]:
                xtest.fake_input(connection.display, X.KeyRelease, code)
                self.held_codes.remove(code)
        if lent:
            self.await_reading(connection, lent, current_focus(connection))
        self.note()

    def press(self, connection: Connection, codes: tuple[int, ...]) -> None:
        """Press keys in order and release them in reverse.

        All of it goes out in one write: a process that is killed here has sent both halves or neither.
        """
        for code in codes:
            xtest.fake_input(connection.display, X.KeyPress, code)
        for code in reversed(codes):
            xtest.fake_input(connection.display, X.KeyRelease, code)
        connection.display.flush()

    @contextmanager
    def _noting_locks(self, connection: Connection) -> Iterator[None]:
        """Keys are pressed or released meanwhile: what they lock is locked by us, until it is locked no more."""
        xkb = Xkb(connection.display)
        before = xkb.state().locked
        yield
        now = xkb.state().locked
        self._locked = now & (self._locked | ~before)

    # -- borrowing --------------------------------------------------------------------------------------------------
    def borrow(self, connection: Connection, wanted: Mapping[int, int]) -> bool:
        """Make spare keycodes carry keysyms; False, and nothing done, where the map is not as ``layout`` saw it.

        What they were is noted first.
        """
        with connection.alone():
            xkb = Xkb(connection.display)
            now = xkb.keymap()
            if not self._as_planned(now, xkb.state().group):
                return False
            changed = {code: symbol for code, symbol in wanted.items() if self._carries.get(code, (0,))[-1] != symbol}
            if changed:
                self._owe(now, changed)
                xkb.write_keys({code: single(symbol) for code, symbol in changed.items()}, now)
        connection.display.sync()
        return True

    def _owe(self, now: Keymap, changed: Mapping[int, int]) -> None:
        for code, symbol in changed.items():
            self._lent.setdefault(code, now.keys[code].wire)
            self._carries[code] = (*self._carries.get(code, ())[-1:], symbol)
        self.note()

    def give_back(self, connection: Connection) -> None:
        """Make every borrowed keycode what it was, but those that are held down."""
        kept = {code for code in self._lent if code in self.held_codes}
        if self._lent.keys() - kept:
            debts = self.debts
            _return_keys(connection, replace(debts, keycodes=_without(debts.keycodes, kept)))
            connection.display.sync()
            self._lent = {code: wire for code, wire in self._lent.items() if code in kept}
            self._carries = {code: symbols for code, symbols in self._carries.items() if code in kept}
            self.note()

    # -- typing -------------------------------------------------------------------------------------------------
    @contextmanager
    def neutral(self, connection: Connection, codes: Set[int], kept: int = 0) -> Iterator[None]:
        """No modifier in force but what the strokes press, and no key of ``codes`` down, whoever holds it.

        Of what is locked, ``kept`` (a mask) stays in force. A key that is down already types nothing when it is
        pressed. What we hold, and the locks, come back afterwards.
        """
        xkb = Xkb(connection.display)
        before, ours = xkb.state(), list(self.held_codes)
        locks = before.locked & ~(NUM_LOCK_MASK | kept)
        down = self._in_the_way(connection, xkb, codes)
        for code in reversed(down):
            xtest.fake_input(connection.display, X.KeyRelease, code)
        if locks:
            self._unlocked = locks
            self.note()
        if locks or before.latched:
            xkb.set_locks(locks, 0)
        connection.display.sync()
        try:
            yield
        finally:
            if locks:
                xkb.set_locks(locks, locks)
                self._unlocked = 0
                self.note()
            for code in [code for code in ours if code in down]:
                xtest.fake_input(connection.display, X.KeyPress, code)
            connection.display.sync()

    def _in_the_way(self, connection: Connection, xkb: Xkb, codes: Set[int]) -> list[int]:
        pressed = connection.display.query_keymap()
        down = [code for code in range(256) if pressed[code // 8] & (1 << code % 8)]
        modifiers = xkb.keymap().modifiers if down else {}
        return [code for code in down if modifiers.get(code) or code in codes]

    def require_responsive(self, connection: Connection, focus: Focus) -> None:
        """Refuse a receiver that does not read its events: keys sent now would be carried out who knows when."""
        if focus.ping and not ping(connection, focus.ping, ANSWER):
            raise DeskhandError(
                "app_unresponsive",
                "the application with the keyboard focus does not answer; nothing was typed, wait for it or close it",
            )

    def send(self, connection: Connection, batch: Batch, focus: Focus, *, locked: bool = False) -> int:
        """Type one batch and wait until the receiver has read it; how many strokes were sent.

        ``locked``: under the locks that our own keys have set, instead of under none.
        Fewer than all of them when the keyboard map is, or becomes meanwhile, another than it was planned for.
        """
        if not self.borrow(connection, batch.borrow):
            return 0
        known = set(surfaces(connection))
        codes, kept = {stroke.code for stroke in batch.strokes}, self._locked if locked else 0
        with self.neutral(connection, codes, kept), self._watching(connection) as changes:
            sent = self._strike_all(connection, batch, focus, changes, known)
        self.await_reading(connection, batch.borrow, focus)
        self._await_focus(connection, focus, known)
        return sent

    def _strike_all(
        self, connection: Connection, batch: Batch, focus: Focus, changes: _Changes, known: set[int]
    ) -> int:
        for number, stroke in enumerate(batch.strokes):
            if stroke.presses:
                self.await_reading(connection, {}, focus, changes.see)
                self._await_focus(connection, focus, known)
            with connection.alone():
                self._guard(connection, focus, number)
                if changes.any():
                    return number
                self.press(connection, (*stroke.holding, stroke.code))
        return len(batch.strokes)

    @contextmanager
    def _watching(self, connection: Connection) -> Iterator[_Changes]:
        """Tells whether somebody has changed map or group, as of the server's last answer."""
        xkb = Xkb(connection.display)
        xkb.watch(True)
        try:
            yield _Changes(connection, xkb.event)
        finally:
            xkb.watch(False)

    def _guard(self, connection: Connection, focus: Focus, number: int) -> None:
        if self.stop.is_set():
            raise DeskhandError("cancelled", f"stopped after {number} keys of this part", sent="yes")
        if not still_there(connection, focus):
            raise DeskhandError(
                "focus_lost",
                f"the keyboard focus went to another window after {number} keys of this part; look before typing on",
                sent="yes",
            )

    def _await_focus(self, connection: Connection, focus: Focus, known: set[int]) -> None:
        """Wait for the focus to go to a window that has just come, so that no key meant for this one reaches it."""
        ends = time.monotonic() + COMING
        while comes(connection, known) and still_there(connection, focus):
            if time.monotonic() > ends:
                known |= surfaces(connection)  # it takes no focus, and is not waited for again
            time.sleep(_LOOK)

    def await_reading(
        self,
        connection: Connection,
        borrowed: Mapping[int, int],
        focus: Focus,
        otherwise: Callable[[Any], None] = lambda _: None,
    ) -> None:
        """Return when the receiver has read its keys; raises ``outcome_unknown`` when it stopped answering."""
        connection.display.sync()
        if not focus.ping:
            if borrowed:
                time.sleep(UNHURRIED)  # no way to ask this client
            return
        if not ping(connection, focus.ping, WORK, otherwise) and current_focus(connection).window:
            raise DeskhandError(
                "outcome_unknown",
                "the application stopped answering while it was typed into; read it again before going on",
                sent="unknown",
            )

    def strike(self, connection: Connection, chord: Chord) -> None:
        """Press and release a chord, with modifiers already held by us staying in force."""
        focus = current_focus(connection)
        try:
            if chord.borrow and not self.borrow(connection, chord.borrow):
                raise DeskhandError("layout_changed", "the keyboard layout changed just now; press the keys again")
            with self._noting_locks(connection):
                self.press(connection, tuple(code for code in chord.codes if code not in self.held_codes))
            if chord.borrow:
                self.await_reading(connection, chord.borrow, focus)
        finally:
            self.give_back(connection)
            connection.display.sync()
