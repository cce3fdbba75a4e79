"""LibreOffice Calc through three hundred observes, finds and acts: the same process, its memory flat."""

from __future__ import annotations

import asyncio
import random
import re
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from deskhand.desktop.session import DesktopSession
from deskhand.isolation import NestedDesktop
from deskhand.platforms.linux.platform import LinuxPlatform
from deskhand.types.requests import ActRequest, FindRequest, ObserveRequest, OpenRequest
from tests.contract.sessions import Counting, OpenGate, Remembering

pytestmark = pytest.mark.apps
FIXTURE = Path(__file__).parents[1] / "fixtures" / "mixed.fods"
ROUNDS = 300
EDITS = 20
GROWTH_MB = 100
DIALOGS = (["Format", "Cells…"], ["Sheet", "Insert Sheet…"], ["Edit", "Find and Replace…"], ["Data", "Sort…"])
Deed = Callable[[], Awaitable[None]]


class Calc:
    """The document and what is done to it."""

    def __init__(self, session: DesktopSession, table: str, seed: int) -> None:
        self.session, self.table, self.chance = session, table, random.Random(seed)
        self.done: dict[str, int] = {}

    async def act(self, *steps: dict[str, Any]) -> None:
        result = await self.session.act(ActRequest.model_validate({"steps": list(steps)}))
        assert result.failure is None, result.text

    async def observe(self) -> None:
        view = await self.session.observe(ObserveRequest())
        assert " table " in view.text

    async def find(self) -> None:
        query = self.chance.choice(["Save As", "Lamp", "Bold", "Total", "nothing like it"])
        await self.session.find(FindRequest(query=query, limit=5))

    async def visit(self) -> None:
        row = self.chance.choice([5, 40, 1000, 100_000, 1_048_576])
        cell = f"{self.table}[{self.chance.choice('ABCJZ')}{row}]"
        await self.act({"do": "select", "on": self.table, "range": cell.partition("[")[2].rstrip("]")})

    async def write(self) -> None:
        cell = f"{self.table}[L{self.chance.randint(1, 40)}]"
        await self.act({"do": "set", "on": cell, "value": f"seen {self.chance.randint(0, 999_999)}"})

    async def dialog(self, path: list[str] | None = None) -> None:
        opening = {"do": "menu", "path": path or self.chance.choice(DIALOGS)}
        await self.act(opening, {"do": "key", "keys": "Escape", "expect": {"for": "window", "on": "mixed"}})

    async def one(self) -> None:
        """One round: mostly looking, sometimes acting."""
        deeds: list[Deed] = [self.observe, self.find, self.visit, self.write, self.dialog]
        (deed,) = self.chance.choices(deeds, weights=[60, 15, 12, 8, 5])
        await deed()
        self.done[deed.__name__] = self.done.get(deed.__name__, 0) + 1


def resident_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def office(desktop: NestedDesktop) -> int:
    """The document's process, the one with the tree."""
    token = desktop.environment["DESKHAND_TOKEN"]
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            mine = f"DESKHAND_TOKEN={token}" in (entry / "environ").read_text(errors="replace")
            if mine and (entry / "comm").read_text().strip() == "soffice.bin":
                return int(entry.name)
        except OSError:
            continue
    raise AssertionError("no soffice.bin runs")


async def _open(desktop: NestedDesktop, folder: Path) -> tuple[LinuxPlatform, DesktopSession, Calc]:
    platform = LinuxPlatform(desktop.environment)
    await platform.start()
    session = DesktopSession(
        platform, gate=OpenGate(), recorder=Remembering(), launcher=desktop, counters=Counting()
    )  # fmt: skip
    await session.open(OpenRequest(app="libreoffice calc", file=str(shutil.copy(FIXTURE, folder / "mixed.fods"))))
    view = await session.observe(ObserveRequest())
    return platform, session, Calc(session, next(e.ref for e in view.elements if e.role == "table"), seed=7)


@pytest.mark.proves("A3", "report-16")
def test_libreoffice_survives_three_hundred_rounds(fresh_desktop: NestedDesktop, tmp_path: Path) -> None:
    asyncio.run(_rounds(fresh_desktop, tmp_path))


