"""The clipboard: what was there is the user's, neither told by a write nor collected by the record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deskhand.desktop.semantics.budget import DEFAULT
from deskhand.desktop.semantics.quoting import tokens
from deskhand.platforms import fake
from deskhand.platforms.fake import FakePlatform
from deskhand.sessions.recorder import FileRecorder
from tests.contract.sessions import Session

FORMER = "the user's own words"
FAILS = {"do": "press", "on": {"role": "button", "name": "Nowhere"}}


class Recorded(Session):
    """A session whose record is written to a file."""

    def __init__(self, folder: Path) -> None:
        super().__init__(FakePlatform(fake.window("Editor", fake.textbox("Name", "old"), fake.button("Save"))))
        self.folder, recorder = folder, FileRecorder(folder, "fake")
        self.near._recorder = self.near._engine._recorder = recorder

    def record(self) -> str:
        return "".join(path.read_text() for path in self.folder.glob("*.jsonl"))


@pytest.mark.proves("G7")
@pytest.mark.parametrize("more", [{}, {"on_failure": "undo"}], ids=["done", "undone"])
async def test_a_write_neither_tells_nor_records_what_was_there(tmp_path: Path, more: dict[str, Any]) -> None:
    session = Recorded(tmp_path)
    await session.platform.write_clipboard(FORMER)
    steps: list[dict[str, Any]] = [{"do": "clipboard", "op": "write", "value": "new words"}]
    steps += [FAILS] if more else []
    done = await session.act(*steps, **more)
    assert done.effects[0].verdict == "verified"
    assert done.effects[0].note == f"held {len(FORMER)} characters before"
    assert FORMER not in json.dumps(done.model_dump(mode="json")) + session.record()
    if more:
        assert done.undoing is not None
        assert done.undoing.left == []
        assert await session.platform.read_clipboard() == FORMER


@pytest.mark.proves("G7")
@pytest.mark.parametrize("held", [FORMER, "long words " * 900])
async def test_what_is_read_is_told_and_not_recorded(tmp_path: Path, held: str) -> None:
    session = Recorded(tmp_path)
    await session.platform.write_clipboard(held)
    read = await session.act({"do": "clipboard", "op": "read"})
    assert read.effects[0].read == held
    assert held[:20] in read.text
    assert held[:20] not in session.record()
    assert "[withheld]" in session.record()


async def test_what_is_written_keeps_its_line_ends(tmp_path: Path) -> None:
    session = Recorded(tmp_path)
    await session.act({"do": "clipboard", "op": "write", "value": "a\r\nb"})
    assert await session.platform.read_clipboard() == "a\r\nb"


@pytest.mark.parametrize("held", ["x" * 3999, "long words " * 900, "語" * 5000, "; , -" * 2000, '"quoted"\n' * 900])
async def test_a_long_clipboard_is_told_as_far_as_it_goes(tmp_path: Path, held: str) -> None:
    session = Recorded(tmp_path)
    await session.platform.write_clipboard(held)
    read = await session.act(*[{"do": "clipboard", "op": "read"}] * 2)
    assert [effect.read for effect in read.effects] == [held, held]
    lines = [line for line in read.text.splitlines() if " clipboard clipboard: " in line]
    assert len(lines) == 2
    for line in lines:
        said = line.partition(": ")[2].rpartition(" verified")[0]
        string, _, left = said.rpartition("+") if not said.endswith('"') else (said, "", "0")
        assert held.startswith(json.loads(string))
        assert len(json.loads(string)) + int(left) == len(held)
        assert len(json.loads(string)) > 400
    assert "more steps done" not in read.text
    assert tokens(read.text) <= DEFAULT
