"""FeatherPad (Qt 5.15 as Debian builds it): a text editor with menus, a toolbar and a find bar."""

from __future__ import annotations

from tests.apps.subjects.operating import dialog_gone, open_by_letter, operate_window
from tests.apps.subjects.row import FirstView, Subject
from tests.apps.subjects.stage import Stage
from tests.apps.subjects.witness import Seen


async def prepare(stage: Stage) -> None:
    """An empty page."""
    await stage.open(app="featherpad")


subject = Subject("featherpad", "Qt 5.15", prepare, title="FeatherPad", first=FirstView(250, 0.95))
TEXT = "the editor's text (AT-SPI)"
PREFERENCES = "Preferences"


async def editor(stage: Stage, text: str = "") -> str:
    """The editor's ref, with this in it."""
    ref = await stage.ref("textbox")
    await stage.do("set", on=ref, value=text, verdict=None)
    await stage.do("focus", on=ref, verdict=None)
    return ref


async def preferences(stage: Stage) -> None:
    """Open the dialog of the preferences."""
    await stage.do("menu", path=["Options", PREFERENCES], expect={"for": "window", "on": PREFERENCES}, verdict=None)


async def holds(stage: Stage, text: str) -> None:
    """Wait until the editor holds this."""
    await stage.until(lambda: stage.seen("text"), lambda seen: seen is not None and seen.text == text, text)


@subject.row("set", "two lines with letters outside of ASCII and emoji", TEXT)
async def set_text(stage: Stage) -> None:
    ref = await editor(stage, "first")
    await stage.do("set", on=ref, value="Grüße 👍\nzwei")
    await holds(stage, "Grüße 👍\nzwei")
    await stage.do("set", on=ref, value="Grüße 👍\nzwei", verdict="unchanged")


@subject.row("append", "a word", TEXT)
async def append(stage: Stage) -> None:
    await stage.do("append", on=await editor(stage, "one"), value=" more ß")
    await holds(stage, "one more ß")


@subject.row("type", "letters outside of the layout", TEXT)
async def type_text(stage: Stage) -> None:
    await stage.do("type", on=await editor(stage), value="Zß日")
    await holds(stage, "Zß日")


@subject.row("key", "ctrl+A, then Delete", TEXT)
async def key(stage: Stage) -> None:
    await stage.do("key", on=await editor(stage, "away"), keys="ctrl+a", verdict=None)
    await stage.do("key", keys="Delete")
    await holds(stage, "")


@subject.row("key", "alt+F opens the File menu, which stays open", "an open menu (X11)")
async def key_letter(stage: Stage) -> None:
    await open_by_letter(stage)


@subject.row("select", "characters; typing replaces just them", TEXT)
async def select(stage: Stage) -> None:
    ref = await editor(stage, "one two three")
    await stage.do("select", on=ref, range=[4, 7])
    await stage.do("type", value="2")
    await holds(stage, "one 2 three")


@subject.row("press", "Undo in the toolbar", TEXT)
async def press(stage: Stage) -> None:
    await stage.do("type", on=await editor(stage), value="word")
    await stage.do("press", on=await stage.ref("button", "Undo"), verdict=None)
    await holds(stage, "")


@subject.row("click", "a double click into a word", "the word is selected (AT-SPI)")
async def click(stage: Stage) -> None:
    ref = await editor(stage, "\n".join(["wordwordwordword" * 12] * 60))
    await stage.do("click", on=ref, count=2, verdict="changed")
    await stage.until(lambda: stage.seen("text"), lambda seen: seen is not None and _length(seen) > 100, "a word")


def _length(seen: Seen) -> int:
    return seen.selection[1] - seen.selection[0]


@subject.row("check", "Match Case in the find bar", "the box is checked (AT-SPI)")
async def check(stage: Stage) -> None:
    box = await stage.ref("checkbox", "Match Case (F5)")
    await stage.do("check", on=box)
    await stage.shows("check box", None, "checked")
    await stage.do("check", on=box, verdict="unchanged")


@subject.row("uncheck", "Match Case in the find bar", "the box is not checked (AT-SPI)")
async def uncheck(stage: Stage) -> None:
    box = await stage.ref("checkbox", "Match Case (F5)")
    await stage.do("check", on=box, verdict=None)
    await stage.do("uncheck", on=box)
    await stage.shows("check box", None, without="checked")


@subject.row("expand", "a menu", "an open menu (X11)")
async def expand(stage: Stage) -> None:
    menu = await stage.ref("menu", "File")
    await stage.do("expand", on=menu)
    await stage.popups(True)
    await stage.do("collapse", on=menu, verdict=None)


@subject.row("collapse", "a menu", "no open menu (X11)")
async def collapse(stage: Stage) -> None:
    menu = await stage.ref("menu", "Search")
    await stage.do("expand", on=menu)
    await stage.do("collapse", on=menu)
    await stage.popups(False)


@subject.row("focus", "the find bar's field, then the editor", "who is focused (AT-SPI)")
async def focus(stage: Stage) -> None:
    ref = await editor(stage)
    await stage.do("focus", on=await stage.ref("textbox", nth=1))
    await stage.shows("text", None, "focused", nth=1)
    await stage.do("focus", on=ref)
    await stage.shows("text", None, "focused")


@subject.row("scroll", "the editor to its end and its start", "where the caret's line lies (AT-SPI)")
async def scroll(stage: Stage) -> None:
    ref = await editor(stage, "\n".join(f"line {n}" for n in range(200)))
    await stage.do("scroll", on=ref, to="bottom", verdict=None)
    low = await bar(stage)
    assert low > 0
    await stage.do("scroll", on=ref, to="top", verdict=None)
    assert await bar(stage) == 0


