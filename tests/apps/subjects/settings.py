"""Xfce's appearance settings (GTK3): a dialog of tabs with lists, boxes, combo boxes, numbers, and a font chooser."""

from __future__ import annotations

import asyncio
from fnmatch import fnmatchcase

from tests.apps.subjects.operating import dialog_gone, operate_window
from tests.apps.subjects.row import FirstView, Subject
from tests.apps.subjects.stage import Stage

TITLE, FONTS = "Appearance", "Select a default font"
STORED = "what xfconf-query tells"
DPI = "Custom DPI setting:"


async def prepare(stage: Stage) -> None:
    """The dialog as it opens."""
    await stage.open(app="xfce4-appearance-settings")


subject = Subject("settings", "GTK3", prepare, title="Xfce Appearance settings", first=FirstView(50, 1.0))


async def stored(stage: Stage, name: str, value: str) -> None:
    """Wait until the settings' own store holds it."""

    async def held() -> str:
        asked = ("xfconf-query", "-c", "xsettings", "-p", name)
        environment = dict(stage.desktop.environment)
        run = await asyncio.create_subprocess_exec(*asked, env=environment, stdout=-1, stderr=-2)
        return (await run.communicate())[0].decode().strip()

    await stage.until(held, lambda found: fnmatchcase(found, value), f"{name} is {value!r}")


async def page(stage: Stage, name: str) -> None:
    await stage.do("select", on=await stage.ref("tablist", window=stage.window), items=[name], verdict=None)


async def fonts(stage: Stage) -> None:
    """The font chooser, which the first button of the Fonts page opens."""
    if await stage.client(FONTS) is None:
        await page(stage, "Fonts")
        await stage.do("press", on=await stage.ref("button", nth=0), verdict=None)
        await stage.window_is(FONTS, lambda c: c.active, "the font chooser")


@subject.row("select", "a tab, an item of a combo box", f"the tab (AT-SPI); {STORED}")
async def select(stage: Stage) -> None:
    await stage.do("select", on=await stage.ref("tablist"), items=["Fonts"])
    await stage.shows("page tab", "Fonts", "selected")
    order = await stage.ref("combobox", "Sub-pixel order")
    await stage.do("select", on=order, items=["RGB"])
    await stored(stage, "/Xft/RGBA", "rgb")
    await stage.do("select", on=order, items=["None"])
    await stored(stage, "/Xft/RGBA", "none")


@subject.row("check", "a box that is neither on nor off, and off", STORED, also=("uncheck",))
async def check_mixed(stage: Stage) -> None:
    await page(stage, "Fonts")
    view = await stage.view()
    box = next(e for e in view.elements if e.name == "Enable anti-aliasing")
    assert list(box.states) == ["mixed"], box
    effect = await stage.do("check", on=box.ref)
    assert (effect.before, effect.after) == ("mixed", "on")
    await stored(stage, "/Xft/Antialias", "1")
    await stage.do("uncheck", on=box.ref)
    await stored(stage, "/Xft/Antialias", "0")


@subject.row("set", "a number, which its box enables", STORED, also=("check", "wait"))
async def set_number(stage: Stage) -> None:
    await page(stage, "Fonts")
    box, field = await stage.ref("checkbox", DPI), await stage.ref("spinbutton")
    result = await stage.act(
        {"do": "check", "on": box},
        {"do": "wait", "for": "enabled", "on": field},
        {"do": "set", "on": field, "value": 110},
    )
    assert result.failure is None, result.text
    await stored(stage, "/Xft/DPI", "110")
    await stage.do("set", on=field, value=96)


@subject.row("click", "a box", STORED)
async def click(stage: Stage) -> None:
    await page(stage, "Settings")
    box = await stage.ref("checkbox", "Enable editable accelerators")
    await stage.do("click", on=box)
    await stored(stage, "/Gtk/CanChangeAccels", "true")
    await stage.do("click", on=box)
    await stored(stage, "/Gtk/CanChangeAccels", "false")


@subject.row("key", "Space on a box that gets the focus", STORED, also=("focus",))
async def key(stage: Stage) -> None:
    await page(stage, "Settings")
    box = await stage.ref("checkbox", "Show images in menus")
    await stage.do("focus", on=box)
    await stage.do("key", keys="space", verdict="verified")
    await stored(stage, "/Gtk/MenuImages", "false")
    await stage.do("check", on=box)


@subject.row("expand", "a combo box, and collapsed again", "its popup (X11)", also=("collapse",))
async def expand(stage: Stage) -> None:
    await page(stage, "Settings")
    scaling = await stage.ref("combobox", "Window Scaling")
    await stage.do("expand", on=scaling)
    await stage.popups(True)
    await stage.do("collapse", on=scaling)
    await stage.popups(False)


@subject.row("type", "into the font chooser's search, and more", "the fonts it lists (AT-SPI)", also=("append",))
async def search(stage: Stage) -> None:
    await fonts(stage)
    field = await stage.ref("textbox", "Search")
    await stage.do("type", on=field, value="DejaVu Sans")
    await stage.do("append", on=field, value=" Mono")

    async def texts() -> list[str]:
        return [e.text for e in await stage.witness.elements(stage.pid, "text")]

    await stage.until(texts, lambda said: "DejaVu Sans Mono" in said, "the search")
    await stage.do("set", on=field, value="")


@subject.row("scroll", "the list of fonts to its end and back", "the scroll bar's number (AT-SPI)")
async def scroll(stage: Stage) -> None:
    async def offset() -> float:
        return max(e.number or 0.0 for e in await stage.witness.elements(stage.pid, "scroll bar"))

    await fonts(stage)
    table = await stage.ref("table")
    await stage.do("scroll", on=table, to="bottom", verdict=None)
    assert await offset() > 0
    await stage.do("scroll", on=table, to="top", verdict=None)
    assert await offset() == 0


@subject.lacks(
    "select", "a font in the chooser", STORED, "the chooser follows its cursor, which nobody else moves",
    "`click` its row",
)  # fmt: skip
async def font(stage: Stage) -> None:
    await fonts(stage)
    await stage.do("select", on=await stage.ref("table"), items=["DejaVu Serif Book"], verdict=None)
    await stage.do("press", on=await stage.ref("button", "Select"))
    await dialog_gone(stage, FONTS)
    await stored(stage, "/Gtk/FontName", "Sans 10")


@subject.row("press", "a font's row and Select", STORED, also=("click",))
async def press(stage: Stage) -> None:
    await fonts(stage)
    await stage.do("set", on=await stage.ref("textbox", "Search"), value="DejaVu Serif Bold")
    table = await stage.ref("table")
    await stage.do("click", on=f"{table}[1]", verdict=None)
    await stage.do("press", on=await stage.ref("button", "Select"))
    await dialog_gone(stage, FONTS)
    await stored(stage, "/Gtk/FontName", "DejaVu Serif Bold*")


@subject.refuses("menu", "File", "the dialog has no menus", "`select` a tab", "not_found")
async def menu(stage: Stage) -> None:
    assert (await stage.refused("menu", path=["File", "Close"])).code == "not_found"


@subject.row("window", "move, maximise, restore, minimise, activate", "the window's X11 state")
async def window(stage: Stage) -> None:
    await operate_window(stage, TITLE)


@subject.row("open", "the dialog by its command while it runs", "no second window (X11)")
async def open_again(stage: Stage) -> None:
    await stage.do("open", app="xfce4-appearance-settings", verdict=None)
    assert len(await stage.witness.clients()) == 1
