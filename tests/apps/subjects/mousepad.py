"""Mousepad (GTK3): a text editor with a menu bar, a find bar and a preferences dialog."""

from __future__ import annotations

from deskhand.types.results import Effect
from tests.apps.subjects.operating import open_by_letter, operate_window
from tests.apps.subjects.row import FirstView, Subject
from tests.apps.subjects.stage import Stage
from tests.apps.subjects.witness import Seen

LINES = "".join(f"line {n} of many words\n" for n in range(200))
PREFERENCES = "Mousepad Preferences"


async def prepare(stage: Stage) -> None:
    """A saved note in the only window."""
    (stage.home / "note.txt").write_text("first\n")
    await stage.open(app="mousepad", file="note.txt")


subject = Subject("mousepad", "GTK3", prepare, title="Mousepad", first=FirstView(100, 1.0))


async def editor(stage: Stage) -> str:
    return await stage.ref("textbox", window=stage.window)


async def text_area(stage: Stage) -> Seen:
    return await stage.shows("text")


async def holds(stage: Stage, text: str) -> None:
    await stage.until(lambda: text_area(stage), lambda seen: seen.text == text, f"the editor holds {text[:40]!r}")


async def selected(stage: Stage, wanted: tuple[int, int]) -> None:
    await stage.until(lambda: text_area(stage), lambda seen: seen.selection == wanted, f"{wanted} is selected")


async def fresh(stage: Stage, text: str) -> str:
    """The editor's ref, with this text in it."""
    ref = await editor(stage)
    await stage.do("set", on=ref, value=text, verdict=None)
    await stage.do("focus", on=ref, verdict=None)
    return ref


async def saved(stage: Stage) -> bytes:
    """The note's bytes after ctrl+S."""
    await stage.do("key", on=await editor(stage), keys="ctrl+s", verdict=None)
    await stage.window_is("note.txt", lambda window: not window.title.startswith("*"), "the note is saved")
    return (stage.home / "note.txt").read_bytes()


async def preferences(stage: Stage, tab: str = "View") -> None:
    if await stage.client(PREFERENCES) is None:
        await stage.do("menu", path=["Edit", "Preferences…"], expect={"for": "window", "on": PREFERENCES})
    await stage.do("select", on=await stage.ref("tablist"), items=[tab], verdict=None)


async def leave_preferences(stage: Stage) -> None:
    await stage.do("window", on=PREFERENCES, op="close")
    await stage.until(lambda: stage.client(PREFERENCES), lambda client: client is None, "the preferences closed")


async def find_bar(stage: Stage) -> None:
    if await stage.seen("check box", "Match case") is None:
        await stage.do("key", on=await editor(stage), keys="ctrl+f", verdict=None)
        await stage.shows("check box", "Match case")


async def leave_find_bar(stage: Stage) -> None:
    await stage.do("press", on=await stage.ref("button", "Close"), verdict=None)
    await stage.gone("check box", "Match case")


@subject.row("press", "Down in the find bar", "the editor's selection is the next hit (AT-SPI)")
async def press_next(stage: Stage) -> None:
    ref = await fresh(stage, "one two one two")
    await stage.do("select", on=ref, range=[0, 0], verdict=None)
    await find_bar(stage)
    await stage.do("set", on=await stage.ref("textbox", nth=1), value="two")
    down = await stage.ref("button", "Down")
    for hit in ((4, 7), (12, 15)):
        await stage.do("press", on=down, verdict="changed")
        await selected(stage, hit)
    await leave_find_bar(stage)


@subject.row("click", "a double click into a word", "the word is selected (AT-SPI)")
async def click_word(stage: Stage) -> None:
    ref = await fresh(stage, "\n".join(["wholelinewordwholelinewordwholelinewordwholelinewordwholelineword"] * 40))
    effect = await stage.do("click", on=ref, count=2, verdict="changed")
    seen = await stage.until(
        lambda: text_area(stage), lambda seen: seen.selection[1] - seen.selection[0] == 65, "a word"
    )
    assert f"selected {seen.selection[0]}..{seen.selection[1]}" in effect.note


