"""LibreOffice Writer and Impress through 150 observes, finds and acts: the same process, its memory flat."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from deskhand.desktop.session import DesktopSession
from deskhand.isolation import NestedDesktop
from deskhand.platforms.linux.platform import LinuxPlatform
from deskhand.types.requests import ActRequest, FindRequest, ObserveRequest, OpenRequest
from tests.apps.subjects import flat_odf as odf
from tests.apps.test_libreoffice_survives import office, resident_mb
from tests.contract.sessions import Counting, OpenGate, Remembering

pytestmark = pytest.mark.apps
ROUNDS = 75
GROWTH_MB = 100
DIALOGS = {
    "text.fodt": (["Table", "Insert Table…"], ["Format", "Paragraph…"], ["Tools", "Word Count…"]),
    "slides.fodp": (["Slide Show", "Slide Show Settings…"], ["Edit", "Find and Replace…"]),
}  # fmt: skip


class Documents:
    """Two documents of one process, and what is done to them."""

    def __init__(self, session: DesktopSession, seed: int) -> None:
        self.session, self.chance = session, random.Random(seed)
        self.titles: dict[str, str] = {}
        self.done: dict[str, int] = {}

    async def open(self, path: Path) -> None:
        self.titles[path.name] = (await self.session.open(OpenRequest(file=str(path)))).title

    async def act(self, *steps: dict[str, Any]) -> None:
        result = await self.session.act(ActRequest.model_validate({"steps": list(steps)}))
        assert result.failure is None, result.text

    async def observe(self, name: str) -> None:
        view = await self.session.observe(ObserveRequest(target=self.titles[name]))
        assert " document " in view.text

    async def find(self, name: str) -> None:
        query = self.chance.choice(["Save As", "line", "Bold", "nothing like it"])
        await self.session.find(FindRequest.model_validate({"query": query, "in": self.titles[name], "limit": 5}))

    async def write(self, name: str) -> None:
        await self.act({"do": "window", "on": self.titles[name], "op": "activate"})
        view = await self.session.observe(ObserveRequest(target=self.titles[name]))
        lines = [e.ref for e in view.elements if e.role == "paragraph"]
        line = self.chance.choice(lines)
        await self.act({"do": "set", "on": line, "value": f"written -- {self.chance.randint(0, 999_999)}"})

    async def dialog(self, name: str) -> None:
        await self.through(name, self.chance.choice(DIALOGS[name]))

    async def through(self, name: str, path: list[str]) -> None:
        """A dialog opened and left by Escape."""
        title = self.titles[name]
        opening = {"do": "menu", "in": title, "path": path, "expect": {"for": "window", "on": _title(path)}}
        await self.act({"do": "window", "on": title, "op": "activate"}, opening, {"do": "key", "keys": "Escape"})
        await self.act({"do": "wait", "for": "closed", "on": _title(path)})

    async def one(self) -> None:
        """One round: mostly looking, sometimes acting."""
        deeds = [self.observe, self.find, self.write, self.dialog]
        (deed,) = self.chance.choices(deeds, weights=[60, 20, 15, 5])
        await deed(self.chance.choice(list(self.titles)))
        self.done[deed.__name__] = self.done.get(deed.__name__, 0) + 1


def _title(path: list[str]) -> str:
    return path[-1].rstrip("…")


@pytest.mark.proves("A3", "report-16")
def test_writer_and_impress_survive_seventy_five_rounds(fresh_desktop: NestedDesktop, tmp_path: Path) -> None:
    odf.write_text(tmp_path / "text.fodt", *(odf.paragraph(f"line {n} " + "words " * 30) for n in range(200)))
    odf.write_slides(tmp_path / "slides.fodp", [("Title", ["one line", "two lines"]), ("Second", ["a line"])])
    asyncio.run(_rounds(fresh_desktop, tmp_path))


async def _rounds(desktop: NestedDesktop, folder: Path) -> None:
    platform = LinuxPlatform(desktop.environment)
    await platform.start()
    session = DesktopSession(platform, gate=OpenGate(), recorder=Remembering(), launcher=desktop, counters=Counting())
    try:
        documents = Documents(session, seed=7)
        for name, dialogs in DIALOGS.items():
            await documents.open(folder / name)
            for path in dialogs:
                await documents.through(name, path)
            await documents.write(name)
        pid, warm = office(desktop), resident_mb(office(desktop))
        for _ in range(ROUNDS):
            await documents.one()
        assert office(desktop) == pid
        grown = resident_mb(pid) - warm
        print(f"{documents.done}; {warm:.0f} MB after warm-up, {grown:+.0f} MB after {ROUNDS} rounds")
        assert grown <= GROWTH_MB
    finally:
        await platform.close()
