"""What the zoos of Qt and Swing have in common: a window whose every change stands in a file that it writes itself."""

from __future__ import annotations

import json
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

from tests.apps.subjects.operating import dialog_gone, operate_window
from tests.apps.subjects.row import Subject
from tests.apps.subjects.stage import Stage

PAGES = ("Buttons", "Fields", "Lists", "Table", "Ground")
TALK = "Rename"
OWN = "the program's own state"


def install(home: Path, name: str, command: str) -> None:
    """An entry by which the program can be opened by name; ``{state}`` is where it tells its state."""
    folder = home / ".local" / "share" / "applications"
    folder.mkdir(parents=True, exist_ok=True)
    state = home / "state.json"
    state.unlink(missing_ok=True)
    entry = f"[Desktop Entry]\nType=Application\nName={name}\nExec={command.format(state=state)}\n"
    (folder / f"{name}.desktop").write_text(entry)


async def told(stage: Stage) -> dict[str, Any]:
    """What the program says of itself."""
    state: dict[str, Any] = json.loads((stage.home / "state.json").read_text(encoding="utf-8"))
    return state


async def tells(stage: Stage, key: str, wanted: object) -> None:
    """Wait until the program says so."""

    async def look() -> object:
        return (await told(stage)).get(key)

    await stage.until(look, lambda said: said == wanted, f"{key} is {wanted!r}")


async def presses(stage: Stage, name: str) -> int:
    return int((await told(stage))["pressed"].get(name, 0))


async def pressed(stage: Stage, name: str, times: int) -> None:
    await stage.until(lambda: presses(stage, name), lambda said: said == times, f"{name} pressed {times} times")


async def page(stage: Stage, name: str) -> None:
    """A page in front."""
    await stage.do("select", on=await stage.ref("tablist"), items=[name], verdict=None)


async def once(stage: Stage, name: str, act: Awaitable[object]) -> None:
    """``act`` presses this exactly once."""
    before = await presses(stage, name)
    await act
    await pressed(stage, name, before + 1)


def declare(subject: Subject) -> None:
    """The rows that both zoos play."""
    for part in (_buttons, _menus, _fields, _writing, _keys, _lists, _table, _windows, _waits):
        part(subject)


def _buttons(subject: Subject) -> None:
    @subject.row("press", "a button, of the page and of the toolbar", OWN)
    async def press(stage: Stage) -> None:
        await page(stage, "Buttons")
        for name in ("Save", "Reload"):
            ref = await stage.ref("button", name)
            await once(stage, name, stage.do("press", on=ref, verdict=None))

    @subject.row("click", "a button with the right key, an item of its context menu", OWN)
    async def click(stage: Stage) -> None:
        await page(stage, "Buttons")
        await stage.do("click", on=await stage.ref("button", "Context"), button="right", verdict="changed")
        item = {"role": "menuitem", "name": "Move here"}
        await once(stage, "Move here", stage.do("press", on=item, verdict=None))
        await stage.gone("menu item", "Move here")

    @subject.row("check", "a box, a radio button, a toggle of the toolbar", OWN)
    async def check(stage: Stage) -> None:
        await page(stage, "Buttons")
        box = await stage.ref("checkbox", "Wrap lines")
        await stage.do("check", on=box)
        await tells(stage, "check", True)
        await stage.do("check", on=box, verdict="unchanged")
        for name in ("Blue", "Green"):
            await stage.do("check", on=await stage.ref("radio", name))
            await tells(stage, "radio", name)

    @subject.row("uncheck", "a box", OWN)
    async def uncheck(stage: Stage) -> None:
        await page(stage, "Buttons")
        box = await stage.ref("checkbox", "Wrap lines")
        await stage.do("check", on=box, verdict=None)
        await stage.do("uncheck", on=box)
        await tells(stage, "check", False)

    @subject.row("focus", "a button; a key presses it", OWN)
    async def focus(stage: Stage) -> None:
        await page(stage, "Buttons")
        await stage.do("focus", on=await stage.ref("button", "Delete"), verdict=None)
        await once(stage, "Delete", stage.do("key", keys="space", verdict=None))

    @subject.row("invoke", "a button's own action", OWN)
    async def invoke(stage: Stage) -> None:
        await page(stage, "Buttons")
        ref = await stage.ref("button", "Save")
        refusal = await stage.refused("invoke", on=ref, action="explode")
        assert refusal.code == "unsupported_action"
        own = refusal.found.split(", ")[0]
        await once(stage, "Save", stage.do("invoke", on=ref, action=own, verdict=None))

    @subject.row("hover", "a button", "where the pointer is (X11)")
    async def hover(stage: Stage) -> None:
        await page(stage, "Buttons")
        await stage.do("hover", on=await stage.ref("button", "Save"), verdict=None)
        x, y = await stage.witness.pointer()
        left, top, width, height = (await stage.shows("push button", "Save")).bounds
        assert left <= x < left + width
        assert top <= y < top + height

    @subject.refuses("press", "a button that is disabled", "it takes no input", "`wait` for `enabled`", "disabled")
    async def press_disabled(stage: Stage) -> None:
        await page(stage, "Buttons")
        assert (await stage.refused("press", on=await stage.ref("button", "Disabled"))).code == "disabled"


