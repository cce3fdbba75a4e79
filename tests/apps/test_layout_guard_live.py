"""The layout guard on a real display: what changed since the picture gets not one event, by the X server's own word."""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from deskhand.desktop.act import gestures
from deskhand.isolation import NestedDesktop
from deskhand.isolation.arrangement import Arrangement
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Rect
from deskhand.types.nodes import Window
from deskhand.types.requests import InputRequest, ScreenshotRequest
from deskhand.types.results import InputResult, ScreenshotResult
from tests.apps.hands import PATIENCE, Hands, eventually, hands

pytestmark = [pytest.mark.apps]
PROGRAM = Path(__file__).parents[1] / "programs/windows_x11.py"


@dataclass
class Bare:
    """Windows of a program without a toolkit, beside the hands that are to reach them."""

    own: Hands
    process: asyncio.subprocess.Process

    async def do(self, verb: str, *words: object) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{verb} {' '.join(map(str, words))}\n".encode())
        return (await asyncio.wait_for(self.process.stdout.readline(), PATIENCE)).decode().strip()

    async def open(self, x: int, y: int, w: int, h: int, *kind: str) -> int:
        """A new window, once it is listed; one that is managed is active then."""
        number = int(await self.do("open", x, y, w, h, *kind))

        async def listed() -> bool:
            found = [each for each in await self.own.platform.windows() if each.key.startswith(f"x{number:x}.")]
            return bool(found) and (found[0].active or found[0].popup)

        await eventually(listed, f"window {number}")
        return number

    async def picture(self, *region: int) -> ScreenshotResult:
        request = {"region": region} if region else {"max_pixels": 2_000_000}
        return await self.own.session.screenshot(ScreenshotRequest.model_validate(request))

    async def input(self, picture: ScreenshotResult, *actions: dict[str, Any]) -> InputResult:
        return await self.own.session.input(
            InputRequest.model_validate({"lease": picture.lease, "actions": list(actions)})
        )

    async def seen(self, holds: Callable[[list[Window]], bool], what: str) -> None:
        """The window manager has done what it was asked."""

        async def look() -> bool:
            return holds(await self.own.platform.windows())

        await eventually(look, what)

    async def settled(self, before: ScreenshotResult) -> None:
        """The window manager has done what it was asked: the layout is another one than the picture's."""
        lease = self.own.session._camera.leases.get(before.lease)

        async def different() -> bool:
            return await self.own.session._camera.layout(focus=False) != lease.layout

        await eventually(different, "another layout")


@asynccontextmanager
async def bare(own: Hands) -> AsyncIterator[Bare]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(PROGRAM), env=dict(own.environment), stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        yield Bare(own, process)
    finally:
        process.kill()
        await process.wait()

        async def gone() -> bool:
            return not any(w.app == "Bare" or w.title.startswith("Bare") for w in await own.platform.windows())

        await eventually(gone, "no bare window is left")


@pytest.fixture
async def own(isolated_desktop: NestedDesktop, tmp_path: Path) -> AsyncIterator[Hands]:
    async with hands(isolated_desktop, tmp_path) as made:
        yield made


CHANGES: dict[str, tuple[tuple[str, ...], str]] = {
    "moved": (("move {back} 90 60 300 200",), "is at"),
    "resized": (("move {back} 40 40 310 220",), "is at"),
    "covered": (("focus {back}",), "is active, was"),
    "closed": (("close {back}",), "has closed"),
    "minimised": (("minimise {back}",), "is minimised now"),
    "another opened": (("open 700 600 100 80",), "has opened"),
    "a popup opened": (("open 900 100 50 40 popup",), 'a menu or popup of "Bare" has opened'),
}


@pytest.mark.proves("B3", "report-15", "report-30")
@pytest.mark.parametrize("name", CHANGES)
async def test_not_one_event_reaches_a_desktop_that_is_not_as_the_picture_had_it(own: Hands, name: str) -> None:
    async with bare(own) as windows:
        back = await windows.open(40, 40, 300, 200)
        front = await windows.open(200, 150, 400, 300)
        picture = await windows.picture()
        commands, words = CHANGES[name]
        for command in commands:
            await windows.do(*command.format(back=back, front=front).split())
        await windows.settled(picture)
        mark = own.tap.mark()
        result = await windows.input(picture, {"do": "click", "at": [450, 300]}, {"do": "type", "text": "x"})
        assert own.tap.since(mark) == []
        assert result.failure is not None
        assert (result.failure.code, result.failure.sent) == ("layout_changed", "no")
        assert words in result.failure.found
        assert result.picture is not None
        mark = own.tap.mark()
        again = await windows.input(result.picture, {"do": "move", "at": [450, 300]})
        assert again.failure is None
        assert own.tap.since(mark) != []


