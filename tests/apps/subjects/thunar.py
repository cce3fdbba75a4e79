"""Thunar (GTK3): a file manager with a menu bar, a toolbar, side panes, a list of files, tabs and dialogs."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.apps.subjects.operating import dialog_gone, operate_window
from tests.apps.subjects.row import FirstView, Subject
from tests.apps.subjects.stage import Stage
from tests.apps.subjects.witness import Seen

PREFERENCES = "File Manager Preferences"
BINARY = "Show file size in binary format"
FILES = 60


def shelf(stage: Stage) -> Path:
    return stage.home / "shelf"


async def prepare(stage: Stage) -> None:
    """A folder of two folders and many files, shown as a detailed list."""
    for name in ("box", "crate"):
        (shelf(stage) / name).mkdir(parents=True)
    (shelf(stage) / "box" / "inner").mkdir()
    for number in range(FILES):
        (shelf(stage) / f"f{number:02}.txt").write_text("x" * number)
    await stage.open(app="thunar", file=str(shelf(stage)))
    await stage.do("menu", path=["View", "List View"], verdict=None)
    await stage.shows("table column header", "Size")


subject = Subject("thunar", "GTK3", prepare, title="Thunar", first=FirstView(450, 1.0))


async def files(stage: Stage) -> str:
    """The list's ref; the table before it is the side pane."""
    return await stage.ref("table", nth=1, window=stage.window)


async def location(stage: Stage) -> str:
    return await stage.ref("textbox", window=stage.window)


async def at(stage: Stage, folder: str) -> None:
    await stage.window_is(f"{folder} - Thunar", lambda c: True, f"{folder} is shown")


async def back(stage: Stage) -> None:
    """The shelf is shown again, with the focus on its list."""
    ref = await location(stage)
    await stage.do("set", on=ref, value=str(shelf(stage)), verdict=None)
    await stage.do("key", on=ref, keys="Return", verdict=None)
    await at(stage, "shelf")
    await stage.do("focus", on=await files(stage), verdict=None)
    await away(stage)


async def away(stage: Stage) -> None:
    """The pointer rests on the list, where nothing has a tooltip."""
    await stage.do("hover", on=await files(stage), verdict=None)
    await stage.popups(False)


async def status(stage: Stage) -> str:
    return (await stage.shows("statusbar")).name


async def says(stage: Stage, part: str) -> None:
    await stage.until(lambda: status(stage), lambda text: part in text, f"the status bar says {part!r}")


async def exists(stage: Stage, path: Path, wanted: bool = True) -> None:
    async def look() -> bool:
        return await asyncio.to_thread(path.exists)

    await stage.until(look, lambda found: found is wanted, f"{path.name}: {wanted}")


async def preferences(stage: Stage, tab: str = "Display") -> None:
    if await stage.client(PREFERENCES) is None:
        await stage.do("menu", path=["Edit", "Preferences..."], expect={"for": "window", "on": PREFERENCES})
    await stage.do("select", on=await stage.ref("tablist", window=PREFERENCES), items=[tab], verdict=None)


async def leave_preferences(stage: Stage) -> None:
    await stage.do("press", on=await stage.ref("button", "Close", window=PREFERENCES), verdict=None)
    await dialog_gone(stage, PREFERENCES)


@subject.row("press", "Open Parent, then Back", "the window's title (X11)")
async def press(stage: Stage) -> None:
    await stage.do("press", on=await stage.ref("button", "Open Parent"), verdict=None)
    await at(stage, "home")
    await stage.do("press", on=await stage.ref("button", "Back"), verdict=None)
    await at(stage, "shelf")
    await away(stage)


@subject.row("click", "a double click on a folder's row", "the window's title (X11)")
async def click_folder(stage: Stage) -> None:
    await stage.do("click", on=f"{await files(stage)}[1]", count=2, verdict=None)
    await at(stage, "box")
    await back(stage)


