"""Twenty elements in each application clicked by pointer at their reported bounds; its own state shows the hits."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
import pytest_asyncio

from deskhand.types.geometry import Point, Rect
from deskhand.types.requests import ObserveRequest, PointRequest
from deskhand.types.results import ElementInfo
from tests.apps.abilities_table import SUBJECTS
from tests.apps.subjects import (
    browser,
    calc,
    calculator,
    documents,
    featherpad,
    file_dialog,
    gedit,
    impress,
    mousepad,
    text_editor,
    thunar,
    writer,
    zoo,
)  # fmt: skip
from tests.apps.subjects.operating import dialog_gone
from tests.apps.subjects.stage import Stage
from tests.apps.theatre import Theatre

pytestmark = [pytest.mark.apps, pytest.mark.asyncio(loop_scope="module")]
BY_NAME = {subject.name: subject for subject in SUBJECTS}
ENOUGH = 20


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def theatre(request: pytest.FixtureRequest) -> AsyncIterator[Theatre]:
    """A desktop of its own for each application."""
    made = Theatre(BY_NAME[request.param])
    yield made
    await made.close()


async def click(stage: Stage, target: str) -> int:
    """One pointer click; counts as one."""
    effect = await stage.do("click", on=target, verdict=None)
    assert effect.route == "pointer"
    return 1


async def menus(stage: Stage, names: list[str], *, role: str = "menu", state: str = "selected") -> int:
    """Each menu opens, and no other, as the witness says it by role and state; counts the hits."""
    hits = 0
    for name in names:
        menu = await stage.ref("menu", name)
        hits += await click(stage, menu)
        await stage.shows(role, name, state)
        await stage.popups(True)
        await stage.do("collapse", on=menu)
    return hits


async def toggled(stage: Stage, role: str, seen: str, name: str) -> int:
    """A box or toggle turns, and turns back; counts two hits."""
    ref = await stage.ref(role, name)
    before = "checked" in (await stage.shows(seen, name)).states
    for wanted in (not before, before):
        await click(stage, ref)
        if wanted:
            await stage.shows(seen, name, "checked")
        else:
            await stage.shows(seen, name, without="checked")
    return 2


async def in_mousepad(stage: Stage) -> int:
    hits = await menus(stage, ["File", "Edit", "Search"])
    await stage.do("window", on=stage.window, op="move", rect=[37, 91, 640, 480])
    hits += await menus(stage, ["View", "Document", "Help"])
    await mousepad.fresh(stage, "one two one")
    await mousepad.find_bar(stage)
    for name in ("Match case", "Regular expression"):
        hits += await toggled(stage, "checkbox", "check box", name)
    hits += await click(stage, await stage.ref("button", "Close"))
    await stage.gone("check box", "Match case")
    await mousepad.preferences(stage)
    for name in ("Show line numbers", "Highlight current line", "Wrap long lines"):
        hits += await toggled(stage, "checkbox", "check box", name)
    for name in ("Editor", "Window", "File", "View"):
        hits += await click(stage, await stage.ref("tab", name))
        await stage.shows("page tab", name, "selected")
    await mousepad.leave_preferences(stage)
    return hits


async def in_calculator(stage: Stage) -> int:
    ref, hits, text = await calculator.cleared(stage), 0, ""
    for name in ("7", "8", "9", "÷", "4", "5", "6", "×", "1", "2", "3"):
        hits, text = hits + await click(stage, await stage.ref("button", name)), text + name
        await calculator.shows(stage, text)
    await stage.do("window", on=stage.window, op="move", rect=[120, 40, 365, 496])
    for name in ("−", "(", "0", ".", "π", ")", "+", "√"):
        hits, text = hits + await click(stage, await stage.ref("button", name)), text + name
        await calculator.shows(stage, text)
    await stage.do("set", on=ref, value="")
    hits += await click(stage, await stage.ref("button", "Primary menu"))
    await stage.popups(True)
    hits += await click(stage, await stage.ref("menuitem", "Preferences"))
    await stage.window_is("Preferences", lambda c: True, "the preferences")
    await calculator.leave_preferences(stage)
    return hits


async def cells(stage: Stage, addresses: list[str]) -> int:
    hits, ref = 0, await calc.sheet(stage)
    for address in addresses:
        hits += await click(stage, f"{ref}[{address}]")
        await calc.cursor_is(stage, address)
    return hits


async def in_calc(stage: Stage) -> int:
    hits = await cells(stage, ["A1", "B2", "C7", "F12", "H20", "D31"])
    await stage.do("scroll", on=await calc.sheet(stage), by=[0, 400])
    hits += await cells(stage, ["B45", "E50", "A60"])
    hits += await cells(stage, ["C200"])
    for name in ("Bold", "Italic"):
        hits += await toggled(stage, "toggle", "toggle button", name)
    hits += await menus(stage, ["Edit", "Format", "Data", "Help"])
    for name in ("Other", "Data"):
        hits += await click(stage, await stage.ref("tab", name))
        await stage.shows("page tab", name, "selected")
    return hits


async def in_writer(stage: Stage) -> int:
    hits = 0
    for text in writer.LINES[:8]:
        hits += await click(stage, await documents.paragraph(stage, text))
        await writer.has_caret(stage, text)
    for cell, text in (("A1", "Who"), ("C1", "Note"), ("A2", "Ada")):
        hits += await click(stage, f"{await stage.ref('table')}[{cell}]")
        await writer.has_caret(stage, text)
    for name in ("Formatting Marks", "Italic"):
        hits += await toggled(stage, "toggle", "toggle button", name)
    hits += await menus(stage, ["Edit", "Format", "Table", "Help"])
    await stage.do("menu", path=["Table", "Insert Table…"], expect={"for": "window", "on": "Insert Table"})
    hits += await toggled(stage, "checkbox", "check box", "Heading")
    hits += await click(stage, await stage.ref("button", "Cancel"))
    await dialog_gone(stage, "Insert Table")
    return hits


async def in_impress(stage: Stage) -> int:
    hits = 0
    for name in ("Box 1", "Title 1", "Outline 1"):
        hits += await click(stage, await impress.shape(stage, name))
        await stage.shows("panel", name, "selected")
    for number in (2, 3, 1):
        hits += await click(stage, await stage.ref("listitem", f"Slide {number}"))
        await stage.shows("panel", f"Slide {number}", "selected")
    await impress.shape(stage, "Box 1")
    for name in ("Master Background", "Master Objects"):
        hits += await toggled(stage, "checkbox", "check box", name)
    for name in ("Grid", "Snap to Grid"):
        hits += await toggled(stage, "toggle", "toggle button", name)
    hits += await menus(stage, ["Edit", "Format", "Slide", "Tools", "Help"])
    background = await stage.ref("combobox", "Background")
    hits += await click(stage, background)
    await stage.popups(True)
    await stage.do("collapse", on=background)
    return hits


async def rows(stage: Stage, files: str, numbers: list[int]) -> int:
    hits = 0
    for number in numbers:
        hits += await click(stage, f"{files}[{number}]")
        await file_dialog.row_selected(stage, number - 1)
    return hits


async def in_file_dialog(stage: Stage) -> int:
    files = await file_dialog.opening(stage)
    hits = await rows(stage, files, [4, 7, 12, 20])
    await stage.do("window", on=file_dialog.OPEN, op="move", rect=[140, 60, 1000, 700])
    hits += await rows(stage, files, [5, 9, 40, 50, 63, 2])
    hits += await click(stage, await stage.ref("columnheader", "Size"))
    await stage.until(lambda: file_dialog.row_text(stage, 0), lambda text: text == "f00.txt", "sorted by size")
    hits += await click(stage, await stage.ref("columnheader", "Size"))
    await stage.until(lambda: file_dialog.row_text(stage, 3), lambda text: text == "f59.txt", "sorted the other way")
    hits += await click(stage, await stage.ref("columnheader", "Name"))
    await stage.until(lambda: file_dialog.row_text(stage, 1), lambda text: text == "d1", "sorted by name")
    for number in (0, 1):
        box = await stage.ref("combobox", nth=number)
        hits += await click(stage, box)
        await stage.popups(True)
        await stage.do("collapse", on=box)
    home = os.path.basename(stage.home)
    for folder in (home, "docs", home):
        hits += await click(stage, await stage.ref("toggle", folder))
        await file_dialog.current(stage, folder)
    hits += await click(stage, await stage.ref("button", "Cancel"))
    await dialog_gone(stage, file_dialog.OPEN)
    await file_dialog.saving(stage)
    hits += await click(stage, await stage.ref("textbox", "Name"))
    hits += await click(stage, await stage.ref("button", "Cancel"))
    await dialog_gone(stage, file_dialog.SAVE)
    return hits


async def in_gedit(stage: Stage) -> int:
    """The header bar, a popover, tabs and three pages of a dialog."""
    menu = await stage.ref("toggle", "Menu")
    hits = await click(stage, menu)
    await stage.shows("push button", "Save As…")
    hits += await click(stage, menu)
    await stage.gone("push button", "Save As…")
    await stage.do("window", on=stage.window, op="move", rect=[33, 77, 900, 700])
    await gedit.two_documents(stage)
    for name in ("note.txt", "other.txt", "note.txt"):
        hits += await click(stage, await stage.ref("tab", name))
        await stage.shows("page tab", name, "selected")
    await gedit.one_document(stage)
    await gedit.preferences(stage)
    for name in ("Display grid pattern", "Highlight current line", "Highlight matching brackets"):
        hits += await toggled(stage, "checkbox", "check box", name)
    for name in ("Editor", "Font & Colors", "Plugins", "Editor"):
        hits += await click(stage, await stage.ref("tab", name))
        await stage.shows("page tab", name, "selected")
    for name in ("Insert spaces instead of tabs", "Enable automatic indentation"):
        hits += await toggled(stage, "checkbox", "check box", name)
    hits += await click(stage, await stage.ref("button", "Close"))
    await dialog_gone(stage, gedit.PREFERENCES)
    return hits


async def popovers(stage: Stage, names: list[str]) -> int:
    """Each button opens its popover, and closes it; counts two hits each."""
    hits = 0
    for name in names:
        for opened in (True, False):
            hits += await click(stage, await stage.ref("button", name))
            await stage.popups(opened)
    return hits


async def in_text_editor(stage: Stage) -> int:
    """The header bar, popovers, tabs and the switches of a dialog, two of them scrolled into view."""
    hits = await popovers(stage, ["View", "Menu"])
    await stage.do("window", on=stage.window, op="move", rect=[37, 91, 640, 480])
    hits += await popovers(stage, ["View", "Menu"])
    await text_editor.two_documents(stage)
    for name in ("note.txt", "other.txt", "note.txt"):
        hits += await click(stage, await stage.ref("tab", name))
        await stage.window_is(name, lambda c: True, f"{name} in front")
    await text_editor.one_document(stage)
    await text_editor.preferences(stage)
    for name in (text_editor.GRID, "Highlight Current Line", "Discover Document Settings", "Display Overview Map"):
        hits += await toggled(stage, "checkbox", "switch", name)
    hits += await click(stage, await stage.ref("button", "Close"))
    await dialog_gone(stage, text_editor.PREFERENCES)
    return hits


async def in_thunar(stage: Stage) -> int:
    """Menus, rows, column heads, the toolbar, tabs and boxes of a dialog."""
    hits = await menus(stage, ["File", "Edit", "View"])
    await stage.do("window", on=stage.window, op="move", rect=[37, 91, 700, 560])
    hits += await menus(stage, ["Go", "Bookmarks", "Help"])
    table = await thunar.files(stage)
    for row, said in ((4, "f01.txt"), (8, "f05.txt"), (40, "f37.txt"), (62, "f59.txt"), (3, "f00.txt"), (1, "box")):
        hits += await click(stage, f"{table}[{row}]")
        await thunar.says(stage, f'"{said}"')
    hits += await click(stage, await stage.ref("button", "Open Parent"))
    await thunar.at(stage, "home")
    hits += await click(stage, await stage.ref("button", "Back"))
    await thunar.at(stage, "shelf")
    await thunar.preferences(stage)
    for name in (thunar.BINARY, "Sort folders before files"):
        hits += await toggled(stage, "checkbox", "check box", name)
    for name in ("Behavior", "Advanced", "Display"):
        hits += await click(stage, await stage.ref("tab", name))
        await stage.shows("page tab", name, "selected")
    hits += await click(stage, await stage.ref("button", "Close"))
    await dialog_gone(stage, thunar.PREFERENCES)
    return hits


async def in_featherpad(stage: Stage) -> int:
    """Menus, the toolbar, fields of the window, boxes and pages of a dialog."""
    hits = await menus(stage, ["File", "Edit", "Options"], role="menu item", state="focused")
    await stage.do("window", on=stage.window, op="move", rect=[37, 91, 700, 560])
    hits += await menus(stage, ["Search", "Help"], role="menu item", state="focused")
    await stage.do("type", on=await featherpad.editor(stage), value="word")
    for name, held in (("Undo", ""), ("Redo", "word")):
        hits += await click(stage, await stage.ref("button", name))
        await featherpad.holds(stage, held)
    for nth in (1, 0):
        hits += await click(stage, await stage.ref("textbox", nth=nth))
        await stage.shows("text", None, "focused", nth=nth)
    await featherpad.preferences(stage)
    for name in ("Remember window position on closing", "Remember splitter position", "Do not show toolbar"):
        hits += await toggled(stage, "checkbox", "check box", name)
    for name in ("Text", "Files", "Shortcuts", "Syntax Colors", "Window"):
        hits += await click(stage, await stage.ref("tab", name))
        await stage.shows("page tab", name, "focused")
    hits += await click(stage, await stage.ref("button", "Close"))
    await dialog_gone(stage, featherpad.PREFERENCES)
    return hits


async def in_zoo(stage: Stage) -> int:
    """Buttons, boxes, radio buttons, tabs and cells of the zoos, before and after their window has moved."""
    await zoo.page(stage, "Buttons")
    hits = 0
    for name in ("Save", "Delete", "Replaced", "Renamed", "Reload", "Stop"):
        hits += await zoo_button(stage, name)
    await stage.do("window", on=stage.window, op="move", rect=[87, 51, 700, 620])
    for name in ("OK r22, Delete", "Replaced", "Save", "Stop"):
        hits += await zoo_button(stage, name)
    for name in ("Blue", "Green", "Red"):
        hits += await click(stage, await stage.ref("radio", name))
        await zoo.tells(stage, "radio", name)
    for number, name in enumerate(zoo.PAGES[1:], 1):
        hits += await click(stage, await stage.ref("tab", name))
        await zoo.tells(stage, "tab", number)
    hits += await click(stage, await stage.ref("tab", "Table"))
    table = await stage.ref("table", "Stock")
    for row in (1, 5, 9):
        hits += await click(stage, f"{table}[{row},2]")
        await zoo.is_chosen(stage, row)
    await zoo.page(stage, "Buttons")
    return hits


async def zoo_button(stage: Stage, name: str) -> int:
    before = await zoo.presses(stage, name)
    hit = await click(stage, await stage.ref("button", name))
    await zoo.pressed(stage, name, before + 1)
    return hit


async def in_browser(stage: Stage) -> int:
    """Boxes, radio buttons, fields, cells and links of a page, some below the fold; the page's scripts are told."""
    await browser.on_page(stage, browser.FORM)
    hits = 0
    for name, told in (("First name", "first"), ("Telephone", "tel"), ("Search", "search"), ("Comments", "comments")):
        hits += await click(stage, await browser.named(stage, name, "textbox"))
        await browser.has_focus(stage, told)
    for name, told, held in (("Newsletter", "news", False), ("Terms", "terms", True)):
        for wanted in (not held, held):
            hits += await click(stage, await browser.named(stage, name, "checkbox"))
            await browser.field(stage, told, wanted)
    for name in ("Large", "Medium", "Small"):
        hits += await click(stage, await browser.named(stage, name, "radio"))
        await browser.field(stage, "size", name.lower())
    await stage.do("window", on=stage.window, op="restore", verdict=None)
    await stage.do("window", on=stage.window, op="resize", rect=[37, 41, 900, 700])
    for name in ("Ladders", "Home", "Rooms", "Contact"):
        hits += await click(stage, await browser.named(stage, name, "link"))
        await browser.went_to(stage, f"#{name.lower()}")
    table = await browser.named(stage, "Sales", "table")
    for place, text in (("[2,1]", "North"), ("[11,5]", "233"), ("[6,3]", "38")):
        hits += await click(stage, f"{table}{place}")
        await browser.did(stage, f"click {text}")
    hits += await click(stage, await browser.named(stage, "Count", "button"))
    await browser.did(stage, "click Count")
    await browser.on_page(stage, browser.WIDGETS)
    hits += await click(stage, await browser.named(stage, "Deep box", "checkbox"))
    await browser.field(stage, "deepbox", True)
    return hits


