"""Inkscape 1.2 (GTK3): its controls are told, the drawing is a canvas; what was drawn is judged by the saved file."""

from __future__ import annotations

import re

from tests.apps.subjects.operating import dialog_gone, operate_window
from tests.apps.subjects.row import FirstView, Subject
from tests.apps.subjects.stage import Stage
from tests.apps.subjects.viewing import tells_all

DRAWING = "drawing.svg"
PROPERTIES = "Document Properties"
_PLAIN = """<svg xmlns="http://www.w3.org/2000/svg" width="100mm" height="80mm" viewBox="0 0 100 80">
<rect id="box" x="20" y="20" width="60" height="40" fill="#ff0000"/></svg>
"""
_SETTINGS = """<?xml version="1.0"?>
<inkscape version="1"><group id="options"><group id="boot" enabled="0" shown="1"/></group></inkscape>
"""


async def prepare(stage: Stage) -> None:
    """A drawing with one red box; no welcome."""
    settings = stage.home / ".config/inkscape"
    settings.mkdir(parents=True, exist_ok=True)
    (settings / "preferences.xml").write_text(_SETTINGS)
    (stage.home / DRAWING).write_text(_PLAIN)
    await stage.open(app="inkscape", file=DRAWING)


subject = Subject("inkscape", "GTK3", prepare, title="Inkscape", first=FirstView(1100, 0.25))
SAVED = "the saved file"


async def boxed(stage: Stage) -> None:
    """The box is selected: it is all that there is."""
    canvas = await stage.ref("canvas")
    result = await stage.act(
        {"do": "key", "on": canvas, "keys": "Escape"},
        {"do": "key", "keys": "ctrl+a"},
        {"do": "wait", "for": "enabled", "on": await number(stage, "W")},
    )
    assert result.failure is None, result.text


async def number(stage: Stage, name: str) -> str:
    return await stage.ref("spinbutton", name)


async def saved(stage: Stage, name: str, value: float) -> None:
    """Save with ctrl+S, until the box has this in the file."""
    told = re.compile(rf'\b{name}="([-0-9.]+)"')

    async def look() -> float | None:
        await stage.do("key", keys="ctrl+s", verdict=None)
        text = (stage.home / DRAWING).read_text()
        found = told.search(text[text.find("<rect") :])
        return float(found.group(1)) if found else None

    await stage.until(look, lambda found: found is not None and abs(found - value) < 0.01, f"{name}={value}")


async def properties(stage: Stage) -> None:
    if await stage.client(PROPERTIES) is None:
        await stage.do(
            "menu", path=["File", "Document Properties..."], expect={"for": "window", "on": PROPERTIES}, verdict=None
        )


async def left(stage: Stage) -> None:
    await stage.do("window", on=PROPERTIES, op="close")
    await dialog_gone(stage, PROPERTIES)


async def tool(stage: Stage, hint: str) -> None:
    await stage.do("check", on=await stage.ref("radio", hint), verdict=None)


@subject.row("observe", "the window: all controls, and that most of it is a drawing", "a walk by pyatspi")
async def observe(stage: Stage) -> None:
    view = await tells_all(stage, "org.inkscape.Inkscape")
    assert view.coverage < 0.33
    assert "advice screenshot" in view.text.splitlines()[0]
    assert any(element.role == "canvas" for element in view.elements)


@subject.row("set", "the box's width and place", SAVED)
async def set_numbers(stage: Stage) -> None:
    await boxed(stage)
    await stage.do("set", on=await number(stage, "W"), value=30)
    await saved(stage, "width", 30)
    await stage.do("set", on=await number(stage, "X"), value=10)
    await saved(stage, "x", 10)


@subject.row("press", "Duplicate, then Undo in the toolbar", "the number of boxes in the saved file")
async def press(stage: Stage) -> None:
    await boxed(stage)
    await stage.do("press", on=await stage.ref("button", "Duplicate"), verdict=None)
    await boxes(stage, 2)
    await stage.do("press", on=await stage.ref("button", "Undo"), verdict=None)
    await boxes(stage, 1)


async def boxes(stage: Stage, wanted: int) -> None:
    async def look() -> int:
        await stage.do("key", keys="ctrl+s", verdict=None)
        return (stage.home / DRAWING).read_text().count("<rect")

    await stage.until(look, lambda found: found == wanted, f"{wanted} boxes")


