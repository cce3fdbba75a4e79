"""A paste goes where it was meant to go, and lends the clipboard until it is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

import pytest

from deskhand.platforms.linux.x11.clipboard import Clipboard
from deskhand.platforms.linux.x11.focus import Focus
from deskhand.platforms.linux.x11.input import InputDevice
from deskhand.platforms.linux.x11.pasting import paste
from deskhand.platforms.linux.x11.steward import whole_lines
from deskhand.types.errors import DeskhandError

FIELD = Focus(window=5, top=4, ping=4)


@dataclass
class Desk:
    """The hands and the clipboard of a desktop, as far as a paste needs them."""

    asks: list[bool]  # whether the application has taken the text, each time that is looked at
    reads: bool = True
    focused: bool = True
    done: list[str] = field(default_factory=list)

    async def receiver(self) -> Focus:
        return FIELD

    async def chord_to(self, keys: str, focus: Focus) -> None:
        if not self.focused:
            raise DeskhandError("focus_lost", "another window has the focus")
        self.done.append(keys)

    async def answers(self, focus: Focus) -> bool:
        return self.reads

    async def lend(self, text: str) -> str:
        self.done.append("lend")
        return ""

    async def taken(self, window: int, seconds: float = 3.0) -> bool:
        return self.asks.pop(0)

    async def keep(self, window: int) -> None:
        self.done.append("keep")

    async def give_back(self) -> None:
        self.done.append("give back")

    async def paste(self) -> bool:
        return await paste(cast(InputDevice, self), cast(Clipboard, self), "text")


async def test_what_is_taken_is_given_back() -> None:
    desk = Desk([True])
    assert await desk.paste()
    assert desk.done == ["lend", "ctrl+v", "give back"]


async def test_an_application_that_reads_late_gets_the_text() -> None:
    desk = Desk([False, True])
    assert await desk.paste()
    assert desk.done == ["lend", "ctrl+v", "give back"]


async def test_an_application_that_wants_no_text_is_typed_to() -> None:
    desk = Desk([False, False])
    assert not await desk.paste()
    assert desk.done[-1] == "give back"


async def test_a_paste_that_is_not_read_keeps_what_it_is_to_paste() -> None:
    desk = Desk([False], reads=False)
    with pytest.raises(DeskhandError) as unknown:
        await desk.paste()
    assert (unknown.value.code, unknown.value.sent) == ("outcome_unknown", "yes")
    assert desk.done == ["lend", "ctrl+v", "keep"]


async def test_a_focus_that_went_while_the_clipboard_was_lent_gets_no_paste() -> None:
    desk = Desk([], focused=False)
    with pytest.raises(DeskhandError) as lost:
        await desk.paste()
    assert (lost.value.code, lost.value.sent) == ("focus_lost", "no")
    assert desk.done == ["lend", "give back"]


def test_lines_come_whole_however_they_are_cut() -> None:
    heard = [b"on", b"e\ntw"]
    assert whole_lines(heard) == [b"one"]
    heard.append(b"o\nthree\n")
    assert whole_lines(heard) == [b"two", b"three"]
    assert heard == [b""]