def _menus(subject: Subject) -> None:
    @subject.row("expand", "a menu", "an open menu (X11)")
    async def expand_menu(stage: Stage) -> None:
        menu = await stage.ref("menu", "File")
        await stage.do("expand", on=menu)
        assert "Open…" in (await stage.view()).text
        await stage.do("expand", on=menu, verdict="unchanged")
        await stage.do("collapse", on=menu)

    @subject.row("collapse", "a menu", "no open menu (X11)")
    async def collapse_menu(stage: Stage) -> None:
        menu = await stage.ref("menu", "Edit")
        await stage.do("expand", on=menu)
        await stage.do("collapse", on=menu)
        await stage.popups(False)
        await stage.do("collapse", on=menu, verdict="unchanged")

    @subject.row("menu", "an item, one of a submenu, one to tick, twice", OWN)
    async def menu(stage: Stage) -> None:
        for path in (["File", "New"], ["File", "Recent", "Two"]):
            await once(stage, path[-1], stage.do("menu", path=path, verdict=None))
        before = bool((await told(stage)).get("wrap"))
        for now in (not before, before):
            await stage.do("menu", path=["Edit", "Word wrap"])
            await tells(stage, "wrap", now)

    @subject.row("menu", "an item that opens a modal dialog, which is filled in and answered", OWN)
    async def menu_dialog(stage: Stage) -> None:
        await stage.do("menu", path=["Edit", "Rename…"])
        await stage.do("set", on=await stage.ref("textbox", "New name"), value="Zoë")
        await stage.do("press", on=await stage.ref("button", "OK"))
        await dialog_gone(stage, TALK)
        await tells(stage, "new_name", "Zoë")
        await tells(stage, "answer", "ok")

    @subject.refuses(
        "menu", "an item that is not there", "the menu has none of this name", "what it lists", "not_found"
    )
    async def menu_missing(stage: Stage) -> None:
        result = await stage.act({"do": "menu", "path": ["Nowhere", "Nothing"]})
        assert result.failure is not None
        assert (result.failure.code, result.failure.sent) == ("not_found", "no")


def _fields(subject: Subject) -> None:
    @subject.row("set", "a spin button", OWN)
    async def set_spin(stage: Stage) -> None:
        await page(stage, "Fields")
        spin = await stage.ref("spinbutton", "Copies")
        for number in (7, 4):
            await stage.do("set", on=spin, value=number)
            await tells(stage, "spin", number)
        await stage.do("set", on=spin, value=4, verdict="unchanged")

    @subject.row("set", "a slider", OWN)
    async def set_slider(stage: Stage) -> None:
        await page(stage, "Fields")
        slider = await stage.ref("slider", "Volume")
        for number in (42, 7):
            await stage.do("set", on=slider, value=number)
            await tells(stage, "slider", number)

    @subject.refuses(
        "set", "a number out of range", "the field takes 1 to 99", "a number that it takes", "value_rejected"
    )
    async def set_out_of_range(stage: Stage) -> None:
        await page(stage, "Fields")
        refusal = await stage.refused("set", on=await stage.ref("spinbutton", "Copies"), value=400)
        assert (refusal.code, refusal.expected) == ("value_rejected", "1..99")

    @subject.refuses("set", "a field that is read-only", "it takes no text", "another field", "value_rejected")
    async def set_read_only(stage: Stage) -> None:
        await page(stage, "Fields")
        refusal = await stage.refused("set", on=await stage.ref("textbox", "Read only"), value="x")
        assert refusal.code == "value_rejected"


