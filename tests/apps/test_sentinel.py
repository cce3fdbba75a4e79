"""The sentinel of a desktop: it hears what misses all windows, and nothing else; to deskhand it is the bare desktop."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from deskhand.types.geometry import Point, Rect
from deskhand.types.requests import InputRequest, PointRequest, ScreenshotRequest
from tests import sentinels
from tests.apps.journals import Journal, journal
from tests.apps.subjects.stage import Stage
from tests.conftest import StartDesktop

pytestmark = [pytest.mark.apps, pytest.mark.asyncio(loop_scope="module")]
BARE = Point(850, 700)
MEANT = Rect(100, 100, 400, 300)


@pytest_asyncio.fixture(loop_scope="module")
async def stage(start_desktop: StartDesktop) -> AsyncIterator[Stage]:
    """A session on a desktop where nothing runs but the sentinel."""
    made = await Stage.start(start_desktop())
    yield made
    await made.stop()


@pytest_asyncio.fixture(loop_scope="module")
async def meant(stage: Stage) -> AsyncIterator[Journal]:
    """A window that input is meant for."""
    async with journal(stage.desktop.environment, "Meant", MEANT, focus=True) as window:
        await stage.do("window", on="Meant", op="activate", verdict=None)
        yield window


async def send(stage: Stage, *actions: dict[str, object]) -> str:
    picture = await stage.near.screenshot(ScreenshotRequest(max_pixels=2_000_000))
    request = InputRequest.model_validate({"lease": picture.lease, "actions": list(actions)})
    return (await stage.near.input(request)).text


@pytest.mark.proves("B2")
async def test_it_stays_silent_while_another_window_is_meant(stage: Stage, meant: Journal) -> None:
    await meant.read()
    await send(stage, {"do": "click", "at": [200, 200]}, {"do": "type", "text": "x"})
    assert {event.kind for event in await meant.read()} >= {"button_press", "key_press"}
    assert not sentinels.leaked()


@pytest.mark.proves("B2")
async def test_it_hears_clicks_and_keys_that_leak(stage: Stage, meant: Journal) -> None:
    with sentinels.deliberate() as heard:
        await send(stage, {"do": "click", "at": list(BARE)})
    assert {leak.kind for leak in heard} == {"button_press", "button_release"}
    assert {(leak.x, leak.y) for leak in heard} == {BARE}
    await stage.do("window", on="Meant", op="close", verdict=None)
    with sentinels.deliberate() as heard:
        await stage.platform.press_chord("x")  # past the session, which refuses keys that no window would get
    assert {leak.kind for leak in heard} == {"key_press", "key_release"}


@pytest.mark.proves("B2")
async def test_a_test_that_leaks_fails(stage: Stage) -> None:
    await stage.platform.move_pointer(*BARE)
    await stage.platform.press_button("left", True)
    await stage.platform.press_button("left", False)
    with pytest.raises(AssertionError, match=f"button_press 1 at {BARE.x},{BARE.y} of {stage.desktop.name}"):
        sentinels.silent()


@pytest.mark.proves("A1", "A9")
async def test_a_wallpaper_is_no_window_and_gets_no_keys(stage: Stage, meant: Journal) -> None:
    """What shells draw under all windows gets the focus once no other window is there to take it."""
    assert [window.title for window in await stage.platform.windows()] == ["Meant"]
    assert await stage.platform.window_at(*BARE) is None
    assert "no window is there" in (await stage.near.point(PointRequest(x=BARE.x, y=BARE.y))).text
    await stage.do("window", on="Meant", op="close", verdict=None)
    assert await stage.platform.windows() == []
    said = await send(stage, {"do": "type", "text": "x"})
    assert "not_found, input no; no window is open" in said