HITS: dict[str, Callable[[Stage], Awaitable[int]]] = {
    "mousepad": in_mousepad, "calculator": in_calculator, "calc": in_calc, "file-dialog": in_file_dialog,
    "gedit": in_gedit, "text-editor": in_text_editor, "thunar": in_thunar,
    "chromium": in_browser, "firefox": in_browser,
    "writer": in_writer, "impress": in_impress, "featherpad": in_featherpad, "qt": in_zoo, "swing": in_zoo,
}  # fmt: skip


@pytest.mark.proves("A4", "report-3", "report-14")
@pytest.mark.parametrize("theatre", HITS, indirect=True, scope="module")
async def test_twenty_clicks_hit_what_they_were_meant_for(theatre: Theatre) -> None:
    stage = await theatre.set()

    hits = await HITS[theatre.subject.name](stage)

    assert hits >= ENOUGH
    await stage.at_rest()
    theatre.spoilt = False


def own_middles(elements: list[ElementInfo]) -> list[tuple[ElementInfo, Point]]:
    """Elements that show with their middle, where no other element lies on it."""
    placed = [(e, Rect(*e.bounds)) for e in elements if e.bounds and not {"hidden", "offscreen"} & set(e.states)]
    return [
        (element, rect.centre)
        for element, rect in placed
        if not any(
            other.contains(*rect.centre) and other.w * other.h <= rect.w * rect.h
            for another, other in placed
            if another is not element
        )
    ]


@pytest.mark.proves("A8")
@pytest.mark.parametrize("theatre", HITS, indirect=True, scope="module")
async def test_a_point_is_what_the_element_there_says_of_itself(theatre: Theatre) -> None:
    stage = await theatre.set()
    view = await stage.session.observe(ObserveRequest(budget=20_000))
    middles = own_middles(view.elements)
    assert len(middles) >= 5, view.text

    for element, middle in middles[:: max(1, len(middles) // 12)]:
        found = await stage.session.point(PointRequest(x=middle.x, y=middle.y))

        assert found.window == view.window, found.text
        assert found.element is not None, f"{element}: {found.text}"
        text = not found.element.ref  # plain text has no ref; what holds it has
        told = found.ancestors[-1] if text else found.element
        assert told.ref.partition("[")[0] == element.ref, f"{element}: {found.text}"
        assert told.bounds is not None
        assert Rect(*told.bounds).contains(*middle)

    await stage.at_rest()
    theatre.spoilt = False
