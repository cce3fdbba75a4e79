"""The steward: a process beside the owner that gives back what the owner borrowed, however the owner ends.

It owns the clipboard for deskhand: what was written stays there when the owner has gone, and what was there before a
paste comes back, also when the owner was killed in the middle. When its stdin ends it pays back the noted debts of the
keyboard. It lives on while the clipboard is its own, and ends with the display.

Requests and answers are lines of JSON on stdin and stdout: ``own`` and ``lend`` (``text``), ``taken`` (``client``,
``seconds``), ``keep`` (``client``), ``give_back``; ``note`` has no answer.
"""

from __future__ import annotations

import json
import os
import select
import sys
import time
from typing import Any

from Xlib import X, error

from deskhand.platforms.linux.x11.connection import Connection
from deskhand.platforms.linux.x11.keyboard import Debts, pay_back
from deskhand.platforms.linux.x11.selections import Content, Fetching, Serving, TooLarge, as_text, soon
from deskhand.types.errors import DeskhandError

LIMIT = 16 * 1024 * 1024
"""Bytes of clipboard content, in all its forms together, that are kept while the clipboard is lent."""
PATIENCE = 4.0
"""Seconds that the owner of the clipboard has to hand all of it over."""
_TAKING = 1.0
"""Seconds between being answered with text and having taken it, for a client that does not say so."""
_SILENT = 0.12
"""Seconds without any question after which a client has done with the clipboard."""
_PRIVATE = {"x-kde-passwordManagerHint": as_text(b"secret")["UTF8_STRING"]}
"""Asks clipboard histories not to keep what is only lent."""


class Steward:
    """One display's clipboard, and the note of what the keyboard owes."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._window = connection.root.create_window(
            -10, -10, 1, 1, 0, X.CopyFromParent, event_mask=X.PropertyChangeMask
        )  # fmt: skip
        self.serving = Serving(connection, self._window)
        self._before: Content | None = None
        self._lent = False
        self._awaited: int | None = None  # the client that is to take what is lent before it is given back
        self._note = ""

    def obey(self, asked: dict[str, Any]) -> dict[str, Any] | None:
        """Do one request; its answer."""
        match asked["do"]:
            case "own":
                self._lent, self._awaited = False, None
                self.serving.own(as_text(asked["text"].encode()))
            case "lend":
                return self._lend(asked["text"])
            case "taken":
                return {"taken": self._taken(asked["client"], asked["seconds"])}
            case "keep":
                self._awaited = self.serving.client(asked["client"])
            case "give_back":
                self.give_back()
            case "note":
                self._note = asked["line"]
                return None
        return {}

    def _lend(self, text: str) -> dict[str, Any]:
        try:
            before = self._kept()
        except TooLarge:
            return {"why": f"the clipboard holds more than {LIMIT >> 20} MB"}
        self.serving.own({**as_text(text.encode()), **_PRIVATE})
        self._before, self._lent, self._awaited = before, True, None
        return {}

    def _kept(self) -> Content | None:
        if self.serving.in_force:
            return self._before if self._lent else self.serving.content
        owner = self._connection.display.get_selection_owner(self._connection.atom("CLIPBOARD"))
        if owner == X.NONE:
            return None
        return Fetching(self._connection, self._window, self.serving.handle).everything(soon(PATIENCE), LIMIT)

    def _taken(self, xid: int, seconds: float) -> bool:
        client = self.serving.client(xid)
        if not self._until(lambda: client in self.serving.fetched, seconds):
            return False
        self._until(lambda: client in self.serving.taken, _TAKING)
        self._until_silent(client, seconds)
        return True

    def _until_silent(self, client: int, seconds: float) -> None:
        """Chromium fetches the text when the keys come, and again when its page wants it (2 to 10 ms later)."""
        ends = time.monotonic() + seconds
        while time.monotonic() < min(ends, silent := self.serving.asked[client] + _SILENT):
            self._until(lambda: False, silent - time.monotonic())

    def _until(self, holds: Any, seconds: float) -> bool:
        def seen(happened: Any) -> bool:
            self.serving.handle(happened)
            return bool(holds())

        return bool(holds()) or self._connection.wait(seen, soon(seconds))

    def give_back(self) -> None:
        """What was on the clipboard before it was lent is there again, unless somebody put something new there."""
        if self._lent:
            with self._connection.alone():
                if self.serving.in_force:
                    self._put_back()
        self._lent, self._before, self._awaited = False, None, None

    def tend(self) -> None:
        """Give back what was kept for a client that has it now."""
        if self._awaited in self.serving.taken:
            self._awaited = None
            try:
                self.give_back()
            except DeskhandError as problem:  # another program has the clipboard now, and keeps it
                print(problem, file=sys.stderr)

    def _put_back(self) -> None:
        if self._before:
            self.serving.own(self._before)
        else:
            self.serving.disown()

    def settle(self) -> None:
        """The owner has gone: give back everything."""
        try:
            if self._note:
                pay_back(self._connection, Debts.from_json(self._note))
        finally:
            self.give_back()
        self._connection.display.sync()


def serve(steward: Steward, connection: Connection) -> None:
    """Obey stdin until it ends, settle, then keep the clipboard as long as it is ours."""
    heard, listening = list[bytes](), True
    while listening or steward.serving.content is not None or steward.serving.busy:
        while connection.display.pending_events():
            steward.serving.handle(connection.display.next_event())
            steward.tend()
        connection.display.flush()
        if connection.display.pending_events():
            continue  # what is written is answered, too: python-xlib may have read events just now
        readable, _, _ = select.select([connection.display.fileno(), *([0] if listening else [])], [], [])
        if 0 in readable:
            chunk = os.read(0, 1 << 20)
            heard.append(chunk)
            for line in whole_lines(heard) if b"\n" in chunk else ():
                _answer(steward, line)
            if not chunk:
                listening = False
                steward.settle()


def whole_lines(heard: list[bytes]) -> list[bytes]:
    """The lines that have come whole; ``heard`` keeps what has come of the next one."""
    *lines, rest = b"".join(heard).split(b"\n")
    heard[:] = [rest]
    return lines


def _answer(steward: Steward, line: bytes) -> None:
    try:
        answer = steward.obey(json.loads(line))
    except DeskhandError as problem:
        answer = {"error": problem.code, "message": problem.message}
    if answer is not None:
        try:
            os.write(1, json.dumps(answer).encode() + b"\n")
        except BrokenPipeError:
            return  # the owner went before it heard the answer; stdin tells so next


def main() -> None:
    """``steward.py DISPLAY``; the display's key is found by ``XAUTHORITY``."""
    try:
        connection = Connection(sys.argv[1])
        serve(Steward(connection), connection)
    except (error.ConnectionClosedError, OSError):
        return  # the display is gone, and everything on it
    except DeskhandError as problem:
        if problem.code != "desktop_unavailable":
            raise


if __name__ == "__main__":
    main()
