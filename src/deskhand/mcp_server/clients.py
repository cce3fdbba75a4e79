"""How each MCP client is told about deskhand: what to paste, and where."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

CALL_SECONDS = 60
"""Calls end within 50 s; clients that want to be told how long to wait are told a little more."""


@dataclass(frozen=True, slots=True)
class ClientSetup:
    """``where`` the text goes, and ``text`` for a command line that starts the server."""

    where: str
    text: Callable[[Sequence[str]], str]


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _servers(command: Sequence[str]) -> str:
    return _json({"mcpServers": {"deskhand": {"command": command[0], "args": [*command[1:]]}}})


def _claude(command: Sequence[str]) -> str:
    return f"claude mcp add deskhand -- {shlex.join(command)}"


def _codex(command: Sequence[str]) -> str:
    lines = ["[mcp_servers.deskhand]", f"command = {json.dumps(command[0])}", f"args = {json.dumps([*command[1:]])}"]
    return "\n".join([*lines, f"tool_timeout_sec = {CALL_SECONDS}"])


def _gemini(command: Sequence[str]) -> str:
    server = {"command": command[0], "args": [*command[1:]], "timeout": CALL_SECONDS * 1000}
    return _json({"mcpServers": {"deskhand": server}})


def _vscode(command: Sequence[str]) -> str:
    return _json({"servers": {"deskhand": {"type": "stdio", "command": command[0], "args": [*command[1:]]}}})


def _opencode(command: Sequence[str]) -> str:
    return _json({"mcp": {"deskhand": {"type": "local", "command": [*command], "enabled": True}}})


CLIENTS: Mapping[str, ClientSetup] = {
    "claude": ClientSetup("run this in your project", _claude),
    "claude-desktop": ClientSetup("merge into claude_desktop_config.json", _servers),
    "codex": ClientSetup("add to ~/.codex/config.toml", _codex),
    "cursor": ClientSetup("merge into ~/.cursor/mcp.json", _servers),
    "gemini": ClientSetup("merge into ~/.gemini/settings.json; trust the folder", _gemini),
    "opencode": ClientSetup("merge into opencode.json", _opencode),
    "vscode": ClientSetup("merge into .vscode/mcp.json", _vscode),
    "json": ClientSetup("what most other clients take", _servers),
}
"""By the name that ``--print-config`` takes."""
