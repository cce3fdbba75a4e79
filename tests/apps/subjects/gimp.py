"""GIMP 2.10 (GTK2, by GAIL and atk-bridge): its controls are told, the image is pixels on a canvas."""

from __future__ import annotations

from tests.apps.subjects.operating import dialog_gone, operate_window
from tests.apps.subjects.row import FirstView, Subject
from tests.apps.subjects.stage import Stage
from tests.apps.subjects.viewing import tells_all

PICTURE = "red.ppm"
SCALE, LOCATION = "Scale Image", "Open Location"


async def prepare(stage: Stage) -> None:
    """A red picture of 200 by 100 pixels."""
    (stage.home / PICTURE).write_bytes(b"P6 200 100 255\n" + b"\xff\x00\x00" * 20_000)
    await stage.open(app="gimp", file=PICTURE)


subject = Subject("gimp", "GTK2", prepare, title="GIMP", first=FirstView(1100, 0.5))
SIZE = "the image's size in the window's title (X11)"
FIELD = "the field's text (AT-SPI)"


async def title_has(stage: Stage, part: str) -> None:
    await stage.window_is("GIMP", lambda window: part in window.title, part)


async def undone(stage: Stage, part: str) -> None:
    """Take the last change back, until the title says so again."""
    await stage.do("key", keys="ctrl+z", verdict=None)
    await title_has(stage, part)


async def dialog(stage: Stage, title: str, *path: str) -> None:
    if await stage.client(title) is None:
        await stage.do("menu", path=list(path), expect={"for": "window", "on": title})


async def cancelled(stage: Stage, title: str) -> None:
    await stage.do("press", on=await stage.ref("button", "Cancel"), verdict=None)
    await dialog_gone(stage, title)


async def scale(stage: Stage) -> None:
    await dialog(stage, SCALE, "Image", "Scale Image...")


async def location(stage: Stage, text: str = "") -> str:
    """The field of an open dialog, with this in it."""
    await dialog(stage, LOCATION, "File", "Open Location...")
    field = await stage.ref("textbox")
    await stage.do("set", on=field, value=text, verdict=None)
    return field


async def holds(stage: Stage, text: str) -> None:
    """Wait until the dialog's field says so; the main window's fields never do."""
    await stage.until(
        lambda: stage.witness.elements(stage.pid, "text"), lambda told: text in [f.text for f in told], text
    )


async def numbers(stage: Stage, role: str) -> list[float | None]:
    return [each.number for each in await stage.witness.elements(stage.pid, role)]


async def crop_options(stage: Stage) -> None:
    await stage.do("press", on=await stage.ref("toggle", "Crop Tool"), verdict=None)
    await stage.shows("label", "Crop")


@subject.row("observe", "the window: all controls, and that half of it is a picture", "a walk by pyatspi")
async def observe(stage: Stage) -> None:
    view = await tells_all(stage, "gimp-2.10")
    assert 0.3 < view.coverage < 0.6, (
        "the canvas fills about half of the window, and nobody can read it through the bus"
    )
    canvas = next(e for e in view.elements if e.role == "canvas")
    assert canvas.bounds is not None
    assert canvas.bounds[2] * canvas.bounds[3] > 300_000


@subject.row("press", "Scale, after another width was set", SIZE)
async def press(stage: Stage) -> None:
    await scale(stage)
    await stage.do("set", on=await stage.ref("spinbutton", "Width"), value=100)
    await stage.do("press", on=await stage.ref("button", "Scale"), verdict=None)
    await title_has(stage, " 100x50 ")
    await undone(stage, " 200x100 ")


@subject.row("click", "a tool, known by what it is for", "the tool's options show (AT-SPI)")
async def click(stage: Stage) -> None:
    await stage.do("click", on=await stage.ref("toggle", "Zoom Tool"), verdict=None)
    await stage.shows("label", "Zoom")


@subject.row("set", "the width in pixels; the height follows", "both numbers (AT-SPI)")
async def set_number(stage: Stage) -> None:
    await scale(stage)
    await stage.do("set", on=await stage.ref("spinbutton", "Width"), value=50)
    await stage.until(lambda: numbers(stage, "spin button"), lambda told: {50.0, 25.0} <= set(told), "50 by 25")
    await cancelled(stage, SCALE)


@subject.row("set", "an address with letters outside of ASCII", FIELD)
async def set_text(stage: Stage) -> None:
    field = await location(stage, "x")
    await stage.do("set", on=field, value="http://example.test/Grüße-日本")
    await holds(stage, "http://example.test/Grüße-日本")
    await stage.do("set", on=field, value="http://example.test/Grüße-日本", verdict="unchanged")


@subject.row("append", "to an address", FIELD)
async def append(stage: Stage) -> None:
    await stage.do("append", on=await location(stage, "one"), value="-two")
    await holds(stage, "one-two")


@subject.row("type", "letters outside of the layout", FIELD)
async def type_text(stage: Stage) -> None:
    await stage.do("key", on=await location(stage, "away"), keys="ctrl+a", verdict=None)
    await stage.do("type", value="Zß日")
    await holds(stage, "Zß日")


@subject.row("key", "ctrl+A, then Delete", FIELD)
async def key(stage: Stage) -> None:
    await stage.do("key", on=await location(stage, "away"), keys="ctrl+a", verdict=None)
    await stage.do("key", keys="Delete")
    await holds(stage, "")


@subject.row("focus", "Cancel, then the field", "who is focused (AT-SPI)")
async def focus(stage: Stage) -> None:
    field = await location(stage)
    await stage.do("focus", on=await stage.ref("button", "Cancel"))
    await stage.shows("push button", "Cancel", "focused")
    await stage.do("focus", on=field)
    await stage.until(
        lambda: stage.witness.elements(stage.pid, "text"), lambda told: any("focused" in f.states for f in told), "it"
    )
    await cancelled(stage, LOCATION)