async def bar(stage: Stage) -> float:
    return (await stage.shows("scroll bar")).number or 0.0


@subject.row("menu", "Edit > Select All", "the selection (AT-SPI)")
async def menu(stage: Stage) -> None:
    await editor(stage, "all of it")
    await stage.do("menu", path=["Edit", "Select All"], verdict=None)
    await stage.until(lambda: stage.seen("text"), lambda seen: seen is not None and _length(seen) == 9, "all of it")


@subject.row("menu", "an item that is not there", "nothing stays open (X11)")
async def menu_missing(stage: Stage) -> None:
    result = await stage.act({"do": "menu", "path": ["Edit", "Nothing"]})
    assert result.failure is not None
    assert result.failure.code == "not_found"
    assert '"Select All"' in result.failure.found
    await stage.popups(False)


@subject.row("window", "move, maximise, restore, minimise, activate", "the window's X11 state")
async def window(stage: Stage) -> None:
    await editor(stage)
    await operate_window(stage, "Untitled")


@subject.row("open", "a file while it runs", "its tab (AT-SPI), no second window (X11)")
async def open_file(stage: Stage) -> None:
    (stage.home / "other.txt").write_text("other")
    await stage.do("open", app="featherpad", file="other.txt", verdict=None)
    await stage.shows("page tab", "other.txt")
    assert len(await stage.witness.clients()) == 1
    await stage.do("key", keys="ctrl+shift+q", verdict=None)
    await stage.gone("page tab", "other.txt")


@subject.row("wait", "for a text, for a window that does not come", "the editor's text (AT-SPI); `wait_timeout`")
async def wait(stage: Stage) -> None:
    ref = await editor(stage, "soon")
    result = await stage.act(
        {"do": "append", "on": ref, "value": " later"},
        {"do": "wait", "for": "value", "on": ref, "is": "later", "match": "contains"},
        {"do": "wait", "for": "window", "on": "Nowhere", "timeout": 0.3},
    )
    assert result.failure is not None
    assert (result.done, result.failure.code) == (2, "wait_timeout")
    await holds(stage, "soon later")


async def leave_preferences(stage: Stage) -> None:
    """Close the dialog of the preferences by its button."""
    await stage.do("press", on=await stage.ref("button", "Close"), verdict=None)
    await dialog_gone(stage, PREFERENCES)


@subject.row("select", "a tab of the preferences, by its name", "the tab in front (AT-SPI)")
async def select_tab(stage: Stage) -> None:
    await preferences(stage)
    await stage.do("select", on=await stage.ref("tablist"), items=["Text"])
    await stage.shows("page tab", "Text", "focused")
    await stage.do("select", on=await stage.ref("tablist"), items=["Window"], verdict=None)
    await leave_preferences(stage)


@subject.row("select", "an item of a closed combo box", "the combo box holds it (AT-SPI)")
async def select_item(stage: Stage) -> None:
    await preferences(stage)
    place = await stage.ref("combobox")
    await stage.do("select", on=place, items=["South"])
    await stage.shows("combo box", "South")
    await stage.do("select", on=place, items=["North"])
    await leave_preferences(stage)


@subject.row("set", "a spin button of the preferences", "its number (AT-SPI)")
async def set_number(stage: Stage) -> None:
    await preferences(stage)
    await stage.do("uncheck", on=await stage.ref("checkbox", "Remember window size on closing"))
    width = await stage.ref("spinbutton")
    await stage.do("set", on=width, value=650)
    await stage.until(lambda: stage.seen("spin box"), lambda seen: seen is not None and seen.number == 650, "650")
    await stage.do("set", on=width, value=700)
    await stage.do("check", on=await stage.ref("checkbox", "Remember window size on closing"))
    await leave_preferences(stage)


@subject.row("click", "a cell of the table of shortcuts, which selects none", "the cell that has the focus (AT-SPI)")
async def click_cell(stage: Stage) -> None:
    await preferences(stage)
    await stage.do("select", on=await stage.ref("tablist"), items=["Shortcuts"])
    await stage.do("click", on=f"{await stage.ref('table')}[3,1]", verdict=None)
    cell = await stage.witness.cell(await stage.shows("table"), 2, 0)
    assert (cell.name, "focused" in cell.states) == ("Close", True)
    await stage.do("select", on=await stage.ref("tablist"), items=["Window"])
    await leave_preferences(stage)


@subject.row("hover", "the editor", "where the pointer is (X11)")
async def hover(stage: Stage) -> None:
    await stage.do("hover", on=await editor(stage), verdict=None)
    x, y, w, h = (await stage.shows("text")).bounds
    pointer = await stage.witness.pointer()
    assert x <= pointer[0] < x + w
    assert y <= pointer[1] < y + h


@subject.row("drag", "from the editor's middle to the left", "characters are selected (AT-SPI)")
async def drag(stage: Stage) -> None:
    ref = await editor(stage, "\n".join(["m" * 80] * 40))
    await stage.do("drag", on=ref, to=[-120, 0], verdict="changed")
    await stage.until(lambda: stage.seen("text"), lambda seen: seen is not None and _length(seen) > 0, "a selection")


@subject.row("clipboard", "written, pasted; copied, read", TEXT)
async def clipboard(stage: Stage) -> None:
    ref = await editor(stage)
    await stage.do("clipboard", op="write", value="päste")
    await stage.do("key", on=ref, keys="ctrl+v")
    await holds(stage, "päste")
    await stage.do("set", on=ref, value="copied")
    await stage.do("key", on=ref, keys="ctrl+a", verdict=None)
    await stage.do("key", on=ref, keys="ctrl+c", verdict=None)
    assert (await stage.do("clipboard", op="read")).after == '"copied"'
