"""Cells of tables: found and meant by what they hold, looked at by themselves; what a scrolled view cannot know."""

from __future__ import annotations

from typing import Any

import pytest

from deskhand.desktop.semantics.lines import Limits, grid_lines
from deskhand.desktop.semantics.outline import Item
from deskhand.desktop.targets import still_says
from deskhand.platforms import fake
from deskhand.platforms.fake import FakePlatform, reading
from deskhand.platforms.fake.model import Widget
from deskhand.platforms.fake.world import World
from deskhand.types.errors import DeskhandError
from deskhand.types.nodes import Ability, Cell, Grid, Node
from tests.contract.sessions import Session

ROWS = [("a.txt", "12"), ("Save", "34"), ("c.txt", "34")]


def folder() -> Session:
    return Session(
        FakePlatform(fake.window("Folder", fake.button("Save"), fake.table("Files", ["Name", "Size"], ROWS)))
    )


@pytest.mark.proves("A4")
async def test_find_tells_each_cell_that_matches_by_its_place() -> None:
    session = folder()
    table = await session.ref("Files")
    found = await session.find("34")
    assert [match.ref for match in found.matches] == [f"{table}[2,2]", f"{table}[3,2]"], found.text
    assert f'{table}[2,2] cell "34" in w1' in found.text
    assert [match.ref for match in (await session.find("c.txt", role="cell")).matches] == [f"{table}[3,1]"]
    assert not [match for match in (await session.find("")).matches if match.role == "cell"]


@pytest.mark.proves("A4", "A5")
async def test_a_name_means_an_element_first_and_else_the_cell_that_says_it() -> None:
    session = folder()
    table = await session.ref("Files")
    clicked = await session.act({"do": "click", "on": {"name": "c.txt"}}, {"do": "click", "on": {"name": "Save"}})
    assert [effect.target for effect in clicked.effects] == [
        f"{table}[3,1]",
        f'{await session.ref("Save")} button "Save"',
    ]
    cell = await session.act({"do": "click", "on": {"role": "cell", "name": "Save", "in": table}})
    assert [effect.target for effect in cell.effects] == [f"{table}[2,1]"]
    refused = await session.act({"do": "click", "on": {"name": "34"}})
    assert refused.failure is not None
    assert (refused.failure.code, refused.failure.candidates) == (
        "ambiguous_target", [f'{table}[2,2] cell "34"', f'{table}[3,2] cell "34"'],
    )  # fmt: skip


@pytest.mark.proves("A3")
async def test_a_cell_is_looked_at_by_itself() -> None:
    session = folder()
    table = await session.ref("Files")
    view = await session.observe(target=f"{table}[3,1]")
    assert view.text.splitlines()[1:] == [f'{table}[3,1] cell = "c.txt"']


@pytest.mark.parametrize(("view", "used"), [((0, 0, 9, 9), " used B2:B2"), ((1, 1, 9, 9), "")])
def test_what_a_sheet_uses_is_told_only_from_its_first_cell_on(view: tuple[int, int, int, int], used: str) -> None:
    grid = Grid("t", 1000, 1000, view, (Cell(1, 1, "x"),), spreadsheet=True)
    assert f"1000x1000{used} view" in grid_lines(Item("t", "r1", "table", grid=grid), grid, Limits())[0]


@pytest.mark.proves("A5")
@pytest.mark.parametrize(
    "step",
    [
        {"do": "press", "on": "r999"},
        {"do": "press", "on": "r999[1]"},
        {"do": "window", "on": "w99", "op": "close"},
        {"do": "menu", "path": ["File"], "in": "w99"},
        {"do": "press", "on": {"name": "a.txt", "in": "r999"}},
        {"do": "press", "on": {"name": "a.txt"}, "expect": {"for": "gone", "on": "r999"}},
    ],
)
async def test_a_ref_that_is_none_keeps_all_of_its_batch_back(step: dict[str, Any]) -> None:
    session = folder()
    await session.observe()
    with pytest.raises(DeskhandError) as raised:
        await session.act({"do": "click", "on": {"name": "c.txt"}}, step)
    assert (raised.value.code, raised.value.sent) == ("unknown_ref", "no")
    assert "step 2" in raised.value.message
    assert session.platform.journal == []


async def test_rows_that_only_a_click_selects_are_not_clicked_on_another_route(monkeypatch: pytest.MonkeyPatch) -> None:
    found = reading._abilities

    def unselectable(world: World, widget: Widget) -> Ability:
        own = found(world, widget)
        return own & ~Ability.SELECTION | Ability.VIRTUAL if widget.role == "table" else own

    monkeypatch.setattr(reading, "_abilities", unselectable)
    session = folder()
    step = {"do": "select", "on": {"role": "table"}, "items": ["c.txt"], "route": "accessibility"}
    result = await session.act(step)
    assert result.failure is not None
    assert (result.failure.code, result.failure.sent) == ("unsupported_action", "no")
    assert "by the pointer only" in result.failure.message
    assert session.platform.journal == []


@pytest.mark.proves("A6")
async def test_a_cell_that_was_meant_by_its_text_is_not_another_at_its_place() -> None:
    session = folder()
    sheet = session.platform.world.windows[0].root.children[1].sheet
    assert sheet is not None
    session.gate.then.append(lambda: sheet.cells.update({(2, 0): "d.txt"}))
    result = await session.act({"do": "click", "on": {"name": "c.txt"}})
    assert result.failure is not None
    assert (result.failure.code, result.failure.sent) == ("stale_ref", "no")
    assert 'it says "d.txt", not "c.txt"' in result.failure.message
    assert session.platform.journal == []


@pytest.mark.parametrize(
    ("node", "same"),
    [
        (Node("1", None, "cell", "a"), True),
        (Node("1", None, "cell", "", text="b"), False),
        (Node("1", None, "cell"), True),
        (Node("1", None, "cell", "", text="a", text_length=2000), True),
    ],
)
def test_a_cell_is_the_same_as_far_as_it_tells(node: Node, same: bool) -> None:
    assert still_says(node, "a" if node.text_length == 0 else "a" * 2000) is same
