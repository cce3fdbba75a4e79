"""Waiting costs little: no loop stands still for a pattern, no process a look, no large file is read over and over."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

import pytest

from deskhand.desktop.act import conditions
from deskhand.desktop.semantics import patterns
from deskhand.platforms import fake
from deskhand.platforms.fake import FakePlatform
from deskhand.types.errors import DeskhandError
from tests.contract.sessions import Session

SLOW = r"^(never|[a-z]+ *)+!$"


async def test_the_loop_goes_on_while_a_pattern_is_searched_for() -> None:
    beats = 0

    async def beat() -> None:
        nonlocal beats
        while True:
            await asyncio.sleep(0.02)
            beats += 1

    beating = asyncio.create_task(beat())
    with pytest.raises(DeskhandError, match="takes too long"):
        await patterns.searched(r"(a+)+!", ["a" * 60])
    beating.cancel()
    assert beats > 10


async def test_one_process_serves_a_whole_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    started = 0
    start = asyncio.create_subprocess_exec

    async def counted(*command: str, **more: object) -> asyncio.subprocess.Process:
        nonlocal started
        started += 1
        return await start(*command, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", counted)
    session = Session(FakePlatform(fake.window("Log", fake.textbox("Line", "some words"))))
    wait = {"do": "wait", "for": "text", "on": {"name": "Line"}, "is": SLOW, "match": "regex", "timeout": 1.2}
    waited = await session.act(wait)
    assert waited.failure is not None
    assert waited.failure.code == "wait_timeout"
    assert started == 1


async def test_a_process_that_dies_is_a_typed_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "_CHILD", "raise SystemExit(1)")
    with pytest.raises(DeskhandError) as refused:
        await patterns.searched(SLOW, ["a"])
    assert refused.value.code == "internal"


async def test_a_clipboard_that_nobody_hands_over_takes_no_longer_than_the_expectation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = Session(FakePlatform(fake.window("Editor", fake.button("Save"))))

    async def never() -> str | None:
        await asyncio.Event().wait()
        return None

    monkeypatch.setattr(session.platform, "read_clipboard", never)
    began = time.monotonic()
    expect = {"clipboard": {"is": "x"}, "timeout": 0.3}
    done = await session.act({"do": "press", "on": {"name": "Save"}, "expect": expect})
    assert done.failure is not None
    assert done.failure.code == "expectation_failed"
    assert time.monotonic() - began < 5


def test_a_file_is_read_again_only_when_it_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, reads, read = tmp_path / "log", 0, conditions._holding_bytes

    def counted(path: Path, wanted: bytes) -> bool:
        nonlocal reads
        reads += 1
        return read(path, wanted)

    monkeypatch.setattr(conditions, "_holding_bytes", counted)
    monkeypatch.setattr(conditions, "FRESH", 0)
    path.write_bytes(b"one")
    looked = conditions._Looked()
    assert not conditions._file_contains(path, b"two", looked)
    assert not conditions._file_contains(path, b"two", looked)
    assert reads == 1
    path.write_bytes(b"two")
    os.utime(path, ns=(1, 1))
    assert conditions._file_contains(path, b"two", looked)
    assert reads == 2
