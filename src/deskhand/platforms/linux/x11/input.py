"""Pointer and keyboard by XTEST: real input, exact text, nothing left pressed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from Xlib import X
from Xlib.ext import xtest

from deskhand.platforms.base import MouseButton
from deskhand.platforms.linux.x11.connection import Connection, XThread, finish
from deskhand.platforms.linux.x11.focus import Focus, current_focus, focus_through, ping, require_receiver, still_there
from deskhand.platforms.linux.x11.keyboard import ANSWER, Debts, Keyboard, pay_back
from deskhand.platforms.linux.x11.layout import Batch, Chord, chord
from deskhand.platforms.linux.x11.monitors import monitors
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Point, Rect

_BUTTONS: dict[str, int] = {"left": 1, "middle": 2, "right": 3, "back": 8, "forward": 9}
_PLANS = 5
"""How often a text is planned anew when somebody changes the keyboard layout under it."""
_WHEEL_UP, _WHEEL_DOWN, _WHEEL_LEFT, _WHEEL_RIGHT = 4, 5, 6, 7


class InputDevice:
    """The hands. Coordinates are root pixels.

    ``on_debt`` is told, in the X thread and before it is true, what is borrowed and held (see ``borrowed``): kept in a
    file, it lets ``restore_keymap`` heal the desktop after a crash.
    """

    def __init__(self, thread: XThread, on_debt: Callable[[str], None] | None = None) -> None:
        self._thread = thread
        self._keyboard = Keyboard(on_debt)

    # -- pointer -------------------------------------------------------------------------------------------------
    async def move(self, x: int, y: int) -> None:
        """Move the pointer."""
        await self._thread.call(lambda c: _fake(c, X.MotionNotify, x=x, y=y))

    async def screen(self) -> Rect:
        """The root window's area as it is now."""

        def ask(connection: Connection) -> Rect:
            root = connection.root.get_geometry()
            return Rect(0, 0, root.width, root.height)

        return await self._thread.call(ask)

    async def monitors(self) -> list[Rect]:
        """What each monitor shows, the primary one first; the whole root where the server tells of none."""
        return await self._thread.call(monitors) or [await self.screen()]

    async def pointer(self) -> Point:
        """Where the pointer is."""

        def ask(connection: Connection) -> Point:
            at = connection.root.query_pointer()
            return Point(at.root_x, at.root_y)

        return await self._thread.call(ask)

    async def button(self, name: MouseButton, down: bool) -> None:
        """Press or release a mouse button where the pointer is. Releasing what is not held sends nothing."""
        if name not in _BUTTONS:
            raise DeskhandError(
                "invalid_request", f'no button is called "{name}"; left, middle, right, back or forward'
            )
        await finish(self._thread.call(lambda c: self._button(c, _BUTTONS[name], down)))

    def _button(self, connection: Connection, number: int, down: bool) -> None:
        held = self._keyboard.held_buttons
        if down == (number in held):
            return
        if down:
            held.append(number)
            self._keyboard.note()
        _fake(connection, X.ButtonPress if down else X.ButtonRelease, number)
        if not down:
            held.remove(number)
            self._keyboard.note()

    async def wheel(self, dx: int, dy: int) -> None:
        """Turn the wheel by whole notches; positive ``dy`` scrolls down, positive ``dx`` right."""
        notches = [_WHEEL_DOWN if dy > 0 else _WHEEL_UP] * abs(dy)
        notches += [_WHEEL_RIGHT if dx > 0 else _WHEEL_LEFT] * abs(dx)

        def turn(connection: Connection) -> None:
            for number in notches:
                xtest.fake_input(connection.display, X.ButtonPress, number)
                xtest.fake_input(connection.display, X.ButtonRelease, number)
            connection.display.sync()

        await finish(self._thread.call(turn))

    # -- keyboard ------------------------------------------------------------------------------------------------
    async def type_text(self, text: str, *, locked: bool = False) -> None:
        """Type ``text`` exactly, on any layout, where the focus is; ``\\n`` is Return, ``\\t`` is Tab.

        ``locked``: under the Caps Lock that this device has pressed, if it has; else whatever is locked.

        Raises, before the first key: ``unsendable_text``, ``app_unresponsive``, ``focus_lost`` (no window has it).
        While typing: ``focus_lost`` (another top-level window took it), ``outcome_unknown`` (the receiver stopped
        answering). However it ends, the keyboard map is as before and no key is down.
        """
        wanted = text.replace("\r\n", "\n")
        if not wanted:
            return
        batches, focus = await self._thread.call(lambda c: self._prepare(c, wanted))
        self._keyboard.stop.clear()
        try:
            await self._send_all(wanted, batches, focus, locked)
        except asyncio.CancelledError:
            self._keyboard.stop.set()
            raise
        finally:
            await finish(self._thread.call(self._keyboard.give_back, timeout=20.0))

    async def receiver(self) -> Focus:
        """Where keys go now, zeros where that follows the pointer.

        Raises ``focus_lost`` when there is none, ``app_unresponsive`` when its application does not answer.
        """
        return await self._thread.call(self._receiver)

    async def answers(self, focus: Focus) -> bool:
        """Whether the client has read all keys that were sent to it; True where it cannot be asked."""
        return await self._thread.call(lambda c: not focus.ping or ping(c, focus.ping, ANSWER), timeout=ANSWER + 5.0)

    async def has_read(self, seconds: float, window: int = 0) -> bool:
        """Whether a window's client (0: the one with the focus) has read all input, within ``seconds``.

        False where it cannot be asked.
        """

        def ask(connection: Connection) -> bool:
            asked = focus_through(connection, window).ping if window else current_focus(connection).ping
            return bool(asked) and ping(connection, asked, seconds)

        return await self._thread.call(ask, timeout=seconds + 5.0)

    def _receiver(self, connection: Connection) -> Focus:
        focus = current_focus(connection)
        require_receiver(connection, focus)
        self._keyboard.require_responsive(connection, focus)
        return focus

    def _prepare(self, connection: Connection, text: str) -> tuple[list[Batch], Focus]:
        batches = self._keyboard.layout(connection).batches(text)
        return batches, self._receiver(connection)

    async def _send_all(self, text: str, batches: list[Batch], focus: Focus, locked: bool) -> None:
        sent = 0
        for _ in range(_PLANS):
            for batch in batches:
                done = await self._send(batch, focus, sent, locked)
                sent += done
                if done < len(batch.strokes):
                    break  # somebody changed layout or group: the rest is planned for the new one
            if sent == len(text):
                return
            batches = await self._thread.call(partial(self._plan_again, text=text[sent:]))
        raise DeskhandError(
            "layout_changed",
            f"the keyboard layout kept changing; {sent} of {len(text)} characters were typed",
            "yes" if sent else "no",
        )

    async def _send(self, batch: Batch, focus: Focus, sent: int, locked: bool) -> int:
        try:
            send = partial(self._keyboard.send, batch=batch, focus=focus, locked=locked)
            return await self._thread.call(send, timeout=15.0)
        except DeskhandError as problem:
            if sent and problem.sent == "no":
                problem.sent = "yes"
            raise

    def _plan_again(self, connection: Connection, text: str) -> list[Batch]:
        self._keyboard.give_back(connection)
        return self._keyboard.layout(connection).batches(text)

    async def chord_to(self, keys: str, focus: Focus) -> None:
        """Press a chord where the focus is known to be. Raises ``focus_lost``, nothing sent, when it is elsewhere."""

        def strike(connection: Connection) -> None:
            if not still_there(connection, focus):
                raise DeskhandError("focus_lost", "the keyboard focus went to another window; look before going on")
            self._chord(connection, keys, None)

        await finish(self._thread.call(strike, timeout=15.0))

    async def chord(self, keys: str, down: bool | None = None) -> None:
        """Press and release ``ctrl+shift+s``; with ``down`` True only press and hold it, with False only release it.

        Raises ``invalid_request`` for an unknown key before anything is sent.
        """
        await finish(self._thread.call(lambda c: self._chord(c, keys, down), timeout=15.0))

    async def require_keys(self, keys: str) -> None:
        """Raises what ``chord`` would raise before it sends anything."""
        await self._thread.call(lambda c: chord(keys, self._keyboard.layout(c)))

    def _chord(self, connection: Connection, keys: str, down: bool | None) -> None:
        ready = chord(keys, self._keyboard.layout(connection))
        if down is None:
            self._keyboard.strike(connection, ready)
        elif down:
            self._hold(connection, ready)
        else:
            self._keyboard.let_go(connection, ready.codes)
            self._keyboard.give_back(connection)

    def _hold(self, connection: Connection, ready: Chord) -> None:
        self._keyboard.hold(connection, ready.codes, ready.borrow)

    # -- coming clean ------------------------------------------------------------------------------------------------
    def held(self) -> tuple[str, ...]:
        """What this device holds down, as ``key 37`` (a keycode) and ``button 1``."""
        debts = self._keyboard.debts
        return (*(f"key {code}" for code in debts.keys), *(f"button {number}" for number in debts.buttons))

    def borrowed(self) -> str:
        """What ``restore_keymap`` needs to heal the desktop, as one line of JSON."""
        return self._keyboard.debts.to_json()

    async def release_all(self) -> None:
        """Release every key and button still held and give back borrowed keycodes, even if cancelled meanwhile.

        Text that another task is just typing stops after the key it is at.
        """
        self._keyboard.stop.set()
        await finish(self._thread.call(self._release_all, timeout=20.0))

    def _release_all(self, connection: Connection) -> None:
        keyboard = self._keyboard
        for number in reversed(keyboard.held_buttons):
            _fake(connection, X.ButtonRelease, number)
        keyboard.held_buttons.clear()
        try:
            keyboard.let_go(connection, keyboard.held_codes)
        finally:
            keyboard.give_back(connection)


async def restore_keymap(thread: XThread, state: str) -> None:
    """Heal a desktop whose owner died: ``state`` is what ``borrowed`` last said."""
    debts = Debts.from_json(state)
    await finish(thread.call(lambda c: pay_back(c, debts)))


def _fake(connection: Connection, kind: int, detail: int = 0, **where: Any) -> None:
    xtest.fake_input(connection.display, kind, detail, **where)
    connection.display.sync()
