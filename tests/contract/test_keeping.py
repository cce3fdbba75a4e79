"""Connections of many clients' sessions to one owner: bounded, and none is closed under a call."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from deskhand.daemon import keeping
from deskhand.daemon.keeping import Reaches
from deskhand.daemon.protocol import Hello
from deskhand.daemon.starting import Place
from deskhand.types.errors import DeskhandError
from deskhand.types.requests import ActRequest
from tests.contract.test_mcp import DELETE
from tests.contract.test_owner import FIND_SAVE, batch, folder, until, where

__all__ = ["folder", "where"]


@pytest.fixture
async def reaches(where: Place, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Reaches]:
    """With room for two sessions."""
    monkeypatch.setattr(keeping, "SESSIONS_MOST", 2)
    numbers = itertools.count()

    async def there() -> Place:
        return where

    made = Reaches(there, lambda: Hello(session=f"s{next(numbers)}"))
    yield made
    await made.close()


@contextmanager
def in_use(reaches: Reaches, *sessions: str) -> Iterator[None]:
    with ExitStack() as all_of_them:
        for session in sessions:
            all_of_them.enter_context(reaches.in_use(session))
        yield


@pytest.mark.proves("report-28")
async def test_a_batch_goes_on_whoever_else_comes(reaches: Reaches, folder: Path) -> None:
    with in_use(reaches, "one"):
        one = await reaches.desktop("one")
        running = asyncio.create_task(one.act(batch("a", hold=1.0)))
        await until((folder / "journal").exists)
        for session in ("two", "three", "four"):
            await (await reaches.desktop(session)).find(FIND_SAVE)
        assert (await running).failure is None


async def test_the_idle_session_unused_for_longest_makes_room(reaches: Reaches) -> None:
    one, two = await reaches.desktop("one"), await reaches.desktop("two")
    await reaches.desktop("one")
    await reaches.desktop("three")
    assert (one.alive, two.alive) == (True, False)


async def test_where_every_session_has_a_call_in_flight_a_new_one_is_refused(reaches: Reaches) -> None:
    with in_use(reaches, "one", "two"):
        held = [await reaches.desktop("one"), await reaches.desktop("two")]
        with pytest.raises(DeskhandError, match="calls in flight; try again later"):
            await reaches.desktop("three")
        assert all(each.alive for each in held)
    assert (await reaches.desktop("three")).alive


@pytest.mark.proves("report-37")
async def test_a_session_whose_connection_made_room_has_its_consent_still(reaches: Reaches) -> None:
    risky = ActRequest.model_validate({"steps": [DELETE]})
    one = await reaches.desktop("one")
    question = (await one.judge(risky)).question
    await one.answer(question, True)
    for session in ("two", "three"):
        await reaches.desktop(session)
    assert not one.alive
    assert (await (await reaches.desktop("one")).act(risky)).failure is None
