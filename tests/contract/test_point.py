"""point: what is told of a pixel is what the elements themselves tell."""

from __future__ import annotations

import pytest

from deskhand.platforms import fake
from deskhand.platforms.base import ReadLimits
from deskhand.platforms.fake import FakePlatform
from deskhand.types.errors import DeskhandError
from deskhand.types.geometry import Rect
from deskhand.types.requests import PointRequest
from deskhand.types.results import PointResult
from tests.contract.golden import desk
from tests.contract.sessions import Session


async def point(session: Session, x: int, y: int) -> PointResult:
    return await session.desktop.point(PointRequest(x=x, y=y))


@pytest.mark.proves("A8")
async def test_every_showing_element_is_found_in_its_own_middle() -> None:
    session = Session(desk())
    view = await session.observe(target="Editor", detail=["bounds"])
    tried = 0
    for element in view.elements:
        assert element.bounds is not None
        if element.role in ("menubar", "toolbar"):
            continue  # their middle belongs to what they hold
        found = await point(session, *Rect(*element.bounds).centre)
        assert found.element is not None
        assert (found.element.ref, found.window) == (element.ref, view.window)
        tried += 1
    assert tried > 8


@pytest.mark.proves("A8")
async def test_what_holds_an_element_is_told_outermost_first() -> None:
    session = Session(desk())
    bold = next(e for e in (await session.observe(target="Editor")).elements if e.name == "Bold")
    assert bold.bounds is not None
    found = await point(session, *Rect(*bold.bounds).centre)
    assert [e.name for e in found.ancestors] == ["Buttons"]
    assert "Italic" in [e.name for e in found.near]
    assert found.text.splitlines()[2].endswith('toolbar "Buttons"')


@pytest.mark.proves("A8")
async def test_a_cell_is_named_by_its_address() -> None:
    session = Session(desk())
    sheet = next(e for e in (await session.observe(target="Sheet")).elements if e.role == "table")
    window = next(w for w in await session.platform.windows() if w.title == "Sheet")
    tree = await session.platform.read(window.root or "", ReadLimits())
    key = next(iter(tree.grids))
    for place, address in (((0, 0), "A1"), ((1, 1), "B2"), ((6, 2), "C7")):
        cell = await session.platform.cell(key, *place)
        assert cell.bounds is not None
        found = await point(session, *cell.bounds.centre)
        assert found.element is not None
        assert found.element.ref == f"{sheet.ref}[{address}]"
        assert [e.ref for e in found.ancestors][-1] == sheet.ref


@pytest.mark.proves("A8")
async def test_the_pointer_is_asked_where_it_is() -> None:
    session = Session(desk())
    await session.act({"do": "hover", "on": {"role": "button", "name": "Italic", "in": "Editor"}})
    found = await session.desktop.point(PointRequest(cursor=True))
    assert found.element is not None
    assert found.element.name == "Italic"


async def test_beside_all_windows_there_is_nothing() -> None:
    session = Session(FakePlatform(fake.window("Small", fake.button("One"), at=Rect(0, 0, 100, 100)), app="small"))
    found = await point(session, 700, 700)
    assert found.text == "point 700,700: no window is there"
    assert found.element is None


async def test_where_nothing_accessible_is_the_window_and_the_way_on_are_told() -> None:
    session = Session(FakePlatform(fake.window("Game", at=Rect(0, 0, 400, 400)), app="game"))
    found = await point(session, 300, 390)
    assert found.window
    assert 'in w1 "Game"' in found.text


async def test_an_element_that_was_told_by_point_can_be_acted_on() -> None:
    session = Session(desk())
    bold = next(e for e in (await session.observe(target="Editor")).elements if e.name == "Bold")
    assert bold.bounds is not None
    found = await point(session, *Rect(*bold.bounds).centre)
    assert found.element is not None
    await session.act({"do": "window", "on": "Editor", "op": "activate"})
    assert (await session.act({"do": "press", "on": found.element.ref})).failure is None


@pytest.mark.parametrize("asked", [{}, {"x": 1}, {"x": 1, "y": 1, "cursor": True}])
def test_a_point_is_two_numbers_or_the_pointer(asked: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="x and y"):
        PointRequest.model_validate(asked)


async def test_a_window_that_hangs_says_so() -> None:
    session = Session(desk())
    await session.observe(target="Editor")
    session.platform.faults.freeze("editor")
    with pytest.raises(DeskhandError) as raised:
        await point(session, 100, 100)
    assert raised.value.code == "app_unresponsive"
