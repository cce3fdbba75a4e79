"""What is printed for each MCP client can be pasted."""

from __future__ import annotations

import json
import shlex
import tomllib
from typing import Any

import pytest
from typer.testing import CliRunner

from deskhand.cli.main import app
from deskhand.mcp_server.clients import CLIENTS

COMMAND = ["/opt/my tools/deskhand", "mcp", "--desktop", "work"]


def understood(client: str, text: str) -> list[str]:
    """The command line that the client would run."""
    if client == "claude":
        words = shlex.split(text)
        assert words[:5] == ["claude", "mcp", "add", "deskhand", "--"]
        return words[5:]
    if client == "codex":
        server: Any = tomllib.loads(text)["mcp_servers"]["deskhand"]
    else:
        [servers] = json.loads(text).values()
        server = servers["deskhand"]
    command = server["command"]
    return list(command) if isinstance(command, list) else [command, *server["args"]]


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_would_run_the_command_as_it_is(client: str) -> None:
    assert understood(client, CLIENTS[client].text(COMMAND)) == COMMAND


def test_what_to_paste_stands_alone_on_stdout() -> None:
    said = CliRunner().invoke(app, ["mcp", "--print-config", "codex", "--desktop", "work"])
    assert understood("codex", said.stdout)[-3:] == ["mcp", "--desktop", "work"]
    assert "config.toml" in said.stderr


def test_what_to_paste_has_the_switches_that_were_given() -> None:
    switches = ["--channels", "tree,apis", "--profile", "base", "--no-skill"]
    said = CliRunner().invoke(app, ["mcp", "--print-config", "json", *switches])
    assert understood("json", said.stdout)[-8:] == ["mcp", "--desktop", "new", *switches]


def test_an_unknown_client_is_answered_with_the_known_ones() -> None:
    said = CliRunner().invoke(app, ["mcp", "--print-config", "emacs"])
    assert said.exit_code == 2
    assert "claude" in said.stderr
