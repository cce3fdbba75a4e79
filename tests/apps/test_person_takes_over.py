"""A person uses mouse or keyboard while a batch runs: the batch stops, says what was done, and leaves no key down."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
import pytest_asyncio

from deskhand.desktop.session import DesktopSession
from deskhand.isolation import Arrangement, NestedDesktop
from deskhand.platforms.linux.platform import LinuxPlatform
from deskhand.types.geometry import Rect
from deskhand.types.requests import InputRequest, ScreenshotRequest
from deskhand.types.results import InputResult
from tests.apps.journals import Journal, Reached, journal
from tests.apps.person import Person
from tests.apps.subjects.stage import NoRecord
from tests.apps.x11_rig import eventually
from tests.conftest import begun
from tests.contract.sessions import Counting, OpenGate

pytestmark = [pytest.mark.apps, pytest.mark.asyncio(loop_scope="module")]
PLACE = Rect(100, 100, 600, 400)
SHIFT, F7, A, B = 0xFFE1, 0xFFC4, ord("a"), ord("b")


@dataclass
class Scene:
    """A desktop with a person at it, a window that journals, and the session that drives it."""

    desktop: NestedDesktop
    platform: LinuxPlatform
    window: Journal
    seen: list[Reached] = field(default_factory=list)

    def session(self, *, yields: bool = True) -> DesktopSession:
        return DesktopSession(
            self.platform, gate=OpenGate(), recorder=NoRecord(), launcher=self.desktop, counters=Counting(),
            yields=yields,
        )  # fmt: skip

    async def read(self) -> list[Reached]:
        """All that has reached the window in this test."""
        self.seen += await self.window.read()
        return self.seen

    async def reached(self, wanted: Callable[[Reached], bool]) -> None:
        """Wait until such an event has reached the window."""

        async def look() -> bool:
            return any(wanted(event) for event in await self.read())

        await eventually(look, "the event at the window")

    async def pressed(self) -> list[int]:
        """Keys pressed, by symbol."""
        return [event.symbol for event in await self.read() if event.kind == "key_press"]

    async def down(self) -> set[tuple[str, int]]:
        """Keys and buttons that are down."""
        held: set[tuple[str, int]] = set()
        for event in await self.read():
            device, _, half = event.kind.partition("_")
            (held.add if half == "press" else held.discard)((device, event.detail))
        return held


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def scene() -> AsyncIterator[Scene]:
    """One for all tests of this file."""
    desktop = await begun(f"person-{os.getpid()}", monitors=Arrangement.of((1280, 800)))
    platform = LinuxPlatform(desktop.environment)
    await platform.start()
    async with (
        journal(desktop.environment, "Journal", PLACE, focus=True) as window,
    ):
        await platform.window_operation(await key_of(platform, "Journal"), "activate")
        yield Scene(desktop, platform, window)
    await platform.close()
    await desktop.stop()


async def key_of(platform: LinuxPlatform, title: str) -> str:
    """The window of this title."""
    return next(window.key for window in await platform.windows() if window.title == title)


@asynccontextmanager
async def running(
    scene: Scene, session: DesktopSession, *actions: dict[str, object]
) -> AsyncIterator[asyncio.Task[InputResult]]:
    """A batch on a fresh picture, going on meanwhile."""
    await scene.read()
    scene.seen.clear()
    picture = await session.screenshot(ScreenshotRequest())
    request = InputRequest.model_validate({"lease": picture.lease, "actions": list(actions)})
    batch = asyncio.ensure_future(session.input(request))
    try:
        yield batch
    finally:
        batch.cancel()
        await asyncio.wait([batch])


async def _done(scene: Scene, batch: asyncio.Task[InputResult]) -> bool:
    await scene.read()
    return batch.done()


BATCH: tuple[dict[str, object], ...] = (
    {"do": "down", "keys": "shift"},
    {"do": "type", "text": "a"},
    {"do": "key", "keys": "F7"},
    {"do": "wait", "seconds": 8},
    {"do": "type", "text": "b"},
)


def _moves(person: Person) -> None:
    person.move(900, 600)
    person.move(905, 605)  # one of both is where the pointer has not been


def _clicks(person: Person) -> None:
    person.move(*PLACE.centre, buttons=1)
    person.move(*PLACE.centre)


def _types(person: Person) -> None:
    person.key(ord("x"))


@pytest.mark.proves("B2", "report-13")
@pytest.mark.parametrize("does", [_moves, _clicks, _types])
async def test_the_persons_hands_stop_a_batch(scene: Scene, does: Callable[[Person], None]) -> None:
    with Person(scene.desktop) as person:
        async with running(scene, scene.session(), *BATCH) as batch:
            await scene.reached(lambda event: event.kind == "key_release" and event.symbol == F7)
            does(person)
            result = await asyncio.wait_for(batch, 5.0)
    assert result.failure is not None, result.text
    assert result.failure.code == "cancelled"
    assert "person" in result.failure.message
    assert [effect.do for effect in result.effects] == ["down", "type", "key"]
    assert result.picture is not None
    assert B not in await scene.pressed()
    assert await scene.down() == set()


@pytest.mark.proves("B2", "report-13")
async def test_a_long_text_stops_in_its_middle(scene: Scene) -> None:
    text = "abcdefgh " * 2000
    with Person(scene.desktop) as person:
        async with running(scene, scene.session(), {"do": "type", "text": text}) as batch:
            await scene.reached(lambda event: event.kind == "key_release" and event.symbol == B)
            _moves(person)
            await eventually(lambda: _done(scene, batch), "the batch has ended")  # what is journalled must be read
            result = batch.result()
    assert result.failure is not None, result.text
    assert (result.failure.code, result.failure.sent) == ("cancelled", "yes")
    assert 0 < len(await scene.pressed()) < len(text)
    assert await scene.down() == set()


@pytest.mark.proves("B2")
async def test_where_the_switch_is_off_a_batch_goes_on(scene: Scene) -> None:
    actions = [{**action, "seconds": 1} if action["do"] == "wait" else action for action in BATCH]
    with Person(scene.desktop) as person:
        async with running(scene, scene.session(yields=False), *actions) as batch:
            await scene.reached(lambda event: event.kind == "key_release" and event.symbol == F7)
            _moves(person)
            result = await asyncio.wait_for(batch, 15.0)
    assert result.failure is None, result.text
    assert [symbol for symbol in await scene.pressed() if symbol != SHIFT] == [A, F7, B]
    assert await scene.down() == set()


@pytest.mark.proves("B2")
async def test_what_deskhand_sends_itself_is_nobodys_else(scene: Scene) -> None:
    before = scene.platform.hands_of_others
    actions: list[dict[str, object]] = [
        {"do": "click", "at": [300, 300]}, {"do": "drag", "path": [[200, 200], [400, 350]]},
        {"do": "scroll", "at": [300, 300], "notches": [0, 2]}, {"do": "type", "text": "aé本"},
        {"do": "key", "keys": "ctrl+b"},
    ]  # fmt: skip
    async with running(scene, scene.session(), *actions) as batch:
        result = await asyncio.wait_for(batch, 30.0)
    assert result.failure is None, result.text
    assert scene.platform.hands_of_others == before
    with Person(scene.desktop) as person:
        _moves(person)
        await eventually(lambda: scene.platform.hands_of_others > before, "the person's events are counted")
