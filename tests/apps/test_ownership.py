"""One owner per desktop, on real applications: two MCP servers, killed owners, stopped applications."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import TextContent

from deskhand.daemon.client import attach
from deskhand.daemon.protocol import Hello
from deskhand.isolation import NestedDesktop

pytestmark = pytest.mark.apps
BOX = {"role": "textbox"}


class Agent:
    """One MCP client with a server process of its own."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def call(self, tool: str, **arguments: Any) -> str:
        result = await self._client.call_tool(tool, arguments)
        return "\n".join(part.text for part in result.content if isinstance(part, TextContent))

    async def act(self, *steps: dict[str, Any]) -> str:
        return await self.call("act", steps=list(steps))


@asynccontextmanager
async def agent(desktop: NestedDesktop) -> AsyncIterator[Agent]:
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "deskhand", "mcp", "--desktop", desktop.name],
        env={**os.environ, "XDG_STATE_HOME": str(desktop.folder / "state")},
    )  # fmt: skip
    async with Client(server) as client:
        yield Agent(client)


@pytest.fixture
async def desktop(fresh_desktop: NestedDesktop) -> AsyncIterator[NestedDesktop]:
    yield fresh_desktop
    if (remote := await attach(fresh_desktop.folder, Hello(client="end", session="end"))) is not None:
        os.kill(remote.welcome.pid, signal.SIGTERM)
        await remote.close()


async def owner_pid(desktop: NestedDesktop) -> int:
    remote = await attach(desktop.folder, Hello(client="look", session="look"))
    assert remote is not None
    await remote.close()
    return remote.welcome.pid


async def until(condition: Callable[[], bool], seconds: float = 10.0) -> None:
    ends = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < ends, "it did not come"
        await asyncio.sleep(0.05)


def refs(text: str) -> dict[str, str]:
    return {name: ref for ref, name in re.findall(r'(r\d+) (?:\w+ )?"([^"]+)"', text)}


async def held(one: Agent) -> str:
    """The editor's whole text."""
    view = await one.call("observe", detail=["text"])
    found = re.search(r'textbox(?: "[^"]*")? = "((?:[^"\\]|\\.)*)"', view)
    return found[1] if found else ""


@pytest.mark.proves("A2", "A5")
async def test_two_servers_see_the_same_refs_and_their_batches_never_interleave(desktop: NestedDesktop) -> None:
    async with agent(desktop) as one, agent(desktop) as two:
        await one.call("open", app="mousepad")
        assert refs(await one.call("observe")) == refs(await two.call("observe"))
        batches = [
            one.act(*[{"do": "type", "on": BOX, "value": "a" * 10}] * 6),
            two.act(*[{"do": "type", "on": BOX, "value": "b" * 10}] * 6),
        ]
        for said in await asyncio.gather(*batches):
            assert said.startswith("done 6 of 6"), said
        assert await held(one) in ("a" * 60 + "b" * 60, "b" * 60 + "a" * 60)


@pytest.mark.proves("A2")
async def test_a_killed_owner_takes_no_application_along_and_no_ref_is_given_twice(desktop: NestedDesktop) -> None:
    async with agent(desktop) as one:
        opened = await one.call("open", app="mousepad")
        await one.act({"do": "set", "on": BOX, "value": "kept"})
        old, pid = refs(await one.call("observe")), await owner_pid(desktop)
        highest = max(int(ref[1:]) for ref in old.values())
        os.kill(pid, signal.SIGKILL)
        await until(lambda: not Path(f"/proc/{pid}").exists())
        assert "unknown_ref" in await one.act({"do": "press", "on": old["File"]})
        view = await one.call("observe")
        assert '= "kept"' in view, opened
        assert min(int(ref[1:]) for ref in refs(view).values()) > highest
        assert await owner_pid(desktop) != pid


@pytest.mark.proves("report-7", "report-25")
async def test_a_stopped_application_is_told_and_nothing_is_done_twice(desktop: NestedDesktop) -> None:
    async with agent(desktop) as one:
        await one.call("open", app="mousepad")
        apps = await one.call("apps", openable=False)
        pid = int(re.findall(r'app "mousepad" pid (\d+)', apps)[0])
        await one.act({"do": "set", "on": BOX, "value": "x"})
        view = await one.call("observe")
        box = re.findall(r"(r\d+) textbox", view)[0]
        os.kill(pid, signal.SIGSTOP)
        try:
            said = await one.act({"do": "append", "on": box, "value": "y"})
            assert re.match(r"stopped at 1 of 1: (app_unresponsive|outcome_unknown)", said), said
        finally:
            os.kill(pid, signal.SIGCONT)
        text = await settled(one)
        assert text in (("x",) if "input no" in said else ("x", "xy"))
        again = await one.act({"do": "set", "on": BOX, "value": "xy"})
        assert again.startswith("done 1 of 1")
        assert await held(one) == "xy"


@pytest.mark.proves("report-25")
async def test_an_application_that_stops_in_the_middle_of_a_write_leaves_the_outcome_unknown(
    desktop: NestedDesktop,
) -> None:
    """Stopped right after the guard: the write is sent, no answer comes, and it is carried out once on waking."""
    async with agent(desktop) as one:
        await one.call("open", app="mousepad")
        await one.act({"do": "set", "on": BOX, "value": "x"})
        pid = int(re.findall(r'app "mousepad" pid (\d+)', await one.call("apps", openable=False))[0])
        steps = [{"do": "append", "on": BOX, "value": "y"}] * 40
        before = inputs(desktop)
        running = asyncio.create_task(one.act(*steps))
        await until(lambda: inputs(desktop) >= before + 3)  # by the owner's own record, written before each input
        os.kill(pid, signal.SIGSTOP)
        try:
            said = await running
        finally:
            os.kill(pid, signal.SIGCONT)
        stopped = re.match(r"stopped at (\d+) of 40: (\w+)", said)
        assert stopped, said
        done, unknown = int(stopped[1]) - 1, "input unknown" in said or "outcome_unknown" in said
        text = await settled(one)
        assert len(text) - 1 in ((done, done + 1) if unknown else (done,)), said


def inputs(desktop: NestedDesktop) -> int:
    """How often the owner has recorded that it sends input."""
    files = (desktop.folder / "state").rglob("*.jsonl")
    return sum('"event": "input"' in line for path in files for line in path.read_text().splitlines())


async def settled(one: Agent) -> str:
    """The text once it stays the same."""
    last = ""
    for _ in range(50):
        text = await held(one)
        if text and text == last:
            return text
        last = text
        await asyncio.sleep(0.1)
    raise AssertionError("the text never settled")
