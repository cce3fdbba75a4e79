"""A command loads what it needs and nothing else: the terminal's answer waits for no other command's imports."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from deskhand.cli.commands import Commands
from deskhand.cli.main import app
from deskhand.types.crossing import crossing
from deskhand.types.requests import FindRequest
from deskhand.types.results import FindResult

OWNERS = ("deskhand.desktop.session", "deskhand.policy", "deskhand.cli.daemon", "Xlib", "mcp")


@pytest.mark.parametrize("command", ["--version", "observe", "act", "approve"])
def test_a_command_loads_nothing_of_what_only_an_owner_or_a_server_needs(command: str) -> None:
    asked = ["deskhand", command] if command.startswith("--") else ["deskhand", command, "--help"]
    script = (
        f"import sys; sys.argv = {asked!r}\n"
        "from deskhand.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
        f"print([name for name in {OWNERS!r} if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"


def test_every_command_can_be_made_and_tells_what_it_does() -> None:
    made = dict(Commands())
    assert all(command.name == name and command.get_short_help_str() for name, command in made.items())


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        (["--cursor", "s1.1"], {"cursor": "s1.1"}),
        (["Save", "as", "--limit", "3"], {"query": "Save as", "limit": 3}),
    ],
)
def test_a_search_is_asked_for_as_it_was_typed(
    words: list[str], asked: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    requests: list[FindRequest] = []

    class Near:
        async def find(self, request: FindRequest) -> FindResult:
            requests.append(request)
            return FindResult(text="nothing matches")

    monkeypatch.setattr("deskhand.cli.find.drive", lambda desktop, command, work: asyncio.run(work(Near())))
    CliRunner().invoke(app, ["find", *words])
    assert [crossing(request) for request in requests] == [asked]
