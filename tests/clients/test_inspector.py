"""The MCP Inspector's command line, the protocol's own client in another language, lists and calls every tool."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from deskhand.isolation import NestedDesktop
from deskhand.mcp_server.schemas import FACES
from tests.clients.programs import configured, done, run, written
from tests.outside import DESKHAND, bare_environment

pytestmark = [pytest.mark.apps]

TOOLS = [face.name for face in FACES if face.listed]
AT_ONCE = 2


async def test_it_lists_every_tool_and_finds_no_fault_in_the_schemas(
    tmp_path: Path, fresh_desktop: NestedDesktop
) -> None:
    settings = written(tmp_path / "mcp.json", await configured(tmp_path, "json", fresh_desktop.name))
    told = await run(
        tmp_path, "mcp-inspector", "--cli", "--config", str(settings), "--server", "deskhand",
        "--method", "tools/list", "--strict",
    )  # fmt: skip
    assert told.code == 0, told.err
    assert "0 errors" in told.err
    assert [tool["name"] for tool in json.loads(told.out)["tools"]] == TOOLS


@pytest.mark.proves("report-40")
async def test_it_calls_every_tool_over_http_with_the_token(tmp_path: Path, fresh_desktop: NestedDesktop) -> None:
    async with serving(tmp_path, fresh_desktop) as served:
        opened = await served.call("open", 'app="mousepad"')
        found = re.search(r"^started (w\d+) .*^(r\d+) textbox", opened[0]["text"], re.DOTALL | re.MULTILINE)
        assert found, opened
        window, box = found.groups()
        calls = {
            "apps": ['query="calc"'], "observe": ["budget=300"], "find": ['query="Edit"'], "point": ["x=10", "y=10"],
            "act": [f'steps=[{{"do":"set","on":"{box}","value":"Hello"}}]'], "screenshot": [f'target="{window}"'],
        }  # fmt: skip
        assert {"open", "zoom", "input", *calls} == {*TOOLS}
        told = await asyncio.gather(*(served.call(tool, *arguments) for tool, arguments in calls.items()))
        said = dict(zip(calls, told, strict=True))
        lease = re.match(r"lease (l\d+): ", said["screenshot"][0]["text"])
        assert lease, said
        said["zoom"] = await served.call("zoom", f'lease="{lease[1]}"', "rect=[0,0,60,40]")
        said["input"] = await served.call("input", f'lease="{lease[1]}"', 'actions=[{"type":"move","x":9,"y":9}]')
    assert f'{window} "' in said["apps"][0]["text"]
    assert "menubar" in said["observe"][0]["text"]
    assert 'menu "Edit"' in said["find"][0]["text"]
    assert '"" -> "Hello" verified' in said["act"][0]["text"]
    assert said["input"][0]["text"].startswith("done 1 of 1")
    assert [part["type"] for part in said["zoom"]] == ["text", "image"]
    assert [part["type"] for part in said["screenshot"]] == ["text", "image"]
    assert Image.open(io.BytesIO(base64.b64decode(said["screenshot"][1]["data"]))).format == "PNG"


@asynccontextmanager
async def serving(home: Path, desktop: NestedDesktop) -> AsyncIterator[Served]:
    """The server over HTTP."""
    server = await asyncio.create_subprocess_exec(
        str(DESKHAND), "mcp", "--http", "0", "--desktop", desktop.name, env=bare_environment(home),
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert server.stderr
    try:
        line = (await asyncio.wait_for(server.stderr.readline(), 60)).decode()
        told = re.fullmatch(r"serving (\S+); its bearer token is in (\S+)\n", line)
        assert told, line
        yield Served(home, told[1], Path(told[2]).read_text(encoding="utf-8").strip())  # noqa: ASYNC240
    finally:
        server.terminate()
        await server.wait()


@dataclass(frozen=True, slots=True)
class Served:
    """A server's address and token, called from ``home`` by no more than ``room`` at once."""

    home: Path
    address: str
    token: str
    room: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    async def call(self, tool: str, *arguments: str) -> list[dict[str, Any]]:
        """The content blocks that a tool answers with."""
        async with self.room:
            said = await done(
                self.home, "mcp-inspector", "--cli", "--server-url", self.address,
                "--header", f"Authorization: Bearer {self.token}",
                "--method", "tools/call", "--tool-name", tool, "--tool-arg", *arguments,
            )  # fmt: skip
        answer = json.loads(said)
        assert not answer["isError"], said
        content: list[dict[str, Any]] = answer["content"]
        return content
