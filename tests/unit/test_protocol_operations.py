"""What the owner does around an operation: deadlines, turns, and keys released whatever happens."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any

import pytest

from deskhand.daemon.operations import Operations
from deskhand.daemon.protocol import Question, QuestionList
from deskhand.types.errors import DeskhandError
from deskhand.types.results import ActResult, View

STEP: dict[str, object] = {"steps": [{"do": "key", "keys": "a"}]}
VIEW = View(text="s1", snapshot="s1", window="w1")


class Slow:
    """A desktop whose calls take ``seconds``."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.timeouts: list[float] = []
        self.released = 0
        self.begun = asyncio.Event()

    async def act(self, request: Any) -> ActResult:
        self.begun.set()
        self.timeouts.append(request.timeout)
        await asyncio.sleep(self.seconds)
        return ActResult(text="done", done=1, total=1, seconds=0)

    async def observe(self, request: Any) -> View:
        await asyncio.sleep(self.seconds)
        return VIEW

    async def release(self) -> None:
        self.released += 1


class NoQuestions:
    def withdraw(self, question: str) -> None:
        return

    def drop_without(self, windows: Collection[str]) -> None:
        return

    def pending(self) -> list[Question]:
        return []

    def answer(self, question: str, agree: bool) -> Question:
        raise DeskhandError("not_found", "none waits")


def operations(desktop: Any, call: float = 50.0) -> Operations:
    return Operations(desktop, NoQuestions(), desktop.release, call=call)


@pytest.mark.proves("report-1", "report-28")
async def test_a_call_that_never_ends_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deskhand.daemon.operations._GRACE", 0.0)
    monkeypatch.setattr("deskhand.daemon.operations._LEAST", 0.0)
    desktop = Slow(1000)
    run = operations(desktop, call=0.05)
    with pytest.raises(DeskhandError) as raised:
        await run.run("act", STEP)
    assert (raised.value.code, raised.value.sent, desktop.released) == ("wait_timeout", "unknown", 1)
    with pytest.raises(DeskhandError) as raised:
        await run.run("observe", {})
    assert (raised.value.code, raised.value.sent) == ("wait_timeout", "no")
    assert run.turns.holder == ""


async def test_time_spent_waiting_is_taken_from_the_batchs_own() -> None:
    desktop = Slow(0.2)
    run = operations(desktop)
    await asyncio.gather(run.run("act", {**STEP, "timeout": 9}), run.run("act", {**STEP, "timeout": 9}))
    first, second = desktop.timeouts
    assert first > 8.9
    assert second < 8.85


@pytest.mark.proves("report-13")
async def test_a_cancelled_batch_has_released_its_keys_when_the_next_begins() -> None:
    desktop = Slow(1000)
    run = operations(desktop)
    batch = asyncio.create_task(run.run("act", STEP))
    await desktop.begun.wait()
    batch.cancel()
    with pytest.raises(asyncio.CancelledError):
        await batch
    assert desktop.released == 1
    desktop.seconds = 0
    assert isinstance(await run.run("act", STEP), ActResult)


async def test_questions_are_listed_and_answered_here() -> None:
    run = operations(Slow(0))
    assert await run.run("pending", {}) == QuestionList()
    with pytest.raises(DeskhandError, match="not_found"):
        await run.run("answer", {"question": "q1", "agree": True})


@pytest.mark.parametrize("data", [{}, {"steps": []}, {"steps": [{"do": "fly"}]}, {"steps": [{"do": "key"}], "x": 1}])
async def test_a_malformed_request_reaches_no_desktop(data: dict[str, Any]) -> None:
    desktop = Slow(0)
    with pytest.raises(DeskhandError, match="invalid_request"):
        await operations(desktop).run("act", data)
    assert (desktop.timeouts, desktop.released) == ([], 0)


@pytest.mark.proves("C11")
async def test_trouble_with_the_record_is_told_once() -> None:
    troubles = iter(["", "disk full", "disk full", "", "disk full"])
    run = Operations(Slow(0), NoQuestions(), Slow(0).release, lambda: next(troubles))  # type: ignore[arg-type]
    texts = [(await run.run("observe", {})).model_dump()["text"] for _ in range(5)]
    assert texts == ["s1", "s1\nnote: disk full", "s1", "s1", "s1\nnote: disk full"]