@subject.row("set", "three lines with letters outside of ASCII, saved by ctrl+S", "the file's bytes")
async def set_lines(stage: Stage) -> None:
    text = "Grüße, 日本語\n\tЖ 👍🏽\nend"
    await stage.do("set", on=await editor(stage), value=text)
    assert await saved(stage) == text.encode()
    await stage.do("set", on=await editor(stage), value=text, verdict="unchanged")


@subject.row("set", "5,000 characters in 100 lines, then nothing", "the file's bytes")
async def set_much(stage: Stage) -> None:
    text = "".join(f"{n:04} {'x' * 44}\n" for n in range(100))
    assert len(text) == 5000
    await stage.do("set", on=await editor(stage), value=text)
    assert await saved(stage) == text.encode()
    await stage.do("set", on=await editor(stage), value="")
    await holds(stage, "")


@subject.row("set", "the spin button of the preferences", "its number (AT-SPI)")
async def set_number(stage: Stage) -> None:
    await preferences(stage)
    await stage.do("check", on=await stage.ref("checkbox", "Long line margin at column:"))
    margin = await stage.ref("spinbutton")
    await stage.do("set", on=margin, value=72)
    await stage.until(lambda: stage.seen("spin button"), lambda seen: seen is not None and seen.number == 72, "72")
    await stage.do("set", on=margin, value=80)
    await stage.do("uncheck", on=await stage.ref("checkbox", "Long line margin at column:"))
    await leave_preferences(stage)


@subject.row("append", "a second line", "the file's bytes")
async def append(stage: Stage) -> None:
    ref = await fresh(stage, "one")
    await stage.do("append", on=ref, value="\ntwo ß")
    assert await saved(stage) == "one\ntwo ß".encode()


@subject.row("type", "letters outside of the layout at the caret", "the file's bytes")
async def type_text(stage: Stage) -> None:
    ref = await fresh(stage, "[]")
    await stage.do("select", on=ref, range=[1, 1])
    await stage.do("type", value="Zß👍日\tx")
    assert await saved(stage) == "[Zß👍日\tx]".encode()


@subject.row("key", "ctrl+A, then Delete", "the editor is empty (AT-SPI)")
async def key(stage: Stage) -> None:
    ref = await fresh(stage, "away with it")
    await stage.do("key", on=ref, keys="ctrl+a", verdict="changed")
    await stage.do("key", keys="Delete")
    await holds(stage, "")


@subject.row("key", "alt+F opens the File menu, which stays open", "an open menu (X11)")
async def key_letter(stage: Stage) -> None:
    await open_by_letter(stage)


@subject.row("select", "characters 4 to 7", "the selection (AT-SPI); typing replaces just it")
async def select_text(stage: Stage) -> None:
    ref = await fresh(stage, "one two three")
    await stage.do("select", on=ref, range=[4, 7])
    assert (await text_area(stage)).selection == (4, 7)
    await stage.do("type", value="2")
    await holds(stage, "one 2 three")


@subject.row("select", "a tab of the preferences, by its name", "the tab is selected (AT-SPI)")
async def select_tab(stage: Stage) -> None:
    await preferences(stage)
    await stage.do("select", on=await stage.ref("tablist"), items=["Editor"])
    await stage.shows("page tab", "Editor", "selected")
    await stage.do("select", on=await stage.ref("tablist"), items=["Editor"], verdict="unchanged")
    await leave_preferences(stage)


@subject.row("select", "an item of a closed combo box", "the combo box holds it (AT-SPI)")
async def select_item(stage: Stage) -> None:
    await preferences(stage)
    scheme = await stage.ref("combobox", "Color Scheme")
    await stage.do("select", on=scheme, items=["Kate"])
    await stage.shows("combo box", "kate")
    await stage.do("set", on=scheme, value="none", verdict=None)
    await leave_preferences(stage)


@subject.row("check", "Show line numbers in the preferences", "the box is checked (AT-SPI)")
async def check(stage: Stage) -> None:
    await preferences(stage)
    box = await stage.ref("checkbox", "Show line numbers")
    await stage.do("check", on=box)
    await stage.shows("check box", "Show line numbers", "checked")
    await stage.do("check", on=box, verdict="unchanged")
    await leave_preferences(stage)


