"""The agent's hands: the official MCP client, over stdio, on ``deskhand mcp``. Nothing else touches the desktop."""

from __future__ import annotations

import base64
import json
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from mcp import ClientSession, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client

from deskhand.desktop.semantics.quoting import tokens
from deskhand.types.errors import DeskhandError

_PICTURE_PIXELS = 1_200_000
_CHARACTERS_PER_TOKEN = 4
"""Of compact JSON with English in it, roughly."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool answered."""

    text: str
    failed: bool
    seconds: float


class Hands:
    """A connected client.

    Args:
        session: initialised.
        instructions: what the server said of itself.
        opening_tokens: what a model reads once, before its first call: instructions and definitions of the tools.
        tools: the tools' names.
    """

    def __init__(self, session: ClientSession, instructions: str, opening_tokens: int, tools: list[str]) -> None:
        self._session = session
        self.instructions, self.opening_tokens, self.tools = instructions, opening_tokens, tools

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """Call a tool, and wait for its lines."""
        since = time.monotonic()
        try:
            result = await self._session.call_tool(tool, dict(arguments))
        except MCPError as error:
            raise DeskhandError("internal", f"the MCP server did not answer {tool}: {error}", "unknown") from error
        text = "\n".join(block.text for block in result.content if block.type == "text")
        return Answer(text, result.is_error, time.monotonic() - since)

    async def picture(self) -> bytes | None:
        """The desktop as PNG, for the report; no model would need it."""
        result = await self._session.call_tool("screenshot", {"max_pixels": _PICTURE_PIXELS})
        return next((base64.b64decode(block.data) for block in result.content if block.type == "image"), None)


@asynccontextmanager
async def connected(desktop: str, environment: Mapping[str, str], log: TextIO) -> AsyncIterator[Hands]:
    """Start ``deskhand mcp --desktop NAME`` and connect to it; it ends with the block.

    Args:
        desktop: the desktop's name.
        environment: of the server.
        log: where the server's stderr goes.
    """
    command = StdioServerParameters(command=server_command(), args=["mcp", "--desktop", desktop], env=dict(environment))
    try:
        async with stdio_client(command, errlog=log) as wires, ClientSession(*wires) as session:
            yield await _introduced(session)
    except ExceptionGroup as group:  # the client's task groups wrap what is raised inside
        raise _cause(group) from group


async def _introduced(session: ClientSession) -> Hands:
    instructions = (await session.initialize()).instructions or ""
    tools = (await session.list_tools()).tools
    listed = [tool.model_dump(mode="json", exclude_none=True, by_alias=True) for tool in tools]
    compact = json.dumps(listed, ensure_ascii=False, separators=(",", ":"))
    count = tokens(instructions) + len(compact) // _CHARACTERS_PER_TOKEN
    return Hands(session, instructions, count, [tool.name for tool in tools])


def _cause(error: Exception) -> Exception:
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, MCPError | OSError):
        return DeskhandError("desktop_unavailable", f"the MCP server cannot be used: {error}; run: deskhand doctor")
    return error


def server_command() -> str:
    """The ``deskhand`` command that belongs to this installation."""
    beside = Path(sys.executable).with_name("deskhand")
    return str(beside) if beside.exists() else "deskhand"