@subject.row("click", "Properties in a file's context menu", "its popup and its dialog (X11)")
async def click_context(stage: Stage) -> None:
    await stage.do("click", on=f"{await files(stage)}[4]", button="right", verdict=None)
    await stage.popups(True)
    await stage.do("press", on=await stage.ref("menuitem", "Properties..."), verdict=None)
    await stage.window_is("f01.txt - Properties", lambda c: True, "its properties")
    await stage.do("window", on="f01.txt - Properties", op="close")
    await dialog_gone(stage, "Properties")


@subject.row("set", "the name of a file in the rename dialog", "the file's new name")
async def set_name(stage: Stage) -> None:
    table = await files(stage)
    await stage.do("select", on=table, items=["f10.txt"], verdict=None)
    await stage.do("key", on=table, keys="F2", verdict=None)
    await stage.window_is("Rename", lambda c: c.active, "the dialog")
    await stage.do("set", on=await stage.ref("textbox"), value="renamed ß.txt")
    await stage.do("press", on=await stage.ref("button", "Rename"), verdict=None)
    await exists(stage, shelf(stage) / "renamed ß.txt")
    (shelf(stage) / "renamed ß.txt").rename(shelf(stage) / "f10.txt")


@subject.row("append", "a folder's name to the location", "the window's title (X11)")
async def append(stage: Stage) -> None:
    ref = await location(stage)
    await stage.do("focus", on=ref, verdict=None)
    await stage.do("append", on=ref, value="crate/", verdict=None)
    await stage.do("key", on=ref, keys="Return", verdict=None)
    await at(stage, "crate")
    await back(stage)


@subject.row("type", "the name of a new folder in a dialog, with Return", "the folder")
async def type_name(stage: Stage) -> None:
    await stage.do("menu", path=["File", "Create Folder..."], verdict=None)
    await stage.window_is("Create New Folder", lambda c: c.active, "the dialog")
    field = await stage.ref("textbox")
    await stage.do("key", on=field, keys="ctrl+a", verdict=None)
    await stage.do("type", on=field, value="Größe Ж\n", verdict=None)
    made = shelf(stage) / "Größe Ж"
    await exists(stage, made)
    made.rmdir()


@subject.row("key", "alt+Up shows the parent folder", "the window's title (X11)")
async def key(stage: Stage) -> None:
    await stage.do("key", on=await files(stage), keys="alt+Up", verdict=None)
    await at(stage, "home")
    await back(stage)


@subject.row("select", "two files by their names, one of them far below", "the status bar's words (AT-SPI)")
async def select_rows(stage: Stage) -> None:
    table = await files(stage)
    await stage.do("select", on=table, items=["f03.txt", "f50.txt"])
    await says(stage, "2 files: 53 bytes")
    await stage.do("select", on=table, items=["f07.txt"])
    await says(stage, '"f07.txt"')


@subject.row("select", "a tab by its name", "the tab is selected (AT-SPI)")
async def select_tab(stage: Stage) -> None:
    await stage.do("key", on=await files(stage), keys="ctrl+t", verdict=None)
    await stage.shows("page tab", nth=1)
    ref = await location(stage)
    await stage.do("set", on=ref, value=str(shelf(stage) / "box"), verdict=None)
    await stage.do("key", on=ref, keys="Return", verdict=None)
    await stage.shows("page tab", "box", "selected")
    await stage.do("select", on=await stage.ref("tablist"), items=["shelf"])
    await stage.shows("page tab", "shelf", "selected")
    await at(stage, "shelf")
    await stage.do("select", on=await stage.ref("tablist"), items=["box"])
    await stage.do("key", keys="ctrl+w", verdict=None)
    await stage.gone("page tab", "box")


@subject.row("select", "an item of a combo box", "the combo box holds it (AT-SPI)")
async def select_item(stage: Stage) -> None:
    await preferences(stage)
    format_ = await stage.ref("combobox", "Show thumbnails")
    await stage.do("select", on=format_, items=["Never"])
    await stage.shows("combo box", "Never")
    await stage.do("set", on=format_, value="Local Files Only", verdict=None)
    await leave_preferences(stage)


