"""The sentinel itself: it hears every leak, and nothing else."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from deskhand.isolation import NestedDesktop
from deskhand.types.geometry import Rect
from deskhand.types.requests import InputRequest, ScreenshotRequest
from tests.apps.journals import Journal, journal
from tests.apps.sentinels import TITLE, sentinel, silent
from tests.apps.subjects.stage import Stage

pytestmark = [pytest.mark.apps, pytest.mark.asyncio(loop_scope="module")]
PLACE = Rect(700, 600, 300, 200)
MEANT = Rect(100, 100, 400, 300)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def parts(isolated_desktop: NestedDesktop) -> AsyncIterator[tuple[Stage, Journal, Journal]]:
    """A session, the window that is meant, and the sentinel."""
    stage = await Stage.start(isolated_desktop)
    async with (
        sentinel(isolated_desktop, PLACE) as guard,
        journal(isolated_desktop.environment, "Meant", MEANT, focus=True) as meant,
    ):
        yield stage, meant, guard
    await stage.stop()


async def send(stage: Stage, *actions: dict[str, object]) -> None:
    picture = await stage.near.screenshot(ScreenshotRequest(max_pixels=2_000_000))
    request = InputRequest.model_validate({"lease": picture.lease, "actions": list(actions)})
    result = await stage.near.input(request)
    assert result.failure is None, result.text


@pytest.mark.proves("B2")
async def test_it_stays_silent_while_another_window_is_meant(parts: tuple[Stage, Journal, Journal]) -> None:
    stage, meant, guard = parts
    await stage.do("window", on="Meant", op="activate", verdict=None)
    await meant.read()
    await send(stage, {"do": "click", "at": [200, 200]}, {"do": "type", "text": "x"})
    assert {event.kind for event in await meant.read()} >= {"button_press", "key_press"}
    await silent(guard)


@pytest.mark.proves("B2")
async def test_it_hears_a_click_and_keys_that_leak(parts: tuple[Stage, Journal, Journal]) -> None:
    stage, _, guard = parts
    await send(stage, {"do": "click", "at": list(PLACE.centre)})
    with pytest.raises(AssertionError, match=f"button_press 1 at {PLACE.centre.x},{PLACE.centre.y}"):
        await silent(guard)
    await stage.do("window", on=TITLE, op="activate", verdict=None)
    await send(stage, {"do": "type", "text": "x"})
    with pytest.raises(AssertionError, match="key_press"):
        await silent(guard)
    await silent(guard)
