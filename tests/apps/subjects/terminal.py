"""Xfce Terminal (GTK3 with VTE): a shell in a window; what it prints is read from the accessibility tree."""

from __future__ import annotations

import asyncio

import pytest

from deskhand.desktop.session import DesktopSession
from deskhand.policy.gate import DefaultGate
from deskhand.types.errors import DeskhandError
from deskhand.types.requests import ActRequest, ObserveRequest
from tests.apps.subjects.operating import dialog_gone, operate_window
from tests.apps.subjects.row import FirstView, Subject
from tests.apps.subjects.stage import NoRecord, Stage
from tests.contract.sessions import Counting

PREFERENCES = "Terminal Preferences"
TITLE = "Terminal -"
SCREEN = "the screen (AT-SPI)"


async def prepare(stage: Stage) -> None:
    """A shell that waits for a command."""
    await stage.open(app="xfce4-terminal")
    await stage.until(lambda: screen(stage), lambda text: "#" in text or "$" in text, "a prompt")


subject = Subject("terminal", "GTK3, VTE", prepare, title="Xfce Terminal", first=FirstView(100, 1.0))


async def screen(stage: Stage) -> str:
    return (await stage.shows("terminal")).text


async def terminal(stage: Stage) -> str:
    return await stage.ref("terminal", window=stage.window)


async def clean(stage: Stage) -> str:
    """The terminal's ref, with nothing on the screen but a prompt."""
    await in_front(stage)
    ref = await terminal(stage)
    await stage.do("key", on=ref, keys="ctrl+c", verdict=None)
    await stage.do("type", on=ref, value="clear\n", verdict=None)
    await stage.until(lambda: screen(stage), lambda text: "clear" not in text and "^C" not in text, "a clean screen")
    return ref


async def says(stage: Stage, part: str) -> str:
    return await stage.until(lambda: screen(stage), lambda text: part in text, f"the screen says {part!r}")


async def written(stage: Stage, name: str, text: str) -> None:
    async def content() -> str:
        path = stage.home / name
        return await asyncio.to_thread(path.read_text) if path.exists() else ""

    await stage.until(content, lambda found: found == text, f"{name} holds {text!r}")


async def preferences(stage: Stage) -> None:
    """The preferences, which stay open until the terminal itself is wanted."""
    if await stage.client(PREFERENCES) is None:
        await stage.do("menu", path=["Edit", "Preferences..."], expect={"for": "window", "on": PREFERENCES})


async def in_front(stage: Stage) -> None:
    """The terminal has the focus and the preferences are closed."""
    if await stage.client(PREFERENCES) is not None:
        await stage.do("press", on=await stage.ref("button", "Close", window=PREFERENCES), verdict=None)
        await dialog_gone(stage, PREFERENCES)


@subject.row(
    "type", "a command with letters outside of the layout, and Return", "a file's bytes; " + SCREEN, also=("wait",)
)
async def type_command(stage: Stage) -> None:
    ref = await clean(stage)
    result = await stage.act(
        {"do": "type", "on": ref, "value": "echo 'hällo 日本 👍' > out.txt; echo $((6 * 7)) done\n"},
        {"do": "wait", "for": "value", "on": ref, "is": "42 done", "match": "contains"},
    )
    assert result.failure is None, result.text
    await written(stage, "out.txt", "hällo 日本 👍\n")
    view = await stage.view()
    assert "\\n42 done\\n" in view.text, "what a command prints is read from the tree"
    assert "\\n\\n" not in view.text, "nothing is said of the empty lines below"


@subject.row(
    "gate", "a command, its Return and a paste, with the gate of the product", "no file, and the same " + SCREEN
)
async def every_return_is_held(stage: Stage) -> None:
    await clean(stage)
    was, counting = await screen(stage), Counting()
    gate = DefaultGate(counting, NoRecord())
    own = DesktopSession(stage.platform, gate=gate, recorder=NoRecord(), launcher=stage.desktop, counters=counting)
    view = await own.observe(ObserveRequest())
    ref = next(e.ref for e in view.elements if e.role == "terminal")
    held: list[dict[str, object]] = [
        {"do": "type", "on": ref, "value": "touch held.txt\n"},
        {"do": "type", "on": ref, "value": "touch held.txt"},
        {"do": "key", "on": ref, "keys": "Return"},
        {"do": "key", "keys": "ctrl+m"},
        {"do": "menu", "path": ["Edit", "Paste"]},
    ]
    for step in held:
        with pytest.raises(DeskhandError) as refused:
            await own.act(ActRequest.model_validate({"steps": [step]}))
        assert (refused.value.code, refused.value.sent) == ("confirmation_required", "no"), step
        assert "runs a command" in str(refused.value), step
    assert await screen(stage) == was
    assert not (stage.home / "held.txt").exists()


