"""The wheel holds all that is needed, and works in an environment that has nothing else."""

from __future__ import annotations

import email
import re
import subprocess
import tomllib
import zipfile
from collections.abc import Iterator
from email.message import Message
from pathlib import Path

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import TextContent, TextResourceContents

from deskhand import __version__
from deskhand.mcp_server.schemas import FACES
from deskhand.mcp_server.server import skill_text
from deskhand.mcp_server.switches import Switches
from tests.install.wheels import User, a_user, build_wheel, install
from tests.outside import ROOT

pytestmark = [pytest.mark.apps]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def deskhand(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(install(wheel, tmp_path_factory.mktemp("clean") / "environment"))


@pytest.fixture(scope="module")
def user() -> Iterator[User]:
    with a_user() as user:
        yield user


def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return email.message_from_bytes(archive.read(name))


def test_it_holds_every_file_of_the_package_and_none_besides(wheel: Path) -> None:
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "src/deskhand"]
    listed = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    here = {name.removeprefix("src/") for name in listed if (ROOT / name).is_file()}
    with zipfile.ZipFile(wheel) as archive:
        assert {name for name in archive.namelist() if ".dist-info/" not in name} == here
    assert {"deskhand/mcp_server/skill/SKILL.md", "deskhand/cli/demonstration/report.html", "deskhand/py.typed"} <= here


def test_its_version_and_requirements_are_those_of_the_source(wheel: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    told = metadata(wheel)
    assert (told["Name"], told["Version"]) == (project["name"], project["version"]) == ("deskhand", __version__)
    assert sorted(told.get_all("Requires-Dist", [])) == sorted(project["dependencies"])


def test_its_page_is_markdown_and_links_to_nothing_that_is_not_there(wheel: Path) -> None:
    told = metadata(wheel)
    assert told["Description-Content-Type"] == "text/markdown"
    page = str(told.get_payload())
    assert page.startswith("# deskhand\n")
    assert "The contract (`docs/contract.md`)" in page
    assert [link for link in re.findall(r"\]\(([^)]+)\)", page) if not link.startswith("https://")] == []


def test_installed_alone_it_tells_its_version(deskhand: str, user: User) -> None:
    assert user.run(deskhand, "--version") == f"deskhand {__version__}\n"


def test_installed_alone_its_doctor_starts_a_desktop_and_finds_nothing_missing(deskhand: str, user: User) -> None:
    assert user.run(deskhand, "doctor").endswith("Isolated desktops work here.\n")


@pytest.mark.proves("D1")
async def test_installed_alone_it_serves_the_official_client(deskhand: str, user: User) -> None:
    server = StdioServerParameters(command=deskhand, args=["mcp", "--desktop", "new"], env=user.environment)
    async with Client(server) as client:
        assert client.server_info is not None
        assert (client.server_info.name, client.server_info.version) == ("deskhand", __version__)
        assert [tool.name for tool in (await client.list_tools()).tools] == [face.name for face in FACES if face.listed]
        [skill] = (await client.read_resource("skill://deskhand/SKILL.md")).contents
        assert isinstance(skill, TextResourceContents)
        assert skill.text == skill_text(Switches())
        [lines] = (await client.call_tool("apps", {"query": "calc"})).content
        assert isinstance(lines, TextContent)
        assert "Calc" in lines.text
