"""Every command of the README is run as it stands, by somebody who begins with nothing but a clone.

What a line needs to be run here is told in ``HOW``; a line that is not there is a line that nobody has tried.
"""

from __future__ import annotations

import json
import re
import socket
import subprocess
from collections.abc import Callable, Iterator, Mapping

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from tests.contract.test_owner_commands import at_a_terminal
from tests.install.pages import Block, blocks, spoken
from tests.install.wheels import LONGEST, User, a_user
from tests.outside import ROOT, outside

pytestmark = [pytest.mark.apps]
README = ROOT / "README.md"
QUICK_TESTS = "-p no:cacheprovider -q tests/unit/test_dates.py"


@pytest.fixture(scope="module")
def reader() -> Iterator[User]:
    """Has installed deskhand as the README says, first of all."""
    with a_user() as user:
        user.run("bash", "-c", "pipx install .")
        yield user


def plainly(reader: User, command: str) -> None:
    """It ends, and well."""
    reader.run("bash", "-c", command)


def once_more(reader: User, command: str) -> None:
    """The reader has done it already, or no other line would have worked."""
    reader.run("bash", "-c", f"{command} --force")


def making(reader: User, command: str) -> None:
    """What was fetched for tests is in this machine's cache, not in the reader's."""
    report = f"--report {reader.home}/report/index.html"
    arguments = {"make demo": report, "make test": QUICK_TESTS}.get(command, "")
    reader.run("bash", "-c", command, ARGS=arguments, XDG_CACHE_HOME=str(outside().folder.parents[1]))


def claude(reader: User, command: str) -> None:
    """A program of others; it notes what it is given."""
    reader.run("bash", "-c", command, DISABLE_AUTOUPDATER="1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1")
    told = json.loads((reader.home / ".claude.json").read_text(encoding="utf-8"))
    [server] = [project["mcpServers"]["deskhand"] for project in told["projects"].values() if project["mcpServers"]]
    assert (server["command"], server["args"]) == ("deskhand", ["mcp", "--desktop", "new"])


def over_http(reader: User, command: str) -> None:
    """It goes on until it is ended. The port may be another's on this machine, so the reader takes a free one."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    assert "8765" in command
    process = subprocess.Popen(
        ["bash", "-c", f"exec {command.replace('8765', port)}"], cwd=ROOT, env=reader.environment, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stderr
    try:
        said = process.stderr.readline()
        assert said.startswith(f"serving http://127.0.0.1:{port}/mcp; its bearer token is in "), said
    finally:
        process.terminate()
        process.communicate(timeout=LONGEST)


def saving(reader: User, command: str) -> None:
    """What is saved is on the disk."""
    plainly(reader, command)
    assert (reader.home / "two-words.txt").read_text(encoding="utf-8") == "two words"


def for_a_moment(reader: User, command: str) -> None:
    """A desktop without a name is ``default``, which others are about to use."""
    plainly(reader, command)
    reader.run("deskhand", "desktop", "stop", "default")


def beside_the_terminal(reader: User, command: str) -> None:
    """The application runs on until its desktop is stopped; the README's next lines see it."""
    assert command.endswith(" &")
    reader.run("bash", "-c", f"({command}) >/dev/null 2>&1")
    reader.run("deskhand", "-d", "work", "act", "wait window Mousepad timeout=30")


def seeing_mousepad(reader: User, command: str) -> None:
    assert '"Untitled 1 - Mousepad"' in reader.run("bash", "-c", command)


def by_pip(reader: User, command: str) -> None:
    """The command is where the README says."""
    plainly(reader, command)
    assert reader.run(str(reader.home / ".deskhand/bin/deskhand"), "--version")


def picturing(reader: User, command: str) -> None:
    """A picture is where it says, of a kind that its name says."""
    plainly(reader, command)
    [file] = re.findall(r"-o ~/(\w+\.png)", command)
    assert (reader.home / file).read_bytes()[:4] == b"\x89PNG"


def by_hand(reader: User, command: str) -> None:
    """What was typed stands in the editor."""
    picturing(reader, command)
    assert "by hand" in reader.run("deskhand", "observe", "mousepad")


def started_before(reader: User, command: str) -> None:
    reader.run("deskhand", "desktop", "start")
    assert reader.run("bash", "-c", command) == "default stopped\n"