@subject.row("uncheck", "Show line numbers in the preferences", "the box is not checked (AT-SPI)")
async def uncheck(stage: Stage) -> None:
    await preferences(stage)
    box = await stage.ref("checkbox", "Show line numbers")
    await stage.do("check", on=box, verdict=None)
    await stage.do("uncheck", on=box)
    await stage.shows("check box", "Show line numbers", without="checked")
    await leave_preferences(stage)


@subject.row("expand", "the File menu", "its popup is on the screen (X11)")
async def expand(stage: Stage) -> None:
    await stage.do("expand", on=await stage.ref("menu", "File"))
    await stage.popups(True)
    await stage.shows("menu", "File", "selected")
    await stage.do("collapse", on=await stage.ref("menu", "File"), verdict=None)


@subject.row("collapse", "the File menu", "no popup is on the screen (X11)")
async def collapse(stage: Stage) -> None:
    menu = await stage.ref("menu", "File")
    await stage.do("expand", on=menu)
    await stage.popups(True)
    await stage.do("collapse", on=menu)
    await stage.popups(False)


@subject.row("focus", "the find bar's field, then the editor", "who is focused (AT-SPI)")
async def focus(stage: Stage) -> None:
    ref = await fresh(stage, "text")
    await find_bar(stage)
    await stage.do("focus", on=ref)
    await stage.shows("text", None, "focused")
    await stage.do("focus", on=await stage.ref("textbox", nth=1))
    await stage.shows("text", None, "focused", nth=1)
    await stage.do("focus", on=ref)
    await leave_find_bar(stage)


async def _offset(stage: Stage) -> float:
    return (await stage.shows("scroll bar")).number or 0.0


@subject.row("scroll", "the editor to its end, up by 200 pixels, to its start", "the scroll bar's number (AT-SPI)")
async def scroll(stage: Stage) -> None:
    ref = await fresh(stage, LINES)
    await stage.do("select", on=ref, range=[0, 0], verdict=None)
    await stage.do("scroll", on=ref, to="bottom")
    low = await _offset(stage)
    assert low > 1000
    await stage.do("scroll", on=ref, by=[0, -200])
    assert low - 500 < await _offset(stage) < low
    await stage.do("scroll", on=ref, to="top")
    assert await _offset(stage) == 0
    await stage.do("scroll", on=ref, to="top", verdict="unchanged")


@subject.row("menu", "View > Statusbar, twice", "the status bar shows, then not (AT-SPI)")
async def menu(stage: Stage) -> None:
    before = await stage.seen("statusbar")
    await stage.do("menu", path=["View", "Statusbar"], verdict=None)
    await stage.until(lambda: stage.seen("statusbar"), lambda seen: (seen is None) != (before is None), "it changed")
    await stage.do("menu", path=["View", "Statusbar"], verdict=None)
    await stage.until(lambda: stage.seen("statusbar"), lambda seen: (seen is None) == (before is None), "it is back")


@subject.row("menu", "a submenu: Edit > Convert > To Uppercase", "the editor's text (AT-SPI)")
async def submenu(stage: Stage) -> None:
    ref = await fresh(stage, "quiet")
    await stage.do("select", on=ref, range=[0, 5])
    await stage.do("menu", path=["Edit", "Convert", "To Uppercase"], verdict=None)
    await holds(stage, "QUIET")


@subject.row("menu", "an item that is not there", "nothing stays open (X11)")
async def menu_missing(stage: Stage) -> None:
    result = await stage.act({"do": "menu", "path": ["Edit", "Convert", "To Klingon"]})
    assert result.failure is not None
    assert result.failure.code == "not_found"
    assert '"To Uppercase"' in result.failure.found
    await stage.popups(False)


@subject.row("window", "move, resize, maximise, restore, minimise, activate, close", "the window's X11 state")
async def window(stage: Stage) -> None:
    await operate_window(stage, "note.txt")
    await preferences(stage)
    await leave_preferences(stage)