@subject.row("click", "the drawing's middle, where the box is", "what is selected, in the status bar (AT-SPI)")
async def click(stage: Stage) -> None:
    await tool(stage, "Select and transform")
    await boxed(stage)
    for name, value in (("X", 20), ("Y", 20), ("W", 60), ("H", 40)):
        await stage.do("set", on=await number(stage, name), value=value, verdict=None)
    await stage.do("key", on=await stage.ref("canvas"), keys="Escape", verdict=None)
    await stage.do("click", on=await stage.ref("canvas"), verdict=None)
    labels = lambda: stage.witness.elements(stage.pid, "label")  # noqa: E731
    await stage.until(labels, lambda told: any("Rectangle" in label.text for label in told), "the box is selected")


@subject.row("drag", "a new box with the rectangle tool", "the number of boxes in the saved file")
async def drag(stage: Stage) -> None:
    await tool(stage, "Create rectangles")
    await stage.do(
        "key", on=await stage.ref("canvas"), keys="Escape", verdict=None
    )  # a selected box has a handle there
    await stage.do("drag", on=await stage.ref("canvas"), to=[90, 70], verdict=None)
    await boxes(stage, 2)
    await stage.do("key", on=await stage.ref("canvas"), keys="Delete", verdict=None)
    await boxes(stage, 1)
    await tool(stage, "Select and transform")


@subject.row("key", "ctrl+A, then Right: two pixels", SAVED)
async def key(stage: Stage) -> None:
    await boxed(stage)
    await stage.do("set", on=await number(stage, "X"), value=20, verdict=None)
    await stage.do("key", on=await stage.ref("canvas"), keys="Right", verdict=None)
    await saved(stage, "x", 20.529)


@subject.row("type", "the box's height into its field, with Return", SAVED)
async def type_text(stage: Stage) -> None:
    await boxed(stage)
    await stage.do("key", on=await number(stage, "H"), keys="ctrl+a", verdict=None)
    await stage.do("type", value="25\n", verdict=None)
    await saved(stage, "height", 25)


@subject.row("append", "a digit to the document's title", "the title in the saved file")
async def append(stage: Stage) -> None:
    await titled(stage, "Plan")
    await stage.do("append", on=await title_field(stage), value=" 2ß")
    await left(stage)
    await stage.do("key", keys="ctrl+s", verdict=None)

    async def look() -> str:
        return (stage.home / DRAWING).read_text()

    await stage.until(look, lambda text: "Plan 2ß</dc:title>" in text, "the title")


async def title_field(stage: Stage) -> str:
    await properties(stage)
    await stage.do("select", on=await stage.ref("tablist", nth=1), items=["Metadata"], verdict=None)
    return await stage.ref("textbox")


async def titled(stage: Stage, text: str) -> None:
    await stage.do("set", on=await title_field(stage), value=text, verdict=None)


@subject.row("select", "a tab of the document's properties; a unit in a combo box", "the tab, the combo box (AT-SPI)")
async def select(stage: Stage) -> None:
    await properties(stage)
    tabs = await stage.ref("tablist", nth=1)
    await stage.do("select", on=tabs, items=["Guides"])
    await stage.shows("page tab", "Guides", "selected")
    await stage.do("select", on=tabs, items=["Display"])
    units = await stage.ref("combobox", "Display units")
    await stage.do("select", on=units, items=["cm"])
    await stage.shows("combo box", "cm")
    await stage.do("select", on=units, items=["mm"])
    await left(stage)


@subject.row("check", "Checkerboard in the document's properties", "the box is checked (AT-SPI)")
async def check(stage: Stage) -> None:
    await properties(stage)
    box = await stage.ref("checkbox", "Checkerboard")
    await stage.do("check", on=box)
    await stage.shows("check box", "Checkerboard", "checked")
    await stage.do("check", on=box, verdict="unchanged")


@subject.row("uncheck", "Checkerboard in the document's properties", "the box is not checked (AT-SPI)")
async def uncheck(stage: Stage) -> None:
    await properties(stage)
    box = await stage.ref("checkbox", "Checkerboard")
    await stage.do("check", on=box, verdict=None)
    await stage.do("uncheck", on=box)
    await stage.shows("check box", "Checkerboard", without="checked")
    await left(stage)


