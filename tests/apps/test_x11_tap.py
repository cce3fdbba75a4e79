"""The witness itself: it sees what is sent, and its silence proves that nothing was."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from deskhand.isolation import NestedDesktop
from deskhand.platforms.linux.x11.connection import XThread
from deskhand.platforms.linux.x11.input import InputDevice
from tests import sentinels
from tests.apps.x11_rig import rig
from tests.tap import EventTap

pytestmark = [pytest.mark.apps]

_FOREIGN_TYPIST = "[xtest.fake_input(server, 2, 38), xtest.fake_input(server, 3, 38), server.sync()]"


@pytest.fixture
def tap(isolated_desktop: NestedDesktop) -> Iterator[EventTap]:
    with EventTap(isolated_desktop.environment) as started:
        yield started


@pytest.mark.proves("report-13")
async def test_it_sees_each_kind_of_event_with_its_place(isolated_desktop: NestedDesktop, tap: EventTap) -> None:
    async with rig(isolated_desktop) as made:
        mark = tap.mark()
        with sentinels.deliberate():
            await made.hands.move(1200, 900)
            await made.hands.button("right", True)
            await made.hands.button("right", False)
            await made.hands.chord("Shift_L")
            seen = tap.since(mark)

    assert [event.kind for event in seen] == ["motion", "button_press", "button_release", "key_press", "key_release"]
    assert {(event.x, event.y) for event in seen} == {(1200, 900)}
    assert [event.detail for event in seen[1:3]] == [3, 3]


@pytest.mark.proves("report-13")
async def test_it_sees_events_of_any_other_program(isolated_desktop: NestedDesktop, tap: EventTap) -> None:
    async with rig(isolated_desktop) as made:
        mark = tap.mark()
        with sentinels.deliberate():
            made.witness(f"(lambda xtest: {_FOREIGN_TYPIST})(__import__('Xlib.ext.xtest', fromlist=['x'])) and 1")
        assert [(event.kind, event.detail) for event in tap.since(mark)] == [("key_press", 38), ("key_release", 38)]


async def test_a_mark_never_misses_what_was_sent_before_it(isolated_desktop: NestedDesktop, tap: EventTap) -> None:
    thread = XThread(isolated_desktop.environment["DISPLAY"], isolated_desktop.environment.get("XAUTHORITY"))
    hands = InputDevice(thread)
    for number in range(200):
        mark = tap.mark()
        await hands.move(300 + number, 400)
        assert [(event.kind, event.x) for event in tap.since(mark)] == [("motion", 300 + number)]
    await thread.close()


async def test_it_hears_nothing_where_nothing_is_sent(isolated_desktop: NestedDesktop, tap: EventTap) -> None:
    async with rig(isolated_desktop) as made:
        mark = tap.mark()
        await made.windows.surfaces()
        await made.windows.window_at(500, 500)
        made.keyboard_map()
        assert tap.since(mark) == []