@subject.row("open", "the application by name, then a file", "no second process; the window's title (X11)")
async def open_again(stage: Stage) -> None:
    effect = await stage.do("open", app="mousepad")
    assert "attached" in effect.note
    (stage.home / "other.txt").write_text("other")
    effect = await stage.do("open", app="mousepad", file="other.txt")
    await stage.window_is("other.txt", lambda c: True, "its window")
    assert len({c.pid for c in await stage.witness.clients()}) == 1
    await stage.do("key", keys="ctrl+w", verdict=None)
    await stage.until(lambda: stage.client("other.txt"), lambda c: c is None, "other.txt closed")
    await stage.do("window", on=stage.window, op="activate", verdict=None)


@subject.row("wait", "for a text, for a window that does not come", "the editor's text (AT-SPI); `wait_timeout`")
async def wait(stage: Stage) -> None:
    ref = await fresh(stage, "soon")
    result = await stage.act(
        {"do": "append", "on": ref, "value": " later"},
        {"do": "wait", "for": "value", "on": ref, "is": "later", "match": "contains"},
        {"do": "wait", "for": "window", "on": "Nowhere", "timeout": 0.3},
    )
    assert result.done == 2
    assert result.failure is not None
    assert result.failure.code == "wait_timeout"
    await holds(stage, "soon later")


@subject.row("expect", "a file's content after ctrl+S, and one that is not so", "the file's bytes")
async def expect(stage: Stage) -> None:
    ref = await fresh(stage, "kept")
    done = await stage.do("key", on=ref, keys="ctrl+s", expect={"file": {"path": "note.txt", "contains": "kept"}})
    assert (stage.home / "note.txt").read_text() == "kept"
    assert "note.txt" in done.note
    wrong = {"file": {"path": "note.txt", "contains": "lost"}, "timeout": 0.3}
    result = await stage.act({"do": "key", "on": ref, "keys": "Home", "expect": wrong})
    assert result.failure is not None
    assert result.failure.code == "expectation_failed"


@subject.row("hover", "the editor", "where the pointer is (X11)")
async def hover(stage: Stage) -> None:
    ref = await fresh(stage, "text")
    await stage.do("hover", on=ref, verdict=None)
    x, y, w, h = (await text_area(stage)).bounds
    pointer = await stage.witness.pointer()
    assert x <= pointer[0] < x + w
    assert y <= pointer[1] < y + h


@subject.row("drag", "from the editor's middle to the left", "characters are selected (AT-SPI)")
async def drag(stage: Stage) -> None:
    ref = await fresh(stage, "\n".join(["m" * 80] * 40))
    await stage.do("drag", on=ref, to=[-120, 0], verdict="changed")
    await stage.until(lambda: text_area(stage), lambda seen: seen.selection[1] > seen.selection[0], "a selection")


@subject.row("invoke", "the File menu's own action", "its popup is on the screen (X11)")
async def invoke(stage: Stage) -> None:
    menu = await stage.ref("menu", "File")
    await stage.do("invoke", on=menu, action="click", verdict="changed")
    await stage.popups(True)
    await stage.do("key", keys="Escape", verdict=None)
    failure = await stage.refused("invoke", on=menu, action="explode")
    assert failure.code == "unsupported_action"


@subject.row("clipboard", "written, pasted; copied, read", "the editor's text (AT-SPI)")
async def clipboard(stage: Stage) -> None:
    ref = await fresh(stage, "")
    await stage.do("clipboard", op="write", value="päste")
    await stage.do("key", on=ref, keys="ctrl+v")
    await holds(stage, "päste")
    await stage.do("set", on=ref, value="copied")
    await stage.do("key", on=ref, keys="ctrl+a", verdict=None)
    await stage.do("key", on=ref, keys="ctrl+c", verdict=None)
    read: Effect = await stage.do("clipboard", op="read")
    assert read.after == '"copied"'


@subject.refuses(
    "check", "a button", "a push button is neither on nor off", "`press` it, or `wait` for what it does",
    "unsupported_action",
)  # fmt: skip
async def check_nothing(stage: Stage) -> None:
    failure = await stage.refused("check", on=await editor(stage))
    assert failure.code == "unsupported_action"


@subject.refuses(
    "expand", "the editor", "a text field has no levels", "`scroll` it, or `observe` it by `from` and `to`",
    "unsupported_action",
)  # fmt: skip
async def expand_nothing(stage: Stage) -> None:
    failure = await stage.refused("expand", on=await editor(stage))
    assert failure.code == "unsupported_action"
