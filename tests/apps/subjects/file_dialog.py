"""The GTK file dialog, as Mousepad opens it: places, a path bar, a table of files, a name entry, choices."""

from __future__ import annotations

import os
from pathlib import Path

from deskhand.types.results import View
from tests.apps.subjects.operating import dialog_gone
from tests.apps.subjects.row import FirstView, Subject
from tests.apps.subjects.stage import Stage
from tests.apps.subjects.witness import Seen

SAVE, OPEN = "Save As", "Open File"
FILES = 60


async def prepare(stage: Stage) -> None:
    """A note in a folder of 60 files and 3 folders."""
    folder = stage.home / "docs"
    folder.mkdir()
    for n in range(3):
        (folder / f"d{n}").mkdir()
    for n in range(FILES):
        (folder / f"f{n:02}.txt").write_text("x" * n * 10)
    (folder / "d1" / "inside.txt").write_text("inside")
    (folder / "note.txt").write_text("note\n")
    await stage.open(app="mousepad", file=str(folder / "note.txt"))


async def look(stage: Stage) -> View:
    """The view of the dialog for saving."""
    await saving(stage)
    shown = await stage.view(SAVE)
    await leave(stage, SAVE)
    return shown


subject = Subject("file-dialog", "GTK3", prepare, title="GTK file dialog", first=FirstView(750, 1.0), look=look)


async def saving(stage: Stage) -> None:
    await stage.do("menu", path=["File", "Save As…"], expect={"for": "window", "on": SAVE})


async def opening(stage: Stage) -> str:
    """The Open dialog's table of files."""
    await stage.do("menu", path=["File", "Open…"], expect={"for": "window", "on": OPEN})
    await stage.shows("table", "Files")
    return await stage.ref("table", "Files")


async def leave(stage: Stage, title: str) -> None:
    await stage.do("press", on=await stage.ref("button", "Cancel"))
    await dialog_gone(stage, title)


async def name_is(stage: Stage, text: str) -> None:
    async def held() -> str:
        return (await _name(stage)).text

    await stage.until(held, lambda found: found == text, f"the name is {text!r}")


async def _name(stage: Stage) -> Seen:
    fields = [seen for seen in await stage.witness.elements(stage.pid, "text") if "\n" not in seen.text]
    assert fields
    return fields[-1]


async def row_text(stage: Stage, row: int) -> str:
    return (await stage.witness.cell(await stage.shows("table", "Files"), row, 0)).text


async def row_selected(stage: Stage, row: int) -> None:
    async def states() -> frozenset[str]:
        return (await stage.witness.cell(await stage.shows("table", "Files"), row, 0)).states

    await stage.until(states, lambda held: "selected" in held, f"row {row + 1} is selected")


async def current(stage: Stage, folder: str) -> None:
    """The path bar shows this folder as the one that is open."""
    await stage.shows("toggle button", folder, "checked")


def kept(stage: Stage, name: str) -> Path:
    return stage.home / "docs" / name


@subject.row("press", "path bar, then Cancel", "the open folder (AT-SPI); the window is gone (X11)")
async def press(stage: Stage) -> None:
    await opening(stage)
    await stage.do("press", on=await stage.ref("toggle", os.path.basename(stage.home)))
    await current(stage, os.path.basename(stage.home))
    await leave(stage, OPEN)


@subject.row("click", "a row, a column header, a double click into a folder", "selection, order, folder (AT-SPI)")
async def click(stage: Stage) -> None:
    files = await opening(stage)
    await stage.do("click", on=f"{files}[6]", verdict=None)
    await row_selected(stage, 5)
    for _ in range(2):  # by size: the smallest first, then the largest
        await stage.do("click", on=await stage.ref("columnheader", "Size"), verdict="changed")
    await stage.until(lambda: row_text(stage, 3), lambda text: text == "f59.txt", "the largest file stands first")
    await stage.do("click", on=await stage.ref("columnheader", "Name"), verdict=None)
    await stage.until(lambda: row_text(stage, 1), lambda text: text == "d1", "d1 stands second")
    await stage.do("click", on=f"{files}[2]", count=2, verdict=None)
    await current(stage, "d1")
    await leave(stage, OPEN)