@subject.row("focus", "the field of the box's width, then the drawing by a click", "who is focused (AT-SPI)")
async def focus(stage: Stage) -> None:
    await boxed(stage)
    await stage.do("focus", on=await number(stage, "W"))
    spins = lambda: stage.witness.elements(stage.pid, "spin button")  # noqa: E731
    await stage.until(spins, lambda told: any("focused" in spin.states for spin in told), "the field")
    await stage.do("click", on=await stage.ref("canvas"), verdict=None)
    await stage.until(spins, lambda told: not any("focused" in spin.states for spin in told), "not the field")


@subject.row("expand", "a menu", "an open menu (X11)")
async def expand(stage: Stage) -> None:
    menu = await stage.ref("menu", "Path")
    await stage.do("expand", on=menu)
    await stage.popups(True)
    await stage.do("collapse", on=menu, verdict=None)


@subject.row("collapse", "a menu", "no open menu (X11)")
async def collapse(stage: Stage) -> None:
    menu = await stage.ref("menu", "Text")
    await stage.do("expand", on=menu)
    await stage.do("collapse", on=menu)
    await stage.popups(False)


@subject.row("scroll", "the drawing down", "the scroll bar's number (AT-SPI)")
async def scroll(stage: Stage) -> None:
    async def bars() -> list[float | None]:
        return [bar.number for bar in await stage.witness.elements(stage.pid, "scroll bar")]

    before = await bars()
    await stage.do("scroll", on=await stage.ref("canvas"), by=[0, 120], verdict=None)
    await stage.until(bars, lambda told: told != before, "it has scrolled")
    await stage.do("scroll", on=await stage.ref("canvas"), by=[0, -120], verdict=None)


@subject.row("menu", "Object > Rotate 90° CW", SAVED)
async def menu(stage: Stage) -> None:
    await boxed(stage)
    await stage.do("menu", path=["Edit", "Duplicate"], verdict=None)
    await boxes(stage, 2)
    await stage.do("menu", path=["Edit", "Undo"], verdict=None)
    await boxes(stage, 1)


@subject.row("menu", "an item that is not there: what is selected stays so", "no open menu (X11); Duplicate works")
async def menu_missing(stage: Stage) -> None:
    await boxed(stage)
    result = await stage.act({"do": "menu", "path": ["Object", "Nothing"]})
    assert result.failure is not None
    assert result.failure.code == "not_found"
    assert '"Group"' in result.failure.found
    await stage.popups(False)
    await stage.shows("push button", "Duplicate")
    width = await stage.ref("spinbutton", "W")
    await stage.do("wait", **{"for": "enabled"}, on=width, timeout=0.5, verdict=None)


@subject.cannot(
    "set", "the drawing", "shapes on the canvas are no elements: the tree tells that it is there, not what is on it",
    "`screenshot`, `click` a shape, then `set` its numbers in the toolbar", "unsupported_action",
)  # fmt: skip
async def set_canvas(stage: Stage) -> None:
    assert (await stage.refused("set", on=await stage.ref("canvas"), value="x")).code == "unsupported_action"


@subject.row("window", "move, maximise, restore, minimise, activate; close a dialog", "the window's X11 state")
async def window(stage: Stage) -> None:
    await operate_window(stage, f"{DRAWING} - Inkscape")
    await properties(stage)
    await left(stage)
    await stage.do("window", on=stage.window, op="maximise", verdict=None)


@subject.row("open", "the application by name while it runs", "no second window (X11)")
async def open_again(stage: Stage) -> None:
    assert "attached" in (await stage.do("open", app="inkscape", verdict=None)).note
    assert len(await stage.witness.clients()) == 1


@subject.row("wait", "for a dialog, for a window that does not come", "the dialog (X11); `wait_timeout`")
async def wait(stage: Stage) -> None:
    result = await stage.act(
        {"do": "menu", "path": ["File", "Document Properties..."]},
        {"do": "wait", "for": "window", "on": PROPERTIES},
        {"do": "wait", "for": "window", "on": "Nowhere", "timeout": 0.3},
    )
    assert result.failure is not None
    assert (result.done, result.failure.code) == (2, "wait_timeout")
    assert await stage.client(PROPERTIES) is not None
    await left(stage)
