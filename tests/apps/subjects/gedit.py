"""gedit (GTK3): a header bar with a popover menu, documents on tabs, a side panel, dialogs."""

from __future__ import annotations

from tests.apps.subjects import editing
from tests.apps.subjects.editing import Editor
from tests.apps.subjects.operating import dialog_gone, operate_window
from tests.apps.subjects.row import FirstView, Subject
from tests.apps.subjects.stage import Stage

PREFERENCES, REPLACE = "Preferences", "Find and Replace"


async def prepare(stage: Stage) -> None:
    """A saved note in the only window, beside a file that is not open."""
    (stage.home / "note.txt").write_text("first\n")
    (stage.home / "other.txt").write_text("other\n")
    await stage.open(app="gedit", file="note.txt")


subject = Subject("gedit", "GTK3", prepare, title="gedit", first=FirstView(100, 1.0))
editor = Editor("text")
editing.declare(subject, editor)


async def preferences(stage: Stage, tab: str = "View") -> None:
    if await stage.client(PREFERENCES) is None:
        await stage.do("menu", path=["Menu", PREFERENCES], expect={"for": "window", "on": PREFERENCES})
    await stage.do("select", on=await stage.ref("tablist", window=PREFERENCES), items=[tab], verdict=None)


async def leave_preferences(stage: Stage) -> None:
    await stage.do("key", keys="Escape", verdict=None)
    await dialog_gone(stage, PREFERENCES)


async def two_documents(stage: Stage) -> None:
    """The note and another document, which is in front."""
    await editor.saved(stage)  # a changed document's tab is called otherwise
    await stage.do("open", app="gedit", file="other.txt")
    await stage.window_is("other.txt", lambda c: True, "the other document")


async def one_document(stage: Stage) -> None:
    """The note alone again."""
    if await stage.client("other.txt") is None:
        await stage.do("select", on=await stage.ref("tablist"), items=["other.txt"])
    await stage.do("key", keys="ctrl+w", verdict=None)
    await stage.gone("page tab", "other.txt")
    await stage.window_is("note.txt", lambda c: True, "the note")


@subject.row("press", "Save in the header bar", "the file's bytes")
async def press_save(stage: Stage) -> None:
    await editor.fresh(stage, "by the button")
    await stage.do("press", on=await stage.ref("button", "Save"), expect={"file": {"path": "note.txt"}}, verdict=None)
    await stage.window_is("note.txt", lambda c: c.title.startswith("note.txt"), "it is saved")
    assert (stage.home / "note.txt").read_text() == "by the button\n"


@subject.row("press", "Replace All in a dialog", "the editor's text (AT-SPI)")
async def press_replace(stage: Stage) -> None:
    await editor.fresh(stage, "one two one")
    await stage.do("menu", path=["Menu", "Find and Replace…"], expect={"for": "window", "on": REPLACE})
    for name, value in (("Find", "one"), ("Replace with", "three")):
        await stage.do("set", on=await stage.ref("combobox", name), value=value, verdict=None)
    await stage.do("press", on=await stage.ref("button", "Replace All"), verdict=None)
    await stage.do("window", on=REPLACE, op="close")
    await editor.holds(stage, "three two three")


@subject.row("click", "Select All in the text's context menu", "its popup (X11), the selection (AT-SPI)")
async def click_context(stage: Stage) -> None:
    ref = await editor.fresh(stage, "all of it")
    await stage.do("click", on=ref, button="right", verdict=None)
    await stage.popups(True)
    await stage.do("press", on=await stage.ref("menuitem", "Select All"), verdict=None)
    await stage.popups(False)
    await stage.until(lambda: editor.area(stage), lambda seen: seen.selection == (0, 9), "all is selected")


@subject.row("set", "the spin button of the preferences", "its number (AT-SPI)")
async def set_number(stage: Stage) -> None:
    await preferences(stage, "Editor")
    width = await stage.ref("spinbutton", "Tab width")
    await stage.do("set", on=width, value=4)
    await stage.until(lambda: stage.seen("spin button", nth=1), lambda seen: seen is not None and seen.number == 4, "4")
    assert (await stage.refused("set", on=width, value=4000)).code == "value_rejected"
    await stage.do("set", on=width, value=8)
    await leave_preferences(stage)


@subject.row("select", "a document by its tab", "the tab is selected (AT-SPI), the window's title (X11)")
async def select_tab(stage: Stage) -> None:
    await two_documents(stage)
    tabs = await stage.ref("tablist")
    await stage.do("select", on=tabs, items=["note.txt"])
    await stage.shows("page tab", "note.txt", "selected")
    await stage.window_is("note.txt", lambda c: True, "the note in front")
    await stage.do("select", on=tabs, items=["note.txt"], verdict="unchanged")
    await one_document(stage)


async def chosen(stage: Stage) -> list[str]:
    """What the selected items of the lists say."""
    seen = await stage.witness.elements(stage.pid)
    after = [seen[n + 1 : n + 6] for n, one in enumerate(seen) if one.role == "list item" and "selected" in one.states]
    return [part.name for parts in after for part in parts if part.role == "label"]


async def scheme_chosen(stage: Stage, name: str) -> None:
    await stage.until(lambda: chosen(stage), lambda names: name in names, f"{name} is selected")


