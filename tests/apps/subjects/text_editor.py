"""GNOME Text Editor (GTK4, libadwaita): a header bar, popover menus, documents on tabs, a dialog of switches."""

from __future__ import annotations

from tests.apps.subjects import editing
from tests.apps.subjects.editing import Editor
from tests.apps.subjects.operating import dialog_gone, operate_window
from tests.apps.subjects.row import FirstView, Subject
from tests.apps.subjects.stage import Stage

PREFERENCES = "Preferences"
GRID, MARGIN = "Display Grid Pattern", "Margin Position"


async def prepare(stage: Stage) -> None:
    """A saved note in the only window, beside a file that is not open."""
    (stage.home / "note.txt").write_text("first\n")
    (stage.home / "other.txt").write_text("other\n")
    await stage.open(app="gnome-text-editor", file="note.txt")


subject = Subject("text-editor", "GTK4", prepare, title="GNOME Text Editor", first=FirstView(100, 1.0))
editor = Editor("text box", thumb=("widget", "GtkRange"))
editing.declare(subject, editor)


async def preferences(stage: Stage) -> None:
    await stage.do("menu", path=["Menu", PREFERENCES], expect={"for": "window", "on": PREFERENCES})


async def leave_preferences(stage: Stage) -> None:
    await stage.do("window", on=PREFERENCES, op="close")
    await dialog_gone(stage, PREFERENCES)


async def two_documents(stage: Stage) -> None:
    """The note and another document, which is in front."""
    await editor.saved(stage)
    await stage.do("open", app="gnome-text-editor", file="other.txt")
    await stage.window_is("other.txt", lambda c: True, "the other document")


async def one_document(stage: Stage) -> None:
    """The note alone again."""
    if await stage.client("other.txt") is None:
        await stage.do("select", on=await stage.ref("tablist"), items=["other.txt"], verdict=None)
        await stage.window_is("other.txt", lambda c: True, "the other document")
    await stage.do("key", keys="ctrl+w", verdict=None)
    await stage.window_is("note.txt", lambda c: True, "the note")


@subject.row("press", "New tab in the header bar", "the window's title (X11)")
async def press_new(stage: Stage) -> None:
    await stage.do("press", on=await stage.ref("button", "New tab (Ctrl+T)"), verdict=None)
    await stage.window_is("New Document", lambda c: True, "a new document")
    await stage.do("key", keys="ctrl+w", verdict=None)
    await stage.window_is("note.txt", lambda c: True, "the note")


@subject.row("click", "Select All in the text's context menu", "its popup (X11); typing replaces all (AT-SPI)")
async def click_context(stage: Stage) -> None:
    ref = await editor.fresh(stage, "all of it")
    await stage.do("click", on=ref, button="right", verdict=None)
    await stage.popups(True)
    await stage.do("press", on=await stage.ref("menuitem", "Select All"), verdict=None)
    await stage.popups(False)
    await stage.do("type", on=ref, value="new")
    await editor.holds(stage, "new")


@subject.row("set", "the margin's spin button, scrolled into view", "its number (AT-SPI)")
async def set_number(stage: Stage) -> None:
    await preferences(stage)
    margin = await stage.ref("spinbutton")
    await stage.do("set", on=margin, value=90)
    await stage.until(lambda: stage.seen("spin button"), lambda seen: seen is not None and seen.number == 90, "90")
    assert (await stage.refused("set", on=margin, value=100_000)).code == "value_rejected"
    await stage.do("set", on=margin, value=80)
    await leave_preferences(stage)


@subject.row("select", "a document by its tab", "the window's title (X11)")
async def select_tab(stage: Stage) -> None:
    await two_documents(stage)
    await stage.do("select", on=await stage.ref("tablist"), items=["note.txt"], verdict="changed")
    await stage.window_is("note.txt", lambda c: True, "the note in front")
    view = await stage.view()
    assert len([e for e in view.elements if e.role == "textbox"]) == 1, view.text
    await one_document(stage)


@subject.row("check", "a switch of the preferences", "it is checked (AT-SPI)")
async def check(stage: Stage) -> None:
    await preferences(stage)
    box = await stage.ref("checkbox", GRID)
    await stage.do("check", on=box)
    await stage.shows("switch", GRID, "checked")
    await stage.do("check", on=box, verdict="unchanged")
    await leave_preferences(stage)


@subject.row("uncheck", "a switch of the preferences", "it is not checked (AT-SPI)")
async def uncheck(stage: Stage) -> None:
    await preferences(stage)
    box = await stage.ref("checkbox", GRID)
    await stage.do("check", on=box, verdict=None)
    await stage.do("uncheck", on=box)
    await stage.shows("switch", GRID, without="checked")
    await leave_preferences(stage)


