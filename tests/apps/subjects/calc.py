"""LibreOffice Calc: a sheet of a million rows, toolbars, dialogs of tabs, lists and spin buttons."""

from __future__ import annotations

import asyncio
import zipfile
from pathlib import Path

from deskhand.types.results import Effect
from tests.apps.subjects import spreadsheet
from tests.apps.subjects.operating import open_by_letter, operate_window
from tests.apps.subjects.row import FirstView, Subject
from tests.apps.subjects.spreadsheet import Kept
from tests.apps.subjects.stage import Stage
from tests.apps.subjects.witness import Seen

TITLE = "abilities.ods"
ROWS: list[list[str | int | float]] = [["Name", "Region", "Qty", "Price"]]
ROWS += [[f"Item {n}", ("North", "South", "East")[n % 3], n, n + 0.5] for n in range(1, 20)]


async def prepare(stage: Stage) -> None:
    """A document of two sheets, the first with 20 rows."""
    spreadsheet.write(stage.home / TITLE, {"Data": ROWS, "Other": [["other"]]})
    await stage.open(app="libreoffice calc", file=TITLE)


subject = Subject("calc", "LibreOffice", prepare, title="LibreOffice Calc", first=FirstView(1000, 0.95))


async def sheet(stage: Stage) -> str:
    return await stage.ref("table", window=stage.window)


async def name_box(stage: Stage) -> Seen:
    return await stage.shows("text")


async def cursor_is(stage: Stage, address: str) -> None:
    await stage.until(lambda: name_box(stage), lambda seen: seen.text == address, f"the name box shows {address}")


async def to_cell(stage: Stage, address: str) -> str:
    """The sheet's ref, with the cursor on a cell."""
    ref = await sheet(stage)
    await stage.do("select", on=ref, range=address, verdict=None)
    await cursor_is(stage, address)
    return ref


async def saved(stage: Stage, name: str = "Data") -> dict[str, Kept]:
    """A sheet's cells as the file has them after ctrl+S."""
    path = stage.home / TITLE
    before = path.stat().st_mtime_ns
    await stage.do("key", on=await sheet(stage), keys="ctrl+s", verdict=None)

    await stage.until(lambda: _written(path), lambda found: found not in (0, before), "the document is saved")
    return spreadsheet.read(path)[name]


async def _written(path: Path) -> int:
    """When the file was written, 0 while it is not whole: it is written in several goes."""
    try:
        first = path.stat().st_mtime_ns  # noqa: ASYNC240
        await asyncio.sleep(0.1)
        whole = zipfile.is_zipfile(path)
        return first if whole and path.stat().st_mtime_ns == first else 0  # noqa: ASYNC240
    except FileNotFoundError:
        return 0


async def seen_cell(stage: Stage, row: int, column: int) -> str:
    table = await stage.shows("table")
    return (await stage.witness.cell(table, row, column)).text


async def dialog(stage: Stage, title: str, *path: str) -> None:
    await stage.do("menu", path=list(path), expect={"for": "window", "on": title})


async def dialog_gone(stage: Stage, title: str) -> None:
    await stage.until(lambda: stage.client(title), lambda client: client is None, f"{title} closed")


@subject.row("press", "Bold on a cell", "the cell's style in the saved file")
async def press(stage: Stage) -> None:
    await to_cell(stage, "A2")
    await stage.do("press", on=await stage.ref("toggle", "Bold"))
    assert ("font-weight", "bold") in (await saved(stage))["A2"].properties
    await stage.do("press", on=await stage.ref("toggle", "Bold"))
    assert ("font-weight", "bold") not in (await saved(stage))["A2"].properties


@subject.row("click", "a cell that shows, and one that is scrolled away", "the name box's text (AT-SPI)")
async def click(stage: Stage) -> None:
    ref = await to_cell(stage, "A1")
    for address in ("C5", "B200", "A2"):
        await stage.do("click", on=f"{ref}[{address}]", verdict=None)
        await cursor_is(stage, address)


