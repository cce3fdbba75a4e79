"""A desktop behind an MCP server is the same contract: the same typed results and the same errors."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from deskhand.daemon.client import RemoteDesktop, attach
from deskhand.daemon.protocol import Hello
from deskhand.remote import McpDesktop, connect_http, connect_stdio
from deskhand.types.errors import DeskhandError
from deskhand.types.requests import (
    ActRequest,
    AppsRequest,
    ChangesRequest,
    FindRequest,
    ObserveRequest,
    OpenRequest,
    PointRequest,
    ScreenshotRequest,
)
from deskhand.types.steps import Strict
from tests.contract.forking import forked
from tests.contract.test_http import Served, served  # noqa: F401 - a fixture
from tests.contract.test_mcp import DELETE, SAVE, connected, folder, journal  # noqa: F401 - a fixture

LOOKS: dict[str, Strict] = {
    "apps": AppsRequest(), "find": FindRequest(query="Save"), "point": PointRequest(x=1, y=1),
    "screenshot": ScreenshotRequest(), "changes": ChangesRequest(), "observe": ObserveRequest(),
}  # fmt: skip


@asynccontextmanager
async def both(served: Served) -> AsyncIterator[tuple[McpDesktop, RemoteDesktop]]:  # noqa: F811
    """The same desktop from far and from near."""
    async with connect_http(served.url, served.token) as far:
        await far.apps(AppsRequest())
        near = await attach(served.folder, Hello(client="near", session="near"))
        assert near is not None
        yield far, near
        await near.close()


@pytest.mark.parametrize("operation", LOOKS)
async def test_what_is_seen_is_the_same_from_far_and_from_near(served: Served, operation: str) -> None:  # noqa: F811
    async with both(served) as (far, near):
        one, other = [await getattr(each, operation)(LOOKS[operation]) for each in (far, near)]
    numbered = {"observe": {"text", "snapshot"}, "screenshot": {"text", "lease"}}.get(operation)  # their own numbers
    assert one.model_dump(exclude=numbered) == other.model_dump(exclude=numbered)
    assert type(one) is type(other)


async def test_steps_are_done_from_far(served: Served) -> None:  # noqa: F811
    async with connect_http(served.url, served.token) as far:
        done = await far.act(ActRequest.model_validate({"steps": [SAVE]}))
    assert (done.done, done.failure, done.text) == (1, None, "done 1 of 1")
    assert "press Save" in journal(served.folder)


async def test_a_typed_error_stays_one(served: Served) -> None:  # noqa: F811
    async with connect_http(served.url, served.token) as far:
        with pytest.raises(DeskhandError) as caught:
            await far.act(ActRequest.model_validate({"steps": [{"do": "press", "on": "r4711"}]}))
    assert (caught.value.code, caught.value.sent, caught.value.target) == ("unknown_ref", "no", "r4711")


async def test_a_stopped_batch_is_a_result_that_says_how_far_it_came(served: Served) -> None:  # noqa: F811
    surprise = {"do": "press", "on": {"role": "button", "name": "Surprise"}}
    async with connect_http(served.url, served.token) as far:
        stopped = await far.act(ActRequest.model_validate({"steps": [SAVE, surprise]}))
    assert stopped.failure is not None
    assert (stopped.done, stopped.failure.code) == (1, "confirmation_required")


@pytest.mark.proves("C9")
async def test_the_gate_asks_whoever_is_far(served: Served) -> None:  # noqa: F811
    asked: list[str] = []

    async def no(question: str) -> bool:
        asked.append(question)
        return False

    async with connect_http(served.url, served.token, no) as far:
        judged = await far.judge(ActRequest.model_validate({"steps": [DELETE]}))
        with pytest.raises(DeskhandError) as caught:
            await far.act(ActRequest.model_validate({"steps": [DELETE]}))
    assert (judged.verdict, caught.value.code, len(asked)) == ("ask", "confirmation_declined", 1)
    assert "Delete" not in journal(served.folder)


async def test_without_anybody_to_ask_the_refusal_names_the_question(served: Served) -> None:  # noqa: F811
    async with connect_http(served.url, served.token) as far:
        with pytest.raises(DeskhandError) as caught:
            await far.act(ActRequest.model_validate({"steps": [DELETE]}))
    assert caught.value.code == "confirmation_required"
    assert caught.value.question.startswith("q")


async def test_it_works_over_stdio_too(folder: Path) -> None:  # noqa: F811
    async with connect_stdio(forked("tests.contract.fake_mcp", str(folder))) as far:
        assert (await far.find(FindRequest(query="Save"))).text == 'r1 button "Save"'
        assert (await far.open(OpenRequest(app="Fake"))).title == "Fake"


@pytest.mark.parametrize(("tool", "arguments"), [("observe", {}), ("act", {"steps": [SAVE]})])
async def test_text_is_unchanged_and_nothing_typed_comes_unasked(
    folder: Path, tool: str, arguments: dict[str, Any]  # noqa: F811
) -> None:  # fmt: skip
    async with connected(folder) as client:
        plain = await client.call_tool(tool, arguments)
        names = [tool.name for tool in (await client.list_tools()).tools]
        unlisted = await client.call_tool("changes", {})
    assert not any(key.startswith("deskhand/") for key in plain.meta or {})
    assert "changes" not in names
    assert unlisted.is_error


MOVE = {"type": "move", "x": 0, "y": 0}
ASKED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("apps", {}), ("observe", {}), ("find", {"query": "Save"}), ("point", {"x": 1, "y": 1}), ("screenshot", {}),
    ("zoom", {"lease": "l1", "rect": [0, 0, 1, 1]}), ("input", {"lease": "moved", "actions": [MOVE]}),
    ("input", {"lease": "l1", "actions": [MOVE]}), ("input", {"lease": "l1", "actions": []}),
    ("act", {"steps": [SAVE]}), ("act", {"steps": [DELETE]}), ("act", {"steps": []}),
    ("act", {"steps": [SAVE, {"do": "press", "on": "r4711"}]}), ("observe", {"x": 1}),
)  # fmt: skip


@pytest.mark.proves("report-27")
async def test_every_structured_result_conforms_errors_too_and_has_all_that_the_text_says(
    folder: Path,  # noqa: F811
) -> None:
    async with connected(folder, None, "auto", "--structured") as client:
        schemas = {each.name: each.output_schema for each in (await client.list_tools()).tools}
        results = [(tool, await client.call_tool(tool, arguments)) for tool, arguments in ASKED]
    for tool, result in results:
        assert result.structured_content is not None, tool
        Draft202012Validator(schemas[tool] or {}).validate(result.structured_content)
        said = next(part.text for part in result.content if part.type == "text")
        assert result.structured_content["text"] == said
        assert ("failure" in result.structured_content) or not result.is_error, tool
