"""FeatherPad (Qt 5.15 as Debian builds it): a text editor with menus, a toolbar and a find bar."""

from __future__ import annotations

from tests.apps.subjects.operating import operate_window
from tests.apps.subjects.row import Subject
from tests.apps.subjects.stage import Stage
from tests.apps.subjects.witness import Seen


async def prepare(stage: Stage) -> None:
    """An empty page."""
    await stage.open(app="featherpad")


subject = Subject("featherpad", "Qt 5.15", prepare)
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