@subject.row("set", "texts, numbers, a date, a formula, nothing", "the cells in the saved file")
async def set_cells(stage: Stage) -> None:
    ref = await sheet(stage)
    wanted: list[tuple[str, str | float, str]] = [
        ("F2", "Süd Ost", "verified"), ("F3", 42, "verified"), ("F4", -3.25, "verified"), ("F5", "=C2+40", "changed"),
        ("F6", "00123x", "verified"), ("F7", "gone", "verified"), ("F7", "", "verified"), ("F7", "", "unchanged"),
        ("F2", "Süd Ost", "unchanged"),
    ]  # fmt: skip
    for address, value, verdict in wanted:
        effect = await stage.do("set", on=f"{ref}[{address}]", value=value, verdict=verdict)
        assert verdict != "changed" or effect.after == '"41"'
    cells = await saved(stage)
    assert cells["F2"].text == "Süd Ost"
    assert (cells["F3"].type, cells["F3"].value) == ("float", "42")
    assert (cells["F4"].type, cells["F4"].value) == ("float", "-3.25")
    assert (cells["F5"].value, cells["F5"].formula) == ("41", "of:=[.C2]+40")
    assert cells["F6"].text == "00123x"
    assert "F7" not in cells


@subject.row("set", "a date: what the application makes of it is told", "type and value in the saved file")
async def set_date(stage: Stage) -> None:
    ref = await sheet(stage)
    effect = await stage.do("set", on=f"{ref}[G2]", value="2026-03-01", verdict=None)
    kept = (await saved(stage))["G2"]
    assert (kept.type, kept.value) == ("date", "2026-03-01")
    assert effect.after == f'"{kept.text}"'
    assert effect.verdict == ("verified" if kept.text == "2026-03-01" else "changed")


@subject.row("set", "the beginning of a text that stands above: it is not completed", "the saved file")
async def set_completing(stage: Stage) -> None:
    ref = await sheet(stage)
    for address, value in (("A21", "Ite"), ("B21", "Nor"), ("A22", "Item 1")):
        await stage.do("set", on=f"{ref}[{address}]", value=value)
    cells = await saved(stage)
    assert [cells[a].text for a in ("A21", "B21", "A22")] == ["Ite", "Nor", "Item 1"]
    for address in ("A21", "B21", "A22"):
        await stage.do("set", on=f"{ref}[{address}]", value="")


@subject.row("set", "cells far below: B200, A1048576", "the saved file")
async def set_far(stage: Stage) -> None:
    ref = await sheet(stage)
    for address in ("B200", "A1048576"):
        await stage.do("set", on=f"{ref}[{address}]", value="far")
    cells = await saved(stage)
    assert {a for a, kept in cells.items() if kept.text == "far"} == {"B200", "A1048576"}
    for address in ("B200", "A1048576"):
        await stage.do("set", on=f"{ref}[{address}]", value="")
    await to_cell(stage, "A1")


@subject.row("set", "the font's name, an editable combo box of the toolbar", "the cell's style in the saved file")
async def set_font(stage: Stage) -> None:
    await to_cell(stage, "B2")
    font = await stage.ref("textbox", "Font Name")
    await stage.do("set", on=font, value="DejaVu Serif")
    await stage.do("key", on=font, keys="Return", verdict=None)
    properties = dict((await saved(stage))["B2"].properties)
    assert "DejaVu Serif" in (properties.get("font-name"), properties.get("font-family"))


@subject.row("set", "a spin button of a dialog: decimal places", "the cell's text in the saved file")
async def set_number(stage: Stage) -> None:
    await to_cell(stage, "D2")
    await dialog(stage, "Format Cells", "Format", "Cells…")
    await stage.do("set", on=await stage.ref("spinbutton", "Decimal places"), value=3)
    await stage.do("press", on=await stage.ref("button", "OK"))
    await dialog_gone(stage, "Format Cells")
    assert (await saved(stage))["D2"].text == "1.500"


@subject.row("append", "to a cell's text and to a number", "the saved file")
async def append(stage: Stage) -> None:
    ref = await sheet(stage)
    await stage.do("set", on=f"{ref}[H2]", value="one")
    await stage.do("append", on=f"{ref}[H2]", value=" two")
    await stage.do("set", on=f"{ref}[H3]", value=4)
    await stage.do("append", on=f"{ref}[H3]", value="2")
    cells = await saved(stage)
    assert cells["H2"].text == "one two"
    assert cells["H3"].value == "42"


@subject.row("type", "two cells with Tab and Return between", "the saved file")
async def type_text(stage: Stage) -> None:
    ref = await to_cell(stage, "I2")
    await stage.do("type", on=f"{ref}[I2]", value="left\tright ß日\n", verdict=None)
    cells = await saved(stage)
    assert (cells["I2"].text, cells["J2"].text) == ("left", "right ß日")