@subject.row("expand", "the view menu, a popover", "its surface is on the screen (X11)")
async def expand(stage: Stage) -> None:
    menu = await stage.ref("button", "View")
    await stage.do("expand", on=menu)
    await stage.popups(True)
    await stage.do("expand", on=menu, verdict="unchanged")
    await stage.do("collapse", on=menu)


@subject.row("collapse", "the view menu, a popover", "no popup is on the screen (X11)")
async def collapse(stage: Stage) -> None:
    menu = await stage.ref("button", "View")
    await stage.do("expand", on=menu)
    await stage.popups(True)
    await stage.do("collapse", on=menu)
    await stage.popups(False)
    await stage.do("collapse", on=menu, verdict="unchanged")


@subject.row("focus", "the editor, after the find bar had it", "who is focused (AT-SPI)")
async def focus(stage: Stage) -> None:
    ref = await editor.fresh(stage, "text")
    await stage.do("key", on=ref, keys="ctrl+f", verdict=None)
    await stage.shows("text box", None, without="focused")
    await stage.do("focus", on=ref)
    await stage.shows("text box", None, "focused")
    await stage.do("focus", on=ref, verdict="unchanged")
    await stage.do("key", on=ref, keys="Escape", verdict=None)


@subject.cannot(
    "focus", "a button of the header bar", "GTK 4.8 lets nobody else move its focus, and a click would press it",
    "`key` Tab, or `press` it", "unsupported_action",
)  # fmt: skip
async def focus_a_button(stage: Stage) -> None:
    assert (await stage.refused("focus", on=await stage.ref("button", "View"))).code == "unsupported_action"
    await stage.popups(False)


@subject.row("menu", "View > Line Numbers, twice", "the position in the header bar shows, then not (AT-SPI)")
async def menu(stage: Stage) -> None:
    before = await stage.seen("label", "Ln")
    await stage.do("menu", path=["View", "Line Numbers"])
    await stage.until(lambda: stage.seen("label", "Ln"), lambda seen: (seen is None) != (before is None), "it changed")
    await stage.do("menu", path=["View", "Line Numbers"])
    await stage.until(lambda: stage.seen("label", "Ln"), lambda seen: (seen is None) == (before is None), "it is back")


@subject.row("menu", "a submenu: View > Spaces Per Tab > 2", "what Tab writes (AT-SPI)")
async def submenu(stage: Stage) -> None:
    for path in (["View", "Spaces"], ["View", "Spaces Per Tab", "2"]):
        await stage.do("menu", path=path, verdict=None)
        await stage.popups(False)
    await stage.do("key", on=await editor.fresh(stage, ""), keys="Tab")
    await editor.holds(stage, "  ")
    for path in (["View", "Tabs"], ["View", "Spaces Per Tab", "8"]):
        await stage.do("menu", path=path, verdict=None)


@subject.row("menu", "an item that is not there", "nothing stays open (X11)")
async def menu_missing(stage: Stage) -> None:
    result = await stage.act({"do": "menu", "path": ["View", "Klingon"]})
    assert result.failure is not None
    assert result.failure.code == "not_found"
    assert '"Line Numbers"' in result.failure.found
    await stage.popups(False)


@subject.row("window", "move, maximise, restore, minimise, activate, close", "the window's X11 state")
async def window(stage: Stage) -> None:
    await operate_window(stage, "note.txt")
    await preferences(stage)
    await leave_preferences(stage)


@subject.row("open", "the application by name, then a file", "no second window or process; its title (X11)")
async def open_again(stage: Stage) -> None:
    effect = await stage.do("open", app="gnome-text-editor")
    assert "attached" in effect.note
    await two_documents(stage)
    assert len(await stage.witness.clients()) == 1
    await one_document(stage)


@subject.row("hover", "the editor", "where the pointer is (X11)")
async def hover(stage: Stage) -> None:
    await stage.do("hover", on=await editor.ref(stage), verdict=None)
    window = await stage.window_is("note.txt", lambda c: True, "the window")
    told, pointer = await editor.area(stage), await stage.witness.pointer()
    inside = [told.bounds[n] + window.bounds[n] for n in (0, 1)]
    assert all(0 <= pointer[n] - inside[n] < told.bounds[n + 2] for n in (0, 1))


@subject.row("invoke", "the view button's own action", "its surface is on the screen (X11)")
async def invoke(stage: Stage) -> None:
    menu = await stage.ref("button", "View")
    await stage.do("invoke", on=menu, action="click", verdict=None)
    await stage.popups(True)
    await stage.do("collapse", on=menu)
    assert (await stage.refused("invoke", on=menu, action="explode")).code == "unsupported_action"
