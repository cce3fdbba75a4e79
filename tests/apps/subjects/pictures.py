"""Ristretto (GTK3): an image viewer with a menu bar and a toolbar; what it draws is in no tree."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

from deskhand.types.requests import ScreenshotRequest
from tests.apps.subjects.operating import dialog_gone, operate_window
from tests.apps.subjects.row import FirstView, Subject
from tests.apps.subjects.stage import Stage

PREFERENCES = "Image Viewer Preferences"
QUIET = """<?xml version="1.0" encoding="UTF-8"?>
<channel name="ristretto" version="1.0">
  <property name="errors" type="empty"><property name="missing-thumbnailer" type="bool" value="false"/></property>
</channel>
"""
RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)
DRAWN = "the picture's colour and the title (X11)"


def write_png(path: Path, size: tuple[int, int], colour: tuple[int, int, int]) -> None:
    """A picture of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + bytes(colour) * size[0]) * size[1]
    head = struct.pack(">IIBBBBB", *size, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + parts)


async def prepare(stage: Stage) -> None:
    """The first of three pictures, without the warning that no service makes thumbnails."""
    settings = stage.home / ".config/xfce4/xfconf/xfce-perchannel-xml/ristretto.xml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(QUIET)
    (stage.home / "pictures").mkdir()
    for name, colour in (("1.png", RED), ("2.png", GREEN), ("3.png", BLUE)):
        write_png(stage.home / "pictures" / name, (400, 200), colour)
    await stage.open(app="ristretto", file=str(stage.home / "pictures" / "1.png"))
    await stage.window_is("1.png - Image Viewer [1/3]", lambda c: True, "the pictures are found")


subject = Subject("pictures", "GTK3", prepare, title="Ristretto", first=FirstView(150, 0.05))


