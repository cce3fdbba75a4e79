"""``deskhand demo``: the main job on real applications, as an agent does it, checked and reported."""

from __future__ import annotations

import asyncio
import datetime
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, TextIO

import typer

from deskhand import __version__, isolation
from deskhand.cli.demonstration.checking import expected_note
from deskhand.cli.demonstration.document import ORDERS, write_document
from deskhand.cli.demonstration.hands import connected
from deskhand.cli.demonstration.journal import Journal
from deskhand.cli.demonstration.report import write_report
from deskhand.cli.demonstration.screen import Screen, console
from deskhand.cli.demonstration.script import DOCUMENT, NOTE, Agent
from deskhand.cli.output import told
from deskhand.isolation import NestedDesktop
from deskhand.types.errors import DeskhandError

MEMORY_MB = 3000
LOG = "mcp.log"


def demo(
    report: Annotated[Path, typer.Option(help="Where the HTML report goes.")] = Path("demo-report/index.html"),
    keep: Annotated[bool, typer.Option("--keep", help="Leave the desktop running, and name it.")] = False,
) -> None:
    """Show the main job on real applications, in an isolated desktop, and check that it is right."""
    screen = Screen(console())
    day = datetime.date.today()
    journal = Journal(day.isoformat())
    with told():
        try:
            asyncio.run(perform(screen, journal, day, keep=keep))
        except DeskhandError as error:
            journal.failure = str(error)
        _end(screen, journal, report)
    if journal.failure:
        raise typer.Exit(1)


async def perform(screen: Screen, journal: Journal, day: datetime.date, *, keep: bool) -> None:
    """Start the desktop, let the agent work, end the desktop. Raises ``DeskhandError`` when anything is not right."""
    screen.say("A scripted agent (no model) works in an isolated desktop, with nothing but deskhand's MCP tools.")
    screen.say("r12 is an element, w3 a window, s5 a view; verified: the effect was read back, not assumed.")
    screen.wait("starting an isolated desktop")
    desktop = await isolation.start(f"demo-{os.getpid()}", memory_mb=MEMORY_MB, tied=not keep)
    try:
        screen.rest()
        screen.say(_about(desktop, journal))
        await _work(desktop, screen, journal, day, keep)
    finally:
        screen.rest()
        if keep:
            screen.say(f"The desktop goes on. Use it: deskhand mcp --desktop {desktop.name}")
            screen.say(f"End it: deskhand desktop stop {desktop.name}")
        else:
            await desktop.stop()


def _about(desktop: NestedDesktop, journal: Journal) -> str:
    record = desktop.record
    limit = f"{record.wish.memory_mb:,} MB"
    journal.facts |= {
        "Desktop": f"{desktop.name}, display {record.display}, a home of its own",
        "Ready in": f"{record.seconds:.1f} s",
        "Memory limit": limit,
        "deskhand": __version__,
    }
    return f"Desktop {desktop.name} was ready in {record.seconds:.1f} s: a home of its own, {limit} of memory at most."


async def _work(desktop: NestedDesktop, screen: Screen, journal: Journal, day: datetime.date, keep: bool) -> None:
    home = Path(desktop.environment["HOME"])
    write_document(home / DOCUMENT)
    with _log(desktop) as log:
        async with connected(desktop.name, server_environment(os.environ, desktop), log) as hands:
            screen.say(f"Connected to: deskhand mcp --desktop {desktop.name}")
            screen.say(f"Tools: {', '.join(hands.tools)}")
            journal.opening_tokens = hands.opening_tokens
            await Agent(hands, journal, screen, home, expected_note(DOCUMENT, ORDERS, day)).run(day, leave_open=keep)
    journal.note = (home / NOTE).read_text(encoding="utf-8")


def _log(desktop: NestedDesktop) -> TextIO:
    """Where the server's stderr goes; it ends with the desktop."""
    return open(desktop.folder / LOG, "w", encoding="utf-8")


def server_environment(environment: Mapping[str, str], desktop: NestedDesktop) -> dict[str, str]:
    """Ours, but nobody's configuration decides what the gate allows, and records go into the desktop's own home."""
    own = {name: value for name, value in environment.items() if not name.startswith("DESKHAND_")}
    homes = ("XDG_CONFIG_HOME", "XDG_STATE_HOME")
    return own | {name: desktop.environment[name] for name in homes}


def _end(screen: Screen, journal: Journal, report: Path) -> None:
    if journal.phases:
        screen.table(journal)
        try:
            write_report(report, journal)
        except OSError as error:
            raise DeskhandError("invalid_request", f"the report cannot be written: {error}") from error
    screen.verdict(f"The note is right, byte for byte. Report: {report}", journal.failure)