@pytest.mark.proves("B3")
async def test_another_resolution_is_another_desktop(start_desktop: Any, tmp_path: Path) -> None:
    desktop = start_desktop(size=(1280, 1024))
    async with hands(desktop, tmp_path) as own, bare(own) as windows:
        await windows.open(40, 40, 300, 200)
        picture = await windows.picture()
        await desktop.resize(Arrangement.of((1024, 768)))
        mark = own.tap.mark()
        result = await windows.input(picture, {"do": "click", "at": [100, 100]})
        assert own.tap.since(mark) == []
        assert result.failure is not None
        assert "the desktop is 1024x768" in result.failure.found


@pytest.mark.proves("B3")
async def test_no_random_layout_is_taken_for_another_one(
    own: Hands, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """A hundred times (or ``--views``): no layout that changed is let through, none that stayed is refused."""
    monkeypatch.setattr(gestures, "PASSING_BY", 0.005)  # nothing comes of a pointer that moves
    dice = random.Random(20_261)
    async with bare(own) as windows:
        numbers = [await windows.open(*_rect(dice)) for _ in range(3)]
        for turn in range(max(100, int(request.config.getoption("--views")))):
            at = [dice.randrange(20), dice.randrange(20)]
            picture = await windows.picture(dice.randrange(1200), dice.randrange(1000), 20, 20)
            mark = own.tap.mark()
            same = await windows.input(picture, {"do": "move", "at": at})
            assert same.failure is None, f"turn {turn}: {same.text}"
            assert own.tap.since(mark) != [], f"turn {turn}"
            picture = await windows.picture(dice.randrange(1200), dice.randrange(1000), 20, 20)
            kind = await _changed(windows, numbers, dice)
            mark = own.tap.mark()
            other = await windows.input(picture, {"do": "click", "at": at})
            assert own.tap.since(mark) == [], f"turn {turn}, {kind}: {other.text}"
            assert other.failure is not None
            assert other.failure.code == "layout_changed", f"turn {turn}, {kind}: {other.text}"


def _rect(dice: random.Random) -> Rect:
    return Rect(dice.randrange(0, 900), dice.randrange(0, 700), dice.randrange(60, 380), dice.randrange(60, 320))


async def _changed(windows: Bare, numbers: list[int], dice: random.Random) -> str:
    """One window goes elsewhere, comes to the front, or makes room for a new one, and is seen there; what was done."""
    front = [w for w in await windows.own.platform.windows() if w.active]
    back = [number for number in numbers if not any(_is(w, number) for w in front)]
    kind = dice.choice(["move", "focus", "renew"])
    if kind == "renew":
        # first the new one: python-xlib would give it the id of the other one, and openbox take it for that
        numbers.append(await windows.open(*_rect(dice)))
        gone = numbers.pop(dice.randrange(len(numbers) - 1))
        await windows.do("close", gone)
        await windows.seen(lambda found: not any(_is(w, gone) for w in found), f"{gone} has closed")
    elif kind == "focus" and back:
        chosen = dice.choice(back)
        await windows.do("focus", chosen)
        await windows.seen(lambda found: any(_is(w, chosen) and w.active for w in found), f"{chosen} is active")
    else:
        chosen = dice.choice(numbers)
        place = next(w.bounds for w in await windows.own.platform.windows() if _is(w, chosen))
        await windows.do("move", chosen, *_rect(dice))
        await windows.seen(lambda found: any(_is(w, chosen) and w.bounds != place for w in found), f"{chosen} moves")
    return kind


def _is(window: Window, number: int) -> bool:
    return window.key.startswith(f"x{number:x}.")


@pytest.mark.proves("B3")
async def test_a_lease_of_another_owner_is_none(own: Hands) -> None:
    with pytest.raises(DeskhandError, match="take a screenshot"):
        await own.session.input(
            InputRequest.model_validate({"lease": "l999", "actions": [{"do": "move", "at": [1, 1]}]})
        )