@subject.row("check", "a box of the preferences", "the box is checked (AT-SPI)")
async def check(stage: Stage) -> None:
    await preferences(stage)
    box = await stage.ref("checkbox", BINARY)
    await stage.do("uncheck", on=box, verdict=None)
    await stage.do("check", on=box)
    await stage.shows("check box", BINARY, "checked")
    await stage.do("check", on=box, verdict="unchanged")
    await leave_preferences(stage)


@subject.row("uncheck", "a box of the preferences", "the box is not checked (AT-SPI)")
async def uncheck(stage: Stage) -> None:
    await preferences(stage)
    box = await stage.ref("checkbox", BINARY)
    await stage.do("uncheck", on=box)
    await stage.shows("check box", BINARY, without="checked")
    await stage.do("check", on=box)
    await leave_preferences(stage)


async def tree(stage: Stage) -> Seen:
    return await stage.shows("tree table")


async def second_row(stage: Stage) -> str:
    return (await stage.witness.cell(await tree(stage), 1, 0)).text


@subject.row("expand", "a folder of the side pane's tree, and collapsed again", "the tree's second row (AT-SPI)")
async def expand(stage: Stage) -> None:
    await stage.do("key", on=await files(stage), keys="ctrl+e", verdict=None)
    await tree(stage)
    side = await stage.ref("table")
    await stage.do("collapse", on=f"{side}[1]", verdict=None)
    await stage.until(lambda: second_row(stage), lambda text: text == "File System", "the folder is closed")
    await stage.do("expand", on=f"{side}[1]")
    await stage.until(lambda: second_row(stage), lambda text: text != "File System", "the folder is open")
    await stage.do("expand", on=f"{side}[1]", verdict="unchanged")
    await stage.do("collapse", on=f"{side}[1]")
    await stage.until(lambda: second_row(stage), lambda text: text == "File System", "the folder is closed")
    await stage.do("key", on=await files(stage), keys="ctrl+b", verdict=None)
    await stage.gone("tree table")


@subject.row("collapse", "the Go menu", "no popup is on the screen (X11)")
async def collapse(stage: Stage) -> None:
    menu = await stage.ref("menu", "Go")
    await stage.do("expand", on=menu)
    await stage.popups(True)
    await stage.do("collapse", on=menu)
    await stage.popups(False)


@subject.row("focus", "the location, then the list of files", "who is focused (AT-SPI)")
async def focus(stage: Stage) -> None:
    await stage.do("focus", on=await location(stage), verdict=None)
    await stage.shows("text", None, "focused")
    await stage.do("focus", on=await files(stage))
    await stage.shows("text", None, without="focused")


async def _offset(stage: Stage) -> float:
    return (await stage.shows("scroll bar")).number or 0.0


@subject.row("scroll", "the list to its end, up by 200 pixels, to its start", "the scroll bar's number (AT-SPI)")
async def scroll(stage: Stage) -> None:
    table = await files(stage)
    await stage.do("scroll", on=table, to="top", verdict=None)
    await stage.do("scroll", on=table, to="bottom")
    low = await _offset(stage)
    assert low > 500
    await stage.do("scroll", on=table, by=[0, -200])
    assert low - 700 < await _offset(stage) < low
    await stage.do("scroll", on=table, to="top")
    assert await _offset(stage) == 0


@subject.row("menu", "a submenu: View > Location Selector > Buttons Style, and back", "the location field (AT-SPI)")
async def submenu(stage: Stage) -> None:
    await stage.do("menu", path=["View", "Location Selector", "Buttons Style"], verdict=None)
    await stage.gone("text")
    await stage.do("menu", path=["View", "Location Selector", "Entry Style"], verdict=None)
    await stage.shows("text")


@subject.row("menu", "an item that is not there", "nothing stays open (X11)")
async def menu_missing(stage: Stage) -> None:
    result = await stage.act({"do": "menu", "path": ["Go", "Klingon"]})
    assert result.failure is not None
    assert result.failure.code == "not_found"
    assert '"Home"' in result.failure.found
    await stage.popups(False)


