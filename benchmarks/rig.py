"""An isolated desktop with the measured applications open, and the session that looks and acts in it."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.peer import Peer
from deskhand import isolation
from deskhand.daemon.counters import FileCounters
from deskhand.desktop.session import DesktopSession
from deskhand.isolation import NestedDesktop
from deskhand.platforms.linux.platform import LinuxPlatform
from deskhand.policy.gate import DefaultGate
from deskhand.sessions.recorder import FileRecorder
from deskhand.types.nodes import Window
from deskhand.types.requests import ObserveRequest

FILES = Path(__file__).with_name("files")
MEMORY_MB = 4000
_OPENING = 60.0
_LOOK = 0.3


@dataclass(frozen=True, slots=True)
class Subject:
    """An application to measure: how it is started, and how many elements its window has once it is ready."""

    name: str
    command: tuple[str, ...]
    title: str  # part of its window's title
    ready: int
    counted: bool = True  # whether it is one of the five of the geometric mean


SUBJECTS = (
    Subject("Mousepad", ("mousepad", "{home}/note.txt"), "Mousepad", 20),
    Subject("Calculator", ("gnome-calculator",), "Calculator", 40),
    Subject("Text Editor", ("gnome-text-editor", "{home}/note.txt"), "Text Editor", 30),
    Subject("Thunar", ("thunar", "{home}"), "Thunar", 60),
    Subject(
        "Chromium",
        ("chromium", "--no-sandbox", "--no-first-run", "--force-renderer-accessibility", "--disable-gpu",
         "--user-data-dir={home}/chromium", "file://{home}/page.html"),
        "A page to read", 150,
    ),
    Subject("Calc", ("soffice", "--norestore", "{home}/mixed.fods"), "LibreOffice Calc", 200, counted=False),
)  # fmt: skip


@dataclass
class Rig:
    """One desktop, one session in this process (with the real gate, recorder and counters), one pyatspi process."""

    desktop: NestedDesktop
    platform: LinuxPlatform
    session: DesktopSession
    running: Peer | None = None

    @property
    def peer(self) -> Peer:
        """The pyatspi process."""
        assert self.running is not None, "this desktop is measured without it"
        return self.running

    async def window(self, title: str) -> Window:
        """The window whose title has this in it."""
        return next(w for w in await self.platform.windows() if title in w.title and not w.popup)

    async def open(self, subject: Subject) -> Window:
        """Start an application, and wait until its window is readable and at rest."""
        home = self.desktop.environment["HOME"]
        await self.desktop.launch([part.format(home=home) for part in subject.command], home)
        async with asyncio.timeout(_OPENING):
            while True:
                serial = self.platform.events.serial
                windows = [w for w in await self.platform.windows() if subject.title in w.title and w.root]
                if windows and await self._ready(windows[-1], subject.ready):
                    return windows[-1]
                await self.platform.events.changed(serial, _LOOK)

    async def _ready(self, window: Window, nodes: int) -> bool:
        if (await self.session.observe(ObserveRequest(target=window.title))).total < nodes:
            return False
        return await self.platform.events.quiet(1.0, 10.0)


@asynccontextmanager
async def rig() -> AsyncIterator[Rig]:
    """A desktop of its own, ended with the block."""
    desktop = await isolation.start(
        f"bench-{os.getpid()}", memory_mb=MEMORY_MB, tied=True, environment={"LC_ALL": "C.UTF-8"}
    )
    try:
        await fill(desktop)
        async with session_on(desktop) as (platform, session):
            peer = await Peer.start(desktop.environment)
            try:
                yield Rig(desktop, platform, session, peer)
            finally:
                await peer.stop()
    finally:
        await desktop.stop()


async def fill(desktop: NestedDesktop) -> None:
    """Put the files that the applications open into its home."""
    home = Path(desktop.environment["HOME"])
    for file in await asyncio.to_thread(lambda: sorted(FILES.iterdir())):
        await asyncio.to_thread(shutil.copy, file, home / file.name)


@asynccontextmanager
async def session_on(desktop: NestedDesktop) -> AsyncIterator[tuple[LinuxPlatform, DesktopSession]]:
    """A session of this process on a running desktop."""
    platform = LinuxPlatform(desktop.environment)
    await platform.start()
    counters = FileCounters(desktop.folder)
    recorder = FileRecorder(desktop.folder / "record", desktop.name, 1)
    gate = DefaultGate(counters, recorder)
    try:
        yield (
            platform,
            DesktopSession(platform, gate=gate, recorder=recorder, launcher=desktop, counters=counters),
        )
    finally:
        await platform.close()
        counters.close()
        recorder.close()


def chosen(names: Sequence[str]) -> tuple[Subject, ...]:
    """The subjects of these names (parts of them, any case); all when none is named."""
    wanted = [name.casefold() for name in names]
    return tuple(s for s in SUBJECTS if not wanted or any(part in s.name.casefold() for part in wanted))
