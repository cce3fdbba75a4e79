"""What records say of how a desktop was used."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from deskhand.cli.main import app
from deskhand.sessions.recorder import FileRecorder
from deskhand.sessions.statistics import Statistics, count

PRESS = {"do": "press", "on": "r1"}


def told(*events: Mapping[str, Any]) -> Statistics:
    """Statistics over one client's events, a second apart."""
    return count([[{"client": "c", "at": float(number), **event} for number, event in enumerate(events)]])


def call(operation: str, **request: Any) -> dict[str, Any]:
    return {"event": "call", "operation": operation, "request": request}


def result(operation: str) -> dict[str, Any]:
    return {"event": "result", "operation": operation}


def stopped(code: str) -> dict[str, Any]:
    return {"event": "stopped", "index": 1, "failure": {"code": code}}


@pytest.mark.proves("C11")
def test_calls_are_shared_out_to_channels() -> None:
    found = told(call("observe"), result("observe"), call("act", steps=[PRESS]), call("screenshot"), call("open"))
    assert found.channels == {"tree": 2, "pixels": 1, "apis": 1}


@pytest.mark.proves("C11")
def test_batch_sizes_and_durations_are_told() -> None:
    found = told(call("act", steps=[PRESS] * 3), result("act"), call("act", steps=[PRESS]), result("act")).typed()
    assert found["batches"] == {"count": 2, "median": 2.0, "mean": 2.0, "largest": 3.0}
    assert found["seconds"]["act"]["median"] == 1.0


@pytest.mark.proves("C11")
@pytest.mark.parametrize(
    ("then", "told_as"),
    [
        (call("observe"), "observe"),
        (call("act", steps=[PRESS]), "the same act again"),
        (call("act", steps=[{**PRESS, "on": "r2"}]), "another act"),
        (None, "nothing more"),
    ],
)
def test_what_follows_an_error_is_told(then: dict[str, Any] | None, told_as: str) -> None:
    events = [call("act", steps=[PRESS]), stopped("stale_ref"), result("act"), *([then] if then else [])]
    assert told(*events).followers == {("stale_ref", told_as): 1}


@pytest.mark.proves("C11")
def test_refusals_are_told_per_thousand_calls() -> None:
    failed = {"event": "error", "operation": "observe", "failure": {"code": "window_gone"}}
    found = told(call("observe"), failed, *[call("find"), result("find")] * 3)
    assert found.typed()["refusals_per_1000_calls"] == {"window_gone": 250.0}


@pytest.mark.proves("C11")
def test_the_same_call_is_the_same_whatever_time_was_left_for_it() -> None:
    first, again = (call("act", steps=[PRESS], timeout=left) for left in (49.9, 12.3))
    assert told(first, stopped("hidden"), result("act"), again).followers == {("hidden", "the same act again"): 1}


@pytest.mark.proves("C11")
def test_calls_at_the_same_time_are_told_apart_by_their_numbers() -> None:
    slow, quick = {**call("observe"), "call": 1}, {**call("observe"), "call": 2}
    ends = [{**result("observe"), "call": 2}, {**result("observe"), "call": 1}]
    found = told({**slow, "at": 0.0}, {**quick, "at": 8.0}, {**ends[0], "at": 9.0}, {**ends[1], "at": 10.0})
    assert sorted(found.seconds["observe"]) == [1.0, 10.0]


@pytest.mark.proves("C11")
def test_what_failed_after_input_is_no_refusal() -> None:
    unknown = {**stopped("outcome_unknown"), "failure": {"code": "outcome_unknown", "sent": "unknown"}}
    found = told(call("act", steps=[PRESS]), unknown, result("act"))
    assert (found.refusals, found.failures) == ({}, {"outcome_unknown": 1})


def test_one_clients_error_is_not_followed_by_anothers_call() -> None:
    one = [{"client": "one", **call("act", steps=[PRESS])}, {"client": "one", **stopped("hidden")}]
    found = count([[*one, {"client": "two", **call("observe")}]])
    assert found.followers == {("hidden", "nothing more"): 1}


def test_the_command_reads_what_the_recorder_wrote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    recorder = FileRecorder(tmp_path / "deskhand" / "records" / "work", "work")
    recorder.record("call", operation="observe", request={})
    recorder.record("result", operation="observe", text="")
    recorder.close()
    lines = CliRunner().invoke(app, ["stats"]).stdout.splitlines()
    assert lines[:2] == ["1 calls: observe 100%", "channels: tree 100%"]
    assert json.loads(CliRunner().invoke(app, ["stats", "--json"]).stdout)["calls"] == {"observe": 1}
    assert CliRunner().invoke(app, ["stats", "--desktop", "other"]).exit_code == 1


def test_no_record_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert CliRunner().invoke(app, ["stats"]).stdout == "nothing is recorded\n"