@subject.row("window", "move, resize, maximise, restore, minimise, activate, close", "the window's X11 state")
async def window(stage: Stage) -> None:
    await operate_window(stage, "shelf - Thunar")
    await preferences(stage)
    await stage.do("window", on=PREFERENCES, op="close")
    await dialog_gone(stage, PREFERENCES)


@subject.row("open", "another folder", "a second window of the same process (X11)")
async def open_again(stage: Stage) -> None:
    await stage.do("open", app="thunar", file=str(shelf(stage) / "crate"))
    await at(stage, "crate")
    assert len({c.pid for c in await stage.witness.clients()}) == 1
    await stage.do("window", on="crate - Thunar", op="close")
    await dialog_gone(stage, "crate - Thunar")


@subject.row("wait", "for a folder to be shown, for a window that does not come", "its title (X11); `wait_timeout`")
async def wait(stage: Stage) -> None:
    result = await stage.act(
        {"do": "press", "on": await stage.ref("button", "Home")},
        {"do": "wait", "for": "window", "on": "home - Thunar"},
        {"do": "wait", "for": "window", "on": "Nowhere", "timeout": 0.3},
    )
    assert result.done == 2, result.text
    assert result.failure is not None
    assert result.failure.code == "wait_timeout"
    await at(stage, "home")
    await back(stage)


@subject.row("hover", "a file's row", "where the pointer is (X11)")
async def hover(stage: Stage) -> None:
    await stage.do("hover", on=f"{await files(stage)}[2]", verdict=None)
    tables = [e for e in await stage.witness.elements(stage.pid, "table")]
    x, y, w, h = tables[-1].bounds
    pointer = await stage.witness.pointer()
    assert x <= pointer[0] < x + w
    assert y <= pointer[1] < y + h


@subject.row("drag", "a file onto a folder", "the file is in the folder")
async def drag(stage: Stage) -> None:
    table = await files(stage)
    await stage.do("drag", on=f"{table}[4]", to=f"{table}[1]", verdict=None)
    await exists(stage, shelf(stage) / "box" / "f01.txt")
    (shelf(stage) / "box" / "f01.txt").rename(shelf(stage) / "f01.txt")


@subject.row("invoke", "a menu's own action", "its popup is on the screen (X11)")
async def invoke(stage: Stage) -> None:
    menu = await stage.ref("menu", "File")
    await stage.do("invoke", on=menu, action="click", verdict="changed")
    await stage.popups(True)
    await stage.do("key", keys="Escape", verdict=None)
    await stage.popups(False)
    assert (await stage.refused("invoke", on=menu, action="explode")).code == "unsupported_action"


@subject.row("clipboard", "a file copied and pasted beside itself; a text", "the copy; the field's text (AT-SPI)")
async def clipboard(stage: Stage) -> None:
    table = await files(stage)
    await stage.do("select", on=table, items=["f05.txt"], verdict=None)
    await stage.do("key", on=table, keys="ctrl+c", verdict=None)
    await stage.do("key", on=table, keys="ctrl+v", verdict=None)
    copy = shelf(stage) / "f05 (copy 1).txt"
    await exists(stage, copy)
    copy.unlink()
    await stage.do("clipboard", op="write", value="plain")
    assert (await stage.do("clipboard", op="read")).after == '"plain"'


@subject.cannot(
    "select", "a file in the icon view", "the icon view tells nothing of its files (it is said as a canvas)",
    "`menu` View > List View, or `screenshot` and `input`", "not_found",
)  # fmt: skip
async def select_icon(stage: Stage) -> None:
    await stage.do("menu", path=["View", "Icon View"], verdict=None)
    icons = await stage.ref("canvas", "Icon view")
    assert (await stage.refused("select", on=icons, items=["f01.txt"])).code == "not_found"
    await stage.do("menu", path=["View", "List View"], verdict=None)
    await stage.shows("table column header", "Size")
