"""Clicks in pictures land within one pixel: on one screen, on two monitors, and where toolkits draw at 200 %."""

from __future__ import annotations

import base64
import io
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from PIL import Image, ImageChops

from deskhand.isolation import Arrangement
from deskhand.types.geometry import Point, Rect
from deskhand.types.requests import FindRequest, InputRequest, ObserveRequest, PointRequest, ScreenshotRequest
from deskhand.types.results import ScreenshotResult
from tests.apps.journals import Journal, journal
from tests.apps.subjects.stage import Stage
from tests.apps.x11_rig import eventually
from tests.conftest import OPTIONS, begun
from tests.programs import Program, Running, running
from tests.programs.coloured import COLOURS, TITLE

pytestmark = [pytest.mark.apps, pytest.mark.asyncio(loop_scope="module")]
PLENTY = 16_000_000
"""Pixels: pictures are not scaled."""
ONE = Arrangement.of((1280, 800))
TWO = Arrangement.of((1280, 1024), (1280, 1024), primary=2)
EVERYTHING: dict[str, Any] = {"max_pixels": PLENTY, "max_bytes": PLENTY}


@dataclass
class Range:
    """A desktop whose screens are covered by windows that journal every click."""

    stage: Stage
    windows: list[Journal]

    async def look(self, **request: Any) -> ScreenshotResult:
        return await self.stage.near.screenshot(ScreenshotRequest.model_validate(request))

    async def landed(self, picture: ScreenshotResult, *at: tuple[int, int]) -> list[Point]:
        """Where clicks on these pixels of the picture came down, as the windows themselves saw it."""
        for window in self.windows:
            await window.read()
        actions = [{"do": "click", "at": place} for place in at]
        request = InputRequest.model_validate({"lease": picture.lease, "actions": actions})
        result = await self.stage.near.input(request)
        assert result.failure is None, result.text
        found = [event.at for window in self.windows for event in await window.buttons()]
        assert len(found) == len(at)
        return found


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage() -> AsyncIterator[Stage]:
    """One desktop for all tests of this file; what is started there draws at 200 %."""
    scale = {"GDK_SCALE": "2", "QT_SCALE_FACTOR": "2", **OPTIONS["environment"]}
    desktop = await begun(f"accuracy-{os.getpid()}", monitors=ONE, environment=scale)
    made = await Stage.start(desktop)
    yield made
    await made.stop()
    await desktop.stop()


@asynccontextmanager
async def covered(stage: Stage, monitors: Arrangement) -> AsyncIterator[Range]:
    """The screens arranged so, a window over each, from the left."""
    await stage.desktop.resize(monitors)
    left, right = monitors.places[0], monitors.places[-1]
    async with journal(stage.desktop.environment, "Left", left) as first:
        if len(monitors.sizes) == 1:
            yield Range(stage, [first])
            return
        async with journal(stage.desktop.environment, "Right", right) as second:
            yield Range(stage, [first, second])


