"""One isolated desktop with the measured applications, and all contenders at it."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.peers.contenders import Contender, Cua, Ours, Pyatspi, Xa11y
from benchmarks.peers.figures import CUA, OURS, PYATSPI, XA11Y
from benchmarks.rig import FILES, MEMORY_MB, SUBJECTS, Subject
from deskhand import isolation
from deskhand.isolation import NestedDesktop
from deskhand.platforms.base import ReadLimits
from deskhand.platforms.linux.platform import LinuxPlatform
from deskhand.types.nodes import Tree, Window

APPLICATIONS = ("Mousepad", "Calculator", "Text Editor", "Chromium", "Calc")
_OPENING = 90.0
_LOOK = 0.3


@dataclass
class Stage:
    """A desktop, and a platform of its own that starts, waits and checks; no contender is helped by it."""

    desktop: NestedDesktop
    platform: LinuxPlatform
    folder: Path

    def contender(self, name: str) -> Contender:
        """A fresh one, not started."""
        inside, python = self.desktop.environment, self.folder / "python"
        if name == OURS:
            return Ours(self.desktop)
        if name == CUA:
            found = sorted(python.glob("lib/python3*/site-packages/cua_driver/bin/cua-driver"))
            return Cua(found[0], inside)
        return Xa11y(python / "bin" / "python", inside) if name == XA11Y else Pyatspi(inside)

    async def open(self, subject: Subject) -> Window:
        """Start an application, and wait until its window is readable and at rest."""
        home = self.desktop.environment["HOME"]
        await self.desktop.launch([part.format(home=home) for part in subject.command], home)
        window = await self.window(subject.title, subject.ready)
        await self.platform.events.quiet(1.0, 10.0)
        return window

    async def window(self, title: str, nodes: int = 1) -> Window:
        """Wait for a window with this in its title and this many elements."""
        async with asyncio.timeout(_OPENING):
            while True:
                serial = self.platform.events.serial
                found = [w for w in await self.platform.windows() if title in w.title and w.root and not w.popup]
                if found and len((await self.tree(found[-1], hidden=True)).nodes) >= nodes:
                    return found[-1]
                await self.platform.events.changed(serial, _LOOK)

    async def tree(self, window: Window, *, hidden: bool = False, actions: bool = False) -> Tree:
        """Its elements, read by deskhand's platform in this process."""
        assert window.root is not None
        return await self.platform.read(window.root, ReadLimits(seconds=20.0, hidden=hidden, actions=actions))


@asynccontextmanager
async def stage(folder: Path, memory_mb: int = MEMORY_MB) -> AsyncIterator[Stage]:
    """A desktop of its own under a memory limit, ended with the block."""
    desktop = await isolation.start(
        f"peers-{os.getpid()}", memory_mb=memory_mb, tied=True, environment={"LC_ALL": "C.UTF-8"}
    )
    try:
        home = Path(desktop.environment["HOME"])
        for file in await asyncio.to_thread(lambda: sorted(FILES.iterdir())):
            await asyncio.to_thread(shutil.copy, file, home / file.name)
        platform = LinuxPlatform(desktop.environment)
        await platform.start()
        try:
            yield Stage(desktop, platform, folder)
        finally:
            await platform.close()
    finally:
        await desktop.stop()


def subjects(names: Sequence[str]) -> list[Subject]:
    """The applications of these names (parts of them, any case); all five when none is named."""
    of_five = [s for s in SUBJECTS if s.name in APPLICATIONS]
    wanted = {s.name for part in names for s in _meant(part.casefold(), of_five)}
    return [s for s in of_five if not names or s.name in wanted]


def _meant(name: str, known: Sequence[Subject]) -> list[Subject]:
    exact = [s for s in known if s.name.casefold() == name]
    return exact or [s for s in known if s.name.casefold().startswith(name)]


def peers(names: Sequence[str]) -> list[str]:
    """The contenders of these names; deskhand is always one of them."""
    return [n for n in (OURS, CUA, XA11Y, PYATSPI) if n == OURS or not names or n in names]
