"""Applications on desktops of their own, kept from test to test, and set up anew after one that failed half way."""

from __future__ import annotations

import os
from dataclasses import dataclass

from deskhand.isolation import NestedDesktop
from tests.apps.subjects.row import Subject
from tests.apps.subjects.stage import Stage
from tests.conftest import begun


@dataclass
class Theatre:
    """Where one application's rows play, and on which way to them. ``spoilt`` until a test has come to its end."""

    subject: Subject
    way: str = "process"
    spoilt: bool = True
    desktop: NestedDesktop | None = None
    stage: Stage | None = None

    async def set(self) -> Stage:
        """The stage, with the application open."""
        if self.spoilt:
            await self.close()
            self.desktop = await begun(f"abilities-{os.getpid()}-{self.subject.name}")
            self.stage = await Stage.start(self.desktop, self.way)
            await self.subject.prepare(self.stage)
            await self.stage.platform.events.quiet(0.3, 5.0)
            self.stage.first = await self.subject.look(self.stage)
        assert self.stage is not None
        self.spoilt = True
        return self.stage

    async def close(self) -> None:
        """End everything."""
        if self.stage is not None:
            await self.stage.stop()
        if self.desktop is not None:
            await self.desktop.stop()
        self.stage = self.desktop = None
