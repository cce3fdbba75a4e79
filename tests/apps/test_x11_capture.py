"""Pictures of the screen: size, place, colours, scale."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from PIL import Image

from deskhand.isolation import NestedDesktop
from deskhand.platforms.linux.x11 import film
from deskhand.platforms.linux.x11.capture import Camera
from deskhand.platforms.linux.x11.film import Memory
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Rect
from deskhand.types.nodes import Picture
from tests.apps.x11_rig import plain_window, rig

pytestmark = [pytest.mark.apps]


@pytest.fixture
async def camera(isolated_desktop: NestedDesktop) -> AsyncIterator[Camera]:
    made = Camera(isolated_desktop.environment["DISPLAY"], isolated_desktop.environment.get("XAUTHORITY"))
    yield made
    await made.close()


def opened(picture: Picture) -> Image.Image:
    return Image.frombytes("RGB", (picture.width, picture.height), picture.pixels)


@pytest.mark.proves("B1")
async def test_the_whole_screen_is_as_large_as_the_screen(camera: Camera) -> None:
    picture = await camera.grab(None)
    assert opened(picture).size == (1280, 1024)
    assert (picture.bounds, picture.scale) == (Rect(0, 0, 1280, 1024), 1.0)


@pytest.mark.proves("B1", "report-4")
async def test_colours_and_places_are_those_of_the_screen(isolated_desktop: NestedDesktop, camera: Camera) -> None:
    async with rig(isolated_desktop) as made, plain_window(made, "900", "700", "50", "40", "c08040", "popup"):
        picture = await camera.grab(Rect(890, 690, 100, 100))
        image = opened(picture)
    assert picture.bounds == Rect(890, 690, 100, 100)
    assert image.getpixel((10, 10)) == (0xC0, 0x80, 0x40)
    assert image.getpixel((59, 49)) == (0xC0, 0x80, 0x40)
    assert image.getpixel((60, 50)) != (0xC0, 0x80, 0x40)
    assert image.getpixel((9, 9)) != (0xC0, 0x80, 0x40)


@pytest.mark.proves("B1")
async def test_what_reaches_beyond_the_screen_is_cut_and_said(camera: Camera) -> None:
    picture = await camera.grab(Rect(-40, 1000, 100, 100))
    assert picture.bounds == Rect(0, 1000, 60, 24)
    assert opened(picture).size == (60, 24)


@pytest.mark.proves("B1")
async def test_a_place_off_the_screen_is_refused(camera: Camera) -> None:
    with pytest.raises(DeskhandError) as refused:
        await camera.grab(Rect(3000, 3000, 10, 10))
    assert refused.value.code == "invalid_request"


@pytest.mark.proves("B1")
async def test_no_display_is_said_and_the_camera_works_again_later() -> None:
    camera = Camera(":4999")
    with pytest.raises(DeskhandError) as refused:
        await camera.grab(None)
    await camera.close()
    assert refused.value.code == "desktop_unavailable"


@pytest.mark.proves("B1")
async def test_pixels_come_by_shared_memory(camera: Camera) -> None:
    assert await camera.way() == "shared memory"


@pytest.mark.proves("B1")
async def test_a_server_that_shares_no_memory_gives_the_same_picture(
    isolated_desktop: NestedDesktop, monkeypatch: pytest.MonkeyPatch, camera: Camera
) -> None:
    def none(size: int) -> Memory:
        raise OSError("no shared memory here")

    async with rig(isolated_desktop) as made, plain_window(made, "900", "700", "50", "40", "c08040", "popup"):
        shared = await camera.grab(Rect(890, 690, 100, 100))
        monkeypatch.setattr(film, "Memory", none)
        other = Camera(isolated_desktop.environment["DISPLAY"], isolated_desktop.environment.get("XAUTHORITY"))
        sent = await other.grab(Rect(890, 690, 100, 100))
        assert await other.way() == "connection"
        await other.close()
    assert sent == shared
