"""A line to an application: what is on its way is capped, and what nobody waits for any more takes no room."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest

from deskhand.platforms.linux.atspi.line import Answer, Line


@pytest.fixture
async def ends() -> AsyncIterator[tuple[Line, socket.socket]]:
    """A line with room for two questions, and the application's end of it."""
    near, far = socket.socketpair()
    near.setblocking(False)
    far.setblocking(False)
    line = Line(near, 2)
    yield line, far
    line.close()
    far.close()


def ask(line: Line, member: str) -> asyncio.Future[Answer]:
    return line.ask(":1.7", "/a", "a.b", member, "", ())


async def heard(far: socket.socket, member: str) -> bytes:
    """What comes until the question."""
    said = b""
    async with asyncio.timeout(5):
        while member.encode() not in said:
            said += await asyncio.get_running_loop().sock_recv(far, 4096)
    return said


@pytest.mark.proves("report-21")
async def test_a_question_that_is_never_answered_keeps_no_place_once_it_is_given_up(
    ends: tuple[Line, socket.socket],
) -> None:
    line, far = ends
    given_up = [ask(line, "First"), ask(line, "Second")]
    waits = ask(line, "Third")
    assert b"Third" not in await heard(far, "Second")
    for future in given_up:
        future.cancel()
    await heard(far, "Third")
    assert not waits.done()
