"""``server.json`` is what the MCP registry takes, speaks of this version, and its command starts the server."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from tests.install.wheels import a_user, build_wheel
from tests.outside import ROOT

SERVER: Mapping[str, Any] = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
SCHEMA: Mapping[str, Any] = json.loads(Path(__file__).with_name("server.schema.json").read_text(encoding="utf-8"))
PROJECT: Mapping[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_it_is_as_its_schema_wants_it() -> None:
    assert SERVER["$schema"] == SCHEMA["$id"]
    jsonschema.validate(SERVER, SCHEMA, format_checker=jsonschema.FormatChecker())


@pytest.mark.parametrize(
    "wrong",
    [{"name": "deskhand"}, {"description": "x" * 101}, {"packages": [{"identifier": "deskhand"}]}, {"version": 1}],
)
def test_what_the_registry_would_refuse_is_refused_here(wrong: Mapping[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**SERVER, **wrong}, SCHEMA)


def test_it_names_this_package_in_this_version() -> None:
    [package] = SERVER["packages"]
    assert (package["registryType"], package["identifier"]) == ("pypi", PROJECT["name"])
    assert SERVER["version"] == package["version"] == PROJECT["version"]


def test_the_packages_page_says_that_it_is_this_server() -> None:
    """The registry looks for this to know that who publishes the one owns the other."""
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"<!-- mcp-name: (\S+) -->", page) == [SERVER["name"]]


@pytest.mark.apps
async def test_the_command_that_a_registrys_client_makes_of_it_starts_the_server(tmp_path: Path) -> None:
    [package] = SERVER["packages"]
    wheel = build_wheel(tmp_path)
    words = ["--from", str(wheel), package["identifier"], *map(as_word, package["packageArguments"])]
    with a_user() as user:
        server = StdioServerParameters(command=package["runtimeHint"], args=words, env=user.environment)
        async with Client(server) as client:
            assert (client.instructions or "").splitlines()[0]
            assert not (await client.call_tool("apps", {})).is_error


def as_word(argument: Mapping[str, Any]) -> str:
    """An argument with the defaults of its variables filled in."""
    value: str = argument["value"]
    for name, variable in argument.get("variables", {}).items():
        value = value.replace(f"{{{name}}}", variable["default"])
    return f"{argument['name']}={value}" if argument["type"] == "named" else value