@subject.row("set", "the name; Save", "the file's bytes; the window's title (X11)")
async def set_name(stage: Stage) -> None:
    await saving(stage)
    await stage.do("set", on=await stage.ref("textbox", "Name"), value="größer.txt")
    await name_is(stage, "größer.txt")
    await stage.do("press", on=await stage.ref("button", "Save"), verdict=None)
    await dialog_gone(stage, SAVE)
    await stage.window_is("größer.txt", lambda c: True, "the title")
    assert kept(stage, "größer.txt").read_bytes() == b"note\n"


@subject.row("set", "a name that is taken; Save, Cancel, Save, Replace", "the file's bytes before and after")
async def set_taken(stage: Stage) -> None:
    await saving(stage)
    await stage.do("set", on=await stage.ref("textbox", "Name"), value="f07.txt")
    for answer, left in (("Cancel", "x" * 70), ("Replace", "note\n")):
        await stage.do("press", on=await stage.ref("button", "Save", window=SAVE))
        await stage.shows("push button", "Replace")
        await stage.do("press", on=await stage.ref("button", answer))
        await stage.gone("push button", "Replace")
        if answer == "Replace":
            await dialog_gone(stage, SAVE)
        assert kept(stage, "f07.txt").read_text() == left


@subject.row("append", "to the name", "the entry's text (AT-SPI)")
async def append(stage: Stage) -> None:
    await saving(stage)
    name = await stage.ref("textbox", "Name")
    await stage.do("set", on=name, value="one")
    await stage.do("append", on=name, value=".txt")
    await name_is(stage, "one.txt")
    await leave(stage, SAVE)


@subject.row("type", "a name and Return", "the file's bytes")
async def type_name(stage: Stage) -> None:
    await saving(stage)
    name = await stage.ref("textbox", "Name")
    await stage.do("set", on=name, value="")
    await stage.do("type", on=name, value="typed.txt")
    await stage.do("key", keys="Return", verdict=None)
    await dialog_gone(stage, SAVE)
    assert kept(stage, "typed.txt").read_bytes() == b"note\n"


@subject.row("key", "Escape", "the window is gone (X11)")
async def key(stage: Stage) -> None:
    await opening(stage)
    await stage.do("key", keys="Escape")
    await dialog_gone(stage, OPEN)


@subject.row("select", "a file by its name, far down", "the row is selected (AT-SPI)")
async def select_row(stage: Stage) -> None:
    files = await opening(stage)
    await stage.do("select", on=files, items=["f55.txt"])
    await row_selected(stage, 58)
    await leave(stage, OPEN)


@subject.row("select", "an item of a combo box", "what the box holds (AT-SPI)")
async def select_item(stage: Stage) -> None:
    await opening(stage)
    await stage.do("select", on=await stage.ref("combobox", nth=1), items=["All Files"])
    await stage.shows("combo box", "All Files")
    await stage.do("select", on=await stage.ref("combobox", nth=1), items=["Text Files"])
    await leave(stage, OPEN)


@subject.row("check", "Create Folder", "its popover's field shows (AT-SPI)")
async def check(stage: Stage) -> None:
    await saving(stage)
    button = await stage.ref("toggle", "Create Folder")
    await stage.do("check", on=button)
    await stage.shows("toggle button", "Create Folder", "checked")
    await stage.do("key", keys="Escape", verdict=None)
    await stage.shows("toggle button", "Create Folder", without="checked")
    await leave(stage, SAVE)


@subject.refuses(
    "uncheck", "the folder that is open in the path bar", "one of them is always on", "`press` another folder",
    "value_rejected",
)  # fmt: skip
async def uncheck(stage: Stage) -> None:
    await opening(stage)
    folder = await stage.ref("toggle", "docs")
    result = await stage.act({"do": "uncheck", "on": folder})
    assert result.failure is not None
    assert result.failure.code == "value_rejected"  # it takes the press and stays on
    await current(stage, "docs")
    await leave(stage, OPEN)