@subject.row("key", "ctrl+Home, Right, Delete", "the name box (AT-SPI); the saved file")
async def key(stage: Stage) -> None:
    ref = await sheet(stage)
    await stage.do("set", on=f"{ref}[K3]", value="gone", verdict=None)
    await to_cell(stage, "K3")
    await stage.do("key", on=ref, keys="Delete", verdict=None)
    assert "K3" not in await saved(stage)
    await stage.do("key", on=ref, keys="ctrl+Home", verdict=None)
    await cursor_is(stage, "A1")
    await stage.do("key", keys="Right", count=3, verdict=None)
    await cursor_is(stage, "D1")


@subject.row("select", "the cells B2:D5, while the name box has the focus", "the name box (AT-SPI)")
async def select_range(stage: Stage) -> None:
    ref = await sheet(stage)
    await stage.do("focus", on=await stage.ref("textbox", "Name Box"))
    await stage.do("select", on=ref, range="B2:D5")
    await cursor_is(stage, "B2:D5")
    await stage.shows("text", without="focused")
    await stage.do("select", on=ref, range="D5:B2")
    await cursor_is(stage, "B2:D5")
    await to_cell(stage, "A1")


@subject.row("select", "another sheet's tab", "the tab and the sheet's name (AT-SPI)")
async def select_tab(stage: Stage) -> None:
    tabs = await stage.ref("tablist")
    for name in ("Other", "Data"):
        await stage.do("select", on=tabs, items=[name])
        await stage.shows("page tab", name, "selected")
        await stage.shows("table", f"Sheet {name}")
        await stage.do("select", on=tabs, items=[name], verdict="unchanged")


@subject.row("select", "a category in a dialog's list", "the cell's text in the saved file")
async def select_item(stage: Stage) -> None:
    await to_cell(stage, "C3")
    await dialog(stage, "Format Cells", "Format", "Cells…")
    await stage.do("select", on=await stage.ref("table", nth=1), items=["Percent"])
    await stage.do("press", on=await stage.ref("button", "OK"))
    await dialog_gone(stage, "Format Cells")
    assert (await saved(stage))["C3"].type == "percentage"


@subject.row("check", "Thousands separator in a dialog; Bold in the toolbar", "the saved file")
async def check(stage: Stage) -> None:
    ref = await sheet(stage)
    await stage.do("set", on=f"{ref}[L2]", value=12345, verdict=None)
    await to_cell(stage, "L2")
    await dialog(stage, "Format Cells", "Format", "Cells…")
    await stage.do("check", on=await stage.ref("checkbox", "Thousands separator"))
    await stage.do("press", on=await stage.ref("button", "OK"))
    await dialog_gone(stage, "Format Cells")
    await stage.do("check", on=await stage.ref("toggle", "Bold"))
    await stage.do("check", on=await stage.ref("toggle", "Bold"), verdict="unchanged")
    kept = (await saved(stage))["L2"]
    assert kept.text == "12,345"
    assert ("font-weight", "bold") in kept.properties


@subject.row("uncheck", "Bold in the toolbar", "the cell's style in the saved file")
async def uncheck(stage: Stage) -> None:
    ref = await sheet(stage)
    await stage.do("set", on=f"{ref}[L3]", value="bold", verdict=None)
    await to_cell(stage, "L3")
    await stage.do("check", on=await stage.ref("toggle", "Bold"), verdict=None)
    await stage.do("uncheck", on=await stage.ref("toggle", "Bold"))
    assert ("font-weight", "bold") not in (await saved(stage))["L3"].properties


@subject.row("expand", "the Format menu", "its popup is on the screen (X11)")
async def expand(stage: Stage) -> None:
    menu = await stage.ref("menu", "Format")
    await stage.do("expand", on=menu)
    await stage.popups(True)
    await stage.do("collapse", on=menu)


@subject.row("key", "alt+F opens the File menu, which stays open", "an open menu (X11)")
async def key_letter(stage: Stage) -> None:
    await open_by_letter(stage)


