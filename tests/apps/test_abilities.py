"""One table: every application and every ability, each shown by the application's own state.

The rows stand in ``subjects/``; what cannot be done stands there with its reason, its fallback and its refusal.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from deskhand import isolation
from tests.apps.abilities_table import ROWS, SUBJECTS
from tests.apps.subjects.row import Row, Subject
from tests.apps.subjects.stage import Stage
from tests.conftest import OPTIONS

pytestmark = [pytest.mark.apps, pytest.mark.asyncio(loop_scope="module")]
BY_NAME = {subject.name: subject for subject in SUBJECTS}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(request: pytest.FixtureRequest) -> AsyncIterator[Stage]:
    """A desktop of its own for each application, shared by its rows."""
    subject: Subject = BY_NAME[request.param]
    desktop = await isolation.start(f"abilities-{subject.name}", **OPTIONS)
    try:
        stage = await Stage.start(desktop)
        try:
            await subject.prepare(stage)
            yield stage
        finally:
            await stage.stop()
    finally:
        await desktop.stop()


@pytest.mark.proves("A3", "A5", "report-8", "report-9", "report-14", "report-31")
@pytest.mark.parametrize(
    ("stage", "row"), [pytest.param(row.subject, row, id=row.id) for row in ROWS], indirect=["stage"], scope="module"
)
async def test_an_ability_shows_in_the_application_itself(stage: Stage, row: Row) -> None:
    if stage.spoilt:  # an earlier row failed half way: this one must not suffer from it
        await stage.clear()
        await BY_NAME[row.subject].prepare(stage)
    stage.spoilt = True
    await asyncio.wait_for(row.run(stage), 60)
    await stage.at_rest()
    stage.spoilt = False
