"""Window events come by themselves, of the right kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator

import pytest

from deskhand.isolation import NestedDesktop
from deskhand.platforms.linux.x11.events import WindowEvents
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Rect
from tests.apps.x11_rig import Rig, eventually, mousepad, plain_window, rig

pytestmark = [pytest.mark.apps]


@pytest.fixture
async def made(isolated_desktop: NestedDesktop) -> AsyncIterator[Rig]:
    async with rig(isolated_desktop) as one:
        yield one


@pytest.fixture
async def told(made: Rig) -> AsyncIterator[Counter[str]]:
    """How often each kind was told."""
    kinds: Counter[str] = Counter()
    feed = WindowEvents(made.display, lambda kind: kinds.update([kind]), made.desktop.environment.get("XAUTHORITY"))
    await feed.start()
    yield kinds
    await feed.close()


@pytest.mark.proves("A5")
async def test_a_popup_that_comes_and_goes_is_told(made: Rig, told: Counter[str]) -> None:
    async with plain_window(made, "10", "10", "50", "50", "ffffff", "popup"):
        await eventually(lambda: told["created"] and told["mapped"], "the popup was told")
    await eventually(lambda: told["destroyed"], "its end was told")


@pytest.mark.proves("A5")
async def test_a_window_s_life_is_told(made: Rig, told: Counter[str]) -> None:
    async with mousepad(made) as editor:
        await eventually(lambda: told["windows"] and told["active"] and told["stacking"], "the window was told")
        told.clear()
        await made.hands.type_text("x")
        await eventually(lambda: told["title"], "the changed title was told")
        await made.windows.operate(editor.surface.xid, "move", Rect(222, 111, 0, 0))
        await eventually(lambda: told["moved"], "the move was told")
        told.clear()
        await made.windows.operate(editor.surface.xid, "minimise")
        await eventually(lambda: told["state"] and told["active"], "minimising was told")
        told.clear()
    await eventually(lambda: told["windows"], "the closed window was told")


@pytest.mark.proves("A5")
async def test_a_lost_display_is_told(fresh_desktop: NestedDesktop) -> None:
    kinds: list[str] = []
    feed = WindowEvents(fresh_desktop.environment["DISPLAY"], kinds.append, fresh_desktop.environment.get("XAUTHORITY"))
    await feed.start()
    await fresh_desktop.stop()
    await eventually(lambda: "gone" in kinds, "the loss was told")
    await feed.close()


async def test_no_display_is_said_at_the_start() -> None:
    feed = WindowEvents(":4999", lambda _: None)
    with pytest.raises(DeskhandError) as refused:
        await feed.start()
    assert refused.value.code == "desktop_unavailable"
    await feed.close()
