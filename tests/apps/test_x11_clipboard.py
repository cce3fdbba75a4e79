"""The clipboard, against real programs: Mousepad, and GTK's own clipboard in a process of its own."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator

import pytest

from deskhand.isolation import NestedDesktop
from deskhand.platforms.linux.x11.clipboard import Clipboard
from deskhand.types.errors import DeskhandError
from tests.apps.x11_rig import PATIENCE, SYSTEM_PYTHON, Rig, eventually, mousepad, rig

pytestmark = [pytest.mark.apps]

BIG = "zeile ß 日本 👍🏽\n" * 60_000  # more than 1 MB in UTF-8

_GTK = """
import sys, gi
gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk
board = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)
"""
_GTK_READ = _GTK + "sys.stdout.write(board.wait_for_text() or '')"
_GTK_OWN = _GTK + (
    "board.set_text(sys.stdin.readline().rstrip('\\n').replace('|', '\\n') * int(sys.argv[1]), -1)\n"
    "print('mine', flush=True)\nGtk.main()"
)


@pytest.fixture
async def made(isolated_desktop: NestedDesktop) -> AsyncIterator[Rig]:
    async with rig(isolated_desktop) as one:
        yield one


@pytest.fixture
async def board(made: Rig) -> AsyncIterator[Clipboard]:
    opened = Clipboard(made.display, made.desktop.environment.get("XAUTHORITY"))
    yield opened
    await opened.close()


async def owner(made: Rig, line: str, times: int) -> asyncio.subprocess.Process:
    """A GTK program that owns the clipboard."""
    process = await asyncio.create_subprocess_exec(
        SYSTEM_PYTHON, "-c", _GTK_OWN, str(times),
        env=dict(made.desktop.environment), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line.encode() + b"\n")
    assert await asyncio.wait_for(process.stdout.readline(), PATIENCE) == b"mine\n"
    return process


async def ended(process: asyncio.subprocess.Process) -> None:
    process.kill()
    await process.wait()


async def read_by_gtk(made: Rig) -> str:
    return await asyncio.to_thread(made.run, SYSTEM_PYTHON, "-c", _GTK_READ)


@pytest.mark.proves("A9")
@pytest.mark.parametrize("text", ["plain", "Spaß 日本語 👍🏽\nzweite\tZeile", BIG], ids=["short", "unicode", "1MB"])
async def test_what_is_written_is_read_by_another_program(made: Rig, board: Clipboard, text: str) -> None:
    await board.write(text)
    assert await read_by_gtk(made) == text
    assert await board.read() == text


@pytest.mark.proves("A9")
@pytest.mark.parametrize(
    ("line", "times"), [("Grüße 日本|zwei", 1), ("zeile ß 日本 👍🏽|", 60_000)], ids=["short", "1MB"]
)
async def test_what_another_program_owns_is_read(made: Rig, board: Clipboard, line: str, times: int) -> None:
    process = await owner(made, line, times)
    try:
        assert await board.read() == line.replace("|", "\n") * times
    finally:
        await ended(process)


@pytest.mark.proves("A9")
async def test_copy_and_paste_in_an_editor(made: Rig, board: Clipboard) -> None:
    async with mousepad(made) as editor:
        await board.write("aus der Zwischenablage: 日本語\n")
        await made.hands.chord("ctrl+v")
        await eventually(lambda: editor.text() == "aus der Zwischenablage: 日本語\n", "pasted")
        await made.hands.type_text("und zurück")
        await made.hands.chord("ctrl+a")
        await made.hands.chord("ctrl+c")

        async def copied() -> bool:
            return await board.read() == "aus der Zwischenablage: 日本語\nund zurück"

        await eventually(copied, "copied")


@pytest.mark.proves("A9")
async def test_an_unowned_clipboard_holds_nothing(fresh_desktop: NestedDesktop) -> None:
    board = Clipboard(fresh_desktop.environment["DISPLAY"], fresh_desktop.environment.get("XAUTHORITY"))
    assert await board.read() is None
    await board.close()


@pytest.mark.proves("report-21")
async def test_an_owner_that_hangs_costs_a_bounded_time_and_is_named(made: Rig, board: Clipboard) -> None:
    process = await owner(made, "never handed over", 1)
    os.kill(process.pid, signal.SIGSTOP)
    try:
        began = asyncio.get_running_loop().time()
        with pytest.raises(DeskhandError) as refused:
            await board.read()
        assert asyncio.get_running_loop().time() - began < 8
    finally:
        await ended(process)
    assert refused.value.code == "app_unresponsive"


@pytest.mark.proves("A9")
async def test_lone_surrogates_are_refused(board: Clipboard) -> None:
    with pytest.raises(DeskhandError) as refused:
        await board.write("a\ud800b")
    assert refused.value.code == "unsendable_text"