@subject.row("select", "a colour scheme in a list", "the item is selected (AT-SPI)")
async def select_item(stage: Stage) -> None:
    await preferences(stage, "Font & Colors")
    schemes = await stage.ref("listbox")
    for name in ("Cobalt - Blue based color scheme", "Tango - Color scheme using Tango color palette"):
        await stage.do("select", on=schemes, items=[name])
        await scheme_chosen(stage, name)
    await leave_preferences(stage)


@subject.row("check", "Display grid pattern in the preferences", "the box is checked (AT-SPI)")
async def check(stage: Stage) -> None:
    await preferences(stage)
    box = await stage.ref("checkbox", "Display grid pattern")
    await stage.do("check", on=box)
    await stage.shows("check box", "Display grid pattern", "checked")
    await stage.do("check", on=box, verdict="unchanged")
    await leave_preferences(stage)


@subject.row("uncheck", "Display grid pattern in the preferences", "the box is not checked (AT-SPI)")
async def uncheck(stage: Stage) -> None:
    await preferences(stage)
    box = await stage.ref("checkbox", "Display grid pattern")
    await stage.do("check", on=box, verdict=None)
    await stage.do("uncheck", on=box)
    await stage.shows("check box", "Display grid pattern", without="checked")
    await leave_preferences(stage)


@subject.row("expand", "the recent files, a menu below a button", "its popup is on the screen (X11)")
async def expand(stage: Stage) -> None:
    recent = await stage.ref("toggle", "Menu", nth=1)
    await stage.do("expand", on=recent)
    await stage.popups(True)
    await stage.do("expand", on=recent, verdict="unchanged")
    await stage.do("key", keys="Escape", verdict=None)


@subject.row("collapse", "the main menu, a popover", "its items are gone (AT-SPI)")
async def collapse(stage: Stage) -> None:
    menu = await stage.ref("toggle", "Menu")
    await stage.do("expand", on=menu)
    await stage.shows("push button", "Save As…")
    await stage.do("collapse", on=menu)
    await stage.gone("push button", "Save As…")
    await stage.do("collapse", on=menu, verdict="unchanged")


@subject.row("focus", "the find bar's field, then the editor", "who is focused (AT-SPI)")
async def focus(stage: Stage) -> None:
    ref = await editor.fresh(stage, "text")
    await stage.do("key", on=ref, keys="ctrl+f", verdict=None)
    await stage.shows("text", "Search", "focused")
    await stage.do("focus", on=ref)
    await stage.shows("text", None, "focused")


@subject.row("menu", "View > Side Panel in the popover, twice", "its list shows, then not (AT-SPI)")
async def menu(stage: Stage) -> None:
    await stage.do("menu", path=["Menu", "View", "Side Panel"], verdict=None)
    await stage.shows("list box")
    await stage.gone("push button", "Highlight Mode…")
    await stage.do("menu", path=["Menu", "View", "Side Panel"], verdict=None)
    await stage.gone("list box")


@subject.row("menu", "an item that is not there", "nothing stays open (AT-SPI)")
async def menu_missing(stage: Stage) -> None:
    result = await stage.act({"do": "menu", "path": ["Menu", "View", "Klingon"]})
    assert result.failure is not None
    assert result.failure.code == "not_found"
    assert '"Side Panel"' in result.failure.found
    await stage.gone("push button", "Highlight Mode…")


@subject.row("window", "move, resize, maximise, restore, minimise, activate, close", "the window's X11 state")
async def window(stage: Stage) -> None:
    await operate_window(stage, "note.txt")
    await preferences(stage)
    await stage.do("window", on=PREFERENCES, op="close")
    await dialog_gone(stage, PREFERENCES)


@subject.row("open", "the application by name, then a file", "no second process; its tab (AT-SPI)")
async def open_again(stage: Stage) -> None:
    effect = await stage.do("open", app="gedit")
    assert "attached" in effect.note
    await two_documents(stage)
    await stage.shows("page tab", "other.txt", "selected")
    assert len({c.pid for c in await stage.witness.clients()}) == 1
    await one_document(stage)


@subject.row("hover", "the editor", "where the pointer is (X11)")
async def hover(stage: Stage) -> None:
    await stage.do("hover", on=await editor.ref(stage), verdict=None)
    x, y, w, h = (await editor.area(stage)).bounds
    pointer = await stage.witness.pointer()
    assert x <= pointer[0] < x + w
    assert y <= pointer[1] < y + h


@subject.row("invoke", "the menu button's own action", "the popover's items show (AT-SPI)")
async def invoke(stage: Stage) -> None:
    menu = await stage.ref("toggle", "Menu")
    await stage.do("invoke", on=menu, action="click", verdict=None)
    await stage.shows("push button", "Save As…")
    await stage.do("collapse", on=menu)
    assert (await stage.refused("invoke", on=menu, action="explode")).code == "unsupported_action"


@subject.cannot(
    "press", "the language chooser in the status bar", "gedit's status bar tells none of its parts",
    "`menu` View > Highlight Mode…, or `screenshot` and `input`", "not_found",
)  # fmt: skip
async def press_status(stage: Stage) -> None:
    assert (await stage.refused("press", on={"role": "button", "name": "Plain Text"})).code == "not_found"