@subject.row("collapse", "the Format menu", "no popup is on the screen (X11)")
async def collapse(stage: Stage) -> None:
    menu = await stage.ref("menu", "Format")
    await stage.do("expand", on=menu)
    await stage.popups(True)
    await stage.do("collapse", on=menu)
    await stage.popups(False)


@subject.row("focus", "the name box, then the sheet", "who is focused (AT-SPI)")
async def focus(stage: Stage) -> None:
    ref = await to_cell(stage, "A1")
    await stage.do("focus", on=await stage.ref("textbox"))
    await stage.shows("text", None, "focused")
    await stage.do("focus", on=ref)
    await stage.shows("text", None, without="focused")


@subject.row("scroll", "the sheet by the wheel, a far cell into view, back to the top", "the scroll bar (AT-SPI)")
async def scroll(stage: Stage) -> None:
    ref = await to_cell(stage, "A1")

    async def top() -> float:
        return (await stage.shows("scroll bar", "Vertical scroll bar")).number or 0

    await stage.do("scroll", on=ref, by=[0, 400])
    assert await top() > 0
    await stage.do("scroll", on=ref, to="top")
    assert await top() == 0
    await stage.do("scroll", on=ref, to="top", verdict="unchanged")
    await stage.do("scroll", on=f"{ref}[C300]", to="view")
    assert await top() > 100
    await to_cell(stage, "A1")


@subject.row("menu", "Sheet > Insert Sheet…, its dialog filled in and left by OK", "the saved file's sheets")
async def insert_sheet(stage: Stage) -> None:
    await dialog(stage, "Insert Sheet", "Sheet", "Insert Sheet…")
    await stage.do("select", on=await stage.ref("group", "Position"), items=["After current sheet"], verdict=None)
    await stage.do("set", on=await stage.ref("textbox", "Name"), value="Neu")
    await stage.do("press", on=await stage.ref("button", "OK"))
    await dialog_gone(stage, "Insert Sheet")
    await saved(stage)
    assert list(spreadsheet.read(stage.home / TITLE)) == ["Data", "Neu", "Other"]
    await stage.do("select", on=await stage.ref("tablist"), items=["Data"])


@subject.row("menu", "Edit > Find and Replace…: Replace All", "the saved file")
async def replace_all(stage: Stage) -> None:
    ref = await sheet(stage)
    for address in ("M2", "M3"):
        await stage.do("set", on=f"{ref}[{address}]", value="needle one", verdict=None)
    await to_cell(stage, "A1")
    await dialog(stage, "Find and Replace", "Edit", "Find and Replace…")
    fields = [e.ref for e in (await stage.view()).elements if e.role == "textbox"]
    await stage.do("set", on=fields[0], value="needle")
    await stage.do("set", on=fields[1], value="thread")
    await stage.do("press", on=await stage.ref("button", "Replace All"), verdict=None)
    for title in ("Search Results", "Find and Replace"):
        if await stage.client(title) is not None:
            await stage.do("window", on=title, op="close")
            await dialog_gone(stage, title)
    cells = await saved(stage)
    assert [cells[a].text for a in ("M2", "M3")] == ["thread one"] * 2


@subject.row("menu", "an item that is not there", "nothing stays open (X11)")
async def menu_missing(stage: Stage) -> None:
    result = await stage.act({"do": "menu", "path": ["Format", "Cells of Gold"]})
    assert result.failure is not None
    assert result.failure.code == "not_found"
    await stage.popups(False)


@subject.row("window", "move, maximise, restore, minimise, activate; a dialog closed", "the window's X11 state")
async def window(stage: Stage) -> None:
    await operate_window(stage, TITLE)
    await dialog(stage, "Format Cells", "Format", "Cells…")
    await stage.do("window", on="Format Cells", op="close")
    await dialog_gone(stage, "Format Cells")


@subject.row("open", "a second document", "its window; one process only (X11)")
async def open_again(stage: Stage) -> None:
    spreadsheet.write(stage.home / "second.ods", {"Second": [["two"]]})
    await stage.do("open", app="libreoffice calc", file="second.ods")
    await stage.window_is("second.ods", lambda c: True, "its window")
    assert len({c.pid for c in await stage.witness.clients()}) == 1
    await stage.do("window", on="second.ods - LibreOffice Calc", op="close")
    await stage.until(lambda: stage.client("second.ods"), lambda c: c is None, "second.ods closed")
    await stage.do("window", on=stage.window, op="activate", verdict=None)


