"""The real owner, killed in the middle of what it does: keyboard, modifiers and clipboard are as before."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from deskhand.daemon.client import attach
from deskhand.daemon.protocol import Hello
from deskhand.isolation import NestedDesktop
from deskhand.platforms.linux.x11.connection import Connection
from tests.apps.test_ownership import Agent, agent, owner_pid
from tests.apps.test_x11_pasting import RICH, held, owned
from tests.apps.text_fields import TextField, text_field
from tests.apps.x11_rig import PATIENCE, Rig, eventually, rig

pytestmark = [pytest.mark.apps, pytest.mark.proves("A9", "report-13", "report-39")]

FIELD = {"role": "textbox", "in": "Text field"}
FOREIGN = "".join(chr(0x4E00 + number) for number in range(2000))
"""What no layout has: every key of it is borrowed."""
PASTED = "pasted words " * 40


@pytest.fixture
async def made(fresh_desktop: NestedDesktop) -> AsyncIterator[Rig]:
    async with rig(fresh_desktop) as one:
        yield one
    if (remote := await attach(fresh_desktop.folder, Hello(client="end", session="end"))) is not None:
        os.kill(remote.welcome.pid, signal.SIGTERM)
        await remote.close()


async def kill_owner(made: Rig) -> None:
    pid = await owner_pid(made.desktop)
    os.kill(pid, signal.SIGKILL)
    await eventually(lambda: not Path(f"/proc/{pid}").exists(), "the owner's end")


async def given_up(call: asyncio.Task[str]) -> str:
    """What the client is told of the batch whose owner was killed."""
    return await asyncio.wait_for(call, 20)


async def test_the_owner_killed_in_the_middle_of_a_text_leaves_the_keyboard_as_it_was(made: Rig) -> None:
    made.layout("de")
    await made.hands.chord("CapsLock")
    locks, before = made.witness("server.screen().root.query_pointer().mask"), made.keyboard_map()
    async with text_field(made, "gtk3") as field, agent(made.desktop) as one:
        step = {"do": "type", "on": FIELD, "value": FOREIGN, "route": "keyboard"}
        typing = asyncio.create_task(one.act(step))
        await eventually(lambda: _has(field, 100), "text arrives")
        assert made.keyboard_map() != before
        await kill_owner(made)
        await eventually(lambda: made.keyboard_map() == before, "the keyboard map as it was")
        assert made.keys_down() == []
        assert made.witness("server.screen().root.query_pointer().mask") == locks
        assert _unsure(await given_up(typing))
        written = await field.text()
        assert FOREIGN.startswith(written)
        assert len(written) < len(FOREIGN)
        await _works_again(one, field)
        assert made.keyboard_map() == before


async def test_the_owner_killed_in_the_middle_of_a_paste_leaves_the_clipboard_as_it_was(
    made: Rig, tmp_path: Path
) -> None:
    async with owned(made, tmp_path / "rich", RICH), text_field(made, "gtk3") as field, agent(made.desktop) as one:
        before, pid = await held(made), await _answering(made, one)
        lent = asyncio.create_task(asyncio.to_thread(_when_lent, made, pid))
        pasting = asyncio.create_task(one.act({"do": "type", "on": FIELD, "value": PASTED}))
        assert await lent, "the clipboard was never lent"

        async def back() -> bool:
            return await held(made) == before

        await eventually(back, "the clipboard as it was")
        assert made.keys_down() == []
        assert _unsure(await given_up(pasting))
        assert await field.text() in ("", PASTED)


async def _answering(made: Rig, one: Agent) -> int:
    """The owner's process id, once it has looked around."""
    await one.call("observe", target="Text field")
    return await owner_pid(made.desktop)


def _when_lent(made: Rig, pid: int) -> bool:
    """Kill a process as soon as the clipboard has another owner; False when that never happens."""
    connection = Connection(made.display, made.desktop.environment.get("XAUTHORITY"))
    server = connection.display
    try:
        board = server.intern_atom("CLIPBOARD")
        first, ends = server.get_selection_owner(board), time.monotonic() + PATIENCE
        while server.get_selection_owner(board) == first:
            if time.monotonic() > ends:
                return False
        os.kill(pid, signal.SIGKILL)
        return True
    finally:
        connection.close()


async def _has(field: TextField, length: int) -> bool:
    return len(await field.text()) > length


def _unsure(said: str) -> bool:
    """Whether it says that the batch may have been done in part, and does not call it done or unsent."""
    return "input unknown" in said and not said.startswith("done")


async def _works_again(one: Agent, field: TextField) -> None:
    """The next owner types as if nothing had been."""
    await field.clear()
    said = await one.act({"do": "type", "on": FIELD, "value": "Grüße 日本", "route": "keyboard"})
    assert said.startswith("done"), said
    assert await field.text() == "Grüße 日本"