def _writing(subject: Subject) -> None:
    @subject.row("set", "letters outside of ASCII; a text of two lines", OWN)
    async def set_text(stage: Stage) -> None:
        await page(stage, "Fields")
        name = await stage.ref("textbox", "Name")
        await stage.do("set", on=name, value="Grüße, 日本")
        await tells(stage, "entry", "Grüße, 日本")
        await stage.do("set", on=await stage.ref("textbox", "Notes"), value="one\ntwo")
        await tells(stage, "notes", "one\ntwo")

    @subject.row("set", "a password, which nothing tells", OWN)
    async def set_password(stage: Stage) -> None:
        await page(stage, "Fields")
        field = await stage.ref("textbox", "Password")
        done = await stage.do("set", on=field, value="horse-battery", verdict="unverifiable")
        await tells(stage, "password", "horse-battery")
        assert "horse" not in (await stage.view()).text + done.model_dump_json()

    @subject.row("append", "more", OWN)
    async def append(stage: Stage) -> None:
        await page(stage, "Fields")
        notes = await stage.ref("textbox", "Notes")
        await stage.do("set", on=notes, value="one", verdict=None)
        await stage.do("append", on=notes, value=" more ß")
        await tells(stage, "notes", "one more ß")


def _keys(subject: Subject) -> None:
    @subject.row("type", "letters outside of the layout", OWN)
    async def type_text(stage: Stage) -> None:
        await page(stage, "Fields")
        name = await stage.ref("textbox", "Name")
        await stage.do("set", on=name, value="", verdict=None)
        await stage.do("type", on=name, value="Zß日")
        await tells(stage, "entry", "Zß日")

    @subject.row("key", "ctrl+A, Delete; Up in a spin button", OWN)
    async def key(stage: Stage) -> None:
        await page(stage, "Fields")
        name = await stage.ref("textbox", "Name")
        await stage.do("set", on=name, value="away", verdict=None)
        await stage.do("key", on=name, keys="ctrl+a", verdict=None)
        await stage.do("key", keys="Delete")
        await tells(stage, "entry", "")
        spin = await stage.ref("spinbutton", "Copies")
        await stage.do("set", on=spin, value=5, verdict=None)
        await stage.do("key", on=spin, keys="Up")
        await tells(stage, "spin", 6)

    @subject.row("select", "characters; typing replaces just them", OWN)
    async def select_text(stage: Stage) -> None:
        await page(stage, "Fields")
        name = await stage.ref("textbox", "Name")
        await stage.do("set", on=name, value="one two three", verdict=None)
        await stage.do("focus", on=name, verdict=None)
        await stage.do("select", on=name, range=[4, 7])
        await stage.do("type", value="2")
        await tells(stage, "entry", "one 2 three")

    @subject.row("clipboard", "written, pasted; copied, read", OWN)
    async def clipboard(stage: Stage) -> None:
        await page(stage, "Fields")
        name = await stage.ref("textbox", "Name")
        await stage.do("set", on=name, value="", verdict=None)
        await stage.do("clipboard", op="write", value="17+4")
        await stage.do("key", on=name, keys="ctrl+v")
        await tells(stage, "entry", "17+4")
        await stage.do("key", on=name, keys="ctrl+a", verdict=None)
        await stage.do("key", on=name, keys="ctrl+c", verdict=None)
        assert (await stage.do("clipboard", op="read")).after == '"17+4"'


def _lists(subject: Subject) -> None:
    @subject.row("select", "items of a list, one that is scrolled away", OWN)
    async def select_items(stage: Stage) -> None:
        await page(stage, "Lists")
        fruit = await stage.ref("list", "Fruit")
        for names in (["Banana"], ["Apple", "Cherry"], ["Fruit 40"]):
            await stage.do("select", on=fruit, items=names)
            await tells(stage, "fruit", names)

    @subject.row("select", "an item of a combo box", OWN)
    async def select_combo(stage: Stage) -> None:
        await page(stage, "Fields")
        combo = await stage.ref("combobox")
        for name in ("Times", "Courier"):
            await stage.do("select", on=combo, items=[name])
            await tells(stage, "font", name)

    @subject.row("select", "a tab", OWN)
    async def select_tab(stage: Stage) -> None:
        await page(stage, "Buttons")
        for number, name in enumerate(PAGES[1:], 1):
            await stage.do("select", on=await stage.ref("tablist"), items=[name])
            await tells(stage, "tab", number)

    @subject.row("scroll", "a button of a scrolled area into view; then it is pressed", OWN)
    async def scroll(stage: Stage) -> None:
        await page(stage, "Ground")
        for name in ("Plank 35", "Plank 2"):
            ref = await stage.ref("button", name)
            await stage.do("scroll", on=ref, to="view", verdict=None)
            await once(stage, name, stage.do("press", on=ref, verdict=None))