def consenting(reader: User, command: str) -> None:
    """There has to be a question: closing unsaved work asks one, and names the command that answers it."""
    name = "asking"
    command = command.replace("NAME", name)
    reader.run("deskhand", "desktop", "start", name)
    reader.run("deskhand", "open", "mousepad", "-d", name)
    act = ("deskhand", "act", "-d", name)
    reader.run(*act, 'type "unsaved"')
    close = (*act, "window close mousepad")
    assert command in reader.run(*close, code=5, DESKHAND_SESSION="reader")
    environment = {**reader.environment, "DESKHAND_SESSION": "reader"}
    code, said = at_a_terminal(environment, "y\n", *command.split()[1:])
    assert code == 0, said
    reader.run(*close, DESKHAND_SESSION="reader")
    reader.run("deskhand", "desktop", "stop", name)


HOW: Mapping[str, Callable[[User, str], None]] = {
    "make demo": making,
    "make setup": making,
    "make test": making,
    "pipx install .": once_more,
    "uvx --from . deskhand --version": plainly,
    "python3 -m venv ~/.deskhand": plainly,
    "~/.deskhand/bin/pip install .": by_pip,
    "deskhand doctor": plainly,
    "claude mcp add deskhand -- deskhand mcp --desktop new": claude,
    "deskhand desktop start --home own": for_a_moment,
    "deskhand mcp --print-config codex": plainly,
    "deskhand mcp --http 8765": over_http,
    "deskhand approve q1 -d NAME": consenting,
    "deskhand open mousepad": plainly,
    "deskhand observe": plainly,
    (
        "deskhand act 'set textbox: \"two words\"' 'key ctrl+s' 'set textbox:Name two-words.txt' 'press button:Save'"
    ): saving,
    "deskhand find words --json": plainly,
    "deskhand screenshot mousepad -o ~/now.png": picturing,
    "deskhand input l1 'click 300,200' 'type by hand' -o ~/then.png": by_hand,
    "deskhand zoom l2 0,0,320,120 -o ~/near.png": picturing,
    "deskhand desktop stop default": started_before,
    "source <(deskhand completion bash)": plainly,
    "deskhand desktop start work": plainly,
    "deskhand desktop exec work -- mousepad &": beside_the_terminal,
    "deskhand desktop list": plainly,
    "deskhand -d work apps": seeing_mousepad,
    "deskhand desktop resize work 1024x768": plainly,
    "deskhand desktop stop work": plainly,
}
LANGUAGES = {"sh", "text", "json", "python"}
BLOCKS = blocks(README)
SHELL = [block for block in BLOCKS if block.language == "sh"]


def test_there_is_no_command_in_the_readme_that_is_not_run_here() -> None:
    told = {*spoken(README), *(command for block in SHELL for command in block.commands)}
    assert told == set(HOW)


def test_every_block_says_what_it_is_and_no_command_hides_in_an_illustration() -> None:
    assert {block.language for block in BLOCKS} == LANGUAGES
    assert not [
        block for block in BLOCKS if block.language == "text" and re.search(r"^(\$|deskhand) ", block.text, re.M)
    ]


@pytest.mark.parametrize("command", sorted(set(spoken(README))))
def test_a_command_in_the_text_does_what_it_says(reader: User, command: str) -> None:
    HOW[command](reader, command)


@pytest.mark.parametrize("block", SHELL, ids=lambda block: block.commands[0])
def test_a_block_of_commands_goes_through_line_by_line(reader: User, block: Block) -> None:
    for command in block.commands:
        HOW[command](reader, command)


@pytest.mark.parametrize(
    "program", [block.text for block in BLOCKS if block.language == "python"], ids=["hand", "tree"]
)
def test_a_program_runs_as_it_stands(reader: User, program: str) -> None:
    python = reader.home / ".local/share/pipx/venvs/deskhand/bin/python"
    reader.run(str(python), "-c", program)


async def test_what_clients_are_given_starts_the_server(reader: User) -> None:
    [settings] = [json.loads(block.text) for block in BLOCKS if block.language == "json"]
    server = settings["mcpServers"]["deskhand"]
    given = StdioServerParameters(command=server["command"], args=server["args"], env=reader.environment)
    async with Client(given) as client:
        assert not (await client.call_tool("apps", {})).is_error