@subject.row("key", "ctrl+C ends what runs, Up brings the last command back", SCREEN, also=("expect",))
async def key(stage: Stage) -> None:
    ref = await clean(stage)
    await stage.do("type", on=ref, value="sleep 600\n", verdict=None, expect={"process": {"name": "sleep"}})
    await stage.do("key", on=ref, keys="ctrl+c", expect={"process": {"name": "sleep", "gone": True}})
    await says(stage, "^C")
    await stage.do("key", on=ref, keys="Up", verdict=None)
    await stage.until(lambda: screen(stage), lambda text: text.count("sleep 600") == 2, "the command is back")
    await stage.do("key", on=ref, keys="ctrl+u", verdict=None)


@subject.row("menu", "Select All and Copy", "the clipboard", also=("clipboard",))
async def menu(stage: Stage) -> None:
    ref = await clean(stage)
    await stage.do("type", on=ref, value="clear; echo abcdefgh\n", verdict=None)
    await stage.until(lambda: screen(stage), lambda text: text.startswith("abcdefgh"), "its output")
    result = await stage.act(
        {"do": "menu", "path": ["Edit", "Select All"]},
        {"do": "key", "keys": "ctrl+shift+c"},
        {"do": "clipboard", "op": "read"},
    )
    assert result.failure is None, result.text
    assert str(result.effects[2].after).startswith('"abcdefgh\\n'), result.text


@subject.row("drag", "over the screen; what is selected is not told, but can be copied", "the clipboard")
async def drag(stage: Stage) -> None:
    ref = await clean(stage)
    await stage.do("type", on=ref, value="clear; seq 1001 1200\n", verdict=None)
    await says(stage, "1200")
    await stage.do("drag", on=ref, to=[-300, -100], verdict="unverifiable")
    await stage.do("key", keys="ctrl+shift+c", verdict=None)
    copied = str((await stage.do("clipboard", op="read")).after)
    assert copied.count("11") > 3, copied


@subject.cannot(
    "select", "characters of the screen", "VTE says yes and selects others", "read them in the view, or `drag`",
    "unsupported_action",
)  # fmt: skip
async def select(stage: Stage) -> None:
    assert (await stage.refused("select", on=await clean(stage), range=[0, 4])).code == "unsupported_action"


@subject.row("click", "a box that lies under a tooltip", "no tooltip (X11); the box's state (AT-SPI)", also=("hover",))
async def click_under_tooltip(stage: Stage) -> None:
    await preferences(stage)
    lines, box = await stage.ref("spinbutton"), await stage.ref("checkbox", "Cursor blinks")
    was = "checked" in (await stage.shows("check box", "Cursor blinks")).states
    await stage.do("hover", on=lines, verdict=None)
    await stage.until(stage.witness.tooltips, lambda found: found, "the field's tooltip")
    await stage.do("click", on=box, verdict=None)
    await stage.shows("check box", "Cursor blinks", *([] if was else ["checked"]), without="checked" if was else "")


@subject.row("set", "the lines that are kept, a spin button", "its number (AT-SPI)")
async def set_lines(stage: Stage) -> None:
    await preferences(stage)
    lines = await stage.ref("spinbutton")
    await stage.do("set", on=lines, value=1234)
    assert (await stage.shows("spin button")).number == 1234
    await stage.do("set", on=lines, value=1000)


@subject.row("check", "a box of the preferences, and off again", "the box (AT-SPI)", also=("uncheck",))
async def check(stage: Stage) -> None:
    await preferences(stage)
    box = await stage.ref("checkbox", "Scroll on output")
    await stage.do("check", on=box)
    await stage.shows("check box", "Scroll on output", "checked")
    await stage.do("check", on=box, verdict="unchanged")
    await stage.do("uncheck", on=box)
    await stage.shows("check box", "Scroll on output", without="checked")


