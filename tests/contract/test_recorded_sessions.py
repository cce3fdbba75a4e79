"""What the records of real sessions say: clients over HTTP, each with its own calls, refusals at the door included."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from deskhand.cli.main import app
from deskhand.daemon.reaching import here_folder
from deskhand.desktop.session import DesktopSession
from deskhand.platforms import fake
from deskhand.platforms.fake import FakePlatform
from deskhand.policy.gate import DefaultGate
from deskhand.remote import McpDesktop, connect_http
from deskhand.sessions.recorder import FileRecorder
from deskhand.types.errors import DeskhandError
from deskhand.types.requests import ActRequest, FindRequest, ObserveRequest, ScreenshotRequest
from tests.contract.sessions import Counting, NoLauncher
from tests.through import owned, served

DELETE = {"do": "press", "on": {"name": "Delete"}}
OFF = {"do": "press", "on": {"name": "Off"}, "expect": {"for": "settled"}}
WRITE = {"do": "set", "on": {"name": "Name"}, "value": "new"}


async def act(far: McpDesktop, *steps: dict[str, Any]) -> str:
    """The code that a batch ends with."""
    try:
        result = await far.act(ActRequest.model_validate({"steps": list(steps)}))
    except DeskhandError as error:
        return error.code
    return result.failure.code if result.failure is not None else "done"


@asynccontextmanager
async def clients(tmp_path: Path) -> AsyncIterator[list[McpDesktop]]:
    """Two clients of one server over HTTP; the record is where ``deskhand stats`` looks."""
    runtime = tempfile.mkdtemp(prefix="dh-")  # a socket's path is short
    environment = {"XDG_RUNTIME_DIR": runtime, "DISPLAY": ":recorded", "HOME": str(tmp_path)}
    recorder, counters = FileRecorder(tmp_path / "deskhand" / "records" / "work", "work"), Counting()
    form = fake.window("Form", fake.textbox("Name", "old"), fake.button("Delete"), fake.button("Off", enabled=False))
    session = DesktopSession(
        FakePlatform(form), gate=DefaultGate(counters, recorder), recorder=recorder, launcher=NoLauncher(),
        counters=counters,
    )  # fmt: skip
    async with AsyncExitStack() as stack:
        stack.callback(shutil.rmtree, runtime)
        await stack.enter_async_context(owned(session, here_folder(environment)))
        url, token = await stack.enter_async_context(served("here", environment, tmp_path))
        yield [await stack.enter_async_context(connect_http(url, token)) for _ in range(2)]
    recorder.close()


@pytest.mark.proves("C11")
async def test_the_records_tell_each_clients_errors_and_what_it_did_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    async with clients(tmp_path) as (one, two):
        assert await act(one, DELETE) == "confirmation_required"
        await two.observe(ObserveRequest())
        assert await act(one, DELETE) == "confirmation_required"
        await one.find(FindRequest(query="Name"))
        assert await act(one, WRITE, OFF) == "disabled"
        assert await act(two, WRITE) == "done"
        await one.screenshot(ScreenshotRequest())
    found = json.loads(CliRunner().invoke(app, ["stats", "--json"]).stdout)
    assert found["calls"] == {"act": 4, "observe": 1, "find": 1, "screenshot": 1}
    assert sorted(found["clients"].values()) == [2, 5]
    assert found["batches"]["largest"] == 2
    refused = {"confirmation_required": round(2000 / 7, 1), "disabled": round(1000 / 7, 1)}
    assert (found["refusals_per_1000_calls"], found["failures_per_1000_calls"]) == (refused, {})
    followers = {(each["error"], each["next"]): each["count"] for each in found["after_an_error"]}
    assert followers == {
        ("confirmation_required", "the same act again"): 1, ("confirmation_required", "find"): 1,
        ("disabled", "screenshot"): 1,
    }  # fmt: skip


@pytest.mark.proves("C11")
async def test_what_is_no_valid_call_is_counted_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    async with clients(tmp_path) as (one, _):
        answer = await one._client.call_tool("act", {"steps": [{"do": "fly", "value": "hunter2"}]})
        assert answer.is_error
        await one.observe(ObserveRequest())
    said = CliRunner().invoke(app, ["stats"]).stdout
    assert "2 calls: act 50%, observe 50%" in said
    assert "refusals per 1,000 calls: 500 (invalid_request 500)" in said
    assert "after invalid_request: observe, 1x" in said
    assert "hunter2" not in CliRunner().invoke(app, ["log", "show", "--json"]).stdout
