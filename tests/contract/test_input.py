"""input: pointer and keyboard in a picture's frame, judged by what they reach, told with evidence."""

from __future__ import annotations

from typing import Any

import pytest

from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Rect
from tests.contract.golden import desk
from tests.contract.sessions import Session


async def middle(session: Session, name: str) -> tuple[int, int]:
    """The middle of an element of the window "Editor", in root pixels."""
    view = await session.observe(target="Editor", detail=["bounds"])
    element = next(e for e in view.elements if e.name == name)
    assert element.bounds is not None
    centre = Rect(*element.bounds).centre
    return centre.x, centre.y


@pytest.mark.proves("B2", "A7")
async def test_a_click_in_the_picture_reaches_what_lies_there_and_tells_its_effect() -> None:
    session = Session(desk())
    await session.act({"do": "window", "on": "Editor", "op": "activate"})
    x, y = await middle(session, "Bold")
    picture = await session.look(max_pixels=2_000_000)
    result = await session.input(picture, {"type": "click", "x": x, "y": y})
    assert result.failure is None
    assert result.effects[0].target.startswith(f"{x},{y} r")
    assert (result.effects[0].before, result.effects[0].after, result.effects[0].verdict) == ("off", "on", "verified")
    assert f"{x},{y}" in result.text


@pytest.mark.proves("B1", "report-4")
async def test_places_in_a_scaled_picture_of_a_window_are_those_of_the_picture() -> None:
    session = Session(desk())
    await session.act({"do": "window", "on": "Editor", "op": "activate"})
    x, y = await middle(session, "Bold")
    picture = await session.look(target="Editor", max_pixels=60_000)
    assert picture.scale < 1
    at = [round((x - picture.bounds[0]) * picture.scale), round((y - picture.bounds[1]) * picture.scale)]
    result = await session.input(picture, {"action": "left_click", "coordinate": at})
    assert result.effects[0].after == "on"


@pytest.mark.proves("B3", "report-30")
async def test_a_window_that_moved_takes_no_click_and_a_new_picture_is_there() -> None:
    session = Session(desk())
    x, y = await middle(session, "Bold")
    picture = await session.look()
    window = next(w for w in session.platform.world.windows if w.title == "Editor")
    window.bounds = window.bounds.moved(7, 0)
    sent = list(session.platform.journal)
    result = await session.input(picture, {"type": "click", "x": x, "y": y})
    assert result.failure is not None
    assert (result.failure.code, result.failure.sent) == ("layout_changed", "no")
    assert "Editor" in result.failure.found
    assert session.platform.journal == sent
    assert result.picture is not None
    assert result.picture.lease not in ("", picture.lease)


@pytest.mark.proves("B2")
@pytest.mark.parametrize(
    ("action", "complaint"),
    [
        ({"type": "click"}, "click needs at"),
        ({"type": "click", "x": 1, "y": 1, "scroll_y": 3}, "scroll_y"),
        ({"action": "left_clik", "coordinate": [1, 1]}, "click"),
        ({"type": "drag", "path": [{"x": 1, "y": 1}]}, "path"),
    ],
)
async def test_what_is_no_action_is_refused_before_anything(action: dict[str, Any], complaint: str) -> None:
    session = Session(desk())
    picture = await session.look()
    with pytest.raises(ValueError, match=complaint):
        await session.input(picture, action)
    assert session.platform.journal == []


@pytest.mark.proves("B1")
async def test_a_place_beyond_the_picture_is_refused() -> None:
    session = Session(desk())
    picture = await session.look()
    with pytest.raises(DeskhandError, match="outside of the picture") as refused:
        await session.input(picture, {"type": "click", "x": picture.width, "y": 3})
    assert refused.value.code == "invalid_request"