@subject.row("select", "how pixels are interpolated, in a combo box", "the combo box holds it (AT-SPI)")
async def select(stage: Stage) -> None:
    await scale(stage)
    combo = await stage.ref("combobox", "Interpolation")
    await stage.do("select", on=combo, items=["Linear"])
    await stage.shows("combo box", "Linear")
    await stage.do("select", on=combo, items=["Cubic"])
    await cancelled(stage, SCALE)


@subject.row("check", "Allow growing, an option of a tool", "the box is checked (AT-SPI)")
async def check(stage: Stage) -> None:
    await crop_options(stage)
    box = await stage.ref("checkbox", "Allow growing")
    await stage.do("check", on=box)
    await stage.shows("check box", "Allow growing", "checked")
    await stage.do("check", on=box, verdict="unchanged")


@subject.row("uncheck", "Allow growing, an option of a tool", "the box is not checked (AT-SPI)")
async def uncheck(stage: Stage) -> None:
    await crop_options(stage)
    box = await stage.ref("checkbox", "Allow growing")
    await stage.do("check", on=box, verdict=None)
    await stage.do("uncheck", on=box)
    await stage.shows("check box", "Allow growing", without="checked")


@subject.refuses(
    "check", "the picture", "a canvas is neither on nor off", "`screenshot`, then `click` or `input` on it",
    "unsupported_action",
)  # fmt: skip
async def check_canvas(stage: Stage) -> None:
    assert (await stage.refused("check", on=await stage.ref("canvas"))).code == "unsupported_action"


@subject.cannot(
    "set", "the picture", "its pixels are no text: the tree tells that it is there, not what is on it",
    "`screenshot`, and `drag` with a tool", "unsupported_action",
)  # fmt: skip
async def set_canvas(stage: Stage) -> None:
    assert (await stage.refused("set", on=await stage.ref("canvas"), value="x")).code == "unsupported_action"


@subject.row("expand", "a menu", "an open menu (X11)")
async def expand(stage: Stage) -> None:
    menu = await stage.ref("menu", "File")
    await stage.do("expand", on=menu)
    await stage.popups(True)
    await stage.do("collapse", on=menu, verdict=None)


@subject.row("collapse", "a menu", "no open menu (X11)")
async def collapse(stage: Stage) -> None:
    menu = await stage.ref("menu", "View")
    await stage.do("expand", on=menu)
    await stage.do("collapse", on=menu)
    await stage.popups(False)


@subject.row("scroll", "the picture down", "the scroll bar's number (AT-SPI)")
async def scroll(stage: Stage) -> None:
    canvas = await stage.ref("canvas")
    await stage.do("key", on=canvas, keys="4", verdict=None)  # eight times as large
    before = await numbers(stage, "scroll bar")
    await stage.do("scroll", on=canvas, by=[0, 120], verdict=None)
    await stage.until(lambda: numbers(stage, "scroll bar"), lambda told: told != before, "it has scrolled")
    await stage.do("key", on=canvas, keys="1", verdict=None)


@subject.row("drag", "a rectangle over the picture's middle, and crop to it", SIZE)
async def drag(stage: Stage) -> None:
    await stage.do("press", on=await stage.ref("toggle", "Rectangle Select Tool"), verdict=None)
    await stage.do("key", on=await stage.ref("canvas"), keys="ctrl+shift+j", verdict=None)
    await stage.do("drag", on=await stage.ref("canvas"), to=[60, 40], verdict=None)
    await stage.do("menu", path=["Image", "Crop to Selection"], verdict=None)
    await stage.window_is("GIMP", lambda window: " 200x100 " not in window.title, "another size")
    await undone(stage, " 200x100 ")


@subject.row("menu", "Image > Mode > Grayscale", "the image's mode in the window's title (X11)")
async def menu(stage: Stage) -> None:
    await stage.do("menu", path=["Image", "Mode", "Grayscale"], verdict=None)
    await title_has(stage, "(Grayscale")
    await undone(stage, "(RGB")


@subject.row("menu", "an item that is not there", "nothing stays open (X11)")
async def menu_missing(stage: Stage) -> None:
    result = await stage.act({"do": "menu", "path": ["Image", "Mode", "Nothing"]})
    assert result.failure is not None
    assert result.failure.code == "not_found"
    assert '"Grayscale"' in result.failure.found
    await stage.popups(False)


@subject.row("window", "move, maximise, restore, minimise, activate; close a dialog", "the window's X11 state")
async def window(stage: Stage) -> None:
    await operate_window(stage, "GIMP")
    await scale(stage)
    await stage.do("window", on=SCALE, op="close")
    await dialog_gone(stage, SCALE)


@subject.row("open", "the application by name while it runs", "no second window (X11)")
async def open_again(stage: Stage) -> None:
    assert "attached" in (await stage.do("open", app="gimp", verdict=None)).note
    assert len(await stage.witness.clients()) == 1


@subject.row("wait", "for a dialog, for a window that does not come", "the dialog (X11); `wait_timeout`")
async def wait(stage: Stage) -> None:
    result = await stage.act(
        {"do": "menu", "path": ["Image", "Scale Image..."]},
        {"do": "wait", "for": "window", "on": SCALE},
        {"do": "wait", "for": "window", "on": "Nowhere", "timeout": 0.3},
    )
    assert result.failure is not None
    assert (result.done, result.failure.code) == (2, "wait_timeout")
    assert await stage.client(SCALE) is not None
    await cancelled(stage, SCALE)
