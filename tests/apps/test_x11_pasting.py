"""A paste gets the text there and leaves the clipboard as it was, also when the desktop's owner is killed in it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from Xlib import X

from deskhand.isolation import NestedDesktop
from deskhand.platforms.linux.x11.clipboard import Clipboard
from deskhand.platforms.linux.x11.connection import Connection
from deskhand.platforms.linux.x11.pasting import paste
from deskhand.platforms.linux.x11.selections import Serving, as_text, soon
from tests.apps.text_fields import TOOLKITS, mixed_text, text_field
from tests.apps.x11_rig import PATIENCE, SYSTEM_PYTHON, Rig, eventually, rig

pytestmark = [pytest.mark.apps]

PROGRAMS = Path(__file__).parents[1] / "programs"
TEXT = "text/plain"
"""The name that a Qt program has for text; it offers that as UTF8_STRING, STRING, TEXT and COMPOUND_TEXT too."""
RICH = {
    TEXT: "ihr Text ß 日本".encode(),
    "text/html": b"<b>rich</b>" * 40_000,
    "image/png": bytes(range(256)) * 4096 * 8,
}
"""9 MB in three forms and those of the text; two of them go in pieces."""


@pytest.fixture
async def made(isolated_desktop: NestedDesktop) -> AsyncIterator[Rig]:
    async with rig(isolated_desktop) as one:
        yield one


@pytest.fixture
async def board(made: Rig) -> AsyncIterator[Clipboard]:
    opened = Clipboard(made.display, made.desktop.environment.get("XAUTHORITY"))
    yield opened
    await opened.close()


@asynccontextmanager
async def owned(made: Rig, folder: Path, content: dict[str, bytes], selection: str = "CLIPBOARD") -> AsyncIterator[int]:
    """A Qt program that owns a selection with ``content``, to the end; its process id."""
    await asyncio.to_thread(_write, folder, content)
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(PROGRAMS / "clipboard_qt.py"), str(folder), selection,
        env=dict(made.desktop.environment), stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        assert await asyncio.wait_for(process.stdout.readline(), PATIENCE) == b"mine\n"
        yield process.pid
        assert process.returncode is None, f"the owner has died: {process.returncode}"
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def _write(folder: Path, content: dict[str, bytes]) -> None:
    folder.mkdir()
    for kind, value in content.items():
        (folder / quote(kind, safe="")).write_bytes(value)


async def held(made: Rig, selection: str = "CLIPBOARD") -> dict[str, Any]:
    """All forms of a selection's content, as GTK 3 sees them."""
    said = await asyncio.to_thread(made.run, SYSTEM_PYTHON, str(PROGRAMS / "clipboard_gtk.py"), selection)
    found: dict[str, Any] = json.loads(said)
    return found


@pytest.mark.proves("A9", "report-39")
@pytest.mark.parametrize("toolkit", TOOLKITS)
async def test_a_paste_leaves_every_form_of_the_clipboard_as_it_was(
    made: Rig, board: Clipboard, tmp_path: Path, toolkit: str
) -> None:
    text = mixed_text() * 150  # more than one piece
    primary = {TEXT: b"selected"}
    async with (
        text_field(made, toolkit) as field,
        owned(made, tmp_path / "one", RICH),
        owned(made, tmp_path / "two", primary, "PRIMARY"),
    ):
        before = await held(made), await held(made, "PRIMARY")
        assert set(RICH) | {"UTF8_STRING"} <= set(before[0])
        assert {kind: size for kind, (size, _) in before[0].items() if kind in RICH} == {
            kind: len(value) for kind, value in RICH.items()
        }

        assert await paste(made.hands, board, text)

        await eventually(lambda: _holds(field, text), "the text")
        assert (await held(made), await held(made, "PRIMARY")) == before


async def _holds(field: Any, text: str) -> bool:
    return bool(await field.text() == text)


@pytest.mark.proves("A9")
async def test_an_empty_clipboard_is_empty_after_a_paste(start_desktop: Any) -> None:
    async with rig(start_desktop()) as made, text_field(made, "gtk3") as field:
        board = Clipboard(made.display, made.desktop.environment.get("XAUTHORITY"))
        assert await paste(made.hands, board, "pasted")
        await eventually(lambda: _holds(field, "pasted"), "the text")
        assert await board.read() is None
        await board.close()


@pytest.mark.proves("A9")
async def test_what_somebody_copies_during_a_paste_stays(made: Rig, board: Clipboard, tmp_path: Path) -> None:
    async with owned(made, tmp_path / "one", RICH):
        assert not await board.lend("for the paste")
        async with owned(made, tmp_path / "two", {TEXT: b"newer"}):
            await board.give_back()
            assert await board.read() == "newer"


@pytest.mark.proves("A9")
async def test_more_than_sixteen_megabytes_are_not_touched(made: Rig, board: Clipboard, tmp_path: Path) -> None:
    content = {kind: bytes(9 << 20) for kind in ("image/png", "image/bmp")}
    async with text_field(made, "gtk3") as field, owned(made, tmp_path / "one", content):
        before = await held(made)
        assert not await paste(made.hands, board, "not pasted")
        assert await field.text() == ""
        assert await held(made) == before


