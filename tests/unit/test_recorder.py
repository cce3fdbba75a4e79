"""The record: complete, private, without secrets, and never in the way."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deskhand.daemon.caller import CALLER, Caller
from deskhand.desktop.semantics.quoting import SHORT_TEXT, quote_cut
from deskhand.sessions.places import day_files, records_folder
from deskhand.sessions.reading import erase, events
from deskhand.sessions.recorder import FileRecorder, NoRecorder
from deskhand.sessions.redaction import WITHHELD, Redactor
from deskhand.types.nodes import Node, State
from deskhand.types.requests import ActRequest, ObserveRequest
from deskhand.types.steps import Expect, Step

DAY = 86400.0
NOON = 1_790_000_000.0
FIELD = Node(key="1", parent=None, role="textbox", name="Password", states=State.PROTECTED)
NAME = Node(key="2", parent=None, role="textbox", name="Name")


class Now:
    def __init__(self) -> None:
        self.seconds = NOON

    def __call__(self) -> float:
        return self.seconds


def written(folder: Path) -> str:
    return "".join(path.read_text() for path in day_files(folder))


@pytest.mark.proves("C11")
def test_every_event_is_on_disk_when_the_call_returns(tmp_path: Path) -> None:
    recorder = FileRecorder(tmp_path / "r", "fake")
    for number in range(3):
        recorder.record("step", index=number, element=NAME, step=Step(do="press", on="r1"))
        assert [event["n"] for event in events(tmp_path / "r")] == list(range(1, number + 2))
    first = next(events(tmp_path / "r"))
    assert (first["schema"], first["event"], first["desktop"], first["pid"]) == (1, "step", "fake", os.getpid())
    assert (first["client"], first["element"]["name"]) == ("in-process", "Name")
    assert first["step"] == {"do": "press", "on": "r1"}


def test_records_are_private(tmp_path: Path) -> None:
    FileRecorder(tmp_path / "r", "fake").record("call")
    [path] = day_files(tmp_path / "r")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_file_per_day_and_only_the_last_days_are_kept(tmp_path: Path) -> None:
    now = Now()
    recorder = FileRecorder(tmp_path, "fake", kept_days=14, now=now)
    (tmp_path / "notes.txt").write_text("not ours")
    for _ in range(20):
        recorder.record("call")
        now.seconds += DAY
    assert len(day_files(tmp_path)) == 15
    assert (tmp_path / "notes.txt").exists()


SECRET = "correct horse"
EXPECT = Expect.model_validate({"clipboard": {"is": SECRET}})
SECRET_EVENTS: list[dict[str, Any]] = [
    {"step": Step(do="set", on="r1", value=SECRET), "element": FIELD},
    {"step": Step(do="type", value=SECRET), "element": FIELD, "phase": "after"},
    {"step": Step(do="type", value=SECRET), "element": None},
    {"step": Step(do="key", keys="c"), "element": FIELD, "before": SECRET, "after": SECRET},
    {"step": Step(do="set", on="r1", value="x", expect=EXPECT), "element": FIELD},
    {"request": ActRequest(steps=[Step(do="set", on="r1", value=SECRET), Step(do="type", value=SECRET)])},
    {"request": ActRequest(steps=[Step(do="set", on="r1", value=SECRET)]).model_dump(mode="json", by_alias=True)},
    {"step": {"do": "set", "on": "r1", "value": SECRET}},
]  # fmt: skip


@pytest.mark.proves("G7", "report-22")
@pytest.mark.parametrize("data", SECRET_EVENTS)
def test_what_goes_into_a_password_field_is_not_recorded(tmp_path: Path, data: dict[str, Any]) -> None:
    FileRecorder(tmp_path, "fake").record("step", **data)
    assert SECRET not in written(tmp_path)
    assert len(list(events(tmp_path))) == 1


@pytest.mark.proves("G7", "report-22")
def test_a_secret_once_typed_is_masked_wherever_it_turns_up_later(tmp_path: Path) -> None:
    recorder = FileRecorder(tmp_path, "fake")
    recorder.record("step", step=Step(do="set", on="r1", value=SECRET), element=FIELD)
    recorder.record("result", text=f"the page says: {SECRET}!", lines=[{"deep": SECRET}])
    assert SECRET not in written(tmp_path)
    assert WITHHELD in written(tmp_path)


PIN = Node(key="3", parent=None, role="textbox", name="PIN")


@pytest.mark.proves("G7", "report-22")
def test_a_field_that_is_secret_by_its_name_alone_is_withheld_with_its_effect(tmp_path: Path) -> None:
    recorder = FileRecorder(tmp_path, "fake")
    recorder.record("dispatch", index=1, step=Step(do="set", on="r1", value="1234567"), element=PIN)
    recorder.record("effect", effect={"step": 1, "before": '"7654321"', "after": '"1234567"'})
    assert "1234567" not in written(tmp_path)
    assert "7654321" not in written(tmp_path)


@pytest.mark.proves("G7", "report-22")
@pytest.mark.parametrize("secret", ["73", "x9", SECRET, 'a"b\\c', "long " * 40])
def test_what_is_waited_for_copied_or_read_back_is_withheld_where_it_is_a_secret(tmp_path: Path, secret: str) -> None:
    recorder = FileRecorder(tmp_path, "fake")
    wait = Step.model_validate({"do": "wait", "for": "value", "on": "r2", "is": secret})
    copy = Step(do="clipboard", op="write", value=secret)
    expecting = Step(do="press", on="r3", expect=Expect.model_validate({"clipboard": {"is": secret}}))
    steps = [copy, Step(do="set", on="r1", value=secret), wait, expecting]
    recorder.record("call", request=ActRequest(steps=steps))
    recorder.record("step", index=1, step=copy)
    recorder.record("dispatch", index=1, step=copy, element=None)
    recorder.record("effect", effect={"step": 1, "after": quote_cut(secret, SHORT_TEXT)})
    recorder.record("dispatch", index=2, step=steps[1], element=FIELD)
    recorder.record("step", index=3, step=wait)
    recorder.record("dispatch", index=4, step=expecting, element=NAME)
    recorder.record("call", request=ActRequest(steps=[copy, wait]))
    recorder.record("dispatch", index=1, step=copy, element=None)
    recorder.record("effect", effect={"step": 2, "do": "clipboard", "after": quote_cut(secret, SHORT_TEXT)})
    recorder.record("result", text=f"clipboard -> {quote_cut(secret, SHORT_TEXT)} verified")
    for event in events(tmp_path):
        told = json.dumps([event.get(key) for key in ("step", "request", "effect", "text")], ensure_ascii=False)
        assert secret[:40] not in told
        assert json.dumps(secret[:40])[1:-1] not in told


@pytest.mark.proves("G7", "report-22")
def test_a_look_of_another_client_makes_nothing_of_a_batch_told(tmp_path: Path) -> None:
    recorder = FileRecorder(tmp_path, "fake")
    copy, paste = Step(do="clipboard", op="write", value="4711"), Step(do="set", on="r1", value="4711")
    acting = CALLER.set(Caller(call=1))
    recorder.record("call", request=ActRequest(steps=[copy, paste]))
    looking = CALLER.set(Caller(call=2))
    recorder.record("call", request=ObserveRequest())
    CALLER.reset(looking)
    wait = Step.model_validate({"do": "wait", "for": "value", "on": "r2", "is": "4711"})
    recorder.record("dispatch", index=1, step=copy, element=None)
    recorder.record("step", index=3, step=wait)
    CALLER.reset(acting)
    assert "4711" not in written(tmp_path)


@pytest.mark.proves("G7", "report-22")
def test_what_is_expected_of_a_protected_field_is_withheld(tmp_path: Path) -> None:
    recorder = FileRecorder(tmp_path, "fake")
    recorder.record("dispatch", index=1, step=Step(do="focus", on="r1"), element=FIELD)
    for on in ("r1", {"role": "textbox", "name": "PIN"}):
        recorder.record("step", step=Step.model_validate({"do": "wait", "for": "value", "on": on, "is": "4711"}))
        recorder.record("step", step=Step.model_validate({"do": "wait", "for": "value", "on": "r9", "is": "told"}))
    assert "4711" not in written(tmp_path)
    assert written(tmp_path).count('"told"') == 2


def test_a_short_secret_blackens_nothing_but_whole_values(tmp_path: Path) -> None:
    recorder = FileRecorder(tmp_path, "fake")
    recorder.record("dispatch", index=1, step=Step(do="set", on="r1", value="set"), element=PIN)
    recorder.record("call", request={})
    recorder.record("dispatch", index=1, step=Step(do="set", on="r2", value="a set of tools"), element=NAME)
    [*_, event] = events(tmp_path)
    assert event["step"] == {"do": "set", "on": "r2", "value": "a set of tools"}


def test_other_values_are_recorded_with_their_step(tmp_path: Path) -> None:
    FileRecorder(tmp_path, "fake").record(
        "step", step=Step(do="set", on="r1", value="hello"), element=NAME, after="hello"
    )
    [event] = events(tmp_path)
    assert (event["step"]["value"], event["after"]) == ("hello", "hello")


@pytest.mark.proves("C11")
def test_a_full_disk_is_told_once_and_the_record_goes_on_when_there_is_room(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "r"
    folder.mkdir()
    now = Now()
    recorder = FileRecorder(folder, "fake", now=now)
    recorder.record("first")
    recorder.close()
    today = day_files(folder)[0]
    today.rename(folder / "kept")
    today.symlink_to("/dev/full")
    for _ in range(3):
        recorder.record("lost")
    assert "free some space" in recorder.trouble
    assert len(caplog.records) == 1
    today.unlink()
    recorder.record("last")
    assert recorder.trouble == ""
    [event] = events(folder)
    assert (event["event"], event["lost"]) == ("last", 3)


def test_a_folder_that_cannot_be_made_raises_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    recorder = FileRecorder(tmp_path / "file" / "r", "fake")
    recorder.record("call")
    assert recorder.trouble


def test_a_line_cut_short_is_one_unreadable_event(tmp_path: Path) -> None:
    FileRecorder(tmp_path, "fake").record("first")
    path = day_files(tmp_path)[0]
    path.write_text(path.read_text() + '{"schema":1,"ev')
    FileRecorder(tmp_path, "fake").record("second")
    assert [event["event"] for event in events(tmp_path)] == ["first", "unreadable", "second"]


@pytest.mark.parametrize("line", ["[]", "7", '{"event": "x"}', '{"schema": 2, "event": "x"}', "\x00"])
def test_what_is_no_event_of_this_schema_is_unreadable(tmp_path: Path, line: str) -> None:
    (tmp_path / "2026-01-01.jsonl").write_text(line + "\n")
    assert [event["event"] for event in events(tmp_path)] == ["unreadable"]


def test_erasing_leaves_nothing_but_what_is_not_ours(tmp_path: Path) -> None:
    FileRecorder(tmp_path, "fake").record("call")
    (tmp_path / "notes.txt").touch()
    assert erase(tmp_path) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    assert list(events(tmp_path)) == []


def test_no_record_keeps_nothing() -> None:
    recorder = NoRecorder()
    recorder.record("call", value=1)
    assert recorder.trouble == ""


@pytest.mark.proves("G7", "report-22")
def test_what_was_to_be_typed_and_was_not_is_in_no_refusal(tmp_path: Path) -> None:
    recorder, secret = FileRecorder(tmp_path / "r", "fake"), "hunter2"
    asked = f'step 2 type "{secret}" with the focus unknown: sends keys'
    steps = [Step(do="set", on="r2", value="new"), Step(do="type", value=secret)]
    recorder.record("call", operation="act", request=ActRequest(steps=steps))
    recorder.record("dispatch", index=1, step=steps[0], element=NAME)
    failure = {"code": "confirmation_required", "message": asked}
    recorder.record("stopped", index=2, failure=failure)
    recorder.record("result", operation="act", text=f'1 set r2: "" -> "new" verified\n{asked}')
    assert secret not in written(tmp_path / "r")
    assert '-> \\"new\\" verified' in written(tmp_path / "r")


@pytest.mark.proves("G7", "report-22")
def test_a_look_beside_a_batch_gives_nothing_of_it_away(tmp_path: Path) -> None:
    recorder = FileRecorder(tmp_path / "r", "fake")
    batch, look = Caller("one", "one", call=1), Caller("two", "two", call=2)
    step = Step(do="set", on="r1", value="cat")
    for caller, event, data in (
        (batch, "call", {"request": ActRequest(steps=[step])}),
        (batch, "dispatch", {"index": 1, "step": step, "element": FIELD}),
        (look, "call", {"request": ObserveRequest()}),
        (batch, "effect", {"effect": {"step": 1, "before": "dog", "after": "cat"}}),
    ):
        token = CALLER.set(caller)
        recorder.record(event, **data)
        CALLER.reset(token)
    assert "dog" not in written(tmp_path / "r")
    assert "cat" not in written(tmp_path / "r")


def test_the_state_directory_is_respected() -> None:
    assert records_folder({"XDG_STATE_HOME": "/s", "HOME": "/h"}) == Path("/s/deskhand/records")
    assert records_folder({"XDG_STATE_HOME": "relative", "HOME": "/h"}) == Path("/h/.local/state/deskhand/records")


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.binary()
    | st.just(FIELD)
    | st.just(object()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=10,
)


@settings(
    suppress_health_check=[HealthCheck.too_slow], deadline=None
)  # drawing is all the work, slow on a busy machine
@given(st.dictionaries(st.sampled_from(["step", "element", "text", "request", "a"]), JSON))
def test_anything_can_be_recorded(data: dict[str, Any]) -> None:
    json.dumps(Redactor().clean(data))
