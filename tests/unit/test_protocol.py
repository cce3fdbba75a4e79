"""Frames, messages, counters and settings: the owner's small parts, without processes."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from deskhand.cli.configuration import Settings, load_settings
from deskhand.daemon.counters import BLOCK, FileCounters
from deskhand.daemon.debts import DebtFile
from deskhand.daemon.operations import parsed
from deskhand.daemon.protocol import CLIENT_MESSAGES, OPERATIONS, Call, Cancel, Fault, Question
from deskhand.daemon.reaching import choice, here_folder
from deskhand.daemon.turns import InputQueue
from deskhand.daemon.wire import MAX_FRAME, packed, read_frame
from deskhand.types.errors import ERROR_CODES, DeskhandError
from deskhand.types.results import Failure


async def framed(data: bytes) -> list[bytes]:
    reader = asyncio.StreamReader()
    reader.feed_data(data)
    reader.feed_eof()
    frames = []
    while (frame := await read_frame(reader)) is not None:
        frames.append(frame)
    return frames


@given(st.lists(st.text(), max_size=4), st.integers(0, 9))
def test_frames_come_out_as_they_went_in_and_a_cut_one_ends(texts: list[str], cut: int) -> None:
    calls = [Call(id=number, op="find", request={"query": text}) for number, text in enumerate(texts)]
    data = b"".join(packed(call) for call in calls)
    frames = asyncio.run(framed(data[: len(data) - cut] if cut else data))
    got = [CLIENT_MESSAGES.validate_json(frame) for frame in frames]
    assert got == calls[: len(got)]
    assert len(got) >= len(calls) - 1


async def test_a_frame_announced_too_large_is_refused_unread() -> None:
    with pytest.raises(DeskhandError, match="invalid_request"):
        await framed((MAX_FRAME + 1).to_bytes(4, "big"))


@given(st.binary(max_size=200))
def test_any_bytes_are_a_message_or_refused(data: bytes) -> None:
    with suppress(ValidationError):
        assert isinstance(CLIENT_MESSAGES.validate_json(data), Call | Cancel)


@pytest.mark.parametrize("code", ERROR_CODES)
def test_an_error_crosses_unchanged(code: str) -> None:
    failure = Failure.model_validate(
        {"code": code, "message": "m", "sent": "yes", "candidates": ["r1"], "question": "q1"}
    )
    fault = Fault(id=1, failure=failure)
    back = Fault.model_validate_json(fault.model_dump_json()).failure.error()
    assert Failure.of(back) == failure


def test_every_operation_has_its_types() -> None:
    for request, result in OPERATIONS.values():
        assert request.model_config["frozen"]
        assert result.model_config["extra"] == "forbid"
    assert Question(id="q1", text="t").state == "pending"


def test_an_unknown_operation_names_the_ones_there_are() -> None:
    with pytest.raises(DeskhandError, match=r'no operation "fly"; there are apps'):
        parsed("fly", {})


@pytest.mark.proves("report-36")
def test_ids_count_up_and_are_never_reused_after_a_crash(tmp_path: Path) -> None:
    crashed = FileCounters(tmp_path)
    assert [crashed.next("r") for _ in range(3)] == [1, 2, 3]
    assert crashed.issued("r") == 3
    after = FileCounters(tmp_path)
    assert after.issued("r") >= 3
    assert after.next("r") == BLOCK + 1
    assert after.next("w") == 1


def test_an_orderly_end_gives_back_what_was_not_used(tmp_path: Path) -> None:
    counters = FileCounters(tmp_path)
    counters.next("s")
    counters.close()
    assert FileCounters(tmp_path).next("s") == 2


def test_one_write_reserves_many_ids(tmp_path: Path) -> None:
    counters = FileCounters(tmp_path)
    counters.next("r")
    before = (tmp_path / "counters.json").stat().st_mtime_ns
    for _ in range(BLOCK - 1):
        counters.next("r")
    assert (tmp_path / "counters.json").stat().st_mtime_ns == before
    assert json.loads((tmp_path / "counters.json").read_text()) == {"r": BLOCK}


def test_no_id_is_handed_out_that_could_not_be_written_down(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    counters = FileCounters(folder)
    folder.rmdir()
    with pytest.raises(DeskhandError, match="free some space"):
        counters.next("r")
    folder.mkdir()
    assert counters.next("r") == 1


@pytest.mark.parametrize("text", ["", "{", "[]", '{"r": "x"}'])
def test_a_broken_counters_file_is_said_not_overwritten(tmp_path: Path, text: str) -> None:
    (tmp_path / "counters.json").write_text(text)
    with pytest.raises(DeskhandError, match="internal: cannot read"):
        FileCounters(tmp_path)
    assert (tmp_path / "counters.json").read_text() == text


async def test_a_waiter_that_is_cancelled_leaves_the_queue_working() -> None:
    queue = InputQueue()

    async def turn() -> None:
        async with queue.turn("other", 5):
            pass

    async with queue.turn("one", 5):
        waiting = asyncio.create_task(turn())
        await asyncio.sleep(0)  # lets the task run up to its first pause
        assert queue.waiting == 1
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert queue.waiting == 0
    await turn()
    assert queue.holder == ""


def settings(tmp_path: Path, text: str = "", **variables: str) -> Settings:
    folder = tmp_path / "deskhand"
    folder.mkdir(exist_ok=True)
    (folder / "config.toml").write_text(text)
    return load_settings({"XDG_CONFIG_HOME": str(tmp_path), **variables})


def test_without_a_file_everything_has_a_default(tmp_path: Path) -> None:
    assert load_settings({"XDG_CONFIG_HOME": str(tmp_path)}) == Settings()


def test_variables_go_before_the_file_and_flags_before_both(tmp_path: Path) -> None:
    text = '[gate]\nallow = ["quit"]\n[owner]\nidle = 5\n'
    assert settings(tmp_path, text).gate.allow == ["quit"]
    assert settings(tmp_path, text, DESKHAND_GATE_ALLOW="send, pay").gate.allow == ["send", "pay"]
    environment = {"XDG_CONFIG_HOME": str(tmp_path), "DESKHAND_OWNER_IDLE": "7", "DESKHAND_DESKTOP": "x"}
    assert load_settings(environment).owner.idle == 7
    assert load_settings(environment, {"owner": {"idle": 9, "patience": None}}).owner.idle == 9


def test_a_desktop_can_be_allowed_more(tmp_path: Path) -> None:
    found = settings(tmp_path, '[gate]\nallow = ["quit"]\n[desktops.lab.gate]\nallow = ["delete"]\n')
    assert found.gate_of("lab").allow == ["quit", "delete"]
    assert found.gate_of("here").allow == ["quit"]


@pytest.mark.proves("report-35")
@pytest.mark.parametrize(
    ("text", "variables", "said"),
    [
        ("[gate]\nalow = []", {}, "there is no key gate.alow; there are allow, deny"),
        ("colour = 1", {}, "there is no key colour; there are gate, record, owner, mcp, input, desktops"),
        ('[gate]\nallow = ["deleet"]', {}, 'gate.allow: there is no risk "deleet"; there are delete, overwrite'),
        ("[owner]\nidle = 'soon'", {}, "owner.idle: input should be a valid number"),
        ("[desktops.lab]\ngates = 1", {}, "there is no key desktops.lab.gates; there are gate"),
        ("[gate", {}, "is not TOML"),
        ("", {"DESKHAND_GATE_ALOW": "x"}, "there is no setting DESKHAND_GATE_ALOW; there are DESKHAND_GATE_ALLOW"),
        ("", {"DESKHAND_OWNER_IDLE": "soon"}, "DESKHAND_OWNER_IDLE: owner.idle: input should be a valid number"),
    ],
)
def test_a_wrong_setting_is_one_line_that_says_what_to_do(
    tmp_path: Path, text: str, variables: dict[str, str], said: str
) -> None:
    with pytest.raises(DeskhandError) as raised:
        settings(tmp_path, text, **variables)
    assert said in raised.value.message
    assert raised.value.code == "invalid_request"
    assert "\n" not in raised.value.message


def test_the_desktop_that_is_meant() -> None:
    assert choice(None, {"DISPLAY": ":0"}, "new") == "here"
    assert choice(None, {}, "new") == "new"
    assert choice("lab", {"DISPLAY": ":0"}, "new") == "lab"
    assert choice("here", {"DISPLAY": ":7", "DESKHAND_DESKTOP": "lab"}, "new") == "lab"


def test_here_has_a_folder_of_its_own_per_display(tmp_path: Path) -> None:
    environment = {"XDG_RUNTIME_DIR": str(tmp_path), "DISPLAY": ":0.0"}
    folder = here_folder(environment)
    assert folder == here_folder({**environment, "DISPLAY": ":0"})
    assert folder != here_folder({**environment, "DISPLAY": ":1"})
    assert folder.stat().st_mode & 0o777 == 0o700
    with pytest.raises(DeskhandError, match="use --desktop new"):
        here_folder({"XDG_RUNTIME_DIR": str(tmp_path)})


def test_what_a_killed_owner_owed_is_found_by_the_next_one(tmp_path: Path) -> None:
    debts = DebtFile(tmp_path)
    assert debts.left() is None
    debts.note('{"keys": [50]}')
    debts.note('{"keys": [50, 37]}')
    assert DebtFile(tmp_path).left() == '{"keys": [50, 37]}'
    debts.settle()
    assert DebtFile(tmp_path).left() is None
    assert list(tmp_path.iterdir()) == []