def corners(part: Rect) -> list[Point]:
    """Its four corner pixels, its middle, and two places of no special kind."""
    right, bottom = part.x + part.w - 1, part.y + part.h - 1
    edges = [Point(part.x, part.y), Point(right, part.y), Point(part.x, bottom), Point(right, bottom)]
    return [*edges, part.centre, Point(part.x + part.w // 3, part.y + 7), Point(part.x + 11, part.y + part.h // 5)]


def pixel(picture: ScreenshotResult, at: Point) -> tuple[int, int]:
    """The picture's pixel that shows a root pixel, reckoned apart from deskhand."""
    x, y, wide, high = picture.bounds
    return int((at.x - x) * picture.width / wide), int((at.y - y) * picture.height / high)


def off(one: Point, other: Point) -> int:
    """The larger of both distances, in pixels."""
    return max(abs(one.x - other.x), abs(one.y - other.y))


@pytest.mark.proves("B2", "report-4")
async def test_on_one_screen_every_click_lands_on_its_pixel(stage: Stage) -> None:
    async with covered(stage, ONE) as made:
        wanted = corners(Rect(0, 0, 1280, 800))
        picture = await made.look()
        assert (picture.width, picture.height) == (1280, 800)
        assert await made.landed(picture, *(pixel(picture, at) for at in wanted)) == wanted


@pytest.mark.proves("B1", "B2", "report-29", "report-4")
async def test_with_a_monitor_left_of_the_primary_one_every_picture_clicks_where_it_shows(stage: Stage) -> None:
    async with covered(stage, TWO) as made:
        for side in TWO.places:
            whole = await made.look(**EVERYTHING)  # a click raised a window, and what was seen before holds no more
            assert tuple(whole.bounds) == (0, 0, 2560, 1024)
            wanted = corners(side)
            assert await made.landed(whole, *(pixel(whole, at) for at in wanted)) == wanted
        for part in (*TWO.places, Rect(1100, 300, 371, 219), Rect(1900, 5, 97, 601)):
            wanted = corners(part)
            picture = await made.look(region=tuple(part), **EVERYTHING)
            found = await made.landed(picture, *(pixel(picture, at) for at in wanted))
            assert sorted(found) == sorted(wanted), part
        for window in made.windows:
            wanted = corners(window.place)
            picture = await made.look(target=window.title, **EVERYTHING)
            assert await made.landed(picture, *(pixel(picture, at) for at in wanted)) == wanted


@pytest.mark.proves("B1", "B2", "report-29", "report-4")
@pytest.mark.parametrize("most", [1_150_000, 300_000, 60_000])
async def test_a_scaled_picture_clicks_within_the_worth_of_one_of_its_pixels(stage: Stage, most: int) -> None:
    async with covered(stage, TWO) as made:
        for part in (Rect(0, 0, 2560, 1024), TWO.places[1], Rect(1003, 17, 903, 777)):
            picture = await made.look(region=tuple(part), max_pixels=most)
            assert picture.width * picture.height <= most
            wanted = sorted(corners(part))
            found = sorted(await made.landed(picture, *(pixel(picture, at) for at in wanted)))
            assert all(off(a, b) <= 1 / picture.scale for a, b in zip(found, wanted, strict=True)), (part, found)


def shown(image: Image.Image, colour: str) -> Rect:
    """Where a colour shows, in the picture's pixels."""
    alike = ImageChops.difference(image, Image.new("RGB", image.size, colour)).convert("L")
    left, top, right, bottom = alike.point(lambda value: 0 if value else 255).getbbox() or (0, 0, 0, 0)
    return Rect(left, top, right - left, bottom - top)


@asynccontextmanager
async def coloured(stage: Stage, kit: str, folder: Path) -> AsyncIterator[Running]:
    """A window whose buttons are known by their colours, drawn by a toolkit at 200 %."""
    interpreter = sys.executable if kit == "qt6" else "/usr/bin/python3"
    await stage.desktop.resize(TWO)
    async with running(Program("coloured", interpreter, (kit,)), stage.desktop.environment, folder) as made:
        await eventually(lambda: ready(stage), "the coloured window can be read")
        yield made


async def ready(stage: Stage) -> bool:
    """Whether the window stands still and tells all its buttons."""
    titles = {window.title for window in await stage.platform.windows() if window.root}
    return TITLE in titles and set(COLOURS) <= set(await bounds(stage)) and await stage.platform.events.quiet(0.2, 2.0)


async def bounds(stage: Stage) -> dict[str, Rect]:
    """Where the buttons are, as deskhand tells it."""
    view = await stage.near.observe(ObserveRequest(target=TITLE, detail=["bounds"]))
    return {element.name: Rect(*element.bounds) for element in view.elements if element.bounds is not None}


@pytest.mark.proves("A2", "B2", "report-29")
@pytest.mark.parametrize("kit", ["gtk3", "gtk4", "qt6"])
async def test_at_200_percent_elements_are_where_they_show(stage: Stage, kit: str, tmp_path: Path) -> None:
    async with coloured(stage, kit, tmp_path) as made:
        for corner in (None, [0, 0], [333, 217], [1613, 97]):  # odd places cannot be told in a toolkit's pixels
            if corner is not None:
                await stage.do("window", on=TITLE, op="move", rect=corner, verdict=None)
                await stage.platform.events.quiet(0.3, 3.0)
            picture, told = await look(stage), await bounds(stage)
            for name, colour in COLOURS.items():
                box = shown(image(picture), colour)
                assert box.w > 60, f"{name} does not show"
                assert told[name] == box, name
        for presses, name in enumerate(COLOURS, 1):
            at = shown(image(picture), COLOURS[name]).centre
            await click(stage, picture, at)
            await pressed(made, name, 1)
            await stage.do("click", on={"role": "button", "name": name, "in": TITLE}, verdict=None)
            await pressed(made, name, 2)
            assert sum(made.state["pressed"].values()) == 2 * presses
            picture = await look(stage)


async def pressed(made: Running, name: str, times: int) -> None:
    """Wait until the application says so."""
    await made.until(lambda now: now["pressed"][name] == times, f"{name} pressed {times} times")


async def look(stage: Stage) -> ScreenshotResult:
    """The whole desktop, unscaled."""
    return await stage.near.screenshot(ScreenshotRequest.model_validate(EVERYTHING))


def image(picture: ScreenshotResult) -> Image.Image:
    """As pixels; every picture that is asked for here is a PNG, so colours are exact."""
    assert picture.mime == "image/png"
    return Image.open(io.BytesIO(base64.b64decode(picture.image))).convert("RGB")


async def click(stage: Stage, picture: ScreenshotResult, at: Point) -> None:
    """One click in a picture."""
    request = InputRequest.model_validate({"lease": picture.lease, "actions": [{"do": "click", "at": list(at)}]})
    result = await stage.near.input(request)
    assert result.failure is None, result.text


@pytest.mark.proves("A2", "report-29", "report-20")
async def test_at_200_percent_menus_and_their_items_are_hit(stage: Stage) -> None:
    await stage.desktop.resize(TWO)
    await stage.open(app="mousepad")
    for name in ("Edit", "View"):
        menu = await stage.ref("menu", name)
        await stage.do("click", on=menu, verdict=None)
        await stage.shows("menu", name, "selected")
        await stage.do("collapse", on=menu)
    await stage.do("click", on=await stage.ref("menu", "Help"), verdict=None)
    await stage.do("click", on={"role": "menuitem", "name": "About", "in": stage.window}, verdict=None)
    await stage.window_is("About", lambda client: True, "the dialog behind the item")


async def orange(stage: Stage) -> Rect:
    """Where pixels are of the colour of Calculator's key of results."""
    shown = await stage.near.screenshot(ScreenshotRequest.model_validate({"target": stage.window, **EVERYTHING}))
    image = Image.open(io.BytesIO(base64.b64decode(shown.image))).convert("RGB")
    red, green, blue = (band.point(lambda value, most=most: 255 * (abs(value - most) < 12)) for band, most in zip(
        image.split(), (255, 120, 0), strict=True))  # fmt: skip
    box = ImageChops.multiply(ImageChops.multiply(red, green), blue).getbbox()
    assert box is not None, shown.text
    left, top, right, bottom = box
    return Rect(left, top, right - left, bottom - top).moved(shown.bounds[0], shown.bounds[1])


@pytest.mark.proves("A2", "report-29", "report-3")
async def test_at_200_percent_the_keys_of_a_window_with_a_shadow_of_its_own_are_hit(stage: Stage) -> None:
    await stage.desktop.resize(TWO)
    await stage.open(app="gnome-calculator")
    for key in ("7", "5", "3"):
        await stage.do("click", on={"role": "button", "name": key, "in": stage.window}, verdict=None)
    view = await stage.view(stage.window)
    assert '"753"' in view.text, view.text
    found = await stage.near.find(FindRequest.model_validate({"query": "=", "role": "button", "in": stage.window}))
    told = found.matches[0].bounds
    assert told is not None
    shown = await orange(stage)
    assert off(Rect(*told).centre, shown.centre) <= 1
    for x, y in ((shown.x + 2, shown.centre.y), (shown.centre.x, shown.y + shown.h - 2)):  # beside its content
        under = await stage.near.point(PointRequest(x=x, y=y))
        assert under.element is not None, under.text
        assert under.element.name == "=", under.text
    await stage.do("window", on=stage.window, op="close", verdict=None)