@pytest.mark.proves("A3", "G1")
def test_a_sheet_read_again_equals_a_sheet_read_anew(fresh_desktop: NestedDesktop, tmp_path: Path) -> None:
    """What is not asked for again (its pixels are the same) is what a cold read finds, whatever was edited."""
    asyncio.run(_edits(fresh_desktop, tmp_path))


async def _edits(desktop: NestedDesktop, folder: Path) -> None:
    platform, session, calc = await _open(desktop, folder)
    sheets = platform.reader.tables.sheets
    key = session._world.refs.told(calc.table).key
    try:
        for edit in range(EDITS):
            await _edit(platform, calc)
            warm = grid((await session.observe(ObserveRequest())).text)
            sheets.forget()
            cold = grid((await session.observe(ObserveRequest())).text)
            assert warm == cold, f"after edit {edit}"
        assert key == session._world.refs.told(calc.table).key
    finally:
        await platform.close()


def grid(view: str) -> list[str]:
    """The table's lines; toolbars follow the cursor in their own time."""
    return [line for line in view.splitlines() if " table " in line or re.match(r"\d+\*? |# ", line)]


async def _edit(platform: LinuxPlatform, calc: Calc) -> None:
    """One edit by keys, as a person would: nothing tells deskhand which cells it touches."""
    cell = f"{calc.chance.choice('ABCDGKL')}{calc.chance.randint(1, 30)}"
    await calc.act({"do": "select", "on": calc.table, "range": cell})
    kind = calc.chance.choice(["type", "long", "delete", "undo", "fill", "formula", "pages"])
    if kind == "delete":
        await calc.act({"do": "key", "keys": "shift+Down", "count": 3}, {"do": "key", "keys": "Delete"})
    elif kind in ("undo", "fill"):
        await platform.press_chord({"undo": "ctrl+z", "fill": "ctrl+d"}[kind])
    elif kind == "pages":
        await platform.press_chord("Page_Down")
        await platform.press_chord("ctrl+Home")
    else:
        text = {"type": "z", "long": "a long text that no column is wide enough for ", "formula": "=SUM(D2:D9)+"}[kind]
        await platform.type_text(f"{text}{calc.chance.randint(0, 999)}")
        await platform.press_chord("Return")
    await platform.events.quiet(0.2, 3.0)


async def _rounds(desktop: NestedDesktop, folder: Path) -> None:
    platform, _, calc = await _open(desktop, folder)
    try:
        for path in DIALOGS:
            await calc.dialog(list(path))
        pid, warm = office(desktop), resident_mb(office(desktop))
        for _ in range(ROUNDS):
            await calc.one()
        assert office(desktop) == pid
        grown = resident_mb(pid) - warm
        print(f"{calc.done}; {warm:.0f} MB after warm-up, {grown:+.0f} MB after {ROUNDS} rounds")
        assert grown <= GROWTH_MB
    finally:
        await platform.close()


@pytest.mark.proves("A7", "G2", "report-16")
def test_what_delete_did_to_the_active_cell_is_told_at_once(fresh_desktop: NestedDesktop, tmp_path: Path) -> None:
    """LibreOffice's own object of the active cell goes on telling the old text; the formula bar does not."""
    asyncio.run(_delete(fresh_desktop, tmp_path))


async def _delete(desktop: NestedDesktop, folder: Path) -> None:
    platform, session, calc = await _open(desktop, folder)
    try:
        for cell, held in (("B5", "West"), ("D4", "7"), ("C3", "2026-01-14")):
            await calc.act({"do": "select", "on": calc.table, "range": cell})
            emptied = await session.act(ActRequest.model_validate({"steps": [{"do": "key", "keys": "Delete"}]}))
            assert f'~ {calc.table}[{cell}] ""' in emptied.text, emptied.text
            again = await session.act(
                ActRequest.model_validate({"steps": [{"do": "set", "on": f"{calc.table}[{cell}]", "value": held}]})
            )
            assert again.effects[0].verdict in ("verified", "changed"), again.text
        failed = await session.act(
            ActRequest.model_validate({"steps": [{"do": "set", "on": f"{calc.table}[L2]", "value": "=1/0"}]})
        )
        assert '"#ERROR =1/0"' in failed.text
    finally:
        await platform.close()