def _table(subject: Subject) -> None:
    @subject.row("select", "a row of a table, one that is scrolled away", OWN)
    async def select_row(stage: Stage) -> None:
        await page(stage, "Table")
        table = await stage.ref("table", "Stock")
        await stage.do("select", on=table, items=["a-3"])
        await is_chosen(stage, 3)
        await stage.do("select", on=table, items=["a-150"])
        await is_chosen(stage, 150)

    @subject.row("type", "into a cell that a double click has opened", OWN)
    async def type_into_cell(stage: Stage) -> None:
        await page(stage, "Table")
        table = await stage.ref("table", "Stock")
        await stage.do("scroll", on=table, to="top", verdict=None)
        await stage.do("click", on=f"{table}[2,2]", count=2, verdict=None)
        await stage.do("key", keys="ctrl+a", verdict=None)
        await stage.do("type", value="new\n", verdict=None)
        await tells(stage, "changed", [1, 1, "new"])

    @subject.row("click", "cells of a table, one that is scrolled away", OWN)
    async def click_cells(stage: Stage) -> None:
        await page(stage, "Table")
        table = await stage.ref("table", "Stock")
        for row in (2, 120, 7):
            await stage.do("click", on=f"{table}[{row},2]", verdict=None)
            await is_chosen(stage, row)

    @subject.cannot(
        "set",
        "a table's cell",
        "a table is no spreadsheet",
        "`click` the cell twice, then `type`",
        "unsupported_action",
    )
    async def set_cell(stage: Stage) -> None:
        await page(stage, "Table")
        table = await stage.ref("table", "Stock")
        assert (await stage.refused("set", on=f"{table}[2,2]", value="x")).code == "unsupported_action"


async def chosen(stage: Stage) -> int | None:
    """The selected row of the table."""
    said = await told(stage)
    rows = {row for row, _ in said["cells"]} if "cells" in said else {said.get("row")}
    return rows.pop() if len(rows) == 1 else None


async def is_chosen(stage: Stage, row: int) -> None:
    """Wait until just this row is selected; rows count from 1."""
    await stage.until(lambda: chosen(stage), lambda now: now == row - 1, f"row {row} is selected")


def _windows(subject: Subject) -> None:
    title, app = {"qt": ("Zoo Qt", "zoo-qt"), "swing": ("Zoo Swing", "Zoo Swing")}[subject.name]

    @subject.row("window", "move, maximise, restore, minimise, activate, close", "the window's X11 state")
    async def window(stage: Stage) -> None:
        await operate_window(stage, title)
        await page(stage, "Buttons")
        await stage.do("press", on=await stage.ref("button", "Ask"))
        await stage.do("window", on=TALK, op="close")
        await dialog_gone(stage, TALK)

    @subject.row("open", "the program by its name while it runs", "no second window (X11)")
    async def open_again(stage: Stage) -> None:
        effect = await stage.do("open", app=app)
        assert "attached" in effect.note
        assert len(await stage.witness.clients()) == 1


def _waits(subject: Subject) -> None:
    @subject.row("wait", "for the dialog, and for its end", OWN)
    async def wait(stage: Stage) -> None:
        await page(stage, "Buttons")
        result = await stage.act(
            {"do": "press", "on": await stage.ref("button", "Ask")},
            {"do": "wait", "for": "window", "on": TALK},
            {"do": "press", "on": {"role": "button", "name": "Cancel", "in": TALK}},
            {"do": "wait", "for": "closed", "on": TALK},
        )
        assert result.failure is None, result.text
        await tells(stage, "answer", "cancel")

    @subject.row("expect", "a value that was set, and one that is not so", OWN)
    async def expect(stage: Stage) -> None:
        await page(stage, "Fields")
        name = await stage.ref("textbox", "Name")
        await stage.do("set", on=name, value="so", expect={"for": "value", "on": name, "is": "so"}, verdict=None)
        wrong = {"for": "value", "on": name, "is": "not so", "timeout": 0.3}
        result = await stage.act({"do": "set", "on": name, "value": "but", "expect": wrong})
        assert result.failure is not None
        assert result.failure.code == "expectation_failed"
        await tells(stage, "entry", "but")
