"""The demo from its first line to its last: a desktop, the agent in it, what is told and left of it."""

from __future__ import annotations

import datetime
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TextIO

from deskhand import __version__, isolation
from deskhand.cli.demonstration.checking import expected_note
from deskhand.cli.demonstration.document import ORDERS, write_document
from deskhand.cli.demonstration.hands import connected
from deskhand.cli.demonstration.journal import Journal
from deskhand.cli.demonstration.report import write_report
from deskhand.cli.demonstration.screen import Screen, console
from deskhand.cli.demonstration.script import DOCUMENT, NOTE, Agent
from deskhand.isolation import NestedDesktop
from deskhand.types.errors import DeskhandError

MEMORY_MB = 3000
"""Limit of everything in the demo's desktop; LibreOffice and Mousepad use a tenth of it."""
ENGLISH = {"LC_ALL": "C.UTF-8", "LANGUAGE": "en"}
"""The agent's script knows the menus by their English names."""
LOG = "mcp.log"


async def perform(report: Path, *, keep: bool) -> bool:
    """Show everything, and write the report. Whether all was right; what was not is told in one line on stderr.

    Args:
        report: where the report goes.
        keep: leave the desktop running, with the applications open.
    """
    day = datetime.date.today()
    screen, journal = Screen(console()), Journal(day.isoformat())
    try:
        async with _desktop(screen, keep) as desktop:
            screen.say(_about(desktop, journal))
            await _work(desktop, screen, journal, day, keep)
    except DeskhandError as error:
        journal.failure = str(error)
    _end(screen, journal, report)
    return not journal.failure


@asynccontextmanager
async def _desktop(screen: Screen, keep: bool) -> AsyncIterator[NestedDesktop]:
    screen.say("A scripted agent (no model) works in an isolated desktop, with nothing but deskhand's MCP tools.")
    screen.say("r12 is an element, w3 a window, s5 a view; verified: the effect was read back, not assumed.")
    with screen.waiting("starting a desktop"):
        name = f"demo-{os.getpid()}"
        desktop = await isolation.start(name, memory_mb=MEMORY_MB, tied=not keep, environment=ENGLISH)
    try:
        yield desktop
    finally:
        if keep:
            screen.say(f"\nThe desktop goes on. Use it: deskhand mcp --desktop {desktop.name}")
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
        async with connected(desktop.name, server_environment(os.environ, desktop.environment), log) as hands:
            screen.say(f"Connected to: deskhand mcp --desktop {desktop.name}")
            screen.say(f"Tools: {', '.join(hands.tools)}")
            journal.opening_tokens = hands.opening_tokens
            agent = Agent(hands, journal, screen, home, expected_note(DOCUMENT, ORDERS, day))
            await agent.run(day, leave_open=keep)
    journal.note = (home / NOTE).read_text(encoding="utf-8")


def _log(desktop: NestedDesktop) -> TextIO:
    """Where the server's stderr goes; it ends with the desktop."""
    return open(desktop.folder / LOG, "w", encoding="utf-8")


def server_environment(ours: Mapping[str, str], inside: Mapping[str, str]) -> dict[str, str]:
    """Ours, but no configuration decides what the gate allows, and records go into the desktop's own home."""
    own = {name: value for name, value in ours.items() if not name.startswith("DESKHAND_")}
    return own | {name: inside[name] for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME")}


def _end(screen: Screen, journal: Journal, report: Path) -> None:
    """The table, the report, the verdict."""
    if journal.phases:
        screen.table(journal)
        try:
            write_report(report, journal)
        except OSError as error:
            journal.failure = journal.failure or f"the report cannot be written: {error}; choose a place with --report"
    screen.verdict(f"The note is right, byte for byte. Report: {report}", journal.failure)
