"""The gate at the tool's door: what of a call's time is gone before it, and how a question is taken back."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from deskhand.cli import mcp
from deskhand.mcp_server import confirming, tools
from deskhand.mcp_server.confirming import judge, withdraw
from deskhand.types.requests import ActRequest
from deskhand.types.results import Judgement
from deskhand.types.steps import Step

STARTS = 0.2
"""Seconds that the desktop takes to start."""


class Desktop:
    def __init__(self) -> None:
        self.asked: list[tuple[str, ...]] = []

    async def judge(self, request: ActRequest) -> Judgement:
        return Judgement(verdict="allow", digest="d", text="")

    async def withdraw(self, question: str) -> None:
        self.asked.append(("withdraw", question))

    async def answer(self, question: str, agree: bool) -> None:
        self.asked.append(("answer", question, str(agree)))


async def test_a_call_that_waited_for_its_desktop_has_less_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    async def desktop_of(ctx: Any) -> Desktop:
        await asyncio.wait({asyncio.get_running_loop().create_future()}, timeout=STARTS)
        return Desktop()

    monkeypatch.setattr(confirming, "desktop_of", desktop_of)
    request = ActRequest(steps=[Step(do="press", on="r1")])
    judged = await judge(request, cast("Any", SimpleNamespace(headers=None)))
    assert tools._ready(request, judged, None).timeout <= request.timeout - STARTS * 0.9


async def test_a_question_taken_back_is_no_persons_answer() -> None:
    desktop = Desktop()
    await withdraw(cast("Any", desktop), "q1")
    assert desktop.asked == [("withdraw", "q1")]


async def test_a_start_that_fails_late_is_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(mcp, "STARTING_SECONDS", 0.0)
    failing = asyncio.Event()

    async def about() -> str:
        await failing.wait()
        raise PermissionError("no place to write to")

    starting = asyncio.create_task(about())
    assert "still being started" in await mcp._in_time(starting)
    failing.set()
    await mcp._ended(starting)
    assert "no place to write to" in caplog.text