@subject.row("wait", "for a cell's value that a formula gives", "the cell's text (AT-SPI)")
async def wait(stage: Stage) -> None:
    ref = await sheet(stage)
    result = await stage.act(
        {"do": "set", "on": f"{ref}[N2]", "value": "=6*7"},
        {"do": "wait", "for": "value", "on": f"{ref}[N2]", "is": "42"},
        {"do": "wait", "for": "window", "on": "Nowhere", "timeout": 0.3},
    )
    assert result.done == 2, result.text
    assert result.failure is not None
    assert result.failure.code == "wait_timeout"
    assert await seen_cell(stage, 1, 13) == "42"


@subject.row("expect", "a cell's value, and one that is not so", "the cell's text (AT-SPI)")
async def expect(stage: Stage) -> None:
    ref = await sheet(stage)
    cell = f"{ref}[N3]"
    await stage.do("set", on=cell, value="=40+2", expect={"for": "value", "on": cell, "is": "42"})
    assert await seen_cell(stage, 2, 13) == "42"
    wrong = {"for": "value", "on": cell, "is": "43", "timeout": 0.3}
    result = await stage.act({"do": "click", "on": cell, "expect": wrong})
    assert result.failure is not None
    assert result.failure.code == "expectation_failed"


@subject.row("hover", "a cell", "where the pointer is (X11)")
async def hover(stage: Stage) -> None:
    ref = await to_cell(stage, "A1")
    await stage.do("hover", on=f"{ref}[C5]", verdict=None)
    x, y, w, h = (await stage.witness.cell(await stage.shows("table"), 4, 2)).bounds
    pointer = await stage.witness.pointer()
    assert x <= pointer[0] < x + w
    assert y <= pointer[1] < y + h + 30  # LibreOffice tells its cells one menu bar too high


@subject.row("drag", "from one cell to another", "the name box (AT-SPI)")
async def drag(stage: Stage) -> None:
    ref = await to_cell(stage, "A1")
    await stage.do("drag", on=f"{ref}[B3]", to=f"{ref}[D6]", verdict=None)
    await cursor_is(stage, "B3:D6")
    await to_cell(stage, "A1")


@subject.row("invoke", "the Format menu's own action", "its popup is on the screen (X11)")
async def invoke(stage: Stage) -> None:
    menu = await stage.ref("menu", "Format")
    await stage.do("invoke", on=menu, action="click", verdict="changed")
    await stage.popups(True)
    await stage.do("collapse", on=menu)


@subject.row("clipboard", "written, pasted; copied, read", "the cell's text (AT-SPI)")
async def clipboard(stage: Stage) -> None:
    ref = await to_cell(stage, "O2")
    await stage.do("clipboard", op="write", value="päste")
    await stage.do("key", on=ref, keys="ctrl+v", verdict=None)

    async def held() -> str:
        return await seen_cell(stage, 1, 14)

    await stage.until(held, lambda text: text == "päste", "the cell holds päste")
    await to_cell(stage, "A3")
    await stage.do("key", on=ref, keys="ctrl+c", verdict=None)
    read: Effect = await stage.do("clipboard", op="read")
    assert read.after is not None
    assert str(read.after).strip('"').rstrip("\\n") == "Item 2"
    await stage.do("key", on=ref, keys="Escape", verdict=None)


@subject.cannot(
    "set", "a cell with two lines", "Return ends a cell's input", "`set` one line, or use two cells", "value_rejected"
)  # fmt: skip
async def set_lines(stage: Stage) -> None:
    failure = await stage.refused("set", on=f"{await sheet(stage)}[P2]", value="one\ntwo")
    assert failure.code == "value_rejected"
    assert "P2" not in await saved(stage)


@subject.refuses(
    "check", "a cell", "a cell is neither on nor off", "`set` it to TRUE", "unsupported_action"
)  # fmt: skip
async def check_a_cell(stage: Stage) -> None:
    assert (await stage.refused("check", on=f"{await sheet(stage)}[P3]")).code == "unsupported_action"


@subject.refuses(
    "expand", "a cell", "a cell has no levels", "`menu` Data > Group and Outline", "unsupported_action"
)  # fmt: skip
async def expand_a_cell(stage: Stage) -> None:
    assert (await stage.refused("expand", on=f"{await sheet(stage)}[P3]")).code == "unsupported_action"
