"""The real owner, killed in the middle of what it does: keyboard, modifiers and clipboard are as before."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from deskhand.daemon.client import attach
from deskhand.daemon.protocol import Hello
from deskhand.isolation import NestedDesktop
from tests.apps.test_ownership import Agent, agent, inputs, owner_pid
from tests.apps.test_x11_pasting import RICH, held, owned
from tests.apps.text_fields import TextField, text_field
from tests.apps.x11_rig import Rig, eventually, rig

pytestmark = [pytest.mark.apps, pytest.mark.proves("A9", "report-13", "report-39")]

FIELD = {"role": "textbox", "in": "Text field"}
FOREIGN = "".join(chr(0x4E00 + number) for number in range(2000))
"""What no layout has: every key of it is borrowed."""


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
        before = await held(made)
        await one.act({"do": "set", "on": FIELD, "value": "here"})
        count = inputs(made.desktop)
        os.kill(field.process.pid, signal.SIGSTOP)
        try:
            pasting = asyncio.create_task(_paste(one))
            await eventually(lambda: inputs(made.desktop) > count or pasting.done(), "the paste begins")
            await eventually(lambda: _lent(made, before), "the clipboard is lent", 8) if not pasting.done() else None
            await kill_owner(made)
        finally:
            os.kill(field.process.pid, signal.SIGCONT)

        async def back() -> bool:
            return await held(made) == before

        await eventually(back, "the clipboard as it was")
        assert made.keys_down() == []
        assert _unsure(await given_up(pasting))


async def _paste(one: Agent) -> str:
    return await one.act({"do": "type", "value": "pasted words " * 40})


async def _lent(made: Rig, before: Any) -> bool:
    return await held(made) != before


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
