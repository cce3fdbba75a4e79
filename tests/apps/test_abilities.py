"""One table: every application and every ability, each shown by the application's own state.

The rows stand in ``subjects/``; what cannot be done stands there with its reason, its fallback and its refusal.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
import pytest_asyncio

from deskhand import isolation
from deskhand.isolation import NestedDesktop
from tests.apps.abilities_table import ROWS, SUBJECTS
from tests.apps.subjects.row import Row, Subject
from tests.apps.subjects.stage import Stage
from tests.conftest import OPTIONS

pytestmark = [pytest.mark.apps, pytest.mark.asyncio(loop_scope="module")]
BY_NAME = {subject.name: subject for subject in SUBJECTS}


@dataclass
class Theatre:
    """Where the rows of one application play: on one desktop, and on a fresh one after a row that failed half way."""

    subject: Subject
    spoilt: bool = True
    desktop: NestedDesktop | None = None
    stage: Stage | None = None

    async def set(self) -> Stage:
        """The stage, with the application open."""
        if self.spoilt:
            await self.close()
            self.desktop = await isolation.start(f"abilities-{os.getpid()}-{self.subject.name}", **OPTIONS)
            self.stage = await Stage.start(self.desktop)
            await self.subject.prepare(self.stage)
        assert self.stage is not None
        return self.stage

    async def close(self) -> None:
        """End everything."""
        if self.stage is not None:
            await self.stage.stop()
        if self.desktop is not None:
            await self.desktop.stop()
        self.stage = self.desktop = None


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def theatre(request: pytest.FixtureRequest) -> AsyncIterator[Theatre]:
    """A desktop of its own for each application, shared by its rows."""
    made = Theatre(BY_NAME[request.param])
    yield made
    await made.close()


@pytest.mark.proves("A3", "A5", "report-8", "report-9", "report-14", "report-31")
@pytest.mark.parametrize(
    ("theatre", "row"),
    [pytest.param(row.subject, row, id=row.id) for row in ROWS],
    indirect=["theatre"],
    scope="module",
)
async def test_an_ability_shows_in_the_application_itself(theatre: Theatre, row: Row) -> None:
    stage = await theatre.set()
    theatre.spoilt = True
    await asyncio.wait_for(row.run(stage), 60)
    await stage.at_rest()
    theatre.spoilt = False
