"""The same typing in other toolkits: GTK4, and LibreOffice; read back by pyatspi, and through GTK's clipboard."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from deskhand.isolation import NestedDesktop
from deskhand.platforms.linux.x11.surfaces import Surface
from tests.apps.x11_rig import SYSTEM_PYTHON, Rig, end, eventually, needs, rig

pytestmark = [pytest.mark.apps]

_READ_CLIPBOARD = """
import sys, gi
gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk
sys.stdout.write(Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD).wait_for_text() or "")
"""


@pytest.fixture
async def made(isolated_desktop: NestedDesktop) -> AsyncIterator[Rig]:
    async with rig(isolated_desktop) as one:
        yield one


@asynccontextmanager
async def opened(made: Rig, *command: str, name: str, title: str) -> AsyncIterator[Surface]:
    """A program's window, active; the program is killed afterwards."""
    needs(command[0])
    await made.desktop.launch(list(command))
    window = await made.surface(lambda one: one.class_name == name and title in one.title and not one.popup, title)
    try:
        assert await made.windows.operate(window.xid, "activate")
        yield window
    finally:
        end(window.pid)

        async def gone() -> bool:
            return all(one.xid != window.xid for one in await made.windows.surfaces())

        await eventually(gone, f"the end of {title}")


@pytest.mark.proves("A9", "report-12")
@pytest.mark.parametrize("layout", ["us", "fr", "ru"])
async def test_a_gtk4_entry_gets_the_exact_text(made: Rig, layout: str) -> None:
    made.layout(layout)
    before = made.keyboard_map()
    async with opened(made, "gnome-calculator", name="gnome-calculator", title="Calculator") as window:
        text = "12+34×2π²÷√9−日Ж"

        await made.hands.type_text(text)

        await eventually(lambda: text in _texts(made, window.pid), f"the entry holds {text}")
    assert made.keyboard_map() == before


def _texts(made: Rig, pid: int) -> list[str]:
    said: list[str] = json.loads(made.run(SYSTEM_PYTHON, "-c", _READ_ALL, str(pid)))
    return said


_READ_ALL = """
import json, sys, pyatspi
texts = []
def walk(node, depth=0):
    if "Text" in pyatspi.listInterfaces(node):
        texts.append(node.queryText().getText(0, -1))
    if depth < 14:
        for index in range(min(node.childCount, 60)):
            child = node.getChildAtIndex(index)
            if child is not None:
                walk(child, depth + 1)
for app in pyatspi.Registry.getDesktop(0):
    if app is not None and app.get_process_id() == int(sys.argv[1]):
        walk(app)
print(json.dumps(texts))
"""


# LibreOffice drops keys that come before its sheet has the focus. A sheet's children are never asked for.
_SHEET_FOCUSED = """
import sys, pyatspi
def walk(node, depth=0):
    if node.getRole() == pyatspi.ROLE_TABLE:
        yield node
    elif depth < 14:
        for index in range(min(node.childCount, 60)):
            child = node.getChildAtIndex(index)
            if child is not None:
                yield from walk(child, depth + 1)
for app in pyatspi.Registry.getDesktop(0):
    if app is not None and app.get_process_id() == int(sys.argv[1]):
        if any(one.getState().contains(pyatspi.STATE_FOCUSED) for one in walk(app)):
            print("yes")
"""


@pytest.mark.proves("A9", "report-12")
async def test_cells_of_a_spreadsheet_get_the_exact_text(made: Rig) -> None:
    calc = ("libreoffice", "--calc", "--norestore", "--nologo")
    async with opened(made, *calc, name="libreoffice-calc", title="LibreOffice Calc") as window:
        await eventually(
            lambda: made.run(SYSTEM_PYTHON, "-c", _SHEET_FOCUSED, str(window.pid)) == "yes\n", "a sheet", 30
        )
        await made.hands.type_text("Привет Spaß 日本語 👍🏽\t42\nzweite Zeile\tß\n")
        await made.hands.chord("ctrl+Home")
        await made.hands.chord("shift+Down")
        await made.hands.chord("shift+Right")
        await made.hands.chord("ctrl+c")

        def copied() -> bool:
            return made.run(SYSTEM_PYTHON, "-c", _READ_CLIPBOARD) == "Привет Spaß 日本語 👍🏽\t42\nzweite Zeile\tß\n"

        await eventually(copied, "the cells are on the clipboard", 30)