@pytest.mark.proves("A9", "report-21")
async def test_an_owner_of_the_clipboard_that_hangs_keeps_it(made: Rig, board: Clipboard, tmp_path: Path) -> None:
    async with text_field(made, "gtk3") as field, owned(made, tmp_path / "one", RICH) as pid:
        os.kill(pid, signal.SIGSTOP)
        began = time.monotonic()
        assert not await paste(made.hands, board, "not pasted")
        assert time.monotonic() - began < 8
        os.kill(pid, signal.SIGCONT)
        assert await field.text() == ""
        assert await board.read() == "ihr Text ß 日本"


@pytest.mark.proves("A9", "report-39")
async def test_the_clipboard_comes_back_when_the_owner_is_killed_in_a_paste(made: Rig, tmp_path: Path) -> None:
    async with owned(made, tmp_path / "one", RICH):
        before = await held(made)
        async with killed_in(made, _LENDS) as said:
            assert said == "lent"
            assert await held(made) != before

        async def back() -> bool:
            return await held(made) == before

        await eventually(back, "the clipboard as it was")


@pytest.mark.proves("report-13", "report-39")
async def test_keys_and_keyboard_map_come_back_when_the_owner_is_killed_in_a_text(made: Rig) -> None:
    made.layout("de")
    before = made.keyboard_map()
    async with text_field(made, "gtk3") as field:
        async with killed_in(made, _TYPES) as said:
            assert said == "typing"
            await eventually(lambda: _longer(field, 100), "text arrives")
            assert len(made.keys_down()) == 1
            assert made.keyboard_map() != before

        await eventually(lambda: made.keyboard_map() == before, "the keyboard map as it was")
        assert made.keys_down() == []


async def _longer(field: Any, length: int) -> bool:
    return len(await field.text()) > length


@asynccontextmanager
async def killed_in(made: Rig, deed: str) -> AsyncIterator[str]:
    """Another owner in the middle of ``deed``, killed at the end; gives the line that it says."""
    key = made.desktop.environment.get("XAUTHORITY", "")
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _OWNER + deed, made.display, key,
        env=dict(made.desktop.environment), stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        yield (await asyncio.wait_for(process.stdout.readline(), PATIENCE)).decode().strip()
    finally:
        process.send_signal(signal.SIGKILL)
        await process.wait()


_OWNER = """
import asyncio, sys
from deskhand.platforms.linux.x11.clipboard import Clipboard
from deskhand.platforms.linux.x11.connection import XThread
from deskhand.platforms.linux.x11.input import InputDevice
from deskhand.platforms.linux.x11.stewardship import Stewardship
steward = Stewardship(sys.argv[1], sys.argv[2] or None)
"""
_LENDS = """
async def main():
    print(await Clipboard(sys.argv[1], sys.argv[2] or None, steward).lend("half pasted") or "lent", flush=True)
    await asyncio.Event().wait()
asyncio.run(main())
"""
_TYPES = """
async def main():
    hands = InputDevice(XThread(sys.argv[1], sys.argv[2] or None), steward.note)
    await hands.chord("F9", down=True)
    print("typing", flush=True)
    while True:
        await hands.type_text("".join(chr(0x4E00 + number) for number in range(3000)))
asyncio.run(main())
"""


@pytest.mark.proves("A9", "report-39")
async def test_a_receiver_that_sleeps_pastes_when_it_wakes_and_the_clipboard_comes_back(
    made: Rig, board: Clipboard, tmp_path: Path
) -> None:
    async with text_field(made, "gtk3") as field, owned(made, tmp_path / "one", RICH):
        before = await held(made)
        focus = await made.hands.receiver()
        assert not await board.lend("late")
        os.kill(field.process.pid, signal.SIGSTOP)
        await made.hands.chord_to("ctrl+v", focus)
        assert not await board.taken(focus.window, 0.2)
        assert not await made.hands.answers(focus)
        await board.keep(focus.window)
        os.kill(field.process.pid, signal.SIGCONT)
        await eventually(lambda: _holds(field, "late"), "the text")

        async def back() -> bool:
            return await held(made) == before

        await eventually(back, "what was there")


@pytest.mark.proves("A9")
async def test_what_somebody_copied_after_a_write_comes_back_after_a_paste(
    made: Rig, board: Clipboard, tmp_path: Path
) -> None:
    await board.write("ours")
    async with owned(made, tmp_path / "two", {TEXT: b"fresh"}):
        assert not await board.lend("for the paste")
        await board.give_back()
        assert await board.read() == "fresh"


async def test_a_requestor_that_dies_in_the_middle_is_waited_for_no_more(made: Rig) -> None:
    ours = Connection(made.display, made.desktop.environment.get("XAUTHORITY"))
    theirs = Connection(made.display, made.desktop.environment.get("XAUTHORITY"))
    try:
        window = ours.root.create_window(-10, -10, 1, 1, 0, X.CopyFromParent, event_mask=X.PropertyChangeMask)
        serving = Serving(ours, window)
        serving.own(as_text(b"x" * 1_000_000))
        asking = theirs.root.create_window(-10, -10, 1, 1, 0, X.CopyFromParent)
        asking.convert_selection(theirs.atom("CLIPBOARD"), theirs.atom("UTF8_STRING"), theirs.atom("PLACE"), 0)
        theirs.display.sync()

        def begun(happened: Any) -> bool:
            serving.handle(happened)
            return serving.busy

        assert ours.wait(begun, soon(PATIENCE))
        theirs.display.close()

        def over(happened: Any) -> bool:
            serving.handle(happened)
            return not serving.busy

        assert ours.wait(over, soon(PATIENCE))
    finally:
        ours.display.close()