@subject.row("expand", "a combo box", "its list is on the screen (X11)")
async def expand(stage: Stage) -> None:
    await opening(stage)
    box = await stage.ref("combobox", nth=1)
    await stage.do("expand", on=box)
    await stage.popups(True)
    await stage.do("collapse", on=box)
    await leave(stage, OPEN)


@subject.row("collapse", "a combo box", "no list is on the screen (X11)")
async def collapse(stage: Stage) -> None:
    await opening(stage)
    box = await stage.ref("combobox", nth=1)
    await stage.do("expand", on=box)
    await stage.popups(True)
    await stage.do("collapse", on=box)
    await stage.popups(False)
    await leave(stage, OPEN)


@subject.row("focus", "the table, then the name", "who is focused (AT-SPI)")
async def focus(stage: Stage) -> None:
    await saving(stage)
    await stage.do("focus", on=await stage.ref("table", "Files"))

    async def focused() -> frozenset[str]:
        return (await _name(stage)).states

    await stage.until(focused, lambda states: "focused" not in states, "the name has lost the focus")
    await stage.do("focus", on=await stage.ref("textbox", "Name"))
    await stage.until(focused, lambda states: "focused" in states, "the name has the focus")
    await leave(stage, SAVE)


@subject.row("scroll", "the files to the end, to the top, a row into view", "the scroll bar's number (AT-SPI)")
async def scroll(stage: Stage) -> None:
    files = await opening(stage)

    async def offset() -> float:
        return (await stage.shows("scroll bar")).number or 0

    await stage.do("scroll", on=files, to="bottom", verdict=None)
    assert await offset() > 300
    await stage.do("scroll", on=files, to="top")
    assert await offset() == 0
    await stage.do("scroll", on=f"{files}[55]", to="view")
    assert await offset() > 300
    await leave(stage, OPEN)


@subject.refuses(
    "menu", "File", "the dialog has no menus", "`click` a place with the right button for its own menu", "not_found"
)  # fmt: skip
async def menu(stage: Stage) -> None:
    await opening(stage)
    assert (await stage.refused("menu", path=["File", "New"])).code == "not_found"
    await leave(stage, OPEN)


@subject.row("window", "move, close", "the window's X11 state")
async def window(stage: Stage) -> None:
    await opening(stage)
    start = await stage.window_is(OPEN, lambda c: True, "the dialog")
    await stage.do("window", on=OPEN, op="resize", rect=[*start.bounds[:2], 900, 700])
    await stage.do("window", on=OPEN, op="move", rect=[30, 40, 900, 700])
    await stage.window_is(OPEN, lambda c: c.bounds[:2] != start.bounds[:2], "it moved")
    await stage.do("window", on=OPEN, op="close")
    await dialog_gone(stage, OPEN)


@subject.refuses(
    "open", "the dialog by a name", "it belongs to the application that shows it", "`menu` File > Open…", "not_found"
)  # fmt: skip
async def open_by_name(stage: Stage) -> None:
    failure = await stage.refused("open", app="GTK File Dialog")
    assert failure.code == "not_found"


@subject.row("wait", "for the dialog, and until it is closed", "the window (X11)")
async def wait(stage: Stage) -> None:
    result = await stage.act(
        {"do": "menu", "path": ["File", "Save As…"]}, {"do": "wait", "for": "window", "on": SAVE},
        {"do": "key", "keys": "Escape"}, {"do": "wait", "for": "closed", "on": SAVE},
    )  # fmt: skip
    assert result.failure is None, result.text
    await dialog_gone(stage, SAVE)


@subject.row("invoke", "a row's own action: activate", "the open folder (AT-SPI)")
async def invoke(stage: Stage) -> None:
    files = await opening(stage)
    await stage.do("invoke", on=f"{files}[2]", action="activate", verdict=None)
    await current(stage, "d1")
    await leave(stage, OPEN)