async def drawn(stage: Stage, number: int, colour: tuple[int, int, int]) -> None:
    """Wait until this picture is shown."""
    client = await stage.window_is(f"{number}.png", lambda c: f"[{number}/3]" in c.title, f"picture {number}")
    x, y, w, h = client.bounds
    middle = (x + w // 2, y + h // 2)
    await stage.until(lambda: stage.witness.pixel(*middle), lambda rgb: rgb == colour, f"{colour}")


async def first(stage: Stage) -> None:
    await stage.do("menu", path=["Go", "First"], verdict=None)
    await drawn(stage, 1, RED)


async def says(stage: Stage, part: str) -> None:
    async def said() -> list[str]:
        return [e.text or e.name for e in await stage.witness.elements(stage.pid)]

    await stage.until(said, lambda labels: any(part in label for label in labels), f"it says {part!r}")


async def preferences(stage: Stage, tab: str) -> None:
    if await stage.client(PREFERENCES) is None:
        await stage.do("menu", path=["Edit", "Preferences..."], expect={"for": "window", "on": PREFERENCES})
    await stage.do("select", on=await stage.ref("tablist", window=PREFERENCES), items=[tab], verdict=None)


async def leave(stage: Stage) -> None:
    await stage.do("press", on=await stage.ref("button", "Close", window=PREFERENCES), verdict=None)
    await dialog_gone(stage, PREFERENCES)


@subject.lacks(
    "observe", "the picture", "its colour (X11), which the tree does not tell", "Ristretto draws it by itself",
    "`screenshot`; its name, size and zoom stand in the status bar",
)  # fmt: skip
async def picture(stage: Stage) -> None:
    await first(stage)
    view = await stage.view()
    assert view.coverage < 0.33
    assert "coverage 0.0" in view.text
    assert "advice screenshot" in view.text
    assert "400 x 200" in view.text
    assert (await stage.session.screenshot(ScreenshotRequest(target=stage.window))).image


@subject.row("press", "Forward, Back; Last in a menu", DRAWN, also=("menu", "wait"))
async def press(stage: Stage) -> None:
    await first(stage)
    await stage.do("press", on=await stage.ref("button", "Forward"), verdict=None)
    await drawn(stage, 2, GREEN)
    await stage.do("press", on=await stage.ref("button", "Back"), verdict=None)
    await drawn(stage, 1, RED)
    result = await stage.act({"do": "menu", "path": ["Go", "Last"]}, {"do": "wait", "for": "window", "on": "3.png"})
    assert result.failure is None, result.text
    await drawn(stage, 3, BLUE)


@subject.row("key", "Page Down", DRAWN)
async def key(stage: Stage) -> None:
    await first(stage)
    await stage.do("key", keys="Page_Down", verdict=None)
    await drawn(stage, 2, GREEN)


@subject.row("click", "Zoom In, then Normal Size", "the status bar (AT-SPI)")
async def zoom(stage: Stage) -> None:
    await first(stage)
    await stage.do("click", on=await stage.ref("button", "Normal Size"), verdict=None)
    await says(stage, "100.0%")
    await stage.do("click", on=await stage.ref("button", "Zoom In"), verdict=None)
    await says(stage, "110.0%")


@subject.row("set", "the time of a slide, a slider; a spin button", "their numbers (AT-SPI)", also=("select",))
async def numbers(stage: Stage) -> None:
    await preferences(stage, "Slideshow")
    await stage.shows("page tab", "Slideshow", "selected")
    await stage.do("set", on=await stage.ref("slider"), value=12)
    assert (await stage.shows("slider")).number == 12
    await preferences(stage, "Fullscreen")
    await stage.do("set", on=await stage.ref("spinbutton"), value=7)
    assert (await stage.shows("spin button")).number == 7


@subject.row("check", "a box of the preferences, and off again", "the box (AT-SPI)", also=("uncheck", "focus"))
async def check(stage: Stage) -> None:
    name = "Invert zoom direction"
    await preferences(stage, "Control")
    box = await stage.ref("checkbox", name)
    await stage.do("check", on=box)
    await stage.shows("check box", name, "checked")
    await stage.do("uncheck", on=box)
    await stage.shows("check box", name, without="checked")
    await stage.do("focus", on=await stage.ref("button", "Close"))
    await stage.shows("push button", "Close", "focused")


@subject.row("expand", "a combo box of the preferences, and collapsed again", "its popup (X11)", also=("collapse",))
async def expand(stage: Stage) -> None:
    await preferences(stage, "Behaviour")
    combo = await stage.ref("combobox")
    await stage.do("expand", on=combo)
    await stage.popups(True)
    await stage.do("collapse", on=combo)
    await stage.popups(False)
    await leave(stage)


@subject.row("type", "a copy's name, and its ending; Save", "the copy's bytes", also=("append", "expect"))
async def save_copy(stage: Stage) -> None:
    await first(stage)
    await stage.do("press", on=await stage.ref("button", "Save copy..."), verdict=None)
    await stage.window_is("Save copy", lambda c: c.active, "the dialog")
    field = await stage.ref("textbox", "Name")
    await stage.do("set", on=field, value="", verdict=None)
    await stage.do("type", on=field, value=f"{stage.home}/pictures/Größe")
    await stage.do("append", on=field, value=" Ж.png")
    save = await stage.ref("button", "Save")
    copy = stage.home / "pictures" / "Größe Ж.png"
    await stage.do("press", on=save, verdict=None, expect={"file": {"path": str(copy)}})
    assert copy.read_bytes() == (stage.home / "pictures" / "1.png").read_bytes()
    copy.unlink()


@subject.cannot(
    "scroll", "the picture", "what Ristretto draws is in no tree, so that no ref means it",
    "`key` plus and minus, or `input`", "not_found",
)  # fmt: skip
async def scroll(stage: Stage) -> None:
    refusal = await stage.refused("scroll", on={"role": "canvas", "in": stage.window}, by=[0, -100])
    assert refusal.code == "not_found"


@subject.row("window", "move, maximise, restore, minimise, activate", "the window's X11 state")
async def window(stage: Stage) -> None:
    await operate_window(stage, "Image Viewer")


@subject.row("open", "a picture of another folder, closed again", "a window with its name (X11)")
async def open_other(stage: Stage) -> None:
    write_png(stage.home / "other.png", (100, 100), GREEN)
    await stage.do("open", app="ristretto", file=str(stage.home / "other.png"), verdict=None)
    await stage.window_is("other.png", lambda c: c.active, "the other picture")