@subject.row(
    "append", "to the initial title; then the focus goes to its box", "text and focus (AT-SPI)", also=("focus",)
)
async def append(stage: Stage) -> None:
    await preferences(stage)
    title = await stage.ref("textbox")
    await stage.do("set", on=title, value="Term", verdict=None)
    await stage.do("append", on=title, value=" ß")
    assert (await stage.shows("text")).text == "Term ß"
    await stage.do("set", on=title, value="Terminal")
    await stage.do("focus", on=title)
    await stage.shows("text", None, "focused")
    await stage.do("focus", on=await stage.ref("checkbox", "Cursor blinks"))
    await stage.shows("check box", "Cursor blinks", "focused")


@subject.row("expand", "the File menu, and collapsed again", "its popup (X11)", also=("collapse", "invoke"))
async def expand(stage: Stage) -> None:
    await in_front(stage)
    menu = await stage.ref("menu", "File", window=stage.window)
    await stage.do("expand", on=menu)
    await stage.popups(True)
    await stage.do("collapse", on=menu)
    await stage.popups(False)
    await stage.do("invoke", on=menu, action="click", verdict="changed")
    await stage.popups(True)
    await stage.do("key", keys="Escape", verdict=None)


@subject.row("scroll", "what has scrolled away, and back to the prompt", f"the scroll bar's number and {SCREEN}")
async def scroll(stage: Stage) -> None:
    ref = await clean(stage)
    await stage.do("type", on=ref, value="clear; seq 1001 1200\n", verdict=None)
    await says(stage, "1200")
    await stage.do("scroll", on=ref, to="top")
    assert (await stage.shows("scroll bar")).number == 0
    assert "1200" not in await screen(stage)
    await stage.do("scroll", on=ref, to="bottom")
    await says(stage, "1200")


@subject.row("press", "Open Tab in a menu, a tab by its name, Close in the question", "tabs and windows (AT-SPI, X11)")
async def tabs(stage: Stage) -> None:
    await in_front(stage)
    await stage.do("menu", path=["File", "Open Tab"], verdict=None)
    await stage.shows("page tab", nth=1)
    await stage.do("window", on=stage.window, op="close", verdict="changed")
    await stage.window_is("Warning", lambda c: c.active, "it asks")
    await stage.do("press", on=await stage.ref("button", "Cancel"))
    await dialog_gone(stage, "Warning")
    await stage.do("menu", path=["File", "Close Tab"], verdict=None)
    await stage.until(lambda: stage.seen("page tab", nth=1), lambda seen: seen is None, "one tab")


@subject.row("window", "move, resize, maximise, restore, minimise, activate", "the window's X11 state")
async def window(stage: Stage) -> None:
    await operate_window(stage, TITLE)


@subject.row("open", "the application by name while it runs", "no second window (X11)")
async def open_again(stage: Stage) -> None:
    old = {c.xid for c in await stage.witness.clients()}
    await stage.do("open", app="xfce4-terminal", verdict=None)
    assert {c.xid for c in await stage.witness.clients()} == old


@subject.refuses(
    "set", "what the terminal shows", "a screen is printed by programs", "`type` a command", "unsupported_action"
)
async def set_screen(stage: Stage) -> None:
    ref, was = await clean(stage), await screen(stage)
    assert (await stage.refused("set", on=ref, value="x")).code == "unsupported_action"
    assert (await stage.refused("append", on=ref, value="x")).code == "unsupported_action"
    assert await screen(stage) == was


@subject.lacks(
    "observe", "what has scrolled away", "the scroll bar's number (AT-SPI)", "VTE tells the screen alone",
    "`scroll` it, or `type` a command that writes into a file or a pager",
)  # fmt: skip
async def scrolled_away(stage: Stage) -> None:
    ref = await clean(stage)
    await stage.do("type", on=ref, value="clear; seq 1001 1200\n", verdict=None)
    await says(stage, "1200")
    view = await stage.view()
    assert '"1200' in view.text.replace("\\n", '"'), view.text
    assert "1001" not in view.text
    assert (await stage.shows("scroll bar")).number
